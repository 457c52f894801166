"""Numbers in answers that are not exact rationals: proved decimals, residues, floats with radii.

Together with :class:`~gops_exact.numbers.big.BigRational` these are the kinds of number that a
strategy or a value is made of. All follow one small protocol, :class:`Number`.
"""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from flint import arb, fmpq

from gops_exact.arguments import MOST_DIGITS, integer, shown
from gops_exact.numbers.balls import decimal_text
from gops_exact.numbers.big import shorten

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
        """Whether the number is proved to be 0."""

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
        """Whether the number is proved to be 0."""
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
        """Whether the number is proved to be 0."""
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
