"""Solve a two-person zero-sum game in extensive form exactly: an .efg or .nfg file of Gambit, or a game of
OpenSpiel by its name. Players may move in turn or at the same time, and may have hidden information.
"""

import sys
from pathlib import Path

from gops_exact.base.arguments import shown
from gops_exact.base.documents import MATRIX, kind_of, named, read_text
from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import Options, Parser, extra
from gops_exact.exchange.openspiel_games import SpielTree
from gops_exact.exchange.reading import object_of
from gops_exact.extensive import Equilibrium, approximate, solve_game
from gops_exact.extensive.equilibrium import AnyGame
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.solve import solve_matrix_game
from gops_exact.numbers.table import FORMATS, Shown

EXAMPLES = {
    "poker.efg": "the value, and an optimal strategy of each player",
    "poker.efg --emit json --out solved.json": "a document that verify proves",
    "openspiel:leduc_poker": "a game of OpenSpiel",
    "'openspiel:liars_dice(dice_sides=4)' --seconds 60": "learned, and proved to be near an equilibrium",
}

SPIEL = "openspiel:"
"""Prefix of the name of a game of OpenSpiel on the command line."""


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help=f"an .efg or .nfg file, or a solution in JSON; - for standard input; or {SPIEL}NAME, perhaps "
        "with parameters",
    )
    parser.share("--seconds")
    formats = "text: a table of both strategies; json: a document, which verify proves"
    parser.share("--emit", text=formats, choices=FORMATS)
    parser.share("--out")


def run(options: Options) -> None:
    with extra("openspiel", f"game {SPIEL}"):
        game = read_game(options.file)
    if options.seconds and isinstance(game, MatrixGame):
        raise ValueError(f"--seconds goes with game trees, got {options.file}")
    with extra("hidden", "game"):
        if isinstance(game, MatrixGame):
            result: Shown = solve_matrix_game(game, progress=progress_bar())
        elif options.seconds:
            result = approximate(game, seconds=options.seconds, progress=progress_bar())
        else:
            result = solve_game(game)
    options.write(result)


def read_game(name: str) -> AnyGame | MatrixGame:
    """Read a game from a file or from standard input, or load a game of OpenSpiel.

    Args:
        name: the path of the file, "-" for standard input, or :data:`SPIEL` and the name of a game of OpenSpiel.

    Raises:
        ValueError: if there is no such game.
    """
    if name.startswith(SPIEL):
        return SpielTree(name.removeprefix(SPIEL))
    text = sys.stdin.read() if name == "-" else read_text(Path(name), "utf-8-sig")
    with named(name):
        game = None if kind_of(text) == MATRIX else object_of(text)
    if isinstance(game, Equilibrium | GameSolution):
        game = game.game
    if not isinstance(game, AnyGame | MatrixGame):
        expected = "a file that begins with EFG or NFG, or a solution in JSON"
        raise ValueError(f"{name}: expected {expected}, got {shown(text)}")
    return game
