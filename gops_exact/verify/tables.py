"""First moves in floats, emitted as CSV, read back with their radii."""

from math import isqrt

from gops_exact.verify.documents import Column, Document

HEADER = "upcard,card,probability,radius,proved"
FIELDS = 5


def read_table(text: str) -> Document:
    r"""The first moves of a CSV table in floats, of all upcards.

    Raises:
        ValueError: if it is none, or a number is missing.

    >>> table = "upcard,card,probability,radius,proved\n1,1,1.0,0.0,true\n"
    >>> read_table(table).columns[0].probabilities
    {'1': '1.0'}
    """
    header, *lines = text.splitlines() or [""]
    if header != HEADER:
        raise ValueError(f"the header must be {HEADER}, got {header[:80]!r}")
    rows = [line.split(",") for line in lines]
    n = isqrt(len(rows))
    places = [[str(upcard), str(card)] for upcard in range(1, n + 1) for card in range(1, n + 1)]
    if [row[:2] for row in rows] != places or any(len(row) != FIELDS for row in rows):
        raise ValueError(f"expected {FIELDS} fields for every card at every upcard")
    columns = []
    for upcard in range(n):
        part = rows[upcard * n : (upcard + 1) * n]
        columns.append(
            Column(
                upcard + 1,
                "0",
                all(proved == "true" for *_, proved in part),
                {card: probability for _, card, probability, _, _ in part},
                {card: radius for _, card, _, radius, _ in part},
            )
        )
    return Document(n, "float", tuple(columns))
