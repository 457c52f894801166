"""``gops-exact measure``: the expectations of policies against each other, exactly."""

from argparse import Namespace

from gops_exact.commands.arguments import GAME, Parser, output, rules_of
from gops_exact.studies.measurements import BEST, measurable, measure_csv, measurements

DESCRIPTION = (
    "Compute exactly how many points or wins memoryless policies expect against each other and against "
    "a best response to them, as CSV."
)
EXAMPLES = {
    "-n 5 --policy matching --against random,upcard+1,best-response": "one policy against three",
}


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n()
    parser.add(GAME, "--policy", "NAMES", str, "policies, by commas (default: those there are)")
    against = f"opponents, by commas, {BEST!r} among them (default: those there are, and it)"
    parser.add(GAME, "--against", "NAMES", str, against)
    parser.add_rules()
    parser.add_full()
    parser.add_force()
    parser.add_out()


def run(given: Namespace) -> None:
    """Print the table."""
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
