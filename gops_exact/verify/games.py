"""Proofs of claimed solutions: the basis of a matrix game, and a first move.

A basis: with z = (y, v) in the kernel of [M | −1] for the basis' square M, and y ≥ 0 after scaling to
sum 1, player two holds player one to v if no row outside gives more; the same for player one with Mᵀ
(Shapley & Snow 1950).

A first move x is an optimal strategy of an antisymmetric game, whose value is zero: it is optimal if
xᵀX ≥ 0. Where x_j > 0 equality must hold, for Σ_j x_j (xᵀX)_j = xᵀXx = 0; equality is proved exactly,
the rest on intervals. x is the only optimal strategy if all else is above zero and the support's
square of X, of odd size s, has rank s − 1: an optimal strategy then lies in the kernel that x spans
(Kaplansky 1945). Otherwise it is one of several. If the rank is lower, x can move along another vector
of the kernel. If (xᵀX)_j = 0 off the support, some optimal strategy plays j, since one of the optimal
strategies is strictly complementary to another (Goldman & Tucker 1956).

Signs are decided on intervals, short numbers first, and at last exactly.
"""

from dataclasses import dataclass

import gmpy2
from gmpy2 import gcd, lcm, mpz

from gops_exact.verify.arithmetic import (
    Interval,
    NotProvedError,
    Pair,
    add_up,
    cleared,
    kernel,
    sum_up,
)
from gops_exact.verify.rules import Left, turns
from gops_exact.verify.values import Game, PayloadReader, Values

PRECISIONS = (96, 768)
"""Binary places tried before exact numbers: numbers that 768 do not tell apart are most likely equal."""


def proved_value(game: Game, rows: list[int], columns: list[int]) -> Pair:
    """Return the value of a game on an optimal basis, not reduced.

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
    """Tell if a basis is optimal.

    Raises:
        NotProvedError: if the values that are known leave that open.
    """
    for bits in PRECISIONS:
        verdict = _verdict(game.intervals(bits), mpz(1) << bits, rows, columns)
        if verdict is not None:
            return verdict
    payoff, common = game.exact()
    points = [[Interval(entry, entry) for entry in row] for row in payoff]
    return bool(_verdict(points, common, rows, columns))


def _verdict(
    payoff: list[list[Interval]], one: mpz, rows: list[int], columns: list[int]
) -> bool | None:
    """Judge if a basis is optimal, None if the intervals are too wide to tell.

    `payoff`, shape (m, n), has the payoffs times `one`.
    """
    turned = [[-entry for entry in column] for column in zip(*payoff, strict=True)]
    sides = (shortfalls(payoff, one, rows, columns), shortfalls(turned, one, columns, rows))
    verdict: bool | None = True
    for numbers in sides:
        if numbers is None or any(number.low < 0 <= number.high for number in numbers):
            verdict = None
        elif not numbers or any(number.high < 0 for number in numbers):
            return False
    return verdict


def shortfalls(
    payoff: list[list[Interval]], one: mpz, rows: list[int], columns: list[int]
) -> list[Interval] | None:
    """Return numbers that are ≥ 0 if the columns' player holds the other one to the basis' value.

    These are the weights of the columns, and how much each row outside the basis falls short of the
    value, all times one positive factor; none if the basis is singular, None if that is not certain.
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


@dataclass(frozen=True)
class Opening:
    """A claimed first move."""

    strategy: tuple[Pair, ...]  # a probability for each card, ascending
    unique: bool | None  # the claim to be the only optimal one, or one of several; None for neither


def read_opening(payload: bytes) -> Opening:
    """Read the first move of an entry."""
    reader = PayloadReader(payload)
    reader.data()
    unique = bool(reader.count())
    strategy = tuple((reader.integer(), reader.integer()) for _ in range(reader.count()))
    reader.end()
    return Opening(strategy, unique)


def check_opening(values: Values, whole: Left, upcard: int | None, opening: Opening) -> None:
    """Prove a first move of the whole game at an upcard, None if that is hidden.

    Raises:
        NotProvedError: if it is not one, not in lowest terms, not optimal or not unique as claimed.
    """
    n, found = len(whole.prizes), {turn.upcard: turn for turn in turns(whole)}
    if len(opening.strategy) != n or upcard not in found:
        raise NotProvedError(f"expected {n} probabilities, got {len(opening.strategy)}")
    weights = _weights(opening.strategy)
    game = Game(values, "B" * n, found[upcard])
    support = [i for i, weight in enumerate(weights) if weight]
    other = None
    for j in range(n):
        gain = _gain_sign(game, weights, j, exact=j in support)
        if gain < 0 or (gain > 0 and j in support):
            raise NotProvedError(f"the strategy is not optimal: see card {j + 1}")
        if gain == 0 and j not in support:
            other = f"see card {j + 1}"
    if opening.unique is None:
        return
    if other is None and not _is_line(game, support):
        other = "the support's game is degenerate"
    if opening.unique and other is not None:
        raise NotProvedError(f"the strategy is not the only optimal one: {other}")
    if not opening.unique and other is None:
        raise NotProvedError("the strategy is the only optimal one, but said not to be unique")


def _weights(strategy: tuple[Pair, ...]) -> list[mpz]:
    """Check probabilities and multiply them by their common denominator."""
    common = mpz(1)
    for p, q in strategy:
        if q <= 0 or not 0 <= p <= q:
            raise NotProvedError("a probability is not between 0 and 1")
        if gcd(p, q) != 1:
            raise NotProvedError("a probability is not in lowest terms")
        common = lcm(common, q)
    weights = [p * (common // q) for p, q in strategy]
    if sum(weights) != common:
        raise NotProvedError("the probabilities do not add up to 1")
    return weights


def _gain_sign(game: Game, weights: list[mpz], j: int, *, exact: bool) -> int:
    """Return the sign of the strategy's gain against card j, on intervals first unless `exact`."""
    support = [i for i, weight in enumerate(weights) if weight]
    total = sum(weights)
    for bits in () if exact else PRECISIONS:
        payoff = game.intervals(bits)
        terms = [
            payoff[i][j] * Interval.between((weights[i], total), (weights[i], total), bits)
            for i in support
        ]
        sign = sum_up(terms).sign
        if sign is not None:
            return sign
    pairs = [game.pair(game.outcomes[i][j]) for i in support]
    numerator, _ = add_up([(weights[i] * p, q) for i, (p, q) in zip(support, pairs, strict=True)])
    return int(gmpy2.sign(numerator))


def _is_line(game: Game, support: list[int]) -> bool:
    """Tell if the kernel of the support's square is a line.

    Every row of the square is a combination of the others, so the first is left out.
    """
    if len(support) == 1:
        return True
    for bits in PRECISIONS:
        payoff = game.intervals(bits)
        if any(z.sign for z in kernel([[payoff[i][j] for i in support] for j in support[1:]])):
            return True
    lines = [[game.pair(game.outcomes[i][j]) for i in support] for j in support[1:]]
    return any(kernel([cleared(line)[0] for line in lines]))
