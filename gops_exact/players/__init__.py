"""Policies, which choose a card in each round of the game, and exact measurements of them.

>>> from gops_exact import Game, players
>>> print(players.expected("matching", "random", Game(5)).difference)
4
>>> print(players.best_response("matching", Game(5)).gain)
5
"""

from gops_exact.players.catalogue import policy
from gops_exact.players.expectation import (
    BestReply,
    BestResponse,
    Expectation,
    best_response,
    expected,
)
from gops_exact.players.grades import Grade, review
from gops_exact.players.measurements import Loss, losses
from gops_exact.players.optimal import Optimal
from gops_exact.players.policy import (
    Behavioural,
    BidError,
    Memoryless,
    Policy,
    Pure,
    Round,
    View,
    points,
)
from gops_exact.players.referee import match, rounds

__all__ = [
    "Behavioural",
    "BestReply",
    "BestResponse",
    "BidError",
    "Expectation",
    "Grade",
    "Loss",
    "Memoryless",
    "Optimal",
    "Policy",
    "Pure",
    "Round",
    "View",
    "best_response",
    "expected",
    "losses",
    "match",
    "points",
    "policy",
    "review",
    "rounds",
]
__dir__ = __all__.copy
