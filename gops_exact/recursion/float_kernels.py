"""Thousands of small matrix games at once, in floats, each bracketed by its own strategies.

At a fixed pair of hands and a fixed upcard the games over all sets of remaining prizes have the
same signs and the same children; only the children's values differ. They stand side by side as the
*lanes* of an array, and every step is one loop over lanes that the compiler turns into vector
instructions. Neighbouring lanes nearly always share their optimal basis, so a basis is *guessed*,
and the guess is judged by what its strategies prove:

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

A lane whose bracket is narrow is settled, whatever the guess was. For the first of those left a
simplex finds the basis, which is then the next guess for all the others. Nothing rests on the
simplex, or on a tolerance: a game is never worth more, or less, than its bracket says.

A lane's bracket is the true one up to rounding. Let A bound the entries in size and s be the size
of the basis; u = 2⁻⁵³ and γ_n = nu/(1 − nu). Weights w ≥ 0, as they are computed, define the
strategy w/σ, σ = Σw, which is what the bracket is about; how they came about does not matter. The
computed Σ w_i X_ij is off by at most γ_s·A·σ and its factor 1/σ by a relative γ_{s+1}, so each
side of the bracket is off by at most γ_{2s+2}·A, in whatever order sums are taken (Higham 2002,
§3.1). Underflow adds less than 2⁻¹⁰⁰⁰/σ, and :data:`SMALLEST` keeps σ away from zero.

Kernels are compiled by numba when first called and cached on disk. ``kernel.py_func`` is the same
code in plain Python.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Numbers = NDArray[np.uint32]
"""Places in arrays; without a sign there is no counting from the end to allow for."""

LANES = 128
"""Games side by side. Their payoffs should fit a core's first- or second-level cache."""

VECTOR = 16
"""Lanes are worked on in multiples of this, four vectors of four numbers, so none is left over."""

GUESSES = 32
"""Bases remembered for a pair of hands, most recently successful first."""

TRIES = 8
"""Guesses tried on a single game; further down the list one succeeds too seldom."""

PIVOT_TOLERANCE = 1e-11
"""Smaller pivots are noise: payoffs are scaled to [1, 2] first."""

COST_TOLERANCE = 1e-12
"""Reduced costs nearer to zero than this count as zero."""

SMALLEST, LARGEST = 1e-150, 1e150
"""Weights whose sum is not between these are no strategy."""

WEIGHT_TOLERANCE = 1e-9
"""How negative a weight may be, by rounding; it is then set to zero."""

FEW = 6
"""So many lanes or fewer are settled one by one."""

FAILED, ROBUST, PROPOSED, TRIED, TESTED = range(5)
"""Counters: games whose bracket stayed wide; where the first simplex would not do; that needed a
simplex; guesses tried on single games; lanes a guess was tried on."""


@njit(cache=True, nogil=True, error_model="numpy")
def pivot(tableau: Floats, m: int, n: int, leaving: int, entering: int) -> None:
    """Exchange the variables of a row and a column; tableau of shape (m + 1, n + 1), in place."""
    inverse = 1.0 / tableau[leaving, entering]
    for j in range(n + 1):
        tableau[leaving, j] *= inverse
    tableau[leaving, entering] = inverse
    for i in range(m + 1):
        if i != leaving:
            factor = tableau[i, entering]
            tableau[i, entering] = 0.0
            for j in range(n + 1):
                tableau[i, j] -= factor * tableau[leaving, j]


@njit(cache=True, nogil=True, error_model="numpy")
def simplex(
    payoff: Floats, m: int, n: int, bland: bool, tableau: Floats, in_row: Ints, in_column: Ints
) -> bool:
    """Maximise Σz subject to X'z ≤ 1, z ≥ 0, for X' the payoffs scaled to [1, 2].

    Slack columns are kept implicit: a pivot swaps the variable of a row with that of a column.
    Variables 0 … n − 1 are player two's weights, n … n + m − 1 player one's (the slacks).

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        bland: choose pivots by Bland's rule (1977), which never cycles but for rounding, rather
            than by the largest reduced cost, which is faster.
        tableau: shape (m + 1, n + 1) or larger; overwritten.
        in_row: length m or longer; the variable of each row on return.
        in_column: length n or longer; the variable of each column on return.

    Returns:
        Whether it ended, within a bounded number of pivots.
    """
    low = high = payoff[0, 0]
    for i in range(m):
        for j in range(n):
            low = min(low, payoff[i, j])
            high = max(high, payoff[i, j])
    scale = 1.0 / (high - low) if high > low else 1.0
    for i in range(m):
        for j in range(n):
            tableau[i, j] = (payoff[i, j] - low) * scale + 1.0
        tableau[i, n] = 1.0
        in_row[i] = n + i
    for j in range(n):
        tableau[m, j] = -1.0
        in_column[j] = j
    tableau[m, n] = 0.0
    for _ in range(20 * (m + n)):
        entering = -1
        lowest = -COST_TOLERANCE
        for j in range(n):
            if tableau[m, j] < lowest and not (
                bland and entering >= 0 and in_column[entering] < in_column[j]
            ):
                entering = j
                if not bland:
                    lowest = tableau[m, j]
        if entering < 0:
            return True
        leaving = -1
        least = np.inf
        for i in range(m):
            if tableau[i, entering] > PIVOT_TOLERANCE:
                ratio = tableau[i, n] / tableau[i, entering]
                if ratio < least or (
                    bland and ratio == least and leaving >= 0 and in_row[i] < in_row[leaving]
                ):
                    least = ratio
                    leaving = i
        if leaving < 0:
            return False
        pivot(tableau, m, n, leaving, entering)
        variable = in_row[leaving]
        in_row[leaving] = in_column[entering]
        in_column[entering] = variable
    return False


@njit(cache=True, nogil=True, error_model="numpy")
def saddle(payoff: Floats, m: int, n: int) -> int:
    """The place i·n + j of an entry smallest in its row and largest in its column, or −1."""
    lower = upper = 0.0
    row = column = 0
    for i in range(m):
        least = payoff[i, 0]
        for j in range(1, n):
            least = min(least, payoff[i, j])
        if i == 0 or least > lower:
            lower, row = least, i
    for j in range(n):
        most = payoff[0, j]
        for i in range(1, m):
            most = max(most, payoff[i, j])
        if j == 0 or most < upper:
            upper, column = most, j
    return row * n + column if lower == upper else -1


@njit(cache=True, nogil=True, error_model="numpy")
def propose(
    payoff: Floats,
    m: int,
    n: int,
    bland: bool,
    tableau: Floats,
    in_row: Ints,
    in_column: Ints,
    basis: Ints,
) -> int:
    """The basis of a saddle point, or else the one where the simplex ends.

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        bland: choose pivots by Bland's rule, and look for no saddle point.
        tableau: scratch, as for :func:`simplex`.
        in_row: scratch.
        in_column: scratch.
        basis: shape (2, min(m, n)) or larger; its rows and its columns on return.

    Returns:
        Its size; 0 if the simplex did not end.
    """
    # The second time it is the simplex that is asked for, and its tableau.
    place = -1 if bland else saddle(payoff, m, n)
    if place >= 0:
        basis[0, 0], basis[1, 0] = place // n, place % n
        return 1
    if not simplex(payoff, m, n, bland, tableau, in_row, in_column):
        return 0
    rows = columns = 0
    for j in range(n):
        if in_column[j] >= n:
            basis[0, rows] = in_column[j] - n
            rows += 1
    for i in range(m):
        if in_row[i] < n:
            basis[1, columns] = in_row[i]
            columns += 1
    return rows


@njit(cache=True, nogil=True, error_model="numpy")
def order_pivots(payoff: Floats, m: int, n: int, size: int, work: Floats, basis: Ints) -> None:
    """Arrange a basis so that eliminating it in order pivots on the largest entry each time."""
    most = 0.0
    for i in range(m):
        for j in range(n):
            most = max(most, abs(payoff[i, j]))
    for a in range(size):
        for b in range(size):
            work[a, b] = payoff[basis[0, a], basis[1, b]] + (2.0 * most + 1.0)
    for t in range(size):
        best, row, column = -1.0, t, t
        for a in range(t, size):
            for b in range(t, size):
                if abs(work[a, b]) > best:
                    best, row, column = abs(work[a, b]), a, b
        for b in range(size):
            work[t, b], work[row, b] = work[row, b], work[t, b]
        for a in range(size):
            work[a, t], work[a, column] = work[a, column], work[a, t]
        basis[0, t], basis[0, row] = basis[0, row], basis[0, t]
        basis[1, t], basis[1, column] = basis[1, column], basis[1, t]
        for a in range(t + 1, size):
            factor = work[a, t] / work[t, t]
            for b in range(t + 1, size):
                work[a, b] -= factor * work[t, b]


@njit(cache=True, nogil=True, error_model="numpy")
def combine(
    weights: Floats, payoff: Floats, places: Ints, size: int, lanes: int, total: Floats
) -> None:
    """Σ_a weights[a]·payoff[places[a]] lane by lane, up to four terms in one pass.

    Args:
        weights: shape (size, lanes) or larger.
        payoff: entries by lanes.
        places: length size or longer; which entries.
        size: terms, at least 1.
        lanes: how many.
        total: length lanes or longer; the sums on return.
    """
    e, f, g, h = places[0], places[min(1, size - 1)], places[min(2, size - 1)], 0
    if size == 1:
        for q in range(lanes):
            total[q] = weights[0, q] * payoff[e, q]
    elif size == 2:
        for q in range(lanes):
            total[q] = weights[0, q] * payoff[e, q] + weights[1, q] * payoff[f, q]
    elif size == 3:
        for q in range(lanes):
            total[q] = (
                weights[0, q] * payoff[e, q]
                + weights[1, q] * payoff[f, q]
                + weights[2, q] * payoff[g, q]
            )
    else:
        h = places[3]
        for q in range(lanes):
            total[q] = (
                weights[0, q] * payoff[e, q]
                + weights[1, q] * payoff[f, q]
                + weights[2, q] * payoff[g, q]
                + weights[3, q] * payoff[h, q]
            )
    for a in range(4, size):
        e = places[a]
        for q in range(lanes):
            total[q] += weights[a, q] * payoff[e, q]


@njit(cache=True, nogil=True, error_model="numpy")
def weigh_two(payoff: Floats, places: Ints, lanes: int, row: Floats) -> None:
    """Player one's weights on a basis of two; see :func:`weigh_any`."""
    i, j, k, l = places[0], places[1], places[2], places[3]
    for q in range(lanes):
        a, b, c, d = payoff[i, q], payoff[j, q], payoff[k, q], payoff[l, q]
        x = (a - b) / ((a - b) + (d - c))
        row[0, q] = max(1.0 - x, 0.0)
        row[1, q] = max(x, 0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def weigh_three(payoff: Floats, places: Ints, lanes: int, row: Floats) -> None:
    """Player one's weights on a basis of three, by cofactors; see :func:`weigh_any`."""
    p0, p1, p2 = places[0], places[1], places[2]
    p3, p4, p5 = places[3], places[4], places[5]
    p6, p7, p8 = places[6], places[7], places[8]
    for q in range(lanes):
        base = payoff[p0, q]
        c1, c2 = payoff[p1, q] - base, payoff[p2, q] - base
        e11, e12 = payoff[p4, q] - payoff[p3, q] - c1, payoff[p5, q] - payoff[p3, q] - c2
        e21, e22 = payoff[p7, q] - payoff[p6, q] - c1, payoff[p8, q] - payoff[p6, q] - c2
        scale = 1.0 / (e12 * e21 - e11 * e22)
        x1, x2 = (e22 * c1 - e21 * c2) * scale, (e11 * c2 - e12 * c1) * scale
        row[0, q] = max(1.0 - x1 - x2, 0.0)
        row[1, q] = max(x1, 0.0)
        row[2, q] = max(x2, 0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def weigh_four(payoff: Floats, places: Ints, lanes: int, row: Floats) -> None:
    """Player one's weights on a basis of four, by cofactors; see :func:`weigh_any`."""
    p0, p1, p2, p3 = places[0], places[1], places[2], places[3]
    p4, p5, p6, p7 = places[4], places[5], places[6], places[7]
    p8, p9, p10, p11 = places[8], places[9], places[10], places[11]
    p12, p13, p14, p15 = places[12], places[13], places[14], places[15]
    for q in range(lanes):
        base = payoff[p0, q]
        c1, c2, c3 = payoff[p1, q] - base, payoff[p2, q] - base, payoff[p3, q] - base
        r1, r2, r3 = payoff[p4, q], payoff[p8, q], payoff[p12, q]
        e11, e12, e13 = payoff[p5, q] - r1 - c1, payoff[p6, q] - r1 - c2, payoff[p7, q] - r1 - c3
        e21, e22, e23 = payoff[p9, q] - r2 - c1, payoff[p10, q] - r2 - c2, payoff[p11, q] - r2 - c3
        e31, e32, e33 = payoff[p13, q] - r3 - c1, payoff[p14, q] - r3 - c2, payoff[p15, q] - r3 - c3
        # f_ij is the cofactor of e_ij.
        f11, f12, f13 = e22 * e33 - e23 * e32, e23 * e31 - e21 * e33, e21 * e32 - e22 * e31
        f21, f22, f23 = e13 * e32 - e12 * e33, e11 * e33 - e13 * e31, e12 * e31 - e11 * e32
        f31, f32, f33 = e12 * e23 - e13 * e22, e13 * e21 - e11 * e23, e11 * e22 - e12 * e21
        scale = -1.0 / (e11 * f11 + e12 * f12 + e13 * f13)
        x1 = (f11 * c1 + f12 * c2 + f13 * c3) * scale
        x2 = (f21 * c1 + f22 * c2 + f23 * c3) * scale
        x3 = (f31 * c1 + f32 * c2 + f33 * c3) * scale
        row[0, q] = max(1.0 - x1 - x2 - x3, 0.0)
        row[1, q] = max(x1, 0.0)
        row[2, q] = max(x2, 0.0)
        row[3, q] = max(x3, 0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def weigh_few(payoff: Floats, places: Ints, size: int, lanes: int, row: Floats) -> None:
    """Player one's weights on a basis of at most four."""
    if size == 1:
        for q in range(lanes):
            row[0, q] = 1.0
    elif size == 2:
        weigh_two(payoff, places, lanes, row)
    elif size == 3:
        weigh_three(payoff, places, lanes, row)
    else:
        weigh_four(payoff, places, lanes, row)


@njit(cache=True, nogil=True, error_model="numpy")
def weigh_any(
    payoff: Floats, places: Ints, size: int, lanes: int, work: Floats, row: Floats, column: Floats
) -> None:
    """The weights that make each other indifferent on a basis, negative ones set to zero.

    With E_ij = X_ij − X_i0 − X_0j + X_00 on the basis, i, j ≥ 1, they solve
    E y = (X_00 − X_i0)_i and xᵀE = (X_00 − X_0j)_j, and those of the first bids are what is left of
    one. Elimination goes in the order of the basis, without pivoting.

    Args:
        payoff: entries by lanes.
        places: length size² or longer; where the entries on the basis stand.
        size: of the basis, at least 2.
        lanes: how many.
        work: scratch, shape ((size − 1)², lanes) or larger.
        row: shape (size, lanes) or larger; player one's weights on return.
        column: the same for player two.
    """
    d = size - 1
    base = places[0]
    for a in range(d):
        e, f = places[(a + 1) * size], places[a + 1]
        for q in range(lanes):
            column[a + 1, q] = payoff[base, q] - payoff[e, q]
        for q in range(lanes):
            row[a + 1, q] = payoff[base, q] - payoff[f, q]
    for a in range(d):
        for b in range(d):
            e, f = a * d + b, places[(a + 1) * size + b + 1]
            for q in range(lanes):
                work[e, q] = payoff[f, q] - payoff[base, q] + column[a + 1, q] + row[b + 1, q]
    for t in range(d):
        e = t * d + t
        for q in range(lanes):
            work[e, q] = 1.0 / work[e, q]
        for a in range(t + 1, d):
            f = a * d + t
            for q in range(lanes):
                work[f, q] *= work[e, q]
            for b in range(t + 1, d):
                g, h = a * d + b, t * d + b
                for q in range(lanes):
                    work[g, q] -= work[f, q] * work[h, q]
    for a in range(d):
        for b in range(a):
            e, f = a * d + b, b * d + a
            for q in range(lanes):
                column[a + 1, q] -= work[e, q] * column[b + 1, q]
            for q in range(lanes):
                row[a + 1, q] -= work[f, q] * row[b + 1, q]
        e = a * d + a
        for q in range(lanes):
            row[a + 1, q] *= work[e, q]
    for q in range(lanes):
        row[0, q] = 1.0
        column[0, q] = 1.0
    for a in range(d - 1, -1, -1):
        for b in range(a + 1, d):
            e, f = a * d + b, b * d + a
            for q in range(lanes):
                column[a + 1, q] -= work[e, q] * column[b + 1, q]
            for q in range(lanes):
                row[a + 1, q] -= work[f, q] * row[b + 1, q]
        e = a * d + a
        for q in range(lanes):
            column[a + 1, q] *= work[e, q]
        for q in range(lanes):
            row[0, q] -= row[a + 1, q]
        for q in range(lanes):
            column[0, q] -= column[a + 1, q]
    for a in range(size):
        for q in range(lanes):
            row[a, q] = max(row[a, q], 0.0)
        for q in range(lanes):
            column[a, q] = max(column[a, q], 0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def bracket_lanes(
    payoff: Floats,
    m: int,
    n: int,
    lanes: int,
    basis: Ints,
    size: int,
    work: Floats,
    places: Ints,
    row: Floats,
    column: Floats,
    lower: Floats,
    upper: Floats,
) -> None:
    """Bracket every lane by the strategies of one basis; infinitely wide where there are none.

    Args:
        payoff: shape (m·n, lanes) or larger; entry (i, j) of every lane at i·n + j.
        m: rows.
        n: columns.
        lanes: how many; fast at multiples of :data:`VECTOR`.
        basis: shape (2, size) or larger; its rows and its columns.
        size: of the basis.
        work: scratch, shape (max(size², 3), lanes) or larger.
        places: scratch, length size² or longer.
        row: shape (size, lanes) or larger; player one's weights on return, not normalised.
        column: the same for player two.
        lower: length lanes or longer; min_j (xᵀX)_j on return.
        upper: length lanes or longer; max_i (Xy)_i on return.
    """
    for a in range(size):
        for b in range(size):
            places[a * size + b] = basis[0, a] * n + basis[1, b]
    if size > 4:
        weigh_any(payoff, places, size, lanes, work, row, column)
    else:
        weigh_few(payoff, places, size, lanes, row)
        for a in range(size):
            for b in range(size):
                places[b * size + a] = basis[0, a] * n + basis[1, b]
        # Player two is player one of the transposed game; what makes bids indifferent is the same.
        weigh_few(payoff, places, size, lanes, column)
    gain, of_row, of_column = work[0], work[1], work[2]
    for j in range(n):
        for a in range(size):
            places[a] = basis[0, a] * n + j
        if j == 0:
            combine(row, payoff, places, size, lanes, lower)
        else:
            combine(row, payoff, places, size, lanes, gain)
            for q in range(lanes):
                lower[q] = min(lower[q], gain[q])
    for i in range(m):
        for a in range(size):
            places[a] = i * n + basis[1, a]
        if i == 0:
            combine(column, payoff, places, size, lanes, upper)
        else:
            combine(column, payoff, places, size, lanes, gain)
            for q in range(lanes):
                upper[q] = max(upper[q], gain[q])
    for q in range(lanes):
        of_row[q] = row[0, q]
        of_column[q] = column[0, q]
    for a in range(1, size):
        for q in range(lanes):
            of_row[q] += row[a, q]
        for q in range(lanes):
            of_column[q] += column[a, q]
    # What is not a number fails the comparisons, too.
    for q in range(lanes):
        gain[q] = lower[q] * (1.0 / of_row[q])
        gain[q] = gain[q] if of_row[q] > SMALLEST else -np.inf
        lower[q] = gain[q] if of_row[q] < LARGEST else -np.inf
    for q in range(lanes):
        gain[q] = upper[q] * (1.0 / of_column[q])
        gain[q] = gain[q] if of_column[q] > SMALLEST else np.inf
        upper[q] = gain[q] if of_column[q] < LARGEST else np.inf


@njit(cache=True, nogil=True, error_model="numpy")
def bracket_game(
    payoff: Floats,
    m: int,
    n: int,
    basis: Ints,
    size: int,
    work: Floats,
    row: Floats,
    column: Floats,
) -> tuple[float, float]:
    """:func:`bracket_lanes` for one game, given up at the first weight that is negative.

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        basis: shape (2, size) or larger.
        size: of the basis.
        work: scratch, shape (size, size) or larger.
        row: scratch, length size or longer.
        column: scratch, length size or longer.

    Returns:
        Both ends of the bracket; (−∞, ∞) where the guess is wrong.
    """
    for a in range(size):
        for b in range(size):
            work[a, b] = payoff[basis[0, a], basis[1, b]]
    base = work[0, 0]
    for a in range(1, size):
        column[a] = base - work[a, 0]
        row[a] = base - work[0, a]
    for a in range(1, size):
        for b in range(1, size):
            work[a, b] += column[a] + row[b] - base
    for t in range(1, size):
        work[t, t] = 1.0 / work[t, t]
        for a in range(t + 1, size):
            factor = work[a, t] * work[t, t]
            work[a, t] = factor
            for b in range(t + 1, size):
                work[a, b] -= factor * work[t, b]
    for a in range(1, size):
        of_row, of_column = row[a], column[a]
        for b in range(1, a):
            of_column -= work[a, b] * column[b]
            of_row -= work[b, a] * row[b]
        column[a] = of_column
        row[a] = of_row * work[a, a]
    row[0] = column[0] = 1.0
    for a in range(size - 1, -1, -1):
        of_row, of_column = row[a], column[a]
        if a > 0:
            for b in range(a + 1, size):
                of_column -= work[a, b] * column[b]
                of_row -= work[b, a] * row[b]
            of_column *= work[a, a]
            column[a] = of_column
            row[a] = of_row
            row[0] -= of_row
            column[0] -= of_column
        if not (of_row > -WEIGHT_TOLERANCE and of_column > -WEIGHT_TOLERANCE):
            return -np.inf, np.inf
    total_row = total_column = 0.0
    for a in range(size):
        row[a] = max(row[a], 0.0)
        column[a] = max(column[a], 0.0)
        total_row += row[a]
        total_column += column[a]
    if not (SMALLEST < total_row < LARGEST and SMALLEST < total_column < LARGEST):
        return -np.inf, np.inf
    lower, upper = np.inf, -np.inf
    for j in range(n):
        gain = 0.0
        for a in range(size):
            gain += row[a] * payoff[basis[0, a], j]
        lower = min(lower, gain)
    for i in range(m):
        gain = 0.0
        for a in range(size):
            gain += column[a] * payoff[i, basis[1, a]]
        upper = max(upper, gain)
    return lower * (1.0 / total_row), upper * (1.0 / total_column)


@njit(cache=True, nogil=True, error_model="numpy")
def bracket_tableau(
    payoff: Floats,
    m: int,
    n: int,
    tableau: Floats,
    in_row: Ints,
    in_column: Ints,
    row: Floats,
    column: Floats,
) -> tuple[float, float]:
    """Bracket one game by the weights in the tableau a simplex stopped at, wherever that was.

    Args:
        payoff: shape (m, n) or larger.
        m: rows.
        n: columns.
        tableau: as :func:`simplex` left it.
        in_row: likewise.
        in_column: likewise.
        row: scratch, length m or longer.
        column: scratch, length n or longer.

    Returns:
        Both ends of the bracket, always finite: without weights all bids are as likely.
    """
    for i in range(m):
        row[i] = 0.0
    for j in range(n):
        column[j] = 0.0
    total_row = total_column = 0.0
    for j in range(n):
        if in_column[j] >= n:
            row[in_column[j] - n] = max(tableau[m, j], 0.0)
            total_row += row[in_column[j] - n]
    for i in range(m):
        if in_row[i] < n:
            column[in_row[i]] = max(tableau[i, n], 0.0)
            total_column += column[in_row[i]]
    if not SMALLEST < total_row < LARGEST:
        total_row = float(m)
        for i in range(m):
            row[i] = 1.0
    if not SMALLEST < total_column < LARGEST:
        total_column = float(n)
        for j in range(n):
            column[j] = 1.0
    lower, upper = np.inf, -np.inf
    for j in range(n):
        gain = 0.0
        for i in range(m):
            gain += row[i] * payoff[i, j]
        lower = min(lower, gain)
    for i in range(m):
        gain = 0.0
        for j in range(n):
            gain += column[j] * payoff[i, j]
        upper = max(upper, gain)
    return lower / total_row, upper / total_column


class Scratch(NamedTuple):
    """What the kernels of one thread work in, for hands of k cards; see :func:`scratch`.

    Attributes:
        payoff: shape (k², LANES); the games side by side.
        work: shape (k² + 3, LANES).
        row: shape (k, LANES); player one's weights.
        column: shape (k, LANES); player two's.
        lower: length LANES.
        upper: length LANES.
        lane: length LANES; the prize set of each game.
        kept: length LANES; games left over.
        game: shape (k, k); one game.
        tableau: shape (k + 1, k + 1).
        one: length k; player one's weights in one game.
        two: length k; player two's.
        in_row: length k.
        in_column: length k.
        places: length k².
        basis: shape (2, k); a basis just found.
        guesses: shape (GUESSES, 2, k); bases that settled games of this pair of hands.
        sizes: length GUESSES; of those bases.
        masks: length GUESSES; their rows and columns as bits.
        order: length GUESSES; the order to try them in.
        known: length 1; how many there are.
        signs: length k²; of the entries of the games of this pair of hands.
        orientations: length k²; 1, −1 or 0 as a child's value counts as it is, negated, or not.
        children: length k²; lines of the layer below.
    """

    payoff: Floats
    work: Floats
    row: Floats
    column: Floats
    lower: Floats
    upper: Floats
    lane: Numbers
    kept: Numbers
    game: Floats
    tableau: Floats
    one: Floats
    two: Floats
    in_row: Ints
    in_column: Ints
    places: Ints
    basis: Ints
    guesses: Ints
    sizes: Ints
    masks: Ints
    order: Ints
    known: Ints
    signs: Floats
    orientations: Floats
    children: Numbers


def scratch(k: int) -> Scratch:
    """Room to work in for hands of k cards."""
    return Scratch(
        payoff=np.zeros((k * k, LANES)),
        work=np.zeros((k * k + 3, LANES)),
        row=np.zeros((k, LANES)),
        column=np.zeros((k, LANES)),
        lower=np.zeros(LANES),
        upper=np.zeros(LANES),
        lane=np.zeros(LANES, dtype=np.uint32),
        kept=np.zeros(LANES, dtype=np.uint32),
        game=np.zeros((k, k)),
        tableau=np.zeros((k + 1, k + 1)),
        one=np.zeros(k),
        two=np.zeros(k),
        in_row=np.zeros(k, dtype=np.int64),
        in_column=np.zeros(k, dtype=np.int64),
        places=np.zeros(k * k, dtype=np.int64),
        basis=np.zeros((2, k), dtype=np.int64),
        guesses=np.zeros((GUESSES, 2, k), dtype=np.int64),
        sizes=np.zeros(GUESSES, dtype=np.int64),
        masks=np.zeros(GUESSES, dtype=np.int64),
        order=np.arange(GUESSES),
        known=np.zeros(1, dtype=np.int64),
        signs=np.zeros(k * k),
        orientations=np.zeros(k * k),
        children=np.zeros(k * k, dtype=np.uint32),
    )


@njit(cache=True, nogil=True, error_model="numpy")
def to_front(order: Ints, at: int) -> None:
    """Move an element to the front, in place."""
    element = order[at]
    for t in range(at, 0, -1):
        order[t] = order[t - 1]
    order[0] = element


@njit(cache=True, nogil=True, error_model="numpy")
def remember(size: int, s: Scratch) -> int:
    """Put the basis in ``s.basis`` first among the guesses, and say where it is kept."""
    known = s.known[0]
    mask = 0
    for a in range(size):
        mask |= 1 << s.basis[0, a] | 1 << (s.basis[1, a] + 32)
    at = 0
    while at < known and s.masks[s.order[at]] != mask:
        at += 1
    if at == known:
        # The one that has been of no use for longest gives way.
        at = min(known, GUESSES - 1)
        s.known[0] = at + 1
    g = int(s.order[at])
    to_front(s.order, at)
    for a in range(size):
        s.guesses[g, 0, a] = s.basis[0, a]
        s.guesses[g, 1, a] = s.basis[1, a]
    s.sizes[g] = size
    s.masks[g] = mask
    return g


@njit(cache=True, nogil=True, error_model="numpy")
def settle_one(
    m: int, n: int, tolerance: float, s: Scratch, counts: Ints
) -> tuple[float, float, int]:
    """Bracket the game in ``s.game``: by a guess, by a simplex, or by whatever there is.

    Args:
        m: rows.
        n: columns.
        tolerance: width at which a bracket will do.
        s: scratch; the guess that does, if any, is moved to the front, and a new one added.
        counts: added to.

    Returns:
        Both ends of the bracket, and the guess that did or −1.
    """
    known = s.known[0]
    for at in range(min(known, TRIES)):
        g = s.order[at]
        counts[TRIED] += 1
        low, high = bracket_game(s.game, m, n, s.guesses[g], s.sizes[g], s.tableau, s.one, s.two)
        if high - low <= tolerance:
            to_front(s.order, at)
            return low, high, g
    counts[PROPOSED] += 1
    for attempt in range(2):
        size = propose(s.game, m, n, attempt > 0, s.tableau, s.in_row, s.in_column, s.basis)
        if size > 0:
            order_pivots(s.game, m, n, size, s.work, s.basis)
            low, high = bracket_game(s.game, m, n, s.basis, size, s.work, s.one, s.two)
            if high - low <= tolerance:
                return low, high, remember(size, s)
        if attempt == 0:
            counts[ROBUST] += 1
    low, high = bracket_tableau(s.game, m, n, s.tableau, s.in_row, s.in_column, s.one, s.two)
    if not high - low <= tolerance:
        counts[FAILED] += 1
    return low, high, -1


@njit(cache=True, nogil=True, error_model="numpy")
def settle_lanes(
    m: int,
    n: int,
    lanes: int,
    tolerance: float,
    s: Scratch,
    values: Floats,
    half_widths: Floats,
    counts: Ints,
) -> None:
    """Solve the games side by side in ``s.payoff``, and add what they are worth.

    Args:
        m: rows.
        n: columns.
        lanes: games.
        tolerance: width at which a bracket will do.
        s: scratch; ``s.lane`` says whose value each game is part of.
        values: a number a prize set; middles of brackets are added.
        half_widths: a number a prize set; halves of widths are added.
        counts: added to.
    """
    while lanes > 0:
        # Those in the middle are the most alike to the others.
        middle = lanes // 2
        for i in range(m):
            for j in range(n):
                s.game[i, j] = s.payoff[i * n + j, middle]
        low, high, g = settle_one(m, n, tolerance, s, counts)
        values[s.lane[middle]] += 0.5 * (low + high)
        half_widths[s.lane[middle]] += max(0.5 * (high - low), 0.0)
        together = g >= 0 and lanes > FEW
        if together:
            counts[TESTED] += lanes
            bracket_lanes(
                s.payoff, m, n, (lanes + VECTOR - 1) // VECTOR * VECTOR, s.guesses[g], s.sizes[g],
                s.work, s.places, s.row, s.column, s.lower, s.upper,
            )  # fmt: skip
        left = 0
        for q in range(lanes):
            if q == middle:
                continue
            if together and s.upper[q] - s.lower[q] <= tolerance:
                values[s.lane[q]] += 0.5 * (s.lower[q] + s.upper[q])
                half_widths[s.lane[q]] += max(0.5 * (s.upper[q] - s.lower[q]), 0.0)
            else:
                s.kept[left] = q
                left += 1
        for t in range(left):
            s.lane[t] = s.lane[s.kept[t]]
        for e in range(m * n):
            for t in range(left):
                s.payoff[e, t] = s.payoff[e, s.kept[t]]
        lanes = left


@njit(cache=True, nogil=True, error_model="numpy")
def count(kept: NDArray[np.bool_]) -> int:
    """How many are true."""
    number = 0
    for each in kept:
        number += each
    return number


@njit(cache=True, nogil=True, error_model="numpy")
def sweep_types(
    start: int,
    stop: int,
    sign: NDArray[np.int8],
    child: NDArray[np.int32],
    row_kept: NDArray[np.bool_],
    column_kept: NDArray[np.bool_],
    below: Floats,
    without: Numbers,
    joined: Numbers,
    tolerance: float,
    s: Scratch,
    values: Floats,
    half_widths: Floats,
    counts: Ints,
) -> None:
    """The values of pairs of hands start … stop − 1 for all sets of k of the prizes 1 … N.

    Sets of prizes are numbered within their size.

    Args:
        start: first pair of hands.
        stop: past the last one.
        sign: shape (H, k, k), as in :class:`~gops_exact.order_types.Layer`.
        child: shape (H, k, k), likewise.
        row_kept: shape (H, k), likewise.
        column_kept: shape (H, k), likewise.
        below: shape (H', C(N, k − 1)); the values of the layer below.
        without: shape (N, C(N − 1, k − 1)); the sets of k − 1 prizes that lack an upcard.
        joined: same shape; those sets with the upcard.
        tolerance: width at which a bracket will do, in points.
        s: scratch for hands of k cards.
        values: shape (H, C(N, k)); lines start … stop − 1 are written.
        half_widths: length C(N, k); raised to the largest mean of half the brackets' widths.
        counts: length 5; added to, see :data:`FAILED`.
    """
    k = sign.shape[1]
    upcards, sets = without.shape
    total = values.shape[1]
    widths = np.zeros(total)
    share = 1.0 / k
    for h in range(start, stop):
        m, n, entries = count(row_kept[h]), count(column_kept[h]), 0
        for i in range(k):
            for j in range(k):
                if row_kept[h, i] and column_kept[h, j]:
                    c = child[h, i, j]
                    s.signs[entries] = sign[h, i, j]
                    s.orientations[entries] = 1.0 if c > 0 else -1.0 if c < 0 else 0.0
                    s.children[entries] = max(abs(c) - 1, 0)
                    entries += 1
        line = values[h]
        for t in range(total):
            line[t] = widths[t] = 0.0
        s.known[0] = 0
        for p in range(upcards):
            for first in range(0, sets, LANES):
                lanes = min(LANES, sets - first)
                for q in range(lanes):
                    s.lane[q] = joined[p, first + q]
                for e in range(entries):
                    gain, factor, c = s.signs[e] * (p + 1), s.orientations[e], s.children[e]
                    for q in range(lanes):
                        s.payoff[e, q] = gain + factor * below[c, without[p, first + q]]
                settle_lanes(m, n, lanes, tolerance, s, line, widths, counts)
        for t in range(total):
            line[t] *= share
            half_widths[t] = max(half_widths[t], widths[t] * share)
