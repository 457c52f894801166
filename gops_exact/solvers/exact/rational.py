"""The recursion over exact rational numbers.

Every value is kept twice: as a ball, for choosing and proving bases, and as a pair of integers,
for evaluating them.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
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
    Indices,
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

    A previewed slab lists no values: each is evaluated on its bases when it is asked for.
    """

    values: list[Pair]  # not always in lowest terms
    bases: list[tuple[Basis, ...]]  # the optimal basis of each turn's game
    evaluate: Callable[[int], Pair] | None = None  # of a preview: the value of pair h

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
        """The means of several stakes that were asked for, by index."""
        return {}

    def number(self, index: int) -> Pair:
        """Return one payoff in lowest terms."""
        return reduced(self.pair(index))

    def pair(self, index: int) -> Pair:
        """Return one payoff as numerator and denominator."""
        if len(self.turn.stakes) > 1 and index in self.known:
            return self.known[index]
        payoffs: list[tuple[int, Pair]] = []
        for times, outcomes in self.turn.stakes:
            outcome, single = self.look(outcomes, index)
            if single is None:
                payoffs.append((times, (fmpz(outcome.gain + (outcome.decided or 0)), fmpz(1))))
                continue
            slab, h = self.below[single.node], single.h
            p, q = slab.values[h] if slab.evaluate is None else slab.evaluate(h)
            if 2 * (index % self.width) > self.width:  # a reference to mirrored hands
                p = -p
            payoffs.append((times, (p + outcome.gain * q if outcome.gain else p, q)))
        if len(payoffs) == 1:
            return payoffs[0][1]
        self.known[index] = mean(payoffs)
        return self.known[index]

    def look(self, outcomes: Outcomes, index: int) -> tuple[Outcome, Single | None]:
        """Return the outcome at an index of the table, and the value it leads to unless that is known."""
        outcome, reference = outcomes[index // self.width], index % self.width
        if outcome.decided is not None or reference == 0:
            return outcome, None
        if 2 * reference < self.width:
            return outcome, Single(outcome.node, reference - 1)
        return outcome, Single(outcome.mirrored, self.width - reference - 1)


class PositionPayoff(Payoff):
    """The payoff matrix of one game, assembled on demand from those of all games of its turn."""

    def __init__(self, indices: Indices, table: ExactTable) -> None:
        self.indices, self.table = indices, table

    @cached_property
    def entries(self) -> Entries:
        """Every payoff as a reduced fraction, shape (m, n)."""
        pair = self.table.pair
        rows = [[from_pair(pair(index)) for index in row] for row in self.indices]
        return np.array(rows, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.indices), len(self.indices[0])

    def floats(self) -> list[list[float]]:
        return look_up(self.indices, self.table.floats)

    def balls(self, precision: int) -> list[list[arb]]:
        """Return every entry as a ball of at least `precision` bits."""
        if precision <= BALL_BITS:
            return look_up(self.indices, self.table.balls)
        pair = self.table.pair
        return [[ball(pair(index), precision) for index in row] for row in self.indices]

    def pair(self, i: int, j: int) -> Pair:
        """Return entry (i, j) as numerator and denominator."""
        return self.table.pair(self.indices[i][j])


def mean(values: Sequence[tuple[int, Pair]]) -> Pair:
    """Return the mean of values given as (how often, value), reduced where that is cheap."""
    if len(values) == 1:
        return brief(values[0][1])
    p, q = total([(count * p, q) for count, (p, q) in values])
    times, _ = zip(*values, strict=True)
    return brief((p, q * sum(times)))


def brief(pair: Pair) -> Pair:
    """Return the same fraction, reduced where that is cheap."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair


@dataclass(frozen=True)
class ExactSystem(System[ExactSlab, Pair]):
    """Exact numbers."""

    name = "exact"
    bits = BALL_BITS
    zero = ZERO
    table = ExactTable
    cost_growth = 4

    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: MutableMapping[Any, ExactSlab],
        previewed: Node | None = None,
    ) -> ExactSlab:
        tables = [self.table(turn, layer, below, self) for turn in turns]
        times = [turn.times for turn in turns]
        payoffs: list[list[PositionPayoff]] = []  # of each pair of hands, by turn, as the next two
        enclosed: list[tuple[arb, ...]] = []
        bases: list[tuple[Basis, ...]] = []
        # Bases first, from balls alone: of a preview few values are ever evaluated.
        for indices in games(layer):
            payoffs.append([PositionPayoff(indices, table) for table in tables])
            gains, optimal = zip(*map(self.solve, payoffs[-1]), strict=True)
            enclosed.append(gains)
            bases.append(optimal)

        def value(h: int) -> Pair:
            gains = []
            for game in zip(times, payoffs[h], enclosed[h], bases[h], strict=True):
                count, payoff, near, basis = game
                # A ball that holds one number alone tells it at once.
                is_known = near.is_exact()
                gain = to_pair(near.fmpq()) if is_known else brief(basis_value(payoff, basis))
                gains.append((count, gain))
            return mean(gains)

        if previewed is None:
            return ExactSlab.of(list(map(value, range(len(layer)))), bases)

        def evaluate(h: int) -> Pair:
            single = Single(previewed, h)
            if single not in below:
                below[single] = ExactSlab.of([value(h)], [bases[h]])
            return below[single].values[0]

        with ctx.workprec(BALL_BITS):
            balls = [average(gains, times) for gains in enclosed]
        return ExactSlab(balls, [], bases, evaluate)

    def solve(self, payoff: PositionPayoff) -> tuple[arb, Basis]:
        """Return a ball around the value of one game, and an optimal basis."""
        sure = payoff.table.sure(payoff.indices)
        if sure is not None:
            return sure
        basis = propose(payoff.floats())
        enclosed = None if basis is None else value_if_optimal(payoff, basis)
        if basis is not None and enclosed is not None:
            return enclosed, basis
        value, basis = solve_tableau(payoff.rows)
        return ball(to_pair(value), BALL_BITS), basis

    def lacking(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> list[Single]:
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, self.table(turn, layer, below, self))
        basis = propose(payoff.floats())
        rows: Sequence[int] = range(len(indices))
        # An antisymmetric game on a proved basis needs the payoffs between the bids of the basis alone.
        if basis is not None and certify(payoff, basis):
            rows = basis.rows
        singles: dict[Single, None] = {}
        for (i, j), (_, outcomes) in product(combinations(rows, 2), turn.stakes):
            _, single = payoff.table.look(outcomes, indices[i][j])
            if single is not None and below[single.node].evaluate is not None:
                singles[single] = None
        return list(singles)

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> Play[Pair]:
        """Return optimal play at the position that `layer` holds alone, in lowest terms."""
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, self.table(turn, layer, below, self))
        play = by_basis(payoff, fair=is_fair(layer, turn))
        return over_cards(layer, play or by_simplex(payoff).converted(to_pair), ZERO)

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
        bits = sum(p.bit_length() + q.bit_length() for p, q in slab.values)
        beside = PAIR_BYTES if slab.evaluate is None else PREVIEW_BYTES
        return super().nbytes(slab) + beside * len(slab) + bits // 8

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
            entries = reader.several(
                lambda: (tuple(reader.several(lambda: Basis(bids(), bids()))), reader.pair())
            )
        return ExactSlab.of([pair for _, pair in entries], [bases for bases, _ in entries])

    def pack_opening(self, opening: Play[Pair]) -> bytes:
        head = pack_data(opening.method.encode()) + pack_number(bool(opening.row_unique))
        return head + pack_several(opening.row, pack_pair)

    def unpack_opening(self, payload: bytes) -> Play[Pair]:
        with Reader(payload) as reader:
            method, unique = bytes(reader.data()).decode(), bool(reader.number())
            choice(method, "a method", METHODS)
            return Play.fair(reader.several(reader.pair), ZERO, unique=unique, method=method)
