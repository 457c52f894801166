"""``gops-exact outcomes``: how often optimal play for a win is won and drawn."""

from argparse import Namespace
from collections.abc import Iterator

from gops_exact.commands.arguments import Parser, output, rules_of
from gops_exact.game.position import Position
from gops_exact.game.rules import Rules
from gops_exact.numbers import shorten, to_decimal_text, to_text
from gops_exact.schedule import available_cores
from gops_exact.solutions.first_moves import upcard_name
from gops_exact.solutions.solution import Outcomes
from gops_exact.solver.outcomes import Forecaster, check_quick, float_outcomes, mean

DESCRIPTION = (
    "How often the game is won and drawn if both play optimally for a win, by upcard and over all of "
    "them, as CSV. Either player wins as often as the other. Where there are several optimal "
    "strategies it depends on which are played: exactly, the least and the greatest chance over all of "
    "them; in floats, the chances for one pair, and how far from optimal it may be."
)
EXAMPLES = {
    "-n 5": "exactly, over all optimal strategies",
    "-n 8 --arithmetic float": "further, for one pair of strategies",
}

ARITHMETICS = ("exact", "float")
FLOAT_UPTO = 10
"""Cards a side that take no more than minutes in floats."""

DECIMALS = 12
EVERY = "all"
"""In place of an upcard: before one is turned up."""


def add_arguments(parser: Parser) -> None:
    """Declare the arguments of the command."""
    parser.add_n()
    parser.add_arithmetic(ARITHMETICS, "exact or float", "exact")
    parser.add_rules(objective="win")
    parser.add_full()
    parser.add_force()
    parser.add_out()


def run(given: Namespace) -> None:
    """Print the table."""
    rules = rules_of(given)
    rules.deal(given.n)
    if given.arithmetic == "exact":
        check_quick(given.n, force=given.force)
    elif given.n > FLOAT_UPTO and not given.force:
        raise ValueError(
            f"n must be at most {FLOAT_UPTO} for float outcomes unless forced, got {given.n}"
        )
    exact = given.arithmetic == "exact"
    lines = _exact(given.n, rules, full=given.full) if exact else _floats(given.n, rules)
    with output(given.out) as file:
        file.writelines(lines)


def _exact(n: int, rules: Rules, *, full: bool) -> Iterator[str]:
    yield "upcard,win_least,win_greatest,draw_least,draw_greatest,exact_draw_least,exact_draw_greatest\n"
    forecaster = Forecaster(n, rules)
    found: list[Outcomes] = []
    for _, position in Position.start(n, rules).turns():
        found.append(forecaster.outcomes(position))
        yield _line(upcard_name(position.upcard), found[-1], full=full)
    if len(found) > 1:
        yield _line(EVERY, mean([(1, each) for each in found]), full=full)


def _line(name: str, found: Outcomes, *, full: bool) -> str:
    decimals = [to_decimal_text(chance, DECIMALS) for chance in (*found.win, *found.draw)]
    show = str if full else shorten
    exact = [show(to_text(chance)) for chance in found.draw]
    return ",".join([name, *decimals, *exact]) + "\n"


def _floats(n: int, rules: Rules) -> Iterator[str]:
    found = float_outcomes(n, rules, jobs=available_cores())
    yield "upcard,win,draw,lacking\n"
    chances = [(upcard_name(upcard), draw) for upcard, draw in found.draws.items()]
    if len(chances) > 1:
        chances.append((EVERY, found.draw))
    for name, draw in chances:
        yield f"{name},{(1 - draw) / 2:.{DECIMALS}f},{draw:.{DECIMALS}f},{found.lacking:.1e}\n"
