"""Proofs of claimed values and first moves.

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

Signs are decided on intervals, short numbers first, and at last exactly. Values in balls and residues
are proved as docs/method.md says ("What an answer rests on").
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import gmpy2
from gmpy2 import gcd, lcm, mpq, mpz

from gops_exact.base.documents import EXACT
from gops_exact.verify.entries import Known, read_opening
from gops_exact.verify.intervals import (
    Interval,
    NotProvedError,
    Pair,
    add_up,
    cleared,
    kernel,
    sum_up,
)
from gops_exact.verify.values import PRECISIONS, Game, Values, shortfalls
from gops_exact.verify.words import Left, turns

How = Literal["proved", "compared", "passed_over"]
"""How a claim that is not refused was checked; the fields of a report by these names count them."""


def proved_value(game: Game, rows: list[int], columns: list[int]) -> Pair:
    """Return the value of a game on an optimal basis, not reduced."""
    m, n = len(game.outcomes), len(game.outcomes[0])
    if not (len(rows) == len(columns) > 0 and max(rows) < m and max(columns) < n):
        raise NotProvedError("the basis does not fit the game")
    if not game.is_optimal(rows, columns):
        raise NotProvedError("the basis is not optimal")
    lines = []
    for i in rows:
        entries, common = cleared([game.pair(game.outcomes[i][j]) for j in columns])
        lines.append([*entries, -common])
    *weights, value = kernel(lines)
    total = sum(weights)
    return (value, total) if total > 0 else (-value, -total)


def check_value(values: Values, left: Left, word: str, claim: Known) -> How | None:
    """Prove the fraction or the ball of a value, and check its residue if it has one.

    Args:
        values: the values one prize smaller, in an open store.
        left: the game without the hands.
        word: the hands.
        claim: the value as it is stored.

    Returns:
        How the residue was checked; None without one. A residue that is not marked as proved is compared
        with the exact value, where the store has that.

    Raises:
        NotProvedError: if the value or its residue is wrong, or cannot be proved.
    """
    computed = values.enclosed(left, word, None if claim.ball is None else values.places)
    (low, high), (least, most) = (
        [mpq(*end) for end in number.ends] for number in (claim, computed)
    )
    if claim.ball is None and low != least:
        raise NotProvedError("the value is not the mean over the upcards")
    if not low <= least <= most <= high:
        raise NotProvedError("the ball is not proved to hold the value")
    if claim.residue is None:
        return None
    how: How = "proved"
    if claim.ball is None:
        right = holds(claim, low, values.prime)
    elif claim.proved:
        right = (values.computed_residue(left, word) - claim.residue) % values.prime == 0
    else:
        exact, how = values.of(EXACT).find(left, word), "compared"
        if exact is None:
            return "passed_over"
        right = holds(claim, mpq(*exact.pair), values.prime)
    if not right:
        raise NotProvedError("the residue is not that of the value")
    return how


def holds(number: Known, true: mpq, prime: int = 0) -> bool:
    """Tell if a number may be the fraction `true`: by its residue if it has one, else by its bounds."""
    if number.residue is not None:
        p, q = true.numerator, true.denominator
        return bool(q % prime != 0 and (number.residue * q - p) % prime == 0)
    low, high = number.ends
    return bool(mpq(*low) <= true <= mpq(*high))


def first_game(values: Values, whole: Left, upcard: int | None, bids: int) -> Game:
    """Return the game of the first bids of a whole game at an upcard; None is a hidden one.

    `bids` is the number of probabilities of the first move: one for each card.
    """
    n, games = len(whole.prizes), turns(whole)
    if bids != n or upcard not in games:
        raise NotProvedError(f"expected {n} probabilities, got {bids}")
    return Game(values, "B" * n, games[upcard][1])


def check_strategy(game: Game, strategy: Sequence[Pair], unique: bool | None) -> None:
    """Prove an optimal strategy of a game between equal hands.

    Args:
        game: the game, whose payoffs are antisymmetric.
        strategy: fractions, shape (n,).
        unique: the claim that it is the only optimal strategy, or one of several; None for no claim.

    Raises:
        NotProvedError: if it is not optimal, or the claim is wrong.
    """
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
    other = None
    for j, weight in enumerate(weights):
        gain = _gain_sign(game, weights, j)
        if gain < 0 or (gain > 0 and weight):
            raise NotProvedError(f"the strategy is not optimal: see card {j + 1}")
        if gain == 0 and not weight:
            other = f"see card {j + 1}"
    if unique is None:
        return
    if other is None and not _is_line(game, [i for i, weight in enumerate(weights) if weight]):
        other = "the support's game is degenerate"
    if unique and other is not None:
        raise NotProvedError(f"the strategy is not the only optimal one: {other}")
    if not unique and other is None:
        raise NotProvedError("the strategy is the only optimal one, but said not to be unique")


def _gain_sign(game: Game, weights: list[mpz], j: int) -> int:
    """Return the sign of a strategy's gain against card j.

    For a card that the strategy plays the gain should be 0, which only exact numbers can tell.
    """
    support = [i for i, weight in enumerate(weights) if weight]
    total = sum(weights)
    # An interval around 0 would decide nothing.
    for bits in () if weights[j] else PRECISIONS:
        payoff, _ = game.intervals(bits)
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
    """Tell if the kernel of the game on the support, a square matrix, is a line.

    Each of its rows is a combination of the others, so the first one is left out.
    """
    if len(support) == 1:
        return True
    for bits in PRECISIONS:
        payoff, _ = game.intervals(bits)
        if any(z.sign for z in kernel([[payoff[i][j] for i in support] for j in support[1:]])):
            return True
    lines = [[game.pair(game.outcomes[i][j]) for i in support] for j in support[1:]]
    return any(kernel([cleared(line)[0] for line in lines]))


def check_opening(values: Values, whole: Left, upcard: int | None, payload: bytes) -> How:
    """Check the first move of an entry, and return how that was done.

    Balls that are marked as not proved must say nothing. Residues marked so are compared with the exact
    first move, where the store has that.

    Args:
        values: the values of the entry's arithmetic, in an open store.
        whole: the whole game.
        upcard: the prize turned up; None if it is hidden.
        payload: the bytes of the entry.

    Raises:
        NotProvedError: if the first move or its claim to be the only one is wrong, or cannot be proved.
    """
    numbers, unique, proved = read_opening(payload, values.kind)
    game = first_game(values, whole, upcard, len(numbers))
    if values.kind == EXACT:
        check_strategy(game, [number.pair for number in numbers], unique)
        return "proved"
    if values.kind == "ball" and not proved:
        if unique or not all(holds(number, mpq(end)) for number in numbers for end in (0, 1)):
            raise NotProvedError("a first move that is not proved must say nothing")
        return "passed_over"
    support = [
        i
        for i, number in enumerate(numbers)
        if (number.residue if number.ball is None else any(p for p, _ in number.ball))
    ]
    if not support:
        raise NotProvedError("the probabilities do not add up to 1")
    try:
        payoff, _ = game.intervals(None)
    except NotProvedError:
        payoff = None  # some are known as balls alone
    if payoff is not None:
        for strategy in _vertices(payoff, support):
            claims = zip(numbers, strategy, strict=True)
            if all(holds(number, p, values.prime) for number, p in claims):
                pairs = [(p.numerator, p.denominator) for p in strategy]
                check_strategy(game, pairs, unique if proved or unique else None)
                return "proved"
        raise NotProvedError("the probabilities are those of no optimal strategy")
    payoff, one = game.intervals(values.places)
    if unique:
        # It is if every optimal strategy is certain to play just the support.
        margins = shortfalls(payoff, one, support, support)
        if not margins or any(margin.low <= 0 for margin in margins):
            raise NotProvedError("the first move is not proved the only optimal one")
    if not proved:
        other = values.store.get(whole.opening_key(upcard))
        if other is None:
            return "passed_over"
        exact, _, _ = read_opening(other)
        beside = zip(numbers, exact, strict=False)
        same = all(holds(number, mpq(*true.pair), values.prime) for number, true in beside)
        if len(exact) != len(numbers) or not same:
            raise NotProvedError("the residues are not those of the exact first move")
        return "compared"
    if not unique:
        raise NotProvedError("the first move is not proved to be one of several")
    right = _in_balls if values.kind == "ball" else _in_residues
    if not right(game, support, numbers):
        raise NotProvedError("the probabilities are not proved")
    return "proved"


def _vertices(payoff: list[list[Interval]], support: list[int]) -> Iterator[list[mpq]]:
    """Yield the strategies on a support that are determined by the bids against which they gain nothing.

    The vertices of the set of optimal strategies are among them. `payoff`, shape (n, n), is exact and
    antisymmetric.
    """
    for columns in combinations(range(len(payoff)), len(support) - 1):
        rows = [[payoff[i][j].low for i in support] for j in columns]
        weights = dict(zip(support, kernel(rows) if rows else [mpz(1)], strict=True))
        total = sum(weights.values())
        if total:
            yield [mpq(weights.get(i, mpz(0)), total) for i in range(len(payoff))]


def _in_residues(game: Game, support: list[int], numbers: list[Known]) -> bool:
    """Tell if residues are those of the strategy on the support."""
    prime = game.values.prime
    # The game is antisymmetric: its columns are its rows, but for the sign.
    rows = [[game.residue(game.outcomes[i][j]) for j in support] for i in support[1:]]
    weights = kernel(rows) if rows else [mpz(1)]
    whole = game.values.inverse(sum(weights))
    return all(
        (weight * whole - (numbers[i].residue or 0)) % prime == 0
        for i, weight in zip(support, weights, strict=True)
    )


def _in_balls(game: Game, support: list[int], numbers: list[Known]) -> bool:
    """Tell if the ball of each card on the support holds its probability, for all payoffs in their balls.

    The probabilities x solve A x = e. The rows of A are the gains against each card of the support but the
    first, and a row of ones. Let B be the midpoints of A, and D the radii. Then x = B⁻¹e − B⁻¹(A − B)x, so x
    differs from B⁻¹e by at most |B⁻¹| D x. This bound is computed twice: with 1 for each entry of x, then with
    the upper bounds on x that the first round gives.
    """
    payoff, one = game.intervals(game.values.places)
    size = len(support)
    rows = [[payoff[i][j] for i in support] for j in support[1:]] + [[Interval(one, one)] * size]
    inverse = []  # the columns of B⁻¹ / 2 one: the sums of ends are 2 one B, integers for a kernel
    for k in range(size):
        lines = [[*(x.low + x.high for x in row), mpz(-(i == k))] for i, row in enumerate(rows)]
        *column, scale = kernel(lines)
        inverse.append([mpq(entry, scale) for entry in column])
    middle = [2 * one * entry for entry in inverse[-1]]
    most = [mpq(1)] * size
    for _ in range(2):
        spread = [sum((x.high - x.low) * p for x, p in zip(row, most, strict=True)) for row in rows]
        off = [
            sum(abs(column[i]) * width for column, width in zip(inverse, spread, strict=True))
            for i in range(size)
        ]
        most = [p + radius for p, radius in zip(middle, off, strict=True)]
    return all(
        holds(numbers[card], end)
        for card, p, radius in zip(support, middle, off, strict=True)
        for end in (p - radius, p + radius)
    )
