"""GOPS with hidden bids: both players see who won each prize, but in general not each other's bids.

Learning programs play the game in which neither player sees the other's bids; OpenSpiel calls it
``goofspiel(imp_info=True)``. The argument `seen` of :class:`HiddenBids` lets one player or both see them. Where bids
are hidden, no recursion over positions solves the game. :func:`~gops_exact.solve_game` solves its *sequence form*
exactly, which has both players' sequences and a payoff for each pair of them (:mod:`~gops_exact.extensive.form`). A
*sequence* of a player is an information set and a bid there. Solving needs HiGHS: ``pip install '.[hidden]'``.

An *information set* is a set of states that a player cannot tell apart. Its name is, for example, ``5:3+ 4:2- 3``: the
player won the prize 5 with a bid of 3 and lost the prize 4 with a bid of 2, and the prize is now 3. A tie is written
``=``. For a player who sees the other's bids the name is ``5:3>1 4:2<4 3``: the other's bids were 1 and 4. With one
card left the bid is no choice, so it adds no sequence to the sequence form.

The *upcard* is the prize turned up in a round. The *margin* is player one's points minus player two's; it is always 0
if the objective is points. The *pot* is the sum of the prizes carried over from ties.

>>> from gops_exact import Game, Rules
>>> form = HiddenBids(Game(4, Rules(prizes="descending"))).form
>>> [(len(side.sets), len(side.forced), side.sequences) for side in form.sides], form.leaves
([(81, 288, 175), (81, 288, 175)], 576)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from math import factorial
from typing import NamedTuple

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base.arguments import items, shown
from gops_exact.extensive.form import START, Form, Integers, Side
from gops_exact.extensive.trees import Chance, Simultaneous
from gops_exact.game.game import Game, as_game
from gops_exact.game.rules import LEVEL, State, winner_of
from gops_exact.numbers.table import Listing

__all__ = ["HiddenBids"]
__dir__ = __all__.copy

MOST_CARDS = {"fixed": 6, "random": 5}
"""Greatest number of cards a side, for prizes in a fixed order and for prizes at random. Games with so many cards have
0.5 million leaves ("fixed") and 1.7 million leaves ("random")."""

Cards = NDArray[np.int8]

SIGNS = {1: "+", 0: "=", -1: "-"}
COMPARED = {1: ">", 0: "=", -1: "<"}


@dataclass(frozen=True)
class HiddenBids:
    """GOPS in which a player sees who won each prize, but sees the other player's bids only if `seen` says so.

    Args:
        game: the game, or the number of its cards a side. The prizes must come at random or in a known order.
        seen: a pair of truth values, for player one and for player two: True if the player sees the other player's bids
            after each round.

    Raises:
        ValueError: if the game has hidden prizes, prizes other than 1 … n, or more cards than `MOST_CARDS` allows; or
            if `seen` is not a pair of truth values.
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
    def start(self) -> "HiddenRound":
        """The first state."""
        return HiddenRound()

    def at(self, state: "HiddenRound") -> Chance | Simultaneous | int:
        """Return the node at a state: a draw of a prize, simultaneous bids, or player one's payoff at the end."""
        (rounds, upcard, lead, now), rules = state, self.game.rules
        gone = [prize for prize, *_ in rounds]
        prizes = tuple(prize for prize in self.game.prizes if prize not in gone)
        if not prizes:
            return lead + (rules.decided(prizes, now) or 0)
        if upcard is None:
            draws = rules.draws(prizes)
            return Chance(
                {state._replace(upcard=draw.upcard): fmpq(1, len(draws)) for draw in draws}
            )
        one, two = (
            [card for card in self.game.hand if card not in [earlier[k] for earlier in rounds]]
            for k in (2, 3)
        )
        moves = dict[tuple[int, int], HiddenRound]()
        for bids in product(one, two):
            winner, over = winner_of(*bids), (upcard, upcard + now.pot, *bids)
            gain, after = rules.gain(now, upcard, winner), rules.after(now, upcard, winner)
            moves[bids] = HiddenRound((*rounds, over), None, lead + gain, after)
        swapped = [(prize, stake, reply, bid) for prize, stake, bid, reply in rounds]
        return Simultaneous(moves, (self.name(0, rounds, upcard), self.name(1, swapped, upcard)))

    # The cache serves training programs, which measure many strategies of one game. They construct a new HiddenBids
    # object for each strategy, but all these objects are equal.
    @property
    @lru_cache(maxsize=1)  # noqa: B019  # the object is small, and the cache keeps only one
    def form(self) -> Form:
        """The sequence form, computed on first use.

        With 5 cards and random prizes this takes 0.7 GB of memory if neither player sees the other's bids, 1.3 GB if
        one player does, and 1.8 GB if both do. The game is symmetric, and has the value 0, if both players see each
        other's bids, or if neither does.
        """
        leaves = _leaves(self.game)
        (one, rows), (two, columns) = (_side(self, player, leaves) for player in (0, 1))
        # The payoffs of leaves with the same pair of sequences are added up. Pairs are in the order of their first
        # leaves.
        pairs, first, index = np.unique(
            rows * two.sequences + columns, return_index=True, return_inverse=True
        )
        payoffs = np.bincount(index, _payoffs(self.game, leaves))  # small integers, exact in floats
        order = np.argsort(first)
        order = order[payoffs[order] != 0]
        sequences = np.stack(np.divmod(pairs[order], two.sequences), axis=1)
        orders = 1 if self.game.rules.fixed else factorial(self.game.n)
        is_symmetric = self.seen[0] == self.seen[1]
        payoffs = payoffs[order].astype(np.int64)
        return Form((one, two), sequences, payoffs, orders, len(leaves), is_symmetric)

    def shown(self, table: Listing, played: tuple[int, int], *, every: bool) -> Listing:
        """Return a table with a note on the numbers of moves that are played; shorten the table unless `every` is True.

        Args:
            table: a table of both strategies. The key of a row begins with the player and the information set, and ends
                with the move.
            played: the number of moves, at all information sets together, that player one plays with positive
                probability; and that number of player two.
            every: True to keep all rows and notes. False to keep only the new note and the rows of the first round,
                which then have the prize in place of the information set.
        """
        notes = "Sequences played: {} and {}.".format(*played), *table.notes
        if every:
            return replace(table, notes=notes)
        # The name of an information set of the first round is a number, the prize. The names of later rounds contain
        # the bids as well.
        rows = [
            ((player, int(name), int(bid)), chance)
            for (player, name, *_, bid), chance in table.rows
            if str(name).isdigit()
        ]
        keys = "player", "prize", "bid"
        return replace(table, keys=keys, rows=rows, left=("player",), notes=notes[:1])

    def name(self, player: int, rounds: Iterable[Sequence[int]], upcard: int | None) -> str:
        """Return the name of an information set.

        Args:
            player: the index of the player whose set it is, 0 or 1.
            rounds: the earlier rounds, each (upcard, points at stake, the player's bid, the other player's bid). The
                other's bid is not in the name if the player does not see it.
            upcard: the prize of this round; None before it is turned up, and after the last round.
        """
        known = (f"{prize}{self.record(player, own, other)}" for prize, _, own, other in rounds)
        return f"{''.join(known)}{'' if upcard is None else upcard}"

    def record(self, player: int, own: int, other: int) -> str:
        """Return the part of an information set's name that says what the player knows of the bids of a round.

        For a player who won the prize with a bid of 3, and does not see the other's bid, it is ``":3+ "``.

        Args:
            player: the index of the player, 0 or 1.
            own: the player's bid.
            other: the other player's bid.
        """
        winner = winner_of(own, other)
        bids = f"{own}{COMPARED[winner]}{other}" if self.seen[player] else f"{own}{SIGNS[winner]}"
        return f":{bids} "


class HiddenRound(NamedTuple):
    """A state of a game with hidden bids: all earlier rounds, and the prize of this round once it is turned up."""

    #: for each earlier round the prize, the points at stake, player one's bid and player two's bid
    rounds: tuple[tuple[int, int, int, int], ...] = ()
    upcard: int | None = None  #: the prize; None before it is turned up, and after the last round
    lead: int = 0  #: points that player one has gained, less those of player two; 0 if the objective is to win
    now: State = LEVEL  #: the margin and the pot


def _leaves(game: Game) -> Cards:
    """Return all plays of a game in the order of the leaves of its tree, shape (plays, rounds, 3).

    A round has the prize, player one's bid and player two's bid.
    """
    orders = [game.prizes] if game.rules.fixed else [*permutations(game.prizes)]
    hands = np.array([*permutations(game.hand)], np.int8)
    tables = np.array(orders, np.int8), hands, hands
    indices = np.indices(tuple(map(len, tables))).reshape(3, -1)
    leaves = np.stack([cards[k] for cards, k in zip(tables, indices, strict=True)], axis=2)
    return leaves[np.argsort(_number(leaves.reshape(len(leaves), -1), game.n + 1))]


def _number(digits: Cards, base: int) -> Integers:
    """Read each row of `digits` as a number in base `base`, with the most significant digit first."""
    return digits @ base ** np.arange(digits.shape[1])[::-1]


def _payoffs(game: Game, leaves: Cards) -> Integers:
    """Return player one's payoff at each leaf of the game tree, shape (leaves,).

    The argument `leaves` has the prize and both bids of each round, as :func:`_leaves` returns them.
    """
    rules, prizes = game.rules, leaves[..., 0]
    winners = np.sign(leaves[..., 1] - leaves[..., 2])
    plays = _number(np.concatenate([prizes, winners + 1], axis=1), max(3, game.n + 1))
    _, first, index = np.unique(plays, return_index=True, return_inverse=True)
    payoffs = list[int]()
    for play in zip(prizes[first].tolist(), winners[first].tolist(), strict=True):
        lead, now = 0, LEVEL
        for prize, winner in zip(*play, strict=True):
            lead, now = lead + rules.gain(now, prize, winner), rules.after(now, prize, winner)
        payoffs.append(lead + (rules.decided((), now) or 0))
    return np.array(payoffs)[index]


def _side(game: HiddenBids, player: int, leaves: Cards) -> tuple[Side, Integers]:
    """Return a player's information sets and sequences, and the player's last sequence at each leaf of the tree.

    Args:
        game: the game.
        player: the index of the player, 0 or 1.
        leaves: shape (leaves, rounds, 3): the prize, player one's bid and player two's bid in each round of a play.

    Returns:
        The information sets with their sequences; and the numbers of the last sequences, shape (leaves,).
    """
    n, deck = game.game.n, game.game.hand
    prizes, own, other = (leaves[..., part] for part in (0, 1 + player, 2 - player))
    # The digits of an information set are what the player knows: of each earlier round the prize, the own bid, and the
    # other bid or the result; then the prize. So an information set of the last round has 3n − 2 digits, and the
    # number without the last 3k digits is the information set k rounds before.
    learned = other if game.seen[player] else np.sign(own - other) + 1
    known = np.stack([prizes, own, learned], axis=2).reshape(len(leaves), -1)[:, : 3 * n - 2]
    unit = max(3, n + 1)
    last, first, index = np.unique(_number(known, unit), return_index=True, return_inverse=True)
    parts = list[Integers]()
    for k in range(n):
        sets, start = np.unique(last // unit ** (3 * (n - 1 - k)), return_index=True)
        leaf = np.minimum.reduceat(first, start)
        before = own[leaf, k - 1], other[leaf, k - 1]  # of no use in the first round
        parts.append(np.stack([leaf, np.full_like(leaf, k), sets, prizes[leaf, k], *before]))
    rows = np.concatenate(parts, axis=1)
    # Sets are numbered in the order of a depth-first walk: by their first leaf, then by their round.
    *_, sets, upcards, bids, replies = rows[:, np.lexsort(rows[1::-1])].tolist()
    side, names, sequences = Side(), {0: ""}, dict[int, int]()  # the number of the start is 0
    records = {pair: game.record(player, *pair) for pair in product(deck, deck)}
    for number, upcard, bid, reply in zip(sets, upcards, bids, replies, strict=True):
        name, hand, sequence = names[number // unit**3], deck, START
        if name:
            after = side.sets[name][1]
            hand, sequence = tuple(card for card in after if card != bid), after[bid]
            name += records[bid, reply]
        names[number] = name = f"{name}{upcard}"
        sequences[number] = sequence
        side.at(name, hand, sequence)
    return side, np.array([sequences[number] for number in last.tolist()])[index]
