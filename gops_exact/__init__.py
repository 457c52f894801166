"""The Game of Pure Strategy, solved exactly.

>>> import gops_exact as gx
>>> position = gx.Position([2, 4], [1, 3], [12, 13], upcard=13)
>>> gx.solve(position).row
{2: 12/25, 4: 13/25}

Functions:

* ``first_move(n, arithmetic)`` computes the optimal first moves in exact numbers (``Exact()``), in decimals with a proof
  of every digit (``Ball(digits)``), or in floats with proved radii (``Float(folder)``).
* ``value``, ``solve``, ``payoff_matrix`` and ``bid_gains`` solve any :class:`Position` in each of these arithmetics.
* ``outcomes`` computes the exact chances of a win, a draw and a loss if both players play optimally for a win.
* ``solve_matrix_game``, ``optimal_set`` and ``eliminate_dominated`` take any zero-sum matrix game, and
  ``solve_matrix_games`` takes an array of such games. ``explain`` solves a small matrix game step by step.
* ``solve_game`` and ``exploitability`` take any zero-sum game tree.
* ``view`` converts a number of any library to the type that numbers in results have.
* ``read`` reads a file that this package has written, and returns the result in it as an object.

Modules, each loaded when its name is first used:

* ``players``: policies and their expectations
* ``plots``: pictures
* ``known_games``: games of the literature
* ``extensive``: game trees
* ``hidden_bids``: the game with hidden bids
* ``training``: environments for PettingZoo and Gymnasium, and measurements of policies of OpenSpiel
* ``exchange``: files and games of other programs
"""

# Type checkers assume that a variable of this name is true. It is not imported from the module typing, because loading
# that module takes time, and an interrupt during that time would print a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from gops_exact import exchange as exchange
    from gops_exact import extensive as extensive
    from gops_exact import players as players
    from gops_exact.base.progress import progress_bar as progress_bar
    from gops_exact.base.store import StoreError as StoreError
    from gops_exact.exchange import training as training
    from gops_exact.exchange.reading import read as read
    from gops_exact.extensive import private_bids as hidden_bids  # noqa: F401  # gx has it by this name
    from gops_exact.extensive.equilibrium import exploitability as exploitability
    from gops_exact.extensive.equilibrium import solve_game as solve_game
    from gops_exact.game.game import Game as Game
    from gops_exact.game.game import Position as Position
    from gops_exact.game.rules import Rules as Rules
    from gops_exact.literature import known_games as known_games
    from gops_exact.matrix_game.basis import CertificateError as CertificateError
    from gops_exact.matrix_game.dominance import Elimination as Elimination
    from gops_exact.matrix_game.dominance import eliminate_dominated as eliminate_dominated
    from gops_exact.matrix_game.family import Family as Family
    from gops_exact.matrix_game.family import solve_family as solve_family
    from gops_exact.matrix_game.game_solution import GameSolution as GameSolution
    from gops_exact.matrix_game.game_solution import OptimalSet as OptimalSet
    from gops_exact.matrix_game.game_solution import regret as regret
    from gops_exact.matrix_game.matrix import MatrixGame as MatrixGame
    from gops_exact.matrix_game.sensitivity import Sensitivity as Sensitivity
    from gops_exact.matrix_game.strategies import optimal_set as optimal_set
    from gops_exact.matrix_game.strategies import solve_matrix_game as solve_matrix_game
    from gops_exact.numbers.digits import BigInteger as BigInteger
    from gops_exact.numbers.exact import BigRational as BigRational
    from gops_exact.numbers.exact import Number as Number
    from gops_exact.numbers.exact import PrecisionError as PrecisionError
    from gops_exact.numbers.kinds import BoundedFloat as BoundedFloat
    from gops_exact.numbers.kinds import ProvedDecimal as ProvedDecimal
    from gops_exact.numbers.kinds import view as view
    from gops_exact.numbers.table import Listing as Listing
    from gops_exact.numbers.table import Table as Table
    from gops_exact.show import plots as plots
    from gops_exact.show.explain import explain as explain
    from gops_exact.show.explorer import explore as explore
    from gops_exact.solvers.api import Lengths as Lengths
    from gops_exact.solvers.api import bid_gains as bid_gains
    from gops_exact.solvers.api import first_move as first_move
    from gops_exact.solvers.api import growth as growth
    from gops_exact.solvers.api import payoff_matrix as payoff_matrix
    from gops_exact.solvers.api import solve as solve
    from gops_exact.solvers.api import solver as solver
    from gops_exact.solvers.api import value as value
    from gops_exact.solvers.arithmetic import Ball as Ball
    from gops_exact.solvers.arithmetic import Exact as Exact
    from gops_exact.solvers.arithmetic import Float as Float
    from gops_exact.solvers.exact.chances import outcomes as outcomes
    from gops_exact.solvers.first_moves import FirstMoves as FirstMoves
    from gops_exact.solvers.first_moves import Strategy as Strategy
    from gops_exact.solvers.floats.many_games import SolvedGames as SolvedGames
    from gops_exact.solvers.floats.many_games import solve_matrix_games as solve_matrix_games
    from gops_exact.solvers.results import Outcomes as Outcomes
    from gops_exact.solvers.results import PayoffMatrix as PayoffMatrix
    from gops_exact.solvers.results import Solution as Solution
    from gops_exact.solvers.solver import Solver as Solver

    __version__: str

_NAMES = {
    "base.progress": "progress_bar",
    "exchange.reading": "read",
    "extensive.equilibrium": "exploitability solve_game",
    "game.game": "Game Position",
    "game.rules": "Rules",
    "matrix_game.dominance": "Elimination eliminate_dominated",
    "matrix_game.basis": "CertificateError",
    "matrix_game.family": "Family solve_family",
    "matrix_game.game_solution": "GameSolution OptimalSet regret",
    "matrix_game.matrix": "MatrixGame",
    "matrix_game.sensitivity": "Sensitivity",
    "matrix_game.strategies": "optimal_set solve_matrix_game",
    "numbers.digits": "BigInteger",
    "numbers.exact": "BigRational Number PrecisionError",
    "numbers.kinds": "BoundedFloat ProvedDecimal view",
    "numbers.table": "Listing Table",
    "show.explain": "explain",
    "show.explorer": "explore",
    "solvers.api": "Lengths bid_gains first_move growth payoff_matrix solve solver value",
    "solvers.exact.chances": "outcomes",
    "solvers.floats.many_games": "SolvedGames solve_matrix_games",
    "solvers.arithmetic": "Ball Exact Float",
    "solvers.first_moves": "FirstMoves Strategy",
    "solvers.results": "Outcomes PayoffMatrix Solution",
    "solvers.solver": "Solver",
    "base.store": "StoreError",
}
"""{module: its public names, separated by spaces}. A module is loaded when one of its names is first used."""

_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

WINGS = {
    "exchange": "exchange",
    "extensive": "extensive",
    "hidden_bids": "extensive.private_bids",
    "known_games": "literature.known_games",
    "players": "players",
    "plots": "show.plots",
    "training": "exchange.training",
}
"""{attribute of ``gops_exact`` that is a module: path of the module in the package}. A module is imported when its
attribute is first used."""

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    from gops_exact.base import load

    if name in _HOMES:
        value: object = getattr(load(f"gops_exact.{_HOMES[name]}"), name)
    elif name in WINGS:
        return load(f"gops_exact.{WINGS[name]}")
    elif name == "__version__":
        from importlib.metadata import version

        value = version("gops-exact")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, *WINGS, "__version__"]
