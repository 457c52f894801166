"""Fractions as pairs of integers, and the one error of a proof that fails."""

from collections.abc import Sequence

from gmpy2 import mpz

Pair = tuple[mpz, mpz]
"""A fraction as numerator and positive denominator, not necessarily in lowest terms."""


class NotProvedError(ArithmeticError):
    """Something claimed does not hold, or could not be decided; the message says what."""


def add_up(pairs: Sequence[Pair]) -> Pair:
    """The sum, neighbours first, so that factors are of equal length.

    >>> add_up([(mpz(1), mpz(2)), (mpz(1), mpz(3)), (mpz(1), mpz(6))])
    (mpz(36), mpz(36))
    """
    while len(pairs) > 1:
        couples = zip(pairs[::2], pairs[1::2], strict=False)
        added = [(a * d + c * b, b * d) for (a, b), (c, d) in couples]
        pairs = [*added, *pairs[2 * len(added) :]]
    return pairs[0] if pairs else (mpz(0), mpz(1))


def cleared(pairs: Sequence[Pair]) -> tuple[list[mpz], mpz]:
    """Fractions as integers over one denominator, and that denominator.

    >>> cleared([(mpz(1), mpz(2)), (mpz(1), mpz(3))])
    ([mpz(3), mpz(2)], mpz(6))
    """
    common = mpz(1)
    for denominator in {q for _, q in pairs}:
        common *= denominator
    return [p * (common // q) for p, q in pairs], common
