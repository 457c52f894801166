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

from gops_exact.game.game import Game, Position, Turn
from gops_exact.game.order_types import Layer, order_types
from gops_exact.lattice.ball import BallSystem
from gops_exact.lattice.exact import BALL_BITS
from gops_exact.lattice.sweep import EnclosedSlab
from gops_exact.layers.blocks import Solver, on_threads
from gops_exact.layers.bounds import float_layer
from gops_exact.layers.files import LayerFile
from gops_exact.layers.layer import FloatLayer, columns_below, layer_games, layer_values
from gops_exact.matrix_game.play import Play
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.pools import available_cores
from gops_exact.progress import Progress, part_of

MANY_BYTES = 4 * 10**9
"""Where two layers of floats take more than this, values of won games are kept as integers."""


def float_layers(
    problem: Game | Position,
    types: tuple[Layer, ...] | None = None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
    keep: bool = False,
    solver: Solver | None = None,
    integers: bool | None = None,
) -> Iterator[FloatLayer]:
    """Yield every layer below the start of a game, or below a position, smallest hands first.

    Args:
        problem: the game, or the position.
        types: its order types, by default all that it leads to, each once.
        jobs: threads; by default as many as there are cores.
        progress: called with the games solved and all there are.
        folder: keep the layers of a game in mapped files there. The sweep begins with the highest layer
            that is found finished, and those below it may be missing. The last two layers stay.
        keep: let all layers stay there, and make those that are missing.
        solver: solves the games; by default `jobs` threads.
        integers: keep values as integers; by default if a game takes much memory, see
            :class:`gops_exact.Float`.

    Raises:
        ValueError: if a file in the folder is damaged, or of another run.
        OSError: if the disk is full.
    """
    top = columns_below(problem)
    if progress is not None and top.size > 0:
        # Listing the order types of 13 cards takes seconds.
        progress(0, sum(layer_games(problem)) if isinstance(problem, Game) else 1)
    if types is None:
        types = order_types_of(problem)
    if integers is None:
        integers = isinstance(problem, Game) and kept_as_integers(problem)
    if solver is None:
        solver = partial(on_threads, jobs or available_cores())
    columns = [top]
    while columns[0].size > 0:
        columns.insert(0, columns[0].below)
    games = [len(types[k]) * columns[k].games for k in range(1, len(columns))]
    first, below = 1, None
    if folder is not None and not keep:
        finished = (k for k in range(1, len(columns)) if LayerFile.is_complete(folder, columns[k]))
        first = max(finished, default=1)
    for k in range(first, len(columns)):
        layer, file = types[k], None
        if folder is not None:
            if k > max(first, 2) and not keep:
                LayerFile.remove(folder, columns[k - 2])
            seal = b"" if below is None else below.seal
            file = LayerFile(folder, columns[k], len(layer), below=seal, integers=integers)
        below = float_layer(
            layer,
            columns[k],
            below,
            solver=solver,
            progress=part_of(progress, sum(games[: k - 1]), games[k - 1], sum(games)),
            file=file,
            integers=integers,
        )
        yield below
    if progress is not None and games:  # the last layer may have been on file
        progress(sum(games), sum(games))


def order_types_of(problem: Game | Position) -> tuple[Layer, ...]:
    """Return the pairs of hands that a game or a position leads to."""
    if isinstance(problem, Game):
        return problem.types
    return order_types(problem.one, problem.two, equal=problem.rules.winning)


def kept_as_integers(game: Game) -> bool:
    """Decide whether values are kept as 32-bit integers by default, to take less memory.

    >>> from gops_exact.game.rules import Rules
    >>> kept_as_integers(Game(11, Rules("win"))), kept_as_integers(Game(12, Rules("win")))
    (False, True)
    """
    two = max(map(sum, pairwise([0, *layer_values(game)[1:], 0])))
    return game.rules.winning and 8 * two > MANY_BYTES


def opening(layer: Layer, turn: Turn, below: FloatLayer | None) -> Play[BoundedFloat]:
    """Return the first move of the whole game, whose one pair of hands `layer` holds.

    If no basis is proved, every probability is 1/2 with radius 1/2.
    """
    slabs = {}
    if below is not None:
        for node in turn.nodes:
            off = below.bound(node.prizes)
            slabs[node] = EnclosedSlab([arb(value, off) for value in below.slab(*node).tolist()])
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
