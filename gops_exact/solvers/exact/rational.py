"""The recursion over exact rational numbers.

Every value is kept twice: as a ball, for choosing and proving bases, and as a pair of integers,
for evaluating them.
"""

from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
from flint import arb, ctx, fmpz

from gops_exact.base.arguments import choice
from gops_exact.game.game import Node, Outcome, Outcomes, Turn
from gops_exact.game.order_types import Layer
from gops_exact.matrix_game.basis import METHODS, Basis, Play, certify, propose
from gops_exact.matrix_game.evaluate import ZERO, basis_value, by_basis, value_if_optimal
from gops_exact.matrix_game.payoff import Entries, Payoff
from gops_exact.matrix_game.simplex import by_simplex, solve_tableau
from gops_exact.numbers.raw import (
    Pair,
    Reader,
    from_pair,
    pack_data,
    pack_number,
    pack_pair,
    pack_several,
    reduced,
    to_pair,
    total,
)
from gops_exact.solvers.exact.lattice import (
    EnclosedSlab,
    Places,
    Single,
    System,
    Table,
    average,
    games,
    is_fair,
    look_up,
    over_cards,
)

BALL_BITS = 128
"""Precision of the balls kept with a slab; more is computed from the exact pair when asked for."""

REDUCE_UP_TO = 20_000
"""Values are brought to lowest terms while the denominator has at most so many bits. Beyond, a
gcd costs more than the few bits it removes are worth."""

PAIR_BYTES, PREVIEW_BYTES = 500, 4000
"""Memory of a value beside its ball and its digits: the pair and its basis; and of one that is previewed, with
the payoff tables that it is evaluated from. Measured at four and five cards."""


@dataclass(frozen=True, eq=False)
class ExactSlab(EnclosedSlab):
    """The exact values of one node, with balls of :data:`BALL_BITS` bits.

    Of a slab that is previewed no value is listed: each is evaluated on its bases when it is asked for.
    """

    values: list[Pair]  # not always in lowest terms
    bases: list[tuple[Basis, ...]]  # the optimal basis of each turn's game
    evaluate: Callable[[int], Pair] | None = None  # of a preview: the value at a place

    @classmethod
    def of(cls, values: list[Pair], bases: list[tuple[Basis, ...]]) -> "ExactSlab":
        """Return the slab of known values."""
        return cls([ball(pair, BALL_BITS) for pair in values], values, bases)


def ball(pair: Pair, precision: int) -> arb:
    """Return a ball around numerator/denominator."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


class ExactTable(Table[ExactSlab]):
    """Every payoff that the games of one turn can have, at three levels of precision."""

    @cached_property
    def known(self) -> dict[int, Pair]:
        """The means of several stakes that were asked for, by place."""
        return {}

    def number(self, place: int) -> Pair:
        """Return one payoff in lowest terms."""
        return reduced(self.pair(place))

    def pair(self, place: int) -> Pair:
        """Return one payoff as numerator and denominator."""
        stakes = self.turn.stakes
        if len(stakes) == 1:
            ((_, outcomes),) = stakes
            return self._pair(outcomes, place)
        if place not in self.known:
            self.known[place] = mean([(times, self._pair(each, place)) for times, each in stakes])
        return self.known[place]

    def _pair(self, outcomes: Outcomes, place: int) -> Pair:
        outcome, seen = self._look(outcomes, place)
        if seen is None:
            return fmpz(outcome.gain + (outcome.decided or 0)), fmpz(1)
        slab = self.below[seen.node]
        p, q = slab.values[seen.place] if slab.evaluate is None else slab.evaluate(seen.place)
        if 2 * (place % self.width) > self.width:
            p = -p
        return (p + outcome.gain * q if outcome.gain else p), q

    def previewed(self, places: Iterable[int]) -> list[Single]:
        """List the values of previewed slabs that the payoffs at `places` look at, each once."""
        every = product(places, self.turn.stakes)
        looks = (self._look(outcomes, place) for place, (_, outcomes) in every)
        singles = dict.fromkeys(seen for _, seen in looks if seen is not None)
        return [seen for seen in singles if self.below[seen.node].evaluate is not None]

    def _look(self, outcomes: Outcomes, place: int) -> tuple[Outcome, Single | None]:
        """Return the outcome at a place, and the value it leads to unless that is known."""
        outcome, reference = outcomes[place // self.width], place % self.width
        if outcome.decided is not None or reference == 0:
            return outcome, None
        if 2 * reference < self.width:
            return outcome, Single(outcome.node, reference - 1)
        return outcome, Single(outcome.mirrored, self.width - reference - 1)


class PositionPayoff(Payoff):
    """The payoff matrix of one game, assembled on demand from those of all games of its turn."""

    def __init__(self, places: Places, table: ExactTable) -> None:
        self.places, self.table = places, table

    @cached_property
    def entries(self) -> Entries:
        """Every payoff as a reduced fraction, shape (m, n)."""
        pair = self.table.pair
        rows = [[from_pair(pair(place)) for place in row] for row in self.places]
        return np.array(rows, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.places), len(self.places[0])

    def floats(self) -> list[list[float]]:
        return look_up(self.places, self.table.floats)

    def balls(self, precision: int) -> list[list[arb]]:
        """Return every entry as a ball of at least `precision` bits."""
        if precision <= BALL_BITS:
            return look_up(self.places, self.table.balls)
        pair = self.table.pair
        return [[ball(pair(place), precision) for place in row] for row in self.places]

    def pair(self, i: int, j: int) -> Pair:
        """Return entry (i, j) as numerator and denominator."""
        return self.table.pair(self.places[i][j])


def mean(values: Sequence[tuple[int, Pair]]) -> Pair:
    """Return the mean of values given as (how often, value), reduced where that is cheap."""
    if len(values) == 1:
        return brief(values[0][1])
    p, q = total([(times * p, q) for times, (p, q) in values])
    return brief((p, q * sum(times for times, _ in values)))


def brief(pair: Pair) -> Pair:
    """Return the same fraction, reduced where that is cheap."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair


def exact_value(payoff: PositionPayoff, enclosed: arb, basis: Basis) -> Pair:
    """Return the value of a game on its basis; a ball that holds one number alone tells it at once."""
    return to_pair(enclosed.fmpq()) if enclosed.is_exact() else brief(basis_value(payoff, basis))


@dataclass(frozen=True)
class ExactSystem(System[ExactSlab, Pair]):
    """Exact numbers."""

    guided: bool = True  # floats and balls find the bases, else every game goes through the simplex
    name = "exact"
    bits = BALL_BITS
    zero = ZERO
    tables = ExactTable
    cost_growth = 4

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: MutableMapping[Any, ExactSlab],
        previewed: Node | None = None,
    ) -> ExactSlab:
        tables = [self.table(turn, layer, below) for turn in turns]
        times = [turn.times for turn in turns]
        solved = []
        for places in games(layer):
            payoffs = [PositionPayoff(places, table) for table in tables]
            solved.append([(payoff, *self.solve(payoff)) for payoff in payoffs])
        bases = [tuple(basis for *_, basis in each) for each in solved]

        def value(place: int) -> Pair:
            gains = [exact_value(*game) for game in solved[place]]
            return mean(list(zip(times, gains, strict=True)))

        if previewed is None or not self.guided:
            return ExactSlab.of(list(map(value, range(len(layer)))), bases)

        def evaluate(place: int) -> Pair:
            single = Single(previewed, place)
            if single not in below:
                below[single] = ExactSlab.of([value(place)], [bases[place]])
            return below[single].values[0]

        with ctx.workprec(BALL_BITS):
            balls = [average([enclosed for _, enclosed, _ in each], times) for each in solved]
        return ExactSlab(balls, [], bases, evaluate)

    def solve(self, payoff: PositionPayoff) -> tuple[arb, Basis]:
        """Return a ball around the value of one game, and an optimal basis."""
        if self.guided:
            sure = payoff.table.sure(payoff.places)
            if sure is not None:
                return sure
            basis = propose(payoff.floats())
            enclosed = None if basis is None else value_if_optimal(payoff, basis)
            if basis is not None and enclosed is not None:
                return enclosed, basis
        value, basis = solve_tableau(payoff.rows)
        return ball(to_pair(value), BALL_BITS), basis

    def lacking(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> list[Single]:
        (places,) = games(layer)
        table: ExactTable = self.table(turn, layer, below)
        payoff = PositionPayoff(places, table)
        basis = propose(payoff.floats()) if self.guided else None
        rows: Sequence[int] = range(len(places))
        if basis is not None and certify(payoff, basis):
            rows = basis.rows
        return table.previewed(places[i][j] for i, j in combinations(rows, 2))

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> Play[Pair]:
        """Return optimal play at the position that `layer` holds alone, in lowest terms."""
        (places,) = games(layer)
        payoff = PositionPayoff(places, self.table(turn, layer, below))
        found = by_basis(payoff, fair=is_fair(layer, turn)) if self.guided else None
        return over_cards(layer, found or by_simplex(payoff).converted(to_pair), ZERO)

    def expectation(self, payoffs: Sequence[Pair], column: Sequence[Pair]) -> Pair:
        """Return the mean of payoffs by the probabilities of `column`, in lowest terms."""
        products = zip(payoffs, column, strict=True)
        return reduced(total([(p * r, q * s) for (p, q), (r, s) in products]))

    def first(self, slab: ExactSlab) -> Pair:
        """Return the first value of a slab, in lowest terms."""
        return reduced(slab.values[0])

    def negative(self, number: Pair) -> Pair:
        return -number[0], number[1]

    def nbytes(self, slab: ExactSlab) -> int:
        if slab.evaluate is not None:
            return super().nbytes(slab) + PREVIEW_BYTES * len(slab)
        digits = sum(p.bit_length() + q.bit_length() for p, q in slab.values)
        return super().nbytes(slab) + PAIR_BYTES * len(slab) + digits // 8

    def pack_slab(self, slab: ExactSlab) -> bytes:
        """Write a slab: for each pair of hands the bases, as bit masks, and the fraction."""

        def masks(basis: Basis) -> bytes:
            rows, columns = (sum(1 << i for i in bids) for bids in (basis.rows, basis.columns))
            return pack_number(rows) + pack_number(columns)

        parts = [pack_number(len(slab.values))]
        for bases, pair in zip(slab.bases, slab.values, strict=True):
            parts += [pack_several(bases, masks), pack_pair(pair)]
        return b"".join(parts)

    def unpack_slab(self, payload: bytes) -> ExactSlab:
        def bids() -> tuple[int, ...]:
            mask = reader.number()
            return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)

        with Reader(payload) as reader:
            read = reader.several(
                lambda: (tuple(reader.several(lambda: Basis(bids(), bids()))), reader.pair())
            )
        return ExactSlab.of([pair for _, pair in read], [bases for bases, _ in read])

    def pack_opening(self, opening: Play[Pair]) -> bytes:
        head = pack_data(opening.method.encode()) + pack_number(bool(opening.row_unique))
        return head + pack_several(opening.row, pack_pair)

    def unpack_opening(self, payload: bytes) -> Play[Pair]:
        with Reader(payload) as reader:
            method, unique = bytes(reader.data()).decode(), bool(reader.number())
            choice(method, "a method", METHODS)
            return Play.fair(reader.several(reader.pair), ZERO, unique=unique, method=method)
