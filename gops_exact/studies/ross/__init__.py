"""What Ross (1970, *Goofspiel: the game of pure strategy*, ORC 70-25) says about the game.

Against a player who discards at random: the matching strategy and its winnings (§2). Sizes of the
game as a whole and of its subgames (§3). The game whose prizes stay hidden until the bids are made
(§4). No matrix game is solved here; the tests do that, and compare.

Two statements of the report need a condition or a correction, which stands with the functions:
:func:`greatest_chance` for corollary 1 (i), :func:`pure_strategies` for equation (3).
"""

from gops_exact.studies.ross.counts import printed_strategies, pure_strategies, subgames
from gops_exact.studies.ross.hidden import hidden_value
from gops_exact.studies.ross.matching import (
    greatest_chance,
    matching_distribution,
    matching_value,
    matching_value_of_deck,
)

__all__ = [
    "greatest_chance",
    "hidden_value",
    "matching_distribution",
    "matching_value",
    "matching_value_of_deck",
    "printed_strategies",
    "pure_strategies",
    "subgames",
]
