"""The explorer: one HTML page that holds a solved game, to look at and to play, and loads nothing.

The page holds every value exactly and every game's basis, the bids that are played. A basis takes
four bytes where the probabilities that follow from it take up to thousands of digits; the page solves
the linear system itself. Only the first moves, whose system takes a browser long, are fractions. The
page's own files are in the folder ``page``.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from importlib.resources import files
from itertools import product
from math import comb
from string import Template
from typing import Any

import numpy as np

from gops_exact.arguments import function, items, positive_integer, shown
from gops_exact.game.order_types import LONGEST, Layer, OrderTypes, counts, order_types, pairs_kept
from gops_exact.game.position import Node, Position, turns
from gops_exact.game.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Rules, as_rules
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.exact_slab import ExactSlab
from gops_exact.lattice.sweep import sweep
from gops_exact.matrix_game.basis import Basis
from gops_exact.numbers.pairs import Pair, from_pair
from gops_exact.schedule import Progress, part_of
from gops_exact.solver.cost import VALUE_BITS

SCRIPTS = ("rational.js", "game.js", "view.js", "explore.js", "play.js", "main.js")
"""The page's scripts, in the order in which they build on each other."""

LARGEST = 6
"""The most cards a side. The page of six cards has 13 megabytes under the rules with the longest
numbers, points with ties carried over; the values of seven are too many for a browser under any rules."""

EVERY_RULES = tuple(Rules(*each) for each in product(OBJECTIVES, TIES, ORDERS))

LONG = (
    Rules("points", "carryover", "random"),
    Rules("points", "carryover", "hidden"),
    Rules("win", "carryover", "hidden"),
)
"""The rules with the longest numbers. At six cards they make 27 of the 30 megabytes of all sixteen
sets; at five cards all sixteen take 0.6 megabytes."""

_DIGITS_A_BIT = 0.30103

Document = dict[str, Any]
"""A JSON object."""


def rules_to_choose(n: int, first: Rules = PLAIN) -> list[Rules]:
    """Return the rules that a page offers: `first`, then every other whose numbers are short enough.

    >>> len(rules_to_choose(5)), len(rules_to_choose(6))
    (16, 13)
    """
    n, first = positive_integer(n, "n"), as_rules(first)
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
    n = positive_integer(n, "n")
    if n > LARGEST:
        megabytes = _value_digits(min(n, LONGEST)) / 1e6
        size = f"{megabytes:,.0f} megabytes" if megabytes < 1e6 else "more than a terabyte"
        raise ValueError(
            f"n must be at most {LARGEST} for an explorer page, got {shown(n)}: "
            f"its values would fill {size}"
        )


def explorer_page(
    n: int, games: Sequence[Rules] = (PLAIN,), *, progress: Progress | None = None
) -> Iterator[str]:
    """Write the explorer of the game of n cards: one HTML document, in pieces.

    Args:
        n: cards a side, at most 6.
        games: the rules to choose from, solved one after the other.
        progress: called with the work done and all the work there is.

    Raises:
        ValueError: if n is too large, or is not the number of prizes that rules name in order.
    """
    check_explorable(n)
    chosen = [as_rules(rules) for rules in items(games, "games", "a sequence of Rules")]
    function(progress, "progress")
    data = explorer_data(int(n), chosen, progress)
    folder = files("gops_exact.show") / "page"

    def part(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    yield Template(part("template.html")).substitute(
        n=n,
        cards="1 card" if n == 1 else f"{n} cards",
        version=version("gops-exact"),
        css=part("explorer.css"),
        scripts="\n".join(map(part, SCRIPTS)),
        # The one sequence that would end the element that holds the data.
        data=json.dumps(data, separators=(",", ":")).replace("</", "<\\/"),
    )


def explorer_data(n: int, games: Sequence[Rules], progress: Progress | None = None) -> Document:
    """Solve games and return the document that the page reads.

    ``words[k]`` lists the order types of k cards a side; a slab's ``values`` and ``bases`` stand in
    that order. Bases are bit masks over the cards of a hand, ascending: rows and columns of the
    first upcard's game, of the second's, and so on.

    Args:
        n: cards a side.
        games: the rules to solve the game under.
        progress: called with the work done and all the work there is.

    >>> data = explorer_data(2, [Rules()])
    >>> data["words"]
    [[''], ['B', 'VY'], ['BB']]
    >>> data["games"][0]["slabs"]["2|0,0"]
    {'values': ['0', '-2'], 'bases': [[1, 1], [1, 1]]}
    """
    types = order_types(range(1, n + 1), range(1, n + 1), equal=True)
    work = [counts(n, rules).games for rules in games]
    solved = [
        _game(n, types, rules, part_of(progress, sum(work[:place]), work[place], sum(work)))
        for place, rules in enumerate(games)
    ]
    if progress is not None:
        progress(sum(work), sum(work))
    return {"n": n, "words": [layer.words() for layer in types.layers], "games": solved}


def _game(n: int, types: OrderTypes, rules: Rules, progress: Progress | None) -> Document:
    """Return every slab of the game under one set of rules, and its first moves."""
    root, arithmetic = Position.start(n, rules).node, ExactArithmetic()
    games = turns(rules, root)
    memo: dict[Node, ExactSlab] = {}
    sweep(types, games, rules, arithmetic, memo, progress)
    memo[root] = arithmetic.slab(types.root, games, memo)
    openings = {
        str(turn.upcard or "hidden"): _texts(arithmetic.opening(types.root, turn, memo).strategy)
        for turn in games
    }
    slabs = {
        slab_name(node): _slab(types.layers[len(node.prizes)], slab) for node, slab in memo.items()
    }
    return {"rules": asdict(rules), "slabs": slabs, "openings": openings}


def slab_name(node: Node) -> str:
    """Name a slab as the page looks it up: the prizes left, margin and pot.

    >>> from gops_exact.game.rules import State
    >>> slab_name(Node((1, 3), State(-2, 4)))
    '1 3|-2,4'
    """
    prizes, state = node
    return f"{' '.join(map(str, prizes))}|{state.margin},{state.pot}"


def _slab(layer: Layer, slab: ExactSlab) -> Document:
    kept = zip(layer.row_kept, layer.column_kept, slab.bases, strict=True)
    return {
        "values": _texts(slab.values),
        "bases": [_masks(rows, columns, bases) for rows, columns, bases in kept],
    }


def _masks(rows: np.ndarray, columns: np.ndarray, bases: tuple[Basis, ...]) -> list[int]:
    """Turn bases over the bids kept into bit masks over all cards."""
    masks = []
    for basis in bases:
        for kept, chosen in ((rows, basis.rows), (columns, basis.columns)):
            cards = kept.nonzero()[0]
            masks.append(sum(1 << int(cards[place]) for place in chosen))
    return masks


def _texts(pairs: Iterable[Pair]) -> list[str]:
    return [str(from_pair(pair)) for pair in pairs]


def _value_digits(n: int) -> float:
    """Estimate the decimal digits of all values of the game of n cards by the lengths measured."""
    digits = 0.0
    for size in range(1, n):
        pairs = pairs_kept(n, size)
        bits = VALUE_BITS[min(size, len(VALUE_BITS) - 1)]
        digits += comb(n, size) * pairs * 2 * bits * _DIGITS_A_BIT
    return digits
