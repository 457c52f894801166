"""Strategies that bid the upcard and so much more, or expect it of the opponent: 0203, 0207, 0209, 0210."""

from math import ceil
from random import Random

from gops_exact.game.rules import Hand
from gops_exact.players.policy import Policy
from gops_exact.players.simple import above, at_least, shifted
from gops_exact.players.view import View, points


class Strategy0203(Policy):
    """Watches three rounds, then beats the opponent's shift of the upcard by one.

    The first three bids are 1, 2 and 3. If the opponent's first three bids are all the upcard plus 0,
    plus 1 or plus 2, the next ones are foreseen (from 1 on again after the highest card) and beaten by
    one; otherwise the upcard is bid, the best reply to a random player. A card already spent is replaced
    by the next higher one. One refinement: the highest prize left, with a highest card not below the
    opponent's, is bid for with that card. Earlier games are forgotten, and all rules are played alike.

    How it was read:

    * *Correlation* of the opponent's bids with a known strategy is agreement in all of the first three
      rounds. The description wants a sequence of three or four, and its reason for three speaks of the
      first three rounds only.
    * A bid that went round from the highest card to the lowest does not agree. The description's average
      points against matching, plus one and plus two fall off as they do with this reading only.
    * The reply to the highest card is the lowest.
    * The refinement counts from the first round on; if no higher card is left to replace a spent one, the
      lowest is bid.

    Args:
        refined: play the refinement.
    """

    name = "0203"

    def __init__(self, *, refined: bool = True) -> None:
        self.refined = refined

    def bid(self, view: View, rng: Random) -> int:  # noqa: ARG002, nothing is left to chance
        """Choose a card."""
        hand, upcard, watched = view.hand, view.stake - view.pot, view.rounds[:3]
        if self.refined and upcard == max(view.prizes) and hand[-1] >= view.opponent[-1]:
            return hand[-1]
        if len(watched) < 3:
            return at_least(hand, len(watched) + 1)
        shift = watched[0].reply - watched[0].upcard
        if shift in (0, 1, 2) and all(each.reply == each.upcard + shift for each in watched):
            return at_least(hand, shifted(upcard, shift + 1, view.n))
        return at_least(hand, upcard)


class Strategy0207(Policy):
    """Bids the upcard plus three, and in three other ways when that does not go well.

    The three highest upcards get 1, 2 and 3. Once it has more than half of the points, its cards are
    random. If it is behind after 40% of the rounds it bids the upcard, or one more, or one less, or at
    random; if it is still behind after 50%, its highest card where that beats the opponent's and its
    lowest where not; if it is still behind after 75%, random cards. All rules are played alike.

    How it was read:

    * The shares are of the rounds of one game, rounded up, and it is asked at those moments only.
    * Who recovers keeps the way that did it, to the end of the game.
    * The upcard plus three that is not held any more is replaced by a random card.
    """

    name = "0207"

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
        hand, upcard = view.hand, view.stake - view.pot
        setbacks = _setbacks(view)
        wanted: list[int] = []
        if setbacks == 0 and view.to_win > 0:
            wanted = [shifted(upcard, 3, view.n)]
        elif setbacks == 1:
            wanted = [upcard, upcard + 1, upcard - 1]
        elif setbacks == 2:
            return hand[-1] if hand[-1] > view.opponent[-1] else hand[0]
        held = [card for card in wanted if card in hand]
        return held[0] if held else rng.choice(hand)


def _setbacks(view: View) -> int:
    """Count the checks, one after the other, at which the player was behind."""
    for passed, share in enumerate((0.40, 0.50, 0.75)):
        after = ceil(share * view.n)
        if len(view.rounds) < after:
            return passed
        won, lost = points(view.rounds[:after])
        if won >= lost:
            return passed
    return 3


class Strategy0209(Policy):
    """Bids at random twice, then one more than the opponent's shift of the upcard.

    If both of the opponent's first two bids are the upcard plus the same m (from 1 on again after the
    highest card), the upcard plus m + 1 is bid from then on, else the upcard. In place of a card spent in
    the first two rounds goes the one that should have been bid there. One check comes before, a different
    one for each rule set. Points, ties discarded: a prize with which at least 46 points are reached gets
    the highest card if that beats the opponent's. Points, carried over: so does a stake that is more than
    all prizes that come after it. Wins: if at least half of the own cards, in order, beat the opponent's
    in order, the prize, the pot added to it, gets the card of its own rank among those left.

    How it was read:

    * The check is made in the first two rounds, too.
    * 46 is more than half of the whole deck.
    * A spent card whose replacement is spent as well passes on to the one that should have been bid in
      its place; where the checks have spent others, the next higher card is bid, or else the lowest.
    * A stake raised by a pot is ranked among the prizes left in the upcard's place.
    """

    name = "0209"

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
        watched = view.rounds[:2]
        card = _checked(view)
        if card is not None:
            return card
        if len(watched) < 2:
            return rng.choice(view.hand)
        first, second = ((each.reply - each.upcard) % view.n for each in watched)
        more = first + 1 if first == second else 0
        wanted = shifted(view.stake - view.pot, more, view.n)
        spent = {each.bid: each.upcard for each in watched}
        for _ in watched:
            if wanted not in view.hand and wanted in spent:
                wanted = shifted(spent[wanted], more, view.n)
        return at_least(view.hand, wanted)


def _checked(view: View) -> int | None:
    """Return the bid that the rule set's check of 0209 demands, or None."""
    hand, opponent, stake = view.hand, view.opponent, view.stake
    if view.rules.winning:
        ahead = sum(own > other for own, other in zip(hand, opponent, strict=True))
        if 2 * ahead < len(hand):
            return None
        upcard = stake - view.pot
        return hand[sum(prize < stake for prize in view.prizes if prize != upcard)]
    if view.rules.carries:
        ripe = stake > sum(view.prizes) - (stake - view.pot)
    else:
        ripe = 2 * (stake + view.points[0]) > view.n * (view.n + 1) // 2
    return hand[-1] if ripe and hand[-1] > opponent[-1] else None


HIGH = 13
"""A stake above this is high for 0210: ties have made it."""


class Strategy0210(Policy):
    """Takes easy advantages first, then guesses the opponent's bid, with two decoys.

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
    * One way is drawn for every bid: 80%, 10%, 10%; for wins, which have no third one, 90% and 10%.
    * For an upcard of 12 or 13 the bid foreseen is that card. If it is not held, nor a higher one within
      four, the upcard itself and one more are thought of before the lowest card.
    * The lowest card at random: 10% for upcards above 7, 30% below 7.
    * For wins, the highest card is bid if it beats the opponent's and the stake brings the points that are
      missing. (The description has it the other way round, which would be to bid it at once.)
    * A decoy's card that is not held is replaced by the next higher one, or else the lowest.
    """

    name = "0210"

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
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
        if view.rules.winning and hand[-1] > view.opponent[-1] and view.to_win <= view.stake:
            return hand[-1]
        if rng.random() < (0.1 if upcard > 7 else 0.3 if upcard < 7 else 0.0):
            return hand[0]
        card = above(hand, _guess(view))
        return card if card is not None and card <= upcard + 4 else hand[0]


def _easy(view: View) -> int | None:
    """Return the highest or lowest card where it is plainly right, else None."""
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
        return _from_the_top(hand, opponent)
    return None


def _from_the_top(hand: Hand, opponent: Hand) -> int | None:
    """Return the highest card if bids from the top win the first round that is no tie, else the lowest."""
    for own, other in zip(reversed(hand), reversed(opponent), strict=True):
        if own != other:
            return hand[-1] if own > other else hand[0]
    return None


def _guess(view: View) -> int:
    """Foresee the opponent's bid."""
    upcard = view.stake - view.pot
    if view.stake > HIGH:
        return min(upcard + 3, view.n)
    steps = (0, 1) if upcard > view.n - 2 else (2, 3, 4, 1, 0)
    held = (upcard + step for step in steps if upcard + step in view.opponent)
    return next(held, view.opponent[0])
