"""Proofs of claimed values and first moves.

Words used here:

* A *store* is a file of computed values of positions and of first moves.
* An *arithmetic* is a kind of number: exact fractions, balls or floats.
* A *claim* is a statement in a document or a store that can be right or wrong, such as the value of a position.
* The *upcard* is the prize turned up in a round.
* A *first move* is an optimal strategy for the first bid after a given upcard: a probability for each card.
* A *ball* is an interval, given by its midpoint and its radius.
* A *basis* is a choice of equally many rows and columns of the payoff matrix, which determines a strategy of each
  player.
* An *interleaving* is a pair of hands as a text. It has a letter for each card that is held, in ascending order: V for
  a card that only player one holds, Y for one that only player two holds, B for one that both hold.
* A *state* is a position without the hands: the rules, the prizes left, the margin and the pot. The *margin* is player
  one's points minus player two's; it is always 0 if the objective is points. The *pot* is the sum of the prizes carried
  over from ties.

Value on a basis: let M be the payoffs in the rows and columns of the basis. The weights y of the columns and the number
v solve the equations My = (v, …, v) and Σ y = 1. If y ≥ 0, and no other row gains more than v against y, then y
guarantees that player one gains at most v. The same argument with Mᵀ shows that player one can guarantee v (Shapley &
Snow 1950).

First move: let X be the payoff matrix of the first bids. Both players have the same cards, so X is skew-symmetric, and
the value is 0. A strategy x is optimal if and only if xᵀX ≥ 0. Then (xᵀX)_j = 0 for each card j that x plays, since
xᵀXx = 0. These equations are proved with exact numbers, the inequalities with intervals.

Uniqueness: let S be the submatrix of X on the s cards that x plays. If S has rank s − 1, and (xᵀX)_j > 0 for every
other card j, then x is the only optimal strategy (Kaplansky 1945). Otherwise it is one of several. If the rank is
lower, x can move along another vector of the null space of S. If (xᵀX)_j = 0 for another card j, some optimal strategy
plays j (Goldman & Tucker 1956).

Signs are decided with intervals of growing precision, and exactly if the intervals do not suffice. For the proofs of
values in balls see docs/method.md ("What an answer rests on").
"""

from collections.abc import Sequence
from itertools import combinations

import gmpy2
from gmpy2 import gcd, lcm, mpq, mpz

from gops_exact.base.documents import EXACT
from gops_exact.verify.entries import StoredNumber, read_first_move
from gops_exact.verify.interleavings import PrizeState, stage_games
from gops_exact.verify.intervals import (
    Interval,
    NotProvedError,
    Pair,
    add_up,
    cleared,
    null_vector,
    sum_up,
)
from gops_exact.verify.values import PRECISIONS, Game, Values, shortfalls


def proved_value(game: Game, rows: list[int], columns: list[int]) -> Pair:
    """Prove that a basis is optimal, and return the value of the game, a fraction that may not be in lowest terms.

    Args:
        game: the matrix game of the bids at a position.
        rows: the rows of the basis, indices in `game.outcomes`.
        columns: the columns of the basis, as many as there are rows.

    Raises:
        NotProvedError: if the basis does not fit the game or is not optimal, or if the exact value of a position that
            can follow is not known.
    """
    m, n = len(game.outcomes), len(game.outcomes[0])
    if not (len(rows) == len(columns) > 0 and max(rows) < m and max(columns) < n):
        raise NotProvedError("the basis does not fit the game")
    if not game.is_optimal(rows, columns):
        raise NotProvedError("the basis is not optimal")
    # Let M be the payoffs of the basis. The null space of [M | −1] consists of the multiples of (y, v), the column
    # player's strategy and the value. Each row is multiplied by a common denominator, which makes its entries integers
    # and does not change the null space.
    lines = []
    for i in rows:
        entries, common = cleared([game.pair(game.outcomes[i][j]) for j in columns])
        lines.append([*entries, -common])
    *weights, value = null_vector(lines)
    total = sum(weights)
    return (value, total) if total > 0 else (-value, -total)


def check_value(values: Values, state: PrizeState, letters: str, claim: StoredNumber) -> None:
    """Prove a stored value, which is a fraction or a ball, from the values of positions with one prize less.

    Args:
        values: the values in an open store that were computed in the same arithmetic as the claim: exact or in balls.
        state: the position without the hands: the rules, the prizes left, the margin and the pot.
        letters: the hands, as an interleaving: a letter V, Y or B for each card.
        claim: the stored value.

    Raises:
        NotProvedError: if the value is wrong, or cannot be proved.
    """
    computed = values.enclosed(state, letters, None if claim.is_exact else values.places)
    if not all(holds(claim, mpq(*end)) for end in (computed.low, computed.high)):
        fault = "value is not" if claim.is_exact else "ball is not proved to hold"
        raise NotProvedError(f"the {fault} the mean over the upcards")


def holds(number: StoredNumber, true: mpq) -> bool:
    """Return True if the exact number `true` lies between the bounds of a stored number."""
    return bool(mpq(*number.low) <= true <= mpq(*number.high))


def first_game(values: Values, whole: PrizeState, upcard: int | None, bids: int) -> Game:
    """Return the matrix game of the first bids.

    Args:
        values: the values of an open store.
        whole: the game at its start, without the hands.
        upcard: the prize turned up; None if prizes are hidden.
        bids: the number of probabilities in the first move that is to be checked.

    Raises:
        NotProvedError: if `bids` is not the number of cards a side, or if the game cannot begin with this upcard.
    """
    n, games = len(whole.prizes), stage_games(whole)
    if bids != n or upcard not in games:
        raise NotProvedError(f"expected {n} probabilities, got {bids}")
    return Game(values, "B" * n, games[upcard][1])


def check_strategy(game: Game, strategy: Sequence[Pair], unique: bool | None) -> None:
    """Prove that a strategy is optimal in a game between equal hands, and prove the claim `unique` about the strategy.

    Args:
        game: the game, whose payoffs are skew-symmetric.
        strategy: the probabilities as fractions, shape (n,).
        unique: True for the claim that the strategy is the only optimal one, False for the claim that there
            are others, None for no claim.

    Raises:
        NotProvedError: if the numbers are not probabilities in lowest terms; if the strategy is not optimal; if the
            claim is wrong; or if the stored values are not exact enough for a proof.
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
    # The value of a game between equal hands is 0. So the strategy is optimal if it gains at least 0 against each card;
    # the gain against a card that it plays is then exactly 0. If it also gains 0 against another card, it is not the
    # only optimal strategy.
    other = None
    for j, weight in enumerate(weights):
        gain = _gain_sign(game, weights, j)
        if gain < 0 or (gain > 0 and weight):
            raise NotProvedError(f"the strategy is not optimal: see card {j + 1}")
        if gain == 0 and not weight:
            other = f"see card {j + 1}"
    if unique is None:
        return
    # Let S be the submatrix of the payoffs on the support, of size s. The strategy is the only one that plays no other
    # card if the null space of S is a line, that is, if S has rank s − 1. As the strategy itself is in the null space
    # and S is skew-symmetric, the first row of S is a linear combination of the other rows. So only the rank of the
    # other rows is examined.
    support = [i for i, weight in enumerate(weights) if weight]
    if other is None and len(support) > 1:
        payoffs = (game.intervals(bits)[0] for bits in (*PRECISIONS, None))
        others = ([[payoff[i][j] for i in support] for j in support[1:]] for payoff in payoffs)
        if not any(z.sign for rows in others for z in null_vector(rows)):
            other = "the support's game is degenerate"
    if unique and other is not None:
        raise NotProvedError(f"the strategy is not the only optimal one: {other}")
    if not unique and other is None:
        raise NotProvedError("the strategy is the only optimal one, but said not to be unique")


def _gain_sign(game: Game, weights: list[mpz], j: int) -> int:
    """Return the sign, −1, 0 or 1, of player one's expected gain if player two bids the card with index j.

    Player one's strategy is `weights` divided by their sum.
    """
    support = [i for i, weight in enumerate(weights) if weight]
    total = sum(weights)
    # Intervals are tried only if the strategy does not play the card. If it plays the card and is optimal, the gain is
    # 0. Every interval around the gain then contains 0 and leaves the sign open, so exact numbers are used at once.
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


def check_first_move(values: Values, whole: PrizeState, upcard: int | None, payload: bytes) -> bool:
    """Prove the first move of an entry, and return True; return False if the entry claims nothing.

    An entry of balls can say itself that its first move is not proved. Each ball must then enclose the interval from 0
    to 1, which every probability lies in.

    Args:
        values: the values in an open store that were computed in the same arithmetic as the entry: exact or in balls.
        whole: the game at its start, without the hands.
        upcard: the prize turned up; None if prizes are hidden.
        payload: the bytes of the entry.

    Raises:
        NotProvedError: if the first move or its claim to be the only one is wrong, or cannot be proved.
        ValueError: if the bytes are not those of a first move.
    """
    numbers, unique, proved = read_first_move(payload, values.kind)
    game = first_game(values, whole, upcard, len(numbers))
    if values.kind == EXACT:
        check_strategy(game, [number.low for number in numbers], unique)
        return True
    if not proved:
        if unique or not all(holds(number, mpq(end)) for number in numbers for end in (0, 1)):
            raise NotProvedError("a first move that is not proved must say nothing")
        return False
    support = [i for i, number in enumerate(numbers) if number.low[0] or number.high[0]]
    if not support:
        raise NotProvedError("the probabilities do not add up to 1")
    try:
        payoff, _ = game.intervals(None)
    except NotProvedError:
        payoff = None  # some payoffs are known only as balls, not exactly
    if payoff is not None:
        # All payoffs are known exactly, so the candidates for extreme optimal strategies on this support can be listed.
        # An optimal strategy is extreme if it is not a mixture of others. A candidate has the sum 1 and gains 0 against
        # s − 1 bids, where s is the size of the support; each choice of s − 1 bids determines at most one candidate.
        # The stored balls are proved if they hold a candidate, and this candidate is optimal.
        for columns in combinations(range(len(payoff)), len(support) - 1):
            rows = [[payoff[i][j].low for i in support] for j in columns]
            weights = dict(zip(support, null_vector(rows) if rows else [mpz(1)], strict=True))
            if total := sum(weights.values()):
                strategy = [mpq(weights.get(i, mpz(0)), total) for i in range(len(payoff))]
                if all(map(holds, numbers, strategy)):
                    check_strategy(game, [(p.numerator, p.denominator) for p in strategy], unique)
                    return True
        raise NotProvedError("the probabilities are those of no optimal strategy")
    if not unique:
        raise NotProvedError("the first move is not proved to be one of several")
    # For the basis whose rows and columns are the support, shortfalls() returns the probabilities of the strategy, then
    # its gains against the cards outside the support, all times a positive factor. If all these numbers are positive,
    # the first move is the only optimal one.
    margins = shortfalls(*game.intervals(values.places), support, support)
    if not margins or any(margin.low <= 0 for margin in margins):
        raise NotProvedError("the first move is not proved the only optimal one")
    if not _in_balls(game, support, numbers):
        raise NotProvedError("the probabilities are not proved")
    return True


def _in_balls(game: Game, support: list[int], numbers: list[StoredNumber]) -> bool:
    """Return True if the stored balls are proved to contain the probabilities of the only optimal strategy.

    Args:
        game: the matrix game of the first bids, between equal hands. Its payoffs may be known only as balls.
        support: the indices of the cards that the strategy plays.
        numbers: the stored ball of each card.
    """
    # The probabilities x of the cards in `support` solve A x = e. For each of these cards except the first, A has a row
    # with the payoffs against that card, and e has 0, the strategy's gain against the card. The last row of A is ones,
    # and the last entry of e is 1. Let B be the midpoints of the entries of A, and D their radii. Then x = B⁻¹e −
    # B⁻¹(A − B)x, so x differs from B⁻¹e by at most |B⁻¹| D x. This bound is computed twice: first with 1 for each
    # entry of x, then with the upper bounds on x that the first computation gives.
    payoff, one = game.intervals(game.values.places)
    size = len(support)
    rows = [[payoff[i][j] for i in support] for j in support[1:]] + [[Interval(one, one)] * size]
    # Each interval in `rows` is around an entry of A times `one`. The sum of its ends, low + high, is an entry of the
    # matrix 2 · one · B, an integer, as :func:`null_vector` needs. Column k of the inverse of this matrix is the
    # solution of 2 · one · B · column = unit vector k. It is computed as the null space of [2 · one · B | −unit vector
    # k].
    inverse = []
    for k in range(size):
        lines = [[*(x.low + x.high for x in row), mpz(-(i == k))] for i, row in enumerate(rows)]
        *column, scale = null_vector(lines)
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
