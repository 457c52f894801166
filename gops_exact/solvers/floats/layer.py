"""Layers of float values: the values of all positions with k cards a side, in memory or in a mapped file.

Words used here:

* A *layer* has the values of all positions with the same number of cards a side. It is an array with a line for each
  pair of hands, and a column for each prize set and state.
* A *prize set* is the set of the prizes left.
* A *state* is the margin and the pot. The *margin* is player one's points minus player two's; it is always 0 if the
  objective is points. The *pot* is the sum of the prizes carried over from ties. A state is *decided* if no later round
  can change the value of the game.
* The *box* of a prize set is a set of states, described below, that includes all undecided states that can occur while
  these prizes are left.
* The *upcard* is the prize turned up in a round.

Let S be the sum of the prizes left, G the sum of all other points, which are won or in the pot, and M the absolute
margin at the start of the game or position to solve. The box has the states with these pots and, for each pot, these
margins:

    pot = 0 … G  (only 0 if ties are discarded),
    margin = −r … r  with r = min(S + pot, M + G − pot)  (only 0 if the objective is points).

A margin beyond S + pot decides the game, and a margin beyond M + G − pot cannot occur. Once no prize is left, every
margin but 0 decides the game, so r is 0. Not all states in the box can be reached, but columns for all of them take
less time than a list of the reachable ones. Exceptions are positions whose prizes are large or far apart: if far fewer
states can be reached than the box has, only the reachable ones have columns (:func:`columns_below`).

Values are stored as floats, or as 32-bit integers in units of 2⁻³⁰, which take half the memory.
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

from gops_exact.game.game import Game, Position, PrizeState
from gops_exact.game.order_types import Masks, pairs_kept
from gops_exact.game.rules import EVERY_WINNER, LEVEL, Draw, Prizes, Rules, State, without


@dataclass(frozen=True)
class Columns:
    """The columns of a layer of k = `size` cards a side.

    A column stands for a prize set and a state (margin and pot): it has the value of each pair of hands with these
    prizes left, in this state. In the first example the prize sets (1, 2), (1, 3) and (2, 3) have 7, 5 and 3 columns.
    In the comments on the attributes, "the start" is the start of the game to solve, or the position to solve.

    >>> columns = Columns(Rules("win"), (1, 2, 3), 2)
    >>> columns.sets, columns.first
    (((1, 2), (1, 3), (2, 3)), (0, 7, 12, 15))
    >>> columns.column((1, 3), State(2))
    11
    >>> reached = Columns(Rules("win"), (10, 20, 40), 1, starts=(State(),))
    >>> reached.first, reached.column((40,), State(-10))
    ((0, 1, 4, 11), 6)
    """

    rules: Rules
    deck: Prizes  # all prizes at the start but the upcard, arranged; they may repeat
    size: int  # the number of prizes left, k
    margin: int = 0  # the absolute margin at the start, M; 0 if the objective is points
    gone: int = 0  # points of the upcard and the pot at the start, which are not in the deck
    # None if every state of the boxes (described at the top of the module) has a column. Otherwise the undecided states
    # that are possible while the whole deck is left, and the same states with the players swapped; then only the states
    # that can be reached from these have columns.
    starts: tuple[State, ...] | None = None

    def at(self, size: int) -> "Columns":
        """Return the columns of the layer with `size` prizes left."""
        return replace(self, size=size)

    @cached_property
    def below(self) -> "Columns":
        """The columns of the layer below, which has one card less a side."""
        return self.at(self.size - 1)

    @property
    def points(self) -> int:
        """The sum of all points that can be won in the game or position to solve.

        These are the prizes in the deck and, in a position, its upcard and its pot.
        """
        return sum(self.deck) + self.gone

    @cached_property
    def sets(self) -> tuple[Prizes, ...]:
        """The prize sets that have columns, in lexicographic order; at most one if the order of the prizes is known."""
        if self.starts is not None:
            return tuple(self._reached)
        if self.rules.fixed:
            return (self.deck[len(self.deck) - self.size :],)
        return tuple(dict.fromkeys(combinations(self.deck, self.size)))

    @cached_property
    def index(self) -> dict[Prizes, int]:
        """The index of each prize set in :attr:`sets`."""
        return {prizes: q for q, prizes in enumerate(self.sets)}

    @cached_property
    def _reached(self) -> dict[Prizes, dict[State, int]]:
        # {prize set: {state that can be reached from `starts`: its number among these, from 0 on}}
        if not self.size:
            return {(): {LEVEL: 0}}
        states = _states_from(self.rules, self.deck, self.starts)
        sets = sorted(prizes for prizes in states if states[prizes] and len(prizes) == self.size)
        return {prizes: {state: i for i, state in enumerate(states[prizes])} for prizes in sets}

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The index of the first column of each prize set, and at the end the number of all columns."""
        counts = (sum(count for _, count in self.stretches(prizes)) for prizes in self.sets)
        return tuple(accumulate(counts, initial=0))

    @property
    def width(self) -> int:
        """The number of columns of all prize sets together."""
        return self.first[-1]

    @property
    def games(self) -> int:
        """The number of matrix games of each pair of hands, in a layer of at least 1 card a side.

        If prizes are turned up in random order, each column has as many games as prizes are left; otherwise it has one.
        """
        return self.width * (self.size if self.rules.prizes == "random" else 1)

    def draws(self, prizes: Prizes) -> list[Draw]:
        """List the draws that may come next, one for each prize that the next round may be played for.

        Each of several equal prizes has a draw. If the order of the prizes is known, only the first prize has one.
        """
        return [draw for draw in self.rules.draws(prizes) for _ in range(draw.times)]

    def pots(self, left: int) -> int:
        """Return the number of possible pots, which are 0, 1, 2, …, while prizes with the sum `left` remain."""
        return self.points - left + 1 if self.rules.carries else 1

    def radius(self, prizes: Prizes, pot: int) -> int:
        """Return r, the largest absolute margin that has columns for a prize set and pot.

        The docstring of the module has the formula.
        """
        if not self.rules.winning or not prizes:
            return 0
        return min(sum(prizes) + pot, self.margin + self.points - sum(prizes) - pot)

    def column(self, prizes: Prizes, state: State = LEVEL) -> int:
        """Return the index of the column that holds the values of a prize set and state.

        Raises:
            KeyError: if the prize set and the state have no column, because the state is decided or cannot occur with
                these prizes, or because the layer does not have the prize set.
        """
        if self.starts is not None:  # if no prize is left, all states share one column
            return self.first[self.index[prizes]] + self._reached[prizes][state] if prizes else 0
        left, radius = sum(prizes), self.radius(prizes, state.pot)
        if not 0 <= state.pot < self.pots(left) or abs(state.margin) > radius:
            raise KeyError(state)
        before = self.states(len(prizes), left, state.pot)
        return self.first[self.index[prizes]] + before + radius + state.margin

    def stretches(self, prizes: Prizes) -> list[tuple[State, int]]:
        """List the states of a prize set in the order of their columns, as runs: pairs (first state, number of states).

        The method :meth:`along` returns the other states of a run. If only the reachable states have columns, each run
        has one state.
        """
        if self.starts is not None:
            return [(state, 1) for state in self._reached[prizes]]
        pots = self.pots(sum(prizes))
        if not self.rules.winning:
            return [(LEVEL, pots)]
        radii = [(pot, self.radius(prizes, pot)) for pot in range(pots)]
        return [(State(-radius, pot), 2 * radius + 1) for pot, radius in radii]

    def along(self, first: State, step: int) -> State:
        """Return the state whose column is `step` columns after that of the state `first`.

        Both states must be in the same run, a sequence of states in neighbouring columns. From one state of a run to
        the next, the margin grows by 1 if the objective is to win; otherwise the pot grows by 1.
        """
        margin, pot = (step, 0) if self.rules.winning else (0, step)
        return State(first.margin + margin, first.pot + pot)

    def prize_states(self) -> Iterator[PrizeState]:
        """Yield the prize set and state of each column."""
        for prizes in self.sets:
            for first, count in self.stretches(prizes):
                for step in range(count):
                    yield PrizeState(prizes, self.along(first, step))

    def widths(self) -> list[int]:
        """Return the numbers of columns of the layers of 0, 1, …, `size` cards, without listing states.

        If only the reachable states have columns, the numbers are upper bounds.
        """
        deck, sizes = self.deck, range(self.size + 1)
        if self.starts is not None:
            # A state depends on what happened to each prize that is no longer left, so there are at most
            # choices ** (number of these prizes) states for each start and prize set. If the objective is to win, a
            # prize has 3 choices: won by player one, won by player two, or tied. For points, the state depends only on
            # whether the prize is in the pot: 2 choices if ties are carried over, else 1. A pot at the start, which
            # is won or carried over, at most doubles the number of states.
            choices = 3 if self.rules.winning else 2 if self.rules.carries else 1
            most = len(self.starts) * (2 if any(state.pot for state in self.starts) else 1)
            sets = [1 if self.rules.fixed else comb(len(deck), k) for k in sizes]
            return [1, *(sets[k] * most * choices ** (len(deck) - k) for k in sizes[1:])]
        if self.rules.fixed:
            return [self.states(k, sum(deck[len(deck) - k :])) for k in sizes]
        # sums[k][s] is the number of sets of k prizes with the sum s, among the prizes counted so far.
        sums = [Counter({0: 1}), *(Counter[int]() for _ in sizes[1:])]
        for prize, times in Counter(deck).items():
            for k in reversed(sizes):  # larger sets first, so that no prize is added twice
                for more in range(1, min(times, k) + 1):
                    for total, count in sums[k - more].items():
                        sums[k][total + more * prize] += count
        return [
            sum(times * self.states(k, total) for total, times in sums[k].items()) for k in sizes
        ]

    def states(self, size: int, left: int, pots: int | None = None) -> int:
        """Count the states of a prize set, each a margin and a pot, with the pots 0 … `pots` − 1.

        All states of the box count, whether or not they can be reached; the top of the module defines the box.

        Args:
            size: the number of prizes in the set.
            left: the sum of the prizes in the set.
            pots: the number of pots; None for all possible pots.
        """
        if pots is None:
            pots = self.pots(left)
        if not self.rules.winning or not size:
            return pots
        far = self.margin + self.points - left
        # A pot has 2 · radius + 1 states, one for each margin from −radius to radius, and the radius of a pot is
        # min(left + pot, far − pot). The minimum is left + pot for the first `rising` pots, and far − pot for the
        # other, `falling` ones. `radii` is the sum of the radii of all pots.
        rising = min(max((far - left) // 2 + 1, 0), pots)
        falling = pots - rising
        radii = rising * left + rising * (rising - 1) // 2
        radii += falling * far - (pots * (pots - 1) - rising * (rising - 1)) // 2
        return 2 * radii + pots


FEWER = 8
"""The greatest ratio of columns with which all states in the boxes (described at the top of the module) have columns.
The ratio is the number of these states divided by a bound on the number of states that a position can lead to. Above
the limit only the latter have columns: there are so few of them that listing them is worth its time. For 7 cards to win
and prizes up to 100 the ratio is 6, and the run takes 0.2 s with boxes, but 0.75 s with reachable states only."""


def layer_counts(problem: Game | Position) -> tuple[list[int], list[int], list[int]]:
    """Count the pairs of hands, the values and the matrix games of the layers below a game or a position.

    Each of the three counts is a list; entry k is for the layer of k cards a side. Below a position, which must have at
    least 1 card a side, the counts are upper bounds.

    >>> layer_counts(Game(4))
    ([0, 1, 6, 6], [0, 4, 36, 24], [0, 4, 72, 72])
    """
    rules = problem.rules
    if isinstance(problem, Game):
        pairs = [pairs_kept(problem.n, k, rules) for k in range(problem.n)]
    else:
        cards, longest = problem.size, len({*problem.one, *problem.two})
        pairs = [min(comb(cards, k) ** 2, pairs_kept(longest, k, rules)) for k in range(cards)]
    widths = columns_below(problem).widths()
    values = [count * width for count, width in zip(pairs, widths, strict=True)]
    at_random = rules.prizes == "random"
    games = [0, *(values[k] * (k if at_random else 1) for k in range(1, len(values)))]
    return pairs, values, games


_states_from = lru_cache(maxsize=1)(Rules.states)  # all layers of a run need the same result


def columns_below(problem: Game | Position) -> Columns:
    """Return the columns of the layer with one card a side less than a game or a position has.

    A column stands for a prize set (the prizes left) and a state (margin and pot). The *box* of a prize set, described
    at the top of the module, has all undecided states that can occur while these prizes are left. For a game, every
    state of the boxes has a column. For a position, the function computes an upper bound on the number of states that
    can follow from it. If the boxes have more than :data:`FEWER` times as many states as this bound, only the states
    that can follow have columns.

    >>> rules, prizes = Rules("win"), [5, 6, 6]
    >>> columns = columns_below(Position([1, 2, 4], [2, 3, 4], prizes, rules=rules, margin=-3))
    >>> columns.sets, columns.width
    (((5, 6), (6, 6)), 36)
    >>> columns_below(Game(3, rules))
    Columns(rules=Rules(objective='win', ties='discard', prizes='random'), deck=(1, 2, 3), size=2, margin=0, gone=0, starts=None)
    """
    if isinstance(problem, Game):
        return Columns(problem.rules, problem.prizes, problem.n - 1)
    position, rules, size = problem, problem.rules, problem.size - 1
    upcard, state = position.upcard, position.state
    if upcard is None:
        deck, gone, after = position.prizes, position.pot, {state}
    else:  # the upcard is not in the deck
        deck, gone = without(position.prizes, upcard), upcard + position.pot
        after = {rules.after(state, upcard, winner) for winner in EVERY_WINNER}
    starts = {start for own in after for start in (own, own.swapped())}
    undecided = sorted(start for start in starts if rules.decided(deck, start) is None)
    boxes = Columns(rules, deck, size, abs(position.margin), gone)
    reached = replace(boxes, starts=tuple(undecided))
    return reached if FEWER * sum(reached.widths()) < sum(boxes.widths()) else boxes


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Stored = NDArray[np.float64] | NDArray[np.int32]

COUNTS = 5
"""The number of counters of solved games and pivots; :mod:`~gops_exact.solvers.floats.kernels.single` names them."""

NARROW = 2.0**-45
"""The width, divided by the largest payoff, up to which the proved interval around a game's value counts as narrow. A
game with a wider interval is solved again by another method. Most intervals are about 10⁻¹⁵ wide. No proof depends on
this constant, because error bounds are computed from the actual widths."""

FIXED = 2.0**-30
"""The unit of values that are stored as integers: the integer i stands for the value i · 2⁻³⁰. Only games with the
objective win are stored in this way. Their values lie between −1 and 1, so the integers fit in 32 bits."""


class Done(NamedTuple):
    """A record of a finished task: solving all games of some neighbouring pairs of hands of a layer.

    The task writes the values of these pairs to the array of the layer, so they are not in this record.
    """

    start: int  # the index of the first pair of hands
    stop: int  # one more than the index of the last pair of hands
    counts: Ints  # length COUNTS; the counters of the task
    half_widths: Floats  # for each prize set, the largest half width of the interval of a value


@dataclass(frozen=True, eq=False)
class FloatLayer:
    """The values of all positions with the same number of cards a side, with bounds on their errors."""

    columns: Columns  # the prize set and state of each column
    keys: Masks  # length H; the sort keys of the pairs of hands, as in `Layer.keys` of gops_exact.game.order_types
    # Shape (H pairs of hands, W columns). Floats are player one's expectation: points won minus lost or, if the
    # objective is to win, the probability of a win minus that of a loss. Integers are this number divided by FIXED.
    values: Stored
    bounds: Floats  # for each prize set of `columns`, a bound on the errors of its values; never in units of FIXED
    counts: Ints  # length COUNTS; the counters, summed over this layer and all layers below
    greatest: float  # the largest absolute value in the layer, as a float
    seal: bytes = b""  # the checksum of the layer's files; empty if it has none

    @property
    def size(self) -> int:
        """The number of cards a side, k."""
        return self.columns.size

    def values_of(
        self, prizes: Prizes, state: State = LEVEL, lines: slice | NDArray[np.int32] = slice(None)
    ) -> Floats:
        """Return the values of one prize set and state as floats.

        Args:
            prizes: the prizes left.
            state: the margin and the pot.
            lines: the indices of the pairs of hands; by default all H pairs.

        Raises:
            KeyError: if the prize set and the state have no column (see :meth:`Columns.column`).
        """
        stored = self.values[lines, self.columns.column(prizes, state)]
        return stored.astype(np.float64) * unit_of(self.values)

    def bound(self, prizes: Prizes) -> float:
        """Return the bound on the errors of all values of a prize set.

        The bound is 0 if no state with these prizes left has a column in the layer, because each is decided or cannot
        occur.
        """
        index = self.columns.index.get(prizes)
        return 0.0 if index is None else float(self.bounds[index])


def no_cards(columns: Columns, *, integers: bool = False) -> FloatLayer:
    """Return the layer of 0 cards a side: one pair of hands, both of them empty, and all values 0.

    Args:
        columns: the columns of this layer; their attribute `size` is 0.
        integers: True to store values as 32-bit integers.
    """
    kind = np.int32 if integers else np.float64
    nothing, counts = np.zeros((1, columns.width), kind), np.zeros(COUNTS, dtype=np.int64)
    keys = np.zeros(int(columns.rules.winning), dtype=np.int64)  # only then equal hands have a key
    return FloatLayer(columns, keys, nothing, np.zeros(len(columns.sets)), counts, 0.0)


def unit_of(values: Stored) -> float:
    """Return the value that a stored 1 stands for: 1 for floats, :data:`FIXED` for integers."""
    return FIXED if values.dtype == np.int32 else 1.0
