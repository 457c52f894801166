"""Strategy 0206: the upcard and one or two more, by how well the cards spent have paid.

*Point quality* is the points won for each point of cards spent in this game. For points: a stake
below 5 gets the lowest card; up to 10 at most two more than the stake if the own quality is better
than the opponent's, else at most one more; above 10 one more than the opponent's highest card if the
own highest beats it, else at most one more than the upcard. For wins: below 5 the lowest card; close
to the goal two more than the stake, or the highest card; after a tie that is carried over the highest
card if it beats the opponent's or the opponent is about to win, else a cautious bid.

How it was read:

* Stakes of 5 and of 10, which the description leaves out, belong to the middle.
* *At most* so much is the highest card held that is not above it, else the lowest.
* *Close to the goal*: this stake would reach it (highest card, if it beats the opponent's), or two
  such stakes would (two more). Otherwise at most one more than the stake.
* *About to win*: this stake would take the opponent to the goal. *Cautious*: at most the upcard.
"""

from random import Random

from gops_exact.players.dror_kendall_rapoport.common import above, at_most, to_win
from gops_exact.players.policy import Policy
from gops_exact.players.view import View


class Strategy0206(Policy):
    """Point quality, and points in need."""

    name = "0206"

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, nothing is left to chance
        """The card."""
        if view.stake < 5:
            return view.hand[0]
        return _for_wins(view) if view.rules.winning else _for_points(view)


def _for_points(view: View) -> int:
    hand, stake = view.hand, view.stake
    if stake <= 10:
        won, lost = view.points
        spent = sum(each.bid for each in view.rounds)
        theirs = sum(each.reply for each in view.rounds)
        # Quotients compared crosswise; before the first round both are zero.
        return at_most(hand, stake + (2 if won * theirs > lost * spent else 1))
    if hand[-1] > view.opponent[-1]:
        return above(hand, view.opponent[-1]) or hand[-1]
    return at_most(hand, stake - view.pot + 1)


def _for_wins(view: View) -> int:
    hand, stake, need = view.hand, view.stake, to_win(view)
    beats = hand[-1] > view.opponent[-1]
    if view.pot:
        won, lost = view.points
        if beats or need + won - lost <= stake:
            return hand[-1]
        return at_most(hand, stake - view.pot)
    if need <= stake and beats:
        return hand[-1]
    return at_most(hand, stake + (2 if need <= 2 * stake else 1))
