"""Estimates of the time and memory of exact first moves, made before they begin.

Games and values are counted exactly. Lengths of numbers and times are measured for small games and
extrapolated by a constant factor a card. Each factor so far was larger than the one before (mean
lengths grew 6, 15, 46, 100 and 200 times), so from nine cards on the estimates are low.
"""

from dataclasses import dataclass
from math import ceil, comb
from typing import NamedTuple

from gops_exact.game.order_types import LONGEST, counts, pairs_kept
from gops_exact.game.rules import PLAIN, Rules

QUICK = 7
"""The most cards that take no more than minutes."""

VALUE_BITS = (0, 1, 2, 11, 170, 7_900, 610_000, 78_000_000)
"""Mean length of a denominator kept, by cards a side, 0 … 7; numerators are as long. Measured at
n = 7 (``gops-exact growth --n 7``), the last one at n = 8."""

ANSWER_BITS = (0, 1, 1, 2, 23, 1_237, 57_866, 6_305_717, 1_370_800_445)
"""Length of the longest denominator of a first move, n = 0 … 8. Measured."""

SECONDS = (0, 0, 0, 0, 0, 0, 1, 24, 20_000)
"""Processor time of an AMD EPYC core, n = 0 … 8 (``benchmarks/exact_profile.py``). The last one is
the sum of the columns, made one or two at a time with other work beside."""

GROWTH = 150
"""Factor by which numbers and times get longer with a card more, beyond the sizes measured."""


@dataclass(frozen=True)
class Estimate:
    """Games, memory and time for the exact first moves of a game.

    Attributes:
        games: matrix games to solve.
        values: exact values kept, those of n − 1 cards a side estimated.
        memory: bytes of those values.
        digits: decimal digits of the longest numerator or denominator of the answer.
        seconds: time on one core.
    """

    games: int
    values: int
    memory: int
    digits: int
    seconds: int

    def __str__(self) -> str:
        """Write the estimate in words, to two digits."""
        return (
            f"{_about(self.games)} games, {_about(self.memory)} bytes of values, probabilities "
            f"{_about(self.digits)} digits long, {_span(self.seconds)} on one core"
        )


class Measured(NamedTuple):
    """The largest game solved under some rules in no more than minutes.

    Attributes:
        n: cards a side.
        seconds: processor time.
        memory: bytes of values.
        digits: of the longest numerator or denominator of the answer.
        growth: factor by which numbers got longer with the last card; where they stay short, the
            factor of the number of games.
    """

    n: int
    seconds: int
    memory: int
    digits: int
    growth: int


MEASURED = {
    "points/discard/hidden": Measured(8, 15, 1_787_743, 1, 5),
    "points/discard/fixed": Measured(9, 47, 88_490_031, 12_156_062, 86),
    "points/carryover/random": Measured(6, 4, 4_002_191, 154_747, 103),
    "points/carryover/hidden": Measured(6, 2, 3_825_762, 641_942, 163),
    "points/carryover/fixed": Measured(8, 2, 6_178_121, 835_972, 60),
    "win/discard/random": Measured(7, 51, 18_319_090, 190_779, 97),
    "win/discard/hidden": Measured(7, 32, 5_898_446, 1, 7),
    "win/discard/fixed": Measured(9, 9, 6_600_809, 305_091, 17),
    "win/carryover/random": Measured(7, 92, 36_940_070, 680_009, 113),
    "win/carryover/hidden": Measured(7, 102, 154_745_276, 24_613_077, 158),
    "win/carryover/fixed": Measured(9, 8, 6_508_822, 607_757, 24),
}
"""By :attr:`~gops_exact.game.rules.Rules.key`, for all but the rules of the tables above; prizes in a
known order were descending. On the same processor, with a store (``benchmarks/rules.py``)."""


def first_move_estimate(n: int, rules: Rules = PLAIN) -> Estimate:
    """Estimate games, memory and time for the exact first moves of the game of n cards.

    >>> print(first_move_estimate(8))
    200 thousand games, 2.6 billion bytes of values, probabilities 410 million digits long, \
6 hours on one core
    """
    values, games = counts(n, rules)
    measured = MEASURED.get(rules.key)
    if measured is not None:
        grown = float(measured.growth) ** (n - measured.n)
        memory, digits = int(measured.memory * grown), int(measured.digits * grown)
        return Estimate(games, values, memory, digits, ceil(measured.seconds * grown))
    # First moves evaluate only what stands on their support, about half the cards.
    looked_at = n * comb(n // 2 + 1, 2) if n > 1 else 0
    layers = [comb(n, size) * pairs_kept(n, size) for size in range(1, n - 1)] + [looked_at]
    # Eight bits a byte, and a numerator beside every denominator.
    memory = sum(
        kept * _carried_on(VALUE_BITS, size) // 4 for size, kept in enumerate(layers, start=1)
    )
    digits = _carried_on(ANSWER_BITS, n) * 30_103 // 100_000 + 1
    return Estimate(games, sum(layers), memory, digits, _carried_on(SECONDS, n))


def core_seconds(n: int, rules: Rules = PLAIN, *, exact: bool = True) -> float:
    """Estimate the time of the first moves in exact numbers, or else in balls or residues, on one core.

    >>> core_seconds(7), core_seconds(9, exact=False) > 200
    (24, True)
    """
    if exact:
        return first_move_estimate(n, rules).seconds
    return counts(n, rules).games * GAME_SECONDS


def check_feasible(n: int, rules: Rules = PLAIN, *, force: bool = False, name: str = "n") -> None:
    """Refuse exact solutions that take more than minutes, unless forced; `name` is that of n.

    Raises:
        ValueError: with the estimate; and, forced or not, for more cards than a word can hold.

    >>> check_feasible(9)
    Traceback (most recent call last):
    ValueError: n must be at most 7 in exact arithmetic unless forced, got 9: at least \
1.2 million games, 560 billion bytes of values, probabilities 62 billion digits long, 830 hours on one \
core
    """
    if n > LONGEST:
        raise ValueError(f"{name} must be at most {LONGEST}, got {n}")
    measured = MEASURED.get(rules.key)
    most = QUICK if measured is None else measured.n
    if n > most and not force:
        # Carried on by a constant factor a card, and the factors have grown with every card.
        bound = "at least" if measured is None and n >= len(SECONDS) else "about"
        raise ValueError(
            f"{name} must be at most {most} in exact arithmetic{_under(rules)} unless forced, got {n}: "
            f"{bound} {first_move_estimate(n, rules)}"
        )


CERTIFIABLE_GAMES = 1_500_000
"""The most games that take no more than minutes in balls and residues."""

GAME_SECONDS = 0.0002
"""Time a game takes in balls or residues, on one core. Measured at n = 8 and 9."""


def check_certifiable(
    n: int, rules: Rules = PLAIN, *, force: bool = False, name: str = "n"
) -> None:
    """Refuse proved decimals or residues as :func:`check_feasible` does exact solutions."""
    if n > LONGEST:
        raise ValueError(f"{name} must be at most {LONGEST}, got {n}")
    games = counts(n, rules).games
    if games > CERTIFIABLE_GAMES and not force:
        most = next(m for m in range(n, 0, -1) if counts(m, rules).games <= CERTIFIABLE_GAMES)
        raise ValueError(
            f"{name} must be at most {most} in ball and residue arithmetic{_under(rules)} unless forced, "
            f"got {n}: about {_about(games)} games, {_about(int(games * GAME_SECONDS / 60))} minutes "
            "on one core"
        )


def _under(rules: Rules) -> str:
    return "" if rules == PLAIN else f" with {rules}"


def _carried_on(measured: tuple[int, ...], place: int) -> int:
    """Return the figure measured at `place`; past the end, the last one times its growth."""
    steps = max(0, place - len(measured) + 1)
    grown: int = measured[place - steps] * GROWTH**steps
    return grown


def _span(seconds: int) -> str:
    """Return a time in words, rounded up.

    >>> _span(61), _span(5000), _span(20_000)
    ('2 minutes', '84 minutes', '6 hours')
    """
    if seconds < 6000:
        return f"{-(-seconds // 60)} minutes"
    return f"{_about(-(-seconds // 3600))} hours"


def _about(number: int) -> str:
    """Write a number with two significant digits and a word for the power of ten.

    >>> [_about(x) for x in (7, 34_503, 2_040_000, 10**16, 10**40)]
    ['7', '35 thousand', '2 million', '10^16', '10^40']
    """
    power = len(str(number)) - 1
    if power > 14:
        return f"10^{power}"
    words = ("", " thousand", " million", " billion", " trillion")
    step = min(power // 3, len(words) - 1)
    return f"{float(f'{number / 1000**step:.1e}'):g}{words[step]}"
