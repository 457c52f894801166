"""The recursion over the states of a game in which one player or both are behavioural policies.

A *state* is the pair of hands, the prizes left, the margin, the pot and the rounds so far, of which
matters what the policies recall. No state is entered that the policies do not lead to. Two facts make
them fewer still:

* If both policies see only how the hands interleave, states are told apart by no more than that.
* A hand that nobody looks at, and of which every card is as likely, need not be known: its next
  bid is as likely to be any card of the deck. (So the random player's hand is left out where the
  other policy is blind to it and no tie leaves a trace; by linearity of the expectation, as bids of
  the two are independent.)
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from math import comb
from typing import Generic, NamedTuple, TypeVar

from flint import fmpq

from gops_exact.arguments import positive_integer
from gops_exact.game.cards import Hand, relabelled, without
from gops_exact.game.order_types import LONGEST
from gops_exact.game.position import Position
from gops_exact.game.rules import Draw, Prizes, Rules, State, Upcard, Winner, winner_of
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import Behavioural, Memoryless, Pure, checked_bids
from gops_exact.players.simple import Uniform
from gops_exact.players.view import Game, Round, View, mirrored
from gops_exact.progress import Descent, Progress, span

PAIRS_A_STATE = 100
"""The most pairs of bids that are looked at, for each of the states allowed: half an hour by default."""

PAIRS_SEEN = 500_000
"""Pairs of bids from which the length of the work is estimated, some seconds."""

PAIR_SECONDS = 6e-6
"""Core time of a pair of bids, measured on an AMD EPYC at n = 7 to 9."""

Bids = list[tuple[int, fmpq]]


Node = tuple[Hand | None, Hand | None, Prizes, State, Game]
"""A state: both hands (None for one that is not known), the prizes left, margin and pot, and the rounds
so far as player one saw them, which are left out where nobody recalls any."""


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
    end: Callable[[Prizes, State], int | fmpq | None]


Worth = TypeVar("Worth")


class Walk(ABC, Generic[Worth]):
    """The recursion from the end of the game backwards, each state computed once.

    Args:
        policies: the policies of player one and two; None for a player who is free to bid.
        n: cards a side.
        rules: the rules of the game.
        score: how results are counted.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.
        mixed: how many of the players have several bids at most states.

    Raises:
        ValueError: if there are more states than that, at once where the sets of prizes are more; or if
            it takes too long, as soon as that can be told.
    """

    def __init__(
        self,
        policies: tuple[Behavioural | None, Behavioural | None],
        n: int,
        rules: Rules,
        score: Score,
        states: int,
        progress: Progress | None,
        *,
        mixed: int,
    ) -> None:
        self.n = positive_integer(n, "n", LONGEST)
        self.rules = rules
        self.score = score
        self.states = positive_integer(states, "states")
        # The prizes that are gone take each set with no more than half the points, an end or not.
        if not rules.fixed and 2 ** (self.n - 1) > self.states:
            raise self._too_many()
        given = [policy for policy in policies if policy is not None]
        self.policies = policies
        self.ordinal = all(policy.ordinal for policy in given)
        self.recalling = not all(isinstance(policy, Memoryless) for policy in given)
        self.deck = tuple(range(1, self.n + 1))
        self.known: dict[Hashable, Worth] = {}
        self.pairs = 0
        self.descent = Descent(progress, mixed + (not rules.fixed), self.n)

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
        key = self.key(node)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.compute(node)
            if len(self.known) > self.states:
                raise self._too_many()
            self._check_length(self.descent.computed(self.n - len(node[2])))
        return found

    def key(self, node: Node) -> Hashable:
        """Return what the worth of a state depends on."""
        one, two, prizes, state, rounds = node
        if self.ordinal and one is not None and two is not None:
            one, two = relabelled(one, two)
        return self.told_apart((one, two, prizes, state, rounds))

    def told_apart(self, node: Node) -> Hashable:
        """Return a state with no more of its rounds than the policies recall."""
        if not self.recalling:
            return node
        rounds = node[4]
        seen = zip(self.policies, (rounds, mirrored(rounds)), strict=True)
        return *node[:4], *(policy.recalled(game) for policy, game in seen if policy is not None)

    def _check_length(self, share: float) -> None:
        """Refuse what is going to take too long, judged by the share that is done.

        Raises:
            ValueError: if it does, with an estimate.
        """
        most, expected = PAIRS_A_STATE * self.states, self.pairs / share
        if self.pairs > PAIRS_SEEN and expected > most:
            raise ValueError(
                f"a game of {self.n} cards between these policies must take at most "
                f"{span(most * PAIR_SECONDS)} to be measured unless forced (states), got about "
                f"{span(expected * PAIR_SECONDS)}"
            )

    def _too_many(self) -> ValueError:
        """Return the error that there are too many states."""
        return ValueError(
            f"a game of {self.n} cards between these policies must have at most "
            f"{self.states:,} states to be measured unless forced (states), got more"
        )

    def first(self, one: Hand | None, two: Hand | None) -> Node:
        """The state in which the game begins."""
        return one, two, self.rules.arranged(self.deck), self.rules.start(), ()

    def view(self, node: Node, side: int, upcard: Upcard) -> View:
        """The view of player one (side 0) or two (side 1); an unknown hand is shown empty."""
        one, two, prizes, state, rounds = node
        if side:
            one, two, state = two, one, state.swapped()
        position = Position.trusted(one or (), two or (), prizes, upcard, self.rules, *state)
        return View(self.n, position, mirrored(rounds) if side else rounds)

    def turns(self, node: Node) -> list[tuple[Upcard, list[Stake]]]:
        """The upcards that may be seen before the bids, each with the prizes the bids may be for."""
        _, _, prizes, state, _ = node
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
        """Return the winner of a round and the state that the round leaves."""
        winner = winner_of(bid, reply)
        one, two, _, state, rounds = node
        if self.recalling:
            rounds = (*rounds, Round(draw.upcard, draw.upcard + state.pot, bid, reply))
        return winner, (
            None if one is None else without(one, bid),
            None if two is None else without(two, reply),
            draw.rest,
            self.rules.after(state, draw.upcard, winner),
            rounds,
        )


class Expected(Walk[tuple[fmpq, fmpq]]):
    """The expected scores of two policies."""

    def __init__(
        self,
        policies: tuple[Behavioural | str, Behavioural | str],
        n: int,
        rules: Rules,
        score: Score,
        states: int,
        progress: Progress | None = None,
    ) -> None:
        one, two = (behavioural(policy, n, rules) for policy in policies)
        self.both = one, two
        # A margin or a pot tells something of the cards that were bid.
        self.unseen = [
            rules.plain and isinstance(own, Uniform) and other.blind
            for own, other in ((one, two), (two, one))
        ]
        pure = [isinstance(policy, Pure) for policy in self.both]
        super().__init__(
            *(self.both, n, rules, score, states, progress),
            mixed=2 - sum(map(max, pure, self.unseen)),
        )

    def start(self) -> tuple[fmpq, fmpq]:
        """Both expected scores of the whole game."""
        return self.value(self.first(*(None if unseen else self.deck for unseen in self.unseen)))

    def compute(self, node: Node) -> tuple[fmpq, fmpq]:
        """Both expected scores from a state on."""
        _, _, prizes, state, _ = node
        end = self.score.end(prizes, state)
        if end is not None:
            return fmpq(end), fmpq(self.score.end(prizes, state.swapped()) or 0)
        one = two = fmpq(0)
        for upcard, stakes in self.turns(node):
            bids, replies = (self.bids(node, side, upcard) for side in (0, 1))
            self.pairs += len(bids) * len(replies) * len(stakes)
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
        return checked_bids(self.both[side], self.view(node, side, upcard))


class Response(Walk[fmpq]):
    """The most that player one can score against a policy."""

    def __init__(
        self,
        policy: Behavioural | str,
        n: int,
        rules: Rules,
        score: Score,
        states: int,
        progress: Progress | None = None,
    ) -> None:
        self.policy = behavioural(policy, n, rules)
        mixed = 2 - isinstance(self.policy, Pure)
        super().__init__((None, self.policy), n, rules, score, states, progress, mixed=mixed)

        # Any cards of a hand that is free to bid may be left with any prizes.
        sides = 1 if rules.fixed else 2
        least = sum(comb(n, size) ** sides for size in range(n + 1))
        if not (self.ordinal or rules.winning) and least > states:
            raise self._too_many()

    def start(self) -> fmpq:
        """The best score of the whole game."""
        return self.value(self.first(self.deck, self.deck))

    def compute(self, node: Node) -> fmpq:
        """The best score from a state on."""
        end = self.score.end(node[2], node[3])
        if end is not None:
            return fmpq(end)
        total = fmpq(0)
        for upcard, stakes in self.turns(node):
            replies = checked_bids(self.policy, self.view(node, 1, upcard))
            self.pairs += len(node[0] or ()) * len(replies) * len(stakes)
            total += max(self.gain(node, bid, replies, stakes) for bid in node[0] or ())
        return total

    def best(self, node: Node, replies: Bids, stakes: list[Stake]) -> int:
        """The lowest of the cards that gain most."""
        return max(node[0] or (), key=lambda card: self.gain(node, card, replies, stakes))

    def gain(self, node: Node, bid: int, replies: Bids, stakes: list[Stake]) -> fmpq:
        """The expectation of a bid, times the probability that it is asked for."""
        total = fmpq(0)
        for chance, draw, gains in stakes:
            for reply, q in replies:
                winner, left = self.after(node, bid, reply, draw)
                total += chance * q * (gains[winner] + self.value(left))
        return total
