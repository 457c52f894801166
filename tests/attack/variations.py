"""Random matrix games with one payoff, or with all, that vary: every rate, interval, piece and end against games that are solved.

By half the games are degenerate, as in `games`. The exact values of a game at two small changes of a payoff, ε and 2ε, determine
the rate: for small δ the value is v + r δ/(1 + b δ), so with D(δ) = (v(δ) − v)/δ the rate r is 1/(2/D(ε) − 1/D(2ε)). The
strategies at a kernel are the oracle's.
"""

from fractions import Fraction
from itertools import pairwise

import flint
import games
import oracle
import sympy
from case_runner import Wrong

import gops_exact as gx

NEAR = Fraction(1, 10**20)
"""A change within which no random game of short numbers has another kernel."""


FAR = Fraction(10**9)
"""A change for an interval without end."""


def with_payoff(matrix, i, j, payoff):
    return [
        [payoff if (a, b) == (i, j) else x for b, x in enumerate(row)]
        for a, row in enumerate(matrix)
    ]


def value(matrix):
    return gx.solve_matrix_game(matrix).value.to_fraction()


def is_kernel(matrix, rows, columns):
    """Whether the oracle's strategies at rows and columns are optimal."""
    square = [[Fraction(matrix[i][j]) for j in columns] for i in rows]
    sides = oracle._equaliser(square), oracle._equaliser([*zip(*square, strict=True)])
    if None in sides:
        return False
    row, column = (
        oracle._spread(part[:-1], bids, size)
        for part, bids, size in zip(
            (sides[1], sides[0]), (rows, columns), (len(matrix), len(matrix[0])), strict=True
        )
    )
    worth = min(oracle._dot(row, line) for line in zip(*matrix, strict=True))
    return oracle.is_optimal(matrix, worth, row, column)


def check_sensitivity(matrix):
    """Check the rates and the interval of every payoff."""
    solved = gx.solve_matrix_game(matrix)
    sensitivity = solved.sensitivity()
    for i, row in enumerate(matrix):
        for j in range(len(row)):
            found = sensitivity.payoffs[solved.game.rows[i]][solved.game.columns[j]]
            if fault := "".join(faults(matrix, solved, i, j, found)):
                raise Wrong(fault, matrix, found)


def faults(matrix, solved, i, j, found):
    """Yield what is wrong with the rates and the interval of one payoff."""

    def varied(change):
        return with_payoff(matrix, i, j, matrix[i][j] + change)

    for rate, step in ((found.above, NEAR), (found.below, -NEAR)):
        one, two = ((value(varied(k * step)) - solved.value) / (k * step) for k in (1, 2))
        if rate != (1 / (2 / one - 1 / two) if one and two else one):
            yield "a rate differs from finite differences; "
    ends = [
        side * FAR if end is None else end.to_fraction() - matrix[i][j]
        for end, side in ((found.low, -1), (found.high, 1))
    ]
    inside = [(9 * ends[0] + ends[1]) / 10, (ends[0] + 9 * ends[1]) / 10]
    for change in (*ends, *inside):
        if found.value(matrix[i][j] + change) != value(varied(change)):
            yield "another value in the interval; "
        # If the kernel has probability 0 for both bids, it may be singular at one payoff.
        is_free = not solved.row[i] and not solved.column[j]
        if not is_free and not is_kernel(varied(change), *solved.kernel):
            yield "a kernel that is not optimal in its interval; "
    for end, bound, side in zip(ends, (found.low, found.high), (-1, 1), strict=True):
        if bound is not None and is_kernel(varied(end + side * NEAR), *solved.kernel):
            yield "an interval that is too short; "


def sensitivity_case(rng, _place):
    check_sensitivity(games.small_game(rng))


def pair(rng, most=6):
    """Two games of the same shape, with at most so many bids a side."""
    first = [row[:most] for row in games.small_game(rng)[:most]]
    build = rng.choice((games.plain, games.plain, games.repeated, games.dominated))
    entry = games.SMALL[rng.choice(list(games.SMALL))]
    return first, build(rng, len(first), len(first[0]), entry)


def check_family(first, second, low, high, rng, points=100):
    """Check the pieces of A + tB: they touch, each end is one root, and both strategies are optimal at random points."""
    family = gx.solve_family(first, second, low, high)
    pieces = family.pieces
    if (pieces[0].low.number, pieces[-1].high.number) != (low, high):
        raise Wrong("other ends of the interval", first, second, family)
    for end in {end for piece in pieces for end in (piece.low, piece.high)}:
        polynomial = sympy.Poly(end.polynomial[::-1], sympy.Symbol("t"))
        least, most = (gx.view(bound).to_sympy() for bound in end.number.bounds())
        if polynomial.count_roots(least, most) != 1:
            raise Wrong("bounds that do not isolate a root", first, second, end)
    for left, right in pairwise(pieces):
        if left.high != right.low or not left.low < left.high:
            raise Wrong("pieces that do not touch", first, second, left, right)
        a, b, c, d = (
            flint.fmpz_poly(list(part))
            for value in (left.value, right.value)
            for part in (value.numerator, value.denominator)
        )
        if (a * d - b * c) % flint.fmpq_poly(list(left.high.polynomial)):
            raise Wrong("another value from the left than from the right", first, second, left)
    for t in (low, high, *(low + (high - low) * Fraction(rng.random()) for _ in range(points))):
        piece, game = (
            family.at(t),
            [
                [x + t * y for x, y in zip(*rows, strict=True)]
                for rows in zip(first, second, strict=True)
            ],
        )
        labels = (map(str, range(1, size + 1)) for size in (len(game), len(game[0])))
        row, column = (
            [side[name](t).to_fraction() if name in side else Fraction(0) for name in names]
            for side, names in zip((piece.row, piece.column), labels, strict=True)
        )
        worth = piece.value(t)
        if worth != value(game) or not oracle.is_optimal(game, worth.to_fraction(), row, column):
            raise Wrong("no solution", first, second, t, piece)


def family_case(rng, _place):
    low = Fraction(rng.randint(-20, 20), rng.choice((1, 4, 7)))
    check_family(*pair(rng), low, low + Fraction(rng.randint(1, 40), 4), rng)
