"""This checkout beside another one, command by command in turn, so that a machine's moods cancel.

    python benchmarks/side_by_side.py OTHER [RUNS]

OTHER is the folder of another checkout, such as one made by ``git worktree add OTHER COMMIT``. A line
each: the median core time here and there, and the median of the ratios, here over there. Kernels are
compiled first, once on each side.
"""

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent
N = ["-m", "gops_exact", "--n"]
EXACT = ["--store", ":memory:", "--emit", "csv", "--jobs", "1"]
CASES = {
    "import gops_exact": ["-c", "import gops_exact"],
    "gx.first_move": ["-c", "import gops_exact as gx; gx.first_move"],
    "N = 5 exact": [*N, "5", *EXACT],
    "N = 6 exact": [*N, "6", *EXACT],
    "N = 7 exact": [*N, "7", *EXACT],
    "N = 11 float": [*N, "11", "--arithmetic", "float", "--emit", "csv", "--jobs", "1"],
}
FEW = 3
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
    for folder in sides:
        core_seconds(folder, [*N, "8", "--arithmetic", "float"])
    for name, words in CASES.items():
        pairs = [pair(sides, words)]
        more = min(runs, FEW) if max(pairs[0]) > 10 else runs
        # The second of two runs is a little faster, so sides take turns.
        pairs += [
            pair(sides, words) if turn % 2 else pair(sides[::-1], words)[::-1]
            for turn in range(1, more)
        ]
        here, there = (statistics.median(each) for each in zip(*pairs, strict=True))
        ratio = statistics.median(one / other for one, other in pairs)
        print(f"{name:18} {here:7.2f} s here, {there:7.2f} s there, ratio {ratio:.2f}", flush=True)


if __name__ == "__main__":
    main()
