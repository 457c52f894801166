"""What a position and each bid is worth, in floats: for games whose exact numbers are too long."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, fmpq

from gops_exact.players.float_optimal import FloatOptimal
from gops_exact.players.view import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

DECIMALS = 9
"""Values are rounded to so many: those of 13 cards are known to some 10⁻¹² points."""


@dataclass(frozen=True, eq=False)
class FloatAdvice:
    """Optimal play at a position, as one of the players sees it.

    Attributes:
        row: the player's optimal strategy.
        worths: what each bid can expect against the opponent's optimal strategy, in floats.
    """

    row: Mapping[int, fmpq]
    worths: Mapping[int, float]

    @property
    def value(self) -> fmpq:
        """What the best bid can expect; the value, but for rounding."""
        return _rational(max(self.worths.values()))

    def gain(self, card: int) -> fmpq:
        """What a bid can expect."""
        return _rational(self.worths[card])

    def gains(self) -> Mapping[int, arb]:
        """What every bid can expect."""
        return {card: arb(worth) for card, worth in self.worths.items()}


class FloatAnalyst:
    """Advice from the float values of all positions.

    Args:
        policy: the optimal policy of the game, which holds the values.
    """

    def __init__(self, policy: FloatOptimal) -> None:
        self.policy = policy

    def advice(self, view: View) -> FloatAdvice:
        """Optimal play at the position that a player sees.

        Raises:
            ValueError: if it is of a game with other rules or another deck.
        """
        bids = self.policy.bids(view)
        row = {card: bids.get(card, fmpq(0)) for card in view.hand}
        replies = self.policy.weights(view.swapped())
        weights = np.array([replies.get(card, 0) for card in view.opponent], dtype=float)
        worths: NDArray[np.float64] = self.policy.payoff(view) @ (weights / weights.sum())
        return FloatAdvice(row, dict(zip(view.hand, worths.tolist(), strict=True)))


def _rational(number: float) -> fmpq:
    """The decimal nearest to a float."""
    return fmpq(round(number * 10**DECIMALS), 10**DECIMALS)
