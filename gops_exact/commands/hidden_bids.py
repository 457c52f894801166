"""Solve the game with hidden bids exactly: players see who won each prize, but not the bids. This is
OpenSpiel's goofspiel with imp_info. If the order of the prizes is known, six cards take ten seconds. If it is
random, four cards take a second, and five some minutes. A run that would take longer is refused unless forced.
"""

from gops_exact.base.formats import FORMATS
from gops_exact.commands.options import Options, Parser, optional
from gops_exact.extensive import HiddenBids

EXAMPLES = {
    "-n 5 --prizes descending": "the first bids, and how many sequences are played",
    "-n 4 --objective win --emit json --out four.json": "a document that verify proves",
    "-n 5 --seconds 600": "five cards at random: learned, and proved to be near an equilibrium",
    "-n 4 --prizes ascending --seen one": "player one sees the bids, player two does not",
}

SEEN = {"none": (False, False), "one": (True, False), "two": (False, True), "both": (True, True)}


def add_arguments(parser: Parser) -> None:
    parser.share("-n --n", between=(2, 6))
    parser.add_rules(prizes="random, ascending, descending or the prizes in order, such as 3,1,2")
    parser.add("game", "--seen", "WHO", "who sees what the other bids", "none", choices=tuple(SEEN))
    parser.share("--refined", "--seconds")
    formats = "text: a table; json: both strategies, which verify proves"
    parser.share("--emit", text=formats, choices=FORMATS["result"])
    shown = "first: the bids of the first round; all: those at every information set"
    parser.add("output", "--show", "WHAT", shown, "first", choices=("first", "all"))
    parser.share("--digits", "--numbers", "--force", "--out")


def run(options: Options) -> None:
    game = HiddenBids(options.game, SEEN[options.seen])
    with optional("hidden", "hidden-bids"):
        result = options.solve_tree(game)
    options.write(result, result.table(every=options.show == "all"))
