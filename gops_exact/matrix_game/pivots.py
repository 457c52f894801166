"""Exact bases of matrix games of any size: evaluated, proved, and improved where they are not optimal.

Player two's programme is to minimise v subject to Xy + w = v·1, Σy = 1, y ≥ 0, w ≥ 0. At a basis of
rows I and columns J the variables y_j outside J and w_i inside I are zero, and the others follow from

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
from gops_exact.matrix_game.entries import Entries, Game, as_entries, flint
from gops_exact.matrix_game.large import proposals

RANDOM_BITS = 40
"""Bits of the random numbers that keep ratios from tying."""


class Variable(NamedTuple):
    """A variable of one player's programme.

    Attributes:
        played: true for the probability of an own bid, false for the slack of a bid of the other's.
        bid: the bid.
    """

    played: bool
    bid: int


Sides = tuple[Sequence[Any], Any]
"""Right-hand sides, in place of zeros, and the sum of probabilities, in place of 1."""


@dataclass(frozen=True, eq=False)
class Programme:
    """The programme of the player who chooses columns and pays, at a basis.

    Attributes:
        entries: shape (m, n).
        basis: its rows and columns.
    """

    entries: Entries
    basis: Basis

    @property
    def basic(self) -> list[Variable]:
        """The basic variables: probabilities on the basis columns, slacks of the other rows."""
        rows, columns = self.basis.rows, self.basis.columns
        return [
            *(Variable(True, j) for j in columns),
            *(Variable(False, i) for i in _without(len(self.entries), rows)),
        ]

    def other(self) -> "Programme":
        """Return the other player's programme. Its basic variables belong to the nonbasic ones here."""
        return Programme(-self.entries.T, Basis(self.basis.columns, self.basis.rows))

    def levels(self, sides: Sequence[Sides] = ()) -> list[list[fmpq]]:
        """Return the values of the basic variables, and last the value of the game.

        The first list is that of the game itself, then there is one for each of `sides`.

        Raises:
            ZeroDivisionError: if K is singular.
        """
        rows, size = list(self.basis.rows), len(self.basis.rows)
        others = _without(len(self.entries), rows)
        every = [([0] * len(self.entries), 1), *sides]
        right = [[given[i] for given, _ in every] for i in rows] + [[total for _, total in every]]
        solution = flint(self._matrix()).solve(fmpq_mat(right))
        gains = (flint(self._bordered(others)) * solution).transpose().tolist() if others else []
        found = []
        for place, (column, (given, _)) in enumerate(
            zip(solution.transpose().tolist(), every, strict=True)
        ):
            short = (
                [given[i] - gain for i, gain in zip(others, gains[place], strict=True)]
                if others
                else []
            )
            found.append([*column[:size], *short, -column[size]])
        return found

    def rates(self, variables: Sequence[Variable]) -> list[list[fmpq]]:
        """Return how fast basic variables rise with the nonbasic ones.

        A row for each of `variables`, a column for each basic variable of :meth:`other`.
        """
        if not variables:
            return []
        columns, size = list(self.basis.columns), len(self.basis.columns)
        sides = [
            [int(k == columns.index(bid)) for k in range(size)] + [0]
            if played
            else [-entry for entry in self._bordered([bid])[0].tolist()]
            for played, bid in variables
        ]
        solution = flint(self._matrix()).transpose().solve(fmpq_mat(sides).transpose()).transpose()
        outside = _without(self.entries.shape[1], columns)
        gains = (
            (solution * flint(self._across(outside))).tolist() if outside else [[]] * len(variables)
        )
        return [
            [-weight for weight in weights[:size]]
            + [
                -gain if played else -gain - self.entries[bid, j]
                for gain, j in zip(gained, outside, strict=True)
            ]
            for (played, bid), weights, gained in zip(
                variables, solution.tolist(), gains, strict=True
            )
        ]

    def relaxed(self, source: random.Random) -> Sides:
        """Return the sides for which the basic variables are random positive numbers, and v is 0."""
        rows, size = self.basis.rows, len(self.basis.columns)
        weights = [1 + source.getrandbits(RANDOM_BITS) for _ in range(size)]
        gains = (
            flint(self._bordered(range(len(self.entries)))) * fmpq_mat([[p] for p in [*weights, 0]])
        ).tolist()
        inside = set(rows)
        right = [
            gain if i in inside else gain + 1 + source.getrandbits(RANDOM_BITS)
            for i, (gain,) in enumerate(gains)
        ]
        return right, sum(weights)

    def _bordered(self, rows: Sequence[int]) -> Entries:
        """Return some rows on the basis columns, and a column of ones."""
        block = self.entries[np.ix_(rows, self.basis.columns)]
        return np.concatenate([block, np.ones((len(rows), 1), dtype=block.dtype)], axis=1)

    def _across(self, columns: Sequence[int]) -> Entries:
        """Return some columns on the basis rows, and a row of ones."""
        block = self.entries[np.ix_(self.basis.rows, columns)]
        return np.concatenate([block, np.ones((1, len(columns)), dtype=block.dtype)])

    def _matrix(self) -> Entries:
        """Return K."""
        matrix = np.ones((len(self.basis.rows) + 1,) * 2, dtype=self.entries.dtype)
        matrix[:-1, :-1] = self.entries[np.ix_(self.basis.rows, self.basis.columns)]
        matrix[-1, -1] = 0
        return matrix


@dataclass(frozen=True)
class Proved:
    """An optimal basis with both players' exact levels.

    Attributes:
        basis: the basis.
        column: levels of player two's basic variables, and the value.
        row: levels of player one's, and minus the value.
    """

    basis: Basis
    column: list[fmpq]
    row: list[fmpq]


def _without(count: int, some: Sequence[int]) -> list[int]:
    inside = set(some)
    return [i for i in range(count) if i not in inside]


def settle(entries: Entries, basis: Basis) -> Proved:
    """Return an optimal basis, found by pivots from any basis, shape (m, n).

    Raises:
        ZeroDivisionError: if K of the given basis is singular.

    >>> settle(np.array([[3, -1], [1, 2]]), Basis((0,), (0,))).basis
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
    return None if min(row[:-1]) < 0 else Proved(basis, column, row)


def _improved(entries: Entries, basis: Basis, source: random.Random) -> Basis:
    """Pivot until the basis is optimal, or until random numbers tie."""
    sides = [
        each.relaxed(source)
        for each in (Programme(entries, basis), Programme(entries, basis).other())
    ]
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
        rates = programmes[who].rates([programmes[who].basic[place]])[0]
        _, entering = min(
            ((level + mu * grant) / rate, k)
            for k, ((level, grant), rate) in enumerate(zip(levels[1 - who], rates, strict=True))
            if rate > 0
        )
        basis = _exchanged(
            basis, who, programmes[who].basic[place], programmes[1 - who].basic[entering]
        )


def _exchanged(basis: Basis, who: int, leaving: Variable, entering: Variable) -> Basis:
    """Return the basis after a pivot in one player's programme; `entering` is named as in the other's."""
    own, others = (set(basis.columns), set(basis.rows))[:: -1 if who else 1]
    # A probability is basic where the bid is in the basis, a slack where it is not.
    (own if leaving.played else others).symmetric_difference_update({leaving.bid})
    (others if entering.played else own).symmetric_difference_update({entering.bid})
    columns, rows = (own, others)[:: -1 if who else 1]
    return Basis(tuple(sorted(rows)), tuple(sorted(columns)))


def is_unique(entries: Entries, proved: Proved, *, rows: bool) -> bool:
    """Test that the player of the rows, or else of the columns, has only one optimal strategy.

    The player's optimal strategies are reached from the known one by a direction λ ≥ 0 of the nonbasic
    variables that the other player's levels leave free, along which no basic variable at zero falls.
    There is such a λ ≠ 0 if and only if the game of their rates, in which λ is a mixture, has a value
    of at least 0 to the player of λ.
    """
    programme, own, other = Programme(entries, proved.basis), proved.column, proved.row
    if rows:
        programme, own, other = programme.other(), other, own
    free = [k for k, level in enumerate(other[:-1]) if level == 0]
    tight = [variable for variable, level in zip(programme.basic, own, strict=False) if level == 0]
    if not free or not tight:
        return not free
    rates = programme.rates(tight)
    game = Game.of(as_entries([[row[k] for row in rates] for k in free]))
    return game.value(solved(game).column[-1]) < 0


def solved(game: Game) -> Proved:
    """Return an optimal basis: one that is proposed, or the end of exact pivots from the last of these."""
    start = Basis((0,), (0,))
    for basis in proposals(game):
        with suppress(ZeroDivisionError):  # rounding made a singular basis look like another
            proved = _proved(game.entries, basis)
            if proved is not None:
                return proved
            start = basis
    return settle(game.entries, start)
