r"""First moves as text, a piece at a time: one number can be two million digits long.

    fractions   for reading: a block per upcard, a line per card, every p/q in full
    decimals    for reading: a table, one row per card and one column per upcard
    json        one document: exact numbers as text "p/q", proved decimals as text, residues as
                integers, floats with their radii
    csv         exact: upcard,card,probability,decimal; floats: upcard,card,probability,radius,proved
    latex       a tabular, one row per card and one column per upcard; \frac{p}{q} in full, or decimals
    digests     csv: lengths, edges, SHA-256 and residues of numbers too long to print

Where the first prize is hidden, "hidden" stands for the upcard, and null in JSON. Everything is
ASCII. Exact json and csv can be read back, see :mod:`gops_exact.show.read`.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from gops_exact.arguments import shown
from gops_exact.game.rules import Upcard, upcard_name
from gops_exact.numbers.big import BigRational
from gops_exact.numbers.digits import FractionTexts
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.pools import available_cores, executor
from gops_exact.solutions.arithmetic import Ball, Residue
from gops_exact.solutions.digests import digests
from gops_exact.solutions.strategy import Strategy

if TYPE_CHECKING:
    from gops_exact.solutions.first_moves import FirstMoves

CSV_DIGITS = 17
"""Digits after the point in a CSV file: no fewer than a float has."""

PARALLEL_BITS = 15_000_000
"""The bits of integers from which making their digits takes longer than starting processes."""

CSV_HEADER = "upcard,card,probability,decimal"

FORMATS_OF = {
    "exact": ("fractions", "decimals", "json", "csv", "latex", "digests"),
    "ball": ("decimals", "json"),
    "residue": ("decimals", "json"),
    "float": ("decimals", "json", "csv"),
}
"""The formats of each arithmetic."""

TAKES_DIGITS = {
    "exact": ("decimals", "csv", "latex"),
    "ball": ("decimals",),
    "residue": (),
    "float": ("decimals",),
}
"""The formats of each arithmetic that print as many decimals as they are told."""


def emit(
    moves: "FirstMoves[Any]",
    fmt: str,
    digits: int | None = None,
    *,
    width: int | None = None,
    jobs: int | None = None,
) -> Iterator[str]:
    """The text of first moves in one format, in pieces.

    Args:
        moves: the first moves, in any arithmetic.
        fmt: one of the formats of their arithmetic, see :data:`FORMATS_OF`.
        digits: digits after the point. By default 4 in tables, or all that are proved, and 17 in
            csv; latex prints exact fractions unless it is given.
        width: columns of the terminal, which the table in decimals is to fit; None for no limit.
        jobs: processes that make decimal digits; by default all cores where it pays.

    Raises:
        ValueError: if the format is not one of the arithmetic's, or does not go with `digits`.

    >>> from gops_exact import first_move
    >>> print("".join(emit(first_move(3, upcards=[2], store=":memory:"), "csv", digits=3)), end="")
    upcard,card,probability,decimal
    2,1,0,0.000
    2,2,5/9,0.556
    2,3,4/9,0.444
    >>> print("".join(emit(first_move(3, "float", upcards=[3]), "csv")), end="")
    upcard,card,probability,radius,proved
    3,1,0.0,0.0,true
    3,2,0.0,0.0,true
    3,3,1.0,0.0,true
    """
    check_format(moves.arithmetic.name, fmt, digits)
    if fmt not in _FORMATS:
        return moves.table(digits).text(width)
    return _FORMATS[fmt](moves, digits, _texts(moves, jobs))


def check_format(arithmetic: str, fmt: str, digits: int | None = None) -> None:
    """Refuse a format that an arithmetic does not have, and digits that it cannot use.

    Raises:
        ValueError: if the format is not one of the arithmetic's, or does not go with `digits`.
    """
    formats, takes = FORMATS_OF[arithmetic], TAKES_DIGITS[arithmetic]
    if not isinstance(fmt, str) or fmt not in formats:
        raise ValueError(
            f"a format of {arithmetic} numbers must be one of {', '.join(formats)}, got {shown(fmt)}"
        )
    if digits is None:
        return
    if fmt not in takes:
        expected = f"go with {', '.join(takes)}" if takes else f"do not go with {arithmetic}"
        raise ValueError(f"digits {expected}, got {digits} with {fmt}")
    if digits < 0:
        raise ValueError(f"digits must be at least 0, got {digits}")


def _texts(moves: "FirstMoves[Any]", jobs: int | None) -> Iterator[str]:
    """Yield every number in full, column by column; digits are made in several processes if it pays."""
    if moves.arithmetic.name != "exact":
        return (
            number.text() for strategy in moves.columns.values() for number in strategy.values()
        )
    columns = [
        FractionTexts([number for number in strategy.values() if isinstance(number, BigRational)])
        for strategy in moves.columns.values()
    ]
    terms = [term for column in columns for term in column.terms]
    if jobs is None:
        long = sum(term.bit_length() for term in terms) >= PARALLEL_BITS
        jobs = available_cores() if long else 1
    digits = executor(jobs).map(str, terms)
    return chain.from_iterable(column.made(digits) for column in columns)


def title(moves: "FirstMoves[Any]") -> str:
    """One line that says of which game, in which arithmetic and by which rules the numbers are."""
    return f"GOPS, N = {moves.n}: optimal first moves, {moves.arithmetic.name} ({moves.rules})"


def _fractions(
    moves: "FirstMoves[Any]", _digits: int | None, texts: Iterator[str]
) -> Iterator[str]:
    yield f"{title(moves)}\n"
    for upcard, strategy in moves.columns.items():
        unique = "unique" if strategy.unique else "not unique"
        yield f"\nupcard {upcard_name(upcard)}, value 0, {unique}\n"
        for card in strategy:
            yield f"  {card:>{len(str(moves.n))}}  "
            yield next(texts)
            yield "\n"


def _json(moves: "FirstMoves[Any]", _digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    """One document, one number at a time."""
    kind = moves.arithmetic
    if kind.name == "float":
        yield json.dumps(_float_document(moves), indent=1) + "\n"
        return
    extra = {"digits": kind.digits} if isinstance(kind, Ball) else {}
    extra |= {"prime": kind.prime} if isinstance(kind, Residue) else {}
    head = "".join(f' "{name}": {number},' for name, number in extra.items())
    rules = json.dumps(asdict(moves.rules))
    yield f'{{"n": {moves.n}, "rules": {rules}, "arithmetic": "{kind.name}",{head}\n'
    yield ' "columns": ['
    quote = "" if isinstance(kind, Residue) else '"'
    for place, (upcard, strategy) in enumerate(moves.columns.items()):
        # Equal hands: the value of every opening is zero, in any arithmetic.
        yield f'{"," if place else ""}\n  {{"upcard": {json.dumps(upcard)}, "value": "0", '
        proved = f' "proved": {json.dumps(strategy.proved)},' if isinstance(kind, Residue) else ""
        yield f'"unique": {json.dumps(bool(strategy.unique))},{proved} "probabilities": {{'
        for line, card in enumerate(strategy):
            yield f'{"," if line else ""}\n    "{card}": {quote}'
            yield next(texts)
            yield quote
        yield "}}"
    yield "\n]}\n"


def _float_document(moves: "FirstMoves[Any]") -> dict[str, Any]:
    """First moves in floats as a JSON object; its numbers are short."""

    def column(upcard: Upcard, strategy: Strategy[Any]) -> dict[str, Any]:
        numbers = {
            card: number
            for card, number in zip(strategy, strategy.values(), strict=True)
            if isinstance(number, BoundedFloat)
        }
        return {
            "upcard": upcard,
            "value": "0",
            "unique": bool(strategy.unique),
            "probabilities": {card: number.value for card, number in numbers.items()},
            "radii": {card: number.radius for card, number in numbers.items()},
        }

    return {
        "n": moves.n,
        "rules": asdict(moves.rules),
        "arithmetic": moves.arithmetic.name,
        "columns": [column(*each) for each in moves.columns.items()],
    }


def _csv(moves: "FirstMoves[Any]", digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    digits = CSV_DIGITS if digits is None else digits
    is_float = moves.arithmetic.name == "float"
    yield "upcard,card,probability,radius,proved\n" if is_float else f"{CSV_HEADER}\n"
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number = strategy[card]
            if isinstance(number, BoundedFloat):
                rest = f"{number.radius!r},{json.dumps(strategy.proved)}"
            else:
                rest = number.decimal(digits)
            yield f"{upcard_name(upcard)},{card},"
            yield next(texts)
            yield f",{rest}\n"


def _latex(moves: "FirstMoves[Any]", digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    yield f"% {title(moves)}\n"
    yield f"\\begin{{tabular}}{{r|{'r' * len(moves)}}}\n"
    heads = "".join(f" & {name}" for name in map(upcard_name, moves))
    yield f"card \\textbackslash\\ upcard{heads} \\\\\n\\hline\n"
    if digits is None:
        columns = [list(map(_latex_cell, islice(texts, moves.n))) for _ in moves]
    else:
        columns = [
            ["0" if number.is_zero else number.decimal(digits) for number in strategy.values()]
            for strategy in moves.columns.values()
        ]
    for card, row in enumerate(zip(*columns, strict=True), 1):
        yield f"{card}"
        # One cell per line: TeX reads a file line by line into a buffer of limited size.
        for cell in row:
            yield f"\n & ${cell}$"
        yield " \\\\\n"
    yield "\\end{tabular}\n"


def _latex_cell(text: str) -> str:
    numerator, _, denominator = text.partition("/")
    return rf"\frac{{{numerator}}}{{{denominator}}}" if denominator else numerator


_FORMATS: dict[str, Callable[["FirstMoves[Any]", int | None, Iterator[str]], Iterator[str]]] = {
    "fractions": _fractions,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
    "digests": digests,
}
"""One function a format, for all arithmetics that have it; decimals are a table."""
