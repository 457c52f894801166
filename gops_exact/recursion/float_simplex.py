"""One matrix game at a time: its optimal basis, from the basis of a game much like it.

The payoffs, brought into [1, 3], are the tableau of max Σz subject to Xz ≤ 1, z ≥ 0, whose solution
is player two's strategy divided by the value, and whose dual is player one's (Dantzig 1951). Slack
columns are kept implicit: a pivot swaps the variable of a row with that of a column. Variables
0 … n − 1 are player two's weights, n … n + m − 1 player one's (the slacks).

Any basis will do to begin with. Where it is not optimal, rows and columns that are infeasible are
pivoted away, the worst one first. Nothing rests on where that ends, or on a tolerance: what counts
is the bracket that the strategies prove (:mod:`~gops_exact.recursion.float_bracket`).
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

VECTOR = 8
"""So many numbers are worked on at once: rows of a tableau, and games side by side, are padded to a
multiple of it, so that no vector is left half empty."""

TOLERANCE = 1e-11
"""Costs and weights above −this count as nonnegative, and entries of this size are no pivots."""

SMALL_PIVOT = 1e-7
"""A pivot of the first basis below this is not made."""

OPTIMAL, STUCK = -1, -2
"""Instead of a pivot's row."""


def padded(k: int) -> int:
    """The length of a row of the tableau of a game of k columns."""
    return (k + VECTOR) // VECTOR * VECTOR


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def load(
    game: Floats, m: int, n: int, middle: float, scale: float, tableau: Floats, variables: Ints
) -> None:
    """The tableau of a game, without a basis.

    Args:
        game: shape (m, L) or larger, for L the padded length; the payoffs, and zeros beyond n.
        m: rows.
        n: columns.
        middle: what becomes 2.
        scale: one over a bound on the payoffs' distance from there.
        tableau: shape (m + 3, L) or larger; the last two rows are room to work in.
        variables: shape (2, max(m, n)) or larger; those of the rows and of the columns on return.
    """
    length = tableau.shape[1]
    for i in range(m):
        for j in range(length):
            tableau[i, j] = (game[i, j] - middle) * scale + 2.0
        tableau[i, n] = 1.0
        variables[0, i] = n + i
    for j in range(length):
        tableau[m, j] = -1.0
    tableau[m, n] = 0.0
    for j in range(n):
        variables[1, j] = j


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def pivot(tableau: Floats, m: int, leaving: int, entering: int, variables: Ints) -> None:
    """Swap the variables of a row and a column.

    Every row loses a multiple of the pivot row. So that the pivot row and column need no branch,
    its own multiple is such that a share of it is left, and its entry in the column such that
    nothing of the column is left but what belongs there.
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


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def choose(tableau: Floats, m: int, n: int) -> tuple[int, int]:
    """The next pivot: of the worst infeasible row or column, by the usual test of ratios.

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
    least = np.inf
    if leaving >= 0:
        entering = -1
        for j in range(n):
            ratio = tableau[m, j] / -tableau[leaving, j]
            if tableau[m, j] >= -TOLERANCE and -tableau[leaving, j] > TOLERANCE and ratio < least:
                least, entering = ratio, j
        if entering < 0:
            # No column whose cost is right would keep them right: one whose cost is wrong, too.
            for j in range(n):
                ratio = tableau[m, j] / -tableau[leaving, j]
                if tableau[m, j] < -TOLERANCE and tableau[leaving, j] > TOLERANCE and ratio < least:
                    least, entering = ratio, j
        return (leaving, entering) if entering >= 0 else (STUCK, 0)
    if entering >= 0:
        for i in range(m):
            ratio = tableau[i, n] / tableau[i, entering]
            if tableau[i, n] >= -TOLERANCE and tableau[i, entering] > TOLERANCE and ratio < least:
                least, leaving = ratio, i
        if leaving < 0:
            for i in range(m):
                ratio = tableau[i, n] / tableau[i, entering]
                if (
                    tableau[i, n] < -TOLERANCE
                    and tableau[i, entering] < -TOLERANCE
                    and ratio < least
                ):
                    least, leaving = ratio, i
        return (leaving, entering) if leaving >= 0 else (STUCK, 0)
    return OPTIMAL, 0


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def choose_bland(tableau: Floats, m: int, n: int, variables: Ints) -> tuple[int, int]:
    """The next pivot by the least-index criss-cross rule (Terlaky 1985).

    It ends from any basis, but for rounding, though slowly.

    Returns:
        As :func:`choose`.
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


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def solve(
    m: int, n: int, basis: Ints, size: int, bland: bool, tableau: Floats, variables: Ints
) -> int:
    """Pivot on a basis, and from there until nothing is infeasible.

    Args:
        m: rows.
        n: columns.
        basis: shape (2, size) or larger; rows and columns, a pivot each.
        size: of the basis.
        bland: choose further pivots by :func:`choose_bland` rather than :func:`choose`.
        tableau: as :func:`load` leaves it.
        variables: likewise.

    Returns:
        How many pivots it took beyond the basis; −1 if it did not end.
    """
    for a in range(size):
        if abs(tableau[basis[0, a], basis[1, a]]) > SMALL_PIVOT:
            pivot(tableau, m, basis[0, a], basis[1, a], variables)
    for pivots in range((20 if bland else 4) * (m + n)):
        if bland:
            leaving, entering = choose_bland(tableau, m, n, variables)
        else:
            leaving, entering = choose(tableau, m, n)
        if leaving < 0:
            return pivots if leaving == OPTIMAL else -1
        pivot(tableau, m, leaving, entering, variables)
    return -1


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def read_basis(m: int, n: int, variables: Ints, basis: Ints) -> int:
    """The basis of a tableau, and its size."""
    rows = columns = 0
    for j in range(n):
        if variables[1, j] >= n:
            basis[0, rows] = variables[1, j] - n
            rows += 1
    for i in range(m):
        if variables[0, i] < n:
            basis[1, columns] = variables[0, i]
            columns += 1
    return rows


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def read_weights(tableau: Floats, m: int, n: int, variables: Ints, weights: Floats) -> None:
    """Both players' weights, not normalised; negative ones are set to zero.

    Args:
        tableau: as :func:`solve` leaves it.
        m: rows.
        n: columns.
        variables: likewise.
        weights: shape (2, L) or larger; player one's in the first row on return, zeros beyond m,
            player two's in the second, zeros beyond n.
    """
    one, two = weights[0], weights[1]
    for j in range(len(one)):
        one[j] = two[j] = 0.0
    for j in range(n):
        if variables[1, j] >= n:
            one[variables[1, j] - n] = max(tableau[m, j], 0.0)
    for i in range(m):
        if variables[0, i] < n:
            two[variables[0, i]] = max(tableau[i, n], 0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def order_pivots(payoff: Floats, m: int, n: int, size: int, work: Floats, basis: Ints) -> None:
    """Arrange a basis so that eliminating it in order pivots on the largest entry each time."""
    most = 0.0
    for i in range(m):
        for j in range(n):
            most = max(most, abs(payoff[i, j]))
    for a in range(size):
        for b in range(size):
            work[a, b] = payoff[basis[0, a], basis[1, b]] + (2.0 * most + 1.0)
    for t in range(size):
        best, row, column = -1.0, t, t
        for a in range(t, size):
            for b in range(t, size):
                if abs(work[a, b]) > best:
                    best, row, column = abs(work[a, b]), a, b
        for b in range(size):
            work[t, b], work[row, b] = work[row, b], work[t, b]
        for a in range(size):
            work[a, t], work[a, column] = work[a, column], work[a, t]
        basis[0, t], basis[0, row] = basis[0, row], basis[0, t]
        basis[1, t], basis[1, column] = basis[1, column], basis[1, t]
        for a in range(t + 1, size):
            factor = work[a, t] / work[t, t]
            for b in range(t + 1, size):
                work[a, b] -= factor * work[t, b]


@njit(cache=True, nogil=True, error_model="numpy")
def saddle(payoff: Floats, m: int, n: int) -> int:
    """The place i·n + j of an entry smallest in its row and largest in its column, or −1."""
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
