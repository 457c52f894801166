"""``gops_exact cross-check``: every value of every layer, exact against float."""

from argparse import ArgumentParser, Namespace

from gops_exact.commands.arguments import add_n, add_rules, rules_of
from gops_exact.solver.cost import check_feasible
from gops_exact.solver.cross_check import cross_check

DESCRIPTION = "Compare every value of every layer in floats with the exact one and its bound."


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_n(parser, least=2)
    add_rules(parser)
    parser.add_argument("--force", action="store_true", help="start a run that takes hours")


def run(given: Namespace) -> int:
    """Print a line per layer.

    Raises:
        ArithmeticError: if a bound is broken.
        ValueError: if the arguments do not go together, or the exact values take hours unforced.
    """
    rules = rules_of(given)
    rules.deal(given.n)
    check_feasible(given.n, rules, force=given.force)
    unit = "" if rules.winning else " points"
    for check in cross_check(given.n, rules=rules):
        print(
            f"{check.size} cards a side: {check.values:,} values, off by at most "
            f"{check.largest_difference:.2g}, proved bound {check.largest_bound:.2g}{unit}"
        )
    return 0
