"""Solvers of positions on the prize lattice: a prize set at a time, as far as a position leads to."""

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Generic, TypeVar
from weakref import finalize

from flint import arb, ctx, fmpq

from gops_exact.game.cards import Hand, mask, relabelled
from gops_exact.game.order_types import Layer, equal_hands, order_types
from gops_exact.game.position import Node, Position, Turn, turns
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.lattice.exact import ExactArithmetic
from gops_exact.lattice.exact_slab import BALL_BITS, ExactSlab, PositionPayoff
from gops_exact.lattice.sweep import (
    Arithmetic,
    EnclosedArithmetic,
    Play,
    Probability,
    Slab,
    to_solve,
)
from gops_exact.matrix_game import GameSolution
from gops_exact.matrix_game.payoff import Matrix, exact_matrix
from gops_exact.numbers import BigRational, to_arb
from gops_exact.numbers.pairs import Pair, from_pair
from gops_exact.progress import Progress
from gops_exact.solutions.solution import PayoffMatrix, Solution
from gops_exact.solutions.strategy import ByCard, Strategy, exactly
from gops_exact.store import DiskStore, Shelf
from gops_exact.store.location import StoreLocation

Entry = TypeVar("Entry", fmpq, arb)

MOST_CARDS = 14
"""Cards a side of a whole game whose positions are solved on demand: listing its order types takes
10 s and 2 GB, and three to four times as much with every card more."""


class LatticeSolver(Generic[Slab, Probability]):
    """Solver of positions that a pair of hands leads to; everything found is kept.

    Args:
        one: player one's hand at the start.
        two: player two's hand at the start.
        rules: the rules.
        arithmetic: the number system.
        store: file to take values from, as in :func:`gops_exact.value`; nothing is added to it.
        progress: called with the work done and all the work there is, whenever the games that a position
            leads to are to be solved.
    """

    def __init__(
        self,
        one: Hand,
        two: Hand,
        rules: Rules,
        arithmetic: Arithmetic[Slab, Probability],
        store: str | Path | None,
        progress: Progress | None,
    ) -> None:
        self.one, self.two, self.rules, self._arithmetic = one, two, rules, arithmetic
        self._progress = progress
        self._types = order_types(one, two, equal=rules.winning)
        file = _stored(store)
        if file is not None:
            finalize(self, file.close)
        self._shelf = Shelf(self._types, rules, arithmetic, file)
        self._previews: dict[Node, Slab] = {}
        self._slabs: MutableMapping[Node, Slab] = ChainMap(self._previews, self._shelf)

    def prepare(self, following: Iterable[Turn]) -> None:
        """Solve what games of bids look at, as far as it is not known."""
        for node, games in to_solve(
            self._types, following, self.rules, self._arithmetic, self._slabs, self._progress
        ):
            size = len(node.prizes)
            layer = self._types.layers[size]
            if size == len(self.one) - 1:
                # By far the longest numbers, and a game at the root needs few of them.
                self._previews[node] = self._arithmetic.preview(
                    layer, games, self._slabs, self._shelf.singles(node)
                )
            else:
                self._shelf[node] = self._arithmetic.slab(layer, games, self._slabs)


class Enclosing(LatticeSolver[Slab, Probability]):
    """Solver of one position in balls, or in residues with balls beside them.

    Args:
        position: the position.
        arithmetic: the number system.
        store: file to take values from, as in :func:`gops_exact.value`; nothing is added to it.
        progress: called with the work done and all the work there is.

    >>> from gops_exact.lattice.residue import ResidueArithmetic
    >>> Enclosing(Position([2, 4], [1, 3], [12, 13]), ResidueArithmetic()).value() * 25 % (
    ...     2**61 - 1
    ... )
    313
    """

    def __init__(
        self,
        position: Position,
        arithmetic: EnclosedArithmetic[Slab, Probability],
        *,
        store: str | Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(position.one, position.two, position.rules, arithmetic, store, progress)
        self.position, self.arithmetic = position, arithmetic

    def value(self) -> Probability:
        """Return the value before a prize is turned up."""
        following = turns(self.rules, self.position.node)
        self.prepare(following)
        return self.arithmetic.first(self.arithmetic.slab(self._types.root, following, self._slabs))

    def play(self) -> Play[Probability]:
        """Return optimal play, with a prize turned up."""
        self.prepare([self.position.turn])
        return self.arithmetic.play(self._types.root, self.position.turn, self._slabs)

    def entries(self) -> list[list[Probability]]:
        """Return player one's expectation for every pair of bids, shape (k, k)."""
        self.prepare([self.position.turn])
        every = self._types.root.every_bid()
        return self.arithmetic.entries(every, self.position.turn, self._slabs)

    def gains(self) -> list[Probability]:
        """Return player one's expectation of each bid against player two's optimal strategy."""
        return self.arithmetic.expectations(self.entries(), self.play().column)


class PrizeSets(LatticeSolver[ExactSlab, Pair]):
    """Solver of all positions that a pair of hands leads to, with any prizes, margin and pot.

    A position is solved when it is asked for, and everything found is kept. Methods that take a
    position raise ValueError if it has other rules or the hands do not lead to its hands. Equal hands
    are known only where those of the start are equal.

    Args:
        one: player one's hand at the start.
        two: player two's hand at the start.
        rules: the rules.
        store: file to take values from, as in :func:`gops_exact.value`; nothing is added to it.
        progress: called with the work done and all the work there is, whenever the games that a position
            leads to are to be solved.

    >>> solver = PrizeSets((1, 2, 3, 4), (1, 2, 3, 4))
    >>> position = Position([2, 4], [1, 3], [12, 13], upcard=13)
    >>> solver.value(position), solver.gain(position.swapped(), 1)
    (313/25, -313/25)
    """

    def __init__(
        self,
        one: Hand,
        two: Hand,
        rules: Rules = PLAIN,
        *,
        store: str | Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        exact = ExactArithmetic()
        super().__init__(one, two, rules, exact, store, progress)
        self._exact = exact
        self._games: dict[tuple[int, int, Node, int | None], _Bids] = {}

    def value(self, position: Position) -> fmpq:
        """The value of a position, before or after a prize is turned up."""
        if position.settled is not None:
            return fmpq(position.settled)
        if position.upcard is not None:
            return self._game(position).solution.value
        layer, turned = self._place(position)
        following = turns(self.rules, (position.swapped() if turned else position).node)
        self.prepare(following)
        value = from_pair(self._exact.slab(layer, following, self._slabs).values[0])
        return -value if turned else value

    def solve(self, position: Position) -> Solution[fmpq]:
        """Optimal play at a position with a prize turned up."""
        game = self._game(position).solution
        row, column = (
            Strategy(exactly(hand, bids), unique=unique, method=game.method)
            for hand, bids, unique in (
                (position.one, game.row, game.row_unique),
                (position.two, game.column, game.column_unique),
            )
        )
        return Solution(position, BigRational.of(game.value), row, column, game.method)

    def strategy(self, position: Position) -> Mapping[int, fmpq]:
        """Player one's optimal strategy as {card: probability}, every card of the hand."""
        return dict(zip(position.one, self._game(position).solution.row, strict=True))

    def payoff(self, position: Position) -> PayoffMatrix[fmpq]:
        """Return player one's expectation for every pair of bids, optimal play to follow."""
        entries = [list(map(BigRational.of, line)) for line in self._game(position).matrix()]
        return PayoffMatrix(position.one, position.two, entries)

    def bid_gains(self, position: Position) -> ByCard[fmpq]:
        """Return player one's expectation of each bid against player two's optimal strategy, by card."""
        return ByCard(exactly(position.one, (self.gain(position, card) for card in position.one)))

    def gain(self, position: Position, card: int) -> fmpq:
        """Player one's expectation of a bid against player two's optimal strategy, exactly.

        No bid can expect more than the value; the bids that optimal strategies play expect just that.
        """
        game, bid = self._game(position), position.one.index(card)
        return sum((q * game.entry(bid, j) for j, q in _played(game.solution.column)), fmpq(0))

    def gains(self, position: Position) -> dict[int, arb]:
        """Player one's expectation of every bid as a ball: quick where exact numbers are long."""
        return dict(zip(position.one, self._game(position).expectations(), strict=True))

    def secured(self, position: Position, strategy: Mapping[int, fmpq]) -> fmpq:
        """The least that a strategy of player one expects against any reply.

        Args:
            position: the position; optimal play follows the bids.
            strategy: {card: probability}; cards left out are not bid.
        """
        game = self._game(position)
        bids = _played([strategy.get(card, fmpq(0)) for card in position.one])
        return min(
            sum((p * game.entry(i, reply) for i, p in bids), fmpq(0))
            for reply in range(position.size)
        )

    def _game(self, position: Position) -> "_Bids":
        """The game of bids at a position."""
        layer, turned = self._place(position)
        seen = position.swapped() if turned else position
        key = int(layer.one[0]), int(layer.two[0]), seen.node, seen.upcard
        if key not in self._games:
            turn, slabs = seen.turn, self._slabs
            self.prepare([turn])
            self._games[key] = _Bids(
                self._exact.payoff(layer.every_bid(), turn, slabs),
                partial(self._exact.solve, layer, turn, slabs, fair=seen.fair),
            )
        game = self._games[key]
        return game.swapped() if turned else game

    def _place(self, position: Position) -> tuple[Layer, bool]:
        """Return the layer that holds the hands alone, and true if they are kept with the players swapped."""
        size = position.size
        if position.rules != self.rules:
            raise ValueError(f"expected a position by {self.rules}, got {position.rules}")
        one, two = map(mask, relabelled(position.one, position.two))
        if size <= len(self.one):
            layer = self._types.layers[size]
            for turned, (own, other) in ((False, (one, two)), (True, (two, one))):
                places = ((layer.one == own) & (layer.two == other)).nonzero()[0].tolist()
                if places:
                    return layer.part(slice(places[0], places[0] + 1)), turned
            if one == two and self.one == self.two:
                return replace(equal_hands(size), below=layer.below), False
        raise ValueError(
            f"expected hands that {self.one} and {self.two} lead to, "
            f"got {position.one} and {position.two}"
        )


@dataclass(eq=False)
class _Bids:
    """The game of bids at a position, solved when its solution is asked for.

    Attributes:
        payoff: the game, every bid a row or a column.
        solve: gives its solution.
        turned: whether the rows of `payoff` are player two's bids.
    """

    payoff: PositionPayoff
    solve: Callable[[], GameSolution]
    turned: bool = False

    @cached_property
    def solution(self) -> GameSolution:
        """Both strategies over all cards, ascending, and the value."""
        return self.solve()

    def swapped(self) -> "_Bids":
        """The game as the other player sees it."""

        def solve() -> GameSolution:
            return self.solution.swapped()

        return _Bids(self.payoff, solve, not self.turned)

    def matrix(self) -> Matrix:
        """Return player one's expectation for every pair of bids, exactly, shape (k, k)."""
        return self._seen(exact_matrix(self.payoff))

    def entry(self, bid: int, reply: int) -> fmpq:
        """Return player one's expectation for one pair of bids, exactly."""
        if self.turned:
            return -from_pair(self.payoff.pair(reply, bid))
        return from_pair(self.payoff.pair(bid, reply))

    def expectations(self) -> list[arb]:
        """Player one's expectation of every bid against player two's optimal strategy, as balls."""
        with ctx.workprec(BALL_BITS):
            replies = [to_arb(q, BALL_BITS) for q in self.solution.column]
            return [
                sum((x * q for x, q in zip(row, replies, strict=True)), arb(0))
                for row in self._seen(self.payoff.balls(BALL_BITS))
            ]

    def _seen(self, entries: list[list[Entry]]) -> list[list[Entry]]:
        """Entries of `payoff` with player one's bids as rows."""
        if not self.turned:
            return entries
        return [[-entry for entry in line] for line in zip(*entries, strict=True)]


def _played(strategy: Iterable[fmpq]) -> list[tuple[int, fmpq]]:
    """The places of the bids that are played, with their probabilities."""
    return [(place, chance) for place, chance in enumerate(strategy) if chance != 0]


def _stored(store: str | Path | None) -> DiskStore | None:
    """The file a user names, open for reading, if it is there."""
    location = StoreLocation.of(store, read_only=True)
    with suppress(OSError):  # no name of a file
        if location.path is not None and location.path.exists():
            return location.open()
    return None
