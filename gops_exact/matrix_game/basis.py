"""A basis of a matrix game: float proposes it, balls prove it.

A basis is a square choice of rows I and columns J (Shapley & Snow 1950). With M = X[I, J] and

    K = [ M  1 ]
        [ 1ᵀ 0 ]

the last column of K⁻¹ is (y, −v) and its last row (x, −v): the strategies that make each other
indifferent, and the value. If x > 0, y > 0, rows outside I gain less than v against y and columns
outside J more than v against x, all strictly, both strategies are the only optimal ones.
"""

from dataclasses import dataclass

from flint import arb, arb_mat, ctx

from gops_exact.matrix_game.closed_form import saddle_point
from gops_exact.matrix_game.payoff import Payoff

PIVOT_TOLERANCE = 1e-12
"""Reduced costs and pivots below this count as zero in the float simplex. Payoffs are scaled to
about 1 first; a wrong guess costs time, never correctness."""

PRECISIONS = (64, 128, 256)
"""Bits of the successive attempts to prove a basis. What 256 bits cannot separate from a tie is a
tie, near enough to leave it to the exact simplex."""


@dataclass(frozen=True)
class Basis:
    """Equally many rows and columns, ascending indices into an m × n matrix."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


def propose(payoff: list[list[float]]) -> Basis | None:
    """The basis an ordinary float simplex ends at, shape (m, n); None if it does not end.

    >>> propose([[3.0, -1.0], [1.0, 2.0]])
    Basis(rows=(0, 1), columns=(0, 1))
    """
    saddle = saddle_point(payoff)
    if saddle is not None:
        return Basis((saddle[0],), (saddle[1],))
    m, n = len(payoff), len(payoff[0])
    if m == n == 2:
        return Basis((0, 1), (0, 1))
    low = min(map(min, payoff))
    scale = 1.0 / (max(map(max, payoff)) - low)
    # Payoffs in [1, 2]; the slack columns are kept implicit: a pivot swaps a row and a column.
    rows = [[(entry - low) * scale + 1.0 for entry in row] + [1.0] for row in payoff]
    objective = [-1.0] * n + [0.0]
    in_row, in_column = list(range(n, n + m)), list(range(n))
    for _ in range(20 * (m + n)):
        entering = min(range(n), key=objective.__getitem__)
        if objective[entering] >= -PIVOT_TOLERANCE:
            return Basis(
                tuple(sorted(k - n for k in in_column if k >= n)),
                tuple(sorted(k for k in in_row if k < n)),
            )
        ratios = [
            (row[-1] / row[entering], i)
            for i, row in enumerate(rows)
            if row[entering] > PIVOT_TOLERANCE
        ]
        if not ratios:
            return None
        leaving = min(ratios)[1]
        _swap(rows, objective, leaving, entering)
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
    return None


def _swap(rows: list[list[float]], objective: list[float], leaving: int, entering: int) -> None:
    """Exchange the variables of row `leaving` and column `entering` (in place)."""
    inverse = 1.0 / rows[leaving][entering]
    source = [entry * inverse for entry in rows[leaving]]
    source[entering] = inverse
    for row in (*rows, objective):
        factor = row[entering]
        row[entering] = 0.0
        row[:] = [a - factor * b for a, b in zip(row, source, strict=True)]
    rows[leaving] = source


def certify(payoff: Payoff, basis: Basis) -> bool:
    """Prove in balls that `basis` is optimal and both strategies unique; False if unproved."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            if certify_balls(payoff.balls(precision), basis):
                return True
    return False


def certify_balls(balls: list[list[arb]], basis: Basis) -> bool:
    """One attempt of :func:`certify` at the present precision, shape (m, n).

    Ball comparisons hold only if they hold for every number in the balls.
    """
    rows, columns = basis.rows, basis.columns
    size = len(rows)
    if size == 1:
        (i,), (j,) = rows, columns
        entry = balls[i][j]
        return all(entry < other for n, other in enumerate(balls[i]) if n != j) and all(
            entry > row[j] for m, row in enumerate(balls) if m != i
        )
    bordered = [[balls[i][j] for j in columns] + [arb(1)] for i in rows]
    bordered.append([arb(1)] * size + [arb(0)])
    try:
        inverse = arb_mat(bordered).inv().tolist()
    except ZeroDivisionError:  # python-flint's word for "singular as far as these balls tell"
        return False
    x, y, value = inverse[size][:size], [row[size] for row in inverse[:size]], -inverse[size][size]
    if not all(p > 0 for p in (*x, *y)):
        return False
    outside_rows = (row for i, row in enumerate(balls) if i not in rows)
    outside_columns = (j for j in range(len(balls[0])) if j not in columns)
    return all(
        sum((row[j] * q for j, q in zip(columns, y, strict=True)), arb(0)) < value
        for row in outside_rows
    ) and all(
        sum((balls[i][j] * p for i, p in zip(rows, x, strict=True)), arb(0)) > value
        for j in outside_columns
    )
