"""Double oracle method for large games, which solves restricted games and adds best replies to them.

Words used here:

* An *information set* of a player is a set of states that the player cannot tell apart.
* A *sequence* of a player is an information set and a move there. A player who has not moved yet has the *empty
  sequence*.
* A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of its move
  and of the player's earlier moves.
* The *sequence form* of a game has both players' sequences, and player one's payoff for each pair of them.
* A *basis* of a linear program is a choice of as many of its variables and slacks as it has constraints. With all
  others set to 0, the constraints determine the variables of the basis, which are called *basic*.

A *restricted* game has only some of the moves at each information set. Its equilibrium is an equilibrium of the
whole game if the best replies in the whole game gain no more than those in the restricted game. As long as they gain
more, their moves are added to the restricted game (Bošanský, Kiekintveld, Lisý & Pěchouček 2014, *An exact
double-oracle algorithm for zero-sum extensive-form games with imperfect information*). The first restricted game comes
from a few iterations of a learning algorithm: it has the moves that are likely in the strategies learned so far.

All these steps are in floats. Only the result is exact: the realization plans at the last basis of the last restricted
game's linear program. The caller has to prove that these plans are optimal in the whole game.
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
"""Number of iterations of the learning algorithm, whose strategies select the moves of the first restricted game."""

SHARE = 1e-3
"""The first restricted game has the moves whose probability in the learned strategies is greater than this, and the
most probable move of each information set that these moves lead to."""

GAIN = 1e-9
"""Moves that gain more than this, as a fraction of the greatest absolute payoff, are added to the restricted game. It is
also the greatest tolerance with which restricted games are solved."""


def plans_by_replies(form: Form, progress: Progress = silent) -> Iterator[Plans | None]:
    """Yield realization plans of the whole game by the double oracle method, once for each of HiGHS's `TOLERANCES`.

    A restricted game has only some of the moves. With each tolerance, restricted games are solved in floats, and best
    replies add moves to them, until no move is added. The plans are computed exactly at the last basis of the last
    restricted game's linear program, but they are not proved to be optimal. If the form is symmetric, player two's plan
    is missing. None is yielded if the plans cannot be computed exactly.

    Args:
        form: the sequence form of the whole game, which must have perfect recall.
        progress: called as progress(done, total): first counted in iterations of the learning algorithm that selects
            the moves of the first restricted game, then in pivots of each restricted game's linear program.
    """
    for _, learned in zip(tracked(range(ITERATIONS), progress), learning(form), strict=False):
        learners = learned
    least = GAIN * np.abs(form.floats).max(initial=0.0)
    # For each player, a mask of the sequences that the restricted game has, shape (sequences,). A sequence is in the
    # first restricted game if its move and all earlier moves are likely.
    masks = [np.arange(learner.size) == START for learner in learners]
    for learner, mask in zip(learners, masks, strict=True):
        for before, after in zip(learner.before, learner.after, strict=True):
            plan = learner.average[after]
            likely = plan > SHARE * plan.sum(axis=1, keepdims=True)
            likely[np.arange(len(after)), plan.argmax(axis=1)] = True
            mask[after] = likely & mask[before][:, None]
    for tolerance in TOLERANCES:
        program: LinearProgram | None = None
        while True:
            small, indices = restricted(form, masks)
            program = LinearProgram(small, program, progress=progress)
            program.solve(min(tolerance, GAIN))
            levels = program.levels()
            added = [
                _add_replies(learner, mask, form.gains(levels[1 - k][indices[1 - k]], k), least)
                for k, (learner, mask) in enumerate(zip(learners, masks, strict=True))
            ]
            if not any(added):
                break
        plans = program.plans()
        for plan in plans or ():
            plan.append(fmpq(0))  # for sequences that the restricted game lacks, whose index is −1
        yield plans and [
            [plan[index] for index in numbers.tolist()]
            for plan, numbers in zip(plans, indices, strict=False)
        ]


def _add_replies(learner: Learner, mask: NDArray[np.bool_], gains: Floats, least: float) -> bool:
    """Add moves of a player's best reply to the restricted game; return True if a move was added.

    The restricted game has only some of the moves of the whole game. At each information set that the restricted
    game reaches, the move of the best reply is added in two cases: if it gains more than `least` over the best move
    that the restricted game has there, or if the restricted game has no move there.

    Args:
        learner: the learner of the player who replies; only its information sets are used.
        mask: mask of the player's sequences in the restricted game, shape (sequences,), changed in place.
        gains: the player's gains against the opponent's plan, as :meth:`.Form.gains` returns them; changed in place.
        least: the least gain for which a move is added, in the unit of `gains`.
    """
    # The loop goes from the last information sets to the first, and adds the gain of the best move at a set to the gain
    # of the sequence that leads to the set. For `best` this is the best of all moves, for `limited` the best move of
    # the restricted game.
    best, limited, replies = gains, gains.copy(), []
    for before, after in reversed([*zip(learner.before, learner.after, strict=True)]):
        most = best[after].max(axis=1)
        most_now = np.where(mask[after], limited[after], -inf).max(axis=1)
        replies.append((after, before, best[after].argmax(axis=1), most - most_now))
        best += np.bincount(before, most, learner.size)
        # At an information set where the restricted game has no moves, `most_now` is −inf. Such a set cannot be
        # reached in the restricted game, and adds nothing to `limited`.
        limited += np.bincount(before, np.where(most_now > -inf, most_now, 0.0), learner.size)
    count = mask.sum()
    for after, before, move, gain in reversed(replies):
        wanted = np.flatnonzero(mask[before] & (gain > least))
        mask[after[wanted, move[wanted]]] = True
    return bool(mask.sum() > count)


def restricted(form: Form, masks: list[NDArray[np.bool_]]) -> tuple[Form, list[Integers]]:
    """Return the restricted game that has only some of the sequences, and the indices of the sequences in it.

    Args:
        form: the whole game, which must have perfect recall.
        masks: for each player, a mask of the sequences that the restricted game has, shape (sequences,). The mask must
            select the empty sequence, and at least one move at each information set to which a selected sequence leads.

    Returns:
        The restricted game; and for each player an array of shape (sequences,). For each sequence of the whole game,
        the array has the sequence's index in the restricted game, or −1 if the restricted game lacks the sequence. A
        single selected move at an information set adds no sequence: its index is that of the sequence that leads to the
        set.
    """
    sides, indices = list[Side](), list[Integers]()
    for side, mask in zip(form.sides, masks, strict=True):
        smaller, keeps = Side(), mask.tolist()
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
    # A single move at a set has the number of the sequence that leads to the set. So a pair of numbers can occur
    # several times, and its payoffs are added up.
    pairs, sums = np.unique(rows[inside] * width + columns[inside], return_inverse=True)
    payoffs = np.zeros(len(pairs), form.payoffs.dtype)
    np.add.at(payoffs, sums, form.payoffs[inside])
    pairs = np.stack(np.divmod(pairs, width), axis=1)
    some = payoffs != 0
    both = sides[0], sides[1]
    return replace(form, sides=both, pairs=pairs[some], payoffs=payoffs[some]), indices
