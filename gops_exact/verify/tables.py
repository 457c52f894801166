"""First moves in floats, emitted as CSV, read back with their radii."""

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from gops_exact.verify.documents import PLAIN_RULES, Column, Document, named_rules
from gops_exact.verify.rounds import MOST_CARDS, Left, turns

HEADER = "upcard,card,probability,radius,proved"
FIELDS = 5
HIDDEN = "hidden"


def read_table(text: str, rules: Mapping[str, Any] = PLAIN_RULES) -> Document:
    r"""The first moves of a CSV table in floats, of all upcards.

    Args:
        text: the table, which doesn't say by which rules.
        rules: as a JSON document names them.

    Raises:
        ValueError: if it is none, or a number is missing.

    >>> table = "upcard,card,probability,radius,proved\n1,1,1.0,0.0,true\n"
    >>> read_table(table).columns[0].probabilities
    {'1': '1.0'}
    """
    header, *lines = text.splitlines() or [""]
    if header != HEADER:
        raise ValueError(f"the header must be {HEADER}, got {header[:80]!r}")
    if not lines:
        raise ValueError("expected first moves, got a header alone")
    rows = [line.split(",") for line in lines]
    parts = {name: list(part) for name, part in groupby(rows, key=lambda row: row[0])}
    n = max(map(len, parts.values()))
    if n > MOST_CARDS:
        raise ValueError(f"expected at most {MOST_CARDS} cards at an upcard, got {n} lines")
    key, order = named_rules(rules, n)
    upcards = [turn.upcard for turn in turns(Left(key, order or tuple(range(1, n + 1))))]
    expected = [
        [HIDDEN if upcard is None else str(upcard), str(card)]
        for upcard in upcards
        for card in range(1, n + 1)
    ]
    if [row[:2] for row in rows] != expected or any(len(row) != FIELDS for row in rows):
        raise ValueError(f"expected {FIELDS} fields for every card at every upcard")
    for name, part in parts.items():
        if {proved for *_, proved in part} not in ({"true"}, {"false"}):
            raise ValueError(
                f"upcard {name}: expected proved to be true or false, the same for every card"
            )
    columns = tuple(
        Column(
            upcard,
            "0",
            part[0][-1] == "true",
            {card: probability for _, card, probability, _, _ in part},
            {card: radius for _, card, _, radius, _ in part},
        )
        for upcard, part in zip(upcards, parts.values(), strict=True)
    )
    return Document(n, "float", columns, rules=key, order=order, named=rules)
