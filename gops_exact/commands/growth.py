"""Print how long the exact numbers of a solved game are, layer by layer."""

from gops_exact.base.progress import progress_bar
from gops_exact.base.writing import LINES, fields_of
from gops_exact.commands.options import Options, Parser
from gops_exact.solvers.api import Lengths, growth

EXAMPLES = {"-n 5": "the game of five cards, once it has been solved"}


def add_arguments(parser: Parser) -> None:
    parser.add_n(least=2)
    parser.add_rules()
    parser.share("--emit", text="csv, json or markdown", default="csv", choices=tuple(LINES))
    parser.share("--store", "--out")


def run(options: Options) -> None:
    layers = growth(
        options.n, rules=options.rules, store=options.store_path, progress=progress_bar()
    )
    options.output.writelines(LINES[options.emit](fields_of(Lengths), layers))
