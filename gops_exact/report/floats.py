"""First moves in floats as text, every number with its radius."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from gops_exact.recursion.float_opening import FloatFirstMove
from gops_exact.recursion.floating import FloatFirstMoves
from gops_exact.report.first_moves import upcard_name

TABLE_DIGITS = 4
"""Digits after the point in a table, as in the published ones."""


def emit_floats(moves: FloatFirstMoves, fmt: str, digits: int | None = None) -> Iterator[str]:
    """The text of first moves in floats, in one of :data:`FLOAT_FORMATS`.

    Args:
        moves: the first moves.
        fmt: ``"decimals"``, ``"json"`` or ``"csv"``.
        digits: digits after the point of a table, 4 by default.

    >>> from gops_exact.recursion.floating import first_move_float
    >>> print("".join(emit_floats(first_move_float(3, [3], jobs=1), "csv")), end="")
    upcard,card,probability,radius,proved
    3,1,0.0,0.0,true
    3,2,0.0,0.0,true
    3,3,1.0,0.0,true
    """
    return FLOAT_FORMATS[fmt](moves, digits)


def _decimals(moves: FloatFirstMoves, digits: int | None) -> Iterator[str]:
    digits = TABLE_DIGITS if digits is None else digits
    margin, width = len(str(moves.n)), max(digits + 2, len(str(moves.n)))
    yield f"GOPS, N = {moves.n}: optimal first moves, float ({moves.rules})\n"
    yield "a row a card, a column an upcard\n\n"
    heads = (upcard_name(column.upcard) for column in moves.columns)
    yield " " * margin + "".join(f"  {head:>{width}}" for head in heads) + "\n"
    for card in range(moves.n):
        cells = (_cell(column, card, digits) for column in moves.columns)
        yield f"{card + 1:>{margin}}" + "".join(f"  {cell:>{width}}" for cell in cells) + "\n"
    radius = max(radius for column in moves.columns for radius in column.radii)
    yield f"\nEvery probability is within {radius:.2g} of the true one; a plain 0 is proved.\n"
    if unproved := [upcard_name(column.upcard) for column in moves.columns if not column.proved]:
        yield f"No support is proved at upcard {', '.join(unproved)}.\n"


def _cell(column: FloatFirstMove, card: int, digits: int) -> str:
    probability, radius = column.probabilities[card], column.radii[card]
    return "0" if probability == radius == 0 else f"{probability:.{digits}f}"


def _json(moves: FloatFirstMoves, _digits: int | None) -> Iterator[str]:
    cards = [str(card) for card in range(1, moves.n + 1)]
    document = {
        "n": moves.n,
        "rules": asdict(moves.rules),
        "arithmetic": "float",
        "columns": [
            {
                "upcard": column.upcard,
                "value": "0",
                "unique": column.proved,
                "probabilities": dict(zip(cards, column.probabilities, strict=True)),
                "radii": dict(zip(cards, column.radii, strict=True)),
            }
            for column in moves.columns
        ],
    }
    yield json.dumps(document, indent=1) + "\n"


def _csv(moves: FloatFirstMoves, _digits: int | None) -> Iterator[str]:
    yield "upcard,card,probability,radius,proved\n"
    for column in moves.columns:
        proved = json.dumps(column.proved)
        for card, (p, radius) in enumerate(
            zip(column.probabilities, column.radii, strict=True), start=1
        ):
            yield f"{upcard_name(column.upcard)},{card},{p!r},{radius!r},{proved}\n"


FLOAT_FORMATS: dict[str, Callable[[FloatFirstMoves, int | None], Iterator[str]]] = {
    "decimals": _decimals,
    "json": _json,
    "csv": _csv,
}
"""The formats, by name."""
