"""Commands in a pseudo-terminal, nothing compiled yet: a sign of life, an end by Ctrl-C, and a game that goes on."""

import os
import re
import shlex
import signal
import sqlite3
import sys
from contextlib import closing
from functools import partial
from io import BytesIO

import pytest
from program import run as ran

import gops_exact as gx

pexpect = pytest.importorskip("pexpect", reason="pexpect is not installed")


def in_terminal(words, folder, store):
    """Start a command that leads a session in a new pseudo-terminal; `logfile_read` has all that it shows."""
    env = {"NUMBA_CACHE_DIR": f"{folder}/kernels", "GOPS_EXACT_STORE": str(store)}
    env |= {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder), "TERM": "dumb"}
    # Shells let background jobs ignore it.
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    options = {"cwd": folder, "env": os.environ | env, "preexec_fn": heeds, "timeout": 60}
    command = ["-m", "gops_exact", *words.split()]
    run = pexpect.spawn(sys.executable, command, echo=True, **options)
    run.logfile_read = BytesIO()
    return run


def interrupted(run):
    """Type Ctrl-C, after which all that a command started is to end; the last line."""
    run.send("\x03")
    run.expect(pexpect.EOF)
    run.close()
    text = run.logfile_read.getvalue()
    assert run.exitstatus == 130, text
    assert b"Traceback" not in text
    with os.popen(f"ps -o pid= -s {run.pid}") as session:  # noqa: S605  # digits only
        assert session.read() == ""
    return text.decode().replace("\r", "\n").strip().rpartition("\n")[2]


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
        "solve leduc_poker --show ranges",
        "solve liars_dice(6)",
        "solve oshi_zumo(25)",
        "verify --jobs 1",
    ],
)
def test_long_commands_print_something_while_they_work_and_stop_on_ctrl_c(words, solved, tmp_path):
    """Its first character shows that a command is at work, which then goes on for seconds at least."""
    run = in_terminal(words, tmp_path, solved if "verify" in words else tmp_path / "store.sqlite")
    run.expect(".")
    last = interrupted(run)
    assert "interrupted" in last or "Go on with: " in last
    assert not [path for path in tmp_path.iterdir() if "gops_exact-" in path.name]


def test_ctrl_c_stops_a_command_that_waits_for_a_locked_store_file(tmp_path, solved):
    with closing(sqlite3.connect(solved, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        run = in_terminal("store clear --yes", tmp_path, solved)
        run.expect([pexpect.TIMEOUT, pexpect.EOF], timeout=2)
        interrupted(run)


def test_interrupted_terminal_game_resumes(tmp_path):
    words = "play --n 4 --seed 11 --objective win --ties carryover"
    person = in_terminal(words, tmp_path, tmp_path / "store.sqlite")
    for line in ("nonsense", "hint", "4", "4", "3"):
        person.expect_exact("Your bid: ")
        person.sendline(line)
    person.expect_exact("Your bid: ")
    # The key shall not fall between the prompt and the reading.
    person.expect(pexpect.TIMEOUT, timeout=0.5)
    interrupted(person)
    shown = person.logfile_read.getvalue().decode().replace("\r\n", "\n")
    shown = re.sub(r"\r[^\n]*\r", "", shown)  # without bars
    assert shown.count("is not a card you hold") == 2  # nonsense, and the 4 once bid
    assert "optimal  expects" in shown and "\x1b" not in shown
    again = shlex.split(re.search(r"Go on with: (.*)", shown)[1])
    assert again[:4] == ["python", "-m", "gops_exact", "play"]
    resumed = ran(again[3:], b"1\n2\n")
    assert resumed == ran(words, b"4\n3\n1\n2\n") and resumed.status == 0
