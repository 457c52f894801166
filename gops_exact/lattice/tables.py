"""Payoff matrices by table look-up.

X[i, j] = gain + f(child). The winner of the round decides the gain and the slab in which f is looked
up. All games of one turn take their entries from the same small table, and the place of an entry in
it depends on the pair of hands alone.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from flint import arb, fmpq, nmod

from gops_exact.game.order_types import Layer
from gops_exact.game.turns import Node, Outcome, Stake, Turn

Entry = TypeVar("Entry", float, arb, nmod, fmpq)

Places = list[list[int]]
"""Shape (m, n): where the entries of a game stand in a table; interchangeable bids left out."""


class EnclosedSlab(Protocol):
    """The values of one node as balls, and their midpoints rounded; both of length H."""

    @property
    def balls(self) -> list[arb]:
        """The values as balls."""

    @property
    def floats(self) -> list[float]:
        """The values as floats."""


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

    The list has three blocks, for a tie, a round won and a round lost. Each holds the payoffs of the
    references 0, 1, …, H, −H, …, −1.

    Args:
        turn: the games.
        width: the length of a block, 2H + 1.
        values: returns the values of a node, length H.
        zero: the zero of the number system.

    >>> from gops_exact.game.turns import turns
    >>> from gops_exact.game.rules import Rules
    >>> (_, turn) = turns(Rules(), Node((2, 5)))
    >>> payoff_table(turn, 3, lambda node: [0.25], 0.0)
    [0.0, 0.25, -0.25, 5.0, 5.25, 4.75, -5.0, -4.75, -5.25]
    """
    tables = [_stake_table(stake, width, values, zero) for stake in turn.stakes]
    if len(tables) == 1:
        return tables[0]
    times = [stake.times for stake in turn.stakes]
    return [average(entries, times) for entries in zip(*tables, strict=True)]


def _stake_table(
    stake: Stake, width: int, values: Callable[[Node], Sequence[Entry]], zero: Entry
) -> list[Entry]:
    table: list[Entry] = []
    for outcome in stake.outcomes:
        table += _block(outcome, width, values, zero)
    return table


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
