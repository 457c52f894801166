"""First moves too long to print, as facts that anyone can check against their own digits."""

from collections.abc import Iterator
from typing import Any

from gops_exact.numbers import BigInteger, BigRational
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


def digests(moves: FirstMoves[Any], _digits: int | None = None) -> Iterator[str]:
    """CSV lines, one for every probability that is not zero.

    The probability modulo two primes, and for numerator and denominator in lowest terms the
    number of decimal digits and bits, the digits at either end and the SHA-256 of all of them as
    ASCII text.

    >>> from gops_exact import first_move
    >>> lines = list(digests(first_move(3, upcards=[2], store=":memory:")))
    >>> lines[1][:62]
    '3,2,2,1024819115206086201,4099276460824344791,1,3,5,5,ef2d127d'
    """
    yield f"{HEADER}\n"
    for upcard, strategy in moves.columns.items():
        for card in strategy:
            number = strategy.view(card)
            if isinstance(number, BigRational) and not number.is_zero:
                residues = (residue(number, prime) for prime in PRIMES)
                facts = [*residues, *_facts(number.numerator), *_facts(number.denominator)]
                yield f"{moves.n},{upcard_name(upcard)},{card},{','.join(map(str, facts))}\n"


def residue(number: BigRational, prime: int) -> int:
    """The fraction modulo a prime.

    Raises:
        ValueError: if the prime divides the denominator.
    """
    numerator, denominator = int(number.p % prime), int(number.q % prime)
    if denominator == 0:
        raise ValueError(f"the prime must not divide a denominator, got {prime}; take another one")
    return numerator * pow(denominator, -1, prime) % prime


def _facts(term: BigInteger) -> list[int | str]:
    return [term.digits, term.bits, term.head(EDGE), term.tail(EDGE), term.sha256()]
