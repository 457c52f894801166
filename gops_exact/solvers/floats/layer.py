"""Float values by layers: all slabs of one size as one array, in memory or in a mapped file.

A pair of hands has a line, so that its games lie side by side, and a prize set and state a column. The
states of a prize set are kept as a box without gaps. With S the sum of the prizes left, G that of the
points that are gone, and M the margin to begin with, they are, pot by pot,

    pot = 0 … G  (only 0 where ties are discarded),
    margin = −r … r,  r = min(S + pot, |M| + G − pot)  (only 0 where points are played for).

A margin beyond S + pot is decided, one beyond |M| + G − pot cannot occur. A few states in the box are
never reached: computing their values costs little. Once no prize is left every margin but 0 is
decided. Where most of a box is never reached, as prizes are large or far apart, the states that are
reached are listed instead (:class:`ReachedColumns`).

Values are floats, or 32-bit integers times a unit, which take half the memory.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate, combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.game import Game, Node, Position
from gops_exact.game.order_types import pairs_kept
from gops_exact.game.rules import EVERY_WINNER, LEVEL, Draw, Prizes, Rules, State, without


@dataclass(frozen=True)
class Columns:
    """The columns of one layer, of a whole game or of what a position leads to.

    >>> columns = Columns(Rules("win"), (1, 2, 3), 2)
    >>> columns.sets, columns.first
    (((1, 2), (1, 3), (2, 3)), (0, 7, 12, 15))
    >>> columns.column((1, 3), State(2))
    11
    """

    rules: Rules
    deck: Prizes  # all prizes to begin with, arranged; they may repeat
    size: int  # the number of prizes left, k
    margin: int = 0  # the largest to begin with, in absolute value, M; for points 0
    gone: int = 0  # points to begin with that are in no prize of the deck but may be in the pot

    def at(self, size: int) -> "Columns":
        """Return the columns of the layer with so many prizes left."""
        return replace(self, size=size)

    @cached_property
    def below(self) -> "Columns":
        """The columns of the layer below."""
        return self.at(self.size - 1)

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
    def index(self) -> dict[Prizes, int]:
        """The index of each prize set in :attr:`sets`."""
        return {prizes: q for q, prizes in enumerate(self.sets)}

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first column of each prize set, and their number last."""
        counts = (sum(count for _, count in self.stretches(prizes)) for prizes in self.sets)
        return tuple(accumulate(counts, initial=0))

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.first[-1]

    @property
    def games(self) -> int:
        """The number of games of a pair of hands."""
        return self.width * (self.size if self.rules.prizes == "random" else 1)

    def draws(self, prizes: Prizes) -> list[Draw]:
        """List the prizes that may be turned up next; equal prizes are listed one by one."""
        return [draw for draw in self.rules.draws(prizes) for _ in range(draw.times)]

    def pots(self, left: int) -> int:
        """Count the possible pots, 0, 1, …, where the prizes left have the sum `left`."""
        return self.points - left + 1 if self.rules.carries else 1

    def radius(self, prizes: Prizes, pot: int) -> int:
        """Return the largest margin kept."""
        if not self.rules.winning or not prizes:
            return 0
        return min(sum(prizes) + pot, self.margin + self.points - sum(prizes) - pot)

    def column(self, prizes: Prizes, state: State = LEVEL) -> int:
        """Return the column of the values of a state; a KeyError if it is decided, or not of these rules."""
        left, radius = sum(prizes), self.radius(prizes, state.pot)
        if not 0 <= state.pot < self.pots(left) or abs(state.margin) > radius:
            raise KeyError(state)
        before = self.states(len(prizes), left, state.pot)
        return self.first[self.index[prizes]] + before + radius + state.margin

    def stretches(self, prizes: Prizes) -> list[tuple[State, int]]:
        """List the states of a prize set by column, as runs of neighbours: (first state, length).

        The states of a run differ in their margins where the game is played to win, else in their pots.
        """
        pots = self.pots(sum(prizes))
        if not self.rules.winning:
            return [(LEVEL, pots)]
        radii = [(pot, self.radius(prizes, pot)) for pot in range(pots)]
        return [(State(-radius, pot), 2 * radius + 1) for pot, radius in radii]

    def nodes(self) -> Iterator[Node]:
        """Yield the prize set and state of each column."""
        for prizes in self.sets:
            for first, count in self.stretches(prizes):
                for step in range(count):
                    margin, pot = (step, 0) if self.rules.winning else (0, step)
                    yield Node(prizes, State(first.margin + margin, first.pot + pot))

    def widths(self) -> list[int]:
        """Count the columns of the layers of 0 … `size` cards, without listing any."""
        deck, sizes = self.deck, range(self.size + 1)
        if self.rules.fixed:
            return [self.states(k, sum(deck[len(deck) - k :])) for k in sizes]
        # sets[k][s]: how many sets of k prizes have the sum s.
        sets = [Counter({0: 1}), *(Counter[int]() for _ in sizes[1:])]
        for prize, times in Counter(deck).items():
            for k in reversed(sizes):
                for more in range(1, min(times, k) + 1):
                    for total, count in sets[k - more].items():
                        sets[k][total + more * prize] += count
        return [
            sum(count * self.states(k, total) for total, count in sums.items())
            for k, sums in enumerate(sets)
        ]

    def states(self, size: int, left: int, pots: int | None = None) -> int:
        """Count the states of `size` prizes with the sum `left`; with `pots`, only those with smaller pots."""
        if pots is None:
            pots = self.pots(left)
        if not self.rules.winning or not size:
            return pots
        far = self.margin + self.points - left
        # Up to some pot the radius is left + pot, from there on far − pot.
        rising = min(max((far - left) // 2 + 1, 0), pots)
        falling = pots - rising
        radii = rising * left + rising * (rising - 1) // 2
        radii += falling * far - (pots * (pots - 1) - rising * (rising - 1)) // 2
        return 2 * radii + pots


FEWER = 8
"""Reachable states are listed where the boxes hold more than this factor times as many. Listing takes longer:
with seven cards to win, prizes up to 100 and a sixth of the states 0.75 s, the boxes 0.2 s."""


def layer_values(game: Game) -> list[int]:
    """Count the values of the layers of 0 … n − 1 cards of a game."""
    widths = columns_below(game).widths()
    return [pairs_kept(game.n, k, game.rules) * width for k, width in enumerate(widths)]


def layer_games(game: Game) -> list[int]:
    """Count the matrix games of the layers of 0 … n − 1 cards of a game.

    >>> layer_games(Game(4))
    [0, 4, 72, 72]
    """
    draws = [k if game.rules.prizes == "random" else 1 for k in range(1, game.n)]
    return [0, *(d * count for d, count in zip(draws, layer_values(game)[1:], strict=True))]


@dataclass(frozen=True)
class ReachedColumns(Columns):
    """The columns of one layer below a position, with only those states that can be reached.

    >>> columns = ReachedColumns(Rules("win"), (10, 20, 40), 1, starts=(State(),))
    >>> columns.sets, columns.first
    (((10,), (20,), (40,)), (0, 1, 4, 11))
    >>> columns.column((40,), State(-10))
    6
    """

    #: Undecided states to begin with, each as both players see it.
    starts: tuple[State, ...] = ()

    @cached_property
    def _states_of(self) -> dict[Prizes, list[State]]:
        """The states of each prize set of this layer that has any."""
        if not self.size:
            return {(): [LEVEL]}
        reached = _reached(self.rules, self.deck, self.starts)
        listed = sorted((prizes, states) for prizes, states in reached.items() if states)
        return {prizes: states for prizes, states in listed if len(prizes) == self.size}

    @cached_property
    def sets(self) -> tuple[Prizes, ...]:
        """The prize sets with states that are not decided."""
        return tuple(self._states_of)

    @cached_property
    def _columns(self) -> dict[Node, int]:
        return {node: column for column, node in enumerate(self.nodes())}

    def column(self, prizes: Prizes, state: State = LEVEL) -> int:
        """Return the column of the values of a state, with a KeyError if there are none."""
        return self._columns[Node(prizes, state)] if prizes else 0

    def stretches(self, prizes: Prizes) -> list[tuple[State, int]]:
        """List the states of a prize set, each by itself."""
        return [(state, 1) for state in self._states_of[prizes]]

    def widths(self) -> list[int]:
        """Bound the columns of the layers of 0 … `size` cards, without listing any."""
        # A prize that is gone was won by either player, or tied, and so was a pot. Where points are
        # played for, a state tells only which prizes are in the pot.
        size = len(self.deck)
        choices = 3 if self.rules.winning else 2 if self.rules.carries else 1
        pots = 2 if any(state.pot for state in self.starts) else 1
        most = len(self.starts) * pots
        sets = [1 if self.rules.fixed else comb(size, k) for k in range(self.size + 1)]
        return [1, *(sets[k] * most * choices ** (size - k) for k in range(1, self.size + 1))]


_reached = lru_cache(maxsize=1)(Rules.states)  # the states of all layers, once for all of them


def columns_below(problem: Game | Position) -> Columns:
    """Return the columns of the layer that a round leads to from a position, or from the start of a game.

    The columns are boxes; where boxes of a position are larger by :data:`FEWER`, the states that can be reached.

    >>> rules, prizes = Rules("win"), [5, 6, 6]
    >>> columns = columns_below(Position([1, 2, 4], [2, 3, 4], prizes, rules=rules, margin=-3))
    >>> columns.sets, columns.width
    (((5, 6), (6, 6)), 36)
    >>> columns_below(Game(3, rules))
    Columns(rules=Rules(objective='win', ties='discard', prizes='random'), deck=(1, 2, 3), size=2, margin=0, gone=0)
    """
    if isinstance(problem, Game):
        return Columns(problem.rules, problem.prizes, problem.n - 1)
    position, rules, size = problem, problem.rules, problem.size - 1
    upcard, state = position.upcard, position.state
    if upcard is None:
        deck, gone, after = position.prizes, position.pot, {state}
    else:  # it is gone
        deck, gone = without(position.prizes, upcard), upcard + position.pot
        after = {rules.after(state, upcard, winner) for winner in EVERY_WINNER}
    starts = {start for own in after for start in (own, own.swapped())}
    undecided = sorted(start for start in starts if rules.decided(deck, start) is None)
    boxes = Columns(rules, deck, size, abs(position.margin), gone)
    reached = ReachedColumns(rules, deck, size, abs(position.margin), gone, tuple(undecided))
    return reached if FEWER * sum(reached.widths()) < sum(boxes.widths()) else boxes


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Stored = NDArray[np.float64] | NDArray[np.int32]

COUNTS = 5
"""Counters a task returns, in the order of :mod:`~gops_exact.solvers.floats.kernels.settle`."""

NARROW = 2.0**-45
"""Width at which a game counts as settled, as a share of the largest payoff. Most brackets are 10⁻¹⁵
wide. Bounds are computed from the true widths: this constant affects the time and how narrow they are, not
whether they hold."""

FIXED = 2.0**-30
"""The unit of values kept as integers, which lie from −1 to 1."""


class Done(NamedTuple):
    """The result of a task, besides the values that it wrote."""

    start: int  # first pair of hands
    stop: int  # past the last one
    half_widths: Floats  # for each prize set the largest half width of a value
    counts: Ints  # length COUNTS
    digest: bytes | None = None  # the checksum, if another process wrote the lines


@dataclass(frozen=True, eq=False)
class FloatLayer:
    """The values of every pair of hands, prize set and state of one size, each with its bound."""

    columns: Columns  # the prize set and state of each column
    values: Stored  # shape (H, W), a line per pair; in points, or in wins less losses; integers are times FIXED
    bounds: Floats  # length C(N, k); no value for that prize set is off by more
    counts: Ints  # length COUNTS, summed over this layer and those below it
    greatest: float  # the largest absolute value
    seal: bytes = b""  # the checksum of the layer's files, if it has any

    @property
    def size(self) -> int:
        """Cards a side, k."""
        return self.columns.size

    def slab(
        self, prizes: Prizes, state: State = LEVEL, lines: slice | NDArray[np.int32] = slice(None)
    ) -> Floats:
        """Return the values of one prize set and state, by default for all pairs of hands, length H.

        Raises:
            KeyError: if the layer has no such column: the state is decided, or not of these rules.
        """
        stored = self.values[lines, self.columns.column(prizes, state)]
        return stored.astype(np.float64) * unit_of(self.values)

    def bound(self, prizes: Prizes) -> float:
        """Return the bound of one prize set; 0 if all that can be reached with it is decided."""
        index = self.columns.index.get(prizes)
        return 0.0 if index is None else float(self.bounds[index])


def no_cards(columns: Columns, *, integers: bool = False) -> FloatLayer:
    """Return the layer of 0 cards a side: one pair of hands, and all values 0."""
    kind = np.int32 if integers else np.float64
    nothing, counts = np.zeros((1, columns.width), kind), np.zeros(COUNTS, dtype=np.int64)
    return FloatLayer(columns, nothing, np.zeros(len(columns.sets)), counts, 0.0)


def unit_of(values: Stored) -> float:
    """Return the value that a stored 1 stands for: 1, or :data:`FIXED` in integers."""
    return FIXED if values.dtype == np.int32 else 1.0
