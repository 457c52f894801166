"""Proofs of stored balls and residues, from those one prize smaller.

A game's value grows with its payoffs, so it lies between the values of the games of all lower and of
all upper ends; a ball is proved if it holds them both. Where the payoffs are fractions, the value is
computed. A residue is computed on a basis that is proved optimal for all payoffs in their balls.
"""

from collections.abc import Iterator
from itertools import combinations

from gmpy2 import invert, mpq, mpz

from gops_exact.verify.arithmetic import Interval, NotProvedError, kernel, solve_game
from gops_exact.verify.games import Opening, check_opening, is_optimal, read_opening, shortfalls
from gops_exact.verify.rules import EXACT, Left, Outcome, turns
from gops_exact.verify.values import Game, PayloadReader, Stored, Values, followed


def holds(number: Stored, true: mpq, prime: int = 0) -> bool:
    """Tell if a stored number is that of a fraction."""
    if number.residue is not None:
        p, q = true.numerator, true.denominator
        return bool(q % prime != 0 and (number.residue * q - p) % prime == 0)
    (low, one), (high, unit) = number.ends
    return bool(mpq(low, one) <= true <= mpq(high, unit))


def check_ball(values: Values, left: Left, word: str, stored: Stored) -> None:
    """Prove the fraction or the ball of a value.

    Raises:
        NotProvedError: if it is wrong, or cannot be proved.
    """
    if stored.ball is None:
        if mpq(*values.computed(left, word)) != mpq(*stored.pair):
            raise NotProvedError("the value is not the mean over the upcards")
        return
    bits = _bits(values)
    found = values.enclosed(left, word, bits)
    (low, one), (high, _) = stored.ball
    if found.low * one < low << bits or found.high * one > high << bits:
        raise NotProvedError("the ball is not proved to hold the value")


def check_residue(values: Values, left: Left, word: str, stored: Stored) -> str:
    """Check the residue of a value whose fraction or ball is proved; return how, as an opening's.

    Raises:
        NotProvedError: if it is wrong, or cannot be proved.
    """
    prime, how = values.parameters[0], "proved"
    if stored.ball is None:
        right = holds(stored, mpq(*stored.pair), prime)
    elif stored.proved:
        right = (_mean_modulo(values, left, word) - (stored.residue or 0)) % prime == 0
    else:
        exact = values.of(EXACT).find(left, word)
        if exact is None:
            return "passed_over"
        right, how = holds(stored, mpq(*exact.pair), prime), "compared"
    if not right:
        raise NotProvedError("the residue is not that of the value")
    return how


def _mean_modulo(values: Values, left: Left, word: str) -> mpz:
    """Return a value modulo the prime, computed from those one prize smaller."""
    total, count, prime = mpz(0), 0, values.parameters[0]
    for turn in turns(left):
        game = Game(values, word, turn)
        try:
            payoff, _ = game.exact()
        except NotProvedError:
            payoff = [[entry.low for entry in row] for row in game.intervals(_bits(values))]
        _, rows, columns = solve_game(payoff)
        if not is_optimal(game, rows, columns):
            raise NotProvedError("no basis is proved optimal")
        *weights, value = kernel([[*line, mpz(-1)] for line in _modulo(game, rows, columns)])
        total += turn.times * value * _inverse(sum(weights), prime)
        count += turn.times
    return total * _inverse(mpz(count), prime) % prime


def _modulo(game: Game, rows: list[int], columns: list[int]) -> list[list[mpz]]:
    """Return payoffs modulo the prime."""
    return [[_payoff_modulo(game, game.outcomes[i][j]) for j in columns] for i in rows]


def _payoff_modulo(game: Game, outcome: Outcome) -> mpz:
    values, total = game.values, mpz(0)
    for stake in game.turn.stakes:
        gain, left, orientation = followed(outcome, stake)
        if orientation:
            key = left, outcome.word
            if key not in values.residues:
                stored = values.find(*key)
                if stored is not None and not stored.proved:
                    raise NotProvedError("it rests on a residue that is not proved")
                found = stored.residue if stored else None
                values.residues[key] = _mean_modulo(values, *key) if found is None else found
            gain += orientation * values.residues[key]
        total += stake.times * gain
    return total * _inverse(mpz(game.turn.times), values.parameters[0])


def _inverse(number: mpz, prime: int) -> mpz:
    try:
        return invert(number, prime)
    except ZeroDivisionError:
        raise NotProvedError("the prime divides a denominator") from None


def _bits(values: Values) -> int:
    """Return binary places that add nothing to speak of to the balls of an arithmetic."""
    return 2 * values.parameters[-2]


def check_enclosed_opening(values: Values, whole: Left, upcard: int | None, payload: bytes) -> str:
    """Check a first move in balls or residues; return if it was "proved", "compared" or "passed_over".

    If it is marked as not proved, balls say nothing, and residues are compared with the exact first
    move where the store has that.

    Raises:
        NotProvedError: if it is wrong, or cannot be proved.
    """
    reader, is_ball = PayloadReader(payload), values.arithmetic.startswith("ball/")
    flags = [bool(reader.count()), bool(reader.count())]
    proved, unique = flags if is_ball else flags[::-1]
    read = reader.ball if is_ball else lambda: Stored(residue=reader.count())
    numbers = [read() for _ in range(reader.count())]
    reader.end()
    found = {turn.upcard: turn for turn in turns(whole)}
    if len(numbers) != len(whole.prizes) or upcard not in found:
        raise NotProvedError(f"expected {len(whole.prizes)} probabilities, got {len(numbers)}")
    if is_ball and not proved:
        if unique or not all(holds(each, mpq(end)) for each in numbers for end in (0, 1)):
            raise NotProvedError("a first move that is not proved must say nothing")
        return "passed_over"
    game = Game(values, "B" * len(numbers), found[upcard])
    support = [i for i, number in enumerate(numbers) if not _is_zero(number)]
    if not support:
        raise NotProvedError("the probabilities do not add up to 1")
    try:
        payoff, _ = game.exact()
    except NotProvedError:
        if unique and not _is_only(game, support):
            raise NotProvedError("the first move is not proved the only optimal one") from None
        if not proved:
            return _compared(values, whole, upcard, numbers)
        if not unique:
            raise NotProvedError("the first move is not proved to be one of several") from None
        if not (_in_balls if is_ball else _in_residues)(game, support, numbers):
            raise NotProvedError("the probabilities are not proved") from None
        return "proved"
    prime = values.parameters[0]
    for strategy in _vertices(payoff, support):
        if all(holds(number, p, prime) for number, p in zip(numbers, strategy, strict=True)):
            pairs = tuple((p.numerator, p.denominator) for p in strategy)
            check_opening(
                values, whole, upcard, Opening(pairs, unique if proved or unique else None)
            )
            return "proved"
    raise NotProvedError("the probabilities are those of no optimal strategy")


def _is_zero(number: Stored) -> bool:
    return number.residue == 0 or (
        number.ball is not None and number.ball[0][0] == number.ball[1][0] == 0
    )


def _compared(values: Values, whole: Left, upcard: int | None, numbers: list[Stored]) -> str:
    """Compare residues with the exact first move; return if that could be done."""
    payload = values.store.get(whole.opening_key(upcard))
    if payload is None:
        return "passed_over"
    exact = read_opening(payload).strategy
    if not all(
        holds(each, mpq(*p), values.parameters[0]) for each, p in zip(numbers, exact, strict=True)
    ):
        raise NotProvedError("the residues are not those of the exact first move")
    return "compared"


def _vertices(payoff: list[list[mpz]], support: list[int]) -> Iterator[list[mpq]]:
    """Yield the strategies on a support that are determined by the bids against which they gain nothing.

    The vertices of the set of optimal strategies are among them. `payoff`, shape (n, n), is antisymmetric.
    """
    for columns in combinations(range(len(payoff)), len(support) - 1):
        rows = [[payoff[i][j] for i in support] for j in columns]
        weights = dict(zip(support, kernel(rows) if rows else [mpz(1)], strict=True))
        total = sum(weights.values())
        if total:
            yield [mpq(weights.get(i, mpz(0)), total) for i in range(len(payoff))]


def _is_only(game: Game, support: list[int]) -> bool:
    """Tell if the one optimal strategy is certain to play just this support."""
    bits = _bits(game.values)
    found = shortfalls(game.intervals(bits), mpz(1) << bits, support, support)
    return bool(found) and all(number.low > 0 for number in found or ())


def _in_residues(game: Game, support: list[int], numbers: list[Stored]) -> bool:
    """Tell if residues are those of the strategy on the support."""
    prime = game.values.parameters[0]
    # The game is antisymmetric: its columns are its rows, but for the sign.
    rows = _modulo(game, support[1:], support)
    weights = kernel(rows) if rows else [mpz(1)]
    whole = _inverse(sum(weights), prime)
    return all(
        (weight * whole - (numbers[i].residue or 0)) % prime == 0
        for i, weight in zip(support, weights, strict=True)
    )


def _in_balls(game: Game, support: list[int], numbers: list[Stored]) -> bool:
    """Tell if balls hold the strategy on the support, for all payoffs in their balls.

    It solves A x = e, where A has the gains against the support's cards but one, and a row of ones.
    With the midpoints B of A, and radii D, x = B⁻¹e − B⁻¹(A − B)x is off B⁻¹e by at most |B⁻¹| D x. The
    second round bounds x by what the first one found.
    """
    bits, size = _bits(game.values), len(support)
    payoff, one = game.intervals(bits), mpz(1) << bits
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
            sum(
                (abs(column[i]) * each for column, each in zip(inverse, spread, strict=True)),
                mpq(0),
            )
            for i in range(size)
        ]
        most = [p + radius for p, radius in zip(middle, off, strict=True)]
    return all(
        mpq(*numbers[card].ends[0]) <= p - radius and p + radius <= mpq(*numbers[card].ends[1])
        for card, p, radius in zip(support, middle, off, strict=True)
    )
