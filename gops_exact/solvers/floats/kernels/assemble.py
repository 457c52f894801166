"""Kernels that compute the payoff matrices of many matrix games, solve these games, and average their values.

Words used here:

* A *layer* has the values of all positions with the same number of cards a side. It is an array with a line for each
  pair of hands, and a column for each prize set and state. The layer *below* has one card less a side; the payoffs are
  computed from its values.
* A *prize set* is the set of the prizes left.
* A *state* is the margin (player one's points minus player two's) and the pot (the points carried over from ties).
* The *upcard* is the prize turned up in a round.
* The *signs* of a pair of hands are the winners of the round for each pair of bids: 1 for player one, −1 for player
  two, 0 for a tie. Its *children* are the pairs of hands after the round.
* A *run* is a series of states in neighbouring columns, with one upcard. There is a matrix game for each of its states.
* A *block* is a group of neighbouring runs with at most BATCH states. For each pair of hands, the games of a block are
  solved side by side. In other modules of the float solver, a block is a range of pairs of hands.
* A *basis* is a choice of equally many rows and columns of a matrix game, which determines a strategy of each player.

A matrix game belongs to a pair of hands, a prize set, a state and an upcard. All games of one pair of hands have the
same signs and the same children. Only the values of the children differ. So the games of a pair of hands are computed
in blocks: one entry of the payoff matrix is computed for all games of the block, then the next entry.

If the objective is to win, a run has the margins of one prize set and pot. If the objective is points and ties are
carried over, it has the pots of one prize set. Otherwise a run has a single state. Runs of more than BATCH states are
cut into several. For each winner of the round, the states after the round are in neighbouring columns of the layer
below, in the same or the reverse order; or they are all the same state. For the states at either end of a run, the game
may be decided after the round. Then there is no column in the layer below, and the payoff is that of a won or lost
game.

If the objective is points, the games of a block stand side by side in the order of their runs. If it is to win, they
are sorted by margin, because games with the same margin often have the same basis, or are all solved by a saddle point.

If prizes are hidden, a run has a term for each prize that may be drawn, and the payoffs of a game are the sums of the
terms. Otherwise a run has one term.

All arithmetic is done in floats, with numbers in the unit of the stored values: 1 for floats,
:data:`~gops_exact.solvers.floats.layer.FIXED` for integers. Both units are powers of two, so the conversion of a number
to the unit does not round it. These arguments mean the same in all functions that fill payoffs:

    start, stop  the index of the first run, and one past that of the last run
    e            the index of an entry of the payoff matrices; entries are numbered row by row
    s            scratch arrays; line `e` of ``s.payoff`` is written, and has entry `e` of all games of a block
    below        shape (H', W'); the stored values of the layer below
    table        the runs of the layer
"""

from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.rules import Draw, Prizes, State, Winner
from gops_exact.solvers.floats.kernels import inlined, kernel, part
from gops_exact.solvers.floats.kernels.batch import solve_batch
from gops_exact.solvers.floats.kernels.vectors import BATCH, Numbers, Scratch
from gops_exact.solvers.floats.layer import Columns, Floats, Ints, Stored

WINNERS: tuple[Winner, Winner, Winner] = (-1, 0, 1)
"""The possible winners of a round: −1 for player two, 0 for nobody, 1 for player one. The arrays `low`, `high`,
`source` and `step` of :class:`Runs` have an entry for each winner on their first axis, in this order."""

TO_INTEGER = 1.5 * 2.0**52
"""The number 1.5 · 2⁵². Adding and then subtracting it rounds a float of absolute value below 2⁵¹ to the nearest
integer: the sum lies between 2⁵² and 2⁵³, where floats represent only integers."""


class Runs(NamedTuple):
    """The R runs of a layer. A *run* is a series of states in neighbouring columns; there is one game for each state.

    If prizes are hidden, a payoff is a sum of T terms, one for each prize that the round may be played for; otherwise T
    is 1. The first axis of some arrays has the length 3. It is the axis of the winner of the round, in the order of
    :data:`WINNERS`. The arrays are written only by the function :func:`runs`.
    """

    # Length B + 1, int64; the index of the first run of each of B blocks, and R as the last entry. The games of a block
    # are solved side by side.
    blocks: Ints
    target: Numbers  # length R, uint32; the column of a run's first state
    length: Ints  # length R, int64; the number of games of a run
    begin: Ints  # length R, int64; the index of a run's first game in `slot`
    slot: Numbers  # uint32; for each game, run by run, the index at which it stands in its block
    # Shape (T, R); the points that the winner of a round gains in a run's first state. They need no conversion to the
    # unit of the values: for points this unit is 1, and if the objective is to win, all entries are 0.
    gain: Floats
    # Shape (3, T, R), int64; for each winner, term and run, the number of states at the start of the run in which
    # player one has lost the game after the round.
    low: Ints
    # Shape (3, T, R), int64; for each winner, term and run, the number of states at the end of the run in which player
    # one has won the game after the round.
    high: Ints
    # Shape (3, 2, T, R), uint32; two columns of the layer below for each run. Take the first state of the run in which
    # the round does not decide the game. Index 0 of the second axis: the column of the state after this round. Index 1:
    # the column of the same state with the players swapped, which is read if the layer below stores the pair of hands
    # with the players swapped. Both are 0 if the round decides the game in every state of the run.
    source: Numbers
    # Shape (3, 2), int64; the axes are the first two of `source`. Each state of a run leads to a state after the round,
    # which has a column in the layer below. From one state of the run to the next, the index of this column changes by
    # the entry: 1, −1 or 0.
    step: Ints
    gain_step: float  # the change of `gain` from one state of a run to the next: 1 if the pot grows, else 0
    share: float  # the factor of a game's value in the value of its state: 1, or 1/k if the k prizes come at random
    decided: float  # the value of a won game in the unit of values; 0 for points, where no state is decided
    largest: float  # a bound on the absolute payoffs, in the unit of values


@lru_cache(maxsize=1)
def runs(columns: Columns, unit: float = 1.0) -> Runs:
    """Return the runs of a layer of k ≥ 1 cards a side, which the docstring of this module describes.

    For each state of a run, the result also has the columns of the states after the round. Runs depend on the rules and
    the prizes, not on the hands. The last result is cached, because every task of a layer needs it.

    Args:
        columns: the columns of the layer; there must be at least one.
        unit: the unit of the stored values: a stored 1 stands for this value.

    >>> from gops_exact.game.rules import Rules
    >>> table = runs(Columns(Rules("win"), (1, 2, 3), 2))
    >>> table.length[:2].tolist(), table.slot[:12].tolist()
    ([7, 5], [0, 1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10])
    """
    rules = columns.rules
    games = [(prizes, columns.draws(prizes)) for prizes in columns.sets]
    if not rules.hidden:
        games = [(prizes, [draw]) for prizes, draws in games for draw in draws]
        games.sort(key=lambda game: game[1][0].upcard)
    # `rows` has an entry for each run: its first state, the column of this state, the number of its states, and a list
    # of draws. If prizes are hidden, the list has every prize that may be drawn, otherwise only the upcard. Runs with
    # the same upcard stand together.
    rows: list[tuple[State, int, int, list[Draw]]] = []
    for prizes, draws in games:
        for first, whole in columns.stretches(prizes):
            column = columns.column(prizes, first)
            for offset in range(0, whole, BATCH):
                state = columns.along(first, offset)
                rows.append((state, column + offset, min(BATCH, whole - offset), draws))
    # Group runs into blocks of at most BATCH games. All runs of a block have the same upcard, so that `fill_singles`
    # computes the points of the winner once for the block. If prizes are hidden, a run has no upcard; the runs are then
    # grouped by their lowest prize left. `starts` gets the index of the first run of each block.
    starts, upcard, total = [], None, 0
    for r, (_, _, length, draws) in enumerate(rows):
        if draws[0].upcard != upcard or total + length > BATCH:
            starts.append(r)
            upcard, total = draws[0].upcard, 0
        total += length
    starts.append(len(rows))
    # Number the games of each block. If the objective is to win, they are sorted by margin. For points all margins are
    # 0, so the games keep the order of their runs.
    order = []
    for start, stop in pairwise(starts):
        margins = [
            columns.along(first, q).margin
            for first, _, length, _ in rows[start:stop]
            for q in range(length)
        ]
        # The slot of a game is its rank by margin. Sorting the indices that sort the margins gives the ranks.
        order.append(np.argsort(np.argsort(margins, kind="stable")).astype(np.uint32))
    terms = len(rows[0][-1])
    shape = (3, terms, len(rows))
    low, high = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    source = np.zeros((3, 2, terms, len(rows)), dtype=np.uint32)
    gain = np.zeros((terms, len(rows)))
    upcards, tied = set[int](), set[int]()
    for r, (first, _, length, draws) in enumerate(rows):
        for t, draw in enumerate(draws):
            gain[t, r] = rules.gain(first, draw.upcard, 1)
            upcards.add(draw.upcard)
            for w, winner in enumerate(WINNERS):
                state = rules.after(first, draw.upcard, winner)
                low[w, t, r], high[w, t, r], source[w, :, t, r] = _undecided(
                    columns.below, draw.rest, state, length
                )
    lengths = np.array([length for _, _, length, _ in rows], dtype=np.int64)
    # `step` has a pair for each winner. The first number says how far the column of the state after the round moves
    # from one state of a run to the next, the second how far it moves if the players are swapped. If the objective is
    # to win, the margin after the round grows by 1, and with the players swapped it falls by 1. For points with ties
    # carried over, the pot after a tie grows by 1 (`tied` is {1}). In all other cases the numbers are 0, because all
    # states of a run lead to the same state after the round.
    for upcard in upcards:
        tied.add(rules.after(State(pot=1), upcard, 0).pot - rules.after(State(), upcard, 0).pot)
    if len(tied) > 1 and not rules.winning:
        raise ValueError(
            "in floats a tie must keep the pot with every prize or with none, "
            f"got {rules}, where it depends on the prize"
        )
    step = [[1, -1]] * 3 if rules.winning else [[0, 0], [*tied] * 2, [0, 0]]
    most = 1.0 if rules.winning else columns.points
    return Runs(
        blocks=np.array(starts, dtype=np.int64),
        target=np.array([column for _, column, _, _ in rows], dtype=np.uint32),
        length=lengths,
        begin=lengths.cumsum() - lengths,
        slot=np.concatenate(order),
        gain=gain,
        low=low,
        high=high,
        source=source,
        step=np.array(step, dtype=np.int64),
        gain_step=float(not rules.winning and rules.carries),
        share=1.0 if rules.fixed else 1.0 / columns.size,
        decided=1.0 / unit if rules.winning else 0.0,
        # Where prizes are hidden, payoffs are sums over the prizes, not means, so the bound is k times as large. If all
        # prizes are 0, the bound is 1 instead of 0, because payoffs are divided by it.
        largest=(most * (columns.size if rules.hidden else 1) / unit) or 1.0,
    )


def _undecided(
    below: Columns, prizes: Prizes, state: State, length: int
) -> tuple[int, int, tuple[int, int]]:
    """Count the states at each end of a run in which the round decides the game, and find the first undecided column.

    A run is a series of states in neighbouring columns. The undecided states after the round are in neighbouring
    columns, too, or they are all the same state. So the column of the first of them is enough.

    Args:
        below: the columns of the layer below.
        prizes: the prizes left after the round.
        state: the state after the round that is played in the first state of the run. If the objective is to win,
            the margin grows by 1 from one state of the run to the next.
        length: the number of states of the run.

    Returns:
        (lost, won, columns). `lost` is the number of states at the start of the run in which player one has lost after
        the round, `won` the number of states at its end in which player one has won. `columns` are two columns of the
        layer below: that of the first undecided state after the round, and that of the same state with the players
        swapped. Both are 0 if every state is decided.
    """
    # If the objective is to win, the columns of the layer below have the margins −radius … radius for a prize set and a
    # pot. A state with a margin outside these is decided. For points no state is decided, and swapping the players
    # changes no state, because all margins are 0.
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
    """Set the payoff ``out[at]`` to `value` if `term` is 0, the first term; for later terms, add `value`."""
    out[at] = value if term == 0 else out[at] + value


@inlined
def fill_singles(start: int, stop: int, e: int, s: Scratch, below: Stored, table: Runs) -> None:
    """Compute entry `e` of the payoff matrices of the games of the runs start, …, stop − 1.

    Each of these runs must have a single state. The docstring of the module defines runs and the arguments.
    """
    sign, mirror, factor = s.sign[e], s.mirrored[e], s.factor[e]
    winner = sign - 1.0
    line, out = below[s.child[e]], s.payoff[e]
    gain, source = table.gain[:, start:stop], table.source[sign, mirror, :, start:stop]
    if len(gain) == 1:  # all games of the block have one upcard, so the gain is computed once
        points = winner * gain[0, 0]
        for q in range(np.uint64(stop - start)):
            out[q] = points + factor * line[source[0, q]]
        return
    for t in range(len(gain)):
        for q in range(np.uint64(stop - start)):
            put(out, q, winner * gain[t, q] + factor * line[source[t, q]], t)


@inlined
def fill_runs(start: int, stop: int, e: int, s: Scratch, below: Stored, table: Runs) -> None:
    """Compute entry `e` of the payoff matrices of the games of the runs start, …, stop − 1.

    These runs may have any number of states. The docstring of the module defines runs and the arguments.
    """
    sign, mirror, factor = s.sign[e], s.mirrored[e], s.factor[e]
    winner, step, decided = sign - 1.0, table.step[sign, mirror], table.decided
    line, out = below[s.child[e]], s.payoff[e]
    slot = table.slot[table.begin[start] :]
    # The indices are unsigned, so that Numba compiles no test for negative indices.
    at = np.uint64(0)
    for r in range(start, stop):
        end = at + np.uint64(table.length[r])
        for t in range(table.gain.shape[0]):
            gain, slope = winner * table.gain[t, r], winner * table.gain_step
            first = at + np.uint64(table.low[sign, t, r])
            last = end - np.uint64(table.high[sign, t, r])
            source = np.uint64(table.source[sign, mirror, t, r])
            for q in range(at, first):
                put(out, slot[q], -decided, t)
            for q in range(last, end):
                put(out, slot[q], decided, t)
            # There is a loop for each of the steps 1, −1 and 0. For a single loop with the step as a variable, LLVM
            # generates no vector instructions.
            number = last - first
            if step > 0:
                for q in range(number):
                    put(out, slot[first + q], gain + q * slope + factor * line[source + q], t)
            elif step < 0:
                for q in range(number):
                    put(out, slot[first + q], gain + q * slope + factor * line[source - q], t)
            else:
                for q in range(number):
                    put(out, slot[first + q], gain + q * slope + factor * line[source], t)
        at = end


@part
def fill(start: int, stop: int, entries: int, s: Scratch, below: Stored, table: Runs) -> int:
    """Fill in the payoffs of the games of runs start, …, stop − 1 side by side; return the number of games.

    A run is a series of states in neighbouring columns, with a game for each state. The payoffs are written to the
    first `entries` lines of ``s.payoff``, one for each entry of the payoff matrix. For each game, ``s.target`` gets the
    index of the column of values that the game's value is added to.
    """
    total = 0
    for r in range(start, stop):
        length = table.length[r]
        for q in range(length):
            s.target[table.slot[table.begin[r] + q]] = table.target[r] + q
        total += length
    # If points are played for and ties are discarded, every run is a single state, for which a simpler loop suffices.
    singles = total == stop - start and table.decided == 0.0 and table.gain_step == 0.0
    for e in range(entries):
        if singles:
            fill_singles(start, stop, e, s, below, table)
        else:
            fill_runs(start, stop, e, s, below, table)
    return total


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
    """Compute the values of pairs of hands start … stop − 1 in every column, and write them to `values`.

    A column stands for a set of prizes left, a margin and a pot. The arrays `sign` to `column_kept` are those of a
    :class:`~gops_exact.game.order_types.Layer`. Payoffs, widths and values are in the unit of the stored values.

    Args:
        start: the index of the first pair of hands.
        stop: one past the index of the last pair of hands.
        sign: shape (H, k, k); the winner of the round for each pair of bids: −1, 0 or 1.
        child: shape (H, k, k); the pair of hands after the round, as a number. It is i + 1 if line i of `below` has the
            values of this pair, −(i + 1) if line i has those of the pair with the players swapped, and 0 for equal
            hands if they are not stored, because their value is 0.
        row_kept: shape (H, k); true for each bid of player one that has a row in the payoff matrix. Of interchangeable
            bids only the lowest has a row.
        column_kept: shape (H, k); true for each bid of player two that has a column in the payoff matrix. Of
            interchangeable bids only the lowest has a column.
        below: shape (H', W'); the stored values of the positions with one card less a side.
        table: the :class:`Runs` of the layer.
        to_integer: :data:`TO_INTEGER` for values stored as integers, otherwise 0.
        tolerance: the width up to which the proved interval around a game's value counts as narrow.
        s: scratch arrays for hands of k cards.
        sums: shape (3, W); rows 0 and 1 are scratch. Row 2 is updated: for each column it has the largest half width
            of the interval around a value, in all pairs of hands so far.
        values: shape (H, W); lines start … stop − 1 are written.
        counts: length COUNTS, updated; the counters that :mod:`~gops_exact.solvers.floats.kernels.single` names.
    """
    k = sign.shape[1]
    line, widths, half_widths = sums[0], sums[1], sums[2]
    for h in range(start, stop):
        # Describe the entries of the payoff matrices in the arrays of `s`. This is done once for each pair of hands,
        # because all its games have the same signs and children.
        m = n = entries = 0
        for i in range(k):
            m += row_kept[h, i]
            n += column_kept[h, i]
            for j in range(k):
                if row_kept[h, i] and column_kept[h, j]:
                    # Here c is 1 plus the child's line in the layer below, with a minus if the line has the child with
                    # the players swapped. For equal hands that are not stored c is 0; line 0 is then read, but
                    # multiplied by the factor 0.
                    c = child[h, i, j]
                    s.sign[entries] = sign[h, i, j] + 1
                    s.mirrored[entries] = 1 if c < 0 else 0
                    s.factor[entries] = 1.0 if c > 0 else -1.0 if c < 0 else 0.0
                    s.child[entries] = max(abs(c) - 1, 0)
                    entries += 1
        sums[:2] = 0.0
        # Clear the payoffs of the previous pair of hands, which may have had more bids.
        s.game[:] = 0.0
        # Every pair of hands begins with the same basis, the first row and the first column. So the results do not
        # depend on the order in which pairs are solved.
        s.basis[:, 0] = 0
        size = 1
        for block in range(len(table.blocks) - 1):
            total = fill(table.blocks[block], table.blocks[block + 1], entries, s, below, table)
            size = solve_batch(
                s,
                m,
                n,
                total,
                table.decided != 0.0,
                1.0 / table.largest,
                tolerance,
                size,
                sums,
                counts,
            )
        # `line` has for each column the sum of the games' values over the upcards or, if prizes are hidden, the value
        # of one game whose payoffs are sums over the prizes. The factor `share` makes a mean of either. The mean is
        # rounded to an integer if values are stored as integers; otherwise `to_integer` is 0.
        out = values[h]
        for t in range(len(out)):
            out[t] = (line[t] * table.share + to_integer) - to_integer
        for t in range(len(out)):
            half_widths[t] = max(half_widths[t], widths[t] * table.share)
