"""The explorer's page, put together from the files beside this module."""

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import product
from math import comb
from string import Template

from gops_exact.order_types import pair_count
from gops_exact.recursion.preflight import VALUE_BITS
from gops_exact.report.explorer.data import explorer_data
from gops_exact.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Rules
from gops_exact.version import version

SCRIPTS = ("rational.js", "game.js", "view.js", "explore.js", "play.js", "main.js")
"""In the order in which they build on each other."""

LARGEST = 6
"""Cards a side. Under the rules with the longest numbers, points with ties carried over, the page of
six has 13 megabytes; the values of seven fill more than a browser should be sent under any."""

LARGEST_WITH_ALL = 5
"""Cards a side with every set of rules in one page: 0.6 megabytes, at six cards thirty."""

EVERY_RULES = tuple(Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS))

_DIGITS_A_BIT = 0.30103


def check_explorable(n: int, games: Sequence[Rules] = (PLAIN,)) -> None:
    """Refuse a game whose page would be too large to handle.

    Raises:
        ValueError: with an estimate of its size.

    >>> check_explorable(7)
    Traceback (most recent call last):
    ValueError: n must be at most 6 for an explorer page, got 7: its values would fill 66 megabytes
    """
    if n > LARGEST:
        megabytes = _value_digits(n) / 1e6
        size = f"{megabytes:,.0f} megabytes" if megabytes < 1e6 else "more than a terabyte"
        raise ValueError(
            f"n must be at most {LARGEST} for an explorer page, got {n}: its values would fill {size}"
        )
    if n > LARGEST_WITH_ALL and len(games) > 1:
        raise ValueError(
            f"n must be at most {LARGEST_WITH_ALL} with several rules in one explorer page, got {n}: "
            "all of them would fill 30 megabytes"
        )


def explorer_page(n: int, games: Sequence[Rules] = (PLAIN,)) -> Iterator[str]:
    """One HTML document, in pieces, that shows and plays the game of n cards and loads nothing.

    Args:
        n: cards a side, at most 6; at most 5 with several rules.
        games: the rules to choose from, solved one after the other.

    Raises:
        ValueError: if n is too large, or is not the number of prizes that rules name in order.
    """
    check_explorable(n, games)
    data = explorer_data(n, games)
    folder = files(__package__)

    def part(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    yield Template(part("template.html")).substitute(
        n=n,
        version=version(),
        css=part("explorer.css"),
        scripts="\n".join(map(part, SCRIPTS)),
        # The one sequence that would end the element that holds the data.
        data=json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
    )


def _value_digits(n: int) -> float:
    """Decimal digits of all values of the game of n cards, by the lengths measured."""
    digits = 0.0
    for size in range(1, n):
        pairs = sum(pair_count(size, length) for length in range(size + 1, min(2 * size, n) + 1))
        bits = VALUE_BITS[min(size, len(VALUE_BITS) - 1)]
        digits += comb(n, size) * pairs * 2 * bits * _DIGITS_A_BIT
    return digits
