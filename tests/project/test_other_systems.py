"""The program on other systems, imitated: Pythons in which names are missing that Windows or macOS lack.

Each such process, and each that it starts, reads :data:`IMITATION` as its ``sitecustomize``. What
Windows does otherwise is done as there: a file that is open or mapped anywhere is neither deleted nor
replaced, ``msvcrt.locking`` stands for ``fcntl.flock``, and lines on stdout end in two characters.
"""

import os
import subprocess
import sys

import program
from project_paths import ROOT
from runs import kept

import gops_exact as gx

IMITATION = """
import asyncio, fcntl, os, signal, subprocess, sys, types  # asyncio, as it is here, needs such names

for name in ("chown fork forkpty killpg posix_fallocate pthread_getcpuclockid sched_getaffinity sched_setaffinity "
             "setsid sysconf O_DSYNC").split():
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP SIGQUIT SIG_BLOCK SIG_SETMASK SIG_UNBLOCK alarm pthread_kill pthread_sigmask setitimer "
             "sigwait").split():
    if hasattr(signal, name):
        delattr(signal, name)

def locking(number, mode, nbytes, flock=fcntl.flock, exclusively=fcntl.LOCK_EX | fcntl.LOCK_NB):
    try:
        flock(number, exclusively)
    except BlockingIOError as error:
        raise PermissionError(13, "Permission denied") from error

sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.modules["msvcrt"].__dict__.update(locking=locking, LK_NBLCK=2)
for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty"):
    sys.modules[name] = None

def in_use(path):
    path = os.path.realpath(path)
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            fds = [f"/proc/{process}/fd/{fd}" for fd in os.listdir(f"/proc/{process}/fd")]
            if path in map(os.path.realpath, fds):
                return True
            with open(f"/proc/{process}/maps") as maps:
                if any(line.rstrip("\\n").endswith(" " + path) for line in maps):
                    return True
        except OSError:
            pass
    return False

def careful(change):
    def changed(*paths, **options):
        for path in paths:
            if os.path.isfile(path) and in_use(path):
                raise PermissionError(13, "The process cannot access the file: it is used", str(path))
        return change(*paths, **options)
    return changed

for name in ("remove", "rename", "replace", "unlink"):
    setattr(os, name, careful(getattr(os, name)))
if sys.stdout is not None:
    sys.stdout.reconfigure(newline="\\r\\n")
"""


def start(folder, *words):
    """Start a Python on another system, imitated by a file in `folder`."""
    (folder / "sitecustomize.py").write_text(IMITATION)
    own = {
        "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        "PYTHONWARNINGS": "error::DeprecationWarning:__main__",
    }
    return subprocess.Popen(
        [sys.executable, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | own,
    )


def run(folder, *words):
    """Return the status, the output and the errors of a Python on another system."""
    process = start(folder, *words)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err.decode()


UNGUARDED = """
import sys
import gops_exact as gx
print("begun")
shown = lambda done, total: print(done, total, file=sys.stderr, flush=True)
moves = gx.first_move(int(sys.argv[1]), store=sys.argv[2], jobs=2, progress=shown)
print(*(f"{card} {p}" for card, p in moves[1].items()))
"""
"""A script that runs again, and starts workers again, where a process begins by importing it."""


def test_script_without_a_main_guard_runs_where_processes_are_spawned(tmp_path):
    (script := tmp_path / "script.py").write_text(UNGUARDED)
    status, out, err = run(tmp_path, script, 4, ":memory:")
    assert (status, "Error" in err) == (0, False)
    moves = gx.first_move(4, store=":memory:", jobs=1)[1]
    line = " ".join(f"{card} {p}" for card, p in moves.items())
    assert out.decode().split("\r\n") == ["begun", line, ""]


SWEEP = """
import sys, time
import gops_exact as gx
def pause(done, total):
    if done:
        print("at work", flush=True)
        time.sleep(60)
gx.first_move(6, gx.Float(sys.argv[1]), progress=pause)
"""
"""A script that fills a folder with layers, and pauses in one."""


def test_folder_of_float_values_is_locked_and_has_the_same_files_without_posix(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    words = "-n 6 --arithmetic float --emit csv --folder"
    command = ["-m", "gops_exact", *words.split(), there]
    with start(tmp_path, "-c", SWEEP, there) as first:
        assert first.stdout.readline() == b"at work\r\n"
        _, _, err = run(tmp_path, *command)
        first.kill()
    assert "must not be written by two runs at once" in err
    expected = program.run(f"{words} '{here}'").out.encode()
    assert run(tmp_path, *command) == (0, expected, "")
    assert kept(there) == kept(here)


BROWSER = """
import _thread, os, sys, threading

missing = "numba llvmlite gmpy2 pandas scipy sympy _multiprocessing _posixshmem fcntl resource termios"
for name in missing.split():
    sys.modules[name] = None

def refuse(*_args, **_options):
    raise RuntimeError("can't start new thread")

_thread.start_new_thread = threading._start_new_thread = threading._start_joinable_thread = refuse
for name in ("fork", "posix_spawn", "sched_getaffinity", "sched_setaffinity"):
    if hasattr(os, name):
        delattr(os, name)

import gops_exact as gx

moves = gx.first_move(5)
print(moves[1][1], gx.first_move(4, "ball")[1][1].decimal(12), moves._repr_html_() != "")
print(gx.solve("2.4_1.3_12.13@13").row, gx.solve_matrix_game([[3, -1], [1, 2]]).value)
"""
"""A script in a Python like that of a browser: NumPy and python-flint, no other package, threads or processes."""


def test_games_are_solved_without_threads_processes_numba_gmpy2_and_sympy(tmp_path):
    own = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    words = [sys.executable, "-c", BROWSER]
    done = subprocess.run(words, capture_output=True, text=True, env=own, check=False)
    number, decimal = gx.first_move(5)[1][1], gx.first_move(4)[1][1].decimal(12)
    printed = f"{number} {decimal} True\n{{2: 12/25, 4: 13/25}} 7/5\n"
    assert (done.returncode, done.stderr, done.stdout) == (0, "", printed)
