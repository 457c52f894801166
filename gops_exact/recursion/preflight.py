"""What exact first moves will cost, known before they are begun.

Games and values are counted exactly. Lengths of numbers and times are those measured for small
games, carried on at a steady rate from there. Each step so far was steeper than the one before
(mean lengths grew 6, 15, 46, 100 and 200 times), so from nine cards on the estimates are low.
"""

from dataclasses import dataclass
from math import comb

from gops_exact.order_types import LONGEST, pair_count

QUICK = 7
"""The most cards that take no more than minutes."""

VALUE_BITS = (0, 1, 2, 11, 170, 7_900, 610_000, 104_000_000)
"""Mean length of a denominator kept, by cards a side, 0 … 7; numerators are as long. Measured at
n = 7 (``gops_exact growth --n 7``), the last one on 26 values at n = 8."""

ANSWER_BITS = (0, 1, 1, 2, 23, 1_237, 57_866, 6_305_717, 988_000_000)
"""Length of the longest denominator of a first move, n = 0 … 8. Measured; the last one is that at
upcard 2, where five cards are played. At upcard 6 seven are."""

SECONDS = (0, 0, 0, 0, 0, 0, 1, 24, 20_000)
"""Processor time of an AMD EPYC core, n = 0 … 8 (``benchmarks/exact_profile.py``). The last one is
carried on from four of the eight columns."""

GROWTH = 150
"""How many times longer numbers and times get with a card more, beyond what was measured."""


@dataclass(frozen=True)
class Estimate:
    """What the exact first moves of a game take.

    Attributes:
        games: matrix games to solve.
        values: exact values kept, those of n − 1 cards a side estimated.
        memory: bytes those values fill.
        digits: decimal digits of the longest numerator or denominator of the answer.
        seconds: time on one core.
    """

    games: int
    values: int
    memory: int
    digits: int
    seconds: int

    def __str__(self) -> str:
        """In words, to two digits."""
        return (
            f"{_about(self.games)} games, {_about(self.memory)} bytes of values, probabilities "
            f"{_about(self.digits)} digits long, {_about(-(-self.seconds // 3600))} hours on one core"
        )


def first_move_estimate(n: int) -> Estimate:
    """What the exact first moves of the game of n cards take.

    >>> print(first_move_estimate(8))
    200 thousand games, 3.1 billion bytes of values, probabilities 300 million digits long, \
6 hours on one core
    """
    games, values, memory = n, 0, 0
    for size in range(1, n):
        pairs = sum(pair_count(size, length) for length in range(size + 1, min(2 * size, n) + 1))
        kept = comb(n, size) * pairs
        games += kept * size
        if size == n - 1:
            # First moves evaluate only what stands on their support, about half the cards.
            kept = n * comb(n // 2 + 1, 2)
        values += kept
        # Eight bits a byte, and a numerator beside every denominator.
        memory += kept * _carried_on(VALUE_BITS, size) // 4
    digits = _carried_on(ANSWER_BITS, n) * 30_103 // 100_000 + 1
    return Estimate(games, values, memory, digits, _carried_on(SECONDS, n))


def check_feasible(n: int, *, force: bool = False) -> None:
    """Refuse exact first moves that take more than minutes, unless forced.

    Raises:
        ValueError: with the estimate; and, forced or not, for more cards than a word can hold.

    >>> check_feasible(9)
    Traceback (most recent call last):
    ValueError: n must be at most 7 in exact arithmetic unless forced, got 9: about 1.2 million \
games, 740 billion bytes of values, probabilities 45 billion digits long, 830 hours on one core
    """
    if n > LONGEST:
        raise ValueError(f"n must be at most {LONGEST}, got {n}")
    if n > QUICK and not force:
        raise ValueError(
            f"n must be at most {QUICK} in exact arithmetic unless forced, got {n}: "
            f"about {first_move_estimate(n)}"
        )


CERTIFIABLE = 9
"""The most cards that take no more than minutes in balls and residues."""

GAME_SECONDS = 0.0002
"""Time a game takes in balls or residues, on one core. Measured at n = 8 and 9."""


def check_certifiable(n: int, *, force: bool = False) -> None:
    """Refuse certified digits or residues that take more than minutes, unless forced.

    Raises:
        ValueError: with the estimate; and, forced or not, for more cards than a word can hold.
    """
    if n > LONGEST:
        raise ValueError(f"n must be at most {LONGEST}, got {n}")
    if n > CERTIFIABLE and not force:
        games = first_move_estimate(n).games
        raise ValueError(
            f"n must be at most {CERTIFIABLE} in certified arithmetic unless forced, got {n}: "
            f"about {_about(games)} games, {_about(int(games * GAME_SECONDS / 60))} minutes on "
            "one core"
        )


def _carried_on(measured: tuple[int, ...], place: int) -> int:
    """The figure measured at `place`; past the end, the last one grown."""
    steps = max(0, place - len(measured) + 1)
    grown: int = measured[place - steps] * GROWTH**steps
    return grown


def _about(number: int) -> str:
    """Two significant digits and a word for the rest.

    >>> [_about(x) for x in (7, 34_503, 2_040_000, 10**16, 10**40)]
    ['7', '35 thousand', '2 million', '10^16', '10^40']
    """
    power = len(str(number)) - 1
    if power > 14:
        return f"10^{power}"
    words = ("", " thousand", " million", " billion", " trillion")
    step = min(power // 3, len(words) - 1)
    return f"{float(f'{number / 1000**step:.1e}'):g}{words[step]}"
