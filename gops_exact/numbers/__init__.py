"""Types of the numbers in results, and conversions of exact numbers.

:mod:`~gops_exact.numbers.exact` and :mod:`~gops_exact.numbers.kinds` define the types. The attribute
``value`` of a number has the type that solvers compute with: an fmpq, a ball, an int or a float.
:func:`rational` turns any exact number into an fmpq.
"""

from gops_exact.numbers.digits import BigInteger
from gops_exact.numbers.exact import BigRational, rational
from gops_exact.numbers.kinds import view

__all__ = ["BigInteger", "BigRational", "rational", "view"]
