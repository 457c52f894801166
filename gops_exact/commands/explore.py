"""``gops_exact explore``: a solved game as one HTML page, to look at and to play."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from gops_exact.commands.arguments import add_rules, integer, output, rules_of
from gops_exact.order_types import LONGEST
from gops_exact.report.explorer import EVERY_RULES, check_explorable, explorer_page

DESCRIPTION = (
    "Write a solved game as one HTML page that needs no network: its matrices and optimal mixes, "
    "exactly, every position, and play against the optimum."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--n", type=integer(1, LONGEST), required=True, metavar="N", help="cards a side"
    )
    add_rules(parser)
    parser.add_argument(
        "--all-rules",
        action="store_true",
        help="every objective, ties and order, to choose from in the page, those named first",
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help="write to this file, whole or not at all",
    )


def run(given: Namespace) -> int:
    """Write the page.

    Raises:
        ValueError: if the game is too large for a page, or the file cannot be written.
    """
    chosen = rules_of(given)
    games = [chosen]
    if given.all_rules:
        games += [rules for rules in EVERY_RULES if rules != chosen]
    check_explorable(given.n, games)
    for rules in games:
        rules.deal(given.n)  # first: prizes named in order have to be those of n cards
    with output(given.out, encoding="utf-8") as file:
        file.writelines(explorer_page(given.n, games))
    return 0
