"""Command-line arguments that several commands take, and where their output goes."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from gops_exact.cards import parse_cards
from gops_exact.engine import Place
from gops_exact.rules import OBJECTIVES, ORDERS, PLAIN, TIES, Prizes, Rules
from gops_exact.writing import written_whole


def integer(least: int, most: int) -> Callable[[str], int]:
    """A parser of plain decimal digits from `least` to `most`.

    >>> integer(1, 9)("7")
    7
    """

    def parse(text: str) -> int:
        if (
            text.isascii()
            and text.isdigit()
            and len(text) <= len(str(most))
            and least <= int(text) <= most
        ):
            return int(text)
        raise ArgumentTypeError(f"expected an integer from {least} to {most}, got {text!r}")

    return parse


def integers(least: int, most: int) -> Callable[[str], list[int]]:
    """A parser of such integers, separated by commas.

    >>> integers(1, 9)("7,2")
    [7, 2]
    """
    parse = integer(least, most)
    return lambda text: [parse(word) for word in text.split(",")]


def add_rules(parser: ArgumentParser, objective: str | None = None) -> None:
    """``--ties`` and ``--prizes``, and ``--objective`` unless the command is about one."""
    if objective is None:
        parser.add_argument(
            "--objective",
            type=one_of(OBJECTIVES),
            default=PLAIN.objective,
            metavar="GOAL",
            help="points: their difference counts; win: only who has more (default: points)",
        )
    else:
        parser.set_defaults(objective=objective)
    parser.add_argument(
        "--ties",
        type=one_of(TIES),
        default=PLAIN.ties,
        metavar="RULE",
        help="a prize that both bid the same for: discard, it is nobody's; carryover, it is added "
        "to the next one (default: discard)",
    )
    parser.add_argument(
        "--prizes",
        default=PLAIN.prizes,
        metavar="ORDER",
        help="random; hidden: turned up after the bids; ascending, descending or the prizes "
        "themselves, as 3,1,2: in an order both players know (default: random)",
    )


def rules_of(given: Namespace) -> Rules:
    """The rules named on the command line.

    Raises:
        ValueError: if the prizes are neither one of the orders nor cards.
    """
    return Rules(given.objective, given.ties, order_of(given.prizes, "--prizes"))


def order_of(text: str, option: str) -> str | Prizes:
    """The order of the prizes, by name or card by card.

    Raises:
        ValueError: if it is neither.
    """
    if text in ORDERS:
        return text
    try:
        order = parse_cards(text)
    except ValueError:
        order = ()
    if not order:
        raise ValueError(
            f"{option}: expected {', '.join(ORDERS)} or the prizes in order, as 3,1,2, got {text!r}"
        )
    return order


def one_of(choices: tuple[str, ...]) -> Callable[[str], str]:
    """A parser of one of several words."""

    def parse(text: str) -> str:
        if text not in choices:
            raise ArgumentTypeError(f"expected one of {', '.join(choices)}, got {text!r}")
        return text

    return parse


def add_store(parser: ArgumentParser) -> None:
    """``--store``, here a file that is there already."""
    parser.add_argument(
        "--store",
        metavar="FILE",
        help="the store (default: $GOPS_EXACT_STORE or a file in the user's cache directory)",
    )


def store_path(given: str | None) -> Path:
    """The file of the store a user names.

    Raises:
        ValueError: if it is memory, or there is no such file.
    """
    path = Place.of(given).path
    if path is None:
        raise ValueError("--store: expected a file, got ':memory:'")
    with suppress(OSError):  # no name of a file
        if path.is_file():
            return path
    raise ValueError(f"--store: expected a file that is there, got {str(path)!r}")


def add_out(parser: ArgumentParser) -> None:
    """``--out``, for commands that print a document."""
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write to this file, whole or not at all"
    )


def add_full(parser: ArgumentParser) -> None:
    """``--full``, for tables with exact numbers."""
    parser.add_argument(
        "--full",
        action="store_true",
        help="exact numbers in full; otherwise long ones are shortened to their ends, as 12…89 "
        "(2371 digits)",
    )


@contextmanager
def output(out: Path | None, *, option: str = "--out", binding: bool = False) -> Iterator[TextIO]:
    """Stdout, or a file in UTF-8 that appears only when it is complete.

    Args:
        out: the file, or a name of a stream such as ``/dev/stderr``; None for stdout.
        option: what named it.
        binding: whether a stream has to be in UTF-8, too.

    Raises:
        ValueError: if it is no file or cannot be written.
    """
    if out is None or str(out) in STREAMS:
        stream = sys.stdout if out is None else getattr(sys, STREAMS[str(out)])
        if binding and isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
        yield stream
        return
    with written_whole(out, option) as file:
        yield file


STREAMS = {
    f"{place}{name}": stream
    for stream, number in (("stdout", 1), ("stderr", 2))
    for place, name in (("/dev/", stream), ("/dev/fd/", number), ("/proc/self/fd/", number))
}
"""Replacing these by a finished file would do away with what a stream was sent to before."""


def writable_folder(given: Path) -> Path:
    """The folder a user names, made if missing.

    Raises:
        ValueError: if it is none, or nothing can be written there.
    """
    try:
        given.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(
            f"--folder: expected a folder, got {str(given)!r}: {error.strerror}"
        ) from error
    if not os.access(given, os.W_OK | os.X_OK):
        raise ValueError(f"--folder: expected a folder that can be written, got {str(given)!r}")
    return given
