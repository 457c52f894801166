"""Strategy 0205: prizes in three tiers, and what the opponent bid for them before.

*Winners* are the prizes of which the fewest that reach the goal can be made up, any of them;
*helpers* those of which any two are worth the highest winner; *tossers* the rest. With some games of
the match played, the opponent's earlier bids for an upcard, as far as it still holds those cards, say
what it will bid: one card bid half of the time is beaten by one, otherwise a card is bid that would
have beaten most of them. A bid more than three above a prize that is no winner is thought better of.
Failing that, and before, bids are random within bounds: for winners a card from the upcard to the own
highest, or the lowest card if the opponent can beat them all; for helpers the upcard, one or two more;
for tossers the lowest card. The first bid of the early games is drawn from the published table. The
goal is more than half of the points; where points are what counts, 63 of 91. For wins it bids its
lowest cards once the game is won or lost. A carried stake is an upcard of that value, at most the
highest card; and if the opponent's highest card can be beaten and no winner is at stake, a tie is
sought where its bid is foreseen at 70%.

How it was read:

* It learns from the earlier games and from this one; history is used after a tenth of the games of
  the match, or ten.
* A card *would have beaten most* if it beats four in five of the bids on record; the description's
  example bids a card that beats all where the next lower one beats three in four.
* Nine thirteenths of the points that are still there or have been won are the goal for points, so
  that 91 give 63. Once it is reached every prize is a winner; likewise when it is out of reach.
* A stake counts as a winner from the lowest winner up, and as a helper from the lowest helper up.
* A helper none of whose three bids is held gets the lowest card.
* The table is that of Rhoads (2011); the description copies the one of Rhoads & Bartholdi (2012).
"""

from collections import Counter
from itertools import accumulate
from random import Random

from gops_exact.game.cards import Hand
from gops_exact.players.dror_kendall_rapoport.common import above, to_win
from gops_exact.players.policy import Policy
from gops_exact.players.published import first_move_weights, held_weights
from gops_exact.players.sampling import by_weight
from gops_exact.players.view import Game, View

DOMINANT, SAFE, TIE = 0.5, 0.8, 0.7
"""Shares of the opponent's bids: one card to count on, those to beat, one to meet."""

Record = dict[int, Counter[int]]
"""For each stake the opponent's bids."""


class Strategy0205(Policy):
    """Tiers, history, bounded chance."""

    name = "0205"

    def __init__(self) -> None:
        self._games: tuple[Game, ...] = ()
        self._record: Record = {}

    def bid(self, view: View, rng: Random) -> int:
        """The card."""
        hand, stake = view.hand, min(view.stake, view.n)
        need = points_needed(view)
        left = sum(view.prizes) + view.pot
        if view.rules.winning and (need <= 0 or need > left):
            return hand[0]
        winners, helpers = tiers(view.prizes, need)
        wanted = stake >= winners[-1]
        trained = len(view.games) >= min(-(-view.length // 10), 10)
        if trained:
            card = self.foreseen(view, stake, wanted=wanted)
            if card is not None and (wanted or card <= stake + 3):
                return card
        elif not view.rounds:
            return by_weight(held_weights(first_move_weights(view.n)[stake], hand), rng)
        helping = bool(helpers) and stake >= helpers[-1]
        return bounded(view, stake, rng, wanted=wanted, helping=helping)

    def foreseen(self, view: View, stake: int, *, wanted: bool) -> int | None:
        """A card by the opponent's earlier bids for this stake, if they say enough."""
        record = self.record(view.games)
        bids = Counter(each.reply for each in view.rounds if _capped(each.stake, view.n) == stake)
        bids += record.get(stake, Counter())
        known = [(card, bids[card]) for card in view.opponent if bids[card]]
        total = sum(times for _, times in known)
        if not total:
            return None
        likely, times = max(known, key=lambda each: each[1])
        safe = view.hand[-1] > view.opponent[-1] and not wanted
        if safe and view.rules.carries and times >= TIE * total and likely in view.hand:
            return likely
        if times >= DOMINANT * total:
            return above(view.hand, likely)
        so_far = accumulate(times for _, times in known)
        beaten = next(
            card for (card, _), upto in zip(known, so_far, strict=True) if upto >= SAFE * total
        )
        return above(view.hand, beaten)

    def record(self, games: tuple[Game, ...]) -> Record:
        """What the opponent bid in earlier games; the last one is added to what is known."""
        known = len(self._games)
        if games[:known] != self._games:
            known, self._record = 0, {}
        for game in games[known:]:
            for each in game:
                stake = _capped(each.stake, len(game))
                self._record.setdefault(stake, Counter())[each.reply] += 1
        self._games = games
        return self._record


def points_needed(view: View) -> int:
    """Points still needed for the goal."""
    if view.rules.winning:
        return to_win(view)
    won, lost = view.points
    total = won + lost + view.pot + sum(view.prizes)
    return max(-(-9 * total // 13) - won, 1)


def tiers(prizes: Hand, need: int) -> tuple[list[int], list[int]]:
    """Winners and helpers among the prizes left, highest first; the others are tossers.

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


def bounded(view: View, stake: int, rng: Random, *, wanted: bool, helping: bool) -> int:
    """A random card within the bounds of the prize's tier."""
    hand = view.hand
    if wanted:
        cards = [card for card in hand if card >= stake]
        if not cards or view.opponent[-1] > cards[-1]:
            return hand[0]
        return rng.choice(cards)
    if helping:
        cards = [card for card in hand if stake <= card <= stake + 2]
        return rng.choice(cards) if cards else hand[0]
    return hand[0]


def _capped(stake: int, n: int) -> int:
    return min(stake, n)
