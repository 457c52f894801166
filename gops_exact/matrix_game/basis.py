"""A basis of a matrix game, proposed by a float simplex and proved in balls.

A basis is a square choice of rows I and columns J (Shapley & Snow 1950). With M = X[I, J] and

    K = [ M  1 ]
        [ 1ᵀ 0 ]

the last column of K⁻¹ is (y, −v) and its last row (x, −v): the strategies that make each other
indifferent, and the value. If x > 0, y > 0, rows outside I gain less than v against y and columns
outside J more than v against x, all strictly, both strategies are the only optimal ones. If none of
these numbers, the *slacks*, is negative, both are optimal.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, nmod, nmod_mat

from gops_exact.matrix_game.payoff import Payoff, saddle_point

if TYPE_CHECKING:
    from flint.flint_base.flint_base import flint_mat

Number = TypeVar("Number", arb, fmpq, nmod)
Item = TypeVar("Item")

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

    @property
    def swapped(self) -> "Basis":
        """The same basis of −Xᵀ, for which the players change places."""
        return Basis(self.columns, self.rows)


def placed(
    numbers: Iterable[Item], bids: Sequence[int], count: int, zero: Item
) -> tuple[Item, ...]:
    """Return a strategy over all bids from the probabilities of the bids on a basis, which come first.

    >>> placed([3, 4], (0, 2), 4, 0)
    (3, 0, 4, 0)
    """
    played = dict(zip(bids, numbers, strict=False))
    return tuple(played.get(bid, zero) for bid in range(count))


class Candidate(NamedTuple, Generic[Number]):
    """Strategies and value on a basis, optimal only if its :func:`slacks` are not negative."""

    row: list[Number]  # player one's probabilities, one per basis row
    column: list[Number]  # player two's, one per basis column
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


def bases(m: int, n: int) -> Iterator[Basis]:
    """Yield every choice of equally many of m rows and n columns, small ones first.

    One of them is optimal and has det K ≠ 0 (Shapley & Snow 1950).

    >>> len(list(bases(5, 5)))
    251
    """
    for size in range(1, min(m, n) + 1):
        for rows, columns in product(combinations(range(m), size), combinations(range(n), size)):
            yield Basis(rows, columns)


def candidate(payoff: list[list[Number]], basis: Basis, *, wide: bool = False) -> Candidate[Number]:
    """Return strategies and value on a basis from K⁻¹, in the numbers of the payoffs, shape (m, n).

    Elimination widens balls with every step. Wide balls, whose radii are far larger than the rounding
    of their midpoints, are first multiplied by an approximate inverse, so that elimination starts near
    the identity (Hansen & Smith 1967). That takes longer, and radii are then about those of the
    payoffs times the condition of K.

    Raises:
        ZeroDivisionError: if K is singular, or may be in these balls.

    >>> candidate([[fmpq(3), fmpq(-1)], [fmpq(1), fmpq(2)]], Basis((0, 1), (0, 1))).value
    7/5
    """
    entry, size = payoff[basis.rows[0]][basis.columns[0]], len(basis.rows)
    if size == 1:
        one = arb(1) if isinstance(entry, arb) else entry * 0 + 1
        return Candidate([one], [one], entry)
    bordered: list[list[Number | int]] = [[payoff[i][j] for j in basis.columns] for i in basis.rows]
    bordered.append([1] * size)
    for line in bordered:
        line.append(1)
    bordered[-1][-1] = 0
    inverse = _inverse(bordered, entry, wide=wide)
    return Candidate(
        [inverse[size, i] for i in range(size)],
        [inverse[j, size] for j in range(size)],
        -inverse[size, size],
    )


def _inverse(rows: list[list[Number | int]], entry: Number, *, wide: bool) -> "flint_mat[Number]":
    if isinstance(entry, arb):
        if not wide:
            return arb_mat(rows).inv()
        identity = [[int(i == j) for i in range(len(rows))] for j in range(len(rows))]
        return arb_mat(rows).solve(arb_mat(identity), algorithm="precond")
    if isinstance(entry, nmod):
        return nmod_mat(rows, entry.modulus()).inv()
    return fmpq_mat(rows).inv()


def slacks(payoff: list[list[Number]], basis: Basis, found: Candidate[Number]) -> Iterator[Number]:
    """Yield the numbers that must not be negative for `basis` to be optimal: payoff of shape (m, n).

    These are the probabilities, and the loss of each bid outside the basis against the strategies on
    it. If all are positive, the strategies are the only optimal ones.
    """
    rows, columns = basis.rows, basis.columns
    x, y, value = found
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


def certify(payoff: Payoff, basis: Basis) -> bool:
    """Prove in balls that `basis` is optimal and both strategies unique; False if unproved."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            if prove(payoff.balls(precision), basis) is not None:
                return True
    return False


def prove(balls: list[list[arb]], basis: Basis, *, wide: bool = False) -> Candidate[arb] | None:
    """Return strategies and value on `basis` if they are proved the only optimal ones, else None.

    Ball comparisons hold only if they hold for every number in the balls, of shape (m, n). For `wide`
    see :func:`candidate`.
    """
    try:
        found = candidate(balls, basis, wide=wide)
    except ZeroDivisionError:
        return None
    return found if all(slack > 0 for slack in slacks(balls, basis, found)) else None


def prove_row(balls: list[list[arb]], basis: Basis) -> Candidate[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), in the way that leaves the narrower row.

    Balls around floats are wide. Either of the two ways may prove a basis alone.
    """
    found = (prove(balls, basis, wide=wide) for wide in (False, True))
    proved = (each for each in found if each is not None)
    return min(proved, key=lambda each: max(float(p.rad()) for p in each.row), default=None)


def prove_both(balls: list[list[arb]], basis: Basis) -> Candidate[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), and leave both strategies narrow.

    The column of a proof may be many times as wide as its row, so it is the row of the game that player
    two sees.
    """
    own = prove_row(balls, basis)
    seen = [[-entry for entry in column] for column in zip(*balls, strict=True)]
    other = prove_row(seen, basis.swapped)
    return own if own is None or other is None else own._replace(column=other.row)


def tied_basis(balls: list[list[arb]], residues: list[list[nmod]]) -> Basis | None:
    """Find the first basis that is optimal if all numbers that look like zero are zero, shape (m, n).

    Each slack is positive in balls, or its ball contains zero and its residue is 0. The second is
    evidence, not proof: about one nonzero number in p has residue 0 modulo p, and it has to be tiny
    besides. None if no basis qualifies: then the balls are not precise enough.

    Raises:
        ZeroDivisionError: if none is found, and the prime divides det K of one that may be optimal.
    """
    divided = None
    for basis in bases(len(balls), len(balls[0])):
        try:
            short = list(slacks(balls, basis, candidate(balls, basis)))
        except ZeroDivisionError:
            continue
        if any(ball < 0 for ball in short):
            continue
        try:
            shadow = candidate(residues, basis)
        except ZeroDivisionError as error:
            divided = error
            continue
        pairs = zip(short, slacks(residues, basis, shadow), strict=True)
        if all(ball > 0 or (ball.contains(0) and int(residue) == 0) for ball, residue in pairs):
            return basis
    if divided is not None:
        raise divided
    return None
