"""Emitted first moves checked: exact ones proved, others compared with exact ones that are proved."""

from gmpy2 import mpq, mpz

from gops_exact.progress import Progress, tracked
from gops_exact.verify.arithmetic import NotProvedError
from gops_exact.verify.documents import Column, Document, check_modulus
from gops_exact.verify.enclosures import holds
from gops_exact.verify.games import Opening, check_opening, read_opening
from gops_exact.verify.report import Report
from gops_exact.verify.rules import EXACT
from gops_exact.verify.texts import parse_decimal, parse_fraction, parse_residue
from gops_exact.verify.values import Stored, Values


def check_document(values: Values, document: Document, progress: Progress | None = None) -> Report:
    """Check first moves against the exact values of a store.

    Exact first moves are proved as they stand; if they are unique, too. Others are compared with
    those of the store, which are proved first. `progress` is called with the first moves checked and
    all there are.
    """
    report = Report()
    for column in tracked(document.columns, progress):
        try:
            _check(values, document, column, report)
        except NotProvedError as error:
            report.faults.append(f"{column.name}: {error}")
    report.passed_over["values of the store that the proofs rest on"] = len(values.used)
    return report


def _check(values: Values, document: Document, column: Column, report: Report) -> None:
    if column.value != "0":
        raise NotProvedError(f"the value must be 0, got {column.value[:40]}")
    payload = values.store.get(document.whole.opening_key(column.upcard))
    if payload is None:
        raise NotProvedError("the store has no such first move")
    exact = document.arithmetic == EXACT
    if exact:
        strategy = tuple(map(parse_fraction, column.probabilities.values()))
        opening = Opening(strategy, column.unique)
        for card, decimal in column.decimals.items():
            _check_decimal(decimal, document.number(column, card), card)
        report.compared["decimals"] += len(column.decimals)
    else:
        opening = read_opening(payload)
    check_opening(values, document.whole, column.upcard, opening)
    report.proved["exact first moves"] += 1
    if exact:
        return
    for (card, text), pair in zip(column.probabilities.items(), opening.strategy, strict=True):
        if document.arithmetic == "residue":
            _check_residue(text, mpq(*pair), card, document.prime)
        else:
            _check_radius(document, column, card, mpq(*pair))
    if column.unique not in (None, opening.unique):
        claim = "unique" if column.unique else "not unique"
        raise NotProvedError(f"the first move is said to be {claim}, unlike the one in the store")
    if document.says_nothing(column):
        report.passed_over["first moves that say nothing"] += 1
    else:
        report.compared["probabilities"] += len(column.probabilities)


def _check_decimal(text: str, number: mpq, card: str) -> None:
    half = mpq(1, 2 * mpz(10) ** len(text.partition(".")[2]))
    # An exponent hides how many digits there are.
    if abs(parse_decimal(text) - number) > half or "e" in text.lower():
        raise NotProvedError(f"card {card}: the decimal is not correctly rounded")


def _check_residue(text: str, number: mpq, card: str, prime: int) -> None:
    check_modulus(prime)
    residue = parse_residue(text)
    if residue >= prime or not holds(Stored(residue=int(residue)), number, prime):
        raise NotProvedError(f"card {card} is not {residue} modulo {prime}")


def _check_radius(document: Document, column: Column, card: str, true: mpq) -> None:
    number, radius = document.number(column, card), document.radius(column, card)
    if abs(number - true) > radius:
        wrong = "correctly rounded" if document.arithmetic == "ball" else "within its radius"
        raise NotProvedError(f"card {card} is not {wrong}")
    if column.unique and document.is_open(column, card):
        raise NotProvedError(
            f"card {card} may be anything, though the first move is said to be unique"
        )
