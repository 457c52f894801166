"""Bounds written with few digits, rounded so that they remain bounds."""

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_UP, Context, Decimal
from math import inf
from sys import float_info

from flint import fmpq

RADIUS_DIGITS = 2
"""Significant digits of a radius that is shown to people."""

FLOAT_DIGITS = float_info.dig
"""Significant digits of a radius that is written for programs: the most that survive conversion to a float
and back."""

WORKING_DIGITS = 40
"""Significant digits in which radii are computed; enough that only the last rounding enlarges them."""

# The smallest normal float; smaller floats have fewer significant digits.
_LEAST = Decimal(float_info.min)


def in_digits(bound: fmpq, digits: int, rounding: str = ROUND_CEILING) -> Decimal:
    """Return a bound as a decimal.

    Args:
        bound: the bound.
        digits: significant digits of the result.
        rounding: a rounding mode of the module decimal: ``ROUND_CEILING`` for an upper bound,
            ``ROUND_FLOOR`` for a lower one.

    >>> str(in_digits(fmpq(2, 3), 2)), str(in_digits(fmpq(1, 4), 2))
    ('0.67', '0.25')
    """
    return context_of(digits, rounding).divide(Decimal(int(bound.p)), Decimal(int(bound.q)))


def upwards(bound: float | Decimal, digits: int = RADIUS_DIGITS) -> str:
    """Return an upper bound as text, rounded up; the float nearest to the text is an upper bound, too.

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
    # Conversion to a float may round down, below the bound. Then the next larger decimal is taken.
    size = float(rounded)
    if Decimal(size) < exact:
        rounded = rounding.next_plus(rounded)
        size = float(rounded)
    return f"{size:.{digits}g}" if size < inf else str(rounded)  # the bound may exceed all floats


def context_of(digits: int, rounding: str = ROUND_UP) -> Context:
    """Return a context that rounds decimals of any size to `digits` digits, by default away from 0."""
    return Context(digits, rounding, MIN_EMIN, MAX_EMAX)
