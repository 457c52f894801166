"""Float sweeps on Dask workers that are processes of their own, and what becomes of killed ones."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest
from runs import begun, finish, kept, kill, start, until, words

from gops_exact.game.rules import Rules
from gops_exact.show.text import emit
from gops_exact.solutions.arithmetic import Float
from gops_exact.solver.cluster import Cluster
from gops_exact.solver.first_moves import first_move

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None,
    reason="Dask is missing: pip install 'gops-exact[distributed]'",
)

N = 10
EARLIER, LAYER = "float-10-06", "float-10-07"
"""Layers that take half a second, in a hundred blocks."""


class Machines:
    """A scheduler and workers, all on this machine."""

    def __init__(self, folder):
        self.folder, self.log = folder, (folder / "log").open("w")
        self.card, self.workers = folder / "scheduler.json", []
        self.scheduler = self._launch("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        # The file is there before it is written.
        until(lambda: self.card.exists() and self.card.read_text().endswith("}"), "scheduler")
        self.address = json.loads(self.card.read_text())["address"]

    def _launch(self, program, *options):
        command = [sys.executable, "-m", f"distributed.cli.{program}", *options]
        command += ["--scheduler-file", str(self.card), "--no-dashboard"]
        return subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd=self.folder)

    def hire(self, count):
        """Have so many workers, of one thread each."""
        while len(self.workers) < count:
            options = ["--no-nanny", "--nthreads", "1", "--memory-limit", "0"]
            options += ["--local-directory", str(self.folder)]
            self.workers.append(self._launch("dask_worker", *options))

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self.log.close()

    def lose(self, count=None):
        """Kill so many workers, by default all."""
        for _ in range(len(self.workers) if count is None else count):
            kill(self.workers.pop())


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    machines = Machines(tmp_path_factory.mktemp("machines"))
    yield machines
    machines.close()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What a run on one machine prints and keeps."""
    folder = tmp_path_factory.mktemp("alone")
    return "".join(emit(first_move(N, Float(folder=folder)), "csv")), kept(folder)


def test_two_workers_find_the_same_bits(machines, alone, tmp_path):
    machines.hire(2)
    printed = finish(start(*words(N, tmp_path, "--scheduler", machines.address)))
    assert (printed, kept(tmp_path)) == alone


def test_workers_know_the_rules(machines, tmp_path):
    machines.hire(2)
    rules, alone, shared = Rules("win", "carryover"), tmp_path / "alone", tmp_path / "shared"
    expected = first_move(5, Float(folder=alone), rules=rules)
    found = first_move(5, Float(folder=shared), rules=rules, scheduler=machines.address)
    assert found.columns == expected.columns
    assert kept(shared) == kept(alone)


def test_a_worker_killed_in_the_middle(machines, alone, tmp_path):
    machines.hire(2)
    run = start(*words(N, tmp_path, "--scheduler", machines.address))
    until(lambda: begun(tmp_path, LAYER), "block")
    machines.lose(1)
    assert not (tmp_path / f"{LAYER}.bounds").exists()
    assert (finish(run), kept(tmp_path)) == alone


def test_workers_and_client_killed_in_the_middle(machines, alone, tmp_path):
    machines.hire(2)
    run = start(*words(N, tmp_path, "--scheduler", machines.address))
    until(lambda: begun(tmp_path, EARLIER), "block")
    machines.lose()  # all of them, so that blocks were under way there
    machines.hire(1)
    until(lambda: begun(tmp_path, LAYER), "block")
    kill(run)
    assert not (tmp_path / f"{LAYER}.bounds").exists()
    # What the workers left, one machine goes on with.
    assert (finish(start(*words(N, tmp_path))), kept(tmp_path)) == alone


BLIND = """
import sys
from pathlib import Path
from gops_exact import cli
from gops_exact.solver import cluster
message = cluster._message
cluster._message = lambda task, block, file, mark: message(task, block, file, Path("/nowhere") / mark.name)
sys.exit(cli.main(sys.argv[1:]))
"""


def test_a_worker_that_does_not_see_the_folder(machines, tmp_path):
    machines.hire(1)
    command = [sys.executable, "-c", BLIND, *words(4, tmp_path, "--scheduler", machines.address)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gops-exact: a worker on ")
    assert done.stderr.endswith(" does not see the folder /nowhere\n")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "expected the address of a Dask scheduler, like tcp://.*, got 'nonsense'"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
    ],
)
def test_where_there_is_no_scheduler(address, message):
    with pytest.raises(ValueError, match=message):
        Cluster(address, patience=0.5)


def test_where_there_are_no_workers(machines):
    machines.lose()
    with pytest.raises(ValueError, match="has no workers"):
        Cluster(machines.address, patience=0.5)
