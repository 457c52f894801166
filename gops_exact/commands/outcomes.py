"""Compute how often the game is won and drawn if both players play optimally for a win, by upcard and over
all upcards. Each player wins as often as the other. If there are several optimal strategies, the probabilities
depend on those that are played; the least and the greatest probability over all of them are printed.
"""

from collections.abc import Iterable
from operator import itemgetter

from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import Options, Parser
from gops_exact.game.rules import upcard_name
from gops_exact.numbers.exact import TABLE_DIGITS
from gops_exact.numbers.table import Table
from gops_exact.solvers.exact.chances import outcomes_at

EXAMPLES = {"-n 5": "a line for each upcard, and one for all"}

COLUMNS = (
    "upcard",
    *("win_least", "win_greatest", "draw_least", "draw_greatest"),
    *("exact_draw_least", "exact_draw_greatest"),
)

DECIMALS = 12
"""Number of digits after the point of decimals in CSV, JSON and Markdown."""


def add_arguments(parser: Parser) -> None:
    parser.share("-n --n")
    parser.add_rules(objectives=("win",))
    parser.share("--emit", "--out", "--force")


def run(options: Options) -> None:
    digits, in_full = (TABLE_DIGITS, repr) if options.emit == "text" else (DECIMALS, str)
    start = options.game.start
    turned = {upcard_name(position.upcard): position for _, position in start.with_upcards()}
    # The last line is for the game before a prize is turned up.
    positions = turned | ({"all": start} if len(turned) > 1 else {})
    results = outcomes_at(positions.values(), progress=progress_bar(), force=options.force)
    rows = (
        [
            name,
            *(chance.decimal(digits) for chance in (*outcomes.win, *outcomes.draw)),
            *map(in_full, outcomes.draw),
        ]
        for name, outcomes in zip(positions, results, strict=True)
    )
    columns = {name: itemgetter(index) for index, name in enumerate(COLUMNS)}
    options.write_records(columns, rows, _table)


def _table(rows: Iterable[list[str]]) -> Table:
    key, *heads = (name.replace("_", " ") for name in COLUMNS)
    left = tuple(head for head in heads if "exact" in head)
    cells = [((name,), numbers) for name, *numbers in rows]
    return Table("", (key,), cells, heads=tuple(heads), left=left)
