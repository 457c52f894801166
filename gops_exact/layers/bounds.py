"""One layer of the recursion in floats, with proved bounds on the errors of its values.

For every prize set P there is a bound on the error of all its values, of whatever state:

    bound(P) = mean over p of bound(P∖p) + half_width(P) + γ_{3k+8} · A

with u = 2⁻⁵³, γ_n = nu/(1 − nu) and A a bound on the payoffs (:func:`_largest_payoff`). Where prizes
are hidden, the first term is the mean of the bounds of the payoffs; where their order is known there
is one p. Values kept as integers add half a unit. docs/method.md, "Floats with a proved radius", has
the proof.

The bound itself is computed in floats, a sum of a few dozen positive terms, and multiplied by
:data:`INFLATE`.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from math import isfinite

import numpy as np

from gops_exact.game.order_types import Layer
from gops_exact.layers.blocks import LayerTask, Solver, blocks
from gops_exact.layers.files import LayerFile
from gops_exact.layers.layer import COUNTS, NARROW, Columns, Done, FloatLayer, Floats, unit_of
from gops_exact.progress import Progress

UNIT = 2.0**-53
"""Half the distance from 1 to the next float, u."""

INFLATE = 1.0 + 2.0**-40
"""More than 1 plus the relative rounding error of a bound's own arithmetic, a few dozen operations."""


def float_layer(
    layer: Layer,
    columns: Columns,
    below: FloatLayer | None,
    *,
    solver: Solver,
    progress: Progress | None = None,
    file: LayerFile | None = None,
    integers: bool = False,
) -> FloatLayer:
    """Return the values of every pair of hands in `layer` for every prize set and state.

    Args:
        layer: the pairs of hands, k ≥ 1 cards a side.
        columns: the columns of this layer: prize sets and states.
        below: the values for hands of k − 1 cards; None at k = 1.
        solver: solves blocks of games.
        progress: called with the games solved in this layer and all its games.
        file: the file that keeps the values; blocks that it holds are not solved again.
        integers: keep values as integers.

    Raises:
        ValueError: if what is in the file is damaged, or of another run.
        OSError: if the disk is full.
        ArithmeticError: if a number is not finite.
    """
    if file is not None and (finished := file.completed()) is not None:
        return finished
    kind = np.int32 if integers else np.float64
    values = np.zeros((len(layer), columns.width), kind) if file is None else file.values
    # Below one card a side: margin 0, or the points yet to come.
    source = np.zeros((1, columns.below.width), kind) if below is None else below.values
    k, unit, largest = columns.size, unit_of(values), _largest_payoff(columns, below)
    # Where prizes are hidden the games that are solved are sums over them.
    tolerance = largest * NARROW * (k if columns.rules.hidden else 1)
    task = LayerTask(layer, columns, source, tolerance, values, file)
    widths, counts = np.zeros(len(columns.sets)), np.zeros(COUNTS, dtype=np.int64)
    with nullcontext() if file is None else file.alone():
        for done in _solved(task, solver, progress):
            np.maximum(widths, done.half_widths, out=widths)
            counts += done.counts
    rounding = gamma(3 * k + 8) * largest
    bounds = (_inherited(columns, below) + widths + rounding) * INFLATE
    if integers:
        bounds += 0.5 * unit * INFLATE
    greatest = max(float(values.max()), -float(values.min())) * unit
    if not (isfinite(greatest) and np.isfinite(bounds).all()):
        raise ArithmeticError(f"a value of the layer of {k} cards is not finite")
    total = counts if below is None else counts + below.counts
    result = FloatLayer(columns, values, bounds, total, greatest)
    return result if file is None else file.complete(result)


def _largest_payoff(columns: Columns, below: FloatLayer | None) -> float:
    """Bound the payoffs of a layer: A.

    To win A is 1. For points it is the largest stake, a prize, or all points where ties are carried
    over, and the largest value below.
    """
    known, rules = 0.0 if below is None else below.greatest, columns.rules
    if rules.winning:
        return max(1.0, known)
    stake = columns.points if rules.carries else max(columns.deck)
    return float(stake) + known


def _inherited(columns: Columns, below: FloatLayer | None) -> Floats:
    """Return the part of the bounds that the errors of the values below cause, per prize set."""
    if below is None:
        return np.zeros(len(columns.sets))
    return np.array(
        [
            np.mean([below.bound(draw.rest) for draw in columns.draws(prizes)])
            for prizes in columns.sets
        ]
    )


def _solved(task: LayerTask, solver: Solver, progress: Progress | None) -> Iterator[Done]:
    """Fill a layer's values block by block, and yield the result of each block."""
    pairs, games, file = len(task.layer), task.columns.games, task.file
    finished = [] if file is None else file.finished()
    yield from finished
    solved = sum(done.stop - done.start for done in finished)
    todo = blocks(pairs, games, {(done.start, done.stop) for done in finished})
    for done in solver(task, todo):
        if file is not None:
            file.keep(done)
        solved += done.stop - done.start
        if progress is not None:
            progress(solved * games, pairs * games)
        yield done


def gamma(roundings: int) -> float:
    """Return γ_n = nu/(1 − nu), the largest relative error of n roundings."""
    return roundings * UNIT / (1.0 - roundings * UNIT)
