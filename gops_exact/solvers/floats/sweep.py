"""The recursion in floats up to the bid of the first round, with proved bounds on the errors.

Words used here:

* A *layer* has the values of all positions with the same number of cards a side. It is an array with a line for each
  pair of hands, and a column for each prize set and state. The class :class:`~gops_exact.game.order_types.Layer` has
  the pairs of hands, :class:`~gops_exact.solvers.floats.layer.Columns` the prize sets and states, and
  :class:`~gops_exact.solvers.floats.layer.FloatLayer` the values.
* A *prize set* is the set of the prizes left.
* A *state* is the margin and the pot. The *margin* is player one's points minus player two's; it is always 0 if the
  objective is points. The *pot* is the sum of the prizes carried over from ties.
* A *block* is a range of neighbouring pairs of hands in a layer, whose games are solved by one task.
* A *stage game* is a round: its upcard (the prize turned up), and its three results.
* A *ball* is an interval, given by its midpoint and its radius, that is proved to contain the true number.
* A *basis* is a choice of equally many rows and columns of a matrix game, which determines a strategy of each player.

The values are computed layer by layer, from 1 card a side on. Under the default rules the recursion is

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

F[P][h] is the value of the pair of hands h with the prizes P. S[h], child[h] and sgn[h] are matrices with an entry
for each pair of bids. An entry of S[h] is 1 if player one's bid is higher, −1 if it is lower, and 0 if the bids are
equal. An entry of child[h] is the stored pair of hands after the round. An entry of sgn[h] is −1 if the stored pair has
the players swapped, 0 if both hands are equal after the round, and 1 otherwise.
:mod:`~gops_exact.solvers.exact.lattice` explains other rules.

A layer depends only on the layer *below*, which has one card less a side. No game depends on another game of its layer,
so blocks may be solved in any order, by threads or by other machines. A cluster solves the same blocks as threads of
one machine, so the results are the same to the last bit. Each worker process of a cluster receives the layer below in a
message, and returns the values of each block. If the layers are in a folder, this process keeps a journal of finished
blocks there, so a run that was killed can be continued with or without a cluster.

Every prize set has one bound on the errors of its values in all states; docs/method.md, "Floats with a proved
radius", has the formula and its proof. The bound itself is computed in floats, and then multiplied by :data:`INFLATE`.

In the first round, every payoff becomes a ball. If a basis is proved to be optimal for every payoff matrix within the
balls, the probabilities of bids outside the basis are exactly 0.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, pairwise
from math import inf, isfinite
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from gops_exact.base.progress import Progress, part_of
from gops_exact.game.game import Game, Outcomes, Position, StageGame
from gops_exact.game.order_types import Layer, order_types
from gops_exact.game.rules import EVERY_WINNER
from gops_exact.matrix_game.basis import Play, propose, prove_row
from gops_exact.matrix_game.simplex import enclosed
from gops_exact.numbers.exact import average
from gops_exact.numbers.kinds import tidy
from gops_exact.solvers.arithmetic import BALL_BITS, FLOAT, Float
from gops_exact.solvers.floats.kernels import quickest
from gops_exact.solvers.floats.kernels.assemble import TO_INTEGER, runs, sweep_types
from gops_exact.solvers.floats.kernels.vectors import scratch
from gops_exact.solvers.floats.layer import (
    COUNTS,
    NARROW,
    Columns,
    Done,
    FloatLayer,
    Floats,
    Stored,
    columns_below,
    layer_counts,
    no_cards,
    unit_of,
)

if TYPE_CHECKING:
    from distributed import Future

    from gops_exact.base.cluster import Cluster
    from gops_exact.solvers.floats.layer_files import LayerFile

INFLATE = 1.0 + 2.0**-40
"""The factor by which a computed bound is enlarged, so that it remains a bound in spite of rounding. A bound is
computed by a few dozen operations, whose relative rounding errors are in all far below 2⁻⁴⁰."""

MANY_BYTES = 4 * 10**9
"""The number of bytes above which values of games to win are stored as 32-bit integers by default. It is compared with
the size, as floats, of the largest two neighbouring layers together."""

BLOCKS = 64
"""The number of blocks that a layer is divided into, unless the blocks would then be smaller or larger than
:data:`BLOCK_GAMES` permits. It is large, so that no thread waits long for the last block."""

BLOCK_GAMES = (20_000, 4_000_000)
"""The smallest and the largest number of matrix games in a block. They take some milliseconds, and some tenths of a
second. A block has at least one pair of hands, whose games may be more, and the last block of a layer may be smaller."""

Block = tuple[int, int]
"""A range of pairs of hands: the index of the first pair, and one past the index of the last pair."""


BLOCKS_AHEAD = 3
"""The number of blocks sent in advance for each thread of the workers of a cluster. It is larger than
:data:`~gops_exact.base.cluster.AHEAD`, because a block takes less time than a task of the exact solver."""

listed = lru_cache(maxsize=1)(lambda columns: columns)
"""Function that returns the :class:`Columns` of its last call if its argument is equal to these, else its argument. A
worker receives each block with a copy of the layer's columns. Thanks to this function all blocks of a layer use one
copy, and the lists that are cached in it."""

PYTHON_SECONDS = 1e-4
"""The core time, in seconds, that the Python kernel takes for one matrix game of a sweep. Measured on an AMD EPYC, with
five to eight cards."""

Sweep = Callable[..., None]
"""The kernel :func:`~gops_exact.solvers.floats.kernels.assemble.sweep_types`, compiled or not."""


@dataclass(frozen=True, eq=False)
class LayerTask:
    """The task to solve the games of one layer, from the values of the layer below."""

    layer: Layer  # the H pairs of hands
    columns: Columns  # the W columns of the layer's values
    source: Stored  # the values of the layer below, with a row for each of its pairs of hands
    tolerance: float  # the width up to which the interval around a game's value counts as narrow
    values: Stored  # shape (H, W), written; the layer's values, of the dtype of `source`


BlockSolver = Callable[[LayerTask, list[Block]], Iterator[Done]]
"""Function that solves blocks of a task in any order, and yields the result of each once its values are written."""


def float_layers(
    problem: Game | Position,
    kind: Float = FLOAT,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    solver: BlockSolver | None = None,
) -> Iterator[FloatLayer]:
    """Yield the layers below a game or a position, from 1 card a side to one card less than the game or position has.

    Layers of a game can be stored in the folder ``kind.folder``. If ``kind.keep`` is True, all layers stay there: those
    that are finished in the folder are read, the others are computed. If ``kind.keep`` is False, the first layer that
    is yielded is the highest one that is finished in the folder, if any is, and layer k − 2 is deleted before layer k
    is computed.

    Args:
        problem: the game, or the position. Layers below a position are in memory, so for a position `kind` must name no
            folder.
        kind: the options of floats. If `integers` is None, :func:`kept_as_integers` decides for a game; values below a
            position are then stored as floats.
        jobs: the number of threads; None for the number of cores.
        progress: called as progress(done, total), in matrix games.
        solver: the function that solves the games; None for one that uses `jobs` threads.

    Raises:
        StoreError: if a file in the folder is damaged, or belongs to another run.
        OSError: if the disk is full.
        ValueError: if another run computes the same layer in the folder, if the folder cannot be created, or if
            something other than a file is at a path of a layer.
        ArithmeticError: if a value or a bound is not finite.
    """
    top = columns_below(problem)
    if progress is not None and top.size > 0:
        # Progress is reported before the order types are listed, which takes seconds with 13 cards.
        progress(0, sum(layer_counts(problem)[2]) if isinstance(problem, Game) else 1)
    folder, integers = None if kind.folder is None else Path(kind.folder), kind.integers
    if integers is None:
        integers = isinstance(problem, Game) and kept_as_integers(problem)
    if isinstance(problem, Game):
        types = problem.types
    else:
        types = order_types(problem.one, problem.two, equal=problem.rules.winning)
    columns = [top]
    while columns[0].size > 0:
        columns.insert(0, columns[0].below)
    games = [len(types[k]) * columns[k].games for k in range(1, len(columns))]
    if solver is None:
        sweep = quickest(sweep_types, PYTHON_SECONDS * sum(games))
        solver = partial(on_threads, jobs, sweep=sweep)
    below = no_cards(columns[0], integers=integers)
    first = 1
    if folder is not None:
        # Imported here, because most runs have no folder.
        from gops_exact.solvers.floats.layer_files import LayerFile, layer_paths

        if not kind.keep:
            sizes = range(1, len(columns))
            finished = (k for k in sizes if LayerFile.is_finished(folder, columns[k]))
            first = max(finished, default=1)
    for k in range(first, len(columns)):
        layer, file = types[k], None
        if folder is not None:
            # Layer k needs layer k − 1 only. To save space, layer k − 2 is deleted before room for layer k is reserved.
            if k > max(first, 2) and not kind.keep:
                # The bounds are deleted first: a layer without bounds counts as unfinished.
                for path in reversed(layer_paths(folder, columns[k - 2])):
                    path.unlink(missing_ok=True)
            file = LayerFile(folder, columns[k], layer.keys, below=below.seal, integers=integers)
        part = part_of(progress, sum(games[: k - 1]), games[k - 1], sum(games))
        below = float_layer(layer, columns[k], below, solver=solver, progress=part, file=file)
        yield below
    if progress is not None and sum(games) > 0:  # layers read from files have reported no progress
        progress(sum(games), sum(games))


def float_layer(
    layer: Layer,
    columns: Columns,
    below: FloatLayer,
    *,
    solver: BlockSolver,
    progress: Progress | None = None,
    file: "LayerFile | None" = None,
) -> FloatLayer:
    """Compute the values of every pair of hands in `layer` for every prize set and state, with bounds on their errors.

    A state is the margin (player one's points minus player two's) and the pot (the points carried over from ties).

    Args:
        layer: the pairs of hands, k ≥ 1 cards a side.
        columns: the prize sets and states of this layer.
        below: the layer of k − 1 cards; its values and the new ones have the same dtype.
        solver: the function that solves the games.
        progress: called as progress(done, total), in matrix games of this layer.
        file: the files of the layer; None for a layer in memory. Blocks of pairs of hands whose values are in the files
            already are not solved again.

    Returns:
        The layer of k cards. If its files are finished already, nothing is computed.

    Raises:
        StoreError: if the file is damaged, or belongs to another run.
        OSError: if the disk is full.
        ValueError: if another run writes the file.
        ArithmeticError: if a value or a bound is not finite.
    """
    if file is not None and (finished := file.completed()) is not None:
        return finished
    source = below.values
    values = np.zeros((len(layer), columns.width), source.dtype) if file is None else file.values
    k, unit, rules = columns.size, unit_of(values), columns.rules
    # `largest` bounds the absolute payoffs. If the objective is to win, it is 1, or the largest absolute value of the
    # layer below if this exceeds 1 because of rounding. For points it is the largest absolute value of the layer below
    # plus `stake`, the most points that a round can be played for: the highest prize or, if ties are carried over, all
    # points of the game.
    stake = float(columns.points if rules.carries else max(columns.deck))
    largest = max(1.0, below.greatest) if rules.winning else stake + below.greatest
    # Where prizes are hidden, payoffs are sums over the k prizes, not means, so the tolerance is k times as large.
    tolerance = largest * NARROW * (k if rules.hidden else 1)
    task = LayerTask(layer, columns, source, tolerance, values)
    widths, counts = np.zeros(len(columns.sets)), np.zeros(COUNTS, dtype=np.int64)
    pairs, games, solved = len(layer), columns.games, 0
    with nullcontext() if file is None else file.alone():
        earlier = [] if file is None else file.finished()
        known = {(done.start, done.stop) for done in earlier}
        least, most = BLOCK_GAMES
        # `step` is the number of pairs of hands in a block. If every position of the layer is decided, the layer has no
        # games, and so no blocks.
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
    # If no payoff of a game changes by more than e, its value does not change by more than e. So the errors of the
    # layer below change the value of a game by at most the bound for the prizes left after the draw. The value of a
    # prize set is the mean over the draws, and so inherits at most the mean of these bounds.
    inherited = np.array(
        [
            np.mean([below.bound(draw.rest) for draw in columns.draws(prizes)])
            for prizes in columns.sets
        ]
    )
    bounds = (inherited + widths + rounding) * INFLATE
    if unit < 1.0:
        bounds += 0.5 * unit * INFLATE  # values are rounded to multiples of the unit
    greatest = max(float(values.max(initial=0)), -float(values.min(initial=0))) * unit
    if not (isfinite(greatest) and np.isfinite(bounds).all()):
        raise ArithmeticError(f"a value of the layer of {k} cards is not finite")
    result = FloatLayer(columns, layer.keys, values, bounds, counts + below.counts, greatest)
    return result if file is None else file.complete(result)


def on_threads(
    jobs: int | None, task: LayerTask, todo: list[Block], *, sweep: Sweep | None = None
) -> Iterator[Done]:
    """Solve blocks of a layer on threads of this process, and yield their results in the order of `todo`.

    Args:
        jobs: the number of threads; None for the number of cores.
        task: the layer to solve.
        todo: the blocks to solve.
        sweep: the kernel that solves the games; None for the compiled one. A kernel that is not compiled runs in the
            calling thread only, because Python runs one thread at a time.
    """
    work = partial(solve_block, task, sweep=sweep)
    if isinstance(sweep, FunctionType):
        return map(work, todo)
    # Imported here, because short runs need no threads.
    from gops_exact.base.machine import available_cores
    from gops_exact.base.pools import in_order

    # Solving an empty block compiles the kernel. This is done in the calling thread, where an interrupt can stop it.
    work((0, 0))
    return in_order(jobs or available_cores(), work, todo)


def solve_block(task: LayerTask, block: Block, sweep: Sweep | None = None) -> Done:
    """Solve the games of a block, and write their values to ``task.values``.

    Args:
        task: the layer to solve.
        block: the indices of the pairs of hands to solve, (first, one past the last).
        sweep: the kernel that solves the games; None for the compiled one.

    Returns:
        The record of the block: the counters, and for each prize set half the width of the widest interval around a
        value.

    Raises:
        ValueError: if an array does not have the shape and dtype of its layer; the kernels do not check
            where they read and write.
    """
    sweep = sweep or quickest(sweep_types, inf)
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
    sweep(
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
    return Done(*block, counts, np.maximum.reduceat(sums[2], columns.first[:-1]) * unit)


def solve_on_cluster(cluster: "Cluster", task: LayerTask, todo: list[Block]) -> Iterator[Done]:
    """Solve blocks of a layer on a cluster, in any order; ``partial(solve_on_cluster, cluster)`` is a BlockSolver.

    Args:
        cluster: the connection to the workers.
        task: the layer to solve.
        todo: the blocks to solve.

    Yields:
        The result of each block, once its values are written to ``task.values``.
    """
    from gops_exact.base.pools import Order  # imported here, because most runs have no cluster

    columns = task.columns
    scatter = partial(cluster.scatter, task.source, broadcast=True)
    source = scatter()
    # Send a copy of `columns` without the lists that are cached in it, because these would be pickled and sent, too.
    work = partial(solve_there, columns.at(columns.size), task.tolerance)

    def send(block: Block) -> "Future":
        nonlocal source
        if source.status != "finished":  # lost with all workers
            source = scatter()
        part = task.layer.part(slice(*block))
        return cluster.submit(work, block, part, source)

    order = Order[Block](dict.fromkeys(todo, ()))
    for block, (done, lines) in cluster.answers(order, send, BLOCKS_AHEAD):
        task.values[slice(*block)] = lines
        order.done(block, ())
        yield done


def solve_there(
    columns: Columns, tolerance: float, block: Block, layer: Layer, source: Stored
) -> tuple[Done, Stored]:
    """Solve the games of a block, a range of pairs of hands in a layer, on a worker of a cluster.

    Args:
        columns: the W columns of the layer's values, one for each set of prizes left, margin and pot.
        tolerance: the width up to which the interval around a game's value counts as narrow.
        block: the block: the index of its first pair of hands in the layer, and one past the index of its last pair.
        layer: the pairs of hands of the block alone.
        source: the values with one card less a side, with a row for each pair of hands.

    Returns:
        The record of the block, and the values of its pairs of hands, shape (len(layer), W).
    """
    columns, count = listed(columns), len(layer)
    # The kernels are compiled for writable arrays. Arrays received by Dask are mostly read-only, and are copied here.
    source = np.require(source, requirements="W")
    lines = np.empty((count, columns.width), source.dtype)
    solved = solve_block(LayerTask(layer, columns, source, tolerance, lines), (0, count))
    start, stop = block
    return solved._replace(start=start, stop=stop), lines


def gamma(roundings: int) -> float:
    """Return n·u / (1 − n·u), a bound on the relative error of n = `roundings` roundings to floats; u is 2⁻⁵³."""
    u = 2.0**-53  # half the distance from 1 to the next float
    return roundings * u / (1.0 - roundings * u)


def kept_as_integers(game: Game) -> bool:
    """Return True if the values of a game are stored as 32-bit integers in units of 2⁻³⁰ by default.

    Integers take half the memory of floats. They are the default for games to win that take much memory.

    >>> from gops_exact.game.rules import Rules
    >>> kept_as_integers(Game(11, Rules("win"))), kept_as_integers(Game(12, Rules("win")))
    (False, True)
    """
    if not game.rules.winning:
        return False
    two = max(map(sum, pairwise([0, *layer_counts(game)[1][1:], 0])))
    return 8 * two > MANY_BYTES


def after_round(
    layer: Layer, outcomes: Outcomes, values: Mapping[int, FloatLayer]
) -> Iterator[tuple[NDArray[np.bool_], int, Floats, Floats]]:
    """Yield the values of the positions after a round that is played with the only pair of hands in `layer`.

    The payoff matrix of the round has m rows (player one's bids) and n columns (player two's). Of interchangeable bids,
    which have the same payoffs, only one has a row or column.

    Args:
        layer: a layer with one pair of hands, the hands before the round.
        outcomes: the three outcomes that the round may have: a tie, a win of player one, a win of player two.
        values: {number of cards a side: the layer with the values of the positions of this size}.

    Yields:
        For each outcome: a mask of the E entries of the matrix with this outcome, shape (m, n); the points that player
        one gains; the values after the round at these entries, row by row, shape (E,); bounds on the errors of these
        values, shape (E,).
    """
    rows, columns = layer.row_kept[0], layer.column_kept[0]
    sign = layer.sign[0][rows][:, columns]
    child = layer.child[0][rows][:, columns]
    for winner, outcome in zip(EVERY_WINNER, outcomes, strict=True):
        hit = sign == winner
        pairs = child[hit]
        if outcome.decided is not None:
            later, off = np.full(pairs.shape, float(outcome.decided)), np.zeros(pairs.shape)
        else:
            below = values[len(outcome.prize_state.prizes)]
            # An entry h of `pairs` stands for line |h| − 1 of the layer below. It is negative if that line holds the
            # pair with the players swapped, and 0 for equal hands that are not stored, because their value is 0.
            lines = np.maximum(np.abs(pairs) - 1, 0)
            value = mirrored = below.values_of(*outcome.prize_state, lines)
            if outcome.mirrored != outcome.prize_state:
                mirrored = below.values_of(*outcome.mirrored, lines)
            later = np.where(pairs > 0, value, np.where(pairs < 0, -mirrored, 0.0))
            off = np.where(pairs == 0, 0.0, below.bound(outcome.prize_state.prizes))
        yield hit, outcome.gain, later, off


def first_move(layer: Layer, stage: StageGame, below: FloatLayer) -> Play[arb]:
    """Return the value and optimal strategies of the first round, in balls.

    The value is 0, because the game is symmetric: both players hold the same cards, and nobody is ahead.

    Args:
        layer: the highest layer. It has only one pair of hands: both players hold all cards, so no bids are
            interchangeable.
        stage: the game of the first round.
        below: the values of the layer of one card less a side.

    Returns:
        The optimal play; if no basis is proved, every probability is 1/2 with a radius just above 1/2.
    """
    times, size = [times for times, _ in stage.stakes], layer.size
    tables = [np.empty((size, size), dtype=object) for _ in times]
    with ctx.workprec(BALL_BITS):
        for table, (_, outcomes) in zip(tables, stage.stakes, strict=True):
            for hit, gain, later, off in after_round(layer, outcomes, {below.size: below}):
                table[hit] = [arb(*ball) + gain for ball in zip(later, off, strict=True)]
        balls = (average(tables, times) if len(tables) > 1 else tables[0]).tolist()
        basis = propose([[float(ball.mid()) for ball in line] for line in balls])
        proved = None if basis is None else prove_row(balls, basis)
        if proved is None:
            _, basis = enclosed(balls)
            proved = None if basis is None else prove_row(balls, basis)
        if basis is None or proved is None:
            row = (arb(1, 1) / 2,) * size
            return Play(arb(0), row, row, proved=False)
        play = proved.on_basis(basis, (size, size), arb(0)).converted(tidy)
        return play._replace(column=play.row)
