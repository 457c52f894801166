"""Strategies that weigh the stake against the hands: 0201, 0202 and 0206."""

from random import Random

from gops_exact.players.policy import Policy
from gops_exact.players.simple import above, at_least, at_most
from gops_exact.players.view import View


class Strategy0201(Policy):
    """Compares the totals of both hands and of the prizes left; random now and then.

    An opponent who has spent more than both leaves room to go for high prizes. A hand weaker than the
    opponent's but stronger than the prizes plays low and waits for the one or two highest. Against
    learners, every fourth game is random throughout, and now and then a single bid is.

    How it was read, as the description gives no numbers:

    * The ordinary bid is the stake plus 0 to 2 at random: *adjust my bets by a few cards*.
    * To go for a high prize, in the upper half of those left, is to bid the stake plus 2 to 4.
    * To wait is to bid the lowest card, but for the two highest prizes left the highest.
    * A weaker hand otherwise bids at most the stake, and one time in ten its highest card.
    * One bid in ten is random.
    * The pot is part of the stake and of the prizes left.
    """

    name = "0201"

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
        hand, stake, prizes = view.hand, view.stake, view.prizes
        if len(view.games) % 4 == 3 or rng.random() < 0.1:
            return rng.choice(hand)
        mine, theirs, left = sum(hand), sum(view.opponent), sum(prizes) + view.pot
        more = (0, 2)
        if theirs < mine and theirs < left:
            more = (2, 4) if stake >= prizes[len(prizes) // 2] else (0, 2)
        elif left < mine < theirs:
            return hand[-1] if stake >= prizes[-2:][0] else hand[0]
        elif mine < theirs:
            return hand[-1] if rng.random() < 0.1 else at_most(hand, stake)
        return at_least(hand, min(stake + rng.randint(*more), hand[-1]))


class Strategy0202(Policy):
    """Bids the card as far up the hand as a score of daring from 0 to 1 says.

    The score is a weighted average of ratios between the stake, both hands' totals and the prizes left.
    It is higher the more is at stake compared with what may still come, and higher against an opponent
    who can still spend. A pot adds to the stake and makes the stake weigh more. For wins the score is
    raised until more than half of the points are won.

    How it was read, as the description gives no weights:

    * The stake's ratio is the stake as a share of the highest prize left, at most 1.
    * The other three are shares, each one half while nothing is spent: each player's total in its sum
      with the prizes left, and the opponent's total in the sum of both.
    * The stake's ratio has weight 2 to 6, growing with it; the mean of the others has weight 1.
    * A pot doubles the stake's weight.
    * For wins the score is raised by a quarter until the goal is reached.
    """

    name = "0202"

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, nothing is left to chance
        """Choose a card."""
        mine, theirs, left = sum(view.hand), sum(view.opponent), sum(view.prizes)
        power = (mine / (mine + left) + theirs / (theirs + left) + theirs / (theirs + mine)) / 3
        share = min(1.0, view.stake / view.prizes[-1])
        weight = (2 + 4 * share) * (2 if view.pot else 1)
        daring = (weight * share + power) / (weight + 1)
        if view.rules.winning and view.to_win > 0:
            daring = min(1.0, 1.25 * daring)
        return view.hand[round(daring * (len(view.hand) - 1))]


class Strategy0206(Policy):
    """Bids the upcard plus one or two, by how well the cards spent have paid.

    *Point quality* is the points won for each point of cards spent in this game. Stakes below 5 get the
    lowest card. For points, stakes up to 10 get at most two more than the stake if the own quality is
    better than the opponent's, else at most one more; higher stakes one more than the opponent's highest
    card if the own highest beats it, else at most one more than the upcard. For wins, close to the goal,
    two more than the stake, or the highest card; with a pot the highest card if it beats the opponent's
    or the opponent is about to win, else a cautious bid.

    How it was read:

    * Stakes of 5 and of 10, which the description leaves out, belong to the middle.
    * *At most* so much is the highest card held that is not above it, else the lowest.
    * *Close to the goal*: this stake would reach it (highest card, if it beats the opponent's), or two
      such stakes would (two more). Otherwise at most one more than the stake.
    * *About to win*: this stake would take the opponent to the goal. *Cautious*: at most the upcard.
    """

    name = "0206"

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, nothing is left to chance
        """Choose a card."""
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
    hand, stake, need = view.hand, view.stake, view.to_win
    beats = hand[-1] > view.opponent[-1]
    if view.pot:
        won, lost = view.points
        if beats or need + won - lost <= stake:
            return hand[-1]
        return at_most(hand, stake - view.pot)
    if need <= stake and beats:
        return hand[-1]
    return at_most(hand, stake + (2 if need <= 2 * stake else 1))
