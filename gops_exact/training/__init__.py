"""Environments to train players in, and policies of OpenSpiel measured exactly.

The environments need PettingZoo and Gymnasium, which are loaded when one is asked for.

>>> from gops_exact import training
>>> training.benchmarked(4)
['random', 'matching', 'cfr', 'cfr+', 'mccfr', 'fictitious-play', 'mcts']
"""

from typing import TYPE_CHECKING, Any

from gops_exact.training.openspiel_players import OpenSpielPlayer, players_of
from gops_exact.training.openspiel_reply import nash_conv, reply_gain
from gops_exact.training.yardstick import Score, benchmark, benchmarked

if TYPE_CHECKING:
    from gops_exact.training.environments import GopsEnv, GopsParallelEnv, observation

__all__ = [
    "GopsEnv",
    "GopsParallelEnv",
    "OpenSpielPlayer",
    "Score",
    "benchmark",
    "benchmarked",
    "nash_conv",
    "observation",
    "players_of",
    "reply_gain",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # a class or a function
    if name in {"GopsEnv", "GopsParallelEnv", "observation"}:
        from gops_exact.training import environments

        return getattr(environments, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
