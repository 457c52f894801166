"""Bounds in a few digits, rounded so that they stay bounds."""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_UP, Context, Decimal
from math import inf
from sys import float_info

from flint import fmpq

RADIUS_DIGITS = 2
"""Digits of a radius that is read by people."""

FLOAT_DIGITS = float_info.dig
"""Digits of a radius that is read by programs: a float read from so many is written with the same ones."""

WORKING_DIGITS = 40
"""Digits in which radii are computed, so that only the last rounding adds to them."""

# Smaller floats have fewer digits.
_LEAST = Decimal(float_info.min)


def in_digits(bound: fmpq, digits: int, rounding: str = ROUND_CEILING) -> Decimal:
    """Return a bound as a decimal.

    Args:
        bound: the bound.
        digits: significant digits of the result.
        rounding: of the module decimal: up, so that it stays an upper bound, or ``ROUND_FLOOR``.

    >>> str(in_digits(fmpq(2, 3), 2)), str(in_digits(fmpq(1, 4), 2))
    ('0.67', '0.25')
    """
    return context_of(digits, rounding).divide(Decimal(int(bound.p)), Decimal(int(bound.q)))


def upwards(bound: float | Decimal, digits: int = RADIUS_DIGITS) -> str:
    """Return an upper bound as text, rounded up; the float nearest to the text is no less, either.

    Args:
        bound: the bound, at least 0.
        digits: significant digits of the result.

    >>> upwards(1.3243e-13), upwards(0.25), upwards(0.0)
    ('1.4e-13', '0.25', '0')
    """
    if bound == 0:
        return "0"
    exact, rounding = max(Decimal(bound), _LEAST), context_of(digits)
    rounded = rounding.plus(exact)
    size = float(rounded)
    if Decimal(size) < exact:
        rounded = rounding.next_plus(rounded)
        size = float(rounded)
    return f"{size:.{digits}g}" if size < inf else str(rounded)  # as the radius of a ball may be


def context_of(digits: int, rounding: str = ROUND_UP) -> Context:
    """Return a context in which decimals of any size are rounded to some digits, up unless told otherwise."""
    return Context(digits, rounding, MIN_EMIN, MAX_EMAX)
