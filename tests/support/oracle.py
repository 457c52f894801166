"""Slow, plain answers that the package is tested against; imports nothing but the standard library.

A matrix game is solved by looking at every square submatrix (the kernels of Shapley and Snow,
"Basic solutions of discrete games", 1950) and a position by the recursion as Ross (1970, §3)
wrote it: no order types, no symmetry, no saddle points, no shortcut. Hands, prizes and
strategies are tuples; every number is a `Fraction`.

Why the kernel is bordered. For an s x s submatrix M look for probabilities x, y on its rows and
columns and a number v with

    x M = v 1,   x 1 = 1,        M y = v 1,   1 y = 1.

With the bordered matrix B = [[M, 1], [1, 0]] these say that (x, -v) B and B (y, -v) are the last
unit vector. Shapley and Snow ask for 1 adj(M) 1 != 0, and det B = -1 adj(M) 1: the kernels are the
submatrices with a nonsingular border. Inverting M itself would miss games of value 0, whose
kernels are singular, unless a constant is first added to all entries so that the value is not 0;
that constant changes v and leaves det B, x and y as they are, so the border makes it unnecessary.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

Matrix = Sequence[Sequence[Fraction]]
Strategy = tuple[Fraction, ...]
Cards = tuple[int, ...]


class Solution(NamedTuple):
    """Value of a matrix game and one optimal strategy a player."""

    value: Fraction
    row: Strategy
    column: Strategy


class Rules(NamedTuple):
    """What the players play for; `fixed` prizes come in the order given."""

    objective: str = "points"
    ties: str = "discard"
    order: str = "random"


def as_oracle(rules: Any) -> dict[str, Any]:
    """Return rules of the package as the oracle takes them."""
    order = "fixed" if rules.fixed else rules.prizes
    return {"objective": rules.objective, "ties": rules.ties, "order": order}


def fraction(number: Any) -> Fraction:
    """Return an exact number of FLINT, with numerator p and denominator q, as a Fraction."""
    return Fraction(int(number.p), int(number.q))


def matrix_solution(rows: Matrix) -> Solution:
    """The optimal pair of the first kernel, smallest supports first."""
    return next(_null_space_solutions(rows))


def extreme_strategies(rows: Matrix) -> tuple[set[Strategy], set[Strategy]]:
    """All extreme optimal strategies of the row and of the column player.

    A pair of optimal strategies is extreme on both sides exactly if a kernel yields it (Shapley
    and Snow 1950, theorem 2), and every pairing of two extreme ones is such a pair.
    """
    solutions = list(_null_space_solutions(rows))
    return {s.row for s in solutions}, {s.column for s in solutions}


def is_optimal(rows: Matrix, value: Fraction, row: Strategy, column: Strategy) -> bool:
    """Both are probability vectors, `row` gets at least `value`, `column` pays at most that."""
    return (
        min(*row, *column) >= 0
        and sum(row) == sum(column) == 1
        and all(_dot(row, against) >= value for against in zip(*rows, strict=True))
        and all(_dot(against, column) <= value for against in rows)
    )


def _null_space_solutions(rows: Matrix) -> Iterator[Solution]:
    m, n = len(rows), len(rows[0])
    for size in range(1, min(m, n) + 1):
        for row_support in combinations(range(m), size):
            for column_support in combinations(range(n), size):
                kernel = [[rows[i][j] for j in column_support] for i in row_support]
                column = _equaliser(kernel)
                if column is None or min(column[:-1]) < 0:
                    continue
                row = _equaliser(list(zip(*kernel, strict=True)))
                assert row is not None, "a matrix is singular if its transpose is"
                solution = Solution(
                    -row[-1],
                    _spread(row[:-1], row_support, m),
                    _spread(column[:-1], column_support, n),
                )
                if is_optimal(rows, *solution):
                    yield solution


def _equaliser(kernel: Matrix) -> Strategy | None:
    """(y, -v) with kernel y = v 1 and 1 y = 1, by elimination; None if the border is singular."""
    size = len(kernel)
    lines = [[*map(Fraction, line), Fraction(1), Fraction(0)] for line in kernel]
    lines.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for left in range(size + 1, 0, -1):  # each step drops a column, and puts what it solves last
        pivot = next((line for line in lines[:left] if line[0] != 0), None)
        if pivot is None:
            return None
        lines.remove(pivot)
        tail = [entry / pivot[0] for entry in pivot[1:]]
        lines = [[a - line[0] * b for a, b in zip(line[1:], tail, strict=True)] for line in lines]
        lines.append(tail)
    return tuple(constant for (constant,) in lines)


def _spread(part: Sequence[Fraction], support: Sequence[int], length: int) -> Strategy:
    full = [Fraction(0)] * length
    for index, probability in zip(support, part, strict=True):
        full[index] = probability
    return tuple(full)


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


class Position(NamedTuple):
    """What the players know before a round, the upcard aside."""

    one: Cards
    two: Cards
    prizes: Cards
    margin: int
    pot: int


def position_value(one: Cards, two: Cards, prizes: Cards, **standing: Any) -> Fraction:
    """Value to player one before the next prize is known.

    `standing` are `margin` and `pot`, by default 0, and the fields of :class:`Rules`. Points count from
    here on, so `margin` (one's points minus two's) matters only to `objective="win"`, where a win is
    worth 1, a draw 0 and a loss -1.
    """
    return _value(*_at(one, two, prizes, **standing))


def position_solution(
    one: Cards, two: Cards, prizes: Cards, upcard: int | None, **standing: Any
) -> tuple[Fraction, list[list[Fraction]]]:
    """Value and payoff matrix of the round for `upcard`, None if the prize is hidden.

    The rows are the cards of `one`, the columns those of `two`.
    """
    position, rules = _at(one, two, prizes, **standing)
    matrix = _payoff(position, upcard, rules)
    return matrix_solution(matrix).value, matrix


def draw_chances(
    one: Cards, two: Cards, prizes: Cards, upcard: int | None = None, **standing: Any
) -> tuple[Fraction, Fraction]:
    """The least and the greatest chance of a draw, over all pairs of extreme optimal strategies.

    `upcard` is None before a prize is turned up, too.
    """
    position, rules = _at(one, two, prizes, **standing)
    if upcard is None:
        return _draws(position, rules)
    return _draws_of_round(position, upcard, rules)


def _at(
    one: Cards, two: Cards, prizes: Cards, margin: int = 0, pot: int = 0, **rules: str
) -> tuple[Position, Rules]:
    return Position(one, two, prizes, margin, pot), Rules(**rules)


@cache
def _value(position: Position, rules: Rules) -> Fraction:
    if not position.prizes:
        return Fraction(sign(position.margin) if rules.objective == "win" else 0)
    upcards = _upcards(position.prizes, rules)
    games = (_payoff(position, upcard, rules) for upcard in upcards)
    return _mean([matrix_solution(game).value for game in games])


@cache
def _draws(position: Position, rules: Rules) -> tuple[Fraction, Fraction]:
    if not position.prizes:
        return (Fraction(position.margin == 0),) * 2
    upcards = _upcards(position.prizes, rules)
    least, greatest = zip(*(_draws_of_round(position, u, rules) for u in upcards), strict=True)
    return _mean(least), _mean(greatest)


def _draws_of_round(
    position: Position, upcard: int | None, rules: Rules
) -> tuple[Fraction, Fraction]:
    rows, columns = extreme_strategies(_payoff(position, upcard, rules))
    prizes = position.prizes if upcard is None else (upcard,)

    def mean(row: Strategy, column: Strategy, which: int) -> Fraction:
        later = Fraction(0)
        for (i, p), (j, q), prize in product(enumerate(row), enumerate(column), prizes):
            left = _after(position, i, j, prize, rules)
            later += p * q * _draws(left, rules)[which] / len(prizes)
        return later

    pairs = list(product(rows, columns))
    return min(mean(*pair, 0) for pair in pairs), max(mean(*pair, 1) for pair in pairs)


def _upcards(prizes: Cards, rules: Rules) -> Sequence[int | None]:
    """What the players may see before they bid, each equally likely."""
    return {"random": prizes, "fixed": prizes[:1], "hidden": (None,)}[rules.order]


def _payoff(position: Position, upcard: int | None, rules: Rules) -> list[list[Fraction]]:
    """X[i][j]: what bidding one[i] against two[j] for the upcard is worth to player one."""
    one, two, prizes, _, pot = position
    if upcard is None:
        tables = [_payoff(position, prize, rules) for prize in prizes]
        return [list(map(_mean, zip(*lines, strict=True))) for lines in zip(*tables, strict=True)]
    matrix = [[Fraction(0)] * len(two) for _ in one]
    for (i, bid), (j, reply) in product(enumerate(one), enumerate(two)):
        gain = (upcard + pot) * sign(bid - reply) if rules.objective == "points" else 0
        matrix[i][j] = gain + _value(_after(position, i, j, upcard, rules), rules)
    return matrix


def _after(position: Position, i: int, j: int, prize: int, rules: Rules) -> Position:
    """Return the position after one[i] was bid against two[j] for a prize."""
    one, two, prizes, margin, pot = position
    stake, winner = prize + pot, sign(one[i] - two[j])
    return Position(
        without(one, i),
        without(two, j),
        without(prizes, prizes.index(prize)),
        margin=margin + stake * winner if rules.objective == "win" else 0,
        pot=stake if winner == 0 and rules.ties == "carryover" else 0,
    )


def _mean(numbers: Sequence[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


def without(cards: Cards, index: int) -> Cards:
    """Return cards but for the one at a place."""
    return cards[:index] + cards[index + 1 :]


def sign(x: int) -> int:
    return (x > 0) - (x < 0)
