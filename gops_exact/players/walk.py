"""The recursion over the states of a game between a policy and another, or a player who is free to bid.

A *state* is the pair of hands, the prizes left, the margin, the pot and the rounds so far, of which
matters what the policies recall. No state is entered that the policies do not lead to. Two facts make
them fewer still:

* If both policies see only how the hands interleave, states are told apart by no more than that.
* The hand of the random player is not tracked if the other policy ignores it and ties leave no pot: its
  next bid is then uniform over the deck. (Expectations are linear, and the bids of the two are
  independent.)
"""

from collections.abc import Hashable
from functools import cache, partial
from math import comb

from flint import fmpq

from gops_exact.arguments import function, positive_integer
from gops_exact.game.game import Game, Position, as_game
from gops_exact.game.order_types import LONGEST, relabelled
from gops_exact.game.rules import (
    LEVEL,
    Draw,
    Hand,
    Prizes,
    Rules,
    State,
    Upcard,
    winner_of,
    without,
)
from gops_exact.players.policy import (
    Behavioural,
    Memoryless,
    Pure,
    Round,
    Rounds,
    View,
    checked_bids,
    mirrored,
)
from gops_exact.players.simple import Uniform
from gops_exact.progress import Progress, descent, span

STATES = 3_000_000
"""The most states that are kept, a gigabyte or two; a game that needs more is refused."""

PAIRS_A_STATE = 100
"""The most pairs of bids that are looked at, for each of the states allowed: half an hour by default."""

PAIRS_SEEN = 500_000
"""Pairs of bids from which the length of the work is estimated, some seconds."""

PAIR_SECONDS = 6e-6
"""Core time of a pair of bids, measured on an AMD EPYC at n = 7 to 9."""

Bids = list[tuple[int, fmpq]]
"""Cards with their probabilities."""

Stakes = list[tuple[fmpq, Draw]]
"""Prizes that bids may be for, each with the probability that it comes."""

Met = list[tuple[int, Draw, fmpq]]
"""Replies and prizes that a bid may meet, each pair with its probability."""

Node = tuple[Hand | None, Hand | None, Prizes, State, Rounds]
"""A state: both hands (None for one that is not known), the prizes left, margin and pot, and the rounds so
far as player one saw them, which are left out where nobody recalls any."""


class Walk:
    """The expectations of both players at the states of a game, from its end backwards.

    Player one is free to bid where it has no policy, and takes the card that gains most. More states than
    given, and what takes too long, is refused with a ValueError as soon as that can be told.
    """

    def __init__(
        self,
        one: Behavioural | None,
        two: Behavioural,
        game: Game,
        states: int = STATES,
        progress: Progress | None = None,
    ) -> None:
        self.game = as_game(game, LONGEST)
        self.policies = one, two
        function(progress, "progress")
        self.states = positive_integer(states, "states")
        n, rules = game.n, game.rules
        self.free = one is None
        given = [policy for policy in (one, two) if policy is not None]
        self.ordinal = all(policy.ordinal for policy in given)
        self.recalling = not all(isinstance(policy, Memoryless) for policy in given)
        # A margin or a pot tells something of the cards that were bid.
        self.unseen = [
            rules.plain and isinstance(own, Uniform) and other is not None and other.blind
            for own, other in ((one, two), (two, one))
        ]
        self.even = [(card, fmpq(1, n)) for card in game.deck]
        # The prizes that are gone take each set with no more than half the points, an end or not.
        least = 1 if rules.fixed else 2 ** (n - 1)
        if self.free and not (self.ordinal or rules.winning):
            # Any cards of a hand that is free to bid may be left with any prizes.
            least = sum(comb(n, size) ** (1 if rules.fixed else 2) for size in range(n + 1))
        if least > self.states:
            raise self._too_many()
        self.turns = cache(partial(turns, rules))
        self.gain, self.left = cache(rules.gain), cache(rules.after)
        own, other = (None if unseen else game.deck for unseen in self.unseen)
        self.start: Node = own, other, game.prizes, LEVEL, ()
        self.known: dict[Hashable, tuple[fmpq, fmpq]] = {}
        self.pairs = 0
        mixed = sum(
            not (isinstance(policy, Pure) or unseen)
            for policy, unseen in zip((one, two), self.unseen, strict=True)
        )
        self.computed = descent(progress, mixed + (not rules.fixed), n)

    def value(self, node: Node) -> tuple[fmpq, fmpq]:
        """Return what is expected from a state on: how far player one is ahead, and what both win.

        Both are points; where winning is what counts, probabilities: to win less to lose, and that there
        is a winner.
        """
        one, two, prizes, state, rounds = node
        key: Hashable = node
        if self.ordinal and one is not None and two is not None:
            key = self.told_apart((*relabelled(one, two), prizes, state, rounds))
        elif self.recalling:
            key = self.told_apart(node)
        found = self.known.get(key)
        if found is not None:
            return found
        end = self.game.rules.decided(prizes, state)
        ahead, both = fmpq(end or 0), fmpq(abs(end or 0))
        for upcard, stakes in self.turns(prizes) if end is None else ():
            bids, met = self.bids(node, 0, upcard), self.met(node, upcard, stakes)
            self.pairs += len(bids) * len(met)
            gains = [self.expected(node, bid, p, met) for bid, p in bids]
            for gain, won in [max(gains)] if self.free else gains:
                ahead += gain
                both += won
        self.known[key] = ahead, both
        if len(self.known) > self.states:
            raise self._too_many()
        share = self.computed(self.game.n - len(prizes))
        most, needed = PAIRS_A_STATE * self.states, self.pairs / share
        if self.pairs > PAIRS_SEEN and needed > most:
            raise ValueError(
                f"a game of {self.game.n} cards between these policies must take at most "
                f"{span(most * PAIR_SECONDS)} to be measured unless forced (states), got about "
                f"{span(needed * PAIR_SECONDS)}"
            )
        return ahead, both

    def met(self, node: Node, upcard: Upcard, stakes: Stakes) -> Met:
        """List what a bid of player one may meet."""
        replies = self.bids(node, 1, upcard)
        return [(reply, draw, chance * q) for chance, draw in stakes for reply, q in replies]

    def expected(self, node: Node, bid: int, p: fmpq, met: Met) -> tuple[fmpq, fmpq]:
        """Return the expectations of a bid of probability p, see :meth:`value`, times p."""
        ahead = both = fmpq(0)
        for reply, draw, chance in met:
            gain, left = self.after(node, bid, reply, draw)
            later_ahead, later_both = self.value(left)
            weight = p * chance
            ahead += weight * (later_ahead + gain)
            both += weight * (later_both + abs(gain))
        return ahead, both

    def best(self, node: Node, met: Met) -> int:
        """Return the lowest of player one's cards that gain most."""
        return max(node[0] or (), key=lambda card: self.expected(node, card, fmpq(1), met)[0])

    def bids(self, node: Node, side: int, upcard: Upcard) -> Bids:
        """Return the bids of player one (side 0) or two (side 1); all cards of one who is free to bid."""
        policy = self.policies[side]
        if policy is None:
            hand = node[1] if side else node[0]
            return [(card, fmpq(1)) for card in hand or ()]
        if self.unseen[side]:
            return self.even
        return checked_bids(policy, self.view(node, side, upcard))

    def view(self, node: Node, side: int, upcard: Upcard) -> View:
        """Return the view of player one (side 0) or two (side 1); an unknown hand is shown empty."""
        one, two, prizes, state, rounds = node
        if side:
            one, two, state, rounds = two, one, state.swapped(), mirrored(rounds)
        position = Position.trusted(one or (), two or (), prizes, upcard, self.game.rules, *state)
        return View(self.game.n, position, rounds)

    def after(self, node: Node, bid: int, reply: int, draw: Draw) -> tuple[int, Node]:
        """Return player one's points of a round and the state that the round leaves."""
        one, two, _, state, rounds = node
        if self.recalling:
            rounds = (*rounds, Round(draw.upcard, draw.upcard + state.pot, bid, reply))
        over = state, draw.upcard, winner_of(bid, reply)
        one = None if one is None else without(one, bid)
        two = None if two is None else without(two, reply)
        return self.gain(*over), (one, two, draw.rest, self.left(*over), rounds)

    def told_apart(self, node: Node) -> Hashable:
        """Return a state with no more of its rounds than the policies recall."""
        if not self.recalling:
            return node
        *position, rounds = node
        seen = zip(self.policies, (rounds, mirrored(rounds)), strict=True)
        return *position, *(policy.recalled(own) for policy, own in seen if policy is not None)

    def _too_many(self) -> ValueError:
        return ValueError(
            f"a game of {self.game.n} cards between these policies must have at most "
            f"{self.states:,} states to be measured unless forced (states), got more"
        )


def turns(rules: Rules, prizes: Prizes) -> list[tuple[Upcard, Stakes]]:
    """List the upcards that may be seen before the bids, each with the prizes they may be for."""
    draws = rules.draws(prizes)
    total = sum(draw.times for draw in draws)
    stakes = [(fmpq(draw.times, total), draw) for draw in draws]
    if rules.hidden:
        return [(None, stakes)]
    return [(draw.upcard, [(chance, draw)]) for chance, draw in stakes]
