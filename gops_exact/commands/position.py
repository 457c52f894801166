"""Solve one position: its value for player one, and optimal strategies of both players. Without --upcard,
it is solved for every prize that can come next.
"""

import json

from gops_exact.base.arguments import LARGEST, MOST_DIGITS
from gops_exact.base.formats import FORMATS
from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import (
    FLOATS,
    PRIZES,
    STORE_DEFAULT,
    USED_FOLDER,
    Options,
    Parser,
    integer,
)
from gops_exact.game.game import FIXED, Position
from gops_exact.game.rules import ORDERS, PLAIN, Rules, parse_cards
from gops_exact.numbers.exact import TABLE_DIGITS
from gops_exact.numbers.table import TABLE_FORMATS, in_latex, terminal_width
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


def add_position(parser: Parser, *, alone: bool) -> None:
    """Declare the options that describe a position.

    Args:
        parser: the parser of the command.
        alone: True if the command takes only positions, False if it also takes whole games.
    """
    parser.add_argument(
        "position",
        nargs="?",
        metavar="POSITION",
        help="a position by its name, such as 2.4_1.3_12.13@13, in place of the options about the game",
    )
    for player in ("one", "two"):
        parser.add("game", f"--{player}", "CARDS", f"the hand of player {player}, such as 2,4")
    left = (
        f"the prizes left, such as 12,13, in random order unless {', '.join(ORDERS[1:])} or {FIXED} "
        "(as typed) precedes them, as in hidden:12,13"
    )
    named = left if alone else f"{PRIZES}; of a position, {left}"
    parser.add_rules(prizes=named, left=alone, deck=not alone)
    turned = "the prize turned up, by number or as A, T, J, Q, K" + "; several with commas" * alone
    parser.add("game", "--upcard", "CARD", turned)
    ahead = "player one's points so far less player two's, where the objective is to win"
    parser.add("game", "--margin", "POINTS", ahead, 0, type=integer(-LARGEST, LARGEST))
    pot = "points carried over from ties, where ties are carried over"
    parser.add("game", "--pot", "POINTS", pot, 0, type=integer(0, LARGEST))


def position_of(options: Options) -> Position:
    """Return the position that the options describe, without the upcard, which the caller has to turn up."""
    if options.position is not None:
        usual = {"objective": PLAIN.objective, "ties": PLAIN.ties, "margin": 0, "pot": 0}
        said = ("one", "two", "prizes", *["upcard"] * ("@" in options.position), *usual)
        for option in said:
            if getattr(options, option) not in (None, usual.get(option, PLAIN.prizes)):
                raise ValueError(
                    f"POSITION: expected no --{option} beside it, as it says that as well"
                )
        return Position.parse(options.position)
    for option in ("one", "two", "prizes"):
        if getattr(options, option) is None:
            what = "prizes left" if option == "prizes" else "cards of a hand"
            raise ValueError(
                f"--{option}: expected the {what}, as 2,4, or a position by its name, as 2.4_1.3_12.13, got none"
            )
    order, _, left = options.prizes.rpartition(":")
    if left in ORDERS or order not in ("", FIXED, *ORDERS):
        raise ValueError(
            "--prizes: expected the prizes left, as 12,13, or with their order, one of "
            f"{', '.join((*ORDERS, FIXED))}, as hidden:12,13, got {options.prizes!r}"
        )
    prizes = parse_cards(left)
    rules = Rules(
        options.objective, options.ties, prizes if order == FIXED else order or PLAIN.prizes
    )
    one, two = parse_cards(options.one), parse_cards(options.two)
    return Position(one, two, prizes, rules=rules, margin=options.margin, pot=options.pot)


def add_arguments(parser: Parser) -> None:
    add_position(parser, alone=True)
    parser.share("--arithmetic")
    digits = (
        f"digits after the point (default: {TABLE_DIGITS}; {DIGITS} in ball arithmetic, where all are "
        "proved)"
    )
    parser.add("numbers", "--digits", "D", digits, type=integer(1, MOST_DIGITS))
    parser.share("--folder", text=USED_FOLDER)
    formats = "text, latex, booktabs, markdown: a table for each upcard; json: one document"
    parser.share("--emit", text=formats, choices=FORMATS["position"])
    parser.share("--out")
    store = f"use the values in this store, if there are any, but add none {STORE_DEFAULT}"
    parser.share("--store", text=store)
    parser.share("--jobs", goes_with=FLOATS)
    parser.share("--force")


def run(options: Options) -> None:
    position = position_of(options)
    asked = [turned for _, turned in position.turns()]
    if options.upcard is not None:
        asked = [position.at(upcard) for upcard in dict.fromkeys(parse_cards(options.upcard))]
        position = position if len(asked) > 1 else asked[0]
    kind = options.numbers(options.arithmetic)
    digits = options.digits
    if digits is not None and kind.digits is None and options.emit == "json":
        raise ValueError(
            "--digits goes with --arithmetic ball, or exact or float with --emit text, got it with "
            f"{kind.name} and {options.emit}"
        )
    answers = solver(
        kind,
        store=options.store,
        jobs=options.jobs,
        progress=progress_bar(),
        force=options.force,
    )
    worth = answers.value(position)
    solutions = [answers.solve(turned) for turned in asked]
    file = options.output
    if options.emit == "json":
        document = position_document(position, worth, solutions)
        file.write(json.dumps(document, indent=1) + "\n")
        return
    width = terminal_width(file)
    if len(solutions) > 1:
        line = f"value {worth.short(digits)}, over all upcards"
        file.write(f"{in_latex(line) if options.emit in LATEX else line}\n\n")
    for index, solution in enumerate(solutions):
        file.write("\n" if index else "")
        table = solution.table(digits)
        file.writelines(
            table.text(width) if options.emit == "text" else [TABLE_FORMATS[options.emit](table)]
        )
