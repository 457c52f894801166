"""The program, run in this process: what tests, transcripts and attacks share."""

import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

from gops_exact.base.progress import compiling
from gops_exact.commands import COMMANDS, cli
from gops_exact.players.catalogue import MAKERS

__all__ = ["COMMANDS", "MAKERS", "POLICIES", "Run", "Screen", "run"]

POLICIES = tuple(MAKERS)
"""The names of policies that the program knows."""


class Run(NamedTuple):
    """How a run of the program ended."""

    status: int
    out: str
    err: str


class Screen(TextIOWrapper):
    """A stream of a terminal."""

    def isatty(self):
        return True


def run(words, typed=b"", *, terminal=(), encoding="utf-8"):
    """Run the program with a line of words, or a list of them, and with `typed` on stdin.

    `terminal` are the numbers of the streams, 0 to 2, that are those of a terminal; `encoding` is that of stdout.
    """
    buffers = BytesIO(typed), BytesIO(), BytesIO()
    stdin, stdout, stderr = (
        (Screen if number in terminal else TextIOWrapper)(
            buffer, encoding=encoding if number == 1 else "utf-8"
        )
        for number, buffer in enumerate(buffers)
    )
    before, sys.stdin = sys.stdin, stdin
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            status = cli.main(shlex.split(words) if isinstance(words, str) else list(words))
    except SystemExit as end:  # --help, --version
        status = end.code or 0
    finally:
        sys.stdin = before
        compiling.clear()  # what this terminal would be told in later runs
        stdout.flush()
        stderr.flush()
    out, err = (buffer.getvalue() for buffer in buffers[1:])
    return Run(int(status), out.decode(encoding), err.decode())
