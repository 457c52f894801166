"""``gops_exact measure``: what policies are worth against each other, exactly."""

from argparse import ArgumentParser, Namespace

from gops_exact.commands.arguments import add_out, add_rules, integer, output, rules_of
from gops_exact.order_types import LONGEST
from gops_exact.report.measure import BEST, measurable, measure_csv, measurements

DESCRIPTION = (
    "What memoryless policies can expect of a game against each other and against whoever does best "
    "against them, exactly, as CSV."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "--n", type=integer(1, LONGEST), required=True, metavar="N", help="cards a side"
    )
    parser.add_argument(
        "--policy", metavar="NAMES", help="policies, by commas (default: those there are)"
    )
    parser.add_argument(
        "--against",
        metavar="NAMES",
        help=f"opponents, by commas, {BEST!r} among them (default: those there are, and it)",
    )
    add_rules(parser)
    add_out(parser)


def run(given: Namespace) -> int:
    """Print the table.

    Raises:
        ValueError: if a policy is unknown or learns, or there are too many states.
    """
    names = measurable(given.n)
    policies = given.policy.split(",") if given.policy else names
    opponents = given.against.split(",") if given.against else [*names, BEST]
    with output(given.out, "utf-8") as file:
        for line in measure_csv(measurements(given.n, policies, opponents, rules_of(given))):
            file.write(line)
            file.flush()
    return 0
