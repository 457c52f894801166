"""Numbers in answers that are not exact rationals: proved decimals, residues, floats with radii.

Together with :class:`~gops_exact.numbers.big.BigRational` these are the kinds of number that a
strategy or a value is made of. All follow one small protocol, :class:`Number`.
"""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from flint import arb, ctx, fmpq, fmpz

from gops_exact.arguments import MOST_DIGITS, integer, shown
from gops_exact.numbers.big import shorten
from gops_exact.numbers.convert import to_decimal_text

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


@dataclass(frozen=True, repr=False)
class ProvedDecimal:
    """A ball, and how many decimals of every number in it agree.

    Attributes:
        value: the ball; radius 0 where the number is known exactly.
        digits: decimals that are proved.

    >>> third = ProvedDecimal(arb(fmpq(1, 3)), 12)
    >>> third.text(), third.is_zero
    ('0.333333333333', False)
    """

    value: arb
    digits: int

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

    def __str__(self) -> str:
        return shorten(self.text())

    __repr__ = __str__


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

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__


@dataclass(frozen=True, repr=False)
class BoundedFloat:
    """A float within a proved distance of the true number.

    Attributes:
        value: the float.
        radius: the greatest distance; 0 where the number is known exactly.

    >>> half = BoundedFloat(0.5, 0.25)
    >>> half.bounds(), half.decimal(2)
    ((1/4, 3/4), '0.50')
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
        middle, radius = fmpq(*self.value.as_integer_ratio()), fmpq(*self.radius.as_integer_ratio())
        return middle - radius, middle + radius

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__
