"""Exact expected results of policies, against each other and against the best response.

Words used here:

* A *policy* is a rule that chooses a card in each round of the game. A *behavioural* policy gives the probability of
  each card.
* The *best response* to a policy is an opponent's policy with the greatest expected result against it.
* A *position* has both hands, the prizes left, the prize turned up if there is one, and the points of earlier rounds
  that still count.
* A *state* is the pair of hands, the prizes left, the margin, the pot, and the part of the earlier rounds that the
  policies recall, that is, on which their bids depend.
* The *margin* is player one's points minus player two's; it is always 0 if the objective is points.
* The *pot* is the sum of the prizes carried over from ties.
* The *upcard* is the prize turned up in a round.

Expectations are computed backwards from the end of the game. For a best response, the same recursion takes the maximum
over the bids. Only states that the policies can reach are computed. Two facts reduce their number:

* The bids of both policies may depend on the hands only by how their cards interleave, that is, by the order of all
  cards of the two hands. Then states that differ only in cards, but not in this order, count as one state.
* One policy may be the random player. Its hand is not part of the state if the other policy ignores this hand and the
  rules need neither a margin nor a pot. The expected points of a round then depend only on the probabilities of the two
  bids. Before the game begins, the random player's bid in any round is each of the n cards with probability 1/n.

Some policies, such as ``matching`` and ``upcard+1``, use no randomness and ignore the opponent. In a game with the
default rules, the prizes left then determine the policy's hand. For a best response to such a policy, a state is a hand
of the opponent and a set of as many prizes. If all prizes differ, there are C(2n, n) states, and they fit into arrays.
In these arrays the value of a state with k cards a side is multiplied by k!, which makes it an integer.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations
from math import comb, factorial
from operator import itemgetter

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base.arguments import function, integer
from gops_exact.base.progress import Progress, descent
from gops_exact.game.game import Game, Position, as_game
from gops_exact.game.order_types import LONGEST, relabelled
from gops_exact.game.rules import (
    LEVEL,
    PLAIN,
    Draw,
    Hand,
    Prizes,
    Rules,
    State,
    Upcard,
    winner_of,
    without,
)
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.table import Listing, Shown, Table
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import (
    Behavioural,
    Memoryless,
    Pure,
    Round,
    Rounds,
    View,
    checked_bids,
    made_for,
    mirrored,
)
from gops_exact.players.simple import Uniform

STATES = 3_000_000
"""The greatest number of states that a run stores by default. They take 1 to 2 GB. A game with more states is refused."""

PAIRS_A_STATE = 100
"""The greatest number of pairs of bids that a run may evaluate, divided by the greatest number of states that it may
store. A run that needs more pairs is refused. With the default :data:`STATES`, a run thus takes at most half an hour."""

PAIRS_SEEN = 500_000
"""The number of pairs of bids that are evaluated before their number in the whole run is estimated. So many pairs take
a few seconds."""

SMALL, ARRAYS = 7, 13
"""The best response to a policy without randomness that does not look at the opponent is computed in arrays, if the
game has the default rules, more than SMALL and at most ARRAYS cards a side. With at most SMALL cards recursion is fast
enough. With ARRAYS cards the arrays take 90 MB."""

Bids = list[tuple[int, fmpq]]
"""The cards that a player may bid, with their probabilities: [(card, probability)]."""

Stakes = list[tuple[fmpq, Draw]]
"""The prizes for which the players may be bidding after an upcard: [(probability, draw)]. A :class:`.Draw` has the
prize and the prizes left after it. The sum of the probabilities is the probability of the upcard."""

Replies = list[tuple[int, Draw, fmpq]]
"""The pairs of player two's bid and a prize that are possible after an upcard: [(bid, draw, probability)]. A
:class:`.Draw` has the prize and the prizes left after it. The sum of the probabilities is the probability of the upcard."""

TreeNode = tuple[Hand | None, Hand | None, Prizes, State, Rounds]
"""A state: (player one's hand, player two's hand, prizes left, margin and pot, earlier rounds as player one saw them).
A hand is None if it is no part of the state (the second fact above); there are no rounds if no policy recalls them."""


class StateValues:
    """The expected results of both players from each state to the end of a game, computed when asked for, and stored.

    Args:
        one: player one's policy; None for a best response to player two's policy.
        two: player two's policy.
        game: the game, or the number of its cards a side.
        states: the greatest number of states to store.
        progress: called as progress(done, total), both numbers estimated; None for no report.

    Raises:
        ValueError: if the game is sure to have more than `states` states. :meth:`value` and :meth:`plays` raise this
            error, too, if more than `states` states are stored, or if the run is estimated to take too long.
    """

    def __init__(
        self,
        one: Behavioural | None,
        two: Behavioural,
        game: Game | int,
        states: int = STATES,
        progress: Progress | None = None,
    ) -> None:
        game = self.game = as_game(game, LONGEST)
        self.policies = one, two
        function(progress, "progress")
        self.states = integer(states, "states", 1)
        n, rules = game.n, game.rules
        policies = [policy for policy in (one, two) if policy is not None]
        self.ordinal = all(policy.ordinal for policy in policies)
        self.recalling = not all(isinstance(policy, Memoryless) for policy in policies)
        # For each player, True if the hand is no part of the state, because the player bids at random and the opponent
        # is a policy that ignores the hand. All hands of the player are then equally likely, so each of the n cards is
        # bid with probability 1/n in every round. This does not hold if the state has a margin or a pot, because the
        # points won so far make some cards likelier to be left than others.
        self.unseen = [
            not (rules.winning or rules.carries)
            and isinstance(own, Uniform)
            and isinstance(other, Memoryless)
            and other.blind
            for own, other in ((one, two), (two, one))
        ]
        self.even = [(card, fmpq(1, n)) for card in game.hand]
        # True if fewer than 2ⁿ sets of prizes can be left, because their order is fixed or some prizes are equal.
        few = rules.fixed or len({*game.deck}) < n
        # A lower bound of the number of states; 1 if there are few sets of prizes. Otherwise, for each set of prizes
        # with at most half of the points, there is a state in which these prizes are gone. The game goes on in this
        # state, since nobody can be ahead by more than the points that are left. If the prizes are split into two sets,
        # at least one of the two has at most half of the points. So at least 2ⁿ⁻¹ of the 2ⁿ sets have at most half.
        least = 1 if few else 2 ** (n - 1)
        if one is None and not (self.ordinal or rules.winning):
            # A greater lower bound. A best response may bid any card in any round. So any set of player one's cards can
            # be left together with any set of equally many prizes, and each pair of such sets is at least one state. If
            # there are few sets of prizes, only one of each size is counted.
            least = sum(comb(n, size) ** (1 if few else 2) for size in range(n + 1))
        if least > self.states:
            raise self._too_many("states", self.states)
        self.stage_games = cache(partial(stage_games, rules))
        self.gain, self.left = cache(rules.gain), cache(rules.after)
        own, other = (None if unseen else game.hand for unseen in self.unseen)
        self.start: TreeNode = own, other, game.prizes, LEVEL, ()
        self.known: dict[Hashable, tuple[fmpq, fmpq]] = {}
        self.pairs = 0
        mixed = sum(
            not (isinstance(policy, Pure) or unseen)
            for policy, unseen in zip((one, two), self.unseen, strict=True)
        )
        self.computed = descent(progress, mixed + (not rules.fixed), n)

    def value(self, node: TreeNode) -> tuple[fmpq, fmpq]:
        """Return the expected result from a state to the end of the game.

        Args:
            node: the state, before a prize is turned up.

        Returns:
            (player one's result less player two's, the sum of both results). The results are expected points; if the
            objective is to win, they are probabilities to win.
        """
        one, two, prizes, state, rounds = node
        alike = node
        # If the policies' bids depend on the hands only by how the cards interleave, hands that interleave in the same
        # way give one state. This state is stored with the cards renumbered 1, 2, ….
        if self.ordinal and one is not None and two is not None:
            alike = (*relabelled(one, two), prizes, state, rounds)
        key = self.state_key(alike)
        known = self.known.get(key)
        if known is not None:
            return known
        end = self.game.rules.decided(prizes, state)
        ahead, both = fmpq(end or 0), fmpq(abs(end or 0))
        for upcard, stakes in self.stage_games(prizes) if end is None else ():
            for _, p, gain, won in self.plays(node, upcard, self.replies(node, upcard, stakes)):
                ahead += p * gain
                both += p * won
        self.known[key] = ahead, both
        if len(self.known) > self.states:
            raise self._too_many("states", self.states)
        # The number of pairs of bids that the whole run will evaluate is estimated: it is the number of pairs
        # evaluated so far, divided by the share of the work that is done. A run that needs too many is refused.
        share = self.computed(self.game.n - len(prizes))
        most, needed = PAIRS_A_STATE * self.states, self.pairs / share
        if self.pairs > PAIRS_SEEN and needed > most:
            raise self._too_many("pairs of bids", most, f"about {needed:,.0f}")
        return ahead, both

    def replies(self, node: TreeNode, upcard: Upcard, stakes: Stakes) -> Replies:
        """List the possible pairs of player two's bid and the prize in a round, with their probabilities.

        Args:
            node: the state before the round.
            upcard: the prize turned up; None if prizes are hidden.
            stakes: the prizes for which the players may be bidding, with the probability that each of them comes next.
        """
        bids = self.bids(node, 1, upcard)
        return [(reply, draw, chance * q) for reply, q in bids for chance, draw in stakes]

    def plays(
        self, node: TreeNode, upcard: Upcard, replies: Replies
    ) -> list[tuple[int, fmpq, fmpq, fmpq]]:
        """List player one's possible bids in a round, with their probabilities and expected results.

        Args:
            node: the state before the round.
            upcard: the prize turned up; None if prizes are hidden.
            replies: the possible pairs of player two's bid and the prize, from :meth:`replies`.

        Returns:
            [(bid, probability of the bid, difference, sum)]. `difference` is player one's result from this round on
            minus player two's, and `sum` is the sum of both results. Both numbers are expectations given the bid,
            multiplied by the probability of the upcard. If player one plays a best response, the list has a single bid,
            with 1 in place of its probability: the lowest of the bids with the greatest difference.
        """
        plays = []
        for bid, p in self.bids(node, 0, upcard):
            ahead = both = fmpq(0)
            for reply, draw, chance in replies:
                gain, left = self.after(node, bid, reply, draw)
                later_ahead, later_both = self.value(left)
                ahead += chance * (later_ahead + gain)
                both += chance * (later_both + abs(gain))
            plays.append((bid, p, ahead, both))
        self.pairs += len(plays) * len(replies)
        return [max(plays, key=itemgetter(2))] if self.policies[0] is None else plays

    def bids(self, node: TreeNode, side: int, upcard: Upcard) -> Bids:
        """Return the possible bids of player one (side 0) or of player two (side 1).

        If the player plays a best response, these are all cards of the hand, each with 1 in place of the probability.
        """
        policy = self.policies[side]
        if policy is None:
            return [(card, fmpq(1)) for card in node[0] or ()]
        if self.unseen[side]:
            return self.even
        return checked_bids(policy, self.view(node, side, upcard))

    def view(self, node: TreeNode, side: int, upcard: Upcard) -> View:
        """Return a state as one of the players sees it. A hand that is not part of the state is empty in the view.

        Args:
            node: the state.
            side: 0 for player one, 1 for player two.
            upcard: the prize turned up; None if prizes are hidden, or if none is turned up yet.
        """
        one, two, prizes, state, rounds = node
        if side:
            one, two, state, rounds = two, one, state.swapped(), mirrored(rounds)
        position = Position.trusted(one or (), two or (), prizes, upcard, self.game.rules, *state)
        return View(self.game.n, position, rounds, deck=self.game.own_deck)

    def after(self, node: TreeNode, bid: int, reply: int, draw: Draw) -> tuple[int, TreeNode]:
        """Return player one's gain in a round, negative if player two wins the prize, and the state after the round.

        Args:
            node: the state before the round.
            bid: player one's card.
            reply: player two's card.
            draw: the prize, and the prizes left after it.
        """
        one, two, _, state, rounds = node
        if self.recalling:
            rounds = (*rounds, Round(draw.upcard, draw.upcard + state.pot, bid, reply))
        winner = winner_of(bid, reply)
        gain, state = self.gain(state, draw.upcard, winner), self.left(state, draw.upcard, winner)
        one = None if one is None else without(one, bid)
        two = None if two is None else without(two, reply)
        return gain, (one, two, draw.rest, state, rounds)

    def state_key(self, node: TreeNode) -> Hashable:
        """Return the key by which the results of a state are stored.

        The key is the state, but the earlier rounds are replaced by the part of them that each policy recalls
        (:meth:`.Behavioural.recalled`).
        """
        if not self.recalling:
            return node
        *position, rounds = node
        seen = zip(self.policies, (rounds, mirrored(rounds)), strict=True)
        return *position, *(policy.recalled(own) for policy, own in seen if policy is not None)

    def _too_many(self, what: str, most: int, count: str = "more") -> ValueError:
        return ValueError(
            f"a game of {self.game.n} cards between these policies must have at most "
            f"{most:,} {what} to be measured unless forced (states), got {count}"
        )


def stage_games(rules: Rules, prizes: Prizes) -> list[tuple[Upcard, Stakes]]:
    """List the possible upcards of the next round, each with the prizes for which the players may be bidding.

    If prizes are turned up, the only prize at an upcard is the upcard itself. If prizes are hidden, the only upcard is
    None, and the players may be bidding for any prize that can come next.

    Args:
        rules: the rules of the game.
        prizes: the prizes left, in the order of :meth:`.Rules.arranged`; at least one.
    """
    draws = rules.draws(prizes)
    total = sum(draw.times for draw in draws)
    stakes = [(fmpq(draw.times, total), draw) for draw in draws]
    if rules.hidden:
        return [(None, stakes)]
    return [(draw.upcard, [(chance, draw)]) for chance, draw in stakes]


@dataclass(frozen=True)
class Expectation(Shown):
    """The result of :func:`expected`: the expected results of a game between two policies."""

    one: BigRational  # player one's expected points, or the probability to win if that is the objective
    two: BigRational  # player two's expected points, or the probability to win
    states: int  # the number of states computed

    @property
    def difference(self) -> BigRational:
        """Player one's expected result less player two's."""
        return self.one - self.two

    def table(self) -> Table:
        """Return a table with three rows: player one's result, player two's, and their difference."""
        numbers = {"one": self.one, "two": self.two, "difference": self.difference}
        rows = [((name,), [number]) for name, number in numbers.items()]
        return Listing(
            f"Expected results, {self.states:,} states", ("player",), rows, left=("player",)
        )


def expected(
    one: Behavioural | str,
    two: Behavioural | str,
    game: Game | int,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> Expectation:
    """Compute the expected results of both players in a game between two policies.

    Args:
        one: player one, a policy or the name of one.
        two: player two, a policy or the name of one.
        game: the game, or the number of its cards a side.
        states: the greatest number of states to compute. A state is a pair of hands with the prizes left, the margin,
            the pot, and the part of the earlier rounds that the policies recall.
        progress: called as progress(done, total), both numbers estimated; None for no report.

    Returns:
        The expected results of both players, exactly.

    Raises:
        BidError: if the bids of a policy are not probabilities, or not of cards in its hand.
        ValueError: if a policy is not behavioural, or there is no policy of a name; or if the game has more states than
            `states`, or is estimated to take more than 100 · `states` pairs of bids.

    >>> result = expected("matching", "upcard+1", Game(7))
    >>> print(result.one, result.two)
    7 21
    >>> print(expected("matching", "random", Game(7)).difference)
    8
    """
    walk = StateValues(behavioural(one, game), behavioural(two, game), game, states, progress)
    ahead, both = walk.value(walk.start)
    return Expectation(
        BigRational((both + ahead) / 2), BigRational((both - ahead) / 2), len(walk.known)
    )


@dataclass(frozen=True)
class BestResponse(Shown):
    """The result of :func:`best_response`: the greatest gain that an opponent can expect against a policy.

    The object does not have the bids of the best response: :class:`gops_exact.players.BestReply` plays them, and
    :func:`gops_exact.players.losses` lists them for the positions that come up, have two cards a side or more, and are
    not decided.
    """

    # The expected gain in points; if the objective is to win, the probability of a win less that of a loss.
    gain: BigRational
    states: int  # the number of states computed

    def table(self) -> Table:
        """Return a table with the gain as its only row."""
        return Listing(f"Best response, {self.states:,} states", ("",), [(("gain",), [self.gain])])


def best_response(
    policy: Behavioural | str,
    game: Game | int,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> BestResponse:
    """Compute the gain of the best response to a policy: the most that an opponent who knows the policy can expect.

    Args:
        policy: the policy, or its name.
        game: the game, or the number of its cards a side.
        states: the greatest number of states to compute. A state is a pair of hands with the prizes left, the margin,
            the pot, and the part of the earlier rounds that the policy recalls. The limit does not apply to games by
            the default rules with 8 to 13 cards a side if the policy uses no randomness, ignores the opponent, and
            always has the same hand when the same prizes are left. An example is the policy ``"matching"``.
        progress: called as progress(done, total), both numbers estimated; None for no report.

    Returns:
        The gain of the best response, exactly.

    Raises:
        BidError: if the bids of the policy are not probabilities, or not of cards in its hand.
        ValueError: if the policy is not behavioural, or there is no policy of this name; or if the game has more states
            than `states`, or is estimated to take more than 100 · `states` pairs of bids.

    >>> print(best_response("matching", Game(4)).gain, best_response("optimal", Game(4)).gain)
    2 0
    """
    game = as_game(game, LONGEST)
    n = game.n
    function(progress, "progress")
    policy = behavioural(policy, game)
    fits = SMALL < n <= ARRAYS and sum(game.deck) * factorial(n) < 1 << 63
    if fits and game.rules == PLAIN and isinstance(policy, Pure) and policy.blind:
        gain = gain_in_arrays(policy, game, progress)
        if gain is not None:
            return BestResponse(BigRational(gain), comb(2 * n, n))
    walk = StateValues(None, policy, game, states, progress)
    ahead, _ = walk.value(walk.start)
    return BestResponse(BigRational(ahead), len(walk.known))


def gain_in_arrays(policy: Pure, game: Game, progress: Progress | None = None) -> fmpq | None:
    """Compute the gain of the best response to a policy that ignores the opponent, in a game with the default rules.

    Args:
        policy: the policy; its attribute ``blind`` is True, so it ignores the opponent's cards and bids.
        game: a game with the default rules and n cards a side, where n is at most :data:`ARRAYS`, and n! times the sum
            of all prizes is below 2⁶³.
        progress: called as progress(done, total), both numbers estimated; None for no report.

    Returns:
        The gain in points; None if the policy can hold different hands with the same prizes left.
    """
    n = game.n
    # tables[k] has two arrays for the opponent's hands of k cards. The first, shape (n + 1, k, hands), has for each bid of
    # the policy and each card of a hand 1 if the card wins, −1 if it loses and 0 in a tie. The second, shape (k, hands),
    # has the index of the hand that is left after the card, among the hands of k − 1 cards. `index` has the index of a
    # hand by its bit mask.
    tables, index = [], np.zeros(1 << n, np.int64)
    for k in range(n + 1):
        hands = np.array(list(combinations(game.hand, k)), np.int64).T.copy()
        sets = (1 << (hands - 1)).sum(axis=0)
        winners = np.sign(hands - np.arange(n + 1)[:, None, None])
        tables.append((winners, index[sets ^ (1 << (hands - 1))]))
        index[sets] = np.arange(len(sets))
    computed = descent(progress, 1, n)
    # {prizes left: (the policy's hand, values)}. The values are for each hand of the opponent, times k! for k cards a
    # side. In each of the k rounds a value is a mean over the prizes left, so the factor makes it an integer.
    known: dict[Prizes, tuple[Hand, NDArray[np.int64]]] = {(): ((), np.zeros(1, np.int64))}

    def values(held: Hand, prizes: Prizes) -> NDArray[np.int64] | None:
        # The values are those before a round. They are None if the policy can hold another hand than `held` with the same
        # prizes left.
        if prizes not in known:
            winners, left = tables[len(prizes)]
            total = np.zeros(left.shape[1], np.int64)
            for upcard in prizes:
                position = Position.trusted(held, (), prizes, upcard, PLAIN, 0, 0)
                ((card, _),) = checked_bids(policy, View(n, position, deck=game.own_deck))
                later = values(without(held, card), without(prizes, upcard))
                if later is None:
                    return None
                gains = winners[card] * (upcard * factorial(len(prizes) - 1))
                total += (later[left] + gains).max(axis=0)
            known[prizes] = held, total
            computed(n - len(prizes))
        # Nothing is stored for different hands, so the prizes left must determine the hand. They do not if it also
        # depends on the order in which the earlier prizes came.
        hand, total = known[prizes]
        return total if hand == held else None

    gain = values(game.hand, game.prizes)
    return None if gain is None else fmpq(int(gain[0]), factorial(n))


class BestReply(Behavioural):
    """A policy that plays a best response to a known policy. Of equally good cards it bids the lowest.

    Each position is solved when a bid is asked for. From the start of the game, the expected gain against the known
    policy is the ``gain`` that :func:`gops_exact.players.best_response` computes.

    Args:
        policy: the known policy, or its name.
        game: the game, or the number of its cards a side.
        states: the greatest number of states to compute, all of which are stored. A state is a pair of hands with the
            prizes left, the margin, the pot, and the part of the earlier rounds that the known policy recalls.

    Raises:
        ValueError: if the policy is not behavioural, if there is no policy of this name, or if the game certainly has
            more states than `states`. The method :meth:`bids` raises this error as soon as it would have to store more
            than `states` states, or if the bid is estimated to take too long.

    >>> from gops_exact.players import best_response, expected
    >>> game = Game(5)
    >>> reply = BestReply("random", game)
    >>> print(reply, expected(reply, "random", game).difference, best_response("random", game).gain)
    <policy best reply to random> 4 4
    """

    def __init__(
        self, policy: Behavioural | str, game: Game | int, *, states: int = STATES
    ) -> None:
        self.known = behavioural(policy, game)
        self.walk = StateValues(None, self.known, game, states)
        self.name = f"best reply to {self.known.name}"
        self.ordinal = self.known.ordinal

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return {best card: 1}.

        Raises:
            ValueError: if the view is of another game than the policy's, if there are too many states, or if the bid is
                estimated to take too long.
        """
        walk, position, game = self.walk, view.position, self.walk.game
        if (view.n, view.rules, view.deck) != (game.n, game.rules, game.own_deck):
            raise made_for(self.name, game, view)
        upcard, rounds = position.at(view.upcard).upcard, view.rounds if walk.recalling else ()
        node = view.hand, view.opponent, view.prizes, position.state, rounds
        stakes = dict(walk.stage_games(view.prizes))[upcard]
        ((card, p, _, _),) = walk.plays(node, upcard, walk.replies(node, upcard, stakes))
        return {card: p}

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return the part of the earlier rounds on which the known policy's bids depend."""
        return self.known.recalled(mirrored(rounds))
