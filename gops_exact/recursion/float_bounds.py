"""One layer of the recursion in floats, with a proof of how far off its values may be.

For every prize set P there is a bound on the error of all its values, of whatever state:

    bound(P) = mean over p of bound(P∖p) + half_width(P) + γ_{3k+8} · A

* The value of a matrix game moves by no more than its entries do, and the mean by no more than the
  mean of its terms: hence the children's bounds. Where prizes are hidden, it is the entries that
  are means, and move by no more than the mean of the bounds. Where their order is known, there is
  one p. What is decided has no error.
* Every game's value lies between what its own strategies secure, so the middle of the bracket is
  off by half its width: half_width(P) is the largest mean of such halves over P's upcards.
* A bounds the payoffs: the largest stake and the largest value below it for points, 1 for winning.
  Adding gain and child rounds once (u·A); each side of the bracket is off by γ_{2k+2}·A
  (:mod:`~gops_exact.recursion.float_bracket`); the middle rounds once (u·A); the mean of k middles
  by k + 1 roundings (γ_{k+1}·A). Sums of γ are below the γ of the sum (Higham 2002, lemma 3.3),
  which leaves two units to spare for the terms of second order. Hidden prizes: the sum of k
  payoffs takes k − 1 roundings, which go with γ_{k−1}·A before k divides; one game is then solved
  instead of k, so the k + 1 roundings of the mean, of which two remain, make up for them.
  u = 2⁻⁵³, γ_n = nu/(1 − nu).
* Values kept as integers are rounded to the nearest one: half a unit more.

The bound itself is computed in floats, a few dozen positive terms, and raised by :data:`INFLATE`.
"""

from collections.abc import Iterator
from contextlib import nullcontext
from math import isfinite

import numpy as np

from gops_exact.order_types import Layer
from gops_exact.recursion.float_columns import Columns
from gops_exact.recursion.float_crew import Crew, LayerTask, Threads, blocks
from gops_exact.recursion.float_files import LayerFile
from gops_exact.recursion.float_layers import (
    COUNTS,
    Done,
    FloatLayer,
    Floats,
    Ints,
    Stored,
    unit_of,
)
from gops_exact.recursion.schedule import Progress, available_cores

UNIT = 2.0**-53
"""Half the distance from 1 to the next float, u."""

INFLATE = 1.0 + 2.0**-40
"""Covers the roundings of the bound's own arithmetic many times over."""

NARROW = 2.0**-40
"""Width at which a bracket will do, as a share of the largest payoff. Most are 10⁻¹⁵ wide; the
bound is made of the widths as they are, so this decides about time only."""


def float_layer(
    layer: Layer,
    columns: Columns,
    below: FloatLayer | None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    file: LayerFile | None = None,
    crew: Crew | None = None,
    integers: bool = False,
) -> FloatLayer:
    """The values of every pair of hands in `layer` for every prize set and state.

    Args:
        layer: the pairs of hands, k ≥ 1 cards a side.
        columns: what the columns are.
        below: the values for hands of k − 1 cards; None at k = 1.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved in this layer.
        file: where the values are to be, and what of them is there.
        crew: who solves the games; by default `jobs` threads.
        integers: keep values as integers.

    Raises:
        ValueError: if what is in the file is damaged, or of another run.
        OSError: if the disk is full.
    """
    if file is not None and (done := file.completed(columns)) is not None:
        return done
    source = nothing_left(columns, integers=integers) if below is None else below.values
    values = _room((len(layer), columns.width), integers) if file is None else file.values
    widths, counts = np.zeros(len(columns.sets)), np.zeros(COUNTS, dtype=np.int64)
    task = LayerTask(layer, columns, source, tolerance(columns, below), values, file)
    with nullcontext() if file is None else file.alone():
        for found in _tasks(task, crew or Threads(jobs or available_cores()), progress):
            np.maximum(widths, found.half_widths, out=widths)
            counts += found.counts
    result = bounded(columns, below, values, widths, counts)
    return result if file is None else file.complete(result)


def bounded(
    columns: Columns, below: FloatLayer | None, values: Stored, widths: Floats, counts: Ints
) -> FloatLayer:
    """Return a layer whose games are solved, with its bounds.

    Args:
        columns: of the layer.
        below: the layer for hands of one card less; None at k = 1.
        values: shape (H, W).
        widths: for each prize set the largest half width of a value.
        counts: length :data:`~gops_exact.recursion.float_layers.COUNTS`; of this layer alone.

    Raises:
        ArithmeticError: if a number is not finite.
    """
    k, unit = columns.size, unit_of(values)
    rounding = gamma(3 * k + 8) * _largest_payoff(columns, below)
    bounds = (_inherited(columns, below) + widths + rounding) * INFLATE
    if values.dtype == np.int32:
        bounds += 0.5 * unit * INFLATE
    greatest = max(float(values.max()), -float(values.min())) * unit
    if not (isfinite(greatest) and np.isfinite(bounds).all()):
        raise ArithmeticError(f"a value of the layer of {k} cards is not finite")
    total = counts if below is None else counts + below.counts
    return FloatLayer(columns, values, bounds, total, greatest)


def _room(shape: tuple[int, int], integers: bool) -> Stored:
    return np.zeros(shape, np.int32) if integers else np.zeros(shape)


def nothing_left(columns: Columns, *, integers: bool) -> Stored:
    """Return the values below hands of one card: of margin 0, or of points yet to come."""
    return _room((1, Columns(columns.rules, columns.deck, 0).width), integers)


def tolerance(columns: Columns, below: FloatLayer | None) -> float:
    """Return the width at which a bracket will do."""
    # Where prizes are hidden the games that are solved are sums over them.
    terms = columns.size if columns.rules.hidden else 1
    return _largest_payoff(columns, below) * NARROW * terms


def _largest_payoff(columns: Columns, below: FloatLayer | None) -> float:
    """Return a bound on the payoffs: A in the module's formula."""
    known, rules = 0.0 if below is None else below.greatest, columns.rules
    if rules.winning:
        return max(1.0, known)
    stake = sum(columns.deck) if rules.ties == "carryover" else max(columns.deck)
    return float(stake) + known


def _inherited(columns: Columns, below: FloatLayer | None) -> Floats:
    """What the error of the values below adds, a number per prize set."""
    if below is None:
        return np.zeros(len(columns.sets))
    return np.array(
        [
            np.mean([below.bound(draw.rest) for draw in columns.rules.draws(prizes)])
            for prizes in columns.sets
        ]
    )


def _tasks(task: LayerTask, crew: Crew, progress: Progress | None) -> Iterator[Done]:
    """Fill a layer's values block by block, and tell what each block found."""
    layer, file = task.layer, task.file
    finished = [] if file is None else file.finished()
    yield from finished
    todo = blocks(len(layer), task.games, {(done.start, done.stop) for done in finished})
    solved = sum(done.stop - done.start for done in finished)
    for done in crew.solve(task, todo):
        if file is not None:
            file.keep(done)
        solved += done.stop - done.start
        if progress is not None:
            progress(solved * task.games, len(layer) * task.games)
        yield done


def gamma(roundings: int) -> float:
    """γ_n = nu/(1 − nu): the largest relative error of n roundings."""
    return roundings * UNIT / (1.0 - roundings * UNIT)
