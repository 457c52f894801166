"""Optimal play of a matrix game, and its basis: proposed by simplexes on floats, proved in balls.

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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, nmod, nmod_mat

from gops_exact.matrix_game.payoff import Floats, Payoff
from gops_exact.numbers import BigRational

Method = Literal["saddle point", "closed form", "pfaffian", "guided", "simplex"]
METHODS: tuple[Method, ...] = get_args(Method)

N = TypeVar("N")
"""A number of an arithmetic: fmpq, pair of fmpz, arb, int or float with a radius."""

Other = TypeVar("Other")

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


@dataclass(frozen=True)
class Basis:
    """Equally many rows and columns, ascending indices into an m × n matrix."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def swapped(self) -> "Basis":
        """The same basis of −Xᵀ, for which the players change places."""
        return Basis(self.columns, self.rows)


class Play(NamedTuple, Generic[N]):
    """Optimal play of an m × n game.

    A tuple, as millions are made: a frozen dataclass takes three times as long to make.
    """

    value: N  # player one's expectation
    row: tuple[N, ...]  # player one's probabilities, length m
    column: tuple[N, ...]  # player two's probabilities, length n
    row_unique: bool | None = None  # False if `row` is one of several optimal ones, None if unknown
    column_unique: bool | None = None
    proved: bool = True  # False if no strategies are proved, or if residues rest on an unproved tie
    method: str = ""  # the algorithm that found the strategies; empty if it is not recorded

    @classmethod
    def fair(
        cls,
        strategy: Sequence[N],
        zero: N,
        *,
        unique: bool | None,
        proved: bool = True,
        method: str = "",
    ) -> "Play[N]":
        """Return the play of a game X = −Xᵀ, in which both players use the same strategy."""
        both = tuple(strategy)
        return cls(zero, both, both, unique, unique, proved, method)

    def swapped(self, negative: Callable[[N], N]) -> "Play[N]":
        """Return the play of −Xᵀ, for which the players change places."""
        return self._replace(
            value=negative(self.value),
            row=self.column,
            column=self.row,
            row_unique=self.column_unique,
            column_unique=self.row_unique,
        )

    def converted(self, number: Callable[[N], Other]) -> "Play[Other]":
        """Return the same play in numbers of another kind."""
        row, column = (tuple(map(number, side)) for side in (self.row, self.column))
        uniqueness = self.row_unique, self.column_unique
        return Play(number(self.value), row, column, *uniqueness, self.proved, self.method)

    def on_basis(self, basis: Basis, shape: tuple[int, int], zero: N) -> "Play[N]":
        """Return this play of the bids of a basis, the first numbers of each side, as the only optimal play.

        >>> Play(5, (3, 4), (2, 7)).on_basis(Basis((0, 2), (1, 2)), (4, 3), 0)
        Play(value=5, row=(3, 0, 4, 0), column=(0, 2, 7), row_unique=True, column_unique=True, \
proved=True, method='guided')
        """
        one = dict(zip(basis.rows, self.row, strict=False))
        two = dict(zip(basis.columns, self.column, strict=False))
        row = tuple(one.get(bid, zero) for bid in range(shape[0]))
        column = tuple(two.get(bid, zero) for bid in range(shape[1]))
        method = self.method or ("saddle point" if len(basis.rows) == 1 else "guided")
        return Play(self.value, row, column, True, True, self.proved, method)

    def over(self, rows: Sequence[bool], columns: Sequence[bool], zero: N) -> "Play[N]":
        """Return the play of the bids kept, marked true, as one over all cards of each hand.

        Of interchangeable bids only the lowest is kept, so a strategy that plays it is not the only one.

        >>> Play(0, (3, 5), (3, 5), True, True).over([True, False, True], [True, True, False], 0)
        Play(value=0, row=(3, 0, 5), column=(3, 5, 0), row_unique=False, column_unique=False, \
proved=True, method='')
        """
        sides = []
        for strategy, unique, marks in (
            (self.row, self.row_unique, rows),
            (self.column, self.column_unique, columns),
        ):
            cards, spread, played, last = list[N](), False, iter(strategy), zero
            for is_kept in marks:
                if is_kept:
                    last = next(played)
                elif last != zero:  # interchangeable with the bid before, which is played
                    spread = True
                cards.append(last if is_kept else zero)
            sides.append((tuple(cards), unique and not spread))
        (row, row_unique), (column, column_unique) = sides
        return self._replace(
            row=row, column=column, row_unique=row_unique, column_unique=column_unique
        )


def saddle_point(payoff: Sequence[Sequence[Any]]) -> tuple[int, int] | None:
    """Find the first entry that is smallest in its row and largest in its column, or None."""
    row_minima = [min(row) for row in payoff]
    column_maxima = [max(column) for column in zip(*payoff, strict=True)]
    lower, upper = max(row_minima), min(column_maxima)
    if lower != upper:
        return None
    return row_minima.index(lower), column_maxima.index(upper)


def proposals(game: Payoff) -> Iterator[Basis]:
    """Yield probably optimal bases: one found with floats, and one with longer floats if the payoffs need them.

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
    # Payoffs scaled to [1, 2], so that the value is positive; the right-hand side and the objective stand last.
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
        # The column of the entering variable becomes that of the leaving one, so a unit vector is never stored.
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
        # The right-hand sides differ a little, so that ratios do not tie; a shape always has the same numbers.
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
        # In blocks of rows that stay in the cache while their squared lengths are added.
        for first in range(0, m + 1, step):
            block = table[first : first + step]
            block -= factors[first : first + step, None] * source
            if steepest:
                lengths += np.einsum("ij,ij->j", block, block)
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
    return None


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


def slacks(payoff: list[list[Number]], basis: Basis, play: Play[Number]) -> Iterator[Number]:
    """Yield the numbers that must not be negative for `basis` to be optimal: payoff of shape (m, n).

    These are the probabilities, and the loss of each bid outside the basis against the strategies on
    it. If all are positive, the strategies are the only optimal ones.
    """
    rows, columns, value = basis.rows, basis.columns, play.value
    if len(rows) == 1:
        (i,), (j,) = rows, columns
        yield from (value - line[j] for m, line in enumerate(payoff) if m != i)
        yield from (entry - value for n, entry in enumerate(payoff[i]) if n != j)
        return
    yield from play.row
    yield from play.column
    for i, line in enumerate(payoff):
        if i not in rows:
            yield value - sum(map(mul, play.column, (line[j] for j in columns)))
    for j in range(len(payoff[0])):
        if j not in columns:
            yield sum(map(mul, play.row, (payoff[i][j] for i in rows))) - value


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
        play = candidate(balls, basis, wide=wide)
    except ZeroDivisionError:
        return None
    return play if all(slack > 0 for slack in slacks(balls, basis, play)) else None


def prove_row(balls: list[list[arb]], basis: Basis) -> Play[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), in the way that leaves the narrower row.

    Balls around floats are wide. Either of the two ways may prove a basis alone.
    """
    proofs = (prove(balls, basis, wide=wide) for wide in (False, True))
    proved = (play for play in proofs if play is not None)
    return min(proved, key=lambda play: max(float(p.rad()) for p in play.row), default=None)


def prove_both(balls: list[list[arb]], basis: Basis) -> Play[arb] | None:
    """Prove a basis of a game of wide balls, shape (m, n), and leave both strategies narrow.

    The column of a proof may be many times as wide as its row, so it is the row of the game that player
    two sees.
    """
    own = prove_row(balls, basis)
    seen = [[-entry for entry in column] for column in zip(*balls, strict=True)]
    other = prove_row(seen, basis.swapped)
    return own if own is None or other is None else own._replace(column=other.row)
