"""Dask workers that are processes of their own, and what becomes of killed ones.

``python tests/attack machines --lose SECONDS`` kills clients, too.
"""

import os
import socket
import sqlite3
import sys
from contextlib import closing, contextmanager, suppress
from importlib.util import find_spec
from threading import Thread

import pytest
from machines import Machines
from runs import WAIT, begun, finish, kept, start, until, words

from gops_exact.game.rules import PLAIN, Rules
from gops_exact.solvers import cluster
from gops_exact.solvers.api import first_move
from gops_exact.solvers.arithmetic import Ball, Exact, Float, Residue
from gops_exact.solvers.cluster import Cluster
from gops_exact.solvers.formats import emit
from gops_exact.solvers.store import DiskStore

pytestmark = pytest.mark.skipif(
    find_spec("distributed") is None,
    reason="Dask is missing: pip install '.[distributed]'",
)

N = 10
LAYERS = [f"float-10-0{size}" for size in (6, 8)]
"""Layers that take half a second, in a hundred blocks."""

SMALL = 110
"""More entries of six cards than the client makes itself."""


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


@pytest.fixture(scope="module")
def six():
    """The exact first moves of six cards, found in this process."""
    return first_move(6, store=":memory:", jobs=1)


def test_workers_killed_in_the_middle(machines, alone, tmp_path):
    machines.hire(2)
    run = start(*words(N, tmp_path, "--scheduler", machines.address))
    until(lambda: begun(tmp_path, LAYERS[0]), "block")
    machines.lose()  # all of them, so that blocks were under way there
    machines.hire(2)
    until(lambda: begun(tmp_path, LAYERS[1]), "block")
    machines.lose(1)
    assert not (tmp_path / f"{LAYERS[1]}.bounds").exists()
    assert (finish(run), kept(tmp_path)) == alone


def test_values_travel_in_messages_where_no_folder_is_seen(machines, tmp_path, monkeypatch):
    machines.hire(2)
    alone, apart, shared = tmp_path / "alone", tmp_path / "apart", []
    monkeypatch.setattr(cluster, "shared_file", lambda *given: shared.append(given))
    rules = Rules("win", "carryover")
    expected = first_move(5, Float(folder=alone), rules=rules)
    found = first_move(5, Float(folder=apart), rules=rules, scheduler=machines.address)
    assert (found.columns, kept(apart)) == (expected.columns, kept(alone))
    assert len(shared) == 4
    unkept = first_move(5, "float", rules=rules, scheduler=machines.address)
    assert unkept.columns == found.columns


def entries(file):
    """{key: checksum} of a store, while another process may write it."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        try:
            return dict(connection.execute("SELECT key, checksum FROM entry"))
        except sqlite3.OperationalError:  # not made yet
            return {}


KINDS = [
    (4, Exact(), Rules("win", "carryover", "hidden")),
    (5, Ball(20), PLAIN),
    (4, Residue(), Rules("win")),
]


@pytest.mark.parametrize(("most", "kind", "rules"), KINDS, ids=str)
def test_two_workers_find_the_same_entries(machines, tmp_path, most, kind, rules):
    machines.hire(2)
    here, there = tmp_path / "here.sqlite", tmp_path / "there.sqlite"
    for n in (most - 1, most):  # slabs of the smaller game are gone on with
        expected = first_move(n, kind, rules=rules, store=here, jobs=1)
        found = first_move(n, kind, rules=rules, store=there, scheduler=machines.address)
        assert "".join(emit(found, "json")) == "".join(emit(expected, "json"))
        assert entries(there) == entries(here)


@pytest.fixture
def made(monkeypatch):
    """The keys of the entries put into a store, in order: a task done twice puts its own twice."""
    made, put = [], DiskStore.put

    def record(store, key, payload):
        made.append(key)
        put(store, key, payload)

    monkeypatch.setattr(DiskStore, "put", record)
    return made


def test_what_was_finished_survives_a_worker_whose_process_is_killed(machines, tmp_path, made, six):
    machines.hire(2)
    file, lost = tmp_path / "store.sqlite", []

    def lose_one(done, total):
        if not lost and 3 * done > total and (computing := machines.computing()):
            lost.append(len(made))
            computing[0].kill()

    assert first_move(6, store=file, scheduler=machines.address, progress=lose_one) == six
    assert 0 < lost[0] < len(made)
    assert len(made) == len(set(made)) == len(entries(file))
    computing = machines.computing()
    assert computing
    machines.lose()
    until(lambda: not any(process.is_running() for process in computing), "end")


def test_a_worker_with_a_nanny_has_processes_too(machines, tmp_path):
    """Such a worker is a daemon, which Python lets start no process."""
    machines.lose()
    machines.hire(1, nanny="--nanny")
    expected = first_move(4, store=":memory:")
    assert first_move(4, store=tmp_path / "store.sqlite", scheduler=machines.address) == expected
    machines.lose()


def test_the_scheduler_is_killed(machines, tmp_path, made, six):
    machines.hire(2)
    file = tmp_path / "store.sqlite"
    run = start("--n", "6", "--emit", "csv", "--store", str(file), "--scheduler", machines.address)
    until(lambda: file.exists() and len(entries(file)) > SMALL, "entry")
    machines.restart()
    out, err = run.communicate(timeout=WAIT)
    assert (run.returncode, out) == (1, "")
    assert err.splitlines()[0].endswith("went away")
    machines.hire(1)
    before = entries(file)
    assert first_move(6, store=file, scheduler=machines.address) == six
    assert len(before) + len(made) == len(entries(file))


def test_a_task_goes_where_there_is_memory(machines, tmp_path, monkeypatch):
    machines.hire(1)
    machines.lose()
    machines.hire(1, "600MB")
    monkeypatch.setattr(cluster, "SMALL_BYTES", 0)
    first_move(4, store=tmp_path / "enough.sqlite", scheduler=machines.address)
    monkeypatch.setattr(cluster, "PROCESS_BYTES", 7 * 10**8)
    with pytest.raises(MemoryError, match=r"about 0.7 GB of memory a thread, got at most 0.6 GB"):
        first_move(4, store=tmp_path / "short.sqlite", scheduler=machines.address)
    machines.lose()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "expected the address of a Dask scheduler, like tcp://.*, got 'nonsense'"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at tcp://127.0.0.1:9"),
        # Certificates are not there.
        ("tls://127.0.0.1:8786", "no Dask scheduler answers at tls://127.0.0.1:8786: TLS expects"),
    ],
)
def test_where_there_is_no_scheduler(address, message):
    with pytest.raises(ValueError, match=message):
        Cluster(address, patience=0.5)


@contextmanager
def listening(said):
    """The address of what takes every connection, says something, and keeps the connection open."""
    held = []

    def greet(listener):
        with suppress(OSError):  # the listener is closed
            while True:
                held.append(listener.accept()[0])
                held[-1].sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=greet, args=(listener,), daemon=True).start()
        yield "{}:{}".format(*listener.getsockname())
        listener.shutdown(socket.SHUT_RDWR)
    for connection in held:
        connection.close()


@pytest.mark.parametrize("said", [b"SSH-2.0-OpenSSH_9.6\r\n" * 40, b""], ids=["words", "nothing"])
def test_where_something_else_listens(said):
    with (
        listening(said) as address,
        pytest.raises(ValueError, match=f"no Dask scheduler answers at tcp://{address}$"),
    ):
        Cluster(address, patience=0.5)


def test_a_worker_is_no_scheduler(machines):
    machines.hire(1)
    with Cluster(machines.address) as opened:
        [worker] = opened.with_memory(1)
    with pytest.raises(ValueError, match="no Dask scheduler answers at .*, but a worker"):
        Cluster(worker)


def test_where_there_are_no_workers(machines, monkeypatch):
    machines.lose()
    monkeypatch.setattr(cluster, "FIRST_WORKER", 0.5)
    with pytest.raises(ValueError, match="has no workers"):
        Cluster(machines.address)


def test_a_worker_of_another_version_that_joins_late_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "other" / "gops_exact-9.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Name: gops-exact\nVersion: 9.9\n")
    machines = Machines(tmp_path)

    def joined():
        return (tmp_path / "log").read_text().count("Registered to")

    def hire_another(done, total):
        if len(machines.workers) == 1 and 10 * done > total:
            monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(other.parent), *sys.path]))
            machines.hire(2)
            until(lambda: joined() == 2, "worker")

    try:
        machines.hire(1)
        until(lambda: joined() == 1, "worker")
        store = tmp_path / "store.sqlite"
        with pytest.raises(ValueError, match=r"a worker must have gops-exact \S+, got 9\.9"):
            first_move(6, store=store, scheduler=machines.address, progress=hire_another)
    finally:
        machines.close()
