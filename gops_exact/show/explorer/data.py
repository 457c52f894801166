"""What the explorer's page holds of a solved game: every value exactly, every game's basis.

A basis, the bids that are played, takes four bytes where the probabilities that follow from it
take up to thousands of digits, and the page solves the linear system itself. Only first moves,
whose system is long work for a browser, are there as fractions.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from gops_exact.game.order_types import Layer, OrderTypes, order_types
from gops_exact.game.rules import Rules
from gops_exact.game.turns import Node, turns
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.exact_slab import ExactSlab
from gops_exact.lattice.sweep import sweep
from gops_exact.matrix_game.basis import Basis
from gops_exact.numbers.pairs import Pair, from_pair
from gops_exact.schedule import Progress

Document = dict[str, Any]
"""A JSON object."""


def explorer_data(n: int, games: Sequence[Rules], progress: Progress | None = None) -> Document:
    """The document that the page reads.

    ``words[k]`` lists the order types of k cards a side; a slab's ``values`` and ``bases`` stand in
    that order. Bases are bit masks over the cards of a hand, ascending: rows and columns of the
    first upcard's game, of the second's, and so on.

    Args:
        n: cards a side.
        games: the rules to solve the game under.
        progress: told how many of them are solved, and how many there are.

    >>> data = explorer_data(2, [Rules()])
    >>> data["words"]
    [[''], ['B', 'VY'], ['BB']]
    >>> data["games"][0]["slabs"]["2|0,0"]
    {'values': ['0', '-2'], 'bases': [[1, 1], [1, 1]]}
    """
    types = order_types(range(1, n + 1), range(1, n + 1), equal=True)
    solved = []
    for rules in games:
        solved.append(_game(n, types, rules))
        if progress is not None:
            progress(len(solved), len(games))
    return {"n": n, "words": [layer.words() for layer in types.layers], "games": solved}


def _game(n: int, types: OrderTypes, rules: Rules) -> Document:
    """Every slab of the game under one set of rules, and its first moves."""
    prizes, _ = rules.deal(n)
    root, arithmetic = Node(prizes), ExactArithmetic()
    games = turns(rules, root)
    memo: dict[Node, ExactSlab] = {}
    sweep(types, games, rules, arithmetic, memo)
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
    """The prizes that are left, and the margin and pot, as the page looks them up.

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
    """Bases over the bids kept as bit masks over all cards."""
    masks = []
    for basis in bases:
        for kept, chosen in ((rows, basis.rows), (columns, basis.columns)):
            cards = kept.nonzero()[0]
            masks.append(sum(1 << int(cards[place]) for place in chosen))
    return masks


def _texts(pairs: Iterable[Pair]) -> list[str]:
    return [str(from_pair(pair)) for pair in pairs]
