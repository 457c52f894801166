"""Numbers and first moves from the bytes of a store's entries."""

import sys
from dataclasses import dataclass, replace
from io import BytesIO

from gmpy2 import mpz

from gops_exact.documents import EXACT
from gops_exact.verify.arithmetic import NotProvedError, Pair

COUNT_BYTES = 8

MOST_EXPONENT = 1 << 24
"""Greatest exponent of a ball, up or down: numbers of this program have far smaller ones."""


@dataclass(frozen=True)
class Known:
    """A number as far as it is known: by a fraction or a ball, by its residue, or by both."""

    fraction: Pair | None = None
    ball: tuple[Pair, Pair] | None = None  # the least and the greatest that the number can be
    bases: tuple[tuple[int, int], ...] = ()  # by turn, rows and columns of the bids that differ
    residue: int | None = None  # modulo the prime of the arithmetic
    proved: bool = True  # False if the residue rests on a tie that is not proved

    @property
    def pair(self) -> Pair:
        """The fraction."""
        if self.fraction is None:
            raise NotProvedError("a value is known as a ball alone")
        if self.fraction[1] <= 0:
            raise NotProvedError("a denominator is not positive")
        return self.fraction

    @property
    def ends(self) -> tuple[Pair, Pair]:
        """The least and the greatest that the number can be."""
        return self.ball or (self.pair, self.pair)


def _take(payload: BytesIO, size: int) -> bytes:
    taken = payload.read(min(size, sys.maxsize))
    if len(taken) < size:
        raise NotProvedError("the payload ends too early")
    return taken


def _count(payload: BytesIO) -> int:
    return int.from_bytes(_take(payload, COUNT_BYTES), "little")


def _integer(payload: BytesIO) -> mpz:
    return mpz.from_bytes(_take(payload, _count(payload)), "little", signed=True)


def _fraction(payload: BytesIO) -> Known:
    return Known((_integer(payload), _integer(payload)))


def _ball(payload: BytesIO) -> Known:
    """Read m · 2^e, within r · 2^f."""
    m, e, r, f = _integer(payload), _integer(payload), _count(payload), _integer(payload)
    if max(abs(e), abs(f)) > MOST_EXPONENT:
        raise NotProvedError("the exponent of a ball is out of bounds")
    places = int(max(-e, -f, 0))
    middle, radius = m << int(e) + places, mpz(r) << int(f) + places
    one = mpz(1) << places
    return Known(ball=((middle - radius, one), (middle + radius, one)))


def _end(payload: BytesIO) -> None:
    if payload.read(1):
        raise NotProvedError("the payload is longer than what it holds")


def read_values(data: bytes, kind: str = EXACT) -> list[Known]:
    """Read the values of an entry in one kind of number."""
    payload = BytesIO(data)
    if kind == EXACT:
        values = []
        for _ in range(_count(payload)):
            bases = tuple((_count(payload), _count(payload)) for _ in range(_count(payload)))
            values.append(replace(_fraction(payload), bases=bases))
    elif kind == "ball":
        # Those of small hands are fractions.
        read = _fraction if _count(payload) else _ball
        values = [read(payload) for _ in range(_count(payload))]
    else:
        proved = bool(_count(payload))
        balls = read_values(_take(payload, _count(payload)), "ball")
        values = [replace(each, residue=_count(payload), proved=proved) for each in balls]
    _end(payload)
    return values


def read_opening(data: bytes, kind: str = EXACT) -> tuple[list[Known], bool, bool]:
    """Read a first move: a probability for each card, if it is the only optimal one, if it is proved."""
    payload = BytesIO(data)
    if kind == EXACT:
        _take(payload, _count(payload))  # how it was found
        unique, proved = bool(_count(payload)), True
    elif kind == "ball":
        proved, unique = bool(_count(payload)), bool(_count(payload))
    else:
        unique, proved = bool(_count(payload)), bool(_count(payload))
    numbers = []
    for _ in range(_count(payload)):
        if kind == "residue":
            numbers.append(Known(residue=_count(payload)))
        else:
            numbers.append(_fraction(payload) if kind == EXACT else _ball(payload))
    _end(payload)
    return numbers, unique, proved
