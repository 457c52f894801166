"""Numbers of answers, in every arithmetic, and the numbers that are computed with.

:mod:`~gops_exact.numbers.exact` and :mod:`~gops_exact.numbers.kinds` have the numbers of results. The
program computes in fmpq, pairs of fmpz, balls, integers and floats: ``.value`` of each.
:mod:`~gops_exact.numbers.raw` turns any exact number into an fmpq.
"""

from gops_exact.numbers.digits import BigInteger
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.kinds import view
from gops_exact.numbers.raw import rational

__all__ = ["BigInteger", "BigRational", "rational", "view"]
