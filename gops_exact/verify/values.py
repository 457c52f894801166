"""The stored values as the verifier reads them: exactly, or as intervals.

A value that is not in the store, as happens beside the support of an opening, is enclosed: the
value of a matrix game grows with its payoffs, so the games of all lower and of all upper ends of the
payoffs bound it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from gmpy2 import c_div, f_div, mpz

from gops_exact.store import DiskStore
from gops_exact.verify.fractions import NotProvedError, Pair
from gops_exact.verify.interval import Interval
from gops_exact.verify.simplex import game_value
from gops_exact.verify.words import Outcome, outcomes, words

Prizes = tuple[int, ...]

PREFIX = "points/discard/random exact"
"""What the keys of the entries that can be checked begin with: the rules and the arithmetic."""

BLOCKS_KEPT = 8
"""Entries of the store held in memory; work proceeds upcard by upcard, so few serve."""

COUNT_BYTES = 8

_outcomes = cache(outcomes)


@dataclass(frozen=True)
class Stored:
    """One value as it was stored.

    Attributes:
        bases: for each distinct upcard, ascending, the basis as bit masks of rows and columns, of
            those bids that differ.
        numerator: two's complement, little-endian.
        denominator: the same.
    """

    bases: tuple[tuple[int, int], ...]
    numerator: memoryview
    denominator: memoryview

    @property
    def pair(self) -> Pair:
        """The fraction."""
        q = _integer(self.denominator)
        if q <= 0:
            raise NotProvedError("a denominator is not positive")
        return _integer(self.numerator), q


def _integer(data: memoryview) -> mpz:
    return mpz.from_bytes(bytes(data), "little", signed=True)


class PayloadReader:
    """Counts, integers and text from the bytes of an entry, front to back."""

    def __init__(self, payload: bytes) -> None:
        self._rest = memoryview(payload)

    def count(self) -> int:
        """A number of eight bytes."""
        return int.from_bytes(self._take(COUNT_BYTES), "little")

    def data(self) -> memoryview:
        """Bytes after their count."""
        return self._take(self.count())

    def integer(self) -> mpz:
        """An integer after its byte count."""
        return _integer(self.data())

    def end(self) -> None:
        """Nothing may follow."""
        if self._rest:
            raise NotProvedError("the payload is longer than what it holds")

    def _take(self, size: int) -> memoryview:
        if len(self._rest) < size:
            raise NotProvedError("the payload ends too early")
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def read_values(payload: bytes) -> list[Stored]:
    """The values of an entry."""
    reader = PayloadReader(payload)
    values = []
    for _ in range(reader.count()):
        bases = tuple((reader.count(), reader.count()) for _ in range(reader.count()))
        values.append(Stored(bases, reader.data(), reader.data()))
    reader.end()
    return values


class Values:
    """The exact values in a store, by prizes and word.

    Args:
        store: the store, open.
    """

    def __init__(self, store: DiskStore) -> None:
        self.store = store
        self._entry = lru_cache(BLOCKS_KEPT)(self._read)
        self._places = cache(lambda size, length: {w: n for n, w in enumerate(words(size, length))})
        self._intervals: dict[tuple[Prizes, str, int], Interval] = {}

    def _read(self, name: str) -> list[Stored] | None:
        payload = self.store.get(f"{PREFIX} {name}")
        return None if payload is None else read_values(payload)

    def find(self, prizes: Prizes, word: str) -> Pair | None:
        """A stored value, be it one of an entry for all words of its length, or by itself."""
        listed = ",".join(map(str, prizes))
        block = self._entry(f"values {listed} length {len(word)}")
        place = 0
        if block is None:
            block = self._entry(f"value {listed} of {word}")
        else:
            place = self._places(len(prizes), len(word))[word]
        if block is None:
            return None
        if place >= len(block):
            raise NotProvedError(f"prizes {listed}: the value of {word} is missing from its entry")
        return block[place].pair

    def interval(self, prizes: Prizes, word: str, bits: int) -> Interval:
        """A value times 2^bits."""
        key = prizes, word, bits
        if key not in self._intervals:
            pair = self.find(prizes, word)
            self._intervals[key] = (
                self._enclosed(prizes, word, bits) if pair is None else Interval.around(pair, bits)
            )
        return self._intervals[key]

    def _enclosed(self, prizes: Prizes, word: str, bits: int) -> Interval:
        low = high = mpz(0)
        for upcard, times, rest in draws(prizes):
            payoffs = Game(self, word, upcard, rest).intervals(bits)
            low += times * game_value([[entry.low for entry in row] for row in payoffs])
            high += times * game_value([[entry.high for entry in row] for row in payoffs])
        low, high = low / len(prizes), high / len(prizes)
        return Interval(f_div(*_terms(low)), c_div(*_terms(high)))


def _terms(number: mpz) -> tuple[mpz, mpz]:
    return number.numerator, number.denominator


def draws(prizes: Prizes) -> Iterator[tuple[int, int, Prizes]]:
    """Each distinct upcard, ascending, how often it is there, and the prizes that remain."""
    for upcard in sorted(set(prizes)):
        rest = list(prizes)
        rest.remove(upcard)
        yield upcard, prizes.count(upcard), tuple(rest)


@dataclass(frozen=True)
class Game:
    """The bids at a position with a prize turned up; interchangeable bids count once.

    Attributes:
        values: the values of the positions that follow.
        word: the hands.
        upcard: the prize, in points.
        rest: the prizes that remain.
    """

    values: Values
    word: str
    upcard: int
    rest: Prizes

    @property
    def outcomes(self) -> list[list[Outcome]]:
        """What the bids lead to, shape (m, n)."""
        return _outcomes(self.word)

    def pair(self, outcome: Outcome) -> Pair:
        """A payoff exactly.

        Raises:
            NotProvedError: if the value it rests on is not in the store.
        """
        gain = self.upcard * outcome.sign
        if outcome.orientation == 0:
            return mpz(gain), mpz(1)
        pair = self.values.find(self.rest, outcome.word)
        if pair is None:
            listed = ",".join(map(str, self.rest))
            raise NotProvedError(f"the store has no value of {outcome.word} with prizes {listed}")
        p, q = pair
        return outcome.orientation * p + gain * q, q

    def intervals(self, bits: int) -> list[list[Interval]]:
        """All payoffs times 2^bits, shape (m, n)."""
        return [[self._interval(outcome, bits) for outcome in row] for row in self.outcomes]

    def _interval(self, outcome: Outcome, bits: int) -> Interval:
        scaled = mpz(self.upcard * outcome.sign) << bits
        gain = Interval(scaled, scaled)
        if outcome.orientation == 0:
            return gain
        value = self.values.interval(self.rest, outcome.word, bits)
        return gain + value if outcome.orientation > 0 else gain - value
