"""Types of the numbers in results, and conversions of exact numbers.

:mod:`~gops_exact.numbers.exact` and :mod:`~gops_exact.numbers.kinds` define the types. The attribute ``value`` of a
number is the number in the type with which solvers compute: an fmpq, a ball, an int or a float. :func:`rational`
converts an exact number of any type to an fmpq.
"""

from gops_exact.numbers.digits import BigInteger
from gops_exact.numbers.exact import BigRational, rational
from gops_exact.numbers.kinds import view

__all__ = ["BigInteger", "BigRational", "rational", "view"]
