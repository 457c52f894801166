"""Games side by side, settled: bracketed until the bracket is narrow.

Where winning is played for, a saddle point is found in all games at once. One game is then solved
from the basis of the one before (:mod:`~gops_exact.recursion.float_simplex`), and its basis tried
on all the others. Where that settles many, as it does for points, the next one follows; where it
does not, the rest are solved one by one: most often the basis of a neighbour will do.

Nothing rests on where a basis comes from: what counts is what its strategies prove
(:mod:`~gops_exact.recursion.float_bracket`). What the kernels call in their inner loops is
written into them (`inline`): an array takes seven arguments, and calling takes longer than a pivot.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gops_exact.recursion.float_bracket import (
    SMALLEST,
    bracket_game,
    bracket_lanes,
    bracket_pure,
)
from gops_exact.recursion.float_simplex import (
    VECTOR,
    Floats,
    Ints,
    load,
    order_pivots,
    padded,
    read_basis,
    read_weights,
    solve,
)

Numbers = NDArray[np.uint32]
"""Places in arrays; without a sign there is no counting from the end to allow for."""

LANES = 512
"""Games side by side. Their payoffs should fit a core's second-level cache."""

PITCH = LANES + 8
"""From an entry of the games side by side to the next one. Not a power of two: the entries of one
game would then compete for the same few places in the cache."""

SHARE = 8
"""A basis is tried on all games side by side as long as one in so many of those tried is settled."""

ATTEMPTS = 3
"""From the basis of the game before; from none, payoffs scaled to the game; by a rule that ends."""

FAILED, ROBUST, SOLVED, PIVOTS, TESTED = range(5)
"""Counters: games whose bracket stayed wide; that took a second attempt; that were solved on their
own; pivots that took, beyond those on the basis it began with; games a basis was tried on."""


class Scratch(NamedTuple):
    """What the kernels of one thread work in, for hands of k cards; see :func:`scratch`.

    Attributes:
        payoff: shape (k², PITCH); the games side by side.
        work: shape (k² + 3, PITCH).
        row: shape (k, PITCH); player one's weights.
        column: shape (k, PITCH); player two's.
        lower: length PITCH.
        upper: length PITCH.
        lane: length PITCH; the column that each game's value is part of.
        kept: length PITCH; games left over.
        places: length k².
        game: shape (k, L), L the padded length; one game.
        tableau: shape (k + 3, L).
        weights: shape (3, L); player one's and player two's weights in one game, and room to work.
        variables: shape (2, k); the variables of the rows and of the columns of the tableau.
        basis: shape (2, k); of the game settled last.
    """

    payoff: Floats
    work: Floats
    row: Floats
    column: Floats
    lower: Floats
    upper: Floats
    lane: Numbers
    kept: Numbers
    places: Ints
    game: Floats
    tableau: Floats
    weights: Floats
    variables: Ints
    basis: Ints


def scratch(k: int) -> Scratch:
    """Room to work in for hands of k cards."""
    length = padded(k)
    return Scratch(
        payoff=np.zeros((k * k, PITCH)),
        work=np.zeros((k * k + 3, PITCH)),
        row=np.zeros((k, PITCH)),
        column=np.zeros((k, PITCH)),
        lower=np.zeros(PITCH),
        upper=np.zeros(PITCH),
        lane=np.zeros(PITCH, dtype=np.uint32),
        kept=np.zeros(PITCH, dtype=np.uint32),
        places=np.zeros(k * k, dtype=np.int64),
        game=np.zeros((k, length)),
        tableau=np.zeros((k + 3, length)),
        weights=np.zeros((3, length)),
        variables=np.zeros((2, k), dtype=np.int64),
        basis=np.zeros((2, k), dtype=np.int64),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def spread(game: Floats, m: int, n: int) -> tuple[float, float]:
    """The middle between the least and the greatest payoff, and one over their distance from it."""
    low = high = game[0, 0]
    for i in range(m):
        for j in range(n):
            low = min(low, game[i, j])
            high = max(high, game[i, j])
    return 0.5 * (low + high), 2.0 / max(high - low, SMALLEST)


@njit(cache=True, nogil=True, error_model="numpy", inline="always")
def settle_one(
    m: int, n: int, low: float, high: float, scale: float, tolerance: float,
    game: Floats, tableau: Floats, weights: Floats, variables: Ints, basis: Ints, size: int,
    counts: Ints,
) -> tuple[float, float, int]:  # fmt: skip
    """Narrow the bracket of one game.

    Args:
        m: rows.
        n: columns.
        low: what is known of the value: its lower bound.
        high: its upper bound.
        scale: one over a bound on the payoffs.
        tolerance: width at which a bracket will do.
        game: the payoffs, and zeros beyond n; this and the next four as in :class:`Scratch`.
        tableau: scratch.
        weights: scratch.
        variables: scratch.
        basis: where to begin, and on return the basis that was found.
        size: of the basis.
        counts: added to.

    Returns:
        Both ends of the bracket, and the size of the basis.
    """
    counts[SOLVED] += 1
    for attempt in range(ATTEMPTS):
        middle = 0.0
        if attempt > 0:
            size = 0
            middle, scale = spread(game, m, n)
        load(game, m, n, middle, scale, tableau, variables)
        pivots = solve(m, n, basis, size, attempt == 2, tableau, variables)
        read_weights(tableau, m, n, variables, weights)
        lower, upper = bracket_game(game, m, n, weights)
        # What is not a number fails the comparisons.
        low = max(low, lower)
        high = min(high, upper)
        if high - low <= tolerance:
            if pivots != 0:
                size = read_basis(m, n, variables, basis)
                counts[PIVOTS] += max(pivots, 0)
            if attempt > 0:
                counts[ROBUST] += 1
            return low, high, size
    counts[ROBUST] += 1
    counts[FAILED] += 1
    return low, high, 0


@njit(cache=True, nogil=True, error_model="numpy")
def settle_game(m: int, n: int, tolerance: float, s: Scratch, counts: Ints) -> tuple[float, float]:
    """Both ends of the bracket of the game in ``s.game``, zeros beyond n.

    Args:
        m: rows.
        n: columns.
        tolerance: width at which a bracket will do.
        s: scratch; the first two rows of ``s.weights`` are both players' weights on return, not
            normalised.
        counts: added to.
    """
    largest = 0.0
    for i in range(m):
        for j in range(n):
            largest = max(largest, abs(s.game[i, j]))
    low, high, _ = settle_one(
        m, n, -np.inf, np.inf, 1.0 / max(largest, SMALLEST), tolerance,
        s.game, s.tableau, s.weights, s.variables, s.basis, 0, counts,
    )  # fmt: skip
    return low, high


@njit(cache=True, nogil=True, error_model="numpy")
def collect(
    entries: int, lanes: int, tolerance: float, s: Scratch, values: Floats, half_widths: Floats
) -> int:
    """Add what the settled games are worth, and move the others together.

    Games move by whole vectors: one that is settled stays while its neighbours are not, with the
    last column for its own, which is nobody's.

    Returns:
        How many lanes are left.
    """
    nobody = np.uint32(len(values) - 1)
    vectors = 0
    for first in range(0, lanes, VECTOR):
        still_open = 0
        for q in range(first, first + VECTOR):
            width = s.upper[q] - s.lower[q]
            settled = width <= tolerance
            column = s.lane[q] if settled else nobody
            values[column] += 0.5 * (s.lower[q] + s.upper[q])
            half_widths[column] += max(0.5 * width, 0.0)
            s.lane[q] = nobody if settled else s.lane[q]
            still_open += s.lane[q] != nobody
        s.kept[vectors] = first
        vectors += still_open > 0
    for v in range(vectors):
        for q in range(VECTOR):
            s.lane[v * VECTOR + q] = s.lane[s.kept[v] + q]
    for e in range(entries):
        row = s.payoff[e]
        for v in range(vectors):
            source, target = row[s.kept[v] : s.kept[v] + VECTOR], row[v * VECTOR :]
            for q in range(VECTOR):
                target[q] = source[q]
    return vectors * VECTOR


@njit(cache=True, nogil=True, error_model="numpy")
def settle_lanes(
    m: int,
    n: int,
    lanes: int,
    pure: bool,
    scale: float,
    tolerance: float,
    s: Scratch,
    state: Ints,
    values: Floats,
    half_widths: Floats,
    counts: Ints,
) -> None:
    """Solve the games side by side in ``s.payoff``, and add what they are worth.

    Args:
        m: rows.
        n: columns.
        lanes: games.
        pure: whether to look for saddle points first.
        scale: one over a bound on the payoffs.
        tolerance: width at which a bracket will do.
        s: scratch; ``s.lane`` says whose value each game is part of.
        state: length 3; the size of the basis in ``s.basis`` to begin with, how many games of this
            pair of hands a basis was tried on, and how many of them it settled; updated.
        values: a number a column, and one more; middles of brackets are added.
        half_widths: likewise; halves of widths are added.
        counts: added to.
    """
    # Taken out of the tuple once: that counts references, which takes longer than a pivot.
    payoff, lane, lower, upper = s.payoff, s.lane, s.lower, s.upper
    game, tableau, weights, variables, basis = s.game, s.tableau, s.weights, s.variables, s.basis
    nobody = len(values) - 1
    while lanes % VECTOR:
        lane[lanes] = nobody
        lanes += 1
    lower[:lanes] = -np.inf
    upper[:lanes] = np.inf
    if pure:
        bracket_pure(payoff, m, n, lanes, s.work[0], lower, upper)
        lanes = collect(m * n, lanes, tolerance, s, values, half_widths)
    at, size, new = 0, state[0], True
    while at < lanes:
        together = state[2] * SHARE >= state[1]
        # Those in the middle are the most alike to the others.
        chosen = lanes // 2 if together else at
        while together and lane[chosen] == nobody:
            chosen = (chosen + 1) % lanes
        at += not together
        if lane[chosen] == nobody:
            continue
        for i in range(m):
            for j in range(n):
                game[i, j] = payoff[i * n + j, chosen]
        pivots = counts[PIVOTS]
        low, high, size = settle_one(
            m, n, -np.inf, np.inf, scale, tolerance,
            game, tableau, weights, variables, basis, size, counts,
        )  # fmt: skip
        values[lane[chosen]] += 0.5 * (low + high)
        half_widths[lane[chosen]] += max(0.5 * (high - low), 0.0)
        lane[chosen] = nobody
        if together:
            new = new or counts[PIVOTS] > pivots
            if new and size > 0:
                order_pivots(game, m, n, size, tableau, basis)
                bracket_lanes(
                    payoff, m, n, lanes, basis, size,
                    s.work, s.places, s.row, s.column, lower, upper,
                )  # fmt: skip
                counts[TESTED] += lanes
            else:
                lower[:lanes] = -np.inf
                upper[:lanes] = np.inf
            left = collect(m * n, lanes, tolerance, s, values, half_widths)
            if new and size > 0:
                state[1] += lanes
                state[2] += lanes - left
            lanes, new = left, False
    state[0] = size
