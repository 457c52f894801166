"""Other systems, imitated: Pythons in which names are missing that Windows or macOS lack.

Each such process, and each that it starts, reads :data:`IMITATION` as its ``sitecustomize``. What
Windows does otherwise is done as there: a file that is open or mapped anywhere is neither deleted nor
replaced, ``msvcrt.locking`` stands for ``fcntl.flock``, and lines on stdout end in two characters.
"""

import os
import subprocess
import sys
from pathlib import Path

from places import ROOT

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


def environment(folder):
    """Return the environment of a process on another system, imitated by a file in `folder`."""
    (folder / "sitecustomize.py").write_text(IMITATION)
    path = os.pathsep.join(map(str, (folder, ROOT, Path(__file__).parent)))
    return {
        **os.environ,
        "PYTHONPATH": path,
        "PYTHONWARNINGS": "error::DeprecationWarning:__main__",
    }


def start(folder, *words, **more):
    """Start a Python on another system, imitated by a file in `folder`; `more` goes to its environment."""
    return subprocess.Popen(
        [sys.executable, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment(folder), **more},
    )


def run(folder, *words, **more):
    """Return the status, the output and the errors of a Python on another system."""
    process = start(folder, *words, **more)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err.decode()
