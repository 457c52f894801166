"""Solve one position: its value for player one, and optimal strategies of both players. If no upcard is named, the
position is solved for every prize that can come next.
"""

import json

from gops_exact.base.arguments import MOST_DIGITS
from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import FLOATS, STORE_DEFAULT, USED_FOLDER, Options, Parser
from gops_exact.game.rules import parse_cards
from gops_exact.numbers.exact import TABLE_DIGITS
from gops_exact.numbers.table import in_latex
from gops_exact.solvers.api import solver
from gops_exact.solvers.arithmetic import DIGITS
from gops_exact.solvers.results import position_document

EXAMPLES = {
    "--one 2,4 --two 1,3 --prizes 12,13 --upcard 13": "two cards each, the king turned up",
    "--one 1,2,3,4,5,6,8 --two 1,2,3,5,6,7,9 --prizes 1,3,5,6,7,8,9 --arithmetic float": "floats",
    "2.4_1.3_12.13@13": "the first of these by its name",
    "--one 2,4 --two 1,3 --prizes descending:12,13 --objective win --margin -1": "other rules",
}

LATEX = ("latex", "booktabs")


def add_arguments(parser: Parser) -> None:
    parser.add_position(alone=True)
    parser.share("--arithmetic")
    digits = (
        f"digits after the point (default: {TABLE_DIGITS}; {DIGITS} in ball arithmetic, where all are "
        "proved)"
    )
    parser.add("numbers", "--digits", "D", digits, between=(1, MOST_DIGITS))
    parser.share("--folder", text=USED_FOLDER)
    formats = "text, latex, booktabs, markdown: a table for each upcard; json: one document"
    parser.share("--emit", text=formats, choices=FORMATS["position"])
    parser.share("--numbers", "--out")
    store = f"use the values in this store, if there are any, but add none {STORE_DEFAULT}"
    parser.share("--store", text=store)
    parser.share("--jobs", goes_with=FLOATS)
    parser.share("--force")


def run(options: Options) -> None:
    position = options.described_position
    asked = [turned for _, turned in position.with_upcards()]
    if options.upcard is not None:
        asked = [position.at(upcard) for upcard in dict.fromkeys(parse_cards(options.upcard))]
        position = position if len(asked) > 1 else asked[0]
    kind = options.kind_of_numbers(options.arithmetic)
    digits, rounds = options.digits, kind.digits is not None or options.emit != "json"
    expected = "--arithmetic ball, or exact or float with --emit text"
    options.judge(("--digits", rounds, expected), got=f"{kind.name} and json")
    answers = solver(
        kind,
        store=options.store,
        jobs=options.jobs,
        progress=progress_bar(),
        force=options.force,
    )
    worth = answers.value(position)
    solutions = [answers.solve(turned) for turned in asked]
    if options.emit == "json":
        document = position_document(position, worth, solutions)
        options.output.write(json.dumps(document, indent=1) + "\n")
        return
    if len(solutions) > 1:
        line = f"value {worth.short(digits)}, over all upcards"
        options.output.write(f"{in_latex(line) if options.emit in LATEX else line}\n\n")
    for index, solution in enumerate(solutions):
        options.output.write("\n" if index else "")
        options.write(solution, solution.table(digits))
