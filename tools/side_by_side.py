"""This checkout beside another one, command by command in turn, so that a machine's moods cancel.

    python tools/side_by_side.py OTHER [RUNS] [CASE ...]

OTHER is the folder of another checkout, such as one made by ``git worktree add OTHER COMMIT``. A line
each: the median core time here and there, and the median of the ratios, here over there. Kernels are
compiled first, once on each side, if a case needs them. The bar is the greatest ratio that a case may have.
"""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent
N = ["-m", "gops_exact", "--n"]
ALONE = ["--emit", "csv", "--jobs", "1"]
EXACT = ["--store", ":memory:", *ALONE]
JSON = ["--store", ":memory:", "--emit", "json", "--jobs", "1"]
POSITION = """
import gops_exact as gx
one, two = [1, 2, 4, 6, 7, 9, 11, 12, 13], [1, 3, 4, 5, 7, 8, 10, 12, 13]
position = gx.Position(one, two, [1, 2, 3, 5, 6, 8, 10, 11, 13], upcard=8)
gx.solve(position, "float")
"""
MATRIX = """
import numpy as np
import gops_exact as gx
payoffs = np.random.default_rng(1).integers(-100, 101, (200, 200))
for _ in range(20):
    gx.solve_matrix_game(payoffs).row
"""
TREES = """
import gops_exact as gx
known, bids = gx.known_games, gx.extensive.HiddenBids(gx.Game(4))
for game in known.kuhn_poker(), known.leduc_poker(), known.liars_dice(4), bids:
    gx.solve_game(game).row
"""
SMALL = """
import gops_exact as gx
for shift in range(2000):
    gx.solve_matrix_game([[3, -1, shift], [1, 2, -4], [-5, 6, 1]]).row
"""
BATCH = """
import numpy as np
import gops_exact as gx
payoffs = np.random.default_rng(1).integers(-9, 10, (3000, 6, 6))
gx.solve_matrix_games(payoffs, exactly=True)
gx.solve_matrix_games(np.repeat(payoffs, 10, axis=0))
"""
LONG = """
import random
from fractions import Fraction
import gops_exact as gx
source = random.Random(1)
for bids, times in ((5, 300), (24, 4), (40, 1)):
    for _ in range(times):
        rows = [[Fraction(source.getrandbits(100), source.getrandbits(100) | 1) for _ in range(bids)] for _ in range(bids)]
        gx.solve_matrix_game(rows).row
"""
CASES = {
    "import gops_exact": ["-c", "import gops_exact"],
    "first gx.first_move(5)": ["-c", "import gops_exact as gx; gx.first_move(5)"],
    "gx.first_move": ["-c", "import gops_exact as gx; gx.first_move"],
    "N = 5 exact": [*N, "5", *EXACT],
    "N = 6 exact": [*N, "6", *EXACT],
    "N = 7 exact": [*N, "7", *EXACT],
    "N = 7 ball": [*N, "7", "--arithmetic", "ball", *JSON],
    "N = 11 float": [*N, "11", "--arithmetic", "float", *ALONE],
    "N = 9 float, to win": [*N, "9", "--objective", "win", "--arithmetic", "float", *ALONE],
    **{
        f"N = {n} {arithmetic}, to win": [
            *N,
            str(n),
            "--objective",
            "win",
            "--arithmetic",
            arithmetic,
            *JSON,
        ]
        for n, arithmetic in ((6, "exact"), (6, "ball"), (7, "ball"))
    },
    "position of nine cards": ["-c", POSITION],
    "200 x 200 matrix": ["-c", MATRIX],
    "game trees": ["-c", TREES],
    "small matrices": ["-c", SMALL],
    "batch of matrices": ["-c", BATCH],
    "long fractions": ["-c", LONG],
}
BARS = {"first gx.first_move(5)": 0.9}
"""The greatest ratio of a case; of others it is MOST."""

MOST = 1.05

FEW = 5
"""Runs of what takes more than ten seconds."""


def core_seconds(folder: Path, words: list[str]) -> float:
    """Core time of one process with its children, importing the package in a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, *words],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pair(sides: tuple[Path, Path], words: list[str]) -> list[float]:
    """Core times of one command in two folders, one after the other."""
    return [core_seconds(folder, words) for folder in sides]


def main() -> None:
    """Print a line per case."""
    sides = HERE, Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    cases = {name: words for name, words in CASES.items() if name in (sys.argv[3:] or CASES)}
    for folder in sides if "float" in str(cases) else ():  # kernels for points and for a win
        core_seconds(folder, [*N, "8", "--arithmetic", "float"])
        core_seconds(folder, [*N, "7", "--objective", "win", "--arithmetic", "float"])
    short = []
    for name, words in cases.items():
        pairs = [pair(sides, words)]
        more = min(runs, FEW) if max(pairs[0]) > 10 else runs
        # The second of two runs is a little faster, so sides take turns.
        pairs += [
            pair(sides, words) if turn % 2 else pair(sides[::-1], words)[::-1]
            for turn in range(1, more)
        ]
        here, there = (statistics.median(each) for each in zip(*pairs, strict=True))
        ratio = statistics.median(one / other for one, other in pairs)
        print(f"{name:22} {here:7.2f} s here, {there:7.2f} s there, ratio {ratio:.2f}", flush=True)
        if ratio > BARS.get(name, MOST):
            short.append(f"{name}: ratio {ratio:.2f}, at most {BARS.get(name, MOST)}")
    if short:
        raise SystemExit("\n".join(short))


if __name__ == "__main__":
    main()
