"""Numbers of answers, in every arithmetic, and conversions.

The program computes in ``flint.fmpq``, balls, integers and floats; :mod:`~gops_exact.numbers.big` and
:mod:`~gops_exact.numbers.kinds` have the numbers of results.  :mod:`~gops_exact.numbers.convert` is the
only place where another number type turns into an fmpq or back.
"""

from gops_exact.numbers.big import BigInteger, BigRational, DigitStatistics, shorten
from gops_exact.numbers.convert import (
    rational,
    to_arb,
    to_decimal_text,
    to_float,
)
from gops_exact.numbers.kinds import view

__all__ = [
    "BigInteger",
    "BigRational",
    "DigitStatistics",
    "rational",
    "shorten",
    "to_arb",
    "to_decimal_text",
    "to_float",
    "view",
]
