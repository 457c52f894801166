"""Environments to train players in, and policies of OpenSpiel measured exactly.

The environments need PettingZoo and Gymnasium, policies of OpenSpiel need it; each is loaded when one is
asked for.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gops_exact.exchange.environments import GopsEnv, GopsParallelEnv, observation
    from gops_exact.exchange.openspiel_policies import (
        OpenSpielPlayer,
        hidden_strategies,
        nash_conv,
        players_of,
        reply_gain,
    )

__all__ = [
    "GopsEnv",
    "GopsParallelEnv",
    "OpenSpielPlayer",
    "hidden_strategies",
    "nash_conv",
    "observation",
    "players_of",
    "reply_gain",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # a class or a function
    if name in {"GopsEnv", "GopsParallelEnv", "observation"}:
        from gops_exact.exchange import environments

        return getattr(environments, name)
    if name in __all__:
        from gops_exact.exchange import openspiel_policies as openspiel

        return getattr(openspiel, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
