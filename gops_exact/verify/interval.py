"""Intervals of integers, and the kernel of a matrix by Cramer's rule over anything that multiplies.

A number is known to `bits` binary places as an interval around 2^bits times itself. Nothing is ever
divided or rounded after that, so every result holds what it should without more ado.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

from gmpy2 import c_div, f_div, mpz

from gops_exact.verify.fractions import Pair


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`.

    >>> Interval(mpz(1), mpz(2)) * Interval(mpz(-1), mpz(3))
    Interval(low=mpz(-2), high=mpz(6))
    """

    low: mpz
    high: mpz

    @classmethod
    def around(cls, pair: Pair, bits: int) -> "Interval":
        """A fraction times 2^bits."""
        scaled = pair[0] << bits
        return cls(f_div(scaled, pair[1]), c_div(scaled, pair[1]))

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: "Interval") -> "Interval":
        return Interval(self.low - other.high, self.high - other.low)

    def __neg__(self) -> "Interval":
        return Interval(-self.high, -self.low)

    def __mul__(self, other: "Interval") -> "Interval":
        ends = (
            self.low * other.low,
            self.low * other.high,
            self.high * other.low,
            self.high * other.high,
        )
        return Interval(min(ends), max(ends))

    @property
    def sign(self) -> int | None:
        """−1, 0 or 1 where that is certain."""
        if self.low > 0:
            return 1
        if self.high < 0:
            return -1
        return 0 if self.low == self.high else None


Number = TypeVar("Number", Interval, mpz)


def kernel(rows: list[list[Number]]) -> list[Number]:
    """A vector z with rows · z = 0, shape (s, s + 1), s ≥ 1: z_c = (−1)^c det(rows without column c).

    It spans the kernel unless it is zero. Minors are expanded from the last row up.

    >>> kernel([[mpz(2), mpz(3)]])
    [mpz(3), mpz(-2)]
    """
    width = len(rows) + 1
    minors: dict[tuple[int, ...], Any] = {(c,): rows[-1][c] for c in range(width)}
    for size, row in enumerate(reversed(rows[:-1]), start=2):
        minors = {
            columns: _alternating(
                [row[c] * minors[columns[:n] + columns[n + 1 :]] for n, c in enumerate(columns)]
            )
            for columns in combinations(range(width), size)
        }
    # Sorted choices of all columns but one come with the last column missing first.
    return [-z if c % 2 else z for c, z in enumerate(reversed(list(minors.values())))]


def _alternating(terms: list[Number]) -> Number:
    """The first term, minus the second, plus the third, …"""
    total = terms[0]
    for place, term in enumerate(terms[1:], start=1):
        total = total - term if place % 2 else total + term
    return total


def sum_up(numbers: list[Interval]) -> Interval:
    """The sum of at least one interval."""
    return Interval(sum(n.low for n in numbers), sum(n.high for n in numbers))
