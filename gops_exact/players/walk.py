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
from collections.abc import Hashable
from math import comb
from typing import Generic, NamedTuple, TypeVar

from flint import fmpq

from gops_exact.arguments import function, positive_integer
from gops_exact.game.game import Game, Position, as_game
from gops_exact.game.order_types import LONGEST, relabelled
from gops_exact.game.rules import Draw, Hand, Prizes, State, Upcard, Winner, winner_of, without
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import Behavioural, Memoryless, Pure, checked_bids
from gops_exact.players.simple import Uniform
from gops_exact.players.view import Round, Rounds, View, mirrored
from gops_exact.progress import Descent, Progress, span

STATES = 3_000_000
"""The most states that are kept, a gigabyte or two; a game that needs more is refused."""

PAIRS_A_STATE = 100
"""The most pairs of bids that are looked at, for each of the states allowed: half an hour by default."""

PAIRS_SEEN = 500_000
"""Pairs of bids from which the length of the work is estimated, some seconds."""

PAIR_SECONDS = 6e-6
"""Core time of a pair of bids, measured on an AMD EPYC at n = 7 to 9."""

Bids = list[tuple[int, fmpq]]


class Node(NamedTuple):
    """A state of the game."""

    one: Hand | None  # None for a hand that is not known
    two: Hand | None
    prizes: Prizes  # those left
    state: State  # margin and pot
    rounds: Rounds = ()  # as player one saw them; left out where nobody recalls any


class Stake(NamedTuple):
    """A prize that bids may be for."""

    chance: fmpq  # that it comes
    draw: Draw  # the prize, and those that remain
    gains: tuple[int, int, int]  # player one's points after a tie, a round won and a round lost


Worth = TypeVar("Worth")


class Walk(ABC, Generic[Worth]):
    """The recursion from the end of the game backwards, each state computed once.

    Args:
        policies: the policies of player one and two; None for a player who is free to bid.
        game: the game.
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
        game: Game,
        states: int,
        progress: Progress | None,
        *,
        mixed: int,
    ) -> None:
        function(progress, "progress")
        self.game = game
        self.states = positive_integer(states, "states")
        # The prizes that are gone take each set with no more than half the points, an end or not.
        if not game.rules.fixed and 2 ** (game.n - 1) > self.states:
            raise self._too_many()
        given = [policy for policy in policies if policy is not None]
        self.policies = policies
        self.ordinal = all(policy.ordinal for policy in given)
        self.recalling = not all(isinstance(policy, Memoryless) for policy in given)
        self.known: dict[Hashable, Worth] = {}
        self.pairs = 0
        self.descent = Descent(progress, mixed + (not game.rules.fixed), game.n)

    @abstractmethod
    def start(self) -> Worth:
        """Return the worth of the whole game."""

    @abstractmethod
    def compute(self, node: Node) -> Worth:
        """Return the worth of a state, from those that it leads to."""

    def value(self, node: Node) -> Worth:
        """Return the worth of a state.

        Raises:
            ValueError: if too many states are known.
        """
        key = self.key(node)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.compute(node)
            if len(self.known) > self.states:
                raise self._too_many()
            self._check_length(self.descent.computed(self.game.n - len(node.prizes)))
        return found

    def key(self, node: Node) -> Hashable:
        """Return what the worth of a state depends on."""
        one, two, prizes, state, rounds = node
        if self.ordinal and one is not None and two is not None:
            one, two = relabelled(one, two)
        return self.told_apart(Node(one, two, prizes, state, rounds))

    def told_apart(self, node: Node) -> Hashable:
        """Return a state with no more of its rounds than the policies recall."""
        if not self.recalling:
            return node
        seen = zip(self.policies, (node.rounds, mirrored(node.rounds)), strict=True)
        return *node[:4], *(
            policy.recalled(rounds) for policy, rounds in seen if policy is not None
        )

    def _check_length(self, share: float) -> None:
        """Refuse what is going to take too long, judged by the share that is done.

        Raises:
            ValueError: if it does, with an estimate.
        """
        most, expected = PAIRS_A_STATE * self.states, self.pairs / share
        if self.pairs > PAIRS_SEEN and expected > most:
            raise ValueError(
                f"a game of {self.game.n} cards between these policies must take at most "
                f"{span(most * PAIR_SECONDS)} to be measured unless forced (states), got about "
                f"{span(expected * PAIR_SECONDS)}"
            )

    def _too_many(self) -> ValueError:
        return ValueError(
            f"a game of {self.game.n} cards between these policies must have at most "
            f"{self.states:,} states to be measured unless forced (states), got more"
        )

    def first(self, one: Hand | None, two: Hand | None) -> Node:
        """Return the state in which the game begins."""
        return Node(one, two, self.game.prizes, State())

    def view(self, node: Node, side: int, upcard: Upcard) -> View:
        """Return the view of player one (side 0) or two (side 1); an unknown hand is shown empty."""
        one, two, prizes, state, rounds = node
        if side:
            one, two, state, rounds = two, one, state.swapped(), mirrored(rounds)
        position = Position.trusted(one or (), two or (), prizes, upcard, self.game.rules, *state)
        return View(self.game.n, position, rounds)

    def turns(self, node: Node) -> list[tuple[Upcard, list[Stake]]]:
        """Return the upcards that may be seen before the bids, each with the prizes they may be for."""
        rules, state = self.game.rules, node.state
        draws = rules.draws(node.prizes)
        total = sum(draw.times for draw in draws)
        stakes = []
        for draw in draws:
            tied, won, lost = (rules.gain(state, draw.upcard, winner) for winner in (0, 1, -1))
            stakes.append(Stake(fmpq(draw.times, total), draw, (tied, won, lost)))
        if rules.hidden:
            return [(None, stakes)]
        return [(stake.draw.upcard, [stake]) for stake in stakes]

    def after(self, node: Node, bid: int, reply: int, draw: Draw) -> tuple[Winner, Node]:
        """Return the winner of a round and the state that the round leaves."""
        winner = winner_of(bid, reply)
        one, two, _, state, rounds = node
        if self.recalling:
            rounds = (*rounds, Round(draw.upcard, draw.upcard + state.pot, bid, reply))
        return winner, Node(
            None if one is None else without(one, bid),
            None if two is None else without(two, reply),
            draw.rest,
            self.game.rules.after(state, draw.upcard, winner),
            rounds,
        )


class Expected(Walk[tuple[fmpq, fmpq]]):
    """The points, or the probabilities to win, that two policies expect."""

    def __init__(
        self,
        one: Behavioural | str,
        two: Behavioural | str,
        game: Game,
        states: int,
        progress: Progress | None = None,
    ) -> None:
        game = as_game(game, LONGEST)
        both = behavioural(one, game), behavioural(two, game)
        self.both = both
        # A margin or a pot tells something of the cards that were bid.
        self.unseen = [
            game.rules.plain and isinstance(own, Uniform) and other.blind
            for own, other in (both, both[::-1])
        ]
        single = [isinstance(policy, Pure) for policy in both]
        mixed = 2 - sum(map(max, single, self.unseen))
        super().__init__(both, game, states, progress, mixed=mixed)

    def start(self) -> tuple[fmpq, fmpq]:
        """Return what both expect of the whole game."""
        return self.value(
            self.first(*(None if unseen else self.game.deck for unseen in self.unseen))
        )

    def compute(self, node: Node) -> tuple[fmpq, fmpq]:
        """Return what both expect from a state on."""
        end = self.game.rules.decided(node.prizes, node.state)
        if end is not None:
            return fmpq(max(end, 0)), fmpq(max(-end, 0))
        one = two = fmpq(0)
        for upcard, stakes in self.turns(node):
            bids, replies = (self.bids(node, side, upcard) for side in (0, 1))
            self.pairs += len(bids) * len(replies) * len(stakes)
            for bid, p in bids:
                for reply, q in replies:
                    for chance, draw, gains in stakes:
                        winner, left = self.after(node, bid, reply, draw)
                        later_one, later_two = self.value(left)
                        weight, gain = p * q * chance, gains[winner]
                        one += weight * (later_one + max(gain, 0))
                        two += weight * (later_two + max(-gain, 0))
        return one, two

    def bids(self, node: Node, side: int, upcard: Upcard) -> Bids:
        """Return one side's bids, with their probabilities."""
        if self.unseen[side]:
            return [(card, fmpq(1, self.game.n)) for card in self.game.deck]
        return checked_bids(self.both[side], self.view(node, side, upcard))


class Response(Walk[fmpq]):
    """The most that player one can expect against a policy: points, or wins less losses."""

    def __init__(
        self,
        policy: Behavioural | str,
        game: Game,
        states: int,
        progress: Progress | None = None,
    ) -> None:
        game = as_game(game, LONGEST)
        self.policy = behavioural(policy, game)
        mixed = 2 - isinstance(self.policy, Pure)
        super().__init__((None, self.policy), game, states, progress, mixed=mixed)

        # Any cards of a hand that is free to bid may be left with any prizes.
        sides = 1 if game.rules.fixed else 2
        least = sum(comb(game.n, size) ** sides for size in range(game.n + 1))
        if not (self.ordinal or game.rules.winning) and least > self.states:
            raise self._too_many()

    def start(self) -> fmpq:
        """Return the most to be expected of the whole game."""
        return self.value(self.first(self.game.deck, self.game.deck))

    def compute(self, node: Node) -> fmpq:
        """Return the most to be expected from a state on."""
        end = self.game.rules.decided(node.prizes, node.state)
        if end is not None:
            return fmpq(end)
        total = fmpq(0)
        for upcard, stakes in self.turns(node):
            replies = checked_bids(self.policy, self.view(node, 1, upcard))
            self.pairs += len(node.one or ()) * len(replies) * len(stakes)
            total += max(self.gain(node, bid, replies, stakes) for bid in node.one or ())
        return total

    def best(self, node: Node, replies: Bids, stakes: list[Stake]) -> int:
        """Return the lowest of the cards that gain most."""
        return max(node.one or (), key=lambda card: self.gain(node, card, replies, stakes))

    def gain(self, node: Node, bid: int, replies: Bids, stakes: list[Stake]) -> fmpq:
        """Return the expectation of a bid, times the probability that it is asked for."""
        total = fmpq(0)
        for chance, draw, gains in stakes:
            for reply, q in replies:
                winner, left = self.after(node, bid, reply, draw)
                total += chance * q * (gains[winner] + self.value(left))
        return total
