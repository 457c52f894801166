"""Printed tables against computed first moves, entry by entry."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gmpy2 import mpq, mpz

from gops_exact.verify.documents import Document, parse_number

Verdict = Literal["agrees", "truncated", "differs"]


@dataclass(frozen=True)
class Entry:
    """One printed probability beside the computed one.

    Attributes:
        n: cards a side.
        upcard: the prize turned up.
        card: the bid.
        printed: as in print.
        computed: the number computed; a decimal is off by at most half of its last digit.
        verdict: ``"agrees"`` if it is the computed one correctly rounded, ``"truncated"`` if it is
            its digits cut off, ``"differs"`` otherwise.
    """

    n: int
    upcard: int
    card: int
    printed: str
    computed: mpq
    verdict: Verdict


def compare(table: Path, documents: Iterable[Document]) -> Iterator[Entry]:
    """The entries of a printed table that have a computed one.

    Args:
        table: CSV with columns n, upcard, card, printed_probability.
        documents: exact first moves, or proved decimals.

    Raises:
        ValueError: if the table is none.
    """
    computed = {
        (document.n, column.upcard, int(card)): parse_number(text)
        for document in documents
        for column in document.columns
        for card, text in column.probabilities.items()
    }
    with table.open(encoding="ascii", newline="") as lines:
        for row in csv.DictReader(lines):
            try:
                key = int(row["n"]), int(row["upcard"]), int(row["card"])
                printed = row["printed_probability"]
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{table}: expected a table of printed probabilities") from error
            if key in computed:
                yield Entry(*key, printed, computed[key], judge(printed, computed[key]))


def judge(printed: str, computed: mpq) -> Verdict:
    """What a printed decimal is of a number that is not negative.

    A printed 0 says that the card is not played.

    >>> judge("0.667", mpq(2, 3)), judge("0.666", mpq(2, 3)), judge("0", mpq(1, 9))
    ('agrees', 'truncated', 'differs')
    """
    if "." not in printed:
        return "agrees" if computed == parse_number(printed) else "differs"
    scale = mpz(10) ** len(printed.partition(".")[2])
    digits = parse_number(f"0{printed}" if printed.startswith(".") else printed) * scale
    scaled = computed * scale
    if 2 * abs(scaled - digits) <= 1:
        return "agrees"
    return "truncated" if digits <= scaled < digits + 1 else "differs"
