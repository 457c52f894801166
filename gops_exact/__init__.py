"""The Game of Pure Strategy, solved exactly.

>>> import gops_exact as gx
>>> position = gx.Position([2, 4], [1, 3], [12, 13], upcard=13)
>>> gx.solve(position).row
{2: 12/25, 4: 13/25}

``first_move(n, arithmetic)`` gives the optimal first moves in ``Exact()`` numbers, in decimals with
a proof of every digit (``Ball(digits)``), modulo a prime (``Residue(prime)``) or in floats with
proved radii (``Float(folder)``). ``value``, ``solve``, ``payoff_matrix`` and ``bid_gains`` solve any
:class:`Position` in any of them, ``outcomes`` gives how often it is won, drawn and lost,
``solve_matrix_game`` and ``optimal_set`` solve any zero-sum matrix game, ``view`` shows a number of any
length. The module ``players``, loaded when it is asked for, has policies and what they are worth.
"""

import sys
from importlib import import_module
from signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal
from typing import Any

if (
    "".join(sys.argv[:1]).endswith("gops-exact")
    or (sys.argv[:1] == ["-m"] and "gops_exact" in sys.orig_argv)
) and getsignal(SIGINT) == default_int_handler:
    # The program is being loaded: an interrupt ends it at once, not in a traceback of these imports.
    signal(SIGINT, SIG_DFL)

from gops_exact.game.position import Position
from gops_exact.game.rules import Rules
from gops_exact.matrix_game import CertificateError, optimal_set, solve_matrix_game
from gops_exact.numbers import view
from gops_exact.numbers.kinds import PrecisionError
from gops_exact.show.progress import progress_bar
from gops_exact.solutions.arithmetic import Ball, Exact, Float, Residue
from gops_exact.solver.first_moves import first_move
from gops_exact.solver.positions import bid_gains, outcomes, payoff_matrix, solve, value
from gops_exact.store import StoreError
from gops_exact.studies.growth import growth

__all__ = [
    "Ball",
    "CertificateError",
    "Exact",
    "Float",
    "Position",
    "PrecisionError",
    "Residue",
    "Rules",
    "StoreError",
    "bid_gains",
    "first_move",
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


def __getattr__(name: str) -> Any:  # noqa: ANN401  # a module or text
    if name == "__version__":
        from importlib.metadata import version

        return version("gops-exact")
    if name == "players":
        return import_module("gops_exact.players")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__", "players"]
