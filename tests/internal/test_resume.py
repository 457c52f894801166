"""A run that is killed and taken up again: nothing finished done twice, and no worker lives on."""

import pytest
from places import TESTS
from runs import until
from stores import contents, faults, python, solve, sql

psutil = pytest.importorskip("psutil", reason="psutil is missing; it comes with distributed")

RUN = """
import sys
from pathlib import Path
from stores import solve
solve(6, Path(sys.argv[1]), jobs=2, progress=lambda *done: print(*done, flush=True))
"""


def test_a_run_killed_again_and_again(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(TESTS / "support"))
    alone, path = tmp_path / "alone.sqlite", tmp_path / "store.sqlite"
    solve(6, alone)
    written, left = {}, []
    for reports in (2, 5):  # of progress, to wait for when workers are at work
        run = python(RUN, path)
        while not (workers := psutil.Process(run.pid).children()):
            run.stdout.readline()
        left += workers
        for _ in range(reports):
            run.stdout.readline()
        assert run.poll() is None
        run.kill()
        run.communicate(timeout=100)
        assert faults(path) == []
        # A row that is written again stands elsewhere.
        now = dict(sql(path, "SELECT key, rowid FROM entry"))
        assert now.items() >= written.items()
        written = now
    # Each worker ends its task before it misses the run.
    until(lambda: not any(worker.is_running() for worker in left), "end of workers")
    solve(6, path, jobs=2)
    assert contents(path) == contents(alone)
    assert dict(sql(path, "SELECT key, rowid FROM entry")).items() > written.items()
