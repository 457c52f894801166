"""The exact numbers of an emitted text, read back.

JSON holds first moves whole. The other formats hold the probabilities, so that is what comes back:
{upcard: {card: probability}}. Every number is brought to lowest terms, a gcd each.
"""

import re
from collections.abc import Callable, Iterable

from flint import fmpq

from gops_exact.arguments import instance
from gops_exact.game.rules import Rules, Upcard
from gops_exact.numbers import BigRational, rational
from gops_exact.show.text import CSV_HEADER
from gops_exact.solutions.first_moves import FirstMoves, upcard_name
from gops_exact.solutions.strategy import Strategy
from gops_exact.verify.documents import read_document

Columns = dict[Upcard, Strategy[fmpq]]


def read_json(text: str) -> FirstMoves[fmpq]:
    """The first moves of a JSON document; their method is ``"read"``.

    Raises:
        ValueError: if it is no such document, or its numbers are not exact.
    """
    document = read_document(instance(text, str, "text", "text"))
    if document.arithmetic != "exact":
        raise ValueError(f"the arithmetic must be exact, got {document.arithmetic!r}")
    columns: Columns = {}
    for column in document.columns:
        if _exact(column.value).p != 0:
            raise ValueError(f"the value must be 0, got {column.value!r}")
        numbers = {int(card): _exact(text) for card, text in column.probabilities.items()}
        columns[column.upcard] = Strategy(numbers, unique=column.unique, method="read")
    return FirstMoves(document.n, columns, Rules(**document.named))


def read_fractions(text: str) -> Columns:
    r"""The probabilities of the ``fractions`` format.

    >>> read_fractions("upcard 2, value 0, not unique\n  1  0\n  2  5/9\n  3  4/9\n")
    {2: {1: 0, 2: 5/9, 3: 4/9}}
    """
    cells, upcard = [], None
    for line in instance(text, str, "text", "text").splitlines():
        words = line.split()
        if line.startswith("upcard "):
            upcard = line.removeprefix("upcard ").partition(",")[0]
        elif upcard is not None and words:
            cells.append((upcard, *_fields(words, 2, line)))
    return _gathered(cells)


def read_csv(text: str) -> Columns:
    r"""The probabilities of the ``csv`` format.

    The standard library's reader stops at fields of 131,072 characters; nothing here is quoted.

    >>> read_csv("upcard,card,probability,decimal\n2,1,5/9,0.56\n")
    {2: {1: 5/9}}
    """
    header, *lines = instance(text, str, "text", "text").splitlines() or [""]
    if header != CSV_HEADER:
        raise ValueError(f"the header must be {CSV_HEADER}, got {header[:80]!r}")
    return _gathered(_fields(line.split(","), 4, line)[:3] for line in lines)


def read_latex(text: str) -> Columns:
    r"""The probabilities of the ``latex`` format; decimals count for what they say.

    >>> read_latex("\\begin{tabular}{r|r}\n & 2 \\\\\n\\hline\n1\n & $\\frac{5}{9}$ \\\\\n")
    {2: {1: 5/9}}
    """
    given = instance(text, str, "text", "text")
    body = re.sub(
        r"^%.*\n|\\(?:begin|end)\{tabular\}(?:\{.*\})?|\\hline", "", given, flags=re.MULTILINE
    )
    heads, *rows = (row.split("&") for row in body.split(r"\\") if row.strip())
    cells = []
    for card, *numbers in rows:
        for upcard, number in zip(heads[1:], numbers, strict=True):
            plain = re.sub(r"\\frac\{([0-9]+)\}\{([0-9]+)\}", r"\1/\2", number.strip(" \n$"))
            cells.append((upcard, card, plain))
    return _gathered(cells)


READERS: dict[str, Callable[[str], Columns]] = {
    "fractions": read_fractions,
    "json": lambda text: dict(read_json(text)),
    "csv": read_csv,
    "latex": read_latex,
}
"""The exact formats, by name."""


def _exact(text: str) -> BigRational:
    """Return a fraction p/q or an integer."""
    if not re.fullmatch("-?[0-9]+(/[0-9]+)?", text):
        raise ValueError(f"an exact number is written p or p/q, got {text[:40]!r}")
    return BigRational.of(rational(text))


def _fields(words: list[str], count: int, line: str) -> tuple[str, ...]:
    if len(words) != count:
        raise ValueError(f"a line must hold {count} fields, got {line[:80]!r}")
    return tuple(words)


def _gathered(cells: Iterable[tuple[str, ...]]) -> Columns:
    """Columns from (upcard, card, probability) as text."""
    numbers: dict[Upcard, dict[int, BigRational]] = {}
    for name, card, number in cells:
        upcard = None if name.strip() == upcard_name(None) else _card(name)
        column = numbers.setdefault(upcard, {})
        if _card(card) in column:
            raise ValueError(f"expected every card once, got {card.strip()} again at upcard {name}")
        column[_card(card)] = BigRational.of(rational(number))
    return {upcard: Strategy(column) for upcard, column in numbers.items()}


def _card(text: str) -> int:
    """Return a card or upcard as it is emitted, with spaces around it."""
    if not re.fullmatch("[1-9][0-9]{0,8}", text.strip(" \n")):
        raise ValueError(f"expected a card, got {text[:40]!r}")
    return int(text)
