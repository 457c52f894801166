"""Values of a store, and the matrix games of positions.

Words used here:

* A *store* is a file of computed values of positions and of first moves. An *entry* of a store has a key, which is a
  text, and the bytes of one or more numbers.
* An *arithmetic* is a kind of number: exact fractions, balls or floats.
* The *upcard* is the prize turned up in a round.
* An *interleaving* is a pair of hands as a text. It has a letter for each card that is held, in ascending order: V for
  a card that only player one holds, Y for one that only player two holds, B for one that both hold.
* A *state* is a position without the hands: the rules, the prizes left, the margin and the pot. The *margin* is player
  one's points minus player two's; it is always 0 if the objective is points. The *pot* is the sum of the prizes carried
  over from ties.
* A *ball* is an interval, given by its midpoint and its radius.
* A *basis* is a choice of equally many rows and columns of the payoff matrix, which determines a strategy of each
  player.

A store may lack values of positions to which no optimal first move leads. Such a value is enclosed in an interval,
which is computed from intervals around the payoffs. The value of a matrix game cannot fall if payoffs rise. So the
value lies between the values of two other games: one has the lower ends of the payoffs' intervals as payoffs, the other
the upper ends.
"""

from collections import OrderedDict
from collections.abc import Iterator
from functools import cache, partial

from gmpy2 import mpq, mpz

from gops_exact.base.documents import EXACT
from gops_exact.base.store import DiskStore
from gops_exact.verify.entries import StoredNumber, read_values
from gops_exact.verify.interleavings import (
    Outcome,
    PrizeState,
    Stakes,
    interleavings,
    outcomes,
    stage_games,
)
from gops_exact.verify.intervals import (
    Interval,
    NotProvedError,
    Pair,
    add_up,
    cleared,
    null_vector,
    sum_up,
    value_of,
)

KEPT_BYTES, KEPT_ENTRIES = 1 << 28, 8
"""Limits on the entries of a store that stay in memory. If the entries together have more than KEPT_BYTES bytes, those
that were not used for the longest time are dropped. But the KEPT_ENTRIES entries that were used last always stay."""

PRECISIONS = (96, 768)
"""Precisions of the intervals with which signs are decided, as numbers of bits after the binary point. They are tried
in this order. If both leave a sign open, it is decided with exact numbers: two numbers that 768 bits do not distinguish
are most likely equal."""


class Values:
    """Values of positions in one kind of number, read from a store.

    Args:
        store: the open store.
        arithmetic: the name of the kind of number in the keys of entries: ``"exact"``, or ``"ball/bits/cards"`` for
            balls with a precision of `bits` bits. With the latter, values with at most `cards` cards a side are exact.
    """

    def __init__(self, store: DiskStore, arithmetic: str = EXACT) -> None:
        self.store = store
        self.kind, *parameters = arithmetic.split("/")  # "exact" or "ball"
        bits, self._exact_up_to = map(int, parameters or (0, 0))
        # The number of bits after the binary point of an interval around a payoff. It is twice the precision of the
        # arithmetic's balls, so that rounding hardly widens an interval.
        self.places = 2 * bits
        self.used: set[tuple[PrizeState, str]] = set()  # the values that were read
        self.of = cache(lambda other: self if other == arithmetic else Values(store, other))
        self._arithmetic = arithmetic
        # {key: (number of bytes, values or None)} of entries, those that were used last at the end
        self._entries: OrderedDict[str, tuple[int, list[StoredNumber] | None]] = OrderedDict()
        self.interval = cache(self._interval)
        self._computed = cache(partial(self.enclosed, bits=None))

    def entry(self, state: PrizeState, hands: int | str) -> list[StoredNumber] | None:
        """Return the values of an entry; None if there is no such entry.

        Args:
            state: the position without the hands: the rules, the prizes left, the margin and the pot.
            hands: a pair of hands as an interleaving, a text with a letter V, Y or B for each card, for the entry that
                has only the value of this pair; or the number of letters, for the entry that has the values of all
                interleavings of this length.

        Raises:
            NotProvedError: if the entry has too few or too many values, or a number that is invalid.
            StoreError, ValueError: if the entry is damaged.
        """
        key = state.values_key(hands, self._arithmetic)
        if key not in self._entries:
            payload = self.store.get(key)
            values = None if payload is None else read_values(payload, self.kind)
            self._entries[key] = len(payload or b""), values
            while (
                len(self._entries) > KEPT_ENTRIES
                and sum(nbytes for nbytes, _ in self._entries.values()) > KEPT_BYTES
            ):
                self._entries.popitem(last=False)
        self._entries.move_to_end(key)
        _, values = self._entries[key]
        count = 1 if isinstance(hands, str) else len(interleavings(len(state.prizes), hands))
        if values is not None and len(values) != count:
            raise NotProvedError(
                f"expected {count} values with prizes {state.name}, got {len(values)}"
            )
        return values

    def find(self, state: PrizeState, letters: str) -> StoredNumber | None:
        """Return the stored value of a position; None if the store lacks it.

        The value is taken from the entry with the values of all interleavings of the same length, if there is one, else
        from an entry with this value alone.

        Args:
            state: the position without the hands: the rules, the prizes left, the margin and the pot.
            letters: the hands as a text, with a letter for each card that is held, in ascending order: V for a card
                that only player one holds, Y for one that only player two holds, B for one that both hold.

        Raises:
            NotProvedError: if the entry has too few or too many values, or a number that is invalid.
            StoreError, ValueError: if the entry is damaged.
        """
        if values := self.entry(state, len(letters)):
            known = values[interleavings(len(state.prizes), len(letters))[letters]]
        elif values := self.entry(state, letters):
            known = values[0]
        else:
            return None
        self.used.add((state, letters))
        return known

    def pair(self, state: PrizeState, letters: str) -> Pair:
        """Return the exact value of a position as a fraction.

        With the arithmetic ``"ball/bits/cards"``, the values with at most `cards` cards a side are exact. Such a value
        is computed if the store lacks it.

        Args:
            state: the position without the hands: the rules, the prizes left, the margin and the pot.
            letters: the hands, as an interleaving: a letter V, Y or B for each card.

        Raises:
            NotProvedError: if the value is known only as a ball, or is neither stored nor computed.
        """
        stored = self.find(state, letters)
        if stored is None and len(state.prizes) <= self._exact_up_to:
            stored = self._computed(state, letters)
        if stored is None:
            raise NotProvedError(f"the store has no value of {letters} with prizes {state.name}")
        if not stored.is_exact:
            raise NotProvedError("a value is known as a ball alone")
        return stored.low

    def _interval(self, state: PrizeState, letters: str, bits: int) -> Interval:
        """Return an interval around 2^bits times the value of a position.

        If the store lacks the value, :meth:`enclosed` computes a ball around it.
        """
        known = self.find(state, letters) or self.enclosed(state, letters, bits)
        return Interval.between(known.low, known.high, bits)

    def enclosed(self, state: PrizeState, letters: str, bits: int | None) -> StoredNumber:
        """Compute the value of a position, or a ball around it, from the values of positions with one prize less.

        Args:
            state: the position without the hands: the rules, the prizes left, the margin and the pot.
            letters: the hands, as an interleaving: a letter V, Y or B for each card.
            bits: the number of bits after the binary point of the intervals around the payoffs. If `bits` is None, the
                payoffs are exact.

        Returns:
            A ball, or a fraction if `bits` is None.

        Raises:
            NotProvedError: if `bits` is None, and the exact value of a position that can follow is not known.
        """
        low, high, count = mpq(0), mpq(0), 0
        for weight, stakes in stage_games(state).values():
            payoff, one = Game(self, letters, stakes).intervals(bits)
            least = greatest = value_of([[entry.low for entry in row] for row in payoff])
            if bits is not None:
                greatest = value_of([[entry.high for entry in row] for row in payoff])
            low, high = low + weight * least / one, high + weight * greatest / one
            count += weight
        low, high = low / count, high / count
        ends = (low.numerator, low.denominator), (high.numerator, high.denominator)
        return StoredNumber(*ends, is_exact=bits is None)


class Game:
    """Matrix game of the bids at a position. Interchangeable bids, which have the same outcomes, share a row or column.

    Args:
        values: the values in an open store, among them those of the positions after the round.
        letters: the hands. For each card, from the lowest to the highest, there is a letter: V if only player one has
            the card, Y if only player two has it, B if both have it.
        stakes: a pair (weight, branches) for each prize for which the round may be played. The weight is proportional
            to the probability of this prize. The branches are those after a tie, after a win of player one and after a
            win of player two. A branch is (player one's gain in points, the position after the round without the
            hands).
    """

    def __init__(self, values: Values, letters: str, stakes: Stakes) -> None:
        self.values, self._stakes = values, stakes
        self._count = sum(weight for weight, _ in stakes)
        self.outcomes = outcomes(letters)  # the outcome of each pair of bids, shape (m, n)

    def _terms(self, outcome: Outcome) -> Iterator[tuple[int, int, int, tuple[PrizeState, str]]]:
        """Yield (weight, points, sign, position) for each prize for which the round may be played.

        The payoff of the outcome is the mean of points + sign · (value of the position), with these weights. A position
        is a pair (position without the hands, hands as an interleaving).
        """
        bids, orientation, letters = outcome
        for weight, branches in self._stakes:
            points, state = branches[bids]
            # Equal hands, of orientation 0, have the value 0 unless a player is ahead. They are never mirrored.
            sign = orientation or int(state.margin != 0)
            # If no prize is left, or the margin exceeds all points that are left, the game is decided: the rest is worth
            # the sign of the margin.
            if not state.prizes or abs(state.margin) > sum(state.prizes) + state.pot:
                points, sign = points + (state.margin > 0) - (state.margin < 0), 0
            elif orientation < 0:
                state = state._replace(margin=-state.margin)
            yield weight, points, sign, (state, letters)

    def pair(self, outcome: Outcome) -> Pair:
        """Return the exact payoff of an outcome, which is the result of a pair of bids, as a fraction.

        Raises:
            NotProvedError: if the exact value of a position that can follow is not known.
        """
        pairs = []
        for weight, points, sign, position in self._terms(outcome):
            p, q = self.values.pair(*position) if sign else (mpz(0), mpz(1))
            pairs.append((weight * (sign * p + points * q), q))
        numerator, denominator = add_up(pairs)
        return numerator, denominator * self._count

    def interval(self, outcome: Outcome, bits: int) -> Interval:
        """Return an interval around 2^bits times the payoff of an outcome, which is the result of a pair of bids."""
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
        """Return intervals around all payoffs times a factor, shape (m, n), and the factor.

        The factor is 2^bits. If `bits` is None, the factor is a common denominator of the payoffs, and each interval
        is a single number.

        Raises:
            NotProvedError: if `bits` is None, and the exact value of a position that can follow is not known.
        """
        if bits is not None:
            one = mpz(1) << bits
            return [[self.interval(cell, bits) for cell in row] for row in self.outcomes], one
        width = len(self.outcomes[0])
        flat, one = cleared([self.pair(outcome) for row in self.outcomes for outcome in row])
        points = [Interval(number, number) for number in flat]
        return [points[start : start + width] for start in range(0, len(points), width)], one

    def is_optimal(self, rows: list[int], columns: list[int]) -> bool:
        """Return True if a basis is optimal: both players' strategies on it guarantee its value.

        Intervals of growing precision decide, or exact payoffs if the intervals do not.

        Args:
            rows: the rows of the basis, indices in `outcomes`.
            columns: the columns of the basis, as many as there are rows.

        Raises:
            NotProvedError: if intervals do not decide, and the exact value of a position that can follow is not known.
        """
        for bits in (*PRECISIONS, None):  # None stands for exact payoffs, which always decide
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
    """Return intervals around numbers that, if all are ≥ 0, prove that the column player can guarantee a basis's value.

    The *value* of a basis is the gain v for which its columns have weights, with the sum 1, such that each of its rows
    gains v. Some weights may be negative. If all weights are ≥ 0, and no row outside the basis gains more than v, the
    weights are a strategy of the column player that guarantees v.

    Args:
        payoff: the payoffs times `one`, shape (m, n).
        one: a positive factor.
        rows: the rows of the basis.
        columns: the columns of the basis, as many as there are rows.

    Returns:
        A list of intervals: first an interval around the weight of each column; then, for each row outside the basis,
        an interval around the value less the gain of the row. All these numbers are multiplied by a common positive
        factor. The list is empty if the basis is singular. The result is None if the intervals do not decide whether
        the basis is singular.
    """
    unit = Interval(one, one)
    z = null_vector([[*(payoff[i][j] for j in columns), -unit] for i in rows])
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
