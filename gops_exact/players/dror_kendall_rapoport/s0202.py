"""Strategy 0202: a score of daring between 0 and 1, applied to the ordered hand.

The score is a weighted average of ratios between the stake, both hands' totals and the prizes left.
It is higher the more is at stake compared with what may still come, and higher against an opponent
who can still spend. With the score as a share of the way from the lowest card to the highest, the
nearest card is bid. What ties leave adds to the stake and makes the stake weigh more. For wins the
score is raised until more than half of the points are won.

How it was read, as the description gives no weights:

* The stake's ratio is the stake as a share of the highest prize left, at most 1.
* The other three are shares, each one half while nothing is spent: my total and the opponent's, each
  in a sum with the prizes left; and the opponent's total in the sum of both.
* The stake's ratio has weight 2 to 6, growing with it; the mean of the others has weight 1.
* After a tie the stake's weight is doubled.
* For wins the score is raised by a quarter until the goal is reached.
"""

from random import Random

from gops_exact.players.dror_kendall_rapoport.common import to_win
from gops_exact.players.policy import Policy
from gops_exact.players.view import View


class Strategy0202(Policy):
    """Daring by ratios."""

    name = "0202"

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, nothing is left to chance
        """The card."""
        mine, theirs, left = sum(view.hand), sum(view.opponent), sum(view.prizes)
        power = (mine / (mine + left) + theirs / (theirs + left) + theirs / (theirs + mine)) / 3
        share = min(1.0, view.stake / view.prizes[-1])
        weight = (2 + 4 * share) * (2 if view.pot else 1)
        daring = (weight * share + power) / (weight + 1)
        if view.rules.winning and to_win(view) > 0:
            daring = min(1.0, 1.25 * daring)
        return view.hand[round(daring * (len(view.hand) - 1))]
