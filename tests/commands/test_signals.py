"""Runs that a signal ends: what was finished stays, nothing else does, and the status says which.

What happens in the process that is interrupted is tested in internal/test_commands.py.
"""

import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
import runs
from program import run as ran
from stores import faults, sql

pytestmark = pytest.mark.usefixtures("own_store")

STATUS = {signal.SIGHUP: 129, signal.SIGINT: 130, signal.SIGTERM: 143}
SCRIPT = "import sys; from gops_exact.__main__ import main; sys.exit(main())"


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start the program in a process group of its own, its temporary files in a folder `tmp`."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    started = []

    def run(*arguments, code=SCRIPT):
        words = [sys.executable, "-c", code, *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        started.append(subprocess.Popen(words, **pipes, start_new_session=True))
        return started[-1]

    yield run
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_terminated_command_ends_its_workers_and_keeps_finished_values(start, tmp_path):
    """That they end by Ctrl-C is tested in test_terminal.py."""
    target, store = tmp_path / "out.csv", tmp_path / "seven.sqlite"
    target.write_text("before")
    run = start("--n", "7", "--jobs", "2", "--store", store, "--out", target)

    def workers():
        with os.popen(f"ps -o pid= --ppid {run.pid}") as listed:  # noqa: S605  # digits only
            return [int(word) for word in listed.read().split()]

    runs.until(lambda: len(workers()) == 2, "workers")
    at_work = workers()

    def keeps_values():
        with suppress(sqlite3.Error):  # the store is not there yet, or locked
            return store.exists() and sql(store, "SELECT count(*) FROM entry") > [(0,)]

    runs.until(keeps_values, "values")  # the others take minutes
    assert run.poll() is None
    run.terminate()
    ended = run.communicate(timeout=60)
    again = shlex.join(["gops-exact", *run.args[3:]])
    told = f"gops-exact: interrupted; what is finished is kept, go on with: {again}\n"
    assert (run.returncode, *ended) == (STATUS[signal.SIGTERM], "", told)
    assert not any(Path(f"/proc/{worker}").exists() for worker in at_work)
    assert {path.name for path in tmp_path.iterdir()} == {store.name, "out.csv", "tmp"}
    assert target.read_text() == "before" and list((tmp_path / "tmp").iterdir()) == []
    assert faults(store) == []
    assert ": 0 entries" not in ran(f"store info --store '{store}'").out


DROPPED = """
import ctypes, signal, sys, time
from gops_exact.commands import cli
from gops_exact.commands import first_move

def run(given):
    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()  # as LLVM calls numba's
    time.sleep(30)

first_move.run = run
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(cli.main())
"""
"""An interrupt that compiled code drops, which is to be sent again."""

LOADED = """
import signal, sys
from importlib.abc import MetaPathFinder

class Interrupted(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            signal.raise_signal({number})

signal.signal({number}, {handler})
sys.meta_path.insert(0, Interrupted())
{call}
"""
MODULE = "import runpy; runpy.run_module('gops_exact', run_name='__main__')"


@pytest.mark.parametrize(
    ("number", "module", "call"),
    [
        (signal.SIGHUP, "gops_exact.commands.cli", MODULE),
        (signal.SIGINT, "gops_exact.commands", SCRIPT),  # before there is a handler
        (signal.SIGTERM, "numpy", SCRIPT),
        (signal.SIGINT, None, DROPPED),
    ],
)
def test_signal_during_loading_or_compiling_ends_in_one_line(start, number, module, call):
    handler = "signal.default_int_handler" if number == signal.SIGINT else "signal.SIG_DFL"
    loaded = LOADED.format(module=module, number=int(number), handler=handler, call=call)
    run = start("-n", "3", code=loaded if module else call)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out, err.count("\n")) == (STATUS[number], "", 1)
    assert err.endswith(": interrupted\n")


IMPORTING = """
import signal, sys
import gops_exact as gx
class At:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, At())
for attempt in range(2):
    try:
        answer = eval(sys.argv[2])
    except KeyboardInterrupt:
        print("interrupted", attempt)
print(answer)
"""


@pytest.mark.parametrize(
    ("module", "call", "answer"),
    [
        ("numpy.linalg", "gx.value('2.4_1.3_12.13')", "313/25"),
        ("yaml.error", "gx.solve_matrix_games([[[1] * 40] * 40] * 9).value[0].round(9)", "1.0"),
        ("pandas.core", "gx.first_move(2).to_frame().shape", "(4, 2)"),
    ],
)
def test_call_interrupted_while_a_library_is_loaded_can_be_repeated(
    start, monkeypatch, module, call, answer
):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    out, err = start(module, call, code=IMPORTING).communicate()
    assert out == f"interrupted 0\n{answer}\n" and not err
