"""Solve Colonel Blotto's game for points exactly: ``python studies/castles.py SOLDIERS [--castles K] [--csv FILE]``.

Both players spread their soldiers over castles worth 1 … K points (10 unless said otherwise). For each number of soldiers, such as
``49,50``, it prints the value, the number of pure strategies, the core seconds, and how many soldiers an optimal strategy sends to
the castles. With ``--csv`` the probabilities of all castles are added to a file. With 100 soldiers and 10 castles it takes a core
minute; docs/games_of_paths.md has what it shows.
"""

import csv
import sys
from math import comb
from pathlib import Path
from time import process_time

from script import integers, run_script

from gops_exact import known_games, solve_game
from gops_exact.commands.options import Options, Parser

FIELDS = "soldiers", "castle", "sent", "probability"


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.add_argument("soldiers", type=integers(1, 200), metavar="SOLDIERS")
    parser.add_argument("--castles", type=int, default=10, metavar="K")
    parser.add_argument("--csv", type=Path, metavar="FILE")


def run(options: Options) -> None:
    """Solve the games, print a few lines each, and add the probabilities to a file."""
    castles = range(1, options.castles + 1)
    rows = list[tuple[object, ...]]()
    for soldiers in options.soldiers:
        start = process_time()
        solved = solve_game(known_games.castles((soldiers, soldiers), castles))
        seconds, count = process_time() - start, comb(soldiers + len(castles) - 1, soldiers)
        print(
            f"{soldiers} soldiers: {count:,} pure strategies, value {solved.value}, {seconds:.1f} s"
        )
        for castle in castles:
            marginals = [
                (sent, p)
                for sent in range(soldiers + 1)
                if (p := solved.reached[0].get(f"{castle}: {sent}"))
            ]
            likely = ", ".join(f"{sent}: {p}" for sent, p in marginals[:4])
            print(f"  castle {castle}: up to {marginals[-1][0]}; {likely} …")
            rows += [(soldiers, castle, sent, p) for sent, p in marginals]
    if options.csv is not None:
        is_new = not options.csv.exists()
        with options.csv.open("a", encoding="ascii", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([FIELDS, *rows] if is_new else rows)


if __name__ == "__main__":
    sys.exit(run_script(__file__, str(__doc__), add_arguments, run, sys.argv[1:]))
