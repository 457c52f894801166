"""The explorer: one HTML page to look at a solved game and to play it.

A page of few cards holds the game and loads nothing. Up to six cards it has every value exactly and
every game's basis, the bids that are played. A basis takes four bytes where the probabilities that
follow from it take up to thousands of digits; the page solves the linear system itself. Only the first
moves, whose system takes a browser long, are fractions. Up to nine cards it has values as 32-bit floats
and solves the games in floats with proved bounds. The page of a server, for up to 13 cards, asks it for
every position (``gops-exact serve``). The page's own files are in the folder ``page``.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from importlib.resources import files
from itertools import product
from string import Template

from gops_exact.arguments import function, items, positive_integer, shown
from gops_exact.cost import Run
from gops_exact.game.game import Game
from gops_exact.game.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Rules, as_rules
from gops_exact.progress import Progress
from gops_exact.show.whole_games import Document, exact_document, float_document
from gops_exact.solutions.arithmetic import Float

GAME_SCRIPT, VIEW_SCRIPTS = "game.js", ("view.js", "explore.js", "play.js", "main.js")
"""The scripts of every page, in the order in which they build on each other. Between them come those of
a page's numbers and of where its solutions come from."""

LARGEST, MOST_CARDS = 6, 9
"""The most cards a side, exactly and at all. The page of six cards has 13 megabytes under the rules with
the longest numbers, points with ties carried over; exact values of seven are too many for a browser under
any rules. From there on values are floats."""

BYTES_A_VALUE, MOST_MEGABYTES = 16 / 3, 64
"""A value has four bytes in base 64. A browser opens a page of 40 megabytes in seconds."""

WRITTEN = {"command": "explore", "connect": ""}
EXACT = WRITTEN | {"how": " exactly", "numbers": "All numbers are exact fractions"}
BOUNDED = WRITTEN | {
    "how": ", every number within a proved bound",
    "numbers": "All numbers are floats within proved bounds",
}
"""Words on the pages, by their places in the template."""

EVERY_RULES = tuple(Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS))

LONG = (
    Rules("points", "carryover", "random"),
    Rules("points", "carryover", "hidden"),
    Rules("win", "carryover", "hidden"),
)
"""The rules with the longest numbers. At six cards they make 27 of the 30 megabytes of all sixteen
sets; at five cards all sixteen take 0.6 megabytes."""


def rules_to_choose(n: int, first: Rules = PLAIN) -> list[Rules]:
    """Return the rules that a page offers: `first`, then every other whose numbers are short enough.

    Pages in floats, of more than six cards, offer `first` alone.

    >>> len(rules_to_choose(5)), len(rules_to_choose(6))
    (16, 13)
    """
    n, first = positive_integer(n, "n"), as_rules(first)
    if n > LARGEST:
        return [first]
    short = [rules for rules in EVERY_RULES if n < LARGEST or rules not in LONG]
    return [first, *(rules for rules in short if rules != first)]


def check_explorable(n: int, games: Sequence[Rules] = (PLAIN,)) -> None:
    """Refuse games whose page would be too large to handle.

    Raises:
        ValueError: with an estimate of its size.

    >>> check_explorable(9, [Rules("win", "carryover")])
    Traceback (most recent call last):
    ValueError: an explorer page must have at most 64 megabytes, got 440 of n = 9; gops-exact serve \
shows up to 13 cards
    """
    n, chosen = positive_integer(n, "n"), _chosen(games)
    if n > MOST_CARDS:
        raise ValueError(
            f"n must be at most {MOST_CARDS} for an explorer page, got {shown(n)}; "
            "gops-exact serve shows up to 13 cards"
        )
    values = sum(Run(Game(n, rules)).estimate(Float()).values for rules in chosen)
    megabytes = values * BYTES_A_VALUE / 1e6
    if n > LARGEST and megabytes > MOST_MEGABYTES:
        raise ValueError(
            f"an explorer page must have at most {MOST_MEGABYTES} megabytes, got {megabytes:.0f} of "
            f"n = {n}; gops-exact serve shows up to 13 cards"
        )


def _chosen(games: Sequence[Rules]) -> list[Rules]:
    return [as_rules(rules) for rules in items(games, "games", "a sequence of Rules")]


def explorer_page(
    n: int, games: Sequence[Rules] = (PLAIN,), *, progress: Progress | None = None
) -> Iterator[str]:
    """Write the explorer of the game of n cards: one HTML document, in pieces.

    Args:
        n: cards a side, at most 9; from 7 on values are floats with a proved bound.
        games: the rules to choose from, solved one after the other.
        progress: called with the work done and all the work there is.

    Raises:
        ValueError: if n is too large, or is not the number of prizes that rules name in order.
    """
    chosen = _chosen(games)
    check_explorable(n, chosen)
    function(progress, "progress")
    if n > LARGEST:
        yield _page(float_document(int(n), chosen, progress), ("floats.js", "held.js"), BOUNDED)
    else:
        yield _page(exact_document(int(n), chosen, progress), ("rational.js", "exact.js"), EXACT)


def served_page(n: int, games: Sequence[Rules]) -> str:
    """Return the page of a server of solutions: an HTML document that asks for ``solve``."""
    data = {"n": n, "games": [{"rules": asdict(rules)} for rules in games]}
    words = BOUNDED | {"command": "serve", "connect": "; connect-src 'self'"}
    return _page(data, ("floats.js", "served.js"), words)


def _page(data: Document, scripts: Sequence[str], words: Mapping[str, str]) -> str:
    """Return a page that reads `data`, with the scripts of its numbers and the words that tell of them."""
    folder = files("gops_exact.show") / "page"

    def part(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    return Template(part("template.html")).substitute(
        words,
        n=data["n"],
        cards="1 card" if data["n"] == 1 else f"{data['n']} cards",
        version=version("gops-exact"),
        css=part("explorer.css"),
        scripts="\n".join(['"use strict";', *map(part, (GAME_SCRIPT, *scripts, *VIEW_SCRIPTS))]),
        # The one sequence that would end the element that holds the data.
        data=json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
    )
