"""Strategies near an equilibrium of a game too large to be solved exactly, and their exact distance from it.

The strategies are learned in floats by predictive CFR+ (Farina, Kroer & Sandholm 2021, *Faster game solving
via predictive Blackwell approachability*). Each information set uses regret matching+, and the last regrets
predict the next ones. Players learn in turn, and plans are averaged with quadratic weights. The averages are
rounded to fractions. Best replies to these fractions are computed exactly, so no bound rests on floats.
"""

from math import ceil
from time import process_time

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base.arguments import positive_integer, real
from gops_exact.base.progress import Progress
from gops_exact.extensive.equilibrium import Equilibrium
from gops_exact.extensive.form import START, Form, Label, Side, Strategy
from gops_exact.extensive.trees import GameTree, OwnForm, form_of
from gops_exact.numbers import BigRational

Floats = NDArray[np.float64]

BITS = 30
"""Probabilities are rounded to multiples of 2^-BITS."""


def approximate(
    game: GameTree | OwnForm,
    *,
    seconds: float = 60.0,
    iterations: int | None = None,
    progress: Progress | None = None,
) -> Equilibrium:
    """Learn strategies of a game with hidden bids, and prove how far they are from an equilibrium.

    Args:
        game: the game; its sequence form has to fit into memory.
        seconds: core time of learning, in seconds.
        iterations: number of iterations, which replaces `seconds` and makes the result reproducible; None to
            learn for `seconds`.
        progress: called as progress(done, total), in hundredths of a second, or in iterations if `iterations`
            is set; None for no report.

    Returns:
        The strategies, with exact bounds of the value.

    Raises:
        ValueError: if an argument is invalid.

    >>> from gops_exact import Game
    >>> from gops_exact.extensive import HiddenBids
    >>> learned = approximate(HiddenBids(Game(3)), iterations=200)
    >>> learned.least <= 0 <= learned.most, learned.exploitability < fmpq(1, 1000)
    (True, True)
    """
    form = form_of(game)
    if not isinstance(form, Form):
        raise ValueError("all is seen in this game: solve it exactly")
    limit = None if iterations is None else positive_integer(iterations, "iterations")
    budget = real(seconds, "seconds")
    payoffs = (form.payoffs / form.scale).astype(np.float64)
    learners = [_Learner(side) for side in form.sides]
    plans, started = [learner.plan() for learner in learners], process_time()
    total = ceil(100 * budget) if limit is None else limit
    done = spent = 0
    while spent < total:
        done += 1
        for player, learner in enumerate(learners):
            own, other = form.pairs[:, player], form.pairs[:, 1 - player]
            weights = payoffs * plans[1 - player][other]
            gains = np.bincount(own, weights, learner.size).astype(np.float64, copy=False)
            learner.learn(-gains if player else gains)
            plans[player] = learner.plan()
            learner.average += done**2 * plans[player]
        spent = int(100 * (process_time() - started)) if limit is None else done
        if progress is not None:
            progress(min(spent, total), total)
    row, column = map(_Learner.rounded, learners, form.sides)
    return Equilibrium.of(game, row, column, form=form, iterations=done)


class _Learner:
    """Regrets of one player. Sets are grouped by the number of moves before them, and by that of their moves."""

    def __init__(self, side: Side) -> None:
        self.size = side.sequences
        groups: dict[tuple[int, int], list[tuple[int, list[int]]]] = {}
        depth = [0] * side.sequences
        for before, after in side.sets.values():
            group = groups.setdefault((depth[before], len(after)), [])
            group.append((before, [*after.values()]))
            for sequence in after.values():
                depth[sequence] = depth[before] + 1
        rounds = [groups[key] for key in sorted(groups)]
        # Lists by group. `before`: the sequence that leads to each information set, shape (sets,). The others
        # have shape (sets, bids). `after`: the sequence of each bid; `regrets`: sums of regrets, cut off at
        # 0; `expected`: the last regrets, a prediction of the next ones; `mixes`: the probabilities of the
        # bids.
        self.before = [np.array([before for before, _ in sets]) for sets in rounds]
        self.after = [np.array([after for _, after in sets]) for sets in rounds]
        self.regrets = [np.zeros(after.shape) for after in self.after]
        self.expected = [np.zeros(after.shape) for after in self.after]
        self.mixes = [np.zeros(after.shape) for after in self.after]
        self.average = np.zeros(self.size)

    def plan(self) -> Floats:
        """Mix the bids of each information set by regret matching, and return the plan, shape (sequences,).

        If no predicted regret of an information set is positive, all its bids are equally likely.
        """
        plan = np.ones(self.size)
        for k, (before, after) in enumerate(zip(self.before, self.after, strict=True)):
            weights = np.maximum(self.regrets[k] + self.expected[k], 0.0)
            totals = weights.sum(axis=1, keepdims=True)
            even = 1.0 / weights.shape[1]
            self.mixes[k] = np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), even)
            plan[after] = plan[before][:, None] * self.mixes[k]
        return plan

    def learn(self, gains: Floats) -> None:
        """Add the regrets of the last plan.

        Args:
            gains: the player's expected gain at the leaves of each sequence, shape (sequences,).
        """
        gains = gains.copy()
        for k in reversed(range(len(self.mixes))):  # from the last round to the first
            own = gains[self.after[k]]
            values = (self.mixes[k] * own).sum(axis=1)
            gains += np.bincount(self.before[k], values, self.size)
            self.expected[k] = own - values[:, None]
            self.regrets[k] = np.maximum(self.regrets[k] + self.expected[k], 0.0)

    def rounded(self, side: Side) -> Strategy:
        """Return the average plan as a strategy, in probabilities rounded to multiples of 2^-BITS."""
        unit, reached, strategy = 1 << BITS, {START}, dict[Label, dict[Label, BigRational]]()
        for name, (before, after) in side.sets.items():
            if before not in reached:
                continue
            shares = self.average[[*after.values()]] / self.average[before]
            parts = np.rint(shares * unit).astype(np.int64)
            parts[parts.argmax()] += unit - parts.sum()  # so that the sum is exact
            chances = zip(after, parts.tolist(), strict=True)
            strategy[name] = {move: BigRational(fmpq(part, unit)) for move, part in chances if part}
            reached.update(after[move] for move in strategy[name])
        return strategy
