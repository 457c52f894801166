"""First moves too long to print, as facts that anyone can check against their own digits."""

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from flint import fmpz

from gops_exact.game.rules import upcard_name
from gops_exact.numbers import BigRational

if TYPE_CHECKING:
    from gops_exact.solutions.first_moves import FirstMoves

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


def digests(moves: "FirstMoves[Any]", _digits: int | None, texts: Iterator[str]) -> Iterator[str]:
    """CSV lines, one for every probability that is not zero.

    The probability modulo two primes, and for numerator and denominator in lowest terms the
    number of decimal digits and bits, the digits at either end and the SHA-256 of all of them as
    ASCII text.

    Args:
        moves: exact first moves.
        texts: every number in full, column by column.

    >>> from gops_exact import first_move
    >>> _, line, _ = digests(
    ...     first_move(3, upcards=[2], store=":memory:"), None, iter(["0", "5/9", "4/9"])
    ... )
    >>> line[:62]
    '3,2,2,1024819115206086201,4099276460824344791,1,3,5,5,ef2d127d'
    """
    yield f"{HEADER}\n"
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number, text = strategy[card], next(texts)
            if isinstance(number, BigRational) and not number.is_zero:
                facts: list[object] = [moves.n, upcard_name(upcard), card]
                facts += (residue(number, prime) for prime in PRIMES)
                numerator, _, denominator = text.partition("/")
                facts += _of_term(number.p, numerator) + _of_term(number.q, denominator or "1")
                yield f"{','.join(map(str, facts))}\n"


def residue(number: BigRational, prime: int) -> int:
    """The fraction modulo a prime.

    Raises:
        ValueError: if the prime divides the denominator.
    """
    numerator, denominator = int(number.p % prime), int(number.q % prime)
    if denominator == 0:
        raise ValueError(f"the prime must not divide a denominator, got {prime}; take another one")
    return numerator * pow(denominator, -1, prime) % prime


def _of_term(term: fmpz, digits: str) -> list[object]:
    """Return the facts on a positive integer."""
    digest = sha256(digits.encode()).hexdigest()
    return [len(digits), term.bit_length(), digits[:EDGE], digits[-EDGE:], digest]
