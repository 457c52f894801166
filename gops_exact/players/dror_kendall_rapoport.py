"""The ten strategies of a classroom tournament, rebuilt from their descriptions.

M. Dror, G. Kendall and A. Rapoport had students write programs for four variants of the game. They
printed the students' descriptions and 32 tables of results (*Elicitation of Strategies in Four
Variants of a Round-robin Tournament: the Case of Goofspiel*, supplementary file, appendices A and B), but
not the programs. Each function chooses the card of one strategy, numbered 0201 to 0210 as there. Its
docstring says what the description leaves open and how it was read.

Their *round* is a game here, and their *hand* or *bet* a round. By *maximising wins* most of the students
mean the games won. Numbers such as 46 points are for 13 cards; for other decks they are computed where the
description says how.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate
from math import ceil
from random import Random

from gops_exact.game.rules import Hand
from gops_exact.players.policy import Policy, Rounds, View, by_weight, points
from gops_exact.players.simple import above, at_least, at_most, published_weights, shifted

Record = Mapping[int, Mapping[int, int]]
"""The opponent's bids in earlier games of the match: {stake: {card: number of times it was bid}}."""


class Strategy(Policy):
    """A strategy of the tournament.

    Args:
        name: its number.
        choose: choose(view, rng) returns a card, given the view and a source of randomness. If the strategy
            learns, choose(view, rng, record) has the opponent's bids in earlier games, too.
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
        """Count the opponent's bids for each stake in earlier games; games counted before are not counted again."""
        known = len(self._games)
        if games[:known] != self._games:
            known, self._record = 0, {}
        for game in games[known:]:
            for over in game:
                self._record.setdefault(over.stake, Counter())[over.reply] += 1
        self._games = games
        return self._record


def bid_0201(view: View, rng: Random) -> int:
    """Compare the totals of both hands and of the prizes left; bid at random now and then.

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


def bid_0202(view: View, rng: Random) -> int:  # noqa: ARG001, nothing is left to chance
    """Bid the card as far up the hand as a score of daring from 0 to 1 says.

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
    mine, theirs, left = sum(view.hand), sum(view.opponent), sum(view.prizes)
    power = (mine / (mine + left) + theirs / (theirs + left) + theirs / (theirs + mine)) / 3
    share = min(1.0, view.stake / view.prizes[-1])
    weight = (2 + 4 * share) * (2 if view.pot else 1)
    daring = (weight * share + power) / (weight + 1)
    if view.rules.winning and view.to_win > 0:
        daring = min(1.0, 1.25 * daring)
    return view.hand[round(daring * (len(view.hand) - 1))]


def bid_0203(view: View, rng: Random, *, refined: bool = True) -> int:  # noqa: ARG001, as 0202
    """Watch three rounds, then beat the opponent's shift of the upcard by one.

    The first three bids are 1, 2 and 3. If the opponent's first three bids are all the upcard plus 0,
    plus 1 or plus 2, the next ones are foreseen (from 1 on again after the highest card) and beaten by
    one; otherwise the upcard is bid, the best reply to a random player. A card already spent is replaced
    by the next higher one. One refinement, unless it is left out: the highest prize left, with a highest
    card not below the opponent's, is bid for with that card. Earlier games are forgotten, and all rules
    are played alike.

    How it was read:

    * *Correlation* of the opponent's bids with a known strategy is agreement in all of the first three
      rounds. The description wants a sequence of three or four, and its reason for three speaks of the
      first three rounds only.
    * A bid that went round from the highest card to the lowest does not agree. The description's average
      points against matching, plus one and plus two fall off as they do with this reading only.
    * The reply to the highest card is the lowest.
    * The refinement counts from the first round on; if no higher card is left to replace a spent one, the
      lowest is bid.
    """
    hand, upcard, watched = view.hand, view.stake - view.pot, view.rounds[:3]
    if refined and upcard == max(view.prizes) and hand[-1] >= view.opponent[-1]:
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
    hand = view.hand
    if view.rules.winning and view.rounds:
        if hand[-1] > view.opponent[-1]:
            return hand[-1]
        return above(hand, sum(view.opponent) / len(view.opponent)) or hand[0]
    if view.stake > hand[-1] and view.pot:
        return hand[-1]
    return by_weight(published_weights(view.n, view.stake, hand), rng)


DOMINANT, SAFE, TIE = 0.5, 0.8, 0.7
"""Shares of the opponent's bids in 0205: one card to count on, those to beat, one to meet."""


def bid_0205(view: View, rng: Random, record: Record) -> int:
    """Sort the prizes into three tiers, remember the opponent's bids, and leave the rest to chance.

    *Winners* are the prizes of which the fewest that reach the goal can be made up, any of them;
    *helpers* those of which any two are worth the highest winner; *tossers* the rest. With some games of
    the match played, the opponent's earlier bids for an upcard, as far as it still holds those cards,
    say what it will bid: one card bid half of the time is beaten by one, otherwise a card is bid that
    would have beaten most of them. A bid more than three above a prize that is no winner is not made.
    If no card is chosen in this way, bids are random within bounds: for winners a card from the
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
    hand, stake, need = view.hand, min(view.stake, view.n), points_needed(view)
    if view.rules.winning and not 0 < need <= sum(view.prizes) + view.pot:
        return hand[0]
    winners, helpers = tiers(view.prizes, need)
    wanted = stake >= winners[-1]
    if len(view.games) >= min(-(-view.length // 10), 10):
        card = foreseen_by_0205(view, record, wanted=wanted)
        if card is not None and (wanted or card <= stake + 3):
            return card
    elif not view.rounds:
        return by_weight(published_weights(view.n, stake, hand), rng)
    cards = []
    if wanted:
        cards = [card for card in hand if card >= stake and hand[-1] >= view.opponent[-1]]
    elif helpers and stake >= helpers[-1]:
        cards = [card for card in hand if stake <= card <= stake + 2]
    return rng.choice(cards) if cards else hand[0]


def points_needed(view: View) -> int:
    """Return the points that are still needed for the goal of 0205."""
    if view.rules.winning:
        return view.to_win
    won, lost = view.points
    total = won + lost + view.pot + sum(view.prizes)
    return max(-(-9 * total // 13) - won, 1)


def tiers(prizes: Hand, need: int) -> tuple[list[int], list[int]]:
    """Return winners and helpers of 0205 among the prizes left, highest first; the others are tossers."""
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
        The opponent's most frequent bid where a tie is sought; else the lowest card that beats this bid, or
        most of the recorded bids. None if the opponent holds none of the recorded cards, or if no card of the
        hand is high enough.
    """
    stake = min(view.stake, view.n)
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
    """Bid the upcard plus one or two, by how well the cards spent have paid.

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
    hand, stake, (won, lost) = view.hand, view.stake, view.points
    beats = hand[-1] > view.opponent[-1]
    if stake < 5:
        return hand[0]
    if view.rules.winning and view.pot:
        if beats or view.to_win + won - lost <= stake:
            return hand[-1]
        return at_most(hand, stake - view.pot)
    if view.rules.winning:
        if view.to_win <= stake and beats:
            return hand[-1]
        return at_most(hand, stake + (2 if view.to_win <= 2 * stake else 1))
    if stake <= 10:
        spent = sum(over.bid for over in view.rounds)
        theirs = sum(over.reply for over in view.rounds)
        # Compares won / spent with lost / theirs without dividing: before the first round all are 0.
        return at_most(hand, stake + (2 if won * theirs > lost * spent else 1))
    if beats:
        return above(hand, view.opponent[-1]) or hand[-1]
    return at_most(hand, stake - view.pot + 1)


def bid_0207(view: View, rng: Random) -> int:
    """Bid the upcard plus three, and in three other ways when that does not go well.

    The three highest upcards get 1, 2 and 3. Once it has more than half of the points, its cards are
    random. If it is behind after 40% of the rounds it bids the upcard, or one more, or one less, or at
    random; if it is still behind after 50%, its highest card where that beats the opponent's and its
    lowest where not; if it is still behind after 75%, random cards. All rules are played alike.

    How it was read:

    * The shares are of the rounds of one game, rounded up, and it is asked at those moments only.
    * Who recovers keeps the way that did it, to the end of the game.
    * The upcard plus three that is not held any more is replaced by a random card.
    """
    hand, upcard = view.hand, view.stake - view.pot
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
    if setbacks == 0 and view.to_win > 0:
        wanted = [shifted(upcard, 3, view.n)]
    elif setbacks == 1:
        wanted = [upcard, upcard + 1, upcard - 1]
    elif setbacks == 2:
        return hand[-1] if hand[-1] > view.opponent[-1] else hand[0]
    held = [card for card in wanted if card in hand]
    return held[0] if held else rng.choice(hand)


def bid_0208(view: View, rng: Random, record: Record) -> int:
    """Weigh cards by a utility for wins, and by averages of the opponent's bids for points.

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
    hand, stake = view.hand, view.stake
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
    """Return the card with the greatest utility of 0208 in this round and the next."""
    hand, stake, (won, lost) = view.hand, view.stake, view.points
    ahead, upcard = won - lost, stake - view.pot
    better = (sum(hand) - sum(view.opponent)) / len(hand)

    def utility(excess: int, ahead: int) -> float:
        """Return the utility of a card by its excess over the stake."""
        if excess * ahead >= 0 or better == 0:
            return 1 / (abs(excess) + 1)
        if (ahead < 0) == (better > 0):
            return abs(ahead * better) / abs(excess)
        factor = ahead / better if ahead < 0 else better / ahead
        return factor / abs(excess)

    # Of each card in the next round, summed over its upcards. The opponent is supposed to win this stake.
    later = [
        sum(utility(card - prize, ahead - stake) for prize in view.prizes)
        - utility(card - upcard, ahead - stake)
        for card in hand
    ]
    others, total = (len(hand) - 1) ** 2, sum(later)
    # This round's utility, and the mean over the cards kept and the prizes to come.
    worth = [
        utility(card - stake, ahead) + (total - lost_with_it) / others
        for card, lost_with_it in zip(hand, later, strict=True)
    ]
    return hand[worth.index(max(worth))]


def bid_0209(view: View, rng: Random) -> int:
    """Bid at random twice, then one more than the opponent's shift of the upcard.

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
    hand, opponent, stake = view.hand, view.opponent, view.stake
    upcard = stake - view.pot
    if view.rules.winning:
        if 2 * sum(own > other for own, other in zip(hand, opponent, strict=True)) >= len(hand):
            return hand[sum(prize < stake for prize in view.prizes if prize != upcard)]
    elif hand[-1] > opponent[-1]:
        later, deck = sum(view.prizes) - upcard, view.n * (view.n + 1) // 2
        if stake > later if view.rules.carries else 2 * (stake + view.points[0]) > deck:
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
"""Stakes above this are high for 0210; only ties lead to them."""


def bid_0210(view: View, rng: Random) -> int:
    """Take easy advantages first, then guess the opponent's bid, with two decoys.

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
    card = _easy(view)
    if card is not None:
        return card
    hand, stake = view.hand, view.stake
    upcard, winning = stake - view.pot, view.rules.winning
    chance = rng.random()
    if chance < 0.1:
        return at_least(hand, shifted(upcard, 3 if winning else 1, view.n))
    if chance < 0.2 and not winning:
        cards = [held for held in hand if upcard <= held <= upcard + 2]
        return rng.choice(cards) if cards else hand[0]
    if winning and hand[-1] > view.opponent[-1] and view.to_win <= stake:
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
    """Return the highest or lowest card where that is an easy advantage of 0210, else None."""
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
        # If both bid from the top, the first round that is no tie decides who wins the stake.
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
"""{number: function that makes the strategy}."""
