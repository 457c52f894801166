"""An exact first move with an empty store and again with the full one: time and peak memory.

``python benchmarks/cold_and_warm.py [n] [runs]``
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(n: int, store: Path) -> tuple[float, int]:
    """Wall time in seconds and peak memory in MiB, of the largest process, for one command."""
    command = [sys.executable, "-m", "gops_exact", "--n", str(n), "--store", str(store)]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("the run failed")
    return time.perf_counter() - start, used.ru_maxrss // 1024


def main() -> None:
    """Print medians."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    cold, warm, memory = [], [], 0
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            store = Path(folder) / "store.sqlite"
            seconds, peak = run(n, store)
            cold.append(seconds)
            memory = max(memory, peak)
            warm.append(run(n, store)[0])
            size = store.stat().st_size >> 20
    cores = len(os.sched_getaffinity(0))
    print(f"n = {n}, {cores} cores, {runs} runs, whole process, --emit decimals")
    print(f"cold store  median {statistics.median(cold):6.2f} s  best {min(cold):6.2f} s")
    print(f"warm store  median {statistics.median(warm):6.2f} s  best {min(warm):6.2f} s")
    print(f"peak memory {memory} MiB in the largest process, store {size} MiB")


if __name__ == "__main__":
    main()
