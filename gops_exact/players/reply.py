"""The best response to a policy: what it gains, and its bids.

Matching, the upcard plus k, and others leave nothing to chance and do not look at the opponent; from a
whole game on their hand is known once the prizes left are. A state is then a hand and a set of prizes
of one size. All C(2n, n) of them fit into arrays, and k! times a value of k cards is an integer. Other
policies are met by recursion.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial

import numpy as np
from flint import fmpq

from gops_exact.arguments import function
from gops_exact.game.game import Game, Position, as_game
from gops_exact.game.order_types import LONGEST, mask, scan
from gops_exact.game.rules import PLAIN, Hand
from gops_exact.numbers import BigRational
from gops_exact.numbers.digits import short_repr
from gops_exact.players.catalogue import behavioural
from gops_exact.players.policy import (
    Behavioural,
    Pure,
    Rounds,
    View,
    checked_bids,
    made_for,
    mirrored,
)
from gops_exact.players.walk import STATES, Walk
from gops_exact.progress import Progress, tracked

SMALL, ARRAYS = 7, 13
"""A best response to a policy whose hand follows from the prizes left is found in arrays from eight
cards on, where the recursion takes long, to thirteen: a layer takes 24 MB, and 13! times a value is far
below 2⁶³."""

ROWS = 16
"""Hands that are looked at together, so that arrays of them and all sets of prizes stay in the cache."""


@dataclass(frozen=True, repr=False)
class BestResponse:
    """The most that anybody can expect against a policy.

    :class:`gops_exact.players.BestReply` is the policy that expects it, and
    :func:`gops_exact.players.losses` lists its cards at all positions that come up.
    """

    gain: BigRational  # in points; where winning is what counts, the probability to win less that to lose
    states: int  # how many were looked at

    __repr__ = short_repr


def best_response(
    policy: Behavioural | str,
    game: Game,
    *,
    states: int = STATES,
    progress: Progress | None = None,
) -> BestResponse:
    """Compute the best response to a policy in a game.

    Args:
        policy: the policy that is known, or its name.
        game: the game.
        states: the most states to look at.
        progress: called with the work that is thought to be done and all the work there is.

    Raises:
        BidError: if the policy's probabilities are not, or are for cards it does not hold.
        ValueError: if a policy does not give its probabilities, or there are more states than that.

    >>> print(best_response("matching", Game(4)).gain, best_response("optimal", Game(4)).gain)
    2 0
    """
    n = as_game(game, LONGEST).n
    function(progress, "progress")
    policy = behavioural(policy, game)
    if SMALL < n <= ARRAYS and game.rules == PLAIN and isinstance(policy, Pure) and policy.blind:
        found = gain_in_arrays(policy, n, progress)
        if found is not None:
            return BestResponse(BigRational.of(found), comb(2 * n, n))
    walk = Walk(None, policy, game, states, progress)
    gain, _ = walk.value(walk.start)
    return BestResponse(BigRational.of(gain), len(walk.known))


def gain_in_arrays(policy: Pure, n: int, progress: Progress | None = None) -> fmpq | None:
    """Compute the most points ahead that anybody can expect against a policy that is blind.

    There are at most 13 cards a side. It returns None if the same prizes can leave the policy with
    different hands.
    """
    deck = tuple(range(1, n + 1))
    hands: dict[int, Hand] = {mask(deck): deck}
    bids: dict[int, list[int]] = {}  # of each set of prizes, a mask: one for each prize, ascending
    for prizes in sorted(range(1, 1 << n), key=int.bit_count, reverse=True):
        hand, left = hands[prizes], tuple(scan(prizes))
        bids[prizes] = []
        for upcard in left:
            view = View(n, Position.trusted(hand, (), left, upcard, PLAIN, 0, 0))
            ((card, _),) = checked_bids(policy, view)
            rest = tuple(held for held in hand if held != card)
            if hands.setdefault(prizes ^ mask((upcard,)), rest) != rest:
                return None
            bids[prizes].append(card)
    # Where a set of cards, a mask, stands among those of its size.
    place = np.zeros(1 << n, np.int64)
    # (k − 1)! times the values of k − 1 cards: hands, sets of prizes.
    below = np.zeros((1, 1), np.int64)
    for k in tracked(range(1, n + 1), progress, lambda k: k * comb(n, k) ** 2):
        # Row s is the s-th set of k cards: a hand, or prizes.
        cards = np.array(list(combinations(range(1, n + 1), k)), np.int64)
        sets = (1 << (cards - 1)).sum(axis=1)
        replies = np.array([bids[prizes] for prizes in sets.tolist()], np.int64)
        rest = place[sets[:, None] ^ (1 << (cards - 1))]  # where the set stands without each card
        values = np.zeros((len(sets), len(sets)), np.int64)
        for turn in range(k):
            later = np.ascontiguousarray(below[:, rest[:, turn]])
            winners = np.sign(np.arange(n + 1)[:, None] - replies[:, turn])
            # Of each card, for each set of prizes.
            gains = winners * cards[:, turn] * factorial(k - 1)
            for start in range(0, len(sets), ROWS):
                rows = slice(start, start + ROWS)
                best = later[rest[rows, 0]] + gains[cards[rows, 0]]
                for bid in range(1, k):
                    expected = later[rest[rows, bid]] + gains[cards[rows, bid]]
                    np.maximum(best, expected, out=best)
                values[rows] += best
        place[sets] = np.arange(len(sets))
        below = values
    return fmpq(int(below[0, 0]), factorial(n))


class BestReply(Behavioural):
    """A best response to a policy at every position of a game; of equal cards the lowest.

    A position is solved when a bid is asked for. What it gains is
    :attr:`gops_exact.players.BestResponse.gain`.

    Args:
        policy: the policy that is known, or its name.
        game: the game.
        states: the most states to look at, which are kept.

    Raises:
        ValueError: if the policy does not give its probabilities, or there are more states than that.

    >>> from gops_exact.players import best_response, expected
    >>> game = Game(5)
    >>> reply = BestReply("random", game)
    >>> print(reply, expected(reply, "random", game).difference, best_response("random", game).gain)
    <policy best reply to random> 4 4
    """

    def __init__(self, policy: Behavioural | str, game: Game, *, states: int = STATES) -> None:
        self.known = behavioural(policy, game)
        self.walk = Walk(None, self.known, game, states)
        self.name = f"best reply to {self.known.name}"
        self.ordinal = self.known.ordinal

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return one best card, with certainty; a ValueError if the view is of another game."""
        walk, position = self.walk, view.position
        if (view.n, view.rules) != (walk.game.n, walk.game.rules):
            raise made_for(self.name, walk.game, view)
        upcard, rounds = position.at(view.upcard).upcard, view.rounds if walk.recalling else ()
        node = view.hand, view.opponent, view.prizes, position.state, rounds
        stakes = dict(walk.turns(view.prizes))[upcard]
        return {walk.best(node, walk.met(node, upcard, stakes)): fmpq(1)}

    def recalled(self, rounds: Rounds) -> Hashable:
        """Return what the known policy recalls."""
        return self.known.recalled(mirrored(rounds))
