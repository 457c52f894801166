"""The command line: ``python -m gops_exact --n 5 --emit fractions``.

Exit status: 0 done, 1 the run failed, 2 wrong input, 129, 130 or 143 interrupted by SIGHUP, Ctrl-C or
SIGTERM, 141 the reader of a pipe went away. Whatever is wrong is one line on stderr.
"""

import os
import shlex
import signal as signals
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from signal import SIG_DFL, default_int_handler, getsignal, pthread_kill, signal
from threading import Timer, current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType

from gops_exact.commands import COMMANDS, DEFAULT, module_of, parser_of
from gops_exact.commands.arguments import SCRIPT, Resumable, program
from gops_exact.pools import require_address_space
from gops_exact.progress import close_bars
from gops_exact.store import StoreError

ENDING: tuple[signals.Signals, ...] = tuple(
    getattr(signals, name)
    for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK")
    if hasattr(signals, name)
)
"""Signals that end a run, as far as the system has them."""

ADDRESS_SPACE = 256 * 10**6
"""Bytes; with fewer, threads fail to start and pools of processes wait for them for ever."""

FAILED, WRONG_INPUT, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    _open_streams()
    with _signals() as received:
        status = _status(words)
    if not received:
        return status
    if arguments is None:  # threads may be at work for a while; nobody waits for them
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(128 + received[0])
    return 128 + received[0]


def _status(words: list[str]) -> int:
    """Run the program; whatever it raises becomes one line on stderr."""
    try:
        require_address_space(ADDRESS_SPACE, "processes and their threads")
        status = _run(words)
        sys.stdout.flush()
    except ValueError as error:
        return _complain(error, WRONG_INPUT)
    except Resumable:
        again = shlex.join([*program().split(), *words])
        return _complain(f"interrupted; what is finished is kept, go on with: {again}", INTERRUPTED)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _abandon_output()
        return BROKEN_PIPE
    except (StoreError, ArithmeticError) as error:
        return _complain(error, FAILED)
    except MemoryError as error:
        return _complain(str(error) or "out of memory", FAILED)
    except RuntimeError as error:
        if str(error) != NO_THREAD:
            raise
        return _complain("a thread could not be started (ulimit -u, ulimit -v)", FAILED)
    except OSError as error:
        _abandon_output()
        return _complain(error.strerror or error, FAILED)
    return status


NO_THREAD = "can't start new thread"
"""Python's message where the system refuses another thread."""


PATIENCE = 1.0
"""Seconds in which another signal does not disturb the end of a run: some are sent twice. Later it ends
the process at once."""

AGAIN = 0.05
"""Seconds after which an interrupt that was lost is sent again."""


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Let signals that end a run interrupt the block, and list those received.

    Python drops an exception where it has nobody to raise it to: in a function that compiled code calls,
    as while kernels are compiled, and in finalizers. An interrupt that is dropped is sent again.
    """
    received: list[int] = []
    first = 0.0
    dropped = sys.unraisablehook

    def interrupt(number: int, _frame: FrameType | None) -> None:
        nonlocal first
        received.append(number)
        if len(received) == 1:
            first = monotonic()
            raise KeyboardInterrupt
        if monotonic() - first > PATIENCE:
            os._exit(128 + number)

    def send_again(lost: "sys.UnraisableHookArgs") -> None:
        if lost.exc_type is KeyboardInterrupt and received:
            number = received[0]
            received.clear()
            Timer(AGAIN, pthread_kill, [get_ident(), number]).start()
        else:
            dropped(lost)

    # Only the main thread may set handlers. One that is set already, as by nohup, is to stay.
    is_main = current_thread() is main_thread()
    usual = (SIG_DFL, default_int_handler)
    ours = {each: getsignal(each) for each in ENDING if is_main and getsignal(each) in usual}
    for number in ours:
        signal(number, interrupt)
    sys.unraisablehook = send_again
    try:
        yield received
    finally:
        sys.unraisablehook = dropped
        for number, before in ours.items():
            signal(number, before)


def _run(words: list[str]) -> int:
    """Run the command that comes first, or the default one."""
    if not words:
        print(overview())
        return 0
    name, rest = DEFAULT, words
    if not words[0].startswith("-"):
        name, *rest = words
    if name not in COMMANDS:
        raise ValueError(f"expected an option or one of {', '.join(COMMANDS)}, got {name!r}")
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
    lines = [f"  {command:{width}}  {line}" for command, line in COMMANDS.items()]
    return "\n".join(
        [
            "The Game of Pure Strategy (GOPS, Goofspiel), solved exactly.",
            "",
            f"  {name} -n 5 --emit fractions    optimal first moves of five cards",
            f"  {name} COMMAND ...              one of the commands below",
            f"  {name} [COMMAND] --help         its options, with examples",
            "",
            "commands:",
            *lines,
        ]
    )


def _open_streams() -> None:
    """Let closed streams be empty or go nowhere, and let no character be one too many for them."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115  # for good
    for name, errors in (("stdout", "replace"), ("stderr", "backslashreplace")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115  # for good
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)


def _complain(message: object, status: int) -> int:
    """Print one line on stderr; the status."""
    close_bars()
    with suppress(OSError):  # a terminal may be gone
        print(f"{program()}: {' '.join(str(message).split())}", file=sys.stderr)
    return status


def _abandon_output() -> None:
    """Let the interpreter's last flush of stdout go nowhere, not fail once more."""
    with suppress(OSError):  # stdout need not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
