"""Two-player zero-sum games in extensive form, with moves of chance, simultaneous moves and information sets.

:func:`solve_game` solves such a game. A game is an object with the members of :class:`GameTree`.

>>> from gops_exact import known_games, solve_game
>>> equilibrium = solve_game(known_games.kuhn_poker())
>>> equilibrium.value, equilibrium.row["Q"]
(-1/18, {'p': 1})
"""

from gops_exact.extensive.equilibrium import (
    BestReplies,
    Equilibrium,
    approximate,
    best_replies,
    exploitability,
    security_level,
    solve_game,
    value,
)
from gops_exact.extensive.lock import locked
from gops_exact.extensive.paths import PathGame
from gops_exact.extensive.private_bids import HiddenBids
from gops_exact.extensive.ranges import Range, Ranges
from gops_exact.extensive.trees import Chance, GameTree, ListedTree, Move, Simultaneous, Tree

__all__ = [
    "BestReplies",
    "Chance",
    "Equilibrium",
    "GameTree",
    "HiddenBids",
    "ListedTree",
    "Move",
    "PathGame",
    "Range",
    "Ranges",
    "Simultaneous",
    "Tree",
    "approximate",
    "best_replies",
    "exploitability",
    "locked",
    "security_level",
    "solve_game",
    "value",
]
__dir__ = __all__.copy
