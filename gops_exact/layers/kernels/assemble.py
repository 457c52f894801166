"""All games of a pair of hands: assembled side by side, settled, and their values averaged.

At a fixed pair of hands the games over all prize sets and states have the same signs and the same
children; only the children's values differ. So a block of games is assembled entry by entry, each
in loops along runs of neighbouring values (:mod:`~gops_exact.layers.kernels.runs`).

All arithmetic is done in the unit of the values (:data:`~gops_exact.layers.layer.FIXED` for integers),
a power of two. Arguments of one name are the same in all kernels here:

    start, stop  first run, and past the last one
    e, b         the entry, and the entries of a game
    below        shape (H', W'); the values of the layer below
    table        the runs
    decided      the value of a won game; 0 where points are played for
    payoff       shape (k², LANES + VECTOR); line `e` is written
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.layers.kernels import inlined, kernel, part
from gops_exact.layers.kernels.runs import Runs
from gops_exact.layers.kernels.settle import Scratch, settle_lanes
from gops_exact.layers.layer import Floats, Ints, Stored

TO_INTEGER = 1.5 * 2.0**52
"""Adding and subtracting this rounds a float below 2⁵¹ in size to the nearest integer."""


class Bids(NamedTuple):
    """The entries of the games of a pair of hands, row by row, interchangeable bids left out."""

    sign: Ints
    """Length k²; the winner of the round, as an index into the tables of runs: 0, 1 or 2."""
    mirrored: Ints
    """Length k²; 1 if the child is the mirror image of the pair kept, else 0."""
    factor: Floats
    """Length k²; the factor of the child's value: 1, −1, or 0 for equal hands."""
    child: Ints
    """Length k²; the child's line in the layer below."""


def bids(k: int) -> Bids:
    """Allocate the entries of games of k cards."""
    whole, real = np.zeros((3, k * k), dtype=np.int64), np.zeros(k * k)
    return Bids(whole[0], whole[1], real, whole[2])


@inlined
def count(kept: NDArray[np.bool_]) -> int:
    """Count the true ones."""
    number = 0
    for each in kept:
        number += each
    return number


@inlined
def put(out: Floats, at: int | np.uint64, value: float, term: int) -> None:
    """Set a payoff to its first term, or add a further one."""
    out[at] = value if term == 0 else out[at] + value


@inlined
def fill_singles(
    start: int, stop: int, e: int, b: Bids, below: Stored, table: Runs, payoff: Floats
) -> None:
    """Assemble one entry of the games of runs of one state each."""
    s, d, factor = b.sign[e], b.mirrored[e], b.factor[e]
    winner = s - 1.0
    line, out = below[b.child[e]], payoff[e]
    gain, source = table.gain[:, start:stop], table.source[s, d, :, start:stop]
    if len(gain) == 1:  # and one upcard: so one product
        points = winner * gain[0, 0]
        for q in range(np.uint64(stop - start)):
            out[q] = points + factor * line[source[0, q]]
        return
    for t in range(len(gain)):
        for q in range(np.uint64(stop - start)):
            put(out, q, winner * gain[t, q] + factor * line[source[t, q]], t)


@inlined
def fill_runs(
    start: int, stop: int, e: int, b: Bids, below: Stored, table: Runs, decided: float,
    payoff: Floats,
) -> None:  # fmt: skip
    """Assemble one entry of the games of runs."""
    s, d, factor = b.sign[e], b.mirrored[e], b.factor[e]
    winner, step = s - 1.0, table.step[s, d]
    line, out = below[b.child[e]], payoff[e]
    lane = table.lane[table.begin[start] :]
    # Unsigned indices spare the test for negative ones.
    at = np.uint64(0)
    for r in range(start, stop):
        end = at + np.uint64(table.length[r])
        for t in range(table.gain.shape[0]):
            gain, slope = winner * table.gain[t, r], winner * table.gain_step
            first = at + np.uint64(table.low[s, t, r])
            last = end - np.uint64(table.high[s, t, r])
            source = np.uint64(table.source[s, d, t, r])
            for q in range(at, first):
                put(out, lane[q], -decided, t)
            for q in range(last, end):
                put(out, lane[q], decided, t)
            number = last - first
            if step > 0:
                for q in range(number):
                    put(out, lane[first + q], gain + q * slope + factor * line[source + q], t)
            elif step < 0:
                for q in range(number):
                    put(out, lane[first + q], gain + q * slope + factor * line[source - q], t)
            else:
                for q in range(number):
                    put(out, lane[first + q], gain + q * slope + factor * line[source], t)
        at = end


@part
def fill(
    start: int, stop: int, entries: int, b: Bids, below: Stored, table: Runs, decided: float,
    s: Scratch,
) -> int:  # fmt: skip
    """Assemble games side by side into ``s.payoff``, their columns into ``s.lane``; return their number."""
    lanes = 0
    for r in range(start, stop):
        length = table.length[r]
        for q in range(length):
            s.lane[table.lane[table.begin[r] + q]] = table.target[r] + q
        lanes += length
    # Without pots the games of an upcard have one stake.
    singles = lanes == stop - start and decided == 0.0 and table.gain_step == 0.0
    for e in range(entries):
        if singles:
            fill_singles(start, stop, e, b, below, table, s.payoff)
        else:
            fill_runs(start, stop, e, b, below, table, decided, s.payoff)
    return lanes


@kernel
def sweep_types(
    start: int,
    stop: int,
    sign: NDArray[np.int8],
    child: NDArray[np.int32],
    row_kept: NDArray[np.bool_],
    column_kept: NDArray[np.bool_],
    below: Stored,
    table: Runs,
    decided: float,
    to_integer: float,
    largest: float,
    tolerance: float,
    s: Scratch,
    b: Bids,
    sums: Floats,
    values: Stored,
    half_widths: Floats,
    counts: Ints,
) -> None:
    """Compute the values of pairs of hands start … stop − 1 in every column, in units.

    Args:
        start: first pair of hands.
        stop: past the last one.
        sign: shape (H, k, k); this and the next three as in :class:`~gops_exact.game.order_types.Layer`.
        child: shape (H, k, k).
        row_kept: shape (H, k).
        column_kept: shape (H, k).
        below: shape (H', W'); the values of the layer below.
        table: the runs.
        decided: the value of a won game; 0 where points are played for.
        to_integer: :data:`TO_INTEGER` for values kept as integers, otherwise 0.
        largest: a bound on the payoffs.
        tolerance: width at which a bracket is narrow enough.
        s: scratch for hands of k cards.
        b: scratch for the entries of games of k cards.
        sums: scratch, shape (2, W).
        values: shape (H, W); lines start … stop − 1 are written.
        half_widths: length W; raised to the largest mean of half the brackets' widths.
        counts: the counters of :mod:`~gops_exact.layers.kernels.settle`, added to.
    """
    k = sign.shape[1]
    line, widths = sums[0], sums[1]
    for h in range(start, stop):
        m, n, entries = count(row_kept[h]), count(column_kept[h]), 0
        for i in range(k):
            for j in range(k):
                if row_kept[h, i] and column_kept[h, j]:
                    c = child[h, i, j]
                    b.sign[entries] = sign[h, i, j] + 1
                    b.mirrored[entries] = 1 if c < 0 else 0
                    b.factor[entries] = 1.0 if c > 0 else -1.0 if c < 0 else 0.0
                    b.child[entries] = max(abs(c) - 1, 0)
                    entries += 1
        line[:] = 0.0
        widths[:] = 0.0
        # Zeros beyond the bids that are kept.
        s.game[:] = 0.0
        # Each pair begins without a basis, so that results do not depend on the order of pairs.
        s.basis[:, 0] = 0
        size = 1
        for block in range(len(table.blocks) - 1):
            lanes = fill(
                table.blocks[block], table.blocks[block + 1], entries, b, below, table, decided, s
            )
            size = settle_lanes(
                m, n, lanes, decided != 0.0, 1.0 / largest, tolerance, s, size, line, widths, counts
            )
        out = values[h]
        for t in range(len(half_widths)):
            out[t] = (line[t] * table.share + to_integer) - to_integer
        for t in range(len(half_widths)):
            half_widths[t] = max(half_widths[t], widths[t] * table.share)
