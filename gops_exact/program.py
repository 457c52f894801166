"""The program as a process: its name in messages, and the signals that end it.

The program's entry needs it before all else, so it imports small parts of the standard library alone.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer, current_thread, main_thread
from time import monotonic
from types import FrameType
from typing import NoReturn

SCRIPT = "gops-exact"
"""The program that pip installs."""

ENDING: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name)
    for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK")
    if hasattr(signal, name)
)
"""Signals that end a run, as far as the system has them. Workers end with their parent."""

INTERRUPTED = "interrupted"
"""The line that a run ends with which a signal ended."""

PATIENCE = 1.0
"""Seconds in which another signal does not disturb the end of a run: some are sent twice. Later it ends
the process at once."""

AGAIN = 0.05
"""Seconds after which an interrupt that was lost is sent again."""


def program() -> str:
    """Return the words that call the program, as they were typed: for usage, messages and hints.

    >>> program()
    'gops-exact'
    """
    module = Path(sys.argv[0]).parts[-2:] == ("gops_exact", "__main__.py")
    return "python -m gops_exact" if module else SCRIPT


def end_at_once(number: int, _frame: FrameType | None = None) -> NoReturn:
    """End the process in one line: the handler of signals while the program is being loaded."""
    with suppress(OSError):  # stderr may be closed
        os.write(2, f"{program()}: {INTERRUPTED}\n".encode())
    os._exit(128 + number)


def end_while_loading() -> None:
    """Let a signal end the process at once, until :func:`interrupts` handles it."""
    for number in _unhandled():
        signal.signal(number, end_at_once)


def _unhandled() -> list[signal.Signals]:
    """Return the signals that nobody else handles: one that is ignored, as by nohup, stays ignored."""
    usual = (signal.SIG_DFL, signal.default_int_handler, end_at_once)
    is_main = current_thread() is main_thread()  # which alone may set handlers
    return [number for number in ENDING if is_main and signal.getsignal(number) in usual]


@contextmanager
def interrupts(received: list[int]) -> Iterator[None]:
    """Let signals that end a run raise a KeyboardInterrupt in the block; add their numbers to `received`.

    Python drops an exception where it has nobody to raise it to: in a function that compiled code calls,
    as while kernels are compiled, and in finalizers. An interrupt that is dropped is sent again. In the
    meantime the code that it broke off may have failed in any way: once a signal was received, an
    exception of the block, or one that is dropped, is a consequence of the interrupt.
    """
    raised, first = False, 0.0
    before = {number: signal.getsignal(number) for number in _unhandled()}
    dropped = sys.unraisablehook

    def interrupt(number: int, _frame: FrameType | None) -> None:
        nonlocal raised, first
        received.append(number)
        if not raised:
            raised, first = True, monotonic()
            raise KeyboardInterrupt
        if monotonic() - first > PATIENCE:
            os._exit(128 + number)

    def send_again(lost: "sys.UnraisableHookArgs") -> None:
        nonlocal raised
        if not received:
            dropped(lost)
        elif lost.exc_type is KeyboardInterrupt:
            raised = False
            Timer(AGAIN, _send, received[:1]).start()

    try:
        for number in before:
            signal.signal(number, interrupt)
        sys.unraisablehook = send_again
        yield
    finally:
        sys.unraisablehook = dropped
        for number, handler in before.items():
            signal.signal(number, handler)


def _send(number: int) -> None:
    """Send a signal to the main thread, so that it ends what waits there where the system can do so."""
    main = main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, number)
    else:
        signal.raise_signal(number)
