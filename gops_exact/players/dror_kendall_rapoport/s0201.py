"""Strategy 0201: how strong is my hand against the prizes and the opponent's hand?

Each round it adds up the cards in its hand, in the opponent's, and the prizes left. An opponent who
has spent more than both leaves room to go for high prizes; a hand weaker than the opponent's but
stronger than the prizes plays low and waits for the one or two highest. Against learners, every
fourth game is random throughout, and now and then a single bid is.

How it was read, as the description gives no numbers:

* The ordinary bid follows the stake and is raised by none, one or two at random: *adjust my bets by
  a few cards*.
* Going for a high prize, the upper half of those left, is bidding two to four more than the stake;
  for the others it bids as usual.
* Waiting is the lowest card, but for the two highest prizes left the highest.
* A weaker hand otherwise bids at most the stake, and one time in ten its highest card.
* One bid in ten is random.
* What a tie left is part of the stake and of the prizes left.
"""

from random import Random

from gops_exact.players.dror_kendall_rapoport.common import at_most
from gops_exact.players.policy import Policy
from gops_exact.players.simple import at_least
from gops_exact.players.view import View


class Strategy0201(Policy):
    """Sums of hands and prizes; random now and then."""

    name = "0201"

    def bid(self, view: View, rng: Random) -> int:
        """The card."""
        hand, stake, prizes = view.hand, view.stake, view.prizes
        if len(view.games) % 4 == 3 or rng.random() < 0.1:
            return rng.choice(hand)
        mine, theirs, left = sum(hand), sum(view.opponent), sum(prizes) + view.pot
        if theirs < mine and theirs < left:
            more = rng.randint(2, 4) if stake >= prizes[len(prizes) // 2] else rng.randint(0, 2)
            return _about(view, more)
        if left < mine < theirs:
            return hand[-1] if stake >= prizes[-2:][0] else hand[0]
        if mine < theirs:
            return hand[-1] if rng.random() < 0.1 else at_most(hand, stake)
        return _about(view, rng.randint(0, 2))


def _about(view: View, more: int) -> int:
    """The lowest card not below the stake and so much more, or the highest if that is too much."""
    wanted = view.stake + more
    return view.hand[-1] if wanted > view.hand[-1] else at_least(view.hand, wanted)
