"""Runs of the float sweep as processes of their own, watched through their journals."""

import signal
import subprocess
import sys
import time

WAIT = 60
"""Seconds after which something that should have happened has not."""


def python(*words):
    """A Python, under way."""
    command = [sys.executable, *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(run):
    """What it printed, after it has ended well."""
    out, err = run.communicate(timeout=WAIT)
    assert (run.returncode, err) == (0, "")
    return out


def until(condition, what):
    """Wait for something that has to come true."""
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end, f"no {what} after {WAIT} s"
        time.sleep(0.001)


def begun(folder, name):
    """Whether a layer has a finished block."""
    journal = folder / f"{name}.journal"
    return journal.exists() and journal.stat().st_size > 0


def kill(run):
    """End a process that is at work, without a warning."""
    assert run.poll() is None
    run.send_signal(signal.SIGKILL)
    run.communicate()


def kept(folder):
    """{name: content} of the layers in a folder."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.suffix in {".values", ".bounds"}
    }
