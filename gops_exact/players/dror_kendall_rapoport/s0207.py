"""Strategy 0207: the upcard plus three, and three other ways when that does not go well.

It begins with the upcard plus three, the three highest upcards getting 1, 2 and 3; once it has more
than half of the points, random cards. If it is behind after 40% of the rounds it bids the upcard, or
one more, or one less, or at random; if it is still behind after 50%, its highest card where that beats
the opponent's and its lowest where not; if it is still behind after 75%, random cards. It is the same
for all rules.

How it was read:

* The shares are of the rounds of one game, rounded up, and it is asked at those moments only.
* Who recovers keeps the way that did it, to the end of the game.
* The upcard plus three that is not held any more is replaced by a random card.
"""

from math import ceil
from random import Random

from gops_exact.players.dror_kendall_rapoport.common import shifted, to_win
from gops_exact.players.policy import Policy
from gops_exact.players.view import View, points

CHECKS = (0.40, 0.50, 0.75)
"""Shares of the rounds after which it is asked who is ahead."""


class Strategy0207(Policy):
    """Plus three, and what comes after it."""

    name = "0207"

    def bid(self, view: View, rng: Random) -> int:
        """The card."""
        hand, upcard = view.hand, view.stake - view.pot
        ways = _setbacks(view)
        if ways == 0 and to_win(view) > 0:
            wanted = shifted(upcard, 3, view.n)
            return wanted if wanted in hand else rng.choice(hand)
        if ways == 1:
            near = [card for card in (upcard, upcard + 1, upcard - 1) if card in hand]
            return near[0] if near else rng.choice(hand)
        if ways == 2:
            return hand[-1] if hand[-1] > view.opponent[-1] else hand[0]
        return rng.choice(hand)


def _setbacks(view: View) -> int:
    """At how many of the checks so far, one after the other, it was behind."""
    for passed, share in enumerate(CHECKS):
        after = ceil(share * view.n)
        if len(view.rounds) < after:
            return passed
        won, lost = points(view.rounds[:after])
        if won >= lost:
            return passed
    return len(CHECKS)
