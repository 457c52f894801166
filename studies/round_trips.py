"""Gambit's files of others, read, solved, written and read again.

    python studies/round_trips.py FOLDER [--seconds 20]

Every ``.efg``, ``.nfg`` and ``.gbt`` below the folder, such as those in the sources of Gambit and of OpenSpiel. A game that
is read is solved. It is written in Gambit's format and, solved, in JSON; both must come back with the same value, and
a matrix also with the same payoffs. Prints a line for each file, then the counts, with the reasons of refusals. The exit
status is 1 if a game comes back otherwise. Each file has a process of its own, which is ended after ``--seconds``.
"""

import re
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

KINDS = ".efg", ".nfg", ".gbt"
CHILD = "import sys; sys.path.insert(0, sys.argv[1]); import round_trips; round_trips.judge(sys.argv[2])"


def main() -> int:
    """Print a line for each file, and the counts."""
    parser = ArgumentParser(
        description="read, solve, write and read again Gambit's files of others"
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=20, help="for each file (default: 20)")
    given = parser.parse_args()
    verdicts = Counter[str]()
    for path in sorted(path for path in given.folder.rglob("*") if path.suffix in KINDS):
        words = [sys.executable, "-c", CHILD, str(Path(__file__).parent), str(path)]
        try:
            run = subprocess.run(
                words, capture_output=True, text=True, timeout=given.seconds, check=False
            )
            lines = (run.stdout or run.stderr).strip().splitlines() or ["ends without a word"]
            verdict = lines[-1]
        except subprocess.TimeoutExpired:
            verdict = f"longer than {given.seconds:g} s"
        print(f"{path.relative_to(given.folder)}: {verdict}", flush=True)
        verdicts[re.sub(r"value .*", "equal", kind_of(verdict))] += 1
    print()
    for verdict, count in verdicts.most_common():
        print(f"{count:5} {verdict}")
    return 1 if any("DIFFERENT" in verdict for verdict in verdicts) else 0


def kind_of(verdict: str) -> str:
    """Return a verdict without names and numbers of its file."""
    return re.sub(r"\d+", "…", re.sub(r"'[^']*'", "'…'", verdict))[:110]


def judge(name: str) -> None:
    """Print what becomes of a file, in one line."""
    from warnings import simplefilter

    import gops_exact as gx
    from gops_exact.exchange import read_efg, read_nfg, write_efg, write_nfg

    simplefilter("ignore")  # notes on decimals
    path = Path(name)
    try:
        game = gx.read(path)
        is_matrix = isinstance(game, gx.MatrixGame)
        solved = gx.solve_matrix_game(game) if is_matrix else gx.solve_game(game)
    except (ValueError, gx.PrecisionError) as error:
        print(f"refused: {str(error).removeprefix(str(path)).lstrip(': ')}".splitlines()[0])
        return
    if is_matrix:
        again = read_nfg(write_nfg(game))
        is_equal = again.numbers.rows == game.numbers.rows
        value = gx.solve_matrix_game(again).value
    else:
        is_equal, value = True, gx.solve_game(read_efg(write_efg(game))).value
    with TemporaryDirectory() as folder:
        document = Path(folder) / "solved.json"
        document.write_text(solved.emit("json"), "utf-8")
        is_equal &= gx.read(document) == solved
    is_equal &= value == solved.value
    print(f"value {solved.value.short()}" if is_equal else "DIFFERENT")


if __name__ == "__main__":
    sys.exit(main())
