"""Runs that a signal ends: what was finished stays, nothing else does, and the status says which."""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from runs import begun, kept, until, words
from stores import faults

from gops_exact.commands import cli, first_move

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

    def run(*arguments):
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", START, *map(str, arguments)],
                stdin=subprocess.PIPE,
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


def ended(run, number, *, group=False, kept=False):
    """Send a signal to a run at work, or to its group; stdout, once it has ended as it should.

    If something is `kept`, it has to name the command that goes on.
    """
    assert run.poll() is None
    (os.killpg if group else os.kill)(run.pid, number)
    out, err = run.communicate(timeout=60)
    again = shlex.join(["gops-exact", *run.args[3:]])
    hint = f"; what is finished is kept, go on with: {again}" if kept else ""
    assert (run.returncode, err) == (STATUS[number], f"gops-exact: interrupted{hint}\n")
    return out


SEVEN = "--n 7 --jobs 2 --store :memory:"


@pytest.mark.parametrize(
    ("words", "number", "group"),
    [
        *((SEVEN, number, number != signal.SIGTERM) for number in STATUS),
        ("tournament --jobs 2", signal.SIGINT, False),
    ],
)
def test_workers_end_with_the_run(start, tmp_path, words, number, group):
    target = tmp_path / "out.csv"
    target.write_text("before")
    run = start(*words.split(), "--out", target)
    until(lambda: len(workers(run)) == 2, "workers")
    at_work = workers(run)
    time.sleep(0.3)
    assert ended(run, number, group=group) == ""
    for worker in at_work:
        assert not Path(f"/proc/{worker}").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "tmp"]
    assert target.read_text() == "before"
    assert list((tmp_path / "tmp").iterdir()) == []


def test_what_workers_finished_is_kept(start, tmp_path, capsys):
    store = tmp_path / "seven.sqlite"
    run = start("--n", 7, "--jobs", 2, "--store", store, "--out", tmp_path / "moves.csv")
    until(lambda: len(workers(run)) == 2, "workers")
    time.sleep(1)
    ended(run, signal.SIGTERM, kept=True)
    assert faults(store) == []
    assert cli.main(["store", "info", "--store", str(store)]) == 0
    assert int(capsys.readouterr().out.split(": ")[1].split()[0].replace(",", "")) > 0
    assert not (tmp_path / "moves.csv").exists()


def test_threads_end_with_the_run(start, tmp_path):
    folder = tmp_path / "layers"
    run = start(*words(10, folder, "--jobs", "2"))
    name = "float-10-06"
    until(lambda: begun(folder, name), "block")
    assert ended(run, signal.SIGTERM, kept=True) == ""
    assert (folder / f"{name}.journal").stat().st_size > 0
    assert "float-10-05.bounds" in kept(folder)
    assert not list(folder.glob("*.fresh"))


SOLVING = """
import highspy

def run(solver, original=highspy.Highs.run):
    print("at work", flush=True)
    return original(solver)

highspy.Highs.run = run
"""


def test_hidden_bids_end_while_a_programme_is_solved(start, monkeypatch):
    pytest.importorskip("highspy")
    # As the program itself is begun: it ends at once, whatever its threads do.
    begin = START.replace("main(sys.argv[1:])", "main()")
    monkeypatch.setattr(sys.modules[__name__], "START", SOLVING + begin)
    run = start("hidden-bids", "-n", 6, "--prizes", "descending")  # minutes in one call of HiGHS
    assert run.stdout.readline() == "at work\n"
    time.sleep(0.5)
    begun = time.monotonic()
    assert ended(run, signal.SIGTERM) == ""
    assert time.monotonic() - begun < 5  # a second where the machine does nothing else


@pytest.fixture
def handled():
    """Set how a signal is handled, for the test alone."""
    before = {number: signal.getsignal(number) for number in STATUS}
    yield signal.signal
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_that_comes_twice(monkeypatch, tmp_path, capsys, handled, number):
    handled(number, signal.SIG_DFL)  # nohup has it ignored

    def twice(*_args, **_options):
        try:
            signal.raise_signal(number)
        finally:
            signal.raise_signal(number)

    monkeypatch.setattr(first_move, "solver", twice)
    target = tmp_path / "moves.csv"
    options = ["--n", "3", "--store", ":memory:", "--out", str(target)]
    assert cli.main(options) == STATUS[number]
    assert capsys.readouterr().err == "gops-exact: interrupted\n"
    assert not list(tmp_path.glob("*moves*")) and not list(tmp_path.glob(".gops*"))
    assert signal.getsignal(number) == signal.SIG_DFL


def called(code, *words):
    """A script that calls the program, to its end; (status, stdout, stderr)."""
    script = [sys.executable, "-c", code, *words]
    done = subprocess.run(script, check=False, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


DEAF = """
import sys, time
from gops_exact.commands import cli
from gops_exact.commands import first_move

def deaf(*_args, **_options):
    while True:
        print("at work", flush=True)
        try:
            time.sleep(60)
        except KeyboardInterrupt:
            pass

first_move.solver = deaf
sys.exit(cli.main(["--n", "3"]))
"""


def test_a_second_one_ends_what_does_not_hear_the_first():
    command = [sys.executable, "-c", DEAF]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        for _ in range(2):
            assert run.stdout.readline() == "at work\n"
            time.sleep(1.2)
            run.send_signal(signal.SIGTERM)
    assert run.returncode == STATUS[signal.SIGTERM]


def test_a_signal_that_is_ignored_stays_so(monkeypatch, capsys, handled):
    def hang_up(*_args, **_options):
        signal.raise_signal(signal.SIGHUP)
        return solving

    solving = first_move.solver(store=":memory:")
    monkeypatch.setattr(first_move, "solver", hang_up)
    handled(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    assert cli.main(["--n", "2"]) == 0
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    assert capsys.readouterr().out.startswith("GOPS, N = 2")


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


def test_an_interrupt_that_compiled_code_drops_is_sent_again():
    begun = time.monotonic()
    status, out, err = called(DROPPED, "-n", "3")
    assert (status, out) == (STATUS[signal.SIGINT], "")
    assert err.endswith(": interrupted\n") and time.monotonic() - begun < 25


@pytest.mark.parametrize("number", STATUS)
@pytest.mark.parametrize("broken", [ValueError, KeyError, OSError, SystemError])
def test_any_failure_after_a_signal_is_its_consequence(
    monkeypatch, capsys, handled, number, broken
):
    def fails(*_args, **_options):
        with suppress(KeyboardInterrupt):
            signal.raise_signal(number)
        raise broken(1, "left half done")

    monkeypatch.setattr(first_move, "solver", fails)
    handled(number, signal.SIG_DFL)
    assert cli.main(["-n", "3"]) == STATUS[number]
    assert capsys.readouterr().err == "gops-exact: interrupted\n"


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
CALLS = {
    "module": "import runpy; runpy.run_module('gops_exact', run_name='__main__')",
    "script": "from gops_exact.__main__ import main; sys.exit(main())",
}


@pytest.mark.parametrize(
    ("number", "module", "call"),
    [
        *product(STATUS, ["gops_exact.commands.cli"], ["module"]),
        *product([signal.SIGINT], ["gops_exact.commands"], CALLS),  # before there is a handler
        (signal.SIGTERM, "numpy", "script"),
    ],
)
def test_a_signal_while_the_program_is_being_loaded(number, module, call):
    handler = "signal.default_int_handler" if number == signal.SIGINT else "signal.SIG_DFL"
    code = LOADED.format(module=module, number=int(number), handler=handler, call=CALLS[call])
    status, out, err = called(code)
    assert (status, out) == (STATUS[number], "")
    assert err in ("gops-exact: interrupted\n", "python -m gops_exact: interrupted\n")


def test_importing_the_package_sets_no_handler_and_looks_at_no_argument():
    code = """if True:
        import signal, sys
        sys.argv = sys.orig_argv = ["gops-exact", "-m", "gops_exact"]
        before = list(map(signal.getsignal, signal.valid_signals()))
        import gops_exact.commands.cli
        assert before == list(map(signal.getsignal, signal.valid_signals()))
        """
    assert called(code) == (0, "", "")
