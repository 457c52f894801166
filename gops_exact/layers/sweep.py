"""The recursion in floats, a layer at a time, up to the opening.

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

and by other rules as in :mod:`~gops_exact.lattice.sweep`. The layer of all hands of k cards
needs the layer below and nothing else. Its games are solved over blocks of pairs of hands in
parallel (:mod:`~gops_exact.layers.blocks`), with a bound on the error of every value
(:mod:`~gops_exact.layers.bounds`). At the opening the bounded values become balls: a basis is proved
optimal for every payoff matrix within them, so probabilities outside it are zeros.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from math import inf, nextafter
from pathlib import Path

from flint import arb

from gops_exact.game.order_types import Layer, OrderTypes, order_types
from gops_exact.game.position import Turn
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.lattice.ball import BallSlab, BallSystem
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.layers.blocks import Solver, on_threads
from gops_exact.layers.bounds import float_layer
from gops_exact.layers.earlier import adopt, is_earlier, read
from gops_exact.layers.files import LayerFile, layer_name
from gops_exact.layers.layer import Columns, FloatLayer, float_values
from gops_exact.matrix_game.play import Play
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.pools import available_cores
from gops_exact.progress import Progress, part_of

MANY_BYTES = 4 * 10**9
"""Where two layers of floats take more than this, values of won games are kept as integers."""


def whole_game(n: int, rules: Rules = PLAIN, progress: Progress | None = None) -> OrderTypes:
    """Return the pairs of hands of the game of n cards.

    `progress` is that of the sweep to come, which begins here: listing those of 13 cards takes seconds.
    """
    if progress is not None and n > 1:
        values = float_values(n, rules)
        draws = range(n) if rules.prizes == "random" else [1] * n
        progress(0, sum(count * times for count, times in zip(values, draws, strict=True)))
    return order_types(range(1, n + 1), range(1, n + 1), equal=rules.winning)


def float_layers(
    types: OrderTypes,
    *,
    rules: Rules = PLAIN,
    jobs: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
    keep: bool = False,
    solver: Solver | None = None,
    integers: bool | None = None,
) -> Iterator[FloatLayer]:
    """Yield every layer of a whole game below its opening, smallest hands first.

    Args:
        types: the order types of the hands 1 … n against themselves; see :func:`whole_game`.
        rules: the rules.
        jobs: threads; by default as many as there are cores.
        progress: called with the games solved and all there are.
        folder: keep layers in mapped files there. The sweep begins with the highest layer that is
            found finished, and those below it may be missing. The last two layers stay.
        keep: let all layers stay there, and make those that are missing.
        solver: solves the games; by default `jobs` threads.
        integers: keep values as integers; see :class:`gops_exact.Float`.

    Raises:
        ValueError: if a file in the folder is damaged, or of another run.
        OSError: if the disk is full.
    """
    n = types.root.size
    whole = kept_as_integers(n, rules) if integers is None else integers
    first = 1 if folder is None or keep else _highest_complete(folder, n, rules)
    games = [0, *(layer_games(types, k, rules) for k in range(1, n))]
    total = sum(games)
    below: FloatLayer | None = None
    for k in range(first, n):
        columns = columns_of(n, k, rules)
        file = None
        if folder is not None:
            if k > max(first, 2) and not keep:
                LayerFile.remove(folder, layer_name(n, k - 2, rules))
            seal = b"" if below is None else below.seal
            file = LayerFile(folder, columns, len(types.layers[k]), below=seal, integers=whole)
            if is_earlier(file):
                if k == first > 1:
                    below = _unsealed(folder, types.layers[k - 1], columns, integers=whole)
                adopt(file, types.layers[k], below)
        below = float_layer(
            *(types.layers[k], columns, below),
            solver=solver or partial(on_threads, jobs or available_cores()),
            progress=part_of(progress, sum(games[:k]), games[k], total),
            file=file,
            integers=whole,
        )
        yield below
    if progress is not None and total:  # the last layer may have been on file
        progress(total, total)


def layers_below(
    types: OrderTypes, columns: Columns, *, jobs: int = 1, progress: Progress | None = None
) -> Iterator[FloatLayer]:
    """Yield every layer that a position leads to, smallest hands first.

    Args:
        types: the order types of the position's hands, of one card more than the columns at least.
        columns: of the largest hands.
        jobs: threads.
        progress: called with the games solved and all there are.
    """
    sizes = range(1, columns.size + 1)
    games = [0, *(len(types.layers[k]) * columns.at(k).games for k in sizes)]
    below: FloatLayer | None = None
    for k in sizes:
        below = float_layer(
            *(types.layers[k], columns.at(k), below),
            solver=partial(on_threads, jobs),
            progress=part_of(progress, sum(games[:k]), games[k], sum(games)),
        )
        yield below


def columns_of(n: int, k: int, rules: Rules) -> Columns:
    """Return the columns of the layer of k cards of the game of n."""
    return Columns(rules, rules.arranged(range(1, n + 1)), k)


def layer_games(types: OrderTypes, k: int, rules: Rules = PLAIN) -> int:
    """Count the games of the layer of k cards a side.

    >>> layer_games(order_types(range(1, 4), range(1, 4)), 2)
    18
    """
    return len(types.layers[k]) * columns_of(types.root.size, k, rules).games


def kept_as_integers(n: int, rules: Rules) -> bool:
    """Decide whether values are kept as 32-bit integers by default, to take less memory.

    >>> kept_as_integers(11, Rules("win")), kept_as_integers(12, Rules("win"))
    (False, True)
    """
    two = max(map(sum, pairwise([0, *float_values(n, rules)[1:], 0])))
    return rules.winning and 8 * two > MANY_BYTES


def _unsealed(folder: Path, layer: Layer, above: Columns, *, integers: bool) -> FloatLayer:
    """Return the layer beside which one without a seal is checked; a ValueError if it is not there."""
    columns = columns_of(len(above.deck), layer.size, above.rules)
    name = layer_name(len(above.deck), layer.size, above.rules)
    if not LayerFile.is_complete(folder, name):
        raise ValueError(
            f"{folder} was left by an earlier version, and its last layer cannot be checked without "
            f"{name}; delete all to start anew"
        )
    file = LayerFile(folder, columns, len(layer), integers=integers)
    found = None if is_earlier(file) else file.completed()
    return read(file) if found is None else found


def _highest_complete(folder: Path, n: int, rules: Rules) -> int:
    """Return the size of the highest finished layer in a folder, 1 if there is none."""
    complete = (k for k in range(1, n) if LayerFile.is_complete(folder, layer_name(n, k, rules)))
    return max(complete, default=1)


def opening(layer: Layer, turn: Turn, below: FloatLayer | None) -> Play[BoundedFloat]:
    """Return the first move of the whole game, whose one pair of hands `layer` holds.

    If no basis is proved, every probability is 1/2 with radius 1/2.
    """
    slabs = {}
    if below is not None:
        for node in turn.nodes:
            off = below.bound(node.prizes)
            slabs[node] = BallSlab([arb(value, off) for value in below.slab(*node).tolist()])
    found = BallSystem(BALL_BITS).play(layer, turn, slabs)
    return replace(found.converted(as_float), method="")


def as_float(ball: arb) -> BoundedFloat:
    """Return a float and a radius around it that hold every number of the ball.

    >>> as_float(arb(0.25)).radius, as_float(arb(0.25, 0.5)).radius > 0.5
    (0.0, True)
    """
    middle = float(ball.mid())
    off = (ball - arb(middle)).abs_upper()
    return BoundedFloat(middle, 0.0 if off == 0 else nextafter(float(off), inf))
