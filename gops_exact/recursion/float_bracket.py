"""Games bracketed by strategies, one at a time or side by side.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

A bracket is the true one up to rounding. Let A bound the entries in size and s be the number of
positive weights; u = 2⁻⁵³ and γ_n = nu/(1 − nu). Weights w ≥ 0, as they are computed, define the
strategy w/σ, σ = Σw, which is what the bracket is about; how they came about does not matter. The
computed Σ w_i X_ij is off by at most γ_s·A·σ and its factor 1/σ by a relative γ_{s+1}, so each side
of the bracket is off by at most γ_{2s+2}·A, in whatever order sums are taken (Higham 2002, §3.1).
Underflow adds less than 2⁻¹⁰⁰⁰/σ, and :data:`SMALLEST` keeps σ away from zero. Brackets by single
bids are exact.
"""

import numpy as np
from numba import njit

from gops_exact.recursion.float_simplex import Floats, Ints
from gops_exact.recursion.float_weights import combine, weigh_any, weigh_few

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are no strategy."""


@njit(cache=True, nogil=True, error_model="numpy")
def bracket_pure(
    payoff: Floats, m: int, n: int, lanes: int, work: Floats, lower: Floats, upper: Floats
) -> None:
    """Bracket games side by side by their best single bids: exactly, at a saddle point.

    Args:
        payoff: shape (m·n, lanes) or larger; entry (i, j) of every game at i·n + j.
        m: rows.
        n: columns.
        lanes: games.
        work: scratch, length lanes or longer.
        lower: length lanes or longer; max_i min_j X_ij on return.
        upper: length lanes or longer; min_j max_i X_ij on return.
    """
    for i in range(m):
        worst = lower if i == 0 else work
        for q in range(lanes):
            worst[q] = payoff[i * n, q]
        for j in range(1, n):
            for q in range(lanes):
                worst[q] = min(worst[q], payoff[i * n + j, q])
        if i > 0:
            for q in range(lanes):
                lower[q] = max(lower[q], worst[q])
    for j in range(n):
        best = upper if j == 0 else work
        for q in range(lanes):
            best[q] = payoff[j, q]
        for i in range(1, m):
            for q in range(lanes):
                best[q] = max(best[q], payoff[i * n + j, q])
        if j > 0:
            for q in range(lanes):
                upper[q] = min(upper[q], best[q])


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


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def bracket_game(game: Floats, m: int, n: int, weights: Floats) -> tuple[float, float]:
    """Bracket one game by weights for both players.

    Args:
        game: shape (m, L) or larger; the payoffs, and zeros beyond n.
        m: rows.
        n: columns, at most L.
        weights: shape (3, L); player one's, player two's, zeros beyond n, and room to work.

    Returns:
        Both ends; −∞ or ∞ where weights are no strategy.
    """
    one, two, work = weights[0], weights[1], weights[2]
    length = len(work)
    total = 0.0
    for j in range(length):
        work[j] = 0.0
    for i in range(m):
        weight, row = one[i], game[i]
        total += weight
        if weight > 0.0:
            for j in range(length):
                work[j] += weight * row[j]
    lower = work[0]
    for j in range(1, n):
        lower = min(lower, work[j])
    lower = lower * (1.0 / total) if SMALLEST < total < LARGEST else -np.inf
    total, upper = 0.0, -np.inf
    for j in range(length):
        total += two[j]
    for i in range(m):
        gain, row = 0.0, game[i]
        for j in range(length):
            gain += two[j] * row[j]
        upper = max(upper, gain)
    upper = upper * (1.0 / total) if SMALLEST < total < LARGEST else np.inf
    return lower, upper
