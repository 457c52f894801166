"""The Game of Pure Strategy, solved exactly.

>>> import gops_exact as gx
>>> gx.solve([2, 4], [1, 3], [12, 13], upcard=13).row
{2: 12/25, 4: 13/25}

``first_move(n)`` gives the optimal first moves, ``value`` and ``solve`` any position,
``solve_matrix_game`` and ``optimal_set`` any zero-sum matrix game, ``view`` a number of any length.
"""

from importlib.metadata import version

from gops_exact.api import first_move, solve, value
from gops_exact.matrix_game import optimal_set, solve_matrix_game
from gops_exact.numbers import view
from gops_exact.rules import Rules

__version__ = version("gops-exact")

__all__ = [
    "Rules",
    "__version__",
    "first_move",
    "optimal_set",
    "solve",
    "solve_matrix_game",
    "value",
    "view",
]
