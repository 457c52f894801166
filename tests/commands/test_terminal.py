"""Every command in a pseudo-terminal, nothing compiled yet: a sign of life, and an end by Ctrl-C."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from terminals import Terminal, program

import gops_exact as gx
from gops_exact.commands import COMMANDS
from gops_exact.solvers import formats

LONG = {
    "first-move": "--n 7",
    "first-move ball": "--n 9 --arithmetic ball --jobs 1",
    "first-move float": "--n 11 --arithmetic float",
    "cross-check": "--n 7",
    "explore": "--n 6 --out page.html",
    "export": "--emit nfg --n 7 --upcard 7",
    "measure": "--n 9",
    "outcomes": "--n 6",
    "outcomes float": "--n 9 --arithmetic float",
    "play": "--n 9",
    "position": "--one 1,3,5,7,9,11,13 --two 2,4,6,8,10,12,14 --prizes 1,2,3,4,5,6,7 --upcard 7",
    "serve": "--n 12 --port 0",
    "tournament": "--jobs 2",
    "verify": "--jobs 1",
}
"""Commands at work for some seconds at least."""

SHORT = {
    "completion": "bash",
    "growth": "--n 3",
    "hidden-bids": "-n 3",
    "matrix": "game.csv",
    "patterns": "moves.json",
    "store": "info",
}
"""Commands that are done at once."""

LOADING = ("first-move float", "serve", "tournament")
"""Commands of which the modules differ most."""


def test_every_command_is_here():
    assert {name.split()[0] for name in [*LONG, *SHORT]} == set(COMMANDS)


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
    """Start a command in a terminal, with a store of six cards and an empty cache of kernels."""
    (tmp_path / "game.csv").write_text("3,-1\n1,2\n")
    (tmp_path / "moves.json").write_text("".join(formats.emit(gx.first_move(4), "json")))

    def start(name, words):
        store = solved if name in ("verify", "growth", "store") else tmp_path / "store.sqlite"
        env = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "GOPS_EXACT_STORE": str(store)}
        env |= {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
        return Terminal(program(name.split()[0], *words.split()), env, tmp_path)

    return start


@pytest.mark.parametrize("name", LONG)
def test_a_sign_of_life_and_an_end_at_any_moment(name, terminal, start_seconds, tmp_path):
    run = terminal(name, LONG[name])
    assert run.until_first(60) < 1 + 3 * start_seconds
    assert run.read(0.7), run.text
    (last,) = run.interrupted(1 + start_seconds)
    assert "interrupted" in last or "Go on with: " in last
    assert not [path for path in tmp_path.iterdir() if "gops_exact-" in path.name]


def test_an_end_while_another_process_keeps_the_store_locked(terminal, solved, start_seconds):
    with closing(sqlite3.connect(solved, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        run = terminal("store", "clear --yes")
        run.read(start_seconds + 2)
        run.interrupted(1 + start_seconds)


@pytest.mark.parametrize("name", LOADING)
def test_an_end_while_the_program_loads(name, terminal, start_seconds):
    run = terminal(name, (LONG | SHORT)[name])
    run.read(start_seconds / 2)
    run.interrupted(1 + start_seconds)


@pytest.mark.parametrize("name", SHORT)
def test_what_is_done_at_once(name, terminal, start_seconds):
    run = terminal(name, SHORT[name])
    assert run.until_first(60) < 1 + 3 * start_seconds
    assert run.end()[0] == 0


def test_a_file_is_named_once_it_is_written(terminal, tmp_path):
    run = terminal("explore", "-n 2 --out page.html")
    assert run.end()[0] == 0
    assert run.text.split(b"\r\n")[-2].endswith(b"page.html is written")
    assert (tmp_path / "page.html").exists()
