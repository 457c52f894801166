"""Strategy 0210: easy advantages first, then a guess at the opponent's bid, with two decoys.

Before anything else: with the higher highest card, that card for a stake above 13, for one above half
of all that is left, or for the highest prize left; also with a highest card not below the opponent's
for a prize above the opponent's highest. With the lower one, the lowest card for the highest prize
left. For a stake above 13 that ties have made, the highest card if playing both hands from the top
wins in the end, and the lowest if it loses. An opponent likely to throw its lowest card is beaten by a
card just above that.

Then, mostly, the opponent's bid is foreseen as two more than the upcard, else the next higher one up
to four more, else its lowest card, and beaten by one if that takes no more than four more than the
upcard; else, and now and then at random, the lowest card is bid. Decoys: the upcard plus one (for wins
plus three), and a random card from the upcard to two more.

How it was read:

* *Throw its lowest card*: the prize is above the opponent's highest card, and the own highest card
  beats that. It is tried before the other easy advantages, after which it could never come up.
* Which strategy is used is drawn for every bid: 80%, 10%, 10%; for wins, which have no third one, 90%
  and 10%.
* For an upcard of 12 or 13 the bid foreseen is that card. If it is not held, nor a higher one within
  four, the upcard itself and one more are thought of before the lowest card.
* The lowest card at random: 10% for upcards above 7, 30% below 7.
* For wins, the highest card is bid if it beats the opponent's and the stake brings the points that are
  missing. (The description has it the other way round, which would be to bid it at once.)
* A decoy's card that is not held is replaced by the next higher one, or else the lowest.
"""

from random import Random

from gops_exact.game.cards import Hand
from gops_exact.players.dror_kendall_rapoport.common import above, shifted, to_win
from gops_exact.players.policy import Policy
from gops_exact.players.simple import at_least
from gops_exact.players.view import View

HIGH = 13
"""A stake above this is high: ties have made it."""


class Strategy0210(Policy):
    """Easy advantages, a guess, and decoys."""

    name = "0210"

    def bid(self, view: View, rng: Random) -> int:
        """The card."""
        card = _easy(view)
        if card is not None:
            return card
        hand, upcard = view.hand, view.stake - view.pot
        chance = rng.random()
        if chance < 0.1:
            return at_least(hand, shifted(upcard, 3 if view.rules.winning else 1, view.n))
        if chance < 0.2 and not view.rules.winning:
            cards = [held for held in hand if upcard <= held <= upcard + 2]
            return rng.choice(cards) if cards else hand[0]
        return _by_guess(view, rng)


def _easy(view: View) -> int | None:
    """The highest or lowest card where that is plainly right."""
    hand, opponent, stake = view.hand, view.opponent, view.stake
    upcard, highest = stake - view.pot, max(view.prizes)
    if hand[-1] > opponent[-1]:
        if upcard > opponent[-1]:
            return above(hand, opponent[0])
        left = sum(view.prizes) + view.pot
        if stake > HIGH or 2 * stake > left or upcard == highest:
            return hand[-1]
    elif hand[-1] == opponent[-1]:
        if upcard > opponent[-1]:
            return hand[-1]
    elif upcard == highest:
        return hand[0]
    if stake > HIGH:
        ends = _from_the_top(hand, opponent)
        if ends:
            return hand[-1] if ends > 0 else hand[0]
    return None


def _from_the_top(hand: Hand, opponent: Hand) -> int:
    """Who wins the first round that is no tie if both bid from the top: 1, −1, or 0 for nobody."""
    for own, other in zip(reversed(hand), reversed(opponent), strict=True):
        if own != other:
            return 1 if own > other else -1
    return 0


def _by_guess(view: View, rng: Random) -> int:
    """One more than the bid that the opponent is thought to make, if it is cheap."""
    hand, upcard = view.hand, view.stake - view.pot
    if view.rules.winning and hand[-1] > view.opponent[-1] and to_win(view) <= view.stake:
        return hand[-1]
    if rng.random() < (0.1 if upcard > 7 else 0.3 if upcard < 7 else 0.0):
        return hand[0]
    card = above(hand, _guess(view))
    return card if card is not None and card <= upcard + 4 else hand[0]


def _guess(view: View) -> int:
    """The opponent's bid."""
    upcard = view.stake - view.pot
    if view.stake > HIGH:
        return min(upcard + 3, view.n)
    steps = (0, 1) if upcard > view.n - 2 else (2, 3, 4, 1, 0)
    held = (upcard + step for step in steps if upcard + step in view.opponent)
    return next(held, view.opponent[0])
