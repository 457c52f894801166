"""Solved games whole, as JSON documents: every value, with the bids that are played or a bound.

The explorer's pages read them (:mod:`gops_exact.show.explorer`).
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from gops_exact.cost import Run
from gops_exact.game.game import Game, Node
from gops_exact.game.order_types import Layer, counts, order_types
from gops_exact.game.rules import Rules, State
from gops_exact.lattice.exact import ExactSlab, ExactSystem
from gops_exact.lattice.sweep import Values
from gops_exact.layers.layer import FloatLayer
from gops_exact.layers.sweep import float_layers
from gops_exact.matrix_game.play import Basis
from gops_exact.numbers.raw import Pair, from_pair
from gops_exact.progress import Progress, part_of
from gops_exact.solutions.arithmetic import Float

Document = dict[str, Any]
"""A JSON object."""


def exact_document(n: int, games: Sequence[Rules], progress: Progress | None = None) -> Document:
    """Solve games and return the document that the page reads.

    ``words[k]`` lists the order types of k cards a side; a slab's ``values`` and ``bases`` stand in
    that order. Bases are bit masks over the cards of a hand, ascending: rows and columns of the
    first upcard's game, of the second's, and so on.

    >>> data = exact_document(2, [Rules()])
    >>> data["words"]
    [[''], ['B', 'VY'], ['BB']]
    >>> data["games"][0]["slabs"]["2|0,0"]
    {'values': ['0', '-2'], 'bases': [[1, 1], [1, 1]]}
    """
    types = order_types(range(1, n + 1), range(1, n + 1), equal=True)
    work = [counts(n, rules)[1] for rules in games]
    solved = [
        _game(n, types, rules, part_of(progress, sum(work[:place]), work[place], sum(work)))
        for place, rules in enumerate(games)
    ]
    if progress is not None:
        progress(sum(work), sum(work))
    return {"n": n, "words": [layer.words() for layer in types], "games": solved}


def _game(n: int, types: tuple[Layer, ...], rules: Rules, progress: Progress | None) -> Document:
    """Return every slab of the game under one set of rules, and its first moves."""
    game, system = Game(n, rules), ExactSystem()
    values = Values(types, rules, system)
    values.sweep(game.turns.values(), progress)
    openings = {
        str(turn.upcard or "hidden"): _texts(system.play(types[-1], turn, values).row)
        for turn in game.turns.values()
    }
    values.fill(game.start.node)
    slabs = {
        slab_name(node): _slab(values.layer(node), values[node])
        for node in sorted(values, key=lambda node: (len(node.prizes), node))
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


def float_document(n: int, games: Sequence[Rules], progress: Progress | None = None) -> Document:
    """Solve games in floats and return the document that the page reads."""
    work = [Run(Game(n, rules)).estimate(Float()).games for rules in games]
    held = []
    for place, rules in enumerate(games):
        part = part_of(progress, sum(work[:place]), work[place], sum(work))
        game = Game(n, rules)
        layers = list(float_layers(game, progress=part))
        words = [layer.words() for layer in game.types[1:-1]]
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
