"""The recursion over exact rational numbers.

Every value is kept twice: as a ball, for choosing and proving bases, and as a pair of integers,
for evaluating them.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from flint import arb, ctx, fmpz

from gops_exact.arguments import choice
from gops_exact.game.game import Node, Turn
from gops_exact.game.order_types import Layer
from gops_exact.lattice.exact_slab import (
    BALL_BITS,
    ExactSlab,
    ExactTable,
    LazyValues,
    PositionPayoff,
    ball,
    brief,
    mean,
)
from gops_exact.lattice.sweep import (
    Places,
    System,
    average,
    games,
    is_fair,
    look_up,
    over_cards,
)
from gops_exact.matrix_game.basis import certify, propose
from gops_exact.matrix_game.evaluate import basis_value, value_if_optimal
from gops_exact.matrix_game.exact import solve_tableau
from gops_exact.matrix_game.play import METHODS, Basis, Play
from gops_exact.matrix_game.solve import by_basis, by_simplex
from gops_exact.numbers.payload import Reader, Writer
from gops_exact.numbers.raw import Pair, reduced, to_pair, total

ZERO: Pair = fmpz(0), fmpz(1)


@dataclass(frozen=True)
class ExactSystem(System[ExactSlab, Pair]):
    """Exact numbers."""

    guided: bool = True  # floats and balls find the bases, else every game goes through the simplex
    name = "exact"
    zero = ZERO
    cost_growth = 4

    def slab(
        self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, ExactSlab]
    ) -> ExactSlab:
        """Return the values of every pair of hands in `layer` before one of `turns`."""
        tables = [ExactTable.of(turn, layer, below) for turn in turns]
        values, bases = [], []
        for places in games(layer):
            gains, found = [], []
            for table in tables:
                basis, gain = self.value(PositionPayoff(places, table))
                gains.append((table.turn.times, gain))
                found.append(basis)
            values.append(mean(gains))
            bases.append(tuple(found))
        return ExactSlab.of(values, bases)

    def preview(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: Mapping[Node, ExactSlab],
        known: MutableMapping[int, ExactSlab],
    ) -> ExactSlab:
        """Return the slab with balls and bases; exact values are evaluated when asked for."""
        if not self.guided:
            return self.slab(layer, turns, below)
        tables = [ExactTable.of(turn, layer, below) for turn in turns]
        times = [turn.times for turn in turns]
        played, balls = [], []
        for places in games(layer):
            payoffs = [PositionPayoff(places, table) for table in tables]
            found = [self.value_ball(payoff) for payoff in payoffs]
            bases = [basis for basis, _ in found]
            played.append(list(zip(times, payoffs, bases, strict=True)))
            with ctx.workprec(BALL_BITS):
                balls.append(average([gain for _, gain in found], times))
        bases_of = [tuple(basis for _, _, basis in each) for each in played]
        return ExactSlab(balls, LazyValues(played, known), bases_of)

    def value_ball(self, payoff: PositionPayoff) -> tuple[Basis, arb]:
        """Return an optimal basis of one game, and a ball around its value."""
        basis = propose(payoff.floats())
        if basis is not None:
            enclosed = value_if_optimal(payoff, basis)
            if enclosed is not None:
                return basis, enclosed
        basis, pair = _by_simplex(payoff)
        return basis, ball(pair, BALL_BITS)

    def value(self, payoff: PositionPayoff) -> tuple[Basis, Pair]:
        """Return an optimal basis of one game, and its value."""
        if self.guided:
            basis = propose(payoff.floats())
            if basis is not None and value_if_optimal(payoff, basis) is not None:
                return basis, brief(basis_value(payoff, basis))
        return _by_simplex(payoff)

    def lacking(
        self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]
    ) -> list[tuple[Node, int]]:
        """List the values, by node and place, that :meth:`play` between equal hands has to evaluate."""
        (places,), table = games(layer), ExactTable.of(turn, layer, below)
        payoff = PositionPayoff(places, table)
        basis = propose(payoff.floats()) if self.guided else None
        rows: Sequence[int] = range(len(places))
        if basis is not None and certify(payoff, basis):
            rows = basis.rows
        return table.lacking(places[i][j] for i, j in combinations(rows, 2))

    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> Play[Pair]:
        """Return optimal play at the position that `layer` holds alone, in lowest terms."""
        (places,) = games(layer)
        payoff = PositionPayoff(places, ExactTable.of(turn, layer, below))
        found = by_basis(payoff, fair=is_fair(layer, turn)) if self.guided else None
        return over_cards(layer, found or by_simplex(payoff).play.converted(to_pair), ZERO)

    def entries(
        self, places: Places, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]
    ) -> list[list[Pair]]:
        """Return the payoffs at `places` of a game of `layer`, in lowest terms."""
        table = ExactTable.of(turn, layer, below)
        return [[reduced(table.pair(place)) for place in row] for row in places]

    def enclosed(
        self, places: Places, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]
    ) -> list[list[arb]]:
        """Return the payoffs at `places` as balls: quick where exact numbers are long."""
        return look_up(places, ExactTable.of(turn, layer, below).balls)

    def expectation(self, payoffs: Sequence[Pair], column: Sequence[Pair]) -> Pair:
        """Return the mean of payoffs by the probabilities of `column`, in lowest terms."""
        products = zip(payoffs, column, strict=True)
        return reduced(total([(p * r, q * s) for (p, q), (r, s) in products]))

    def first(self, slab: ExactSlab) -> Pair:
        """Return the first value of a slab, in lowest terms."""
        return reduced(slab.values[0])

    def negative(self, number: Pair) -> Pair:
        """Return a number with the other sign."""
        return -number[0], number[1]

    def select(self, slab: ExactSlab, places: Sequence[int]) -> ExactSlab:
        """Return the values at `places` as a slab."""
        return ExactSlab(
            [slab.balls[h] for h in places],
            [slab.values[h] for h in places],
            [slab.bases[h] for h in places],
        )

    def join(self, slabs: Sequence[ExactSlab]) -> ExactSlab:
        """Return slabs one after the other as one slab."""
        return ExactSlab(
            [value for slab in slabs for value in slab.balls],
            [pair for slab in slabs for pair in slab.values],
            [bases for slab in slabs for bases in slab.bases],
        )

    def nbytes(self, slab: ExactSlab) -> int:
        """Return the memory that the exact values take, in bytes; the rest is negligible."""
        return sum(p.bit_length() + q.bit_length() for p, q in slab.values) // 8

    def pack_slab(self, slab: ExactSlab) -> bytes:
        """Write a slab: for each pair of hands the bases, as bit masks, and the fraction."""
        writer = Writer().number(len(slab.values))
        for bases, pair in zip(slab.bases, slab.values, strict=True):
            writer.number(len(bases))
            for basis in bases:
                writer.number(_as_mask(basis.rows)).number(_as_mask(basis.columns))
            writer.pair(pair)
        return writer.payload()

    def unpack_slab(self, payload: bytes) -> ExactSlab:
        """Read what :meth:`pack_slab` wrote."""

        def basis() -> Basis:
            return Basis(_as_indices(reader.number()), _as_indices(reader.number()))

        with Reader(payload) as reader:
            read = reader.several(lambda: (tuple(reader.several(basis)), reader.pair()))
        return ExactSlab.of([pair for _, pair in read], [bases for bases, _ in read])

    def pack_opening(self, opening: Play[Pair]) -> bytes:
        """Write an opening as bytes."""
        writer = Writer().text(opening.method).number(bool(opening.row_unique))
        return writer.several(opening.row, writer.pair).payload()

    def unpack_opening(self, payload: bytes) -> Play[Pair]:
        """Read what :meth:`pack_opening` wrote."""
        with Reader(payload) as reader:
            method, unique = reader.text(), bool(reader.number())
            choice(method, "a method", METHODS)
            return Play.fair(reader.several(reader.pair), ZERO, unique=unique, method=method)


def _as_mask(indices: Sequence[int]) -> int:
    return sum(1 << i for i in indices)


def _as_indices(mask: int) -> tuple[int, ...]:
    return tuple(i for i in range(mask.bit_length()) if mask >> i & 1)


def _by_simplex(payoff: PositionPayoff) -> tuple[Basis, Pair]:
    """Return an optimal basis of one game, and its value, without floats or balls."""
    play, basis = solve_tableau(payoff.rows)
    return basis, to_pair(play.value)
