"""The optimal first move of a position with equal hands, exactly."""

from dataclasses import dataclass

from gops_exact.matrix_game.solution import Method
from gops_exact.numbers.pairs import Pair


@dataclass(frozen=True)
class Opening:
    """The optimal first move of a position with equal hands.

    Attributes:
        strategy: a probability per card, ascending, each in lowest terms.
        method: the algorithm that found it.
        unique: whether it is the only optimal one.
    """

    strategy: tuple[Pair, ...]
    method: Method
    unique: bool
