"""Strategy 0209: two random bids, then one more than the opponent's shift of the upcard.

If both of the opponent's first two bids are the upcard plus the same m (from 1 on again after the
highest card), the upcard plus m + 1 is bid from then on, else the upcard. In place of a card spent in
the first two rounds goes the one that should have been bid there. One check comes before, a different
one for each rule set: points, ties discarded: a prize with which at least 46 points are reached gets
the highest card if that beats the opponent's; points, carried over: so does a stake that is more than
all prizes that come after it; wins: if at least half of the own cards, in order, beat the opponent's in
order, the prize gets the card of its own rank among those left, with what was carried over added to it.

How it was read:

* The check is made in the first two rounds, too.
* 46 is more than half of the whole deck.
* A spent card whose replacement is spent as well passes on to the one that should have been bid in
  its place; where the checks have spent others, the next higher card is bid, or else the lowest.
* A stake raised by a pot is ranked among the prizes left in the upcard's place.
"""

from random import Random

from gops_exact.players.dror_kendall_rapoport.common import shifted
from gops_exact.players.policy import Policy
from gops_exact.players.simple import at_least
from gops_exact.players.view import View

WATCHED = 2
"""Rounds that are looked at."""


class Strategy0209(Policy):
    """Two rounds to find the shift."""

    name = "0209"

    def bid(self, view: View, rng: Random) -> int:
        """The card."""
        card = _checked(view)
        if card is not None:
            return card
        if len(view.rounds) < WATCHED:
            return rng.choice(view.hand)
        first, second = ((each.reply - each.upcard) % view.n for each in view.rounds[:WATCHED])
        more = first + 1 if first == second else 0
        wanted = shifted(view.stake - view.pot, more, view.n)
        for _ in range(WATCHED):
            if wanted in view.hand:
                break
            for each in view.rounds[:WATCHED]:
                if each.bid == wanted:
                    wanted = shifted(each.upcard, more, view.n)
                    break
        return at_least(view.hand, wanted)


def _checked(view: View) -> int | None:
    """What the check of the rule set bids, if anything."""
    hand, opponent, stake = view.hand, view.opponent, view.stake
    if view.rules.winning:
        ahead = sum(own > other for own, other in zip(hand, opponent, strict=True))
        if 2 * ahead < len(hand):
            return None
        upcard = stake - view.pot
        lower = sum(prize < stake for prize in view.prizes if prize != upcard)
        return hand[lower]
    if view.rules.carries:
        ripe = stake > sum(view.prizes) - (stake - view.pot)
    else:
        ripe = 2 * (stake + view.points[0]) > view.n * (view.n + 1) // 2
    return hand[-1] if ripe and hand[-1] > opponent[-1] else None
