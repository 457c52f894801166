"""Runs killed at random moments and taken up again: same answers, nothing finished done twice."""

import os
import random
import signal
import time
from contextlib import suppress

import pytest
from places import TESTS
from stores import contents, faults, python, solve, sql

from gops_exact.solvers.store import DiskStore
from gops_exact.verify.checks import check_store, mark, record_of

RUN = """
import sys
from pathlib import Path
from stores import solve
solve(6, Path(sys.argv[1]), jobs=int(sys.argv[2]), progress=lambda *done: print(*done, flush=True))
"""


@pytest.fixture(scope="module", autouse=True)
def _helpers_in_reach():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(TESTS / "support"))
        yield


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The store of a run left alone."""
    path = tmp_path_factory.mktemp("alone") / "store.sqlite"
    solve(6, path)
    return contents(path)


def rows(path):
    """{key: where its row stands}: a row that is written again stands elsewhere."""
    return dict(sql(path, "SELECT key, rowid FROM entry"))


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


def test_a_run_killed_again_and_again(tmp_path, uninterrupted):
    path, jobs = tmp_path / "store.sqlite", 2
    rng = random.Random(jobs)
    written, kills, left, totals = {}, 0, [], []
    for _ in range(4):
        run = python(RUN, path, jobs)
        workers, reports = [], rng.randrange(2, 9)  # of progress, to wait for
        for line in run.stdout:
            if line.startswith("0 "):
                totals.append(int(line.split()[1]))
            if len(workers) < jobs:  # they begin when tasks come that are not small
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
        now = rows(path)
        assert now.items() >= written.items()
        written = now
    assert kills >= 2
    # What is finished is not to be done again.
    assert totals == sorted(totals, reverse=True) and totals[-1] < totals[0]
    for worker in left:  # each ends its task before it misses the run
        end(worker)
    solve(6, path, jobs=jobs)
    assert contents(path) == uninterrupted
    assert rows(path).items() >= written.items()


VERIFY = (
    "import sys; from gops_exact.commands import cli; sys.exit(cli.main(['verify', *sys.argv[1:]]))"
)


def test_verify_proves_nothing_twice(tmp_path, uninterrupted, monkeypatch):
    path, jobs = tmp_path / "store.sqlite", 2
    solve(6, path)
    whole = check_store(path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with DiskStore(path, read_only=True) as store:
        kept, header = record_of(store)
    marks = {mark(header, key): key for key in uninterrupted}

    def recorded():
        """The entries that are kept as proved; a line may be torn where a worker was killed."""
        return [marks[line] for line in kept.read_text().splitlines() if line in marks]

    rng, before, stops = random.Random(jobs), 0, 0
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        run = python(VERIFY, "--store", path, "--jobs", jobs)
        while run.poll() is None and (not kept.exists() or len(recorded()) < before + 20):
            time.sleep(0.01)
        time.sleep(rng.random() * 0.05)
        stops += run.poll() is None
        workers = children(run.pid)
        run.send_signal(number)
        _, errors = run.communicate(timeout=100)
        assert ("what is finished is kept, go on with: " in errors) == (number != signal.SIGKILL)
        for worker in workers:
            end(worker)
        before = len(recorded())
    assert stops == 3
    report = check_store(path, jobs=jobs)
    assert report.passed_over == {"entries that a stopped run has proved": before}
    assert before >= 3 * 20 and (report.entries, report.faults) == (whole.entries, [])
    assert 0 < report.proved["values"] < whole.proved["values"] and not kept.exists()


def test_a_worker_that_is_killed_is_named(tmp_path):
    run = python(RUN, tmp_path / "store.sqlite", 2)
    while not children(run.pid):
        run.stdout.readline()
    with suppress(ProcessLookupError):
        os.kill(children(run.pid)[0], signal.SIGKILL)
    _, errors = run.communicate(timeout=100)
    assert errors.endswith(
        "ChildProcessError: a worker process was killed, perhaps short of memory\n"
    )
    assert faults(tmp_path / "store.sqlite") == []
