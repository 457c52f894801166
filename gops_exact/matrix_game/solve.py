"""The solver of one matrix game, by the cheapest exact method that applies."""

from functools import partial
from typing import Literal

from flint import arb, fmpq

from gops_exact.arguments import choice
from gops_exact.matrix_game.basis import Basis, certify, placed, propose, prove
from gops_exact.matrix_game.evaluate import (
    LAPLACE_ROWS,
    basis_strategies,
    basis_value,
    kernel_strategy,
)
from gops_exact.matrix_game.exact import Proved, is_unique, settle, solve_tableau, solved
from gops_exact.matrix_game.payoff import ZERO, Payoff, two_by_two
from gops_exact.matrix_game.play import GameSolution, Method
from gops_exact.numbers.raw import from_pair

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
    game = Payoff.of(payoff)
    if method == "simplex":
        return by_simplex(game)
    if method != "guided":
        found = by_closed_form(game)
        if found is not None:
            return found
        if method == "closed form":
            m, n = game.shape
            raise ValueError(
                "the closed form needs a saddle point or a 2 × 2 game, "
                f"got a {m} × {n} game without a saddle point"
            )
    return by_guidance(game)


def by_guidance(game: Payoff) -> GameSolution:
    """Solve by a basis that floats propose, and that exact pivots improve if it is not optimal."""
    if isinstance(game.entries.flat[0], fmpq) and min(game.shape) <= LAPLACE_ROWS:
        # Few rows of long fractions: balls are quicker in rejecting a basis, determinants in evaluating it.
        found = by_basis(game, fair=game.is_fair())
        if found is not None:
            return found
    return _at(solved(game), game, "guided")


def by_closed_form(game: Payoff) -> GameSolution | None:
    """Solve by a saddle point or the 2 × 2 formula; None where neither applies."""
    saddle = game.saddle_point()
    if saddle is not None:
        i, j = saddle
        return _at(settle(game.entries, Basis((i,), (j,))), game, "saddle point")
    if game.shape == (2, 2):
        return GameSolution(*two_by_two(game.rows), "closed form", True, True)
    return None


def by_basis(game: Payoff, *, fair: bool) -> GameSolution | None:
    """Solve by a basis that floats propose and balls prove; None if it is not proved (a tie).

    `fair` says that the game is antisymmetric.
    """
    basis = propose(game.floats())
    if basis is None or not certify(game, basis):
        return None
    if fair and len(basis.rows) > 1:
        strategy = tuple(map(from_pair, kernel_strategy(game, basis.rows)))
        return GameSolution(ZERO, strategy, strategy, "pfaffian", True, True)
    row, column = basis_strategies(game, basis)
    value = from_pair(basis_value(game, basis))
    method: Method = "guided"
    if len(basis.rows) == 1:
        method = "saddle point"
    elif game.shape == (2, 2):
        method = "closed form"
    return GameSolution(value, row, column, method, True, True)


def by_simplex(game: Payoff) -> GameSolution:
    """Solve by the rational simplex, which takes every game."""
    play, basis = solve_tableau(game.rows)

    def unique(*, rows: bool) -> bool:
        return is_unique(settle(game.entries, basis), rows=rows)

    row_unique, column_unique = partial(unique, rows=True), partial(unique, rows=False)
    return GameSolution(play.value, play.row, play.column, "simplex", row_unique, column_unique)


def _at(proved: Proved, game: Payoff, method: Method) -> GameSolution:
    """Return the solution at an optimal basis."""
    basis = proved.programme.basis
    m, n = game.shape
    return GameSolution(
        game.value(proved.column[-1]),
        placed(proved.row, basis.rows, m, ZERO),
        placed(proved.column, basis.columns, n, ZERO),
        method,
        partial(is_unique, proved, rows=True),
        partial(is_unique, proved, rows=False),
    )


def enclosed(balls: list[list[arb]]) -> tuple[arb, Basis | None]:
    """Return a ball around the value of a game in balls, shape (m, n), ties included; and its basis.

    A value changes by no more than its payoffs do, so it differs from the value of the game of midpoints
    by at most the largest radius. The basis is None if none is proved.

    >>> enclosed([[arb(0, 1), arb(0, 1)]])
    ([+/- 1.01], None)
    """
    play, basis = solve_tableau([[entry.mid().fmpq() for entry in row] for row in balls])
    found = prove(balls, basis)
    if found is not None:
        return found.value, basis
    radius = max(entry.rad() for row in balls for entry in row)
    return arb(play.value) + arb(0, radius), None
