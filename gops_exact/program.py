"""The program as a process: its name in messages, and what a signal does while it is being loaded.

The program's entry needs it before all else, so it imports next to nothing: until the handler is set, an
interrupt is a traceback.
"""

import os
import signal
import sys

SCRIPT = "gops-exact"
"""The program that pip installs."""

INTERRUPTED = "interrupted"
"""The line that a run ends with which a signal ended."""


def program() -> str:
    """Return the words that call the program, as they were typed: for usage, messages and hints.

    >>> program()
    'gops-exact'
    """
    module = sys.argv[0].replace(os.sep, "/").split("/")[-2:] == ["gops_exact", "__main__.py"]
    return "python -m gops_exact" if module else SCRIPT


def end_at_once(number: int, _frame: object = None) -> None:
    """End the process in one line: the handler of signals while the program is being loaded."""
    try:
        os.write(2, f"{program()}: {INTERRUPTED}\n".encode())
    finally:  # stderr may be closed
        os._exit(128 + number)


def unhandled() -> list[signal.Signals]:
    """Return the signals that end a run, as far as the system has them and nobody else handles them.

    One that is ignored, as by nohup, stays ignored. Workers end with their parent.
    """
    names = ("SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK")
    found: list[signal.Signals] = [getattr(signal, name) for name in names if hasattr(signal, name)]
    ours = (signal.SIG_DFL, signal.default_int_handler, end_at_once)
    return [number for number in found if signal.getsignal(number) in ours]
