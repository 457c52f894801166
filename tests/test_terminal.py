"""Every command in a pseudo-terminal, nothing compiled yet: a sign of life, and an end by Ctrl-C."""

import os
import pty
import select
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest

import gops_exact as gx
from gops_exact.commands import COMMANDS

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
    "benchmark": "-n 3 --policy random,matching",
    "completion": "bash",
    "growth": "--n 3",
    "patterns": "moves.json",
    "store": "info",
}
"""Commands that are done at once."""

LOADING = ("first-move", "first-move float", "explore", "measure", "serve", "tournament")
"""Commands of which the modules differ most."""


class Terminal:
    """A process that leads a session in a new pseudo-terminal; times are seconds since its start."""

    def __init__(self, words, env, cwd):
        self.started = time.monotonic()
        self.text = b""
        self.pid, self._file = pty.fork()
        if not self.pid:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # shells let background jobs ignore it
            os.chdir(cwd)
            os.environ.update(env)
            os.execvp(words[0], words)  # noqa: S606  # the words are the tests' own

    def now(self):
        return time.monotonic() - self.started

    def read(self, seconds):
        """Read for so long; False once nobody is left who could write."""
        end = self.now() + seconds
        while (left := end - self.now()) > 0:
            if select.select([self._file], [], [], left)[0]:
                piece = b""
                with suppress(OSError):  # the way Linux tells the end
                    piece = os.read(self._file, 1 << 16)
                if not piece:
                    return False
                self.text += piece
        return True

    def until_first(self, limit):
        """Read until something is said, or the limit; when that is."""
        while not self.text and self.now() < limit and self.read(0.01):
            pass
        return self.now()

    def end(self, limit=60):
        """Read to the end; the exit status and the seconds that took. It is killed at the limit."""
        begun = self.now()
        while self.now() - begun < limit and self.read(0.01):
            pass
        if self.now() - begun >= limit:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        seconds = self.now() - begun
        os.close(self._file)
        return 128 - code if code < 0 else code, seconds  # as a shell counts

    def interrupted(self, limit):
        """Type Ctrl-C, after which all that it started is to end within the limit; the last line."""
        os.write(self._file, b"\x03")
        status, seconds = self.end()
        assert status == 130, self.text
        assert seconds < limit
        assert b"Traceback" not in self.text
        with os.popen(f"ps -o pid= -s {self.pid}") as session:  # noqa: S605  # digits only
            assert session.read() == ""
        return self.text.decode().replace("\r", "\n").strip().splitlines()[-1:]


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
    (tmp_path / "moves.json").write_text(
        "".join(gx.solutions.formats.emit(gx.first_move(4), "json"))
    )

    def start(name, words):
        store = solved if name in ("verify", "growth", "store") else tmp_path / "store.sqlite"
        env = {"NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "GOPS_EXACT_STORE": str(store)}
        env |= {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(tmp_path)}
        command = [sys.executable, "-m", "gops_exact", name.split()[0], *words.split()]
        return Terminal(command, env, tmp_path)

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
