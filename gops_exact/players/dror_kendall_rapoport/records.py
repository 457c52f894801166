"""Strategies that go by a table or by records of the opponent's bids: 0204, 0205 and 0208."""

from collections import Counter
from itertools import accumulate
from random import Random

from gops_exact.game.rules import Hand
from gops_exact.players.policy import Policy, by_weight
from gops_exact.players.published import first_move_weights, held_weights
from gops_exact.players.simple import above
from gops_exact.players.view import Rounds, View


class Strategy0204(Policy):
    """Draws from the published first-move table, renormalised over the cards still held.

    For points it draws every bid from the column of the upcard. After a tie that is carried over, the
    stake takes the upcard's place, and a stake above the highest card is bid for with that card. For wins
    only the first bid is drawn from the table; then the highest card is bid if it beats the opponent's
    highest, and otherwise the card just above the mean of the opponent's hand.

    How it was read:

    * The table is Rhoads's (2011) for 13 cards; the one printed in the description differs in a few
      digits.
    * Where the column has nothing left for any card held, the lowest card is bid.
    * Where no card is above the mean of the opponent's hand, the lowest is bid.
    * *Equal highest cards* are treated as *not higher*.
    """

    name = "0204"

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
        hand = view.hand
        if view.rules.winning and view.rounds:
            if hand[-1] > view.opponent[-1]:
                return hand[-1]
            return above(hand, sum(view.opponent) / len(view.opponent)) or hand[0]
        if view.stake > hand[-1] and view.pot:
            return hand[-1]
        return _from_table(view, view.stake, rng)


def _from_table(view: View, stake: int, rng: Random) -> int:
    """Draw a card held from the published table's column for a stake."""
    return by_weight(held_weights(first_move_weights(view.n)[stake], view.hand), rng)


DOMINANT, SAFE, TIE = 0.5, 0.8, 0.7
"""Shares of the opponent's bids in 0205: one card to count on, those to beat, one to meet."""


class Strategy0205(Policy):
    """Sorts the prizes into three tiers, remembers the opponent's bids, and leaves the rest to chance.

    *Winners* are the prizes of which the fewest that reach the goal can be made up, any of them;
    *helpers* those of which any two are worth the highest winner; *tossers* the rest. With some games of
    the match played, the opponent's earlier bids for an upcard, as far as it still holds those cards,
    say what it will bid: one card bid half of the time is beaten by one, otherwise a card is bid that
    would have beaten most of them. A bid more than three above a prize that is no winner is thought
    better of. Failing that, and before, bids are random within bounds: for winners a card from the
    upcard to the own highest, or the lowest card if the opponent can beat them all; for helpers the
    upcard, one or two more; for tossers the lowest card. The first bid of the early games is drawn from
    the published table. The goal is more than half of the points; for points, 63 of 91. For wins it bids
    its lowest cards once the game is won or lost. A carried stake is an upcard of that value, at most
    the highest card; and if the opponent's highest card can be beaten and no winner is at stake, a tie
    is sought where its bid is foreseen at 70%.

    How it was read:

    * It learns from the earlier games and from this one; history is used after a tenth of the games of
      the match, or ten.
    * A card *would have beaten most* if it beats four in five of the bids on record; the description's
      example bids a card that beats all where the next lower one beats three in four.
    * Nine thirteenths of the points that are still there or have been won are the goal for points, so
      that 91 give 63. Every prize is a winner once the goal is reached or out of reach.
    * A stake counts as a winner from the lowest winner up, and as a helper from the lowest helper up.
    * A helper none of whose three bids is held gets the lowest card.
    * The table is that of Rhoads (2011); the description copies the one of Rhoads & Bartholdi (2012).
    """

    name = "0205"

    def __init__(self) -> None:
        self._games: tuple[Rounds, ...] = ()
        self._record: dict[int, Counter[int]] = {}

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
        hand, stake = view.hand, min(view.stake, view.n)
        need = points_needed(view)
        if view.rules.winning and not 0 < need <= sum(view.prizes) + view.pot:
            return hand[0]
        winners, helpers = tiers(view.prizes, need)
        wanted = stake >= winners[-1]
        if len(view.games) >= min(-(-view.length // 10), 10):
            card = self.foreseen(view, stake, wanted=wanted)
            if card is not None and (wanted or card <= stake + 3):
                return card
        elif not view.rounds:
            return _from_table(view, stake, rng)
        cards = []
        if wanted:
            cards = [card for card in hand if card >= stake and hand[-1] >= view.opponent[-1]]
        elif helpers and stake >= helpers[-1]:
            cards = [card for card in hand if stake <= card <= stake + 2]
        return rng.choice(cards) if cards else hand[0]

    def foreseen(self, view: View, stake: int, *, wanted: bool) -> int | None:
        """Choose a card by the opponent's earlier bids for a stake, None if they say too little.

        Args:
            view: what the player sees.
            stake: the stake, at most the highest card.
            wanted: True if a winner is at stake.
        """
        bids = Counter(each.reply for each in view.rounds if min(each.stake, view.n) == stake)
        bids += self._recorded(view.games).get(stake, Counter())
        known = [(card, bids[card]) for card in view.opponent if bids[card]]
        if not known:
            return None
        total = sum(times for _, times in known)
        likely, times = max(known, key=lambda each: each[1])
        safe = view.hand[-1] > view.opponent[-1] and not wanted
        if safe and view.rules.carries and times >= TIE * total and likely in view.hand:
            return likely
        if times >= DOMINANT * total:
            return above(view.hand, likely)
        so_far = zip(known, accumulate(times for _, times in known), strict=True)
        return above(view.hand, next(card for (card, _), upto in so_far if upto >= SAFE * total))

    def _recorded(self, games: tuple[Rounds, ...]) -> dict[int, Counter[int]]:
        """Count the opponent's bids for each stake in earlier games, adding the new games only."""
        known = len(self._games)
        if games[:known] != self._games:
            known, self._record = 0, {}
        for game in games[known:]:
            for each in game:
                self._record.setdefault(min(each.stake, len(game)), Counter())[each.reply] += 1
        self._games = games
        return self._record


def points_needed(view: View) -> int:
    """Return the points that are still needed for the goal of 0205."""
    if view.rules.winning:
        return view.to_win
    won, lost = view.points
    total = won + lost + view.pot + sum(view.prizes)
    return max(-(-9 * total // 13) - won, 1)


def tiers(prizes: Hand, need: int) -> tuple[list[int], list[int]]:
    """Return winners and helpers among the prizes left, highest first; the others are tossers.

    >>> tiers(tuple(range(1, 14)), 46)
    ([13, 12, 11, 10], [9, 8, 7, 6])
    >>> tiers((1, 2, 3, 4, 5, 6, 7, 10, 11, 12), 27)
    ([12, 11, 10, 7], [6])
    """
    falling = sorted(prizes, reverse=True)
    sums = list(accumulate(falling))
    fewest = next((size for size, upto in enumerate(sums, start=1) if upto >= need), len(sums))
    winners = falling[:fewest]
    for prize in falling[fewest:]:
        if sum(winners[len(winners) - fewest + 1 :]) + prize < need:
            break
        winners.append(prize)
    helpers = falling[len(winners) :][:1]
    for prize in falling[len(winners) + 1 :]:
        if prize + helpers[-1] < winners[0]:
            break
        helpers.append(prize)
    return winners, helpers


class Strategy0208(Policy):
    """Weighs cards by a utility for wins, and by averages of the opponent's bids for points.

    For wins each card v has the utility 1/(|v − p| + 1) for the stake p. A player who is behind looks
    again at the cards above p, one who is ahead at those below: their utility becomes 1/|v − p| times how
    far the totals are apart and how far the mean cards of both hands are, or divided by one of them. To
    that the mean utility of the other cards in the next round is added, with the opponent supposed to win
    this one and its hand to stay as it is. The card with the highest sum is bid.

    For points it keeps the average of the opponent's bids for each stake. The cards above the average are
    offered in ascending order, each taken with probability 1/2, over and over; if there are none the
    lowest card is bid. Where prizes are carried over, averages reach to 25 points and a higher stake gets
    the highest card.

    How it was read:

    * The bars in the utility are an absolute value to which 1 is added: so it is greatest where card and
      stake agree, as the description says.
    * Behind with the better hand: times both differences. Behind with the worse: the totals' difference
      by that of the means. Ahead with the better: the means' by the totals'. Ahead with the worse: times
      both. With equal totals or equal means nothing is revised.
    * The next upcard is averaged over exactly, where the description draws it 10,000 times. The difference
      of the means is supposed to stay as it is for the next round. The description reports an even result
      against matching, and a good one against the random player; so it is with this reading, and far from
      it with the means of the hands that are left.
    * Of equal sums the lowest card is bid.
    * Without any bid on record for a stake its average is the stake. The averages are of all rounds of
      the match so far. 25 is 2n − 1.
    """

    name = "0208"

    def __init__(self) -> None:
        self._games: tuple[Rounds, ...] = ()
        self._sums: dict[int, tuple[int, int]] = {}

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
        if view.rules.winning:
            return _by_utility(view)
        if view.stake > 2 * view.n - 1:
            return view.hand[-1]
        average = self._average(view)
        cards = [card for card in view.hand if card > average]
        if not cards:
            return view.hand[0]
        while True:
            for card in cards:
                if rng.random() < 0.5:
                    return card

    def _average(self, view: View) -> float:
        """Return the mean of the opponent's bids for this stake, or the stake where there are none."""
        if view.games is not self._games:
            self._games, self._sums = view.games, {}
            for game in view.games:
                for each in game:
                    total, times = self._sums.get(each.stake, (0, 0))
                    self._sums[each.stake] = total + each.reply, times + 1
        total, times = self._sums.get(view.stake, (0, 0))
        replies = [each.reply for each in view.rounds if each.stake == view.stake]
        return (total + sum(replies)) / (times + len(replies)) if times or replies else view.stake


def _by_utility(view: View) -> int:
    """Return the card with the greatest utility in this round and the next."""
    hand, stake = view.hand, view.stake
    if len(hand) == 1:
        return hand[0]
    won, lost = view.points
    ahead = won - lost
    better = (sum(hand) - sum(view.opponent)) / len(hand)
    upcard = stake - view.pot
    # Supposed to have lost this round, it will be so much less ahead.
    later = [
        sum(_utility(card - prize, ahead - stake, better) for prize in view.prizes)
        - _utility(card - upcard, ahead - stake, better)
        for card in hand
    ]
    others, total = (len(hand) - 1) ** 2, sum(later)
    # This round's utility, and the mean over the cards kept and the prizes to come.
    worth = [
        _utility(card - stake, ahead, better) + (total - lost_with_it) / others
        for card, lost_with_it in zip(hand, later, strict=True)
    ]
    return hand[worth.index(max(worth))]


def _utility(over: int, ahead: int, better: float) -> float:
    """Return the utility of a card so much over the stake."""
    if over * ahead >= 0 or better == 0:
        return 1 / (abs(over) + 1)
    if (ahead < 0) == (better > 0):
        return abs(ahead * better) / abs(over)
    factor = ahead / better if ahead < 0 else better / ahead
    return factor / abs(over)
