"""What a position is worth to a player, exactly, and what each bid is worth there."""

from collections import ChainMap
from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol
from weakref import finalize

import numpy as np
from flint import arb, ctx, fmpq

from gops_exact.game.cards import Hand, mask
from gops_exact.game.order_types import Layer, order_types
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.game.turns import Node, Turn, turns
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.exact_slab import BALL_BITS, ExactSlab, PositionPayoff
from gops_exact.lattice.sweep import missing
from gops_exact.matrix_game import GameSolution
from gops_exact.matrix_game.payoff import Matrix, exact_matrix
from gops_exact.numbers import to_arb
from gops_exact.numbers.pairs import Pair, from_pair
from gops_exact.players.view import View
from gops_exact.solver.parallel import Place
from gops_exact.store import DiskStore, Shelf


class Worth(Protocol):
    """What is known of a position, exactly or nearly."""

    @property
    def value(self) -> fmpq:
        """What the player can expect from here on."""

    @property
    def row(self) -> Mapping[int, fmpq]:
        """The player's optimal strategy."""

    def gain(self, card: int) -> fmpq:
        """What a bid can expect against an optimal opponent."""

    def gains(self) -> Mapping[int, arb]:
        """The same of every bid."""


class Adviser(Protocol):
    """Whoever knows what positions are worth."""

    def advice(self, view: View) -> Worth:
        """Optimal play at the position that a player sees."""


@dataclass(frozen=True, eq=False)
class Advice:
    """Optimal play at a position, as one of the players sees it.

    Attributes:
        hand: the player's cards, ascending.
        opponent: the opponent's.
        game: the solution of the game of bids, the player's rows, the opponent's columns.
        payoff: the game itself, every bid a row or a column.
        turned: whether the rows of `payoff` are the opponent's.
    """

    hand: Hand
    opponent: Hand
    game: GameSolution
    payoff: PositionPayoff
    turned: bool

    @property
    def value(self) -> fmpq:
        """What the player can expect from here on, in points, or wins less losses."""
        return self.game.value

    @property
    def row(self) -> dict[int, fmpq]:
        """The player's optimal strategy as {card: probability}."""
        return dict(zip(self.hand, self.game.row, strict=True))

    @property
    def column(self) -> dict[int, fmpq]:
        """The opponent's optimal strategy as {card: probability}."""
        return dict(zip(self.opponent, self.game.column, strict=True))

    def matrix(self) -> Matrix:
        """What every pair of bids is worth to the player, exactly, shape (k, k)."""
        entries = exact_matrix(self.payoff)
        if not self.turned:
            return entries
        return [[-entry for entry in line] for line in zip(*entries, strict=True)]

    def gain(self, card: int) -> fmpq:
        """What a bid can expect against the opponent's optimal strategy, optimal play to follow.

        No bid can expect more than the value; those that optimal strategies play expect just that.
        """
        bid = self.hand.index(card)
        return sum((q * self._entry(bid, j) for j, q in _played(self.game.column)), fmpq(0))

    def secured(self, strategy: Mapping[int, fmpq]) -> fmpq:
        """The least that a strategy expects, whatever the reply, optimal play to follow.

        Args:
            strategy: {card: probability}; cards left out are not bid.
        """
        bids = _played([strategy.get(card, fmpq(0)) for card in self.hand])
        return min(
            sum((p * self._entry(i, reply) for i, p in bids), fmpq(0))
            for reply in range(len(self.opponent))
        )

    def _entry(self, bid: int, reply: int) -> fmpq:
        if self.turned:
            return -from_pair(self.payoff.pair(reply, bid))
        return from_pair(self.payoff.pair(bid, reply))

    def gains(self) -> dict[int, arb]:
        """What every bid can expect, as balls: quick where the exact numbers are long."""
        with ctx.workprec(BALL_BITS):
            entries = self.payoff.balls(BALL_BITS)
            if self.turned:
                entries = [[-entry for entry in line] for line in zip(*entries, strict=True)]
            replies = [to_arb(q, BALL_BITS) for q in self.game.column]
            return {
                card: sum((x * q for x, q in zip(line, replies, strict=True)), arb(0))
                for card, line in zip(self.hand, entries, strict=True)
            }


class Analyst:
    """Solves the positions of one game when asked, and keeps what it finds.

    Args:
        n: cards a side when the game begins.
        rules: the rules.
        store: file to take values from, as in :func:`gops_exact.value`.
    """

    def __init__(self, n: int, rules: Rules = PLAIN, *, store: str | Path | None = None) -> None:
        self.n = n
        self.rules = rules
        deck = range(1, n + 1)
        self._types = order_types(deck, deck, equal=rules.winning)
        self._arithmetic = ExactArithmetic()
        file = _stored(store)
        if file is not None:
            finalize(self, file.close)
        self._shelf: Shelf[ExactSlab, Pair] = Shelf(self._types, rules, self._arithmetic, file)
        self._previews: dict[Node, ExactSlab] = {}
        self._slabs: MutableMapping[Node, ExactSlab] = ChainMap(self._previews, self._shelf)
        self._advice: dict[tuple[int, int, Node, int | None], Advice] = {}

    def advice(self, view: View) -> Advice:
        """Optimal play at the position that a player sees.

        Raises:
            ValueError: if it is of a game with other rules or more cards, or its upcard cannot
                come next.
        """
        if view.rules != self.rules or view.n > self.n:
            raise ValueError(
                f"expected a view of a game of {self.n} cards, {self.rules}, "
                f"got {view.n} cards, {view.rules}"
            )
        one, two = map(mask, relabelled(view.hand, view.opponent))
        state = self.rules.start(view.margin, view.pot)
        key = one, two, Node(view.prizes, state), view.upcard
        if key not in self._advice:
            self._advice[key] = self._solve(*key)
        # Cards that are not in play any more were taken out of the hands above.
        return replace(self._advice[key], hand=view.hand, opponent=view.opponent)

    def _solve(self, one: int, two: int, node: Node, upcard: int | None) -> Advice:
        difference = one ^ two
        turned = bool(difference) and not one & difference & -difference
        if turned:
            one, two, node = two, one, Node(node.prizes, node.state.swapped())
        turn = turn_at(turns(self.rules, node), upcard)
        self._prepare(turn)
        position = self._position(len(node.prizes), one, two)
        fair = one == two and node.state.margin == 0
        game = self._arithmetic.solve(position, turn, self._slabs, fair=fair)
        payoff = self._arithmetic.payoff(_every_bid(position), turn, self._slabs)
        return Advice((), (), game.swapped() if turned else game, payoff, turned)

    def _prepare(self, turn: Turn) -> None:
        """Solve what the game looks at, as far as it is not known."""
        for node, following in missing([turn], self.rules, self._slabs):
            size = len(node.prizes)
            layer = self._types.layers[size]
            if size == self.n - 1:
                # By far the longest numbers, and one first move needs few of them.
                self._previews[node] = self._arithmetic.preview(
                    layer, following, self._slabs, self._shelf.singles(node)
                )
            else:
                self._shelf[node] = self._arithmetic.slab(layer, following, self._slabs)

    def _position(self, size: int, one: int, two: int) -> Layer:
        """The layer that holds one pair of hands alone."""
        layer = self._types.layers[size]
        places = ((layer.one == one) & (layer.two == two)).nonzero()[0].tolist()
        if places:
            return layer.part(slice(places[0], places[0] + 1))
        return replace(equal_hands(size), below=layer.below)


def turn_at(found: Iterable[Turn], upcard: int | None) -> Turn:
    """The one of several games of bids that is at an upcard.

    Raises:
        ValueError: if there is none.
    """
    by_upcard = {turn.upcard: turn for turn in found}
    if upcard not in by_upcard:
        expected = ", ".join(map(str, by_upcard))
        raise ValueError(f"the upcard of a view must be one of {expected}, got {upcard!r}")
    return by_upcard[upcard]


@cache
def equal_hands(size: int) -> Layer:
    """The layer of equal hands alone; what they lead to stands first in every larger game's layers.

    Where they are worth nothing, they have no place among the values.
    """
    hand = range(1, size + 1)
    return order_types(hand, hand).root


def _stored(store: str | Path | None) -> DiskStore | None:
    """The file a user names, open for reading, if it is there."""
    place = Place.of(store, read_only=True)
    return place.open() if place.path is not None and place.path.exists() else None


def relabelled(one: Hand, two: Hand) -> tuple[Hand, Hand]:
    """Both hands with the cards they hold renamed 1, 2, …, which changes no sign of V_i − Y_j.

    >>> relabelled((2, 9), (2, 5))
    ((1, 3), (1, 2))
    """
    rank = {card: place for place, card in enumerate(sorted({*one, *two}), start=1)}
    return tuple(rank[card] for card in one), tuple(rank[card] for card in two)


def _every_bid(layer: Layer) -> Layer:
    """The layer with no bid left out as interchangeable with another."""
    every = np.ones_like(layer.row_kept)
    return replace(layer, row_kept=every, column_kept=every)


def _played(strategy: Iterable[fmpq]) -> list[tuple[int, fmpq]]:
    """The places of the bids that are played, with their probabilities."""
    return [(place, chance) for place, chance in enumerate(strategy) if chance != 0]
