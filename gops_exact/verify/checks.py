"""Emitted first moves checked: exact ones proved, others compared with the exact ones in a store."""

from collections.abc import Iterator

import gmpy2
from gmpy2 import mpq, mpz

from gops_exact.progress import Progress, tracked
from gops_exact.verify.arithmetic import NotProvedError, Pair
from gops_exact.verify.documents import Column, Document
from gops_exact.verify.games import Opening, check_opening, read_opening
from gops_exact.verify.rules import EXACT
from gops_exact.verify.texts import parse_decimal, parse_fraction, parse_residue
from gops_exact.verify.values import Values


def check_document(
    values: Values, document: Document, progress: Progress | None = None
) -> Iterator[str]:
    """Check first moves; yields one line of text for each that is wrong or could not be proved.

    Exact probabilities are proved as they stand, and decimals beside them compared. Residues must be
    those of the exact ones in the store, decimals within their radii of them, and proved decimals
    those of them. First moves say if they are unique; those in floats or exact csv, and residues that
    are not proved, claim nothing if they deny it.
    `progress` is called with the first moves checked and all there are.
    """
    for column in tracked(document.columns, progress):
        try:
            if column.value != "0":
                yield f"{column.name}: the value must be 0, got {column.value[:40]}"
            else:
                _check(values, document, column)
        except NotProvedError as error:
            yield f"{column.name}: {error}"


def _check(values: Values, document: Document, column: Column) -> None:
    exact = document.arithmetic == EXACT
    if exact:
        strategy = tuple(map(parse_fraction, column.probabilities.values()))
        for card, decimal in column.decimals.items():
            half = mpq(1, 2 * mpz(10) ** len(decimal.partition(".")[2]))
            off = abs(parse_decimal(decimal) - document.number(column, card))
            if off > half or "e" in decimal.lower():  # an exponent hides how many digits there are
                raise NotProvedError(f"card {card}: the decimal is not correctly rounded")
        check_opening(values, document.whole, column.upcard, Opening(strategy, column.unique))
    payload = values.store.get(document.whole.opening_key(column.upcard))
    if payload is None:
        raise NotProvedError("the store has no such first move")
    stored = read_opening(payload)
    if not exact:
        check = _check_residues if document.arithmetic == "residue" else _check_decimals
        check(document, column, dict(zip(column.probabilities, stored.strategy, strict=True)))
    if column.unique != stored.unique and (column.unique or column.proved):
        claim = "unique" if column.unique else "not unique"
        raise NotProvedError(f"the first move is said to be {claim}, unlike the one in the store")


def _check_residues(document: Document, column: Column, stored: dict[str, Pair]) -> None:
    prime = document.prime
    if not gmpy2.is_prime(prime):
        raise NotProvedError(f"the modulus must be a prime, got {prime}")
    for card, (p, q) in stored.items():
        residue = parse_residue(column.probabilities[card])
        if q % prime == 0 or residue >= prime or (residue * q - p) % prime != 0:
            raise NotProvedError(f"card {card} is not {residue} modulo {prime}")


def _check_decimals(document: Document, column: Column, stored: dict[str, Pair]) -> None:
    ball = document.arithmetic == "ball"
    for card, (p, q) in stored.items():
        if not ball and card not in column.radii:
            raise NotProvedError(f"card {card} has no radius")
        radius = document.radius(column, card)
        if abs(document.number(column, card) - mpq(p, q)) > radius:
            wrong = "correctly rounded" if ball else "within its radius"
            raise NotProvedError(f"card {card} is not {wrong}")
