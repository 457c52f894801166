"""Write a solved game as one HTML page that needs no network: payoff matrices and optimal strategies at
every position, and play against the optimal player; exact up to six cards, in floats with a proved
bound up to nine.
"""

from argparse import Namespace

from gops_exact.commands.arguments import Parser, announce, game_of, output
from gops_exact.cost import estimate_cost
from gops_exact.game.game import Game
from gops_exact.progress import progress_bar
from gops_exact.show.explorer import LARGEST, explorer_page, rules_to_choose
from gops_exact.solutions.arithmetic import Exact

EXAMPLES = {"-n 4 --out four.html": "four cards under all rules, to open in a browser"}


def add_arguments(parser: Parser) -> None:
    parser.add_n()
    parser.add_rules()
    only = (
        "include only the rules named; otherwise all rule sets can be chosen in the page (at six cards "
        "all but three whose numbers are too long; at more cards only the rules named)"
    )
    parser.add("game", "--only", "", only)
    parser.share("--out", required=True)


def run(given: Namespace) -> None:
    game = game_of(given)
    chosen = [game.rules] if given.only else rules_to_choose(game.n, game.rules)
    if game.n <= LARGEST:
        announce(sum(estimate_cost(Game(game.n, rules), Exact()).seconds for rules in chosen))
    with output(given.out, binding=True) as file:
        file.write(explorer_page(game.n, chosen, progress=progress_bar()))
