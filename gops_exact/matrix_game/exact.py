"""Exact simplexes: a tableau of fractions from the beginning, and pivots from a basis that floats propose.

The tableau holds player two's programme in the form of Dantzig (1963, ch. 13): shift the payoffs until
all are positive, then maximise Σ u_j subject to X u ≤ 1, u ≥ 0. The value is 1/Σ u.

For pivots from any basis the programme is to minimise v subject to Xy + w = v·1, Σy = 1, y ≥ 0, w ≥ 0.
At a basis of rows I and columns J the variables y_j outside J and w_i inside I are zero, and the others
follow from

    K = [ M  1 ]      M = X[I, J],      K (y_J, −v) = (0, 1).
        [ 1ᵀ 0 ]

Player one's programme is that of the game −Xᵀ at the basis of rows J and columns I: x_i and the slack
z_j = (xᵀX)_j − v are zero where w_i and y_j may be positive. If none of all these is negative, both
strategies are optimal, with ties or without. FLINT solves the systems, over the integers if the payoffs
are integers.

From a basis that is not optimal, pivots go on by the parametric self-dual simplex (Dantzig 1963,
§11.3; Vanderbei, *Linear Programming*, §7.3): every basic variable of both programmes may fall short of
zero by μ times a random number, so that the basis is optimal for large μ, and then μ falls to zero.
Random numbers of many bits do not tie: μ falls with every pivot, and no basis comes back.
"""

import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpq_mat

from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.large import proposals
from gops_exact.matrix_game.payoff import ONE, ZERO, Entries, Matrix, Payoff, flint
from gops_exact.matrix_game.play import Play

RANDOM_BITS = 40
"""Bits of the random numbers that keep ratios from tying."""


def solve_tableau(payoff: Matrix) -> tuple[Play[fmpq], Basis]:
    """Return play on an optimal basis of a game, shape (m, n), by a tableau of fractions; and the basis.

    Entering variable: most negative reduced cost; leaving: the lexicographic ratio test, under which no
    basis comes back (Dantzig, Orden & Wolfe 1955).

    >>> play, basis = solve_tableau([[fmpq(3), fmpq(-1)], [fmpq(1), fmpq(2)]])
    >>> play.value, play.row, play.column
    (7/5, (1/5, 4/5), (3/5, 2/5))
    """
    m, n = len(payoff), len(payoff[0])
    shift = 1 - min(map(min, payoff))
    # Columns of the bids, of the slacks, and the right-hand side; the objective is the last row.
    table = [
        [*(entry + shift for entry in line), *(ONE if k == i else ZERO for k in range(m)), ONE]
        for i, line in enumerate(payoff)
    ]
    objective = [-ONE] * n + [ZERO] * (m + 1)
    table.append(objective)
    basic = list(range(n, n + m))
    while (least := min(objective[:-1])) < 0:
        entering = objective.index(least)
        leaving = _leaving(table[:m], entering, range(n, n + m))
        source = table[leaving]
        inverse = 1 / source[entering]
        source[:] = [entry * inverse if entry else entry for entry in source]
        for line in table:
            factor = line[entering]
            if line is not source and factor:
                line[:] = [a - factor * b if b else a for a, b in zip(line, source, strict=True)]
        basic[leaving] = entering
    scale = 1 / objective[-1]
    levels = {j: line[-1] * scale for j, line in zip(basic, table, strict=False)}
    column = tuple(levels.get(j, ZERO) for j in range(n))
    row = tuple(cost * scale for cost in objective[n : n + m])
    rows = tuple(i for i in range(m) if n + i not in basic)
    basis = Basis(rows, tuple(sorted(j for j in basic if j < n)))
    return Play(scale - shift, row, column, None, None, method="simplex"), basis


def _leaving(rows: Matrix, column: int, slacks: Sequence[int]) -> int:
    """Return the row of the smallest ratio; ties are broken by the ratios of the slacks, in turn."""
    candidates = [i for i, row in enumerate(rows) if row[column] > 0]
    for place in (-1, *slacks):
        if len(candidates) == 1:
            break
        ratios = [rows[i][place] / rows[i][column] for i in candidates]
        least = min(ratios)
        candidates = [i for i, ratio in zip(candidates, ratios, strict=True) if ratio == least]
    return candidates[0]


class Variable(NamedTuple):
    """A variable of one player's programme."""

    played: bool  # true for the probability of an own bid, false for the slack of the other's bid
    bid: int


Sides = tuple[Sequence[Any], Any]
"""Right-hand sides, in place of zeros, and the sum of probabilities, in place of 1."""


@dataclass(frozen=True, eq=False)
class Programme:
    """The programme of the player who chooses columns and pays, at a basis."""

    entries: Entries  # shape (m, n)
    basis: Basis

    @property
    def basic(self) -> list[Variable]:
        """The basic variables: probabilities on the basis columns, slacks of the other rows."""
        own = [Variable(True, j) for j in self.basis.columns]
        return own + [Variable(False, i) for i in _without(len(self.entries), self.basis.rows)]

    def other(self) -> "Programme":
        """Return the other player's programme. Its basic variables belong to the nonbasic ones here."""
        return Programme(-self.entries.T, self.basis.swapped)

    def levels(self, sides: Sequence[Sides] = ()) -> list[list[fmpq]]:
        """Return the values of the basic variables, and last the value of the game.

        The first list is that of the game itself, then there is one for each of `sides`.

        Raises:
            ZeroDivisionError: if K is singular.
        """
        rows, size = self.basis.rows, len(self.basis.rows)
        others = _without(len(self.entries), rows)
        every = [([0] * len(self.entries), 1), *sides]
        right = [[given[i] for given, _ in every] for i in rows] + [[total for _, total in every]]
        solution = flint(self._matrix()).solve(fmpq_mat(right))
        columns = solution.transpose().tolist()
        gains: list[list[fmpq]] = [[]] * len(every)
        if others:
            gains = (flint(self._bordered()[others]) * solution).transpose().tolist()
        return [
            [
                *column[:size],
                *(given[i] - loss for i, loss in zip(others, gain, strict=True)),
                -column[size],
            ]
            for column, gain, (given, _) in zip(columns, gains, every, strict=True)
        ]

    def rates(self, variables: Sequence[Variable]) -> list[list[fmpq]]:
        """Return how fast basic variables rise with the nonbasic ones.

        A row for each of `variables`, a column for each basic variable of :meth:`other`.
        """
        if not variables:
            return []
        size, bordered = len(self.basis.columns), self._bordered()
        sides = [
            [int(j == bid) for j in self.basis.columns] + [0]
            if played
            else (-bordered[bid]).tolist()
            for played, bid in variables
        ]
        weights = flint(self._matrix()).transpose().solve(fmpq_mat(sides).transpose()).transpose()
        across = _with_ones(self.entries[list(self.basis.rows)], below=1)
        gains = (weights * flint(across)).tolist()
        outside = _without(self.entries.shape[1], self.basis.columns)
        return [
            [-weight for weight in line[:size]]
            + [-gain[j] if played else -gain[j] - self.entries[bid, j] for j in outside]
            for (played, bid), line, gain in zip(variables, weights.tolist(), gains, strict=True)
        ]

    def relaxed(self, source: random.Random) -> Sides:
        """Return the sides for which the basic variables are random positive numbers, and v is 0."""
        weights = [1 + source.getrandbits(RANDOM_BITS) for _ in self.basis.columns]
        gains = (flint(self._bordered()) * fmpq_mat([[p] for p in [*weights, 0]])).tolist()
        inside = set(self.basis.rows)
        right = [
            gain if i in inside else gain + 1 + source.getrandbits(RANDOM_BITS)
            for i, (gain,) in enumerate(gains)
        ]
        return right, sum(weights)

    def _bordered(self) -> Entries:
        """Return the entries on the basis columns, and a column of ones, shape (m, s + 1)."""
        return _with_ones(self.entries[:, list(self.basis.columns)], beside=1)

    def _matrix(self) -> Entries:
        """Return K."""
        matrix = _with_ones(self._bordered()[list(self.basis.rows)], below=1)
        matrix[-1, -1] = 0
        return matrix


@dataclass(frozen=True)
class Proved:
    """An optimal basis with both players' exact levels."""

    programme: Programme  # player two's
    column: list[fmpq]  # levels of player two's basic variables, and the value
    row: list[fmpq]  # levels of player one's, and minus the value


def _with_ones(block: Entries, below: int = 0, beside: int = 0) -> Entries:
    """Return a matrix with so many rows and columns of ones added."""
    m, n = block.shape
    wider = np.ones((m + below, n + beside), dtype=block.dtype)
    wider[:m, :n] = block
    return wider


def _without(count: int, some: Sequence[int]) -> list[int]:
    inside = set(some)
    return [i for i in range(count) if i not in inside]


def settle(entries: Entries, basis: Basis) -> Proved:
    """Return an optimal basis, found by pivots from any basis, shape (m, n).

    Raises:
        ZeroDivisionError: if K of the given basis is singular.

    >>> settle(np.array([[3, -1], [1, 2]]), Basis((0,), (0,))).programme.basis
    Basis(rows=(0, 1), columns=(0, 1))
    """
    seed = 0
    while (proved := _proved(entries, basis)) is None:
        basis, seed = _improved(entries, basis, random.Random(seed)), seed + 1
    return proved


def _proved(entries: Entries, basis: Basis) -> Proved | None:
    """Return the levels at a basis; None if it is not optimal."""
    two = Programme(entries, basis)
    (column,) = two.levels()
    if min(column[:-1]) < 0:
        return None
    (row,) = two.other().levels()
    return None if min(row[:-1]) < 0 else Proved(two, column, row)


def _improved(entries: Entries, basis: Basis, source: random.Random) -> Basis:
    """Pivot until the basis is optimal, or until random numbers tie."""
    two = Programme(entries, basis)
    sides = [programme.relaxed(source) for programme in (two, two.other())]
    before = None
    while True:
        two = Programme(entries, basis)
        programmes = two, two.other()
        levels = [
            list(zip(*(level[:-1] for level in each.levels([side])), strict=True))
            for each, side in zip(programmes, sides, strict=True)
        ]
        # The basis is optimal down to this μ, where a variable of one of the programmes becomes zero.
        short = [
            (-level / grant, who, place)
            for who, each in enumerate(levels)
            for place, (level, grant) in enumerate(each)
            if level < 0
        ]
        if not short:
            return basis
        mu, who, place = max(short)
        if before is not None and mu >= before:
            return basis
        before = mu
        leaving = programmes[who].basic[place]
        (rates,) = programmes[who].rates([leaving])
        _, entering = min(
            ((level + mu * grant) / rate, k)
            for k, ((level, grant), rate) in enumerate(zip(levels[1 - who], rates, strict=True))
            if rate > 0
        )
        basis = _exchanged(basis, who, leaving, programmes[1 - who].basic[entering])


def _exchanged(basis: Basis, who: int, leaving: Variable, entering: Variable) -> Basis:
    """Return the basis after a pivot in one player's programme; `entering` is named as in the other's."""
    own, others = (set(basis.columns), set(basis.rows))[:: -1 if who else 1]
    # A probability is basic where the bid is in the basis, a slack where it is not.
    (own if leaving.played else others).symmetric_difference_update({leaving.bid})
    (others if entering.played else own).symmetric_difference_update({entering.bid})
    columns, rows = (own, others)[:: -1 if who else 1]
    return Basis(tuple(sorted(rows)), tuple(sorted(columns)))


def is_unique(proved: Proved, *, rows: bool) -> bool:
    """Test that the player of the rows, or else of the columns, has only one optimal strategy.

    The player's optimal strategies are reached from the known one by a direction λ ≥ 0 of the nonbasic
    variables that the other player's levels leave free, along which no basic variable at zero falls.
    There is such a λ ≠ 0 if and only if the game of their rates, in which λ is a mixture, has a value
    of at least 0 to the player of λ.
    """
    programme, own, other = proved.programme, proved.column, proved.row
    if rows:
        programme, own, other = programme.other(), other, own
    free = [k for k, level in enumerate(other[:-1]) if level == 0]
    tight = [variable for variable, level in zip(programme.basic, own, strict=False) if level == 0]
    if not free or not tight:
        return not free
    rates = programme.rates(tight)
    game = Payoff.of([[row[k] for row in rates] for k in free])
    return game.value(solved(game).column[-1]) < 0


def solved(game: Payoff) -> Proved:
    """Return an optimal basis: one that is proposed, or the end of exact pivots from the last of these."""
    start = Basis((0,), (0,))
    for basis in proposals(game):
        with suppress(ZeroDivisionError):  # rounding made a singular basis look like another
            proved = _proved(game.entries, basis)
            if proved is not None:
                return proved
            start = basis
    return settle(game.entries, start)
