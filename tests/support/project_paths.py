"""Folders and pages that tests read."""

import csv
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
PACKAGE = ROOT / "gops_exact"
DATA = TESTS / "data"
DOCS = ROOT / "docs"
RESULTS = ROOT / "results"

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def table(path):
    """The rows of a table in CSV."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def blocks(page, language):
    """The blocks of code of a page in Markdown that are in a language."""
    return [body for found, body in BLOCK.findall(page.read_text("utf-8")) if found == language]
