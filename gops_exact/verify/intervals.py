"""Fractions, intervals of integers, null spaces of matrices, and values of small matrix games.

An interval has integer ends. It encloses a real number multiplied by a positive factor, such as 2^bits. The interval
does not store this factor, so the caller has to know it. A sum of intervals with the same factor has this factor, too.
A product has the product of both factors. Sums and products of integers are exact, so nothing is rounded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import add, mul
from typing import Any, TypeVar

from gmpy2 import c_div, f_div, mpq, mpz

Pair = tuple[mpz, mpz]
"""Fraction as (numerator, positive denominator), not necessarily in lowest terms."""


class NotProvedError(ArithmeticError):
    """Error for a claim that does not hold, or that cannot be decided; the message gives the reason."""


def add_up(pairs: Sequence[Pair]) -> Pair:
    """Return the sum of fractions, not in lowest terms; 0 if there are none.

    Neighbours are added first, then their sums in pairs, and so on. So most products are of short integers.
    """
    while len(pairs) > 1:
        couples = zip(pairs[::2], pairs[1::2], strict=False)
        added = [(a * d + c * b, b * d) for (a, b), (c, d) in couples]
        pairs = [*added, *pairs[2 * len(added) :]]
    return pairs[0] if pairs else (mpz(0), mpz(1))


def cleared(pairs: Sequence[Pair]) -> tuple[list[mpz], mpz]:
    """Return the numerators of fractions over a common denominator, not always the least, and this denominator."""
    common = reduce(mul, {q for _, q in pairs}, mpz(1))
    return [p * (common // q) for p, q in pairs], common


@dataclass(frozen=True, slots=True)
class Interval:
    """Interval of the numbers from `low` to `high`. It encloses a number times a factor that the caller knows."""

    low: mpz
    high: mpz

    @classmethod
    def between(cls, low: Pair, high: Pair, bits: int) -> "Interval":
        """Return the smallest interval with integer ends around 2^bits times the numbers from `low` to `high`.

        Args:
            low: the least number, a fraction (numerator, positive denominator).
            high: the greatest number, a fraction.
            bits: the exponent of the factor 2^bits.
        """
        return cls(f_div(low[0] << bits, low[1]), c_div(high[0] << bits, high[1]))

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Interval") -> "Interval":
        return Interval(self.low - other.high, self.high - other.low)

    def __neg__(self) -> "Interval":
        return Interval(-self.high, -self.low)

    def __mul__(self, other: "Interval") -> "Interval":
        (a, b), (c, d) = (self.low, self.high), (other.low, other.high)
        ends = a * c, a * d, b * c, b * d
        return Interval(min(ends), max(ends))

    @property
    def sign(self) -> int | None:
        """The sign, −1, 0 or 1, of all numbers in the interval; None if they have different signs.

        >>> Interval(mpz(1), mpz(2)).sign, Interval(mpz(-2), mpz(-1)).sign
        (1, -1)
        >>> Interval(mpz(0), mpz(0)).sign, Interval(mpz(0), mpz(1)).sign
        (0, None)
        """
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == self.high else None


def sum_up(numbers: Sequence[Interval]) -> Interval:
    """Return the sum of one or more intervals."""
    return Interval(sum(n.low for n in numbers), sum(n.high for n in numbers))


Number = TypeVar("Number", Interval, mpz)


def null_vector(rows: list[list[Number]]) -> list[Number]:
    """Return a vector z with rows · z = 0, by Cramer's rule: z_c = (−1)^c det(rows without column c).

    z spans the null space of `rows` unless z is zero. The formula has no division, so the entries may be intervals.

    Args:
        rows: the matrix, shape (s, s + 1), s ≥ 1.

    Returns:
        z, shape (s + 1,).
    """
    width = len(rows) + 1
    # {indices of s columns: determinant of the last s rows of the matrix in these columns}. It begins with s = 1. Each
    # pass of the loop adds the next row above, and computes the determinants of s + 1 rows from those of s rows by
    # Laplace's expansion along the added row.
    minors: dict[tuple[int, ...], Any] = {(c,): rows[-1][c] for c in range(width)}
    for size, row in enumerate(reversed(rows[:-1]), start=2):
        expanded: dict[tuple[int, ...], Any] = {}
        for columns in combinations(range(width), size):
            terms = [row[c] * minors[columns[:n] + columns[n + 1 :]] for n, c in enumerate(columns)]
            expanded[columns] = reduce(add, terms[::2]) - reduce(add, terms[1::2])
        minors = expanded
    # Entry c of z is (−1)^c times the minor without column c. combinations() yields the columns without the last one
    # first, and those without column 0 last. So the order of the minors is reversed.
    return [-z if c % 2 else z for c, z in enumerate(reversed(list(minors.values())))]


def eliminate(lines: list[list[mpq]], index: int, k: int) -> None:
    """Make the entry in column k equal to 1 in the line `index`, and to 0 in all other lines; change `lines` in place.

    The line `index` is divided by its entry in column k, which must not be 0, and multiples of this line are subtracted
    from the others.
    """
    pivot = lines[index][k]
    lines[index] = source = [entry / pivot for entry in lines[index]]
    for i, line in enumerate(lines):
        factor = line[k]
        if i != index and factor:
            lines[i] = [a - factor * b for a, b in zip(line, source, strict=True)]


def simplex(lines: list[list[mpq]], basic: list[int]) -> None:
    """Pivot a simplex tableau until no cost is negative, so that its basis is optimal.

    The linear program minimises a sum of costs. It must have an optimum, and no right-hand side may be negative at the
    start. A variable is the index of a column. An index beyond the last column is that of an artificial variable, which
    does not enter the basis again. If several variables could enter or leave the basis, the one with the least index is
    chosen (Bland's rule, 1977), so that the simplex method does not cycle.

    Args:
        lines: the tableau: a line for each basic variable, with the right-hand side at the end, then a line of costs.
            Changed in place to the tableau of an optimal basis.
        basic: the basic variables, in the order of the lines. Changed in place to those of the optimal basis.
    """
    while True:
        entering = next((k for k, cost in enumerate(lines[-1][:-1]) if cost < 0), None)
        if entering is None:
            return
        # The variable with the least ratio of right-hand side to entry leaves the basis. If several ratios are equal,
        # it is the variable with the least index, as Bland's rule demands.
        _, _, leaving = min(
            (line[-1] / line[entering], variable, i)
            for i, (line, variable) in enumerate(zip(lines, basic, strict=False))
            if line[entering] > 0
        )
        basic[leaving] = entering
        eliminate(lines, leaving, entering)


def value_of(payoff: list[list[mpz]]) -> mpq:
    """Return the value of a matrix game.

    A constant is added to all payoffs to make them positive; it is subtracted from the value at the end. The linear
    program of the positive payoffs is: maximise Σ u_j subject to payoff · u ≤ 1, u ≥ 0. The greatest sum is
    1 / value. The column player's optimal strategy is the value times u. The row player's is the value times the dual
    solution (Dantzig 1951).

    Args:
        payoff: player one's gains, integers, shape (m, n).

    Raises:
        NotProvedError: if the strategies that the simplex method returns do not prove the value.
    """
    m, n = len(payoff), len(payoff[0])
    shift = 1 - min(map(min, payoff))
    lines = [
        [mpq(entry + shift) for entry in row] + [mpq(i == k) for k in range(m)] + [mpq(1)]
        for i, row in enumerate(payoff)
    ]
    lines.append([mpq(-1)] * n + [mpq(0)] * (m + 1))
    basic = list(range(n, n + m))
    simplex(lines, basic)
    *rows, costs = lines
    total = costs[-1]
    row_strategy = [cost / total for cost in costs[n:-1]]
    ends = {k: row[-1] / total for k, row in zip(basic, rows, strict=True)}
    column_strategy = [ends.get(k, mpq(0)) for k in range(n)]
    value = 1 / total - shift
    least = min(sum(map(mul, row_strategy, column)) for column in zip(*payoff, strict=True))
    greatest = max(sum(map(mul, column_strategy, row)) for row in payoff)
    strategies = (row_strategy, column_strategy)
    if not least == value == greatest or any(min(s) < 0 or sum(s) != 1 for s in strategies):
        raise NotProvedError("the simplex method found no solution of a game")
    return value
