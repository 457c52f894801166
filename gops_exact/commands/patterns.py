"""Check the patterns that Rhoads (2011) and Rhoads & Bartholdi (2012) remarked on in their tables of
first moves; print as CSV where each holds and where it fails, for every table given. Only what is
proved counts.
"""

from argparse import Namespace
from pathlib import Path

from gops_exact.base.documents import read_file
from gops_exact.base.progress import progress_bar, tracked
from gops_exact.base.writing import LINES
from gops_exact.commands.options import Parser, output
from gops_exact.literature.patterns import COLUMNS, findings
from gops_exact.show.first_moves import BoundedTable, bounded

EXAMPLES = {"five.json six.json": "what two emitted tables show"}


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="first moves at all upcards, emitted as json or csv; a csv file is read as one for points, "
        "ties discarded, prizes random",
    )
    parser.add("output", "--emit", "FORMAT", "csv, json or markdown", "csv", choices=tuple(LINES))
    parser.share("--out")


def run(options: Namespace) -> None:
    tables: list[BoundedTable] = []
    for file in tracked(options.files, progress_bar()):
        document = read_file(file)
        try:
            tables.append(bounded(document))
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from error
    tables.sort(key=lambda table: table.n)
    with output(options.out) as file:
        file.writelines(LINES[options.emit](COLUMNS, findings(tables)))
