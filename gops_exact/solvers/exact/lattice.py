"""The recursion by prize sets, which computes the values of each prize state from the prize states with one prize less.

A *prize state* is the set of the prizes left with the margin and the pot. The values of a prize state for all pairs of
hands form a *value table*. In a game for points in which ties are discarded, margin and pot are 0. Then the prize set P
and the h-th pair of hands have the value

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3). Here value(X) is the value of the matrix game X, and S[h], child[h] and
sgn[h] are matrices with an entry for each pair of bids. Entries of S[h] are 1, 0 or −1 if player one wins the prize,
nobody does, or player two does. Entries of child[h] are indices of the stored pair of hands after the round. Entries of
sgn[h] are −1 if the stored pair has the players swapped, else 1.

By other rules margin and pot change with the winner of the round, so the next value is looked up in one of three value
tables: that of a tie, of a win or of a loss. If the stored pair has the players swapped, the value is looked up in the
value table of the *mirrored* prize state, in which the margin has the opposite sign.

A *stage game* is a round at a prize state: its upcard, and its three results. All pairs of hands look up the payoffs of
one stage game in one small :class:`PayoffTable`. The index of a payoff in this table depends only on the pair of hands
and the bids. A number :class:`System` defines the type of the values in a value table, and how a game is solved.
:class:`Values` holds the value tables of one computation.

A *ball* is an interval, given by its midpoint and its radius, that contains the true number. A *basis* is a choice of
equally many rows and columns of a matrix game; if it is optimal, its payoffs determine the value
(:mod:`~gops_exact.matrix_game.basis`).
"""

import operator
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, starmap
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from flint import arb, ctx, fmpq, fmpz

from gops_exact.base.progress import Progress, tracked
from gops_exact.base.store import DiskStore, MemoryStore, StoreError
from gops_exact.game.game import Outcome, Outcomes, PrizeState, StageGame, stage_games
from gops_exact.game.order_types import Layer, pair_count, pair_keys
from gops_exact.game.rules import Prizes, Rules, Upcard
from gops_exact.matrix_game.basis import Basis, Play
from gops_exact.numbers.exact import Number, Pair, average, reduced, total

Store = DiskStore | MemoryStore

MEMORY_BYTES = 1 << 30
"""The default bound, in bytes, on the value tables in memory."""

TABLE_BYTES, BALL_BYTES = 700, 300
"""The measured memory, in bytes, of a value table without its values, and of a ball. The first number includes the
value table's key and lists. The second number includes the Python float in ``ValueTable.floats``, but not the digits of
the ball's midpoint."""

PAIR_BYTES, PREVIEW_BYTES = 500, 4000
"""The memory, in bytes, of an exact value, besides its ball and its digits; measured at four and five cards a side. The
first number is for an ordinary value table, which has the value as a pair of integers, and the bases. The second is for
a previewed value table, which holds the payoff tables from which the value is computed."""

REDUCE_UP_TO = 20_000
"""The number of bits of a denominator up to which a value is reduced to lowest terms. For longer denominators,
computing the gcd takes more time than the reduced value saves later, because it is only a few bits shorter."""

Entry = TypeVar("Entry", float, arb, fmpq)

Read = TypeVar("Read", bound="Play[Any] | ValueTable")

Indices = list[list[int]]
"""The indices of a game's payoffs in a :class:`PayoffTable`, shape (m, n): a row for each bid of player one, a column
for each bid of player two. Of several interchangeable bids, only one has a row or column."""


class SingleValue(NamedTuple):
    """Key of :class:`Values` for the value of a single pair of hands at a prize state.

    The values of all pairs of hands at a prize state have the :class:`PrizeState` itself as their key.
    """

    prize_state: PrizeState
    h: int  # the index of the pair of hands in the layer


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The values of one prize state: as balls, and exactly if the number system needs that.

    Each sequence is empty, or has length H: an entry for each pair of hands of a layer, in the order of the layer.
    A *previewed* value table has balls and bases, but no exact values: `evaluate` computes one for a pair of hands.
    """

    balls: list[arb]  # balls around the values
    # Exact values, not always in lowest terms. The system of balls has them only for small hands.
    values: Sequence[Pair] = ()
    # For each pair of hands, a tuple with an optimal basis in each stage game; only in the exact system.
    bases: Sequence[tuple[Basis, ...]] = ()
    # The function that computes the value of the h-th pair of hands, if the value table is previewed, else None.
    evaluate: Callable[[int], Pair] | None = None

    @cached_property
    def floats(self) -> list[float]:
        """The midpoints of the balls as floats, length H."""
        return list(map(float, self.balls))

    @cached_property
    def fractions(self) -> list[fmpq]:
        """The exact values as fractions in lowest terms, one for each pair of hands.

        The list is empty if the table has no exact values.
        """
        return list(starmap(fmpq, self.values))

    def select(self, chosen: Sequence[int]) -> "ValueTable":
        """Return a value table with the values of some pairs of hands only; `chosen` are the indices of these pairs.

        The result has no function `evaluate`, so it should not be made from a previewed value table.
        """
        parts: list[Sequence[Any]] = [self.balls, self.values, self.bases]
        balls, values, bases = ([part[h] for h in chosen] if part else [] for part in parts)
        return ValueTable(balls, values, bases)


def concatenated(tables: Iterable[ValueTable]) -> ValueTable:
    """Concatenate the value tables of several blocks of pairs of hands to one value table."""
    tables = list(tables)
    return ValueTable(
        [ball for table in tables for ball in table.balls],
        [value for table in tables for value in table.values],
        [bases for table in tables for bases in table.bases],
    )


Form = tuple[Entry, Callable[[ValueTable], Sequence[Entry]]]
"""A form in which value tables hold values: balls, floats near the values, or fractions. The first entry is the number
0 in this form, the second a function that returns the values of a value table in this form, length H."""

FLOATS: Form[float] = 0.0, operator.attrgetter("floats")
BALLS: Form[arb] = arb(0), operator.attrgetter("balls")
FRACTIONS: Form[fmpq] = fmpq(0), operator.attrgetter("fractions")


class System(ABC):
    """A number system of the recursion.

    A system defines the forms in which a value table holds values, and the type of its own numbers: pairs (numerator,
    denominator), or balls.

    In all methods, `layer` holds pairs of hands, `stages` are the games that may come next at a prize state, and
    `below` holds the value tables with one prize less from which these games take their payoffs.
    """

    cost_growth: ClassVar[int] = (
        1  # the factor by which each card a side multiplies the time of a game
    )
    bits: int  # the precision of the balls
    digits: int = (
        0  # the number of digits after the point that answers must prove; exact numbers have all
    )
    zero: ClassVar[Any]

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the system in the keys of a store; systems with different value tables have different names."""

    @abstractmethod
    def value_table(
        self,
        layer: Layer,
        stages: Sequence[StageGame],
        below: MutableMapping[Any, ValueTable],
        previewed: PrizeState | None = None,
    ) -> ValueTable:
        """Return a value table with the value of every pair of hands in `layer` before a prize is turned up.

        This value is the mean, weighted by :attr:`StageGame.times`, of the values of the games in `stages`.

        `previewed` is the prize state of the value table if few of its values will be needed, else None. If it is not
        None, the system may compute each value only when the value is needed, and then store the value in `below` under
        its key, a :class:`SingleValue`.
        """

    @abstractmethod
    def play(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> Play[Any]:
        """Return the value and optimal strategies of the matrix game `stage` for the only pair of hands in `layer`."""

    def expectation(self, payoffs: Sequence[Any], column: Sequence[Any]) -> Any:  # noqa: ANN401  # a number
        """Return the mean of `payoffs`, weighted by `column`, the probabilities of player two's bids."""
        with ctx.workprec(self.bits):
            return sum((x * q for x, q in zip(payoffs, column, strict=True)), self.zero)

    def negative(self, number: Any) -> Any:  # noqa: ANN401  # a number of the system
        """Return minus a number of the system."""
        with ctx.workprec(self.bits):  # negating a ball rounds it
            return -number

    @abstractmethod
    def values(self, table: ValueTable, /) -> Sequence[Any]:
        """Return the values of a value table as the system's own numbers, in lowest terms if they are fractions."""

    @abstractmethod
    def payoffs(self, table: "PayoffTable") -> Callable[[int], Any]:
        """Return a function from an index of `table` to the payoff there, in lowest terms if payoffs are fractions."""

    @abstractmethod
    def number(self, raw: Any, /) -> Number[Any]:  # noqa: ANN401  # of the system
        """Convert a number of the system to the type of number in answers, a :class:`Number`."""

    def nbytes(self, table: ValueTable) -> int:
        """Return the estimated memory of a value table in bytes."""
        balls = len(table.balls) * (BALL_BYTES + self.bits // 8)
        bits = sum(map(fmpz.bit_length, chain.from_iterable(table.values)))
        pairs = len(table.values) * PAIR_BYTES
        previewed = 0 if table.evaluate is None else len(table.balls) * PREVIEW_BYTES
        return TABLE_BYTES + balls + bits // 8 + pairs + previewed

    @abstractmethod
    def pack_values(self, table: ValueTable) -> bytes:
        """Convert a value table to bytes."""

    @abstractmethod
    def unpack_values(self, payload: bytes) -> ValueTable:
        """Convert bytes that :meth:`pack_values` returned back to a value table."""

    def as_stored(self, play: Play[Any]) -> Play[Any]:
        """Return `play`, optimal play between equal hands, in the form in which it would be read from a store.

        A store holds only player one's strategy. So in the result both players have this strategy, and the value, which
        is 0 by symmetry, is exactly 0.
        """
        # If a strategy is proved to be optimal, and not to be the only one, others are optimal, too. If it is not proved,
        # nothing is known about others.
        unique = play.row_unique or (False if play.proved else None)
        return play._replace(
            value=self.zero, column=play.row, row_unique=unique, column_unique=unique
        )

    @abstractmethod
    def pack(self, play: Play[Any]) -> bytes:
        """Convert optimal play between equal hands to bytes.

        The bytes have two facts about the play, which depend on the number system, and then player one's strategy,
        which is optimal for player two as well.
        """

    @abstractmethod
    def unpack(self, payload: bytes) -> Play[Any]:
        """Convert the bytes of :meth:`pack` to optimal play, as :meth:`as_stored` returns it."""


def missing(
    games: Iterable[StageGame], rules: Rules, known: Container[PrizeState]
) -> dict[PrizeState, list[PrizeState]]:
    """Return the prize states whose value tables have to be computed before `games` can be solved, fewest prizes first.

    Args:
        games: the matrix games to be solved.
        rules: the rules of the game to which they belong.
        known: the prize states whose value tables are known.

    Returns:
        {prize state: the prize states whose value tables its games look up}. Known prize states appear neither as keys
        nor in the lists.

    >>> needed = missing(stage_games(Rules(), PrizeState((1, 2, 3))), Rules(), {})
    >>> {state.prizes: [below.prizes for below in states] for state, states in needed.items()}
    {(1,): [], (2,): [], (3,): [], (1, 2): [(2,), (1,)], (1, 3): [(3,), (1,)], (2, 3): [(3,), (2,)]}
    """
    needed: dict[PrizeState, list[PrizeState]] = {}
    todo = dependencies(games)
    while todo:
        state = todo.pop()
        if state not in needed and state not in known:
            needed[state] = dependencies(stage_games(rules, state))
            todo += needed[state]
    order = sorted(needed, key=lambda state: (len(state.prizes), state))
    return {state: list(filter(needed.__contains__, needed[state])) for state in order}


def dependencies(games: Iterable[StageGame]) -> list[PrizeState]:
    """List the prize states whose value tables determine the payoffs of `games`, each prize state once."""
    states = chain.from_iterable(map(operator.attrgetter("prize_states"), games))
    return list(dict.fromkeys(states))


class PayoffTable:
    """The payoffs of one stage game, for all pairs of hands of a layer.

    A table has three blocks: for a tie, for a round that player one wins, and for a round that player two wins.
    Each block holds a payoff for each pair of hands that can follow. H of these pairs are stored. A payoff's index in
    its block is a *reference*, counted from the end of the block if it is negative: reference h > 0 is to the h-th
    stored pair, −h to this pair with the players swapped, and 0 to equal hands. So a block has 2H + 1 payoffs.

    Args:
        stage: the stage game.
        layer: the pairs of hands before the round.
        below: the value tables with one prize less, {prize state: value table}.
        system: the number system of the values.
    """

    def __init__(
        self, stage: StageGame, layer: Layer, below: Mapping[PrizeState, ValueTable], system: System
    ) -> None:
        self.stage_game, self.width, self.system = stage, 2 * layer.below + 1, system
        self.below = {state: below[state] for state in stage.prize_states}
        self._payoffs: dict[Callable[[ValueTable], Any], list[Any]] = {}
        # A cache {index in the table: exact payoff}, used only if prizes are hidden. Then the round may be for any of
        # several prizes, and a payoff is the mean over them, which takes time. Other payoffs are found as quickly as
        # they would be found in the cache.
        self._known: dict[int, Pair] = {}

    @property
    def is_exact(self) -> bool:
        """True if every payoff can be computed exactly.

        This holds always in the number system of exact numbers, but in that of balls only for small hands, or if the
        round decides the game whoever wins it.
        """
        return all(table.values or table.evaluate for table in self.below.values())

    def payoffs(self, form: Form[Entry]) -> list[Entry]:
        """List all payoffs of the table in one form: as balls, floats near the payoffs, or fractions.

        If prizes are hidden, a payoff is the mean over the prizes that the round may be for.
        """
        zero: Any
        zero, values_of = form
        if values_of in self._payoffs:
            return self._payoffs[values_of]
        tables: list[list[Any]] = []
        with ctx.workprec(self.system.bits):
            for _, outcomes in self.stage_game.stakes:
                table: list[Any] = []
                for outcome in outcomes:
                    if outcome.decided is not None:
                        table += [zero + outcome.gain + outcome.decided] * self.width
                        continue
                    values: Sequence[Any] = values_of(self.below[outcome.prize_state])
                    mirrored: Sequence[Any] = values_of(self.below[outcome.mirrored])
                    # In the block, index h has the value of the h-th pair of hands. Index −h, counted from the end, has
                    # the value of this pair with the players swapped, which is minus the value at the mirrored prize
                    # state. So the values of swapped pairs come in reverse order.
                    block = [zero, *values, *map(operator.neg, reversed(mirrored))]
                    table += [value + outcome.gain for value in block] if outcome.gain else block
                tables.append(table)
            payoffs = tables[0]
            if len(tables) > 1:
                times = [times for times, _ in self.stage_game.stakes]
                payoffs = [average(entries, times) for entries in zip(*tables, strict=True)]
        self._payoffs[values_of] = payoffs
        return payoffs

    def matrix(self, indices: Indices, form: Form[Entry]) -> list[list[Entry]]:
        """Return the payoffs at `indices`, shape (m, n), as balls, floats near the payoffs, or fractions."""
        entry = self.payoffs(form).__getitem__
        return [list(map(entry, row)) for row in indices]

    def pair(self, index: int) -> Pair:
        """Return the exact payoff at an index of the table, as (numerator, denominator), not always in lowest terms."""
        if index in self._known:
            return self._known[index]
        payoffs: list[tuple[int, Pair]] = []
        for times, outcomes in self.stage_game.stakes:
            outcome, single = self.look(outcomes, index)
            if single is None:
                payoffs.append((times, (fmpz(outcome.gain + (outcome.decided or 0)), fmpz(1))))
                continue
            table, h = self.below[single.prize_state], single.h
            p, q = table.values[h] if table.evaluate is None else table.evaluate(h)
            if 2 * (index % self.width) > self.width:  # the players are swapped
                p = -p
            payoffs.append((times, (p + outcome.gain * q if outcome.gain else p, q)))
        if len(payoffs) == 1:
            return payoffs[0][1]
        self._known[index] = mean(payoffs)
        return self._known[index]

    def look(self, outcomes: Outcomes, index: int) -> tuple[Outcome, SingleValue | None]:
        """Return the outcome of the round to which a payoff belongs, and the key of the stored value after the round.

        If the stored pair of hands has the players swapped, this value counts with the opposite sign. The key is None
        if no value has to be looked up, because the game is decided or the hands are equal.

        Args:
            outcomes: the outcome of a tie, of a win of player one and of a win of player two.
            index: the index of the payoff in the table.
        """
        outcome, reference = outcomes[index // self.width], index % self.width
        if outcome.decided is not None or reference == 0:
            return outcome, None
        # A block has `width` = 2H + 1 payoffs: index 0 is for equal hands, 1 … H are for stored pairs of hands, and
        # H + 1 … 2H for their mirror images, whose references −H … −1 count from the end of the block.
        if 2 * reference < self.width:
            return outcome, SingleValue(outcome.prize_state, reference - 1)
        return outcome, SingleValue(outcome.mirrored, self.width - reference - 1)

    @cached_property
    def decided(self) -> tuple[frozenset[int], frozenset[int]]:
        """The indices of the payoffs that are proved to be exactly 1, and of those that are exactly −1.

        With the objective win, the former are certain wins of player one, the latter of player two. The payoffs are
        compared as balls. A ball compares equal to 1 only if its midpoint is 1 and its radius is 0, so equality is a
        proof.
        """
        balls = list(enumerate(self.payoffs(BALLS)))
        won = frozenset(index for index, payoff in balls if payoff == 1)
        lost = frozenset(index for index, payoff in balls if payoff == -1)
        return won, lost

    def saddle_point(self, indices: Indices) -> tuple[arb, Basis] | None:
        """Return the value and a saddle point of a game in which one player can force a win.

        With the objective win, all payoffs are from −1 to 1. So a row of payoffs 1 is optimal, and then so is
        every column. Conversely, if the value is 1, an optimal strategy plays only rows of payoffs 1, so the
        game has such a row. The same holds for player two with −1.

        Args:
            indices: the indices of the game's payoffs in this table, shape (m, n).

        Returns:
            The value and the basis of the first saddle point; None if no player can force a win, or the
            objective is points.
        """
        if not self.stage_game.winning:
            return None
        won, lost = self.decided
        for i, row in enumerate(indices):
            if won.issuperset(row):
                return arb(1), Basis((i,), (0,))
        for j, column in enumerate(zip(*indices, strict=True)):
            if lost.issuperset(column):
                return arb(-1), Basis((0,), (j,))
        return None


def is_skew_symmetric(layer: Layer, stage: StageGame) -> bool:
    """Return True if the payoff matrix for the only pair of hands in `layer` is skew-symmetric, that is, Xᵀ = −X.

    The matrix is skew-symmetric if the hands are equal and no player is ahead. No player is ahead if the prize state
    after a tie does not change when the players are swapped.
    """
    _, (tied, *_) = stage.stakes[0]  # a tie leaves the same margin whatever the stake is
    return bool(layer.one[0] == layer.two[0]) and tied.prize_state == tied.mirrored


def games(layer: Layer) -> list[Indices]:
    """Return, for each pair of hands in `layer`, the indices of its game's payoffs in a :class:`PayoffTable`."""
    # `sign` is 0 for a tie, 1 for a win and −1 for a loss, so `sign` % 3 is the block of the table: 0, 1 or 2.
    # `child` is the reference to the next pair of hands. If it is negative, it counts from the end of the block, where
    # the values of mirrored pairs are.
    width = 2 * layer.below + 1
    index = layer.sign.astype(np.int64) % 3 * width + layer.child % width
    bids = zip(index, layer.row_kept, layer.column_kept, strict=True)
    return [every[rows][:, columns].tolist() for every, rows, columns in bids]


def mean(values: Sequence[tuple[int, Pair]]) -> Pair:
    """Return the weighted mean of fractions.

    The mean is in lowest terms, unless its denominator has more than :data:`REDUCE_UP_TO` bits.

    Args:
        values: pairs (weight, fraction); a fraction is a pair (numerator, denominator).
    """
    if len(values) == 1:
        return shortened(values[0][1])
    p, q = total([(count * p, q) for count, (p, q) in values])
    times, _ = zip(*values, strict=True)
    return shortened((p, q * sum(times)))


def shortened(pair: Pair) -> Pair:
    """Reduce a fraction to lowest terms, unless its denominator has more than :data:`REDUCE_UP_TO` bits."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair


class Values(MutableMapping[Any, ValueTable]):
    """The values of one computation, in memory and in a store.

    A prize state is the key of its whole value table, and a :class:`SingleValue` the key of a value table with one
    value. Optimal first moves are held as well.

    In the store, a value table is divided into *blocks*, one for each length of the interleavings of hands
    (:mod:`~gops_exact.game.order_types`). A larger game adds lengths but changes no block, so the game of eight cards
    can use the values of the game of seven. If the values in memory take more than `memory_bytes`, the least recently
    used ones are dropped, but only those that the store has. :meth:`trim` also drops values that the store lacks.

    Value tables of a whole game are written to the store. Those of a single position have only a few of the pairs of
    hands, and are not written. Their values are read from the store if it has the value tables of a whole game.

    Args:
        types: the pairs of hands, a layer for each number of cards a side; the index is this number.
        rules: the rules of the game.
        system: the number system in which values are computed.
        store: the store; None for values in memory only.
        memory_bytes: the bound on the memory of values.
    """

    def __init__(
        self,
        types: tuple[Layer, ...],
        rules: Rules,
        system: System,
        store: Store | None = None,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self.types, self.rules, self.system = types, rules, system
        self.store, self.memory_bytes = store, memory_bytes
        self._prefix = f"{rules.key} {system.name}"
        self._writable = store is not None and not store.read_only
        self._kept: OrderedDict[PrizeState | SingleValue, ValueTable] = OrderedDict()
        self._unsaved: set[PrizeState | SingleValue] = set()
        self._bytes = self._trimmed = 0
        self._first_moves: dict[tuple[Prizes, Upcard], Play[Any]] = {}

    def __getitem__(self, state: PrizeState | SingleValue) -> ValueTable:
        table = self._kept.get(state)
        if table is not None:
            self._kept.move_to_end(state)
            return table
        blocks = [] if self.store is None else [block for _, block in self._blocks(state)]
        if not blocks or None in blocks:
            raise KeyError(state)
        table = concatenated(filter(None, blocks))
        self._keep(state, table)
        return table

    def __setitem__(self, state: PrizeState | SingleValue, table: ValueTable) -> None:
        saved = self._writable
        if self.store is not None and self._writable:
            for key, (span, whole) in self._keys(state).items():
                # If the values are those of a single position, a block may lack pairs of hands that the entry of the
                # store must have. Such a block is not saved.
                if span.stop - span.start < whole:
                    saved = False
                elif key not in self.store:
                    block = table.select(range(span.start, span.stop))
                    self.store.put(key, self.system.pack_values(block))
        self._keep(state, table)
        if not saved:
            self._unsaved.add(state)

    def __delitem__(self, state: PrizeState | SingleValue) -> None:
        self._bytes -= self.system.nbytes(self._kept.pop(state))
        self._unsaved.discard(state)

    def __contains__(self, state: object) -> bool:
        if state in self._kept:
            return True
        if self.store is None or not isinstance(state, PrizeState | SingleValue):
            return False
        return all(key in self.store for key in self._keys(state))

    def __iter__(self) -> Iterator[PrizeState | SingleValue]:
        return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def layer(self, state: PrizeState | SingleValue) -> Layer:
        """Return the pairs of hands whose values are stored under a key: one pair if the key is a :class:`SingleValue`."""
        if isinstance(state, SingleValue):
            return self.layer(state.prize_state).part(slice(state.h, state.h + 1))
        return self.types[len(state.prizes)]

    def known_keys(self, state: PrizeState) -> list[PrizeState | SingleValue]:
        """List the keys of the known values of a prize state: its whole value table or, without it, single values."""
        single_values = (SingleValue(state, h) for h in range(len(self.layer(state))))
        return [state] if state in self else [single for single in single_values if single in self]

    def weight(self, task: PrizeState | SingleValue | Upcard) -> int:
        """Return the estimated work of a task, without a unit: its number of games times the cost of one game.

        The task is to compute the value table of a prize state, a single value, or the first move at an upcard. A first
        move counts as the games of all pairs of hands with one card less, because it needs many of their values. A
        single value counts as much as a first move.
        """
        size, pairs = len(self.types) - 1, len(self.types[-2])
        if isinstance(task, PrizeState):
            size, pairs = len(task.prizes), len(self.layer(task))
        games = (pairs + 1) * (1 if self.rules.hidden else size + 1)
        return games * int(self.system.cost_growth**size)

    def sweep(
        self, games: Iterable[StageGame], progress: Progress | None = None, *, preview: bool = False
    ) -> Self:
        """Compute all missing value tables that are needed to solve games, fewest prizes first, and return this object.

        Args:
            games: the matrix games that may come next at one position, or at several.
            progress: called as progress(done, total), in any unit.
            preview: True to preview the value tables that `games` look up directly: each of their values is computed
                only when it is first needed. These values are by far the longest numbers, and `games` need few of them.
        """
        games = list(games)
        todo = missing(games, self.rules, self)
        previewed = dependencies(games) if preview else ()
        for state in tracked(todo, progress, self.weight) if todo else ():
            if state in previewed:
                # A previewed value table stays in memory only, because it lacks values that a value table in the store
                # must have.
                following = stage_games(self.rules, state)
                table = self.system.value_table(self.layer(state), following, self, state)
                self._keep(state, table)
                self._unsaved.add(state)
            else:
                self.fill(state)
        return self

    def fill(self, state: PrizeState | SingleValue) -> None:
        """Compute a value table, or a single value, from the value tables with one prize less.

        Of a value table, the blocks that the store has are read, and only the others are computed.
        """
        layer = self.layer(state)
        prize_state = state.prize_state if isinstance(state, SingleValue) else state
        following = stage_games(self.rules, prize_state)
        blocks = [] if self.store is None else self._blocks(state)
        if blocks and any(block for _, block in blocks):
            self[state] = concatenated(
                block or self.system.value_table(layer.part(span), following, self)
                for span, block in blocks
            )
        else:
            self[state] = self.system.value_table(layer, following, self)

    def release(self, states: Iterable[PrizeState]) -> None:
        """Drop the value tables of `states` from memory, if they are there."""
        for state in states:
            if state in self._kept:
                del self[state]

    def trim(self) -> None:
        """Drop the least recently used values, also those that the store lacks, if values take too much memory.

        This method is called between two queries. First, `memory_bytes` is raised, if it is smaller, to twice the bytes
        that the last query added. Then, if the values take more than `memory_bytes`, values are dropped until they take
        at most half of `memory_bytes`.
        """
        self.memory_bytes = max(self.memory_bytes, 2 * (self._bytes - self._trimmed))
        if self._bytes > self.memory_bytes:
            for oldest in self:
                if 2 * self._bytes <= self.memory_bytes:
                    break
                del self[oldest]
        self._trimmed = self._bytes

    def first_move(self, prizes: Prizes, upcard: Upcard) -> Play[Any] | None:
        """Return optimal play of the first round at an upcard, in the game with all `prizes`; None if not known."""
        if (prizes, upcard) not in self._first_moves and self.store is not None:
            key = self._first_move_key(prizes, upcard)
            first_move = self._read(key, self.system.unpack, len(prizes))
            if first_move is not None:
                self._first_moves[prizes, upcard] = first_move
        return self._first_moves.get((prizes, upcard))

    def keep_first_move(self, prizes: Prizes, upcard: Upcard, first_move: Play[Any]) -> None:
        """Save optimal play of the first round at an upcard: in the store if it is writable, else in memory."""
        if self.store is not None and self._writable:
            payload = self.system.pack(first_move)
            self.store.put(self._first_move_key(prizes, upcard), payload)
        else:
            # Answers must not depend on where the first move was saved.
            self._first_moves[prizes, upcard] = self.system.as_stored(first_move)

    def entries(self, state: PrizeState | SingleValue) -> dict[str, bytes]:
        """Return the entries of the store with values of a prize state, or with a single value, {key: payload}."""
        if self.store is None:
            return {}
        read = self.store.get
        return {key: found for key in self._keys(state) if (found := read(key)) is not None}

    def _keep(self, state: PrizeState | SingleValue, table: ValueTable) -> None:
        if state in self._kept:
            del self[state]
        self._kept[state] = table
        self._bytes += self.system.nbytes(table)
        if self._bytes <= self.memory_bytes:
            return
        # Drop the oldest values first, but only those that a store has, because others would have to be computed again.
        for oldest in list(self._kept):
            if self._bytes <= self.memory_bytes:
                break
            if oldest != state and oldest not in self._unsaved:
                del self[oldest]

    def _keys(self, state: PrizeState | SingleValue) -> dict[str, tuple[slice, int]]:
        """Return the keys under which the store has the values of a prize state, or a single value.

        The values of a prize state are stored in blocks, one for each length of the interleavings of hands.

        Returns:
            {key of a block: (slice of the layer's pairs of hands, number of values in the stored block)}. The layer of
            a single position may lack some pairs of hands: then the slice is shorter than the stored block.
        """
        prizes, (margin, pot) = state.prize_state if isinstance(state, SingleValue) else state
        subject = ",".join(map(str, prizes))
        subject += (f" margin {margin}" if margin else "") + (f" pot {pot}" if pot else "")
        layer, keys = self.layer(state), dict[str, tuple[slice, int]]()
        if isinstance(state, SingleValue):
            (letters,) = layer.interleavings()
            return {f"{self._prefix} value {subject} of {letters}": (slice(0, 1), 1)}
        for length, span in layer.lengths.items():
            # For the length of the pair of equal hands, pair_count returns 0, because it does not count this pair. No
            # other pair has this length, so the entry has one value, and so has the slice.
            whole = max(span.stop - span.start, pair_count(layer.size, length))
            keys[f"{self._prefix} values {subject} length {length}"] = span, whole
        return keys

    def _first_move_key(self, prizes: Prizes, upcard: Upcard) -> str:
        turned = "hidden" if upcard is None else upcard
        usual = not self.rules.fixed and prizes == tuple(range(1, len(prizes) + 1))
        order = "" if usual else f" of {','.join(map(str, prizes))}"
        return f"{self._prefix} opening {len(prizes)} upcard {turned}{order}"

    def _blocks(self, state: PrizeState | SingleValue) -> list[tuple[slice, ValueTable | None]]:
        """Read the blocks of a value table, or a single value, from the store.

        Returns:
            For each block, the slice of the layer's pairs of hands; and a value table with the values of these pairs,
            or None if the store lacks them.
        """
        layer, blocks = self.layer(state), list[tuple[slice, ValueTable | None]]()
        for key, (span, whole) in self._keys(state).items():
            block = self._read(key, self.system.unpack_values, whole)
            if block is not None and span.stop - span.start < whole:
                # The entry has the values of all order types of one length, but the layer of a single position has only
                # some of these. Select their values.
                length = (layer.one[span.start] | layer.two[span.start]).item().bit_count()
                stored = pair_keys(length, layer.size, equal=False)[-whole:]
                block = block.select(np.searchsorted(stored, layer.keys[span]).tolist())
            blocks.append((span, block))
        return blocks

    def _read(self, key: str, unpack: Callable[[bytes], Read], count: int) -> Read | None:
        """Return the content of an entry of the store; None if there is no entry or no store.

        Args:
            key: the key under which the store has the entry.
            unpack: a function that converts the payload to a value table or a first move.
            count: the number of values, or of probabilities of a first move, that the entry must have.

        Raises:
            StoreError: if the entry cannot be read, or has another number of values.
        """
        payload = None if self.store is None else self.store.get(key)
        if self.store is None or payload is None:
            return None
        damaged = f"{self.store.path} is damaged at entry {key!r}"
        try:
            content = unpack(payload)
        except (ValueError, ArithmeticError) as error:
            raise StoreError(f"{damaged}: {error}") from error
        numbers = len(content.row if isinstance(content, Play) else content.balls)
        if numbers != count:
            raise StoreError(f"{damaged}: expected {count} numbers, got {numbers}")
        return content
