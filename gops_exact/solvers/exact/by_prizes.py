"""The solver in exact numbers, balls and residues: values by prize sets, as far as they are asked for.

First moves of whole games are tasks, done in this process, in others of the machine, or on a cluster.
Processes of one machine exchange slabs through the store alone: a worker reads the slabs that its task
needs and writes what it computed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from math import ceil, log2
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic, TypeVar
from weakref import finalize

from flint import arb, fmpz

from gops_exact.base.machine import available_cores
from gops_exact.base.progress import Progress, part_of, tracked
from gops_exact.game.game import Game, Node, Position, Turn, as_game, checked_position, turns
from gops_exact.game.order_types import Layer, mask, order_types, pair_above, relabelled
from gops_exact.game.rules import Rules, Upcard, Upcards
from gops_exact.matrix_game.basis import N, Play
from gops_exact.numbers import BigRational
from gops_exact.numbers.exact import Number, PrecisionError
from gops_exact.numbers.kinds import ProvedDecimal, ResidueClass, decimal_text, tidy
from gops_exact.solvers.arithmetic import Ball, Exact, Residue
from gops_exact.solvers.cost import check_cost
from gops_exact.solvers.exact.lattice import (
    MEMORY_BYTES,
    Single,
    Slab,
    System,
    Values,
    games,
    looked_at,
    missing,
)
from gops_exact.solvers.exact.rational import ExactSystem
from gops_exact.solvers.solution import HALF, Solver
from gops_exact.solvers.store import DiskStore, MemoryStore, StoreLocation
from gops_exact.solvers.strategy import FirstMoves

Answer = TypeVar("Answer")

MOST_CARDS = 14
"""Cards a side of a whole game whose positions are solved on demand: listing its order types takes
10 s and 2 GB, and three to four times as much with every card more."""

GUARD_BITS = 64
"""Precision beyond the digits asked for. Radii grow by five or six bits with every card a side."""

DOUBLINGS = 3
"""How many times the precision of balls is doubled before giving up on proved digits."""

FEW_CARDS = 8
"""Games of so many cards are proved with exact values up to four cards a side. Larger ones get them
up to five, which takes an eighth more time at nine cards; so do all games for winning, which have
many ties."""

MOST_BITS = 1024
"""Precision of the balls beside residues at which to give up, doubled from the default one."""


POSITION_BYTES = 1 << 27
"""Bound on the values that are kept from earlier positions; what a single one leads to may take more."""

REMEMBERED = 1 << 14
"""Answers on positions that are kept."""

PARALLEL_SECONDS = 15
"""Estimated core time of a run from which its workers pay: starting them takes seconds."""

SMALL_CARDS = 3
"""Cards a side of a small slab, which has 32 pairs of hands at most: 6 ms in exact numbers."""


Task = Node | Single | Upcard
"""A slab or a single value to compute, or an opening, named by its upcard."""


class Positions(Generic[Slab, N]):
    """The positions that `start` leads to, in one number system; slabs are computed when they are needed.

    The hands and the rules of `start` count, not its prizes: a position may have any prizes. Values are
    taken from the store, but none are added.
    """

    def __init__(
        self,
        start: Position,
        system: System[Slab, N],
        store: DiskStore | None,
        progress: Progress | None,
    ) -> None:
        self.start, self.system, self._progress = start, system, progress
        self._types = order_types(start.one, start.two, equal=start.rules.winning)
        self._values = Values(self._types, start.rules, system, store, POSITION_BYTES)
        self._plays: dict[tuple[int, int, Node, Upcard], Play[N]] = {}
        self._firsts: dict[tuple[int, int, Node], N] = {}

    def holds(self, position: Position) -> bool:
        """Tell whether the hands and rules of a position are among those of the start."""
        with suppress(ValueError):
            self._seen(position)
            return True
        return False

    def value(self, position: Position) -> N:
        """Return the value of a position before a prize is turned up."""
        layer, seen, swapped = self._seen(position)
        key = int(layer.one[0]), int(layer.two[0]), seen.node
        if key not in self._firsts:
            following = turns(seen.rules, seen.node)
            slab = self.system.slab(layer, following, self._below(seen, following))
            self._firsts[key] = self.system.first(slab)
        value = self._firsts[key]
        return self.system.negative(value) if swapped else value

    def play(self, position: Position) -> Play[N]:
        """Return optimal play at a position with a prize turned up."""
        layer, seen, swapped = self._seen(position)
        key = int(layer.one[0]), int(layer.two[0]), seen.node, seen.upcard
        if key not in self._plays:
            self._plays[key] = self.system.play(layer, seen.turn, self._below(seen, [seen.turn]))
        play = self._plays[key]
        return play.swapped(self.system.negative) if swapped else play

    def entries(
        self,
        position: Position,
        rows: Iterable[int] | None = None,
        columns: Iterable[int] | None = None,
        *,
        enclosed: bool = False,
    ) -> list[list[Any]]:
        """Return player one's expectation for pairs of bids, shape (rows, columns).

        Args:
            position: with a prize turned up.
            rows: indices of player one's bids, by default all.
            columns: indices of player two's bids, by default all.
            enclosed: return balls instead of numbers of the system.
        """
        layer, seen, swapped = self._seen(position)
        below = self._below(seen, [seen.turn])
        table = self.system.table(seen.turn, layer, below, self.system)
        number = table.balls.__getitem__ if enclosed else table.number
        negative: Callable[[Any], Any] = arb.__neg__ if enclosed else self.system.negative
        (indices,) = games(layer.every_bid())
        every = range(position.size)
        own, other = (list(every if chosen is None else chosen) for chosen in (rows, columns))
        if swapped:
            return [[negative(number(indices[j][i])) for j in other] for i in own]
        return [[number(indices[i][j]) for j in other] for i in own]

    def gains(self, position: Position, rows: Iterable[int] | None = None) -> list[N]:
        """Return player one's expectations of bids against player two's optimal strategy."""
        column, zero = self.play(position).column, self.system.zero
        played = [j for j, p in enumerate(column) if not p == zero]  # noqa: SIM201  # of balls
        weights = [column[j] for j in played]
        entries = self.entries(position, rows, played)
        return [self.system.expectation(row, weights) for row in entries]

    def _below(self, position: Position, games: Iterable[Turn]) -> Values[Slab, N]:
        """Return the values that games look at; drop old values and answers where there are too many."""
        self._values.trim()
        if len(self._plays) + len(self._firsts) > REMEMBERED:
            self._plays.clear()
            self._firsts.clear()
        at_start = position.size == self.start.size
        return self._values.sweep(games, self._progress, preview=at_start)

    def _seen(self, position: Position) -> tuple[Layer, Position, bool]:
        """Return the layer that holds the hands alone, the position as it is kept, and True if players are swapped.

        Raises:
            ValueError: if the start does not lead to the position.
        """
        if position.rules == self.start.rules and position.size <= self.start.size:
            layer = self._types[position.size]
            # Of a pair of hands and its mirror image the layer holds one.
            for swapped, seen in ((False, position), (True, position.swapped())):
                one, two = map(mask, relabelled(seen.one, seen.two))
                for h in ((layer.one == one) & (layer.two == two)).nonzero()[0].tolist():
                    return layer.part(slice(h, h + 1)), seen, swapped
            # Equal hands are worth nothing for points, so no layer below the start holds them.
            if position.one == position.two and self.start.one == self.start.two:
                keys = self._types[position.size - 1].keys
                layer = pair_above(keys, position.one, position.two, equal=False)
                return layer, position, False
        raise ValueError(f"expected a position that {self.start} leads to, got {position}")


class ByPrizes(Solver[Any]):
    """Solver in exact numbers, balls or residues, at the first precision that suffices.

    Args:
        arithmetic: the kind of number.
        game: the game whose positions will be asked for; all share their values.
        location: the store, by default the user's.
        workers: processes for first moves, or the address of a Dask scheduler.
        progress: called as progress(done, total), in any unit.
        force: begin even if it takes hours.

    Raises:
        ValueError: if the game has too many cards.

    >>> solver = ByPrizes(Exact(), Game(4))
    >>> position = Position([2, 4], [1, 3], [12, 13], upcard=13)
    >>> print(solver.value(position), *solver.bid_gains(position.swapped()).values())
    313/25 -313/25 -313/25
    """

    def __init__(
        self,
        arithmetic: Exact | Ball | Residue,
        game: Game | None = None,
        *,
        location: StoreLocation | None = None,
        workers: int | str | None = None,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        self.arithmetic: Exact | Ball | Residue = arithmetic
        self._location = StoreLocation.of(None) if location is None else location
        if game is not None and game.n > MOST_CARDS:
            raise ValueError(f"n must be at most {MOST_CARDS}, got {game.n}")
        self._workers, self._progress, self._force = workers, progress, force
        self._start = None if game is None else game.start
        self._openings: dict[Game, dict[Upcard, Play[Any]]] = {}
        self._file: DiskStore | None = None
        self._systems: Iterator[System[Any, Any]] = iter(())
        self._known: Positions[Any, Any] | None = None

    def value(self, position: Position | str) -> Number[Any]:
        position = checked_position(position)
        settled = position.settled
        if settled is not None:
            raw = {Exact: (fmpz(settled), fmpz(1)), Ball: arb(settled), Residue: settled}
            return self.number(raw[type(self.arithmetic)])
        if position.upcard is not None:
            return self.number(self._asked(position, lambda known: known.play(position).value))
        return self.number(self._asked(position, lambda known: known.value(position)))

    def play(self, position: Position) -> Play[Any]:
        """Return optimal play at a position with a prize turned up, exact numbers as pairs."""
        checked_position(position, turned=True)
        return self._asked(position, lambda known: known.play(position))

    def entries(self, position: Position, *, enclosed: bool = False) -> list[list[Any]]:
        """Return player one's expectation for every pair of bids, shape (k, k).

        Balls, with `enclosed`, are quick to have where exact numbers are long.
        """
        checked_position(position, turned=True)
        return self._asked(position, lambda known: known.entries(position, enclosed=enclosed))

    def gains(self, position: Position, cards: Iterable[int] | None = None) -> list[Any]:
        """Return player one's expectation of each bid against the column of :meth:`play`.

        `cards` are the bids, by default all: each takes about as long as any other, where exact numbers are long.
        """
        checked_position(position, turned=True)
        rows = None if cards is None else [position.one.index(card) for card in cards]
        return self._asked(position, lambda known: known.gains(position, rows))

    def first_move(self, game: Game | int, upcards: Upcards | None = None) -> FirstMoves[Any]:
        game = as_game(game)
        chosen, known = game.chosen(upcards), self._openings.setdefault(game, {})
        lacking = [upcard for upcard in chosen if upcard not in known]
        if lacking:
            estimate = check_cost(game, self.arithmetic, upcards=tuple(lacking), force=self._force)
            ask = partial(
                openings,
                game,
                lacking,
                location=self._location,
                workers=self._workers,
                large=estimate.seconds >= PARALLEL_SECONDS,
                progress=self._progress,
            )
            systems = _systems(self.arithmetic, game.n, game.rules)
            known |= self._settled(systems, ask, "a first move")
        elif self._progress is not None:
            self._progress(1, 1)
        return self.moves(game, {upcard: known[upcard] for upcard in chosen})

    def number(self, raw: Any) -> Number[Any]:  # noqa: ANN401  # a number of the system
        """Return a number with what is proved of it."""
        if isinstance(self.arithmetic, Exact):
            return BigRational.of_pair(raw)
        if isinstance(self.arithmetic, Ball):
            return ProvedDecimal(raw, self.arithmetic.digits)
        return ResidueClass(raw % self.arithmetic.prime, self.arithmetic.prime)

    def _asked(self, position: Position, ask: Callable[[Positions[Any, Any]], Answer]) -> Answer:
        """Answer a question at the first precision that suffices; later questions begin with that precision."""
        systems: Iterator[System[Any, Any]] = self._systems
        if self._known is not None and self._known.holds(position):
            start, systems = self._known.start, chain([self._known.system], systems)
        else:
            start = position if self._start is None else self._start
            check_cost(start, self.arithmetic, force=self._force)
            systems = self._systems = _systems(self.arithmetic, start.size, start.rules)

        def tried(system: System[Any, Any]) -> Answer:
            if self._known is None or system is not self._known.system:
                path = self._location.path
                with suppress(OSError):  # no name of a file
                    if self._file is None and path is not None and path.exists():
                        self._file = DiskStore(path, read_only=True)
                        finalize(self, self._file.close)
                below = part_of(self._progress, 0, HALF, 2 * HALF)
                self._known = Positions(start, system, self._file, below)
            return ask(self._known)

        answer = self._settled(systems, tried, "a position")
        if self._progress is not None:
            self._progress(2 * HALF, 2 * HALF)
        return answer

    def _settled(
        self,
        systems: Iterable[System[Any, Any]],
        ask: Callable[[System[Any, Any]], Answer],
        name: str,
    ) -> Answer:
        """Return the answer of the first number system that settles all ties and proves all digits.

        Raises:
            PrecisionError: if none suffices.
        """
        failure = PrecisionError(f"no precision suffices for {name}")
        for system in systems:
            try:
                answer = ask(system)
            except PrecisionError as error:
                failure = error
                continue
            if not isinstance(self.arithmetic, Ball):
                return answer
            digits = self.arithmetic.digits
            if all(decimal_text(tidy(ball), digits) is not None for ball in _numbers(answer)):
                return answer
            message = f"{digits} digits of {name} are not proved by {system.bits} bits"
            failure = PrecisionError(message)
        raise failure


def _systems(kind: Exact | Ball | Residue, size: int, rules: Rules) -> Iterator[System[Any, Any]]:
    """Yield number systems for a game of so many cards a side, the least precise first."""
    if isinstance(kind, Exact):
        yield ExactSystem()
        return
    from gops_exact.solvers.exact.ball import BITS, EXACT_UP_TO, BallSystem, ResidueSystem

    if isinstance(kind, Ball):
        bits = ceil(kind.digits * log2(10)) + GUARD_BITS
        yield from (BallSystem(bits << doubling) for doubling in range(DOUBLINGS + 1))
    else:
        bits, exact_up_to = BITS, EXACT_UP_TO + (rules.winning or size > FEW_CARDS)
        while bits <= MOST_BITS:
            yield ResidueSystem(kind.prime, bits, exact_up_to)
            bits *= 2


def _numbers(answer: object) -> Iterator[Any]:
    """Yield the numbers of an answer: of a play, of all in a list or mapping, or the one that it is."""
    if isinstance(answer, Play):
        yield from (answer.value, *answer.row, *answer.column)
    elif isinstance(answer, list | dict):
        for part in answer.values() if isinstance(answer, dict) else answer:
            yield from _numbers(part)
    else:
        yield answer


@dataclass(eq=False)
class Worker(Generic[Slab, N]):
    """The part of one process in solving a game: it does tasks and keeps the results.

    Sent to another process of this machine, a worker opens the same store. Sent to a cluster, it has no
    location, and its store is in memory.
    """

    game: Game
    values: Values[Slab, N]  # of this process
    location: StoreLocation  # of the store, which processes of one machine share
    divided: bool = False  # the values that a first move lacks are tasks, for others to do
    _previewed: Sequence[Node] = field(default=(), init=False)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        options = self.values.memory_bytes, self.location, self.divided
        return _elsewhere, (self.game, self.values.system, *options)

    def do(self, task: Task) -> list[Task]:
        """Compute a slab, a value or an opening and keep it; return the values that an opening lacks."""
        if isinstance(task, Node | Single):
            self.values.fill(task)
            return []
        # Previews of the opening before are of use only if this one looks at the same nodes.
        turn, root = self.game.turns[task], self.game.types[-1]
        if turn.nodes != self._previewed:
            self.values.release(self._previewed)
            self._previewed = turn.nodes
        below = self.values.sweep([turn], preview=True)
        if self.divided:
            singles = self.values.system.lacking(root, turn, below)
            lacking = list[Task](single for single in singles if single not in self.values)
            if lacking:
                return lacking
        opening = self.values.system.play(root, turn, below)
        self.values.keep_opening(self.game.prizes, task, opening)
        self.values.release(self._previewed)
        return []

    def graph(self, upcards: Iterable[Upcard]) -> dict[Task, Sequence[Task]]:
        """Return {task that the openings at `upcards` lack: tasks that it waits for}, these first."""
        games: dict[Upcard, list[Turn]] = {}
        for upcard in upcards:
            if self.values.opening(self.game.prizes, upcard) is None:
                games[upcard] = []
                # The values of these nodes are evaluated as the opening asks for them, if they are not known.
                for node in self.game.turns[upcard].nodes:
                    if node not in self.values:
                        games[upcard] += self.values.turns(node)
        slabs = missing(chain.from_iterable(games.values()), self.game.rules, self.values)
        graph = dict[Task, Sequence[Task]](slabs.items())
        for upcard, following in games.items():
            graph[upcard] = list(filter(slabs.__contains__, looked_at(following)))
        return graph

    def is_small(self, task: Task) -> bool:
        """Test whether a task takes less time than sending it elsewhere."""
        return isinstance(task, Node) and len(task.prizes) <= SMALL_CARDS

    def reads(self, task: Task) -> Sequence[Node | Single]:
        """List the slabs, and the values known singly, that a task reads from the store, each once."""
        if isinstance(task, Node | Single):
            return looked_at(self.values.turns(task))
        read: list[Node | Single] = []
        for node in self.game.turns[task].nodes:
            if node in self.values:
                read.append(node)
            else:
                read += [*looked_at(self.values.turns(node)), *self.values.singles(node)]
        return list(dict.fromkeys(read))


@lru_cache(maxsize=1)
def _elsewhere(
    game: Game,
    system: System[Slab, N],
    memory_bytes: int,
    location: StoreLocation,
    divided: bool,
) -> Worker[Slab, N]:
    """Return the worker of another process, one for all its tasks, as it keeps slabs between them."""
    store = MemoryStore() if location.path is None else location.open()
    values = Values(game.types, game.rules, system, store, memory_bytes)
    return Worker(game, values, location, divided)


def openings(
    game: Game,
    upcards: Iterable[Upcard],
    system: System[Slab, N],
    location: StoreLocation,
    *,
    workers: int | str | None = None,
    large: bool = False,
    progress: Progress | None = None,
) -> dict[Upcard, Play[N]]:
    """Return the optimal first moves of a game, {upcard: opening}, at upcards that can come first.

    Args:
        game: the game.
        upcards: those of the openings.
        system: the number system.
        location: the store. Where it is read-only, slabs cannot be passed on, so one process does all tasks.
        workers: processes, by default as many as there are cores if the run is large, else one; or the address
            of a Dask scheduler.
        large: the run takes long enough for other processes to pay.
        progress: called as progress(done, total), in any unit.
    """
    wanted = list(upcards)
    by_default = available_cores() if large else 1
    jobs = workers if isinstance(workers, int) else by_default
    # An interrupt ends workers at once, but has to wait in this process for a product, which can be long
    # of exact numbers alone.
    long = large and isinstance(system, ExactSystem)
    apart = (jobs > 1 or long) and not location.read_only
    with ExitStack() as stack:
        cluster = None
        if isinstance(workers, str):
            # Asyncio, layers of floats and more, which nobody needs without a cluster.
            from gops_exact.solvers.cluster import Cluster, do_on_cluster

            cluster = stack.enter_context(Cluster(workers))
        if (apart or cluster is not None) and location.path is None:
            folder = stack.enter_context(TemporaryDirectory(prefix="gops_exact-"))
            location = StoreLocation(Path(folder) / "store.sqlite")
        store = location.open()
        if store is not None:
            stack.enter_context(store)
        values = Values(game.types, game.rules, system, store, MEMORY_BYTES // jobs)
        worker = Worker(game, values, location)
        graph = worker.graph(wanted)
        if cluster is None and (not apart or not graph or (len(graph) < jobs and not large)):
            # In the graph each task stands behind those that it waits for.
            for task in tracked(graph, progress, values.weight):
                worker.do(task)
        else:
            from gops_exact.base.pools import Order, Processes  # one process needs none

            worker.divided = jobs > 1 or cluster is not None
            order = Order(graph, progress, values.weight)
            if cluster is not None:
                do_on_cluster(cluster, worker, order, graph)
            else:
                Processes(jobs).follow(order, worker.do, worker.is_small)
        return {
            upcard: play
            for upcard in wanted
            if (play := values.opening(game.prizes, upcard)) is not None
        }
