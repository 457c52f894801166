"""Long commands in a pseudo-terminal, nothing compiled yet: a sign of life, and an end by Ctrl-C."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from program import COMMANDS
from terminals import Terminal, program

import gops_exact as gx

LONG = {
    "first-move": "--n 7",
    "first-move float": "--n 11 --arithmetic float",
    "cross-check": "--n 7",
    "explore": "--n 6 --out page.html",
    "export": "--emit nfg --n 7 --upcard 7",
    "measure": "--n 9",
    "outcomes": "--n 6",
    "play": "--n 9",
    "position": "--one 1,3,5,7,9,11,13 --two 2,4,6,8,10,12,14 --prizes 1,2,3,4,5,6,7 --upcard 7",
    "serve": "--n 12 --port 0",
    "verify": "--jobs 1",
}
"""Commands at work for some seconds at least."""

SHORT = {"game", "growth", "hidden-bids", "matrix", "review", "store"}
"""Commands that are done at once, or, with hidden bids, watched in test_signals.py."""


def test_every_command_is_here():
    assert {name.split()[0] for name in LONG} | SHORT == set(COMMANDS)


@pytest.fixture(scope="module")
def start_seconds():
    """The time that Python takes to load the solver, at this moment on this machine."""
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", "from gops_exact import first_move"], check=True)
    return time.monotonic() - begun


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    path = tmp_path_factory.mktemp("solved") / "store.sqlite"
    gx.first_move(6, store=path)
    return path


@pytest.fixture
def terminal(tmp_path, solved):
    """Start a command in a terminal, with an empty cache of kernels; some have a store of six cards."""

    def start(name, words):
        store = solved if name in ("verify", "store") else tmp_path / "store.sqlite"
        env = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "GOPS_EXACT_STORE": str(store)}
        env |= {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
        return Terminal(program(name.split()[0], *words.split()), env, tmp_path)

    return start


@pytest.mark.parametrize("name", LONG)
def test_a_sign_of_life_and_an_end_at_any_moment(name, terminal, start_seconds, tmp_path):
    run = terminal(name, LONG[name])
    assert run.until_first(60) < 1 + 3 * start_seconds
    assert run.read(0.3), run.text
    last = run.interrupted(1 + start_seconds)
    assert "interrupted" in last or "Go on with: " in last
    assert not [path for path in tmp_path.iterdir() if "gops_exact-" in path.name]


def test_an_end_while_another_process_keeps_the_store_locked(terminal, solved, start_seconds):
    with closing(sqlite3.connect(solved, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        run = terminal("store", "clear --yes")
        run.read(start_seconds + 1)
        run.interrupted(1 + start_seconds)
