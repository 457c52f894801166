"""Stored values, as fractions or balls, and the payoffs of the matrix games made of them.

Where the store lacks a value, as it may beside the support of an opening, the value is enclosed: it
grows with the payoffs, so the games of all lower and of all upper ends of the payoffs bound it.
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cache

from gmpy2 import c_div, f_div, mpq, mpz

from gops_exact.store import DiskStore
from gops_exact.verify.arithmetic import Interval, NotProvedError, Pair, add_up, cleared, solve_game
from gops_exact.verify.rules import (
    EXACT,
    Left,
    Outcome,
    Stake,
    Turn,
    outcomes,
    turns,
    word_count,
    words,
)

KEPT_BYTES, KEPT_ENTRIES = 1 << 28, 8
"""Payload of entries held in memory, or so many entries where they are longer."""

COUNT_BYTES = 8

MOST_EXPONENT = 1 << 24
"""Greatest exponent of a ball, up or down: numbers of this program have far smaller ones."""

_outcomes = cache(outcomes)


@dataclass(frozen=True)
class Stored:
    """One number as it was stored: a fraction or a ball, perhaps with its residue."""

    terms: tuple[memoryview, memoryview] | None = None  # the fraction, in two's complement
    ball: tuple[Pair, Pair] | None = None  # the least and the greatest that the number can be
    bases: tuple[
        tuple[int, int], ...
    ] = ()  # for each turn, rows and columns of the bids that differ
    residue: int | None = None  # modulo the prime of the arithmetic
    proved: bool = True  # False if the residue rests on a tie that is not proved

    @property
    def pair(self) -> Pair:
        """The fraction."""
        if self.terms is None:
            raise NotProvedError("a value is known as a ball alone")
        p, q = map(_integer, self.terms)
        if q <= 0:
            raise NotProvedError("a denominator is not positive")
        return p, q

    @property
    def ends(self) -> tuple[Pair, Pair]:
        """The least and the greatest that the number can be."""
        return self.ball or (self.pair, self.pair)


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

    def fraction(self) -> Stored:
        """Read a numerator and a denominator."""
        return Stored(terms=(self.data(), self.data()))

    def ball(self) -> Stored:
        """Read a ball: m · 2^e, within r · 2^f."""
        m, e, r, f = self.integer(), self.integer(), self.count(), self.integer()
        if max(abs(e), abs(f)) > MOST_EXPONENT:
            raise NotProvedError("the exponent of a ball is out of bounds")
        places = int(max(-e, -f, 0))
        middle, radius = m << int(e) + places, mpz(r) << int(f) + places
        one = mpz(1) << places
        return Stored(ball=((middle - radius, one), (middle + radius, one)))

    def end(self) -> None:
        """Refuse bytes that follow."""
        if self._rest:
            raise NotProvedError("the payload is longer than what it holds")

    def _take(self, size: int) -> memoryview:
        if len(self._rest) < size:
            raise NotProvedError("the payload ends too early")
        taken, self._rest = self._rest[:size], self._rest[size:]
        return taken


def read_values(payload: bytes, kind: str = EXACT) -> list[Stored]:
    """Read the values of an entry in one kind of number."""
    reader = PayloadReader(payload)
    if kind == EXACT:
        values = []
        for _ in range(reader.count()):
            bases = tuple((reader.count(), reader.count()) for _ in range(reader.count()))
            values.append(replace(reader.fraction(), bases=bases))
    elif kind == "ball":
        # Those of small hands are fractions.
        read = reader.fraction if reader.count() else reader.ball
        values = [read() for _ in range(reader.count())]
    else:
        proved, balls = bool(reader.count()), read_values(bytes(reader.data()), "ball")
        values = [replace(each, residue=reader.count(), proved=proved) for each in balls]
    reader.end()
    return values


class Values:
    """The values of one arithmetic in an open store.

    Attributes:
        used: those that were asked for.
        residues: those that were asked for, proved or to be proved with their entries.
    """

    def __init__(self, store: DiskStore, arithmetic: str = EXACT) -> None:
        self.store, self.arithmetic = store, arithmetic
        self.used: set[tuple[Left, str]] = set()
        self.residues: dict[tuple[Left, str], int] = {}
        self.of = cache(lambda other: self if other == arithmetic else Values(store, other))
        self.computed = cache(self._computed)
        self._kept: OrderedDict[str, list[Stored] | None] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._places = cache(lambda size, length: {w: n for n, w in enumerate(words(size, length))})
        self._intervals: dict[tuple[Left, str, int], Interval] = {}

    @property
    def parameters(self) -> list[int]:
        """Prime, precision and hands up to which values are exact, as far as the arithmetic has them."""
        return list(map(int, self.arithmetic.split("/")[1:]))

    def _entry(self, name: str) -> list[Stored] | None:
        if name not in self._kept:
            payload = self.store.get(name)
            kind = self.arithmetic.partition("/")[0]
            self._kept[name] = None if payload is None else read_values(payload, kind)
            self._sizes[name] = 0 if payload is None else len(payload)
            while sum(self._sizes.values()) > KEPT_BYTES and len(self._kept) > KEPT_ENTRIES:
                del self._sizes[self._kept.popitem(last=False)[0]]
        self._kept.move_to_end(name)
        return self._kept[name]

    def find(self, left: Left, word: str) -> Stored | None:
        """Look a value up, in the entry for all words of its length or in its own."""
        size, length = len(left.prizes), len(word)
        for hands, count in ((length, word_count(size, length)), (word, 1)):
            block = self._entry(left.values_key(hands, self.arithmetic))
            if block is None:
                continue
            if len(block) != count:
                raise NotProvedError(
                    f"prizes {left.name}: values are missing from the entry of {word}"
                )
            self.used.add((left, word))
            return block[0 if hands == word else self._places(size, length)[word]]
        return None

    def pair(self, left: Left, word: str) -> Pair:
        """Return a value exactly; that of small hands, where balls keep it, is computed if it is missing.

        Raises:
            NotProvedError: if the store lacks it.
        """
        stored = self.find(left, word)
        if stored is not None:
            return stored.pair
        if self.arithmetic == EXACT or len(left.prizes) > self.parameters[-1]:
            raise NotProvedError(f"the store has no value of {word} with prizes {left.name}")
        return self.computed(left, word)

    def _computed(self, left: Left, word: str) -> Pair:
        """Compute a value from those one prize smaller."""
        total, count = mpq(0), 0
        for turn in turns(left):
            payoff, common = Game(self, word, turn).exact()
            total += turn.times * solve_game(payoff)[0] / common
            count += turn.times
        total /= count
        return total.numerator, total.denominator

    def interval(self, left: Left, word: str, bits: int) -> Interval:
        """Enclose a value times 2^bits."""
        key = left, word, bits
        if key not in self._intervals:
            stored = self.find(left, word)
            self._intervals[key] = (
                Interval.between(*stored.ends, bits) if stored else self.enclosed(left, word, bits)
            )
        return self._intervals[key]

    def enclosed(self, left: Left, word: str, bits: int) -> Interval:
        """Enclose a value times 2^bits by the values one prize smaller."""
        low, high, count = mpq(0), mpq(0), 0
        for turn in turns(left):
            count += turn.times
            payoffs = Game(self, word, turn).intervals(bits)
            low += turn.times * solve_game([[entry.low for entry in row] for row in payoffs])[0]
            high += turn.times * solve_game([[entry.high for entry in row] for row in payoffs])[0]
        return Interval(low // count, -(-high // count))


@dataclass(frozen=True)
class Game:
    """The bids at a position; interchangeable ones count once."""

    values: Values  # of the positions that follow
    word: str  # the hands
    turn: Turn  # the upcard, and the prizes that the bids may be for

    @property
    def outcomes(self) -> list[list[Outcome]]:
        """The outcomes of all pairs of bids, shape (m, n)."""
        return _outcomes(self.word)

    def pair(self, outcome: Outcome) -> Pair:
        """Return a payoff exactly.

        Raises:
            NotProvedError: if a value it rests on is not in the store, or not as a fraction.
        """
        pairs = [(stake.times, self._pair(outcome, stake)) for stake in self.turn.stakes]
        if len(pairs) == 1:
            return pairs[0][1]
        numerator, denominator = add_up([(times * p, q) for times, (p, q) in pairs])
        return numerator, denominator * self.turn.times

    def _pair(self, outcome: Outcome, stake: Stake) -> Pair:
        gain, left, orientation = followed(outcome, stake)
        if orientation == 0:
            return mpz(gain), mpz(1)
        p, q = self.values.pair(left, outcome.word)
        return orientation * p + gain * q, q

    def exact(self) -> tuple[list[list[mpz]], mpz]:
        """Return all payoffs times their common denominator, shape (m, n), and that denominator."""
        width = len(self.outcomes[0])
        flat, common = cleared([self.pair(outcome) for row in self.outcomes for outcome in row])
        return [flat[start : start + width] for start in range(0, len(flat), width)], common

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
        points, left, orientation = followed(outcome, stake)
        scaled = mpz(points) << bits
        gain = Interval(scaled, scaled)
        if orientation == 0:
            return gain
        value = self.values.interval(left, outcome.word, bits)
        return gain + value if orientation > 0 else gain - value


def followed(outcome: Outcome, stake: Stake) -> tuple[int, Left, int]:
    """Return a payoff's points, the game that follows, and the sign of its value, 0 if there is none."""
    gain, left = stake.gains[outcome.sign], stake.left[outcome.sign]
    if left.known is not None:
        return gain + left.known, left, 0
    if outcome.orientation < 0:
        return gain, left.mirrored, -1
    # Equal hands are worth nothing unless somebody is ahead.
    return gain, left, outcome.orientation or int(left.margin != 0)
