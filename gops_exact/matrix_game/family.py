"""Matrix games A + tB for all t of an interval: the pieces on which one kernel is optimal, in exact numbers.

Words used here:

* A *bid* is a pure strategy, a row or a column.
* A *kernel* is a square submatrix of the game, chosen by s rows and s columns. These rows and columns are a *basis*,
  which determines a strategy of each player (:mod:`~gops_exact.matrix_game.basis`).
* The *slack* of a bid outside the kernel is the amount by which the bid does worse than the value against the other
  player's strategy.
* A *piece* is an interval of t, or a single point, on which one kernel is optimal.

At a kernel the strategies, slacks and value are quotients of polynomials in t. Their common denominator is the
determinant of the kernel bordered by a row and a column of ones, with 0 in the corner. All polynomials have at most the
degree s (Cramer's rule), so their values at s + 1 integers determine them. Common factors of all polynomials are
divided out.

At some t, let the kernel be optimal. Suppose that neither the denominator nor any numerator of a probability or a slack
is 0 at this t, except numerators that are 0 for every t. Then the kernel stays optimal on both sides of t up to the
nearest point at which a numerator changes its sign. The denominator has no root before that point: it is the sum of the
numerators of a player's probabilities, which do not change their signs there. At a root of the denominator, all these
numerators would be 0, and so would those of the value and of the slacks. All polynomials would then have a common
factor, but common factors have been divided out.

Together these points t are one piece. The gaps to the left and to the right of the piece are then treated in the same
way as the whole interval: a number t in the gap is tried. If a numerator is 0 at this t but not for every t, the kernel
may be optimal at this point only. Then another t in the gap is tried. There are finitely many such points.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly

from gops_exact.base.arguments import function
from gops_exact.base.progress import Progress, silent
from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.game_solution import as_matrix_game
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.payoff import Entries, Payoff, flint
from gops_exact.matrix_game.simplex import LinearProgram, solved
from gops_exact.numbers.exact import rational
from gops_exact.numbers.polynomials import Quotient, Root, between, may_vanish
from gops_exact.numbers.table import Shown, Table, members

Mix = dict[str, Quotient]
"""Probabilities as functions of t, by the labels of pure strategies. Those without a label here are not played."""


@dataclass(frozen=True)
class Piece:
    """Closed interval of t on which one kernel of the matrix game A + tB is optimal.

    The value and the strategies on this interval are functions of t.
    """

    low: Root  #: the lower end: a rational number, or an isolated root of a polynomial
    high: Root  #: the upper end
    value: Quotient  #: the value of the game, a function of t
    row: Mix  #: player one's probabilities, by the labels of the kernel's rows
    column: Mix  #: player two's probabilities, by the labels of the kernel's columns


@dataclass(frozen=True, repr=False)
class Family(Shown):
    """Solution of the matrix games A + tB for all t of an interval."""

    game: MatrixGame  #: the game A, whose labels the pieces have
    #: the pieces in ascending order: each begins where the one before ends
    pieces: tuple[Piece, ...]

    def at(self, t: object) -> Piece:
        """Return the piece (interval) that contains t. If t is an end of two pieces, return the left piece.

        Args:
            t: an exact number of the interval.

        Raises:
            ValueError: if `t` is no exact number, or is outside the interval.
        """
        root, (low, high) = Root.at(t), (self.pieces[0].low, self.pieces[-1].high)
        if root < low or high < root:
            raise ValueError(f"t must be from {low.number} to {high.number}, got {root.number}")
        return next(piece for piece in self.pieces if not piece.high < root)

    def points(self, steps: int) -> list[tuple[fmpq, Piece]]:
        """Return pairs (t, piece that contains t) for charts, with t rational.

        Args:
            steps: the number of equal steps into which each piece is divided, at least 1.
        """
        points = []
        for piece in self.pieces:
            low, high = piece.low.number.bounds()[1], piece.high.number.bounds()[0]
            points += [(low + (high - low) * step / steps, piece) for step in range(steps + 1)]
        return points

    def table(self) -> Table:
        """Return a table with a line for each piece, an interval of t on which one kernel (a submatrix) is optimal.

        A line has the ends of the interval, the labels of the kernel's rows and columns, and the value of the game as a
        function of t.
        """
        rows = []
        for number, piece in enumerate(self.pieces, start=1):
            ends, sides = (piece.low.number, piece.high.number), (piece.row, piece.column)
            rows.append(((number,), [*ends, *map(", ".join, sides), piece.value.short()]))
        return Table(
            f"{self.game.title}: the pieces of t on which one kernel is optimal",
            ("piece",),
            rows,
            heads=("from", "to", "rows", "columns", "value"),
            left=("rows", "columns", "value"),
            matrix=True,
        )

    def document(self) -> dict[str, Any]:
        """Return the attribute `pieces` as a JSON object, with numbers and the coefficients of polynomials as text."""
        title, pieces = self.game.title, members(self.pieces)
        return {"document": "family of games", "version": 1, "title": title, "pieces": pieces}


def solve_family(
    first: object, second: object, low: object, high: object, *, progress: Progress | None = None
) -> Family:
    """Solve the matrix games A + tB for all t of an interval exactly.

    Args:
        first: A, an m × n game, anything that :func:`~gops_exact.solve_matrix_game` takes, except floats.
        second: B, a game of the same shape.
        low: the least t, an exact number.
        high: the greatest t, an exact number.
        progress: called as progress(done, total), counted in pieces, whose total is estimated; None for no report.

    Returns:
        The pieces of the interval, on each of which one kernel is optimal (see :attr:`.GameSolution.kernel`).

    Raises:
        ValueError: if A or B is not a matrix of exact rationals, if their shapes differ, or if `low` is not less than
            `high`.

    >>> family = solve_family([[3, -1], [1, 2]], [[0, 1], [0, 0]], 0, 4)
    >>> print(family)
    matrix game: the pieces of t on which one kernel is optimal
    <BLANKLINE>
    piece    from      to  rows  columns  value
        1  0.0000  3.0000  1, 2  1, 2     (t - 7)/(t - 5)
        2  3.0000  4.0000  1     2        t - 1
    >>> family.at(2).value(2), family.at(2).row["1"](2)
    (5/3, 1/3)
    """
    function(progress, "progress")
    games = as_matrix_game(first), as_matrix_game(second)
    shapes = ["{} × {}".format(*game.shape) for game in games]
    if shapes[0] != shapes[1]:
        raise ValueError(f"B must be as large as A, {shapes[0]}, got {shapes[1]}")
    start, end = rational(low, "low"), rational(high, "high")
    if start >= end:
        raise ValueError(f"high must be greater than low, {start}, got {end}")
    entries = [np.array(game.numbers.rows) for game in games]
    tell = silent if progress is None else progress
    gaps, pieces = [(Root.at(start), Root.at(end))], list[Piece]()
    while gaps:
        tell(len(pieces), len(pieces) + len(gaps))
        left, right = gaps.pop()
        tried = (_piece(games[0], entries, t, left, right) for t in between(left, right))
        piece = next(filter(None, tried))
        pieces.append(piece)
        sides = (left, piece.low), (piece.high, right)
        gaps += [side for side in sides if side[0] < side[1]]
    tell(len(pieces), len(pieces))
    return Family(games[0], tuple(sorted(pieces, key=lambda piece: piece.low)))


def _piece(
    game: MatrixGame, entries: Sequence[Entries], t: fmpq, low: Root, high: Root
) -> Piece | None:
    """Return the piece around t, cut off at `low` and `high`.

    The result is None if a probability or a slack is 0 at t, unless it is 0 for every t.

    Args:
        game: the game A.
        entries: the payoffs of A and of B, fractions, each of shape (m, n).
        t: a number between the two roots.
        low: a root.
        high: a greater root.
    """
    basis = solved(Payoff.of(entries[0] + t * entries[1]))[0][0].basis
    determinant, value, *numerators = _polynomials(entries[0], entries[1], basis)
    shared = reduce(fmpq_poly.gcd, numerators, determinant)
    if (determinant // shared)(t) < 0:
        shared = -shared
    varying = [part // shared for part in numerators if part]
    if not all(part(t) for part in varying):
        return None
    here = Root.at(t)
    for part in varying:
        if may_vanish(part, low.number.bounds()[0], high.number.bounds()[1]):
            for factor, multiplicity in part.numer().factor()[1]:
                # At a root of even multiplicity the numerator does not change its sign.
                for root in Root.all(factor) if multiplicity % 2 else ():
                    low, high = (max(low, root), high) if root < here else (low, min(high, root))
    shares = [Quotient.of(part, determinant) for part in numerators]
    column = dict(zip((game.columns[j] for j in basis.columns), shares, strict=False))
    row = dict(zip((game.rows[i] for i in basis.rows), shares[game.shape[0] :], strict=False))
    return Piece(low, high, Quotient.of(value, determinant), row, column)


def _polynomials(first: Entries, second: Entries, basis: Basis) -> list[fmpq_poly]:
    """Return the value, probabilities and slacks of the games A + tB at a kernel: their denominator, then numerators.

    All are polynomials in t, and the denominator is the same for all numbers.
    The denominator is the determinant of K, the bordered kernel (:mod:`~gops_exact.matrix_game.simplex`). The first
    numerator is that of the value. The numerators of the m basic variables of player two's linear program follow, then
    those of the n basic variables of player one's, each in the order of :attr:`.LinearProgram.basic`. A basic variable
    is the probability of a row or column of the kernel, or the slack of another row or column.

    Args:
        first: the matrix A, fractions, shape (m, n).
        second: the matrix B, fractions, shape (m, n).
        basis: the rows and columns of the kernel; for some t, K must not be singular.
    """
    points, values = list[int](), list[list[fmpq]]()
    candidates = count()
    while len(points) <= len(basis.rows):
        t = next(candidates)
        two = LinearProgram(first + t * second, basis)
        one = LinearProgram(-two.entries.T, basis.swapped)
        determinant = flint(two.bordered[[*basis.rows, -1]]).det()
        if determinant:
            *levels, value = two.levels
            points.append(t)
            known = [fmpq(1), value, *levels, *one.levels[:-1]]
            values.append([determinant * level for level in known])
    powers = fmpq_mat([[point**power for power in range(len(points))] for point in points])
    return list(map(fmpq_poly, powers.solve(fmpq_mat(values)).transpose().tolist()))
