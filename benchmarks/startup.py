"""Whole-process times: import, N = 5 and N = 6, store off, median of several runs.

``python benchmarks/startup.py [runs]``
"""

import statistics
import subprocess
import sys
import time

CASES = {
    "import gops_exact": ["-c", "import gops_exact"],
    "--n 5 --emit fractions": ["-m", "gops_exact", "--n", "5", "--emit", "fractions"],
    "--n 6 --emit fractions": ["-m", "gops_exact", "--n", "6", "--emit", "fractions"],
}


def seconds(arguments: list[str]) -> float:
    """Wall time of one process."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env={"GOPS_EXACT_STORE": ":memory:", "PATH": ""},
    )
    return time.perf_counter() - start


def main() -> None:
    """Print a line per case."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    for name, arguments in CASES.items():
        times = [seconds(arguments) for _ in range(runs)]
        print(f"{name:24} median {statistics.median(times):5.2f} s  best {min(times):5.2f} s")


if __name__ == "__main__":
    main()
