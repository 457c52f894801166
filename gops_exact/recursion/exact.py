"""The recursion over exact rational numbers.

Every value is kept twice: as a ball, for choosing and proving bases, and as a pair of integers,
for evaluating them.
"""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass

from flint import arb, ctx, fmpq, fmpz

from gops_exact.matrix_game.basis import Basis, certify, propose, prove
from gops_exact.matrix_game.evaluate import basis_value
from gops_exact.matrix_game.payoff import exact_matrix
from gops_exact.matrix_game.pfaffian import kernel_strategy
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.matrix_game.solution import GameSolution, Method
from gops_exact.matrix_game.solve import by_basis, by_simplex
from gops_exact.numbers.pairs import Pair, to_pair
from gops_exact.order_types import Layer
from gops_exact.recursion import exact_payload
from gops_exact.recursion.lattice import Prizes, draws
from gops_exact.recursion.lazy import LazyValues, brief, mean
from gops_exact.recursion.opening import Opening
from gops_exact.recursion.position import (
    BALL_BITS,
    ExactSlab,
    PositionPayoff,
    ball,
    bid_tables,
)


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

    def slab(self, layer: Layer, prizes: Prizes, below: Mapping[Prizes, ExactSlab]) -> ExactSlab:
        """The values of every pair of hands in `layer` with `prizes` left."""
        if not prizes:
            return ExactSlab.of([(fmpz(0), fmpz(1))] * len(layer), [()] * len(layer))
        turns = [(draw.upcard, draw.times, below[draw.rest]) for draw in draws(prizes)]
        values, bases = [], []
        for signs, children in bid_tables(layer):
            gains, found = [], []
            for upcard, times, slab in turns:
                basis, gain = self.value(PositionPayoff(upcard, signs, children, slab))
                gains.append((times, gain))
                found.append(basis)
            values.append(mean(gains, len(prizes)))
            bases.append(tuple(found))
        return ExactSlab.of(values, bases)

    def preview(
        self,
        layer: Layer,
        prizes: Prizes,
        below: Mapping[Prizes, ExactSlab],
        known: MutableMapping[int, ExactSlab],
    ) -> ExactSlab:
        """The slab with its balls and bases, its exact values evaluated when they are asked for."""
        if not (prizes and self.guided):
            return self.slab(layer, prizes, below)
        turns = [(draw.upcard, draw.times, below[draw.rest]) for draw in draws(prizes)]
        games, balls = [], []
        for signs, children in bid_tables(layer):
            gains, found = [], []
            for upcard, times, slab in turns:
                payoff = PositionPayoff(upcard, signs, children, slab)
                basis, gain = self.value_ball(payoff)
                gains.append((times, gain))
                found.append((times, payoff, basis))
            games.append(found)
            with ctx.workprec(BALL_BITS):
                balls.append(sum((times * gain for times, gain in gains), arb(0)) / len(prizes))
        bases = [tuple(basis for _, _, basis in found) for found in games]
        return ExactSlab(LazyValues(games, len(prizes), known), bases, balls)

    def value_ball(self, payoff: PositionPayoff) -> tuple[Basis, arb]:
        """An optimal basis of one game, and a ball around its value."""
        basis = propose(payoff.floats())
        with ctx.workprec(BALL_BITS):
            proved = None if basis is None else prove(payoff.balls(BALL_BITS), basis)
        if basis is not None and proved is not None:
            return basis, proved.value
        basis, pair = self.value(payoff)
        return basis, ball(pair, BALL_BITS)

    def value(self, payoff: PositionPayoff) -> tuple[Basis, Pair]:
        """An optimal basis of one game, and its value."""
        if self.guided:
            basis = propose(payoff.floats())
            if basis is not None and certify(payoff, basis):
                return basis, brief(basis_value(payoff, basis))
        value, _, _, tableau = solve_tableau(exact_matrix(payoff))
        return tableau.optimal_basis(), to_pair(value)

    def opening(self, layer: Layer, upcard: int, below: ExactSlab) -> Opening:
        """The first move of a position with equal hands, which `layer` holds alone.

        Raises:
            ValueError: if the hands differ.
        """
        if layer.one[0] != layer.two[0]:
            raise ValueError("an opening has equal hands")
        ((signs, children),) = bid_tables(layer)
        payoff = PositionPayoff(upcard, signs, children, below)
        basis = propose(payoff.floats()) if self.guided else None
        if basis is not None and certify(payoff, basis):
            method: Method = "pfaffian" if len(basis.rows) > 1 else "saddle point"
            return Opening(tuple(kernel_strategy(payoff, basis.rows)), method, unique=True)
        solution = by_simplex(exact_matrix(payoff))
        return Opening(tuple(map(to_pair, solution.row)), solution.method, solution.row_unique)

    def solve(self, layer: Layer, upcard: int, below: ExactSlab) -> GameSolution:
        """Both strategies of the position that `layer` holds alone, at an upcard.

        Strategies are over the cards of each hand, ascending. Of interchangeable bids only the
        lowest is played; where it is, the strategy is not unique.
        """
        ((signs, children),) = bid_tables(layer)
        payoff = PositionPayoff(upcard, signs, children, below)
        solution = None
        if self.guided:
            solution = by_basis(payoff, antisymmetric=bool(layer.one[0] == layer.two[0]))
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
