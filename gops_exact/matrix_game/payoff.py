"""Payoff matrices as the solvers see them: in floats, in balls and exactly; and their closed forms.

A solver proposes from floats, proves in balls and takes exact numbers only where it needs them.
Exact entries are pairs of integers (numerator, denominator) *not necessarily in lowest terms*: for
numbers of millions of digits one gcd takes longer than all other steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from flint import arb, ctx, fmpq

from gops_exact.numbers import to_float
from gops_exact.numbers.pairs import Pair, from_pair, to_pair

Matrix = list[list[fmpq]]


class Payoff(Protocol):
    """An m × n payoff matrix, player one's gain, known at three levels of precision."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows m (player one's bids) and columns n (player two's)."""

    def floats(self) -> list[list[float]]:
        """Return every entry rounded to a float, perhaps all scaled alike."""

    def balls(self, precision: int) -> list[list[arb]]:
        """Return every entry as a ball of about `precision` bits that contains it."""

    def pair(self, i: int, j: int) -> Pair:
        """Return entry (i, j) exactly, as numerator and positive denominator."""


@dataclass(frozen=True)
class RationalPayoff:
    """A payoff matrix of reduced fractions.

    Attributes:
        entries: shape (m, n).
    """

    entries: Matrix

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.entries), len(self.entries[0])

    def floats(self) -> list[list[float]]:
        """Return every entry rounded, shape (m, n)."""
        try:
            return [[to_float(entry) for entry in row] for row in self.entries]
        except OverflowError:
            scale = max(abs(entry) for row in self.entries for entry in row)
            return [[to_float(entry / scale) for entry in row] for row in self.entries]

    def balls(self, precision: int) -> list[list[arb]]:
        """Return every entry as a ball, shape (m, n)."""
        with ctx.workprec(precision):
            return [[arb(entry) for entry in row] for row in self.entries]

    def pair(self, i: int, j: int) -> Pair:
        """Return entry (i, j) as numerator and denominator."""
        return to_pair(self.entries[i][j])


def exact_matrix(payoff: Payoff) -> Matrix:
    """Return all entries as reduced fractions, shape (m, n)."""
    rows, columns = payoff.shape
    return [[from_pair(payoff.pair(i, j)) for j in range(columns)] for i in range(rows)]


def transposed(payoff: Matrix) -> Matrix:
    """Return the same game seen by player two: −Xᵀ, shape (n, m)."""
    return [[-entry for entry in column] for column in zip(*payoff, strict=True)]


def saddle_point(payoff: Sequence[Sequence[Any]]) -> tuple[int, int] | None:
    """Find the first entry that is smallest in its row and largest in its column, or None.

    >>> saddle_point([[3, 1], [0, -1]])
    (0, 1)
    >>> saddle_point([[1, -1], [-1, 1]]) is None
    True
    """
    row_minima = [min(row) for row in payoff]
    column_maxima = [max(column) for column in zip(*payoff, strict=True)]
    lower, upper = max(row_minima), min(column_maxima)
    if lower != upper:
        return None
    return row_minima.index(lower), column_maxima.index(upper)


def two_by_two(payoff: Matrix) -> tuple[fmpq, tuple[fmpq, fmpq], tuple[fmpq, fmpq]]:
    """Return value, row and column strategy of a 2 × 2 game *without a saddle point*.

    Both strategies make the other player indifferent, are fully mixed and the only optimal ones:
    v = (ad − bc)/(a − b − c + d) (von Neumann & Morgenstern 1944, §18).

    >>> two_by_two([[fmpq(3), fmpq(-1)], [fmpq(1), fmpq(2)]])
    (7/5, (1/5, 4/5), (3/5, 2/5))
    """
    (a, b), (c, d) = payoff
    total = a - b - c + d
    row = ((d - c) / total, (a - b) / total)
    column = ((d - b) / total, (a - c) / total)
    return (a * d - b * c) / total, row, column
