"""The recursion by prize sets, which computes the values of each prize state from the prize states with one prize less.

Words used here:

* The *margin* is player one's points minus player two's; it is always 0 if the objective is points. The *pot* is the
  sum of the prizes carried over from ties.
* A *prize state* is the set of the prizes left with the margin and the pot.
* A *layer* (:class:`~gops_exact.game.order_types.Layer`) lists pairs of hands with the same number of cards a side. Of
  a pair and the same pair with the players swapped, its *mirror image*, only one is listed.
* A *value table* has the values of all pairs of hands of a layer at one prize state. It is *previewed* if it has
  intervals around the values, but computes an exact value only when the value is asked for.
* A *stage game* is a round at a prize state: its upcard (the prize turned up), and its three results.
* A *ball* is an interval, given by its midpoint and its radius, that is proved to contain the true number.
* A *basis* is a choice of equally many rows and columns of a matrix game. If it is optimal, the payoffs in these rows
  and columns determine the value and a strategy of each player (:mod:`~gops_exact.matrix_game.basis`).

In a game for points in which ties are discarded, margin and pot are 0. Then the prize set P and the h-th pair of hands
have the value

    F[P][h] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3). Here value(X) is the value of the matrix game X, and S[h], child[h] and
sgn[h] are matrices with an entry for each pair of bids. Entries of S[h] are 1, 0 or −1 if player one wins the prize,
nobody does, or player two does. Entries of child[h] are indices of the stored pair of hands after the round. Entries of
sgn[h] are −1 if the stored pair has the players swapped, 0 if both hands are equal after the round, and 1 otherwise.

Under other rules, margin and pot change with the winner of the round, so the next value is looked up in one of three
value tables: that of a tie, of a win or of a loss. If the stored pair has the players swapped, the value is looked up
in the value table of the *mirrored* prize state, in which the margin has the opposite sign.

All pairs of hands look up the payoffs of one stage game in one small :class:`PayoffTable`. The index of a payoff in
this table depends only on the pair of hands and the bids. A number :class:`System` defines the type of the values in a
value table, and how a game is solved.

The exact system, :class:`ExactSystem`, stores a value as a ball and as a fraction. Balls serve to choose an optimal
basis of each matrix game, and to prove that the basis is optimal. Then the value is computed from the exact payoffs in
the rows and columns of the basis.
"""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, product, starmap
from typing import Any, ClassVar, NamedTuple, TypeVar

import numpy as np
from flint import arb, ctx, fmpq, fmpq_mat, fmpz

from gops_exact.base.arguments import choice
from gops_exact.base.store import Reader, pack
from gops_exact.game.game import Outcome, Outcomes, PrizeState, StageGame
from gops_exact.game.order_types import Layer
from gops_exact.matrix_game.basis import METHODS, Basis, Play, certify, propose
from gops_exact.matrix_game.evaluate import ZERO, basis_value, by_basis, value_if_optimal
from gops_exact.matrix_game.payoff import Entries, Payoff
from gops_exact.numbers.exact import (
    BigRational,
    Number,
    Pair,
    average,
    reduced,
    to_pair,
    total,
)
from gops_exact.solvers.arithmetic import BALL_BITS

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

SHORT_UP_TO = 4
"""The most cards a side for which values are computed by :func:`short_value`, because such values are short: about 100
bits at four cards a side, but thousands of bits at five."""

Entry = TypeVar("Entry", float, arb, fmpq)

Indices = list[list[int]]
"""The indices of a game's payoffs in a :class:`PayoffTable`, shape (m, n): a row for each bid of player one, a column
for each bid of player two. Of several interchangeable bids, only one has a row or column."""


class SingleValue(NamedTuple):
    """Key for the value of a single pair of hands at a prize state.

    The key for the values of all pairs of hands at a prize state is the :class:`PrizeState` itself.
    """

    prize_state: PrizeState
    h: int  # the index of the pair of hands in the layer


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The values of all H pairs of hands of a layer at one prize state: the prizes left, the margin and the pot.

    The values are stored as balls, intervals that contain them, and also exactly if the number system needs that. Each
    of the sequences `balls`, `values` and `bases` is empty, or has an entry for each of the H pairs of hands, in the
    order of the layer. A *previewed* value table has balls and bases, but no exact values. Its function `evaluate`
    computes the exact value of a pair of hands when the value is asked for.
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
        """The exact value of each pair of hands, a fraction in lowest terms; empty if the table has no exact values."""
        return list(starmap(fmpq, self.values))

    def select(self, chosen: Sequence[int]) -> "ValueTable":
        """Return a value table with the values of only the pairs of hands at the indices `chosen`.

        All values must have been computed: :attr:`evaluate` must be None.
        """
        parts: list[Sequence[Any]] = [self.balls, self.values, self.bases]
        balls, values, bases = ([part[h] for h in chosen] if part else [] for part in parts)
        return ValueTable(balls, values, bases)


def concatenated(tables: Iterable[ValueTable]) -> ValueTable:
    """Join value tables of different pairs of hands at one prize state into one table.

    All exact values must have been computed: :attr:`ValueTable.evaluate` of every table must be None.
    """
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
    """A kind of number in which the values of positions are computed, with the operations on value tables.

    The numbers of a system are pairs (numerator, denominator), or balls. The system also defines the forms in which a
    value table holds values.

    These arguments mean the same in all methods: `layer` has pairs of hands; `stages` are the stage games (rounds) that
    may come next at a prize state; `below` has the value tables of the prize states after the round, from which the
    payoffs of these games are computed.
    """

    # The factor by which each card a side multiplies the time of a game
    cost_growth: ClassVar[int] = 1
    bits: int  # the precision of the balls
    digits: int = 0  # digits after the point that answers must prove; exact numbers have all
    zero: ClassVar[Any]  # the number 0 of the system

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the number system in the keys of a store.

        Number systems with different value tables have different names.
        """

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

        Args:
            layer: the pairs of hands.
            stages: the stage games that may come next.
            below: {prize state: value table}, the value tables from which these games take their payoffs.
            previewed: the prize state of the result if few of its values will be needed, else None. If it is not None,
                the system may compute a value only when the value is needed. It then stores the value in `below`, with
                a :class:`SingleValue` as the key.
        """

    @abstractmethod
    def play(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> Play[Any]:
        """Return the value and optimal strategies of a stage game for the only pair of hands in `layer`."""

    def expectation(self, payoffs: Sequence[Any], column: Sequence[Any]) -> Any:  # noqa: ANN401  # a number
        """Return the mean of `payoffs`, weighted by `column`, the probabilities of player two's bids.

        If the mean is a fraction, it is in lowest terms.
        """
        with ctx.workprec(self.bits):
            return sum((x * q for x, q in zip(payoffs, column, strict=True)), self.zero)

    def negative(self, number: Any) -> Any:  # noqa: ANN401  # a number of the system
        """Return −`number`, for a number of this number system."""
        with ctx.workprec(self.bits):  # negating a ball rounds it
            return -number

    @abstractmethod
    def values(self, table: ValueTable, /) -> Sequence[Any]:
        """Return the values of a value table as numbers of this number system, in lowest terms if they are fractions.

        The result has a value for each pair of hands: a pair (numerator, denominator) in :class:`ExactSystem`, a ball
        in :class:`~gops_exact.solvers.exact.ball.BallSystem`.
        """

    @abstractmethod
    def payoffs(self, table: "PayoffTable") -> Callable[[int], Any]:
        """Return a function from an index of `table` to the payoff there, in lowest terms if payoffs are fractions."""

    @abstractmethod
    def number(self, raw: Any, /) -> Number[Any]:  # noqa: ANN401  # of the system
        """Convert a number of this number system to a :class:`Number`, the type of the numbers that solvers return."""

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
        """Convert the bytes of :meth:`pack_values` to a value table."""

    def as_stored(self, play: Play[Any]) -> Play[Any]:
        """Return optimal play between equal hands as it would be if it were written to a store and read again.

        A store has only player one's strategy. So in the result both players have this strategy, and the value is
        exactly 0.
        """
        # If a strategy is proved to be optimal, and not to be the only one, others are optimal, too. If it is not proved,
        # nothing is known about others.
        unique = play.row_unique or (False if play.proved else None)
        return play._replace(
            value=self.zero, column=play.row, row_unique=unique, column_unique=unique
        )

    @abstractmethod
    def pack(self, play: Play[Any]) -> bytes:
        """Convert optimal play between equal hands to bytes, which have player one's strategy only."""

    @abstractmethod
    def unpack(self, payload: bytes) -> Play[Any]:
        """Convert the bytes that :meth:`pack` returned to optimal play between equal hands.

        In the result both players have player one's strategy, and the value is 0 (see :meth:`as_stored`).
        """


class PayoffTable:
    """The payoffs of one stage game (a round with its upcard), for all pairs of hands of a layer.

    A table has three blocks: for a tie, for a round that player one wins, and for a round that player two wins. Each
    block has a payoff for each pair of hands after the round. Values are stored for H of these pairs. The index of a
    payoff in its block is a *reference*: h > 0 for the h-th stored pair, −h for this pair with the players swapped, and
    0 for equal hands, which are not stored if their value is 0. As in Python's lists, a negative index counts from the
    end. So a block has 2H + 1 payoffs.

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

        In exact numbers this is always True. In balls it is True for small hands, and if the game is decided after
        this round whoever wins the round.
        """
        return all(table.values or table.evaluate for table in self.below.values())

    def payoffs(self, form: Form[Entry]) -> list[Entry]:
        """List all payoffs of the table as floats, as balls (intervals) or as fractions; `form` says which.

        If prizes are hidden, a payoff is the mean over the prizes left.
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
        """Return the payoffs at `indices`, shape (m, n), in the form `form`: floats, balls or fractions."""
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

        If the value is stored for the hands with the players swapped, the payoff contains minus the stored value. The
        key is None if the game is decided after the round, or if the hands are equal and have no stored value.

        Args:
            outcomes: the outcomes of the round for one prize: a tie, a win of player one, and a win of player two.
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
        """The indices in this table of the payoffs that are proved to be exactly 1, and of those proved to be −1."""
        # A ball compares equal to 1 only if its midpoint is 1 and its radius is 0.
        balls = list(enumerate(self.payoffs(BALLS)))
        won = frozenset(index for index, payoff in balls if payoff == 1)
        lost = frozenset(index for index, payoff in balls if payoff == -1)
        return won, lost

    def saddle_point(self, indices: Indices) -> tuple[arb, Basis] | None:
        """Return the value and a saddle point of a game in which one player is proved to win; None for any other game.

        With the objective win, all payoffs are from −1 to 1. So a row of payoffs 1 is optimal, and then so is every
        column. Conversely, if the value is 1, an optimal strategy plays only rows of payoffs 1, so the game has such a
        row. The same holds for player two with −1.

        `indices` has the index in this table of each payoff of the game, shape (m, n).
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
    """Return True if the players are in the same situation, so that the payoff matrix X is skew-symmetric (Xᵀ = −X).

    The situation is the same if no player is ahead, and the only pair in `layer` has two equal hands.
    """
    # No player is ahead if the prize state after a tie does not change when the players are swapped.
    _, (tied, *_) = stage.stakes[0]  # a tie leaves the same margin whatever the stake is
    return bool(layer.one[0] == layer.two[0]) and tied.prize_state == tied.mirrored


def games(layer: Layer) -> list[Indices]:
    """Return the :data:`Indices` of the matrix game of each pair of hands in `layer`."""
    # `sign` is 0 for a tie, 1 for a win and −1 for a loss, so `sign` % 3 is the block of the table: 0, 1 or 2.
    # `child` is the reference to the next pair of hands. If it is negative, it counts from the end of the block, where
    # the values of mirrored pairs are.
    width = 2 * layer.below + 1
    index = layer.sign.astype(np.int64) % 3 * width + layer.child % width
    bids = zip(index, layer.row_kept, layer.column_kept, strict=True)
    return [every[rows][:, columns].tolist() for every, rows, columns in bids]


def mean(values: Sequence[tuple[int, Pair]]) -> Pair:
    """Return the weighted mean of fractions, reduced by :func:`shortened`; `values` are pairs (weight, fraction)."""
    if len(values) == 1:
        return shortened(values[0][1])
    p, q = total([(count * p, q) for count, (p, q) in values])
    times, _ = zip(*values, strict=True)
    return shortened((p, q * sum(times)))


def shortened(pair: Pair) -> Pair:
    """Reduce a fraction to lowest terms, unless its denominator has more than :data:`REDUCE_UP_TO` bits."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair


def short_value(payoff: "PositionPayoff", basis: Basis) -> fmpq:
    """Return the value of a game, computed from the payoffs in the rows and columns of an optimal basis.

    The method is Gaussian elimination on fractions, so the payoffs should be short numbers.
    """
    size, entries = len(basis.rows), payoff.table.payoffs(FRACTIONS)
    bordered: list[list[Any]] = [
        [*(entries[payoff.indices[i][j]] for j in basis.columns), 1] for i in basis.rows
    ]
    if size == 1:
        value: fmpq = bordered[0][0]
        return value
    unit = fmpq_mat(size + 1, 1, [0] * size + [1])
    return -fmpq_mat([*bordered, [*[1] * size, 0]]).solve(unit)[size, 0]


def exact_value_table(values: list[Pair], bases: list[tuple[Basis, ...]]) -> ValueTable:
    """Return a value table of exact values and bases, with balls of :data:`BALL_BITS` bits around the values."""
    return ValueTable([ball(pair, BALL_BITS) for pair in values], values, bases)


def ball(pair: Pair, precision: int) -> arb:
    """Return a ball of `precision` bits around a fraction (numerator, denominator)."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


@dataclass(eq=False)
class PositionPayoff(Payoff):
    """The payoff matrix of one game, whose entries are looked up, when needed, in a table shared with other games."""

    indices: Indices  # the indices of the payoffs in `table`, shape (m, n)
    table: PayoffTable

    @cached_property
    def entries(self) -> Entries:  # type: ignore[override]  # computed when first needed
        """The payoffs as fractions in lowest terms, shape (m, n)."""
        pair = self.table.pair
        rows = [[fmpq(*pair(index)) for index in row] for row in self.indices]
        return np.array(rows, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.indices), len(self.indices[0])

    def floats(self) -> list[list[float]]:
        # Take the midpoints of the balls, which every value table has. A previewed value table may lack the exact
        # values.
        return self.table.matrix(self.indices, FLOATS)

    def balls(self, precision: int) -> list[list[arb]]:
        """Return the payoffs as balls of at least `precision` bits, shape (m, n)."""
        if precision <= BALL_BITS:
            return self.table.matrix(self.indices, BALLS)
        pair = self.table.pair
        return [[ball(pair(index), precision) for index in row] for row in self.indices]

    def pair(self, i: int, j: int) -> Pair:
        """Return the payoff in row i and column j as (numerator, denominator)."""
        return self.table.pair(self.indices[i][j])


@dataclass(frozen=True)
class ExactSystem(System):
    """The number system of exact rational numbers, each a pair (numerator, denominator).

    Its value tables have exact values, balls around them, and an optimal basis of each matrix game.
    """

    name = "exact"
    bits = BALL_BITS
    zero = ZERO
    cost_growth = 4
    number = staticmethod(BigRational.of_pair)

    def value_table(
        self,
        layer: Layer,
        stages: Sequence[StageGame],
        below: MutableMapping[Any, ValueTable],
        previewed: PrizeState | None = None,
    ) -> ValueTable:
        tables = [PayoffTable(stage, layer, below, self) for stage in stages]
        times = [stage.times for stage in stages]
        short = layer.size <= SHORT_UP_TO and not any(
            values.evaluate for table in tables for values in table.below.values()
        )
        # For each pair of hands, the payoffs, balls around the values, and optimal bases, one for each stage game. Balls
        # suffice to prove the bases. Exact values are computed afterwards from the bases: all of them, or, if the value
        # table is only previewed, each when it is first needed.
        solved: list[tuple[list[PositionPayoff], tuple[arb, ...], tuple[Basis, ...]]] = []
        for indices in games(layer):
            payoffs = [PositionPayoff(indices, table) for table in tables]
            enclosed, optimal = zip(*map(self.solve, payoffs), strict=True)
            solved.append((payoffs, enclosed, optimal))
        bases = [optimal for _, _, optimal in solved]

        def value(h: int) -> Pair:
            payoffs, enclosed, optimal = solved[h]
            if short:
                return to_pair(average(map(short_value, payoffs, optimal), times))
            gains = []
            for count, payoff, near, basis in zip(times, payoffs, enclosed, optimal, strict=True):
                # If the ball has radius 0, its midpoint is the exact value, which need not be computed from the basis.
                is_known = near.is_exact()
                gain = to_pair(near.fmpq()) if is_known else shortened(basis_value(payoff, basis))
                gains.append((count, gain))
            return mean(gains)

        if previewed is None:
            return exact_value_table(list(map(value, range(len(layer)))), bases)

        def evaluate(h: int) -> Pair:
            single = SingleValue(previewed, h)
            if single not in below:
                below[single] = exact_value_table([value(h)], [bases[h]])
            return below[single].values[0]

        with ctx.workprec(BALL_BITS):
            balls = [average(enclosed, times) for _, enclosed, _ in solved]
        return ValueTable(balls, (), bases, evaluate=evaluate)

    def solve(self, payoff: PositionPayoff) -> tuple[arb, Basis]:
        """Return a ball around the value of a game, and an optimal basis."""
        saddle = payoff.table.saddle_point(payoff.indices)
        if saddle is not None:
            return saddle
        basis = propose(payoff.floats())
        enclosed = None if basis is None else value_if_optimal(payoff, basis)
        if basis is not None and enclosed is not None:
            return enclosed, basis
        from gops_exact.matrix_game.simplex import solve_tableau  # imported here: seldom needed

        value, basis = solve_tableau(payoff.rows)
        return ball(to_pair(value), BALL_BITS), basis

    def missing_values(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> list[SingleValue]:
        """List the keys of the exact values that have to be computed before :meth:`play` can solve a stage game.

        These are values in *previewed* value tables, which have balls around all values, but no exact values. The layer
        must have a single pair of hands. Both hands must be equal, and no player may be ahead.
        """
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, PayoffTable(stage, layer, below, self))
        basis = propose(payoff.floats())
        rows: Sequence[int] = range(len(indices))
        # If the basis is proved optimal, `play` needs only the payoffs in its rows and columns. The hands are equal, so
        # these are the same bids, and payoff (j, i) is minus payoff (i, j): the pairs i < j suffice.
        if basis is not None and certify(payoff, basis):
            rows = basis.rows
        single_values: dict[SingleValue, None] = {}
        for (i, j), (_, outcomes) in product(combinations(rows, 2), stage.stakes):
            _, single = payoff.table.look(outcomes, indices[i][j])
            if single is not None and below[single.prize_state].evaluate is not None:
                single_values[single] = None
        return list(single_values)

    def play(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> Play[Pair]:
        (indices,) = games(layer)
        payoff = PositionPayoff(indices, PayoffTable(stage, layer, below, self))
        play = by_basis(payoff, skew_symmetric=is_skew_symmetric(layer, stage))
        if play is None:
            from gops_exact.matrix_game.simplex import by_simplex  # imported here: seldom needed

            play = by_simplex(payoff).converted(to_pair)
        return play.over(layer.row_kept[0], layer.column_kept[0], ZERO)

    def expectation(self, payoffs: Sequence[Pair], column: Sequence[Pair]) -> Pair:
        products = zip(payoffs, column, strict=True)
        return reduced(total([(p * r, q * s) for (p, q), (r, s) in products]))

    def values(self, table: ValueTable) -> list[Pair]:
        return list(map(reduced, table.values))

    def payoffs(self, table: PayoffTable) -> Callable[[int], Pair]:
        return lambda index: reduced(table.pair(index))

    def negative(self, number: Pair) -> Pair:
        return -number[0], number[1]

    def pack_values(self, table: ValueTable) -> bytes:
        # For each pair of hands: an optimal basis of each stage game, with rows and columns as bit masks; then the value.
        parts = []
        for bases, pair in zip(table.bases, table.values, strict=True):
            sides = [(basis.rows, basis.columns) for basis in bases]
            masks = [tuple(sum(1 << bid for bid in bids) for bids in both) for both in sides]
            parts.append((masks, pair))
        return pack(parts)

    def unpack_values(self, payload: bytes) -> ValueTable:
        def bids() -> tuple[int, ...]:
            mask = reader.number()
            return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)

        with Reader(payload) as reader:
            entries = reader.several(
                lambda: (tuple(reader.several(lambda: Basis(bids(), bids()))), reader.pair())
            )
        return exact_value_table([pair for _, pair in entries], [bases for bases, _ in entries])

    def pack(self, play: Play[Pair]) -> bytes:
        # The name of the method, a 1 if no other strategy is optimal or else a 0, and then the strategy.
        return pack((play.method.encode(), bool(play.row_unique), list(play.row)))

    def unpack(self, payload: bytes) -> Play[Pair]:
        with Reader(payload) as reader:
            method, unique = reader.data().decode(), bool(reader.number())
            choice(method, "a method", METHODS)
            both = tuple(reader.several(reader.pair))
        return self.as_stored(Play(ZERO, both, both, unique, unique, method=method))
