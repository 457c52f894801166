"""First moves as text that are not exact: decimals with a proof of every digit, residues, floats.

    decimals    for reading: a table, one row per card and one column per upcard
    json        one document as of exact ones: decimals as text, residues as integers, floats with
                their radii
    csv         of floats: upcard,card,probability,radius,proved

Everything is ASCII.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

from gops_exact.show.layout import TABLE_DIGITS, document, grid, table
from gops_exact.solutions.old_first_moves import upcard_name
from gops_exact.solver.certified import CertifiedMove, CertifiedMoves
from gops_exact.solver.fingerprint import ResidueMove, ResidueMoves
from gops_exact.solver.floats import FloatFirstMoves, FloatMove


def emit_certified(moves: CertifiedMoves, fmt: str) -> Iterator[str]:
    """The text of decimals proved in ball arithmetic, in one of :data:`CERTIFIED_FORMATS`.

    >>> from gops_exact.solver.certified import certified_first_move
    >>> moves = certified_first_move(3, 6, upcards=[2], store=":memory:")
    >>> print("".join(emit_certified(moves, "json")), end="")
    {"n": 3, "rules": {"objective": "points", "ties": "discard", "prizes": "random"}, \
"arithmetic": "ball", "digits": 6,
     "columns": [
      {"upcard": 2, "value": "0", "unique": false, "probabilities": {
        "1": "0.000000",
        "2": "0.555556",
        "3": "0.444444"}}
    ]}
    """
    return CERTIFIED_FORMATS[fmt](moves)


def emit_residues(moves: ResidueMoves) -> Iterator[str]:
    """The text of residues: one JSON document, in pieces."""
    return _residues(moves)


def residues_table(moves: ResidueMoves) -> Iterator[str]:
    """Residues for reading: one row per card, one column per upcard.

    >>> from gops_exact import first_move_residues
    >>> print("".join(residues_table(first_move_residues(2, 10**9 + 7, store=":memory:"))), end="")
    GOPS, N = 2: optimal first moves, residue (objective points, ties discard, prizes random)
    one row per card, one column per upcard, modulo 1000000007
    <BLANKLINE>
                1           2
    1           1           0
    2           0           1
    """
    digits = len(str(moves.prime)) - 2

    def cell(column: ResidueMove, card: int) -> str:
        return str(column.probabilities[card])

    yield from table(moves, digits, cell, f", modulo {moves.prime}")
    if open_ones := [upcard_name(column.upcard) for column in moves.columns if not column.proved]:
        yield f"\nA tie was taken for one on evidence, at upcard {', '.join(open_ones)}.\n"


def emit_floats(moves: FloatFirstMoves, fmt: str, digits: int | None = None) -> Iterator[str]:
    """The text of first moves in floats, in one of :data:`FLOAT_FORMATS`.

    Args:
        moves: the first moves.
        fmt: ``"decimals"``, ``"json"`` or ``"csv"``.
        digits: digits after the point of a table, 4 by default.

    >>> from gops_exact import first_move_float
    >>> print("".join(emit_floats(first_move_float(3, upcards=[3], jobs=1), "csv")), end="")
    upcard,card,probability,radius,proved
    3,1,0.0,0.0,true
    3,2,0.0,0.0,true
    3,3,1.0,0.0,true
    """
    return FLOAT_FORMATS[fmt](moves, digits)


def _certified_decimals(moves: CertifiedMoves) -> Iterator[str]:
    def cell(column: CertifiedMove, card: int) -> str:
        return moves.decimal(column.upcard, card) if column.probabilities[card] != 0 else "0"

    yield from table(moves, moves.digits, cell)


def _float_decimals(moves: FloatFirstMoves, digits: int | None) -> Iterator[str]:
    digits = TABLE_DIGITS if digits is None else digits

    def cell(column: FloatMove, card: int) -> str:
        if not column.proved:
            return "?"
        probability = column.probabilities[card]
        known_zero = probability == column.radii[card] == 0
        return "0" if known_zero else f"{probability:.{digits}f}"

    yield from grid(moves, digits, cell)
    proved = [max(column.radii.values()) for column in moves.columns if column.proved]
    if proved and max(proved) == 0:
        yield "\nEvery probability shown is exact.\n"
    elif proved:
        radius = f"{max(proved):.2g}"
        yield f"\nEvery probability is within {radius} of the true one; a plain 0 is proved.\n"
    if unproved := [upcard_name(column.upcard) for column in moves.columns if not column.proved]:
        yield (
            f"\nNothing is proved at upcard {', '.join(unproved)}: several first moves are optimal, "
            "or floats cannot tell. Exact numbers can.\n"
        )


def _residues(moves: ResidueMoves) -> Iterator[str]:
    def cell(column: ResidueMove, card: int) -> str:
        return str(column.probabilities[card])

    yield from document(moves, f' "prime": {moves.prime},', cell, _proved)


def _certified_json(moves: CertifiedMoves) -> Iterator[str]:
    def cell(column: CertifiedMove, card: int) -> str:
        return f'"{moves.decimal(column.upcard, card)}"'

    yield from document(moves, f' "digits": {moves.digits},', cell)


def _float_json(moves: FloatFirstMoves, _digits: int | None) -> Iterator[str]:
    whole = {
        "n": moves.n,
        "rules": asdict(moves.rules),
        "arithmetic": moves.arithmetic,
        "columns": [
            {
                "upcard": column.upcard,
                "value": "0",
                "unique": column.unique,
                "probabilities": column.probabilities,
                "radii": column.radii,
            }
            for column in moves.columns
        ],
    }
    yield json.dumps(whole, indent=1) + "\n"


def _proved(column: ResidueMove) -> str:
    return f' "proved": {json.dumps(column.proved)},'


def _float_csv(moves: FloatFirstMoves, _digits: int | None) -> Iterator[str]:
    yield "upcard,card,probability,radius,proved\n"
    for column in moves.columns:
        upcard, proved = upcard_name(column.upcard), json.dumps(column.proved)
        for card, probability in column.probabilities.items():
            yield f"{upcard},{card},{probability!r},{column.radii[card]!r},{proved}\n"


CERTIFIED_FORMATS: dict[str, Callable[[CertifiedMoves], Iterator[str]]] = {
    "decimals": _certified_decimals,
    "json": _certified_json,
}
"""The formats of certified decimals, by name."""

FLOAT_FORMATS: dict[str, Callable[[FloatFirstMoves, int | None], Iterator[str]]] = {
    "decimals": _float_decimals,
    "json": _float_json,
    "csv": _float_csv,
}
"""The formats of floats, by name."""
