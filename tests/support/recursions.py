"""Every rule set but listed orders of prizes."""

from itertools import product

import gops_exact as gx

EVERY_RULE = [
    gx.Rules(*rules)
    for rules in product(
        ("points", "win"), ("discard", "carryover"), ("random", "hidden", "descending")
    )
]


def deck(n):
    return tuple(range(1, n + 1))
