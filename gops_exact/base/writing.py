"""Files that appear only when they are complete, and the text of records in CSV, JSON and Markdown."""

import csv
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields
from errno import EDQUOT, EFBIG, EIO, ENOSPC
from io import StringIO, TextIOWrapper
from operator import attrgetter
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from gops_exact.base.arguments import printable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

UNWRITTEN = (EDQUOT, EFBIG, EIO, ENOSPC)
"""The numbers of the errors that the operating system reports if a disk is full or fails."""

DATABASE = b"SQLite format 3\0"
"""The first bytes of every SQLite database, and so of a store."""


@contextmanager
def written_whole(path: str | Path, name: str = "path") -> Iterator[TextIOWrapper]:
    """Open a temporary text file that replaces the file at `path` when the ``with`` block ends without an error.

    If there is a file at `path`, the new file gets its permissions and, as far as the system allows, its owner. If
    `path` is a symbolic link, the link stays, and the file to which the link points is replaced.

    Args:
        path: the path of the file.
        name: the name of the argument or option that has the path, for messages.

    Yields:
        The temporary file; bytes can be written to its attribute ``buffer``.

    Raises:
        ValueError: if `path` is invalid or in a folder that cannot be written; if the file at `path` is a store of
            values; or if something other than a regular file is at `path`. The message begins with `name`.
        OSError: if the disk is full or fails; the ``filename`` of the error is the path.
    """
    try:
        old = _status(path)
        target = Path(os.path.realpath(path))
        number, temporary = mkstemp(prefix=".gops_exact-", dir=target.parent)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in UNWRITTEN:
            error.filename = str(path)
            raise
        raise ValueError(
            f"{name}: expected a file that can be written, got {str(path)!r}: "
            f"{getattr(error, 'strerror', None) or error}"
        ) from error
    partial = Path(temporary)
    try:
        # The text may contain a file name that is not valid UTF-8. With surrogateescape the original bytes of the name
        # are written.
        with os.fdopen(
            number, "w", encoding="utf-8", errors="surrogateescape", newline="\n"
        ) as written:
            yield written
            written.flush()
            if old is None:
                mask = os.umask(0o077)  # the mask can only be read by setting it
                os.umask(mask)
                partial.chmod(0o666 & ~mask)
            else:
                with suppress(PermissionError):
                    if hasattr(os, "chown"):
                        os.chown(partial, old.st_uid, old.st_gid)
                partial.chmod(stat.S_IMODE(old.st_mode))
            # The data must be on disk before the new file replaces the old one. Otherwise a crash could lose both.
            os.fsync(number)
        partial.replace(target)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        # The error of a failed write names no file, and errors of other calls name the temporary file. In both
        # cases set the name that the user knows. An error without a number does not come from the operating system, and
        # is not changed.
        if isinstance(error, OSError) and error.errno and error.filename in (None, temporary):
            error.filename = str(path)
        raise


def make_folder(folder: Path, name: str = "folder") -> None:
    """Create a folder and its parents, unless it exists.

    Args:
        folder: the path of the folder.
        name: the name of the argument or option that has the path, for messages.

    Raises:
        ValueError: if the folder cannot be created.
        OSError: if the disk is full or fails.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if error.errno in UNWRITTEN:
            raise
        raise ValueError(
            f"{name}: expected a folder, got {str(folder)!r}: {error.strerror}"
        ) from error


Record = TypeVar("Record")


def csv_lines(
    columns: Mapping[str, Callable[[Record], object]],
    records: Iterable[Record],
    quoting: Literal[0, 2] = csv.QUOTE_MINIMAL,
) -> Iterator[str]:
    """Yield lines of CSV: a header, then one line for each record as soon as it arrives.

    Args:
        columns: {column name: function that returns the column's entry for a record}.
        records: one object for each line.
        quoting: ``csv.QUOTE_MINIMAL`` quotes only fields that need quotes; ``csv.QUOTE_NONNUMERIC`` quotes all text
            below the header.
    """
    yield f"{','.join(columns)}\n"
    for record in records:
        line = StringIO()
        row = [field(record) for field in columns.values()]
        csv.writer(line, quoting=quoting, lineterminator="\n").writerow(row)
        yield line.getvalue()


def json_lines(
    columns: Mapping[str, Callable[[Record], object]], records: Iterable[Record]
) -> Iterator[str]:
    """Yield pieces of JSON that form a list: one object for each record as soon as it arrives.

    A value for which JSON has no type is written as text.

    Args:
        columns: {member name: function that returns the member's value for a record}.
        records: one object for each JSON object.
    """
    before = "["
    for record in records:
        fields = {head: field(record) for head, field in columns.items()}
        yield f"{before}\n {json.dumps(fields, default=str)}"
        before = ","
    yield "[]\n" if before == "[" else "\n]\n"


def markdown_lines(
    columns: Mapping[str, Callable[[Record], object]], records: Iterable[Record]
) -> Iterator[str]:
    """Yield lines of a Markdown table: the heads with a rule below, then a line for each record as soon as it arrives.

    Args:
        columns: {head: function that returns the column's entry for a record}.
        records: one object for each line.
    """
    yield markdown_line(columns) + markdown_line(["---"] * len(columns))
    for record in records:
        fields = (field(record) for field in columns.values())
        yield markdown_line("" if field is None else field for field in fields)


def markdown_line(cells: Iterable[object]) -> str:
    r"""Return a line of a Markdown table, with special characters escaped.

    >>> markdown_line(["a|b", 5])
    '| a\\|b | 5 |\n'
    """
    return f"| {' | '.join(in_markdown(printable(str(cell))) for cell in cells)} |\n"


def in_markdown(text: str) -> str:
    r"""Put a backslash before each of ``\ | ` * # [``, and before ``<`` and ``&`` unless white space follows.

    So Markdown does not read these characters as borders of cells, links, headings, emphasis, HTML or entities.
    Underscores and tildes stay as they are. No backslash is put before a ``<`` or ``&`` at the end of the text.

    >>> print(in_markdown("a|b <i> &amp; 3 < 5"))
    a\|b \<i> \&amp; 3 < 5
    """
    return re.sub(r"[\\|`*#\[]|[<&](?=\S)", r"\\\g<0>", text)


LINES = {"csv": csv_lines, "json": json_lines, "markdown": markdown_lines}
"""{format of records: function (columns, records) that yields their text in pieces}."""


def fields_of(kind: type["DataclassInstance"]) -> dict[str, Callable[[Any], Any]]:
    """Return {field name: function that returns this field of a record} for records of the dataclass `kind`."""
    return {field.name: attrgetter(field.name) for field in fields(kind)}


def _status(path: str | Path) -> os.stat_result | None:
    """Return the status of the file at `path`; None if there is no file.

    Raises:
        ValueError: if the file must not be replaced, because it is not a regular file, or is an SQLite database, such as
            a store.
    """
    try:
        status = Path(path).stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise ValueError("not a file")
    # A store is never replaced, so that a mistyped name does not destroy days of work.
    with suppress(PermissionError), Path(path).open("rb") as file:
        if file.read(len(DATABASE)) == DATABASE:
            raise ValueError("a store, or another SQLite database")
    return status


def quoted(name: str) -> str:
    r"""Return a name in quotation marks, as files of Gambit have it: with a ``\`` before each ``\`` and each ``"``."""
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


def quoted_list(names: Iterable[str]) -> str:
    """Return names, each as :func:`quoted` returns it, separated by spaces and enclosed in braces."""
    return f"{{ {' '.join(map(quoted, names))} }}"
