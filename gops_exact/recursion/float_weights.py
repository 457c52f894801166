"""The weights of a basis in many games at once.

Games stand side by side as the *lanes* of an array, entries by lanes, and every step is one loop
over lanes that the compiler turns into vector instructions.
"""

from numba import njit

from gops_exact.recursion.float_simplex import Floats, Ints


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
