"""Plans of a large game by the double oracle method: games with few moves, until no other move gains more.

A *restricted* game has only some of the moves at each information set. Its equilibrium is one of the whole game
if the best replies in the whole game gain no more than those in the restricted one. As long as they gain more,
their moves are added (Bošanský, Kiekintveld, Lisý & Pěchouček 2014, *An exact double-oracle algorithm for
zero-sum extensive-form games with imperfect information*). The first moves are those that a short time of
learning leaves. Floats decide all this. :func:`~gops_exact.extensive.equilibrium.solve_game` then proves the plans,
exactly and in the whole game.
"""

from collections.abc import Iterator
from math import inf

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.extensive.form import START, Form, Integers, Side
from gops_exact.extensive.learn import Learner, learning
from gops_exact.extensive.programme import TOLERANCES, Plans, Programme

Floats = NDArray[np.float64]

ITERATIONS = 300
"""Iterations of learning before the first restricted game."""

SHARE = 1e-3
"""The least probability, in learned strategies, of a move that the first restricted game has."""

GAIN = 1e-9
"""The least gain for which a move is added, in units of the greatest payoff. Restricted games are solved to this
tolerance or a smaller one."""


def plans_by_replies(form: Form, *, only_one: bool) -> Iterator[Plans | None]:
    """Yield plans as :func:`~gops_exact.extensive.programme.plans_at_bases` does, by restricted games.

    Args:
        form: the sequence form of the whole game.
        only_one: True to leave out player two's plan.
    """
    for _, learned in zip(range(ITERATIONS), learning(form), strict=False):
        learners = learned
    payoffs = (form.payoffs / form.scale).astype(np.float64)
    gains = payoffs, -payoffs
    least = GAIN * np.abs(payoffs).max(initial=0.0)
    # For each player, True for the sequences of the restricted game, shape (sequences,).
    kept = [_likely(learner) for learner in learners]
    for tolerance in TOLERANCES:
        small, indices = restricted(form, kept)
        programme, is_wider = Programme(small), True
        while is_wider:
            programme.solve(min(tolerance, GAIN))
            is_wider = False
            for other, plan in enumerate(programme.levels()):
                own, weights = 1 - other, plan[indices[other]][form.pairs[:, other]]
                best = np.bincount(
                    form.pairs[:, own], gains[own] * weights, learners[own].size
                ).astype(np.float64, copy=False)
                is_wider |= _add_replies(learners[own], kept[own], best, least)
            if is_wider:
                small, indices = restricted(form, kept)
                programme = Programme(small, programme)
        plans = programme.plans(only_one=only_one)
        # Index −1 is that of sequences left out, whose probability is 0.
        yield plans and [
            [[*plan, fmpq(0)][index] for index in indices_of.tolist()]
            for plan, indices_of in zip(plans, indices, strict=False)
        ]


def _add_replies(learner: Learner, kept: NDArray[np.bool_], best: Floats, least: float) -> bool:
    """Add a player's best moves to the restricted game where they gain more; return True if there are any.

    Args:
        learner: the player who replies, with the information sets.
        kept: True for the player's sequences of the restricted game, shape (sequences,), changed in place.
        best: the player's gain at the leaves of each sequence, shape (sequences,), changed in place.
        least: the least gain for which a move is added.
    """
    # Gains of sequences with the best moves after them: of all moves, `best`, and of those kept.
    limited = best.copy()
    replies = []
    for before, after in reversed([*zip(learner.before, learner.after, strict=True)]):
        most = best[after].max(axis=1)
        most_kept = np.where(kept[after], limited[after], -inf).max(axis=1)
        replies.append((after, before, best[after].argmax(axis=1), most - most_kept))
        best += np.bincount(before, most, learner.size)
        # A set that the restricted game does not reach adds nothing there.
        limited += np.bincount(before, np.where(most_kept > -inf, most_kept, 0.0), learner.size)
    count = kept.sum()
    for after, before, move, gain in reversed(replies):
        wanted = np.flatnonzero(kept[before] & (gain > least))
        kept[after[wanted, move[wanted]]] = True
    return bool(kept.sum() > count)


def _likely(learner: Learner) -> NDArray[np.bool_]:
    """Return True for each sequence with moves that a learned strategy makes often enough, shape (sequences,)."""
    kept = np.zeros(learner.size, bool)
    kept[START] = True
    for before, after in zip(learner.before, learner.after, strict=True):
        plan = learner.average[after]
        likely = plan > SHARE * plan.sum(axis=1, keepdims=True)
        likely[np.arange(len(after)), plan.argmax(axis=1)] = True
        kept[after] = likely & kept[before][:, None]
    return kept


def restricted(form: Form, kept: list[NDArray[np.bool_]]) -> tuple[Form, list[Integers]]:
    """Return the game with only some of the moves.

    Args:
        form: the whole game.
        kept: for each player, True for each sequence that the game has, shape (sequences,). If the sequence
            that leads to an information set is among them, so is one at the set.

    Returns:
        The restricted game, and for each player the index there of each sequence, −1 of those left out.
    """
    sides, indices = [], []
    for side, has in zip(form.sides, kept, strict=True):
        small, keeps = Side(), has.tolist()
        index = [START] + [-1] * (side.sequences - 1)
        for name, (before, after) in side.sets.items():
            if keeps[before]:
                moves = [move for move, sequence in after.items() if keeps[sequence]]
                for move, sequence in small.at(name, moves, index[before]).items():
                    index[after[move]] = sequence
        sides.append(small)
        indices.append(np.array(index))
    rows, columns = (of[part] for of, part in zip(indices, form.pairs.T, strict=True))
    inside, width = (rows >= 0) & (columns >= 0), sides[1].sequences
    # Sequences whose last moves are alone at their sets are one with the sequences before.
    pairs, sums = np.unique(rows[inside] * width + columns[inside], return_inverse=True)
    payoffs = np.zeros(len(pairs), form.payoffs.dtype)
    np.add.at(payoffs, sums, form.payoffs[inside])
    pairs = np.stack(np.divmod(pairs, width), axis=1)
    some = payoffs != 0
    return Form((sides[0], sides[1]), pairs[some], payoffs[some], form.scale, form.leaves), indices
