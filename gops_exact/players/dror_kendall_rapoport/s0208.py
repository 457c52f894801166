"""Strategy 0208: a utility of cards for wins, and averages of the opponent's bids for points.

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
* The next upcard is averaged over exactly, where the description draws it 10,000 times. Supposed to
  stay as it is for the next round is how far the means are apart. The description reports an even
  result against matching, and a good one against the random player; so it is with this reading, and
  far from it with the means of the hands that are left.
* Of equal sums the lowest card is bid.
* Without any bid on record for a stake its average is the stake. The averages are of all rounds of
  the match so far. 25 is 2n − 1.
"""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from gops_exact.players.policy import Policy
from gops_exact.players.view import Game, View


class Strategy0208(Policy):
    """Utilities, or averages."""

    name = "0208"

    def __init__(self) -> None:
        self._games: tuple[Game, ...] = ()
        self._sums: dict[int, tuple[int, int]] = {}

    def bid(self, view: View, rng: Random) -> int:
        """The card."""
        return _by_utility(view) if view.rules.winning else self._by_average(view, rng)

    def _by_average(self, view: View, rng: Random) -> int:
        stake = view.stake
        if stake > 2 * view.n - 1:
            return view.hand[-1]
        if view.games is not self._games:
            self._games, self._sums = view.games, _sums(view.games)
        total, times = self._sums.get(stake, (0, 0))
        for each in view.rounds:
            if each.stake == stake:
                total, times = total + each.reply, times + 1
        average = total / times if times else stake
        cards = [card for card in view.hand if card > average]
        if not cards:
            return view.hand[0]
        while True:
            for card in cards:
                if rng.random() < 0.5:
                    return card


def _sums(games: Sequence[Game]) -> dict[int, tuple[int, int]]:
    """For each stake the sum of the opponent's bids, and how many there were."""
    bids: dict[int, list[int]] = defaultdict(list)
    for game in games:
        for each in game:
            bids[each.stake].append(each.reply)
    return {stake: (sum(each), len(each)) for stake, each in bids.items()}


def _by_utility(view: View) -> int:
    """The card with the greatest utility in this round and the next."""
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

    def worth(place: int) -> float:
        """This round's utility, and the mean over the cards kept and the prizes to come."""
        now = _utility(hand[place] - stake, ahead, better)
        return now + (total - later[place]) / others

    return hand[max(range(len(hand)), key=worth)]


def _utility(over: int, ahead: int, better: float) -> float:
    """The utility of a card so much over the stake."""
    factor = _factor(ahead, better) if over * ahead < 0 else None
    return 1 / (abs(over) + 1) if factor is None else factor / abs(over)


def _factor(ahead: int, better: float) -> float | None:
    """What the cards looked at again are worth more, or None where nothing is revised."""
    if ahead == 0 or better == 0:
        return None
    if ahead < 0:
        return -ahead * better if better > 0 else ahead / better
    return better / ahead if better > 0 else -ahead * better
