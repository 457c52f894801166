"""Plans of a large game by the double oracle method: games with few moves, until no other move gains more.

A *restricted* game has only some of the moves at each information set. Its equilibrium is one of the whole game
if the best replies in the whole game gain no more than those in the restricted one. As long as they gain more,
their moves are added (Bošanský, Kiekintveld, Lisý & Pěchouček 2014, *An exact double-oracle algorithm for
zero-sum extensive-form games with imperfect information*). The first moves are those that a short time of
learning leaves. Floats decide all this. :func:`~gops_exact.extensive.equilibrium.solve_game` then proves the plans,
exactly and in the whole game.
"""

from math import inf

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.extensive.form import START, Form, Integers, Side
from gops_exact.extensive.learn import Learner, learning
from gops_exact.extensive.programme import Programme

Floats = NDArray[np.float64]

ITERATIONS = 300
"""Iterations of learning before the first restricted game."""

SHARE = 1e-3
"""The least probability, in learned strategies, of a move that the first restricted game has."""

GAIN = 1e-9
"""The least gain for which a move is added, in units of the greatest payoff. Restricted games are solved to this
tolerance or a smaller one."""


class DoubleOracle:
    """Solves a game as :class:`~gops_exact.extensive.programme.Programme` does, by restricted games.

    Args:
        form: the sequence form of the whole game.
    """

    def __init__(self, form: Form) -> None:
        self._form = form
        self._payoffs = (form.payoffs / form.scale).astype(np.float64)
        self._gain = GAIN * np.abs(self._payoffs).max(initial=0.0)
        for _, learners in zip(range(ITERATIONS), learning(form), strict=False):
            self._learners = learners
        # For each player, True for the sequences of the restricted game, shape (sequences,).
        self._kept = [_likely(learner) for learner in self._learners]

    def solve(self, tolerance: float) -> None:
        """Solve restricted games in floats until best replies with all moves gain no more."""
        programme, is_wider = None, True
        while is_wider:
            small, self._indices = restricted(self._form, self._kept)
            programme = Programme(small, programme)
            programme.solve(min(tolerance, GAIN))
            is_wider = False
            for player, plan in enumerate(programme.levels()):
                is_wider |= self._add_replies(1 - player, plan[self._indices[player]])
            self._programme = programme

    def plans(self, *, only_one: bool) -> list[list[fmpq]] | None:
        """Return the exact plans at the last basis, with 0 for sequences that the restricted game lacks."""
        small = self._programme.plans(only_one=only_one)
        if small is None:
            return None
        plans = [[*plan, fmpq(0)] for plan in small]  # index −1 is that of sequences left out
        return [
            [plan[index] for index in indices.tolist()]
            for plan, indices in zip(plans, self._indices, strict=False)
        ]

    def _add_replies(self, player: int, plan: Floats) -> bool:
        """Add a player's best moves against a plan where they gain more; return True if there are any.

        Args:
            player: 0 or 1, the player who replies.
            plan: the other player's plan in the whole game, shape (sequences,).
        """
        own, other = self._form.pairs[:, player], self._form.pairs[:, 1 - player]
        learner, kept = self._learners[player], self._kept[player]
        payoffs = self._payoffs if player == 0 else -self._payoffs
        # Gains of sequences with the best moves after them: of all moves, and of those kept.
        best = np.bincount(own, payoffs * plan[other], learner.size).astype(np.float64, copy=False)
        limited = best.copy()
        gains = []
        for before, after in reversed([*zip(learner.before, learner.after, strict=True)]):
            most = best[after].max(axis=1)
            most_kept = np.where(kept[after], limited[after], -inf).max(axis=1)
            gains.append((after, before, best[after].argmax(axis=1), most - most_kept))
            best += np.bincount(before, most, learner.size)
            # A set that the restricted game does not reach adds nothing there.
            limited += np.bincount(before, np.where(most_kept > -inf, most_kept, 0.0), learner.size)
        count = kept.sum()
        for after, before, move, gain in reversed(gains):
            wanted = np.flatnonzero(kept[before] & (gain > self._gain))
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
