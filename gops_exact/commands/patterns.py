"""Check the patterns that Rhoads (2011) and Rhoads & Bartholdi (2012) remarked on in their tables of
first moves; print as CSV where each holds and where it fails, for every table given and under any rules. Only
what is proved counts.
"""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from gops_exact.base.documents import read_file
from gops_exact.base.progress import progress_bar, tracked
from gops_exact.base.writing import LINES
from gops_exact.commands.options import Parser, integer, output, rules_of
from gops_exact.game.order_types import LONGEST
from gops_exact.literature.patterns import COLUMNS, findings
from gops_exact.show.first_moves import bounded
from gops_exact.solvers.api import first_move
from gops_exact.solvers.arithmetic import Float

EXAMPLES = {
    "five.json six.json": "what two emitted tables show",
    "--upto 9 --ties carryover": "what floats of 1 to 9 cards show where ties are carried over",
}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="first moves at all upcards, emitted as json or csv; a csv file is read as one of the rules below",
    )
    text = "judge also the first moves of 1 to N cards by the rules below, computed in floats"
    parser.add("game", "--upto", "N", text, type=integer(1, LONGEST))
    parser.add_rules()
    parser.add("output", "--emit", "FORMAT", "csv, json or markdown", "csv", choices=tuple(LINES))
    parser.share("--out")


def run(options: Namespace) -> None:
    if not options.files and options.upto is None:
        raise ValueError("expected files or --upto, got neither")
    rules = rules_of(options)
    sizes = tracked(range(1, (options.upto or 0) + 1), progress_bar())
    tables = [bounded(first_move(n, Float(), rules=rules)) for n in sizes]
    for file in tracked(options.files, progress_bar()):
        document = read_file(file, asdict(rules))
        try:
            tables.append(bounded(document))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error
    tables.sort(key=lambda table: (str(table.rules), table.n))
    with output(options.out) as file:
        file.writelines(LINES[options.emit](COLUMNS, findings(tables)))
