"""Classes and functions for training players: environments, and exact measurements of OpenSpiel's policies.

The environments need PettingZoo and Gymnasium; policies of OpenSpiel need OpenSpiel. PettingZoo and OpenSpiel are
loaded when a name that needs them is first used. Gymnasium is loaded with this module if it is installed, and the
environment ``gops_exact/Gops-v0`` is registered with it.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gops_exact.base import load

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
__dir__ = __all__.copy


def __getattr__(name: str) -> Any:  # noqa: ANN401  # a class or a function
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    own = name in {"GopsEnv", "GopsParallelEnv", "observation"}
    module = "environments" if own else "openspiel_policies"
    return getattr(load(f"gops_exact.exchange.{module}"), name)


with suppress(ImportError):
    from gymnasium import register

    register(id="gops_exact/Gops-v0", entry_point=f"{__name__}:GopsEnv")
