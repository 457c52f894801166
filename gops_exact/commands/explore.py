"""Write a solved game as one HTML page that needs no network. The page shows the payoff matrix and optimal
strategies at every position, and one can play against the optimal player. Its numbers are exact with up to six
cards, and floats with a proved bound with up to nine.
"""

from io import TextIOWrapper

from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import Options, Parser
from gops_exact.show.explorer import explore

EXAMPLES = {"-n 4 --out four.html": "four cards under all rules, to open in a browser"}


def add_arguments(parser: Parser) -> None:
    parser.share("-n --n")
    parser.add_rules(deck=True)
    only = (
        "include only the rules named; otherwise all rule sets can be chosen in the page (at six cards "
        "all but three whose numbers are too long; at more cards only the rules named)"
    )
    parser.add("game", "--only", "", only)
    parser.share("--out", required=True)


def run(options: Options) -> None:
    # A stream has an encoding of its own, but the page declares UTF-8.
    if isinstance(options.output, TextIOWrapper):
        options.output.reconfigure(encoding="utf-8")
    options.output.write(explore(options.game, only=options.only, progress=progress_bar()).html)
