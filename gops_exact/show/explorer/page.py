"""The explorer's page, put together from the files beside this module."""

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import product
from math import comb
from string import Template

from gops_exact.game.counts import pairs_kept
from gops_exact.game.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Rules
from gops_exact.schedule import Progress
from gops_exact.show.explorer.data import explorer_data
from gops_exact.solver.cost import VALUE_BITS
from gops_exact.version import version

SCRIPTS = ("rational.js", "game.js", "view.js", "explore.js", "play.js", "main.js")
"""In the order in which they build on each other."""

LARGEST = 6
"""Cards a side. Under the rules with the longest numbers, points with ties carried over, the page of
six has 13 megabytes; the values of seven fill more than a browser should be sent under any."""

EVERY_RULES = tuple(Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS))

LONG = (
    Rules("points", "carryover", "random"),
    Rules("points", "carryover", "hidden"),
    Rules("win", "carryover", "hidden"),
)
"""At six cards these make 27 of the 30 megabytes of all sixteen; at five all have 0.6 megabytes."""

_DIGITS_A_BIT = 0.30103


def rules_to_choose(n: int, first: Rules = PLAIN) -> list[Rules]:
    """The rules that a page offers: those named, then every other whose numbers are not too long.

    >>> len(rules_to_choose(5)), len(rules_to_choose(6))
    (16, 13)
    """
    short = [rules for rules in EVERY_RULES if n < LARGEST or rules not in LONG]
    return [first, *(rules for rules in short if rules != first)]


def check_explorable(n: int) -> None:
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


def explorer_page(
    n: int, games: Sequence[Rules] = (PLAIN,), *, progress: Progress | None = None
) -> Iterator[str]:
    """One HTML document, in pieces, that shows and plays the game of n cards and loads nothing.

    Args:
        n: cards a side, at most 6.
        games: the rules to choose from, solved one after the other.
        progress: told how many of them are solved, and how many there are.

    Raises:
        ValueError: if n is too large, or is not the number of prizes that rules name in order.
    """
    check_explorable(n)
    data = explorer_data(n, games, progress)
    folder = files(__package__)

    def part(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    yield Template(part("template.html")).substitute(
        n=n,
        cards="1 card" if n == 1 else f"{n} cards",
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
        pairs = pairs_kept(n, size)
        bits = VALUE_BITS[min(size, len(VALUE_BITS) - 1)]
        digits += comb(n, size) * pairs * 2 * bits * _DIGITS_A_BIT
    return digits
