"""Comparison of the tables of optimal first moves that are printed in the literature with computed ones.

>>> from gmpy2 import mpq
>>> from gops_exact import literature
>>> literature.judge("0.666", mpq(2, 3))
'truncated'
"""

from gops_exact.literature.published import Entry, compare, judge

__all__ = ["Entry", "compare", "judge"]
__dir__ = __all__.copy
