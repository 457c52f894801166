"""A run killed at random moments and taken up again: same answers, nothing finished done twice."""

import os
import random
import time

from places import TESTS
from stores import contents, faults, python, solve, sql

RUN = """
import sys
from pathlib import Path
from stores import solve
solve(6, Path(sys.argv[1]), jobs=2, progress=lambda *done: print(*done, flush=True))
"""


def children(pid):
    with os.popen(f"ps -o pid= --ppid {pid}") as listed:  # noqa: S605  # digits only
        return [int(word) for word in listed.read().split()]


def end(pid):
    """Wait until a process that is not ours is gone."""
    for _ in range(500):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError(f"process {pid} lives on")


def test_a_run_killed_again_and_again(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(TESTS / "support"))
    alone, path = tmp_path / "alone.sqlite", tmp_path / "store.sqlite"
    solve(6, alone)
    rng = random.Random(2)
    written, kills, left, totals = {}, 0, [], []
    for _ in range(4):
        run = python(RUN, path)
        workers, reports = [], rng.randrange(2, 9)  # of progress, to wait for
        for line in run.stdout:
            if line.startswith("0 "):
                totals.append(int(line.split()[1]))
            if len(workers) < 2:  # they begin when tasks come that are not small
                workers = children(run.pid)
                continue
            reports -= 1
            if not reports:
                break
        left += workers
        time.sleep(rng.random() * 0.01)
        kills += run.poll() is None
        run.kill()
        run.communicate(timeout=100)
        assert faults(path) == []
        # A row that is written again stands elsewhere.
        now = dict(sql(path, "SELECT key, rowid FROM entry"))
        assert now.items() >= written.items()
        written = now
    assert kills >= 2
    # What is finished is not to be done again.
    assert totals == sorted(totals, reverse=True) and totals[-1] < totals[0]
    for worker in left:  # each ends its task before it misses the run
        end(worker)
    solve(6, path, jobs=2)
    assert contents(path) == contents(alone)
    assert dict(sql(path, "SELECT key, rowid FROM entry")).items() >= written.items()
