"""The explorer: one HTML page to look at a solved game and to play it.

A page of few cards holds the game and loads nothing. Up to six cards it has every value exactly and
every game's basis, the bids that are played. A basis takes four bytes where the probabilities that
follow from it take up to thousands of digits; the page solves the linear system itself. Only the first
moves, whose system takes a browser long, are fractions. Up to nine cards it has values as 32-bit floats
and solves the games in floats with proved bounds. The page of a server, for up to 13 cards, asks it for
every position (:mod:`gops_exact.serve`). The page's own files are in the folder ``page``.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from importlib.resources import files
from itertools import product
from string import Template
from typing import Any

import numpy as np

from gops_exact.arguments import function, items, positive_integer, shown
from gops_exact.game.order_types import Layer, OrderTypes, counts, order_types
from gops_exact.game.position import Node, Position, turns
from gops_exact.game.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Rules, State, as_rules
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.exact_slab import ExactSlab
from gops_exact.lattice.sweep import sweep
from gops_exact.layers.cost import float_estimate
from gops_exact.layers.layer import FloatLayer
from gops_exact.layers.sweep import float_layers, whole_game
from gops_exact.matrix_game.basis import Basis
from gops_exact.numbers.pairs import Pair, from_pair
from gops_exact.schedule import Progress, part_of

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

Document = dict[str, Any]
"""A JSON object."""


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
    values = sum(float_estimate(n, rules).values for rules in chosen)
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
        yield _page(_held_data(int(n), chosen, progress), ("floats.js", "held.js"), BOUNDED)
    else:
        yield _page(explorer_data(int(n), chosen, progress), ("rational.js", "exact.js"), EXACT)


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


def explorer_data(n: int, games: Sequence[Rules], progress: Progress | None = None) -> Document:
    """Solve games and return the document that the page reads.

    ``words[k]`` lists the order types of k cards a side; a slab's ``values`` and ``bases`` stand in
    that order. Bases are bit masks over the cards of a hand, ascending: rows and columns of the
    first upcard's game, of the second's, and so on.

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


def _held_data(n: int, games: Sequence[Rules], progress: Progress | None) -> Document:
    """Solve games in floats and return the document that the page reads."""
    work = [float_estimate(n, rules).games for rules in games]
    held = []
    for place, rules in enumerate(games):
        part = part_of(progress, sum(work[:place]), work[place], sum(work))
        types = whole_game(n, rules, part)
        layers = list(float_layers(types, rules=rules, progress=part))
        words = [layer.words() for layer in types.layers[1:-1]]
        pairs = zip(words, layers, strict=True)
        held.append({"rules": asdict(rules), "layers": [_held(*each) for each in pairs]})
    return {"n": n, "games": held}


def _held(words: list[str], layer: FloatLayer) -> Document:
    """Return a layer: a line of values for each word, a column for each name, as 32-bit floats."""
    columns = layer.columns
    names = [
        slab_name(Node(prizes, State(margin, pot)))
        for prizes in columns.sets
        for pot in columns.pots(prizes)
        for radius in (columns.radius(prizes, pot),)
        for margin in range(-radius, radius + 1)
    ]
    values = (layer.values * layer.unit).astype("<f4").tobytes()
    return {
        "words": words,
        "names": names,
        "bound": float(layer.bounds.max()),
        "values": b64encode(values).decode(),
    }
