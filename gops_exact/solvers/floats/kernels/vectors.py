"""Vectors of eight numbers, one for each of eight games side by side.

A kernel loads a vector from a row of an array of shape (rows, :data:`VECTOR`), computes with the vector and
stores it. In Python a vector is an array of NumPy. In compiled code every operation is a vector instruction
(:mod:`~gops_exact.solvers.floats.kernels.vector_code`), and gives the same numbers to the last bit.
"""

from typing import Any

import numpy as np

from gops_exact.solvers.floats.layer import Floats

VECTOR = 8
"""The number of floats in a vector. Rows of a tableau, and games side by side, are padded to a multiple of it."""

SMALLEST, LARGEST = 1e-150, 1e150
"""The bounds between which the sum of a player's weights must be, so that the weights count as a strategy. Then one
over the sum neither overflows nor underflows. A sum that is zero, infinite or NaN is not between the bounds."""

UNROLLED = 6
"""The largest size of a basis (its number of rows) for which :func:`factors` and :func:`gain` are compiled without
loops over the basis, once for each size. For larger bases they are compiled with loops, once for all sizes."""


def aligned(rows: int, columns: int) -> Floats:
    """Allocate zeros, shape (rows, columns), at an address that is a multiple of 64 bytes, the length of a vector."""
    room = np.zeros(rows * columns + VECTOR)
    first = -room.ctypes.data // room.itemsize % VECTOR
    return room[first : first + rows * columns].reshape(rows, columns)


def select(mask: Any, yes: Any, no: Any) -> Any:
    """Return the numbers of `yes` where the mask is true, of `no` elsewhere."""
    if isinstance(mask, np.ndarray):
        return np.where(mask, yes, no)
    return mask.select(yes, no)


def smaller(a: Any, b: Any) -> Any:
    """Return the smaller number in each lane; the number of `b` if either is NaN."""
    return select(a < b, a, b)


def larger(a: Any, b: Any) -> Any:
    """Return the larger number in each lane; the number of `b` if either is NaN."""
    return select(a > b, a, b)


def share(gain: Any, total: Any, otherwise: float) -> Any:
    """Divide gains by `total`, the sums of the weights; return `otherwise` in lanes where the weights form no strategy.

    Weights form a strategy if their sum is between :data:`SMALLEST` and :data:`LARGEST`.
    """
    return select((total > SMALLEST) & (total < LARGEST), gain * (1.0 / total), otherwise)


def spread(number: float) -> Any:
    """Return a vector with `number` in each of its eight lanes."""
    return np.full(VECTOR, number)


def load(rows: Any, index: int) -> Any:
    """Return a copy of a row of an array as a vector; later writes to the array do not change the vector."""
    row = rows[index]
    return row.copy() if isinstance(row, np.ndarray) else row


def store(rows: Any, index: int, value: Any) -> None:
    """Write a vector to a row of an array; if `value` is a number, write it to all eight entries of the row."""
    rows[index] = value


def wide(widths: Any, tolerance: float) -> int:
    """Return a bit set of the games of a vector whose bracket is wider than `tolerance`, or whose width is NaN.

    Bit q stands for lane q, the game with the number q in the vector. `widths` has the widths of the eight brackets.
    """
    # Unlike `>`, `not <=` is also true of NaN.
    return sum(1 << q for q, width in enumerate(widths) if not width <= tolerance)


def factors(
    payoffs: Any, first: int, scale: Any, rows: Any, columns: Any, table: Any, inverse: Any,
    row: Any, column: Any, sums: Any, size: int,
) -> None:  # fmt: skip
    """Compute the triangular factors (LU) of a basis in eight games at once, and both players' weights.

    Let F be the payoffs of a game in the rows and columns of the basis, scaled and shifted. Player one's weights are
    F⁻ᵀ1, player two's F⁻¹1. Each entry of F, and each number that is computed, is a vector with a number for each game.

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
    # eight lanes. `row` is scratch here: it holds the pivot row from column a + 1 on, divided by the pivot. The pivot
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

    The weights are those of the `size` bids in the basis. `first` is the row of `payoffs` with the payoff of the first
    pair of bids. The payoffs of bid o begin o · step rows further, and at[a] rows after that is the payoff of bid o
    against bid a of the basis.
    """
    for o in range(count):
        total = load(weights, 0) * load(payoffs, first + o * step + at[0])
        for a in range(1, size):
            total = total + load(weights, a) * load(payoffs, first + o * step + at[a])
        store(gains, t + o, total)
