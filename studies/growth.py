"""Lengths of the exact numbers of a game, layer by layer, as CSV: ``python studies/growth.py N [--out FILE]``.

The numbers are read from the store that ``gops-exact --n N`` leaves (``$GOPS_EXACT_STORE``, by default in the user's cache
folder).
"""

import sys
from functools import partial

from script import run_script

import gops_exact as gx
from gops_exact.base.progress import progress_bar
from gops_exact.base.writing import csv_lines, fields_of
from gops_exact.commands.options import Options, Parser, integer, output
from gops_exact.game.order_types import LONGEST


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("n", type=partial(integer, 2, LONGEST), metavar="N", help="cards a side")
    parser.share("--store", "--out")


def run(options: Options) -> None:
    """Write the lengths."""
    layers = gx.growth(options.n, store=options.store_path, progress=progress_bar())
    with output(options.out) as file:
        file.writelines(csv_lines(fields_of(gx.Lengths), layers))


def main(words: list[str]) -> int:
    """Run the script; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
