"""Exact rational numbers: conversions, and views that make huge ones readable.

The program computes in ``flint.fmpq``.  :mod:`~gops_exact.numbers.convert` is the
only place where another number type turns into an fmpq or back;
:mod:`~gops_exact.numbers.big` shows people a number of a million digits.
"""

from gops_exact.numbers.big import BigInteger, BigRational, DigitStatistics, shorten, view
from gops_exact.numbers.convert import (
    continued_fraction,
    rational,
    to_arb,
    to_decimal_text,
    to_float,
    to_fraction,
    to_mpq,
    to_sympy,
    to_text,
)

__all__ = [
    "BigInteger",
    "BigRational",
    "DigitStatistics",
    "continued_fraction",
    "rational",
    "shorten",
    "to_arb",
    "to_decimal_text",
    "to_float",
    "to_fraction",
    "to_mpq",
    "to_sympy",
    "to_text",
    "view",
]
