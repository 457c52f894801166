"""The command line: ``python -m gops_exact --n 5 --emit fractions``.

Exit status: 0 done, 1 the run failed, 2 wrong input, 130 interrupted, 141 the reader of a pipe went
away. Whatever is wrong is one line on stderr.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TextIO

from gops_exact import __version__
from gops_exact.api import first_move
from gops_exact.cards import parse_cards
from gops_exact.order_types import LONGEST
from gops_exact.recursion.preflight import check_feasible
from gops_exact.report.emit import CSV_DIGITS, FORMATS, TABLE_DIGITS, check_digits, emit
from gops_exact.store import StoreError

PROGRAM = "gops_exact"

MOST_DIGITS, MOST_JOBS = 999_999_999, 999
"""Beyond these a number was mistyped."""

FAILED, WRONG_INPUT, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


class UsageError(ValueError):
    """Wrong input; the message says what was expected and what was given."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        command, words = _command(words)
        command(words)
        sys.stdout.flush()
    except UsageError as error:
        return _complain(error, WRONG_INPUT)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _abandon_output()
        return BROKEN_PIPE
    except StoreError as error:
        return _complain(error, FAILED)
    except MemoryError:
        return _complain("out of memory", FAILED)
    except OSError as error:
        _abandon_output()
        return _complain(_reason(error), FAILED)
    return 0


def first_move_command(words: Sequence[str]) -> None:
    """Solve a game and print its first moves."""
    given = _first_move_parser().parse_args(words)
    with _as_usage():
        check_digits(given.emit, given.digits)
        check_feasible(given.n, force=given.force)
        upcards = _upcards(given.upcard, given.n)
    with _output(given.out) as file:
        moves = first_move(given.n, upcards=upcards, store=given.store, jobs=given.jobs)
        file.writelines(emit(moves, given.emit, given.digits))


COMMANDS: dict[str, Callable[[Sequence[str]], None]] = {"first-move": first_move_command}
"""The commands by name. Without a name it is the first one."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises where the original prints its usage and exits."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message.removeprefix("argument "))


def _first_move_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROGRAM,
        description="Optimal first moves of the Game of Pure Strategy, in exact arithmetic.",
        epilog=f"Commands, to be named first: {', '.join(COMMANDS)} (default).",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--n", type=_integer(1, LONGEST), required=True, metavar="N", help="cards a side"
    )
    parser.add_argument(
        "--emit",
        type=_format,
        default="decimals",
        metavar="FORMAT",
        help=f"one of {', '.join(FORMATS)} (default: decimals)",
    )
    parser.add_argument(
        "--upcard",
        action="append",
        metavar="CARD",
        help="first prize turned up, by number or as A, T, J, Q, K; several with commas or by "
        "repeating the option (default: every card)",
    )
    parser.add_argument(
        "--digits",
        type=_integer(0, MOST_DIGITS),
        metavar="D",
        help=f"digits after the point (default: {TABLE_DIGITS}; {CSV_DIGITS} for csv); "
        "makes latex print decimals instead of fractions",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write to this file, whole or not at all"
    )
    parser.add_argument(
        "--store",
        metavar="FILE",
        help='keeps values between runs; ":memory:" keeps none (default: $GOPS_EXACT_STORE or a '
        "file in the user's cache directory)",
    )
    parser.add_argument(
        "--jobs",
        type=_integer(1, MOST_JOBS),
        metavar="J",
        help="processes (default: all cores where it pays)",
    )
    parser.add_argument("--force", action="store_true", help="start a run that takes hours")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    return parser


def _command(words: list[str]) -> tuple[Callable[[Sequence[str]], None], list[str]]:
    """The command and its own arguments."""
    if not words or words[0].startswith("-"):
        return first_move_command, words
    name, *rest = words
    if name not in COMMANDS:
        raise UsageError(f"expected an option or one of {', '.join(COMMANDS)}, got {name!r}")
    return COMMANDS[name], rest


def _integer(least: int, most: int) -> Callable[[str], int]:
    """A parser of plain decimal digits from `least` to `most`."""

    def parse(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"expected an integer from {least} to {most}, got {text!r}"
        )

    return parse


def _format(text: str) -> str:
    if text not in FORMATS:
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(FORMATS)}, got {text!r}")
    return text


def _upcards(texts: Iterable[str] | None, n: int) -> list[int] | None:
    """The upcards asked for, each once; None for all."""
    if texts is None:
        return None
    upcards: list[int] = []
    for text in texts:
        cards = parse_cards(text)
        if not cards or max(cards) > n:
            raise UsageError(f"--upcard: expected cards from 1 to {n}, got {text!r}")
        upcards += cards
    return list(dict.fromkeys(upcards))


@contextmanager
def _as_usage() -> Iterator[None]:
    """Errors in what the user gave are wrong input."""
    try:
        yield
    except ValueError as error:
        raise UsageError(str(error)) from error


@contextmanager
def _output(out: Path | None) -> Iterator[TextIO]:
    """Stdout, or a file that appears only when it is complete."""
    if out is None:
        yield sys.stdout
        return
    target = out.resolve()
    if target.exists() and not target.is_file():
        raise UsageError(f"--out: expected a file, got {str(out)!r}")
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        file = partial.open("w", encoding="ascii", newline="\n")
    except OSError as error:
        raise UsageError(
            f"--out: expected a file that can be written, got {str(out)!r}: {_reason(error)}"
        ) from error
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _complain(message: object, status: int) -> int:
    """Print one line on stderr; the status."""
    print(f"{PROGRAM}: {' '.join(str(message).split())}", file=sys.stderr)
    return status


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


def _abandon_output() -> None:
    """Let the interpreter's last flush of stdout go nowhere, not fail once more."""
    with suppress(OSError):  # stdout need not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
