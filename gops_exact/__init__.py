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
length. The module ``players`` has policies and what they are worth.
"""

TYPE_CHECKING = False  # as type checkers know it; the program handles no signal before this file
if TYPE_CHECKING:
    from gops_exact import players as players
    from gops_exact.game.position import Position as Position
    from gops_exact.game.rules import Rules as Rules
    from gops_exact.matrix_game import CertificateError as CertificateError
    from gops_exact.matrix_game import optimal_set as optimal_set
    from gops_exact.matrix_game import solve_matrix_game as solve_matrix_game
    from gops_exact.numbers import view as view
    from gops_exact.numbers.kinds import PrecisionError as PrecisionError
    from gops_exact.show.progress import progress_bar as progress_bar
    from gops_exact.solutions.arithmetic import Ball as Ball
    from gops_exact.solutions.arithmetic import Exact as Exact
    from gops_exact.solutions.arithmetic import Float as Float
    from gops_exact.solutions.arithmetic import Residue as Residue
    from gops_exact.solver.first_moves import first_move as first_move
    from gops_exact.solver.positions import bid_gains as bid_gains
    from gops_exact.solver.positions import outcomes as outcomes
    from gops_exact.solver.positions import payoff_matrix as payoff_matrix
    from gops_exact.solver.positions import solve as solve
    from gops_exact.solver.positions import value as value
    from gops_exact.store import StoreError as StoreError
    from gops_exact.studies.growth import growth as growth

    __version__: str

HOMES = {
    "Ball": "solutions.arithmetic",
    "CertificateError": "matrix_game",
    "Exact": "solutions.arithmetic",
    "Float": "solutions.arithmetic",
    "Position": "game.position",
    "PrecisionError": "numbers.kinds",
    "Residue": "solutions.arithmetic",
    "Rules": "game.rules",
    "StoreError": "store",
    "bid_gains": "solver.positions",
    "first_move": "solver.first_moves",
    "growth": "studies.growth",
    "optimal_set": "matrix_game",
    "outcomes": "solver.positions",
    "payoff_matrix": "solver.positions",
    "progress_bar": "show.progress",
    "solve": "solver.positions",
    "solve_matrix_game": "matrix_game",
    "value": "solver.positions",
    "view": "numbers",
}
"""The modules of the public names. Each is loaded when a name of it is asked for."""

__all__ = list(HOMES)


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in HOMES:
        found: object = getattr(import_module(f"gops_exact.{HOMES[name]}"), name)
    elif name == "players":
        return import_module("gops_exact.players")  # which sets the name itself
    elif name == "__version__":
        from importlib.metadata import version

        found = version("gops-exact")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__", "players"]
