"""Commands in a pseudo-terminal, nothing compiled yet: a sign of life, an end by Ctrl-C, and a game that goes on."""

import os
import pty
import re
import select
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress

import pytest
from program import run as ran

import gops_exact as gx

INTERRUPT = b"\x03"
"""Ctrl-C, as it is typed."""


class Terminal:
    """A command that leads a session in a new pseudo-terminal; times are seconds since its start."""

    def __init__(self, words, folder, store):
        self.started, self.text, self.heard = time.monotonic(), b"", 0
        env = {"NUMBA_CACHE_DIR": f"{folder}/kernels", "GOPS_EXACT_STORE": str(store)}
        env |= {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder), "TERM": "dumb"}
        self.pid, self._file = pty.fork()
        if not self.pid:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # shells let background jobs ignore it
            os.chdir(folder)
            os.environ.update(env)
            os.execv(sys.executable, [sys.executable, "-m", "gops_exact", *words.split()])  # noqa: S606  # the words are the tests' own

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

    def until(self, text, limit=60):
        """Read until a text comes after what was waited for before, or to the end; return when that is."""
        end = self.now() + limit
        while text not in self.text[self.heard :] and self.now() < end and self.read(0.01):
            pass
        self.heard = self.text.find(text, self.heard) + len(text)
        return self.now()

    def type(self, keys):
        os.write(self._file, keys)

    def interrupted(self, limit):
        """Type Ctrl-C, after which all that it started is to end within the limit; the last line."""
        begun = self.now()
        self.type(INTERRUPT)
        while self.now() < begun + 60 and self.read(0.01):
            pass
        if self.now() >= begun + 60:
            os.kill(self.pid, signal.SIGKILL)
        _, status = os.waitpid(self.pid, 0)
        os.close(self._file)
        assert os.waitstatus_to_exitcode(status) == 130, self.text
        assert self.now() < begun + limit
        assert b"Traceback" not in self.text
        with os.popen(f"ps -o pid= -s {self.pid}") as session:  # noqa: S605  # digits only
            assert session.read() == ""
        return self.text.decode().replace("\r", "\n").strip().rpartition("\n")[2]


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


@pytest.mark.parametrize(
    "words",
    [
        "first-move -n 7",
        "first-move -n 11 --arithmetic float",
        "explore -n 6 --out page.html",
        "measure -n 9",
        "play -n 9",
        "serve -n 12 --port 0",
        "verify --jobs 1",
    ],
)
def test_a_sign_of_life_and_an_end_at_any_moment(words, solved, start_seconds, tmp_path):
    """Each command is at work for some seconds at least."""
    run = Terminal(words, tmp_path, solved if "verify" in words else tmp_path / "store.sqlite")
    while not run.text and run.now() < 60 and run.read(0.01):
        pass
    assert run.now() < 1 + 3 * start_seconds
    assert run.read(0.3), run.text
    last = run.interrupted(1 + start_seconds)
    assert "interrupted" in last or "Go on with: " in last
    assert not [path for path in tmp_path.iterdir() if "gops_exact-" in path.name]


def test_an_end_while_another_process_keeps_the_store_locked(tmp_path, solved, start_seconds):
    with closing(sqlite3.connect(solved, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        run = Terminal("store clear --yes", tmp_path, solved)
        run.read(start_seconds + 1)
        run.interrupted(1 + start_seconds)


def test_a_game_at_the_terminal_is_interrupted_and_taken_up_again(tmp_path):
    words = "play --n 4 --seed 11 --objective win --ties carryover"
    person = Terminal(words, tmp_path, tmp_path / "store.sqlite")
    for keys in (b"nonsense\n", b"hint\n", b"4\n", b"4\n", b"3\n", b""):
        person.until(b"Your bid: ")
        person.type(keys)
    person.read(0.5)  # the key shall not fall between the prompt and the reading
    person.interrupted(10)
    shown = re.sub(r"\r[^\n]*\r", "", person.text.decode().replace("\r\n", "\n"))  # without bars
    assert shown.count("is not a card you hold") == 2  # nonsense, and the 4 once bid
    assert "optimal  expects" in shown and "\x1b" not in shown
    again = shlex.split(re.search(r"Go on with: (.*)", shown)[1])
    assert again[:4] == ["python", "-m", "gops_exact", "play"]
    resumed = ran(again[3:], b"1\n2\n")
    assert resumed == ran(words, b"4\n3\n1\n2\n") and resumed.status == 0
