"""A matrix game by the simplex.

The payoffs, brought into [1, 3], are the tableau of max Σz subject to Xz ≤ 1, z ≥ 0, whose solution
is player two's strategy divided by the value, and whose dual is player one's (Dantzig 1951). Slack
columns are kept implicit: a pivot swaps the variable of a row with that of a column. Variables
0 … n − 1 are player two's weights, n … n + m − 1 player one's (the slacks).

Pivots are made from no basis on. Infeasible rows and columns are pivoted away, the worst one first.
Similar games are solved together in :mod:`~gops_exact.layers.kernels.lanes`.

The proved error depends neither on the basis reached nor on a tolerance, only on the bracket that the
strategies prove (:mod:`~gops_exact.layers.kernels.settle`).

Arguments of one name are the same in all kernels here; L is the padded length of a row:

    m, n       rows and columns of a game
    game       shape (m, L) or larger; payoffs of one game, and zeros beyond n
    tableau    shape (m + 3, L) or larger; of one game, the last two rows scratch
    variables  shape (2, max(m, n)) or larger, written; those of the rows and of the columns
"""

import numpy as np

from gops_exact.layers.kernels import part
from gops_exact.layers.kernels.vectors import VECTOR
from gops_exact.layers.layer import Floats, Ints

TOLERANCE = 1e-11
"""Costs and weights above −this count as nonnegative, and entries of this size are no pivots."""

OPTIMAL, STUCK = -1, -2
"""Results of choosing a pivot, in place of its row."""


def padded(k: int) -> int:
    """Return the length of a row of the tableau of a game of k columns."""
    return (k + VECTOR) // VECTOR * VECTOR


@part
def set_up(
    game: Floats, m: int, n: int, middle: float, factor: float, tableau: Floats, variables: Ints
) -> None:
    """Set up the tableau of a game, without a basis.

    Args:
        middle: the payoff that becomes 2.
        factor: one over a bound on the payoffs' distance from there.
    """
    length = tableau.shape[1]
    for i in range(m):
        for j in range(length):
            tableau[i, j] = (game[i, j] - middle) * factor + 2.0
        tableau[i, n] = 1.0
    for j in range(length):
        tableau[m, j] = -1.0
    tableau[m, n] = 0.0
    for i in range(m):
        variables[0, i] = n + i
    for j in range(n):
        variables[1, j] = j


@part
def pivot(tableau: Floats, m: int, leaving: int, entering: int, variables: Ints) -> None:
    """Swap the variables of a row and a column.

    Every row loses a multiple of the pivot row divided by the pivot p. To need no branch, the pivot
    row loses p − 1 times that row, which leaves the row divided by p; and the entry in the pivot
    column is set to 1 + 1/p, which leaves −f/p in a row of factor f, and 1/p in the pivot row.
    """
    length = tableau.shape[1]
    scaled, factors = m + 1, m + 2
    for i in range(m + 1):
        tableau[factors, i] = tableau[i, entering]
    pivotal = tableau[leaving, entering]
    inverse = 1.0 / pivotal
    tableau[factors, leaving] = pivotal - 1.0
    for j in range(length):
        tableau[scaled, j] = tableau[leaving, j] * inverse
    tableau[scaled, entering] = 1.0 + inverse
    for i in range(m + 1):
        factor = tableau[factors, i]
        for j in range(length):
            tableau[i, j] -= factor * tableau[scaled, j]
    variables[0, leaving], variables[1, entering] = variables[1, entering], variables[0, leaving]


@part
def least_ratio(above: Floats, below: Floats, count: int, sign: float, right: bool) -> int:
    """Find where above / (sign · below) is least; −1 if nowhere.

    Args:
        above: length `count` or longer.
        below: length `count` or longer.
        count: how many are looked at.
        sign: 1 or −1.
        right: both are to be positive if true, negative if not.
    """
    found, best = -1, np.inf
    for c in range(count):
        top, bottom = above[c], sign * below[c]
        ratio = top / bottom
        if right:
            fits = top >= -TOLERANCE and bottom > TOLERANCE
        else:
            fits = top < -TOLERANCE and bottom < -TOLERANCE
        if fits and ratio < best:
            best, found = ratio, c
    return found


@part
def choose(tableau: Floats, m: int, n: int) -> tuple[int, int]:
    """Choose the next pivot: in the worst infeasible row or column, by the usual ratio test.

    Returns:
        Its row and column; (OPTIMAL, 0) if nothing is infeasible, (STUCK, 0) where none is found.
    """
    worst, leaving, entering = -TOLERANCE, -1, -1
    for j in range(n):
        if tableau[m, j] < worst:
            worst, entering = tableau[m, j], j
    for i in range(m):
        if tableau[i, n] < worst:
            worst, leaving = tableau[i, n], i
    if leaving >= 0:
        costs, row = tableau[m], tableau[leaving]
        entering = least_ratio(costs, row, n, -1.0, True)
        if entering < 0:
            # No column of nonnegative cost qualifies: take one whose cost is negative too.
            entering = least_ratio(costs, row, n, -1.0, False)
        return (leaving, entering) if entering >= 0 else (STUCK, 0)
    if entering >= 0:
        weights, column = tableau[:, n], tableau[:, entering]
        leaving = least_ratio(weights, column, m, 1.0, True)
        if leaving < 0:
            leaving = least_ratio(weights, column, m, 1.0, False)
        return (leaving, entering) if leaving >= 0 else (STUCK, 0)
    return OPTIMAL, 0


@part
def choose_bland(tableau: Floats, m: int, n: int, variables: Ints) -> tuple[int, int]:
    """Choose as :func:`choose` does, by the least-index criss-cross rule (Terlaky 1985).

    Without rounding the rule ends from any basis, though slowly.
    """
    first, leaving, entering = m + n, -1, -1
    for j in range(n):
        if tableau[m, j] < -TOLERANCE and variables[1, j] < first:
            first, entering = variables[1, j], j
    for i in range(m):
        if tableau[i, n] < -TOLERANCE and variables[0, i] < first:
            first, leaving = variables[0, i], i
    if first == m + n:
        return OPTIMAL, 0
    first = m + n
    if leaving >= 0:
        entering = -1
        for j in range(n):
            if tableau[leaving, j] < -TOLERANCE and variables[1, j] < first:
                first, entering = variables[1, j], j
    else:
        for i in range(m):
            if tableau[i, entering] > TOLERANCE and variables[0, i] < first:
                first, leaving = variables[0, i], i
    return (leaving, entering) if first < m + n else (STUCK, 0)


@part
def solve(m: int, n: int, bland: bool, tableau: Floats, variables: Ints) -> bool:
    """Pivot a loaded tableau until nothing is infeasible; return true at an optimal basis.

    Pivots are chosen by :func:`choose_bland` if `bland`, else by :func:`choose`.
    """
    for _ in range((20 if bland else 4) * (m + n)):
        if bland:
            leaving, entering = choose_bland(tableau, m, n, variables)
        else:
            leaving, entering = choose(tableau, m, n)
        if leaving < 0:
            return leaving == OPTIMAL
        pivot(tableau, m, leaving, entering, variables)
    return False


@part
def read_weights(tableau: Floats, m: int, n: int, variables: Ints, weights: Floats) -> None:
    """Read both players' weights, not normalised; negative ones are set to zero.

    Args:
        weights: shape (2, max(m, n)) or larger, written; player one's and player two's.
    """
    for j in range(n):
        variable = variables[1, j]
        if variable >= n:
            weights[0, variable - n] = max(tableau[m, j], 0.0)
        else:
            weights[1, variable] = 0.0
    for i in range(m):
        variable = variables[0, i]
        if variable < n:
            weights[1, variable] = max(tableau[i, n], 0.0)
        else:
            weights[0, variable - n] = 0.0


@part
def saddle(payoff: Floats, m: int, n: int) -> int:
    """Return the place i·n + j of an entry smallest in its row and largest in its column, or −1."""
    lower = upper = 0.0
    row = column = 0
    for i in range(m):
        least = payoff[i, 0]
        for j in range(1, n):
            least = min(least, payoff[i, j])
        if i == 0 or least > lower:
            lower, row = least, i
    for j in range(n):
        most = payoff[0, j]
        for i in range(1, m):
            most = max(most, payoff[i, j])
        if j == 0 or most < upper:
            upper, column = most, j
    return row * n + column if lower == upper else -1
