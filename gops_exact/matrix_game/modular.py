"""One game modulo a prime: strategies and value on a basis, and bases of games that seem tied.

A residue does not show the sign of a number, so bases are found in balls. A number that balls cannot
tell from zero is assumed to be zero if its residue is 0.
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
    """Compute strategies and value on a basis.

    Args:
        residues: shape (m, n); the payoffs modulo the prime.
        basis: the basis.

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
    """Find the first basis that is optimal if all numbers that look like zero are zero.

    Each slack is positive in balls, or its ball contains zero and its residue is 0. The second is
    evidence, not proof: about one nonzero number in p has residue 0 modulo p, and it has to be tiny
    besides. None if no basis qualifies: then the balls are not precise enough.

    Args:
        balls: shape (m, n).
        residues: shape (m, n).

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
