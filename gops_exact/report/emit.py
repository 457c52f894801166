r"""First moves as text, a piece at a time: one number can be two million digits long.

    fractions   for reading: a block per upcard, a line per card, every p/q in full
    decimals    for reading: a table, one row per card and one column per upcard, correctly rounded
    json        one document, numbers as text "p/q"
    csv         upcard,card,probability,decimal; the probability is p/q
    residues    json as above, the probabilities integers modulo a prime
    digests     csv: lengths, edges, SHA-256 and residues of numbers too long to print
    latex       a tabular, one row per card and one column per upcard; \frac{p}{q} in full, or decimals

Where the first prize is hidden, "hidden" stands for the upcard, and null in JSON. Everything is
ASCII. What is exact can be read back, see :mod:`gops_exact.report.read`.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, Protocol, TypeVar

from gops_exact.numbers import BigRational
from gops_exact.report.certified import CertifiedMove, CertifiedMoves
from gops_exact.report.digests import digests
from gops_exact.report.fingerprint import ResidueMove, ResidueMoves
from gops_exact.report.first_moves import FirstMove, FirstMoves, upcard_name
from gops_exact.report.floating import FloatFirstMoves, FloatMove
from gops_exact.rules import Rules

Column = TypeVar("Column", FirstMove, CertifiedMove, ResidueMove, FloatMove)
Column_co = TypeVar("Column_co", FirstMove, CertifiedMove, ResidueMove, FloatMove, covariant=True)


class Moves(Protocol[Column_co]):
    """First moves in any arithmetic."""

    @property
    def n(self) -> int:
        """Cards a side."""

    @property
    def columns(self) -> tuple[Column_co, ...]:
        """One first move per upcard."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def arithmetic(self) -> str:
        """The number system."""


TABLE_DIGITS = 4
"""Digits after the point in a table, as in the published ones."""

CSV_DIGITS = 17
"""Digits after the point in a CSV file: no fewer than a float has."""

CSV_HEADER = "upcard,card,probability,decimal"

TAKES_DIGITS = ("decimals", "csv", "latex")
"""The formats that print decimals."""


def emit(moves: FirstMoves, fmt: str, digits: int | None = None) -> Iterator[str]:
    """The text of `moves` in one of :data:`FORMATS`, in pieces.

    Args:
        moves: the first moves.
        fmt: the format.
        digits: digits after the point, 4 by default and 17 for csv. Latex prints exact fractions
            unless it is given; fractions and json take none.

    Raises:
        ValueError: if the format is unknown or does not go with `digits`.

    >>> from gops_exact import first_move
    >>> print("".join(emit(first_move(3, upcards=[2], store=":memory:"), "csv", digits=3)), end="")
    upcard,card,probability,decimal
    2,1,0,0.000
    2,2,5/9,0.556
    2,3,4/9,0.444
    """
    if fmt not in FORMATS:
        raise ValueError(f"a format must be one of {', '.join(FORMATS)}, got {fmt!r}")
    check_digits(fmt, digits)
    return FORMATS[fmt](moves, digits)


def emit_certified(moves: CertifiedMoves, fmt: str) -> Iterator[str]:
    """The text of decimals proved in ball arithmetic, in one of :data:`CERTIFIED_FORMATS`.

    >>> from gops_exact.report.certified import certified_first_move
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

    yield from _table(moves, digits, cell, f", modulo {moves.prime}")


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


def check_digits(fmt: str, digits: int | None) -> None:
    """Raise ``ValueError`` unless `digits` is None, or not negative and of use to the format."""
    if digits is None:
        return
    if fmt not in TAKES_DIGITS:
        raise ValueError(f"digits go with {', '.join(TAKES_DIGITS)}, got {digits} with {fmt}")
    if digits < 0:
        raise ValueError(f"digits must be at least 0, got {digits}")


def _fractions(moves: FirstMoves, _digits: int | None) -> Iterator[str]:
    yield f"{_title(moves)}\n"
    for column in moves.columns:
        unique = "unique" if column.unique else "not unique"
        yield f"\nupcard {upcard_name(column.upcard)}, value {column.value}, {unique}\n"
        for card in column.probabilities:
            yield f"  {card:>{len(str(moves.n))}}  {column.probabilities.view(card).text()}\n"


def _decimals(moves: FirstMoves, digits: int | None) -> Iterator[str]:
    digits = TABLE_DIGITS if digits is None else digits

    def cell(column: FirstMove, card: int) -> str:
        number = column.probabilities.view(card)
        return number.decimal(digits) if number.p else "0"

    yield from _table(moves, digits, cell)


def _certified_decimals(moves: CertifiedMoves) -> Iterator[str]:
    def cell(column: CertifiedMove, card: int) -> str:
        return moves.decimal(column.upcard, card) if column.probabilities[card] != 0 else "0"

    yield from _table(moves, moves.digits, cell)


def _float_decimals(moves: FloatFirstMoves, digits: int | None) -> Iterator[str]:
    digits = TABLE_DIGITS if digits is None else digits

    def cell(column: FloatMove, card: int) -> str:
        if not column.proved:
            return "?"
        probability = column.probabilities[card]
        known_zero = probability == column.radii[card] == 0
        return "0" if known_zero else f"{probability:.{digits}f}"

    yield from _grid(moves, digits, cell)
    proved = [max(column.radii.values()) for column in moves.columns if column.proved]
    if proved and max(proved) == 0:
        yield "\nEvery probability is exact.\n"
    elif proved:
        radius = f"{max(proved):.2g}"
        yield f"\nEvery probability is within {radius} of the true one; a plain 0 is proved.\n"
    if unproved := [upcard_name(column.upcard) for column in moves.columns if not column.proved]:
        yield (
            f"\nNothing is proved at upcard {', '.join(unproved)}: several first moves are optimal, "
            "or floats cannot tell. Exact numbers can.\n"
        )


def _table(
    moves: Moves[Column], digits: int, cell: Callable[[Column, int], str], note: str = ""
) -> Iterator[str]:
    yield from _grid(moves, digits, cell, note)
    if several := [upcard_name(column.upcard) for column in moves.columns if not column.unique]:
        yield f"\nOne optimal strategy of several at upcard {', '.join(several)}.\n"


def _grid(
    moves: Moves[Column], digits: int, cell: Callable[[Column, int], str], note: str = ""
) -> Iterator[str]:
    margin, width = len(str(moves.n)), max(digits + 2, len(str(moves.n)))
    yield f"{_title(moves)}\n"
    yield f"one row per card, one column per upcard{note}\n\n"
    heads = (upcard_name(column.upcard) for column in moves.columns)
    yield " " * margin + "".join(f"  {head:>{width}}" for head in heads) + "\n"
    for card in range(1, moves.n + 1):
        yield f"{card:>{margin}}"
        for column in moves.columns:
            yield f"  {cell(column, card):>{width}}"
        yield "\n"


def _json(moves: FirstMoves, _digits: int | None) -> Iterator[str]:
    def cell(column: FirstMove, card: int) -> str:
        return f'"{column.probabilities.view(card).text()}"'

    yield from _document(moves, "", cell)


def _residues(moves: ResidueMoves) -> Iterator[str]:
    def cell(column: ResidueMove, card: int) -> str:
        return str(column.probabilities[card])

    yield from _document(moves, f' "prime": {moves.prime},', cell, _proved)


def _certified_json(moves: CertifiedMoves) -> Iterator[str]:
    def cell(column: CertifiedMove, card: int) -> str:
        return f'"{moves.decimal(column.upcard, card)}"'

    yield from _document(moves, f' "digits": {moves.digits},', cell)


def _float_json(moves: FloatFirstMoves, _digits: int | None) -> Iterator[str]:
    document = {
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
    yield json.dumps(document, indent=1) + "\n"


def _proved(column: ResidueMove) -> str:
    return f' "proved": {json.dumps(column.proved)},'


def _document(
    moves: Moves[Column],
    extra: str,
    cell: Callable[[Column, int], str],
    note: Callable[[Column], str] = lambda _: "",
) -> Iterator[str]:
    rules = json.dumps(asdict(moves.rules))
    yield f'{{"n": {moves.n}, "rules": {rules}, "arithmetic": "{moves.arithmetic}",{extra}\n'
    yield ' "columns": ['
    for place, column in enumerate(moves.columns):
        unique = json.dumps(column.unique)
        # Equal hands: the value of every opening is zero, in any arithmetic.
        yield f'{"," if place else ""}\n  {{"upcard": {json.dumps(column.upcard)}, "value": "0", '
        yield f'"unique": {unique},{note(column)} "probabilities": {{'
        for line, card in enumerate(column.probabilities):
            yield f'{"," if line else ""}\n    "{card}": '
            yield cell(column, card)
        yield "}}"
    yield "\n]}\n"


def _csv(moves: FirstMoves, digits: int | None) -> Iterator[str]:
    digits = CSV_DIGITS if digits is None else digits
    yield f"{CSV_HEADER}\n"
    for column in moves.columns:
        for card in column.probabilities:
            number = column.probabilities.view(card)
            yield f"{upcard_name(column.upcard)},{card},{number.text()},{number.decimal(digits)}\n"


def _float_csv(moves: FloatFirstMoves, _digits: int | None) -> Iterator[str]:
    yield "upcard,card,probability,radius,proved\n"
    for column in moves.columns:
        upcard, proved = upcard_name(column.upcard), json.dumps(column.proved)
        for card, probability in column.probabilities.items():
            yield f"{upcard},{card},{probability!r},{column.radii[card]!r},{proved}\n"


def _latex(moves: FirstMoves, digits: int | None) -> Iterator[str]:
    yield f"% {_title(moves)}\n"
    yield f"\\begin{{tabular}}{{r|{'r' * len(moves.columns)}}}\n"
    heads = "".join(f" & {upcard_name(column.upcard)}" for column in moves.columns)
    yield f"card \\textbackslash\\ upcard{heads} \\\\\n\\hline\n"
    for card in range(1, moves.n + 1):
        yield f"{card}"
        # One cell per line: TeX reads a file line by line into a buffer of limited size.
        for number in _row(moves, card):
            yield f"\n & ${_latex_cell(number, digits)}$"
        yield " \\\\\n"
    yield "\\end{tabular}\n"


def _latex_cell(number: BigRational, digits: int | None) -> str:
    if number.p == 0:
        return "0"
    if digits is not None:
        return number.decimal(digits)
    if number.q == 1:
        return number.text()
    return rf"\frac{{{number.numerator.text()}}}{{{number.denominator.text()}}}"


def _digests(moves: FirstMoves, _digits: int | None) -> Iterator[str]:
    yield from digests(moves)


def _row(moves: FirstMoves, card: int) -> Iterator[BigRational]:
    """The probability of a card at each upcard."""
    return (column.probabilities.view(card) for column in moves.columns)


def _title(moves: Moves[Any]) -> str:
    """What the numbers are, in one line."""
    return f"GOPS, N = {moves.n}: optimal first moves, {moves.arithmetic} ({moves.rules})"


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

FORMATS: dict[str, Callable[[FirstMoves, int | None], Iterator[str]]] = {
    "fractions": _fractions,
    "decimals": _decimals,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
    "digests": _digests,
}
"""The formats, by name."""
