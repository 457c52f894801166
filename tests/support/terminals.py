"""A command in a pseudo-terminal of its own: when it first says something, and how it ends."""

import os
import pty
import select
import signal
import sys
import time
from contextlib import suppress

INTERRUPT = b"\x03"
"""Ctrl-C, as it is typed."""


class Terminal:
    """A process that leads a session in a new pseudo-terminal; times are seconds since its start."""

    def __init__(self, words, env=None, cwd=None):
        self.started = time.monotonic()
        self.text = b""
        self.pid, self._file = pty.fork()
        if not self.pid:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # shells let background jobs ignore it
            os.chdir(cwd or os.curdir)
            os.environ.update(env or {})
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

    def type(self, keys):
        os.write(self._file, keys)

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
        self.type(INTERRUPT)
        status, seconds = self.end()
        assert status == 130, self.text
        assert seconds < limit
        assert b"Traceback" not in self.text
        with os.popen(f"ps -o pid= -s {self.pid}") as session:  # noqa: S605  # digits only
            assert session.read() == ""
        return self.text.decode().replace("\r", "\n").strip().rpartition("\n")[2]


def program(*words):
    return [sys.executable, "-m", "gops_exact", *map(str, words)]
