"""Kernel for the chance of a draw in many games, if both players' strategies are optimal in each round."""

import numpy as np
from numpy.typing import NDArray

from gops_exact.solvers.floats.kernels import kernel, part
from gops_exact.solvers.floats.kernels.settle import Scratch, saddle, settle_game
from gops_exact.solvers.floats.layer import NARROW, Floats, Ints

OPEN = 2
"""The mark of a round that leaves the game undecided; −1, 0 and 1 are the values of decided games."""


@part
def strategies(m: int, n: int, tolerance: float, s: Scratch, counts: Ints) -> float:
    """Find a pair of optimal strategies of the game in ``s.game``, pure ones if there is a saddle point.

    The strategies are written to ``s.surest``, with the sum 1. Arguments are those of
    :func:`~gops_exact.solvers.floats.kernels.settle.settle_game`.

    Returns:
        The width of the bracket: player two's guarantee less player one's.
    """
    entry = saddle(s.game, m, n)
    if entry >= 0:
        s.surest[:] = 0.0
        s.surest[0, entry // n], s.surest[1, entry % n] = 1.0, 1.0
        return 0.0
    low, high = settle_game(m, n, tolerance, s, counts)
    for weights in s.surest:
        total = 0.0
        for weight in weights:
            total += weight
        for bid in range(len(weights)):
            weights[bid] /= total
    return high - low


@kernel
def draw_chances(
    sign: NDArray[np.int8],
    child: NDArray[np.int32],
    row_kept: NDArray[np.bool_],
    column_kept: NDArray[np.bool_],
    decided: Ints,
    column: Ints,
    mirrored: Ints,
    values: Floats | NDArray[np.int32],
    unit: float,
    draws: Floats,
    chances: Floats,
    room: Scratch,
    counts: Ints,
) -> float:
    """Compute the chance of a draw for every pair of hands and every list of games: the mean over the list.

    The first four arguments are arrays of a :class:`~gops_exact.game.order_types.Layer`.

    Args:
        sign: shape (H, k, k); the winner of the round.
        child: shape (H, k, k); the reference to the pair of hands after the round.
        row_kept: shape (H, k); true for the bids of player one that are kept.
        column_kept: shape (H, k); true for the bids of player two that are kept.
        decided: shape (lists, turns, stakes, 3); the value of a decided round, or :data:`OPEN`. The last axis
            is the winner of the round: nobody, player one, player two.
        column: shape (lists, turns, stakes, 3); the column in `values` and `draws` of the node after the
            round.
        mirrored: shape (lists, turns, stakes, 3); the column of this node with the players swapped.
        values: shape (H', W'); the values of the layer below, wins less losses, as multiples of `unit`.
        unit: the unit of the values.
        draws: shape (H', W'); the chances of a draw in the layer below.
        chances: shape (H, lists), written; the chances of a draw.
        room: scratch for hands of k cards.
        counts: the counters of :mod:`~gops_exact.solvers.floats.kernels.settle`, added to.

    Returns:
        The widest bracket of a game's value.
    """
    k = sign.shape[1]
    lists, turns, stakes = decided.shape[:3]
    drawn, rows, columns = room.square, room.row_at, room.column_at
    one, two = room.surest[0], room.surest[1]
    widest = 0.0
    for h in range(sign.shape[0]):
        m = n = 0
        for i in range(k):
            if row_kept[h, i]:
                rows[m] = i
                m += 1
            if column_kept[h, i]:
                columns[n] = i
                n += 1
        room.game[:] = 0.0
        for g in range(lists):
            total = 0.0
            for t in range(turns):
                for i in range(m):
                    for j in range(n):
                        winner, line = sign[h, rows[i], columns[j]], child[h, rows[i], columns[j]]
                        # An entry is the mean over the stakes of a turn: one stake for each prize if prizes
                        # are hidden, else a single stake. No reference is 0, since equal hands are kept in
                        # games to win.
                        value = draw = 0.0
                        for s in range(stakes):
                            known = decided[g, t, s, winner]
                            if known != OPEN:
                                value += known
                                draw += known == 0
                            elif line > 0:
                                at = column[g, t, s, winner]
                                value += values[line - 1, at] * unit
                                draw += draws[line - 1, at]
                            else:
                                at = mirrored[g, t, s, winner]
                                value -= values[-line - 1, at] * unit
                                draw += draws[-line - 1, at]
                        room.game[i, j], drawn[i, j] = value / stakes, draw / stakes
                widest = max(widest, strategies(m, n, NARROW, room, counts))
                for i in range(m):
                    for j in range(n):
                        if one[i] * two[j] > 0.0:
                            total += one[i] * two[j] * drawn[i, j]
            chances[h, g] = total / turns
    return widest
