"""The recursion in floats, with a proof of how far off every number may be.

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

A layer at a time, over blocks of pairs of hands in parallel. For every prize set P the sweep keeps
a bound on the error of all its values:

    bound(P) = mean over p of bound(P∖p) + half_width(P) + γ_{3k+8} · A

* The value of a matrix game moves by no more than its entries do, and the mean by no more than the
  mean of its terms: hence the children's bounds.
* Every game's value lies between what its own strategies secure, so the middle of the bracket is
  off by half its width: half_width(P) is the largest mean of such halves over P's upcards.
* A = N + max |F[P∖p]| bounds the payoffs. Adding gain and child rounds once (u·A); each side of
  the bracket is off by γ_{2k+2}·A (:mod:`~gops_exact.recursion.float_kernels`); the middle rounds
  once (u·A); the mean of k middles by k + 1 roundings (γ_{k+1}·A). Sums of γ are below the γ of
  the sum (Higham 2002, lemma 3.3), which leaves two units to spare for the terms of second order.
  u = 2⁻⁵³, γ_n = nu/(1 − nu).

The bound itself is computed in floats, a few dozen positive terms, and raised by :data:`INFLATE`.

At the opening, the bounded values become balls, and a basis is proved optimal for every payoff
matrix within them; so the probabilities come as balls too, and those outside the basis as zeros.
"""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb, inf, isfinite, nextafter
from pathlib import Path
from typing import TYPE_CHECKING

from flint import arb, ctx

from gops_exact.order_types import Layer, OrderTypes, order_types
from gops_exact.recursion.ball import BallArithmetic, BallSlab
from gops_exact.recursion.exact import ExactArithmetic
from gops_exact.recursion.float_layers import (
    COUNTS,
    Done,
    FloatLayer,
    LayerFile,
    SetTables,
    set_tables,
)
from gops_exact.recursion.float_preflight import check_fits
from gops_exact.recursion.lattice import Prizes, sweep
from gops_exact.recursion.position import BALL_BITS, ExactSlab

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNIT = 2.0**-53
"""Half the distance from 1 to the next float, u."""

INFLATE = 1.0 + 2.0**-40
"""Covers the roundings of the bound's own arithmetic many times over."""

NARROW = 2.0**-40
"""Width at which a bracket will do, as a share of the largest payoff. Most are 10⁻¹⁵ wide; the
bound is made of the widths as they are, so this decides about time only."""

BLOCKS = 64
"""Tasks a layer is cut into, so that no thread waits long for the last one."""

BLOCK_GAMES = (20_000, 2_000_000)
"""The fewest games worth a task, some milliseconds, and the most, some tenths of a second."""

Progress = Callable[[int, int], None]
"""Called with the number of games solved and of all games."""


@dataclass(frozen=True)
class FloatFirstMove:
    """The optimal first move at one upcard, in floats with radii.

    Attributes:
        upcard: the prize turned up, in points.
        probabilities: one a card, ascending.
        radii: how far each may be off. Zero where a probability is known exactly, such as one that
            is proved to be zero.
        proved: whether the support is proved, and the strategy to be the only optimal one. If not,
            every probability is 1/2 with radius 1/2.
        bound: how far the values it was computed from may be off, in points.
    """

    upcard: int
    probabilities: tuple[float, ...]
    radii: tuple[float, ...]
    proved: bool
    bound: float


@dataclass(frozen=True)
class FloatFirstMoves:
    """The optimal first moves of the game of n cards, in floats with radii.

    Attributes:
        n: cards a side.
        columns: one first move an upcard, in the order asked for.
        games: matrix games solved.
        robust: how many of them needed the robust path.
        failed: how many have a bracket wider than it should be; the radii account for them.
    """

    n: int
    columns: tuple[FloatFirstMove, ...]
    games: int
    robust: int
    failed: int

    def __getitem__(self, upcard: int) -> dict[int, float]:
        """{card: probability} at an upcard."""
        return dict(enumerate(self.column(upcard).probabilities, start=1))

    def column(self, upcard: int) -> FloatFirstMove:
        """The first move at an upcard.

        Raises:
            KeyError: if it was not asked for.
        """
        for column in self.columns:
            if column.upcard == upcard:
                return column
        raise KeyError(upcard)


def first_move_float(
    n: int,
    upcards: Iterable[int] | None = None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    memory_bytes: int | None = None,
    folder: Path | None = None,
    force: bool = False,
) -> FloatFirstMoves:
    """The optimal first moves of the game of n cards, each probability with a proved radius.

    Args:
        n: cards a side.
        upcards: the upcards wanted, each of 1 … n; all by default.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved.
        memory_bytes: what the values of two layers may take in memory; by default most of what the
            machine has. If they take more, `folder` is needed.
        folder: keep layers in mapped files there, and go on from what a killed run left. The last
            two layers stay there.
        force: begin even if it is thought not to fit.

    Raises:
        ValueError: for an n or an upcard out of range, or if memory, disk or time will not do.

    >>> moves = first_move_float(3, jobs=1)
    >>> [round(p, 6) for p in moves[3].values()], moves.column(3).proved
    ([0.0, 0.0, 1.0], True)
    """
    jobs = _cores() if jobs is None else jobs
    check_fits(n, jobs=jobs, memory_bytes=memory_bytes, folder=folder, force=force)
    wanted = list(range(1, n + 1)) if upcards is None else list(upcards)
    for upcard in wanted:
        if not 1 <= upcard <= n:
            raise ValueError(f"an upcard must be from 1 to {n}, got {upcard}")
    types = order_types(range(1, n + 1), range(1, n + 1))
    # One layer is let go before the next but one is made.
    kept = deque(float_layers(types, jobs=jobs, progress=progress, folder=folder), maxlen=1)
    last = kept.pop() if kept else None
    columns = tuple(opening(types.root, upcard, last) for upcard in wanted)
    games = sum(layer_games(types, k) for k in range(1, n)) + len(columns)
    failed, robust = (0, 0) if last is None else last.counts[:2].tolist()
    return FloatFirstMoves(n, columns, games, robust, failed)


def float_layers(
    types: OrderTypes,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
) -> Iterator[FloatLayer]:
    """Every layer of a whole game below its opening, smallest hands first.

    Args:
        types: the order types of the hands 1 … n against themselves.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved.
        folder: keep layers in mapped files there. What is found finished is not done again, so the
            first layer may be a later one. The last two layers stay.
    """
    n = types.root.size
    done, total = 0, sum(layer_games(types, k) for k in range(1, n))
    below: FloatLayer | None = None
    for k in range(1, n):
        file = None
        if folder is not None:
            if _bounds_of_later(folder, n, k):
                done += layer_games(types, k)
                continue
            file = LayerFile(folder, _name(n, k), (len(types.layers[k]), comb(n, k)))
        below = float_layer(
            types.layers[k], n, below, jobs=jobs, progress=_from(done, total, progress), file=file
        )
        done += layer_games(types, k)
        if folder is not None and k > 2:
            LayerFile.remove(folder, _name(n, k - 2))
        yield below


def layer_games(types: OrderTypes, k: int) -> int:
    """How many games the layer of k cards a side takes.

    >>> layer_games(order_types(range(1, 4), range(1, 4)), 2)
    18
    """
    return len(types.layers[k]) * comb(types.root.size, k) * k


def float_layer(
    layer: Layer,
    n: int,
    below: FloatLayer | None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    file: LayerFile | None = None,
) -> FloatLayer:
    """The values of every pair of hands in `layer` for every set of k of the prizes 1 … n.

    Args:
        layer: the pairs of hands, k ≥ 1 cards a side.
        n: prizes in the deck.
        below: the values for hands of k − 1 cards; None at k = 1.
        jobs: threads; by default as many as there are cores.
        progress: told of games solved in this layer.
        file: where the values are to be, and what of them is there.
    """
    import numpy as np

    k = layer.size
    tables = set_tables(n, k)
    if file is not None and (known := file.completed(k, tables.sets)) is not None:
        return known
    # Hands of no cards are equal, and references to equal hands are not looked up.
    source = np.zeros((1, 1)) if below is None else below.values
    largest = n + (0.0 if below is None else below.greatest)
    values = np.empty((len(layer), comb(n, k))) if file is None else file.values
    widths, counts = np.zeros(comb(n, k)), np.zeros(COUNTS, dtype=np.int64)
    for done in _tasks(layer, tables, source, largest, values, jobs or _cores(), progress, file):
        np.maximum(widths, done.half_widths, out=widths)
        counts += done.counts
    rounding = gamma(3 * k + 8) * largest
    inherited = np.zeros(1) if below is None else below.bounds
    bounds = (inherited[tables.below].mean(axis=1) + widths + rounding) * INFLATE
    greatest = float(max(values.max(), -values.min()))
    if not (isfinite(greatest) and np.isfinite(bounds).all()):
        raise ArithmeticError(f"a value of the layer of {k} cards is not finite")
    total = counts if below is None else counts + below.counts
    result = FloatLayer(k, tables.sets, values, bounds, total, greatest)
    if file is not None:
        file.complete(result)
    return result


def _tasks(
    layer: Layer,
    tables: SetTables,
    source: "NDArray[np.float64]",
    largest: float,
    values: "NDArray[np.float64]",
    jobs: int,
    progress: Progress | None,
    file: LayerFile | None,
) -> Iterator[Done]:
    """Fill `values` block by block, and tell what each block found."""
    import numpy as np

    from gops_exact.recursion.float_kernels import scratch, sweep_types

    def work(block: tuple[int, int]) -> Done:
        done = Done(*block, np.zeros(len(tables.sets)), np.zeros(COUNTS, dtype=np.int64))
        sweep_types(
            *block,
            layer.sign,
            layer.child,
            layer.row_kept,
            layer.column_kept,
            source,
            tables.without,
            tables.joined,
            largest * NARROW,
            scratch(layer.size),
            values,
            done.half_widths,
            done.counts,
        )
        return done

    finished = [] if file is None else file.finished()
    yield from finished
    todo = blocks(
        len(layer), len(tables.sets) * layer.size, {(done.start, done.stop) for done in finished}
    )
    per_type = len(tables.sets) * layer.size
    solved = sum(done.stop - done.start for done in finished)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for done in pool.map(work, todo):
                if file is not None:
                    file.keep(done)
                solved += done.stop - done.start
                if progress is not None:
                    progress(solved * per_type, len(layer) * per_type)
                yield done
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def blocks(types: int, games: int, finished: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Runs of order types, a task each, that are not finished.

    Args:
        types: how many there are.
        games: of each.
        finished: the runs that are.

    >>> blocks(6, 10_000, {(2, 4)})
    [(0, 2), (4, 6)]
    """
    least, most = BLOCK_GAMES
    step = max(1, min(max(types * games // BLOCKS, least), most) // games)
    known = set(finished)
    runs = [(start, min(start + step, types)) for start in range(0, types, step)]
    return [run for run in runs if run not in known]


def gamma(roundings: int) -> float:
    """γ_n = nu/(1 − nu): the largest relative error of n roundings."""
    return roundings * UNIT / (1.0 - roundings * UNIT)


def opening(layer: Layer, upcard: int, below: FloatLayer | None) -> FloatFirstMove:
    """The first move of the whole game, whose one pair of hands `layer` holds."""
    n = layer.size
    rest = tuple(prize for prize in range(1, n + 1) if prize != upcard)
    bound = 0.0 if below is None else below.bound(rest)
    known = [] if below is None else below.slab(rest).tolist()
    slab = BallSlab([arb(value, bound) for value in known])
    found = BallArithmetic(BALL_BITS).opening(layer, upcard, slab)
    pairs = [as_float(ball) for ball in found.strategy]
    return FloatFirstMove(
        upcard,
        tuple(middle for middle, _ in pairs),
        tuple(radius for _, radius in pairs),
        found.proved,
        bound,
    )


def as_float(ball: arb) -> tuple[float, float]:
    """A float and a radius around it that hold every number of the ball.

    >>> as_float(arb(0.25)), as_float(arb(0.25, 0.5))[1] > 0.5
    ((0.25, 0.0), True)
    """
    middle = float(ball.mid())
    off = (ball - arb(middle)).abs_upper()
    radius = 0.0 if off == 0 else nextafter(float(off), inf)
    return middle, radius


@dataclass(frozen=True)
class LayerCheck:
    """One layer of floats against exact values.

    Attributes:
        size: cards a side.
        values: how many were compared.
        largest_difference: in points.
        largest_bound: in points.
        largest_share: the largest difference as a share of its bound; below 1.
    """

    size: int
    values: int
    largest_difference: float
    largest_bound: float
    largest_share: float


def cross_check(
    n: int,
    exact: Mapping[Prizes, ExactSlab] | None = None,
    *,
    jobs: int | None = None,
) -> list[LayerCheck]:
    """Compare every value of every layer of the game of n cards with the exact one.

    Args:
        n: cards a side.
        exact: exact slabs of the pairs of hands of the game of n cards, by prize set; computed by
            default, on one core.
        jobs: threads of the float sweep.

    Raises:
        ArithmeticError: if a difference exceeds its bound.

    >>> [(check.size, check.values) for check in cross_check(4, jobs=1)]
    [(1, 4), (2, 36), (3, 24)]
    """
    types = order_types(range(1, n + 1), range(1, n + 1))
    if exact is None:
        slabs: dict[Prizes, ExactSlab] = {}
        sweep(types, tuple(range(1, n + 1)), ExactArithmetic(), slabs)
        exact = slabs
    return [compare(layer, exact) for layer in float_layers(types, jobs=jobs)]


def compare(layer: FloatLayer, exact: Mapping[Prizes, ExactSlab]) -> LayerCheck:
    """Every value of one layer against the exact one; see :func:`cross_check`."""
    difference = share = 0.0
    for prizes, column, bound in zip(
        layer.sets, layer.values.T, layer.bounds.tolist(), strict=True
    ):
        with ctx.workprec(BALL_BITS):
            off = [
                float((ball - arb(value)).abs_upper())
                for ball, value in zip(exact[prizes].balls, column.tolist(), strict=True)
            ]
        worst = nextafter(max(off), inf) if any(off) else 0.0
        if not worst <= bound:
            raise ArithmeticError(
                f"a value for prizes {prizes} is off by {worst:.3g}, more than its bound {bound:.3g}"
            )
        difference, share = max(difference, worst), max(share, worst / bound)
    return LayerCheck(layer.size, layer.values.size, difference, float(max(layer.bounds)), share)


def _from(done: int, total: int, progress: Progress | None) -> Progress | None:
    """Progress in a part as progress in the whole, of which `done` comes before the part."""
    if progress is None:
        return None
    tell = progress
    return lambda part, _: tell(done + part, total)


def _name(n: int, k: int) -> str:
    return f"float-{n}-{k:02}"


def _bounds_of_later(folder: Path, n: int, k: int) -> bool:
    """Whether a layer above k is finished."""
    return any((folder / f"{_name(n, later)}.bounds").exists() for later in range(k + 1, n))


def _cores() -> int:
    return (
        os.process_cpu_count() if hasattr(os, "process_cpu_count") else len(os.sched_getaffinity(0))
    )
