"""Kernels that settle games side by side, a vector of eight games at a time, by changing from basis to basis.

If the objective is to win, the kernels first look for saddle points. The other games of a vector start from the
basis that settled most games of the previous vector: most games have this basis, or one a few pivots away. Then
the basis is changed for one game after another. Every basis is tried in all games of the vector, and narrows
their brackets. A game that is still not settled is solved singly
(:mod:`~gops_exact.solvers.floats.kernels.settle`). A bracket is proved, whichever basis it comes from.

A basis consists of s rows and s columns, which are bids of the two players. Let X be the payoffs, scaled and
shifted into [1, 3], and F the part of X in the basis. The weights of the bids are y = F⁻¹1 and x = F⁻ᵀ1. The
basis is optimal if no weight is negative, no row gains more than 1 against y, and no column gains less than 1
against x (Dantzig 1951). F is factored anew for each basis, in all lanes at once, which takes s³/3
operations. A pivot of a whole tableau would take (m + 1)(n + 1) operations, so entries of the tableau are
computed only where they are needed.

A pivot of the simplex is chosen for one lane, and the new basis is tried in all lanes. In similar games, a
basis that is optimal in one game is optimal, or nearly optimal, in the others. If neither player's weights
are feasible, the pivot removes the worst infeasibility of either player.

The table of a basis is F, bordered by ones below and on the right. Elimination does not divide the rows:
F = L·D⁻¹·U, where D is the diagonal of pivots, which is the diagonal of both L and U. After back substitution
the border holds the weights.

Functions that are called for every vector are inlined, because a call takes longer than a pivot. Player 0
chooses rows, player 1 columns. Arguments of one name are the same in all kernels here:

    s        scratch arrays: the payoffs of the games, a basis and its factors
    first    the index of the vector of games, and the row of ``s.payoffs`` with the first payoff of these games
    m, n     rows and columns of a game
    size     rows, and columns, of the basis in ``s.basis``
    scale    one over a bound on the payoffs
"""

from types import FunctionType

import numpy as np

from gops_exact.solvers.floats.kernels import inlined, part
from gops_exact.solvers.floats.kernels.settle import (
    PIVOTS,
    TOGETHER,
    TOLERANCE,
    VECTORS,
    Scratch,
    settle_game,
)
from gops_exact.solvers.floats.kernels.vectors import (
    UNROLLED,
    VECTOR,
    factors,
    gain,
    larger,
    load,
    share,
    smaller,
    spread,
    store,
    wide,
)
from gops_exact.solvers.floats.layer import Floats, Ints

# Numba compiles `factors` and `gain` without loops, for bases up to the size UNROLLED. These copies of them, for larger
# bases, are compiled with loops.
factors_in_loops, gain_in_loops = (
    inlined(FunctionType(function.__code__, function.__globals__)) for function in (factors, gain)
)


@part
def order(s: Scratch, first: int, n: int, size: int, lane: int, scale: float) -> bool:
    """Reorder the rows of the basis by partial pivoting in one lane; return true if the order changed.

    :func:`factor` takes the pivots from the diagonal. It fails in a lane where a pivot is nearly zero,
    although the pivots may be large enough in another order of the rows.
    """
    payoffs, basis, square = s.payoffs, s.basis, s.square
    for a in range(size):
        line = first + basis[0, a] * n * VECTORS
        for b in range(size):
            square[a, b] = payoffs[line + basis[1, b] * VECTORS, lane] * scale + 2.0
    # Gaussian elimination with partial pivoting. Only the order of the rows is used, not the eliminated matrix.
    changed = False
    for a in range(size):
        largest, pivotal = -1.0, a
        for b in range(a, size):
            pivot = abs(square[b, a])
            if pivot > largest:
                largest, pivotal = pivot, b
        if pivotal != a:
            changed = True
            basis[0, a], basis[0, pivotal] = basis[0, pivotal], basis[0, a]
            for c in range(a, size):
                one, two = square[a, c], square[pivotal, c]
                square[a, c], square[pivotal, c] = two, one
        inverse = 1.0 / square[a, a]
        for b in range(a + 1, size):
            times = square[b, a] * inverse
            for c in range(a + 1, size):
                square[b, c] -= times * square[a, c]
    return changed


@inlined
def factor(s: Scratch, first: int, n: int, size: int, scale: float) -> None:
    """Factor the basis in every lane, and compute both players' weights and their sums."""
    basis, row_at, column_at, payoffs, gains = s.basis, s.row_at, s.column_at, s.payoffs, s.gains
    table, inverse, row, column = s.table, s.inverse, s.row, s.column
    for a in range(size):
        row_at[a], column_at[a] = basis[0, a] * n * VECTORS, basis[1, a] * VECTORS
    # Both branches compute the same numbers. The first is compiled without loops, once for each size.
    if size <= UNROLLED:
        factors(payoffs, first, scale, row_at, column_at, table, inverse, row, column, gains, size)
    else:
        factors_in_loops(
            payoffs, first, scale, row_at, column_at, table, inverse, row, column, gains, size
        )


@inlined
def bracket_lanes(s: Scratch, first: int, m: int, n: int, size: int) -> None:
    """Narrow the brackets of a vector of games by what the weights guarantee, in lanes where they form a strategy.

    lower = max(lower, min_j (xᵀX)_j),   upper = min(upper, max_i (Xy)_i)
    """
    payoffs, gains, lower, upper, line = s.payoffs, s.gains, s.lower, s.upper, n * VECTORS
    row, column, row_at, column_at = s.row, s.column, s.row_at, s.column_at
    # Rows 0 and 1 of `gains` hold the sums of the weights. The next n rows are the gains of the columns
    # against x, player 0's weights; the last m rows are the gains of the rows against y, player 1's weights.
    if size <= UNROLLED:
        gain(gains, 2, row, payoffs, first, VECTORS, row_at, n, size)
        gain(gains, n + 2, column, payoffs, first, line, column_at, m, size)
    else:
        gain_in_loops(gains, 2, row, payoffs, first, VECTORS, row_at, n, size)
        gain_in_loops(gains, n + 2, column, payoffs, first, line, column_at, m, size)
    least, most = load(gains, 2), load(gains, n + 2)
    for j in range(1, n):
        least = smaller(least, load(gains, 2 + j))
    for i in range(1, m):
        most = larger(most, load(gains, n + 2 + i))
    # A gain divided by the sum of the weights is the gain of a strategy. If the weights do not form a
    # strategy, `share` returns an infinite end, which changes nothing.
    store(lower, first, larger(share(least, load(gains, 0), -np.inf), load(lower, first)))
    store(upper, first, smaller(share(most, load(gains, 1), np.inf), load(upper, first)))


@inlined
def bracket_pure(s: Scratch, first: int, m: int, n: int) -> None:
    """Bracket a vector of games by their best single bids; at a saddle point both ends are the value.

    lower = max_i min_j X_ij,   upper = min_j max_i X_ij
    """
    payoffs, low, high = s.payoffs, spread(-np.inf), spread(np.inf)
    for i in range(m):
        least = spread(np.inf)
        for j in range(n):
            least = smaller(load(payoffs, first + (i * n + j) * VECTORS), least)
        low = larger(least, low)
    for j in range(n):
        most = spread(-np.inf)
        for i in range(m):
            most = larger(load(payoffs, first + (i * n + j) * VECTORS), most)
        high = smaller(most, high)
    store(s.lower, first, low)
    store(s.upper, first, high)


@inlined
def change(s: Scratch, first: int, m: int, n: int, size: int, lane: int, scale: float) -> int:
    """Change the basis by a pivot chosen for one lane; return the new size, or 0 if there is no pivot.

    A bid outside the basis has a *slack*: the distance from 1 of its gain against the weights of its owner's opponent.
    The slack is positive if the bid does its owner less good than the bids in the basis. Weights and slacks are
    feasible if they are not below −:data:`~gops_exact.solvers.floats.kernels.settle.TOLERANCE`. The pivot makes
    the worst weight or slack feasible. Let this be a weight of player A, or a slack against A's weights. Then the pivot
    moves the weights of A's opponent, and the slacks against these weights, along a line until one of them is zero:

        worst       first at zero    the basis
        a weight    a slack          gets the bid of the slack for the bid of the weight
        a weight    a weight         loses both bids
        a slack     a slack          gets both bids
        a slack     a weight         gets the bid of the slack for the bid of the weight

    If a lane is not settled although nothing is infeasible, or if it has no pivot, the cause is rounding.
    Then :func:`order` reorders the rows, if a better order exists.
    """
    payoffs, gains, table, inverse = s.payoffs, s.gains, s.table, s.inverse
    basis, row_at, column_at, move = s.basis, s.row_at, s.column_at, s.move
    # All indices are unsigned, so that Numba compiles no test for negative indices.
    width, line, q = size + 1, n * VECTORS, np.uint64(lane)
    # Bit sets of the rows and of the columns in the basis.
    taken_rows = taken_columns = np.int64(0)
    for a in range(size):
        taken_rows |= 1 << basis[0, a]
        taken_columns |= 1 << basis[1, a]
    # 1. Find the worst of all weights and slacks. Player 0's weights are the last row of the table, player
    # 1's its last column. The gains of the n columns against player 0's weights start at gains[2], those of
    # the m rows against player 1's weights at gains[n + 2].
    worst, side, is_weight, index = -TOLERANCE, -1, True, 0
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
                worst, side, is_weight, index = weight, t, True, a
        if negative:
            # Some weights are negative, and `gains` was computed without them. Recompute it with all weights, for the
            # bids outside the basis.
            gains[t, q] = total
            for o in range(count):
                if (taken >> o) & 1 != 0:
                    continue
                total = 0.0
                for a in range(size):
                    across = o * VECTORS + row_at[a] if t == 0 else o * line + column_at[a]
                    weight = table[np.uint64(border + a * on), q]
                    total += weight * payoffs[np.uint64(first + across), q]
                gains[np.uint64(start + o), q] = total
        # The slack of a column is its gain − 1, that of a row 1 − its gain. `gains` was computed from the payoffs as
        # they are. Scaling multiplies a gain by `scale`, and the shift by 2 adds 2 · (sum of the weights).
        off = 2.0 * gains[t, q] - 1.0
        for o in range(count):
            if (taken >> o) & 1 == 0:
                gain = sign * (scale * gains[np.uint64(start + o), q] + off)
                if gain < worst:
                    worst, side, is_weight, index = gain, t, False, o
    if side < 0:
        return size if order(s, first, n, size, lane, scale) else 0
    # 2. Compute `move`, the direction in which the pivot moves the weights of player `other`: a positive multiple of
    # `move` is subtracted from them. For player 0 it is F⁻ᵀr, for player 1 F⁻¹r. If a weight is worst, r is 0 except
    # at the bid of this weight: there it is −1 if `other` is player 0, and 1 if `other` is player 1. If a slack is
    # worst, its bid belongs to player `other` and gets the same multiple as its weight; r consists of its payoffs
    # against the bids in the basis. Forward, then backward substitution with the factors of F gives `move`.
    other = 1 - side
    sign, count, start = (1.0, n, 2) if side == 1 else (-1.0, m, n + 2)
    border, on = (size * width, 1) if side == 1 else (size, width)
    taken = taken_columns if side == 1 else taken_rows
    down, along = (1, width) if side == 1 else (width, 1)
    for a in range(size):
        if is_weight:
            right = -sign if a == index else 0.0
        else:
            across = index * line + column_at[a] if side == 1 else row_at[a] + index * VECTORS
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
    # 3. The ratio test. `above` is a weight of player `other`, or a slack against these weights, and `below` is what
    # it loses when the multiple is 1. So it is zero when the multiple above / below of `move` is subtracted.
    # The weight or slack with the least ratio of two positive numbers becomes zero. If there is none, the one with
    # the least ratio of two negative numbers does, which is infeasible already. Ratios are compared without division.
    near, near_by, partner, is_bid = 1.0, 0.0, -1, True
    far, far_by, spare, spare_is_bid = -1.0, 0.0, -1, True
    for a in range(size):
        above, below = table[np.uint64(border + a * on), q], move[a]
        if above >= -TOLERANCE and below > TOLERANCE and above * near_by < near * below:
            near, near_by, partner, is_bid = above, below, a, False
        if above < -TOLERANCE and below < -TOLERANCE and above * far_by < far * below:
            far, far_by, spare, spare_is_bid = above, below, a, False
    off = 2.0 * gains[other, q] - 1.0
    total = 0.0
    for a in range(size):
        total += move[a]
    for o in range(count):
        if (taken >> o) & 1 == 0:
            at = first + o * VECTORS if side == 1 else first + o * line
            below = 0.0
            for a in range(size):
                across = row_at[a] if side == 1 else column_at[a]
                below += move[a] * payoffs[np.uint64(at + across), q]
            below = scale * below + 2.0 * total
            if not is_weight:
                across = index * line if side == 1 else index * VECTORS
                below -= payoffs[np.uint64(at + across), q] * scale + 2.0
            above = sign * (scale * gains[np.uint64(start + o), q] + off)
            below *= sign
            if above >= -TOLERANCE and below > TOLERANCE and above * near_by < near * below:
                near, near_by, partner, is_bid = above, below, o, True
            if above < -TOLERANCE and below < -TOLERANCE and above * far_by < far * below:
                far, far_by, spare, spare_is_bid = above, below, o, True
    if partner < 0:
        partner, is_bid = spare, spare_is_bid
    if partner < 0:
        return size if order(s, first, n, size, lane, scale) else 0
    # 4. Change the basis. If it loses a row and a column, its last row and its last column move into the gaps.
    if is_weight and is_bid:
        basis[side, index] = partner
    elif is_weight:
        basis[side, index] = basis[side, size - 1]
        basis[other, partner] = basis[other, size - 1]
        size -= 1
    elif is_bid:
        basis[side, size], basis[other, size] = partner, index
        size += 1
    else:
        basis[other, partner] = index
    return size


@part
def settle_lanes(
    s: Scratch,
    m: int,
    n: int,
    lanes: int,
    pure: bool,
    scale: float,
    tolerance: float,
    size: int,
    sums: Floats,
    counts: Ints,
) -> int:
    """Solve the games in ``s.payoff`` a vector at a time, and add each value to the sum of its column.

    Args:
        s: scratch arrays: the payoffs of the games, the column of each game in ``s.lane``, and a basis.
        m: rows of a game.
        n: columns of a game.
        lanes: the number of games.
        pure: true to look for saddle points first.
        scale: one over a bound on the payoffs.
        tolerance: the width up to which a bracket counts as narrow.
        size: the size of the basis in ``s.basis`` to begin with.
        sums: shape (2, W) or larger, one column for each column of values. The middles of the brackets are
            added to the first row, and half their widths to the second.
        counts: length COUNTS, updated; the counters that :mod:`~gops_exact.solvers.floats.kernels.settle` names.

    Returns:
        The size of the basis that ``s.basis`` holds on return.
    """
    payoffs, lane, basis, best, game = s.payoffs, s.lane, s.basis, s.best, s.game
    lower, upper, low, high, values, half_widths = s.lower, s.upper, s.low, s.high, sums[0], sums[1]
    for v in range((lanes + VECTOR - 1) // VECTOR):
        if pure:
            bracket_pure(s, v, m, n)
        else:
            store(lower, v, -np.inf)
            store(upper, v, np.inf)
        # Bit sets of lanes: `games` has the lanes with games, `left` the lanes not yet settled, and `tried` the
        # lanes not given up.
        games = (1 << min(lanes - v * VECTOR, VECTOR)) - 1
        left = wide(load(upper, v) - load(lower, v), tolerance) & games
        if left == 0:
            continue
        tried, at, pivots, most, best_size = games, 0, 0, -1, 0
        counts[TOGETHER] += 1
        while True:
            factor(s, v, n, size, scale)
            bracket_lanes(s, v, m, n, size)
            before, left = left, wide(load(upper, v) - load(lower, v), tolerance) & tried
            # The basis that settles most games is the first basis of the next vector.
            settled, bits = 0, before ^ left
            while bits != 0:
                bits &= bits - 1  # clear the lowest bit
                settled += 1
            if settled > most:
                most, best_size = settled, size
                for a in range(size):
                    best[0, a], best[1, a] = basis[0, a], basis[1, a]
            # Change the basis for the first lane that is left. Give a lane up if it has no pivot, or has had
            # 4 (m + n) pivots.
            changed = 0
            while left != 0 and changed == 0:
                while (left >> at) & 1 == 0:
                    at += 1
                    pivots = 0
                if pivots < 4 * (m + n):
                    changed = change(s, v, m, n, size, at, scale)
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
        # Lanes that are given up are solved singly, unless a later basis settled them.
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
