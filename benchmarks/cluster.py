"""Exact first moves on processes of this machine and on a Dask cluster of as many, in turn.

    python benchmarks/cluster.py [N] [RUNS]

A line a run: seconds by the clock on the local pool, seconds on the cluster, whose workers have one
thread each, and their ratio. Workers are warmed up by three cards. Both begin with an empty store.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gops_exact as gx
from gops_exact.base.machine import available_cores


def seconds(n: int, folder: Path, scheduler: str | None) -> float:
    """Time the first moves of n cards from an empty store."""
    jobs = None if scheduler else available_cores()
    begun = time.perf_counter()
    gx.first_move(n, store=folder / f"{begun}.sqlite", jobs=jobs, scheduler=scheduler)
    return time.perf_counter() - begun


def main() -> None:
    """Print a line a run."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        address = "tcp://127.0.0.1:18788"
        program = [sys.executable, "-m", "distributed.cli.dask_"]
        commands = [["scheduler", "--host", "127.0.0.1", "--port", "18788", "--no-dashboard"]]
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        commands += [["worker", address, *options]] * available_cores()
        with (folder / "log").open("w") as log:
            processes = [
                subprocess.Popen(
                    [*program[:-1], program[-1] + command, *words],
                    stdout=log,
                    stderr=log,
                    cwd=folder,
                )
                for command, *words in commands
            ]
            try:
                time.sleep(5)
                seconds(3, folder, address)
                for _ in range(runs):
                    here, there = seconds(n, folder, None), seconds(n, folder, address)
                    print(f"N = {n}: local {here:.1f} s, cluster {there:.1f} s, {there / here:.2f}")
            finally:
                for process in processes:
                    process.kill()
                    process.wait()


if __name__ == "__main__":
    main()
