"""Games side by side settled by guesses: the bases of games like them.

Neighbouring games nearly always share their optimal basis, so a basis is *guessed*, and the guess
is judged by what its strategies prove (:mod:`~gops_exact.recursion.float_bracket`). A game whose
bracket is narrow is settled, whatever the guess was. For one of those left a simplex finds the
basis, which is then the next guess for all the others. Nothing rests on the simplex, or on a
tolerance: a game is never worth more, or less, than its bracket says.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gops_exact.recursion.float_bracket import bracket_game, bracket_lanes, bracket_tableau
from gops_exact.recursion.float_simplex import Floats, Ints, order_pivots, propose

Numbers = NDArray[np.uint32]
"""Places in arrays; without a sign there is no counting from the end to allow for."""

LANES = 512
"""Games side by side. Their payoffs should fit a core's first- or second-level cache."""

VECTOR = 8
"""Lanes are worked on in multiples of this, so that no vector of numbers is left half empty."""

GUESSES = 64
"""Bases remembered for a pair of hands, most recently successful first."""

TRIES = 16
"""Guesses tried on a single game; further down the list one succeeds too seldom."""

FEW = 6
"""So many lanes or fewer are settled one by one."""

FAILED, ROBUST, PROPOSED, TRIED, TESTED = range(5)
"""Counters: games whose bracket stayed wide; where the first simplex would not do; that needed a
simplex; guesses tried on single games; lanes a guess was tried on."""

COUNTS = 5
"""How many counters there are."""


class Scratch(NamedTuple):
    """What the kernels of one thread work in, for hands of k cards; see :func:`scratch`.

    Attributes:
        payoff: shape (k², LANES); the games side by side.
        work: shape (k² + 3, LANES).
        row: shape (k, LANES); player one's weights.
        column: shape (k, LANES); player two's.
        lower: length LANES.
        upper: length LANES.
        lane: length LANES; the column that each game's value is part of.
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
def bracket_pure(
    payoff: Floats, m: int, n: int, lanes: int, work: Floats, lower: Floats, upper: Floats
) -> None:
    """Bracket every lane by its best single bids: as narrow as can be at a saddle point.

    Args:
        payoff: shape (m·n, lanes) or larger; entry (i, j) of every lane at i·n + j.
        m: rows.
        n: columns.
        lanes: how many.
        work: scratch, length lanes or longer.
        lower: length lanes or longer; max_i min_j X_ij on return.
        upper: length lanes or longer; min_j max_i X_ij on return.
    """
    for i in range(m):
        worst = lower if i == 0 else work
        for q in range(lanes):
            worst[q] = payoff[i * n, q]
        for j in range(1, n):
            for q in range(lanes):
                worst[q] = min(worst[q], payoff[i * n + j, q])
        if i > 0:
            for q in range(lanes):
                lower[q] = max(lower[q], worst[q])
    for j in range(n):
        best = upper if j == 0 else work
        for q in range(lanes):
            best[q] = payoff[j, q]
        for i in range(1, m):
            for q in range(lanes):
                best[q] = max(best[q], payoff[i * n + j, q])
        if j > 0:
            for q in range(lanes):
                upper[q] = min(upper[q], best[q])


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
        values: a number a column, and one more; middles of brackets are added.
        half_widths: likewise; halves of widths are added.
        counts: added to.
    """
    nobody = len(values) - 1
    while lanes % VECTOR:
        s.lane[lanes] = nobody
        lanes += 1
    bracket_pure(s.payoff, m, n, lanes, s.work[0], s.lower, s.upper)
    lanes = collect(m * n, lanes, tolerance, s, values, half_widths)
    while lanes > 0:
        # Those in the middle are the most alike to the others.
        chosen = lanes // 2
        while s.lane[chosen] == nobody:
            chosen = (chosen + 1) % lanes
        for i in range(m):
            for j in range(n):
                s.game[i, j] = s.payoff[i * n + j, chosen]
        low, high, g = settle_one(m, n, tolerance, s, counts)
        values[s.lane[chosen]] += 0.5 * (low + high)
        half_widths[s.lane[chosen]] += max(0.5 * (high - low), 0.0)
        s.lane[chosen] = nobody
        if g >= 0:
            counts[TESTED] += lanes
            bracket_lanes(
                s.payoff, m, n, lanes, s.guesses[g], s.sizes[g],
                s.work, s.places, s.row, s.column, s.lower, s.upper,
            )  # fmt: skip
            lanes = collect(m * n, lanes, tolerance, s, values, half_widths)
        else:
            s.lower[:lanes] = -np.inf
            s.upper[:lanes] = np.inf
            lanes = collect(m * n, lanes, tolerance, s, values, half_widths)
