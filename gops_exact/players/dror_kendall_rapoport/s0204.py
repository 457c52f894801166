"""Strategy 0204: the published first-move table, renormalised over the cards still held.

For points it draws every bid from the column of the upcard. After a tie that is carried over, the
stake takes the upcard's place, and a stake above the highest card is bid for with that card. For wins
only the first bid is drawn from the table; then the highest card is bid if it beats the opponent's
highest, and otherwise the card just above the mean of the opponent's hand.

How it was read:

* The table is Rhoads's (2011) for 13 cards; it is the one printed in the description but for a few
  digits.
* Where the column has nothing left for any card held, the lowest card is bid.
* Where no card is above the mean of the opponent's hand, the lowest is bid.
* *Equal highest cards* are treated as *not higher*.
"""

from random import Random

from gops_exact.players.dror_kendall_rapoport.common import above
from gops_exact.players.policy import Policy
from gops_exact.players.published import first_move_weights, held_weights
from gops_exact.players.sampling import by_weight
from gops_exact.players.view import View


class Strategy0204(Policy):
    """The published table."""

    name = "0204"

    def bid(self, view: View, rng: Random) -> int:
        """The card."""
        hand = view.hand
        if view.rules.winning and view.rounds:
            if hand[-1] > view.opponent[-1]:
                return hand[-1]
            return above(hand, sum(view.opponent) / len(view.opponent)) or hand[0]
        if view.stake > hand[-1] and view.pot:
            return hand[-1]
        return by_weight(held_weights(first_move_weights(view.n)[view.stake], hand), rng)
