"""Games bracketed by the strategies of a basis.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

A bracket is the true one up to rounding. Let A bound the entries in size and s be the size of the
basis; u = 2⁻⁵³ and γ_n = nu/(1 − nu). Weights w ≥ 0, as they are computed, define the strategy w/σ,
σ = Σw, which is what the bracket is about; how they came about does not matter. The computed
Σ w_i X_ij is off by at most γ_s·A·σ and its factor 1/σ by a relative γ_{s+1}, so each side of the
bracket is off by at most γ_{2s+2}·A, in whatever order sums are taken (Higham 2002, §3.1).
Underflow adds less than 2⁻¹⁰⁰⁰/σ, and :data:`SMALLEST` keeps σ away from zero.
"""

import numpy as np
from numba import njit

from gops_exact.recursion.float_simplex import Floats, Ints
from gops_exact.recursion.float_weights import combine, weigh_any, weigh_few

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are no strategy."""

WEIGHT_TOLERANCE = 1e-9
"""How negative a weight may be, by rounding; it is then set to zero."""


@njit(cache=True, nogil=True, error_model="numpy")
def bracket_lanes(
    payoff: Floats,
    m: int,
    n: int,
    lanes: int,
    basis: Ints,
    size: int,
    work: Floats,
    places: Ints,
    row: Floats,
    column: Floats,
    lower: Floats,
    upper: Floats,
) -> None:
    """Bracket every lane by the strategies of one basis; infinitely wide where there are none.

    Args:
        payoff: shape (m·n, lanes) or larger; entry (i, j) of every lane at i·n + j.
        m: rows.
        n: columns.
        lanes: how many; fast at multiples of sixteen.
        basis: shape (2, size) or larger; its rows and its columns.
        size: of the basis.
        work: scratch, shape (max(size², 3), lanes) or larger.
        places: scratch, length size² or longer.
        row: shape (size, lanes) or larger; player one's weights on return, not normalised.
        column: the same for player two.
        lower: length lanes or longer; min_j (xᵀX)_j on return.
        upper: length lanes or longer; max_i (Xy)_i on return.
    """
    for a in range(size):
        for b in range(size):
            places[a * size + b] = basis[0, a] * n + basis[1, b]
    if size > 4:
        weigh_any(payoff, places, size, lanes, work, row, column)
    else:
        weigh_few(payoff, places, size, lanes, row)
        for a in range(size):
            for b in range(size):
                places[b * size + a] = basis[0, a] * n + basis[1, b]
        # Player two is player one of the transposed game; what makes bids indifferent is the same.
        weigh_few(payoff, places, size, lanes, column)
    gain, of_row, of_column = work[0], work[1], work[2]
    for j in range(n):
        for a in range(size):
            places[a] = basis[0, a] * n + j
        if j == 0:
            combine(row, payoff, places, size, lanes, lower)
        else:
            combine(row, payoff, places, size, lanes, gain)
            for q in range(lanes):
                lower[q] = min(lower[q], gain[q])
    for i in range(m):
        for a in range(size):
            places[a] = i * n + basis[1, a]
        if i == 0:
            combine(column, payoff, places, size, lanes, upper)
        else:
            combine(column, payoff, places, size, lanes, gain)
            for q in range(lanes):
                upper[q] = max(upper[q], gain[q])
    for q in range(lanes):
        of_row[q] = row[0, q]
        of_column[q] = column[0, q]
    for a in range(1, size):
        for q in range(lanes):
            of_row[q] += row[a, q]
        for q in range(lanes):
            of_column[q] += column[a, q]
    # What is not a number fails the comparisons, too.
    for q in range(lanes):
        gain[q] = lower[q] * (1.0 / of_row[q])
        gain[q] = gain[q] if of_row[q] > SMALLEST else -np.inf
        lower[q] = gain[q] if of_row[q] < LARGEST else -np.inf
    for q in range(lanes):
        gain[q] = upper[q] * (1.0 / of_column[q])
        gain[q] = gain[q] if of_column[q] > SMALLEST else np.inf
        upper[q] = gain[q] if of_column[q] < LARGEST else np.inf


@njit(cache=True, nogil=True, error_model="numpy")
def bracket_game(
    payoff: Floats,
    m: int,
    n: int,
    basis: Ints,
    size: int,
    work: Floats,
    row: Floats,
    column: Floats,
) -> tuple[float, float]:
    """:func:`bracket_lanes` for one game, given up at the first weight that is negative.

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        basis: shape (2, size) or larger.
        size: of the basis.
        work: scratch, shape (size, size) or larger.
        row: scratch, length size or longer.
        column: scratch, length size or longer.

    Returns:
        Both ends of the bracket; (−∞, ∞) where the guess is wrong.
    """
    for a in range(size):
        for b in range(size):
            work[a, b] = payoff[basis[0, a], basis[1, b]]
    base = work[0, 0]
    for a in range(1, size):
        column[a] = base - work[a, 0]
        row[a] = base - work[0, a]
    for a in range(1, size):
        for b in range(1, size):
            work[a, b] += column[a] + row[b] - base
    for t in range(1, size):
        work[t, t] = 1.0 / work[t, t]
        for a in range(t + 1, size):
            factor = work[a, t] * work[t, t]
            work[a, t] = factor
            for b in range(t + 1, size):
                work[a, b] -= factor * work[t, b]
    for a in range(1, size):
        of_row, of_column = row[a], column[a]
        for b in range(1, a):
            of_column -= work[a, b] * column[b]
            of_row -= work[b, a] * row[b]
        column[a] = of_column
        row[a] = of_row * work[a, a]
    row[0] = column[0] = 1.0
    for a in range(size - 1, -1, -1):
        of_row, of_column = row[a], column[a]
        if a > 0:
            for b in range(a + 1, size):
                of_column -= work[a, b] * column[b]
                of_row -= work[b, a] * row[b]
            of_column *= work[a, a]
            column[a] = of_column
            row[a] = of_row
            row[0] -= of_row
            column[0] -= of_column
        if not (of_row > -WEIGHT_TOLERANCE and of_column > -WEIGHT_TOLERANCE):
            return -np.inf, np.inf
    total_row = total_column = 0.0
    for a in range(size):
        row[a] = max(row[a], 0.0)
        column[a] = max(column[a], 0.0)
        total_row += row[a]
        total_column += column[a]
    if not (SMALLEST < total_row < LARGEST and SMALLEST < total_column < LARGEST):
        return -np.inf, np.inf
    lower, upper = np.inf, -np.inf
    for j in range(n):
        gain = 0.0
        for a in range(size):
            gain += row[a] * payoff[basis[0, a], j]
        lower = min(lower, gain)
    for i in range(m):
        gain = 0.0
        for a in range(size):
            gain += column[a] * payoff[i, basis[1, a]]
        upper = max(upper, gain)
    return lower * (1.0 / total_row), upper * (1.0 / total_column)


@njit(cache=True, nogil=True, error_model="numpy")
def bracket_tableau(
    payoff: Floats,
    m: int,
    n: int,
    tableau: Floats,
    in_row: Ints,
    in_column: Ints,
    row: Floats,
    column: Floats,
) -> tuple[float, float]:
    """Bracket one game by the weights in the tableau a simplex stopped at, wherever that was.

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        tableau: as :func:`simplex` left it.
        in_row: likewise.
        in_column: likewise.
        row: scratch, length m or longer.
        column: scratch, length n or longer.

    Returns:
        Both ends of the bracket, always finite: without weights all bids are as likely.
    """
    for i in range(m):
        row[i] = 0.0
    for j in range(n):
        column[j] = 0.0
    total_row = total_column = 0.0
    for j in range(n):
        if in_column[j] >= n:
            row[in_column[j] - n] = max(tableau[m, j], 0.0)
            total_row += row[in_column[j] - n]
    for i in range(m):
        if in_row[i] < n:
            column[in_row[i]] = max(tableau[i, n], 0.0)
            total_column += column[in_row[i]]
    if not SMALLEST < total_row < LARGEST:
        total_row = float(m)
        for i in range(m):
            row[i] = 1.0
    if not SMALLEST < total_column < LARGEST:
        total_column = float(n)
        for j in range(n):
            column[j] = 1.0
    lower, upper = np.inf, -np.inf
    for j in range(n):
        gain = 0.0
        for i in range(m):
            gain += row[i] * payoff[i, j]
        lower = min(lower, gain)
    for i in range(m):
        gain = 0.0
        for j in range(n):
            gain += column[j] * payoff[i, j]
        upper = max(upper, gain)
    return lower / total_row, upper / total_column
