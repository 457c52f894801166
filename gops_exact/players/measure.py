"""What memoryless policies are worth, exactly: dynamic programming over the true states.

A *state* is the pair of hands, the prizes left, and what the rules add. Played by two memoryless
policies the game is a random walk through states, and the expected result follows from the end
backwards. With one side free to choose its bids the same recursion takes a maximum: that is the
best response, and what it gains is the policy's *exploitability*, since a game that both begin alike
is worth nothing.

No state is entered that the policies do not lead to. Two facts make them fewer still:

* If both policies see only how the hands interleave, hands are relabelled after every round.
* A hand that nobody looks at, and of which every card is as likely, need not be known: its next
  bid is as likely to be any card of the deck. (So the random player's hand is left out where the
  other policy is blind to it and no tie leaves a trace; by linearity of the expectation, as bids of
  the two are independent.)
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

from flint import fmpq

from gops_exact.game.cards import Hand, positive_integer, without
from gops_exact.game.rules import PLAIN, Draw, Prizes, Rules, State, Winner, as_rules, winner_of
from gops_exact.numbers.shown import short_repr
from gops_exact.players.analysis import relabelled
from gops_exact.players.policy import Memoryless, Pure, as_memoryless, checked_bids
from gops_exact.players.simple import Uniform
from gops_exact.players.view import View

STATES = 3_000_000
"""The most states that are kept, a gigabyte or two; a game that needs more is refused."""

SMALL, ARRAYS = 7, 13
"""A best response to a policy whose hand follows from the prizes left is found in arrays from eight
cards on, where the recursion takes long, to thirteen; see :mod:`~gops_exact.players.reply_kernel`."""

Bids = list[tuple[int, fmpq]]
Node = tuple[Hand | None, Hand | None, Prizes, State]
"""A state: both hands (None for one that is not known), the prizes left, margin and pot."""


@dataclass(frozen=True)
class Expectation:
    """What two policies can expect of a game between them.

    Attributes:
        one: player one's expected points; where winning is what counts, the probability to win.
        two: the same for player two.
        states: how many states were looked at.
    """

    one: fmpq
    two: fmpq
    states: int

    __repr__ = short_repr

    @property
    def difference(self) -> fmpq:
        """Player one's less player two's: the value of the game between them."""
        return self.one - self.two


@dataclass(frozen=True)
class BestResponse:
    """The most that anybody can expect against a policy.

    Attributes:
        gain: in points; where winning is what counts, the probability to win less that to lose.
        states: how many states were looked at.
    """

    gain: fmpq
    states: int

    __repr__ = short_repr


def expected(
    one: Memoryless, two: Memoryless, n: int, rules: Rules | None = None, *, states: int = STATES
) -> Expectation:
    """The expected result of the game of n cards a side between two memoryless policies.

    Args:
        one: player one.
        two: player two.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        states: the most states to look at.

    Raises:
        BidError: if a policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy is not memoryless, or there are more states than that.

    >>> from gops_exact.players.simple import Uniform, UpcardPlus
    >>> result = expected(UpcardPlus(0), UpcardPlus(1), 7)
    >>> print(result.one, result.two)
    7 21
    >>> print(expected(UpcardPlus(0), Uniform(), 7).difference)
    8
    """
    return _Expected((one, two), n, rules, states).run()


def best_response(
    policy: Memoryless, n: int, rules: Rules | None = None, *, states: int = STATES
) -> BestResponse:
    """The best response to a memoryless policy in the game of n cards a side.

    Args:
        policy: the policy that is known.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        states: the most states to look at.

    Raises:
        BidError: if the policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy is not memoryless, or there are more states than that.

    >>> from gops_exact.players.optimal import Optimal
    >>> from gops_exact.players.simple import UpcardPlus
    >>> print(best_response(UpcardPlus(0), 4).gain, best_response(Optimal(4), 4).gain)
    2 0
    """
    rules = PLAIN if rules is None else as_rules(rules)
    if SMALL < n <= ARRAYS and rules == Rules() and isinstance(policy, Pure) and policy.blind:
        from gops_exact.players.reply_kernel import best_reply, hands_by_prizes

        bids = hands_by_prizes(policy, n)
        if bids is not None:
            return BestResponse(fmpq(*best_reply(bids, n)), comb(2 * n, n))
    return _Response(policy, n, rules, states).run()


class _Walk:
    """What the two recursions share: views, draws, and where a round leads."""

    def __init__(self, n: int, rules: Rules | None, states: int, *, ordinal: bool) -> None:
        self.n = positive_integer(n, "n")
        self.rules = PLAIN if rules is None else as_rules(rules)
        self.states = states
        self.ordinal = ordinal
        self.deck = tuple(range(1, self.n + 1))

    def view(self, node: Node, side: int, upcard: int | None) -> View:
        """What a player sees; an unknown hand is shown empty."""
        prizes, state = node[2], node[3] if side == 0 else node[3].swapped()
        hand, opponent = node[side] or (), node[1 - side] or ()
        return View(self.n, hand, opponent, prizes, upcard, self.rules, state.margin, state.pot)

    def turns(self, prizes: Prizes) -> list[tuple[int | None, list[tuple[fmpq, Draw]]]]:
        """What may be seen before the bids, each with what may then come, by probability."""
        draws = self.rules.draws(prizes)
        total = sum(draw.times for draw in draws)
        chances = [(fmpq(draw.times, total), draw) for draw in draws]
        if self.rules.hidden:
            return [(None, chances)]
        return [(draw.upcard, [(chance, draw)]) for chance, draw in chances]

    def after(self, node: Node, bid: int, reply: int, draw: Draw) -> tuple[Winner, Node]:
        """Who takes the prize, and the state that the round leaves."""
        winner = winner_of(bid, reply)
        one = None if node[0] is None else without(node[0], bid)
        two = None if node[1] is None else without(node[1], reply)
        if self.ordinal and one is not None and two is not None:
            one, two = relabelled(one, two)
        return winner, (one, two, draw.rest, self.rules.after(node[3], draw.upcard, winner))

    def check(self, known: int) -> None:
        """Refuse to go on beyond the limit."""
        if known > self.states:
            raise ValueError(
                f"a game of {self.n} cards between these policies must have at most "
                f"{self.states:,} states to be measured, got more"
            )


class _Expected(_Walk):
    def __init__(
        self, policies: tuple[Memoryless, Memoryless], n: int, rules: Rules | None, states: int
    ) -> None:
        one, two = map(as_memoryless, policies)
        super().__init__(n, rules, states, ordinal=one.ordinal and two.ordinal)
        self.policies = policies
        # A margin or a pot tells something of the cards that were bid.
        self.unseen = [
            self.rules.plain and isinstance(own, Uniform) and other.blind
            for own, other in (policies, policies[::-1])
        ]
        self.known: dict[Node, tuple[fmpq, fmpq]] = {}

    def run(self) -> Expectation:
        hands = [None if unseen else self.deck for unseen in self.unseen]
        start = hands[0], hands[1], self.rules.arranged(self.deck), self.rules.start()
        one, two = self.value(start)
        return Expectation(one, two, len(self.known))

    def value(self, node: Node) -> tuple[fmpq, fmpq]:
        """What both can expect from a state on."""
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self.compute(node)
            self.check(len(self.known))
        return found

    def compute(self, node: Node) -> tuple[fmpq, fmpq]:
        prizes, state = node[2], node[3]
        decided = self.rules.decided(prizes, state)
        if decided is not None:
            return fmpq(int(decided > 0)), fmpq(int(decided < 0))
        one = two = fmpq(0)
        for upcard, chances in self.turns(prizes):
            bids, replies = (self.bids(node, side, upcard) for side in (0, 1))
            for bid, p in bids:
                for reply, q in replies:
                    for chance, draw in chances:
                        winner, left = self.after(node, bid, reply, draw)
                        gain = self.rules.gain(state, draw.upcard, winner)
                        later_one, later_two = self.value(left)
                        weight = p * q * chance
                        one += weight * (later_one + max(gain, 0))
                        two += weight * (later_two + max(-gain, 0))
        return one, two

    def bids(self, node: Node, side: int, upcard: int | None) -> Bids:
        if self.unseen[side]:
            return [(card, fmpq(1, self.n)) for card in self.deck]
        return checked_bids(self.policies[side], self.view(node, side, upcard))


class _Response(_Walk):
    """Player one is free, player two is the policy."""

    def __init__(self, policy: Memoryless, n: int, rules: Rules | None, states: int) -> None:
        super().__init__(n, rules, states, ordinal=as_memoryless(policy).ordinal)
        self.policy = policy
        self.known: dict[Node, fmpq] = {}

    def run(self) -> BestResponse:
        start = self.deck, self.deck, self.rules.arranged(self.deck), self.rules.start()
        return BestResponse(self.value(start), len(self.known))

    def value(self, node: Node) -> fmpq:
        """The most player one can expect from a state on."""
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self.compute(node)
            self.check(len(self.known))
        return found

    def compute(self, node: Node) -> fmpq:
        decided = self.rules.decided(node[2], node[3])
        if decided is not None:
            return fmpq(decided)
        total = fmpq(0)
        for upcard, chances in self.turns(node[2]):
            replies = checked_bids(self.policy, self.view(node, 1, upcard))
            gains = (self.gain(node, bid, replies, chances) for bid in node[0] or ())
            total += max(gains)
        return total

    def gain(
        self, node: Node, bid: int, replies: Bids, chances: Iterable[tuple[fmpq, Draw]]
    ) -> fmpq:
        """What a bid can expect, times the probability that it is asked for."""
        total = fmpq(0)
        for chance, draw in chances:
            for reply, q in replies:
                winner, left = self.after(node, bid, reply, draw)
                gain = self.rules.gain(node[3], draw.upcard, winner)
                total += chance * q * (gain + self.value(left))
        return total
