"""Dask workers that are processes of their own, and what becomes of killed ones.

``python studies/cluster_losses.py --lose SECONDS`` kills clients, too.
"""

import pytest
from machines import Machines
from program import run
from runs import begun, kept, until
from stores import contents

from gops_exact.base.store import DiskStore
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.solvers.api import first_move
from gops_exact.solvers.arithmetic import Ball, Exact, Float

pytest.importorskip("distributed", reason="Dask is missing: pip install '.[distributed]'")
from gops_exact.base import cluster  # loads Dask

N = 9
LAYER = f"float-{N}-06"
"""A layer of some twenty blocks."""


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    machines = Machines(tmp_path_factory.mktemp("machines"))
    yield machines
    machines.close()


def test_float_first_moves_survive_killed_dask_workers(machines, tmp_path):
    alone, folder, lost = tmp_path / "alone", tmp_path / "cluster", []
    moves = first_move(N, Float(folder=alone)).columns
    machines.hire(1)

    def lose_all(_done, _total):
        if not lost and begun(folder, LAYER):
            lost.append(LAYER)
            machines.lose()  # while other blocks of the layer are under way there
            machines.hire(2)

    found = first_move(N, Float(folder=folder), scheduler=machines.address, progress=lose_all)
    assert (found.columns, kept(folder), lost) == (moves, kept(alone), [LAYER])


@pytest.mark.parametrize(
    ("most", "kind", "rules"),
    [(4, Exact(), Rules("win", "carryover", "hidden")), (5, Ball(20), PLAIN)],
    ids=str,
)
def test_store_file_filled_by_a_dask_cluster_equals_the_one_of_one_machine(
    machines, tmp_path, most, kind, rules
):
    machines.hire(2)
    here, there = tmp_path / "here.sqlite", tmp_path / "there.sqlite"
    for n in (most - 1, most):  # value tables of the smaller game are gone on with
        expected = first_move(n, kind, rules=rules, store=here, jobs=1)
        assert first_move(n, kind, rules=rules, store=there, scheduler=machines.address) == expected
        assert contents(there) == contents(here)


def test_killed_process_of_a_dask_worker_loses_no_finished_task(machines, tmp_path, monkeypatch):
    machines.hire(2)
    six = first_move(6, store=":memory:", jobs=1)
    file, lost, made, put = tmp_path / "store.sqlite", [], [], DiskStore.put

    def record(store, key, payload):
        made.append(key)  # a task that is done twice puts its own twice
        put(store, key, payload)

    def lose_one(done, total):
        if not lost and 3 * done > total and (computing := machines.computing()):
            lost.append(len(made))
            computing[0].kill()

    monkeypatch.setattr(DiskStore, "put", record)
    assert first_move(6, store=file, scheduler=machines.address, progress=lose_one) == six
    assert 0 < lost[0] < len(made)
    assert len(made) == len(set(made)) == len(contents(file))
    computing = machines.computing()
    assert computing
    machines.lose()
    until(lambda: not any(process.is_running() for process in computing), "end")


def test_dask_worker_with_a_nanny_computes_exact_moves(machines, tmp_path):
    """Such a worker is a daemon, which Python lets start no process."""
    machines.lose()
    machines.hire(1, "600MB", "--nanny")
    store = str(tmp_path / "store.sqlite")
    found = run(["--n", "4", "--store", store, "--scheduler", machines.address])
    assert found == run("--n 4 --store :memory:")
    assert found.status == 0
    machines.lose()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "expected the address of a Dask scheduler, like tcp://.*, got 'nonsense'"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9$"),
    ],
)
def test_cluster_refuses_an_unreachable_scheduler(address, message):
    with pytest.raises(ValueError, match=message):
        cluster.Cluster(address, patience=0.3)


def test_cluster_refuses_a_scheduler_without_workers(machines, monkeypatch):
    machines.lose()
    monkeypatch.setattr(cluster, "FIRST_WORKER", 0.1)
    with pytest.raises(ValueError, match="has no workers"):
        cluster.Cluster(machines.address)


def test_dask_worker_of_another_version_is_refused():
    with pytest.raises(ValueError, match=r"a worker must have gops-exact 9\.9, got \S+"):
        cluster.checked("9.9", len, "")
