"""Exact numbers of any length, and what makes them readable: head and tail, digits, statistics.

    BigRational         a number of an answer: it computes, compares, rounds and formats
    .numerator          BigInteger: a view on one term of it
    shorten(text)       the short form that repr gives, for text that is already there

Making the decimal text of a two-million-digit number takes a third of a second, so the
text is made once, and only for what needs all of it.  The short form needs none: the tail
is a remainder, and the head comes from a ball whenever the ball leaves no doubt about it.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, fields
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, total_ordering
from math import isinf, isnan
from numbers import Rational
from typing import TYPE_CHECKING, NamedTuple, Self, cast, overload

from flint import arb, ctx, fmpq, fmpz

from gops_exact.arguments import instance, integer, shown
from gops_exact.numbers import convert
from gops_exact.numbers.arithmetic import Arithmetic, Operation
from gops_exact.numbers.convert import continued_fraction
from gops_exact.numbers.pairs import Pair

if TYPE_CHECKING:
    import gmpy2
    import sympy
    from _typeshed import DataclassInstance

# About the length from which making the decimal text takes longer than a ball.
_SHORT_BITS = 10_000
# Small factors are divided by one after the other.
_MOST_LIMIT = 10**6
# Precision beyond the digits asked for: enough for the exponent, and seldom too little.
_SPARE_BITS = 128


def shorten(text: str, head: int = 10, tail: int = 10) -> str:
    """Cut every long run of digits in a text to its head and tail, where that is shorter.

    >>> shorten("x = -" + "7" * 50 + "/123", head=3, tail=2)
    'x = -777…77 (50 digits)/123'
    """
    head, tail = integer(head, "head", 1), integer(tail, "tail", 1)
    whole = instance(text, str, "text", "text")
    return re.sub("[0-9]+", lambda run: _shortened(run[0], head, tail), whole)


def short_repr(record: DataclassInstance) -> str:
    """Return a dataclass as the call that makes it, long numbers shortened.

    A notebook keeps this text beside every table, so it must not hold a million digits.
    """
    shown = (f"{field.name}={getattr(record, field.name)!r}" for field in fields(record))
    return shorten(f"{type(record).__name__}({', '.join(shown)})")


@dataclass(frozen=True)
class DigitStatistics:
    """Frequencies of the decimal digits.

    Attributes:
        counts: length 10; counts[d] is the number of digits d.
    """

    counts: tuple[int, ...]

    @property
    def digits(self) -> int:
        """The number of digits altogether."""
        return sum(self.counts)

    @property
    def chi_square(self) -> fmpq:
        """Pearson's statistic against equal frequencies, exactly; 9 degrees of freedom.

        Random digits exceed 16.92 one time in twenty (Pearson 1900).

        >>> DigitStatistics((2, 0, 1, 1, 1, 1, 1, 1, 1, 1)).chi_square
        2
        """
        squares = sum(count * count for count in self.counts)
        return fmpq(10 * squares, self.digits) - self.digits


@dataclass(frozen=True, repr=False)
class BigInteger:
    """A view on an integer; its digits are those of the absolute value, counted from the left.

    >>> number = BigInteger(fmpz(3) ** 100_000)
    >>> number
    1334971414…5522000001 (47713 digits)
    >>> number.run(20_000, 10)
    '3300767951'
    """

    value: fmpz

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        """Return the short form: head, tail and number of digits."""
        sign = "-" if self.value < 0 else ""
        if self._is_cheap:
            return sign + shorten(self._text)
        return f"{sign}{self.head()}…{self.tail()} ({self.digits} digits)"

    @property
    def bits(self) -> int:
        """The number of binary digits; 0 has none."""
        return self.value.bit_length()

    @cached_property
    def digits(self) -> int:
        """The number of decimal digits, exactly; 0 has one."""
        if not self._is_cheap:
            with ctx.workprec(_SPARE_BITS):
                exponent = arb(abs(self.value)).log_base(10).floor().unique_fmpz()
            if exponent is not None:
                return int(exponent) + 1
        return len(self._text)

    def head(self, count: int = 10) -> str:
        """Return the first `count` digits, all of them if there are fewer."""
        count = integer(count, "count", 1)
        if not self._is_cheap and count < self.digits:
            with ctx.workprec(4 * count + _SPARE_BITS):
                scaled = arb(abs(self.value)) / arb(10) ** (self.digits - count)
                leading = scaled.floor().unique_fmpz()
            if leading is not None:
                return str(leading)
        return self._text[:count]

    def tail(self, count: int = 10) -> str:
        """Return the last `count` digits, all of them if there are fewer."""
        count = integer(count, "count", 1)
        if self._is_cheap or count >= self.digits:
            return self._text[-count:]
        return str(abs(self.value) % fmpz(10) ** count).rjust(count, "0")

    def run(self, start: int, length: int) -> str:
        """Return the `length` digits from position `start` on; the first digit is at 0.

        Raises ValueError where the run isn't inside the number.
        """
        start, length = integer(start, "start", 0), integer(length, "length", 1)
        if start + length > self.digits:
            raise ValueError(
                f"the run must end within the {self.digits} digits, "
                f"got start {shown(start)} and length {shown(length)}"
            )
        return self._text[start : start + length]

    def statistics(self) -> DigitStatistics:
        """Count how often each decimal digit occurs.

        >>> BigInteger(fmpz(2) ** 100).statistics().counts
        (6, 2, 6, 2, 2, 2, 5, 3, 1, 2)
        """
        return DigitStatistics(tuple(self._text.count(digit) for digit in "0123456789"))

    def sha256(self) -> str:
        """Return the SHA-256 of the decimal text, sign included, as 64 hexadecimal digits."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    def text(self) -> str:
        """Return the decimal text in full, sign included."""
        return ("-" if self.value < 0 else "") + self._text

    def small_factors(self, limit: int = 1000) -> dict[int, int]:
        """Find the primes up to `limit` that divide the number, each with its exponent.

        Raises ValueError for zero.

        >>> BigInteger(fmpz(2**40 * 3**5 * 1009)).small_factors()
        {2: 40, 3: 5}
        """
        import gmpy2

        limit = integer(limit, "limit", 2, _MOST_LIMIT)
        if self.value == 0:
            raise ValueError("a number to factor must not be 0, got 0")
        # A single gcd with the long number gives the product of the primes that divide it.
        product = self.value.gcd(fmpz.primorial_ui(fmpz(limit)))
        long = gmpy2.mpz(int(self.value))
        factors: dict[int, int] = {}
        candidate = 2
        while product > 1:
            # The product has no factor below the candidate left, so a candidate that divides is prime.
            if product % candidate == 0:
                product //= candidate
                factors[candidate] = gmpy2.remove(long, candidate)[1]
            candidate += 1
        return factors

    @cached_property
    def _text(self) -> str:
        """The decimal digits, without a sign."""
        return str(abs(self.value))

    @property
    def _is_cheap(self) -> bool:
        """True if the decimal text is already there, or takes little time to make."""
        return "_text" in self.__dict__ or self.bits < _SHORT_BITS


@total_ordering
@dataclass(frozen=True, repr=False, eq=False)
class BigRational(Arithmetic):
    """An exact rational of any length.

    It computes with ints, Fractions, fmpq and Decimals, not with floats. It compares with all of them,
    floats too, each taken for exactly what it is: 0.1 is a little more than 1/10. Hashes agree with
    theirs, except with those of sympy's fractions. ``str`` gives the whole of it, ``repr`` one line.

    >>> from gops_exact import view
    >>> number = view("415/93")
    >>> number + Fraction(1, 93), 2 * number, number / number
    (416/93, 830/93, 1)
    >>> f"{number:.3f}", f"{number:12.2%}", round(number), round(number, 2)
    ('4.462', '     446.24%', 4, 223/50)
    >>> number == Fraction(415, 93), 4 < number < 4.5, view("1/10") == 0.1
    (True, True, False)
    >>> view(3) ** 500 / view(2) ** 700
    3636029179…5377610001 (239 digits)/5260135901…1735781376 (211 digits)
    >>> number.decimal(6), number.continued_fraction(), float(number)
    ('4.462366', (4, 2, 6, 7), 4.462365591397849)
    >>> number.numerator.small_factors(), number.denominator.digits
    ({5: 1, 83: 1}, 2)
    """

    numerator: BigInteger
    denominator: BigInteger

    @classmethod
    def of(cls, q: fmpq) -> Self:
        """Return the view on q."""
        made = cls.of_pair((q.p, q.q))
        made.__dict__["value"] = q  # the cached property: no gcd to make it again
        return made

    @classmethod
    def of_pair(cls, pair: Pair) -> Self:
        """Return the view on a fraction known to be in lowest terms, without the gcd an fmpq takes."""
        return cls(BigInteger(pair[0]), BigInteger(pair[1]))

    def _computed(self, operation: Operation, left: object, right: object) -> Self:
        exact = as_exact(left), as_exact(right)
        return NotImplemented if None in exact else self.of(operation(*exact))

    def __pow__(self, exponent: int) -> BigRational:
        return BigRational.of(self.value ** integer(exponent, "the exponent"))

    def __eq__(self, other: object) -> bool:
        right = _terms(other)
        return NotImplemented if right is None else (self.p, self.q) == right

    def __lt__(self, other: object) -> bool:
        right = _terms(other)
        return NotImplemented if right is None else bool(self.p * right[1] < right[0] * self.q)

    def __hash__(self) -> int:
        return hash(self.to_fraction())

    def __bool__(self) -> bool:
        return not self.is_zero

    def _sympy_(self) -> sympy.Rational:
        """Convert for sympy, which calls this where it compares or computes."""
        return self.to_sympy()

    @property
    def p(self) -> fmpz:
        """The numerator, as fmpq names it."""
        return self.numerator.value

    @property
    def q(self) -> fmpz:
        """The denominator, as fmpq names it."""
        return self.denominator.value

    @cached_property
    def value(self) -> fmpq:
        """The number itself; made when first asked for, which takes a gcd."""
        return fmpq(self.p, self.q)

    @property
    def key(self) -> tuple[fmpz, fmpz]:
        """The numerator and the denominator."""
        return self.p, self.q

    @property
    def is_zero(self) -> bool:
        """True if the number is 0."""
        return bool(self.p == 0)

    def bounds(self) -> tuple[fmpq, fmpq]:
        """Return the number itself as its least and its greatest possible value."""
        return self.value, self.value

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """Return ``p/q`` in full, or ``p`` where the denominator is 1.

        >>> from gops_exact import view
        >>> view("6/8").text()
        '3/4'
        """
        return self.numerator.text() + ("" if self._is_integer else f"/{self.denominator.text()}")

    def __repr__(self) -> str:
        """Return ``p/q`` with long terms shortened."""
        return repr(self.numerator) + ("" if self._is_integer else f"/{self.denominator!r}")

    def __float__(self) -> float:
        return convert.to_float(self)

    def __format__(self, spec: str) -> str:
        """Format as a Decimal with ``e``, ``f``, ``g`` or ``%``, correctly rounded; otherwise as text.

        >>> from gops_exact import view
        >>> f"{view('2/3'):.25f}", f"{view('1/30000'):.3e}", f"{view('2/3'):>8}"
        ('0.6666666666666666666666667', '3.333e-5', '     2/3')
        """
        wanted = re.fullmatch(r".*?(?:\.([0-9]+))?([eEfFgG%])", spec)
        if wanted is None:
            return format(str(self), spec)
        digits, kind = int(wanted[1] or 6), wanted[2]
        if kind in "fF%":
            return format(Decimal(self.decimal(digits + 2 * (kind == "%"))), spec)
        return format(self._leading(max(1, digits + (kind in "eE"))), spec)

    def _leading(self, count: int) -> Decimal:
        """Return the number correctly rounded to `count` digits; after the point it ends with no zero."""
        exponent = self.numerator.digits - self.denominator.digits
        power = fmpq(10) ** exponent
        exponent += bool(abs(self.p) * power.q >= self.q * power.p)
        digits = convert.to_decimal_text(self.value * fmpq(10) ** (count - exponent), 0)
        while exponent < count and digits.endswith("0"):
            digits, count = digits[:-1], count - 1
        return Decimal(f"{digits}e{exponent - count}" if self.p else 0)

    @overload
    def __round__(self, digits: None = None) -> int: ...
    @overload
    def __round__(self, digits: int) -> BigRational: ...
    def __round__(self, digits: int | None = None) -> int | BigRational:
        """Round to an integer, or to an exact decimal with `digits` digits after the point."""
        nearest = round(self.value, integer(digits or 0, "digits"))
        return int(nearest.p) if digits is None else BigRational.of(nearest)

    def decimal(self, digits: int = 20) -> str:
        """Return the number as a decimal with `digits` digits after the point, correctly rounded."""
        return convert.to_decimal_text(self, digits)

    def continued_fraction(self, terms: int = 20) -> tuple[int, ...]:
        """Return the first `terms` terms of the continued fraction, all of them if it has fewer."""
        return continued_fraction(self, terms)

    def compare(self, other: object) -> int:
        """Return -1, 0 or 1: the number is below, equal to or above `other`, exactly.

        `other` is a view, a float, or anything that :func:`rational` takes, text among it.

        >>> from gops_exact import view
        >>> view("1/3").compare("0.333")
        1
        """
        p, q = _terms(other) or convert.terms_of(convert.rational(other))
        difference = self.p * q - p * self.q
        return (difference > 0) - (difference < 0)

    def to_fraction(self) -> Fraction:
        """Return the number as a fractions.Fraction."""
        # Fraction(p, q) would take Python's gcd, quadratic in the length and over a minute at
        # two million digits; Fraction(rational) trusts its argument to be in lowest terms.
        return Fraction(cast("Rational", _Copied(int(self.p), int(self.q))))

    def to_mpq(self) -> gmpy2.mpq:
        """Return the number as a gmpy2.mpq."""
        import gmpy2

        return gmpy2.mpq(self.to_fraction())

    def to_sympy(self) -> sympy.Rational:
        """Return the number as a sympy.Rational, an Integer where the denominator is 1."""
        import sympy

        return sympy.Rational(self.to_fraction())

    def _repr_html_(self) -> str:
        """Render the short form for notebooks, with a decimal that is seen on hovering."""
        return f'<span title="≈ {shorten(self.decimal(15))}">{self!r}</span>'

    def _repr_latex_(self) -> str:
        r"""Render a fraction for notebooks, long terms shortened.

        >>> from gops_exact import view
        >>> view("-1/3")._repr_latex_()
        '$-\\frac{1}{3}$'
        """
        sign = "-" if self.p < 0 else ""
        top, bottom = (
            _latex(repr(term).lstrip("-")) for term in (self.numerator, self.denominator)
        )
        return f"${sign}{top}$" if self._is_integer else rf"${sign}\frac{{{top}}}{{{bottom}}}$"

    @property
    def _is_integer(self) -> bool:
        return bool(self.q == 1)


@Rational.register
class _Copied(NamedTuple):
    """The part of numbers.Rational that Fraction reads when it copies a number."""

    numerator: int
    denominator: int


def _terms(x: object) -> tuple[fmpz | int, fmpz | int] | None:
    """Numerator and denominator of an exact number or a float, ±1 and 0 if infinite; None of others."""
    if isinstance(x, BigRational):
        return x.p, x.q
    if isinstance(x, float) and not isnan(x):
        return (1 if x > 0 else -1, 0) if isinf(x) else x.as_integer_ratio()
    exact = as_exact(x)
    return None if exact is None else (exact.p, exact.q)


def as_exact(x: object) -> fmpq | None:
    """Return an exact number of any type as an fmpq; None of others."""
    if isinstance(x, BigRational):
        return x.value
    try:
        return None if isinstance(x, str) else convert.rational(x)
    except ValueError:
        return None


def _shortened(digits: str, head: int, tail: int) -> str:
    """Cut one run of digits, where that is shorter."""
    short = f"{digits[:head]}…{digits[len(digits) - tail :]} ({len(digits)} digits)"
    return min(digits, short, key=len)


def _latex(short: str) -> str:
    """Return the short form of an integer, the number of digits under a brace."""
    return re.sub(
        r"([0-9]+)…([0-9]+) \(([0-9]+) digits\)",
        r"\\underbrace{\1\\ldots\2}_{\3\\text{ digits}}",
        short,
    )
