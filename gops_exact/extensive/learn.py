"""Strategies near an equilibrium of a game too large to be solved exactly, and the exact distance.

They are learned in floats by predictive CFR+ (Farina, Kroer & Sandholm 2021, *Faster game solving via predictive
Blackwell approachability*): regret matching+ in each information set, with the last regrets taken for the
next ones, players in turn, plans averaged with quadratic weights. The averages are rounded to fractions, whose
best replies are computed exactly. So nothing that is claimed rests on floats.
"""

from math import ceil
from time import process_time

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base.arguments import instance, positive_integer, real
from gops_exact.base.progress import Progress
from gops_exact.extensive.equilibrium import Equilibrium
from gops_exact.extensive.hidden_bids import BEFORE, HiddenBids, Side, strategy_of

Floats = NDArray[np.float64]

BITS = 30
"""Probabilities are rounded to multiples of 2^-BITS."""


def approximate(
    game: HiddenBids,
    *,
    seconds: float = 60.0,
    iterations: int | None = None,
    progress: Progress | None = None,
) -> Equilibrium:
    """Learn strategies of a game with hidden bids, and prove how far they are from an equilibrium.

    Args:
        game: the game; its sequence form has to fit into memory.
        seconds: core time to learn for.
        iterations: learn for so many in place of a time, so that the result is the same every time.
        progress: called with the hundredths of seconds, or iterations, done and all.

    >>> from gops_exact import Game
    >>> found = approximate(HiddenBids(Game(3)), iterations=200)
    >>> found.least <= 0 <= found.most, found.exploitability < fmpq(1, 1000)
    (True, True)
    """
    form = instance(game, HiddenBids, "game", "HiddenBids(game)").form
    limit = None if iterations is None else positive_integer(iterations, "iterations")
    budget = real(seconds, "seconds")
    pairs = np.array(list(form.payoffs), dtype=np.int64)
    payoffs = np.array(list(form.payoffs.values()), dtype=np.float64) / form.scale
    learners = [_Learner(side) for side in form.sides]
    plans, begun = [learner.plan() for learner in learners], process_time()
    total = ceil(100 * budget) if limit is None else limit
    done = spent = 0
    while spent < total:
        done += 1
        for player, learner in enumerate(learners):
            own, other = pairs[:, player], pairs[:, 1 - player]
            weights = payoffs * plans[1 - player][other]
            gains = np.bincount(own, weights, learner.size).astype(np.float64, copy=False)
            learner.learn(-gains if player else gains)
            plans[player] = learner.plan()
            learner.average += done**2 * plans[player]
        spent = int(100 * (process_time() - begun)) if limit is None else done
        if progress is not None:
            progress(min(spent, total), total)
    row, column = map(strategy_of, form.sides, map(_Learner.rounded, learners))
    return Equilibrium.of(game, row, column, done)


class _Learner:
    """One player's regrets: information sets by round, as all of a round have equally many bids."""

    def __init__(self, side: Side) -> None:
        self.size = side.sequences
        rounds: list[list[tuple[int, list[int]]]] = []
        depth = [0] * side.sequences
        for before, after in side.sets.values():
            if depth[before] == len(rounds):
                rounds.append([])
            rounds[depth[before]].append((before, [*after.values()]))
            for sequence in after.values():
                depth[sequence] = depth[before] + 1
        # Of each round: the sequences before its information sets, and those after, shape (sets, bids).
        self.before = [np.array([before for before, _ in found]) for found in rounds]
        self.after = [np.array([after for _, after in found]) for found in rounds]
        self.regrets = [np.zeros(after.shape) for after in self.after]
        self.expected = [np.zeros(after.shape) for after in self.after]
        self.average = np.zeros(self.size)

    def mixes(self) -> list[Floats]:
        """Return the bids of each information set by regret matching, uniform where there are no regrets."""
        found = []
        for regrets, expected in zip(self.regrets, self.expected, strict=True):
            weights = np.maximum(regrets + expected, 0.0)
            totals = weights.sum(axis=1, keepdims=True)
            even = 1.0 / weights.shape[1]
            found.append(np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), even))
        return found

    def plan(self) -> Floats:
        """Return the plan of the present mixes."""
        plan = np.ones(self.size)
        for before, after, mix in zip(self.before, self.after, self.mixes(), strict=True):
            plan[after] = plan[before][:, None] * mix
        return plan

    def learn(self, gains: Floats) -> None:
        """Add the regrets of the present mixes, where sequences gain so much at the leaves."""
        gains = gains.copy()
        mixes = self.mixes()
        for k in reversed(range(len(mixes))):
            own = gains[self.after[k]]
            values = (mixes[k] * own).sum(axis=1)
            gains += np.bincount(self.before[k], values, self.size)
            self.expected[k] = own - values[:, None]
            self.regrets[k] = np.maximum(self.regrets[k] + self.expected[k], 0.0)

    def rounded(self) -> list[fmpq]:
        """Return the average plan with rounded probabilities, whose sums are exactly 1."""
        unit = 1 << BITS
        plan = [fmpq(0)] * self.size
        plan[BEFORE] = fmpq(1)
        for before, after in zip(self.before, self.after, strict=True):
            reached = self.average[before][:, None]
            shares = self.average[after] / np.where(reached > 0, reached, 1.0)
            parts = np.rint(shares * unit).astype(np.int64)
            parts[np.arange(len(parts)), parts.argmax(axis=1)] += unit - parts.sum(axis=1)
            for sequence, sequences, line in zip(
                before.tolist(), after.tolist(), parts.tolist(), strict=True
            ):
                if plan[sequence]:
                    for own, part in zip(sequences, line, strict=True):
                        plan[own] = plan[sequence] * fmpq(part, unit)
        return plan
