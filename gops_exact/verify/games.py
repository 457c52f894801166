"""Proof that a claimed basis of a matrix game is optimal, and the exact value on it.

With z = (y, v) in the kernel of [M | −1] for the basis' square M, and y ≥ 0 after scaling to sum 1,
player two holds player one to v if no row outside gives more; the same for player one with Mᵀ
(Shapley & Snow 1950). Whether a number is below zero is decided on intervals, wider ones first, and
at last exactly.
"""

from gmpy2 import mpz

from gops_exact.verify.fractions import NotProvedError, Pair, cleared
from gops_exact.verify.interval import Interval, kernel, sum_up
from gops_exact.verify.values import Game

PRECISIONS = (96, 768)
"""Binary places tried before exact numbers: what the latter can't tell apart is most likely equal."""

Intervals = list[list[Interval]]


def proved_value(game: Game, rows: list[int], columns: list[int]) -> Pair:
    """The value of a game on an optimal basis, not reduced.

    Raises:
        NotProvedError: if the basis is not optimal.
    """
    m, n = len(game.outcomes), len(game.outcomes[0])
    if not (len(rows) == len(columns) > 0 and max(rows) < m and max(columns) < n):
        raise NotProvedError("the basis does not fit the game")
    if not is_optimal(game, rows, columns):
        raise NotProvedError("the basis is not optimal")
    lines = []
    for i in rows:
        entries, common = cleared([game.pair(game.outcomes[i][j]) for j in columns])
        lines.append([*entries, -common])
    *weights, value = kernel(lines)
    total = sum(weights)
    return (value, total) if total > 0 else (-value, -total)


def is_optimal(game: Game, rows: list[int], columns: list[int]) -> bool:
    """Whether a basis is optimal, decided."""
    for bits in PRECISIONS:
        verdict = _verdict(game.intervals(bits), mpz(1) << bits, rows, columns)
        if verdict is not None:
            return verdict
    width = len(game.outcomes[0])
    flat, common = cleared([game.pair(outcome) for row in game.outcomes for outcome in row])
    points = [Interval(entry, entry) for entry in flat]
    exact = [points[start : start + width] for start in range(0, len(points), width)]
    return bool(_verdict(exact, common, rows, columns))


def _verdict(payoff: Intervals, one: mpz, rows: list[int], columns: list[int]) -> bool | None:
    """Whether the basis is optimal, None if the intervals are too wide to tell.

    Args:
        payoff: payoffs times `one`, shape (m, n).
        one: the scale of all payoffs.
        rows: of the basis.
        columns: of the basis.
    """
    turned = [[-entry for entry in column] for column in zip(*payoff, strict=True)]
    sides = (_shortfalls(payoff, one, rows, columns), _shortfalls(turned, one, columns, rows))
    verdict: bool | None = True
    for numbers in sides:
        if numbers is None or any(number.low < 0 <= number.high for number in numbers):
            verdict = None
        elif not numbers or any(number.high < 0 for number in numbers):
            return False
    return verdict


def _shortfalls(
    payoff: Intervals, one: mpz, rows: list[int], columns: list[int]
) -> list[Interval] | None:
    """What must not be negative if the columns' player holds the other one to the basis' value.

    The weights of the columns, and how much each row outside the basis falls short of the value,
    all times one positive factor; nothing if the basis is singular, None if that is not certain.
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
