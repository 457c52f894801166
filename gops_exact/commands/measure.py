"""``gops_exact measure``: the expectations of policies against each other, exactly."""

from argparse import ArgumentParser, Namespace

from gops_exact.commands.arguments import add_full, add_n, add_out, add_rules, output, rules_of
from gops_exact.studies.measurements import BEST, measurable, measure_csv, measurements

DESCRIPTION = (
    "What memoryless policies can expect of a game against each other and against whoever does best "
    "against them, exactly, as CSV."
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_n(parser)
    parser.add_argument(
        "--policy", metavar="NAMES", help="policies, by commas (default: those there are)"
    )
    parser.add_argument(
        "--against",
        metavar="NAMES",
        help=f"opponents, by commas, {BEST!r} among them (default: those there are, and it)",
    )
    add_rules(parser)
    add_full(parser)
    parser.add_argument(
        "--force", action="store_true", help="solve for the optimal policy even if it takes hours"
    )
    add_out(parser)


def run(given: Namespace) -> int:
    """Print the table.

    Raises:
        ValueError: if a policy is unknown or learns, the optimal one takes hours, or there are too
            many states.
    """
    rules = rules_of(given)
    rules.deal(given.n)
    names = measurable(given.n, rules)
    policies = given.policy.split(",") if given.policy is not None else names
    opponents = given.against.split(",") if given.against is not None else [*names, BEST]
    found = measurements(given.n, policies, opponents, rules, force=given.force)
    with output(given.out) as file:
        for line in measure_csv(found, full=given.full):
            file.write(line)
            file.flush()
    return 0
