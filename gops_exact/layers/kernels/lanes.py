"""A vector of matrix games, solved together from basis to basis.

A basis is s rows and s columns, the bids of both players. With payoffs brought into [1, 3], X, and F
the part of X that a basis holds, the weights of its bids are y = F⁻¹1 and x = F⁻ᵀ1. It is optimal
where no weight is negative, no row gains more than 1 against y, and no column less than 1 against x
(Dantzig 1951). F is factored anew for each basis, in all lanes at once: that takes s³/3 operations,
a pivot of a whole tableau (m + 1)(n + 1), so what can be read off a tableau is computed where needed.

A basis is changed by a pivot of the simplex chosen for one lane, and tried in all: where games are
similar, a basis that is optimal in one of them is optimal, or nearly, in the others. Where neither
player's weights are feasible, the worst of both is pivoted away.

The table of a basis, F bordered by ones below and on the right, is eliminated without a division of
rows: F = L·D⁻¹·U where D, the pivots, is the diagonal of both L and U. The weights are left in the border.

Players are numbered 0, of rows, and 1, of columns. Arguments of one name are the same in all kernels here:

    m, n         rows and columns of a game
    payoffs      vectors of payoffs of games side by side, row by row: the first one in row `first`,
                 and `step` rows from one to the next
    unit         shape (1, VECTOR); one over a bound on the payoffs
    basis, size  shape (2, size) or larger; rows and columns, each in the order of the factors
    table        shape ((size + 1)², VECTOR) or larger; the factors and both players' weights
    inverse      shape (size + 1, VECTOR) or larger; one over the pivots, and scratch
    row_at       length `size` or more; rows of `payoffs` from `first` to each row of the basis
    column_at    length `size` or more; rows of `payoffs` to each column of the basis
    gains        shape (n + m + 4, VECTOR) or larger; the sums of both players' weights; the columns' gains
                 against x and the least of them; the rows' against y and the greatest of them. Gains
                 are multiplied by the sums
"""

import numpy as np

from gops_exact.layers.kernels import inlined, part
from gops_exact.layers.kernels.simplex import TOLERANCE
from gops_exact.layers.kernels.vectors import (
    UNROLLED,
    factors,
    gain,
    larger,
    load,
    share,
    smaller,
    store,
)
from gops_exact.layers.layer import Floats, Ints

factors_in_loops, gain_in_loops = inlined(factors), inlined(gain)


@part
def order(
    payoffs: Floats, first: int, step: int, n: int, scale: float, basis: Ints, size: int,
    lane: int, square: Floats,
) -> bool:  # fmt: skip
    """Put the rows of a basis in the order of the largest pivots in one lane; tell if that is another.

    `square` is scratch, shape (size, size) or larger.
    """
    for a in range(size):
        line = first + basis[0, a] * n * step
        for b in range(size):
            square[a, b] = payoffs[line + basis[1, b] * step, lane] * scale + 2.0
    changed = False
    for a in range(size):
        largest, at = -1.0, a
        for b in range(a, size):
            pivot = abs(square[b, a])
            if pivot > largest:
                largest, at = pivot, b
        if at != a:
            changed = True
            basis[0, a], basis[0, at] = basis[0, at], basis[0, a]
            for c in range(a, size):
                one, two = square[a, c], square[at, c]
                square[a, c], square[at, c] = two, one
        inverse = 1.0 / square[a, a]
        for b in range(a + 1, size):
            times = square[b, a] * inverse
            for c in range(a + 1, size):
                square[b, c] -= times * square[a, c]
    return changed


@inlined
def factor(
    payoffs: Floats, first: int, step: int, n: int, scale: float, basis: Ints, size: int,
    table: Floats, inverse: Floats, row: Floats, column: Floats, gains: Floats, row_at: Ints,
    column_at: Ints,
) -> None:  # fmt: skip
    """Factor a basis in every lane, and compute both players' weights and their sums."""
    for a in range(size):
        row_at[a], column_at[a] = basis[0, a] * n * step, basis[1, a] * step
    if size <= UNROLLED:
        factors(
            payoffs, first, scale, row_at, column_at, table, inverse, row, column, gains, size
        )
    else:
        factors_in_loops(
            payoffs, first, scale, row_at, column_at, table, inverse, row, column, gains, size
        )


@inlined
def bracket_lanes(
    payoffs: Floats, first: int, step: int, m: int, n: int, size: int, row_at: Ints,
    column_at: Ints, row: Floats, column: Floats, gains: Floats, lower: Floats,
    upper: Floats,
) -> None:  # fmt: skip
    """Narrow the brackets of a vector of games by the weights of a basis, where they are a strategy.

    Args:
        lower: row `first` is raised to min_j (xᵀX)_j.
        upper: row `first` is lowered to max_i (Xy)_i.
    """
    if size <= UNROLLED:
        gain(gains, 2, row, payoffs, first, step, row_at, n, size)
        gain(gains, n + 2, column, payoffs, first, n * step, column_at, m, size)
    else:
        gain_in_loops(gains, 2, row, payoffs, first, step, row_at, n, size)
        gain_in_loops(gains, n + 2, column, payoffs, first, n * step, column_at, m, size)
    least, most = load(gains, 2), load(gains, n + 2)
    for j in range(1, n):
        least = smaller(least, load(gains, 2 + j))
    for i in range(1, m):
        most = larger(most, load(gains, n + 2 + i))
    store(lower, first, larger(share(least, load(gains, 0), -np.inf), load(lower, first)))
    store(upper, first, smaller(share(most, load(gains, 1), np.inf), load(upper, first)))


@inlined
def change(
    payoffs: Floats, first: int, step: int, m: int, n: int, scale: float, basis: Ints, size: int,
    lane: int, table: Floats, inverse: Floats, row_at: Ints, column_at: Ints, gains: Floats,
    move: Floats, square: Floats,
) -> int:  # fmt: skip
    """Change the basis by a pivot chosen for one lane; return its size, or 0 where none is found.

    The worst weight of a basis, or gain of a bid outside it, is made feasible; the weight or gain of the
    other player that this brings to zero first takes its place.

    Args:
        move: scratch, length `size` or more.
    """
    width, q = size + 1, np.uint64(lane)
    # Bits of the rows and of the columns of the basis.
    taken_rows = taken_columns = np.int64(0)
    for a in range(size):
        taken_rows |= 1 << basis[0, a]
        taken_columns |= 1 << basis[1, a]
    # The worst of all weights, and of all gains against them.
    worst, side, own, found = -TOLERANCE, -1, True, 0
    for t in range(2):
        sign, count, start = (1.0, n, 2) if t == 0 else (-1.0, m, n + 2)
        border, on = (size * width, 1) if t == 0 else (size, width)
        taken = taken_columns if t == 0 else taken_rows
        negative, total = False, 0.0
        for a in range(size):
            weight = table[np.uint64(border + a * on), q]
            total += weight
            negative |= weight < 0.0
            if weight < worst:
                worst, side, own, found = weight, t, True, a
        if negative:
            # The gains are those against the positive weights.
            gains[t, q] = total
            for o in range(count):
                if (taken >> o) & 1 != 0:
                    continue
                total = 0.0
                for a in range(size):
                    across = o * step + row_at[a] if t == 0 else o * n * step + column_at[a]
                    weight = table[np.uint64(border + a * on), q]
                    total += weight * payoffs[np.uint64(first + across), q]
                gains[np.uint64(start + o), q] = total
        off = 2.0 * gains[t, q] - 1.0
        for o in range(count):
            if (taken >> o) & 1 == 0:
                gain = sign * (scale * gains[np.uint64(start + o), q] + off)
                if gain < worst:
                    worst, side, own, found = gain, t, False, o
    if side < 0:
        return size if order(payoffs, first, step, n, scale, basis, size, lane, square) else 0
    # The other player's weights change by a multiple of F⁻¹r or F⁻ᵀr, in order of his bids.
    other = 1 - side
    sign, count, start = (1.0, n, 2) if side == 1 else (-1.0, m, n + 2)
    border, on = (size * width, 1) if side == 1 else (size, width)
    taken = taken_columns if side == 1 else taken_rows
    down, along = (1, width) if side == 1 else (width, 1)
    line = n * step
    for a in range(size):
        if own:
            right = -sign if a == found else 0.0
        else:
            across = found * line + column_at[a] if side == 1 else row_at[a] + found * step
            right = payoffs[np.uint64(first + across), q] * scale + 2.0
        for b in range(a):
            right -= table[np.uint64(a * down + b * along), q] * move[b]
        move[a] = right * inverse[a, q]
    for c in range(size):
        a, total = size - 1 - c, 0.0
        for d in range(c):
            b = size - 1 - d
            total += table[np.uint64(a * down + b * along), q] * move[np.uint64(b)]
        move[np.uint64(a)] -= total * inverse[np.uint64(a), q]
    # The nearest ratio above : below, compared without a division.
    near, by, place, bid = 1.0, 0.0, -1, True
    far, far_by, spare, spare_bid = -1.0, 0.0, -1, True
    for a in range(size):
        above, below = table[np.uint64(border + a * on), q], move[a]
        if above >= -TOLERANCE and below > TOLERANCE and above * by < near * below:
            near, by, place, bid = above, below, a, False
        if above < -TOLERANCE and below < -TOLERANCE and above * far_by < far * below:
            far, far_by, spare, spare_bid = above, below, a, False
    off = 2.0 * gains[other, q] - 1.0
    total = 0.0
    for a in range(size):
        total += move[a]
    for o in range(count):
        if (taken >> o) & 1 == 0:
            at = first + o * step if side == 1 else first + o * line
            below = 0.0
            for a in range(size):
                across = row_at[a] if side == 1 else column_at[a]
                below += move[a] * payoffs[np.uint64(at + across), q]
            below = scale * below + 2.0 * total
            if not own:
                across = found * line if side == 1 else found * step
                below -= payoffs[np.uint64(at + across), q] * scale + 2.0
            above = sign * (scale * gains[np.uint64(start + o), q] + off)
            below *= sign
            if above >= -TOLERANCE and below > TOLERANCE and above * by < near * below:
                near, by, place, bid = above, below, o, True
            if above < -TOLERANCE and below < -TOLERANCE and above * far_by < far * below:
                far, far_by, spare, spare_bid = above, below, o, True
    if place < 0:
        place, bid = spare, spare_bid
    if place < 0:
        return size if order(payoffs, first, step, n, scale, basis, size, lane, square) else 0
    if own and bid:
        basis[side, found] = place
    elif own:
        basis[side, found] = basis[side, size - 1]
        basis[other, place] = basis[other, size - 1]
        size -= 1
    elif bid:
        basis[side, size], basis[other, size] = place, found
        size += 1
    else:
        basis[other, place] = found
    return size
