"""Games side by side, settled: bracketed until the bracket is narrow.

Games are taken a vector of eight at a time. To win, saddle points are found first. The other games
are solved from the basis of the vector before (:mod:`~gops_exact.layers.kernels.simplex`): for points
most games of a vector have the same basis; to win it changes from one margin to the next, but seldom
by more than a pivot. A game that is then not settled is solved singly.

The result does not depend on the origin of a basis: only the bracket that its strategies prove
counts (:mod:`~gops_exact.layers.kernels.bracket`). Functions that inner loops call are inlined: an
array takes seven arguments, and a call takes longer than a pivot.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.layers.kernels.bracket import SMALLEST, bracket_game, bracket_lanes, bracket_pure
from gops_exact.layers.kernels.compiled import njit
from gops_exact.layers.kernels.simplex import (
    Ints,
    load,
    load_lanes,
    padded,
    read_basis,
    read_weights,
    solve,
    solve_lanes,
)
from gops_exact.layers.kernels.vectors import VECTOR, Floats, aligned

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


@njit(cache=True, nogil=True, error_model="numpy")
def spread(game: Floats, m: int, n: int) -> tuple[float, float]:
    """Return the middle of the least and the greatest payoff, and one over their distance from it."""
    low = high = game[0, 0]
    for i in range(m):
        for j in range(n):
            low = min(low, game[i, j])
            high = max(high, game[i, j])
    return 0.5 * (low + high), 2.0 / max(high - low, SMALLEST)


@njit(cache=True, nogil=True, error_model="numpy")
def settle_game(m: int, n: int, tolerance: float, s: Scratch, counts: Ints) -> tuple[float, float]:
    """Return both ends of the bracket of the game in ``s.game``, zeros beyond n.

    Args:
        m: rows.
        n: columns.
        tolerance: width at which a bracket is narrow enough.
        s: scratch; the first two rows of ``s.weights`` are both players' weights on return, not
            normalised.
        counts: added to.
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


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
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


@njit(cache=True, nogil=True, error_model="numpy")
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
        m: rows.
        n: columns.
        lanes: number of games.
        pure: true to look for saddle points first.
        scale: one over a bound on the payoffs.
        tolerance: width at which a bracket is narrow enough.
        s: scratch; ``s.lane`` holds the column of each game.
        size: the size of the basis in ``s.basis`` to begin with.
        values: length W + 1; middles of brackets are added.
        half_widths: length W + 1; halves of widths are added.
        counts: added to.

    Returns:
        The size of the basis in ``s.basis``.
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
