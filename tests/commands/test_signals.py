"""Runs that a signal ends: what was finished stays, nothing else does, and the status says which.

What happens in the process that is interrupted is tested in internal/test_commands.py.
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
import runs
from program import run as ran
from stores import faults

pytestmark = pytest.mark.usefixtures("own_store")

STATUS = {signal.SIGHUP: 129, signal.SIGINT: 130, signal.SIGTERM: 143}
START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what they run beside ignore it
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # and so does nohup
from gops_exact.commands.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start the program in a process group of its own, its temporary files in a folder `tmp`."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    started = []

    def run(*arguments, code=START):
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", code, *map(str, arguments)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )
        return started[-1]

    yield run
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def workers(run):
    """The processes that a run has started."""
    with os.popen(f"ps -o pid= --ppid {run.pid}") as listed:  # noqa: S605  # digits only
        return [int(word) for word in listed.read().split()]


def end(run, number, *, group=False, kept=False):
    """Send a signal to a run at work, or to its group: it has to end as it should, and print nothing.

    If something is `kept`, it has to name the command that goes on.
    """
    assert run.poll() is None
    (os.killpg if group else os.kill)(run.pid, number)
    ended = run.communicate(timeout=60)
    again = shlex.join(["gops-exact", *run.args[3:]])
    hint = f"; what is finished is kept, go on with: {again}" if kept else ""
    assert (run.returncode, *ended) == (STATUS[number], "", f"gops-exact: interrupted{hint}\n")


@pytest.mark.parametrize(
    ("words", "number", "group", "keeps"),
    [
        ("--n 7 --jobs 2 --store :memory:", signal.SIGINT, True, False),
        ("--n 7 --jobs 2 --store {0}/seven.sqlite", signal.SIGTERM, False, True),
    ],
)
def test_workers_end_with_the_run(start, tmp_path, words, number, group, keeps):
    target, store = tmp_path / "out.csv", tmp_path / "seven.sqlite"
    target.write_text("before")
    run = start(*(word.format(tmp_path) for word in words.split()), "--out", target)
    runs.until(lambda: len(workers(run)) == 2, "workers")
    at_work = workers(run)
    time.sleep(1 if keeps else 0.3)
    end(run, number, group=group, kept=keeps)
    for worker in at_work:
        assert not Path(f"/proc/{worker}").exists()
    assert {path.name for path in tmp_path.iterdir()} - {store.name} == {"out.csv", "tmp"}
    assert target.read_text() == "before" and list((tmp_path / "tmp").iterdir()) == []
    if keeps:
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


def test_an_interrupt_that_compiled_code_drops_is_sent_again(start):
    begun = time.monotonic()
    run = start("-n", "3", code=DROPPED)
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (STATUS[signal.SIGINT], "")
    assert err.endswith(": interrupted\n") and time.monotonic() - begun < 25


LOADED = """
import signal, sys
from importlib.abc import MetaPathFinder

class Interrupted(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            signal.raise_signal({number})

signal.signal({number}, {handler})
sys.meta_path.insert(0, Interrupted())
sys.argv = ["gops-exact", "-n", "3"]
{call}
"""
MODULE = "import runpy; runpy.run_module('gops_exact', run_name='__main__')"
SCRIPT = "from gops_exact.__main__ import main; sys.exit(main())"


@pytest.mark.parametrize(
    ("number", "module", "call"),
    [
        (signal.SIGHUP, "gops_exact.commands.cli", MODULE),
        (signal.SIGINT, "gops_exact.commands", SCRIPT),  # before there is a handler
        (signal.SIGTERM, "numpy", SCRIPT),
    ],
)
def test_a_signal_while_the_program_is_being_loaded(start, number, module, call):
    handler = "signal.default_int_handler" if number == signal.SIGINT else "signal.SIG_DFL"
    run = start(code=LOADED.format(module=module, number=int(number), handler=handler, call=call))
    out, err = run.communicate(timeout=60)
    assert (run.returncode, out) == (STATUS[number], "")
    assert err in ("gops-exact: interrupted\n", "python -m gops_exact: interrupted\n")
