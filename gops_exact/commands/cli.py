"""The command line: ``python -m gops_exact --n 5 --emit fractions``.

Exit status: 0 success; 1 the run failed; 2 wrong input; 129, 130 or 143 interrupted by SIGHUP, Ctrl-C or
SIGTERM; 141 the reader of a pipe has closed it. Errors are reported in one line on stderr.
"""

import os
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from threading import Timer, current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType

from gops_exact.base import progress
from gops_exact.base.arguments import printable
from gops_exact.base.progress import close_bars
from gops_exact.base.store import StoreError
from gops_exact.base.writing import UNWRITTEN
from gops_exact.commands import (
    COMMANDS,
    DEFAULT,
    INTERRUPTED,
    SCRIPT,
    module_of,
    program,
    unhandled,
)
from gops_exact.commands.options import KEPT, did_you_mean, output, parser_of

FAILED, WRONG_INPUT, INTERRUPT, BROKEN_PIPE = 1, 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status, which the top of this module lists.

    If a signal ends the work and `arguments` is None, the process ends here, with 128 + the signal's number as status.

    Args:
        arguments: the command line without the name of the program; None for the command line of this process.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    # A closed stream, which is None in Python, is replaced by the null device until the program ends. Characters that the
    # encoding of a stream lacks are written as question marks or escapes, so that printing raises no error.
    streams = (
        ("stdin", "r", "strict"),
        ("stdout", "w", "replace"),
        ("stderr", "w", "backslashreplace"),
    )
    for name, mode, errors in streams:
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
        elif mode == "w" and isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    received: list[int] = []
    try:
        with _interrupts(received):
            status = _status(words, received)
    except BaseException:
        if not received:
            raise
        # A signal has interrupted `_status` while it reported the end of the run, so the run counts as interrupted.
        status = _complain(INTERRUPTED, INTERRUPT)
    if not received:
        return status
    if arguments is None:  # the process ends here without waiting for threads that still work
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(128 + received[0])
    return 128 + received[0]


def _status(words: list[str], received: Sequence[int]) -> int:
    """Run the program, report wrong input and failures in one line on stderr, and return the exit status.

    All other exceptions are defects of the program and are raised. But once a signal is in `received`, any exception is
    reported as an interrupt, since interrupted code may fail in any way.
    """
    try:
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt as error:
        again = shlex.join([*program().split(), *words])
        advice = "".join(f"; {advice}" for advice in error.args if advice)
        advice += f", go on with: {again}" if KEPT in error.args else ""
        return _complain(f"{INTERRUPTED}{advice}", INTERRUPT)
    except Exception as error:
        if received:
            return _complain(INTERRUPTED, INTERRUPT)
        match error:
            case ValueError():
                return _complain(error, WRONG_INPUT)
            case StoreError() | ArithmeticError():
                return _complain(error, FAILED)
            case MemoryError():
                return _complain(str(error) or "out of memory", FAILED)
            case RuntimeError() if str(error) == "can't start new thread":  # CPython's own message
                return _complain("a thread could not be started (ulimit -u, ulimit -v)", FAILED)
            case OSError():
                where = ""
                if error.filename is not None:
                    where = f"{os.fsdecode(error.filename)}: "
                elif error.errno in UNWRITTEN:  # an error of a file would have its name
                    where = "stdout: "
                # At exit Python flushes stdout. If output to stdout has failed, the flush would fail again and print
                # another message. Therefore stdout is replaced by the null device.
                with suppress(OSError):
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                if isinstance(error, BrokenPipeError):
                    return BROKEN_PIPE
                return _complain(f"{where}{error.strerror or error}", FAILED)
        raise
    return status


PATIENCE = 1.0
"""Seconds after the first signal during which further signals are ignored, because some signals are sent twice. A
signal that arrives later ends the process at once."""

AGAIN = 0.05
"""Seconds after which a signal is sent again if Python dropped the KeyboardInterrupt that was raised for the signal."""


@contextmanager
def _interrupts(received: list[int]) -> Iterator[None]:
    """Raise a KeyboardInterrupt in the ``with`` block when the first signal arrives that is to end the program.

    The number of every signal that is to end the program is appended to `received`. Further signals do nothing else for
    `PATIENCE` seconds; one that arrives later ends the process at once.

    Python drops exceptions that are raised in finalizers, or in functions that compiled code calls, for example while
    Numba compiles functions. It only reports such an exception on stderr. If the KeyboardInterrupt is dropped, the
    signal is sent again. Any other exception that is dropped after a signal is not reported, because it is probably a
    consequence of the signal.
    """
    raised, first = False, 0.0
    is_main = current_thread() is main_thread()  # only the main thread may set handlers
    before = {number: signal.getsignal(number) for number in (unhandled() if is_main else ())}
    dropped, send = sys.unraisablehook, signal.raise_signal
    if hasattr(signal, "pthread_kill"):  # unlike raise_signal, pthread_kill also ends a wait
        send = partial(signal.pthread_kill, get_ident())

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
            # The KeyboardInterrupt was raised in code whose exceptions Python drops. Send the signal again when this
            # code has probably returned.
            raised = False
            Timer(AGAIN, send, received[:1]).start()

    try:
        for number in before:
            signal.signal(number, interrupt)
        sys.unraisablehook = send_again
        yield
    finally:
        sys.unraisablehook = dropped
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(words: list[str]) -> int:
    """Run the command that the first word names, or the default command if the first word is an option.

    Without any words, print the help.
    """
    if not words:
        print(overview())
        return 0
    name, rest = DEFAULT, words
    if not words[0].startswith("-"):
        name, *rest = words
    if name not in COMMANDS:
        near = did_you_mean(name, COMMANDS)
        raise ValueError(f"expected an option or one of {', '.join(COMMANDS)}, got {name!r}{near}")
    parser = parser_of(name)
    if rest is words:  # without the name of a command, --help is about the whole program
        from importlib.metadata import version

        parser.description = (
            f"{overview()}\n\nThe options without a command are those of {DEFAULT}."
        )
        parser.add("help", "--version", "", "print the version and exit")
        if "--version" in rest:
            print(f"{SCRIPT} {version('gops-exact')}")
            return 0
    options = parser.read(rest)
    try:
        # The output is opened before the work, which would be lost if the output could not be written.
        with output(getattr(options, "out", None)) as options.output:
            return module_of(name).run(options) or 0
    finally:
        progress.quiet = False  # --quiet is for one command; a test or notebook may run several


def overview() -> str:
    """Return the help of the program without arguments: how to call it, and a line about each command."""
    name, width = program(), max(map(len, COMMANDS))
    commands = "\n".join(f"  {command:{width}}  {line}" for command, line in COMMANDS.items())
    return f"""\
The Game of Pure Strategy (GOPS, Goofspiel), solved exactly.

  {name} -n 5 --emit fractions    optimal first moves of five cards
  {name} COMMAND ...              one of the commands below
  {name} [COMMAND] --help         its options, with examples

commands:
{commands}"""


def _complain(message: object, status: int) -> int:
    close_bars()
    with suppress(OSError):  # the terminal may be closed
        line = printable(" ".join(str(message).split()))
        print(f"{program()}: {line}", file=sys.stderr)
    return status
