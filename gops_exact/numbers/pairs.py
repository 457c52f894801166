"""Fractions as integer pairs (numerator, positive denominator), reduced only where it pays.

``flint.fmpq`` is always in lowest terms. With terms of millions of digits the gcd behind that
costs thirty times as much as a multiplication, and finds next to nothing: inside the recursion
numbers therefore travel as pairs.
"""

from collections.abc import Sequence

from flint import fmpq, fmpz

Pair = tuple[fmpz, fmpz]


def to_pair(q: fmpq) -> Pair:
    """Return numerator and denominator of q."""
    return q.p, q.q


def from_pair(pair: Pair) -> fmpq:
    """Return the reduced fraction: one gcd."""
    return fmpq(*pair)


def add(a: Pair, b: Pair) -> Pair:
    """Return the sum a + b, not reduced.

    >>> add((fmpz(1), fmpz(2)), (fmpz(1), fmpz(3)))
    (5, 6)
    """
    if a[1] == b[1]:
        return a[0] + b[0], a[1]
    return a[0] * b[1] + b[0] * a[1], a[1] * b[1]


def total(pairs: Sequence[Pair]) -> Pair:
    """Return the sum, not reduced, balanced so that factors of equal length meet.

    >>> total([(fmpz(1), fmpz(2)), (fmpz(1), fmpz(3)), (fmpz(1), fmpz(6))])
    (6, 6)
    """
    if not pairs:
        return fmpz(0), fmpz(1)
    if len(pairs) == 1:
        return pairs[0]
    half = (len(pairs) + 1) // 2
    return add(total(pairs[:half]), total(pairs[half:]))


def product(factors: Sequence[fmpz]) -> fmpz:
    """Return the product, balanced.

    >>> product([fmpz(2), fmpz(3), fmpz(5)])
    30
    """
    if not factors:
        return fmpz(1)
    if len(factors) == 1:
        return factors[0]
    half = len(factors) // 2
    return product(factors[:half]) * product(factors[half:])


def reduced(pair: Pair) -> Pair:
    """Return the same fraction in lowest terms."""
    divisor = pair[0].gcd(pair[1])
    return pair if divisor == 1 else (pair[0] // divisor, pair[1] // divisor)
