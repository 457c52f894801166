"""Solve a two-person zero-sum game exactly: a matrix of payoffs, a game tree or a position of GOPS. A file is a
table in CSV, with or without labels, a game of Gambit (.nfg, .efg, .gbt) or a document in JSON; its content says which.
In a tree players may move in turn or at the same time, and may have hidden information.
"""

import re
import sys
import warnings
from ast import literal_eval
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from gops_exact.base.documents import EFG, MATRIX, NFG, XML, kind_of, named, read_text
from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import note, progress_bar
from gops_exact.commands.options import Options, Parser, did_you_mean, optional
from gops_exact.game.game import Position
from gops_exact.matrix_game.dominance import eliminate_dominated
from gops_exact.matrix_game.game_files import HEADERS, parse
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.strategies import optimal_set, solve_matrix_game
from gops_exact.numbers.table import Shown
from gops_exact.show.explain import Explanation, explain
from gops_exact.solvers import api

if TYPE_CHECKING:
    from gops_exact.extensive import GameTree

EXAMPLES = {
    "game.csv": "a matrix game: the value, and an optimal strategy of each player",
    "game.csv --show optimal": "all optimal strategies: the mixtures of these",
    "game.csv --show steps": "a game of up to 3 × 3 solved as on a blackboard",
    "poker.efg --refined": "strategies that are right also after a mistake",
    "poker.efg --emit json --out solved.json": "a document that verify proves",
    "openspiel:leduc_poker": "a game of OpenSpiel",
    "'openspiel:liars_dice(dice_sides=4)' --seconds 60": "learned, and proved to be near an equilibrium",
    "'blotto(5, 3)'": "a game of the literature",
    "2.4_1.3_12.13@13": "a position",
}

SPIEL = "openspiel:"
"""Prefix of the name of a game of OpenSpiel on the command line."""

SPIEL_GAME = "a game of OpenSpiel"

WITH_DECIMALS = EFG, XML, SPIEL_GAME
"""Kinds of games with which ``--within`` goes."""

POSITION = re.compile(r"[\d.]+_[\d.]+_[hadf]?[\d.]+([@_].*)?")
"""Pattern of a position's name, and of names that are mistyped."""

SHOWN: dict[str, Callable[[MatrixGame], Shown | Explanation]] = {
    "solution": lambda game: solve_matrix_game(game, progress=progress_bar()),
    "steps": explain,
    "optimal": optimal_set,
    "dominated": eliminate_dominated,
    "weakly-dominated": lambda game: eliminate_dominated(game, weak=True),
}
"""{value of ``--show``: function that makes this result of a matrix game}."""


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "what",
        metavar="WHAT",
        help=f"a file; - for standard input; {SPIEL}NAME, perhaps with parameters; a game of gx.known_games by its name, "
        "with its arguments in brackets; or a position by its name",
    )
    labels = (
        "whether the first line of a table in CSV holds labels: yes, no, both (and the first column) or guess: "
        "where it has no number"
    )
    parser.add("game", "--header", "ANSWER", labels, "guess", choices=tuple(HEADERS))
    parser.share("--refined")
    results = (
        "solution: the value and a strategy of each player; of a matrix game also steps: the way to them in a game of "
        "up to 3 × 3, as on a blackboard; optimal: all extreme optimal strategies; "
        "dominated, weakly-dominated: what can be left out, and what is left"
    )
    parser.add("output", "--show", "WHAT", results, "solution", choices=tuple(SHOWN))
    formats = (
        "text: a table; json: a document, of a solution one that verify proves; vipr: a certificate of a matrix game's "
        "solution for checkers of that format; html: steps for a page"
    )
    parser.share("--emit", text=formats, choices=(*FORMATS["solution"], "html"))
    near = (
        "take each decimal of a game tree, or float of OpenSpiel, for the fraction with the smallest denominator within "
        "this distance, such as 1e-9"
    )
    parser.add("game", "--within", "DISTANCE", near)
    parser.share("--out", "--seconds", "--force")


def run(options: Options) -> None:
    formats = FORMATS[options.show if options.show in FORMATS else "result"]
    if options.emit not in formats:
        raise ValueError(
            f"--emit must be one of {', '.join(formats)} with --show {options.show}, got {options.emit}"
        )
    learns = options.learns()
    with optional("openspiel", SPIEL):
        kind, game = game_of(options.what, options.header, options.within)
    is_matrix = isinstance(game, MatrixGame)
    is_tree = not isinstance(game, MatrixGame | Position)
    for option, is_set, fits, expected in (
        ("--header", options.header != "guess", kind == MATRIX, MATRIX),
        (f"--show {options.show}", options.show != "solution", is_matrix, "a matrix game"),
        (f"--emit {options.emit}", options.emit == "vipr", is_matrix, "a matrix game"),
        ("--within", options.within is not None, kind in WITH_DECIMALS, "a game tree in a file"),
        ("--seconds", learns, is_tree, "a game tree"),
        ("--refined", options.refined, is_tree, "a game tree"),
        ("--force", options.force, not is_matrix, "a game tree or a position"),
    ):
        if is_set and not fits:
            raise ValueError(f"{option} goes with {expected}, got {kind}: {options.what}")
    if isinstance(game, MatrixGame):
        result = SHOWN[options.show](game)
    elif isinstance(game, Position):
        result = api.solve(game, progress=progress_bar(), force=options.force)
    else:
        from gops_exact.extensive import approximate, solve_game

        with optional("hidden", "solve"):
            if learns:
                result = approximate(game, seconds=options.seconds, progress=progress_bar())
            else:
                choices = {"refined": options.refined, "force": options.force}
                result = solve_game(game, **choices, progress=progress_bar())
    if isinstance(result, Explanation):
        options.output.write(result.emit(options.emit))
    else:
        options.write(result)


def game_of(
    what: str, header: str, within: str | None = None
) -> "tuple[str, MatrixGame | GameTree | Position]":
    """Find the game that the command line names; return its kind, in words, and the game.

    If `what` is the name of a game, the game is taken, even if there is a file of this name. The content of a file
    decides its kind.

    Args:
        what: the name of a game or of a position, the path of a file, or ``-`` for standard input.
        header: the labels in a table in CSV: ``"no"`` for none; ``"both"`` for the first line and the first column;
            ``"yes"`` for the first line, and the first column if it looks like labels; ``"guess"`` for either of them
            that looks like labels.
        within: the greatest distance between a decimal of a tree and the fraction that replaces it; None to read
            decimals as :func:`.read_efg` says.

    Raises:
        ValueError: if there is no such game.
    """
    if what.startswith(SPIEL):
        from gops_exact.extensive.openspiel_trees import SpielTree

        return SPIEL_GAME, SpielTree(what.removeprefix(SPIEL), within)
    if POSITION.fullmatch(what):
        return "a position", Position.parse(what)
    name, _, arguments = what.partition("(")
    near = ""
    if name.isidentifier():
        from gops_exact.literature import known_games

        if name in known_games.__all__:
            make = getattr(known_games, name)
            try:
                values = literal_eval(f"[{arguments.removesuffix(')')}]")
                signature(make).bind(*values)
            except (SyntaxError, TypeError, ValueError):
                expected = ", ".join(signature(make).parameters)
                raise ValueError(
                    f"expected {name}({expected}) with numbers, got {what!r}"
                ) from None
            game = make(*values)
            return "a matrix game" if isinstance(game, MatrixGame) else "a game tree", game
        near = did_you_mean(name, known_games.__all__)
    try:
        text = sys.stdin.read() if what == "-" else read_text(Path(what), "utf-8-sig")
    except ValueError as error:
        raise ValueError(f"{error}{near}") from None
    kind = kind_of(text)
    with named(what), warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always")
        if kind in (MATRIX, NFG, "payoffs", "matrix game"):
            game = parse(text, header)
        else:
            from gops_exact.exchange.reading import object_of
            from gops_exact.extensive import Equilibrium, GameTree

            game = object_of(text, within)
            if isinstance(game, Equilibrium | GameSolution):
                game = game.game
            if not isinstance(game, GameTree | MatrixGame):
                raise ValueError(f"expected a game, got {kind}")
    for doubt in doubts:
        note(f"{what}: {doubt.message}")
    return kind, game
