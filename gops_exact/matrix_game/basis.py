"""Optimal play of a matrix game, and its basis: proposed by simplex methods on floats, proved in balls.

A *bid* is a pure strategy, a row or a column. A *ball* is an interval, given by its midpoint and its radius (FLINT's
``arb``). A *basis* is a choice of equally many rows I and columns J of the payoff matrix X, which determines a strategy
of each player (Shapley & Snow 1950). With M = X[I, J] and

    K = [ M  1 ]
        [ 1ᵀ 0 ]

the last column of K⁻¹ is (y, −v) and its last row is (x, −v). Here v is the value, and x and y are the
strategies that make the opponent indifferent between the bids of the basis. The *slacks* are

* the entries of x and y,
* for each row outside I, v minus the gain of the row against y,
* for each column outside J, the gain of x against the column minus v.

If no slack is negative, both strategies are optimal. If all slacks are positive, both strategies are the only
optimal ones. :func:`checked` checks numbers that were computed at a basis against the equations that define them.

The simplex methods solve player two's linear program in the form that :func:`tableau_simplex` describes. Their tableaus
have columns for nonbasic variables only. In a pivot, the column of the entering variable becomes a unit vector, which
need not be stored. The column of the leaving variable is stored in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import mul
from typing import Any, Generic, Literal, NamedTuple, TypeVar, cast, get_args

import numpy as np
from flint import arb, arb_mat, ctx, fmpq, fmpq_mat, fmpz_mat, nmod_mat

from gops_exact.base.progress import Progress
from gops_exact.matrix_game.payoff import Floats, Payoff
from gops_exact.numbers.exact import BigRational

Method = Literal["saddle point", "closed form", "pfaffian", "guided", "simplex"]
METHODS: tuple[Method, ...] = get_args(Method)

N = TypeVar("N")
"""Type of the numbers in a play: fmpq, pair of fmpz, arb, int or float with a radius."""

Other = TypeVar("Other")

Number = TypeVar("Number", arb, fmpq)

Column = TypeVar("Column", fmpq_mat, nmod_mat)

TINY, SMALL = 6, 60
"""Greatest max(m, n) of an m × n game for which a simplex method on lists is faster than one on arrays; greatest
max(m, n) for which Dantzig's rule is faster than the steepest edge rule."""

SMALL_TOLERANCE = 1e-12
"""Size below which reduced costs and pivots count as zero with Dantzig's rule, which is for small games. The payoffs
are scaled to [1, 2]. The basis is proved exactly later, so a wrong decision costs time only."""

LARGE_TOLERANCE = 1e-9
"""Size below which reduced costs and pivots count as zero with the steepest edge rule, which is for larger games. It
is larger than the rounding errors that accumulate over thousands of pivots, and smaller than the nonzero reduced costs
of an ordinary game."""

GOLDEN = 0.6180339887498949
"""The irrational number (√5 − 1)/2. The right-hand side of row i is perturbed by the i-th multiple of this number,
modulo 1, times ``SPREAD`` or ``FINE_SPREAD``."""

SPREAD = 1e-7
"""Bound of the perturbations, which are small numbers added to the right-hand sides of the linear program. They
differ from row to row, so that no two ratios in the ratio test are equal. A basis that is optimal in the perturbed
linear program is nearly always optimal in the game."""

FINE_SPREAD = 1e-10
"""Bound of the perturbations in games of long fractions. It is smaller than ``SPREAD`` for two reasons: the payoffs of
such a game can differ by orders of magnitude, and even without perturbations two ratios in the ratio test are seldom
equal."""

NO_LEVEL = 1e-200
"""Number that replaces the level (the value) of a basic variable that rounding has made zero or negative. It is
small, but an entry of the tableau divided by it is still a finite float."""

GUARD_BITS = 128
"""Bits of precision of a long float (an ``mpfr`` number of gmpy2) beyond the length of the longest entry. Half of
them absorb rounding errors. The other half distinguish small numbers from zero in nearly singular matrices, such as
those of Hilbert and Pascal."""

BLOCK = 1 << 15
"""Number of entries of a tableau that are updated at a time. They take 256 kB, which fits into the second-level cache
of a core."""

PRECISIONS = (64, 128, 256)
"""Precisions, in bits, of the successive attempts to prove a basis in balls. If 256 bits do not suffice, a slack is
probably zero, and the exact simplex method solves the game."""


@dataclass(frozen=True)
class Basis:
    """Basis of an m × n game: equally many rows and columns, which determine a strategy of each player."""

    rows: tuple[int, ...]  # indices of rows, ascending
    columns: tuple[int, ...]  # indices of columns, ascending

    @property
    def swapped(self) -> Basis:
        """The basis with rows and columns exchanged, as it appears in the game −Xᵀ."""
        return Basis(self.columns, self.rows)


class Play(NamedTuple, Generic[N]):
    """Play of an m × n game: its value and a strategy of each player, optimal unless `proved` is False."""

    # A named tuple, because millions of plays are constructed for a game of GOPS; a frozen dataclass takes 3 times as
    # long.
    value: N  # player one's expected gain
    row: tuple[N, ...]  # player one's probabilities, length m
    column: tuple[N, ...]  # player two's probabilities, length n
    row_unique: bool | None = None  # True if `row` is the only optimal strategy, None if unknown
    column_unique: bool | None = (
        None  # True if `column` is the only optimal strategy, None if unknown
    )
    proved: bool = True  # False if the strategies are not proved to be optimal
    method: str = ""  # the algorithm that computed the strategies; empty if it is not recorded

    def swapped(self, negative: Callable[[N], N]) -> Play[N]:
        """Return the play of the game −Xᵀ, in which the players have changed places; `negative` negates a number."""
        return self._replace(
            value=negative(self.value),
            row=self.column,
            column=self.row,
            row_unique=self.column_unique,
            column_unique=self.row_unique,
        )

    def converted(self, number: Callable[[N], Other]) -> Play[Other]:
        """Return this play with every number converted by `number`."""
        row, column = (tuple(map(number, side)) for side in (self.row, self.column))
        uniqueness = self.row_unique, self.column_unique
        return Play(number(self.value), row, column, *uniqueness, self.proved, self.method)

    def on_basis(self, basis: Basis, shape: tuple[int, int], zero: N) -> Play[N]:
        """Extend this play, which has only the bids of a basis, to all bids of an m × n game.

        The result is marked as the only optimal play, without a check. If it has no method yet, its method becomes
        ``"saddle point"`` for a basis of one row, else ``"guided"``.

        Args:
            basis: the basis. The first numbers of `row` and `column` have to be the probabilities of its bids; numbers
                after them are ignored.
            shape: (m, n).
            zero: the number 0, the probability of all other bids.

        >>> Play(5, (3, 4), (2, 7)).on_basis(Basis((0, 2), (1, 2)), (4, 3), 0)
        Play(value=5, row=(3, 0, 4, 0), column=(0, 2, 7), row_unique=True, column_unique=True, \
proved=True, method='guided')
        """
        row, column = [zero] * shape[0], [zero] * shape[1]
        for i, j, p, q in zip(basis.rows, basis.columns, self.row, self.column, strict=False):
            row[i], column[j] = p, q
        method = self.method or ("saddle point" if len(basis.rows) == 1 else "guided")
        return Play(self.value, tuple(row), tuple(column), True, True, self.proved, method)

    def over(self, rows: Iterable[bool], columns: Iterable[bool], zero: N) -> Play[N]:
        """Extend this play to all cards of each hand.

        Neighbouring cards of a hand with the same payoffs are interchangeable (:mod:`~gops_exact.game.order_types`).
        Of such cards, only the lowest is a bid of this play. The others get the probability 0. If the lowest has a
        positive probability, the player's strategy is marked as not the only optimal one.

        Args:
            rows: for each card of player one, True if it is a bid of this play.
            columns: for each card of player two, True if it is a bid of this play.
            zero: the number 0, the probability of all other cards.

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
                elif last != zero:  # the card is interchangeable with the last bid, which is played
                    spread = True
                cards.append(last if is_kept else zero)
            sides.append((tuple(cards), unique and not spread))
        (row, row_unique), (column, column_unique) = sides
        return self._replace(
            row=row, column=column, row_unique=row_unique, column_unique=column_unique
        )


def saddle_point(payoff: Sequence[Sequence[Any]]) -> tuple[int, int] | None:
    """Return the first saddle point as (row, column); None if there is none.

    A saddle point is an entry that is smallest in its row and largest in its column. The first saddle point is in the
    row with the lowest index and, within this row, in the column with the lowest index.

    Args:
        payoff: player one's gains, shape (m, n).
    """
    row_minima = list(map(min, payoff))
    column_maxima = list(map(max, zip(*payoff, strict=True)))
    lower, upper = max(row_minima), min(column_maxima)
    if lower != upper:
        return None
    return row_minima.index(lower), column_maxima.index(upper)


def proposals(game: Payoff, progress: Progress | None = None) -> Iterator[Basis]:
    """Yield bases that may be optimal, mostly those at which simplex methods on floats end.

    A method that does not end at a basis yields nothing. The same basis may be yielded several times.

    Args:
        game: the payoffs.
        progress: called as progress(done, total), counted in pivots, whose total is estimated. It is called only while
            floats of greater precision are used.

    >>> game = Payoff.of([[10**30, 0, 1], [1, 3, 2], [0, 2, 4]])
    >>> [basis.rows for basis in proposals(game)]
    [(0,), (0, 1, 2), (0, 1, 2), (0, 1, 2)]
    """
    if max(game.shape) <= TINY:
        yield from filter(None, [propose(game.shares().tolist())])
    else:
        payoff, spread = game.shares(), FINE_SPREAD if game.is_long else SPREAD
        wide = len(payoff) <= len(payoff[0])
        payoff = payoff if wide else -payoff.T  # with fewer rows there are fewer pivots
        for steepest in (False, True) if max(game.shape) <= SMALL else (True,):
            basis = dense_simplex(payoff, spread, steepest=steepest)
            if basis is not None:
                yield basis if wide else basis.swapped
    m, n = game.shape
    if m == n and not game.is_long:
        # One exact solution of the equations costs less than a pivot of long floats in each row.
        yield Basis(tuple(range(m)), tuple(range(n)))
    import gmpy2

    # Floats of greater precision serve games whose payoffs are too close together, or too far apart, for ordinary ones.
    entries = [[fmpq(entry) for entry in row] for row in game.entries.tolist()]
    bits = max(int(x.p.bit_length() + x.q.bit_length()) for x in chain(*entries))
    for guard in (GUARD_BITS, GUARD_BITS + 2 * bits):
        with gmpy2.context(gmpy2.get_context(), precision=bits + guard):
            long_floats = [[gmpy2.mpfr(BigRational(x).to_mpq()) for x in row] for row in entries]
            basis = propose(long_floats, gmpy2.mpfr(2) ** -(bits + guard // 2), progress)
        if basis is not None:
            yield basis


def propose(
    payoff: list[list[float]],
    tolerance: float = SMALL_TOLERANCE,
    progress: Progress | None = None,
) -> Basis | None:
    """Return the basis at which a simplex method with floats and Dantzig's rule ends.

    Two kinds of games need no pivot: in a game with a saddle point, the basis is its row and its column; in any
    other 2 × 2 game, the basis is all rows and columns. The result is None if the method has not ended after 20 (m + n)
    pivots, or if rounding errors leave no pivot.

    Args:
        payoff: player one's gains, shape (m, n): floats, or ``mpfr`` numbers of gmpy2, whose context must then have
            the precision of these numbers.
        tolerance: the size below which reduced costs and pivots count as zero.
        progress: called as progress(done, total), counted in pivots. The total is an estimate, done + m + n.
    """
    saddle = saddle_point(payoff)
    if saddle is not None:
        return Basis((saddle[0],), (saddle[1],))
    if len(payoff) == len(payoff[0]) == 2:
        return Basis((0, 1), (0, 1))
    end = tableau_simplex(payoff, 1.0, tolerance, progress)
    return None if end is None else end[1]


def tableau_simplex(
    payoff: Sequence[Sequence[Any]],
    one: Any,  # noqa: ANN401  # a number like the payoffs
    tolerance: float,
    progress: Progress | None = None,
) -> tuple[Any, Basis] | None:
    """Return the value and the basis at which a simplex method on a tableau with Dantzig's rule ends.

    The payoffs are first shifted, and floats scaled, so that all are positive. Let X be the resulting matrix. Player
    two's linear program is: maximise Σ u_j subject to X u ≤ 1, u ≥ 0; the value of X is 1/Σ u_j (Dantzig 1963, ch. 13).

    With exact numbers, the lexicographic ratio test chooses the leaving variable, so that no basis recurs (Dantzig,
    Orden & Wolfe 1955). Let s_i be the slack variable of the i-th inequality of X u ≤ 1. If several rows have the least
    ratio, their entries in the column of s_1 are divided by those in the entering column, and the least quotient
    decides. If several rows have the least quotient, too, the column of s_2 decides, and so on.

    Args:
        payoff: player one's gains, shape (m, n): exact numbers, or floats that are not all equal.
        one: the number 1, of the same type as the payoffs.
        tolerance: the size below which reduced costs and pivots count as zero; 0 for exact numbers.
        progress: called as progress(done, total), counted in pivots. The total is an estimate, done + m + n.

    Returns:
        The value of the game `payoff`, and the basis. With floats, the result is None after 20 (m + n) pivots, or if
        rounding errors leave no pivot.
    """
    (m, n), is_exact = (len(payoff), len(payoff[0])), not tolerance
    low = min(map(min, payoff))
    scale = one if is_exact else one / (max(map(max, payoff)) - low)
    # Payoffs are shifted, and floats scaled to [1, 2]. The last column is the right-hand side, the last row the
    # objective.
    table = [[(entry - low) * scale + one for entry in row] + [one] for row in payoff]
    zero = 0 * one
    table.append([-one] * n + [zero])
    in_row, in_column = list(range(n, n + m)), list(range(n))
    pivots = 0
    while is_exact or pivots < 20 * (m + n):
        if progress is not None:
            progress(pivots, pivots + m + n)
        reduced_costs = table[m][:n]
        least = min(reduced_costs)
        if least >= -tolerance:
            return (one / table[m][n] - one) / scale + low, reached(in_row, in_column)
        entering = reduced_costs.index(least)
        if is_exact:  # of equal reduced costs, that of the variable with the least number
            entering = min(range(n), key=lambda j: (reduced_costs[j], in_column[j]))
        ratios = [
            (row[n] / row[entering], i)
            for i, row in enumerate(table[:m])
            if row[entering] > tolerance
        ]
        if not ratios:
            return None
        ratio, leaving = min(ratios)
        if is_exact and len(tied := [i for other, i in ratios if other == ratio]) > 1:
            # The column of a slack that is basic is a unit vector, which is not stored.
            stored = [in_column.index(k) if k in in_column else None for k in range(n, n + m)]
            leaving = min(
                tied,
                key=lambda i: [
                    (in_row[i] == k if j is None else table[i][j]) / table[i][entering]
                    for k, j in enumerate(stored, start=n)
                ],
            )
        inverse = one / table[leaving][entering]
        # The tableau has no columns for basic variables. The entering variable becomes basic, so its column is
        # overwritten by the column of the leaving variable, which becomes nonbasic.
        source = [entry * inverse for entry in table[leaving]]
        source[entering] = inverse
        for i, row in enumerate(table):
            if factor := row[entering]:
                row[entering] = zero
                table[i] = [a - factor * b for a, b in zip(row, source)]  # noqa: B905  # `strict` is slower
        table[leaving] = source
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
        pivots += 1
    return None


def reached(in_row: list[int], in_column: list[int]) -> Basis:
    """Return the basis of a tableau: the rows with a nonbasic slack variable, and the columns with a basic variable.

    Variables 0 to n − 1 are those of the columns, player two's bids. Variable n + i is the slack variable of
    row i, player one's bid.

    Args:
        in_row: the basic variable of each row of the tableau.
        in_column: the nonbasic variable of each column of the tableau.
    """
    n = len(in_column)
    return Basis(
        tuple(sorted(k - n for k in in_column if k >= n)),
        tuple(sorted(k for k in in_row if k < n)),
    )


def dense_simplex(payoff: Floats, spread: float = SPREAD, *, steepest: bool = True) -> Basis | None:
    """Return the basis at which a simplex method on a dense tableau ends.

    The result is None if the method has not ended after 20 (m + n) pivots, or if rounding errors leave no pivot.

    Args:
        payoff: player one's gains, shape (m, n), in any unit.
        spread: the bound of the perturbations, which are small numbers added to the right-hand sides.
        steepest: True for the steepest edge rule (Goldfarb & Reid 1977), which takes a third of the pivots of Dantzig's
            rule in large games; False for Dantzig's.

    >>> dense_simplex(np.array([[0.0, 2.0], [3.0, 0.0]]))
    Basis(rows=(0, 1), columns=(0, 1))
    """
    m, n = payoff.shape
    low, high = payoff.min(), payoff.max()
    table = np.ones((m + 1, n + 1))
    table[:m, :n] = (payoff - low) / ((high - low) or 1.0) + 1.0
    table[m, :n], table[m, n] = -1.0, 0.0
    # Each right-hand side is perturbed by a small number of its own, so that the ratio test has no ties. The numbers
    # are all different, as multiples of an irrational number modulo 1 are.
    table[:m, n] += spread * (np.arange(1, m + 1) * GOLDEN % 1.0)
    costs, levels = table[m, :n], table[:m, n]  # views, which the pivots update
    lengths = np.einsum("ij,ij->j", table, table)
    in_row, in_column = list(range(n, n + m)), list(range(n))
    tolerance = LARGE_TOLERANCE if steepest else SMALL_TOLERANCE
    step = max(1, BLOCK // (n + 1))
    for _ in range(20 * (m + n)):
        if steepest:
            # The steepest edge rule chooses the variable whose squared reduced cost, divided by the squared length of
            # the variable's edge, is greatest. This squared length is 1 plus the squares of the entries of its column.
            gains = costs * costs / (1.0 + lengths[:n])
            gains[costs >= -tolerance] = -1.0
            entering = int(gains.argmax())
        else:
            entering = int(costs.argmin())
        if costs[entering] >= -tolerance:
            return reached(in_row, in_column)
        factors = table[:, entering].copy()
        # The ratio test: the leaving variable has the least ratio of its level to its factor, among those with a
        # positive factor. Since factors can be zero, the inverse ratios are computed, of which the leaving variable
        # has the greatest. Only rounding can make a level zero or negative.
        ratios = factors[:m] / np.maximum(levels, NO_LEVEL)
        if steepest:
            ratios[factors[:m] <= tolerance] = 0.0
        leaving = int(ratios.argmax())
        pivot = float(factors[leaving])
        if pivot <= tolerance:
            return None
        # `source` is the pivot row divided by the pivot. A pivot subtracts the outer product of `factors` and `source`
        # from the tableau, except from the pivot row and the entering column. Two numbers are changed, so that a single
        # subtraction from the whole tableau is right for these, too. The pivot row has to become `source`, so its
        # factor is changed to pivot − 1. The entering column has to become the column of the leaving variable, which is
        # −factor / pivot in each row, so its entry in `source` is changed to 1 + 1/pivot.
        source = table[leaving] / pivot
        source[entering] = 1.0 + 1.0 / pivot
        factors[leaving] = pivot - 1.0
        lengths.fill(0.0)
        # The rows are updated in blocks, which stay in the cache while the squares of their entries are added up.
        for first in range(0, m + 1, step):
            block = table[first : first + step]
            block -= factors[first : first + step, None] * source
            if steepest:
                lengths += np.einsum("ij,ij->j", block, block)
        in_row[leaving], in_column[entering] = in_column[entering], in_row[leaving]
    return None


def candidate(payoff: list[list[arb]], basis: Basis, *, wide: bool = False) -> Play[arb]:
    """Return the value and the strategies at a basis.

    Let K be the matrix of the payoffs at the basis, bordered by ones with 0 in the corner. The last row and the last
    column of K⁻¹ are the two strategies, and its corner is minus the value. The strategies are optimal if no slack of
    the basis (:func:`slacks`) is negative. They have probabilities for bids of the basis only.

    Args:
        payoff: balls around the payoffs, shape (m, n).
        basis: the basis.
        wide: True for balls whose radii are far larger than the rounding errors of their midpoints. K is first
            multiplied by an approximate inverse (Hansen & Smith 1967), because each step of elimination widens such
            balls. This takes longer.

    Raises:
        ZeroDivisionError: if the balls do not prove that K is nonsingular.
    """
    entry, size = payoff[basis.rows[0]][basis.columns[0]], len(basis.rows)
    if size == 1:
        return Play(entry, (arb(1),), (arb(1),))
    lines: list[list[Any]] = [[payoff[i][j] for j in basis.columns] for i in basis.rows]
    bordered = [*([*line, 1] for line in lines), [1] * size + [0]]
    if wide:
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
    """Yield the slacks of a basis: one for each row, then one for each column.

    The slack of a bid of the basis is its probability. The slack of any other bid is the amount by which it does worse
    than the value against the strategy of the other player.

    Args:
        payoff: player one's gains, shape (m, n).
        basis: the basis.
        play: the value and the strategies at the basis, with one probability for each bid of the basis.
    """
    x = dict(zip(basis.rows, play.row, strict=True))
    y = dict(zip(basis.columns, play.column, strict=True))
    for i, line in enumerate(payoff):
        yield x[i] if i in x else play.value - sum(map(mul, play.column, map(line.__getitem__, y)))
    for j, column in enumerate(zip(*map(payoff.__getitem__, x), strict=True)):
        yield y[j] if j in y else sum(map(mul, play.row, column)) - play.value


def certify(payoff: Payoff, basis: Basis) -> bool:
    """Return True if balls of one of the `PRECISIONS` prove that both strategies at a basis are the only optimal ones."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            if prove(payoff.balls(precision), basis) is not None:
                return True
    return False


def prove(balls: list[list[arb]], basis: Basis, *, wide: bool = False) -> Play[arb] | None:
    """Return the value and the strategies at `basis` if balls prove these to be the only optimal strategies, else None.

    Args:
        balls: the payoffs, shape (m, n).
        basis: the basis to prove.
        wide: True for balls whose radii are far larger than the rounding errors of their midpoints. The computation
            then takes longer, and its balls grow less.
    """
    try:
        play = candidate(balls, basis, wide=wide)
    except ZeroDivisionError:
        return None
    # A comparison of balls is true only if it is true for all numbers in them.
    return play if all(slack > 0 for slack in slacks(balls, basis, play)) else None


def prove_row(balls: list[list[arb]], basis: Basis) -> Play[arb] | None:
    """Return the value and the strategies at `basis` if balls prove these to be the only optimal strategies, else None.

    :func:`prove` is called twice, with `wide` False and True, which changes only how the strategies are computed. If
    both calls prove the strategies, the result with narrower balls for player one's strategy is returned.

    Args:
        balls: balls around the payoffs, shape (m, n).
        basis: the basis to prove.
    """
    proofs = (prove(balls, basis, wide=wide) for wide in (False, True))
    proved = (play for play in proofs if play is not None)
    return min(proved, key=lambda play: max(float(p.rad()) for p in play.row), default=None)


def prove_both(balls: list[list[arb]], basis: Basis) -> Play[arb] | None:
    """Return the value and the strategies at `basis` if balls prove these to be the only optimal strategies, else None.

    The balls of player two's strategy are usually narrower than those that :func:`prove_row` returns.

    Args:
        balls: the payoffs, shape (m, n).
        basis: the basis to prove.
    """
    # In a proof, the balls of player two's strategy can be many times as wide as those of player one's. So this strategy
    # is taken from a proof in the game −Xᵀ, in which the players have changed places.
    own = prove_row(balls, basis)
    seen = [[-entry for entry in column] for column in zip(*balls, strict=True)]
    other = prove_row(seen, basis.swapped)
    return own if own is None or other is None else own._replace(column=other.row)


class CertificateError(ArithmeticError):
    """Error raised if a claimed solution fails its exact check."""


def checked(matrix: fmpz_mat | nmod_mat, solution: Column) -> Column:
    """Check that a vector z solves K z = (0, …, 0, 1), the equations of a basis of s rows and columns, and return z.

    The check does not prove that the strategies are optimal: for this, no slack of the basis may be negative.

    Args:
        matrix: K, the payoffs of the basis and their border, shape (s + 1, s + 1), with rows and columns scaled to
            integers; or K modulo a random prime, for fractions so long that an exact check would take as long as
            computing z. Modulo the prime, a wrong z passes with a tiny probability (Freivalds 1979).
        solution: z, shape (s + 1, 1), modulo the same prime if K is.

    Raises:
        CertificateError: if an equation does not hold.
    """
    size = solution.nrows()
    unit: Any = fmpz_mat(size, 1, [0] * (size - 1) + [1])
    if isinstance(matrix, nmod_mat):
        unit = nmod_mat(unit, matrix.modulus())
    if cast("Any", matrix) * solution != unit:
        raise CertificateError(f"a solution of {size} equations of a matrix game fails its check")
    return solution
