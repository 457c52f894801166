"""Solver in exact numbers, balls and residues, which computes values by prize sets.

First moves of whole games are computed in tasks, in this process, in other processes of the machine, or on a
cluster. Processes of one machine exchange slabs only through the store: a worker reads the slabs that its
task needs, and writes the slab that it has computed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import chain
from math import ceil, log2
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar
from weakref import finalize

from flint import arb, fmpz

from gops_exact.base.machine import available_cores
from gops_exact.base.progress import Progress, part_of, tracked
from gops_exact.game.game import Game, Node, Position, Turn, as_game, checked_position, turns
from gops_exact.game.order_types import Layer, mask, order_types, pair_above, relabelled
from gops_exact.game.rules import Rules, Upcard, Upcards
from gops_exact.matrix_game.basis import Play
from gops_exact.numbers import BigRational
from gops_exact.numbers.exact import Number, PrecisionError
from gops_exact.numbers.kinds import ProvedDecimal, ResidueClass
from gops_exact.solvers.cost import check_cost
from gops_exact.solvers.exact.lattice import (
    MEMORY_BYTES,
    Single,
    System,
    Table,
    Values,
    games,
    looked_at,
    missing,
)
from gops_exact.solvers.exact.rational import ExactSystem
from gops_exact.solvers.solution import HALF, Ball, Exact, FirstMoves, Residue, Solver
from gops_exact.solvers.store import DiskStore, MemoryStore

Answer = TypeVar("Answer")

MOST_CARDS = 14
"""The most cards a side of a game that :class:`ByPrizes` accepts. For 14 cards, listing the order types takes 10 s and
2 GB; each further card takes three to four times as much."""

GUARD_BITS = 64
"""The number of bits that the balls of the first attempt have in addition to the bits of the requested digits.
Additional bits are needed, because the radii of balls grow by five or six bits for each card a side."""

DOUBLINGS = 3
"""The maximum number of further attempts to prove all requested digits, each with balls of twice the precision of the
attempt before."""

FEW_CARDS = 8
"""The most cards a side of a game for points in which exact values of up to four cards a side suffice to prove all
residues. Larger games, and all games with the objective win, have more ties, which balls cannot decide. For these
games the values of up to five cards a side are computed exactly, which takes an eighth more time at nine cards."""

MOST_BITS = 1024
"""The highest precision, in bits, of the balls that accompany residues. As long as balls cannot decide a game, their
precision is doubled, at most to this number of bits."""


POSITION_BYTES = 1 << 27
"""The bound, in bytes, on the values kept in memory from earlier positions; those of one position may take more."""

REMEMBERED = 1 << 14
"""The maximum number of answers on positions that are cached. If there are more, all of them are dropped."""

PARALLEL_SECONDS = 15
"""The least estimated time, in core seconds, of a run that counts as large. Unless a number of processes is requested,
smaller runs start no other processes, because starting them takes seconds."""

SMALL_CARDS = 3
"""The most cards a side of the slabs that the main process computes itself, because sending such a task to another
process takes longer. A slab of this size has at most 32 pairs of hands, which take 6 ms in exact numbers."""


Seen = tuple[Layer, Position, bool]
"""The form (layer, position, swapped) in which a position is solved. Of a pair of hands and its mirror image, in which
the players are swapped, only one is stored. If only the mirror image is stored, the whole position is replaced by its
mirror image, and `swapped` is True. The layer holds only the pair of hands of the resulting position."""

Task = Node | Single | Upcard
"""A task of the computation of first moves: a :class:`Node`, to compute its slab; a :class:`Single`, to compute one
value of a slab; or an upcard, to compute the opening, which is optimal play at this upcard."""


class ByPrizes(Solver[Any]):
    """Solver in exact numbers, balls or residues, with the lowest precision that suffices.

    Positions are solved one after the other. All values are computed for one *start*: the start of `game` or, if
    `game` is None, the first position that is asked for. A position shares these values if its rules are those of the
    start and its hands can follow from the hands of the start; its prizes and its state may be any. Any other position
    is refused if there is a `game`. Otherwise it becomes the new start, and the values of the old start are dropped.
    Slabs are computed when needed. Values of positions are read from the store, but not written to it.

    Args:
        arithmetic: the kind of number.
        game: the game to which all positions will belong; None to accept any position.
        store: the file of the store; None for values in memory only.
        read_only: True to read the store, but write nothing to it.
        workers: the number of processes for first moves, or the address of a Dask scheduler; None to choose
            by the length of the run.
        progress: called as progress(done, total), in any unit.
        force: True to begin even if the estimated time is hours.

    Raises:
        ValueError: if the game has too many cards or takes hours, and `force` is False.

    >>> solver = ByPrizes(Exact(), Game(4))
    >>> position = Position([2, 4], [1, 3], [12, 13], upcard=13)
    >>> print(solver.value(position), *solver.bid_gains(position.swapped()).values())
    313/25 -313/25 -313/25
    """

    # The number system in use; the order types of the hands that the start leads to, a layer for each number of cards a
    # side; and the values computed so far.
    _system: System
    _types: tuple[Layer, ...]
    _values: Values

    def __init__(
        self,
        arithmetic: Exact | Ball | Residue,
        game: Game | None = None,
        *,
        store: Path | None = None,
        read_only: bool = False,
        workers: int | str | None = None,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        self.arithmetic: Exact | Ball | Residue = arithmetic
        if game is not None:
            if game.n > MOST_CARDS:
                raise ValueError(f"n must be at most {MOST_CARDS}, got {game.n}")
            check_cost(game, arithmetic, force=force)
        self._store, self._read_only, self._workers = store, read_only, workers
        self._game, self._progress, self._force = game, progress, force
        self._openings: dict[Game, dict[Upcard, Play[Any]]] = {}
        self._file: DiskStore | None = None
        self._systems: Iterator[System] = iter(())
        self._start: Position | None = None
        # A cache of answers, {(hand of player one and of player two as bit masks, node, upcard, True if bids come
        # next): optimal play if bids come next, else the value}.
        self._answers: dict[tuple[int, int, Node, Upcard, bool], Any] = {}

    def value(self, position: Position | str) -> Number[Any]:
        position = checked_position(position)
        settled = position.settled
        if settled is not None:
            raw = {Exact: (fmpz(settled), fmpz(1)), Ball: arb(settled), Residue: settled}
            return self.number(raw[type(self.arithmetic)])
        if position.upcard is not None:
            return self.number(self._asked(position, lambda seen: self._answer(seen).value))
        return self.number(self._asked(position, lambda seen: self._answer(seen, bids=False)))

    def play(self, position: Position) -> Play[Any]:
        """Return optimal play at a position with a prize turned up; exact numbers are pairs of integers."""
        checked_position(position, turned=True)
        play: Play[Any] = self._asked(position, self._answer)
        return play

    def entries(self, position: Position, *, enclosed: bool = False) -> list[list[Any]]:
        """Return player one's expectation for every pair of bids, shape (k, k) for k cards a side.

        If `enclosed` is True, balls are returned, which takes less time where exact numbers are long.
        """
        checked_position(position, turned=True)
        every = range(position.size)
        return self._asked(position, lambda seen: self._entries(seen, every, every, enclosed))

    def gains(self, position: Position, cards: Iterable[int] | None = None) -> list[Any]:
        """Return player one's expectation from each bid, if player two plays the strategy that :meth:`play` returns.

        `cards` are player one's bids; None for all cards of the hand. If exact numbers are long, the time is
        proportional to the number of bids.
        """
        checked_position(position, turned=True)
        rows = [position.one.index(card) for card in (position.one if cards is None else cards)]

        def expected(seen: Seen) -> list[Any]:
            column, zero = self._answer(seen).column, self._system.zero
            # Keep every bid whose probability may differ from 0. For a ball that contains 0 and other numbers, both
            # `==` and `!=` are False, so `!=` would leave such a bid out.
            played = [j for j, p in enumerate(column) if not p == zero]  # noqa: SIM201
            weights = [column[j] for j in played]
            entries = self._entries(seen, rows, played)
            return [self._system.expectation(row, weights) for row in entries]

        return self._asked(position, expected)

    def first_move(self, game: Game | int, upcards: Upcards | None = None) -> FirstMoves[Any]:
        game = as_game(game)
        chosen, known = game.chosen(upcards), self._openings.setdefault(game, {})
        lacking = [upcard for upcard in chosen if upcard not in known]
        if lacking:
            estimate = check_cost(game, self.arithmetic, force=self._force)
            ask = partial(
                openings,
                game,
                lacking,
                store=self._store,
                read_only=self._read_only,
                workers=self._workers,
                large=estimate.seconds >= PARALLEL_SECONDS,
                progress=self._progress,
            )
            systems = _systems(self.arithmetic, game.n, game.rules)
            known |= self._settled(systems, ask, "a first move")
        elif self._progress is not None:
            self._progress(1, 1)
        return self.moves(game, {upcard: known[upcard] for upcard in chosen})

    def number(self, raw: Any, *, proved: bool = True) -> Number[Any]:  # noqa: ANN401, ARG002  # of the system
        if isinstance(self.arithmetic, Exact):
            return BigRational.of_pair(raw)
        if isinstance(self.arithmetic, Ball):
            return ProvedDecimal(raw, self.arithmetic.digits)
        return ResidueClass(raw % self.arithmetic.prime, self.arithmetic.prime)

    def _asked(self, position: Position, ask: Callable[[Seen], Answer]) -> Answer:
        """Return an answer about a position, in the number system of the lowest precision that suffices.

        Later queries for positions of the same start begin with this precision.

        Args:
            position: the position.
            ask: computes the answer in the current number system from the form in which the position is solved.

        Raises:
            ValueError: if the position does not belong to the solver's game.
        """
        start, systems = self._start, self._systems
        if start is not None and self._seen(position, start) is not None:
            # Begin with the system of the last query, because the less precise ones did not suffice. `systems` is an
            # iterator that has already yielded this system, so put it in front again.
            systems = chain([self._system], systems)
        else:
            start = position if self._game is None else self._game.start
            check_cost(start, self.arithmetic, force=self._force)
            systems = self._systems = _systems(self.arithmetic, start.size, start.rules)
            self._start = None

        def tried(system: System) -> Answer:
            if self._start is None or system is not self._system:
                with suppress(OSError):  # raised if the path is invalid; then no store is used
                    if self._file is None and self._store is not None and self._store.exists():
                        self._file = DiskStore(self._store, read_only=True)
                        finalize(self, self._file.close)
                # `_start` is None while the attributes below are replaced. So if an interrupt leaves only some of them
                # replaced, the next query makes all of them again.
                self._start = None
                self._types = order_types(start.one, start.two, equal=start.rules.winning)
                self._values = Values(self._types, start.rules, system, self._file, POSITION_BYTES)
                self._answers.clear()
                self._system = system
                self._start = start
            seen = self._seen(position, start)
            if seen is None:
                raise ValueError(f"expected a position that {start} leads to, got {position}")
            return ask(seen)

        answer = self._settled(systems, tried, "a position")
        if self._progress is not None:
            self._progress(2 * HALF, 2 * HALF)
        return answer

    def _settled(
        self,
        systems: Iterable[System],
        ask: Callable[[System], Answer],
        name: str,
    ) -> Answer:
        """Return the answer of the first number system that decides all ties and proves all digits.

        Args:
            systems: the number systems to try, the least precise first.
            ask: computes the answer in a number system; raises a PrecisionError if a tie is not decided.
            name: the noun for the answer's subject in error messages, such as "a position".

        Raises:
            PrecisionError: if no system decides all ties and proves all digits.
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
            if all(ProvedDecimal(ball, digits).digits == digits for ball in _numbers(answer)):
                return answer
            message = f"{digits} digits of {name} are not proved by {system.bits} bits"
            failure = PrecisionError(message)
        raise failure

    def _answer(self, seen: Seen, *, bids: bool = True) -> Any:  # noqa: ANN401  # play or a number
        """Return optimal play of the next bids or, if `bids` is False, the value before a prize is turned up.

        The answer is in numbers of the current system, and is cached.
        """
        layer, position, swapped = seen
        key = int(layer.one[0]), int(layer.two[0]), position.node, position.upcard, bids
        if key not in self._answers:
            following = [position.turn] if bids else turns(position.rules, position.node)
            below = self._below(position, following)
            if bids:
                self._answers[key] = self._system.play(layer, position.turn, below)
            else:
                slab = self._system.slab(layer, following, below)
                (value,) = getattr(slab, self._system.form)
                self._answers[key] = self._system.answer(value)
        answer, negative = self._answers[key], self._system.negative
        if not swapped:
            return answer
        return answer.swapped(negative) if bids else negative(answer)

    def _entries(
        self, seen: Seen, rows: Sequence[int], columns: Sequence[int], enclosed: bool = False
    ) -> list[list[Any]]:
        """Return player one's expectation for some pairs of bids.

        Args:
            seen: the position, with a prize turned up.
            rows: indices of player one's bids.
            columns: indices of player two's bids.
            enclosed: True to return balls instead of numbers of the system.

        Returns:
            The expectations, shape (number of rows, number of columns).
        """
        layer, position, swapped = seen
        table = Table(position.turn, layer, self._below(position, [position.turn]), self._system)
        number: Callable[[int], Any] = table.payoff
        negative: Callable[[Any], Any] = self._system.negative
        if enclosed:
            number, negative = table.payoffs("balls").__getitem__, arb.__neg__
        (indices,) = games(layer.every_bid())
        if swapped:
            return [[negative(number(indices[j][i])) for j in columns] for i in rows]
        return [[number(indices[i][j]) for j in columns] for i in rows]

    def _below(self, position: Position, games: Iterable[Turn]) -> Values:
        """Return the values that `games` need, computing those that are missing.

        Values and answers of earlier queries are dropped first if there are too many.
        """
        self._values.trim()
        if len(self._answers) > REMEMBERED:
            self._answers.clear()
        at_start = self._start is not None and position.size == self._start.size
        below = part_of(self._progress, 0, HALF, 2 * HALF)
        return self._values.sweep(games, below, preview=at_start)

    def _seen(self, position: Position, start: Position) -> Seen | None:
        """Look up the hands of a position among the hands that the start leads to.

        Returns:
            A layer with only this pair of hands; the position, with the players swapped if only its mirror
            image is stored; and True if the players are swapped. None if the start has other rules, or does not
            lead to these hands.
        """
        if position.rules == start.rules and position.size <= start.size:
            layer = self._types[position.size]
            # The layer holds either a pair of hands or its mirror image, so look for both.
            for swapped, seen in ((False, position), (True, position.swapped())):
                one, two = map(mask, relabelled(seen.one, seen.two))
                for h in ((layer.one == one) & (layer.two == two)).nonzero()[0].tolist():
                    return layer.part(slice(h, h + 1)), seen, swapped
            # In a game for points, two equal hands have the value 0, so no layer below the start holds such a pair. If
            # the hands of the position are equal, make a layer that holds only them.
            if position.one == position.two and start.one == start.two:
                keys = self._types[position.size - 1].keys
                layer = pair_above(keys, position.one, position.two, equal=False)
                return layer, position, False
        return None


def _systems(kind: Exact | Ball | Residue, size: int, rules: Rules) -> Iterator[System]:
    """Yield the number systems to try for a game of `size` cards a side, the least precise first."""
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
            yield ResidueSystem(bits, exact_up_to, kind.prime)
            bits *= 2


def _numbers(answer: object) -> Iterator[Any]:
    """Yield all numbers of an answer: a play, a list or mapping of answers, or a single number."""
    if isinstance(answer, Play):
        yield from (answer.value, *answer.row, *answer.column)
    elif isinstance(answer, list | dict):
        for part in answer.values() if isinstance(answer, dict) else answer:
            yield from _numbers(part)
    else:
        yield answer


@dataclass(eq=False)
class Worker:
    """A worker, which does tasks for the first moves of a game and saves the results. Each process has one worker.

    If a worker is pickled and sent to another process of this machine, it opens the same store there. If it is
    sent to a cluster, it has no file, but a store in memory.
    """

    game: Game
    values: Values  # the values of this process
    # The file of the store, which all processes of one machine share; None for a store in memory
    store: Path | None
    divided: bool = False  # True if each single value that an opening needs is a task of its own
    _previewed: Sequence[Node] = field(default=(), init=False)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        options = self.values.memory_bytes, self.store, self.divided
        return _elsewhere, (self.game, self.values.system, *options)

    def do(self, task: Task) -> list[Task]:
        """Compute a slab, a value or an opening, and save the result.

        Returns:
            The tasks that must be done before this one; if there are any, this task is not yet done. Only an
            opening has such tasks, and only if `divided` is True: they are the single values that are missing.
        """
        if isinstance(task, Node | Single):
            self.values.fill(task)
            return []
        # The slabs of the nodes after the upcard are previewed: only some of their values are computed. If an earlier
        # opening had to wait for single values, its previewed slabs are still in memory. Drop them, unless this opening
        # needs the same nodes.
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
        """Return all tasks that have to be done for the openings at `upcards`.

        Returns:
            {task: the tasks that it waits for}; a task comes after those that it waits for.
        """
        games: dict[Upcard, list[Turn]] = {}
        for upcard in upcards:
            if self.values.opening(self.game.prizes, upcard) is None:
                games[upcard] = []
                # The slabs of the nodes that follow the upcard directly are not tasks, because the opening needs only a
                # few of their values, which are computed one by one. So the opening waits for the slabs from which
                # these values are computed: those of the nodes with one prize less.
                for node in self.game.turns[upcard].nodes:
                    if node not in self.values:
                        games[upcard] += turns(self.game.rules, node)
        slabs = missing(chain.from_iterable(games.values()), self.game.rules, self.values)
        graph = dict[Task, Sequence[Task]](slabs.items())
        for upcard, following in games.items():
            graph[upcard] = list(filter(slabs.__contains__, looked_at(following)))
        return graph

    def is_small(self, task: Task) -> bool:
        """Return True if a task takes less time than sending it to another process."""
        return isinstance(task, Node) and len(task.prizes) <= SMALL_CARDS

    def reads(self, task: Task) -> Sequence[Node | Single]:
        """List the keys of the slabs and single values that a task reads from the store, each once."""
        if isinstance(task, Node | Single):
            node = task.node if isinstance(task, Single) else task
            return looked_at(turns(self.game.rules, node))
        read: list[Node | Single] = []
        for node in self.game.turns[task].nodes:
            if node in self.values:
                read.append(node)
            else:
                read += [*looked_at(turns(self.game.rules, node)), *self.values.singles(node)]
        return list(dict.fromkeys(read))


@lru_cache(maxsize=1)
def _elsewhere(
    game: Game,
    system: System,
    memory_bytes: int,
    store: Path | None,
    divided: bool,
) -> Worker:
    """Return the worker of a process to which tasks are sent.

    The worker is made for the first task and cached, so that its slabs stay in memory for later tasks.
    """
    entries = MemoryStore() if store is None else DiskStore(store)
    values = Values(game.types, game.rules, system, entries, memory_bytes)
    return Worker(game, values, store, divided)


def openings(
    game: Game,
    upcards: Iterable[Upcard],
    system: System,
    store: Path | None = None,
    *,
    read_only: bool = False,
    workers: int | str | None = None,
    large: bool = False,
    progress: Progress | None = None,
) -> dict[Upcard, Play[Any]]:
    """Compute the optimal first moves of a game, {upcard: opening}.

    Args:
        game: the game.
        upcards: the upcards; the rules must allow each of them to come first.
        system: the number system.
        store: the file of the store; None for values in memory, or in a temporary file if several processes
            have to exchange them.
        read_only: True to write nothing to the store. Then one process does all tasks.
        workers: the number of processes, or the address of a Dask scheduler; None for as many processes as
            there are cores if the run is large, else for one process.
        large: True if the run is long enough for other processes to save time.
        progress: called as progress(done, total), in any unit.
    """
    wanted = list(upcards)
    jobs = workers if isinstance(workers, int) else 1
    if large and not isinstance(workers, int):
        jobs = available_cores()
    # A long exact run uses another process even with one job: an interrupt stops that process at once, but in this
    # process it would have to wait for the current multiplication, which can take long.
    long = large and isinstance(system, ExactSystem)
    apart = (jobs > 1 or long) and not read_only
    with ExitStack() as stack:
        cluster = None
        if isinstance(workers, str):
            # Imported here: without a cluster, asyncio, the float layers and more need not be loaded.
            from gops_exact.solvers.cluster import Cluster, do_on_cluster

            cluster = stack.enter_context(Cluster(workers))
        if (apart or cluster is not None) and store is None:
            folder = stack.enter_context(TemporaryDirectory(prefix="gops_exact-"))
            store = Path(folder) / "store.sqlite"
        file = None
        if store is not None:
            file = stack.enter_context(DiskStore(store, read_only=read_only))
        values = Values(game.types, game.rules, system, file, MEMORY_BYTES // jobs)
        worker = Worker(game, values, store)
        graph = worker.graph(wanted)
        if cluster is None and (not apart or not graph or (len(graph) < jobs and not large)):
            # The tasks can be done in the order of the graph, in which each task comes after those that it waits for.
            for task in tracked(graph, progress, values.weight):
                worker.do(task)
        else:
            # Imported here, because a run in one process needs neither of them.
            from gops_exact.base.pools import Order, follow

            worker.divided = jobs > 1 or cluster is not None
            order = Order(graph, progress, values.weight)
            if cluster is not None:
                do_on_cluster(cluster, worker, order, graph)
            else:
                follow(order, jobs, worker.do, worker.is_small)
        return {
            upcard: play
            for upcard in wanted
            if (play := values.opening(game.prizes, upcard)) is not None
        }
