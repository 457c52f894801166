"""The solver of one matrix game, by the cheapest exact method that applies."""

from collections.abc import Iterable
from typing import Literal

from flint import fmpq

from gops_exact.arguments import choice
from gops_exact.matrix_game.basis import certify, propose
from gops_exact.matrix_game.evaluate import (
    basis_strategies,
    basis_value,
    kernel_strategy,
)
from gops_exact.matrix_game.payoff import (
    Matrix,
    Payoff,
    RationalPayoff,
    as_matrix,
    is_strict,
    saddle_point,
    transposed,
    two_by_two,
)
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.matrix_game.solution import GameSolution, Method
from gops_exact.numbers.pairs import from_pair

Path = Literal["auto", "closed form", "guided", "simplex"]
PATHS: tuple[Path, ...] = ("auto", "closed form", "guided", "simplex")


def solve_matrix_game(payoff: Iterable[Iterable[object]], method: Path = "auto") -> GameSolution:
    """Solve a zero-sum matrix game exactly.

    Args:
        payoff: shape (m, n), player one's gain for each pair of pure strategies; anything exactly
            rational (int, Fraction, fmpq, mpq, sympy.Rational, text such as ``"1/2"``).
        method: ``"auto"`` takes the cheapest path that applies, in the order saddle point, 2 × 2
            closed form, guided, simplex. ``"closed form"`` and ``"guided"`` fail where they do not
            apply; ``"simplex"`` always does.

    Returns:
        The solution with its method. All paths give the same value; strategies can differ only
        where they are not unique.

    Raises:
        ValueError: if the matrix is empty, ragged or holds anything but exact rationals, if the
            method is unknown, or if it does not apply to this game.

    >>> solution = solve_matrix_game([[3, -1], [1, 2]])
    >>> print(solution.value, solution.row, solution.method)
    7/5 (1/5, 4/5) closed form
    """
    choice(method, "method", PATHS)
    matrix = as_matrix(payoff)
    solution = None
    if method in ("auto", "closed form"):
        solution = by_closed_form(matrix)
        if method != "auto" and solution is None:
            raise ValueError(
                "the closed form needs a saddle point or a 2 × 2 game, "
                f"got a {len(matrix)} × {len(matrix[0])} game without a saddle point"
            )
    if solution is None and method != "simplex":
        solution = by_guidance(matrix)
        if method != "auto" and solution is None:
            raise ValueError(
                "the guided path needs a basis that balls can prove, got a tie or a near tie; "
                "the simplex solves every game"
            )
    return solution or by_simplex(matrix)


def by_closed_form(matrix: Matrix) -> GameSolution | None:
    """Solve by a saddle point or the 2 × 2 formula, shape (m, n); None where neither applies."""
    saddle = saddle_point(matrix)
    if saddle is not None:
        i, j = saddle
        strict = is_strict(matrix, i, j)
        return GameSolution(
            matrix[i][j],
            tuple(fmpq(int(k == i)) for k in range(len(matrix))),
            tuple(fmpq(int(k == j)) for k in range(len(matrix[0]))),
            "saddle point",
            strict or _is_unique(transposed(matrix)),
            strict or _is_unique(matrix),
        )
    if len(matrix) == len(matrix[0]) == 2:
        value, row, column = two_by_two(matrix)
        return GameSolution(value, row, column, "closed form", row_unique=True, column_unique=True)
    return None


def by_guidance(matrix: Matrix) -> GameSolution | None:
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
            fmpq(0), strategy, strategy, "pfaffian", row_unique=True, column_unique=True
        )
    row, column = basis_strategies(payoff, basis)
    value = from_pair(basis_value(payoff, basis))
    method: Method = "guided"
    if len(basis.rows) == 1:
        method = "saddle point"
    elif payoff.shape == (2, 2):
        method = "closed form"
    return GameSolution(value, row, column, method, row_unique=True, column_unique=True)


def by_simplex(matrix: Matrix) -> GameSolution:
    """Solve by the rational simplex, which takes every game, shape (m, n)."""
    value, row, column, tableau = solve_tableau(matrix)
    return GameSolution(
        value,
        row,
        column,
        "simplex",
        _is_unique(transposed(matrix)),
        not tableau.alternative_optimum(),
    )


def _is_unique(payoff: Matrix) -> bool:
    """Test whether player two has exactly one optimal strategy, shape (m, n)."""
    return not solve_tableau(payoff)[3].alternative_optimum()
