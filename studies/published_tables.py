"""Printed tables beside computed first moves: ``python studies/published_tables.py --published TABLE.csv … FILE …``.

A table has the columns n, upcard, card, printed_probability; the files are emitted first moves. Written as CSV: every
entry that was computed, with its verdict. The number of entries that are not correctly rounded is printed to stderr.
"""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from script import run_script

from gops_exact.base.documents import Document, read_moves, read_text
from gops_exact.base.progress import note
from gops_exact.base.writing import csv_lines
from gops_exact.commands.options import Options, Parser, output
from gops_exact.game.rules import PLAIN
from gops_exact.literature.published import COLUMNS, Entry, compare


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="emitted first moves")
    tables = "a printed table; may be given several times"
    parser.add(
        "game", "--published", "TABLE.csv", tables, action="append", type=Path, required=True
    )
    parser.share("--out")


def compared(tables: list[Path], documents: list[Document]) -> Iterator[Entry]:
    """Yield the entries of printed tables that were computed, each with its verdict."""
    for table in tables:
        entries = list(compare(table, documents))
        if not entries:
            raise ValueError(f"{table} has no entry for the games in the files")
        yield from entries


def run(options: Options) -> None:
    """Write the verdicts."""
    documents = [read_moves(read_text(file), asdict(PLAIN)) for file in options.files]
    entries = list(compared(options.published, documents))
    wrong = sum(entry.verdict != "agrees" for entry in entries)
    note(f"{len(entries)} entries compared, {wrong} not correctly rounded")
    with output(options.out) as file:
        file.writelines(csv_lines(COLUMNS, entries))


def main(words: list[str]) -> int:
    """Run the script; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
