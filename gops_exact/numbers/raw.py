"""Conversions of exact numbers of any library to fmpq, arithmetic with pairs of integers, and their bytes.

:func:`rational` takes every exact type and refuses floats. Long integers pass between libraries in binary,
and FLINT reads text, so the interpreter's limit on ``int`` <-> ``str`` never matters. FLINT makes an fmpq
with a gcd, which takes about a second at 2 million digits, 30 times as long as a multiplication. Nearly
always the gcd is a short integer, so dividing by it gains little. The recursion therefore computes with pairs
(numerator, positive denominator), which are reduced only where that saves time.

In bytes all numbers are little-endian. An integer of any length is written as its byte count (8 bytes),
followed by its two's complement.
"""

import math
import numbers
import re
import reprlib
import struct
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from io import BytesIO
from typing import Any, TypeVar

from flint import arb, ctx, fmpq, fmpz

Pair = tuple[fmpz, fmpz]
"""A fraction: numerator and positive denominator, not always in lowest terms."""

Item = TypeVar("Item")

Packed = int | fmpz | arb | bytes | tuple[Any, ...] | list[Any]
"""A value that :func:`pack` takes."""

_COUNT = struct.Struct("<Q")

_RATIO = re.compile(r"([+-]?)([0-9]+)(?:/([0-9]+))?")
# The exponent has at most 6 digits: with more, a short text would stand for gigabytes.
_DECIMAL = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,6}))?")


def rational(x: object, name: str = "a number") -> fmpq:
    """Convert an exact number to an fmpq.

    Args:
        x: an int, Fraction, Decimal, fmpz, fmpq, gmpy2 mpz or mpq, sympy Rational, numpy integer, a
            :class:`BigRational`, or text: ``p``, ``p/q``, or a decimal, which is read exactly.
        name: the name of the number in an error message.

    Raises:
        ValueError: if `x` is anything else. Floats are refused because a float is rarely the number that
            was meant: 0.1 is 3602879701896397/36028797018963968.
    """
    if isinstance(x, fmpq):
        return x
    if isinstance(x, fmpz):
        return fmpq(x)
    if isinstance(x, str | Decimal):
        return _from_text(str(x))
    if not isinstance(x, bool):
        if isinstance(x, numbers.Integral):
            return fmpq(int(x))
        # A BigRational, which cannot be imported here without a cycle: its value is in lowest terms.
        exact = getattr(x, "value", None)
        if isinstance(exact, fmpq):
            return exact
        if isinstance(x, numbers.Rational):
            return fmpq(int(x.numerator), int(x.denominator))
    raise ValueError(f"{name} must be an exact rational, got {_refused(x)}")


def from_float(x: float) -> fmpq:
    """Return the exact value of a finite float."""
    return fmpq(*x.as_integer_ratio())


def simplest(number: fmpq, within: fmpq) -> fmpq:
    """Return the fraction with the smallest denominator from number − within to number + within.

    `within` is positive. The result is the first such fraction in the Stern-Brocot tree (Graham, Knuth &
    Patashnik 1994, §4.5).

    >>> simplest(fmpq(333, 1000), fmpq(1, 1000)), simplest(fmpq(-7, 2), fmpq(1, 10))
    (1/3, -7/2)
    """
    low, high = number - within, number + within
    # The continued fraction of the result has the terms that both ends share, and one more.
    terms = []
    while (whole := low.ceil()) > high:
        floor = whole - 1
        terms.append(floor)
        low, high = 1 / (high - floor), 1 / (low - floor)
    # Now some integer is from low to high; the one nearest to 0 is taken.
    simple = fmpq(whole if whole > 0 else min(fmpz(0), high.floor()))
    for term in reversed(terms):
        simple = term + 1 / simple
    return simple


def to_arb(q: fmpq, bits: int) -> arb:
    """Return a ball that contains q, computed with a precision of `bits` bits."""
    with ctx.workprec(bits):
        return arb(q)


def to_pair(q: fmpq) -> Pair:
    """Return the numerator and the denominator of q."""
    return q.p, q.q


def from_pair(pair: Pair) -> fmpq:
    """Return the fraction as an fmpq, in lowest terms."""
    return fmpq(*pair)


def total(pairs: Sequence[Pair]) -> Pair:
    """Return the sum of fractions, not reduced.

    The first half and the second half are added separately, recursively. So the factors of most products have
    about equal lengths, for which fast multiplication is most efficient.

    >>> total([(fmpz(1), fmpz(2)), (fmpz(1), fmpz(3)), (fmpz(1), fmpz(6))])
    (6, 6)
    """
    if not pairs:
        return fmpz(0), fmpz(1)
    if len(pairs) == 1:
        return pairs[0]
    half = (len(pairs) + 1) // 2
    (p, q), (r, s) = total(pairs[:half]), total(pairs[half:])
    return (p + r, q) if q == s else (p * s + r * q, q * s)


def product(factors: Sequence[fmpz]) -> fmpz:
    """Return the product of integers; the two halves are multiplied separately, as in :func:`total`."""
    if not factors:
        return fmpz(1)
    if len(factors) == 1:
        return factors[0]
    half = len(factors) // 2
    return product(factors[:half]) * product(factors[half:])


def reduced(pair: Pair) -> Pair:
    """Return the fraction in lowest terms."""
    divisor = pair[0].gcd(pair[1])
    return pair if divisor == 1 else (pair[0] // divisor, pair[1] // divisor)


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
    """Describe an argument that is not exact; for a float, suggest the fraction probably meant."""
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


def pack(value: Packed) -> bytes:
    """Return the bytes of a value; :class:`Reader` has a method for each type.

    Args:
        value: an int from 0 to 2^64 − 1, which takes 8 bytes; an integer of any length; bytes, preceded by
            their number; a ball that :func:`~gops_exact.numbers.kinds.tidy` returned, so that the mantissa of
            its radius is below 2^64; a tuple of values; or a list of values, preceded by their number.
    """
    match value:
        case fmpz():
            whole = int(value)
            return pack(whole.to_bytes(whole.bit_length() // 8 + 1, "little", signed=True))
        case arb():
            radius, exponent = value.rad().man_exp()
            return pack((value.mid().man_exp(), int(radius), exponent))
        case bytes():
            return _COUNT.pack(len(value)) + value
        case tuple():
            return b"".join(map(pack, value))
        case list():
            return _COUNT.pack(len(value)) + b"".join(map(pack, value))
    return _COUNT.pack(value)


class Reader(BytesIO):
    """A reader of the numbers in a payload, from front to back.

    The end of a ``with`` block raises a ValueError if it leaves bytes unread.

    >>> with Reader(pack((7, [fmpz(-300)]))) as reader:
    ...     reader.number(), reader.several(reader.integer)
    (7, [-300])
    """

    def __exit__(self, error: object, *_: object) -> None:
        if error is None and (rest := self.read()):
            raise ValueError(f"a payload must end after its last number, got {len(rest)} bytes")

    def number(self) -> int:
        """Read the next number below 2^64."""
        (value,) = _COUNT.unpack(self._take(_COUNT.size))
        return int(value)

    def data(self) -> bytes:
        """Read the next bytes, of the length that precedes them."""
        return self._take(self.number())

    def integer(self) -> fmpz:
        """Read the next integer of any length."""
        return fmpz(int.from_bytes(self.data(), "little", signed=True))

    def pair(self) -> Pair:
        """Read a numerator and a denominator."""
        return self.integer(), self.integer()

    def ball(self) -> arb:
        """Read the next ball."""
        middle, radius, exponent = self.pair(), fmpz(self.number()), self.integer()
        return arb(middle, (radius, exponent) if radius else None)

    def several(self, read: Callable[[], Item]) -> list[Item]:
        """Read the number of values, then return the values, each read by `read`."""
        return [read() for _ in range(self.number())]

    def _take(self, size: int) -> bytes:
        taken = self.read(min(size, sys.maxsize))
        if len(taken) < size:
            raise ValueError(f"a payload must hold {size} more bytes, got {len(taken)}")
        return taken
