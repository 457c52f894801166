"""The recursion over exact rational numbers.

Every value is kept twice: as a ball, for choosing and proving bases, and as a pair of integers,
for evaluating them.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass

from flint import arb, ctx, fmpq

from gops_exact.game.order_types import Layer
from gops_exact.game.turns import Node, Turn
from gops_exact.lattice import exact_payload
from gops_exact.lattice.exact_slab import (
    BALL_BITS,
    ExactSlab,
    ExactTable,
    PositionPayoff,
    ball,
    brief,
    mean,
)
from gops_exact.lattice.lazy import LazyValues
from gops_exact.lattice.opening import Opening
from gops_exact.lattice.tables import average, games
from gops_exact.matrix_game.basis import Basis, certify, propose
from gops_exact.matrix_game.evaluate import basis_value
from gops_exact.matrix_game.payoff import exact_matrix
from gops_exact.matrix_game.pfaffian import kernel_strategy
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.matrix_game.solution import GameSolution, Method
from gops_exact.matrix_game.solve import by_basis, by_simplex
from gops_exact.matrix_game.ties import value_if_optimal
from gops_exact.numbers.pairs import Pair, to_pair


@dataclass(frozen=True)
class ExactArithmetic:
    """The recursion's games over exact numbers.

    Attributes:
        guided: let floats and balls find the bases; otherwise every game goes through the
            rational simplex.
    """

    guided: bool = True
    name = "exact"
    dearer = 4

    def slab(
        self, layer: Layer, turns: Sequence[Turn], below: Mapping[Node, ExactSlab]
    ) -> ExactSlab:
        """The values of every pair of hands in `layer` before one of `turns`."""
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
        """The slab with its balls and bases, its exact values evaluated when they are asked for."""
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
        return ExactSlab(LazyValues(played, known), bases_of, balls)

    def value_ball(self, payoff: PositionPayoff) -> tuple[Basis, arb]:
        """An optimal basis of one game, and a ball around its value."""
        basis = propose(payoff.floats())
        if basis is not None:
            enclosed = value_if_optimal(payoff, basis)
            if enclosed is not None:
                return basis, enclosed
        basis, pair = _by_simplex(payoff)
        return basis, ball(pair, BALL_BITS)

    def value(self, payoff: PositionPayoff) -> tuple[Basis, Pair]:
        """An optimal basis of one game, and its value."""
        if self.guided:
            basis = propose(payoff.floats())
            if basis is not None and value_if_optimal(payoff, basis) is not None:
                return basis, brief(basis_value(payoff, basis))
        return _by_simplex(payoff)

    def opening(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> Opening:
        """The first move of a position with equal hands, which `layer` holds alone.

        Raises:
            ValueError: if the hands differ.
        """
        if layer.one[0] != layer.two[0]:
            raise ValueError("an opening has equal hands")
        payoff = self.payoff(layer, turn, below)
        basis = propose(payoff.floats()) if self.guided else None
        if basis is not None and certify(payoff, basis):
            method: Method = "pfaffian" if len(basis.rows) > 1 else "saddle point"
            return Opening(tuple(kernel_strategy(payoff, basis.rows)), method, unique=True)
        solution = by_simplex(exact_matrix(payoff))
        return Opening(tuple(map(to_pair, solution.row)), solution.method, solution.row_unique)

    def payoff(self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab]) -> PositionPayoff:
        """The game of the position that `layer` holds alone."""
        (places,) = games(layer)
        return PositionPayoff(places, ExactTable.of(turn, layer, below))

    def solve(
        self, layer: Layer, turn: Turn, below: Mapping[Node, ExactSlab], *, fair: bool
    ) -> GameSolution:
        """Both strategies of the position that `layer` holds alone.

        Strategies are over the cards of each hand, ascending. Of interchangeable bids only the
        lowest is played; where it is, the strategy is not unique.

        Args:
            layer: the position.
            turn: the game.
            below: the slabs it looks at.
            fair: whether the players are in the same position, so that the game is antisymmetric.
        """
        payoff = self.payoff(layer, turn, below)
        solution = None
        if self.guided:
            solution = by_basis(payoff, antisymmetric=fair)
        if solution is None:
            solution = by_simplex(exact_matrix(payoff))
        row, row_spread = _expand(solution.row, layer.row_kept[0].tolist())
        column, column_spread = _expand(solution.column, layer.column_kept[0].tolist())
        return GameSolution(
            solution.value,
            row,
            column,
            solution.method,
            solution.row_unique and not row_spread,
            solution.column_unique and not column_spread,
        )

    def select(self, slab: ExactSlab, places: Sequence[int]) -> ExactSlab:
        """The values at `places` as a slab."""
        return ExactSlab(
            [slab.values[h] for h in places],
            [slab.bases[h] for h in places],
            [slab.balls[h] for h in places],
        )

    def join(self, slabs: Sequence[ExactSlab]) -> ExactSlab:
        """Slabs one after the other as one slab."""
        return ExactSlab(
            [pair for slab in slabs for pair in slab.values],
            [bases for slab in slabs for bases in slab.bases],
            [value for slab in slabs for value in slab.balls],
        )

    def nbytes(self, slab: ExactSlab) -> int:
        """Memory taken by the exact values, in bytes; the rest is of no weight."""
        return sum(p.bit_length() + q.bit_length() for p, q in slab.values) // 8

    def pack_slab(self, slab: ExactSlab) -> bytes:
        """A slab as bytes: for each pair of hands the bases, as bit masks, and the fraction."""
        return exact_payload.pack_slab(slab)

    def unpack_slab(self, payload: bytes) -> ExactSlab:
        """The inverse of :meth:`pack_slab`."""
        return exact_payload.unpack_slab(payload)

    def pack_opening(self, opening: Opening) -> bytes:
        """An opening as bytes."""
        return exact_payload.pack_opening(opening)

    def unpack_opening(self, payload: bytes) -> Opening:
        """The inverse of :meth:`pack_opening`."""
        return exact_payload.unpack_opening(payload)


def _expand(strategy: tuple[fmpq, ...], kept: list[bool]) -> tuple[tuple[fmpq, ...], bool]:
    """A strategy over kept bids as one over all cards, and whether a run of bids shares one."""
    cards, spread, played, run = [], False, iter(strategy), fmpq(0)
    for own in kept:
        if own:
            run = next(played)
        elif run:
            spread = True
        cards.append(run if own else fmpq(0))
    return tuple(cards), spread


def _by_simplex(payoff: PositionPayoff) -> tuple[Basis, Pair]:
    """An optimal basis of one game, and its value, with neither floats nor balls."""
    value, _, _, tableau = solve_tableau(exact_matrix(payoff))
    return tableau.optimal_basis(), to_pair(value)
