"""Learning of strategies in floats, by predictive CFR+ (Farina, Kroer & Sandholm 2021, *Faster game solving via
predictive Blackwell approachability*).

Words used here:

* An *information set* of a player is a set of states that the player cannot tell apart.
* A *sequence* of a player is an information set and a move there. A player who has not moved yet has the *empty
  sequence*.
* A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of its move
  and of the player's earlier moves.

The *regret* of a move in an iteration says how much more the player would have gained by always playing this move at
its information set, if the player's earlier moves had led to this set with certainty.

Each information set uses regret matching+: it adds up the regrets of each move over the iterations, and raises sums
below 0 to 0. The regrets of the last iteration predict those of the next one. So they are added to the sums once more,
and the moves are played in proportion to the results, where a negative result counts as 0. The players update their
strategies in turn. The realization plans of these strategies are averaged over all iterations t with the weights t²,
and the averages are rounded to fractions.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import Any

import numpy as np
from flint import fmpq

from gops_exact.extensive.form import START, Floats, Form, Label, Side, Strategy
from gops_exact.numbers.exact import BigRational

BITS = 30
"""Number of binary digits after the point to which learned probabilities are rounded."""


def learning(form: Form) -> Iterator[list["Learner"]]:
    """Learn strategies of both players, without end; yield player one's learner and player two's after every iteration.

    The same two objects are yielded each time: the next iteration changes them.

    Args:
        form: the sequence form of a game with perfect recall.
    """
    learners = [Learner(side) for side in form.sides]
    plans = [learner.plan() for learner in learners]
    for done in count(1):
        for player, learner in enumerate(learners):
            learner.learn(form.gains(plans[1 - player], player))
            plans[player] = learner.plan()
            learner.average += done**2 * plans[player]
        yield learners


class Learner:
    """State of learning of one player: the regrets of all moves, and the weighted sum of the realization plans so far.

    The information sets are divided into groups, and each group is updated in one array. All sets of a group have the
    same number of moves, and the sequences that lead to them have the same number of moves, too.

    Args:
        side: the player's information sets; a single sequence must lead to each of them.
    """

    def __init__(self, side: Side) -> None:
        self.side, self.size = side, side.sequences
        groups, depths = defaultdict[tuple[int, int], list[Any]](list), side.depths().tolist()
        for (before,), after in side.sets.values():
            groups[depths[before], len(after)].append((before, [*after.values()]))
        rounds = [groups[key] for key in sorted(groups)]
        # Each list has one array for each group of information sets. `before` has the sequence that leads to each set,
        # shape (sets,). The other arrays have shape (sets, moves): `after` has the sequence of each move, `regrets` the
        # sums of regrets, cut off at 0, `expected` the regrets of the last iteration, which predict those of the next
        # one, and `mixes` the probabilities of the moves.
        self.before = [np.array([before for before, _ in sets]) for sets in rounds]
        self.after = [np.array([after for _, after in sets]) for sets in rounds]
        self.regrets, self.expected, self.mixes = (
            [np.zeros(after.shape) for after in self.after] for _ in range(3)
        )
        self.average = np.zeros(self.size)

    def plan(self) -> Floats:
        """Choose probabilities at each information set, and return their realization plan, shape (sequences,).

        The probability of a move is in proportion to its sum of regrets plus its predicted regret, where a negative
        result counts as 0. If no result at a set is positive, all its moves are equally likely.
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
        """Add the regrets of the strategy that :meth:`plan` chose last to the sums of regrets; raise sums below 0 to 0.

        Args:
            gains: the gains against the opponent's strategy, as :meth:`.Form.gains` returns them; changed in place.
        """
        for k in reversed(range(len(self.mixes))):  # from the last moves of the game to the first
            own = gains[self.after[k]]
            values = (self.mixes[k] * own).sum(axis=1)
            gains += np.bincount(self.before[k], values, self.size)
            self.expected[k] = own - values[:, None]
            self.regrets[k] = np.maximum(self.regrets[k] + self.expected[k], 0.0)

    def rounded(self) -> Strategy:
        """Return the average realization plan as a strategy, with probabilities rounded to multiples of 2^-`BITS`.

        Moves of probability 0 and information sets that the strategy does not reach are left out.
        """
        unit, reached, strategy = 1 << BITS, {START}, dict[Label, dict[Label, BigRational]]()
        for name, ((before,), after) in self.side.sets.items():
            if before not in reached:
                continue
            shares = self.average[[*after.values()]] / self.average[before]
            parts = np.rint(shares * unit).astype(np.int64)
            parts[parts.argmax()] += unit - parts.sum()  # the probabilities then have the sum 1
            chances = zip(after, parts.tolist(), strict=True)
            strategy[name] = {move: BigRational(fmpq(part, unit)) for move, part in chances if part}
            reached.update(after[move] for move in strategy[name])
        return strategy
