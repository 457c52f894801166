"""First runs in floats of a fresh installation, with no kernels compiled, in this checkout and in another.

    python benchmarks/cold_floats.py OTHER [PAIRS] [CASE]

OTHER is the folder of another checkout. Every run is a process of its own with an empty folder for kernels; sides take
turns. Seconds by the clock and in core time, the median of the pairs' ratios, and whether both sides print the same
bytes.

The bar is the share of the other side's core time that a case may take, and its core seconds on an idle AMD EPYC.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent.parent

MOVES = "import gops_exact as gx; print(gx.first_move({}).emit('json'))"
POSITION = """
import gops_exact as gx
position = gx.Position([1, 3, 4, 7, 8, 9], [2, 3, 5, 6, 7, 10], [1, 2, 4, 5, 8, 9], upcard=5)
solution = gx.solve(position, "float")
print(solution.value, solution.row, solution.column)
"""
CASES = {
    "5 cards": (MOVES.format("5, 'float'"), 0.15, 1.2),
    "6 cards": (MOVES.format("6, 'float'"), 0.2, 1.8),
    "7 cards": (MOVES.format("7, 'float'"), 0.45, 4.5),
    "5 cards to win": (MOVES.format("5, 'float', rules=gx.Rules('win')"), 0.2, 1.8),
    "position of 6 cards": (POSITION, 0.15, 1.2),
    "9 cards": (MOVES.format("9, 'float'"), 1.05, 20.0),
}
"""A program, the share of the other side's core time that it may take, and its core seconds."""


def run(side: Path, code: str) -> tuple[float, float, str]:
    """Seconds by the clock, core seconds, and the output of a program, with nothing compiled."""
    with TemporaryDirectory() as kernels:
        env = {**os.environ, "PYTHONPATH": str(side), "NUMBA_CACHE_DIR": kernels}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        ran = subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            cwd=side,
            env=env,
            stdout=subprocess.PIPE,
            text=True,
        )
        clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    core = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return clock, core, ran.stdout


def main() -> None:
    """Print a line for each case, and what falls short."""
    other, pairs = Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    short = []
    for name, (code, share, seconds) in CASES.items():
        if sys.argv[3:] and name not in sys.argv[3:]:
            continue
        sides: list[list[tuple[float, float, str]]] = [[], []]
        for turn in range(pairs):
            for index in (0, 1) if turn % 2 else (1, 0):
                sides[index].append(run((HERE, other)[index], code))
        (clock, core, text), (there_clock, there_core, there_text) = map(min, sides)
        ratio = median(here[1] / there[1] for here, there in zip(*sides, strict=True))
        same = "same bytes" if text == there_text else "other bytes"
        print(
            f"{name:20} clock {clock:5.1f} s here, {there_clock:5.1f} there; core {core:5.1f} s here, "
            f"{there_core:5.1f} there; ratio {ratio:.2f}; {same}",
            flush=True,
        )
        if ratio > share or text != there_text:
            short.append(
                f"{name}: {ratio:.2f} of the other side's core time, at most {share}; {same}"
            )
        elif core > seconds:
            short.append(f"{name}: {core:.1f} s of core time, at most {seconds} on an idle machine")
    if short:
        raise SystemExit("\n".join(short))


if __name__ == "__main__":
    main()
