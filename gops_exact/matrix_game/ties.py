"""Games in balls, ties included: enclosed, decided exactly, or modulo a prime.

A basis is optimal if none of its :func:`~gops_exact.matrix_game.basis.slacks` is negative. Balls
decide the sign of all but the few that are zero or nearly zero. These are computed exactly, or modulo
a prime; or the game is only enclosed: its value changes by no more than its entries do, so it differs
from the value of the game of midpoints by at most the largest radius.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from flint import arb, ctx, fmpq, fmpq_mat, fmpz, nmod, nmod_mat

from gops_exact.matrix_game.basis import (
    Basis,
    Candidate,
    bordered,
    candidate_in_balls,
    from_inverse,
    propose,
    prove,
    slacks,
)
from gops_exact.matrix_game.evaluate import basis_strategies, basis_value
from gops_exact.matrix_game.payoff import Matrix, Payoff
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.numbers.pairs import Pair, to_pair, total


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


PRECISION = 128
"""Bits of the balls. Slacks that these cannot tell from zero mostly are zero."""


def value_if_optimal(payoff: Payoff, basis: Basis) -> arb | None:
    """Return a ball around the value if `basis` is optimal, its strategies unique or not.

    None if it is not, or singular as far as balls tell.

    >>> from flint import fmpq
    >>> from gops_exact.matrix_game.payoff import RationalPayoff
    >>> third = fmpq(1, 3)
    >>> payoff = RationalPayoff([[third, third], [third, fmpq(0)]])
    >>> [value_if_optimal(payoff, Basis((i,), (0,))) is not None for i in (0, 1)]
    [True, False]
    """
    with ctx.workprec(PRECISION):
        balls = payoff.balls(PRECISION)
        candidate = candidate_in_balls(balls, basis)
        if candidate is None:
            return None
        enclosed: list[arb] = list(slacks(balls, basis, candidate))
        if any(slack < 0 for slack in enclosed):
            return None
        doubtful = [place for place, slack in enumerate(enclosed) if not slack > 0]
    return None if doubtful and not none_negative(payoff, basis, doubtful) else candidate.value


def none_negative(payoff: Payoff, basis: Basis, places: Iterable[int]) -> bool:
    """Test exactly that no slack at `places`, in the order of ``slacks``, is negative."""
    value, (row, column) = basis_value(payoff, basis), basis_strategies(payoff, basis)
    x = [(i, to_pair(row[i])) for i in basis.rows]
    y = [(j, to_pair(column[j])) for j in basis.columns]
    m, n = payoff.shape
    # A saddle point's probabilities are 1, and slacks leave them out.
    weights = [weight for _, (weight, _) in (*x, *y)] if len(basis.rows) > 1 else []
    rows = [i for i in range(m) if i not in basis.rows]
    columns = [j for j in range(n) if j not in basis.columns]
    for place in places:
        if place < len(weights):
            slack = weights[place]
        elif (at := place - len(weights)) < len(rows):
            slack = -_excess([(q, payoff.pair(rows[at], j)) for j, q in y], value)
        else:
            j = columns[at - len(rows)]
            slack = _excess([(p, payoff.pair(i, j)) for i, p in x], value)
        if slack < 0:
            return False
    return True


def _excess(terms: list[tuple[Pair, Pair]], value: Pair) -> fmpz:
    """Return the numerator of the sum of products less the value."""
    gains = [(a * c, b * d) for (a, b), (c, d) in terms]
    return total([*gains, (-value[0], value[1])])[0]


def candidate_modulo(residues: list[list[nmod]], basis: Basis) -> Candidate[nmod]:
    """Compute strategies and value on a basis from the payoffs modulo a prime, shape (m, n).

    Raises:
        ZeroDivisionError: if det K is divisible by the prime.

    >>> payoff = [[nmod(3, 101), nmod(-1, 101)], [nmod(1, 101), nmod(2, 101)]]
    >>> candidate_modulo(payoff, Basis((0, 1), (0, 1))).value * 5
    7
    """
    entry = residues[basis.rows[0]][basis.columns[0]]
    size, prime = len(basis.rows), entry.modulus()
    if size == 1:
        return Candidate([nmod(1, prime)], [nmod(1, prime)], entry)
    return from_inverse(nmod_mat(bordered(residues, basis), prime).inv(), size)


def tied_basis(balls: list[list[arb]], residues: list[list[nmod]]) -> Basis | None:
    """Find the first basis that is optimal if all numbers that look like zero are zero, shape (m, n).

    Each slack is positive in balls, or its ball contains zero and its residue is 0. The second is
    evidence, not proof: about one nonzero number in p has residue 0 modulo p, and it has to be tiny
    besides. None if no basis qualifies: then the balls are not precise enough.

    Raises:
        ZeroDivisionError: if none is found, and the prime divides det K of one that may be optimal.
    """
    divided = None
    for basis in bases(len(balls), len(balls[0])):
        candidate = candidate_in_balls(balls, basis)
        if candidate is None:
            continue
        short = list(slacks(balls, basis, candidate))
        if any(ball < 0 for ball in short):
            continue
        try:
            shadow = candidate_modulo(residues, basis)
        except ZeroDivisionError as error:
            divided = error
            continue
        pairs = zip(short, slacks(residues, basis, shadow), strict=True)
        if all(ball > 0 or (ball.contains(0) and int(residue) == 0) for ball, residue in pairs):
            return basis
    if divided is not None:
        raise divided
    return None


def bases(m: int, n: int) -> Iterator[Basis]:
    """Yield every choice of equally many of m rows and n columns, small ones first.

    One of them is optimal and has det K ≠ 0 (Shapley & Snow 1950).

    >>> len(list(bases(5, 5)))
    251
    """
    for size in range(1, min(m, n) + 1):
        for rows, columns in product(combinations(range(m), size), combinations(range(n), size)):
            yield Basis(rows, columns)
