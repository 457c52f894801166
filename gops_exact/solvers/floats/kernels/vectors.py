"""Vectors of eight numbers, one for each of eight games side by side, and the work arrays that hold them.

A *basis* is a choice of equally many rows and columns of a matrix game. It determines a strategy of each player, whose
probabilities are *weights* divided by their sum (:mod:`~gops_exact.solvers.floats.kernels.batch`). A *bid* is a row or
a column of a game.

A kernel loads a vector from a row of an array of shape (rows, :data:`VECTOR`), computes with the vector and
stores it. In Python a vector is an array of NumPy. In compiled code every operation is a vector instruction
(:mod:`~gops_exact.solvers.floats.kernels.vector_code`), and gives the same numbers to the last bit.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.solvers.floats.layer import Floats, Ints

VECTOR = 8
"""The number of floats in a vector. Rows of a tableau, and games side by side, are padded to a multiple of it."""

SMALLEST, LARGEST = 1e-150, 1e150
"""The bounds between which the sum of a player's weights must be, so that the weights count as a strategy. Then one
over the sum neither overflows nor underflows. A sum that is zero, infinite or NaN is not between the bounds."""

UNROLLED = 6
"""The largest size of a basis (its number of rows) for which :func:`factors` and :func:`gain` are compiled without
loops over the basis, once for each size. For larger bases they are compiled with loops, once for all sizes."""


Numbers = NDArray[np.uint32]
"""The type of arrays of indices. They are unsigned, because at each access Numba tests if a signed index is negative,
which takes time."""

BATCH = 512
"""The largest number of games side by side. All their payoffs should fit in a core's second-level cache: one entry of
the payoff matrices takes 4 kB in all games together, so 12 × 12 entries take 0.6 MB."""

VECTORS = BATCH // VECTOR + 1
"""The number of vectors in a line of ``Scratch.payoff``. A line has one entry of the payoff matrices of all games side
by side, and one vector of padding. Without the padding the lines would begin a power of two apart. Then the entries of
one game would compete for the same few lines of the cache."""


def aligned(rows: int, columns: int) -> Floats:
    """Allocate zeros, shape (rows, columns), at an address that is a multiple of 64 bytes, the length of a vector."""
    room = np.zeros(rows * columns + VECTOR)
    first = -room.ctypes.data // room.itemsize % VECTOR
    return room[first : first + rows * columns].reshape(rows, columns)


class Scratch(NamedTuple):
    """Work arrays of the kernels of one thread, for hands of k cards.

    L is the length of a tableau row: k + 1, rounded up to a multiple of VECTOR. "Written by" names the functions that
    change an array; they are in :mod:`~gops_exact.solvers.floats.kernels.batch`,
    :mod:`~gops_exact.solvers.floats.kernels.assemble` and :mod:`~gops_exact.solvers.floats.kernels.single`.
    """

    # The payoffs of the games side by side, in the unit of the values. Line e has entry e of all payoff matrices: a
    # number for each game, and padding at the end. Written by `fill`.
    payoff: Floats  # shape (k², BATCH + VECTOR)
    # The memory of `payoff` as rows of one vector each, VECTORS rows for each entry of the payoff matrices: row
    # e · VECTORS + v has entry e of the eight games of vector v.
    payoffs: Floats  # shape (k² · VECTORS, VECTOR); the memory of `payoff`
    # For each of the games side by side, the index of the column of values that its value is added to. Written by
    # `fill`.
    target: Numbers  # shape (BATCH,)
    # The next four arrays describe the entries of the payoff matrices of one pair of hands, row by row. Of a set of
    # interchangeable bids, only one has entries. Written by `sweep_types`. `sign` has the winner of the round, as an
    # index into the arrays of `Runs`: 0 for player two, 1 for nobody, 2 for player one.
    sign: Ints  # shape (k²,)
    # The *child* of an entry is the pair of hands after the round. `mirrored` is 1 if the layer below stores the child
    # with the players swapped (its mirror image), and 0 if it stores the child itself.
    mirrored: Ints  # shape (k²,)
    # The factor by which a stored value enters the payoff: 1 for a child that is stored itself, −1 for one that is
    # stored as its mirror image, and 0 for equal hands that are not stored, because their value is 0.
    factor: Floats  # shape (k²,)
    # The child's line in the layer below. For equal hands that are not stored it is 0; then line 0 is read, but
    # multiplied by the factor 0.
    child: Ints  # shape (k²,)
    # The next five arrays have a vector of eight games in each row. `table` has, row by row, the triangular factors
    # (LU) of the payoffs of a basis, bordered by player one's weights below and player two's on the right. Written by
    # `factor`.
    table: Floats  # shape ((k + 1)², VECTOR)
    # One over each pivot of `table`. Written by `factor`.
    inverse: Floats  # shape (k + 1, VECTOR)
    # The weights of both players' bids in the basis, a row for each bid, with negative weights set to zero. Written by
    # `factor`.
    row: Floats  # shape (k, VECTOR); player one's weights
    column: Floats  # shape (k, VECTOR); player two's weights
    # For games of m × n bids. Row 0: the sum of `row`. Row 1: the sum of `column`. The next n rows: for each column of
    # the game, player one's gain if it is played against the weights `row`. The m rows after them: for each row of the
    # game, player one's gain if it is played against the weights `column`. The gains are not divided by the sums of the
    # weights. Written by `factor` (the sums), `narrow_intervals` and, for a single game, `change`.
    gains: Floats  # shape (2k + 2, VECTOR)
    # Lower and upper ends of the intervals of the games side by side, in the unit of the values. Written by
    # `pure_intervals`, `narrow_intervals` and `solve_batch`.
    lower: Floats  # shape (VECTORS, VECTOR)
    upper: Floats  # shape (VECTORS, VECTOR)
    low: Floats  # shape (VECTORS · VECTOR,); `lower`, with an entry for each game
    high: Floats  # shape (VECTORS · VECTOR,); `upper`, with an entry for each game
    # Row 0 has the indices of the game's rows in the basis, row 1 those of its columns. Written by `change`, `order`
    # and `solve_batch`; `sweep_types` sets the first basis of a pair of hands.
    basis: Ints  # shape (2, k)
    # For each row and each column of the basis, its distance from the game's first payoff, in rows of `payoffs`. The
    # payoff of a row and a column stands at the sum of their distances. Written by `factor`.
    row_at: Ints  # shape (k,)
    column_at: Ints  # shape (k,)
    # Of the bases tried so far in a vector of games, the one that solved the largest number of games, in the form of
    # `basis`. Written by `solve_batch`.
    best: Ints  # shape (2, k)
    # The direction in which a pivot changes the weights of one player: it subtracts ε · move from them, with the ε that
    # the ratio test finds. Written by `change`.
    move: Floats  # shape (k,)
    # The payoffs of one game in the rows and columns of the basis. Written by `order`, which runs Gaussian
    # elimination in place.
    square: Floats  # shape (k, k)
    # This array and the four after it are for a game that is solved singly. `game` has its payoffs, and zeros beyond
    # its columns. Written by the callers of `solve_game`.
    game: Floats  # shape (k, L)
    # The tableau of the game; the two rows after its last row are scratch. Written by `solve_game` and `pivot`.
    tableau: Floats  # shape (k + 3, L)
    # Row 0: player one's weights. Row 1: player two's weights. Both are written by `read_weights`. Row 2 is scratch of
    # `proved_interval`.
    weights: Floats  # shape (3, L)
    # Row 0: the weights of player one that gave the lower end of the game's interval. Row 1: the weights of
    # player two that gave the upper end. They are not normalised. Written by `solve_game`.
    surest: Floats  # shape (2, L)
    # Row 0: the number of the variable of each row of the tableau. Row 1: the number of the variable of each column.
    # The top of the module `kernels.single` says how variables are numbered. Written by `solve_game` and `pivot`.
    variables: Ints  # shape (2, k)


def scratch(k: int) -> Scratch:
    """Allocate the work arrays for hands of k cards.

    >>> scratch(3).table.shape, scratch(3).target.dtype
    ((16, 8), dtype('uint32'))
    """
    length = (k + VECTOR) // VECTOR * VECTOR
    payoff = aligned(k * k, BATCH + VECTOR)
    lower = aligned(VECTORS, VECTOR)
    upper = aligned(VECTORS, VECTOR)
    return Scratch(
        payoff=payoff,
        payoffs=payoff.reshape(k * k * VECTORS, VECTOR),
        target=np.zeros(BATCH, dtype=np.uint32),
        sign=np.zeros(k * k, dtype=np.int64),
        mirrored=np.zeros(k * k, dtype=np.int64),
        factor=np.zeros(k * k),
        child=np.zeros(k * k, dtype=np.int64),
        table=aligned((k + 1) ** 2, VECTOR),
        inverse=aligned(k + 1, VECTOR),
        row=aligned(k, VECTOR),
        column=aligned(k, VECTOR),
        gains=aligned(2 * k + 2, VECTOR),
        lower=lower,
        upper=upper,
        low=lower.reshape(VECTORS * VECTOR),
        high=upper.reshape(VECTORS * VECTOR),
        basis=np.zeros((2, k), dtype=np.int64),
        row_at=np.zeros(k, dtype=np.int64),
        column_at=np.zeros(k, dtype=np.int64),
        best=np.zeros((2, k), dtype=np.int64),
        move=np.zeros(k),
        square=aligned(k, k),
        game=aligned(k, length),
        tableau=aligned(k + 3, length),
        weights=aligned(3, length),
        surest=aligned(2, length),
        variables=np.zeros((2, k), dtype=np.int64),
    )


def select(mask: Any, yes: Any, no: Any) -> Any:
    """Return a vector with the numbers of `yes` where the mask is true, and those of `no` elsewhere."""
    if isinstance(mask, np.ndarray):
        return np.where(mask, yes, no)
    return mask.select(yes, no)


def smaller(a: Any, b: Any) -> Any:
    """Return the smaller number of each pair; the number of `b` if either is NaN."""
    return select(a < b, a, b)


def larger(a: Any, b: Any) -> Any:
    """Return the larger number of each pair; the number of `b` if either is NaN."""
    return select(a > b, a, b)


def share(gain: Any, total: Any, otherwise: float) -> Any:
    """Divide each gain by the sum of the weights that it was computed with.

    `gain` and `total` are vectors; `total` has the sums of the weights. Weights form a strategy if their sum is between
    :data:`SMALLEST` and :data:`LARGEST`. Where the weights form no strategy, the result is `otherwise`.
    """
    return select((total > SMALLEST) & (total < LARGEST), gain * (1.0 / total), otherwise)


def load(rows: Any, index: int) -> Any:
    """Return a copy of a row of an array as a vector; later writes to the array do not change the vector."""
    row = rows[index]
    return row.copy() if isinstance(row, np.ndarray) else row


def store(rows: Any, index: int, value: Any) -> None:
    """Write a vector to a row of an array; if `value` is a number, write it to all eight entries of the row."""
    rows[index] = value


def wide(widths: Any, tolerance: float) -> int:
    """Return a bit set of the games of a vector whose interval is wider than `tolerance`, or whose width is NaN.

    Bit q stands for game q of the vector. `widths` has the widths of the eight intervals.
    """
    # Unlike `>`, `not <=` is also true of NaN.
    return sum(1 << q for q, width in enumerate(widths) if not width <= tolerance)


def factors(
    payoffs: Any, first: int, scale: Any, rows: Any, columns: Any, table: Any, inverse: Any,
    row: Any, column: Any, sums: Any, size: int,
) -> None:  # fmt: skip
    """Compute the triangular factors (LU) of a basis in eight games at once, and both players' weights.

    A basis is a choice of equally many rows and columns. Let F be the payoffs of a game in the rows and columns of the
    basis, scaled and shifted. Player one's weights are F⁻ᵀ1, player two's F⁻¹1. Each entry of F, and each number
    that is computed, is a vector with a number for each game.

    Args:
        payoffs: shape (·, 8); entry (a, b) of F is scale · payoffs[first + rows[a] + columns[b]] + 2.
        first: the index of the row of `payoffs` that has the payoff of the first pair of bids.
        scale: the factor of the payoffs.
        rows: length `size` or more; for each row of F, the distance from `first` to its payoffs, in rows of `payoffs`.
        columns: length `size` or more; for each column of F, the distance that is added to that of the row.
        table: shape ((size + 1)², 8) or larger, written: the factors of F, row by row, bordered by player one's
            weights below and player two's on the right.
        inverse: shape (size, 8) or larger, written: one over the pivots.
        row: shape (size, 8) or larger, written: player one's weights, negative ones set to zero.
        column: shape (size, 8) or larger, written: player two's weights, negative ones set to zero.
        sums: shape (2, 8) or larger, written: the sums of `row` and of `column`.
        size: the number of rows, and of columns, of F.
    """
    width = size + 1
    # Fill the table with the scaled and shifted payoffs F, ones on its border, and a zero in the corner.
    for a in range(size):
        for b in range(size):
            payoff = load(payoffs, first + rows[a] + columns[b])
            store(table, a * width + b, payoff * scale + 2.0)
        store(table, a * width + size, 1.0)
        store(table, size * width + a, 1.0)
    store(table, size * width + size, 0.0)
    # Elimination takes its pivots from the diagonal, because the largest pivots would be at different entries in the
    # eight games. `row` is scratch here: it holds the pivot row from column a + 1 on, divided by the pivot. The pivot
    # row itself remains undivided in the table.
    for a in range(size):
        store(inverse, a, 1.0 / load(table, a * width + a))
        for b in range(a, size):
            store(row, b, load(inverse, a) * load(table, a * width + b + 1))
        for c in range(a + 1, width):
            times = load(table, c * width + a)
            for b in range(a, size):
                at = c * width + b + 1
                store(table, at, load(table, at) - load(row, b) * times)
    # Back substitution turns the last row of the table into player one's weights, the last column into player two's.
    for back in range(size):
        a = size - 1 - back
        x, y = load(table, size * width + a), load(table, a * width + size)
        for b in range(a + 1, size):
            x = x - load(table, size * width + b) * load(table, b * width + a)
            y = y - load(table, a * width + b) * load(table, b * width + size)
        store(table, size * width + a, load(inverse, a) * x)
        store(table, a * width + size, load(inverse, a) * y)
    # Set negative weights to zero. A weight that is NaN remains NaN and makes the sum NaN, which `share` rejects.
    for a in range(size):
        store(row, a, larger(0.0, load(table, size * width + a)))
        store(column, a, larger(0.0, load(table, a * width + size)))
    x, y = load(row, 0), load(column, 0)
    for a in range(1, size):
        x, y = x + load(row, a), y + load(column, a)
    store(sums, 0, x)
    store(sums, 1, y)


def gain(
    gains: Any, t: int, weights: Any, payoffs: Any, first: int, step: int, at: Any, count: int,
    size: int,
) -> None:  # fmt: skip
    """Compute the gains of `count` bids of one player against the weights of the other, in eight games at once.

    For each o < count: gains[t + o] = Σ_a weights[a] · payoffs[first + o·step + at[a]], the sum over a < size.

    Each row of `gains`, `weights` and `payoffs` is a vector with a number for each game. The weights are those of the
    `size` bids in the basis. `first` is the row of `payoffs` with the payoff of the first pair of bids. The payoffs of
    bid o begin o · step rows further, and at[a] rows after that is the payoff of bid o against bid a of the basis.
    """
    for o in range(count):
        total = load(weights, 0) * load(payoffs, first + o * step + at[0])
        for a in range(1, size):
            total = total + load(weights, a) * load(payoffs, first + o * step + at[a])
        store(gains, t + o, total)
