"""Compare the float values of a game with the exact values, and their errors with the proved bounds.

All positions that the game can reach are compared. Each line of the answer is about a *layer*: the positions with the
same number of cards a side.
"""

from gops_exact.base.progress import progress_bar
from gops_exact.base.writing import LINES, fields_of
from gops_exact.commands.options import Options, Parser
from gops_exact.game.order_types import LONGEST
from gops_exact.numbers.digits import upwards
from gops_exact.solvers.arithmetic import Exact
from gops_exact.solvers.cost import check_cost
from gops_exact.solvers.float_errors import LayerCheck, cross_check

EXAMPLES = {"-n 5 --objective win": "the values of the game of five cards for a win"}


def add_arguments(parser: Parser) -> None:
    parser.share("-n --n", between=(2, LONGEST))
    parser.add_rules()
    parser.share(
        "--emit", text="text: a line in words for each layer; csv, json, markdown: its numbers"
    )
    parser.share("--out", "--force")


def run(options: Options) -> None:
    game = options.game
    check_cost(game, Exact(), force=options.force)
    checks = cross_check(game, progress=progress_bar())
    unit = "" if game.rules.winning else " points"
    if options.emit in LINES:
        lines = LINES[options.emit](fields_of(LayerCheck), checks)
    else:
        lines = (
            f"{check.size} card{'s' if check.size > 1 else ''} a side: {check.values:,} values, off by at most "
            f"{upwards(check.largest_difference)}, proved bound {upwards(check.largest_bound)}{unit}\n"
            for check in checks
        )
    options.write_lines(lines)
