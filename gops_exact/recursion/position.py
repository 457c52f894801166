"""The matrix game of a position, over exact values that are known at three levels of precision."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from flint import arb, ctx, fmpz

from gops_exact.matrix_game.basis import Basis
from gops_exact.numbers.pairs import Pair
from gops_exact.order_types import Layer

BALL_BITS = 128
"""Precision of the balls kept with a slab; more is computed from the exact pair when asked for."""


@dataclass(frozen=True, eq=False)
class ExactSlab:
    """The exact values of one prize set.

    Attributes:
        values: length H; f(V, Y, P) of each pair of hands as (numerator, denominator).
        bases: length H; for each pair, the optimal basis of each upcard's game.
        balls: length H; the values as balls of :data:`BALL_BITS` bits.
        floats: length H; the values rounded.
    """

    values: Sequence[Pair]
    bases: Sequence[tuple[Basis, ...]]
    balls: list[arb]
    floats: list[float] = field(init=False, repr=False)

    @classmethod
    def of(cls, values: Sequence[Pair], bases: Sequence[tuple[Basis, ...]]) -> "ExactSlab":
        """The slab of known values."""
        return cls(values, bases, [ball(pair, BALL_BITS) for pair in values])

    def __post_init__(self) -> None:
        object.__setattr__(self, "floats", [float(value) for value in self.balls])


def ball(pair: Pair, precision: int) -> arb:
    """A ball around numerator/denominator."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


@dataclass(frozen=True, eq=False)
class PositionPayoff:
    """X[i, j] = p · sign(V_i − Y_j) + f(V∖V_i, Y∖Y_j, P∖p), assembled on demand.

    Attributes:
        upcard: p.
        sign: shape (m, n).
        child: shape (m, n); references into the slab below.
        below: the slab of P∖p.
    """

    upcard: int
    sign: list[list[int]]
    child: list[list[int]]
    below: ExactSlab

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.sign), len(self.sign[0])

    def floats(self) -> list[list[float]]:
        """Every entry rounded, shape (m, n)."""
        # References start at ±1, and 0 stands for the value zero.
        known = self.below.floats
        return [
            [
                self.upcard * s + (known[c - 1] if c > 0 else -known[-c - 1] if c else 0.0)
                for s, c in zip(signs, children, strict=True)
            ]
            for signs, children in zip(self.sign, self.child, strict=True)
        ]

    def balls(self, precision: int) -> list[list[arb]]:
        """Every entry as a ball, shape (m, n)."""
        with ctx.workprec(precision):
            return [
                [self._ball(s, c, precision) for s, c in zip(signs, children, strict=True)]
                for signs, children in zip(self.sign, self.child, strict=True)
            ]

    def _ball(self, sign: int, child: int, precision: int) -> arb:
        gain = self.upcard * sign
        if child == 0:
            return arb(gain)
        place = abs(child) - 1
        if precision <= BALL_BITS:
            value = self.below.balls[place]
        else:
            value = ball(self.below.values[place], precision)
        return gain + value if child > 0 else gain - value

    def pair(self, i: int, j: int) -> Pair:
        """Entry (i, j) as numerator and denominator."""
        gain, child = self.upcard * self.sign[i][j], self.child[i][j]
        if child == 0:
            return fmpz(gain), fmpz(1)
        p, q = self.below.values[abs(child) - 1]
        if child < 0:
            p = -p
        return (p + gain * q if gain else p), q


def bid_tables(layer: Layer) -> list[tuple[list[list[int]], list[list[int]]]]:
    """Signs and child references of each pair of hands, interchangeable bids left out."""
    tables = []
    for h in range(len(layer)):
        rows, columns = layer.row_kept[h].nonzero()[0], layer.column_kept[h].nonzero()[0]
        tables.append(
            (
                layer.sign[h][rows][:, columns].tolist(),
                layer.child[h][rows][:, columns].tolist(),
            )
        )
    return tables
