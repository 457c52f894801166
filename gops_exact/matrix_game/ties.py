"""The test that a proposed basis is optimal, ties included.

A basis is optimal if none of its :func:`~gops_exact.matrix_game.basis.slacks` is negative. Balls
decide the sign of all but the few that are zero or nearly zero; the signs of these are computed
exactly.
"""

from flint import arb, ctx, fmpz

from gops_exact.matrix_game.basis import Basis, candidate_in_balls, slacks
from gops_exact.matrix_game.evaluate import basis_strategies, basis_value
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.numbers.pairs import Pair, to_pair, total

PRECISION = 128
"""Bits of the balls. Slacks that these cannot tell from zero mostly are zero."""


def value_if_optimal(payoff: Payoff, basis: Basis) -> arb | None:
    """Return a ball around the value if `basis` is optimal, its strategies unique or not.

    None if it is not, or singular as far as balls tell.

    >>> from flint import fmpq
    >>> from gops_exact.matrix_game.payoff import RationalPayoff
    >>> third = fmpq(1, 3)
    >>> payoff = RationalPayoff([[third, third], [third, fmpq(0)]])
    >>> [value_if_optimal(payoff, Basis((i,), (0,))) is not None for i in (0, 1)]
    [True, False]
    """
    with ctx.workprec(PRECISION):
        balls = payoff.balls(PRECISION)
        candidate = candidate_in_balls(balls, basis)
        if candidate is None:
            return None
        enclosed: list[arb] = list(slacks(balls, basis, candidate))
        if any(slack < 0 for slack in enclosed):
            return None
        doubtful = [place for place, slack in enumerate(enclosed) if not slack > 0]
    if doubtful:
        exactly = ExactSlacks(payoff, basis)
        if any(exactly.numerator(place) < 0 for place in doubtful):
            return None
    return candidate.value


class ExactSlacks:
    """The slacks of a basis, in the order of :func:`~gops_exact.matrix_game.basis.slacks`.

    Args:
        payoff: shape (m, n).
        basis: of it, not singular.
    """

    def __init__(self, payoff: Payoff, basis: Basis) -> None:
        self._payoff = payoff
        self._value = basis_value(payoff, basis)
        row, column = basis_strategies(payoff, basis)
        self._row = [(i, to_pair(row[i])) for i in basis.rows]
        self._column = [(j, to_pair(column[j])) for j in basis.columns]
        m, n = payoff.shape
        # A saddle point's probabilities are 1, and slacks leave them out.
        weights = [*self._row, *self._column] if len(basis.rows) > 1 else []
        self._weights = [weight for _, weight in weights]
        self._rows = [i for i in range(m) if i not in basis.rows]
        self._columns = [j for j in range(n) if j not in basis.columns]

    def numerator(self, place: int) -> fmpz:
        """Return a slack times a positive number."""
        if place < len(self._weights):
            return self._weights[place][0]
        place -= len(self._weights)
        if place < len(self._rows):
            i = self._rows[place]
            gains = [_product(y, self._payoff.pair(i, j)) for j, y in self._column]
            return -_difference(gains, self._value)
        j = self._columns[place - len(self._rows)]
        gains = [_product(x, self._payoff.pair(i, j)) for i, x in self._row]
        return _difference(gains, self._value)


def _product(a: Pair, b: Pair) -> Pair:
    return a[0] * b[0], a[1] * b[1]


def _difference(gains: list[Pair], value: Pair) -> fmpz:
    """Return the numerator of the sum of gains less the value."""
    return total([*gains, (-value[0], value[1])])[0]
