"""Kernels that solve a batch of games, a vector of eight games at a time, by changing from basis to basis.

The result for each game is an *interval* that is proved to contain the value, whichever basis it comes from: player
one's strategy guarantees the lower end, player two's the upper end.

If the objective is to win, the kernels first look for saddle points. The other games of a vector start from the
basis that solved most games of the previous vector: most games have this basis, or one a few pivots away. Then
the basis is changed for one game after another. Every basis is tried in all games of the vector, and narrows
their intervals. A game whose interval is still wide is solved singly
(:mod:`~gops_exact.solvers.floats.kernels.single`).

A basis consists of s rows and s columns, which are bids of the two players. Let X be the payoffs, scaled and
shifted into [1, 3], and F the part of X in the basis. The weights of the bids are y = F⁻¹1 and x = F⁻ᵀ1. The
basis is optimal if no weight is negative, no row gains more than 1 against y, and no column gains less than 1
against x (Dantzig 1951). F is factored anew for each basis, in all eight games at once, which takes s³/3
operations. A tableau of the simplex method is not stored, because a pivot of it would take (m + 1)(n + 1) operations.
Its entries are computed from F, and only those that a pivot rule reads.

A *vector* has eight numbers, one for each of eight games that are solved side by side. A *lane* is one of the eight
numbers of a vector, and so one of the eight games. A pivot is chosen for one lane, and the new basis is tried in all
lanes. In similar games, a basis that is optimal in one game is optimal, or nearly
optimal, in the others. Both players' weights may be infeasible (negative) at once. Then the pivot removes the worst
infeasibility of all, whichever player it belongs to.

The table of a basis is F, bordered by ones below and on the right. Elimination does not divide the rows:
F = L·D⁻¹·U, where D is the diagonal of pivots, which is the diagonal of both L and U. After back substitution
the border holds the weights: x below, y on the right.

Functions that are called for every vector are inlined, because a call takes longer than a pivot. Player one
chooses rows and has the index 0 in arrays of both players, such as ``s.basis``; player two chooses columns and has
the index 1. These arguments mean the same in all kernels of this module:

    s        scratch arrays: the payoffs of the games, a basis and its factors
    first    the index of the vector of games, and the row of ``s.payoffs`` with the first payoff of these games
    m, n     the numbers of rows and of columns of a game
    size     the number of rows, and of columns, of the basis in ``s.basis``
    scale    one over a bound on the absolute payoffs; scaled and shifted, a payoff X is scale · X + 2
"""

from types import FunctionType

import numpy as np

from gops_exact.solvers.floats.kernels import inlined, part
from gops_exact.solvers.floats.kernels.single import PIVOTS, TOGETHER, TOLERANCE, solve_game
from gops_exact.solvers.floats.kernels.vectors import (
    UNROLLED,
    VECTOR,
    VECTORS,
    Scratch,
    factors,
    gain,
    larger,
    load,
    share,
    smaller,
    store,
    wide,
)
from gops_exact.solvers.floats.layer import Floats, Ints

# For `factors` and `gain`, Numba takes the instructions that `vector_code` generates. They contain no loop over the
# basis, but serve only bases up to the size UNROLLED. These copies of both functions are not known to `vector_code`, so
# Numba compiles them with loops, for larger bases.
factors_in_loops, gain_in_loops = (
    inlined(FunctionType(function.__code__, function.__globals__)) for function in (factors, gain)
)


@part
def order(s: Scratch, first: int, n: int, size: int, lane: int, scale: float) -> bool:
    """Reorder the rows of the basis by partial pivoting for the game of one lane; return true if the order changed.

    A *lane* is one of eight games that are solved side by side with the same basis. The function :func:`factor` takes
    the pivots from the diagonal. If a pivot is nearly zero in a lane, the factors are useless there. With another order
    of the same rows, the pivots may be large enough.
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
    """Compute both players' weights at the basis ``s.basis``, and the triangular factors, in a vector of eight games.

    The factors are those of F, the payoffs of a game in the rows and columns of the basis. The factors and the weights
    are written to ``s.table``, and one over each pivot to ``s.inverse``. The weights are also written to ``s.row``
    (player one's) and ``s.column`` (player two's), where negative weights are set to zero. The sums of ``s.row`` and of
    ``s.column`` are written to rows 0 and 1 of ``s.gains``.

    Args:
        s: scratch arrays. ``s.payoffs`` has the payoffs of the games, ``s.basis`` the basis.
        first: the index of the row of ``s.payoffs`` that has the payoff of the first pair of bids in these games.
        n: the number of columns of a game.
        size: the number of rows, and of columns, of the basis.
        scale: one over a bound on the absolute payoffs; the entries of F are scale · payoff + 2.
    """
    basis, row_at, column_at, payoffs, gains = s.basis, s.row_at, s.column_at, s.payoffs, s.gains
    table, inverse, row, column = s.table, s.inverse, s.row, s.column
    for a in range(size):
        row_at[a], column_at[a] = basis[0, a] * n * VECTORS, basis[1, a] * VECTORS
    # Both branches compute the same numbers. The first is faster, because it is compiled without loops. But it must be
    # compiled once for each size, so it is used for small sizes only.
    if size <= UNROLLED:
        factors(payoffs, first, scale, row_at, column_at, table, inverse, row, column, gains, size)
    else:
        factors_in_loops(
            payoffs, first, scale, row_at, column_at, table, inverse, row, column, gains, size
        )


@inlined
def narrow_intervals(s: Scratch, first: int, m: int, n: int, size: int) -> None:
    """Narrow the intervals around the values of eight games by what both players' strategies guarantee.

    lower = max(lower, min_j (xᵀX)_j),   upper = min(upper, max_i (Xy)_i)

    Here X is the payoff matrix of a game, neither scaled nor shifted. The strategies x and y are the players' weights
    divided by their sums. If player one's weights in a game form no strategy, `lower` is not changed; if player two's
    form none, `upper` is not changed.
    """
    payoffs, gains, lower, upper, line = s.payoffs, s.gains, s.lower, s.upper, n * VECTORS
    row, column, row_at, column_at = s.row, s.column, s.row_at, s.column_at
    # Rows 0 and 1 of `gains` hold the sums of the weights `row` and `column`. Fill the n rows after them, one for each
    # column of the game: player one's gain if that column is played against the weights `row`. Then fill the last m
    # rows, one for each row of the game: player one's gain if that row is played against the weights `column`.
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
    # A gain divided by the sum of the weights is the gain of a strategy. Where the weights form no strategy,
    # `share` returns −∞ as the lower end or ∞ as the upper end, which does not change the interval.
    store(lower, first, larger(share(least, load(gains, 0), -np.inf), load(lower, first)))
    store(upper, first, smaller(share(most, load(gains, 1), np.inf), load(upper, first)))


@inlined
def pure_intervals(s: Scratch, first: int, m: int, n: int) -> None:
    """Enclose the values of eight games, a vector, in the intervals that pure strategies guarantee.

    lower = max_i min_j X_ij,   upper = min_j max_i X_ij

    X is the payoff matrix of a game. The ends are written to row `first` of ``s.lower`` and of ``s.upper``. At the call
    these rows must be −∞ and ∞. If a game has a saddle point, both ends are its value.
    """
    payoffs, low, high = s.payoffs, load(s.lower, first), load(s.upper, first)
    for i in range(m):
        least = load(payoffs, first + i * n * VECTORS)
        for j in range(1, n):
            least = smaller(load(payoffs, first + (i * n + j) * VECTORS), least)
        low = larger(least, low)
    for j in range(n):
        most = load(payoffs, first + j * VECTORS)
        for i in range(1, m):
            most = larger(load(payoffs, first + (i * n + j) * VECTORS), most)
        high = smaller(most, high)
    store(s.lower, first, low)
    store(s.upper, first, high)


@inlined
def change(s: Scratch, first: int, m: int, n: int, size: int, lane: int, scale: float) -> int:
    """Change the basis by a pivot that suits the game of index `lane`; return the new size, or 0 if there is no pivot.

    The *gain* of a bid is player one's expected payoff, in scaled and shifted payoffs, if the bid meets the weights of
    the other player. The gain of a bid in the basis is 1. A bid outside the basis has a *slack*: 1 − gain for a row,
    gain − 1 for a column. A bid with a positive slack is worse for its player than the bids in the basis; a bid with a
    negative slack is better. The basis is optimal if no weight and no slack is negative. A number counts as negative
    if it is below −:data:`~gops_exact.solvers.floats.kernels.single.TOLERANCE`.

    If the basis is not optimal, take the lowest of all weights and slacks. If it is a weight, the pivot removes the
    weight's bid from the basis. If it is a slack, the pivot adds the slack's bid. Let A be the player to whom this
    weight belongs, or against whose weights this slack is computed, and B the other player. In the course of the
    pivot the slack of the bid that leaves, or the weight of the bid that enters, grows from 0, and B's weights and the
    slacks against B's weights change linearly with it. The second bid of the pivot is that of the number that falls to
    zero first or, if none does, of the negative number that rises to zero first:

        lowest number             first number at zero      change of the basis
        A's weight of bid i       slack of A's bid j        j replaces i
        A's weight of bid i       B's weight of bid j       i and j leave
        slack of B's bid i        slack of A's bid j        i and j enter
        slack of B's bid i        B's weight of bid j       i replaces j

    This function is only called for a game whose interval is still wide. So if no weight and no slack is negative, or
    if no number reaches zero, which exact numbers rule out, the reason is a rounding error. Then :func:`order` reorders
    the rows of the basis. If their order changes, the old size is returned, otherwise 0.
    """
    payoffs, gains, table, inverse = s.payoffs, s.gains, s.table, s.inverse
    basis, row_at, column_at, move = s.basis, s.row_at, s.column_at, s.move
    # All indices are unsigned, so that Numba compiles no test for negative indices.
    width, line, q = size + 1, n * VECTORS, np.uint64(lane)
    # Bit sets: bit i of `taken_rows` is set if row i is in the basis, bit j of `taken_columns` if column j is.
    taken_rows = taken_columns = np.int64(0)
    for a in range(size):
        taken_rows |= 1 << basis[0, a]
        taken_columns |= 1 << basis[1, a]
    # 1. Find the lowest of all weights and slacks. The loop has two passes:
    # - t = 0: player one's weights (the last row of the table), and the slacks of the n columns against these weights.
    #   The gains of the columns are gains[2], …, gains[n + 1].
    # - t = 1: player two's weights (the last column of the table), and the slacks of the m rows against these weights.
    #   The gains of the rows are gains[n + 2], …, gains[n + m + 1].
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
            # Some weights are negative. `gains` was computed with zeros instead of them, as an interval requires.
            # A slack depends on all weights, so recompute in this lane the gains of the bids outside the basis.
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
        # In scaled and shifted payoffs, the slack of a column is gain − 1, and the slack of a row is 1 − gain. `gains`
        # was computed from the original payoffs X, of which scale · X + 2 are the scaled and shifted ones. Let w be the
        # sum of the weights, which is gains[t]. So the gain of bid o is scale · gains[start + o] + 2w, and gain − 1 is
        # scale · gains[start + o] + off, where off = 2w − 1.
        off = 2.0 * gains[t, q] - 1.0
        for o in range(count):
            if (taken >> o) & 1 == 0:
                slack = sign * (scale * gains[np.uint64(start + o), q] + off)
                if slack < worst:
                    worst, side, is_weight, index = slack, t, False, o
    if side < 0:
        return size if order(s, first, n, size, lane, scale) else 0
    # 2. Compute `move`: the pivot subtracts ε · move from the weights of player `other`; step 3 finds the number ε.
    # Player one's weights x solve Fᵀx = 1, player two's weights y solve Fy = 1. The pivot subtracts a vector ε · r from
    # the right side, which consists of ones:
    # - If the lowest number is a weight, its bid leaves the basis and gets the slack ε, that is, the gain 1 + ε (a
    #   column) or 1 − ε (a row). So r is 0 except at this bid, where it is −1 for a column and 1 for a row.
    # - If the lowest number is a slack, its bid enters the basis with the weight ε. So r consists of the scaled and
    #   shifted payoffs of this bid against the opponent's bids in the basis.
    # Hence move = F⁻ᵀr for x, and F⁻¹r for y. It is computed by forward, then backward substitution with the factors.
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
    # 3. The ratio test finds ε and the second bid of the pivot. An `entry` is a weight of player `other`, or a slack
    # against these weights. The pivot lowers each entry by ε · rate, so the entry is zero at ε = entry / rate. The
    # entry with the least ratio is chosen among the first of these two sets that is not empty:
    # - Entries that are not negative and have a positive rate. Up to the least of their ratios, near / near_rate, none
    #   of these entries turns negative.
    # - Entries that are negative and have a negative rate. The least of their ratios is far / far_rate.
    # Both `near_rate` and `far_rate` begin as 0, for a ratio of ∞. Ratios are compared by cross-multiplication, because
    # it is faster than division.
    near, near_rate, partner, is_bid = 1.0, 0.0, -1, True
    far, far_rate, spare, spare_is_bid = -1.0, 0.0, -1, True
    for a in range(size):
        entry, rate = table[np.uint64(border + a * on), q], move[a]
        if entry >= -TOLERANCE and rate > TOLERANCE and entry * near_rate < near * rate:
            near, near_rate, partner, is_bid = entry, rate, a, False
        if entry < -TOLERANCE and rate < -TOLERANCE and entry * far_rate < far * rate:
            far, far_rate, spare, spare_is_bid = entry, rate, a, False
    off = 2.0 * gains[other, q] - 1.0
    total = 0.0
    for a in range(size):
        total += move[a]
    for o in range(count):
        if (taken >> o) & 1 == 0:
            at = first + o * VECTORS if side == 1 else first + o * line
            rate = 0.0
            for a in range(size):
                across = row_at[a] if side == 1 else column_at[a]
                rate += move[a] * payoffs[np.uint64(at + across), q]
            rate = scale * rate + 2.0 * total
            if not is_weight:
                across = index * line if side == 1 else index * VECTORS
                rate -= payoffs[np.uint64(at + across), q] * scale + 2.0
            entry = sign * (scale * gains[np.uint64(start + o), q] + off)
            rate *= sign
            if entry >= -TOLERANCE and rate > TOLERANCE and entry * near_rate < near * rate:
                near, near_rate, partner, is_bid = entry, rate, o, True
            if entry < -TOLERANCE and rate < -TOLERANCE and entry * far_rate < far * rate:
                far, far_rate, spare, spare_is_bid = entry, rate, o, True
    if partner < 0:
        partner, is_bid = spare, spare_is_bid
    if partner < 0:
        return size if order(s, first, n, size, lane, scale) else 0
    # 4. Change the basis by the table in the docstring. `index` belongs to the lowest weight or slack, `partner` to the
    # entry that is first at zero. For a weight they are indices into the basis, for a slack indices into the game's
    # rows or columns. If a row and a column leave, the last row and column of the basis move into the gaps.
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
def solve_batch(
    s: Scratch,
    m: int,
    n: int,
    total: int,
    pure: bool,
    scale: float,
    tolerance: float,
    size: int,
    sums: Floats,
    counts: Ints,
) -> int:
    """Solve the games in ``s.payoff``, ``VECTOR`` games at a time, and add the value of each game to `sums`.

    Args:
        s: scratch arrays: ``s.payoff`` has the payoffs of the games, ``s.target`` the index of the column of `sums`
            that the value of each game is added to, and ``s.basis`` the basis that is tried first.
        m: the number of rows of a game.
        n: the number of columns of a game.
        total: the number of games.
        pure: true to look for saddle points first.
        scale: one over a bound on the absolute payoffs.
        tolerance: the greatest width of the interval around the value of a solved game. A game with a wider interval is
            tried with other bases, and at last singly.
        size: the number of rows, and of columns, of the basis that ``s.basis`` has at the call.
        sums: shape (2, columns) or larger, updated, in the unit of the payoffs. The middle of the interval of each game
            is added to row 0, and half its width to row 1, in the column that ``s.target`` names.
        counts: length COUNTS, updated; the counters that :mod:`~gops_exact.solvers.floats.kernels.single` names.

    Returns:
        The size of the basis that ``s.basis`` holds on return.
    """
    payoffs, target, basis, best, game = s.payoffs, s.target, s.basis, s.best, s.game
    lower, upper, low, high, values, half_widths = s.lower, s.upper, s.low, s.high, sums[0], sums[1]
    for v in range((total + VECTOR - 1) // VECTOR):
        store(lower, v, -np.inf)
        store(upper, v, np.inf)
        if pure:
            pure_intervals(s, v, m, n)
        # Bit sets of lanes: `games` has the lanes with games (all eight, except in the last vector), `tried` the lanes
        # that have not been given up, and `left` the lanes that are neither solved nor given up.
        games = (1 << min(total - v * VECTOR, VECTOR)) - 1
        left = wide(load(upper, v) - load(lower, v), tolerance) & games
        if left == 0:
            continue
        tried, at, pivots, most, best_size = games, 0, 0, -1, 0
        counts[TOGETHER] += 1
        while True:
            factor(s, v, n, size, scale)
            narrow_intervals(s, v, m, n, size)
            before, left = left, wide(load(upper, v) - load(lower, v), tolerance) & tried
            # Count the lanes that this basis solved. The basis that solves the most lanes of the vector is copied to
            # `best`, because the next vector starts from it.
            solved, bits = 0, before ^ left
            while bits != 0:
                bits &= bits - 1  # clear the lowest bit
                solved += 1
            if solved > most:
                most, best_size = solved, size
                for a in range(size):
                    best[0, a], best[1, a] = basis[0, a], basis[1, a]
            # Change the basis by a pivot for `at`, the first of the lanes in `left`. If this lane has no pivot, or has
            # had 4 (m + n) pivots, it is given up, and the next lane is tried. If no lane is left, `changed` remains 0
            # and the loop over bases ends.
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
        # A lane that was given up is solved singly, unless a later basis solved it.
        left = wide(load(upper, v) - load(lower, v), tolerance) & games
        for q in range(VECTOR):
            if (left >> q) & 1 != 0:
                for i in range(m):
                    for j in range(n):
                        game[i, j] = payoffs[(i * n + j) * VECTORS + v, q]
                lower[v, q], upper[v, q] = solve_game(m, n, tolerance, s, counts)
    for q in range(total):
        values[target[q]] += 0.5 * (low[q] + high[q])
        half_widths[target[q]] += max(0.5 * (high[q] - low[q]), 0.0)
    return size
