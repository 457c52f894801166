"""A basis of a matrix game: proposed by simplexes on floats, proved in balls.

A basis is a square choice of rows I and columns J (Shapley & Snow 1950). With M = X[I, J] and

    K = [ M  1 ]
        [ 1ᵀ 0 ]

the last column of K⁻¹ is (y, −v) and its last row (x, −v): the strategies that make each other
indifferent, and the value. If x > 0, y > 0, rows outside I gain less than v against y and columns
outside J more than v against x, all strictly, both strategies are the only optimal ones. If none of
these numbers, the *slacks*, is negative, both are optimal.

The programme of the simplexes is player two's, as in :mod:`~gops_exact.matrix_game.simplex`; its slack
columns are implicit: a pivot exchanges a basic and a nonbasic variable.
"""

from collections.abc import Iterator
from itertools import combinations, product
from operator import mul
from typing import TypeVar

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, nmod, nmod_mat

from gops_exact.matrix_game.optimal_play import Basis, Play
from gops_exact.matrix_game.payoff import Floats, Payoff, saddle_point
from gops_exact.numbers import BigRational

Number = TypeVar("Number", arb, nmod)

TINY, SMALL = 6, 12
"""Rows or columns up to which a simplex on lists is faster than one on arrays, and up to which Dantzig's
rule is faster than the steepest edge."""

SMALL_TOLERANCE = 1e-12
"""Reduced costs and pivots below this count as zero in small games. Payoffs are scaled to about 1 first; a
wrong guess costs time, never correctness."""

LARGE_TOLERANCE = 1e-9
"""The same in larger games: between the rounding of thousands of pivots and the differences between the
bids of an ordinary game."""

SPREAD = 1e-7
"""Size of the random numbers that are added to the right-hand sides, so that ratios do not tie. The
optimal basis of the programme so changed seldom differs from that of the game."""

FINE_SPREAD = 1e-10
"""The same for long fractions: their sizes differ by orders of magnitude, and they seldom tie."""

FLOAT_BITS = 53
"""Entries of so many bits are exact in floats."""

GUARD_BITS = 64
"""Bits of a long float beyond those of the entries, for rounding."""

MOST_LONG = 100
"""Bids of a player up to which long floats are quicker than the exact pivots that they may save."""

BLOCK = 1 << 15
"""Numbers updated at a time; they stay in a core's second-level cache."""

PRECISIONS = (64, 128, 256)
"""Bits of the successive attempts to prove a basis. Games that 256 bits cannot separate from a tie
are left to the exact simplex."""


def proposals(game: Payoff) -> Iterator[Basis]:
    """Yield bases that are probably optimal: by floats, then by long floats where those may see more.

    >>> game = Payoff.of([[10**30, 0, 1], [1, 3, 2], [0, 2, 4]])
    >>> [basis.rows for basis in proposals(game)]
    [(0,), (0, 1, 2)]
    """
    if max(game.shape) <= TINY:
        basis = propose(game.floats())
    elif max(game.shape) <= SMALL:
        basis = dense_simplex(game.shares(), steepest=False)
    else:
        payoff, spread = game.shares(), FINE_SPREAD if game.is_long else SPREAD
        if len(payoff) <= len(payoff[0]):
            basis = dense_simplex(payoff, spread)
        else:  # fewer rows take fewer pivots
            basis = dense_simplex(-payoff.T, spread)
            basis = None if basis is None else basis.swapped
    if basis is not None:
        yield basis
    entries = game.entries
    if game.is_long:
        bits = max(int(x.p.bit_length() + x.q.bit_length()) for x in entries.flat)
    else:
        bits = int(entries.max()).bit_length()  # no entry is negative
    if bits > FLOAT_BITS and max(game.shape) <= MOST_LONG:
        import gmpy2

        with gmpy2.context(gmpy2.get_context(), precision=bits + GUARD_BITS):
            long_floats = [
                [gmpy2.mpfr(BigRational(fmpq(entry)).to_mpq()) for entry in row]
                for row in entries.tolist()
            ]
            basis = propose(long_floats, gmpy2.mpfr(2) ** -bits)
        if basis is not None:
            yield basis


def propose(payoff: list[list[float]], tolerance: float = SMALL_TOLERANCE) -> Basis | None:
    """Find the basis at which an ordinary float simplex ends, shape (m, n); None if it does not end.

    Floats of any precision will do, in a context of gmpy2, with a `tolerance` of their own.
    """
    saddle = saddle_point(payoff)
    if saddle is not None:
        return Basis((saddle[0],), (saddle[1],))
    m, n = len(payoff), len(payoff[0])
    if m == n == 2:
        return Basis((0, 1), (0, 1))
    low = min(map(min, payoff))
    scale = 1.0 / (max(map(max, payoff)) - low)
    # Payoffs in [1, 2], objective last.
    table = [[(entry - low) * scale + 1.0 for entry in row] + [1.0] for row in payoff]
    table.append([-1.0] * n + [0.0])
    in_row, in_column = list(range(n, n + m)), list(range(n))
    for _ in range(20 * (m + n)):
        reduced_costs = table[m][:n]
        least = min(reduced_costs)
        if least >= -tolerance:
            return _reached(in_row, in_column)
        entering = reduced_costs.index(least)
        ratios = [
            (row[n] / row[entering], i)
            for i, row in enumerate(table[:m])
            if row[entering] > tolerance
        ]
        if not ratios:
            return None
        leaving = min(ratios)[1]
        inverse = 1.0 / table[leaving][entering]
        source = [entry * inverse for entry in table[leaving]]
        source[entering] = inverse
        for i, row in enumerate(table):
            factor = row[entering]
            row[entering] = 0.0
            table[i] = [a - factor * b for a, b in zip(row, source)]  # noqa: B905  # a hot loop
        table[leaving] = source
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
    return None


def _reached(in_row: list[int], in_column: list[int]) -> Basis:
    """Return the basis of a tableau, given its variables: n bids of player two, then the slacks of rows."""
    n = len(in_column)
    return Basis(
        tuple(sorted(k - n for k in in_column if k >= n)),
        tuple(sorted(k for k in in_row if k < n)),
    )


def dense_simplex(payoff: Floats, spread: float = SPREAD, *, steepest: bool = True) -> Basis | None:
    """Return the basis at which the simplex ends, shape (m, n); None if it does not end.

    Every payoff matters in every pivot, so a dense tableau, updated as a whole, is faster than the
    sparse factors of an ordinary solver of linear programmes. Entering variable: steepest edge
    (Goldfarb & Reid 1977), with the squared lengths of all columns computed anew in each pivot; that
    takes a third of the pivots that Dantzig's rule takes. In small games a pivot costs half without it,
    and it ends where :func:`propose` does.
    """
    m, n = payoff.shape
    low, high = payoff.min(), payoff.max()
    table = np.ones((m + 1, n + 1))
    table[:m, :n] = (payoff - low) / ((high - low) or 1.0) + 1.0
    table[m, :n], table[m, n] = -1.0, 0.0
    costs, levels = table[m, :n], table[:m, n]
    tolerance = SMALL_TOLERANCE
    if steepest:
        tolerance = LARGE_TOLERANCE
        levels += spread * np.random.default_rng(m * n).random(m)
    lengths = np.einsum("ij,ij->j", table, table)
    in_row, in_column = list(range(n, n + m)), list(range(n))
    ratios, step = np.empty(m), max(1, BLOCK // (n + 1))
    for _ in range(20 * (m + n)):
        if steepest:
            gains = costs * costs / (1.0 + lengths[:n])
            gains[costs >= -tolerance] = -1.0
            entering = int(gains.argmax())
        else:
            entering = int(costs.argmin())
        if costs[entering] >= -tolerance:
            return _reached(in_row, in_column)
        factors = table[:, entering].copy()
        ratios.fill(np.inf)
        np.divide(levels, factors[:m], out=ratios, where=factors[:m] > tolerance)
        leaving = int(ratios.argmin())
        if ratios[leaving] == np.inf:
            return None
        inverse = 1.0 / factors[leaving]
        source = table[leaving] * inverse
        source[entering] = inverse
        factors[leaving] = 0.0
        table[:, entering] = 0.0
        table[leaving] = source
        lengths.fill(0.0)
        for first in range(0, m + 1, step):
            block = table[first : first + step]
            block -= factors[first : first + step, None] * source
            if steepest:
                lengths += np.einsum("ij,ij->j", block, block)
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
    return None


def bases(m: int, n: int) -> Iterator[Basis]:
    """Yield every choice of equally many of m rows and n columns, small ones first.

    One of them is optimal and has det K ≠ 0 (Shapley & Snow 1950).
    """
    for size in range(1, min(m, n) + 1):
        for rows, columns in product(combinations(range(m), size), combinations(range(n), size)):
            yield Basis(rows, columns)


def candidate(payoff: list[list[Number]], basis: Basis, *, wide: bool = False) -> Play[Number]:
    """Return the play of the bids of a basis from K⁻¹, in the numbers of the payoffs, shape (m, n).

    It is optimal only if its :func:`slacks` are not negative.

    Elimination widens balls with every step. Wide balls, whose radii are far larger than the rounding
    of their midpoints, are first multiplied by an approximate inverse, so that elimination starts near
    the identity (Hansen & Smith 1967). That takes longer, and radii are then about those of the
    payoffs times the condition of K.

    Raises:
        ZeroDivisionError: if K is singular, or may be in these balls.
    """
    entry, size = payoff[basis.rows[0]][basis.columns[0]], len(basis.rows)
    if size == 1:
        one = arb(1) if isinstance(entry, arb) else entry * 0 + 1
        return Play(entry, (one,), (one,))
    bordered: list[list[Number | int]] = [[payoff[i][j] for j in basis.columns] for i in basis.rows]
    bordered.append([1] * size)
    for line in bordered:
        line.append(1)
    bordered[-1][-1] = 0
    if isinstance(entry, nmod):
        inverse = nmod_mat(bordered, entry.modulus()).inv()
    elif wide:
        identity = [[int(i == j) for i in range(size + 1)] for j in range(size + 1)]
        inverse = arb_mat(bordered).solve(arb_mat(identity), algorithm="precond")
    else:
        inverse = arb_mat(bordered).inv()
    return Play(
        -inverse[size, size],
        tuple(inverse[size, i] for i in range(size)),
        tuple(inverse[j, size] for j in range(size)),
    )


def slacks(payoff: list[list[Number]], basis: Basis, found: Play[Number]) -> Iterator[Number]:
    """Yield the numbers that must not be negative for `basis` to be optimal: payoff of shape (m, n).

    These are the probabilities, and the loss of each bid outside the basis against the strategies on
    it. If all are positive, the strategies are the only optimal ones.
    """
    rows, columns, value = basis.rows, basis.columns, found.value
    if len(rows) == 1:
        (i,), (j,) = rows, columns
        yield from (value - line[j] for m, line in enumerate(payoff) if m != i)
        yield from (entry - value for n, entry in enumerate(payoff[i]) if n != j)
        return
    yield from found.row
    yield from found.column
    for i, line in enumerate(payoff):
        if i not in rows:
            yield value - sum(map(mul, found.column, (line[j] for j in columns)))
    for j in range(len(payoff[0])):
        if j not in columns:
            yield sum(map(mul, found.row, (payoff[i][j] for i in rows))) - value


def certify(payoff: Payoff, basis: Basis) -> bool:
    """Prove in balls that `basis` is optimal and both strategies unique; False if unproved."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            if prove(payoff.balls(precision), basis) is not None:
                return True
    return False


def prove(balls: list[list[arb]], basis: Basis, *, wide: bool = False) -> Play[arb] | None:
    """Return the play of the bids of `basis` if it is proved the only optimal one, else None.

    Ball comparisons hold only if they hold for every number in the balls, of shape (m, n). For `wide`
    see :func:`candidate`.
    """
    try:
        found = candidate(balls, basis, wide=wide)
    except ZeroDivisionError:
        return None
    return found if all(slack > 0 for slack in slacks(balls, basis, found)) else None


def prove_row(balls: list[list[arb]], basis: Basis) -> Play[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), in the way that leaves the narrower row.

    Balls around floats are wide. Either of the two ways may prove a basis alone.
    """
    found = (prove(balls, basis, wide=wide) for wide in (False, True))
    proved = (each for each in found if each is not None)
    return min(proved, key=lambda each: max(float(p.rad()) for p in each.row), default=None)


def prove_both(balls: list[list[arb]], basis: Basis) -> Play[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), and leave both strategies narrow.

    The column of a proof may be many times as wide as its row, so it is the row of the game that player
    two sees.
    """
    own = prove_row(balls, basis)
    seen = [[-entry for entry in column] for column in zip(*balls, strict=True)]
    other = prove_row(seen, basis.swapped)
    return own if own is None or other is None else own._replace(column=other.row)


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
        try:
            short = list(slacks(balls, basis, candidate(balls, basis)))
        except ZeroDivisionError:
            continue
        if any(ball < 0 for ball in short):
            continue
        try:
            shadow = candidate(residues, basis)
        except ZeroDivisionError as error:
            divided = error
            continue
        pairs = zip(short, slacks(residues, basis, shadow), strict=True)
        if all(ball > 0 or (ball.contains(0) and int(residue) == 0) for ball, residue in pairs):
            return basis
    if divided is not None:
        raise divided
    return None
