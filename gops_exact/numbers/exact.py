"""Numbers in results: :class:`Number`, the interface of all kinds, and :class:`BigRational`, the exact kind.

:func:`rational` converts exact numbers of any library, and refuses floats. ``fmpz`` and ``fmpq`` are FLINT's classes of
integers and of fractions. The text of a number is parsed by FLINT, not by :class:`int`, and long integers are never
converted between libraries by way of decimal text. So CPython's limit on the digits of such conversions does not
matter.

FLINT computes a gcd for each fmpq. At 2 million digits this takes about a second, 30 times as long as a multiplication,
and the gcd is nearly always short. So the solvers compute with pairs (numerator, positive denominator), and reduce
a pair to lowest terms only where this saves time.

Words used here:

* An *arithmetic* is a kind of number in results: exact fractions, proved decimals or floats.
* The *true number* is the real number that a number in a result stands for.
* The *bounds* of a number are the least and the greatest rational that the true number can be. Both bounds of an exact
  number are the number itself.
* A *ball* (``arb``) is an interval, given by its midpoint and its radius, that is proved to contain the true number.
* A *proved decimal* is a number that is known only by a ball, and is shown as a decimal of which every digit is proved.
* The *radius* of a float is a proved bound on its distance from the true number.
"""

from __future__ import annotations

import operator
import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, reduce
from math import ceil, floor, inf, isfinite, isinf, isnan
from numbers import Integral, Rational, Real
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, cast

from flint import fmpq, fmpz

from gops_exact.base.arguments import MOST_DIGITS, integer, shown
from gops_exact.numbers.digits import (
    RADIUS_DIGITS,
    WORKING_DIGITS,
    BigInteger,
    in_digits,
    shorten,
    upwards,
)

if TYPE_CHECKING:
    import gmpy2
    import sympy

Pair = tuple[fmpz, fmpz]
"""A fraction as numerator and positive denominator, not always in lowest terms."""

_RATIO = re.compile(r"([+-]?)([0-9]+)(?:/([0-9]+))?")
# The exponent has at most 6 digits: with more, a short text could stand for a number of gigabytes.
_DECIMAL = re.compile(r"([+-]?)(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,6}))?")

Operation = Callable[[Any, Any], Any]
Operand = TypeVar("Operand", bound="Number[Any]")
Item = TypeVar("Item")
Name = TypeVar("Name")
Part = TypeVar("Part")
Value_co = TypeVar("Value_co", covariant=True)
"""The type of a number's ``value``: fmpq, arb or float."""

TABLE_DIGITS = 4
"""The default number of digits after the point in tables, as in the published tables."""

SHORT_DIGITS, LONG_DIGITS = 8, 20
"""Limits for :meth:`BigRational.formula`: the greatest number of digits of numerator and denominator together in a
short fraction; and the greatest excess of the numerator's digits over the denominator's in a decimal."""


def _operator(
    operation: Operation, *, reflected: bool = False
) -> Callable[[Operand, object], Operand]:
    """Return the special method of an operator, such as ``__add__``; if `reflected` is True, ``__radd__``."""

    def method(number: Operand, other: object) -> Operand:
        left, right = (other, number) if reflected else (number, other)
        return number._computed(operation, left, right)  # noqa: SLF001  # of the same class

    return method


def _division(part: Callable[[int, Any, Any], Any]) -> tuple[Operation, Operation]:
    """Return the special methods, such as ``__mod__`` and ``__rmod__``, of ``//``, ``%`` or ``divmod``.

    Args:
        part: a function (quotient rounded down, left operand, right operand) that returns the operator's result.
    """

    def method(number: Number[Any], left: object, right: object) -> Any:  # noqa: ANN401  # the type of `part`
        quotient = number._computed(operator.truediv, left, right)  # noqa: SLF001  # of the same class
        return quotient if quotient is NotImplemented else part(floor(quotient), left, right)

    return (
        lambda number, other: method(number, number, other),
        lambda number, other: method(number, other, number),
    )


def _relation(relation: Operation) -> Callable[[Number[Any], object], bool]:
    """Return the special method of an order relation, such as ``__lt__`` for :func:`operator.lt`."""

    def method(number: Number[Any], other: object) -> bool:
        one, two = _ends(number), _ends(other)
        if one is None or two is None:
            # Every comparison with NaN is false, as for a Fraction. Python tries the other operand for other objects.
            return False if one is not None and isinstance(other, float) else NotImplemented
        if number is other:
            return bool(relation(0, 0))
        (least, most), (low, high) = one, two
        # The difference of the two numbers is greatest for the ends (most, low), and least for (least, high). So if the
        # relation is true for both pairs of ends or false for both, it is so for all numbers within the bounds. Two
        # fractions p/q and r/s are compared as p · s and r · q, because an infinite end is ±1/0, which is no fmpq.
        answer = bool(relation(most[0] * low[1], low[0] * most[1]))
        exact = least == most and low == high
        if not exact and answer != relation(least[0] * high[1], high[0] * least[1]):
            raise ValueError(
                "numbers to compare must be further apart than they may be off, "
                f"got {within(number)} and {within(other)}"
            )
        return answer

    return method


class Number(ABC, Generic[Value_co]):
    """A number in a result: an exact number, or one that is known only to lie between two bounds.

    The other operand of an arithmetic operator must be a number of the same kind or an exact number of any type. A
    float with a radius (:class:`~gops_exact.numbers.kinds.BoundedFloat`) also takes a float. Numbers of all kinds can
    be compared with each other and with floats. ``int``, ``floor``, ``ceil`` and ``//`` return the result for the true
    number.

    Raises:
        TypeError: if the other operand is anything else.
        ValueError: if the bounds do not decide a comparison, or whether the number is 0.
        PrecisionError: if ``int``, ``floor``, ``ceil`` or ``//`` has different results within the bounds.
    """

    value: Value_co  #: the number in the type that solvers compute with
    arithmetic: ClassVar[str]  #: the name of the arithmetic that answers in such numbers
    #: the top left cell of a matrix of such numbers in CSV, if they are not exact
    corner: ClassVar[str] = ""
    #: the mark that is printed after such a number if an answer is not proved
    mark: ClassVar[str] = ""

    __sympy__: bool | None = False
    """A flag that keeps sympy from converting the number into a float, which would lose the bounds."""

    __add__, __radd__ = _operator(operator.add), _operator(operator.add, reflected=True)
    __sub__, __rsub__ = _operator(operator.sub), _operator(operator.sub, reflected=True)
    __mul__, __rmul__ = _operator(operator.mul), _operator(operator.mul, reflected=True)
    __truediv__ = _operator(operator.truediv)
    __rtruediv__ = _operator(operator.truediv, reflected=True)
    __floordiv__, __rfloordiv__ = _division(lambda whole, *_: whole)
    __mod__, __rmod__ = _division(lambda whole, left, right: left - whole * right)
    __divmod__, __rdivmod__ = _division(lambda whole, left, right: (whole, left - whole * right))

    __lt__, __le__ = _relation(operator.lt), _relation(operator.le)
    __gt__, __ge__ = _relation(operator.gt), _relation(operator.ge)

    def __neg__(self) -> Self:
        return 0 - self

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return -self if self < 0 else self

    def __floor__(self) -> int:
        return self._agreed(lambda end: int(end.p // end.q))

    def __ceil__(self) -> int:
        return -floor(-self)

    def __trunc__(self) -> int:
        return self._agreed(lambda end: (floor if end.p > 0 else ceil)(end))

    __int__ = __trunc__

    def _agreed(
        self,
        part: Callable[[BigRational], Part],
        error: str = "bounds leave the integer open, ask for more digits",
    ) -> Part:
        """Return ``part(x)`` if it is the same at both bounds, else raise a PrecisionError with the message `error`.

        `part` must be monotone, so that its results at both bounds are the least and the greatest within the bounds.
        """
        least, most = (part(BigRational(end)) for end in self.bounds())
        if least != most:
            raise PrecisionError(error)
        return least

    @abstractmethod
    def _computed(self, operation: Operation, left: object, right: object) -> Self:
        """Return the result of an operation; NotImplemented if Python is to try the method of the other operand.

        Args:
            operation: a function of two numbers, such as :func:`operator.add`.
            left: the left operand.
            right: the right operand; at least one of the two is of this class.
        """

    def __eq__(self, other: object) -> bool:
        one, two = _ends(self), _ends(other)
        if one is None or two is None:
            return NotImplemented
        if one[0] == one[1] and two[0] == two[1]:
            return one == two  # the fractions are in lowest terms
        return not (self < other or self > other)

    def __hash__(self) -> int:
        ends = _ends(self)
        if ends is None or ends[0] != ends[1]:
            return hash(self.key)
        # Both bounds are the same, so the number is known exactly and can be equal to an int or a Fraction. Equal
        # objects must have equal hashes, so this is the hash of the Fraction, which is also that of an equal int.
        return hash(BigRational.of_pair(ends[0]).to_fraction())

    @property
    def is_zero(self) -> bool:
        """True if the number is proved to be 0."""
        return not any(self.bounds())

    def __bool__(self) -> bool:
        return self != 0

    def __float__(self) -> float:
        return float(self.value)  # type: ignore[arg-type]  # the value is a float or a ball here

    @property
    def key(self) -> Hashable:
        """A hashable object, equal for numbers of one class that have the same accuracy and agree to this accuracy."""
        return tuple(vars(self).values())

    @abstractmethod
    def decimal(self, digits: int) -> str:
        """Return the number, rounded, with `digits` digits after the point.

        Raises:
            PrecisionError: if the number is known only by two bounds, which round to different decimals.
        """

    @abstractmethod
    def bounds(self) -> tuple[fmpq, fmpq]:
        """Return the least and the greatest rational that the true number can be."""

    def with_radius(
        self, digits: int | None = None, radius_digits: int = RADIUS_DIGITS
    ) -> tuple[str, str]:
        """Return a decimal and a radius as text; the true number differs from the decimal by at most the radius.

        Args:
            digits: the number of digits after the point; None for the text of the float nearest to the middle of the
                bounds, or for 40 significant digits if the number is larger than all floats.
            radius_digits: the number of significant digits of the radius, which is rounded up.

        Raises:
            PrecisionError: if `digits` is not None, and the number is known only by two bounds, which round
                differently.

        >>> from gops_exact import view
        >>> view("2/3").with_radius(4), view(0.25).with_radius(), view(0.1).with_radius()
        (('0.6667', '3.4e-05'), ('0.25', '0'), ('0.1', '5.6e-18'))
        """
        least, most = self.bounds()
        text = str(nearest_float(self)) if digits is None else self.decimal(digits)
        if text.endswith("inf"):  # the number is larger than all floats
            text = str(in_digits((least + most) / 2, WORKING_DIGITS))
        near = fmpq(*Decimal(text).as_integer_ratio())
        off = in_digits(max(near - least, most - near), WORKING_DIGITS)
        return text, upwards(off, radius_digits)

    def text(self) -> str:
        """Return the number as text with all its digits, for files and for programs that read them."""
        return str(self)

    def shown(self, digits: int) -> dict[str, str]:  # noqa: ARG002  # a proved decimal has its own number of digits
        """Return {head of a column: text}, the texts that show the number in a line of a table.

        Args:
            digits: the number of digits after the point; a number known only by an interval has all its proved digits
                instead.
        """
        return {"decimal": repr(self)}

    def short(self, digits: int | None = None) -> str:  # noqa: ARG002  # only exact numbers take it
        """Return the number as a short text, such as ``1/3 ≈ 0.3333``, ``0.25 ± 1e-12`` or ``0.333333333333``.

        Args:
            digits: the number of digits after the point of a decimal beside a fraction; None for 4, with the middle digits of
                a long decimal left out.
        """
        return repr(self)

    def as_text(self, how: str, digits: int | None = None) -> str:
        """Return the number as text, in a form that the argument `how` names.

        Args:
            how: ``"fraction"`` for the ``repr``, which is a fraction if the number is exact; ``"decimal"``; or
                ``"both"`` for the text of :meth:`short`.
            digits: the number of digits after the point of a decimal; None for 4.

        Raises:
            PrecisionError: if `how` is ``"decimal"``, and the number is known only by an interval with numbers that
                round differently.

        >>> from gops_exact import view
        >>> [view("1/3").as_text(how, 2) for how in ("fraction", "decimal", "both")]
        ['1/3', '0.33', '1/3 ≈ 0.33']
        """
        if how == "decimal":
            return self.decimal(TABLE_DIGITS if digits is None else digits)
        return self.short(digits) if how == "both" else repr(self)

    def formula(self, digits: int = TABLE_DIGITS) -> str:
        """Return the number in LaTeX, as a decimal with `digits` digits after the point or as a fraction.

        Raises:
            PrecisionError: if the number is known only by an interval with numbers that round differently.
        """
        return "$0$" if self.is_zero else f"${self.decimal(digits)}$"

    def hover(self) -> str:
        """Return the text that appears in HTML while the pointer is over the number."""
        return self.text()

    @abstractmethod
    def fields(self) -> dict[str, object]:
        """Return the number as a row of a pandas frame, {column: entry}, with None in place of an infinite float."""

    def members(self) -> dict[str, object]:
        """Return the number as members of a JSON object: {"value": text}; for a float, its value and its radius."""
        return {"value": self.text()}

    def __str__(self) -> str:
        return str(self.value)

    def __repr__(self) -> str:
        return shorten(str(self))


class PrecisionError(ArithmeticError):
    """Error raised if bounds are too wide to determine a result; a higher precision may help."""


@dataclass(frozen=True, init=False, repr=False, eq=False)
class BigRational(Number[fmpq], Rational):  # type: ignore[misc]  # numbers.Complex sets __hash__ to None
    """An exact rational of any length, constructed from any exact number; a :class:`numbers.Rational`.

    The other operand of ``+``, ``-``, ``*`` and ``/`` may be any exact number, such as an int, Fraction, fmpq or
    Decimal, but not a float. In a comparison it may be a float, too, which stands for its exact binary value: 0.1 is a
    little more than 1/10. A number has the hash of the equal int, Fraction or float. ``str`` returns all digits.
    ``repr`` returns one line, with only the first and last digits of long integers.

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
    >>> divmod(number, 2), int(number), Fraction(number)
    ((2, 43/93), 4, Fraction(415, 93))
    """

    arithmetic: ClassVar[str] = "exact"
    p: fmpz  #: the numerator in lowest terms
    q: fmpz  #: the denominator in lowest terms; positive

    def __init__(self, x: object) -> None:
        exact = rational(x)
        self.__dict__.update(value=exact, p=exact.p, q=exact.q)

    @classmethod
    def of_pair(cls, pair: Pair) -> Self:
        """Return the number with the numerator and the denominator in `pair`, which must be in lowest terms already.

        No gcd is computed until :attr:`value` is first read.
        """
        number = cls.__new__(cls)
        number.__dict__.update(p=pair[0], q=pair[1])
        return number

    def _computed(self, operation: Operation, left: object, right: object) -> Self:
        exact = as_exact(left), as_exact(right)
        if None in exact:
            return NotImplemented  # type: ignore[no-any-return]  # Python tries the other operand
        return cast("Self", BigRational(operation(*exact)))

    def __pow__(self, exponent: object) -> BigRational:
        whole = as_exact(exponent)
        if whole is not None and whole.q == 1:
            exponent = whole.p
        power = integer(exponent, "the exponent")
        # A number of k + 1 bits is at least 2^k, and log10(2) is a little more than 3/10.
        bits = max(self.p.bit_length(), self.q.bit_length()) - 1
        integer(bits * abs(power) * 3 // 10, "digits of a power", most=MOST_DIGITS)
        return BigRational(self.value**power)

    def __rpow__(self, base: object) -> BigRational:
        return NotImplemented if (exact := as_exact(base)) is None else BigRational(exact) ** self

    @cached_property
    def numerator(self) -> BigInteger:
        """The numerator in lowest terms."""
        return BigInteger(self.p)

    @cached_property
    def denominator(self) -> BigInteger:
        """The denominator in lowest terms; positive."""
        return BigInteger(self.q)

    @cached_property
    def value(self) -> fmpq:  # type: ignore[override]  # read-only: the value is never assigned
        """The number as an fmpq in lowest terms."""
        return fmpq(self.p, self.q)

    @property
    def key(self) -> tuple[fmpz, fmpz]:
        """The numerator and the denominator."""
        return self.p, self.q

    def bounds(self) -> tuple[fmpq, fmpq]:
        """Return the number twice: both bounds of an exact number are the number itself."""
        return self.value, self.value

    def __str__(self) -> str:
        return str(self.numerator) + ("" if self.q == 1 else f"/{self.denominator}")

    def __repr__(self) -> str:
        return repr(self.numerator) + ("" if self.q == 1 else f"/{self.denominator!r}")

    @property
    def is_zero(self) -> bool:
        """True if the number is 0."""
        return not self.p

    def shown(self, digits: int) -> dict[str, str]:
        """Return a decimal with `digits` digits after the point, and the ``repr``: {"decimal": …, "exact": …}."""
        return {"decimal": self.decimal(digits), "exact": repr(self)}

    def short(self, digits: int | None = None) -> str:
        """Return the ``repr`` with a decimal beside it, such as ``1/3 ≈ 0.3333``.

        Args:
            digits: the number of digits after the point of the decimal; None for 4, with the middle digits of a long decimal
                left out.
        """
        about = shorten(self.decimal(TABLE_DIGITS)) if digits is None else self.decimal(digits)
        return f"{self!r} ≈ {about}"

    def formula(self, digits: int = TABLE_DIGITS) -> str:
        """Return the number in LaTeX: a fraction if it is short or if the number is very large, else a decimal.

        :data:`SHORT_DIGITS` and :data:`LONG_DIGITS` are the limits. Long integers in a fraction show their first and
        last digits only.

        Args:
            digits: the number of digits after the point of the decimal.
        """
        top, bottom = self.numerator.digits, self.denominator.digits
        if self and (top - bottom > LONG_DIGITS or top + bottom <= SHORT_DIGITS):
            return self._repr_latex_()
        return super().formula(digits)

    hover = __repr__

    def fields(self) -> dict[str, object]:
        """Return {"exact": the number, "float": the nearest float}, with None in place of an infinite float."""
        size = nearest_float(self)
        return {"exact": self, "float": size if isfinite(size) else None}

    # Rational.__float__ divides two ints, which Python rounds correctly, ties to even. It raises an OverflowError if
    # the quotient is too large.
    __float__ = Rational.__float__

    def __format__(self, spec: str) -> str:
        """Format like a Decimal, correctly rounded, if `spec` ends in ``e``, ``f``, ``g``, a capital of these, or ``%``.

        With ``g`` zeros at the end are left out, as Python does with floats. Any other `spec` is applied to the text of
        the number, which is the fraction with all digits.

        >>> from gops_exact import view
        >>> f"{view('2/3'):.25f}", f"{view('1/30000'):.3e}", f"{view('2/3'):>8}"
        ('0.6666666666666666666666667', '3.333e-5', '     2/3')
        >>> f"{view('1/2'):e}", f"{view('1/2'):g}"
        ('5.000000e-1', '0.5')
        """
        match = re.fullmatch(r"(.*?)(?:\.([0-9]+))?([eEfFgG%])", spec)
        if match is None:
            return format(str(self), spec)
        layout, precision, kind = match.groups("6")
        digits = integer(int(precision), "digits", most=MOST_DIGITS)
        spec = f"{layout}.{digits}{kind}"
        if kind in "fF%" or not self.p:
            places = 0 if kind in "gG" else digits + 2 * (kind == "%")
            return format(Decimal(self.decimal(places)), spec)
        count = max(1, digits + (kind in "eE"))  # the number of significant digits
        exponent = self.numerator.digits - self.denominator.digits
        power = fmpq(10) ** exponent
        exponent += bool(abs(self.p) * power.q >= self.q * power.p)
        leading = BigRational(self.value * fmpq(10) ** (count - exponent)).decimal(0)
        # Remove trailing zeros after the point, because a Decimal would keep them in the format g.
        while exponent != count and leading.endswith("0"):
            leading, count = leading[:-1], count - 1
        return format(Decimal(f"{leading}e{exponent - count}"), spec)

    def __round__(self, digits: int | None = None) -> Any:  # noqa: ANN401  # an int if `digits` is None
        places = integer(digits or 0, "digits", -MOST_DIGITS, MOST_DIGITS)
        nearest = self._rounded(places)
        return int(nearest) if digits is None else BigRational(nearest * fmpq(10) ** -places)

    def _rounded(self, places: int) -> fmpz:
        """Return 10^places times the number, rounded to the nearest integer, halves to the even one."""
        # Division with remainder is quick even if p and q are long, as long as the quotient is short.
        top, bottom = abs(self.p) * fmpz(10) ** max(places, 0), self.q * fmpz(10) ** max(-places, 0)
        scaled, rest = divmod(top, bottom)
        if 2 * rest > bottom or (2 * rest == bottom and scaled % 2 == 1):
            scaled += 1
        return -scaled if self.p < 0 else scaled

    def decimal(self, digits: int = 20) -> str:
        """Return the number with `digits` digits after the point, rounded to nearest, halves to the even digit.

        A result of zero has no sign.

        >>> (
        ...     BigRational("-2/3").decimal(4),
        ...     BigRational("-1/300").decimal(2),
        ...     BigRational(2).decimal(0),
        ... )
        ('-0.6667', '0.00', '2')
        """
        digits = integer(digits, "digits", 0, MOST_DIGITS)
        scaled = self._rounded(digits)
        sign = "-" if scaled < 0 else ""
        text = str(abs(scaled)).rjust(digits + 1, "0")
        return sign + (f"{text[:-digits]}.{text[-digits:]}" if digits else text)

    def continued_fraction(self, terms: int = 20) -> tuple[int, ...]:
        """Return the first terms of a0 + 1/(a1 + 1/(a2 + ...)), by Euclid's algorithm.

        The term a0 is the number rounded down, and every later term is positive.

        Args:
            terms: the greatest number of terms to return, at least 1.

        Returns:
            The first terms; fewer than `terms` if the expansion ends. The last term of a whole expansion is at least 2,
            unless it is a0.

        >>> BigRational("-415/93").continued_fraction(), BigRational("415/93").continued_fraction(2)
        ((-5, 1, 1, 6, 7), (4, 2))
        """
        most, expansion = integer(terms, "terms", 1), list[int]()
        top, bottom = self.p, self.q
        while bottom != 0 and len(expansion) < most:
            whole, rest = divmod(top, bottom)
            expansion.append(int(whole))
            top, bottom = bottom, rest
        return tuple(expansion)

    def to_fraction(self) -> Fraction:
        """Return the number as a fractions.Fraction of plain ints."""
        # Fraction(p, q) would compute Python's gcd, whose time is quadratic in the length: over a minute at 2
        # million digits. Fraction(rational) takes over numerator and denominator unchanged, as BigIntegers. Adding
        # 0 turns these into plain ints.
        return Fraction(self) + 0

    def to_mpq(self) -> gmpy2.mpq:
        """Return the number as a gmpy2.mpq."""
        import gmpy2

        return gmpy2.mpq(self.to_fraction())

    def to_sympy(self) -> sympy.Rational:
        """Return the number as a sympy.Rational, or as a sympy.Integer if the denominator is 1."""
        import sympy

        return sympy.Rational(self.to_fraction())

    __sympy__ = None
    _sympy_ = to_sympy
    """The conversion that sympy calls when it compares or computes with the number."""

    def _repr_html_(self) -> str:
        return f'<span title="≈ {shorten(self.decimal(15))}">{self!r}</span>'

    def _repr_latex_(self) -> str:
        sign = "-" if self.p < 0 else ""
        top, bottom = (
            re.sub(
                r"([0-9]+)…([0-9]+) \(([0-9]+) digits\)",
                r"\\underbrace{\1\\ldots\2}_{\3\\text{ digits}}",
                repr(term).lstrip("-"),
            )
            for term in (self.numerator, self.denominator)
        )
        return f"${sign}{top}$" if self.q == 1 else rf"${sign}\frac{{{top}}}{{{bottom}}}$"


def _ends(x: object) -> tuple[Pair, Pair] | None:
    """Return the bounds of a number of any type as two pairs (numerator, denominator); ±infinity is the pair (±1, 0).

    Both bounds of an exact number or one of Python's floats are the number itself; those of a float with a radius are
    the float minus and plus its radius. The result is None for NaN, and for all other objects.
    """
    if isinstance(x, BigRational):
        pair = x.p, x.q
    elif isinstance(x, Number):
        least, most = x.bounds()
        return to_pair(least), to_pair(most)
    elif isinstance(x, float) and not isnan(x):
        top, bottom = (1 if x > 0 else -1, 0) if isinf(x) else x.as_integer_ratio()
        pair = fmpz(top), fmpz(bottom)
    elif (exact := as_exact(x)) is not None:
        pair = to_pair(exact)
    else:
        return None
    return pair, pair


def nearest_float(number: Number[Any]) -> float:
    """Return the float nearest to a number; ±inf if the number is beyond the range of floats.

    A number of which only two bounds are known stands for the middle between them.
    """
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


def within(number: object) -> str:
    """Return a number as text for an error message, with its radius unless the number is exact."""
    if not isinstance(number, Number) or isinstance(number, BigRational):
        return shown(number)
    return " ± ".join(number.with_radius())


def as_exact(x: object) -> fmpq | None:
    """Return an exact number of any type as an fmpq; None for all other objects, text included."""
    if isinstance(x, BigRational):
        return x.value
    try:
        return None if isinstance(x, str) else rational(x)
    except ValueError:
        return None


def rational(x: object, name: str = "a number") -> fmpq:
    """Convert an exact number to an fmpq.

    Args:
        x: an int, Fraction, Decimal, fmpz, fmpq, gmpy2 mpz or mpq, sympy Rational, numpy integer, a
            :class:`BigRational`, or text: ``p``, ``p/q``, or a decimal, which is read exactly.
        name: the name of the number in an error message.

    Raises:
        ValueError: if `x` is anything else, has the denominator 0, or is a decimal with an exponent of more than 6
            digits. Truth values are refused. Floats are refused because a float is rarely the number that was meant:
            0.1 is 3602879701896397/36028797018963968.
    """
    if isinstance(x, fmpq):
        return x
    if isinstance(x, fmpz):
        return fmpq(x)
    if type(x) is Fraction:  # the tests of abstract classes below take longer than the conversion
        return fmpq(x.numerator, x.denominator)
    if isinstance(x, str | Decimal):
        # The text must be p, p/q or a decimal such as -0.25 or 1E-7.
        text = str(x).strip()
        if match := _RATIO.fullmatch(text):
            sign, numerator, denominator = match.groups("1")
            if (bottom := fmpz(denominator)) == 0:
                raise ValueError(f"a denominator must not be zero, got {reprlib.repr(str(x))}")
            return fmpq(fmpz(numerator), -bottom if sign == "-" else bottom)
        if match := _DECIMAL.fullmatch(text):
            sign, whole, decimals, exponent = match.groups("")
            scale = int(exponent or 0) - len(decimals)
            value = fmpq(fmpz(whole + decimals)) * fmpq(10) ** scale
            return -value if sign == "-" else value
        raise ValueError(
            f"an exact rational is written p, p/q or as a decimal, got {reprlib.repr(str(x))}"
        )
    if not isinstance(x, bool):
        if isinstance(x, Integral):
            return fmpq(int(x))
        if isinstance(x, BigRational):
            return x.value
        if isinstance(x, Rational):
            return fmpq(int(x.numerator), int(x.denominator))
    refused = shown(x)
    if not isinstance(x, bool) and isinstance(x, Real) and isfinite(x):
        # The number is a float. Suggest the fraction that was probably meant.
        simple = Fraction(float(x)).limit_denominator(1000)
        is_likely = float(simple) == x and abs(simple) <= 10**6
        advice = f"'{simple}'" if is_likely else "a Fraction, or text such as '1/2'"
        refused = f"the {type(x).__name__} {x}; write {advice}"
    raise ValueError(f"{name} must be an exact rational, got {refused}")


def from_float(x: float) -> fmpq:
    """Return the exact value of a finite float."""
    return fmpq(*x.as_integer_ratio())


SUM_TOLERANCE = 1e-5
"""Greatest allowed difference between a sum of float probabilities and 1. The error of a softmax in 32-bit floats is
smaller."""


def exact_chances(chances: Mapping[Name, object], within: fmpq | None = None) -> dict[Name, fmpq]:
    """Convert probabilities to fractions.

    If there are floats, all are first converted one by one; then the greatest of all probabilities is set to 1 minus
    the sum of the others. Signs are not checked. The sum is not checked if all probabilities are exact.

    Args:
        chances: {name: probability}, exact numbers or floats.
        within: the greatest distance between a float and the fraction that replaces it, which is the one with the
            smallest denominator; None to replace each float by its exact value.

    Returns:
        {name: probability}, in the order of `chances`.

    Raises:
        ValueError: if a probability is no finite number; if there are floats, and the sum of all probabilities differs
            from 1 by more than :data:`SUM_TOLERANCE`; or if `within` is so great that the fractions of all but the
            greatest probability have a sum above 1.

    >>> exact_chances({"bet": 0.25, "check": 0.7500001})
    {'bet': 1/4, 'check': 3/4}
    >>> exact_chances({"bet": 0.333, "check": 0.667}, fmpq(1, 1000))
    {'bet': 1/3, 'check': 2/3}
    """
    exact, floats = dict[Name, fmpq](), list[Name]()
    for name, p in chances.items():
        if isinstance(p, Real) and not isinstance(p, Rational) and isfinite(p):
            floats.append(name)
            exact[name] = from_float(float(p))
        else:
            exact[name] = rational(p, "a probability")
    if floats:
        if abs(sum(exact.values(), fmpq(-1))) > from_float(SUM_TOLERANCE):
            raise ValueError(f"probabilities must have the sum 1, got {shown(dict(chances))}")
        if within:
            exact |= {name: simplest(exact[name], within) for name in floats}
        most = max(exact, key=exact.__getitem__)
        exact[most] += 1 - sum(exact.values(), fmpq(0))
        if within and exact[most] < 0:
            raise ValueError(
                f"within must be smaller for the probabilities {shown(dict(chances))}, got {within}"
            )
    return exact


def simplest(number: fmpq, within: fmpq) -> fmpq:
    """Return the fraction that has the smallest denominator in the interval from number − within to number + within.

    `within` must be positive. If there are several integers in the interval, the result is the one nearest to 0
    (Stern-Brocot tree: Graham, Knuth & Patashnik 1994, §4.5).

    >>> simplest(fmpq(333, 1000), fmpq(1, 1000)), simplest(fmpq(-7, 2), fmpq(1, 10))
    (1/3, -7/2)
    """
    low, high = number - within, number + within
    # `terms` are the terms that the continued fractions of both ends share. That of the result has one more.
    terms = []
    while (whole := low.ceil()) > high:
        floor = whole - 1
        terms.append(floor)
        low, high = 1 / (high - floor), 1 / (low - floor)
    # Now there are integers between low and high; take the one nearest to 0.
    simple = fmpq(whole if whole > 0 else min(fmpz(0), high.floor()))
    for term in reversed(terms):
        simple = term + 1 / simple
    return simple


def distance(within: object) -> fmpq | None:
    """Check the argument `within` of a public function, and return it as an fmpq; None stays None.

    Args:
        within: the greatest distance between a float and the fraction that replaces it, a positive exact number.

    Raises:
        ValueError: if `within` is no positive rational.
    """
    number = None if within is None else rational(within, "within")
    if number is not None and number <= 0:
        raise ValueError(f"within must be positive, got {shown(within)}")
    return number


def to_pair(q: fmpq) -> Pair:
    """Return the numerator and the denominator of q."""
    return q.p, q.q


def _by_halves(operation: Callable[[Item, Item], Item], items: Sequence[Item]) -> Item:
    """Combine one or more items by an operation: the items of each half of the sequence first, then both results.

    Both operands then have about equal lengths, for which fast multiplication of long integers is most efficient.
    """
    if len(items) == 1:
        return items[0]
    half = (len(items) + 1) // 2
    return operation(_by_halves(operation, items[:half]), _by_halves(operation, items[half:]))


def total(pairs: Sequence[Pair]) -> Pair:
    """Return the sum of fractions, pairs (numerator, denominator), not reduced to lowest terms; 0 if there are none.

    >>> total([(fmpz(1), fmpz(2)), (fmpz(1), fmpz(3)), (fmpz(1), fmpz(6))])
    (6, 6)
    """

    def plus(one: Pair, two: Pair) -> Pair:
        (p, q), (r, s) = one, two
        return (p + r, q) if q == s else (p * s + r * q, q * s)

    return _by_halves(plus, pairs or [(fmpz(0), fmpz(1))])


def product(factors: Sequence[fmpz]) -> fmpz:
    """Return the product of integers; 1 if there are none."""
    return _by_halves(operator.mul, factors or [fmpz(1)])


def average(values: Iterable[Any], weights: Sequence[Any]) -> Any:  # noqa: ANN401  # of the type of the values
    """Return the weighted mean of numbers, or of arrays of numbers.

    Args:
        values: one or more numbers or arrays.
        weights: a number for each of the values. Their sum need not be 1, but must not be 0.

    >>> average([fmpq(1), fmpq(4)], (2, 1))
    2
    """
    return reduce(operator.add, map(operator.mul, values, weights)) / sum(weights)


def reduced(pair: Pair) -> Pair:
    """Return a fraction, (numerator, positive denominator), in lowest terms."""
    divisor = pair[0].gcd(pair[1])
    return pair if divisor == 1 else (pair[0] // divisor, pair[1] // divisor)
