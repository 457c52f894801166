"""One game in balls: an optimal basis where it can be proved, and an enclosure of its value always.

Where no basis can be proved the balls cannot tell the game from a tie. Its value changes by no more
than its entries do, so it differs from the value of the game of midpoints by at most the largest
radius.
"""

from typing import NamedTuple

from flint import arb, fmpq, fmpq_mat

from gops_exact.matrix_game.basis import Basis, bordered, propose, prove
from gops_exact.matrix_game.payoff import Matrix
from gops_exact.matrix_game.simplex import solve_tableau


class Solved(NamedTuple):
    """Proved facts about a game.

    Attributes:
        value: its value.
        basis: an optimal basis; None if none is proved.
    """

    value: arb
    basis: Basis | None


def guided(floats: list[list[float]], balls: list[list[arb]]) -> Solved | None:
    """Solve the game by the basis that floats propose, shape (m, n); None if balls do not prove it."""
    basis = propose(floats)
    candidate = None if basis is None else prove(balls, basis)
    return None if candidate is None else Solved(candidate.value, basis)


def settled(payoff: Matrix) -> Solved:
    """Solve the game by the exact simplex, shape (m, n)."""
    value, _, _, tableau = solve_tableau(payoff)
    return Solved(arb(value), tableau.optimal_basis())


def enclosed(balls: list[list[arb]]) -> Solved:
    """Enclose the value by the exact simplex on the midpoints, shape (m, n).

    >>> nought = arb(0, 1)
    >>> enclosed([[nought, nought]])
    Solved(value=[+/- 1.01], basis=None)
    """
    value, _, _, tableau = solve_tableau([[entry.mid().fmpq() for entry in row] for row in balls])
    basis = tableau.optimal_basis()
    candidate = prove(balls, basis)
    if candidate is not None:
        return Solved(candidate.value, basis)
    radius = max(entry.rad() for row in balls for entry in row)
    return Solved(arb(value) + arb(0, radius), None)


def exact_value(payoff: Matrix, basis: Basis) -> fmpq:
    """Return the value on a basis, for short fractions, shape (m, n).

    >>> exact_value([[fmpq(3), fmpq(-1)], [fmpq(1), fmpq(2)]], Basis((0, 1), (0, 1)))
    7/5
    """
    size = len(basis.rows)
    if size == 1:
        return payoff[basis.rows[0]][basis.columns[0]]
    unit = fmpq_mat(size + 1, 1, [0] * size + [1])
    return -fmpq_mat(bordered(payoff, basis)).solve(unit)[size, 0]
