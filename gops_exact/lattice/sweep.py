"""The prize lattice: one slab of values a node, each built from the nodes one prize smaller.

A *node* is a set of prizes with the state that the rounds before have left. With points played for
and ties discarded there is no state, and

    F[P] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )   for every pair h

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3). With a state the slab that an entry looks at depends on
who wins the round, and a mirrored pair of hands is looked up at the mirrored state. All games of one
turn take their entries from one small table, and the place of an entry in it depends on the pair of
hands alone. A *system* of numbers defines what a slab is made of and how a game is solved.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, MutableMapping, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic, Self, TypeVar

import numpy as np
from flint import arb, fmpq, nmod

from gops_exact.game.game import Node, Outcome, Turn, turns
from gops_exact.game.order_types import Layer
from gops_exact.game.rules import Rules
from gops_exact.matrix_game.play import N, Play

Slab = TypeVar("Slab", bound=Sized)
"""The values of one node: one for each pair of hands of a layer, in its order."""

Entry = TypeVar("Entry", float, arb, nmod, fmpq)

Places = list[list[int]]
"""Shape (m, n): where the entries of a game stand in a table; interchangeable bids left out."""


class System(ABC, Generic[Slab, N]):
    """A number system that the recursion runs over: slabs of values, and numbers of answers."""

    cost_growth: ClassVar[int] = 1
    """About how many times longer a game takes with a card a side more; weighs progress."""

    zero: N
    """The number 0."""

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
        """Return the slab of :meth:`slab` for one game, which need not look at every value.

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
        """List the values, by node and place, that :meth:`play` between equal hands has to evaluate."""
        return []

    @abstractmethod
    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Play[N]:
        """Return optimal play at the position that `layer` holds alone."""

    @abstractmethod
    def entries(
        self, places: Places, layer: Layer, turn: Turn, below: Mapping[Node, Slab]
    ) -> list[list[N]]:
        """Return the payoffs at `places` of a game of `layer`, see :func:`games`."""

    @abstractmethod
    def expectation(self, payoffs: Sequence[N], column: Sequence[N]) -> N:
        """Return the mean of payoffs by the probabilities of `column`."""

    @abstractmethod
    def negative(self, number: N) -> N:
        """Return a number with the other sign."""

    @abstractmethod
    def first(self, slab: Slab) -> N:
        """Return the first value of a slab."""

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
    def pack_opening(self, opening: Play[N]) -> bytes:
        """Write play between equal hands as bytes: the strategy, which is that of both players."""

    @abstractmethod
    def unpack_opening(self, payload: bytes) -> Play[N]:
        """Read what :meth:`pack_opening` wrote."""


def missing(games: Iterable[Turn], rules: Rules, known: Container[Node]) -> dict[Node, list[Node]]:
    """Return {node that `games` lead to and `known` lacks: those of them it looks at}, smallest first.

    >>> found = missing(turns(Rules(), Node((1, 2, 3))), Rules(), {})
    >>> {node.prizes: [below.prizes for below in looked_at] for node, looked_at in found.items()}
    {(1,): [], (2,): [], (3,): [], (1, 2): [(2,), (1,)], (1, 3): [(3,), (1,)], (2, 3): [(3,), (2,)]}
    """
    found: dict[Node, list[Node]] = {}
    frontier = looked_at(games)
    while frontier:
        fresh = {node for node in frontier if node not in found and node not in known}
        found |= {node: looked_at(turns(rules, node)) for node in fresh}
        frontier = [below for node in fresh for below in found[node]]
    return {
        node: [below for below in found[node] if below in found]
        for node in sorted(found, key=lambda node: (len(node.prizes), node))
    }


def looked_at(games: Iterable[Turn]) -> list[Node]:
    """List the nodes whose slabs games look at, each once."""
    return list(dict.fromkeys(node for turn in games for node in turn.nodes))


@dataclass(frozen=True, eq=False)
class EnclosedSlab:
    """The values of one node as balls."""

    balls: list[arb]  # length H; the value of each pair of hands

    def __len__(self) -> int:
        return len(self.balls)

    @cached_property
    def floats(self) -> list[float]:
        """Length H; the midpoints as floats."""
        return [float(value) for value in self.balls]


BelowSlab = TypeVar("BelowSlab", bound=EnclosedSlab)


@dataclass(frozen=True, eq=False)
class Table(Generic[BelowSlab]):
    """Every payoff that the games of one turn can have, as floats and as balls."""

    turn: Turn
    width: int  # the length of a block of the table, see payoff_table
    below: Mapping[Node, BelowSlab]  # the slabs that the payoffs look at

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


def is_fair(layer: Layer, turn: Turn) -> bool:
    """Test whether the bids of the pair of hands that `layer` holds alone are an antisymmetric game."""
    return bool(layer.one[0] == layer.two[0]) and turn.level


def over_cards(layer: Layer, play: Play[N], zero: N) -> Play[N]:
    """Return the play of the bids that `layer`, one pair of hands, keeps as one over all their cards."""
    return play.over(layer.row_kept[0].tolist(), layer.column_kept[0].tolist(), zero)


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
