"""Types of numbers in results other than exact rationals: proved decimals, and floats with radii.

Words used here:

* The *true number* is the real number that a number in a result stands for.
* A *ball* (``arb``) is an interval, given by its midpoint and its radius, that is proved to contain the true number.
* A *proved decimal* is a number that is known only by a ball, and is shown as a decimal of which every digit is proved.
* The *radius* of a float is a proved bound on its distance from the true number.
"""

import copyreg
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import inf, isfinite, log10, nextafter
from typing import Any, ClassVar, Self, cast, overload

from flint import arb, ctx, fmpq, fmpz

from gops_exact.base.arguments import MOST_DIGITS, integer
from gops_exact.numbers.digits import FLOAT_DIGITS
from gops_exact.numbers.exact import (
    BigRational,
    Number,
    Operation,
    PrecisionError,
    as_exact,
    from_float,
    within,
)

GUARD_BITS = 32
"""The number of bits that operators of proved decimals add to the precision of their operands, so that rounding hardly
enlarges a radius."""

FLOAT_BITS = 128
"""The precision, in bits, of the balls with which operators of floats with radii compute. Rounding noticeably enlarges
a radius only at the end, when the result becomes a float."""

_NOT_PROVED = "digits are not proved, ask for more"

# Python-flint cannot pickle balls.
copyreg.pickle(arb, lambda ball: (arb, (ball.mid().man_exp(), ball.rad().man_exp())))


def tidy(ball: arb) -> arb:
    """Return the ball with its radius rounded up to a power of two; unchanged if the radius is 0.

    A ball with such a radius stays the same when it is written and read again. Another radius might be rounded up.
    """
    radius, exponent = ball.rad().man_exp()
    if radius == 0:
        return ball
    return arb(ball.mid().man_exp(), (1, exponent + (int(radius) - 1).bit_length()))


def _in_balls(kind: type[Any], operation: Operation, left: object, right: object) -> Any:  # noqa: ANN401
    """Return an interval that contains the result of an operation on two numbers, each known exactly or in an interval.

    The interval is a ball (``arb``). The result is NotImplemented if an operand is neither exact nor of the class
    `kind`, which is ProvedDecimal or BoundedFloat.
    """
    balls = []
    for number in (left, right):
        if isinstance(number, kind):
            is_ball = isinstance(number, ProvedDecimal)
            balls.append(number.value if is_ball else arb(number.value, number.radius))
        elif (exact := as_exact(number)) is not None:
            balls.append(arb(exact))
        else:
            return NotImplemented  # Python tries the method of the other operand
    ball: arb = operation(*balls)
    if not ball.is_finite():
        raise ZeroDivisionError(f"a divisor must not be 0, got {within(right)}")
    return ball


@dataclass(frozen=True, repr=False, eq=False)
class ProvedDecimal(Number[arb]):
    """A decimal of which every digit is proved, because a ball, an interval, is proved to contain the true number.

    "Decimals" are digits after the point. The other operand of ``+``, ``-``, ``*`` and ``/`` may be exact or a proved
    decimal. The result has as many decimals as its ball proves, but not more than a proved decimal among the
    operands has. Comparisons are those of the true numbers. Formatting and rounding return the true number, correctly
    rounded.

    Raises:
        ValueError: if the balls do not decide a comparison, or whether the number is 0.
        PrecisionError: if the ball does not decide how the number is rounded.
        ZeroDivisionError: if the ball of a divisor contains 0.

    >>> third = ProvedDecimal(arb(fmpq(1, 3)), 12)
    >>> third.text(), third.is_zero, f"{third:.2%}", round(third, 1), third < 0.34
    ('0.333333333333', False, '33.33%', 3/10, True)
    >>> 2 * third + 1, third / third
    (1.666666666667, 1.000000000000)
    """

    arithmetic: ClassVar[str] = "ball"
    corner: ClassVar[str] = "in decimals"
    #: The ball. Its radius is 0 if the number is known exactly, and a power of two otherwise. For a number that was read
    #: from a document the radius is half a unit of the last decimal.
    value: arb
    digits: int  #: the number of proved digits after the point, at most the number passed to the constructor
    #: The decimal with `digits` decimals, if the number was read from a document; otherwise empty. The ball does not
    #: determine this text: its ends are half a unit of the last decimal away, and may round to other decimals.
    written: str = ""

    def __post_init__(self) -> None:
        if self.written:
            return
        object.__setattr__(self, "value", tidy(self.value))
        radius, exponent = self.value.rad().man_exp()
        # A ball wider than 10^-d does not prove d digits. The greatest d that is left is nearly always proved.
        most = max(0, int(-int(exponent) * log10(2))) if radius else self.digits
        object.__setattr__(self, "digits", min(self.digits, most))
        for digits in range(self.digits, 0, -1):
            with suppress(PrecisionError):
                self.decimal(digits)
                break
            object.__setattr__(self, "digits", digits - 1)

    @property
    def key(self) -> tuple[int, str]:
        """The number of proved digits after the point, and the text; equal for two numbers that have the same proved
        digits.

        The ball, the interval around the number, is not part of the key. A number that was read from a document has a
        wider ball than the same number had when it was computed.
        """
        return self.digits, self.text() if self.digits else str(self)

    def _computed(self, operation: Operation, left: object, right: object) -> Self:
        proved = [number for number in (left, right) if isinstance(number, ProvedDecimal)]
        bits = max(max(number.value.mid().bits(), 4 * number.digits) for number in proved)
        with ctx.workprec(bits + GUARD_BITS):
            ball = _in_balls(ProvedDecimal, operation, left, right)
        most = min(number.digits for number in proved)
        return cast("Self", ball if ball is NotImplemented else ProvedDecimal(ball, most))

    def text(self) -> str:
        """Return the decimal with all proved digits.

        Raises:
            PrecisionError: if not even the digits before the point are proved.
        """
        return self.decimal(self.digits)

    def decimal(self, digits: int) -> str:
        """Return the true number correctly rounded to `digits` decimals.

        If the number was read from a document in which it has `digits` decimals, the text of the document is returned.

        Raises:
            PrecisionError: if the ball contains numbers that round differently, and no text of a document is returned.
        """
        digits = integer(digits, "digits", 0, MOST_DIGITS)
        if self.written and digits == self.digits:
            return self.written
        return self._agreed(lambda end: end.decimal(digits), f"{digits} {_NOT_PROVED}")

    def fields(self) -> dict[str, object]:
        """Return {"decimal": the text, "float": the float nearest to it}, with None in place of an infinite float.

        Raises:
            PrecisionError: if not even the digits before the point are proved.
        """
        size = float(self.text())
        return {"decimal": self.text(), "float": size if isfinite(size) else None}

    def bounds(self) -> tuple[fmpq, fmpq]:
        """Return the ends of the ball, the interval that is proved to contain the true number."""
        middle, radius = self.value.mid().fmpq(), self.value.rad().fmpq()
        return middle - radius, middle + radius

    def __format__(self, spec: str) -> str:
        """Format the true number, correctly rounded, if `spec` ends in ``e``, ``f``, ``g``, a capital of these, or ``%``.

        Any other `spec` is applied to the text of the number, the decimal with all proved digits.

        Raises:
            PrecisionError: if the ball, the interval that contains the true number, also contains numbers that have
                another text in this format.
        """
        if not spec.endswith(tuple("eEfFgG%")):
            return format(str(self), spec)
        return self._agreed(lambda end: format(end, spec), f"the {_NOT_PROVED}")

    def __round__(self, digits: int | None = None) -> Any:  # noqa: ANN401  # an int if `digits` is None
        """Return the true number rounded to nearest, halves to the even digit.

        Args:
            digits: the number of decimals of the result, which is an exact rational; None for an int.

        Raises:
            PrecisionError: if the ball, the interval that contains the true number, also contains numbers that round
                differently.
        """
        return self._agreed(lambda end: round(end, digits), f"the {_NOT_PROVED}")

    def __str__(self) -> str:
        """Return the decimal with all proved digits; without a point if the number is known to be an integer.

        If not even the digits before the point are proved, FLINT's text of the ball is returned.
        """
        if self.value.is_integer():
            return str(self.value.fmpz())
        try:
            return self.decimal(self.digits)
        except PrecisionError:
            return str(self.value)


@dataclass(frozen=True, repr=False, eq=False)
class BoundedFloat(Number[float]):
    """A float within a proved distance of the true number.

    The other operand of ``+``, ``-``, ``*`` and ``/`` may be exact, a float, or a number of this class. The radius of
    the result includes all rounding errors. Comparisons are those of the true numbers. Formatting, and rounding to a
    number of digits, ignore the radius.

    Raises:
        ValueError: if the radius is negative, or if the radii do not decide a comparison, or whether the number is 0.
        PrecisionError: if the radius does not decide the result of ``int``, ``round``, ``floor``, ``ceil`` or ``//``.
        ZeroDivisionError: if a divisor is at most its radius away from 0.
        OverflowError: if an operand, the float or the radius is infinite or NaN, also the float or the radius of a
            result.

    >>> half = BoundedFloat(0.5, 0.25)
    >>> half.bounds(), half.decimal(2), f"{half:.1%}", half < 1
    ((1/4, 3/4), '0.50', '50.0%', True)
    >>> 1 + 2 * half, (half / 4).radius < 0.07
    (2.0, True)
    """

    arithmetic: ClassVar[str] = "float"
    corner: ClassVar[str] = "in floats"
    mark: ClassVar[str] = "?"
    value: float
    radius: float  #: the greatest distance to the true number; 0 if the float is exact

    def __post_init__(self) -> None:
        if not (isfinite(self.value) and isfinite(self.radius)):
            raise OverflowError(
                f"a float and its radius must be finite, got {self.value} ± {self.radius}"
            )
        if self.radius < 0:
            raise ValueError(f"a radius must be at least 0, got {self.radius}")

    def __neg__(self) -> Self:
        return type(self)(-self.value, self.radius)  # exact; 0 − self would enlarge the radius

    def _computed(self, operation: Operation, left: object, right: object) -> Self:
        for x in (left, right):
            if isinstance(x, float) and not isfinite(x):
                raise OverflowError(f"an operand must be finite, got {x}")
        one, two = (from_float(x) if isinstance(x, float) else x for x in (left, right))
        with ctx.workprec(FLOAT_BITS):
            ball = _in_balls(BoundedFloat, operation, one, two)
            return cast("Self", ball if ball is NotImplemented else as_float(ball))

    def decimal(self, digits: int) -> str:
        """Return the float rounded to `digits` decimals; the true number may round differently."""
        return f"{self.value:.{integer(digits, 'digits', 0, MOST_DIGITS)}f}"

    def bounds(self) -> tuple[fmpq, fmpq]:
        """Return the float minus its radius, and the float plus its radius."""
        middle, radius = from_float(self.value), from_float(self.radius)
        return middle - radius, middle + radius

    def shown(self, digits: int) -> dict[str, str]:
        """Return a decimal and a bound on its distance from the true number, {"decimal": …, "within": …}.

        Args:
            digits: the number of digits after the point.
        """
        return dict(zip(("decimal", "within"), self.with_radius(digits), strict=True))

    def short(self, digits: int | None = None) -> str:  # noqa: ARG002  # the radius says how many digits count
        """Return the float and its radius as one text, such as ``0.25 ± 1e-12``; `digits` is ignored."""
        return " ± ".join(self.with_radius())

    hover = short

    def fields(self) -> dict[str, object]:
        """Return {"float": the float, "radius": its radius, rounded up to 15 significant digits}.

        If the rounded radius is beyond the range of floats, None takes its place.
        """
        radius = float(self.with_radius(radius_digits=FLOAT_DIGITS)[1])
        return {"float": self.value, "radius": radius if isfinite(radius) else None}

    def members(self) -> dict[str, object]:
        """Return the float and its radius as members of a JSON object, {"value": …, "radius": …}."""
        return {"value": self.value, "radius": self.radius}

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def __round__(self, digits: int | None = None) -> int | float:
        return self._agreed(round) if digits is None else round(self.value, digits)


def as_float(ball: arb) -> BoundedFloat:
    """Return the float nearest to the middle of a ball, with a radius that covers the ball.

    Raises:
        OverflowError: if the ball is not finite, or its middle or radius is beyond the range of floats.

    >>> as_float(arb(0.25)).radius, as_float(arb(0.25, 0.5)).radius > 0.5
    (0.0, True)
    """
    middle = float(ball.mid())
    # Conversion to a float may round the radius down, so take the next larger float.
    off = (ball - arb(middle)).abs_upper()
    return BoundedFloat(middle, 0.0 if off == 0 else nextafter(float(off), inf))


@overload
def view(x: int | str | Fraction | Decimal | fmpq | fmpz | BigRational) -> BigRational: ...
@overload
def view(x: float) -> BoundedFloat: ...
@overload
def view(x: arb) -> ProvedDecimal: ...
@overload
def view(x: object) -> Any: ...  # noqa: ANN401  # numbers of other libraries
def view(x: object) -> Any:
    """Convert a number of any kind to a :class:`Number`, the kind of number in results.

    Args:
        x: an exact number of any library, or its text such as ``"1/3"``, for a :class:`BigRational`; a float, which
            stands for its exact binary value, for a :class:`BoundedFloat`; a ball, for a :class:`ProvedDecimal` with as
            many decimals as the ball proves; or a :class:`Number`, which is returned unchanged.

    Raises:
        ValueError: if `x` is of any other kind, if it is not finite, or if a ball has a billion digits or more.

    >>> view("1/3") + 1, view(0.5).bounds(), view(arb(fmpq(1, 3)))
    (4/3, (1/2, 1/2), 0.333333333333333)
    """
    if isinstance(x, Number):
        return x
    if isinstance(x, arb) and x.is_finite():
        # A number p · 2^-k that is known exactly has at most k decimals. For any other ball the constructor lowers
        # `digits` to as many as the ball proves.
        exponents = [int(part.man_exp()[1]) for part in (x.mid(), x.rad())]
        integer(max(map(abs, exponents)) * 3 // 10, "digits of a ball", most=MOST_DIGITS)
        return ProvedDecimal(x, max(0, -exponents[0]) if x.is_exact() else MOST_DIGITS)
    if isinstance(x, float) and isfinite(x):
        return BoundedFloat(float(x), 0.0)
    return BigRational(x)
