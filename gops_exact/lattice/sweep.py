"""The prize lattice: one slab of values a node, each built from the nodes one prize smaller.

A *node* is a set of prizes with the state that the rounds before have left. With points played for
and ties discarded there is no state, and

    F[P] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )   for every pair h

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3). With a state the slab that an entry looks at depends on
who wins the round, and a mirrored pair of hands is looked up at the mirrored state. All games of one
turn take their entries from one small table, and the place of an entry in it depends on the pair of
hands alone. An *arithmetic* defines what a slab is made of and how a game is solved.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, Self, TypeVar

import numpy as np
from flint import arb, fmpq, nmod

from gops_exact.game.order_types import Layer, OrderTypes
from gops_exact.game.position import Node, Outcome, Turn, turns
from gops_exact.game.rules import Rules
from gops_exact.matrix_game.play import Play
from gops_exact.progress import Progress, tracked

Slab = TypeVar("Slab", bound=Sized)
"""The values of one node: one for each pair of hands of a layer, in its order."""

Probability = TypeVar("Probability")
"""A number of a strategy."""


class Arithmetic(ABC, Generic[Slab, Probability]):
    """A number system the recursion runs over."""

    cost_growth: ClassVar[int] = 1
    """About how many times longer a game takes with a card a side more; weighs progress."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The key of its numbers in a store, different for any two kinds of slab."""

    def weight(self, pairs: int, size: int, rules: Rules) -> int:
        """Estimate the work of so many pairs of hands of `size` cards: their games times the cost of one."""
        games = (pairs + 1) * (1 if rules.hidden else size + 1)
        return games * int(self.cost_growth**size)

    @abstractmethod
    def slab(self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, Slab]) -> Slab:
        """Return the values of every pair of hands in `layer` before one of `turns`.

        Args:
            layer: pairs of hands of k cards.
            turns: the games that may come next.
            below: the slabs one prize smaller that the games look at.
        """

    def preview(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Node, Slab],
        known: MutableMapping[int, Slab],  # noqa: ARG002  # for those that evaluate on demand
    ) -> Slab:
        """Return the slab of :meth:`slab` for one opening, which need not look at every value.

        `known` holds values found in earlier previews, by place, each as a slab of one value; new ones are
        added.
        """
        return self.slab(layer, turns, below)

    def lacking(
        self,
        layer: Layer,  # noqa: ARG002  # for those that evaluate on demand
        turn: Turn,  # noqa: ARG002
        below: Mapping[Node, Slab],  # noqa: ARG002
    ) -> list[tuple[Node, int]]:
        """List the values, by node and place, that :meth:`opening` would have to evaluate."""
        return []

    @abstractmethod
    def opening(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Play[Probability]:
        """Return the first move of the position that `layer` holds alone.

        Raises:
            ValueError: if the hands differ.
        """

    @abstractmethod
    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Play[Probability]:
        """Return optimal play at the position that `layer` holds alone."""

    @abstractmethod
    def entries(
        self, places: "Places", layer: Layer, turn: Turn, below: Mapping[Node, Slab]
    ) -> list[list[Probability]]:
        """Return the payoffs at `places` of a game of `layer`, see :func:`games`."""

    def played(self, column: Sequence[Probability]) -> Sequence[int]:
        """List the bids of a strategy that may be played."""
        return range(len(column))

    @abstractmethod
    def expectation(
        self, payoffs: Sequence[Probability], column: Sequence[Probability]
    ) -> Probability:
        """Return the mean of payoffs by the probabilities of `column`."""

    @abstractmethod
    def first(self, slab: Slab) -> Probability:
        """Return the first value of a slab."""

    @abstractmethod
    def negative(self, number: Probability) -> Probability:
        """Return a number with the other sign."""

    @abstractmethod
    def select(self, slab: Slab, places: Sequence[int]) -> Slab:
        """Return the values at `places` as a slab."""

    @abstractmethod
    def join(self, slabs: Sequence[Slab]) -> Slab:
        """Return slabs one after the other as one slab."""

    @abstractmethod
    def nbytes(self, slab: Slab) -> int:
        """Estimate the memory that a slab takes, in bytes."""

    @abstractmethod
    def pack_slab(self, slab: Slab) -> bytes:
        """Write a slab as bytes."""

    @abstractmethod
    def unpack_slab(self, payload: bytes) -> Slab:
        """Read what :meth:`pack_slab` wrote."""

    @abstractmethod
    def pack_opening(self, opening: Play[Probability]) -> bytes:
        """Write an opening as bytes."""

    @abstractmethod
    def unpack_opening(self, payload: bytes) -> Play[Probability]:
        """Read what :meth:`pack_opening` wrote."""


def sweep(
    types: OrderTypes,
    games: Iterable[Turn],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Probability],
    memo: MutableMapping[Node, Slab],
    progress: Progress | None = None,
) -> None:
    """Fill `memo` with the slabs of all nodes that `games` lead to, smallest first."""
    for node, following in to_solve(types, games, rules, arithmetic, memo, progress):
        memo[node] = arithmetic.slab(types.layers[len(node.prizes)], following, memo)


def to_solve(
    types: OrderTypes,
    games: Iterable[Turn],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Probability],
    memo: Mapping[Node, Slab],
    progress: Progress | None,
) -> Iterator[tuple[Node, list[Turn]]]:
    """Yield the nodes of :func:`missing`, and report the work done; nothing if there is none."""

    def weight(item: tuple[Node, list[Turn]]) -> int:
        size = len(item[0].prizes)
        return arithmetic.weight(len(types.layers[size]), size, rules)

    todo = missing(games, rules, memo)
    if todo:
        yield from tracked(todo, progress, weight)


def missing(
    games: Iterable[Turn], rules: Rules, memo: Mapping[Node, Slab]
) -> list[tuple[Node, list[Turn]]]:
    """List the nodes that `games` lead to and `memo` lacks, with their turns, smallest first.

    >>> [node.prizes for node, _ in missing(turns(Rules(), Node((1, 2, 3))), Rules(), {})]
    [(1,), (2,), (3,), (1, 2), (1, 3), (2, 3)]
    """
    found: dict[Node, list[Turn]] = {}
    frontier = [node for turn in games for node in turn.nodes]
    while frontier:
        fresh = {node for node in frontier if node not in found and node not in memo}
        found |= {node: turns(rules, node) for node in fresh}
        frontier = [below for node in fresh for turn in found[node] for below in turn.nodes]
    return sorted(found.items(), key=lambda item: (len(item[0].prizes), item[0]))


Entry = TypeVar("Entry", float, arb, nmod, fmpq)

Places = list[list[int]]
"""Shape (m, n): where the entries of a game stand in a table; interchangeable bids left out."""


@dataclass(frozen=True, eq=False)
class EnclosedSlab:
    """The values of one node as balls.

    Attributes:
        balls: length H; the value of each pair of hands.
    """

    balls: list[arb]

    def __len__(self) -> int:
        return len(self.balls)

    @cached_property
    def floats(self) -> list[float]:
        """Length H; the midpoints as floats."""
        return [float(value) for value in self.balls]


BelowSlab = TypeVar("BelowSlab", bound=EnclosedSlab)


@dataclass(frozen=True, eq=False)
class Table(Generic[BelowSlab]):
    """Every payoff that the games of one turn can have, as floats and as balls.

    Attributes:
        turn: the games.
        width: the length of a block of the table, see :func:`payoff_table`.
        below: the slabs that the payoffs look at.
    """

    turn: Turn
    width: int
    below: Mapping[Node, BelowSlab]

    @classmethod
    def of(cls, turn: Turn, layer: Layer, below: Mapping[Node, BelowSlab]) -> Self:
        """Return the table of the games of `turn` for the pairs of hands of `layer`."""
        return cls(turn, block_width(layer), {node: below[node] for node in turn.nodes})

    @cached_property
    def floats(self) -> list[float]:
        """Every payoff as a float."""
        return payoff_table(self.turn, self.width, lambda node: self.below[node].floats, 0.0)

    @cached_property
    def balls(self) -> list[arb]:
        """Every payoff as a ball, at the precision of the first call."""
        return payoff_table(self.turn, self.width, lambda node: self.below[node].balls, arb(0))


def over_cards(layer: Layer, play: Play[Probability], zero: Probability) -> Play[Probability]:
    """Return the play of the bids that `layer`, one pair of hands, keeps as one over all their cards."""
    return play.over(layer.row_kept[0].tolist(), layer.column_kept[0].tolist(), zero)


def opening_game(layer: Layer) -> Places:
    """Return the game of the position with equal hands that `layer` holds alone.

    Raises:
        ValueError: if the hands differ.
    """
    if layer.one[0] != layer.two[0]:
        raise ValueError("an opening has equal hands")
    (places,) = games(layer)
    return places


def games(layer: Layer) -> list[Places]:
    """Return the game of each pair of hands, as places in a :func:`payoff_table`."""
    # A negative reference counts from the end of its block, where the mirrored values stand.
    width = block_width(layer)
    place = layer.sign.astype(np.int64) % 3 * width + layer.child % width
    kept = zip(place, layer.row_kept, layer.column_kept, strict=True)
    return [each[rows][:, columns].tolist() for each, rows, columns in kept]


def block_width(layer: Layer) -> int:
    """Count the references into the layer below, both orientations and 0."""
    return 2 * layer.below + 1


def payoff_table(
    turn: Turn, width: int, values: Callable[[Node], Sequence[Entry]], zero: Entry
) -> list[Entry]:
    """List every payoff that a game of `turn` can have: the mean over its stakes.

    The list has three blocks of `width` = 2H + 1, for a tie, a round won and a round lost. Each holds the
    payoffs of the references 0, 1, …, H, −H, …, −1. `values` returns the H values of a node.

    >>> (_, turn) = turns(Rules(), Node((2, 5)))
    >>> payoff_table(turn, 3, lambda node: [0.25], 0.0)
    [0.0, 0.25, -0.25, 5.0, 5.25, 4.75, -5.0, -4.75, -5.25]
    """
    tables = [
        [entry for each in stake.outcomes for entry in _block(each, width, values, zero)]
        for stake in turn.stakes
    ]
    if len(tables) == 1:
        return tables[0]
    times = [stake.times for stake in turn.stakes]
    return [average(entries, times) for entries in zip(*tables, strict=True)]


def _block(
    outcome: Outcome, width: int, values: Callable[[Node], Sequence[Entry]], zero: Entry
) -> list[Entry]:
    if outcome.decided is not None:
        return [zero + outcome.gain + outcome.decided] * width
    block = [zero]
    block.extend(values(outcome.node))
    block.extend(-value for value in reversed(values(outcome.mirrored)))
    if outcome.gain == 0:
        return block
    paid: list[Entry] = [value + outcome.gain for value in block]
    return paid


def look_up(places: Places, table: list[Entry]) -> list[list[Entry]]:
    """Return the payoff matrix of a game, shape (m, n)."""
    return [[table[place] for place in row] for row in places]


def average(values: Iterable[Entry], times: Sequence[int]) -> Entry:
    """Return the mean of `values`, each counted as often as `times` says.

    >>> average([fmpq(1), fmpq(5)], [3, 1])
    2
    """
    terms: list[Entry] = [value * count for value, count in zip(values, times, strict=True)]
    total = terms[0]
    for term in terms[1:]:
        total += term
    return total / sum(times)
