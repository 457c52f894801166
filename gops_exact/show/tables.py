"""Tables of plain text, and the width of the terminal that they have to fit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from shutil import get_terminal_size
from typing import TextIO

from gops_exact.progress import close_bars


def table(
    heads: Mapping[str, str],
    rows: Sequence[Sequence[str]],
    *,
    width: int | None = None,
    keys: int = 1,
) -> Iterator[str]:
    """Yield aligned lines; columns that do not fit stand below the others.

    Args:
        heads: {head of a column: "<" or ">", the side to which its cells are aligned}.
        rows: the cells, a sequence for each line.
        width: columns of the terminal; None for no limit.
        keys: how many first columns are repeated where a table goes on below.

    >>> heads, rows = {"card": ">", "decimal": ">", "exact": "<"}, [["2", "0.4800", "12/25"]]
    >>> print("".join(table(heads, rows)), end="")
    card  decimal  exact
       2   0.4800  12/25
    >>> print("".join(table(heads, rows, width=14)), end="")
    card  decimal
       2   0.4800
    <BLANKLINE>
    card  exact
       2  12/25
    """
    lines = [tuple(heads), *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    sides = tuple(heads.values())
    for place, part in enumerate(fitting(widths[keys:], sum(widths[:keys]) + 2 * keys, width)):
        yield "\n" if place else ""
        shown = [*range(keys), *(keys + each for each in part)]
        for line in lines:
            cells = (f"{line[at]:{sides[at]}{widths[at]}}" for at in shown)
            yield f"{'  '.join(cells).rstrip()}\n"


def write_table(
    file: TextIO, heads: Mapping[str, str], rows: Iterable[Sequence[str]], *, keys: int = 1
) -> None:
    """Write a table that fits the terminal; if a row cannot be had, those before it, and raise."""
    done: list[Sequence[str]] = []
    try:
        done.extend(rows)
    finally:
        close_bars()
        if done:
            file.writelines(table(heads, done, width=terminal_width(file), keys=keys))


def write_lines(file: TextIO, lines: Iterable[str]) -> None:
    """Write each line as soon as it is made."""
    for line in lines:
        close_bars()
        file.write(line)
        file.flush()


def fitting(widths: Sequence[int], taken: int, width: int | None) -> list[range]:
    """Split columns, two spaces apart, into parts that fit behind `taken` characters.

    >>> fitting([6, 6, 6], 4, 20), fitting([6, 6, 6], 4, None)
    ([range(0, 2), range(2, 3)], [range(0, 3)])
    """
    starts, end = [0], taken
    for at, each in enumerate(widths):
        if width is not None and at > starts[-1] and end + each > width:
            starts.append(at)
            end = taken
        end += each + 2
    return [range(*ends) for ends in zip(starts, [*starts[1:], len(widths)], strict=True)]


def terminal_width(stream: TextIO) -> int | None:
    """Return the columns of the terminal that a stream writes to, or None if it is none."""
    return get_terminal_size().columns if stream.isatty() else None
