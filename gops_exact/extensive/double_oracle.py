"""Double oracle method for large games, which solves restricted games and adds best replies to them.

The terms sequence form, sequence and realization plan are defined in :mod:`~gops_exact.extensive.form`.

A *restricted* game has only some of the moves at each information set. Its equilibrium is an equilibrium of the
whole game if the best replies in the whole game gain no more than those in the restricted game. As long as they gain
more, their moves are added to the restricted game (Bošanský, Kiekintveld, Lisý & Pěchouček 2014, *An exact
double-oracle algorithm for zero-sum extensive-form games with imperfect information*). The first restricted game has
the moves that each player's own strategy makes likely after a short time of learning. All these steps are in floats.
Only the realization plans at the optimal basis of the last restricted game's linear program are computed exactly.
:func:`~gops_exact.extensive.equilibrium.solve_game` then checks that they are optimal in the whole game.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base.progress import Progress, silent, tracked
from gops_exact.extensive.form import START, Floats, Form, Integers, Side
from gops_exact.extensive.learn import Learner, learning
from gops_exact.extensive.linear_program import TOLERANCES, LinearProgram, Plans

ITERATIONS = 300
"""Number of iterations of the learning algorithm. Its strategies then select the moves of the first restricted game."""

SHARE = 1e-3
"""Least probability in the learned strategies with which a move is put into the first restricted game. The most
probable move of each information set is put into it in any case."""

GAIN = 1e-9
"""Least gain for which a move is added to the restricted game, as a fraction of the greatest payoff. It is also the
greatest tolerance with which restricted games are solved."""


def plans_by_replies(form: Form, progress: Progress = silent) -> Iterator[Plans | None]:
    """Yield exact realization plans of the whole game by the double oracle method, once for each tolerance.

    The tolerances are those in `TOLERANCES`, with which linear programs are solved in floats. With each tolerance, the
    method solves restricted games until best replies add no moves. The plans are those at the optimal basis of the last
    restricted game's linear program. None is yielded if they cannot be computed exactly.

    Args:
        form: the sequence form of the whole game, which must have perfect recall.
        progress: called as progress(done, total), in iterations of the learning, then in pivots of each restricted
            game.
    """
    for _, learned in zip(tracked(range(ITERATIONS), progress), learning(form), strict=False):
        learners = learned
    payoffs = form.floats()
    gains = payoffs, -payoffs
    least = GAIN * np.abs(payoffs).max(initial=0.0)
    # For each player, a mask of the sequences that the restricted game has, shape (sequences,): those that consist of
    # likely moves of the learned strategy only.
    kept = [np.arange(learner.size) == START for learner in learners]
    for learner, mask in zip(learners, kept, strict=True):
        for before, after in zip(learner.before, learner.after, strict=True):
            plan = learner.average[after]
            likely = plan > SHARE * plan.sum(axis=1, keepdims=True)
            likely[np.arange(len(after)), plan.argmax(axis=1)] = True
            mask[after] = likely & mask[before][:, None]
    for tolerance in TOLERANCES:
        small, indices = restricted(form, kept)
        program, is_wider = LinearProgram(small, progress=progress), True
        while is_wider:
            program.solve(min(tolerance, GAIN))
            is_wider = False
            for other, plan in enumerate(program.levels()):
                own, weights = 1 - other, plan[indices[other]][form.pairs[:, other]]
                best = np.bincount(
                    form.pairs[:, own], gains[own] * weights, learners[own].size
                ).astype(np.float64, copy=False)
                is_wider |= _add_replies(learners[own], kept[own], best, least)
            if is_wider:
                small, indices = restricted(form, kept)
                program = LinearProgram(small, program, progress=progress)
        plans = program.plans()
        # A sequence that the restricted game lacks has the index −1. This index selects the 0 that is appended to the
        # plan, so the probability of the sequence is 0.
        yield plans and [
            [[*plan, fmpq(0)][index] for index in indices_of.tolist()]
            for plan, indices_of in zip(plans, indices, strict=False)
        ]


def _add_replies(learner: Learner, kept: NDArray[np.bool_], best: Floats, least: float) -> bool:
    """Add moves of a player's best reply to the restricted game: those that gain more than the moves that it has.

    Args:
        learner: the player who replies; its information sets and sequences are used.
        kept: mask of the player's sequences in the restricted game, shape (sequences,), changed in place.
        best: for each sequence, the player's expected gain at the leaves where this sequence is the player's last,
            shape (sequences,), changed in place.
        least: the least gain for which a move is added, in the unit of the payoffs.

    Returns:
        True if a move was added.
    """
    # For each sequence, `best` and `limited` have the player's gain: at first only at the leaves where this sequence is
    # the player's last. The loop goes from the last information sets to the first, and adds the gain of the best move
    # at a set to the gain of the sequence that leads to the set. For `best` this is the best of all moves, for
    # `limited` the best move of the restricted game.
    limited = best.copy()
    replies = []
    for before, after in reversed([*zip(learner.before, learner.after, strict=True)]):
        most = best[after].max(axis=1)
        most_kept = np.where(kept[after], limited[after], -inf).max(axis=1)
        replies.append((after, before, best[after].argmax(axis=1), most - most_kept))
        best += np.bincount(before, most, learner.size)
        # At an information set where the restricted game has no moves, `most_kept` is −inf. Such a set cannot be
        # reached in the restricted game, and adds nothing to `limited`.
        limited += np.bincount(before, np.where(most_kept > -inf, most_kept, 0.0), learner.size)
    count = kept.sum()
    for after, before, move, gain in reversed(replies):
        wanted = np.flatnonzero(kept[before] & (gain > least))
        kept[after[wanted, move[wanted]]] = True
    return bool(kept.sum() > count)


def restricted(form: Form, kept: list[NDArray[np.bool_]]) -> tuple[Form, list[Integers]]:
    """Return the restricted game that has only some of the sequences.

    Args:
        form: the whole game.
        kept: for each player, a mask of the sequences to keep, shape (sequences,). If the sequence that leads to
            an information set is kept, at least one sequence at the set must be kept.

    Returns:
        The restricted game; and for each player the index in the restricted game of each sequence of the whole game,
        shape (sequences,). It is −1 for a sequence that is left out. If only one move is kept at a set, its index is
        that of the sequence that leads to the set.
    """
    sides, indices = list[Side](), list[Integers]()
    for side, has in zip(form.sides, kept, strict=True):
        smaller, keeps = Side(), has.tolist()
        index = [START] + [-1] * (side.sequences - 1)
        for name, ((before,), after) in side.sets.items():
            if keeps[before]:
                moves = [move for move, sequence in after.items() if keeps[sequence]]
                for move, sequence in smaller.at(name, moves, index[before]).items():
                    index[after[move]] = sequence
        sides.append(smaller)
        indices.append(np.array(index))
    rows, columns = (of[part] for of, part in zip(indices, form.pairs.T, strict=True))
    inside, width = (rows >= 0) & (columns >= 0), sides[1].sequences
    # If the restricted game has only one move at an information set, the sequence of this move gets the index of the
    # sequence that leads to the set. So a pair of indices can occur several times, and its payoffs are added up.
    pairs, sums = np.unique(rows[inside] * width + columns[inside], return_inverse=True)
    payoffs = np.zeros(len(pairs), form.payoffs.dtype)
    np.add.at(payoffs, sums, form.payoffs[inside])
    pairs = np.stack(np.divmod(pairs, width), axis=1)
    some = payoffs != 0
    both = sides[0], sides[1]
    return replace(form, sides=both, pairs=pairs[some], payoffs=payoffs[some]), indices
