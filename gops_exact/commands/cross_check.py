"""Compare every float value of every layer with the exact one, and its error with its proved bound."""

from argparse import Namespace

from gops_exact.commands.arguments import Parser, announce, game_of
from gops_exact.cost import check_cost
from gops_exact.progress import progress_bar
from gops_exact.solutions.arithmetic import Exact
from gops_exact.solvers.cross_check import cross_check

EXAMPLES = {"-n 5 --objective win": "every value of the game of five cards for a win"}


def add_arguments(parser: Parser) -> None:
    parser.add_n(least=2)
    parser.add_rules()
    parser.share("--force")


def run(given: Namespace) -> None:
    game = game_of(given)
    announce(check_cost(game, Exact(), force=given.force).seconds)
    unit = "" if game.rules.winning else " points"
    for check in cross_check(game, progress=progress_bar()):
        print(
            f"{check.size} card{'s' if check.size > 1 else ''} a side: {check.values:,} values, off by at most "
            f"{check.largest_difference:.2g}, proved bound {check.largest_bound:.2g}{unit}"
        )
