"""Compute how often the game is won and drawn if both play optimally for a win, by upcard and over all
of them. Each player wins as often as the other. Where there are several optimal strategies, the chances
depend on which are played. Exact arithmetic gives the least and the greatest chance over all of them.
Floats give the chances for one pair; the column lacking bounds how far either strategy falls short of
optimal, in wins less losses.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from operator import itemgetter

from gops_exact.base.machine import available_cores
from gops_exact.base.progress import progress_bar
from gops_exact.base.writing import LINES
from gops_exact.commands.options import EXACT_OR_FLOAT, Options, Parser
from gops_exact.game.game import Game
from gops_exact.game.rules import upcard_name
from gops_exact.numbers import view
from gops_exact.numbers.digits import upwards
from gops_exact.numbers.table import TABLE_DIGITS, Table
from gops_exact.solvers.cost import check_outcomes
from gops_exact.solvers.floats.forecast import Forecaster, float_outcomes, mean
from gops_exact.solvers.solution import Chances, Outcomes

EXAMPLES = {
    "-n 5": "exactly, over all optimal strategies",
    "-n 8 --arithmetic float": "more cards, for one pair of strategies",
}

CHANCES = ("win_least", "win_greatest", "draw_least", "draw_greatest")
EXACT = ("upcard", *CHANCES, "exact_draw_least", "exact_draw_greatest")
FLOATS: tuple[str, ...] = ("upcard", "win", "draw", "lacking")
"""Columns of the table of exact outcomes, and of the table of float outcomes."""

DECIMALS = 12
"""Digits after the point in CSV and JSON."""

EVERY = "all"
"""The name, in the column of upcards, of the row for the game before a prize is turned up."""


def add_arguments(parser: Parser) -> None:
    parser.add_n()
    parser.share("--arithmetic", text="exact or float", choices=EXACT_OR_FLOAT)
    parser.add_rules(objectives=("win",))
    parser.share("--emit", "--out", "--force")


def run(options: Options) -> None:
    game = options.game
    check_outcomes(game.n, options.arithmetic, force=options.force)
    digits, in_full = (DECIMALS, str) if options.emit in LINES else (TABLE_DIGITS, repr)
    if options.arithmetic == "float":
        names, lines = FLOATS, _floats(game, digits)
    else:
        names = EXACT
        lines = (
            [
                name,
                *(chance.decimal(digits) for chance in (*outcomes.win, *outcomes.draw)),
                *map(in_full, outcomes.draw),
            ]
            for name, outcomes in _exact(game, force=options.force)
        )
    columns = {name: itemgetter(index) for index, name in enumerate(names)}
    options.write_records(columns, lines, partial(_table, names))


def _table(names: Sequence[str], lines: Iterable[list[str]]) -> Table:
    key, *heads = (name.replace("_", " ") for name in names)
    left = tuple(head for head in heads if "exact" in head)
    rows = [((name,), cells) for name, *cells in lines]
    return Table("", (key,), rows, heads=tuple(heads), left=left)


def _exact(game: Game, *, force: bool) -> Iterator[tuple[str, Outcomes]]:
    """Yield (upcard, outcomes) for each upcard and, if there are several, (:data:`EVERY`, their mean)."""
    forecaster, answers = Forecaster(progress=progress_bar(), force=force), list[Outcomes]()
    for _, position in game.start.turns():
        answers.append(forecaster.outcomes(position))
        yield upcard_name(position.upcard), answers[-1]
    if len(answers) > 1:
        numbers = [[number.value for number in (each.value, *each.draw)] for each in answers]
        value, *draw = map(view, mean([(1, line) for line in numbers]))
        yield EVERY, Outcomes(value, Chances(*draw))


def _floats(game: Game, digits: int) -> Iterator[list[str]]:
    """Yield a row for each upcard and, if there are several, their mean, for one pair of strategies."""
    outcomes = float_outcomes(game, jobs=available_cores(), progress=progress_bar())
    chances = [(upcard_name(upcard), draw) for upcard, draw in outcomes.draws.items()]
    if len(chances) > 1:
        chances.append((EVERY, outcomes.draw))
    for name, draw in chances:
        decimals = [f"{chance:.{digits}f}" for chance in ((1 - draw) / 2, draw)]
        yield [name, *decimals, upwards(outcomes.lacking)]
