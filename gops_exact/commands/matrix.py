"""Solve a two-person zero-sum game given by its payoff matrix exactly. The file is a table in CSV, with or
without labels, an .nfg file of Gambit, or a document in JSON.
"""

import sys
import warnings
from collections.abc import Callable

from gops_exact.base.progress import note, progress_bar
from gops_exact.commands.options import Options, Parser
from gops_exact.matrix_game.dominance import eliminate_dominated
from gops_exact.matrix_game.game_files import HEADERS, as_matrix_game, parse
from gops_exact.matrix_game.game_solution import SOLUTION_FORMATS
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.solve import optimal_set, solve_matrix_game
from gops_exact.numbers.table import FORMATS, Shown
from gops_exact.show.explain import EXPLANATION_FORMATS, Explanation, explain

EXAMPLES = {
    "game.csv": "the value, and an optimal strategy of each player",
    "game.csv --show optimal": "all optimal strategies: the mixtures of these",
    "game.csv --show steps": "a game of up to 3 × 3 solved as on a blackboard",
    "game.nfg --emit json --out solved.json": "a document that verify proves",
}

FORMATS_OF = {"solution": SOLUTION_FORMATS, "steps": EXPLANATION_FORMATS}
"""{value of ``--show``: formats in which this result can be emitted}. All other results have the formats of a table."""

SHOWN: dict[str, Callable[[MatrixGame], Shown | Explanation]] = {
    "solution": lambda game: solve_matrix_game(game, progress=progress_bar()),
    "steps": explain,
    "optimal": optimal_set,
    "dominated": eliminate_dominated,
    "weakly-dominated": lambda game: eliminate_dominated(game, weak=True),
}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "file",
        metavar="FILE",
        help="player one's gains, a line for each of player one's pure strategies; - for standard input",
    )
    labels = (
        "whether the first line of a table in CSV holds labels: yes, no, both (and the first column) or guess: "
        "where it has no number"
    )
    parser.add("game", "--header", "ANSWER", labels, "guess", choices=tuple(HEADERS))
    shown = (
        "solution: the value and a strategy of each player; steps: the way to them in a game of up to 3 × 3, as on "
        "a blackboard; optimal: all extreme optimal strategies; "
        "dominated, weakly-dominated: what can be left out, and what is left"
    )
    parser.add("output", "--show", "WHAT", shown, "solution", choices=tuple(SHOWN))
    formats = (
        "text: a table; json: a document, of a solution one that verify proves; vipr: a certificate of a "
        "solution for checkers of that format; html: steps for a page"
    )
    parser.share("--emit", text=formats, choices=(*SOLUTION_FORMATS, "html"))
    parser.share("--out")


def run(options: Options) -> None:
    formats = FORMATS_OF.get(options.show, FORMATS)
    if options.emit not in formats:
        raise ValueError(
            f"--emit must be one of {', '.join(formats)} with --show {options.show}, got {options.emit}"
        )
    with warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always")
        game = (
            parse(sys.stdin.read(), options.header)
            if options.file == "-"
            else as_matrix_game(options.file, header=options.header)
        )
    for doubt in doubts:
        note(f"{options.file}: {doubt.message}")
    result = SHOWN[options.show](game)
    if isinstance(result, Explanation):
        options.output.write(result.emit(options.emit))
    else:
        options.write(result)
