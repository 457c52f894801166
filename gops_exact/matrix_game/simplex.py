"""Exact simplex method on a tableau of fractions, and both players' linear programs at a basis.

A *bid* is a pure strategy, a row or a column. A *basis* is a choice of equally many rows and columns of the payoff
matrix, which determines a strategy of each player. A *ball* is an interval, given by its midpoint and its radius
(FLINT's ``arb``). :class:`LinearProgram` proves a basis that floats propose.

Let X be the payoff matrix. Player two's linear program is: minimise v subject to Xy + w = v·1, Σy = 1, y ≥ 0, w ≥ 0.
Here y is player two's strategy, and w has a slack for each row. At a basis of rows I and columns J, the variables y_j
outside J and w_i inside I are zero; they are called nonbasic. The other variables are called basic. They follow from
the equations K (y_J, v) = (0, 1), where K is the matrix X[I, J], bordered by −1 on the right and by 1 below, with 0 in
the corner. FLINT solves the equations, over the integers if the payoffs are integers.

Player one's linear program is that of the game −Xᵀ at the basis of rows J and columns I. Its variable x_i is zero if
w_i is basic, and its slack z_j = (xᵀX)_j − v is zero if y_j is basic. If no variable of either linear program is
negative, both strategies are optimal, even if some basic variables are zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import cast

import numpy as np
from flint import arb, fmpq, fmpq_mat, fmpz, fmpz_mat

from gops_exact.base.progress import Progress
from gops_exact.matrix_game.basis import (
    Basis,
    Method,
    Play,
    certify,
    checked,
    proposals,
    prove,
    tableau_simplex,
)
from gops_exact.matrix_game.payoff import ONE, ZERO, Entries, Payoff, flint

MOST_EXACT = 100
"""Greatest number of payoffs from which `LinearProgram.is_feasible` computes slacks in exact numbers only. The payoffs
are those in the rows outside the basis and in the basis columns. If there are more, products of floats are faster, so
floats first prove most slacks positive."""

SHORTER = 16
"""The number by which the small number t of :func:`tilted` is divided, from 1 on, until it is small enough."""

EPSILON = 2.0**-52
"""Distance from 1 to the next greater float, twice the largest relative error of rounding to a normal float."""


def solve_tableau(
    payoff: Sequence[Sequence[fmpq | fmpz | int]], progress: Progress | None = None
) -> tuple[fmpq, Basis]:
    """Return the value of a matrix game and an optimal basis, by the simplex method on a tableau of fractions.

    Args:
        payoff: player one's gains, shape (m, n).
        progress: called as progress(done, total), counted in pivots. The total is an estimate, done + m + n.
    """
    end = tableau_simplex(payoff, ONE, 0, progress)
    return cast("tuple[fmpq, Basis]", end)  # with exact numbers the method ends at an optimum


Variable = tuple[bool, int]
"""Variable of one player's linear program: (True, j) is the probability of the player's own bid j, (False, i) is the
slack of the other player's bid i."""


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """Linear program of one player at a basis, in a game where this player chooses the column and pays the entry.

    For player two, `entries` is the payoff matrix X. For player one it is −Xᵀ: the players have changed places.
    """

    entries: Entries  # shape (m, n)
    basis: Basis  # equally many rows and columns of `entries`

    def __getstate__(self) -> dict[str, object]:
        return {"entries": self.entries, "basis": self.basis}  # FLINT's matrices cannot be pickled

    @property
    def basic(self) -> list[Variable]:
        """The basic variables: first (True, j), the probability of column j, for each column of the basis; then
        (False, i), the slack of row i, for each row outside the basis.
        """
        own = [(True, j) for j in self.basis.columns]
        return own + [(False, i) for i in _outside(len(self.entries), self.basis.rows)]

    @cached_property
    def bordered(self) -> Entries:
        """The s columns of :attr:`entries` that are in the basis, with one more column and one more row.

        The last column has the entries −1, the last row has the entries 1, and their common corner is 0. The shape is
        (m + 1, s + 1).
        """
        m, size = len(self.entries), len(self.basis.columns)
        wider = np.ones((m + 1, size + 1), dtype=self.entries.dtype)
        wider[:m, :size] = self.entries[:, list(self.basis.columns)]
        wider[:m, size], wider[m, size] = -1, 0
        return wider

    @cached_property
    def solution(self) -> fmpq_mat:
        """The solution (y, v) of the equations K (y, v) = (0, 1), shape (s + 1, 1).

        K has the rows of the basis and the last row of :attr:`bordered`, y has the probabilities of the s basis
        columns, and v is the value of the game `entries` if the basis is optimal.

        Raises:
            ZeroDivisionError: if K is singular.
            CertificateError: if the solution does not solve the equations.
        """
        size = len(self.basis.columns)
        unit = fmpz_mat(size + 1, 1, [0] * size + [1])
        rows = self.bordered[[*self.basis.rows, -1]]
        matrix = flint(rows)
        if isinstance(matrix, fmpq_mat):
            # Multiply each row by its common denominator. The last row has integers, so the unit vector stays.
            whole = [fmpq_mat([row]).numer_denom()[0].entries() for row in rows.tolist()]
            matrix = fmpz_mat(whole)
        return checked(matrix, cast("fmpq_mat", matrix.solve(unit)))

    @cached_property
    def levels(self) -> list[fmpq]:
        """The values of the basic variables, in the order of :attr:`basic`, followed by v, the value at the basis."""
        *chances, value = self.solution.entries()
        others = _outside(len(self.entries), self.basis.rows)
        gains = (flint(self.bordered[others]) * self.solution).entries() if others else []
        return [*chances, *(-gain for gain in gains), value]

    def is_feasible(self) -> bool:
        """Return True if no basic variable is negative: no probability of a basis column, and no slack of a row."""
        mixture = self.solution.entries()
        if min(mixture[:-1]) < 0:
            return False
        columns = self.basis.columns
        doubtful = _outside(len(self.entries), self.basis.rows)
        if self.entries.dtype != object and len(doubtful) * len(columns) > MOST_EXACT:
            # In floats, a slack is the value minus a sum of s products of payoffs and rounded probabilities, where s is
            # the number of basis columns. Its error is at most that of s + 8 roundings of the largest payoff (Higham
            # 2002, *Accuracy and stability of numerical algorithms*, §3.1).
            *chances, value = (int(p.p) / int(p.q) for p in mixture)
            slacks = value - self.entries[np.ix_(doubtful, columns)] @ np.array(chances)
            error = (len(columns) + 8) * EPSILON * float(np.abs(self.entries).max())
            near = zip(doubtful, slacks.tolist(), strict=True)
            doubtful = [row for row, slack in near if slack <= error]
        if not doubtful:
            return True
        # The product of a row of `bordered` and the solution is the negated slack of this row. The solution is multiplied
        # by its common denominator, which is positive, to compute in integers.
        multiple = self.solution.numer_denom()[0]
        return max((flint(self.bordered[doubtful]) * multiple).entries()) <= 0

    def rates(self, variables: Sequence[Variable]) -> list[list[fmpq]]:
        """Return the derivatives of basic variables with respect to the nonbasic variables.

        Args:
            variables: the basic variables.

        Returns:
            A row for each basic variable, and a column for each nonbasic variable. First come the columns for the
            slacks of the basis rows, then those for the probabilities of the columns outside the basis. This is also
            the order in which :attr:`basic` of the other player's linear program lists the variables of these bids.
        """
        if not variables:
            return []
        # A basic variable is a linear form in (y_J, v), and a row of `sides` has its coefficients. The same row of
        # `weights` solves weights · K = sides. Since K (y_J, v) = (0, 1), the basic variable equals weights · (0, 1).
        # So its derivatives are the weights times the derivatives of the right-hand sides (0, 1).
        columns = self.basis.columns
        sides = [
            [*(int(j == bid) for j in columns), 0] if played else (-self.bordered[bid]).tolist()
            for played, bid in variables
        ]
        matrix = flint(self.bordered[[*self.basis.rows, -1]]).transpose()
        weights = fmpq_mat(matrix).solve(fmpq_mat(sides).transpose()).transpose()
        across = self.entries[list(self.basis.rows)]
        gains = (weights * flint(np.vstack([across, np.ones_like(across[:1])]))).tolist()
        # A nonbasic variable is the slack w_i of a basis row i, or the probability y_j of a column j outside the basis.
        # If w_i rises by 1, the right-hand side of row i falls by 1. If y_j rises by 1, the right-hand side of each row
        # falls by the row's payoff in column j, and the right-hand side of the border by 1. A basic variable that is
        # the slack of a row outside the basis also falls directly, by the payoff of this row in column j.
        outside = _outside(self.entries.shape[1], columns)
        return [
            [-weight for weight in line[:-1]]
            + [-gain[j] if played else -gain[j] - self.entries[bid, j] for j in outside]
            for (played, bid), line, gain in zip(variables, weights.tolist(), gains, strict=True)
        ]


def _outside(count: int, basis: Sequence[int]) -> list[int]:
    return sorted({*range(count)}.difference(basis))


LinearPrograms = tuple[LinearProgram, LinearProgram]
"""The linear programs of player two and of player one, at the same basis. Each basic variable of either linear program
has a counterpart that is nonbasic in the other: the variable of the same bid."""


def linear_programs(game: Payoff, basis: Basis) -> LinearPrograms:
    """Return the linear programs of player two and of player one at a basis.

    If the game is skew-symmetric and the basis has the same rows as columns, one object is returned twice.
    """
    two = LinearProgram(game.entries, basis)
    if basis.rows == basis.columns and game.is_skew_symmetric():
        return two, two
    return two, LinearProgram(-game.entries.T, basis.swapped)


def is_unique(own: LinearProgram, other: LinearProgram) -> bool:
    """Return True if the player of the linear program `own` has only one optimal strategy.

    The counterpart of a nonbasic variable of `own` is the basic variable of `other` that belongs to the same bid. A
    nonbasic variable of `own` is *free* if its counterpart is 0. A free variable can become positive without changing
    the value of the linear program. A basic variable of `own` is *tight* if it is 0, so that it must not decrease. The
    player has another optimal strategy if and only if the free variables can increase in a direction λ ≥ 0, λ ≠ 0,
    along which no tight variable decreases.

    To decide this, a second matrix game is solved. It has a row for each free variable and a column for each tight
    variable, and the payoffs are the derivatives of the tight variables with respect to the free variables. Divided by
    its sum, λ is a strategy of the row player. A direction exists if and only if the value to the row player is at
    least 0.

    Args:
        own: the player's linear program at an optimal basis.
        other: the other player's linear program at the same basis.
    """
    free = [k for k, level in enumerate(other.levels[:-1]) if level == 0]
    tight = [variable for variable, level in zip(own.basic, own.levels, strict=False) if level == 0]
    if not free or not tight:
        return not free
    rates = own.rates(tight)
    game = Payoff.of([[row[k] for row in rates] for k in free])
    (two, _), _ = solved(game)
    return game.value(two.levels[-1]) < 0


def solved(
    game: Payoff, proposed: Iterable[Basis] = (), progress: Progress | None = None
) -> tuple[LinearPrograms, bool]:
    """Find an optimal basis of a game, and return the linear programs of both players at this basis.

    The first proposed basis that is proved optimal is taken. If there is none, a tableau of fractions yields the basis.

    Args:
        game: the payoffs.
        proposed: bases to try before those that :func:`~gops_exact.matrix_game.basis.proposals` yields.
        progress: called as progress(done, total), counted in pivots, whose total is estimated.

    Returns:
        The linear programs; and True if both strategies at the basis are proved to be the only optimal ones, False if
        this is not known.
    """
    for basis in chain(proposed, proposals(game, progress)):
        with suppress(ZeroDivisionError):  # because of rounding, a proposed basis may be singular
            two, one = linear_programs(game, basis)
            # With long fractions as payoffs, balls prove a basis much faster than exact numbers do.
            unique = game.is_long and certify(game, basis)
            if unique or (two.is_feasible() and one.is_feasible()):
                return (two, one), unique
    _, basis = solve_tableau(game.entries.tolist(), progress)
    return linear_programs(game, basis), False


def play_at(optimum: LinearPrograms, game: Payoff, method: Method) -> Play[fmpq]:
    """Return the value, and both players' strategies at an optimal basis.

    `row_unique` and `column_unique` of the result are True without a check; :func:`is_unique` does the check.

    Args:
        optimum: the linear programs of both players at the basis.
        game: the game, whose payoffs are the shifted and scaled entries of the linear programs.
        method: the algorithm that found the basis.
    """
    two, one = optimum
    *column, value = two.solution.entries()
    play = Play(game.value(value), tuple(one.solution.entries()), tuple(column), method=method)
    return play.on_basis(two.basis, game.shape, ZERO)


def tilted(entries: Entries, addition: Entries, value: fmpq) -> tuple[fmpq, ...]:
    """Return, among the row player's optimal strategies x in the game `entries`, one with the greatest mean x·addition.

    Consider the changed game with the payoffs entries + t · addition, for a number t > 0. It adds t x·addition to the
    gain that a strategy x guarantees. So if x is optimal in both games, no optimal strategy of `entries` has a greater
    mean. If t is small enough, every optimal vertex of the changed game is optimal in both games: the constraints of
    its linear program can be written as v ≤ (x·entries)_j for each column j, so its vertices do not depend on t.

    Args:
        entries: the payoffs to the row player, shape (m, n).
        addition: a number for each row, shape (m, 1).
        value: the value of the game `entries`.
    """
    share = ONE
    while True:
        share /= SHORTER
        game = Payoff.of(entries + addition * share)
        strategy = play_at(solved(game)[0], game, "guided").row
        if min(np.array(strategy) @ entries) >= value:
            return strategy


def by_simplex(game: Payoff) -> Play[fmpq]:
    """Return optimal play by the simplex method on fractions, with `row_unique` and `column_unique` decided."""
    _, basis = solve_tableau(game.entries.tolist())
    two, one = linear_programs(game, basis)
    play = play_at((two, one), game, "simplex")
    return play._replace(row_unique=is_unique(one, two), column_unique=is_unique(two, one))


def enclosed(balls: list[list[arb]]) -> tuple[arb, Basis | None]:
    """Return a ball that contains the value of every game with payoffs in given balls; and a basis, or None.

    The basis is an optimal one of the game of the midpoints, if its strategies are proved to be the only optimal ones
    for all payoffs in the balls. It is None if this is not proved, for example if several strategies are optimal.

    Args:
        balls: the payoffs, shape (m, n).

    >>> enclosed([[arb(0, 1), arb(0, 1)]])
    ([+/- 1.01], None)
    """
    value, basis = solve_tableau([[entry.mid().fmpq() for entry in row] for row in balls])
    play = prove(balls, basis)
    if play is not None:
        return play.value, basis
    # The value of a game changes by no more than its payoffs do.
    radius = max(entry.rad() for row in balls for entry in row)
    return arb(value) + arb(0, radius), None
