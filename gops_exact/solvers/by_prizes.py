"""The solver in exact numbers, balls and residues: values by prize sets, as far as they are asked for."""

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import chain
from math import ceil, log2
from typing import Any, Generic, TypeVar, cast
from weakref import finalize

from flint import arb, fmpz

from gops_exact.cost import Run
from gops_exact.game.game import Game, Node, Position, Turn, turns
from gops_exact.game.order_types import Layer, mask, order_types, pair_above, relabelled
from gops_exact.game.rules import Rules, Upcard
from gops_exact.lattice.ball import EXACT_UP_TO, BallSystem
from gops_exact.lattice.exact import ExactSystem
from gops_exact.lattice.residue import BITS, ResidueSystem
from gops_exact.lattice.sweep import Slab, System, games, missing
from gops_exact.lattice.values import Values
from gops_exact.matrix_game.play import N, Play
from gops_exact.numbers import BigRational
from gops_exact.numbers.exact import Number
from gops_exact.numbers.kinds import PrecisionError, ProvedDecimal, ResidueClass, decimal_text, tidy
from gops_exact.progress import Progress, part_of, tracked
from gops_exact.solutions.arithmetic import Ball, Exact, Residue
from gops_exact.solutions.solution import HALF, Solver
from gops_exact.solutions.strategy import FirstMoves
from gops_exact.solvers.cluster import Cluster
from gops_exact.solvers.run import openings
from gops_exact.store import DiskStore, StoreLocation

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


class Positions(Generic[Slab, N]):
    """The positions that one leads to, in one number system; slabs are computed once they are needed.

    Args:
        start: the position; of it the hands and the rules count, as they lead to any prizes.
        system: the number system.
        store: file to take values from; nothing is added to it.
        progress: called with the work done and all the work there is, whenever there is any.
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
        self._values = Values(self._types, start.rules, system, store)
        self._previews: dict[Node, Slab] = {}
        self._slabs: Mapping[Node, Slab] = ChainMap(self._previews, self._values)
        self._plays: dict[tuple[int, int, Node, Upcard], Play[N]] = {}
        self._firsts: dict[tuple[int, int, Node], N] = {}

    def holds(self, position: Position) -> bool:
        """Tell whether the hands and rules of a position are among those of the start."""
        return position.rules == self.start.rules and self._place(position) is not None

    def value(self, position: Position) -> N:
        """Return the value of a position before a prize is turned up."""
        layer, seen, swapped = self._seen(position)
        key = int(layer.one[0]), int(layer.two[0]), seen.node
        if key not in self._firsts:
            following = turns(seen.rules, seen.node)
            slab = self.system.slab(layer, following, self.below(following))
            self._firsts[key] = self.system.first(slab)
        value = self._firsts[key]
        return self.system.negative(value) if swapped else value

    def play(self, position: Position) -> Play[N]:
        """Return optimal play at a position with a prize turned up."""
        layer, seen, swapped = self._seen(position)
        key = int(layer.one[0]), int(layer.two[0]), seen.node, seen.upcard
        if key not in self._plays:
            self._plays[key] = self.system.play(layer, seen.turn, self.below([seen.turn]))
        play = self._plays[key]
        return play.swapped(self.system.negative) if swapped else play

    def entries(
        self,
        position: Position,
        rows: Iterable[int] | None = None,
        columns: Iterable[int] | None = None,
    ) -> list[list[N]]:
        """Return player one's expectations for pairs of bids, named by their places; by default for all."""
        return self._looked_up(self.system.entries, self.system.negative, position, rows, columns)

    def enclosed(self, position: Position) -> list[list[arb]]:
        """Return player one's expectation for every pair of bids as balls, of exact numbers."""
        system = cast("ExactSystem", self.system)
        return self._looked_up(system.enclosed, arb.__neg__, position, None, None)

    def gains(self, position: Position, rows: Iterable[int] | None = None) -> list[N]:
        """Return player one's expectations of bids against player two's optimal strategy."""
        column, zero = self.play(position).column, self.system.zero
        played = [place for place, p in enumerate(column) if not p == zero]  # noqa: SIM201  # of balls
        weights = [column[place] for place in played]
        entries = self.entries(position, rows, played)
        return [self.system.expectation(row, weights) for row in entries]

    def below(self, games: Sequence[Turn]) -> Mapping[Node, Slab]:
        """Compute what games look at, as far as it is not known, and return the slabs."""
        todo = missing(games, self.start.rules, self._slabs)
        for node in tracked(todo, self._progress, self._values.weight) if todo else ():
            if len(node.prizes) == self.start.size - 1:
                # By far the longest numbers, and a game at the root needs few of them.
                self._previews[node] = self._values.preview(node)
            else:
                self._values.fill(node)
        return self._slabs

    def _looked_up(
        self,
        look: Callable[..., list[list[Answer]]],
        negative: Callable[[Answer], Answer],
        position: Position,
        rows: Iterable[int] | None,
        columns: Iterable[int] | None,
    ) -> list[list[Answer]]:
        layer, seen, swapped = self._seen(position)
        every = range(position.size)
        own, other = (list(every if chosen is None else chosen) for chosen in (rows, columns))
        (places,) = games(layer.every_bid())
        below = self.below([seen.turn])
        if not swapped:
            places = [[places[i][j] for j in other] for i in own]
            return look(places, layer, seen.turn, below)
        places = [[places[j][i] for i in own] for j in other]
        found = look(places, layer, seen.turn, below)
        return [[negative(found[j][i]) for j in range(len(other))] for i in range(len(own))]

    def _seen(self, position: Position) -> tuple[Layer, Position, bool]:
        """Return the layer that holds the hands alone, the position as it is kept, and if it is swapped."""
        place = self._place(position)
        if place is None:
            raise ValueError(f"expected a position that {self.start} leads to, got {position}")
        layer, swapped = place
        return layer, position.swapped() if swapped else position, swapped

    def _place(self, position: Position) -> tuple[Layer, bool] | None:
        """Return the layer that holds the hands alone, and true if they are kept with the players swapped."""
        if position.size > self.start.size:
            return None
        one, two = map(mask, relabelled(position.one, position.two))
        layer = self._types[position.size]
        for swapped, (own, other) in ((False, (one, two)), (True, (two, one))):
            for place in ((layer.one == own) & (layer.two == other)).nonzero()[0].tolist():
                return layer.part(slice(place, place + 1)), swapped
        if one == two and self.start.one == self.start.two:
            keys = self._types[position.size - 1].keys
            return pair_above(keys, position.one, position.two, equal=False), False
        return None


class ByPrizes(Solver[Any]):
    """Solver in exact numbers, balls or residues, at the first precision that suffices.

    Args:
        arithmetic: the kind of number.
        game: the game whose positions are asked for, which then share all values. By default the first
            position asked for stands in its place, until one is asked for that it does not lead to.
        location: the store. First moves are kept there; positions take values from it and add none.
        jobs: processes for first moves; by default all cores where it pays.
        scheduler: address of a Dask scheduler whose workers find first moves instead.
        progress: called with the work done and all the work there is.
        force: begin even if it takes hours.

    Raises:
        ValueError: if the options do not go together.

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
        jobs: int | None = None,
        scheduler: str | None = None,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        self.arithmetic: Exact | Ball | Residue = arithmetic
        self._location = StoreLocation.of(None) if location is None else location
        if scheduler is not None and (self._location.read_only or jobs is not None):
            raise ValueError(
                "a scheduler takes a store that can be written, and no jobs, "
                f"got read_only {self._location.read_only} and jobs {jobs}"
            )
        if game is not None and game.n > MOST_CARDS:
            raise ValueError(f"n must be at most {MOST_CARDS}, got {game.n}")
        self._jobs, self._scheduler = jobs, scheduler
        self._progress, self._force = progress, force
        self._start = None if game is None else game.start
        self._openings: dict[tuple[Game, Upcard], Play[Any]] = {}
        self._file: DiskStore | None = None
        self._systems: Iterator[System[Any, Any]] = iter(())
        self._values: Positions[Any, Any] | None = None

    def value(self, position: Position) -> Number[Any]:
        """Return player one's expectation, before or after a prize is turned up."""
        if position.settled is not None:
            return self._whole(position.settled)
        if position.upcard is not None:
            return self.number(self._asked(position, lambda known: known.play(position).value))
        return self.number(self._asked(position, lambda known: known.value(position)))

    def play(self, position: Position) -> Play[Any]:
        """Return optimal play at a position with a prize turned up, exact numbers as pairs."""
        position.at(position.upcard)
        return self._asked(position, lambda known: known.play(position))

    def entries(self, position: Position) -> list[list[Any]]:
        """Return player one's expectation for every pair of bids, shape (k, k)."""
        position.at(position.upcard)
        return self._asked(position, lambda known: known.entries(position))

    def gains(self, position: Position) -> list[Any]:
        """Return player one's expectation of each bid against the column of :meth:`play`."""
        position.at(position.upcard)
        return self._asked(position, lambda known: known.gains(position))

    def gain(self, position: Position, card: int) -> Any:  # noqa: ANN401  # a number of the system
        """Return one of :meth:`gains`: where exact numbers are long, others take as long again."""
        place = position.one.index(card)
        return self._asked(position, lambda known: known.gains(position, [place])[0])

    def enclosed(self, position: Position) -> list[list[arb]]:
        """Return the exact entries as balls: quick where exact numbers are long."""
        return self._asked(position, lambda known: known.enclosed(position))

    def first_move(self, game: Game, upcards: Iterable[int] | None = None) -> FirstMoves[Any]:
        """Return the optimal first moves of a game, by default at all upcards that can come first."""
        chosen = game.chosen(upcards)
        lacking = [upcard for upcard in chosen if (game, upcard) not in self._openings]
        if lacking:
            Run(game, tuple(lacking)).check(self.arithmetic, force=self._force)
            found = self._computed(game, lacking)
            self._openings |= {(game, upcard): found[upcard] for upcard in lacking}
        elif self._progress is not None:
            self._progress(1, 1)
        plays = {upcard: self._openings[game, upcard] for upcard in chosen}
        columns = {
            upcard: self.strategy(game.deck, play.row, play.row_unique, play)
            for upcard, play in plays.items()
        }
        return FirstMoves(game.n, columns, game.rules, self.arithmetic)

    def _computed(self, game: Game, upcards: Iterable[Upcard]) -> Mapping[Upcard, Play[Any]]:
        """Return first moves from the store, and compute those that it lacks."""
        with nullcontext() if self._scheduler is None else Cluster(self._scheduler) as cluster:

            def ask(system: System[Any, Any]) -> Mapping[Upcard, Play[Any]]:
                return openings(
                    game,
                    upcards,
                    system,
                    self._location,
                    jobs=self._jobs,
                    cluster=cluster,
                    progress=self._progress,
                )

            systems = _systems(self.arithmetic, game.n, game.rules)
            return self._settled(systems, ask, "a first move")

    def number(self, raw: Any) -> Number[Any]:  # noqa: ANN401  # a number of the system
        """Return a number with what is proved of it."""
        if isinstance(self.arithmetic, Exact):
            return BigRational.of_pair(raw)
        if isinstance(self.arithmetic, Ball):
            return ProvedDecimal(raw, self.arithmetic.digits)
        return ResidueClass(raw, self.arithmetic.prime)

    def _whole(self, number: int) -> Number[Any]:
        """Return an integer as a number of the arithmetic."""
        if isinstance(self.arithmetic, Exact):
            return self.number((fmpz(number), fmpz(1)))
        if isinstance(self.arithmetic, Ball):
            return self.number(arb(number))
        return self.number(number % self.arithmetic.prime)

    def _asked(self, position: Position, ask: Callable[[Positions[Any, Any]], Answer]) -> Answer:
        """Answer a question about a position at the first precision that suffices, and stay there."""
        values = self._known(position)

        def tried(system: System[Any, Any]) -> Answer:
            if self._values is None or system is not self._values.system:
                self._values = self._begun(values.start, system)
            return ask(self._values)

        systems = chain([values.system], self._systems)
        found = self._settled(systems, tried, "a position")
        if self._progress is not None:
            self._progress(2 * HALF, 2 * HALF)
        return found

    def _known(self, position: Position) -> Positions[Any, Any]:
        """Return values that hold a position."""
        if self._values is None or not self._values.holds(position):
            start = position if self._start is None else self._start
            Run(start).check(self.arithmetic, force=self._force)
            self._systems = _systems(self.arithmetic, start.size, start.rules)
            self._values = self._begun(start, next(self._systems))
        return self._values

    def _begun(self, start: Position, system: System[Any, Any]) -> Positions[Any, Any]:
        """Return values of which none is known yet but those on file."""
        if self._file is None:
            self._file = _on_file(self._location)
            if self._file is not None:
                finalize(self, self._file.close)
        below = part_of(self._progress, 0, HALF, 2 * HALF)
        return Positions(start, system, self._file, below)

    def _settled(
        self,
        systems: Iterable[System[Any, Any]],
        ask: Callable[[System[Any, Any]], Answer],
        name: str,
    ) -> Answer:
        """Ask in one number system after the other, until the precision tells ties and proves digits.

        Raises:
            PrecisionError: if none suffices.
        """
        failure = PrecisionError(f"no precision suffices for {name}")
        for system in systems:
            try:
                found = ask(system)
            except PrecisionError as error:
                failure = error
                continue
            if not isinstance(self.arithmetic, Ball):
                return found
            digits = self.arithmetic.digits
            if all(decimal_text(tidy(ball), digits) is not None for ball in _numbers(found)):
                return found
            bits = cast("BallSystem", system).bits
            failure = PrecisionError(f"{digits} digits of {name} are not proved by {bits} bits")
        raise failure


def _systems(kind: Exact | Ball | Residue, size: int, rules: Rules) -> Iterator[System[Any, Any]]:
    """Yield number systems for a game of so many cards a side, the least precise first."""
    if isinstance(kind, Exact):
        yield ExactSystem()
    elif isinstance(kind, Ball):
        bits = ceil(kind.digits * log2(10)) + GUARD_BITS
        yield from (BallSystem(bits << doubling) for doubling in range(DOUBLINGS + 1))
    else:
        bits, exact_up_to = BITS, EXACT_UP_TO + (rules.winning or size > FEW_CARDS)
        while bits <= MOST_BITS:
            yield ResidueSystem(kind.prime, bits, exact_up_to)
            bits *= 2


def _on_file(location: StoreLocation) -> DiskStore | None:
    """Return the store, open for reading, if it is there."""
    with suppress(OSError):  # no name of a file
        if location.path is not None and location.path.exists():
            return replace(location, read_only=True).open()
    return None


def _numbers(answer: object) -> Iterator[Any]:
    """Yield the numbers of an answer: of a play, of all in a list or mapping, or the one that it is."""
    if isinstance(answer, Play):
        yield from (answer.value, *answer.row, *answer.column)
    elif isinstance(answer, list | dict):
        for each in answer.values() if isinstance(answer, dict) else answer:
            yield from _numbers(each)
    else:
        yield answer
