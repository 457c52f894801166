"""A basis of a matrix game, proposed by a float simplex and proved in balls.

A basis is a square choice of rows I and columns J (Shapley & Snow 1950). With M = X[I, J] and

    K = [ M  1 ]
        [ 1ᵀ 0 ]

the last column of K⁻¹ is (y, −v) and its last row (x, −v): the strategies that make each other
indifferent, and the value. If x > 0, y > 0, rows outside I gain less than v against y and columns
outside J more than v against x, all strictly, both strategies are the only optimal ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from flint import arb, arb_mat, ctx, fmpq, nmod

from gops_exact.matrix_game.payoff import Payoff, saddle_point

if TYPE_CHECKING:
    from flint.flint_base.flint_base import flint_mat

Number = TypeVar("Number", arb, fmpq, nmod)

PIVOT_TOLERANCE = 1e-12
"""Reduced costs and pivots below this count as zero in the float simplex. Payoffs are scaled to
about 1 first; a wrong guess costs time, never correctness."""

PRECISIONS = (64, 128, 256)
"""Bits of the successive attempts to prove a basis. Games that 256 bits cannot separate from a tie
are left to the exact simplex."""


@dataclass(frozen=True)
class Basis:
    """Equally many rows and columns, ascending indices into an m × n matrix."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


class Candidate(NamedTuple, Generic[Number]):
    """Strategies and value on a basis, optimal only if its :func:`slacks` are not negative.

    Attributes:
        row: player one's probabilities, one per basis row.
        column: player two's, one per basis column.
        value: the value.
    """

    row: list[Number]
    column: list[Number]
    value: Number


def propose(payoff: list[list[float]], tolerance: float = PIVOT_TOLERANCE) -> Basis | None:
    """Find the basis at which an ordinary float simplex ends, shape (m, n); None if it does not end.

    Floats of any precision will do, in a context of gmpy2, with a `tolerance` of their own.

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
    # Payoffs in [1, 2], objective last; the slack columns are implicit: a pivot swaps a row and a
    # column.
    table = [[(entry - low) * scale + 1.0 for entry in row] + [1.0] for row in payoff]
    table.append([-1.0] * n + [0.0])
    in_row, in_column = list(range(n, n + m)), list(range(n))
    for _ in range(20 * (m + n)):
        reduced_costs = table[m][:n]
        least = min(reduced_costs)
        if least >= -tolerance:
            return Basis(
                tuple(sorted(k - n for k in in_column if k >= n)),
                tuple(sorted(k for k in in_row if k < n)),
            )
        entering = reduced_costs.index(least)
        ratios = [
            (row[n] / row[entering], i)
            for i, row in enumerate(table[:m])
            if row[entering] > tolerance
        ]
        if not ratios:
            return None
        leaving = min(ratios)[1]
        _swap(table, leaving, entering)
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
    return None


def _swap(table: list[list[float]], leaving: int, entering: int) -> None:
    """Exchange the variables of row `leaving` and column `entering` (in place)."""
    inverse = 1.0 / table[leaving][entering]
    source = [entry * inverse for entry in table[leaving]]
    source[entering] = inverse
    for i, row in enumerate(table):
        factor = row[entering]
        row[entering] = 0.0
        table[i] = [a - factor * b for a, b in zip(row, source)]  # noqa: B905  # a hot loop
    table[leaving] = source


def certify(payoff: Payoff, basis: Basis) -> bool:
    """Prove in balls that `basis` is optimal and both strategies unique; False if unproved."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            if prove(payoff.balls(precision), basis) is not None:
                return True
    return False


def prove(balls: list[list[arb]], basis: Basis, *, wide: bool = False) -> Candidate[arb] | None:
    """Return strategies and value on `basis` if they are proved the only optimal ones, else None.

    Ball comparisons hold only if they hold for every number in the balls, of shape (m, n). `wide` says
    that the radii are far larger than the rounding of the midpoints.
    """
    candidate = candidate_in_balls(balls, basis, wide=wide)
    if candidate is None or not all(slack > 0 for slack in slacks(balls, basis, candidate)):
        return None
    return candidate


def candidate_in_balls(
    balls: list[list[arb]], basis: Basis, *, wide: bool = False
) -> Candidate[arb] | None:
    """Find the strategies that make each other indifferent; None if K may be singular in these balls.

    Elimination widens balls with every step. Wide balls are first multiplied by an approximate
    inverse, so that elimination starts near the identity (Hansen & Smith 1967). That takes longer,
    and radii are then about those of the payoffs times the condition of K.
    """
    size = len(basis.rows)
    if size == 1:
        return Candidate([arb(1)], [arb(1)], balls[basis.rows[0]][basis.columns[0]])
    matrix = arb_mat(bordered(balls, basis))
    try:
        if wide:
            identity = arb_mat([[int(i == j) for i in range(size + 1)] for j in range(size + 1)])
            inverse = matrix.solve(identity, algorithm="precond")
        else:
            inverse = matrix.inv()
    except ZeroDivisionError:  # python-flint's word for "singular as far as these balls tell"
        return None
    return from_inverse(inverse, size)


def bordered(payoff: list[list[Number]], basis: Basis) -> list[list[Number | int]]:
    """Return the matrix K of a basis, shape (s + 1, s + 1), from a payoff of shape (m, n)."""
    matrix: list[list[Number | int]] = [[payoff[i][j] for j in basis.columns] for i in basis.rows]
    matrix.append([1] * len(basis.columns))
    for line in matrix:
        line.append(1)
    matrix[-1][-1] = 0
    return matrix


def from_inverse(inverse: "flint_mat[Number]", size: int) -> Candidate[Number]:
    """Read strategies and value off K⁻¹, for a basis of `size`."""
    return Candidate(
        [inverse[size, i] for i in range(size)],
        [inverse[j, size] for j in range(size)],
        -inverse[size, size],
    )


def slacks(
    payoff: list[list[Number]], basis: Basis, candidate: Candidate[Number]
) -> Iterator[Number]:
    """Yield the numbers that must not be negative for `basis` to be optimal: payoff of shape (m, n).

    These are the probabilities, and the loss of each bid outside the basis against the strategies on
    it. If all are positive, the strategies are the only optimal ones.
    """
    rows, columns = basis.rows, basis.columns
    x, y, value = candidate
    if len(rows) == 1:
        (i,), (j,) = rows, columns
        yield from (value - line[j] for m, line in enumerate(payoff) if m != i)
        yield from (entry - value for n, entry in enumerate(payoff[i]) if n != j)
        return
    yield from x
    yield from y
    for i, line in enumerate(payoff):
        if i not in rows:
            yield value - _dot(y, [line[j] for j in columns])
    for j in range(len(payoff[0])):
        if j not in columns:
            yield _dot(x, [payoff[i][j] for i in rows]) - value


def _dot(a: list[Number], b: list[Number]) -> Number:
    total = a[0] * b[0]
    for p, q in zip(a[1:], b[1:], strict=True):
        total += p * q
    return total
