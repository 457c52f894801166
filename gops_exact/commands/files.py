"""Emitted first moves as files that a user names."""

from pathlib import Path

from gops_exact.verify.documents import Document, read_document
from gops_exact.verify.tables import read_table


def read_file(file: Path) -> Document:
    """The first moves in a JSON file, or in a CSV file of floats.

    Raises:
        ValueError: if it cannot be read, or is no such file.
    """
    read = read_table if file.suffix == ".csv" else read_document
    try:
        return read(file.read_text(encoding="ascii"))
    except OSError as error:
        raise ValueError(f"expected a file to read, got {str(file)!r}: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
