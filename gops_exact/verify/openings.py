"""Proof of a first move: an optimal strategy of an antisymmetric game, whose value is zero.

x is optimal if xᵀX ≥ 0. Where x_j > 0 equality must hold, for Σ_j x_j (xᵀX)_j = xᵀXx = 0; it is
proved exactly, the rest on intervals. x is the only optimal strategy if all else is above zero and
the support's square of X, of odd size s, has rank s − 1: an optimal strategy then lies in the
kernel that x spans (Kaplansky 1945).
"""

from dataclasses import dataclass

import gmpy2
from gmpy2 import gcd, lcm, mpz

from gops_exact.verify.fractions import NotProvedError, Pair, add_up
from gops_exact.verify.games import PRECISIONS
from gops_exact.verify.interval import Interval, kernel, sum_up
from gops_exact.verify.rounds import Left, turns
from gops_exact.verify.values import Game, PayloadReader, Values


@dataclass(frozen=True)
class Opening:
    """A claimed first move.

    Attributes:
        strategy: a probability per card, ascending.
        unique: whether it is claimed to be the only optimal one.
    """

    strategy: tuple[Pair, ...]
    unique: bool


def read_opening(payload: bytes) -> Opening:
    """The first move of an entry."""
    reader = PayloadReader(payload)
    reader.data()
    unique = bool(reader.count())
    strategy = tuple((reader.integer(), reader.integer()) for _ in range(reader.count()))
    reader.end()
    return Opening(strategy, unique)


def check_opening(values: Values, whole: Left, upcard: int | None, opening: Opening) -> None:
    """Prove a first move.

    Args:
        values: the values it rests on.
        whole: the rules and all prizes.
        upcard: the prize turned up; None if it is hidden.
        opening: the claim.

    Raises:
        NotProvedError: if it is not one, not in lowest terms, not optimal or not unique as claimed.
    """
    n, found = len(whole.prizes), {turn.upcard: turn for turn in turns(whole)}
    if len(opening.strategy) != n or upcard not in found:
        raise NotProvedError(f"expected {n} probabilities, got {len(opening.strategy)}")
    weights = _weights(opening.strategy)
    game = Game(values, "B" * n, found[upcard])
    support = [i for i, weight in enumerate(weights) if weight]
    for j in range(n):
        gain = _gain_sign(game, weights, j, exact=j in support)
        if gain < 0 or (gain > 0 and j in support):
            raise NotProvedError(f"the strategy is not optimal: see card {j + 1}")
        if gain == 0 and j not in support and opening.unique:
            raise NotProvedError(f"the strategy is not the only optimal one: see card {j + 1}")
    if opening.unique and not any(_is_line(game, support, bits) for bits in PRECISIONS):
        raise NotProvedError("the strategy could not be proved the only optimal one")


def _weights(strategy: tuple[Pair, ...]) -> list[mpz]:
    """The probabilities times their common denominator, after checking that they are some."""
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
    """The sign of what the strategy gains against card j, at once exactly or if need be."""
    support = [i for i, weight in enumerate(weights) if weight]
    total = sum(weights)
    for bits in () if exact else PRECISIONS:
        payoff = game.intervals(bits)
        terms = [payoff[i][j] * Interval.around((weights[i], total), bits) for i in support]
        sign = sum_up(terms).sign
        if sign is not None:
            return sign
    pairs = [game.pair(game.outcomes[i][j]) for i in support]
    numerator, _ = add_up([(weights[i] * p, q) for i, (p, q) in zip(support, pairs, strict=True)])
    return int(gmpy2.sign(numerator))


def _is_line(game: Game, support: list[int], bits: int) -> bool:
    """Whether the kernel of the support's square is certainly no more than a line."""
    payoff = game.intervals(bits)
    rows = [[payoff[i][j] for j in support] for i in support[1:]]
    return not rows or any(z.sign for z in kernel(rows))
