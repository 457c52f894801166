"""Numbers in answers that are not exact rationals: proved decimals, residues, floats with radii.

Together with :class:`~gops_exact.numbers.big.BigRational` these are the kinds of number that a
strategy or a value is made of. All follow one small protocol, :class:`Number`.
"""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, overload

from flint import arb, ctx, fmpq, fmpz

from gops_exact.arguments import MOST_DIGITS, integer, shown
from gops_exact.numbers.big import BigRational, shorten
from gops_exact.numbers.convert import from_float, to_decimal_text, to_float

DECIMAL_GUARD = 32
"""Bits a ball is scaled with beyond its own, so that scaling adds nothing to its radius."""


def tidy(ball: arb) -> arb:
    """Round the radius up to a power of two, which can be written exactly; keep the midpoint.

    >>> tidy(arb(1, 3)).rad()
    4.00000000000000
    """
    radius, exponent = ball.rad().man_exp()
    if radius == 0:
        return ball
    return arb(ball.mid().man_exp(), (1, exponent + (int(radius) - 1).bit_length()))


def decimal_text(ball: arb, digits: int) -> str | None:
    """Round every number in the ball to `digits` decimals; None if the results differ.

    >>> third = arb(fmpq(1, 3))
    >>> decimal_text(third, 15), decimal_text(third, 20)
    ('0.333333333333333', None)
    """
    if ball.is_exact():
        return to_decimal_text(ball.fmpq(), digits)
    with ctx.workprec(ball.mid().bits() + 4 * digits + DECIMAL_GUARD):
        rounded = (ball * fmpz(10) ** digits + fmpq(1, 2)).floor().unique_fmpz()
    return None if rounded is None else to_decimal_text(fmpq(rounded, fmpz(10) ** digits), digits)


Made = TypeVar("Made")
Value_co = TypeVar("Value_co", covariant=True)
"""A number as its arithmetic computes with it: fmpq, arb, int or float."""


class PrecisionError(ArithmeticError):
    """Balls are too wide for what was asked; more bits may help."""


class Number(Protocol[Value_co]):
    """A number of any kind, as answers hold it."""

    @property
    def value(self) -> Value_co:
        """The number as the arithmetic computes with it."""

    @property
    def is_zero(self) -> bool:
        """True if the number is proved to be 0."""

    def text(self) -> str:
        """The number in full, as it is emitted."""

    def decimal(self, digits: int) -> str:
        """The number as a decimal with `digits` digits after the point."""

    def bounds(self) -> tuple[fmpq, fmpq]:
        """The least and the greatest rational that the true number can be."""

    def __float__(self) -> float: ...


class _Enclosed(ABC):
    """A number of which bounds are known. Order and truth value are told where the bounds decide them."""

    @property
    @abstractmethod
    def is_zero(self) -> bool:
        """True if the number is proved to be 0."""

    @abstractmethod
    def bounds(self) -> tuple[fmpq, fmpq]:
        """The least and the greatest rational that the true number can be."""

    def __lt__(self, other: object) -> bool:
        return self._decided(operator.lt, other)

    def __le__(self, other: object) -> bool:
        return self._decided(operator.le, other)

    def __gt__(self, other: object) -> bool:
        return self._decided(operator.gt, other)

    def __ge__(self, other: object) -> bool:
        return self._decided(operator.ge, other)

    def __bool__(self) -> bool:
        return not self.is_zero and (self > 0 or self < 0)

    def _decided(self, holds: Callable[[Any, Any], bool], other: object) -> bool:
        """Compare with a number of any kind; a ValueError where the bounds allow both answers."""
        (least, most), (low, high) = _ends(self), _ends(other)
        found = holds(most, low)
        if found != holds(least, high):
            raise ValueError(
                "numbers to compare must be further apart than they may be off, "
                f"got {_within(self)} and {_within(other)}"
            )
        return found


def _ends(number: object) -> tuple[Any, Any]:
    """The bounds of a number as views, which compare with numbers of all libraries."""
    if not isinstance(number, _Enclosed):
        return number, number
    least, most = map(BigRational.of, number.bounds())
    return least, most


def _within(number: object) -> str:
    """A number for a message, with how far it may be off."""
    if not isinstance(number, _Enclosed):
        return shown(number)
    least, most = number.bounds()
    return f"{to_float((least + most) / 2)} ± {to_float((most - least) / 2):.2g}"


@dataclass(frozen=True, repr=False, eq=False)
class ProvedDecimal(_Enclosed):
    """A ball, and how many decimals of every number in it agree.

    Two are equal if balls and digits are. The true numbers compare as far as the balls decide, and
    decimals are correctly rounded.

    Attributes:
        value: the ball, its radius rounded up to a power of two; 0 where the number is known exactly.
        digits: decimals that are proved.

    Raises:
        ValueError: if the ball leaves open how numbers compare, or if the number is 0.
        PrecisionError: if it leaves open how the number is rounded.

    >>> third = ProvedDecimal(arb(fmpq(1, 3)), 12)
    >>> third.text(), third.is_zero, f"{third:.2%}", round(third, 1), third < 0.34
    ('0.333333333333', False, '33.33%', BigRational(3/10), True)
    """

    value: arb
    digits: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", tidy(self.value))

    @property
    def _parts(self) -> tuple[tuple[fmpz, fmpz], tuple[fmpz, fmpz], int]:
        """Midpoint, radius and digits; of a tidy ball all that there is to know."""
        return self.value.mid().man_exp(), self.value.rad().man_exp(), self.digits

    def __eq__(self, other: object) -> bool:
        return self._parts == other._parts if isinstance(other, ProvedDecimal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._parts)

    def __reduce__(self) -> tuple[object, ...]:
        # An arb cannot be pickled.
        return _proved_decimal, self._parts

    @property
    def is_zero(self) -> bool:
        """True if the number is proved to be 0."""
        return bool(self.value == 0)

    def text(self) -> str:
        """The decimal with all proved digits."""
        return self.decimal(self.digits)

    def decimal(self, digits: int) -> str:
        """The number correctly rounded to `digits` decimals.

        Raises:
            PrecisionError: if the ball holds numbers that round differently.
        """
        digits = integer(digits, "digits", 0, MOST_DIGITS)
        text = decimal_text(self.value, digits)
        if text is None:
            raise PrecisionError(f"{digits} digits are not proved, ask for more")
        return text

    def bounds(self) -> tuple[fmpq, fmpq]:
        """The ends of the ball."""
        middle, radius = self.value.mid().fmpq(), self.value.rad().fmpq()
        return middle - radius, middle + radius

    def __float__(self) -> float:
        return float(self.value)

    def __format__(self, spec: str) -> str:
        """Format as a :class:`BigRational`, if that is the same for every number in the ball."""
        if not spec.endswith(tuple("eEfFgG%")):
            return format(str(self), spec)
        return self._agreed(lambda end: format(end, spec))

    @overload
    def __round__(self, digits: None = None) -> int: ...
    @overload
    def __round__(self, digits: int) -> BigRational: ...
    def __round__(self, digits: int | None = None) -> int | BigRational:
        """Round as a :class:`BigRational`, if that is the same for every number in the ball."""
        return self._agreed(lambda end: round(end, digits))

    def _agreed(self, made: Callable[[BigRational], Made]) -> Made:
        """Return what is made of both ends of the ball."""
        least, most = map(made, _ends(self))
        if least != most:
            raise PrecisionError("the digits are not proved, ask for more")
        return least

    def __str__(self) -> str:
        """Return the decimal, long ones shortened; an integer known exactly without a point."""
        return str(self.value.fmpz()) if self.value.is_integer() else shorten(self.text())

    __repr__ = __str__


def _proved_decimal(
    middle: tuple[fmpz, fmpz], radius: tuple[fmpz, fmpz], digits: int
) -> ProvedDecimal:
    return ProvedDecimal(arb(middle, radius), digits)


@dataclass(frozen=True, repr=False)
class ResidueClass:
    """A rational number p/q modulo a prime.

    Attributes:
        value: p·q⁻¹, at least 0 and below the prime.
        prime: the modulus.
    """

    value: int
    prime: int

    @property
    def is_zero(self) -> bool:
        """Always false: the residue 0 does not prove the number to be 0."""
        return False

    def text(self) -> str:
        """The residue in decimal digits."""
        return str(self.value)

    def decimal(self, digits: int) -> str:
        """Raise ValueError: a residue says nothing of the size of a number."""
        raise ValueError(f"a residue has no decimals, got digits {shown(digits)}")

    def bounds(self) -> tuple[fmpq, fmpq]:
        """Raise ValueError: a residue says nothing of the size of a number."""
        raise ValueError("a residue has no bounds")

    def __float__(self) -> float:
        raise ValueError("a residue is no float")

    def __bool__(self) -> bool:
        if self.value == 0:
            raise ValueError("the residue 0 leaves open if the number is 0")
        return True

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class BoundedFloat(_Enclosed):
    """A float within a proved distance of the true number.

    Two are equal if floats and radii are. The true numbers compare as far as the radii decide. What
    is formatted and rounded is the float.

    Attributes:
        value: the float.
        radius: the greatest distance; 0 where the number is known exactly.

    Raises:
        ValueError: if the radii leave open how numbers compare, or if the number is 0.

    >>> half = BoundedFloat(0.5, 0.25)
    >>> half.bounds(), half.decimal(2), f"{half:.1%}", half < 1
    ((1/4, 3/4), '0.50', '50.0%', True)
    """

    value: float
    radius: float

    @property
    def is_zero(self) -> bool:
        """True if the number is proved to be 0."""
        return self.value == self.radius == 0

    def text(self) -> str:
        """The shortest text that stands for this float alone."""
        return repr(self.value)

    def decimal(self, digits: int) -> str:
        """The float rounded to `digits` decimals; the true number may round differently."""
        return f"{self.value:.{integer(digits, 'digits', 0, MOST_DIGITS)}f}"

    def bounds(self) -> tuple[fmpq, fmpq]:
        """The float less and plus its radius, exactly."""
        middle, radius = from_float(self.value), from_float(self.radius)
        return middle - radius, middle + radius

    def __float__(self) -> float:
        return self.value

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    @overload
    def __round__(self, digits: None = None) -> int: ...
    @overload
    def __round__(self, digits: int) -> float: ...
    def __round__(self, digits: int | None = None) -> int | float:
        return round(self.value, digits)

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__
