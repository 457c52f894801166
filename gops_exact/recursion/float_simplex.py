"""A basis for one small matrix game, by a saddle point or the simplex method.

A basis found here is a guess like any other: its strategies are judged by what they prove
(:mod:`~gops_exact.recursion.float_bracket`), so nothing rests on a tolerance.

This and its neighbours are compiled by numba when first called and cached on disk;
``kernel.py_func`` is the same code in plain Python.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PIVOT_TOLERANCE = 1e-11
"""Smaller pivots are noise: payoffs are scaled to [1, 2] first."""

COST_TOLERANCE = 1e-12
"""Reduced costs nearer to zero than this count as zero."""


@njit(cache=True, nogil=True, error_model="numpy")
def pivot(tableau: Floats, m: int, n: int, leaving: int, entering: int) -> None:
    """Exchange the variables of a row and a column; tableau of shape (m + 1, n + 1), in place."""
    inverse = 1.0 / tableau[leaving, entering]
    for j in range(n + 1):
        tableau[leaving, j] *= inverse
    tableau[leaving, entering] = inverse
    for i in range(m + 1):
        if i != leaving:
            factor = tableau[i, entering]
            tableau[i, entering] = 0.0
            for j in range(n + 1):
                tableau[i, j] -= factor * tableau[leaving, j]


@njit(cache=True, nogil=True, error_model="numpy")
def simplex(
    payoff: Floats, m: int, n: int, bland: bool, tableau: Floats, in_row: Ints, in_column: Ints
) -> bool:
    """Maximise Σz subject to X'z ≤ 1, z ≥ 0, for X' the payoffs scaled to [1, 2].

    Slack columns are kept implicit: a pivot swaps the variable of a row with that of a column.
    Variables 0 … n − 1 are player two's weights, n … n + m − 1 player one's (the slacks).

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        bland: choose pivots by Bland's rule (1977), which never cycles but for rounding, rather
            than by the largest reduced cost, which is faster.
        tableau: shape (m + 1, n + 1) or larger; overwritten.
        in_row: length m or longer; the variable of each row on return.
        in_column: length n or longer; the variable of each column on return.

    Returns:
        Whether it ended, within a bounded number of pivots.
    """
    low = high = payoff[0, 0]
    for i in range(m):
        for j in range(n):
            low = min(low, payoff[i, j])
            high = max(high, payoff[i, j])
    scale = 1.0 / (high - low) if high > low else 1.0
    for i in range(m):
        for j in range(n):
            tableau[i, j] = (payoff[i, j] - low) * scale + 1.0
        tableau[i, n] = 1.0
        in_row[i] = n + i
    for j in range(n):
        tableau[m, j] = -1.0
        in_column[j] = j
    tableau[m, n] = 0.0
    for _ in range(20 * (m + n)):
        entering = -1
        lowest = -COST_TOLERANCE
        for j in range(n):
            if tableau[m, j] < lowest and not (
                bland and entering >= 0 and in_column[entering] < in_column[j]
            ):
                entering = j
                if not bland:
                    lowest = tableau[m, j]
        if entering < 0:
            return True
        leaving = -1
        least = np.inf
        for i in range(m):
            if tableau[i, entering] > PIVOT_TOLERANCE:
                ratio = tableau[i, n] / tableau[i, entering]
                if ratio < least or (
                    bland and ratio == least and leaving >= 0 and in_row[i] < in_row[leaving]
                ):
                    least = ratio
                    leaving = i
        if leaving < 0:
            return False
        pivot(tableau, m, n, leaving, entering)
        variable = in_row[leaving]
        in_row[leaving] = in_column[entering]
        in_column[entering] = variable
    return False


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


@njit(cache=True, nogil=True, error_model="numpy")
def propose(
    payoff: Floats,
    m: int,
    n: int,
    bland: bool,
    tableau: Floats,
    in_row: Ints,
    in_column: Ints,
    basis: Ints,
) -> int:
    """The basis of a saddle point, or else the one where the simplex ends.

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        bland: choose pivots by Bland's rule, and look for no saddle point.
        tableau: scratch, as for :func:`simplex`.
        in_row: scratch.
        in_column: scratch.
        basis: shape (2, min(m, n)) or larger; its rows and its columns on return.

    Returns:
        Its size; 0 if the simplex did not end.
    """
    # The second time it is the simplex that is asked for, and its tableau.
    place = -1 if bland else saddle(payoff, m, n)
    if place >= 0:
        basis[0, 0], basis[1, 0] = place // n, place % n
        return 1
    if not simplex(payoff, m, n, bland, tableau, in_row, in_column):
        return 0
    rows = columns = 0
    for j in range(n):
        if in_column[j] >= n:
            basis[0, rows] = in_column[j] - n
            rows += 1
    for i in range(m):
        if in_row[i] < n:
            basis[1, columns] = in_row[i]
            columns += 1
    return rows


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

