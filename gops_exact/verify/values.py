"""Values of a store, and the matrix games of positions.

A store may lack values of positions to which no optimal first move leads. Such a value is enclosed: it
grows with the payoffs, so the games of their lower ends and of their upper ends bound it.
"""

from collections import OrderedDict
from collections.abc import Iterator
from functools import cache

from gmpy2 import invert, mpq, mpz

from gops_exact.base.documents import EXACT
from gops_exact.solvers.store import DiskStore
from gops_exact.verify.entries import Known, read_values
from gops_exact.verify.intervals import (
    Interval,
    NotProvedError,
    Pair,
    add_up,
    cleared,
    kernel,
    solve_game,
    sum_up,
)
from gops_exact.verify.words import Left, Outcome, Stakes, outcomes, turns, word_count, words

KEPT_BYTES, KEPT_ENTRIES = 1 << 28, 8
"""Bytes of the entries held in memory; more where that are not so many entries."""

PRECISIONS = (96, 768)
"""Binary places of intervals, tried one after the other before exact numbers: those that 768 places do not tell apart
are most likely equal."""


class Values:
    """The values of one arithmetic in an open store."""

    def __init__(self, store: DiskStore, arithmetic: str = EXACT) -> None:
        self.store = store
        self.kind, *parameters = arithmetic.split("/")  # "exact", "ball" or "residue"
        self.prime, bits, self._exact_up_to = [0, 0, 0, *map(int, parameters)][-3:]
        self.places = 2 * bits  # binary ones that add nothing to speak of to the balls
        self.used: set[tuple[Left, str]] = set()  # the values that were asked for
        self.of = cache(lambda other: self if other == arithmetic else Values(store, other))
        self._arithmetic = arithmetic
        self._entries: OrderedDict[str, list[Known] | None] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._computed: dict[tuple[Left, str], Known] = {}
        self._intervals: dict[tuple[Left, str, int], Interval] = {}
        self._residues: dict[tuple[Left, str], mpz] = {}

    def entry(self, left: Left, hands: int | str) -> list[Known] | None:
        """Return the value of one word or of all words of a length, None if there is no such entry."""
        key = left.values_key(hands, self._arithmetic)
        if key not in self._entries:
            payload = self.store.get(key)
            self._entries[key] = None if payload is None else read_values(payload, self.kind)
            self._sizes[key] = 0 if payload is None else len(payload)
            while sum(self._sizes.values()) > KEPT_BYTES and len(self._sizes) > KEPT_ENTRIES:
                del self._sizes[self._entries.popitem(last=False)[0]]
        self._entries.move_to_end(key)
        values = self._entries[key]
        count = 1 if isinstance(hands, str) else word_count(len(left.prizes), hands)
        if values is not None and len(values) != count:
            raise NotProvedError(
                f"expected {count} values with prizes {left.name}, got {len(values)}"
            )
        return values

    def find(self, left: Left, word: str) -> Known | None:
        """Look a value up, in the entry for all words of its length or in its own."""
        if values := self.entry(left, len(word)):
            known = values[words(len(left.prizes), len(word))[word]]
        elif values := self.entry(left, word):
            known = values[0]
        else:
            return None
        self.used.add((left, word))
        return known

    def pair(self, left: Left, word: str) -> Pair:
        """Return a value exactly; one of small hands, which are exact beside balls, is computed if it is missing."""
        stored = self.find(left, word)
        if stored is None and len(left.prizes) <= self._exact_up_to:
            if (left, word) not in self._computed:
                self._computed[left, word] = self.enclosed(left, word, None)
            stored = self._computed[left, word]
        if stored is None:
            raise NotProvedError(f"the store has no value of {word} with prizes {left.name}")
        return stored.pair

    def interval(self, left: Left, word: str, bits: int) -> Interval:
        """Enclose a value times 2^bits."""
        key = left, word, bits
        if key not in self._intervals:
            known = self.find(left, word) or self.enclosed(left, word, bits)
            self._intervals[key] = Interval.between(*known.ends, bits)
        return self._intervals[key]

    def enclosed(self, left: Left, word: str, bits: int | None) -> Known:
        """Enclose a value by those one prize smaller; None for `bits` takes exact values, as in :meth:`Game.intervals`."""
        low, high, count = mpq(0), mpq(0), 0
        for weight, stakes in turns(left).values():
            payoff, one = Game(self, word, stakes).intervals(bits)
            least, _, _ = solve_game([[entry.low for entry in row] for row in payoff])
            greatest = least
            if bits is not None:
                greatest, _, _ = solve_game([[entry.high for entry in row] for row in payoff])
            low, high = low + weight * least / one, high + weight * greatest / one
            count += weight
        low, high = low / count, high / count
        ends = (low.numerator, low.denominator), (high.numerator, high.denominator)
        return Known(ends[0]) if bits is None else Known(ball=ends)

    def residue(self, left: Left, word: str) -> mpz:
        """Return a value modulo the prime; one that the store lacks is computed."""
        key = left, word
        if key not in self._residues:
            stored = self.find(left, word) or Known()
            if not stored.proved:
                raise NotProvedError("it rests on a residue that is not proved")
            residue = stored.residue
            self._residues[key] = (
                self.computed_residue(left, word) if residue is None else mpz(residue)
            )
        return self._residues[key]

    def computed_residue(self, left: Left, word: str) -> mpz:
        """Return a value modulo the prime, from those one prize smaller, on bases proved optimal."""
        total, count = mpz(0), 0
        for weight, stakes in turns(left).values():
            game = Game(self, word, stakes)
            try:
                payoff, _ = game.intervals(None)
            except NotProvedError:
                payoff, _ = game.intervals(self.places)
            _, rows, columns = solve_game([[entry.low for entry in row] for row in payoff])
            if not game.is_optimal(rows, columns):
                raise NotProvedError("no basis is proved optimal")
            square = [[game.residue(game.outcomes[i][j]) for j in columns] for i in rows]
            *weights, value = kernel([[*line, mpz(-1)] for line in square])
            total += weight * value * self.inverse(sum(weights))
            count += weight
        return total * self.inverse(count) % self.prime

    def inverse(self, number: mpz | int) -> mpz:
        """Return the inverse modulo the prime."""
        try:
            return invert(number, self.prime)
        except ZeroDivisionError:
            raise NotProvedError("the prime divides a denominator") from None


class Game:
    """The matrix game of the bids at a position; of interchangeable bids one counts.

    Args:
        values: the values of the positions that follow.
        word: the hands.
        stakes: the prizes that the bids may be for.
    """

    def __init__(self, values: Values, word: str, stakes: Stakes) -> None:
        self.values, self._stakes = values, stakes
        self._count = sum(weight for weight, _ in stakes)
        self.outcomes = outcomes(word)  # shape (m, n)

    def _terms(self, outcome: Outcome) -> Iterator[tuple[int, int, int, tuple[Left, str]]]:
        """Yield weights, points, signs and positions: a payoff is the mean of points + sign · value."""
        bids, orientation, word = outcome
        for weight, branches in self._stakes:
            points, left = branches[bids]
            # Equal hands, of orientation 0, are worth nothing unless somebody is ahead.
            sign = orientation or int(left.margin != 0)
            if not left.prizes or abs(left.margin) > sum(left.prizes) + left.pot:  # decided
                points, sign = points + (left.margin > 0) - (left.margin < 0), 0
            elif orientation < 0:
                left = left._replace(margin=-left.margin)
            yield weight, points, sign, (left, word)

    def pair(self, outcome: Outcome) -> Pair:
        """Return a payoff exactly."""
        pairs = []
        for weight, points, sign, position in self._terms(outcome):
            p, q = self.values.pair(*position) if sign else (mpz(0), mpz(1))
            pairs.append((weight * (sign * p + points * q), q))
        numerator, denominator = add_up(pairs)
        return numerator, denominator * self._count

    def residue(self, outcome: Outcome) -> mpz:
        """Return a payoff modulo the prime."""
        total = mpz(0)
        for weight, points, sign, position in self._terms(outcome):
            value = self.values.residue(*position) if sign else 0
            total += weight * (points + sign * value)
        return total * self.values.inverse(self._count)

    def interval(self, outcome: Outcome, bits: int) -> Interval:
        """Enclose a payoff times 2^bits."""
        low, high = mpz(0), mpz(0)
        for weight, points, sign, position in self._terms(outcome):
            ends = [mpz(0), mpz(0)]
            if sign:
                value = self.values.interval(*position, bits)
                ends = sorted((sign * value.low, sign * value.high))
            low += weight * ((points << bits) + ends[0])
            high += weight * ((points << bits) + ends[1])
        return Interval(low // self._count, -(-high // self._count))

    def intervals(self, bits: int | None) -> tuple[list[list[Interval]], mpz]:
        """Enclose all payoffs times a factor, shape (m, n), and return the factor, too.

        The factor is 2^bits; with None it is a common denominator, and the payoffs are exact.
        """
        if bits is not None:
            one = mpz(1) << bits
            return [[self.interval(cell, bits) for cell in row] for row in self.outcomes], one
        width = len(self.outcomes[0])
        flat, one = cleared([self.pair(outcome) for row in self.outcomes for outcome in row])
        points = [Interval(number, number) for number in flat]
        return [points[start : start + width] for start in range(0, len(points), width)], one

    def is_optimal(self, rows: list[int], columns: list[int]) -> bool:
        """Tell if a basis is optimal, on intervals of growing precision, at last exactly."""
        for bits in (*PRECISIONS, None):  # exact payoffs leave nothing open
            payoff, one = self.intervals(bits)
            turned = [[-entry for entry in column] for column in zip(*payoff, strict=True)]
            sides = shortfalls(payoff, one, rows, columns), shortfalls(turned, one, columns, rows)
            if any(side == [] or (side and min(x.high for x in side) < 0) for side in sides):
                return False
            if all(side and min(x.low for x in side) >= 0 for side in sides):
                return True
        return False


def shortfalls(
    payoff: list[list[Interval]], one: mpz, rows: list[int], columns: list[int]
) -> list[Interval] | None:
    """Return numbers that are ≥ 0 if the columns' player holds the other one to the value of a basis.

    Args:
        payoff: the payoffs times `one`, shape (m, n).
        one: a positive factor.
        rows: the rows of the basis.
        columns: the columns of the basis, as many.

    Returns:
        The weights of the columns, then the amounts by which the rows outside the basis gain less than the
        value, all times one positive factor; an empty list if the basis is singular; None if it is not
        certain whether it is.
    """
    unit = Interval(one, one)
    z = kernel([[*(payoff[i][j] for j in columns), -unit] for i in rows])
    sign = sum_up(z[:-1]).sign
    if sign is None:
        return None
    if sign == 0:
        return []
    *weights, value = z if sign > 0 else [-number for number in z]
    level = unit * value
    return weights + [
        level - sum_up([payoff[i][j] * w for j, w in zip(columns, weights, strict=True)])
        for i in range(len(payoff))
        if i not in rows
    ]
