"""Values in exact rational numbers.

Every value is held twice: as a ball, an interval that contains it, and as a pair of integers (numerator, denominator).
The balls serve to choose an optimal *basis* of each matrix game (equally many rows and columns), and to prove that it
is optimal. Then the value of the game is computed from the exact payoffs of the basis.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat

from gops_exact.base.arguments import choice
from gops_exact.base.store import Reader, pack
from gops_exact.game.game import PrizeState, StageGame
from gops_exact.game.order_types import Layer
from gops_exact.matrix_game.basis import METHODS, Basis, Play, certify, propose
from gops_exact.matrix_game.evaluate import ZERO, basis_value, by_basis, value_if_optimal
from gops_exact.matrix_game.payoff import Entries, Payoff
from gops_exact.numbers.exact import BigRational, Pair, average, reduced, to_pair, total
from gops_exact.solvers.arithmetic import BALL_BITS
from gops_exact.solvers.exact.lattice import (
    BALLS,
    FLOATS,
    FRACTIONS,
    Indices,
    PayoffTable,
    SingleValue,
    System,
    ValueTable,
    games,
    is_skew_symmetric,
    mean,
    shortened,
)

SHORT_UP_TO = 4
"""The most cards a side for which values are computed by :func:`short_value`, because such values are short: about 100
bits at four cards a side, but thousands of bits at five."""


def short_value(payoff: "PositionPayoff", basis: Basis) -> fmpq:
    """Return the value of a game, computed from the payoffs in the rows and columns of an optimal basis.

    The method is Gaussian elimination on fractions, so the payoffs should be short numbers.

    Args:
        payoff: the game.
        basis: the optimal basis.
    """
    size, entries = len(basis.rows), payoff.table.payoffs(FRACTIONS)
    bordered: list[list[Any]] = [
        [*(entries[payoff.indices[i][j]] for j in basis.columns), 1] for i in basis.rows
    ]
    if size == 1:
        value: fmpq = bordered[0][0]
        return value
    unit = fmpq_mat(size + 1, 1, [0] * size + [1])
    return -fmpq_mat([*bordered, [*[1] * size, 0]]).solve(unit)[size, 0]


def exact_value_table(values: list[Pair], bases: list[tuple[Basis, ...]]) -> ValueTable:
    """Return a value table of exact values and bases, with balls of :data:`BALL_BITS` bits around the values.

    More precise balls are computed from the exact values when needed.
    """
    return ValueTable([ball(pair, BALL_BITS) for pair in values], values, bases)


def ball(pair: Pair, precision: int) -> arb:
    """Return a ball of `precision` bits around a fraction (numerator, denominator)."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


@dataclass(eq=False)
class PositionPayoff(Payoff):
    """The payoff matrix of one game, whose entries are looked up, when needed, in a table shared with other games."""

    indices: Indices  # the indices of the payoffs in `table`, shape (m, n)
    table: PayoffTable

    @cached_property
    def entries(self) -> Entries:  # type: ignore[override]  # computed when first needed
        """The payoffs as fractions in lowest terms, shape (m, n)."""
        pair = self.table.pair
        rows = [[fmpq(*pair(index)) for index in row] for row in self.indices]
        return np.array(rows, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.indices), len(self.indices[0])

    def floats(self) -> list[list[float]]:
        # Take the midpoints of the balls, which every value table has. A previewed value table may lack the exact
        # values.
        return self.table.matrix(self.indices, FLOATS)

    def balls(self, precision: int) -> list[list[arb]]:
        """Return the payoffs as balls of at least `precision` bits, shape (m, n)."""
        if precision <= BALL_BITS:
            return self.table.matrix(self.indices, BALLS)
        pair = self.table.pair
        return [[ball(pair(index), precision) for index in row] for row in self.indices]

    def pair(self, i: int, j: int) -> Pair:
        """Return the payoff in row i and column j as (numerator, denominator)."""
        return self.table.pair(self.indices[i][j])


@dataclass(frozen=True)
class ExactSystem(System):
    """The number system of exact rational numbers, each a pair (numerator, denominator)."""

    name = "exact"
    bits = BALL_BITS
    zero = ZERO
    cost_growth = 4
    number = staticmethod(BigRational.of_pair)

    def value_table(
        self,
        layer: Layer,
        stages: Sequence[StageGame],
        below: MutableMapping[Any, ValueTable],
        previewed: PrizeState | None = None,
    ) -> ValueTable:
        tables = [PayoffTable(stage, layer, below, self) for stage in stages]
        times = [stage.times for stage in stages]
        short = layer.size <= SHORT_UP_TO and not any(
            values.evaluate for table in tables for values in table.below.values()
        )
        # For each pair of hands, these lists have the payoffs, a ball around the value, and an optimal basis of each
        # stage game. Balls suffice to prove the bases. Exact values are computed afterwards from the bases: all of
        # them, or, if the value table is only previewed, each when it is first needed.
        payoffs: list[list[PositionPayoff]] = []
        enclosed: list[tuple[arb, ...]] = []
        bases: list[tuple[Basis, ...]] = []
        for indices in games(layer):
            payoffs.append([PositionPayoff(indices, table) for table in tables])
            gains, optimal = zip(*map(self.solve, payoffs[-1]), strict=True)
            enclosed.append(gains)
            bases.append(optimal)

        def value(h: int) -> Pair:
            if short:
                return to_pair(average(map(short_value, payoffs[h], bases[h]), times))
            gains = []
            for game in zip(times, payoffs[h], enclosed[h], bases[h], strict=True):
                count, payoff, near, basis = game
                # If the ball has radius 0, its midpoint is the exact value, which need not be computed from the basis.
                is_known = near.is_exact()
                gain = to_pair(near.fmpq()) if is_known else shortened(basis_value(payoff, basis))
                gains.append((count, gain))
            return mean(gains)

        if previewed is None:
            return exact_value_table(list(map(value, range(len(layer)))), bases)

        def evaluate(h: int) -> Pair:
            single = SingleValue(previewed, h)
            if single not in below:
                below[single] = exact_value_table([value(h)], [bases[h]])
            return below[single].values[0]

        with ctx.workprec(BALL_BITS):
            balls = [average(gains, times) for gains in enclosed]
        return ValueTable(balls, (), bases, evaluate=evaluate)

    def solve(self, payoff: PositionPayoff) -> tuple[arb, Basis]:
        """Return a ball around the value of one game, and an optimal basis."""
        saddle = payoff.table.saddle_point(payoff.indices)
        if saddle is not None:
            return saddle
        basis = propose(payoff.floats())
        enclosed = None if basis is None else value_if_optimal(payoff, basis)
        if basis is not None and enclosed is not None:
            return enclosed, basis
        from gops_exact.matrix_game.simplex import solve_tableau  # imported here: seldom needed

        value, basis = solve_tableau(payoff.rows)
        return ball(to_pair(value), BALL_BITS), basis

    def missing_values(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> list[SingleValue]:
        """List the keys of the values that :meth:`play` will need from previewed value tables.

        Args:
            layer: the pair of hands before the round, two equal ones; the layer has no other pair.
            stage: the game of the round.
            below: the value tables with one prize less, {prize state: value table}.
        """
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, PayoffTable(stage, layer, below, self))
        basis = propose(payoff.floats())
        rows: Sequence[int] = range(len(indices))
        # If the basis is proved optimal, `play` needs only the payoffs in its rows and columns. The hands are equal, so
        # these are the same bids, and payoff (j, i) is minus payoff (i, j): the pairs i < j suffice.
        if basis is not None and certify(payoff, basis):
            rows = basis.rows
        single_values: dict[SingleValue, None] = {}
        for (i, j), (_, outcomes) in product(combinations(rows, 2), stage.stakes):
            _, single = payoff.table.look(outcomes, indices[i][j])
            if single is not None and below[single.prize_state].evaluate is not None:
                single_values[single] = None
        return list(single_values)

    def play(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> Play[Pair]:
        """Return the value and optimal strategies for the only pair of hands in `layer`, in lowest terms."""
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, PayoffTable(stage, layer, below, self))
        play = by_basis(payoff, skew_symmetric=is_skew_symmetric(layer, stage))
        if play is None:
            from gops_exact.matrix_game.simplex import by_simplex  # imported here: seldom needed

            play = by_simplex(payoff).converted(to_pair)
        return play.over(layer.row_kept[0], layer.column_kept[0], ZERO)

    def expectation(self, payoffs: Sequence[Pair], column: Sequence[Pair]) -> Pair:
        """Return the mean of payoffs, weighted by player two's probabilities `column`, in lowest terms."""
        products = zip(payoffs, column, strict=True)
        return reduced(total([(p * r, q * s) for (p, q), (r, s) in products]))

    def values(self, table: ValueTable) -> list[Pair]:
        return list(map(reduced, table.values))

    def payoffs(self, table: PayoffTable) -> Callable[[int], Pair]:
        return lambda index: reduced(table.pair(index))

    def negative(self, number: Pair) -> Pair:
        return -number[0], number[1]

    def pack_values(self, table: ValueTable) -> bytes:
        """Convert a value table to bytes.

        For each pair of hands, the bytes have an optimal basis of each stage game, with rows and columns as bit masks,
        and then the value.
        """
        parts = []
        for bases, pair in zip(table.bases, table.values, strict=True):
            sides = [(basis.rows, basis.columns) for basis in bases]
            masks = [tuple(sum(1 << bid for bid in bids) for bids in both) for both in sides]
            parts.append((masks, pair))
        return pack(parts)

    def unpack_values(self, payload: bytes) -> ValueTable:
        def bids() -> tuple[int, ...]:
            mask = reader.number()
            return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)

        with Reader(payload) as reader:
            entries = reader.several(
                lambda: (tuple(reader.several(lambda: Basis(bids(), bids()))), reader.pair())
            )
        return exact_value_table([pair for _, pair in entries], [bases for bases, _ in entries])

    def pack(self, play: Play[Pair]) -> bytes:
        """Convert optimal play between equal hands to bytes.

        These are the name of the method, a 1 if no other strategy is optimal or else a 0, and then the strategy, which
        both players have.
        """
        return pack((play.method.encode(), bool(play.row_unique), list(play.row)))

    def unpack(self, payload: bytes) -> Play[Pair]:
        with Reader(payload) as reader:
            method, unique = reader.data().decode(), bool(reader.number())
            choice(method, "a method", METHODS)
            both = tuple(reader.several(reader.pair))
        return self.as_stored(Play(ZERO, both, both, unique, unique, method=method))
