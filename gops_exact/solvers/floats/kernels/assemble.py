"""All games of a pair of hands: assembled side by side, settled, and their values averaged.

At a fixed pair of hands the games over all prize sets and states have the same signs and the same
children; only the children's values differ. So a block of games is assembled entry by entry, and each entry
in loops along runs of neighbouring values. The runs are the form in which the kernels get the rules.

A *run* is a number of states in neighbouring columns, with one upcard: to win, all margins of a prize
set and pot; for points with ties carried over, all pots of a prize set; otherwise a single state. For
each winner of the round, the states that follow stand in neighbouring columns of the layer below, forwards or
backwards, or all are the same state in one column. Decided states at either end have no column.

The games of a block stand side by side in the order of their runs; to win, in the order of their margins first,
because games of one margin more often have the same basis, or are all decided by a saddle point.

Where prizes are hidden a run has a term for each prize, and its game is the sum of the terms. Otherwise a run has
one term.

All arithmetic is done in the unit of the values (:data:`~gops_exact.solvers.floats.layer.FIXED` for integers),
a power of two. Arguments of one name are the same in all kernels here:

    start, stop  the first run, and the one after the last
    e            the number of the entry among those of a game
    s            scratch: line `e` of ``s.payoff`` is written
    below        shape (H', W'); the values of the layer below
    table        the runs
"""

from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.rules import Draw, Prizes, State, Winner
from gops_exact.solvers.floats.kernels import inlined, kernel, part
from gops_exact.solvers.floats.kernels.lanes import settle_lanes
from gops_exact.solvers.floats.kernels.settle import LANES, Numbers, Scratch
from gops_exact.solvers.floats.layer import Columns, Floats, Ints, Stored

WINNERS: tuple[Winner, Winner, Winner] = (-1, 0, 1)
"""The winners of a round, in the order of the tables."""

TO_INTEGER = 1.5 * 2.0**52
"""Adding and subtracting this rounds a float below 2⁵¹ in size to the nearest integer."""


class Runs(NamedTuple):
    """R runs of T terms each. The third to last axis is the winner, −1, 0 or 1."""

    # Length B + 1, int64; the first run of each block of games to be solved side by side, and R.
    blocks: Ints
    target: Numbers  # length R, uint32; the first column of a run
    length: Ints  # length R, int64; the number of games of a run
    begin: Ints  # length R, int64; the index of a run's first game in `lane`
    lane: Numbers  # uint32; the lane of each game in its block, run by run
    gain: Floats  # shape (T, R); the points that the round is worth in a run's first state
    # Shape (3, T, R), int64; the number of states at the start of a run that the round decides: they are lost.
    low: Ints
    high: Ints  # shape (3, T, R), int64; the number of states at the end that the round decides: they are won
    # Shape (3, 2, T, R), uint32; the column below of what follows the first state that is not decided; where the
    # child is a pair of hands whose values are kept, and where it is the mirror image of one.
    source: Numbers
    step: Ints  # shape (3, 2), int64; the step from one state's column below to the next one's: 1, −1 or 0
    gain_step: float  # the step from one state's points in the round to the next one's
    share: float  # the weight of a game's value in the value of its state
    decided: float  # the value of a won game; 0 where points are played for
    largest: float  # a bound on the payoffs


@lru_cache(maxsize=1)
def runs(columns: Columns, unit: float = 1.0) -> Runs:
    """Return the runs of a layer of k ≥ 1 cards, whose values are kept in a unit.

    The runs of the last layer are kept: every task of a layer asks for them. They depend on the rules and the
    prizes, not on the hands.

    Args:
        columns: the columns of the layer.
        unit: the values are multiples of it.

    >>> from gops_exact.game.rules import Rules
    >>> table = runs(Columns(Rules("win"), (1, 2, 3), 2))
    >>> table.length[:2].tolist(), table.lane[:12].tolist()
    ([7, 5], [0, 1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10])
    """
    rules = columns.rules
    games = [(prizes, columns.draws(prizes)) for prizes in columns.sets]
    if not rules.hidden:
        games = [(prizes, [draw]) for prizes, draws in games for draw in draws]
        games.sort(key=lambda game: game[1][0].upcard)
    # The runs: the first state, its column, the number of states, and the draws of their games. Runs of an upcard
    # stand together.
    rows: list[tuple[State, int, int, list[Draw]]] = []
    for prizes, draws in games:
        for first, whole in columns.stretches(prizes):
            column = columns.column(prizes, first)
            for offset in range(0, whole, LANES):
                margin, pot = (offset, 0) if rules.winning else (0, offset)
                state = State(first.margin + margin, first.pot + pot)
                rows.append((state, column + offset, min(LANES, whole - offset), draws))
    # The runs of an upcard are grouped into blocks that fit side by side.
    starts, r = [], 0
    for _, upcard_runs in groupby(rows, key=lambda run: run[-1][0].upcard):
        lanes = LANES  # as if a block were full: an upcard begins a block of its own
        for _, _, length, _ in upcard_runs:
            if lanes + length > LANES:
                starts.append(r)
                lanes = 0
            lanes += length
            r += 1
    starts.append(r)
    # To win, games of equal margins stand side by side.
    order = []
    for start, stop in pairwise(starts):
        margins = [
            first.margin + q * rules.winning
            for first, _, length, _ in rows[start:stop]
            for q in range(length)
        ]
        # Sorting twice gives each game its lane.
        order.append(np.argsort(np.argsort(margins, kind="stable")).astype(np.uint32))
    terms = len(rows[0][-1])
    shape = (3, terms, len(rows))
    low, high = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    source = np.zeros((3, 2, terms, len(rows)), dtype=np.uint32)
    gain = np.zeros((terms, len(rows)))
    for r, (first, _, length, draws) in enumerate(rows):
        for t, draw in enumerate(draws):
            gain[t, r] = rules.gain(first, draw.upcard, 1)
            for w, winner in enumerate(WINNERS):
                state = rules.after(first, draw.upcard, winner)
                low[w, t, r], high[w, t, r], source[w, :, t, r] = _undecided(
                    columns.below, draw.rest, state, length
                )
    lengths = np.array([length for _, _, length, _ in rows], dtype=np.int64)
    # To win, margins run forwards below, and backwards in a mirror image. For points, pots do so after a tie if ties
    # carry them over; after a win every pot is empty.
    tied = rules.after(State(pot=1), 0, 0).pot - rules.after(State(), 0, 0).pot
    step = [[1, -1]] * 3 if rules.winning else [[0, 0], [tied] * 2, [0, 0]]
    most = 1.0 if rules.winning else columns.points
    return Runs(
        blocks=np.array(starts, dtype=np.int64),
        target=np.array([column for _, column, _, _ in rows], dtype=np.uint32),
        length=lengths,
        begin=lengths.cumsum() - lengths,
        lane=np.concatenate(order),
        gain=gain,
        low=low,
        high=high,
        source=source,
        step=np.array(step, dtype=np.int64),
        gain_step=float(not rules.winning and rules.carries),
        share=1.0 if rules.fixed else 1.0 / columns.size,
        decided=1.0 / unit if rules.winning else 0.0,
        # Where prizes are hidden the games that are solved are sums over them.
        largest=most * (columns.size if rules.hidden else 1) / unit,
    )


def _undecided(
    below: Columns, prizes: Prizes, state: State, length: int
) -> tuple[int, int, tuple[int, int]]:
    """Count the decided ones among neighbouring states, and find what is left of them in the layer below.

    Args:
        below: the columns of the layer below.
        prizes: the prizes left in the states.
        state: the first of them; to win, the others have the margins that follow.
        length: how many there are.

    Returns:
        The decided states at the start, which are lost; those at the end, which are won; and the columns of the first
        other state, and of the same state with the players swapped.
    """
    # A game to win is decided where the margin exceeds all that is left to win, the radius.
    if not below.rules.winning:
        column = below.column(prizes, state)
        return 0, 0, (column, column)
    radius = below.radius(prizes, state.pot)
    low = min(max(-radius - state.margin, 0), length)
    high = min(max(state.margin + length - 1 - radius, 0), length)
    if low + high >= length:
        return low, high, (0, 0)
    first = State(state.margin + low, state.pot)
    return low, high, (below.column(prizes, first), below.column(prizes, first.swapped()))


@inlined
def put(out: Floats, at: int | np.uint64, value: float, term: int) -> None:
    """Set a payoff to its first term (number 0), or add a further one."""
    out[at] = value if term == 0 else out[at] + value


@inlined
def fill_singles(start: int, stop: int, e: int, s: Scratch, below: Stored, table: Runs) -> None:
    """Compute payoff entry `e` of the games in runs start, …, stop − 1; each of these runs has one state."""
    sign, mirror, factor = s.sign[e], s.mirrored[e], s.factor[e]
    winner = sign - 1.0
    line, out = below[s.child[e]], s.payoff[e]
    gain, source = table.gain[:, start:stop], table.source[sign, mirror, :, start:stop]
    if len(gain) == 1:  # and one upcard: so one product
        points = winner * gain[0, 0]
        for q in range(np.uint64(stop - start)):
            out[q] = points + factor * line[source[0, q]]
        return
    for t in range(len(gain)):
        for q in range(np.uint64(stop - start)):
            put(out, q, winner * gain[t, q] + factor * line[source[t, q]], t)


@inlined
def fill_runs(start: int, stop: int, e: int, s: Scratch, below: Stored, table: Runs) -> None:
    """Assemble one entry of the games of runs of any length."""
    sign, mirror, factor = s.sign[e], s.mirrored[e], s.factor[e]
    winner, step, decided = sign - 1.0, table.step[sign, mirror], table.decided
    line, out = below[s.child[e]], s.payoff[e]
    lane = table.lane[table.begin[start] :]
    # With unsigned indices numba compiles no test for negative ones.
    at = np.uint64(0)
    for r in range(start, stop):
        end = at + np.uint64(table.length[r])
        for t in range(table.gain.shape[0]):
            gain, slope = winner * table.gain[t, r], winner * table.gain_step
            first = at + np.uint64(table.low[sign, t, r])
            last = end - np.uint64(table.high[sign, t, r])
            source = np.uint64(table.source[sign, mirror, t, r])
            for q in range(at, first):
                put(out, lane[q], -decided, t)
            for q in range(last, end):
                put(out, lane[q], decided, t)
            # A loop for each direction: with the step in a variable there would be no vector instructions.
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
def fill(start: int, stop: int, entries: int, s: Scratch, below: Stored, table: Runs) -> int:
    """Assemble games side by side; return their number.

    ``s.payoff`` gets the payoffs, `entries` lines of them, and ``s.lane`` the column of each game's value.
    """
    lanes = 0
    for r in range(start, stop):
        length = table.length[r]
        for q in range(length):
            s.lane[table.lane[table.begin[r] + q]] = table.target[r] + q
        lanes += length
    # For points without pots every run is a single state, and a block of one upcard has one stake.
    singles = lanes == stop - start and table.decided == 0.0 and table.gain_step == 0.0
    for e in range(entries):
        if singles:
            fill_singles(start, stop, e, s, below, table)
        else:
            fill_runs(start, stop, e, s, below, table)
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
    to_integer: float,
    tolerance: float,
    s: Scratch,
    sums: Floats,
    values: Stored,
    counts: Ints,
) -> None:
    """Compute the values of pairs of hands start … stop − 1 in every column, in units.

    Args:
        start: the first pair of hands.
        stop: the one after the last.
        sign: shape (H, k, k); the winner of the round, see :class:`~gops_exact.game.order_types.Layer`.
        child: shape (H, k, k); the pair of hands after the round, see there.
        row_kept: shape (H, k); the bids that are not interchangeable with another, see there.
        column_kept: shape (H, k); the same of player two.
        below: shape (H', W'); the values of the layer below.
        table: the runs.
        to_integer: :data:`TO_INTEGER` for values kept as integers, otherwise 0.
        tolerance: width at which a bracket is narrow enough.
        s: scratch for hands of k cards.
        sums: shape (3, W); two lines are scratch. The last one holds, of each column, the largest mean of half the
            brackets' widths so far.
        values: shape (H, W); lines start … stop − 1 are written.
        counts: the counters of :mod:`~gops_exact.solvers.floats.kernels.settle`, added to.
    """
    k = sign.shape[1]
    line, widths, half_widths = sums[0], sums[1], sums[2]
    for h in range(start, stop):
        # The entries of the games of this pair of hands, all of which have the same signs and children.
        m = n = entries = 0
        for i in range(k):
            m += row_kept[h, i]
            n += column_kept[h, i]
            for j in range(k):
                if row_kept[h, i] and column_kept[h, j]:
                    # ±(line + 1): negative for a mirror image; 0 for equal hands, whose game is worth 0.
                    c = child[h, i, j]
                    s.sign[entries] = sign[h, i, j] + 1
                    s.mirrored[entries] = 1 if c < 0 else 0
                    s.factor[entries] = 1.0 if c > 0 else -1.0 if c < 0 else 0.0
                    s.child[entries] = max(abs(c) - 1, 0)
                    entries += 1
        sums[:2] = 0.0
        # No payoffs of another pair of hands may stand beyond the bids of this one.
        s.game[:] = 0.0
        # Each pair begins with the same basis, so that results do not depend on the order of pairs.
        s.basis[:, 0] = 0
        size = 1
        for block in range(len(table.blocks) - 1):
            lanes = fill(table.blocks[block], table.blocks[block + 1], entries, s, below, table)
            size = settle_lanes(
                s,
                m,
                n,
                lanes,
                table.decided != 0.0,
                1.0 / table.largest,
                tolerance,
                size,
                sums,
                counts,
            )
        # Means over upcards; rounded to integers if they are kept as such.
        out = values[h]
        for t in range(len(out)):
            out[t] = (line[t] * table.share + to_integer) - to_integer
        for t in range(len(out)):
            half_widths[t] = max(half_widths[t], widths[t] * table.share)
