"""The Game of Pure Strategy, solved exactly.

>>> import gops_exact as gx
>>> gx.solve(gx.Position([2, 4], [1, 3], [12, 13], upcard=13)).row
{2: 12/25, 4: 13/25}

``first_move(n)`` gives the optimal first moves, ``certified_first_move`` decimals of them with a
proof where the exact numbers are too long, ``first_move_float`` floats with proved radii,
``first_move_residues`` their fingerprints modulo a prime; ``value`` and ``solve`` any :class:`Position`,
``outcomes`` how often it is won, drawn and lost, ``solve_matrix_game`` and ``optimal_set`` any
zero-sum matrix game, ``view`` a number of any length.
"""

from gops_exact.api import (
    bid_gains,
    certified_first_move,
    first_move,
    first_move_float,
    first_move_residues,
    outcomes,
    payoff_matrix,
    solve,
    value,
)
from gops_exact.game.position import Position
from gops_exact.game.rules import Rules
from gops_exact.matrix_game import optimal_set, solve_matrix_game
from gops_exact.numbers import view
from gops_exact.show import outcomes as _outcomes  # noqa: F401  # registers how outcomes look
from gops_exact.show.progress import progress_bar
from gops_exact.store import StoreError
from gops_exact.studies.growth import growth
from gops_exact.version import version

__all__ = [
    "Position",
    "Rules",
    "StoreError",
    "bid_gains",
    "certified_first_move",
    "first_move",
    "first_move_float",
    "first_move_residues",
    "growth",
    "optimal_set",
    "outcomes",
    "payoff_matrix",
    "progress_bar",
    "solve",
    "solve_matrix_game",
    "value",
    "view",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        return version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
