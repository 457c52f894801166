"""Values in balls, which prove decimals of numbers that are too long to compute exactly.

Words used here:

* A *ball* is an interval, given by its midpoint and its radius, that is proved to contain the true number.
* A *basis* is a choice of equally many rows and columns of a matrix game. If it is optimal, the payoffs in these rows
  and columns determine the value and a strategy of each player (:mod:`~gops_exact.matrix_game.basis`).
* A *value table* has the values of all pairs of hands of a layer at one prize state. A *layer* lists pairs of hands
  with the same number of cards a side. A *prize state* is the set of the prizes left with the margin and the pot.

Floats propose a basis for each game, balls prove that the basis is optimal, and the payoffs of the basis determine the
value. If a number that has to be compared with zero is zero, balls cannot prove that. Nearly all such numbers occur
among small hands, so the values of small hands are computed in exact numbers.
"""

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar

from flint import arb, ctx, fmpq

from gops_exact.base.store import Reader, pack
from gops_exact.game.game import PrizeState, StageGame
from gops_exact.game.order_types import Layer
from gops_exact.matrix_game.basis import Basis, Play, propose, prove, prove_both, prove_row
from gops_exact.matrix_game.simplex import enclosed, solve_tableau
from gops_exact.numbers.exact import Pair, average, reduced
from gops_exact.numbers.kinds import ProvedDecimal, tidy
from gops_exact.solvers.arithmetic import BALL_BITS
from gops_exact.solvers.exact.lattice import (
    BALLS,
    FLOATS,
    FRACTIONS,
    ExactSystem,
    Indices,
    PayoffTable,
    System,
    ValueTable,
    games,
    is_skew_symmetric,
)

EXACT_UP_TO = 4
"""The default of the most cards a side for which :class:`BallSystem` computes exact values. Up to four cards a
side these have about 100 bits and take no more time than balls; at five cards a side they have thousands of bits."""


def solve_game(indices: Indices, table: PayoffTable) -> tuple[arb, Basis | None]:
    """Solve one matrix game, with balls of python-flint's current precision.

    A game that balls cannot solve is solved exactly if its payoffs are known exactly.

    Args:
        indices: the indices of the game's payoffs in `table`, shape (m, n).
        table: the payoffs of one round at one prize state, for all pairs of hands.

    Returns:
        A ball around the value; and an optimal basis, or None if no basis is proved to be optimal.
    """
    saddle = table.saddle_point(indices)
    if saddle is not None:
        return saddle
    balls = table.matrix(indices, BALLS)
    basis = propose(table.matrix(indices, FLOATS))
    play = None if basis is None else prove(balls, basis)
    if play is not None:
        return play.value, basis
    if not table.is_exact:
        return enclosed(balls)
    value, basis = solve_tableau(table.matrix(indices, FRACTIONS))
    return arb(value), basis


@dataclass(frozen=True)
class BallSystem(System):
    """The number system in which values are balls, that is, intervals given by a midpoint and a radius.

    For hands of at most `exact_up_to` cards, exact values are computed, too, and the balls are computed from them.
    """

    bits: int = BALL_BITS  # the precision of the midpoints in bits, at least 64
    exact_up_to: int = EXACT_UP_TO  # the most cards a side for which values are exact
    digits: int = 0  # the number of digits after the point that answers must prove
    zero: ClassVar[Any] = arb(0)
    values: ClassVar[Any] = attrgetter("balls")

    @property
    def name(self) -> str:
        """The name of the system in the keys of a store, with `bits` and `exact_up_to`, such as ``ball/128/4``."""
        return f"ball/{self.bits}/{self.exact_up_to}"

    def value_table(
        self,
        layer: Layer,
        stages: Sequence[StageGame],
        below: MutableMapping[Any, ValueTable],
        previewed: PrizeState | None = None,  # noqa: ARG002  # every value is computed at once
    ) -> ValueTable:
        if layer.size <= self.exact_up_to:
            return self.of_exact(ExactSystem().value_table(layer, stages, below).values)
        tables = [PayoffTable(stage, layer, below, self) for stage in stages]
        times = [stage.times for stage in stages]
        balls = []
        with ctx.workprec(self.bits):
            for indices in games(layer):
                values = [solve_game(indices, table)[0] for table in tables]
                balls.append(tidy(average(values, times)))
        return ValueTable(balls)

    def of_exact(self, values: Sequence[Pair]) -> ValueTable:
        """Return a value table with exact values, each a pair (numerator, denominator), and with balls around them."""
        with ctx.workprec(self.bits):
            return ValueTable([tidy(arb(fmpq(*value))) for value in values], values)

    def play(
        self, layer: Layer, stage: StageGame, below: Mapping[PrizeState, ValueTable]
    ) -> Play[Any]:
        (indices,), table = games(layer), PayoffTable(stage, layer, below, self)
        with ctx.workprec(self.bits):
            if table.is_exact:
                exactly = ExactSystem().play(layer, stage, below)
                return exactly.converted(lambda number: tidy(arb(fmpq(*number))))
            shape, skew_symmetric = (len(indices), len(indices[0])), is_skew_symmetric(layer, stage)
            value, basis = solve_game(indices, table)
            basis = basis or propose(table.matrix(indices, FLOATS))
            prove_sides = prove_row if skew_symmetric else prove_both
            proved = None if basis is None else prove_sides(table.matrix(indices, BALLS), basis)
            if basis is None or proved is None:
                row, column = ((arb(1, 1) / 2,) * side for side in shape)
                play = Play(tidy(value), row, column, None, None, proved=False, method="simplex")
            else:
                # In a skew-symmetric game the value is exactly 0, and both players have the same optimal strategy. So
                # replace the computed balls of the value and of player two's strategy.
                play = proved.on_basis(basis, shape, arb(0)).converted(tidy)
                play = play._replace(value=arb(0), column=play.row) if skew_symmetric else play
        return play.over(layer.row_kept[0], layer.column_kept[0], arb(0))

    def payoffs(self, table: PayoffTable) -> Callable[[int], arb]:
        return table.payoffs(BALLS).__getitem__

    def number(self, raw: arb) -> ProvedDecimal:
        return ProvedDecimal(raw, self.digits)

    def pack_values(self, table: ValueTable) -> bytes:
        # A 1 and the exact values if the table has them, otherwise a 0 and the balls.
        if table.values:
            return pack((1, list(map(reduced, table.values))))
        return pack((0, table.balls))

    def unpack_values(self, payload: bytes) -> ValueTable:
        with Reader(payload) as reader:
            if reader.number():
                return self.of_exact(reader.several(reader.pair))
            return ValueTable(reader.several(reader.ball))

    def as_stored(self, play: Play[arb]) -> Play[arb]:
        return super().as_stored(play)._replace(method="")  # a store of balls has no methods

    def pack(self, play: Play[arb]) -> bytes:
        # A 1 or 0 for each of two facts, that the strategy is proved and that no other one is optimal; then the strategy.
        return pack((bool(play.proved), bool(play.row_unique), list(play.row)))

    def unpack(self, payload: bytes) -> Play[arb]:
        with Reader(payload) as reader:
            proved, unique = bool(reader.number()), bool(reader.number())
            both = tuple(reader.several(reader.ball))
        return self.as_stored(Play(arb(0), both, both, unique, unique, proved))
