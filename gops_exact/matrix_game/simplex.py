"""The rational simplex: any matrix game, exactly, over a tableau of fmpq.

Player two's program in the form of Dantzig (1963, ch. 13): shift the payoffs until all are
positive, then maximise Σ u_j subject to X u ≤ 1, u ≥ 0. The value is 1/Σ u, player two's strategy
is u scaled to sum 1, and player one's is the dual solution, read off the slack columns of the
objective row. Entering variable: most negative reduced cost; leaving: the lexicographic ratio
test, under which no basis comes back (Dantzig, Orden & Wolfe 1955).
"""

from collections.abc import Collection
from dataclasses import dataclass

from flint import fmpq

from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.payoff import Matrix

ZERO, ONE = fmpq(0), fmpq(1)


@dataclass
class Tableau:
    """A simplex tableau in canonical form; the methods pivot it in place.

    Attributes:
        rows: shape (m, n + m + 1): structural columns, slack columns, right-hand side.
        objective: length n + m + 1; reduced costs, then the objective value.
        basis: length m, the basic column of each row.
    """

    rows: Matrix
    objective: list[fmpq]
    basis: list[int]

    @classmethod
    def of_game(cls, positive: Matrix) -> "Tableau":
        """Return the initial tableau of a game with positive payoffs, shape (m, n)."""
        m, n = len(positive), len(positive[0])
        rows = [
            [*entries, *(ONE if k == i else ZERO for k in range(m)), ONE]
            for i, entries in enumerate(positive)
        ]
        return cls(rows, [-ONE] * n + [ZERO] * (m + 1), list(range(n, n + m)))

    def entering(self, allowed: Collection[int]) -> int | None:
        """Return the allowed column of most negative reduced cost; None at the optimum."""
        best = min(allowed, key=self.objective.__getitem__, default=None)
        return None if best is None or self.objective[best] >= 0 else best

    def leaving(self, column: int) -> int:
        """Return the row that leaves: smallest ratio, ties broken lexicographically.

        Raises:
            ArithmeticError: if no row bounds the column; never for a game.
        """
        candidates = [i for i, row in enumerate(self.rows) if row[column] > 0]
        if not candidates:
            raise ArithmeticError("the program is unbounded")
        slacks = range(len(self.objective) - 1 - len(self.rows), len(self.objective) - 1)
        for place in (-1, *slacks):
            if len(candidates) == 1:
                break
            ratios = [self.rows[i][place] / self.rows[i][column] for i in candidates]
            least = min(ratios)
            candidates = [i for i, r in zip(candidates, ratios, strict=True) if r == least]
        return candidates[0]

    def pivot(self, leaving: int, column: int) -> None:
        """Bring `column` into the basis in place of the basic column of row `leaving`."""
        source = self.rows[leaving]
        inverse = 1 / source[column]
        source[:] = [entry * inverse if entry else entry for entry in source]
        for row in (*self.rows, self.objective):
            factor = row[column]
            if row is not source and factor:
                row[:] = [a - factor * b if b else a for a, b in zip(row, source, strict=True)]
        self.basis[leaving] = column

    def optimal_basis(self) -> Basis:
        """Return the rows that bind and the columns that are basic, equally many."""
        n = len(self.objective) - 1 - len(self.rows)
        columns = sorted(j for j in self.basis if j < n)
        rows = [i for i in range(len(self.rows)) if n + i not in self.basis]
        return Basis(tuple(rows), tuple(columns))

    def alternative_optimum(self) -> bool:
        """Test whether the optimal program has another solution than the present one.

        Along the optimal face only columns of zero reduced cost move. The present vertex is the
        only solution if and only if their sum cannot be made positive. The tableau is overwritten.
        """
        width = len(self.objective) - 1
        free = [j for j in range(width) if j not in self.basis and self.objective[j] == 0]
        # The face is where all other non-basic columns stay at zero, so they must not enter.
        movable = {*free, *self.basis}
        self.objective = [-ONE if j in free else ZERO for j in range(width)] + [ZERO]
        while (column := self.entering(movable)) is not None:
            self.pivot(self.leaving(column), column)
            if self.objective[-1] > 0:
                return True
        return False


def solve_tableau(payoff: Matrix) -> tuple[fmpq, tuple[fmpq, ...], tuple[fmpq, ...], Tableau]:
    """Return value, row strategy, column strategy and final tableau of an m × n game.

    >>> value, row, column, _ = solve_tableau([[fmpq(3), fmpq(-1)], [fmpq(1), fmpq(2)]])
    >>> value, row, column
    (7/5, (1/5, 4/5), (3/5, 2/5))
    """
    m, n = len(payoff), len(payoff[0])
    shift = 1 - min(min(row) for row in payoff)
    tableau = Tableau.of_game([[entry + shift for entry in row] for row in payoff])
    while (entering := tableau.entering(range(n + m))) is not None:
        tableau.pivot(tableau.leaving(entering), entering)
    scale = 1 / tableau.objective[-1]
    levels = dict(zip(tableau.basis, (row[-1] for row in tableau.rows), strict=True))
    column = tuple(levels.get(j, ZERO) * scale for j in range(n))
    row = tuple(tableau.objective[n + i] * scale for i in range(m))
    return scale - shift, row, column, tableau
