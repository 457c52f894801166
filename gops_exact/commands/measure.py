"""``gops-exact measure``: the expectations of policies against each other, exactly."""

from argparse import Namespace

from gops_exact.commands.arguments import PLAYED_FROM, Parser, output, played_from, rules_of
from gops_exact.numbers import to_decimal_text, view
from gops_exact.show.progress import close_bars, progress_bar
from gops_exact.show.tables import write_table
from gops_exact.show.text import TABLE_DIGITS
from gops_exact.studies.measurements import BEST, Measurement, measurable, measure_csv, measurements

DESCRIPTION = (
    "Compute exactly how many points or wins memoryless policies expect against each other and against "
    "a best response to them."
)
EXAMPLES = {
    "-n 5 --policy matching --against random,upcard+1,best-response": "one policy against three",
    "-n 4 --objective win --emit csv": "all against all, every exact number in full",
}

HEADS = {
    **dict.fromkeys(("policy", "against"), "<"),
    **dict.fromkeys(("one", "two", "difference"), ">"),
    "exactly": "<",
}
"""The columns of the table, each with the side it is aligned to."""


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n()
    known = "all that are quick to measure"
    policies = f"policies, separated by commas (default: {known})"
    parser.add("game", "--policy", "NAMES", policies)
    against = f"opponents, separated by commas; {BEST!r} can be one (default: {known}, and it)"
    parser.add("game", "--against", "NAMES", against)
    parser.add_rules()
    kinds = "of the policy optimal: exact, or float, for more cards"
    parser.add_arithmetic(PLAYED_FROM, kinds, "exact")
    parser.add_folder("float arithmetic: keep the values of all positions in files there")
    parser.add_emit(("text", "csv"), "text: a table; csv: exact numbers in full", "text")
    parser.add_out()
    parser.add_force()


def run(given: Namespace) -> None:
    """Print the table."""
    rules = rules_of(given)
    rules.deal(given.n)
    names = measurable(given.n, rules)
    policies = given.policy.split(",") if given.policy is not None else names
    opponents = given.against.split(",") if given.against is not None else [*names, BEST]
    bar = progress_bar()
    found = measurements(
        *(given.n, policies, opponents, rules),
        arithmetic=played_from(given),
        progress=bar,
        force=given.force,
    )
    with output(given.out) as file:
        if given.emit == "csv":
            for line in measure_csv(found):
                close_bars()
                file.write(line)
                file.flush()
        else:
            write_table(file, HEADS, map(_line, found), keys=2)


def _line(found: Measurement) -> list[str]:
    """Return the cells of a measurement; a dash for what is not known of the best response."""
    numbers = (found.one, found.two, found.difference)
    decimals = ["–" if x is None else to_decimal_text(x, TABLE_DIGITS) for x in numbers]
    return [found.policy, found.against, *decimals, str(view(found.difference))]
