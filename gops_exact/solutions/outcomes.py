"""How often a game that both play optimally for a win is won, drawn and lost."""

from dataclasses import dataclass
from typing import NamedTuple

from flint import fmpq

from gops_exact.game.rules import Rules, Upcard
from gops_exact.numbers.shown import Shown, short_repr


class Chances(NamedTuple):
    """The chance of something that depends on which optimal strategies are played.

    Attributes:
        least: the chance with the strategies that make it least.
        greatest: the chance with those that make it greatest.
    """

    least: fmpq
    greatest: fmpq


@dataclass(frozen=True, repr=False)
class Outcomes(Shown):
    """The outcomes of a game that both play optimally for a win, exactly.

    Attributes:
        value: player one's chance of a win less that of a loss.
        draw: the chance of a draw.
    """

    value: fmpq
    draw: Chances

    __repr__ = short_repr

    @property
    def win(self) -> Chances:
        """Player one's chance of a win, greatest where that of a draw is least."""
        return Chances(*((1 - draw + self.value) / 2 for draw in reversed(self.draw)))

    @property
    def loss(self) -> Chances:
        """Player one's chance of a loss."""
        return Chances(*((1 - draw - self.value) / 2 for draw in reversed(self.draw)))


@dataclass(frozen=True)
class FloatOutcomes:
    """The outcomes of a whole game that both play for a win by one pair of strategies, in floats.

    Both players have the same cards, so either wins as often as the other.

    Attributes:
        n: cards a side.
        rules: the rules.
        draws: {upcard: chance of a draw}.
        lacking: how far the strategies may be from optimal: the wins less losses that either is
            sure of fall short of the value by no more.
    """

    n: int
    rules: Rules
    draws: dict[Upcard, float]
    lacking: float

    @property
    def draw(self) -> float:
        """The chance of a draw before a prize is turned up."""
        return sum(self.draws.values()) / len(self.draws)
