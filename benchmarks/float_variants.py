"""The float sweep with one thing changed at a time: what its parts, bounds and precision cost.

    python benchmarks/float_variants.py [n] [repeats]

Each variant is a copy of the package with a few lines of its kernels replaced, run on one core in a
process of its own; compiling is not counted. Where a part is done *twice*, the time that adds is
the part's own. A line each: core time (the least of the repeats), the largest bound of a value, the
largest radius of a proved first move, and how many are proved.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import gops_exact

FILL = (
    "            total = fill("
    "table.blocks[block], table.blocks[block + 1], entries, s, below, table)\n"
)
INTERVAL = "            narrow_intervals(s, v, m, n, size)\n"
FACTOR = "            factor(s, v, n, size, scale)\n"
BEGIN = "        counts[TOGETHER] += 1\n"
HALF_WIDTH = "        half_widths[target[q]] += max(0.5 * (high[q] - low[q]), 0.0)\n"
BATCH = "\nBATCH = 512\n"
KIND = "    kind = np.int32 if integers else np.float64\n"
BOUNDS = "    bounds = (inherited + widths + rounding) * INFLATE\n"

VARIANTS = {
    "as it is": {},
    "assembly twice": {FILL: 2 * FILL},
    "factors twice": {FACTOR: 2 * FACTOR},
    "intervals twice": {INTERVAL: 2 * INTERVAL},
    "vectors from one bid each": {BEGIN: BEGIN + "        basis[:, 0] = 0\n        size = 1\n"},
    "no half widths": {HALF_WIDTH: ""},
    "batches of 64": {BATCH: "\nBATCH = 64\n"},
    "values in 4 bytes": {
        KIND: KIND.replace("np.float64", "np.float32"),
        BOUNDS: BOUNDS + "    bounds += 2.0**-24 * largest\n",
    },
}
"""What is replaced by what; each text stands in one of the modules, once."""

RUN = """
import sys, time
from collections import deque
from gops_exact.game.game import Game
from gops_exact.solvers.floats.sweep import first_move, float_layers
n = int(sys.argv[1])
def first_moves(n):
    game = Game(n)
    (last,) = deque(float_layers(game, jobs=1), maxlen=1)
    first = [first_move(game.types[-1], stage, last) for stage in game.stage_games.values()]
    return first, max(last.bounds)
first_moves(4)
times = []
for _ in range(int(sys.argv[2])):
    start = time.process_time()
    columns, bound = first_moves(n)
    times.append(time.process_time() - start)
proved = [column for column in columns if column.proved]
radius = max((float(p.rad()) for column in proved for p in column.row), default=1.0)
print(f"{min(times):7.2f} s, bound {bound:.1e}, radius {radius:.1e}, {len(proved)} of {n} proved")
"""


def run(folder: Path, replacements: dict[str, str], n: int, repeats: int) -> str:
    """What a variant of the package in `folder` prints."""
    modules = sorted((folder / "gops_exact").rglob("*.py"))
    for old, new in replacements.items():
        found = [path for path in modules for _ in range(path.read_text().count(old))]
        if len(found) != 1:
            raise SystemExit(f"expected one place, got {len(found)}: {old!r}")
        found[0].write_text(found[0].read_text().replace(old, new))
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(n), str(repeats)],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.rstrip()


def main() -> None:
    """Print a line per variant."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    package = Path(gops_exact.__file__).parent
    for name, replacements in VARIANTS.items():
        with TemporaryDirectory() as folder:
            shutil.copytree(
                package, Path(folder) / package.name, ignore=shutil.ignore_patterns("__pycache__")
            )
            print(f"{name:30} {run(Path(folder), replacements, n, repeats)}", flush=True)


if __name__ == "__main__":
    main()
