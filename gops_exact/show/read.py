"""The exact numbers of an emitted text, read back; each is brought to lowest terms, which takes a gcd."""

import re
from collections.abc import Callable

from flint import fmpq

from gops_exact.arguments import instance
from gops_exact.game.rules import Rules, Upcard, upcard_name
from gops_exact.numbers import BigRational, rational
from gops_exact.solutions.formats import CSV_HEADER
from gops_exact.solutions.strategy import FirstMoves, Strategy
from gops_exact.verify.documents import read_document

Columns = dict[Upcard, Strategy[fmpq]]


def read_json(text: str) -> FirstMoves[fmpq]:
    """Read the first moves of a JSON document; their method is ``"read"``.

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


def read_csv(text: str) -> Columns:
    r"""Read the probabilities of the ``csv`` format, {upcard: {card: probability}}.

    The standard library's reader stops at fields of 131,072 characters; nothing here is quoted.

    >>> read_csv("upcard,card,probability,decimal\n2,1,5/9,0.56\n")
    {2: {1: 5/9}}
    """
    header, *lines = instance(text, str, "text", "text").splitlines() or [""]
    if header != CSV_HEADER:
        raise ValueError(f"the header must be {CSV_HEADER}, got {header[:80]!r}")
    columns: dict[Upcard, dict[int, BigRational]] = {}
    for line in lines:
        words = line.split(",")
        if len(words) != 4:
            raise ValueError(f"a line must hold 4 fields, got {line[:80]!r}")
        upcard = None if words[0] == upcard_name(None) else _card(words[0])
        column, card = columns.setdefault(upcard, {}), _card(words[1])
        if card in column:
            raise ValueError(f"expected every card once, got {card} again at upcard {words[0]}")
        column[card] = BigRational.of(rational(words[2]))
    return {upcard: Strategy(column) for upcard, column in columns.items()}


READERS: dict[str, Callable[[str], Columns]] = {
    "json": lambda text: dict(read_json(text)),
    "csv": read_csv,
}
"""The exact formats, by name."""


def _exact(text: str) -> BigRational:
    """Return a fraction p/q or an integer."""
    if not re.fullmatch("-?[0-9]+(/[0-9]+)?", text):
        raise ValueError(f"an exact number is written p or p/q, got {text[:40]!r}")
    return BigRational.of(rational(text))


def _card(text: str) -> int:
    """Return a card or upcard as it is emitted."""
    if not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise ValueError(f"expected a card, got {text[:40]!r}")
    return int(text)
