"""Tables and lines on a terminal, where bars of progress may stand."""

from collections.abc import Callable, Iterable
from typing import TextIO, TypeVar

from gops_exact.progress import close_bars
from gops_exact.table import Table, terminal_width

Result = TypeVar("Result")


def write_table(
    file: TextIO, table: Callable[[list[Result]], Table], results: Iterable[Result]
) -> None:
    """Write a table that fits the terminal; if a result cannot be had, those before it, and raise."""
    done: list[Result] = []
    try:
        done.extend(results)
    finally:
        close_bars()
        if done:
            file.writelines(table(done).text(terminal_width(file)))


def write_lines(file: TextIO, lines: Iterable[str]) -> None:
    """Write each line as soon as it is made."""
    for line in lines:
        close_bars()
        file.write(line)
        file.flush()
