"""Claims of the literature, judged by computed results: tables and theorems.

>>> from gops_exact import literature
>>> literature.matching_value_of_deck(13)
28
"""

from gops_exact.literature.published import Entry, compare, judge
from gops_exact.literature.pure import matching_is_optimal, pure_guarantee, saddle_points
from gops_exact.literature.ross import (
    greatest_chance,
    hidden_value,
    matching_distribution,
    matching_value,
    matching_value_of_deck,
    printed_strategies,
    pure_strategies,
    subgames,
)

__all__ = [
    "Entry",
    "compare",
    "greatest_chance",
    "hidden_value",
    "judge",
    "matching_distribution",
    "matching_is_optimal",
    "matching_value",
    "matching_value_of_deck",
    "printed_strategies",
    "pure_guarantee",
    "pure_strategies",
    "saddle_points",
    "subgames",
]
__dir__ = __all__.copy
