"""The first terms of the continued fraction of a huge rational, without dividing huge terms.

The leading bits of numerator and denominator enclose the number in an interval.  As
long as both ends have the same integer part, so has every number between them, the true
one included: that integer is a term, and the interval is carried on to the reciprocals.
This is D. H. Lehmer's idea ("Euclid's algorithm for large numbers", 1938; Knuth, The Art
of Computer Programming, vol. 2, section 4.5.2, Algorithm L).
"""

from __future__ import annotations

from flint import fmpz

from gops_exact.arguments import integer
from gops_exact.numbers.convert import LowestTerms, terms_of

# A term uses up pi^2 / (6 ln(2)^2) = 3.42 bits on average (Levy's constant); the margin
# spares most numbers a second attempt.
_BITS_PER_TERM = 4
_SPARE_BITS = 64


def continued_fraction(q: LowestTerms, terms: int) -> tuple[int, ...]:
    """Return the first `terms` terms of q = a0 + 1/(a1 + 1/(a2 + ...)), all of them if it has fewer.

    a0 is the floor of q, every later term is positive, and the last term of a complete
    expansion is at least 2.  Raises ValueError if `terms` is less than 1.

    >>> from flint import fmpq
    >>> continued_fraction(fmpq(415, 93), 10)
    (4, 2, 6, 7)
    >>> continued_fraction(fmpq(-5, 3), 2)
    (-2, 3)
    """
    (top, bottom), terms = terms_of(q), integer(terms, "terms", 1)
    whole, rest = divmod(top, bottom)
    if terms == 1 or rest == 0:
        return (int(whole),)
    return (int(whole), *_tail_terms(bottom, rest, terms - 1))


def _tail_terms(top: fmpz, bottom: fmpz, terms: int) -> list[int]:
    """Return the first terms of top / bottom, for top > bottom > 0."""
    # A first quotient of many bits takes that many more.
    bits = _BITS_PER_TERM * terms + _SPARE_BITS + top.bit_length() - bottom.bit_length()
    while (shift := bottom.bit_length() - bits) > 0:
        high, low = top >> shift, bottom >> shift
        found = _common_terms(high, low + 1, high + 1, low, terms)
        if len(found) == terms:
            return found
        bits *= 2
    return _common_terms(top, bottom, top, bottom, terms)


def _common_terms(a: fmpz, b: fmpz, c: fmpz, d: fmpz, terms: int) -> list[int]:
    """Return the terms that all numbers from a/b to c/d share, at most `terms` of them."""
    common: list[int] = []
    while len(common) < terms and b != 0 and d != 0:
        (quotient, b_rest), (other, d_rest) = divmod(a, b), divmod(c, d)
        if quotient != other:
            break
        common.append(int(quotient))
        a, b, c, d = b, b_rest, d, d_rest
    return common
