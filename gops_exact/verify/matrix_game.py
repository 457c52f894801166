"""A document of a solved matrix game, proved from its own content.

That both strategies are the only optimal ones is proved as well: it is so exactly where no other bid is a
best reply and the matrix of the bids played, bordered by ones, is square and regular (Bohnenblust, Karlin &
Shapley 1950).
"""

import json
import re
from collections.abc import Mapping, Sequence
from math import lcm
from typing import Any

from gmpy2 import invert, mpq, next_prime

from gops_exact.arguments import once
from gops_exact.documents import expect
from gops_exact.verify.arithmetic import NotProvedError
from gops_exact.verify.checks import Report

KIND, VERSION = "matrix game", 1
"""What a document calls itself."""

MEMBERS = (
    "document",
    "version",
    "title",
    "labels",
    "payoff",
    "value",
    "row",
    "column",
    "row_unique",
    "column_unique",
    "method",
)

MODULI_FROM, MODULI = 2**61, 2
"""Determinants are computed modulo so many primes from the first number on: one that is not 0 modulo a prime
is not 0. A regular matrix is taken for singular once in 10^36 times."""


def is_matrix_game(text: str) -> bool:
    """Tell if a text in JSON is meant to be a document of a matrix game."""
    return bool(re.match(rf'\s*{{\s*"document"\s*:\s*"{KIND}"', text))


def check_matrix_game(text: str) -> Report:
    """Prove the value, both strategies and, if the document claims it, that there are no others.

    Raises:
        ValueError: if it is no such document.
    """
    try:
        document = json.loads(text, object_pairs_hook=once)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"expected JSON, got {text[:40]!r}: {error}") from None
    if not isinstance(document, Mapping) or tuple(document) != MEMBERS:
        raise ValueError(f"expected an object with the members {', '.join(MEMBERS)}")
    if (document["document"], document["version"]) != (KIND, VERSION):
        raise ValueError(f"expected version {VERSION} of a {KIND}, got {document['version']!r}")
    report = Report()
    payoff = [_numbers(row, "a row of payoff") for row in _list(document["payoff"], "payoff")]
    labels = document["labels"]
    if not isinstance(labels, Mapping) or tuple(labels) != ("rows", "columns"):
        raise ValueError("labels must be an object of rows and columns")
    rows, columns = (_list(labels[name], name) for name in labels)
    if len(rows) != len(payoff) or any(len(row) != len(columns) for row in payoff):
        raise ValueError(f"expected {len(rows)} × {len(columns)} payoffs, as there are labels")
    for name, side in (("rows", rows), ("columns", columns)):
        if not all(isinstance(label, str) for label in side) or len(set(side)) < len(side):
            raise ValueError(f"{name} must have different labels")
    (value,) = _numbers([document["value"]], "value")
    row, column = (_numbers(document[name], name) for name in ("row", "column"))
    claims = [document[name] for name in ("row_unique", "column_unique")]
    if not all(isinstance(claim, bool) for claim in claims):
        raise ValueError("row_unique and column_unique must be true or false")
    try:
        replies = [
            _best_replies(name, strategy, own, lines, value, sign)
            for name, strategy, own, lines, sign in (
                ("row", row, rows, list(zip(*payoff, strict=True)), 1),
                ("column", column, columns, payoff, -1),
            )
        ]
    except NotProvedError as error:
        report.faults.append(str(error))
        return report
    report.proved["value and strategies"] = 1
    played = [[k for k, chance in enumerate(side) if chance] for side in (row, column)]
    only = played == replies[::-1] and _is_regular(payoff, *played)
    if all(claims) != only:
        said = "no other optimal strategies" if all(claims) else "other optimal strategies"
        report.faults.append(f"the document says that there are {said}, which is wrong")
    elif only:
        report.proved["claims that there are no other strategies"] = 1
    else:
        report.passed_over["claims which player has other optimal strategies"] = 1
    return report


def _list(given: object, name: str) -> list[Any]:
    if not isinstance(given, list) or not given:
        raise ValueError(f"{name} must be a list with entries")
    return given


def _numbers(given: object, name: str) -> list[mpq]:
    """Return rationals in lowest terms, given as text."""
    numbers = []
    for each in _list(given, name):
        if not isinstance(each, str):
            raise ValueError(f"{name} must have numbers as text, got {str(each)[:40]!r}")
        number = mpq(expect("a fraction p/q", "-?[0-9]+(/[1-9][0-9]*)?", each))
        numbers.append(number)
    return numbers


def _best_replies(
    name: str,
    strategy: Sequence[mpq],
    labels: Sequence[str],
    lines: Sequence[Sequence[mpq]],
    value: mpq,
    sign: int,
) -> list[int]:
    """Return the other player's best replies to a strategy, and prove that these give the value.

    `lines` are the payoffs of each reply; `sign` is 1 if the strategy is player one's, else −1.
    """
    if len(strategy) != len(labels):
        raise NotProvedError(
            f"the {name} strategy has {len(strategy)} probabilities for {len(labels)} labels"
        )
    if min(strategy) < 0 or sum(strategy) != 1:
        raise NotProvedError(f"the {name} strategy is not a probability vector")
    played = [(k, chance) for k, chance in enumerate(strategy) if chance]
    gains = [sign * (sum(line[k] * chance for k, chance in played) - value) for line in lines]
    if min(gains) < 0:
        raise NotProvedError(f"the {name} strategy does not secure the value")
    return [reply for reply, gain in enumerate(gains) if gain == 0]


def _is_regular(payoff: list[list[mpq]], rows: list[int], columns: list[int]) -> bool:
    """Tell if the matrix of these bids, bordered by ones, is square and regular."""
    if len(rows) != len(columns):
        return False
    kernel = [[payoff[i][j] for j in columns] for i in rows]
    denominators = lcm(*(int(entry.denominator) for line in kernel for entry in line))
    prime, tried = MODULI_FROM, 0
    while tried < MODULI:
        prime = int(next_prime(prime))
        if denominators % prime:
            tried += 1
            if _determinant(kernel, prime):
                return True
    return False


def _determinant(kernel: list[list[mpq]], prime: int) -> int:
    """Return the determinant of a matrix bordered by ones, modulo a prime that divides no denominator."""
    matrix = [
        [int(entry.numerator * invert(entry.denominator, prime) % prime) for entry in line] + [1]
        for line in kernel
    ]
    matrix.append([1] * len(kernel) + [0])
    found = 1
    for k in range(len(matrix)):
        pivot = next((i for i in range(k, len(matrix)) if matrix[i][k]), None)
        if pivot is None:
            return 0
        matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
        found = found * matrix[k][k] % prime
        inverse = pow(matrix[k][k], -1, prime)
        for i in range(k + 1, len(matrix)):
            factor = matrix[i][k] * inverse % prime
            if factor:
                pairs = zip(matrix[i], matrix[k], strict=True)
                matrix[i] = [(a - factor * b) % prime for a, b in pairs]
    return found
