r"""First moves as text, a piece at a time: one number can be two million digits long.

    fractions   for reading: a block per upcard, a line per card, every p/q in full
    decimals    for reading: a table, one row per card and one column per upcard, correctly rounded
    json        one document, numbers as text "p/q"
    csv         upcard,card,probability,decimal; the probability is p/q
    digests     csv: lengths, edges, SHA-256 and residues of numbers too long to print
    latex       a tabular, one row per card and one column per upcard; \frac{p}{q} in full, or decimals

Where the first prize is hidden, "hidden" stands for the upcard, and null in JSON. Everything is
ASCII. Fractions, json, csv and latex can be read back, see :mod:`gops_exact.show.read`.
"""

from collections.abc import Callable, Iterator

from gops_exact.numbers import BigRational
from gops_exact.show.digests import digests
from gops_exact.show.layout import TABLE_DIGITS, document, table, title
from gops_exact.solutions.old_first_moves import FirstMove, FirstMoves, upcard_name

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


def check_digits(fmt: str, digits: int | None) -> None:
    """Raise ``ValueError`` unless `digits` is None, or not negative and of use to the format."""
    if digits is None:
        return
    if fmt not in TAKES_DIGITS:
        raise ValueError(f"digits go with {', '.join(TAKES_DIGITS)}, got {digits} with {fmt}")
    if digits < 0:
        raise ValueError(f"digits must be at least 0, got {digits}")


def _fractions(moves: FirstMoves, _digits: int | None) -> Iterator[str]:
    yield f"{title(moves)}\n"
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

    yield from table(moves, digits, cell)


def _json(moves: FirstMoves, _digits: int | None) -> Iterator[str]:
    def cell(column: FirstMove, card: int) -> str:
        return f'"{column.probabilities.view(card).text()}"'

    yield from document(moves, "", cell)


def _csv(moves: FirstMoves, digits: int | None) -> Iterator[str]:
    digits = CSV_DIGITS if digits is None else digits
    yield f"{CSV_HEADER}\n"
    for column in moves.columns:
        for card in column.probabilities:
            number = column.probabilities.view(card)
            yield f"{upcard_name(column.upcard)},{card},{number.text()},{number.decimal(digits)}\n"


def _latex(moves: FirstMoves, digits: int | None) -> Iterator[str]:
    yield f"% {title(moves)}\n"
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


FORMATS: dict[str, Callable[[FirstMoves, int | None], Iterator[str]]] = {
    "fractions": _fractions,
    "decimals": _decimals,
    "json": _json,
    "csv": _csv,
    "latex": _latex,
    "digests": _digests,
}
"""The formats, by name."""
