"""Exact first moves under every rule set: processor time, memory of the values, digits.

``python benchmarks/rules.py [n]``: one process per rule set, one job each. Prizes in a known order
are descending. `gops_exact/solvers/cost.py` keeps the figures of the largest games.
"""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from gops_exact import first_move
from gops_exact.base.store import DiskStore
from gops_exact.game.rules import OBJECTIVES, TIES, Rules


def main() -> None:
    """Print a line per rule set."""
    n = sys.argv[1] if len(sys.argv) > 1 else "5"
    print(f"{'rules, n = ' + n:58}{'seconds':>9}{'bytes':>14}{'digits':>12}", flush=True)
    for chosen in product(OBJECTIVES, TIES, ("random", "hidden", "descending")):
        process = subprocess.Popen([sys.executable, __file__, n, *chosen])
        _, status, _ = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{Rules(*chosen)} failed")


def measure(n: int, rules: Rules) -> None:
    """Solve one game and print its line."""
    with TemporaryDirectory(prefix="gops_exact-") as folder:
        path = Path(folder) / "store.sqlite"
        moves = first_move(n, rules=rules, store=path, jobs=1, force=True)
        with DiskStore(path, read_only=True) as store:
            size = sum(store.sizes().values())
    digits = max(column[card].denominator.digits for column in moves.values() for card in column)
    used = os.times()
    print(f"{rules!s:58}{used.user + used.system:9.1f}{size:14,}{digits:12,}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(int(sys.argv[1]), Rules(*sys.argv[2:]))
    else:
        main()
