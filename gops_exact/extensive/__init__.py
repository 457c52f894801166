"""Two-player zero-sum games in extensive form: with chance, moves in turn or at once, and information sets.

:func:`solve_game` solves any of them exactly; a game describes itself as :class:`GameTree` says.

>>> from gops_exact import extensive, solve_game
>>> equilibrium = solve_game(extensive.KuhnPoker())
>>> equilibrium.value, equilibrium.row["Q"]
(-1/18, {'p': 1})
"""

from gops_exact.extensive.equilibrium import (
    Equilibrium,
    approximate,
    exploitability,
    guarantee,
    solve_game,
    value,
)
from gops_exact.extensive.hidden_bids import HiddenBids
from gops_exact.extensive.known_trees import (
    Goofspiel,
    KuhnPoker,
    LeducPoker,
    LiarsDice,
    OshiZumo,
    RecursiveBlotto,
    Repeated,
)
from gops_exact.extensive.trees import Chance, GameTree, ListedTree, Move, Simultaneous

__all__ = [
    "Chance",
    "Equilibrium",
    "GameTree",
    "Goofspiel",
    "HiddenBids",
    "KuhnPoker",
    "LeducPoker",
    "LiarsDice",
    "ListedTree",
    "Move",
    "OshiZumo",
    "RecursiveBlotto",
    "Repeated",
    "Simultaneous",
    "approximate",
    "exploitability",
    "guarantee",
    "solve_game",
    "value",
]
__dir__ = __all__.copy
