"""Games bracketed by strategies, one at a time or side by side.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

Weights w ≥ 0 are not normalised: they stand for the strategy w/Σw. Rounding moves each side of a
bracket by at most γ_{2s+2}·A for s positive weights and payoffs up to A, whatever the order of sums;
docs/method.md, "Floats with a proved radius", has the proof. Underflow adds less than 2⁻¹⁰⁰⁰/Σw, and
:data:`SMALLEST` keeps Σw away from zero. Brackets by single bids are exact.
"""

import numpy as np

from gops_exact.layers.kernels.compiled import njit
from gops_exact.layers.kernels.vectors import VECTOR, Floats, add_up, dot, least, most

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are not taken for a strategy."""


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
        payoffs: vectors of payoffs.
        first: where the first payoff is; they follow one another row by row.
        step: from one payoff to the next.
        m: rows.
        n: columns.
        row: shape (m, VECTOR) or larger; player one's weights.
        column: shape (n, VECTOR) or larger; player two's weights.
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
        # A weight that is not a number fails the comparisons too.
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
        weights: shape (3, L); player one's weights, player two's with zeros beyond n, and scratch.

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
