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

from gops_exact.recursion.compiled import njit
from gops_exact.recursion.float_vectors import VECTOR, Floats, add_up, dot, least, most

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are no strategy."""


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def bracket_pure(
    payoffs: Floats, first: int, step: int, m: int, n: int, work: Floats, lower: Floats,
    upper: Floats,
) -> None:  # fmt: skip
    """Bracket a vector of games by their best single bids: exactly, at a saddle point.

    Args:
        payoffs: vectors of payoffs.
        first: where the first payoff is; they follow one another row by row.
        step: from one payoff to the next.
        m: rows.
        n: columns.
        work: scratch, shape (max(m, n), VECTOR) or larger.
        lower: shape (1, VECTOR); max_i min_j X_ij on return.
        upper: shape (1, VECTOR); min_j max_i X_ij on return.
    """
    line = n * step
    for i in range(m):
        least(work, i, payoffs, first + i * line, step, n)
    most(lower, 0, work, 0, 1, m)
    for j in range(n):
        most(work, j, payoffs, first + j * step, line, m)
    least(upper, 0, work, 0, 1, n)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def bracket_lanes(
    payoffs: Floats, first: int, step: int, m: int, n: int, row: Floats, column: Floats,
    work: Floats, lower: Floats, upper: Floats,
) -> None:  # fmt: skip
    """Bracket a vector of games by weights for both players; infinitely wide where they are none.

    Args:
        payoffs: as for :func:`bracket_pure`, and the next four.
        first: likewise.
        step: likewise.
        m: likewise.
        n: likewise.
        row: shape (m, VECTOR) or larger; player one's weights, not normalised.
        column: shape (n, VECTOR) or larger; player two's.
        work: scratch, shape (max(m, n) + 1, VECTOR) or larger.
        lower: shape (1, VECTOR); min_j (xᵀX)_j on return.
        upper: shape (1, VECTOR); max_i (Xy)_i on return.
    """
    line = n * step
    for j in range(n):
        dot(work, j, row, 0, payoffs, first + j * step, line, m)
    least(lower, 0, work, 0, 1, n)
    add_up(work, n, row, 0, m)
    for q in range(VECTOR):
        weight = work[n, q]
        # What is not a number fails the comparisons, too.
        lower[0, q] = lower[0, q] * (1.0 / weight) if SMALLEST < weight < LARGEST else -np.inf
    for i in range(m):
        dot(work, i, column, 0, payoffs, first + i * line, step, n)
    most(upper, 0, work, 0, 1, m)
    add_up(work, m, column, 0, n)
    for q in range(VECTOR):
        weight = work[m, q]
        upper[0, q] = upper[0, q] * (1.0 / weight) if SMALLEST < weight < LARGEST else np.inf


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
