"""Stored values, exact or as intervals, and the payoffs of the matrix games made of them.

Where the store lacks a value, as it may beside the support of an opening, the value is enclosed: it
grows with the payoffs, so the games of all lower and of all upper ends of the payoffs bound it.
"""

from collections import OrderedDict
from dataclasses import dataclass
from functools import cache

from gmpy2 import c_div, f_div, mpq, mpz

from gops_exact.store import DiskStore
from gops_exact.verify.arithmetic import Interval, NotProvedError, Pair, add_up, game_value
from gops_exact.verify.rules import Left, Outcome, Stake, Turn, outcomes, turns, word_count, words

KEPT_BYTES, KEPT_ENTRIES = 1 << 28, 8
"""Payload of entries held in memory, or so many entries where they are longer."""

COUNT_BYTES = 8

_outcomes = cache(outcomes)


@dataclass(frozen=True)
class Stored:
    """One value as it was stored.

    Attributes:
        bases: for each turn, upcards ascending, the basis as bit masks of rows and columns, of
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
        """Read a number of eight bytes."""
        return int.from_bytes(self._take(COUNT_BYTES), "little")

    def data(self) -> memoryview:
        """Read bytes after their count."""
        return self._take(self.count())

    def integer(self) -> mpz:
        """Read an integer after its byte count."""
        return _integer(self.data())

    def end(self) -> None:
        """Refuse bytes that follow."""
        if self._rest:
            raise NotProvedError("the payload is longer than what it holds")

    def _take(self, size: int) -> memoryview:
        if len(self._rest) < size:
            raise NotProvedError("the payload ends too early")
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def read_values(payload: bytes) -> list[Stored]:
    """Read the values of an entry."""
    reader = PayloadReader(payload)
    values = []
    for _ in range(reader.count()):
        bases = tuple((reader.count(), reader.count()) for _ in range(reader.count()))
        values.append(Stored(bases, reader.data(), reader.data()))
    reader.end()
    return values


class Values:
    """The exact values in an open store."""

    def __init__(self, store: DiskStore) -> None:
        self.store = store
        self._kept: OrderedDict[str, list[Stored] | None] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._places = cache(lambda size, length: {w: n for n, w in enumerate(words(size, length))})
        self._intervals: dict[tuple[Left, str, int], Interval] = {}

    def _entry(self, name: str) -> list[Stored] | None:
        if name not in self._kept:
            payload = self.store.get(name)
            self._kept[name] = None if payload is None else read_values(payload)
            self._sizes[name] = 0 if payload is None else len(payload)
            while sum(self._sizes.values()) > KEPT_BYTES and len(self._kept) > KEPT_ENTRIES:
                del self._sizes[self._kept.popitem(last=False)[0]]
        self._kept.move_to_end(name)
        return self._kept[name]

    def find(self, left: Left, word: str) -> Pair | None:
        """Look a value up, in the entry for all words of its length or in its own."""
        block = self._entry(left.values_key(len(word)))
        place = 0
        if block is None:
            block = self._entry(left.values_key(word))
        elif len(block) != word_count(len(left.prizes), len(word)):
            raise NotProvedError(f"prizes {left.name}: values are missing from the entry of {word}")
        else:
            place = self._places(len(left.prizes), len(word))[word]
        if block is None:
            return None
        return block[place].pair

    def interval(self, left: Left, word: str, bits: int) -> Interval:
        """Enclose a value times 2^bits."""
        key = left, word, bits
        if key not in self._intervals:
            pair = self.find(left, word)
            around = Interval.around(pair, bits) if pair else self._enclosed(left, word, bits)
            self._intervals[key] = around
        return self._intervals[key]

    def _enclosed(self, left: Left, word: str, bits: int) -> Interval:
        low, high, count = mpq(0), mpq(0), 0
        for turn in turns(left):
            count += turn.times
            payoffs = Game(self, word, turn).intervals(bits)
            low += turn.times * game_value([[entry.low for entry in row] for row in payoffs])
            high += turn.times * game_value([[entry.high for entry in row] for row in payoffs])
        return Interval(low // count, -(-high // count))


@dataclass(frozen=True)
class Game:
    """The bids at a position; interchangeable ones count once.

    Attributes:
        values: the values of the positions that follow.
        word: the hands.
        turn: the upcard, and the prizes that the bids may be for.
    """

    values: Values
    word: str
    turn: Turn

    @property
    def outcomes(self) -> list[list[Outcome]]:
        """The outcomes of all pairs of bids, shape (m, n)."""
        return _outcomes(self.word)

    def pair(self, outcome: Outcome) -> Pair:
        """Return a payoff exactly.

        Raises:
            NotProvedError: if a value it rests on is not in the store.
        """
        pairs = [(stake.times, self._pair(outcome, stake)) for stake in self.turn.stakes]
        if len(pairs) == 1:
            return pairs[0][1]
        numerator, denominator = add_up([(times * p, q) for times, (p, q) in pairs])
        return numerator, denominator * self.turn.times

    def _pair(self, outcome: Outcome, stake: Stake) -> Pair:
        gain, left, orientation = _followed(outcome, stake)
        if orientation == 0:
            return mpz(gain), mpz(1)
        pair = self.values.find(left, outcome.word)
        if pair is None:
            raise NotProvedError(
                f"the store has no value of {outcome.word} with prizes {left.name}"
            )
        p, q = pair
        return orientation * p + gain * q, q

    def intervals(self, bits: int) -> list[list[Interval]]:
        """Enclose all payoffs times 2^bits, shape (m, n)."""
        return [[self._interval(outcome, bits) for outcome in row] for row in self.outcomes]

    def _interval(self, outcome: Outcome, bits: int) -> Interval:
        stakes = self.turn.stakes
        found = [self._staked(outcome, stake, bits) for stake in stakes]
        if len(found) == 1:
            return found[0]
        low = sum(stake.times * each.low for stake, each in zip(stakes, found, strict=True))
        high = sum(stake.times * each.high for stake, each in zip(stakes, found, strict=True))
        return Interval(f_div(low, self.turn.times), c_div(high, self.turn.times))

    def _staked(self, outcome: Outcome, stake: Stake, bits: int) -> Interval:
        points, left, orientation = _followed(outcome, stake)
        scaled = mpz(points) << bits
        gain = Interval(scaled, scaled)
        if orientation == 0:
            return gain
        value = self.values.interval(left, outcome.word, bits)
        return gain + value if orientation > 0 else gain - value


def _followed(outcome: Outcome, stake: Stake) -> tuple[int, Left, int]:
    """Return a payoff's points, the game that follows, and the sign of its value, 0 if there is none."""
    gain, left = stake.gains[outcome.sign], stake.left[outcome.sign]
    if left.known is not None:
        return gain + left.known, left, 0
    if outcome.orientation < 0:
        return gain, left.mirrored, -1
    # Equal hands are worth nothing unless somebody is ahead.
    return gain, left, outcome.orientation or int(left.margin != 0)
