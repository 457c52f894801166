"""The ten strategies of a classroom tournament, rebuilt from their descriptions.

M. Dror, G. Kendall and A. Rapoport had students write programs for four variants of the game. They
printed the students' descriptions and 32 tables of results (*Elicitation of Strategies in Four
Variants of a Round-robin Tournament: the Case of Goofspiel*, supplementary file, appendices A and B), but
not the programs. Each function chooses the card of one strategy. The strategies have their published numbers,
0201 to 0210. Where a description leaves something open, the docstring of the function says how it was read.

The descriptions call a game a *round*, and a round a *hand* or a *bet*. By *maximising wins* most of the
students mean the number of games won. Numbers such as 46 points are for 13 cards. For other decks they are
computed if the description says how.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate
from math import ceil
from random import Random

from gops_exact.game.rules import Hand
from gops_exact.players.policy import Policy, Rounds, View, points
from gops_exact.players.simple import Published

Record = Mapping[int, Mapping[int, int]]
"""The opponent's bids in earlier games of the match: {stake: {card: number of times it was bid}}."""


class Strategy(Policy):
    """A strategy of the tournament.

    Args:
        name: the number of the strategy.
        choose: choose(view, rng) returns the card to bid; `rng` is a source of randomness. If the strategy
            learns, the call is choose(view, rng, record), where `record` is a :data:`Record`.
        learns: True if the strategy learns from earlier games.
    """

    def __init__(self, name: str, choose: Callable[..., int], *, learns: bool = False) -> None:
        self.name = name
        self.choose = choose
        self.learns = learns
        self._games: tuple[Rounds, ...] = ()
        self._record: dict[int, Counter[int]] = {}

    def bid(self, view: View, rng: Random) -> int:
        """Choose a card."""
        if self.learns:
            return self.choose(view, rng, self.record(view.games))
        return self.choose(view, rng)

    def record(self, games: tuple[Rounds, ...]) -> Record:
        """Count the opponent's bids for each stake in earlier games.

        The counts are stored, so that a later call counts only the games added since.
        """
        known = len(self._games)
        if games[:known] != self._games:
            known, self._record = 0, {}
        for game in games[known:]:
            for over in game:
                self._record.setdefault(over.stake, Counter())[over.reply] += 1
        self._games = games
        return self._record


def at_least(hand: Hand, wanted: int) -> int:
    """Return the lowest card that is at least `wanted`, or the lowest of the hand if there is none."""
    return next((card for card in hand if card >= wanted), hand[0])


def shifted(upcard: int, more: int, n: int) -> int:
    """Return the upcard plus `more`, counted so that 1 follows n."""
    return (upcard + more - 1) % n + 1


def at_most(hand: Hand, wanted: int) -> int:
    """Return the highest card that is at most `wanted`, or the lowest of the hand if there is none."""
    return next((card for card in reversed(hand) if card <= wanted), hand[0])


def at_stake(view: View) -> int:
    """Return the points of this round: the upcard plus the pot; raise a ValueError if the upcard is hidden."""
    if view.upcard is None:
        raise ValueError(
            "the strategies of the tournament need to see the upcard, got hidden prizes"
        )
    return view.upcard + view.position.pot


def to_win(view: View) -> int:
    """Return the points that the player still needs for more than half of all points won or still to be won.

    The number is 0 or negative once the player has them.
    """
    won, lost = points(view.rounds)
    return (won + lost + view.position.pot + sum(view.prizes)) // 2 + 1 - won


def by_table(view: View, stake: int, rng: Random) -> int:
    """Draw a card of the hand with a probability proportional to its entry in the published table's column `stake`."""
    weights = Published(view.n).weights(stake, view.hand)
    return rng.sample([*weights], 1, counts=weights.values())[0]


def above(hand: Hand, other: float) -> int | None:
    """Return the lowest card above `other`; None if there is none."""
    return next((card for card in hand if card > other), None)


def bid_0201(view: View, rng: Random) -> int:
    """Compare the totals of both hands and of the prizes left; bid at random now and then.

    If the opponent's hand has a lower total than the own hand and the prizes, high prizes are bid for. If the
    total of the own hand is lower than that of the opponent's hand but higher than that of the prizes, bids
    are low except for the one or two highest prizes. To confuse an opponent who learns, every fourth game is
    played at random, and now and then a single bid is random.

    How it was read, as the description gives no numbers:

    * The ordinary bid is the stake plus 0 to 2 at random: *adjust my bets by a few cards*.
    * High prizes are those in the upper half of the prizes left; the bid for them is the stake plus 2 to 4.
    * A low bid is the lowest card. For the two highest prizes left the highest card is bid.
    * If the total of the own hand is lower than that of the opponent's hand and not higher than that of the
      prizes, the bid is at most the stake, and one time in ten the highest card.
    * One bid in ten is random.
    * The pot is part of the stake and of the prizes left.
    """
    hand, stake, prizes = view.hand, at_stake(view), view.prizes
    if len(view.games) % 4 == 3 or rng.random() < 0.1:
        return rng.choice(hand)
    mine, theirs, left = sum(hand), sum(view.opponent), sum(prizes) + view.position.pot
    more = (0, 2)
    if theirs < mine and theirs < left:
        more = (2, 4) if stake >= prizes[len(prizes) // 2] else (0, 2)
    elif left < mine < theirs:
        return hand[-1] if stake >= prizes[-2:][0] else hand[0]
    elif mine < theirs:
        return hand[-1] if rng.random() < 0.1 else at_most(hand, stake)
    return at_least(hand, min(stake + rng.randint(*more), hand[-1]))


def bid_0202(view: View, rng: Random) -> int:  # noqa: ARG001, nothing is left to chance
    """Choose a card by a score of daring: 0 for the lowest card of the hand, 1 for the highest.

    The score is a weighted average of ratios between the stake, both hands' totals and the prizes left.
    The score rises with the stake relative to the prizes that may still come, and with the total that the
    opponent can still spend. A pot adds to the stake and to the weight of the stake. For wins the score is
    raised until more than half of the points are won.

    How it was read, as the description gives no weights:

    * The stake's ratio is the stake divided by the highest prize left, at most 1.
    * The other three ratios are x/(x + y). Here x and y are two of three totals: of the own hand and the
      prizes left; of the opponent's hand and the prizes left; of the opponent's hand and the own hand. Each
      ratio is 1/2 while nothing is spent.
    * The weight of the stake's ratio rises with the ratio from 2 to 6. The mean of the others has weight 1.
    * A pot doubles the weight of the stake's ratio.
    * For wins the score is raised by a quarter, to at most 1, until the goal is reached.
    """
    mine, theirs, left = sum(view.hand), sum(view.opponent), sum(view.prizes)
    power = (mine / (mine + left) + theirs / (theirs + left) + theirs / (theirs + mine)) / 3
    share = min(1.0, at_stake(view) / view.prizes[-1])
    weight = (2 + 4 * share) * (2 if view.position.pot else 1)
    daring = (weight * share + power) / (weight + 1)
    if view.rules.winning and to_win(view) > 0:
        daring = min(1.0, 1.25 * daring)
    return view.hand[round(daring * (len(view.hand) - 1))]


def bid_0203(view: View, rng: Random) -> int:  # noqa: ARG001, nothing is left to chance
    """Watch three rounds, then beat an opponent who bids the upcard plus a constant.

    The first three bids are 1, 2 and 3. If the opponent's first three bids are all the upcard plus the same
    k, and k is 0, 1 or 2, the opponent is expected to bid the upcard plus k again (1 follows the highest
    card), and this card is beaten by one. Otherwise the upcard is bid, the best reply to a random player. A
    card already spent is replaced by the next higher one. Earlier games are ignored, and the play is the
    same under all rules. The highest prize left gets the highest card of the hand, unless the opponent's
    highest card is higher.

    How it was read:

    * *Correlation* of the opponent's bids with a known strategy is agreement in all of the first three
      rounds. The description asks for a sequence of three or four rounds, but its reason for three refers
      to the first three rounds only.
    * A low bid that results because 1 follows the highest card does not count as agreement. Only with this
      reading do the average points against matching, plus one and plus two decrease as described.
    * If the opponent is expected to bid the highest card, the reply is the lowest card.
    * The highest card for the highest prize, a refinement of the description, is bid from the first round
      on. If no higher card is left to replace a spent one, the lowest is bid.
    """
    hand, upcard, watched = view.hand, at_stake(view) - view.position.pot, view.rounds[:3]
    if upcard == max(view.prizes) and hand[-1] >= view.opponent[-1]:
        return hand[-1]
    if len(watched) < 3:
        return at_least(hand, len(watched) + 1)
    shift = watched[0].reply - watched[0].upcard
    if shift in (0, 1, 2) and all(over.reply == over.upcard + shift for over in watched):
        return at_least(hand, shifted(upcard, shift + 1, view.n))
    return at_least(hand, upcard)


def bid_0204(view: View, rng: Random) -> int:
    """Draw from the published first-move table, renormalised over the cards still held.

    For points every bid is drawn from the column of the upcard. After a tie that is carried over, the
    column is that of the stake, and a stake above the highest card held gets that card. For wins only the
    first bid is drawn from the table. Later bids are the highest card if it beats the opponent's highest,
    and otherwise the lowest card above the mean of the opponent's hand.

    How it was read:

    * The description prints the table of Rhoads (2011) for 13 cards.
    * If all cards held have the probability 0 in the column, the lowest card is bid.
    * If no card is above the mean of the opponent's hand, the lowest is bid.
    * *Equal highest cards* are treated as *not higher*.
    """
    hand = view.hand
    if view.rules.winning and view.rounds:
        if hand[-1] > view.opponent[-1]:
            return hand[-1]
        return above(hand, sum(view.opponent) / len(view.opponent)) or hand[0]
    if at_stake(view) > hand[-1] and view.position.pot:
        return hand[-1]
    return by_table(view, at_stake(view), rng)


DOMINANT, SAFE, TIE = 0.5, 0.8, 0.7
"""Shares of the opponent's recorded bids, for 0205. A card with the share DOMINANT is predicted and beaten.
If there is none, the card bid beats the share SAFE of the records. A card with the share TIE is tied."""


def bid_0205(view: View, rng: Random, record: Record) -> int:
    """Sort the prizes into three tiers, and bid by the opponent's recorded bids or at random within bounds.

    Let m be the least number of prizes that can reach the goal. *Winners* are the highest prizes, as many
    as possible such that any m of them reach the goal. *Helpers* are the next highest, as many as possible
    such that any two of them are worth at least the highest winner. *Tossers* are the rest.

    After some games of the match, the bid follows from the opponent's recorded bids for the same upcard, of
    which only those count that the opponent still holds. If one card makes up half of them, it is beaten by
    the next higher card; otherwise the bid is a card that would have beaten most of them. A bid more than
    three above the stake is not made unless the stake is a winner. If no card is chosen in this way, the bid
    is random within bounds: for a winner a card from the upcard to the own highest, or the lowest card if the
    opponent's highest is higher than the own; for a helper the upcard or one or two more; for a tosser the
    lowest card. The first bid of the early games is drawn from the published table.

    The goal is more than half of the points for wins, and 63 of the 91 points for points. For wins the
    lowest card is bid once the game is won or lost. A stake with a pot counts as an upcard of that value, at
    most the highest card. If ties are carried over, the own highest card beats the opponent's and the stake
    is no winner, a card that makes up 70% of the recorded bids is tied.

    How it was read:

    * Bids of the earlier games and of this one are recorded. They are used after a tenth of the games of the
      match, or after ten games if these are fewer.
    * A card *would have beaten most* if it beats four in five of the recorded bids. In the description's
      example a card is bid that beats all of them, while the next lower one beats three in four.
    * The goal for points is 9/13 of the points that are won or can still be won, so that 91 points give 63.
      Every prize is a winner once the goal is reached or out of reach.
    * A stake is a winner if it is at least the lowest winner, and otherwise a helper if it is at least the
      lowest helper.
    * If none of the three bids for a helper is held, the lowest card is bid.
    * The table is that of Rhoads (2011); the description copies the one of Rhoads & Bartholdi (2012).
    """
    hand, stake, need = view.hand, min(at_stake(view), view.n), points_needed(view)
    if view.rules.winning and not 0 < need <= sum(view.prizes) + view.position.pot:
        return hand[0]
    winners, helpers = tiers(view.prizes, need)
    wanted = stake >= winners[-1]
    if len(view.games) >= min(-(-view.length // 10), 10):
        card = foreseen_by_0205(view, record, wanted=wanted)
        if card is not None and (wanted or card <= stake + 3):
            return card
    elif not view.rounds:
        return by_table(view, stake, rng)
    cards = []
    if wanted:
        cards = [card for card in hand if card >= stake and hand[-1] >= view.opponent[-1]]
    elif helpers and stake >= helpers[-1]:
        cards = [card for card in hand if stake <= card <= stake + 2]
    return rng.choice(cards) if cards else hand[0]


def points_needed(view: View) -> int:
    """Return the points that the player still needs to reach the goal of 0205."""
    if view.rules.winning:
        return to_win(view)
    won, lost = points(view.rounds)
    total = won + lost + view.position.pot + sum(view.prizes)
    return max(-(-9 * total // 13) - won, 1)


def tiers(prizes: Hand, need: int) -> tuple[list[int], list[int]]:
    """Return the prizes left that are winners and those that are helpers (:func:`bid_0205`), highest first.

    The other prizes are tossers; `need` is the result of :func:`points_needed`.
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


def foreseen_by_0205(view: View, record: Record, *, wanted: bool) -> int | None:
    """Choose the card of strategy 0205 from the opponent's earlier bids for this stake.

    Args:
        view: the position and its history.
        record: the opponent's bids in earlier games.
        wanted: True if the stake is a winner.

    Returns:
        The opponent's most frequent bid if a tie is sought; else the lowest card that beats this bid, or
        that beats most of the recorded bids. None if the opponent holds none of the recorded cards, or if no
        card of the hand is high enough.
    """
    stake = min(at_stake(view), view.n)
    bids = Counter(over.reply for over in view.rounds if min(over.stake, view.n) == stake)
    for earlier, replies in record.items():
        if min(earlier, view.n) == stake:
            bids.update(replies)
    known = [(card, bids[card]) for card in view.opponent if bids[card]]
    if not known:
        return None
    total = sum(times for _, times in known)
    likely, times = max(known, key=lambda pair: pair[1])
    safe = view.hand[-1] > view.opponent[-1] and not wanted
    if safe and view.rules.carries and times >= TIE * total and likely in view.hand:
        return likely
    if times >= DOMINANT * total:
        return above(view.hand, likely)
    sums = zip(known, accumulate(times for _, times in known), strict=True)
    return above(view.hand, next(card for (card, _), upto in sums if upto >= SAFE * total))


def bid_0206(view: View, rng: Random) -> int:  # noqa: ARG001, nothing is left to chance
    """Bid one or two more than the stake, depending on the points won with the cards spent.

    *Point quality* is the points won in this game divided by the total of the cards spent. A stake below 5
    gets the lowest card. For points, a stake from 5 to 10 gets at most two more than the stake if the own
    quality is better than the opponent's, else at most one more. A higher stake gets the lowest card above
    the opponent's highest card, or, if there is none, at most one more than the upcard. For wins, a stake
    close to the goal gets two more than the stake, or the highest card; a stake with a pot gets the highest
    card if it beats the opponent's or the opponent is about to win, else a cautious bid.

    How it was read:

    * Stakes of 5 and of 10, which the description leaves out, belong to the middle.
    * *At most c* is the highest card held that is not above c, or the lowest card if all are above c.
    * *Close to the goal*: this stake would reach the goal (then the highest card, if it beats the
      opponent's), or twice this stake would (then two more). Otherwise the bid is at most one more than
      the stake.
    * *About to win*: with this stake the opponent would reach the goal. *Cautious*: at most the upcard.
    """
    hand, stake, (won, lost) = view.hand, at_stake(view), points(view.rounds)
    beats = hand[-1] > view.opponent[-1]
    if stake < 5:
        return hand[0]
    if view.rules.winning and view.position.pot:
        if beats or to_win(view) + won - lost <= stake:
            return hand[-1]
        return at_most(hand, stake - view.position.pot)
    if view.rules.winning:
        if to_win(view) <= stake and beats:
            return hand[-1]
        return at_most(hand, stake + (2 if to_win(view) <= 2 * stake else 1))
    if stake <= 10:
        spent = sum(over.bid for over in view.rounds)
        theirs = sum(over.reply for over in view.rounds)
        # Compares won / spent with lost / theirs without a division: before the first round all are 0.
        return at_most(hand, stake + (2 if won * theirs > lost * spent else 1))
    if beats:
        return above(hand, view.opponent[-1]) or hand[-1]
    return at_most(hand, stake - view.position.pot + 1)


def bid_0207(view: View, rng: Random) -> int:
    """Bid the upcard plus three, and change to three other ways of bidding while behind.

    The three highest upcards get 1, 2 and 3. Once more than half of the points are won, bids are random. A
    player who is behind after 40% of the rounds bids the upcard, or else one more, or else one less, or else
    a random card. A player who is still behind after 50% bids the highest card if it beats the opponent's,
    and the lowest card if not. A player who is still behind after 75% bids at random. The play is the same
    under all rules.

    How it was read:

    * The shares are of the rounds of one game, rounded up. The points are compared at those moments only.
    * A player who is not behind at such a moment keeps the present way of bidding to the end of the game.
    * If the upcard plus three is not held any more, a random card is bid.
    """
    hand, upcard = view.hand, at_stake(view) - view.position.pot
    setbacks = 0
    for share in (0.40, 0.50, 0.75):
        asked = ceil(share * view.n)
        if len(view.rounds) < asked:
            break
        won, lost = points(view.rounds[:asked])
        if won >= lost:
            break
        setbacks += 1
    wanted: list[int] = []
    if setbacks == 0 and to_win(view) > 0:
        wanted = [shifted(upcard, 3, view.n)]
    elif setbacks == 1:
        wanted = [upcard, upcard + 1, upcard - 1]
    elif setbacks == 2:
        return hand[-1] if hand[-1] > view.opponent[-1] else hand[0]
    held = [card for card in wanted if card in hand]
    return held[0] if held else rng.choice(hand)


def bid_0208(view: View, rng: Random, record: Record) -> int:
    """Choose a card by a utility for wins, and by averages of the opponent's bids for points.

    For wins each card v has the utility 1/(|v − p| + 1) for the stake p. A player who is behind revises the
    utility of the cards above p. A player who is ahead revises the utility of the cards below p. The revised
    utility is a factor divided by |v − p|. The factor is the product or a quotient of a and b: a is the
    difference of the points won by the players, b the difference of the mean cards of their hands. The mean
    utility of the other cards in the next round is added, under the assumption that the opponent wins this
    round and that the opponent's hand does not change. The card with the highest sum is bid.

    For points, the opponent's bids for each stake are averaged. The cards above the average are offered in
    ascending order, over and over, and each is bid with probability 1/2. If there are none the lowest card
    is bid. If ties are carried over, there are averages for stakes up to 25, and a higher stake gets the
    highest card.

    How it was read:

    * The bars in the utility are an absolute value to which 1 is added. The utility is then greatest if the
      card equals the stake, as the description says.
    * The factor is |a·b| for a player who is behind with the better hand, or ahead with the worse one; a/b
      if behind with the worse hand; b/a if ahead with the better hand. If a = 0 or b = 0 no utility is
      revised.
    * The mean over the next upcard is exact, where the description draws 10,000 samples. The difference b is
      assumed to be the same in the next round. The description reports an even result against matching and a
      good result against the random player. This reading gives such results. If b were computed from the
      hands that are left, the results would be far from these.
    * Of cards with equal sums the lowest is bid.
    * If no bid for a stake is on record, its average is the stake. The averages are over all rounds of the
      match so far. 25 is 2n − 1.
    """
    hand, stake = view.hand, at_stake(view)
    if view.rules.winning:
        return _by_utility(view) if len(hand) > 1 else hand[0]
    if stake > 2 * view.n - 1:
        return hand[-1]
    earlier = record.get(stake, {})
    replies = [over.reply for over in view.rounds if over.stake == stake]
    times = sum(earlier.values()) + len(replies)
    total = sum(card * count for card, count in earlier.items()) + sum(replies)
    average = total / times if times else stake
    cards = [card for card in hand if card > average]
    while cards:
        for card in cards:
            if rng.random() < 0.5:
                return card
    return hand[0]


def _by_utility(view: View) -> int:
    """Return the card with the greatest sum of its utility now and the mean utility of the others later."""
    hand, stake, (won, lost) = view.hand, at_stake(view), points(view.rounds)
    ahead, upcard = won - lost, stake - view.position.pot
    better = (sum(hand) - sum(view.opponent)) / len(hand)

    def utility(excess: int, ahead: int) -> float:
        """Return the utility of a card.

        Args:
            excess: the card less the stake.
            ahead: the player's points less the opponent's.
        """
        if excess * ahead >= 0 or better == 0:
            return 1 / (abs(excess) + 1)
        if (ahead < 0) == (better > 0):
            return abs(ahead * better) / abs(excess)
        factor = ahead / better if ahead < 0 else better / ahead
        return factor / abs(excess)

    # For each card of the hand: its utilities at all possible upcards of the next round, added up. The
    # opponent is assumed to win this stake.
    later = [
        sum(utility(card - prize, ahead - stake) for prize in view.prizes)
        - utility(card - upcard, ahead - stake)
        for card in hand
    ]
    others, total = (len(hand) - 1) ** 2, sum(later)
    # Each card's utility in this round, plus the mean over the other cards and the prizes to come.
    worth = [
        utility(card - stake, ahead) + (total - lost_with_it) / others
        for card, lost_with_it in zip(hand, later, strict=True)
    ]
    return hand[worth.index(max(worth))]


def bid_0209(view: View, rng: Random) -> int:
    """Bid at random twice, then beat an opponent who bids the upcard plus a constant.

    If both of the opponent's first two bids are the upcard plus the same m (1 follows the highest card), the
    upcard plus m + 1 is bid from then on, else the upcard. A card that was spent in the first two rounds is
    replaced by the card that should have been bid there. A check, which depends on the rules, comes first:

    * Points, ties discarded: if a prize brings the own points to at least 46, and the own highest card beats
      the opponent's, the highest card is bid.
    * Points, ties carried over: the same for a stake that is more than all prizes that come after it.
    * Wins: if at least half of the own cards beat the opponent's, compared in ascending order, the stake gets
      the card whose rank in the hand is the rank of the stake among the prizes left.

    How it was read:

    * The check is made in the first two rounds, too.
    * 46 is more than half of the points of the whole deck.
    * If the replacement of a spent card is spent as well, it is replaced in the same way. If the card
      wanted was spent by the check, the next higher card is bid, or the lowest if there is none.
    * A stake with a pot takes the upcard's place among the prizes left.
    """
    hand, opponent, stake = view.hand, view.opponent, at_stake(view)
    upcard = stake - view.position.pot
    if view.rules.winning:
        if 2 * sum(own > other for own, other in zip(hand, opponent, strict=True)) >= len(hand):
            return hand[sum(prize < stake for prize in view.prizes if prize != upcard)]
    elif hand[-1] > opponent[-1]:
        later, deck = sum(view.prizes) - upcard, view.n * (view.n + 1) // 2
        if stake > later if view.rules.carries else 2 * (stake + points(view.rounds)[0]) > deck:
            return hand[-1]
    watched = view.rounds[:2]
    if len(watched) < 2:
        return rng.choice(hand)
    first, second = ((over.reply - over.upcard) % view.n for over in watched)
    more = first + 1 if first == second else 0
    wanted = shifted(upcard, more, view.n)
    spent = {over.bid: over.upcard for over in watched}
    for _ in watched:
        if wanted not in hand and wanted in spent:
            wanted = shifted(spent[wanted], more, view.n)
    return at_least(hand, wanted)


HIGH = 13
"""Stakes above this are high for 0210. With 13 cards only a pot leads to them."""


def bid_0210(view: View, rng: Random) -> int:
    """Take easy advantages first, then beat the bid predicted for the opponent, or bid a decoy.

    The easy advantages:

    * The own highest card is higher than the opponent's: it is bid for a stake above 13, for a stake above
      half of all that is left, and for the highest prize left.
    * Neither highest card is higher: the highest card is bid for a prize above the opponent's highest.
    * The own highest card is lower: the lowest card is bid for the highest prize left.
    * Any other stake above 13: let both players bid their cards from the highest down. The highest card is
      bid if the player would win the stake so, and the lowest if the opponent would.
    * If the opponent is likely to throw its lowest card, a card just above that is bid.

    Otherwise most bids follow from the bid predicted for the opponent: two more than the upcard, or if the
    opponent does not hold that card, three or four more, or else the opponent's lowest card. The bid is the
    lowest card that beats the predicted one, if it is at most four more than the upcard. If it is more, and
    now and then at random, the lowest card is bid. The other bids are decoys: the upcard plus one (for wins
    plus three), or a random card from the upcard to two more.

    How it was read:

    * *Throw its lowest card*: the prize is above the opponent's highest card, and the own highest card
      beats that. This case is tried before the other easy advantages; after them it could never come up.
    * Each bid is drawn: 80% by prediction, 10% the first decoy, 10% the second. Wins have no second decoy:
      90% and 10%.
    * For an upcard of 12 or 13 the predicted bid is that card, or one more. For a lower upcard, one more
      than the upcard and the upcard itself are tried before the opponent's lowest card. For a stake above 13
      the predicted bid is the upcard plus three, at most the highest card.
    * The lowest card is bid at random with 10% for upcards above 7, and with 30% for upcards below 7.
    * For wins, the highest card is bid if it beats the opponent's and the stake brings the points that are
      missing. (The description states the opposite condition, by which the card would be bid at once.)
    * If the first decoy is not held, the next higher card is bid, or the lowest if there is none. If no card
      of the second decoy is held, the lowest is bid.
    """
    card = _easy(view)
    if card is not None:
        return card
    hand, stake = view.hand, at_stake(view)
    upcard, winning = stake - view.position.pot, view.rules.winning
    chance = rng.random()
    if chance < 0.1:
        return at_least(hand, shifted(upcard, 3 if winning else 1, view.n))
    if chance < 0.2 and not winning:
        cards = [held for held in hand if upcard <= held <= upcard + 2]
        return rng.choice(cards) if cards else hand[0]
    if winning and hand[-1] > view.opponent[-1] and to_win(view) <= stake:
        return hand[-1]
    if rng.random() < (0.1 if upcard > 7 else 0.3 if upcard < 7 else 0.0):
        return hand[0]
    if stake > HIGH:
        guess = min(upcard + 3, view.n)
    else:
        steps = (0, 1) if upcard > view.n - 2 else (2, 3, 4, 1, 0)
        held = (upcard + step for step in steps if upcard + step in view.opponent)
        guess = next(held, view.opponent[0])
    card = above(hand, guess)
    return card if card is not None and card <= upcard + 4 else hand[0]


def _easy(view: View) -> int | None:
    """Return the card that takes an easy advantage of 0210; None if there is no such advantage."""
    hand, opponent, stake = view.hand, view.opponent, at_stake(view)
    upcard, highest = stake - view.position.pot, max(view.prizes)
    if hand[-1] > opponent[-1]:
        if upcard > opponent[-1]:
            return above(hand, opponent[0])
        left = sum(view.prizes) + view.position.pot
        if stake > HIGH or 2 * stake > left or upcard == highest:
            return hand[-1]
    elif hand[-1] == opponent[-1]:
        if upcard > opponent[-1]:
            return hand[-1]
    elif upcard == highest:
        return hand[0]
    if stake > HIGH:
        # If both bid from the highest card down, the first round that is no tie decides who wins the stake.
        for own, other in zip(reversed(hand), reversed(opponent), strict=True):
            if own != other:
                return hand[-1] if own > other else hand[0]
    return None


STRATEGIES: dict[str, Callable[[], Policy]] = {
    "0201": partial(Strategy, "0201", bid_0201),
    "0202": partial(Strategy, "0202", bid_0202),
    "0203": partial(Strategy, "0203", bid_0203),
    "0204": partial(Strategy, "0204", bid_0204),
    "0205": partial(Strategy, "0205", bid_0205, learns=True),
    "0206": partial(Strategy, "0206", bid_0206),
    "0207": partial(Strategy, "0207", bid_0207),
    "0208": partial(Strategy, "0208", bid_0208, learns=True),
    "0209": partial(Strategy, "0209", bid_0209),
    "0210": partial(Strategy, "0210", bid_0210),
}
"""{number of the strategy: function that makes it}."""
