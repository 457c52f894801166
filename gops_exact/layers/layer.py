"""Float values by layers: all slabs of one size as one array, in memory or in a mapped file.

A pair of hands has a line, so that its games lie side by side, and a prize set and state a column. The
states of a prize set are kept as a box without gaps. With S the sum of the prizes left, G that of the
points that are gone, and M the margin to begin with, they are, pot by pot,

    pot = 0 … G  (only 0 where ties are discarded),
    margin = −r … r,  r = min(S + pot, |M| + G − pot)  (only 0 where points are played for).

A margin beyond S + pot is decided, one beyond |M| + G − pot cannot occur. A few states in the box are
never reached: computing their values costs little. Once no prize is left every margin but 0 is
decided.

Values are floats, or 32-bit integers times a unit, which take half the memory.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.cards import without
from gops_exact.game.position import Position
from gops_exact.game.rules import LEVEL, Draw, Prizes, Rules, State


@dataclass(frozen=True)
class Columns:
    """The columns of one layer, of a whole game or of what a position leads to.

    Attributes:
        rules: the rules.
        deck: all prizes to begin with, arranged. They may repeat.
        size: the number of prizes left, k.
        margin: the largest margin to begin with, in absolute value: M; 0 where points are played for.
        gone: points to begin with that are in no prize of the deck but may be in the pot.

    >>> columns = Columns(Rules("win"), (1, 2, 3), 2)
    >>> columns.sets, columns.first
    (((1, 2), (1, 3), (2, 3)), (0, 7, 12, 15))
    >>> columns.column((1, 3), State(2))
    11
    """

    rules: Rules
    deck: Prizes
    size: int
    margin: int = 0
    gone: int = 0

    def at(self, size: int) -> "Columns":
        """Return the columns of the layer with so many prizes left."""
        return replace(self, size=size)

    @property
    def points(self) -> int:
        """All points that there are to be won."""
        return sum(self.deck) + self.gone

    @cached_property
    def sets(self) -> tuple[Prizes, ...]:
        """The prize sets, in lexicographic order; one where the order of prizes is known."""
        if self.rules.fixed:
            return (self.deck[len(self.deck) - self.size :],)
        return tuple(dict.fromkeys(combinations(self.deck, self.size)))

    @cached_property
    def place(self) -> dict[Prizes, int]:
        """The number of each prize set."""
        return {prizes: q for q, prizes in enumerate(self.sets)}

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first column of each prize set, and their number last."""
        return tuple(accumulate((self.states(sum(prizes)) for prizes in self.sets), initial=0))

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.first[-1]

    @property
    def games(self) -> int:
        """The number of games of a pair of hands.

        >>> Columns(Rules(), (1, 2, 3), 2).games, Columns(Rules("win"), (1, 2, 3), 2).games
        (6, 30)
        """
        return self.width * (self.size if self.rules.prizes == "random" else 1)

    def draws(self, prizes: Prizes) -> list[Draw]:
        """List the prizes that may be turned up next, each of several equal ones by itself."""
        return [draw for draw in self.rules.draws(prizes) for _ in range(draw.times)]

    def pots(self, prizes: Prizes) -> range:
        """Return the pots there can be."""
        return range(self._gone(prizes) + 1 if self.rules.carries else 1)

    def radius(self, prizes: Prizes, pot: int) -> int:
        """Return the largest margin kept."""
        if not self.rules.winning or not prizes:
            return 0
        return min(sum(prizes) + pot, self.margin + self._gone(prizes) - pot)

    def column(self, prizes: Prizes, state: State = LEVEL) -> int:
        """Return the column of the values of a state.

        Raises:
            KeyError: if it is decided, or not of these rules.
        """
        if state.pot not in self.pots(prizes):
            raise KeyError(state)
        radius = self.radius(prizes, state.pot)
        if abs(state.margin) > radius:
            raise KeyError(state)
        before = self._states(sum(prizes), state.pot)
        return self.first[self.place[prizes]] + before + radius + state.margin

    def _gone(self, prizes: Prizes) -> int:
        """Return the points that are gone: G."""
        return self.points - sum(prizes)

    def states(self, left: int) -> int:
        """Count the states of a prize set with the sum `left`."""
        return self._states(left, self.points - left + 1 if self.rules.carries else 1)

    def _states(self, left: int, pots: int) -> int:
        """Count the states of a prize set with the sum `left` and pots below `pots`."""
        if not self.rules.winning or not left:
            return pots
        far = self.margin + self.points - left
        # Up to some pot the radius is left + pot, from there on far − pot.
        rising = min(max((far - left) // 2 + 1, 0), pots)
        falling = pots - rising
        radii = rising * left + rising * (rising - 1) // 2
        radii += falling * far - (pots * (pots - 1) - rising * (rising - 1)) // 2
        return 2 * radii + pots


def columns_below(position: Position) -> Columns:
    """Return the columns of the layer below a position: of what can follow a round.

    With a prize turned up, it is gone.

    >>> columns = columns_below(
    ...     Position([1, 2, 4], [2, 3, 4], [5, 6, 6], rules=Rules("win"), margin=-3)
    ... )
    >>> columns.sets, columns.margin, columns.gone
    (((5, 6), (6, 6)), 3, 0)
    """
    rules, prizes = position.rules, position.prizes
    margin, size = abs(position.margin), position.size - 1
    if position.upcard is None:
        return Columns(rules, prizes, size, margin, position.pot)
    gone = position.upcard + position.pot
    return Columns(rules, without(prizes, position.upcard), size, margin, gone)


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Stored = NDArray[np.float64] | NDArray[np.int32]

COUNTS = 5
"""Counters a task returns, in the order of :mod:`~gops_exact.layers.kernels.settle`."""

NARROW = 2.0**-45
"""Width at which a game counts as settled, as a share of the largest payoff. Most brackets are 10⁻¹⁵
wide. Bounds are computed from the true widths: this constant affects the time and how narrow they are, not
whether they hold."""

FIXED = 2.0**-30
"""The unit of values kept as integers, which lie from −1 to 1."""


class Done(NamedTuple):
    """The result of a task, besides the values that it wrote.

    Attributes:
        start: first pair of hands.
        stop: past the last one.
        half_widths: for each prize set the largest half width of a value.
        counts: length :data:`COUNTS`.
        digest: the checksum, if another process wrote the lines; else None.
    """

    start: int
    stop: int
    half_widths: Floats
    counts: Ints
    digest: bytes | None = None


@dataclass(frozen=True, eq=False)
class FloatLayer:
    """The values of every pair of hands, prize set and state of one size, each with its bound.

    Attributes:
        columns: the prize set and state of each column.
        values: shape (H, W), a line per pair of hands; in points, or in wins less losses, times
            `unit`.
        bounds: length C(N, k); no value for that prize set is off by more.
        counts: length :data:`COUNTS`; the counters of :mod:`~gops_exact.layers.kernels.settle`,
            summed over this layer and those below it.
        greatest: the largest absolute value.
        seal: the checksum of the layer's files; empty if it has none.
    """

    columns: Columns
    values: Stored
    bounds: Floats
    counts: Ints
    greatest: float
    seal: bytes = b""

    @property
    def size(self) -> int:
        """Cards a side, k."""
        return self.columns.size

    @property
    def sets(self) -> tuple[Prizes, ...]:
        """The prize sets, in lexicographic order."""
        return self.columns.sets

    @property
    def unit(self) -> float:
        """The value that a stored 1 stands for."""
        return unit_of(self.values)

    def slab(self, prizes: Prizes, state: State = LEVEL) -> Floats:
        """Return the values of one prize set and state, length H.

        Raises:
            KeyError: if there are none: the state is decided, or not of these rules.
        """
        line = self.values[:, self.columns.column(prizes, state)]
        return line.astype(np.float64) * self.unit

    def bound(self, prizes: Prizes) -> float:
        """Return the bound of one prize set."""
        return float(self.bounds[self.columns.place[prizes]])


def unit_of(values: Stored) -> float:
    """Return the value that a stored 1 stands for: 1, or :data:`FIXED` in integers."""
    return FIXED if values.dtype == np.int32 else 1.0
