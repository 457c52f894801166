"""Emitted first moves as files that a user names."""

from dataclasses import asdict
from pathlib import Path

from gops_exact.rules import PLAIN, Rules
from gops_exact.verify.documents import Document, read_document
from gops_exact.verify.tables import read_table
from gops_exact.verify.texts import read_text


def read_file(file: Path, rules: Rules = PLAIN) -> Document:
    """The first moves in a JSON file, or in a CSV file of floats.

    Args:
        file: its path.
        rules: those of a CSV file, which doesn't name them.

    Raises:
        ValueError: if it cannot be read, or is no such file.
    """
    text = read_text(file)
    try:
        return read_table(text, asdict(rules)) if file.suffix == ".csv" else read_document(text)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
