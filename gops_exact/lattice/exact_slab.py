"""The matrix game of a position, over exact values that are known at three levels of precision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from flint import arb, ctx, fmpz

from gops_exact.game.order_types import Layer
from gops_exact.game.turns import Node, Stake, Turn
from gops_exact.lattice.tables import Places, block_width, look_up, payoff_table
from gops_exact.matrix_game.basis import Basis
from gops_exact.numbers.pairs import Pair, reduced, total

BALL_BITS = 128
"""Precision of the balls kept with a slab; more is computed from the exact pair when asked for."""

REDUCE_UP_TO = 20_000
"""Values are brought to lowest terms while the denominator has at most so many bits. Beyond, a
gcd costs more than the few bits it removes are worth."""


@dataclass(frozen=True, eq=False)
class ExactSlab:
    """The exact values of one node.

    Attributes:
        values: length H; the value of each pair of hands as (numerator, denominator).
        bases: length H; for each pair, the optimal basis of each turn's game.
        balls: length H; the values as balls of :data:`BALL_BITS` bits.
        floats: length H; the values rounded.
    """

    values: Sequence[Pair]
    bases: Sequence[tuple[Basis, ...]]
    balls: list[arb]
    floats: list[float] = field(init=False, repr=False)

    @classmethod
    def of(cls, values: Sequence[Pair], bases: Sequence[tuple[Basis, ...]]) -> "ExactSlab":
        """The slab of known values."""
        return cls(values, bases, [ball(pair, BALL_BITS) for pair in values])

    def __post_init__(self) -> None:
        object.__setattr__(self, "floats", [float(value) for value in self.balls])


def ball(pair: Pair, precision: int) -> arb:
    """A ball around numerator/denominator."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


@dataclass(frozen=True, eq=False)
class ExactTable:
    """Every entry that the games of one turn can have, at three levels of precision.

    Attributes:
        turn: the games.
        width: of a block of the table.
        below: the slabs they look at.
    """

    turn: Turn
    width: int
    below: Mapping[Node, ExactSlab]
    _known: dict[int, Pair] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, turn: Turn, layer: Layer, below: Mapping[Node, ExactSlab]) -> "ExactTable":
        """The table of the games of `turn` for the pairs of hands of `layer`."""
        return cls(turn, block_width(layer), {node: below[node] for node in turn.nodes})

    @cached_property
    def floats(self) -> list[float]:
        """Every entry, rounded."""
        return payoff_table(self.turn, self.width, lambda node: self.below[node].floats, 0.0)

    @cached_property
    def balls(self) -> list[arb]:
        """Every entry as a ball of :data:`BALL_BITS` bits."""
        with ctx.workprec(BALL_BITS):
            return payoff_table(self.turn, self.width, lambda node: self.below[node].balls, arb(0))

    def pair(self, place: int) -> Pair:
        """One entry as numerator and denominator."""
        if len(self.turn.stakes) == 1:
            return self._pair(self.turn.stakes[0], place)
        if place not in self._known:
            entries = [(stake.times, self._pair(stake, place)) for stake in self.turn.stakes]
            self._known[place] = mean(entries)
        return self._known[place]

    def _pair(self, stake: Stake, place: int) -> Pair:
        outcome, reference = stake.outcomes[place // self.width], place % self.width
        if outcome.decided is not None:
            return fmpz(outcome.gain + outcome.decided), fmpz(1)
        if reference == 0:
            return fmpz(outcome.gain), fmpz(1)
        if 2 * reference < self.width:
            p, q = self.below[outcome.node].values[reference - 1]
        else:
            p, q = self.below[outcome.mirrored].values[self.width - reference - 1]
            p = -p
        return (p + outcome.gain * q if outcome.gain else p), q


@dataclass(frozen=True, eq=False)
class PositionPayoff:
    """The payoff matrix of one game, assembled on demand.

    Attributes:
        places: shape (m, n); where its entries stand in the table.
        table: the entries of all games of its turn.
    """

    places: Places
    table: ExactTable

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.places), len(self.places[0])

    def floats(self) -> list[list[float]]:
        """Every entry rounded, shape (m, n)."""
        return look_up(self.places, self.table.floats)

    def balls(self, precision: int) -> list[list[arb]]:
        """Every entry as a ball, shape (m, n)."""
        if precision <= BALL_BITS:
            return look_up(self.places, self.table.balls)
        pair = self.table.pair
        return [[ball(pair(place), precision) for place in row] for row in self.places]

    def pair(self, i: int, j: int) -> Pair:
        """Entry (i, j) as numerator and denominator."""
        return self.table.pair(self.places[i][j])


def mean(values: Sequence[tuple[int, Pair]]) -> Pair:
    """The mean of values, given as (how often, value), reduced where that is cheap."""
    if len(values) == 1:
        return brief(values[0][1])
    p, q = total([(times * p, q) for times, (p, q) in values])
    return brief((p, q * sum(times for times, _ in values)))


def brief(pair: Pair) -> Pair:
    """The same fraction, reduced where that is cheap."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair
