"""Games side by side, settled: bracketed by strategies until the bracket is narrow.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

Weights w ≥ 0 are not normalised: they stand for the strategy w/Σw. Rounding moves each side of a
bracket by at most γ_{2s+2}·A for s positive weights and payoffs up to A, whatever the order of sums;
docs/method.md, "Floats with a proved radius", has the proof. Underflow adds less than 2⁻¹⁰⁰⁰/Σw, and
:data:`SMALLEST` keeps Σw away from zero. Brackets by single bids are exact.

Games are taken a vector of eight at a time. To win, saddle points are found first. The other games
are solved from the basis of the vector before: for points most games of a vector have the same basis;
to win it changes from one margin to the next, but seldom by more than a pivot. A game that is then
not settled is solved singly. The origin of a basis does not matter, only the bracket counts.

Functions of a vector's way to its values are inlined: an array takes seven arguments, and a call takes
longer than a pivot. Arguments are named as in :mod:`~gops_exact.layers.kernels.simplex`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.layers.kernels import inlined, kernel, part
from gops_exact.layers.kernels.simplex import (
    load,
    load_lanes,
    padded,
    read_basis,
    read_weights,
    solve,
    solve_lanes,
)
from gops_exact.layers.kernels.vectors import VECTOR, add_up, aligned, dot, least, most
from gops_exact.layers.layer import Floats, Ints

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are not taken for a strategy."""


@inlined
def bracket_pure(
    payoffs: Floats, first: int, step: int, m: int, n: int, work: Floats, lower: Floats,
    upper: Floats,
) -> None:  # fmt: skip
    """Bracket a vector of games by their best single bids: exactly, at a saddle point.

    Args:
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


@inlined
def bracket_lanes(
    payoffs: Floats, first: int, step: int, m: int, n: int, row: Floats, column: Floats,
    work: Floats, lower: Floats, upper: Floats,
) -> None:  # fmt: skip
    """Bracket a vector of games by weights for both players; infinitely wide where they are none.

    Args:
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


@part
def bracket_game(game: Floats, m: int, n: int, weights: Floats) -> tuple[float, float]:
    """Bracket one game by weights for both players; return both ends, ∓∞ where they are no strategy.

    `weights` has shape (3, L): player one's, player two's with zeros beyond n, and scratch.
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


Numbers = NDArray[np.uint32]
"""Indices into arrays, unsigned: numba then compiles no test for negative ones."""

LANES = 512
"""Games side by side. Their payoffs should fit a core's second-level cache."""

VECTORS = LANES // VECTOR + 1
"""Vectors from an entry of the games side by side to the next one. Not a power of two: the entries
of one game would then compete for the same few places in the cache."""

ATTEMPTS = 3
"""Attempts at a single game: as it is; with payoffs scaled to it; by Terlaky's rule, which ends."""

FAILED, ROBUST, SOLVED, PIVOTS, TOGETHER = range(5)
"""Counters: games whose bracket stayed wide; games that took a second attempt; games solved singly;
pivots of vectors, beyond those on the basis they began with; vectors that were solved."""


class Scratch(NamedTuple):
    """Arrays that the kernels of one thread work in, for hands of k cards.

    Attributes:
        payoff: shape (k², LANES + VECTOR); the games side by side.
        payoffs: shape (k²·VECTORS, VECTOR); the memory of `payoff`, a vector to a row.
        lane: length LANES; the column that each game's value is part of.
        tableaus: shape ((k + 1)² + 2, VECTOR); of a vector of games.
        row: shape (k, VECTOR); player one's weights.
        column: shape (k, VECTOR); player two's weights.
        work: shape (k + 1, VECTOR).
        lower: shape (1, VECTOR); lower ends of brackets.
        upper: shape (1, VECTOR); upper ends of brackets.
        wanted: length VECTOR; not zero for games that are not settled.
        unsolved: length VECTOR; not zero for games that are not solved.
        together: shape (2, k); the variables of the rows and of the columns of all tableaus.
        basis: shape (2, k); of the vector solved last.
        game: shape (k, L), L the padded length; one game.
        tableau: shape (k + 3, L).
        entries: shape ((k + 3)·L, 1); the memory of `tableau`, a number to a row.
        weights: shape (3, L); player one's and player two's weights in one game, and scratch.
        sides: shape (L, 3); the memory of `weights`, transposed.
        variables: shape (2, k); the variables of the rows and of the columns of the tableau.
    """

    payoff: Floats
    payoffs: Floats
    lane: Numbers
    tableaus: Floats
    row: Floats
    column: Floats
    work: Floats
    lower: Floats
    upper: Floats
    wanted: Ints
    unsolved: Ints
    together: Ints
    basis: Ints
    game: Floats
    tableau: Floats
    entries: Floats
    weights: Floats
    sides: Floats
    variables: Ints


def scratch(k: int) -> Scratch:
    """Allocate scratch for hands of k cards."""
    length = padded(k)
    payoffs = aligned(k * k * VECTORS, VECTOR)
    tableau, weights = np.zeros((k + 3, length)), np.zeros((3, length))
    return Scratch(
        payoff=payoffs.reshape(k * k, VECTORS * VECTOR),
        payoffs=payoffs,
        lane=np.zeros(LANES, dtype=np.uint32),
        tableaus=aligned((k + 1) ** 2 + 2, VECTOR),
        row=aligned(k, VECTOR),
        column=aligned(k, VECTOR),
        work=aligned(k + 1, VECTOR),
        lower=aligned(1, VECTOR),
        upper=aligned(1, VECTOR),
        wanted=np.zeros(VECTOR, dtype=np.int64),
        unsolved=np.zeros(VECTOR, dtype=np.int64),
        together=np.zeros((2, k), dtype=np.int64),
        basis=np.zeros((2, k), dtype=np.int64),
        game=np.zeros((k, length)),
        tableau=tableau,
        entries=tableau.reshape(-1, 1),
        weights=weights,
        sides=weights.T,
        variables=np.zeros((2, k), dtype=np.int64),
    )


@part
def spread(game: Floats, m: int, n: int) -> tuple[float, float]:
    """Return the middle of the least and the greatest payoff, and one over their distance from it."""
    low = high = game[0, 0]
    for i in range(m):
        for j in range(n):
            low = min(low, game[i, j])
            high = max(high, game[i, j])
    return 0.5 * (low + high), 2.0 / max(high - low, SMALLEST)


@kernel
def settle_game(m: int, n: int, tolerance: float, s: Scratch, counts: Ints) -> tuple[float, float]:
    """Return both ends of the bracket of the game in ``s.game``, zeros beyond n.

    The first two rows of ``s.weights`` are both players' weights on return, not normalised. `tolerance` is
    the width at which a bracket is narrow enough; `counts` is added to.
    """
    game, tableau, entries, weights = s.game, s.tableau, s.entries, s.weights
    sides, variables = s.sides, s.variables
    counts[SOLVED] += 1
    largest = 0.0
    for i in range(m):
        for j in range(n):
            largest = max(largest, abs(game[i, j]))
    middle, scale = 0.0, 1.0 / max(largest, SMALLEST)
    low, high = -np.inf, np.inf
    weights[:] = 0.0
    for attempt in range(ATTEMPTS):
        if attempt == 1:
            counts[ROBUST] += 1
            middle, scale = spread(game, m, n)
        load(game, m, n, middle, scale, tableau, variables)
        solve(m, n, attempt == 2, tableau, entries, variables)
        read_weights(entries, 0, tableau.shape[1], m, n, variables, sides, 0, sides, 1)
        lower, upper = bracket_game(game, m, n, weights)
        # An end that is not a number fails the comparisons.
        low = max(low, lower)
        high = min(high, upper)
        if high - low <= tolerance:
            return low, high
    counts[FAILED] += 1
    return low, high


@inlined
def enter(
    lower: Floats, upper: Floats, tolerance: float, wanted: Ints, lane: Numbers, first: int,
    values: Floats, half_widths: Floats,
) -> int:  # fmt: skip
    """Add the values of the settled games of a vector, and return the number of the others."""
    left = 0
    for q in range(VECTOR):
        if wanted[q] != 0:
            width = upper[0, q] - lower[0, q]
            if width <= tolerance:
                values[lane[first + q]] += 0.5 * (lower[0, q] + upper[0, q])
                half_widths[lane[first + q]] += max(0.5 * width, 0.0)
                wanted[q] = 0
            else:
                left += 1
    return left


@part
def settle_lanes(
    m: int,
    n: int,
    lanes: int,
    pure: bool,
    scale: float,
    tolerance: float,
    s: Scratch,
    size: int,
    values: Floats,
    half_widths: Floats,
    counts: Ints,
) -> int:
    """Solve the games side by side in ``s.payoff``, and add their values.

    Args:
        lanes: number of games.
        pure: true to look for saddle points first.
        scale: one over a bound on the payoffs.
        tolerance: width at which a bracket is narrow enough.
        s: scratch; ``s.lane`` holds the column of each game, ``s.basis`` a basis to begin with.
        size: the size of that basis.
        values: length W + 1; middles of brackets are added.
        half_widths: length W + 1; halves of widths are added.
        counts: added to.

    Returns:
        The size of the basis left in ``s.basis``.
    """
    # Unpacked once: taking an array out of a tuple counts references, which is slower than a pivot.
    payoffs, lane, tableaus, row, column = s.payoffs, s.lane, s.tableaus, s.row, s.column
    work, lower, upper, wanted = s.work, s.lower, s.upper, s.wanted
    unsolved = s.unsolved
    together, basis, game = s.together, s.basis, s.game
    for first in range(0, lanes, VECTOR):
        vector = first // VECTOR
        for q in range(VECTOR):
            wanted[q] = first + q < lanes
        if pure:
            bracket_pure(payoffs, vector, VECTORS, m, n, work, lower, upper)
            if enter(lower, upper, tolerance, wanted, lane, first, values, half_widths) == 0:
                continue
        for q in range(VECTOR):
            unsolved[q] = wanted[q]
        load_lanes(payoffs, vector, VECTORS, m, n, scale, tableaus, together)
        counts[TOGETHER] += 1
        counts[PIVOTS] += solve_lanes(m, n, basis, size, unsolved, tableaus, together, row, column)
        size = read_basis(m, n, together, basis)
        bracket_lanes(payoffs, vector, VECTORS, m, n, row, column, work, lower, upper)
        if enter(lower, upper, tolerance, wanted, lane, first, values, half_widths) == 0:
            continue
        for q in range(VECTOR):
            if wanted[q] != 0:
                for i in range(m):
                    for j in range(n):
                        game[i, j] = payoffs[(i * n + j) * VECTORS + vector, q]
                low, high = settle_game(m, n, tolerance, s, counts)
                values[lane[first + q]] += 0.5 * (low + high)
                half_widths[lane[first + q]] += max(0.5 * (high - low), 0.0)
    return size
