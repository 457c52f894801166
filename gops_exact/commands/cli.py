"""The command line: ``python -m gops_exact --n 5 --emit fractions``.

Exit status: 0 done, 1 the run failed, 2 wrong input, 129, 130 or 143 interrupted by SIGHUP, Ctrl-C or
SIGTERM, 141 the reader of a pipe went away. Whatever is wrong is one line on stderr.
"""

import os
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from functools import partial
from io import TextIOWrapper
from threading import Timer, current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType

from gops_exact.base.arguments import printable
from gops_exact.base.machine import require_address_space
from gops_exact.base.progress import close_bars
from gops_exact.commands import (
    COMMANDS,
    DEFAULT,
    INTERRUPTED,
    SCRIPT,
    module_of,
    program,
    unhandled,
)
from gops_exact.commands.options import KEPT, parser_of
from gops_exact.solvers.store import StoreError

ADDRESS_SPACE = 256 * 10**6
"""Bytes; with fewer, threads fail to start and pools of processes wait for them for ever."""

UNWRITTEN = (EDQUOT, EFBIG, EIO, ENOSPC)
"""Errors of a write, on a disk that is full or fails."""

FAILED, WRONG_INPUT, INTERRUPT, BROKEN_PIPE = 1, 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Closed streams are empty or go nowhere; a character that a stream lacks is replaced.
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  # for good
    for name, errors in (("stdout", "replace"), ("stderr", "backslashreplace")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # for good
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    received: list[int] = []
    try:
        with _interrupts(received):
            status = _status(words, received)
    except BaseException:
        if not received:
            raise
        status = _complain(
            INTERRUPTED, INTERRUPT
        )  # the signal came while another ending was reported
    if not received:
        return status
    if arguments is None:  # threads may be at work for a while; nobody waits for them
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(128 + received[0])
    return 128 + received[0]


def _status(words: list[str], received: Sequence[int]) -> int:
    """Run the program and return its exit status; an exception becomes one line on stderr.

    Defects of the program itself are raised. After one of the signals `received` any exception is an
    interrupt, since the code that the signal broke off may fail in any way.
    """
    try:
        require_address_space(ADDRESS_SPACE, "processes and their threads")
        status = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt as error:
        again = shlex.join([*program().split(), *words])
        advice = f"; {KEPT}, go on with: {again}" if KEPT in error.args else ""
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
            case RuntimeError() if str(error) == "can't start new thread":  # Python's message
                return _complain("a thread could not be started (ulimit -u, ulimit -v)", FAILED)
            case OSError():
                where = ""
                if error.filename is not None:
                    where = f"{os.fsdecode(error.filename)}: "
                elif error.errno in UNWRITTEN and error.strerror == os.strerror(error.errno):
                    try:
                        print(flush=True)  # it may be lost: only another try can tell
                    except OSError:
                        where = "stdout: "
                with suppress(OSError):  # the last flush of stdout, if it is a file, goes nowhere
                    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                if isinstance(error, BrokenPipeError):
                    return BROKEN_PIPE
                return _complain(f"{where}{error.strerror or error}", FAILED)
        raise
    return status


PATIENCE = 1.0
"""Seconds in which a second signal is ignored, as some are sent twice; a later one ends the process at once."""

AGAIN = 0.05
"""Seconds after which an interrupt that was lost is sent again."""


@contextmanager
def _interrupts(received: list[int]) -> Iterator[None]:
    """Let signals that end a run raise a KeyboardInterrupt in the block; add their numbers to `received`.

    Python drops exceptions that have no caller: those in finalizers, and in functions that compiled code
    calls, as while kernels are compiled. A dropped interrupt is sent again. Once a signal was received, any
    exception of the block, raised or dropped, is a consequence of it.
    """
    raised, first = False, 0.0
    is_main = current_thread() is main_thread()  # which alone may set handlers
    before = {number: signal.getsignal(number) for number in (unhandled() if is_main else ())}
    dropped, send = sys.unraisablehook, signal.raise_signal
    if hasattr(signal, "pthread_kill"):  # which ends what the thread waits for, too
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
    """Run the command that comes first, or the default one."""
    if not words:
        print(overview())
        return 0
    name, rest = DEFAULT, words
    if not words[0].startswith("-"):
        name, *rest = words
    if name not in COMMANDS:
        near = "".join(f"; did you mean {close}?" for close in get_close_matches(name, COMMANDS, 1))
        raise ValueError(f"expected an option or one of {', '.join(COMMANDS)}, got {name!r}{near}")
    parser = parser_of(name)
    if rest is words:  # no command is named: the help is the program's
        from importlib.metadata import version

        parser.description = (
            f"{overview()}\n\nThe options without a command are those of {DEFAULT}."
        )
        number = f"{SCRIPT} {version('gops-exact')}"
        parser.groups["help"].add_argument(
            "--version", action="version", version=number, help="print the version and exit"
        )
    return module_of(name).run(parser.read(rest)) or 0


def overview() -> str:
    """Return the short help: how to call the program, and a line on each command."""
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
    """Print one line on stderr and return the status."""
    close_bars()
    with suppress(OSError):  # a terminal may be gone
        line = printable(" ".join(str(message).split()))
        print(f"{program()}: {line}", file=sys.stderr)
    return status
