"""Every game of a layer, as runs of columns: the form in which the float kernels get the rules.

A *run* is a number of states in neighbouring columns, with one upcard: to win, all margins of a prize
set and pot; for points with ties carried over, all pots of a prize set; otherwise a single state. For
each winner of the round, the states that follow stand in neighbouring columns of the layer below,
forwards, backwards or all in one column, except for decided states at either end.

Side by side, the games of a block are in the order of their runs; to win, in the order of margins first:
games of one margin have more often the same basis, and are more often all decided by a saddle point.

Where prizes are hidden a run has a term for each prize, and its game is their sum. Otherwise it has
one term.
"""

from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.rules import Draw, Prizes, Rules, State, Winner
from gops_exact.layers.kernels.settle import LANES, Numbers
from gops_exact.layers.layer import Columns, Floats, Ints

WINNERS: tuple[Winner, Winner, Winner] = (-1, 0, 1)
"""The winners of a round, in the order of the tables."""


class Runs(NamedTuple):
    """R runs of T terms each. The third to last axis is the winner, −1, 0 or 1."""

    blocks: Ints
    """Length B + 1, int64; the first run of each block of games to be solved side by side."""
    target: Numbers
    """Length R, uint32; the first column of a run."""
    length: Ints
    """Length R, int64; the number of games of a run."""
    begin: Ints
    """Length R, int64; the place of a run's first game in `lane`."""
    lane: Numbers
    """The place of each game in its block, run by run."""
    gain: Floats
    """Shape (T, R); points in the round, for the first of them."""
    low: Ints
    """Shape (3, T, R), int64; the number of games at the start that are then decided, lost."""
    high: Ints
    """Shape (3, T, R), int64; the number of games at the end that are then decided, won."""
    source: Numbers
    """Shape (3, 2, T, R), uint32; the column below of the first game that is not decided;
    for references to a pair as it is, and to its mirror image."""
    step: Ints
    """Shape (3, 2), int64; from a state's column below to the next one's: 1, −1 or 0."""
    gain_step: float
    """From a state's points in the round to the next one's."""
    share: float
    """The weight of a game's value in the value of its state."""


class _Run(NamedTuple):
    """States of a prize set side by side, and the draws of their game."""

    first: State
    length: int
    prizes: Prizes
    draws: list[Draw]


def runs(columns: Columns, below: Columns) -> Runs:
    """Return the runs of a layer of k ≥ 1 cards.

    Args:
        columns: of that layer.
        below: of the layer of k − 1 cards.

    >>> from gops_exact.game.rules import Rules
    >>> table = runs(Columns(Rules("win"), (1, 2, 3), 2), Columns(Rules("win"), (1, 2, 3), 1))
    >>> table.target[:2].tolist(), table.length[:2].tolist(), table.low[:, 0, 0].tolist()
    ([0, 7], [7, 5], [2, 1, 0])
    >>> table.lane[:12].tolist()
    [0, 1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10]
    """
    rules = columns.rules
    found = _all_runs(columns)
    terms = len(found[0].draws)
    shape = (3, terms, len(found))
    low, high = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    source = np.zeros((3, 2, terms, len(found)), dtype=np.uint32)
    gain = np.zeros((terms, len(found)))
    for r, run in enumerate(found):
        for t, draw in enumerate(run.draws):
            gain[t, r] = rules.gain(run.first, draw.upcard, 1)
            for s, winner in enumerate(WINNERS):
                low[s, t, r], high[s, t, r], source[s, :, t, r] = _following(
                    run, draw, winner, below
                )
    pots = not rules.winning and rules.carries
    tied = rules.after(State(pot=1), 0, 0).pot - rules.after(State(), 0, 0).pot
    step = [[1, -1]] * 3 if rules.winning else [[0, 0], [tied] * 2, [0, 0]]
    starts = _blocks(found)
    length = np.array([run.length for run in found], dtype=np.int64)
    return Runs(
        starts,
        np.array([columns.column(run.prizes, run.first) for run in found], dtype=np.uint32),
        length,
        length.cumsum() - length,
        np.concatenate([_lanes(found[a:b], rules) for a, b in pairwise(starts)]),
        gain,
        low,
        high,
        source,
        np.array(step, dtype=np.int64),
        float(pots),
        1.0 if rules.fixed else 1.0 / columns.size,
    )


def _all_runs(columns: Columns) -> list[_Run]:
    """Return the runs, those of an upcard together, none longer than :data:`LANES`."""
    rules = columns.rules
    positions = [(prizes, columns.draws(prizes)) for prizes in columns.sets]
    if not rules.hidden:
        positions = [(prizes, [draw]) for prizes, draws in positions for draw in draws]
        positions.sort(key=lambda position: position[1][0].upcard)
    found = []
    for prizes, draws in positions:
        for first, length in columns.stretches(prizes):
            for at in range(0, length, LANES):
                margin, pot = (at, 0) if rules.winning else (0, at)
                state = State(first.margin + margin, first.pot + pot)
                found.append(_Run(state, min(LANES, length - at), prizes, draws))
    return found


def _lanes(block: list[_Run], rules: Rules) -> Numbers:
    """Return the places of the games of a block: to win, those of equal margins side by side."""
    margins = [run.first.margin + q * rules.winning for run in block for q in range(run.length)]
    places = np.zeros(len(margins), dtype=np.uint32)
    places[np.argsort(margins, kind="stable")] = np.arange(len(margins))
    return places


def _following(
    run: _Run, draw: Draw, winner: Winner, below: Columns
) -> tuple[int, int, tuple[int, int]]:
    """Count the decided states at either end; find the columns below of the first undecided one."""
    state = below.rules.after(run.first, draw.upcard, winner)
    if not below.rules.winning:
        column = below.column(draw.rest, state)
        return 0, 0, (column, column)
    radius = below.radius(draw.rest, state.pot)
    low = min(max(-radius - state.margin, 0), run.length)
    high = min(max(state.margin + run.length - 1 - radius, 0), run.length)
    if low + high >= run.length:
        return low, high, (0, 0)
    first = State(state.margin + low, state.pot)
    columns = below.column(draw.rest, first), below.column(draw.rest, first.swapped())
    return low, high, columns


def _blocks(found: list[_Run]) -> NDArray[np.int64]:
    """Group the runs of an upcard into blocks that fit side by side."""
    starts, at = [], 0
    for _, group in groupby(found, key=lambda run: run.draws[0].upcard if run.draws else 0):
        lanes = LANES
        for run in group:
            if lanes + run.length > LANES:
                starts.append(at)
                lanes = 0
            lanes += run.length
            at += 1
    return np.array([*starts, at], dtype=np.int64)
