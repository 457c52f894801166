"""The first move from float values: the bounded values become balls.

A basis is proved optimal for every payoff matrix within them; so the probabilities come as balls
too, and those outside the basis as zeros.
"""

from dataclasses import dataclass
from math import inf, nextafter

from flint import arb

from gops_exact.game.order_types import Layer
from gops_exact.game.rules import Upcard
from gops_exact.game.turns import Turn
from gops_exact.lattice.ball import BallArithmetic, BallSlab
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.layers.layer import FloatLayer


@dataclass(frozen=True)
class FloatOpening:
    """The optimal first move at one upcard, in floats with radii.

    Attributes:
        upcard: the prize turned up, in points; None where prizes are hidden.
        probabilities: one per card, ascending.
        radii: how far each may be off. Zero where a probability is known exactly, such as one that
            is proved to be zero.
        proved: whether the support is proved, and the strategy to be the only optimal one. If not,
            every probability is 1/2 with radius 1/2.
        bound: how far the values it was computed from may be off.
    """

    upcard: Upcard
    probabilities: tuple[float, ...]
    radii: tuple[float, ...]
    proved: bool
    bound: float


def opening(layer: Layer, turn: Turn, below: FloatLayer | None) -> FloatOpening:
    """The first move of the whole game, whose one pair of hands `layer` holds."""
    slabs, bound = {}, 0.0
    if below is not None:
        for node in turn.nodes:
            off = below.bound(node.prizes)
            slabs[node] = BallSlab([arb(value, off) for value in below.slab(*node).tolist()])
            bound = max(bound, off)
    found = BallArithmetic(BALL_BITS).opening(layer, turn, slabs)
    pairs = [as_float(ball) for ball in found.strategy]
    return FloatOpening(
        turn.upcard,
        tuple(middle for middle, _ in pairs),
        tuple(radius for _, radius in pairs),
        found.proved,
        bound,
    )


def as_float(ball: arb) -> tuple[float, float]:
    """A float and a radius around it that hold every number of the ball.

    >>> as_float(arb(0.25)), as_float(arb(0.25, 0.5))[1] > 0.5
    ((0.25, 0.0), True)
    """
    middle = float(ball.mid())
    off = (ball - arb(middle)).abs_upper()
    radius = 0.0 if off == 0 else nextafter(float(off), inf)
    return middle, radius
