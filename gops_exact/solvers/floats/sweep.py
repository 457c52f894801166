"""The recursion in floats, a layer at a time, up to the opening, with proved bounds on the errors.

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

and by other rules as in :mod:`~gops_exact.solvers.exact.lattice`. The layer of all hands of k cards
needs the layer below and nothing else. Its games are solved over blocks of pairs of hands. None looks
at another of its layer, so blocks may be solved in any order, by threads or by other machines.

For every prize set there is a bound on the error of all its values, of whatever state; docs/method.md,
"Floats with a proved radius", has the formula and its proof. The bound itself is computed in floats, a sum
of a few dozen positive terms, and multiplied by :data:`INFLATE`.

At the opening the bounded values become balls: a basis is proved optimal for every payoff matrix within
them, so probabilities outside it are zeros.
"""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise
from math import isfinite
from pathlib import Path

import numpy as np
from flint import arb

from gops_exact.base.machine import available_cores
from gops_exact.base.pools import Threads
from gops_exact.base.progress import Progress, part_of
from gops_exact.game.game import Game, Position, Turn
from gops_exact.game.order_types import Layer, order_types
from gops_exact.matrix_game.basis import Play
from gops_exact.solvers.exact.ball import BallSystem
from gops_exact.solvers.exact.lattice import EnclosedSlab
from gops_exact.solvers.exact.rational import BALL_BITS
from gops_exact.solvers.floats.layer import (
    COUNTS,
    NARROW,
    Columns,
    Done,
    FloatLayer,
    Stored,
    columns_below,
    layer_games,
    layer_values,
    no_cards,
    unit_of,
)
from gops_exact.solvers.floats.layer_files import LayerFile

INFLATE = 1.0 + 2.0**-40
"""More than 1 plus the relative rounding error of a bound's own arithmetic, a few dozen operations."""

MANY_BYTES = 4 * 10**9
"""Where two layers of floats take more than this, values of won games are kept as integers."""

BLOCKS = 64
"""Tasks a layer is cut into, so that no thread waits long for the last one."""

BLOCK_GAMES = (20_000, 4_000_000)
"""The fewest games worth a task, some milliseconds, and the most, some tenths of a second."""

Block = tuple[int, int]
"""A run of pairs of hands: the first one, and past the last one."""


@dataclass(frozen=True, eq=False)
class LayerTask:
    """The games of one layer, to be solved."""

    layer: Layer  # the pairs of hands
    columns: Columns  # of the layer's values
    source: Stored  # shape (H', W'); the values of the layer below
    tolerance: float  # width at which a bracket will do
    values: Stored  # shape (H, W); where the layer's values go, kept as those of the source are
    file: LayerFile | None = None  # they are mapped from it


Solver = Callable[[LayerTask, list[Block]], Iterator[Done]]
"""Solves blocks of a layer in any order, and yields the result of each after its lines are written."""


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
        types: the order types of its layers; by default those of all hands that it leads to.
        jobs: threads; by default as many as there are cores.
        progress: progress(done, total), in games.
        folder: keep the layers of a game in mapped files there. The sweep begins with the highest layer
            that is finished; those below it may be missing. The last two layers stay.
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
    if integers is None:
        integers = isinstance(problem, Game) and kept_as_integers(problem)
    if isinstance(problem, Game):
        types = problem.types if types is None else types
    elif types is None:
        types = order_types(problem.one, problem.two, equal=problem.rules.winning)
    if solver is None:
        solver = partial(on_threads, jobs or available_cores())
    columns = [top]
    while columns[0].size > 0:
        columns.insert(0, columns[0].below)
    games = [len(types[k]) * columns[k].games for k in range(1, len(columns))]
    below = no_cards(columns[0], integers=integers)
    first = 1
    if folder is not None and not keep:
        finished = (k for k in range(1, len(columns)) if LayerFile.is_complete(folder, columns[k]))
        first = max(finished, default=1)
    for k in range(first, len(columns)):
        layer, file = types[k], None
        if folder is not None:
            if k > max(first, 2) and not keep:
                LayerFile.remove(folder, columns[k - 2])
            file = LayerFile(folder, columns[k], len(layer), below=below.seal, integers=integers)
        part = part_of(progress, sum(games[: k - 1]), games[k - 1], sum(games))
        below = float_layer(layer, columns[k], below, solver=solver, progress=part, file=file)
        yield below
    if progress is not None and games:  # the last layer may have been on file
        progress(sum(games), sum(games))


def float_layer(
    layer: Layer,
    columns: Columns,
    below: FloatLayer,
    *,
    solver: Solver,
    progress: Progress | None = None,
    file: LayerFile | None = None,
) -> FloatLayer:
    """Return the values of every pair of hands in `layer` for every prize set and state.

    Args:
        layer: the pairs of hands, k ≥ 1 cards a side.
        columns: the columns of this layer.
        below: the values for hands of k − 1 cards; these are kept as those are.
        solver: solves blocks of games.
        progress: progress(done, total), in games of this layer.
        file: keeps the values; blocks that it holds are not solved again.

    Raises:
        ValueError: if what is in the file is damaged, or of another run.
        OSError: if the disk is full.
        ArithmeticError: if a number is not finite.
    """
    if file is not None and (finished := file.completed()) is not None:
        return finished
    source = below.values
    values = np.zeros((len(layer), columns.width), source.dtype) if file is None else file.values
    k, unit, rules = columns.size, unit_of(values), columns.rules
    # A bound on the payoffs, A: to win 1, for points the largest stake and the largest value below.
    stake = float(columns.points if rules.carries else max(columns.deck))
    largest = max(1.0, below.greatest) if rules.winning else stake + below.greatest
    # Where prizes are hidden the games that are solved are sums over them.
    tolerance = largest * NARROW * (k if rules.hidden else 1)
    task = LayerTask(layer, columns, source, tolerance, values, file)
    widths, counts = np.zeros(len(columns.sets)), np.zeros(COUNTS, dtype=np.int64)
    pairs, games, solved = len(layer), columns.games, 0
    with nullcontext() if file is None else file.alone():
        earlier = [] if file is None else file.finished()
        known = {(done.start, done.stop) for done in earlier}
        least, most = BLOCK_GAMES
        # Below a position where every round decides the game there are none.
        step = max(1, min(max(pairs * games // BLOCKS, least), most) // max(games, 1))
        todo = [(start, min(start + step, pairs)) for start in range(0, pairs * (games > 0), step)]
        left = [block for block in todo if block not in known]
        for done in chain(earlier, solver(task, left) if left else ()):
            np.maximum(widths, done.half_widths, out=widths)
            counts += done.counts
            solved += done.stop - done.start
            if (done.start, done.stop) in known:
                continue
            if file is not None:
                file.keep(done)
            if progress is not None:
                progress(solved * games, pairs * games)
    rounding = gamma(3 * k + 8) * largest
    # The errors of the layer below: the value of a game changes by no more than its payoffs do.
    inherited = np.array(
        [
            np.mean([below.bound(draw.rest) for draw in columns.draws(prizes)])
            for prizes in columns.sets
        ]
    )
    bounds = (inherited + widths + rounding) * INFLATE
    if unit < 1.0:
        bounds += 0.5 * unit * INFLATE
    greatest = max(float(values.max(initial=0)), -float(values.min(initial=0))) * unit
    if not (isfinite(greatest) and np.isfinite(bounds).all()):
        raise ArithmeticError(f"a value of the layer of {k} cards is not finite")
    result = FloatLayer(columns, values, bounds, counts + below.counts, greatest)
    return result if file is None else file.complete(result)


def on_threads(jobs: int, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
    """Solve blocks on `jobs` threads of this process, and yield their results in order."""
    solve_block(task, (0, 0))  # compiles in this thread, which an interrupt reaches
    return Threads(jobs).map(partial(solve_block, task), todo)


def solve_block(task: LayerTask, block: Block) -> Done:
    """Solve the games of a run of pairs of hands, and write their lines.

    Raises:
        ValueError: if the arrays are not those of the two layers: the kernels do not look where
            they read and write.
    """
    from gops_exact.solvers.floats.kernels.assemble import TO_INTEGER, runs, sweep_types
    from gops_exact.solvers.floats.kernels.settle import scratch

    layer, columns, values, source = task.layer, task.columns, task.values, task.source
    for name, array, shape in (
        ("values", values, (len(layer), columns.width)),
        ("the layer below", source, (max(layer.below, 1), columns.below.width)),
    ):
        if (array.shape, array.dtype) != (shape, values.dtype):
            raise ValueError(
                f"{name} must be of shape {shape} and {values.dtype}, "
                f"got {array.shape} and {array.dtype}"
            )
    unit, counts = unit_of(values), np.zeros(COUNTS, dtype=np.int64)
    sums = np.zeros((3, columns.width))
    sweep_types(
        *block,
        layer.sign,
        layer.child,
        layer.row_kept,
        layer.column_kept,
        source,
        runs(columns, unit),
        TO_INTEGER if unit < 1.0 else 0.0,
        task.tolerance / unit,
        scratch(layer.size),
        sums,
        values,
        counts,
    )
    return Done(*block, np.maximum.reduceat(sums[2], columns.first[:-1]) * unit, counts)


def gamma(roundings: int) -> float:
    """Return γ_n = nu/(1 − nu), the largest relative error of n roundings."""
    u = 2.0**-53  # half the distance from 1 to the next float
    return roundings * u / (1.0 - roundings * u)


def kept_as_integers(game: Game) -> bool:
    """Decide whether values are kept as 32-bit integers by default, to take less memory.

    >>> from gops_exact.game.rules import Rules
    >>> kept_as_integers(Game(11, Rules("win"))), kept_as_integers(Game(12, Rules("win")))
    (False, True)
    """
    two = max(map(sum, pairwise([0, *layer_values(game)[1:], 0])))
    return game.rules.winning and 8 * two > MANY_BYTES


def opening(layer: Layer, turn: Turn, below: FloatLayer) -> Play[arb]:
    """Return the first move of the whole game, whose one pair of hands `layer` holds.

    If no basis is proved, every probability is 1/2 with radius 1/2.
    """
    slabs = {}
    for node in turn.nodes:
        off = below.bound(node.prizes)
        slabs[node] = EnclosedSlab([arb(value, off) for value in below.slab(*node).tolist()])
    return BallSystem(BALL_BITS).play(layer, turn, slabs)._replace(method="")
