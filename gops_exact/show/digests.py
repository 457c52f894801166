"""First moves too long to print, as facts that anyone can check against their own digits."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from gops_exact.numbers import BigRational
from gops_exact.solutions.first_moves import FirstMoves, upcard_name

PRIMES = (2**61 - 1, 2**64 - 59)
"""The moduli of the residues: a Mersenne prime, and the largest prime below 2^64."""

EDGE = 50
"""Digits shown at either end of a number."""

_TERM_FACTS = ("digits", "bits", f"first_{EDGE}_digits", f"last_{EDGE}_digits", "sha256")

HEADER = ",".join(
    [
        "n,upcard,card",
        *(f"modulo_{prime}" for prime in PRIMES),
        *(f"{term}_{fact}" for term in ("numerator", "denominator") for fact in _TERM_FACTS),
    ]
)


def digests(
    moves: FirstMoves[Any], _digits: int | None = None
) -> Iterator[str | Callable[[], str]]:
    """CSV lines, one for every probability that is not zero, as text and calls that make text.

    The probability modulo two primes, and for numerator and denominator in lowest terms the
    number of decimal digits and bits, the digits at either end and the SHA-256 of all of them as
    ASCII text.

    >>> from gops_exact import first_move
    >>> _, start, rest, *_ = digests(first_move(3, upcards=[2], store=":memory:"))
    >>> (start + rest())[:62]
    '3,2,2,1024819115206086201,4099276460824344791,1,3,5,5,ef2d127d'
    """
    yield f"{HEADER}\n"
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number = strategy.view(card)
            if isinstance(number, BigRational) and not number.is_zero:
                yield f"{moves.n},{upcard_name(upcard)},{card},"
                yield partial(_facts, number)


def residue(number: BigRational, prime: int) -> int:
    """The fraction modulo a prime.

    Raises:
        ValueError: if the prime divides the denominator.
    """
    numerator, denominator = int(number.p % prime), int(number.q % prime)
    if denominator == 0:
        raise ValueError(f"the prime must not divide a denominator, got {prime}; take another one")
    return numerator * pow(denominator, -1, prime) % prime


def _facts(number: BigRational) -> str:
    """Return the rest of a number's line."""
    facts: list[int | str] = [residue(number, prime) for prime in PRIMES]
    for term in (number.numerator, number.denominator):
        facts += [term.digits, term.bits, term.head(EDGE), term.tail(EDGE), term.sha256()]
    return f"{','.join(map(str, facts))}\n"
