"""One matrix game, settled: strategies by the simplex, and the bracket that they prove.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

Weights w ≥ 0 are not normalised: they stand for the strategy w/Σw. The proved error depends neither on the
basis reached nor on a tolerance, only on the bracket and on rounding (docs/method.md, "Floats with a proved
radius"); :data:`~gops_exact.solvers.floats.kernels.vectors.SMALLEST` keeps Σw away from zero.

The payoffs, brought into [1, 3], are the tableau of max Σz subject to Xz ≤ 1, z ≥ 0, whose solution
is player two's strategy divided by the value, and whose dual is player one's (Dantzig 1951). Slack
columns are kept implicit: a pivot swaps the variable of a row with that of a column. Variables
0 … n − 1 are player two's weights, n … n + m − 1 player one's (the slacks).

Pivots are made from no basis on. Infeasible rows and columns are pivoted away, the worst one first.

Arguments of one name are the same in all kernels here; L is the padded length of a row:

    m, n       rows and columns of a game
    game       shape (m, L) or larger; payoffs of one game, and zeros beyond n
    tableau    shape (m + 3, L) or larger; of one game, the last two rows scratch
    variables  shape (2, max(m, n)) or larger, written; those of the rows and of the columns
"""

from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gops_exact.solvers.floats.kernels import kernel, part
from gops_exact.solvers.floats.kernels.vectors import LARGEST, SMALLEST, VECTOR, aligned
from gops_exact.solvers.floats.layer import Floats, Ints

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

TOLERANCE = 1e-11
"""Costs and weights above −this count as nonnegative, and entries of this size are no pivots."""

OPTIMAL, STUCK = -1, -2
"""Results of choosing a pivot, in place of its row."""


def padded(k: int) -> int:
    """Return the length of a row of the tableau of a game of k columns."""
    return (k + VECTOR) // VECTOR * VECTOR


class Scratch(NamedTuple):
    """Arrays that the kernels of one thread work in, for hands of k cards.

    Each is declared with its type and shape, and with the array whose memory it shares if it does.
    """

    payoff: Annotated[Floats, lambda k: (k * k, LANES + VECTOR)]  # the games side by side
    # The memory of `payoff`, a vector to a row.
    payoffs: Annotated[Floats, lambda k: (k * k * VECTORS, VECTOR), "payoff"]
    lane: Annotated[Numbers, (LANES,)]  # the column that each game's value is part of
    # The winner of the round in each entry, as an index into the tables of runs: 0, 1 or 2. Entries
    # stand row by row, interchangeable bids left out.
    sign: Annotated[Ints, lambda k: (k * k,)]
    # 1 if an entry's child is the mirror image of the pair kept, else 0.
    mirrored: Annotated[Ints, lambda k: (k * k,)]
    # The factor of the child's value: 1, −1, or 0 for equal hands.
    factor: Annotated[Floats, lambda k: (k * k,)]
    child: Annotated[Ints, lambda k: (k * k,)]  # the child's line in the layer below
    # The factors of a basis, and its weights.
    table: Annotated[Floats, lambda k: ((k + 1) ** 2, VECTOR)]
    inverse: Annotated[Floats, lambda k: (k + 1, VECTOR)]  # one over its pivots, and scratch
    row: Annotated[Floats, lambda k: (k, VECTOR)]  # player one's weights, none negative
    column: Annotated[Floats, lambda k: (k, VECTOR)]  # player two's weights
    # The sums of both; then the gains, times these, of columns against x and of rows against y.
    gains: Annotated[Floats, lambda k: (2 * k + 2, VECTOR)]
    # Lower ends of the brackets of the games side by side.
    lower: Annotated[Floats, (VECTORS, VECTOR)]
    upper: Annotated[Floats, (VECTORS, VECTOR)]  # upper ends
    low: Annotated[Floats, (VECTORS * VECTOR,), "lower"]  # the memory of `lower`
    high: Annotated[Floats, (VECTORS * VECTOR,), "upper"]  # the memory of `upper`
    basis: Annotated[Ints, lambda k: (2, k)]  # rows and columns
    row_at: Annotated[Ints, lambda k: (k,)]  # where the rows of the basis are in `payoffs`
    column_at: Annotated[Ints, lambda k: (k,)]  # where its columns are
    best: Annotated[Ints, lambda k: (2, k)]  # the basis that settled most games of a vector so far
    move: Annotated[Floats, lambda k: (k,)]  # scratch
    square: Annotated[Floats, lambda k: (k, k)]  # scratch
    game: Annotated[Floats, lambda k: (k, padded(k))]  # one game, zeros beyond its columns
    # Its tableau; the last two rows are scratch.
    tableau: Annotated[Floats, lambda k: (k + 3, padded(k))]
    # Player one's and player two's weights in the game, and scratch.
    weights: Annotated[Floats, lambda k: (3, padded(k))]
    # The weights that gave both ends of the bracket of one game.
    surest: Annotated[Floats, lambda k: (2, padded(k))]
    # The variables of the rows and of the columns of the tableau.
    variables: Annotated[Ints, lambda k: (2, k)]


DTYPES: dict[Any, Any] = {Floats: np.float64, Ints: np.int64, Numbers: np.uint32}
"""The entries of each kind of array; how NumPy writes its types hangs on its release."""


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
            arrays[name] = np.zeros(shape, DTYPES[kind])
    return Scratch(**arrays)


@part
def set_up(
    game: Floats, m: int, n: int, middle: float, factor: float, tableau: Floats, variables: Ints
) -> None:
    """Set up the tableau of a game, without a basis: the payoff `middle` becomes 2.

    `factor` is one over a bound on the payoffs' distance from there.
    """
    length = tableau.shape[1]
    for i in range(m):
        for j in range(length):
            tableau[i, j] = (game[i, j] - middle) * factor + 2.0
        tableau[i, n] = 1.0
    for j in range(length):
        tableau[m, j] = -1.0
    tableau[m, n] = 0.0
    for i in range(m):
        variables[0, i] = n + i
    for j in range(n):
        variables[1, j] = j


@part
def pivot(tableau: Floats, m: int, leaving: int, entering: int, variables: Ints) -> None:
    """Swap the variables of a row and a column.

    Every row loses a multiple of the pivot row divided by the pivot p. To need no branch, the pivot
    row loses p − 1 times that row, which leaves the row divided by p; and the entry in the pivot
    column is set to 1 + 1/p, which leaves −f/p in a row of factor f, and 1/p in the pivot row.
    """
    length = tableau.shape[1]
    scaled, factors = m + 1, m + 2
    for i in range(m + 1):
        tableau[factors, i] = tableau[i, entering]
    pivotal = tableau[leaving, entering]
    inverse = 1.0 / pivotal
    tableau[factors, leaving] = pivotal - 1.0
    for j in range(length):
        tableau[scaled, j] = tableau[leaving, j] * inverse
    tableau[scaled, entering] = 1.0 + inverse
    for i in range(m + 1):
        factor = tableau[factors, i]
        for j in range(length):
            tableau[i, j] -= factor * tableau[scaled, j]
    variables[0, leaving], variables[1, entering] = variables[1, entering], variables[0, leaving]


@part
def least_ratio(above: Floats, below: Floats, count: int, sign: float) -> int:
    """Find where above / (sign · below) is least among the first `count`; −1 if nowhere.

    Both are to be positive; if they nowhere are, both are to be negative. `sign` is 1 or −1.
    """
    for positive in (True, False):
        found, best = -1, np.inf
        for c in range(count):
            top, bottom = above[c], sign * below[c]
            ratio = top / bottom
            if positive:
                fits = top >= -TOLERANCE and bottom > TOLERANCE
            else:
                fits = top < -TOLERANCE and bottom < -TOLERANCE
            if fits and ratio < best:
                best, found = ratio, c
        if found >= 0:
            return found
    return -1


@part
def choose(tableau: Floats, m: int, n: int) -> tuple[int, int]:
    """Choose the next pivot: in the worst infeasible row or column, by the usual ratio test.

    Returns:
        Its row and column; (OPTIMAL, 0) if nothing is infeasible, (STUCK, 0) where none is found.
    """
    worst, leaving, entering = -TOLERANCE, -1, -1
    for j in range(n):
        if tableau[m, j] < worst:
            worst, entering = tableau[m, j], j
    for i in range(m):
        if tableau[i, n] < worst:
            worst, leaving = tableau[i, n], i
    if leaving < 0 and entering < 0:
        return OPTIMAL, 0
    if leaving >= 0:
        entering = least_ratio(tableau[m], tableau[leaving], n, -1.0)
    else:
        leaving = least_ratio(tableau[:, n], tableau[:, entering], m, 1.0)
    return (leaving, entering) if leaving >= 0 and entering >= 0 else (STUCK, 0)


@part
def choose_bland(tableau: Floats, m: int, n: int, variables: Ints) -> tuple[int, int]:
    """Choose as :func:`choose` does, by the least-index criss-cross rule (Terlaky 1985).

    Without rounding the rule ends from any basis, though slowly.
    """
    first, leaving, entering = m + n, -1, -1
    for j in range(n):
        if tableau[m, j] < -TOLERANCE and variables[1, j] < first:
            first, entering = variables[1, j], j
    for i in range(m):
        if tableau[i, n] < -TOLERANCE and variables[0, i] < first:
            first, leaving = variables[0, i], i
    if first == m + n:
        return OPTIMAL, 0
    first = m + n
    if leaving >= 0:
        entering = -1
        for j in range(n):
            if tableau[leaving, j] < -TOLERANCE and variables[1, j] < first:
                first, entering = variables[1, j], j
    else:
        for i in range(m):
            if tableau[i, entering] > TOLERANCE and variables[0, i] < first:
                first, leaving = variables[0, i], i
    return (leaving, entering) if first < m + n else (STUCK, 0)


@part
def solve(m: int, n: int, bland: bool, tableau: Floats, variables: Ints) -> bool:
    """Pivot a loaded tableau until nothing is infeasible; return true at an optimal basis.

    Pivots are chosen by :func:`choose_bland` if `bland`, else by :func:`choose`.
    """
    for _ in range((20 if bland else 4) * (m + n)):
        if bland:
            leaving, entering = choose_bland(tableau, m, n, variables)
        else:
            leaving, entering = choose(tableau, m, n)
        if leaving < 0:
            return leaving == OPTIMAL
        pivot(tableau, m, leaving, entering, variables)
    return False


@part
def read_weights(tableau: Floats, m: int, n: int, variables: Ints, weights: Floats) -> None:
    """Read both players' weights, not normalised; negative ones are set to zero.

    `weights` has the shape (2, max(m, n)) or larger: player one's and player two's.
    """
    for j in range(n):
        variable = variables[1, j]
        if variable >= n:
            weights[0, variable - n] = max(tableau[m, j], 0.0)
        else:
            weights[1, variable] = 0.0
    for i in range(m):
        variable = variables[0, i]
        if variable < n:
            weights[1, variable] = max(tableau[i, n], 0.0)
        else:
            weights[0, variable - n] = 0.0


@part
def saddle(payoff: Floats, m: int, n: int) -> int:
    """Return the place i·n + j of an entry smallest in its row and largest in its column, or −1."""
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
            least, most = game[0, 0], game[0, 0]
            for i in range(m):
                for j in range(n):
                    least, most = min(least, game[i, j]), max(most, game[i, j])
            middle, scale = 0.5 * (least + most), 2.0 / max(most - least, SMALLEST)
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
