"""GOPS with hidden bids: players see who won each prize, but not the bids.

An *information set* is a set of states that a player cannot tell apart. A *sequence* of a player is an information set
and a bid there; see :mod:`~gops_exact.extensive.form`.

Learning programs play this game; OpenSpiel calls it ``goofspiel(imp_info=True)``. Bids stay private, so the
game has imperfect information, and no recursion over positions solves it. :func:`~gops_exact.solve_game` solves its
sequence form exactly, as it does for any other game tree. Solving needs HiGHS: ``pip install '.[hidden]'``.

The name of an information set is, for example, ``5:3+ 4:2- 3``: the player won the prize 5 with a bid of 3
and lost the prize 4 with a bid of 2, and the prize is now 3. A tie is written ``=``. For a player who sees the
other's bids the name is ``5:3>1 4:2<4 3``: the other's bids were 1 and 4. The last bid, with one card left, is no
choice and adds no sequence.

>>> from gops_exact import Game, Rules
>>> form = HiddenBids(Game(4, Rules(prizes="descending"))).form
>>> [(len(side.sets), len(side.forced), side.sequences) for side in form.sides], form.leaves
([(81, 288, 175), (81, 288, 175)], 576)
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import factorial
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base.arguments import items, shown
from gops_exact.extensive.form import Form, Integers, Side
from gops_exact.extensive.trees import Chance, Simultaneous
from gops_exact.game.game import Game, as_game
from gops_exact.game.rules import EVERY_WINNER, LEVEL, State, winner_of
from gops_exact.numbers.table import Listing

__all__ = ["HiddenBids"]
__dir__ = __all__.copy

MOST_CARDS = {"fixed": 6, "random": 5}
"""Greatest number of cards a side, for prizes in a fixed order and for prizes at random. Games with so many cards have
0.5 million leaves ("fixed") and 1.7 million leaves ("random")."""

SIGNS = {1: "+", 0: "=", -1: "-"}
COMPARED = {1: ">", 0: "=", -1: "<"}


@dataclass(frozen=True)
class HiddenBids:
    """GOPS in which a player sees who won each prize, but sees the other player's bids only if `seen` says so.

    Args:
        game: the game, or the number of its cards a side. The prizes must come at random or in a known order.
        seen: for player one and for player two, True if the player sees the other player's bids.

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
        """Return the node at a state. The nodes make the same tree as :attr:`form`, which is computed more quickly."""
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
        """The sequence form, which is computed on first use; with 5 cards and random prizes this takes 0.5 GB of memory.

        The game is symmetric, and has the value 0, if both players see the other's bids, or if neither does.
        """
        both_sets, margins, last = _walk(self)
        n, orders = self.game.n, 1 if self.game.rules.fixed else factorial(self.game.n)
        # For each player the integers by which `_walk` names sequences, ascending, shape (sequences,): −1 for the empty
        # sequence, else the place of a state times n plus the index of a bid. The index of an integer is the number of
        # the sequence in the form.
        numbers = list[Integers]()
        for sets in both_sets:
            after = [sets[n - k][0][:, None] * n + np.arange(k) for k in range(n, 1, -1)]
            numbers.append(np.sort(np.concatenate([[-1], *map(np.ravel, after)])))
        rows, columns = map(np.searchsorted, numbers, last.T)
        # The payoffs of leaves with the same pair of sequences are added up. Pairs are in the order of their first
        # leaves.
        count = 1 + columns.max(initial=0)
        pairs, first, index = np.unique(
            rows * count + columns, return_index=True, return_inverse=True
        )
        payoffs = np.bincount(index, margins).astype(np.int64)  # small integers, exact in floats
        order = np.argsort(first)
        order = order[payoffs[order] != 0]
        sequences = np.stack(np.divmod(pairs[order], count), axis=1)
        payoffs, leaves = payoffs[order], last.shape[0]
        del margins, last, rows, columns, pairs, first, index, order  # frees a hundred megabytes
        of_both = zip(both_sets, numbers, strict=True)
        one, two = (_side(self, player, *own) for player, own in enumerate(of_both))
        return Form((one, two), sequences, payoffs, orders, leaves, self.seen[0] == self.seen[1])

    def shown(self, table: Listing, played: tuple[int, int], *, every: bool) -> Listing:
        """Return the table of a solution in the form in which solutions of games with hidden bids are shown.

        A note says how many sequences each player plays.

        Args:
            table: a table of both strategies. The key of a row begins with the player and the information set, and ends
                with the move.
            played: the number of sequences that player one plays, and that player two plays.
            every: True to keep the rows of all information sets and all notes, False to keep only the rows of the first
                round, in which the name of the information set is the prize, and the note on sequences.
        """
        table = replace(table, notes=("Sequences played: {} and {}.".format(*played), *table.notes))
        if every:
            return table
        # The name of an information set of the first round is a number, the prize. The names of later rounds contain
        # the bids as well.
        first = [
            ((player, int(name), int(bid)), chance)
            for (player, name, *_, bid), chance in table.rows
            if str(name).isdigit()
        ]
        return replace(
            table,
            keys=("player", "prize", "bid"),
            rows=first,
            left=("player",),
            notes=table.notes[:1],
        )

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

        An example is ``:3+`` and a space, for a player who won the prize with a bid of 3.

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


Sets = list[list[NDArray[Any]]]
"""The information sets of one player: for each round a list of five arrays, each with an entry for every information
set of the round. The arrays are: the place of the set's first state; the name of the sequence that leads to the set;
the player's bid in the round before; the opponent's bid in the round before, in the set's first state; the prize.
Where the player does not see bids, other states of the set may have another bid of the opponent with the same result.
:func:`_walk` defines places and names."""


def _walk(game: HiddenBids) -> tuple[tuple[Sets, Sets], NDArray[Any], NDArray[Any]]:
    """Compute the information sets and the leaves of a game, round by round, in arrays over all states of a round.

    A state is one in which a prize has just been turned up. Its *place* is its number in a depth-first walk through the
    tree. A sequence is an information set and a bid there. Its *name* is an integer: the place of the first state of the information set, times the number of cards a
    side, plus the index of the bid in the hand. The empty sequence, before the first bid, has the name −1. Later,
    sequences are numbered 0, 1, 2, … in the order of their names.

    Returns:
        The information sets of both players; player one's payoff at each leaf, shape (leaves,); and the last
        sequences of both players at each leaf, shape (leaves, 2).
    """
    rules, n = game.game.rules, game.game.n
    # draws[k] is the number of possible upcards with k prizes left: 1 if the order of the prizes is fixed, else k.
    draws = [1 if rules.fixed else k for k in range(n + 1)]
    # rounds[k] is the number of states in the subtree of a state with k cards left a side, this state included.
    rounds = [1, 1]
    for k in range(2, n + 1):
        rounds.append(1 + k * k * draws[k - 1] * rounds[k - 1])
    both_sets: tuple[Sets, Sets] = [], []
    # `standings` has the different points of player one and states of the rules so far, `standing` the index of each
    # state.
    standings, standing = [(0, LEVEL)], np.zeros(1, np.intp)
    place = np.zeros(1, np.int64)
    # `hands` has the shape (states, players, cards).
    hands = np.tile(np.array(game.game.hand, np.int8), (1, 2, 1))
    prizes = np.array([game.game.prizes], np.int8)
    bids, last = np.zeros((1, 2), np.int8), np.full((1, 2), -1)  # shape (states, players)
    for k in range(n, 0, -1):
        # A hand, or the prizes left, has k cards. For each index i of a card, others[i] has the indices of the other
        # cards, shape (k, k − 1).
        others = np.arange(k - 1) + (np.arange(k - 1) >= np.arange(k)[:, None])
        # A prize is turned up. There are draws[k] possible prizes, so each state is replaced by draws[k] states.
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
        # Both players bid. There are k² pairs of bids, so each state is replaced by k² states. With one card left,
        # k = 1, the bid is forced and adds no sequence; its index is 0, so `last` does not change.
        pair = np.stack(np.divmod(np.arange(k * k), k))  # indices of bids, shape (players, pairs)
        both = np.arange(2)[:, None]
        bids = hands[:, both, pair].swapaxes(1, 2).reshape(-1, 2)
        hands = hands[:, both[..., None], others[pair]].swapaxes(1, 2)
        hands = hands.reshape(len(bids), 2, k - 1)
        # later[number of a standing, prize, winner] is the index of what follows from a standing.
        reached = dict[tuple[int, State], int]()
        later = np.zeros((len(standings), n + 1, len(EVERY_WINNER)), np.intp)
        for (number, (lead, held)), points, winner in product(
            enumerate(standings), game.game.prizes, EVERY_WINNER
        ):
            over = lead + rules.gain(held, points, winner), rules.after(held, points, winner)
            later[number, points, winner] = reached.setdefault(over, len(reached))
        winners = np.sign(bids[:, 0] - bids[:, 1]).reshape(-1, k * k)
        standing = np.take_along_axis(later[standing[state], upcard], winners, axis=1).ravel()
        standings = [*reached]
        prizes = np.repeat(prizes, k * k, axis=0)
        last = (last[:, None] + pair.T).reshape(-1, 2)
        places = np.arange(k * k) * draws[k - 1] * rounds[k - 1]
        place = (place[:, None] + 1 + places).ravel()
    payoffs = np.array([lead + (rules.decided((), end) or 0) for lead, end in standings])
    return both_sets, payoffs[standing], last


def _side(game: HiddenBids, player: int, sets: Sets, numbers: Integers) -> Side:
    """Return a player's side of the sequence form; `numbers` has the player's names of sequences, ascending."""
    # `names` has the names of the information sets with more than one card left, {place of the set's first state:
    # name}. A place is the number of a state in the depth-first walk of `_walk`. The key −1 stands for the start of the
    # game, before the first set.
    side, names = Side(), {-1: ""}
    deck = game.game.hand
    records = {pair: game.record(player, *pair) for pair in product(deck, deck)}
    parts = [np.concatenate(part) for part in zip(*sets, strict=True)]
    parts.append(np.searchsorted(numbers, parts[1]))
    order = np.argsort(parts[0])
    for place, before, own, other, upcard, number in zip(
        *(part[order].tolist() for part in parts), strict=True
    ):
        known, hand = names[before // len(deck)], deck
        if known:
            hand = tuple(card for card in side.sets[known][1] if card != own)
            known += records[own, other]
        name = f"{known}{upcard}"
        side.at(name, hand, number)
        if len(hand) > 1:
            names[place] = name
    return side
