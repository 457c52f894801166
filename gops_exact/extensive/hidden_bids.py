"""The game with hidden bids: players see who won each prize, not what was bid.

Learning programs play this game; OpenSpiel calls it ``goofspiel(imp_info=True)``. Bids stay private, so the
game has imperfect information, and no recursion over positions solves it. :func:`~gops_exact.solve_game` solves its
sequence form exactly, as that of any other game tree. Solving needs HiGHS: ``pip install '.[hidden]'``.

The name of an information set is, for example, ``5:3+ 4:2- 3``: the player won the prize 5 with a bid of 3
and lost the prize 4 with a bid of 2, and the prize is now 3. A tie is written ``=``. For a player who sees the
other's bids the name is ``5:3>1 4:2<4 3``. The last bid is forced.

>>> from gops_exact import Game, Rules
>>> form = HiddenBids(Game(4, Rules(prizes="descending"))).form
>>> [(len(side.sets), len(side.forced), side.sequences) for side in form.sides], form.leaves
([(81, 288, 175), (81, 288, 175)], 576)
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gops_exact.base.arguments import items, shown
from gops_exact.extensive.form import Form, Integers, Side
from gops_exact.extensive.trees import CHECKED_STATES
from gops_exact.game.game import Game, as_game
from gops_exact.game.rules import winner_of

__all__ = ["HiddenBids"]
__dir__ = __all__.copy

MOST_CARDS = {"fixed": 6, "random": 5}
"""Greatest number of cards a side, by the order of the prizes. Such games have half a million leaves
("fixed") and 1.7 million ("random")."""

SIGNS = {1: "+", 0: "=", -1: "-"}
COMPARED = {1: ">", 0: "=", -1: "<"}


@dataclass(frozen=True)
class HiddenBids:
    """The game in which bids stay hidden.

    Args:
        game: cards and rules, or the number of cards a side. Prizes come at random or in a known order.
        seen: for player one and for player two, True if the player sees the bids of the other.

    Raises:
        ValueError: if the game has hidden prizes, or more cards than `MOST_CARDS` allows.
    """

    game: Game
    seen: tuple[bool, bool] = (False, False)

    @property
    def title(self) -> str:
        """The name of the game in tables."""
        return f"{self.game}, bids hidden"

    def __post_init__(self) -> None:
        game = as_game(self.game, any_deck=False)
        object.__setattr__(self, "game", game)
        rules = game.rules
        if rules.hidden:
            raise ValueError(
                "with hidden bids prizes must be random or in a known order, got hidden"
            )
        as_game(game, MOST_CARDS["fixed" if rules.fixed else "random"])
        kind = "a pair of truth values"
        seen = tuple(items(self.seen, "seen", kind, ordered=True))
        if len(seen) != 2 or not all(isinstance(sees, bool) for sees in seen):
            raise ValueError(f"seen must be {kind}, got {shown(self.seen)}")
        object.__setattr__(self, "seen", seen)

    @property
    def form(self) -> Form:
        """The sequence form. With 5 cards and random prizes it takes seconds and 0.5 GB of memory."""
        return _form(self)

    @property
    def symmetric(self) -> bool:
        """True if both players see the other's bids, or neither does. The value is then 0."""
        return self.seen[0] == self.seen[1]

    def head(self) -> dict[str, Any]:
        """Return the members of a document that say which game it is of."""
        rules = self.game.rules
        return {
            "document": "hidden bids",
            "version": 1,
            "n": self.game.n,
            "rules": {"objective": rules.objective, "ties": rules.ties, "prizes": rules.prizes},
            "seen": list(self.seen),
        }

    def record(self, player: int, own: int, other: int, winner: int) -> str:
        """Return the text that follows the prize of a round in the names of later information sets.

        Args:
            player: the index of the player, 0 or 1.
            own: the player's bid.
            other: the other player's bid.
            winner: 1 if the player won the prize, −1 if the other one did, 0 for a tie.
        """
        bids = f"{own}{COMPARED[winner]}{other}" if self.seen[player] else f"{own}{SIGNS[winner]}"
        return f":{bids} "


Sets = list[list[NDArray[Any]]]
"""For each round, arrays over a player's information sets: the place of the first state, the last sequence before, the
bids of the round before, the player's and that of the other, and the prize."""


def _walk(game: HiddenBids) -> tuple[tuple[Sets, Sets], NDArray[Any], NDArray[Any]]:
    """Walk through all states in which a round begins, in arrays.

    States stand in the order of a walk through the tree, and a state's *place* is the number of rounds that the
    walk enters before. Until sequences are numbered, one is the place of the first state of its information set
    times the number of cards, plus the index of the bid; −1 is the empty sequence.

    Returns:
        The information sets of both players; player one's payoff at each leaf; and the last sequences of both
        players there, shape (leaves, 2).
    """
    rules, n = game.game.rules, game.game.n
    draws = [1 if rules.fixed else k for k in range(n + 1)]  # by the number of prizes left
    # Rounds that a walk enters from the start of one on, that one included, by the number of cards left.
    rounds = [1, 1]
    for k in range(2, n + 1):
        rounds.append(1 + k * k * draws[k - 1] * rounds[k - 1])
    both_sets: tuple[Sets, Sets] = [], []
    place, margin, pot = np.zeros((3, 1), np.int64)
    hands = np.tile(np.array(game.game.hand, np.int8), (1, 2, 1))  # shape (states, players, cards)
    prizes = np.array([game.game.prizes], np.int8)
    bids, last = np.zeros((1, 2), np.int8), np.full((1, 2), -1)  # shape (states, players)
    for k in range(n, 0, -1):
        # By the card left out
        others = np.arange(k - 1) + (np.arange(k - 1) >= np.arange(k)[:, None])
        # A prize is turned up.
        state, prize = np.divmod(np.arange(len(place) * draws[k]), draws[k])
        upcard, prizes = prizes[state, prize], prizes[state[:, None], others[prize]]
        place = place[state] + prize * rounds[k]
        hands, bids, last = hands[state], bids[state], last[state]
        for player, sets in enumerate(both_sets):
            own, other, before = bids[:, player], bids[:, 1 - player], last[:, player]
            learned = other if game.seen[player] else np.sign(own - other) + 1
            known = (before * (n + 1) + learned) * (n + 1) + upcard
            _, first, index = np.unique(known, return_index=True, return_inverse=True)
            sets.append([part[first] for part in (place, before, own, other, upcard)])
            if k > 1:
                last[:, player] = place[first][index] * n
        # Both bid. The last bid is forced, and adds no sequence.
        pair = np.stack(np.divmod(np.arange(k * k), k))  # indices of bids, shape (players, pairs)
        both = np.arange(2)[:, None]
        bids = hands[:, both, pair].swapaxes(1, 2).reshape(-1, 2)
        hands = hands[:, both[..., None], others[pair]].swapaxes(1, 2)
        hands = hands.reshape(len(bids), 2, k - 1)
        winner, stake = np.sign(bids[:, 0] - bids[:, 1]), np.repeat(upcard + pot[state], k * k)
        margin = np.repeat(margin[state], k * k) + winner * stake
        pot = np.where(winner == 0, stake, 0) * rules.carries
        prizes = np.repeat(prizes, k * k, axis=0)
        last = (last[:, None] + pair.T).reshape(-1, 2)
        later = np.arange(k * k) * draws[k - 1] * rounds[k - 1]
        place = (place[:, None] + 1 + later).ravel()
    return both_sets, np.sign(margin) if rules.winning else margin, last


# The cache serves training, which measures many strategies of one game, each with a new but equal HiddenBids.
@lru_cache(maxsize=1)
def _form(game: HiddenBids) -> Form:
    both_sets, margins, last = _walk(game)
    n, orders = game.game.n, 1 if game.game.rules.fixed else factorial(game.game.n)
    rows, columns = (
        np.searchsorted(_numbers(sets, n), last[:, k]) for k, sets in enumerate(both_sets)
    )
    # Leaves with the same sequences are added up. Pairs of sequences stand in the order of their first leaves.
    count = 1 + columns.max(initial=0)
    pairs, first, index = np.unique(rows * count + columns, return_index=True, return_inverse=True)
    payoffs = np.bincount(index, margins).astype(np.int64)  # small integers, exact in floats
    order = np.argsort(first)
    order = order[payoffs[order] != 0]
    sequences = np.stack(np.divmod(pairs[order], count), axis=1)
    payoffs, leaves = payoffs[order], last.shape[0]
    del margins, last, rows, columns, pairs, first, index, order  # a hundred megabytes
    one, two = (_side(game, player, both_sets[player]) for player in (0, 1))
    return Form((one, two), sequences, payoffs, orders, leaves)


def _numbers(sets: Sets, n: int) -> Integers:
    """Return all sequences of a player in the order of their numbers."""
    after = [sets[n - k][0][:, None] * n + np.arange(k) for k in range(n, 1, -1)]
    return np.sort(np.concatenate([[-1], *map(np.ravel, after)]))


def _side(game: HiddenBids, player: int, sets: Sets) -> Side:
    """Return a player's information sets and sequences."""
    side, names = Side(), {-1: ""}  # names by the place of the first state
    n, deck = game.game.n, game.game.hand
    records = {pair: game.record(player, *pair, winner_of(*pair)) for pair in product(deck, deck)}
    parts = [np.concatenate(part) for part in zip(*sets, strict=True)]
    parts.append(np.searchsorted(_numbers(sets, n), parts[1]))
    order = np.argsort(parts[0])
    for start in range(0, len(order), CHECKED_STATES):
        block = order[start : start + CHECKED_STATES]
        for place, before, own, other, upcard, number in zip(
            *(part[block].tolist() for part in parts), strict=True
        ):
            known, hand = names[before // n], deck
            if known:
                hand = tuple(card for card in side.sets[known][1] if card != own)
                known += records[own, other]
            name = f"{known}{upcard}"
            side.at(name, hand, number)
            if len(hand) > 1:
                names[place] = name
    return side
