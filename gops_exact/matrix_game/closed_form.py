"""Closed forms: saddle points of any matrix, and the 2 × 2 game without one.

Rhoads & Bartholdi 2012, §3.1; von Neumann & Morgenstern 1944, §18.
"""

from collections.abc import Sequence
from typing import Any

from flint import fmpq

from gops_exact.matrix_game.payoff import Matrix


def saddle_point(payoff: Sequence[Sequence[Any]]) -> tuple[int, int] | None:
    """Find the first entry that is smallest in its row and largest in its column, or None.

    Works on any ordered numbers, shape (m, n).

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


def is_strict(payoff: Sequence[Sequence[Any]], i: int, j: int) -> bool:
    """Test that the saddle point (i, j) is strictly smallest in its row and largest in its column."""
    entry = payoff[i][j]
    return all(entry < other for n, other in enumerate(payoff[i]) if n != j) and all(
        entry > row[j] for m, row in enumerate(payoff) if m != i
    )


def two_by_two(payoff: Matrix) -> tuple[fmpq, tuple[fmpq, fmpq], tuple[fmpq, fmpq]]:
    """Return value, row and column strategy of a 2 × 2 game *without a saddle point*.

    Both strategies make the other player indifferent, are fully mixed and the only optimal ones:
    v = (ad − bc)/(a − b − c + d).

    >>> two_by_two([[fmpq(3), fmpq(-1)], [fmpq(1), fmpq(2)]])
    (7/5, (1/5, 4/5), (3/5, 2/5))
    """
    (a, b), (c, d) = payoff
    total = a - b - c + d
    row = ((d - c) / total, (a - b) / total)
    column = ((d - b) / total, (a - c) / total)
    return (a * d - b * c) / total, row, column
