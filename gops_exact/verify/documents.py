"""Emitted results checked: exact ones proved, others compared with the exact ones in a store."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import gmpy2
from gmpy2 import mpq, mpz

from gops_exact.verify.entries import Entry
from gops_exact.verify.fractions import NotProvedError, Pair
from gops_exact.verify.openings import Opening, check_opening, read_opening
from gops_exact.verify.rounds import MOST_CARDS, OBJECTIVES, PLAIN, TIES, Left, Prizes, turns
from gops_exact.verify.texts import parse_json
from gops_exact.verify.values import Values

RULES = {
    "objective": OBJECTIVES,
    "ties": TIES,
    "prizes": ("random", "hidden", "ascending", "descending"),
}
"""The rules a document may name; prizes also one by one, in the order they come."""

PLAIN_RULES = {name: choices[0] for name, choices in RULES.items()}
"""The rules of the literature."""


@dataclass(frozen=True)
class Column:
    """One first move as it was emitted, numbers as text.

    Attributes:
        upcard: the prize turned up; None if it is hidden.
        value: of the game at this upcard.
        unique: whether it is claimed to be the only optimal first move.
        probabilities: {card: probability}.
        radii: {card: how far it may be off}, of decimals.
    """

    upcard: int | None
    value: str
    unique: bool
    probabilities: dict[str, str]
    radii: dict[str, str]


@dataclass(frozen=True)
class Document:
    """Emitted first moves.

    Attributes:
        n: cards a side.
        arithmetic: one of :data:`CHECKS`.
        columns: one first move per upcard.
        prime: the modulus of residues; 0 for other numbers.
        digits: proved decimals of balls; 0 for other numbers.
        rules: as in the names of entries.
        order: all prizes as they come, where that is fixed.
        named: the rules, as a JSON document names them.
    """

    n: int
    arithmetic: str
    columns: tuple[Column, ...]
    prime: int = 0
    digits: int = 0
    rules: str = PLAIN
    order: Prizes = ()
    named: Mapping[str, Any] = field(default_factory=PLAIN_RULES.copy)

    @property
    def whole(self) -> Left:
        """The rules and all prizes."""
        return Left(self.rules, self.order or tuple(range(1, self.n + 1)))


def read_document(text: str) -> Document:
    """The first moves of a JSON document, its shape checked against its number of cards.

    Raises:
        ValueError: if it is none, or of unknown rules or another arithmetic.
    """
    parsed = parse_json(text)
    try:
        n = _integer("n", parsed["n"], 1, MOST_CARDS)
        rules, order = named_rules(parsed["rules"], n)
        document = Document(
            n,
            str(parsed["arithmetic"]),
            tuple(_column(column, n) for column in parsed["columns"]),
            _integer("prime", parsed.get("prime", 0), 0, 2**64 - 1),
            _integer("digits", parsed.get("digits", 0)),
            rules,
            order,
            parsed["rules"],
        )
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"expected first moves, got something else: {error}") from error
    if not document.columns:
        raise ValueError("expected at least one first move, got none")
    if document.arithmetic not in CHECKS:
        raise ValueError(
            f"the arithmetic must be one of {', '.join(CHECKS)}, got {document.arithmetic[:40]!r}"
        )
    upcards, seen = [turn.upcard for turn in turns(document.whole)], set()
    for column in document.columns:
        if column.upcard not in upcards:
            raise ValueError(
                f"an upcard must be one of {', '.join(map(str, upcards))}, got {column.upcard}"
            )
        if column.upcard in seen:
            raise ValueError(f"expected every upcard once, got {column.upcard} again")
        seen.add(column.upcard)
    return document


def _column(column: Mapping[str, Any], n: int) -> Column:
    """One of the columns of a JSON document."""
    upcard = column["upcard"]
    found = Column(
        None if upcard is None else _integer("an upcard", upcard),
        str(column["value"]),
        column["unique"],
        {card: str(number) for card, number in column["probabilities"].items()},
        {card: str(number) for card, number in column.get("radii", {}).items()},
    )
    cards = [str(card) for card in range(1, n + 1)]
    if list(found.probabilities) != cards:
        raise ValueError(f"{_named(found)}: expected a probability for each card, ascending")
    if found.radii and list(found.radii) != cards:
        raise ValueError(f"{_named(found)}: expected a radius for each card, ascending")
    if not isinstance(found.unique, bool):
        raise ValueError(f"{_named(found)}: unique must be true or false")
    return found


def _integer(name: str, number: object, *limits: int) -> int:
    """An integer of a JSON document, from the first limit to the second if there are any."""
    if type(number) is not int:
        raise ValueError(f"{name} must be an integer, got {str(number)[:40]!r}")
    if limits and not limits[0] <= number <= limits[1]:
        raise ValueError(f"{name} must be from {limits[0]} to {limits[1]}, got {number}")
    return number


def named_rules(named: Mapping[str, Any], n: int) -> tuple[str, Prizes]:
    """The rules as they stand in the names of entries, and the prizes if their order is fixed.

    Raises:
        ValueError: if they are not those of a game of n cards.
    """
    objective, ties, prizes = (named.get(name) for name in RULES)
    order: Prizes = ()
    if isinstance(prizes, list | tuple) and all(type(prize) is int for prize in prizes):
        order = tuple(prizes)
    elif prizes in ("ascending", "descending"):
        order = tuple(range(1, n + 1)[:: 1 if prizes == "ascending" else -1])
    choices = RULES | ({"prizes": (prizes,)} if sorted(order) == [*range(1, n + 1)] else {})
    if named.keys() != RULES.keys() or any(named[name] not in choices[name] for name in named):
        raise ValueError(
            f"the rules must be those of a game of {n} cards, got {str(dict(named))[:200]}"
        )
    return f"{objective}/{ties}/{'fixed' if order else prizes}", order


def radius_of(document: Document, column: Column, card: str) -> mpq:
    """How far an emitted probability may be off.

    Raises:
        ValueError: if it is a residue, or has no radius.
    """
    if document.arithmetic == "exact":
        return mpq(0)
    if document.arithmetic == "ball":
        _check_digits(document, column, card)
        return half_a_digit(document)
    if card not in column.radii:
        raise ValueError(f"expected probabilities with radii, got {document.arithmetic} ones")
    return _radius(column, card)


def half_a_digit(document: Document) -> mpq:
    """Half a unit of the last proved decimal."""
    return mpq(1, 2 * mpz(10) ** document.digits)


def check_document(values: Values, document: Document) -> Iterator[str]:
    """Check first moves; yields one line of text for each that is wrong or could not be proved.

    Exact probabilities are proved as they stand. Residues must be those of the exact ones in the
    store, decimals within their radii of them, and proved decimals those of them.
    """
    for column in document.columns:
        try:
            if column.value != "0":
                yield f"{_named(column)}: the value must be 0, got {column.value[:40]}"
            else:
                CHECKS[document.arithmetic](values, document, column)
                _check_unique(values, document, column)
        except NotProvedError as error:
            yield f"{_named(column)}: {error}"


def _named(column: Column) -> str:
    return "hidden prizes" if column.upcard is None else f"upcard {column.upcard}"


def opening_key(document: Document, upcard: int | None) -> str:
    """The name of a first move in the store."""
    return Entry("opening", document.whole, upcard=upcard).key


def _check_unique(values: Values, document: Document, column: Column) -> None:
    """Exact first moves say whether they are unique; others only claim it where it is proved."""
    stored = _opening(values, document, column).unique
    if column.unique != stored and (column.unique or document.arithmetic == "exact"):
        claim = "unique" if column.unique else "not unique"
        raise NotProvedError(f"the first move is said to be {claim}, unlike the one in the store")


def _check_exact(values: Values, document: Document, column: Column) -> None:
    strategy = tuple(map(_fraction, column.probabilities.values()))
    check_opening(values, document.whole, column.upcard, Opening(strategy, column.unique))


def _check_residues(values: Values, document: Document, column: Column) -> None:
    prime = document.prime
    if not gmpy2.is_prime(prime):
        raise NotProvedError(f"the modulus must be a prime, got {prime}")
    for card, (p, q) in _stored(values, document, column).items():
        residue = _residue(column.probabilities[card])
        if q % prime == 0 or residue >= prime or (residue * q - p) % prime != 0:
            raise NotProvedError(f"card {card} is not {residue} modulo {prime}")


def _check_decimals(values: Values, document: Document, column: Column) -> None:
    for card, (p, q) in _stored(values, document, column).items():
        if card not in column.radii:
            raise NotProvedError(f"card {card} has no radius")
        if abs(_decimal(column.probabilities[card]) - mpq(p, q)) > _radius(column, card):
            raise NotProvedError(f"card {card} is not within its radius")


def _radius(column: Column, card: str) -> mpq:
    radius = _decimal(column.radii[card])
    if radius > 1:
        raise NotProvedError(
            f"card {card}: a radius must be at most 1, got {column.radii[card][:40]}"
        )
    return radius


def _check_proved(values: Values, document: Document, column: Column) -> None:
    for card, (p, q) in _stored(values, document, column).items():
        _check_digits(document, column, card)
        if abs(_decimal(column.probabilities[card]) - mpq(p, q)) > half_a_digit(document):
            raise NotProvedError(f"card {card} is not correctly rounded")


def _check_digits(document: Document, column: Column, card: str) -> None:
    """Before anything is made of the number of digits, which may be as large as one likes."""
    if len(column.probabilities[card].partition(".")[2]) != document.digits:
        raise NotProvedError(f"card {card} has not {document.digits} decimals")


CHECKS: dict[str, Callable[[Values, Document, Column], None]] = {
    "exact": _check_exact,
    "residue": _check_residues,
    "float": _check_decimals,
    "ball": _check_proved,
}
"""How a first move is checked, by arithmetic."""


def _stored(values: Values, document: Document, column: Column) -> dict[str, Pair]:
    """The exact first move of the store, by card as a document names it."""
    strategy = _opening(values, document, column).strategy
    return dict(zip(column.probabilities, strategy, strict=True))


def _opening(values: Values, document: Document, column: Column) -> Opening:
    payload = values.store.get(opening_key(document, column.upcard))
    if payload is None:
        raise NotProvedError("the store has no such first move")
    return read_opening(payload)


def parse_number(text: str) -> mpq:
    """The number of a fraction p/q or a decimal."""
    return mpq(*_fraction(text)) if "/" in text else _decimal(text)


def _fraction(text: str) -> Pair:
    """The fraction "p/q" or "p"."""
    numerator, _, denominator = text.partition("/")
    if not re.fullmatch("[0-9]+(/[0-9]+)?", text) or (denominator and not denominator.strip("0")):
        raise NotProvedError(f"expected a fraction p/q, got {text[:40]!r}")
    return mpz(numerator), mpz(denominator or 1)


def _residue(text: str) -> mpz:
    """The integer that stands for a probability."""
    if not re.fullmatch("[0-9]+", text):
        raise NotProvedError(f"expected a residue, got {text[:40]!r}")
    return mpz(text)


def _decimal(text: str) -> mpq:
    """The number of a decimal with at most four digits in its exponent."""
    if not re.fullmatch("[0-9]+([.][0-9]+)?([eE][-+]?[0-9]{1,4})?", text):
        raise NotProvedError(f"expected a decimal number, got {text[:40]!r}")
    return mpq(text)
