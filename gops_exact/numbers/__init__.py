"""Types of the numbers in results, and conversions of exact numbers.

:mod:`~gops_exact.numbers.exact` and :mod:`~gops_exact.numbers.kinds` define the types. The attribute
``value`` of a number has the type that solvers compute with: an fmpq, a ball, an int or a float.
:mod:`~gops_exact.numbers.raw` turns any exact number into an fmpq.
"""

from gops_exact.numbers.digits import BigInteger
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.kinds import view
from gops_exact.numbers.raw import rational

__all__ = ["BigInteger", "BigRational", "rational", "view"]
