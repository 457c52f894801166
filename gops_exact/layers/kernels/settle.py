"""Games side by side, settled: bracketed by strategies until the bracket is narrow.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

Weights w ≥ 0 are not normalised: they stand for the strategy w/Σw. Rounding moves each side of a
bracket by at most γ_{2s+2}·A for s positive weights and payoffs up to A, whatever the order of sums;
docs/method.md, "Floats with a proved radius", has the proof. Underflow adds less than 2⁻¹⁰⁰⁰/Σw, and
:data:`SMALLEST` keeps Σw away from zero. Brackets by single bids are exact.

Games are taken a vector of eight at a time. To win, saddle points are found first. The other games
are solved from the basis that settled most of the vector before: most games of a vector have the same basis,
or one a few pivots away; to win, games of equal margins stand side by side. From there the basis is
changed for one game after another, and every basis is tried in all: each narrows the brackets. A game
that is then not settled is solved singly. The origin of a basis does not matter, only the bracket counts.

Functions of a vector's way to its values are inlined: an array takes seven arguments, and a call takes
longer than a pivot. Arguments are named as in :mod:`~gops_exact.layers.kernels.simplex`.
"""

from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gops_exact.layers.kernels import inlined, kernel, part
from gops_exact.layers.kernels.lanes import bracket_lanes, change, factor
from gops_exact.layers.kernels.simplex import padded, read_weights, set_up, solve
from gops_exact.layers.kernels.vectors import (
    LARGEST,
    SMALLEST,
    VECTOR,
    aligned,
    larger,
    load,
    smaller,
    spread,
    store,
    wide,
)
from gops_exact.layers.layer import Floats, Ints


@inlined
def bracket_pure(
    payoffs: Floats, first: int, step: int, m: int, n: int, lower: Floats, upper: Floats,
) -> None:  # fmt: skip
    """Bracket a vector of games by their best single bids: exactly, at a saddle point.

    Args:
        lower: row `first` becomes max_i min_j X_ij.
        upper: row `first` becomes min_j max_i X_ij.
    """
    low, high = spread(-np.inf), spread(np.inf)
    for i in range(m):
        least = spread(np.inf)
        for j in range(n):
            least = smaller(load(payoffs, first + (i * n + j) * step), least)
        low = larger(least, low)
    for j in range(n):
        most = spread(-np.inf)
        for i in range(m):
            most = larger(load(payoffs, first + (i * n + j) * step), most)
        high = smaller(most, high)
    store(lower, first, low)
    store(upper, first, high)


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
changes of a vector's basis, beyond the one it began with; vectors that were solved."""


class Scratch(NamedTuple):
    """Arrays that the kernels of one thread work in, for hands of k cards.

    Each is declared with its type and shape, and with the array whose memory it shares if it does.
    """

    payoff: Annotated[Floats, lambda k: (k * k, LANES + VECTOR)]
    """The games side by side."""
    payoffs: Annotated[Floats, lambda k: (k * k * VECTORS, VECTOR), "payoff"]
    """The memory of `payoff`, a vector to a row."""
    lane: Annotated[Numbers, (LANES,)]
    """The column that each game's value is part of."""
    table: Annotated[Floats, lambda k: ((k + 1) ** 2, VECTOR)]
    """The factors of a basis, and its weights."""
    inverse: Annotated[Floats, lambda k: (k + 1, VECTOR)]
    """One over its pivots, and scratch."""
    row: Annotated[Floats, lambda k: (k, VECTOR)]
    """Player one's weights, none negative."""
    column: Annotated[Floats, lambda k: (k, VECTOR)]
    """Player two's weights."""
    gains: Annotated[Floats, lambda k: (2 * k + 4, VECTOR)]
    """Gains of single bids against them."""
    lower: Annotated[Floats, (VECTORS, VECTOR)]
    """Lower ends of the brackets of the games side by side."""
    upper: Annotated[Floats, (VECTORS, VECTOR)]
    """Upper ends."""
    low: Annotated[Floats, (VECTORS * VECTOR,), "lower"]
    """The memory of `lower`."""
    high: Annotated[Floats, (VECTORS * VECTOR,), "upper"]
    """The memory of `upper`."""
    basis: Annotated[Ints, lambda k: (2, k)]
    """Rows and columns."""
    row_at: Annotated[Ints, lambda k: (k,)]
    """Where the rows of the basis are in `payoffs`."""
    column_at: Annotated[Ints, lambda k: (k,)]
    """Where its columns are."""
    best: Annotated[Ints, lambda k: (2, k)]
    """The basis that settled most games of a vector so far."""
    move: Annotated[Floats, lambda k: (k,)]
    """Scratch."""
    square: Annotated[Floats, lambda k: (k, k)]
    """Scratch."""
    game: Annotated[Floats, lambda k: (k, padded(k))]
    """One game, zeros beyond its columns."""
    tableau: Annotated[Floats, lambda k: (k + 3, padded(k))]
    """Its tableau; the last two rows are scratch."""
    weights: Annotated[Floats, lambda k: (3, padded(k))]
    """Player one's and player two's weights in the game, and scratch."""
    surest: Annotated[Floats, lambda k: (2, padded(k))]
    """The weights that gave both ends of the bracket of one game."""
    variables: Annotated[Ints, lambda k: (2, k)]
    """The variables of the rows and of the columns of the tableau."""


def scratch(k: int) -> Scratch:
    """Allocate scratch for hands of k cards.

    >>> scratch(3).table.shape, scratch(3).lane.dtype
    ((16, 8), dtype('uint32'))
    """
    arrays: dict[str, NDArray[Any]] = {}
    for name, declared in get_type_hints(Scratch, include_extras=True).items():
        kind, declared_shape, *memory = get_args(declared)
        shape = declared_shape(k) if callable(declared_shape) else declared_shape
        if memory:
            arrays[name] = arrays[memory[0]].reshape(shape)
        elif kind == Floats and len(shape) == 2:
            arrays[name] = aligned(*shape)
        else:
            (dtype,) = get_args(get_args(kind)[1])
            arrays[name] = np.zeros(shape, dtype)
    return Scratch(**arrays)


@part
def extent(game: Floats, m: int, n: int) -> tuple[float, float]:
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

    Payoffs have to be finite. ``s.surest`` holds the weights of both players that gave the ends on return,
    not normalised. `tolerance` is the width at which a bracket is narrow enough; `counts` is added to.
    """
    game, tableau, weights = s.game, s.tableau, s.weights
    surest, variables = s.surest, s.variables
    counts[SOLVED] += 1
    largest = 0.0
    for i in range(m):
        for j in range(n):
            largest = max(largest, abs(game[i, j]))
    middle, scale = 0.0, 1.0 / max(largest, SMALLEST)
    low, high = -np.inf, np.inf
    weights[:] = 0.0
    surest[:] = 0.0
    for attempt in range(ATTEMPTS):
        if attempt == 1:
            counts[ROBUST] += 1
            middle, scale = extent(game, m, n)
        set_up(game, m, n, middle, scale, tableau, variables)
        solve(m, n, attempt == 2, tableau, variables)
        read_weights(tableau, m, n, variables, weights)
        lower, upper = bracket_game(game, m, n, weights)
        # An end that is not a number fails the comparisons.
        if lower > low:
            low = lower
            for i in range(m):
                surest[0, i] = weights[0, i]
        if upper < high:
            high = upper
            for j in range(n):
                surest[1, j] = weights[1, j]
        if high - low <= tolerance:
            return low, high
    counts[FAILED] += 1
    return low, high


@inlined
def number_of(bits: int) -> int:
    """Count bits."""
    number = 0
    while bits != 0:
        bits &= bits - 1
        number += 1
    return number


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
    payoffs, lane, table, inverse = s.payoffs, s.lane, s.table, s.inverse
    row, column, gains = s.row, s.column, s.gains
    lower, upper, basis, row_at, column_at = s.lower, s.upper, s.basis, s.row_at, s.column_at
    move, square, game = s.move, s.square, s.game
    low, high, best = s.low, s.high, s.best
    for v in range((lanes + VECTOR - 1) // VECTOR):
        if pure:
            bracket_pure(payoffs, v, VECTORS, m, n, lower, upper)
        else:
            store(lower, v, -np.inf)
            store(upper, v, np.inf)
        # Bits of lanes: all that hold games, and those that are to be tried.
        games = (1 << min(lanes - v * VECTOR, VECTOR)) - 1
        left = wide(load(upper, v) - load(lower, v), tolerance) & games
        if left == 0:
            continue
        tried, at, pivots, most, best_size = games, 0, 0, -1, 0
        counts[TOGETHER] += 1
        while True:
            factor(
                payoffs, v, VECTORS, n, scale, basis, size, table, inverse, row, column, gains, row_at,
                column_at,
            )  # fmt: skip
            bracket_lanes(
                payoffs, v, VECTORS, m, n, size, row_at, column_at, row, column, gains, lower,
                upper,
            )  # fmt: skip
            before, left = left, wide(load(upper, v) - load(lower, v), tolerance) & tried
            settled = number_of(before ^ left)
            if settled > most:
                most, best_size = settled, size
                for a in range(size):
                    best[0, a], best[1, a] = basis[0, a], basis[1, a]
            changed = 0
            while left != 0 and changed == 0:
                while (left >> at) & 1 == 0:
                    at += 1
                    pivots = 0
                if pivots < 4 * (m + n):
                    changed = change(
                        payoffs, v, VECTORS, m, n, scale, basis, size, at, table, inverse,
                        row_at, column_at, gains, move, square,
                    )  # fmt: skip
                if changed == 0:
                    tried ^= 1 << at
                    left ^= 1 << at
            if changed == 0:
                break
            size = changed
            pivots += 1
            counts[PIVOTS] += 1
        size = best_size
        for a in range(size):
            basis[0, a], basis[1, a] = best[0, a], best[1, a]
        left = wide(load(upper, v) - load(lower, v), tolerance) & games
        for q in range(VECTOR):
            if (left >> q) & 1 != 0:
                for i in range(m):
                    for j in range(n):
                        game[i, j] = payoffs[(i * n + j) * VECTORS + v, q]
                lower[v, q], upper[v, q] = settle_game(m, n, tolerance, s, counts)
    for q in range(lanes):
        values[lane[q]] += 0.5 * (low[q] + high[q])
        half_widths[lane[q]] += max(0.5 * (high[q] - low[q]), 0.0)
    return size
