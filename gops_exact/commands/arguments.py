"""Command-line arguments that several commands take, and where their output goes."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from gops_exact.engine import Place


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
    if not path.is_file():
        raise ValueError(f"--store: expected a file that is there, got {str(path)!r}")
    return path


def add_out(parser: ArgumentParser) -> None:
    """``--out``, for commands that print a document."""
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write to this file, whole or not at all"
    )


@contextmanager
def output(out: Path | None) -> Iterator[TextIO]:
    """Stdout, or a file that appears only when it is complete.

    Raises:
        ValueError: if it is no file or cannot be written.
    """
    if out is None:
        yield sys.stdout
        return
    target = out.resolve()
    if target.exists() and not target.is_file():
        raise ValueError(f"--out: expected a file, got {str(out)!r}")
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        file = partial.open("w", encoding="ascii", newline="\n")
    except OSError as error:
        raise ValueError(
            f"--out: expected a file that can be written, got {str(out)!r}: {error.strerror}"
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
