"""Positions of GOPS as game trees, in which both players see all earlier moves.

Words used here:

* A *position* has both hands, the prizes left, the upcard, the margin and the pot.
* The *upcard* is the prize turned up in a round.
* The *margin* is player one's points minus player two's; it is always 0 if the objective is points.
* The *pot* is the sum of the prizes carried over from ties.
* The *lead* is the points that player one has gained minus those of player two, if the objective is points.
"""

from itertools import product
from typing import NamedTuple

from flint import fmpq

from gops_exact.extensive.trees import Chance, Simultaneous
from gops_exact.game.game import Position
from gops_exact.game.rules import winner_of


class Round(NamedTuple):
    """State of a game of GOPS in its game tree: a position, and player one's lead.

    If prizes are hidden, there is also a state after the bids of a round, before its prize is turned up. It has both
    bids.

    >>> start = Round(Position.parse("2.4_1.3_12.13@13"))
    >>> [str(state) for state in start.node.moves.values()]
    ['4_3_12 +13', '4_1_12 -13', '2_3_12 +13', '2_1_12 +13']
    """

    position: Position  #: the position at the beginning of the round
    #: points that player one has gained since the start, less those of player two; 0 if the objective is to win
    lead: int = 0
    #: both players' bids while the prize is still to be turned up after them, else empty
    bids: tuple[int, ...] = ()

    def __str__(self) -> str:
        return " ".join([f"{self.position}", f"{self.lead:+}", *map(str, self.bids)])

    @property
    def node(self) -> Chance | Simultaneous | int:
        """The node of the game tree at this state: a draw of the prize, the simultaneous bids, or the final payoff."""
        position, lead, bids = self
        if position.decided is not None:
            return lead + position.decided
        rules = position.rules
        if bids or (position.upcard is None and not rules.hidden):
            draws = rules.draws(position.prizes)
            weight = fmpq(1, sum(draw.times for draw in draws))
            chances = dict[Round, fmpq]()
            for prize, times, _ in draws:
                after = self.after(bids, prize) if bids else Round(position.at(prize), lead)
                chances[after] = times * weight
            return Chance(chances)
        pairs = product(position.one, position.two)
        if position.upcard is None:
            return Simultaneous({pair: Round(position, lead, pair) for pair in pairs})
        return Simultaneous({pair: self.after(pair, position.upcard) for pair in pairs})

    def after(self, bids: tuple[int, ...], prize: int) -> "Round":
        """Return the state after a round with these bids, player one's and player two's, for this prize."""
        position, (bid, reply) = self.position, bids
        gain = position.rules.gain(position.state, prize, winner_of(bid, reply))
        return Round(position.after(bid, reply, prize), self.lead + gain)
