"""Comparison of the float values of a game with the exact values, as a check of the proved bounds on errors.

A *layer* has the values of all positions of a game with the same number of cards a side. A *prize state* is the set of
the prizes left with the margin (player one's points minus player two's) and the pot (the points carried over from
ties). A *value table* has the exact values of all pairs of hands at a prize state.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, nextafter

from flint import arb, ctx

from gops_exact.base.progress import Progress, part_of
from gops_exact.game.game import Game, PrizeState
from gops_exact.solvers.arithmetic import BALL_BITS, Float
from gops_exact.solvers.exact.lattice import ExactSystem, ValueTable
from gops_exact.solvers.exact.value_tables import Values
from gops_exact.solvers.floats.layer import FloatLayer
from gops_exact.solvers.floats.sweep import float_layers


@dataclass(frozen=True)
class LayerCheck:
    """The result of comparing one layer of floats with exact values."""

    size: int  # cards a side
    values: int  # the number of values compared
    # the largest error of a float: in points or, if the objective is to win, as a difference of probabilities
    largest_difference: float
    largest_bound: float  # the largest proved bound on errors, in the same unit
    largest_share: float  # the largest ratio of an error to its proved bound; at most 1


def cross_check(
    game: Game,
    *,
    jobs: int | None = None,
    integers: bool | None = None,
    progress: Progress | None = None,
) -> list[LayerCheck]:
    """Compare the float value of every position that a game can reach with the exact value, layer by layer.

    Layers also have float values of states (margin and pot) that the game cannot reach; these are not compared.

    Args:
        game: the game whose values are compared.
        jobs: the number of threads for floats; None for the number of cores. Exact values are computed on
            one core.
        integers: True to store float values as 32-bit integers, which needs the objective ``win``; None to do so only
            if the values in memory would take more than 4 GB as floats.
        progress: called as progress(done, total), in any unit.

    Returns:
        A result for each layer, ascending by cards a side.

    Raises:
        ArithmeticError: if the error of a float is larger than its proved bound.

    >>> [(check.size, check.values) for check in cross_check(Game(4), jobs=1)]
    [(1, 4), (2, 36), (3, 24)]
    """
    exact = Values(game.types, game.rules, ExactSystem())
    exact.sweep(game.stage_games.values(), part_of(progress, 0, 9, 10))
    floating = part_of(progress, 9, 1, 10)
    layers = float_layers(game, Float(integers=integers), jobs=jobs, progress=floating)
    return [compare(layer, exact) for layer in layers]


def compare(layer: FloatLayer, exact: Mapping[PrizeState, ValueTable]) -> LayerCheck:
    """Compare the values of one float layer with the exact values, at each prize state that `exact` has.

    Args:
        layer: the float values of all positions with the same number of cards a side.
        exact: {prize state (prizes left, margin and pot): value table}. The balls of a value table are narrow intervals
            around the exact values of all pairs of hands. Value tables of other layers are not used.

    Raises:
        ArithmeticError: if the error of a float is larger than its proved bound.
    """
    difference, share, values = 0.0, 0.0, 0
    for state, table in exact.items():
        if len(state.prizes) != layer.size:
            continue
        bound, column = layer.bound(state.prizes), layer.values_of(*state).tolist()
        with ctx.workprec(BALL_BITS):
            off = [
                float((ball - arb(value)).abs_upper())
                for ball, value in zip(table.balls, column, strict=True)
            ]
        worst = nextafter(max(off), inf) if any(off) else 0.0
        if not worst <= bound:
            raise ArithmeticError(
                f"a value for prizes {state.prizes} is off by {worst:.3g}, more than its bound "
                f"{bound:.3g}"
            )
        values += len(column)
        difference, share = max(difference, worst), max(share, worst / bound if worst else 0.0)
    return LayerCheck(layer.size, values, difference, float(max(layer.bounds)), share)
