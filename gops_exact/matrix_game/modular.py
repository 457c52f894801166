"""One game modulo a prime: strategies and value on a basis, and ties told from near ties.

A residue says nothing about size, so bases are found in balls. What balls cannot tell from zero is
taken for zero if its residue is 0 as well.
"""

from collections.abc import Iterator
from itertools import combinations, product

from flint import arb, nmod, nmod_mat

from gops_exact.matrix_game.basis import (
    Basis,
    Candidate,
    bordered,
    candidate_in_balls,
    from_inverse,
    slacks,
)


def candidate_modulo(residues: list[list[nmod]], basis: Basis) -> Candidate[nmod]:
    """Strategies and value on a basis, shape (m, n).

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
    """The first basis that is optimal if what looks like zero is zero, shape (m, n).

    What must not be negative is positive in balls, or a ball around zero with residue 0. The
    second is no proof: a number that is not zero has residue 0 once in as many times as the prime
    is large, and a ball around zero only if it is tiny besides. None if there is no such basis,
    that is if some ball around zero has another residue: the balls are not precise enough.
    """
    for basis in bases(len(balls), len(balls[0])):
        candidate = candidate_in_balls(balls, basis)
        if candidate is None:
            continue
        try:
            shadow = candidate_modulo(residues, basis)
        except ZeroDivisionError:
            continue
        pairs = zip(slacks(balls, basis, candidate), slacks(residues, basis, shadow), strict=True)
        if all(ball > 0 or (ball.contains(0) and int(residue) == 0) for ball, residue in pairs):
            return basis
    return None


def bases(m: int, n: int) -> Iterator[Basis]:
    """Every choice of equally many of m rows and n columns, small ones first.

    One of them is optimal and has det K ≠ 0 (Shapley & Snow 1950).

    >>> len(list(bases(5, 5)))
    251
    """
    for size in range(1, min(m, n) + 1):
        for rows, columns in product(combinations(range(m), size), combinations(range(n), size)):
            yield Basis(rows, columns)
