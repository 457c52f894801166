"""Strategy 0203: find out which shift of the upcard the opponent plays, and bid one more.

The first three bids are 1, 2 and 3, whatever the prizes. If the opponent's first three bids are all
the upcard plus 0, plus 1 or plus 2, the next ones are foreseen (from 1 on again after the highest card)
and beaten by one; otherwise the upcard is bid, the best reply to a random player. A card
already spent is replaced by the next higher one. One refinement: a prize higher than all that are
left, with a highest card not below the opponent's, is bid for with that card. Earlier games are
forgotten. It is the same for all rules.

How it was read:

* *Correlation* of the opponent's bids with those of a known strategy is agreement in all of the
  first three rounds. The description wants a sequence of three or four, and its reason for three
  speaks of the first three rounds only.
* A bid that went round from the highest card to the lowest does not agree. The average points that
  the description reports against matching, plus one and plus two fall off as they do with this
  reading, and do not with the other.
* Beyond the highest foreseen bid, the reply to the highest card is the lowest.
* The refinement counts from the first round on; if no higher card is left to replace a spent one, the
  lowest is bid.
"""

from random import Random

from gops_exact.players.dror_kendall_rapoport.common import shifted
from gops_exact.players.policy import Policy
from gops_exact.players.simple import at_least
from gops_exact.players.view import View

WATCHED = 3
"""Rounds that are looked at."""

SHIFTS = (0, 1, 2)
"""Strategies that are looked for: the upcard and so much more."""


class Strategy0203(Policy):
    """Watch three rounds, then beat a known shift."""

    name = "0203"

    def __init__(self, *, refined: bool = True) -> None:
        self.refined = refined

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, nothing is left to chance
        """The card."""
        hand, upcard = view.hand, view.stake - view.pot
        if self.refined and upcard == max(view.prizes) and hand[-1] >= view.opponent[-1]:
            return hand[-1]
        if len(view.rounds) < WATCHED:
            return at_least(hand, len(view.rounds) + 1)
        for shift in SHIFTS:
            watched = view.rounds[:WATCHED]
            if all(each.reply == each.upcard + shift for each in watched):
                return at_least(hand, shifted(upcard, shift + 1, view.n))
        return at_least(hand, upcard)
