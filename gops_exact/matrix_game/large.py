"""Bases of a matrix game of any size, proposed by simplexes on floats.

Player two's programme is that of :mod:`~gops_exact.matrix_game.exact`, its slack columns implicit: a
pivot exchanges a basic and a nonbasic variable. Every payoff matters in every pivot, so a dense
tableau, updated as a whole, is faster than the sparse factors of an ordinary solver of linear
programmes. Entering variable: steepest edge (Goldfarb & Reid 1977), with all lengths computed anew
in each pivot; that takes a third of the pivots that Dantzig's rule takes.
"""

from collections.abc import Iterator

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.matrix_game.basis import Basis, propose
from gops_exact.matrix_game.payoff import Floats, Payoff
from gops_exact.numbers import BigRational

SMALL = 12
"""Rows or columns up to which a simplex on lists is faster than one on arrays."""

TOLERANCE = 1e-9
"""Reduced costs and pivots below this count as zero, with payoffs scaled to about 1: between the
rounding of thousands of pivots and what tells the bids of an ordinary game apart."""

SPREAD = 1e-7
"""Size of the random numbers that are added to the right-hand sides, so that ratios do not tie. The
optimal basis of the programme so changed seldom differs from that of the game."""

FLOAT_BITS = 53
"""Entries of so many bits are exact in floats."""

GUARD_BITS = 64
"""Bits of a long float beyond those of the entries, for rounding."""

MOST_LONG = 100
"""Bids of a player up to which long floats are quicker than the exact pivots that they may save."""

BLOCK = 1 << 15
"""Numbers updated at a time; they stay in a core's second-level cache."""

RIVALS = 4
"""Bids that all others are compared with in the search for dominated ones."""


def proposals(game: Payoff) -> Iterator[Basis]:
    """Yield bases that are probably optimal: by floats, then by long floats where those may see more.

    >>> game = Payoff.of([[10**30, 0, 1], [1, 3, 2], [0, 2, 4]])
    >>> [basis.rows for basis in proposals(game)]
    [(0,), (0, 1, 2)]
    """
    basis = propose(game.floats()) if max(game.shape) <= SMALL else proposal(game.shares())
    if basis is not None:
        yield basis
    bits = game.bits
    if bits > FLOAT_BITS and max(game.shape) <= MOST_LONG:
        basis = long_proposal(game, bits)
        if basis is not None:
            yield basis


def long_proposal(game: Payoff, bits: int) -> Basis | None:
    """Return the basis at which the simplex ends on floats that tell entries of so many bits apart."""
    import gmpy2

    with gmpy2.context(gmpy2.get_context(), precision=bits + GUARD_BITS):
        rows = [
            [gmpy2.mpfr(BigRational.of(fmpq(entry)).to_mpq()) for entry in row]
            for row in game.entries.tolist()
        ]
        return propose(rows, gmpy2.mpfr(2) ** -bits)


def proposal(payoff: Floats) -> Basis | None:
    """Return a basis that is probably optimal, shape (m, n); None if the simplex does not end.

    >>> proposal(np.array([[3.0, -1.0, 4.0], [1.0, 2.0, 2.0]]))
    Basis(rows=(0, 1), columns=(0, 1))
    """
    rows, columns = undominated(payoff)
    game = payoff[np.ix_(rows, columns)]
    m, n = game.shape
    if max(m, n) <= SMALL or min(m, n) == 1:
        basis = propose(game.tolist())
    else:
        basis = dense_simplex(game if m <= n else -game.T)
        basis = basis if basis is None or m <= n else basis.swapped
    if basis is None:
        return None
    return Basis(
        tuple(rows[list(basis.rows)].tolist()), tuple(columns[list(basis.columns)].tolist())
    )


def undominated(payoff: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns without the repeated ones, and without some of the dominated ones.

    Of the rows only those are found that one of the :data:`RIVALS` with the largest sums dominates,
    of the columns those that one with the least sum does.
    """
    rows, columns = np.arange(payoff.shape[0]), np.arange(payoff.shape[1])
    while True:
        kept = rows[_maximal(payoff[np.ix_(rows, columns)])]
        left = columns[_maximal(-payoff[np.ix_(kept, columns)].T)]
        if len(kept) == len(rows) and len(left) == len(columns):
            return rows, columns
        rows, columns = kept, left


def _maximal(payoff: Floats) -> NDArray[np.intp]:
    """Return the rows that are not repeated, nor dominated by one of those with the largest sums."""
    places: dict[bytes, int] = {}
    for place, row in enumerate(payoff):
        places.setdefault(row.tobytes(), place)
    first = np.array(list(places.values()))
    rows = payoff[first]
    rivals = np.argsort(-rows.sum(axis=1), kind="stable")[:RIVALS]
    beaten = np.asarray((rows[:, None] <= rows[rivals]).all(axis=2))
    # No row of equal ones is left, so dominance is an order, and the best rows stay.
    beaten[rivals, np.arange(len(rivals))] = False
    return first[~beaten.any(axis=1)]


def dense_simplex(payoff: Floats) -> Basis | None:
    """Return the basis at which the simplex ends, shape (m, n); None if it does not end."""
    m, n = payoff.shape
    low, high = payoff.min(), payoff.max()
    table = np.empty((m + 1, n + 1))
    table[:m, :n] = (payoff - low) / (high - low) + 1.0
    table[m, :n], table[m, n] = -1.0, 0.0
    table[:m, n] = 1.0 + SPREAD * np.random.default_rng(m * n).random(m)
    in_row, in_column = np.arange(n, n + m), np.arange(n)
    lengths = np.einsum("ij,ij->j", table, table)
    for _ in range(20 * (m + n)):
        costs = table[m, :n]
        gains = np.where(costs < -TOLERANCE, costs * costs / (1.0 + lengths[:n]), -1.0)
        entering = int(gains.argmax())
        if gains[entering] < 0.0:
            return Basis(
                tuple(np.sort(in_column[in_column >= n] - n).tolist()),
                tuple(np.sort(in_row[in_row < n]).tolist()),
            )
        steps = table[:m, entering]
        rising = steps > TOLERANCE
        if not rising.any():
            return None
        ratios = np.full(m, np.inf)
        np.divide(table[:m, n], steps, out=ratios, where=rising)
        leaving = int(ratios.argmin())
        lengths = _exchange(table, leaving, entering)
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
    return None


def _exchange(table: Floats, leaving: int, entering: int) -> Floats:
    """Exchange two variables, in place, and return the squared length of every column."""
    inverse = 1.0 / table[leaving, entering]
    source = table[leaving] * inverse
    source[entering] = inverse
    factors = table[:, entering].copy()
    factors[leaving] = 0.0
    table[:, entering] = 0.0
    table[leaving] = source
    lengths = np.zeros(len(source))
    step = max(1, BLOCK // len(source))
    for first in range(0, len(table), step):
        block = table[first : first + step]
        block -= factors[first : first + step, None] * source
        lengths += np.einsum("ij,ij->j", block, block)
    return lengths
