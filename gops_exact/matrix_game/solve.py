"""The solver of one matrix game, by the cheapest exact method that applies."""

from functools import partial
from typing import Literal

from flint import fmpq

from gops_exact.arguments import choice
from gops_exact.matrix_game.basis import Basis, certify, propose
from gops_exact.matrix_game.entries import Game, as_entries, as_matrix
from gops_exact.matrix_game.evaluate import (
    LAPLACE_ROWS,
    basis_strategies,
    basis_value,
    kernel_strategy,
)
from gops_exact.matrix_game.payoff import (
    Matrix,
    Payoff,
    RationalPayoff,
    transposed,
    two_by_two,
)
from gops_exact.matrix_game.pivots import Proved, is_unique, settle, solved
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.matrix_game.solution import GameSolution, Method
from gops_exact.numbers.pairs import from_pair

Path = Literal["auto", "closed form", "guided", "simplex"]
PATHS: tuple[Path, ...] = ("auto", "closed form", "guided", "simplex")


def solve_matrix_game(payoff: object, method: Path = "auto") -> GameSolution:
    """Solve a zero-sum matrix game exactly.

    Args:
        payoff: shape (m, n), player one's gain for each pair of pure strategies; anything exactly
            rational (int, Fraction, fmpq, mpq, sympy.Rational, text such as ``"1/2"``), or a matrix
            of numpy, pandas, sympy or FLINT that holds such numbers.
        method: ``"closed form"`` is a saddle point or the 2 × 2 formula, and fails where neither
            applies. ``"guided"`` is a basis that a float simplex proposes, proved exactly, or
            improved by exact pivots until it is optimal. ``"simplex"`` is a tableau of fractions
            from the beginning, and slow from 40 bids on. ``"auto"`` is the closed form where it
            applies, otherwise guided.

    Returns:
        The solution with its method. All paths give the same value; strategies can differ only
        where they are not unique. That they are is found out when it is asked for.

    Raises:
        ValueError: if the matrix is empty, ragged or holds anything but exact rationals, if the
            method is unknown, or if it does not apply to this game.

    >>> solution = solve_matrix_game([[3, -1], [1, 2]])
    >>> print(solution.value, solution.row, solution.method)
    7/5 (1/5, 4/5) closed form
    """
    choice(method, "method", PATHS)
    if method == "simplex":
        return by_simplex(as_matrix(payoff))
    game = Game.of(as_entries(payoff))
    if method != "guided":
        solution = by_closed_form(game)
        if solution is not None:
            return solution
        if method == "closed form":
            m, n = game.entries.shape
            raise ValueError(
                "the closed form needs a saddle point or a 2 × 2 game, "
                f"got a {m} × {n} game without a saddle point"
            )
    return by_guidance(game)


def by_guidance(game: Game) -> GameSolution:
    """Solve by a basis that floats propose, and that exact pivots improve if it is not optimal."""
    entries = game.entries
    if isinstance(entries.flat[0], fmpq) and min(entries.shape) <= LAPLACE_ROWS:
        # Few rows of long fractions: balls are quicker in rejecting a basis, determinants in evaluating it.
        found = by_balls(entries.tolist())
        if found is not None:
            return found
    return _from_basis(game, solved(game), "guided")


def _from_basis(game: Game, proved: Proved, method: Method) -> GameSolution:
    """Return the solution at an optimal basis."""
    rows, columns = proved.basis.rows, proved.basis.columns
    row, column = ([fmpq(0)] * side for side in game.entries.shape)
    for strategy, bids, levels in ((row, rows, proved.row), (column, columns, proved.column)):
        for bid, level in zip(bids, levels, strict=False):
            strategy[bid] = level
    return GameSolution(
        game.value(proved.column[-1]),
        tuple(row),
        tuple(column),
        method,
        partial(is_unique, game.entries, proved, rows=True),
        partial(is_unique, game.entries, proved, rows=False),
    )


def by_closed_form(game: Game) -> GameSolution | None:
    """Solve by a saddle point or the 2 × 2 formula; None where neither applies."""
    saddle = game.saddle_point()
    if saddle is not None:
        i, j = saddle
        return _from_basis(game, settle(game.entries, Basis((i,), (j,))), "saddle point")
    if game.entries.shape == (2, 2):
        value, row, column = two_by_two([list(map(fmpq, line)) for line in game.entries.tolist()])
        return GameSolution(game.value(value), row, column, "closed form", True, True)
    return None


def by_balls(matrix: Matrix) -> GameSolution | None:
    """Call :func:`by_basis` for a matrix of reduced fractions, shape (m, n)."""
    return by_basis(RationalPayoff(matrix), antisymmetric=matrix == transposed(matrix))


def by_basis(payoff: Payoff, *, antisymmetric: bool) -> GameSolution | None:
    """Solve by a basis that floats propose and balls prove; None if it is not proved (a tie)."""
    basis = propose(payoff.floats())
    if basis is None or not certify(payoff, basis):
        return None
    if antisymmetric and len(basis.rows) > 1:
        strategy = tuple(map(from_pair, kernel_strategy(payoff, basis.rows)))
        return GameSolution(
            fmpq(0), strategy, strategy, "pfaffian", row_single=True, column_single=True
        )
    row, column = basis_strategies(payoff, basis)
    value = from_pair(basis_value(payoff, basis))
    method: Method = "guided"
    if len(basis.rows) == 1:
        method = "saddle point"
    elif payoff.shape == (2, 2):
        method = "closed form"
    return GameSolution(value, row, column, method, row_single=True, column_single=True)


def by_simplex(matrix: Matrix) -> GameSolution:
    """Solve by the rational simplex, which takes every game, shape (m, n)."""
    value, row, column, tableau = solve_tableau(matrix)
    return GameSolution(
        value,
        row,
        column,
        "simplex",
        lambda: not solve_tableau(transposed(matrix))[3].alternative_optimum(),
        lambda: not tableau.alternative_optimum(),
    )
