"""The only place where number types convert to and from ``flint.fmpq``.

Inwards there is :func:`rational`, which takes every exact type and refuses floats. Outwards there are a
float, a ball and decimals of an fmpq, and methods of :class:`~gops_exact.numbers.big.BigRational` for
the types of other libraries. All of them work on terms of millions of digits: integers pass between
libraries in binary, and text is made and read by FLINT, so the interpreter's limit on ``int`` <->
``str`` never matters. Into an fmpq FLINT always takes the gcd, about a second at two million digits.
"""

from __future__ import annotations

import math
import numbers
import re
import reprlib
from decimal import Decimal
from fractions import Fraction
from typing import Protocol

from flint import arb, ctx, fmpq, fmpz

from gops_exact.arguments import MOST_DIGITS, instance, integer, shown

_RATIO = re.compile(r"([+-]?)([0-9]+)(?:/([0-9]+))?")
# Six digits of exponent keep a short text from asking for gigabytes.
_DECIMAL = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,6}))?")


class LowestTerms(Protocol):
    """A fraction in lowest terms with a positive denominator; an fmpq is one."""

    @property
    def p(self) -> fmpz:
        """The numerator."""

    @property
    def q(self) -> fmpz:
        """The denominator."""


def rational(x: object, name: str = "a number") -> fmpq:
    """Convert the exact number x to an fmpq; an error calls it by its `name`.

    x is an int, Fraction, Decimal, fmpz, fmpq, gmpy2 mpz or mpq, sympy Rational, numpy
    integer, a view, or text: ``p``, ``p/q``, or a decimal, which stands for exactly what it says.

    >>> print(rational("0.25"), rational("-6/8"), rational(Fraction(2, 3)))
    1/4 -3/4 2/3

    Raises ValueError for anything else.  A float is refused because it is rarely the
    number that was meant: 0.1 is 3602879701896397/36028797018963968.

    >>> rational(0.5)
    Traceback (most recent call last):
    ValueError: a number must be an exact rational, got the float 0.5; write Fraction(1, 2) or '1/2'
    """
    if isinstance(x, fmpq):
        return x
    if isinstance(x, fmpz):
        return fmpq(x)
    if isinstance(x, str):
        return _from_text(x)
    if isinstance(x, Decimal):
        return _from_text(str(x))
    if not isinstance(x, bool):
        if isinstance(x, numbers.Integral):
            return fmpq(int(x))
        if isinstance(x, numbers.Rational):
            return fmpq(int(x.numerator), int(x.denominator))
    # A BigRational, too, whose module imports this one.
    p, q = getattr(x, "p", None), getattr(x, "q", None)
    if isinstance(p, fmpz) and isinstance(q, fmpz):
        return fmpq(p, q)
    raise ValueError(f"{name} must be an exact rational, got {_refused(x)}")


def from_float(x: float) -> fmpq:
    """Return the number that a finite float holds, exactly.

    >>> from_float(0.1)
    3602879701896397/36028797018963968
    """
    return fmpq(*x.as_integer_ratio())


def terms_of(q: LowestTerms) -> tuple[fmpz, fmpz]:
    """Return numerator and denominator of a fraction in lowest terms, and refuse anything else."""
    try:
        return q.p, q.q
    except AttributeError:
        kind = "a fraction in lowest terms, such as an fmpq"
        raise ValueError(f"q must be {kind}, got {shown(q)}") from None


def to_float(q: LowestTerms) -> float:
    """Return the float nearest to q, ties to even.

    Raises OverflowError where q is beyond the range of floats; terms of any length are fine.

    >>> to_float(fmpq(1, 3))
    0.3333333333333333
    >>> to_float(fmpq(10**400, 3 * 10**400 + 1))
    0.3333333333333333
    """
    # The quotient of two ints is correctly rounded, as float(int) / float(int) is not.
    top, bottom = terms_of(q)
    return int(top) / int(bottom)


def to_arb(q: fmpq, bits: int | None = None) -> arb:
    """Return a ball that holds q, computed with `bits` bits (FLINT's current precision if None).

    >>> to_arb(fmpq(1, 3), bits=20)
    [0.333333 +/- 4.93e-7]
    """
    with ctx.workprec(ctx.prec if bits is None else integer(bits, "bits", 2, MOST_DIGITS)):
        return arb(instance(q, fmpq, "q", "an fmpq"))


def to_decimal_text(q: LowestTerms, digits: int) -> str:
    """Return the number q with `digits` decimals, correctly rounded, ties to even.

    Raises ValueError for negative `digits`.  What rounds to zero has no sign.

    >>> to_decimal_text(fmpq(2, 3), 5)
    '0.66667'
    >>> to_decimal_text(fmpq(-5, 2), 0), to_decimal_text(fmpq(1, 8), 2)
    ('-2', '0.12')
    """
    (top, bottom), digits = terms_of(q), integer(digits, "digits", 0, MOST_DIGITS)
    # Exact, and still quick: division by a long number costs little where the quotient is short.
    scaled, rest = divmod(abs(top) * fmpz(10) ** digits, bottom)
    if 2 * rest > bottom or (2 * rest == bottom and scaled % 2 == 1):
        scaled += 1
    sign = "-" if top < 0 and scaled != 0 else ""
    text = str(scaled).rjust(digits + 1, "0")
    return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)


def _from_text(text: str) -> fmpq:
    """Read ``p``, ``p/q`` or a decimal such as ``-0.25`` or ``1E-7``."""
    stripped = text.strip()
    if match := _RATIO.fullmatch(stripped):
        sign, numerator, denominator = match.groups("1")
        if (bottom := fmpz(denominator)) == 0:
            raise ValueError(f"a denominator must not be zero, got {reprlib.repr(text)}")
        return fmpq(fmpz(numerator), -bottom if sign == "-" else bottom)
    if match := _DECIMAL.fullmatch(stripped):
        sign, whole, decimals, exponent = match.groups("")
        scale = int(exponent or 0) - len(decimals)
        value = fmpq(fmpz(whole + decimals)) * fmpq(10) ** scale
        return -value if sign == "-" else value
    raise ValueError(
        f"an exact rational is written p, p/q or as a decimal, got {reprlib.repr(text)}"
    )


def _refused(x: object) -> str:
    """Say what was given in place of an exact number, and for a float the fraction probably meant."""
    kind = type(x).__name__
    if x is None:
        return "None"
    if isinstance(x, bool):
        return f"the bool {x}"
    if not isinstance(x, numbers.Real):
        return f"an object of type {kind}"
    if not math.isfinite(x):
        return f"the {kind} {x}"
    simple = Fraction(float(x)).limit_denominator(1000)
    if float(simple) != x or abs(simple) > 10**6:
        return f"the {kind} {x}; write a Fraction, or text such as '1/2'"
    if simple.denominator == 1:
        return f"the {kind} {x}; write {simple}"
    ratio = f"Fraction({simple.numerator}, {simple.denominator})"
    return f"the {kind} {x}; write {ratio} or '{simple}'"


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
    """Return the first terms of top / bottom, for top > bottom > 0, without dividing huge terms.

    The leading bits of numerator and denominator enclose the number in an interval. As long as both
    ends have the same integer part, that is a term, and the interval is carried on to the reciprocals
    (D. H. Lehmer, "Euclid's algorithm for large numbers", 1938; Knuth, The Art of Computer
    Programming, vol. 2, section 4.5.2, Algorithm L).
    """
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
