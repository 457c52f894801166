"""The program, run in this process: what tests, transcripts and attacks share."""

import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from typing import NamedTuple

from gops_exact.commands import cli


class Run(NamedTuple):
    """How a run of the program ended."""

    status: int
    out: str
    err: str


def run(words, typed=b""):
    """Run the program with a line of words, or a list of them, and with `typed` on stdin."""
    out, err = BytesIO(), BytesIO()
    stdin, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(typed), encoding="utf-8")
    stdout = TextIOWrapper(out, encoding="utf-8")
    stderr = TextIOWrapper(err, encoding="utf-8", errors="backslashreplace")
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            status = cli.main(shlex.split(words) if isinstance(words, str) else list(words))
    except SystemExit as end:  # --help, --version
        status = end.code or 0
    finally:
        sys.stdin = stdin
        stdout.flush()
        stderr.flush()
    return Run(status, out.getvalue().decode(), err.getvalue().decode())
