"""Kill a run at random moments, resume it each time, and compare with a run left alone.

python benchmarks/kill_and_resume.py [n] [kills] [seed]

A line per kill: when it came, how much work was done, how much was not. At the end the digests
of both stores must agree, and no row may have been written twice.
"""

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path

from gops_exact.store import DiskStore

RUN = """
import sys, gops_exact
gops_exact.first_move(int(sys.argv[1]), store=sys.argv[2], jobs=2,
                      progress=lambda done, total: print(done, total, flush=True))
"""


def start(n: int, path: Path) -> subprocess.Popen[str]:
    """A run, in a process of its own."""
    command = [sys.executable, "-c", RUN, str(n), str(path)]
    return subprocess.Popen(  # the code stands above
        command, stdout=subprocess.PIPE, text=True
    )


def digest(path: Path) -> str:
    """The digest of all entries, in the order of keys, after checking the store."""
    total = sha256()
    with DiskStore(path) as store:
        for fault in store.check():
            raise SystemExit(fault)
        for key in store.sizes():
            total.update(key.encode() + b"\0" + (store.get(key) or b"") + b"\0")
    return total.hexdigest()


def rows(path: Path) -> dict[str, int]:
    """{key: where its row stands}; a row that is written again stands elsewhere."""
    if not path.exists():
        return {}
    file = sqlite3.connect(path)
    try:
        return dict(file.execute("SELECT key, rowid FROM entry"))
    except sqlite3.OperationalError:  # killed before the table was made
        return {}
    finally:
        file.close()


def finish(run: subprocess.Popen[str]) -> tuple[int, int]:
    """The last report of a run that has ended or been killed: work done, of how much."""
    reports = run.communicate()[0].splitlines()
    done, total = reports[-1].split() if reports else ("0", "-1")
    return int(done), int(total)


def main() -> None:
    """Print a line per run and the two digests."""
    n, kills, seed = [*map(int, sys.argv[1:]), *(7, 10, 1)[len(sys.argv) - 1 :]]
    rng = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="kill_and_resume-"))
    try:
        begun = time.perf_counter()
        run = start(n, folder / "alone.sqlite")
        _, tasks = finish(run)
        seconds = time.perf_counter() - begun
        print(f"left alone: {tasks} units of work, {seconds:.1f} s", flush=True)
        path, finished, work = folder / "killed.sqlite", 0, 0.0
        written: dict[str, int] = {}
        for kill in range(1, kills + 1):
            begun = time.perf_counter()
            run = start(n, path)
            # Starting takes a while; the work left is spread over the kills left.
            time.sleep(0.5 + 2 * rng.random() * max(seconds - work, 1) / (kills + 1 - kill))
            run.send_signal(signal.SIGKILL)
            done, total = finish(run)
            work += time.perf_counter() - begun
            now = rows(path)
            same = all(now[key] == row for key, row in written.items())
            written = now
            if total >= 0:
                if total > tasks - finished:
                    raise SystemExit("a finished task was to be done again")
                finished = tasks - total + done
            print(
                f"kill {kill} after {work:.1f} s: {finished} units done, rows kept: {same}",
                flush=True,
            )
        begun = time.perf_counter()
        done, total = finish(start(n, path))
        print(
            f"resumed: {max(total, 0)} units left, {time.perf_counter() - begun:.1f} s more",
            flush=True,
        )
        now = rows(path)
        print("rows kept:", all(now[key] == row for key, row in written.items()))
        print(f"alone   {digest(folder / 'alone.sqlite')}\nresumed {digest(path)}")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
