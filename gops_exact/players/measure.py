"""Worth of memoryless policies, exactly: dynamic programming over the true states.

A *state* is the pair of hands, the prizes left, the margin and the pot. Played by two memoryless
policies the game is a random walk through states, and the expected result follows from the end
backwards. With one side free to choose its bids the same recursion takes a maximum: that is the
best response, and its gain is the policy's *exploitability*, since a game that both begin alike
is worth nothing.

Results are counted by a *score*: by the rules of the game, or by any payoff of the final margin, so
that a policy made for one objective can be measured by another.

No state is entered that the policies do not lead to. Two facts make them fewer still:

* If both policies see only how the hands interleave, hands are relabelled after every round.
* A hand that nobody looks at, and of which every card is as likely, need not be known: its next
  bid is as likely to be any card of the deck. (So the random player's hand is left out where the
  other policy is blind to it and no tie leaves a trace; by linearity of the expectation, as bids of
  the two are independent.)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb
from typing import Generic, NamedTuple, TypeVar

from flint import fmpq

from gops_exact.game.cards import Hand, positive_integer, relabelled, without
from gops_exact.game.position import Position
from gops_exact.game.rules import (
    PLAIN,
    Draw,
    Prizes,
    Rules,
    State,
    Upcard,
    Winner,
    as_rules,
    winner_of,
)
from gops_exact.numbers.shown import short_repr
from gops_exact.players.policy import Memoryless, Pure, as_memoryless, checked_bids
from gops_exact.players.simple import Uniform
from gops_exact.players.view import View

STATES = 3_000_000
"""The most states that are kept, a gigabyte or two; a game that needs more is refused."""

SMALL, ARRAYS = 7, 13
"""A best response to a policy whose hand follows from the prizes left is found in arrays from eight
cards on, where the recursion takes long, to thirteen; see :mod:`~gops_exact.players.reply_kernel`."""

Payoff = Callable[[int], int]
"""The worth of a final margin to player one."""

Bids = list[tuple[int, fmpq]]


Node = tuple[Hand | None, Hand | None, Prizes, State]
"""A state: both hands (None for one that is not known), the prizes left, margin and pot."""


class Stake(NamedTuple):
    """A prize that bids may be for.

    Attributes:
        chance: the probability that it comes.
        draw: the prize, and those that remain.
        gains: the points of the round as the score counts them: if neither wins it, if the player
            does, if the opponent does.
    """

    chance: fmpq
    draw: Draw
    gains: tuple[int, int, int]


class Score(NamedTuple):
    """How one player's result is counted.

    Attributes:
        gain: counts a round at once, given the points at stake and whether the player won it (1),
            lost it (−1) or neither (0).
        end: counts what is left of the game, given the prizes left and the state as the player sees
            it; None if rounds to come matter.
    """

    gain: Callable[[int, Winner], int]
    end: Callable[[Prizes, State], int | None]


@dataclass(frozen=True, repr=False)
class Expectation:
    """The expected results of a game between two policies.

    Attributes:
        one: player one's expected points; where winning is what counts, the probability to win.
        two: player two's expected points, or probability to win.
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


@dataclass(frozen=True, repr=False)
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
    """Compute the expected result of the game of n cards a side between two memoryless policies.

    Args:
        one: player one.
        two: player two.
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        states: the most states to look at.

    Raises:
        BidError: if a policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy is not memoryless, or there are more states than that.

    >>> from gops_exact.players.simple import UpcardPlus
    >>> result = expected(UpcardPlus(0), UpcardPlus(1), 7)
    >>> print(result.one, result.two)
    7 21
    >>> print(expected(UpcardPlus(0), Uniform(), 7).difference)
    8
    """
    rules = PLAIN if rules is None else as_rules(rules)
    walk = _Expected((one, two), n, rules, _share(rules), states)
    return Expectation(*walk.start(), len(walk.known))


def best_response(
    policy: Memoryless, n: int, rules: Rules | None = None, *, states: int = STATES
) -> BestResponse:
    """Compute the best response to a memoryless policy in the game of n cards a side.

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
    if SMALL < n <= ARRAYS and rules == PLAIN and isinstance(policy, Pure) and policy.blind:
        # Compiled kernels: numba is loaded only here.
        from gops_exact.players.reply_kernel import best_reply, hands_by_prizes

        bids = hands_by_prizes(policy, n)
        if bids is not None:
            return BestResponse(fmpq(*best_reply(bids, n)), comb(2 * n, n))
    walk = _Response(policy, n, rules, _difference(rules), states)
    return BestResponse(walk.start(), len(walk.known))


def expected_payoff(
    one: Memoryless, two: Memoryless, n: int, payoff: Payoff, rules: Rules = PLAIN
) -> fmpq:
    """Compute the expected payoff of the final margin between two policies.

    Args:
        one: player one; it is shown the margin, as in a game for winning.
        two: player two, shown the margin as well.
        n: cards a side.
        payoff: of the final margin.
        rules: ties and prizes.

    >>> from gops_exact.players.optimal import ForWin
    >>> print(expected_payoff(ForWin(4), ForWin(4), 4, draw))
    1006948471/1315748700
    """
    return _Expected(
        (one, two), n, replace(rules, objective="win"), _final(payoff), STATES
    ).start()[0]


def guaranteed(policy: Memoryless, n: int, payoff: Payoff, rules: Rules = PLAIN) -> fmpq:
    """Compute the expected payoff that a policy has against the worst of all opponents.

    Args:
        policy: player one; it is shown the margin, as in a game for winning.
        n: cards a side.
        payoff: of the final margin.
        rules: ties and prizes.

    >>> from gops_exact.players.optimal import ForPoints, ForWin
    >>> guaranteed(ForPoints(4), 4, points), guaranteed(ForWin(4), 4, win)
    (0, 0)
    """
    loss = _final(lambda margin: -payoff(-margin))
    return -_Response(policy, n, replace(rules, objective="win"), loss, STATES).start()


def points(margin: int) -> int:
    """The payoff of a game for points: the margin itself."""
    return margin


def win(margin: int) -> int:
    """The payoff of a game for winning: 1 for a win, −1 for a loss, 0 for a draw."""
    return (margin > 0) - (margin < 0)


def draw(margin: int) -> int:
    """1 for a draw, so that the expectation is its probability."""
    return int(margin == 0)


def _share(rules: Rules) -> Score:
    """Points won, or 1 for a win."""
    if not rules.winning:
        return Score(lambda stake, winner: stake if winner > 0 else 0, rules.decided)

    def won(prizes: Prizes, state: State) -> int | None:
        decided = rules.decided(prizes, state)
        return None if decided is None else int(decided > 0)

    return Score(_nothing, won)


def _difference(rules: Rules) -> Score:
    """Points won less points lost, or a win less a loss."""
    return Score(_nothing if rules.winning else lambda stake, winner: winner * stake, rules.decided)


def _final(payoff: Payoff) -> Score:
    """A payoff of the final margin."""
    return Score(_nothing, lambda prizes, state: None if prizes else payoff(state.margin))


def _nothing(_stake: int, _winner: Winner) -> int:
    return 0


Worth = TypeVar("Worth")


class _Walk(ABC, Generic[Worth]):
    """The recursion from the end of the game backwards, each state computed once."""

    def __init__(self, n: int, rules: Rules, score: Score, states: int, *, ordinal: bool) -> None:
        self.n = positive_integer(n, "n")
        self.rules = rules
        self.score = score
        self.states = states
        self.ordinal = ordinal
        self.deck = tuple(range(1, self.n + 1))
        self.known: dict[Node, Worth] = {}

    @abstractmethod
    def start(self) -> Worth:
        """The worth of the whole game."""

    @abstractmethod
    def compute(self, node: Node) -> Worth:
        """The worth of a state, from those that it leads to."""

    def value(self, node: Node) -> Worth:
        """The worth of a state.

        Raises:
            ValueError: if too many states are known.
        """
        found = self.known.get(node)
        if found is None:
            found = self.known[node] = self.compute(node)
            if len(self.known) > self.states:
                raise ValueError(
                    f"a game of {self.n} cards between these policies must have at most "
                    f"{self.states:,} states to be measured, got more"
                )
        return found

    def first(self, one: Hand | None, two: Hand | None) -> Node:
        """The state in which the game begins."""
        return one, two, self.rules.arranged(self.deck), self.rules.start()

    def view(self, node: Node, side: int, upcard: Upcard) -> View:
        """The view of player one (side 0) or two (side 1); an unknown hand is shown empty."""
        _, _, prizes, state = node
        margin, pot = (-state.margin, state.pot) if side else state
        hand, opponent = node[side] or (), node[1 - side] or ()
        return View(
            self.n, Position.trusted(hand, opponent, prizes, upcard, self.rules, margin, pot)
        )

    def turns(self, node: Node) -> list[tuple[Upcard, list[Stake]]]:
        """The upcards that may be seen before the bids, each with the prizes the bids may be for."""
        _, _, prizes, state = node
        draws = self.rules.draws(prizes)
        total = sum(each.times for each in draws)
        stakes = []
        for each in draws:
            points, gain = each.upcard + state.pot, self.score.gain
            gains = gain(points, 0), gain(points, 1), gain(points, -1)
            stakes.append(Stake(fmpq(each.times, total), each, gains))
        if self.rules.hidden:
            return [(None, stakes)]
        return [(stake.draw.upcard, [stake]) for stake in stakes]

    def after(self, node: Node, bid: int, reply: int, draw: Draw) -> tuple[Winner, Node]:
        """Who takes the prize, and the state that the round leaves."""
        winner = winner_of(bid, reply)
        one = None if node[0] is None else without(node[0], bid)
        two = None if node[1] is None else without(node[1], reply)
        if self.ordinal and one is not None and two is not None:
            one, two = relabelled(one, two)
        return winner, (one, two, draw.rest, self.rules.after(node[3], draw.upcard, winner))


class _Expected(_Walk[tuple[fmpq, fmpq]]):
    """The expected scores of two policies."""

    def __init__(
        self,
        policies: tuple[Memoryless, Memoryless],
        n: int,
        rules: Rules,
        score: Score,
        states: int,
    ) -> None:
        one, two = map(as_memoryless, policies)
        super().__init__(n, rules, score, states, ordinal=one.ordinal and two.ordinal)
        self.policies = policies
        # A margin or a pot tells something of the cards that were bid.
        self.unseen = [
            self.rules.plain and isinstance(own, Uniform) and other.blind
            for own, other in (policies, policies[::-1])
        ]

    def start(self) -> tuple[fmpq, fmpq]:
        return self.value(self.first(*(None if unseen else self.deck for unseen in self.unseen)))

    def compute(self, node: Node) -> tuple[fmpq, fmpq]:
        _, _, prizes, state = node
        end = self.score.end(prizes, state)
        if end is not None:
            return fmpq(end), fmpq(self.score.end(prizes, state.swapped()) or 0)
        one = two = fmpq(0)
        for upcard, stakes in self.turns(node):
            bids, replies = (self.bids(node, side, upcard) for side in (0, 1))
            for bid, p in bids:
                for reply, q in replies:
                    for chance, draw, gains in stakes:
                        winner, left = self.after(node, bid, reply, draw)
                        later_one, later_two = self.value(left)
                        weight = p * q * chance
                        one += weight * (later_one + gains[winner])
                        two += weight * (later_two + gains[-winner])
        return one, two

    def bids(self, node: Node, side: int, upcard: Upcard) -> Bids:
        """One side's bids, with their probabilities."""
        if self.unseen[side]:
            return [(card, fmpq(1, self.n)) for card in self.deck]
        return checked_bids(self.policies[side], self.view(node, side, upcard))


class _Response(_Walk[fmpq]):
    """The most that player one can score against a policy."""

    def __init__(self, policy: Memoryless, n: int, rules: Rules, score: Score, states: int) -> None:
        super().__init__(n, rules, score, states, ordinal=as_memoryless(policy).ordinal)
        self.policy = policy

    def start(self) -> fmpq:
        return self.value(self.first(self.deck, self.deck))

    def compute(self, node: Node) -> fmpq:
        end = self.score.end(node[2], node[3])
        if end is not None:
            return fmpq(end)
        total = fmpq(0)
        for upcard, stakes in self.turns(node):
            replies = checked_bids(self.policy, self.view(node, 1, upcard))
            total += max(self.gain(node, bid, replies, stakes) for bid in node[0] or ())
        return total

    def gain(self, node: Node, bid: int, replies: Bids, stakes: list[Stake]) -> fmpq:
        """The expectation of a bid, times the probability that it is asked for."""
        total = fmpq(0)
        for chance, draw, gains in stakes:
            for reply, q in replies:
                winner, left = self.after(node, bid, reply, draw)
                total += chance * q * (gains[winner] + self.value(left))
        return total
