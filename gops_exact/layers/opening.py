"""The first move from float values: the bounded values become balls.

A basis is proved optimal for every payoff matrix within the balls. So the probabilities are enclosed
in balls too, and those outside the basis are zeros.
"""

from math import inf, nextafter

from flint import arb

from gops_exact.game.order_types import Layer
from gops_exact.game.turns import Turn
from gops_exact.lattice.ball import BallArithmetic, BallSlab
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.lattice.sweep import Opening
from gops_exact.layers.layer import FloatLayer
from gops_exact.numbers.kinds import BoundedFloat


def opening(layer: Layer, turn: Turn, below: FloatLayer | None) -> Opening[BoundedFloat]:
    """Return the first move of the whole game, whose one pair of hands `layer` holds.

    If no basis is proved, every probability is 1/2 with radius 1/2.
    """
    slabs = {}
    if below is not None:
        for node in turn.nodes:
            off = below.bound(node.prizes)
            slabs[node] = BallSlab([arb(value, off) for value in below.slab(*node).tolist()])
    found = BallArithmetic(BALL_BITS).opening(layer, turn, slabs)
    return Opening(tuple(map(as_float, found.strategy)), found.unique, found.proved)


def as_float(ball: arb) -> BoundedFloat:
    """Return a float and a radius around it that hold every number of the ball.

    >>> as_float(arb(0.25)).radius, as_float(arb(0.25, 0.5)).radius > 0.5
    (0.0, True)
    """
    middle = float(ball.mid())
    off = (ball - arb(middle)).abs_upper()
    return BoundedFloat(middle, 0.0 if off == 0 else nextafter(float(off), inf))
