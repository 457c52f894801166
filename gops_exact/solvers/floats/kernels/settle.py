"""Kernels that settle one matrix game: they find strategies by the simplex method, and bracket the value.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

Weights w ≥ 0 are not normalised: they stand for the strategy w/Σw. They count as a strategy only if Σw is above
:data:`~gops_exact.solvers.floats.kernels.vectors.SMALLEST`. The proved error depends only on the bracket and on
rounding, not on the final basis or on a tolerance (docs/method.md, "Floats with a proved radius").

Let X be the payoffs, scaled and shifted into [1, 3]. The tableau is that of the linear program max Σz subject
to Xz ≤ 1, z ≥ 0. Its solution is player two's strategy divided by the value; the solution of the dual is
player one's strategy divided by the value (Dantzig 1951). Slack columns are implicit: a pivot swaps the
variable of a row with the variable of a column. Variables 0 … n − 1 are player two's weights, n … n + m − 1
player one's (the slacks).

Pivoting begins with no bid in the basis. Each pivot removes the worst infeasibility of a row or column.

Arguments of one name are the same in all kernels here; L is the padded length of a row:

    m, n       rows and columns of a game
    game       shape (m, L) or larger; the payoffs of one game, and zeros beyond column n
    tableau    shape (m + 3, L) or larger; the tableau of one game; the last two rows are scratch
    variables  shape (2, max(m, n)) or larger, written; the variables of the rows and of the columns
"""

from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from gops_exact.solvers.floats.kernels import kernel, part
from gops_exact.solvers.floats.kernels.vectors import LARGEST, SMALLEST, VECTOR, aligned
from gops_exact.solvers.floats.layer import Floats, Ints

Numbers = NDArray[np.uint32]
"""Indices into arrays; unsigned, because Numba tests at each access if a signed index is negative."""

LANES = 512
"""The number of games side by side. Their payoffs should fit a core's second-level cache."""

VECTORS = LANES // VECTOR + 1
"""The distance, in vectors, from one payoff entry of the games side by side to the next entry. It is one more than
an entry has vectors. If it were a power of two, the entries of one game would compete for the same few lines of the
cache."""

ATTEMPTS = 3
"""The number of attempts at a single game. The first attempt scales the payoffs by the largest one. The second
and the third also shift the middle of the payoffs to zero. The third pivots by Terlaky's rule, which always ends."""

FAILED, ROBUST, SOLVED, PIVOTS, TOGETHER = range(5)
"""The indices of the counters, in this order: games whose bracket stayed wide; games that took a second
attempt; games solved singly; changes of basis in games side by side; vectors of games that were solved from a
basis."""

TOLERANCE = 1e-11
"""The size below which an entry of a tableau may be a rounding error; actual errors are about 10⁻¹⁵. Costs and
weights of at least −TOLERANCE count as nonnegative, and a pivot must exceed TOLERANCE. No proof depends on this
constant: a bracket is computed from the payoffs."""

SETTLE_SECONDS = 5e-5
"""Core time, in seconds for each pair of bids, of settling a game without compilation. Measured on an AMD EPYC."""


def padded(k: int) -> int:
    """Return the length of a tableau row of a game of k columns: at least k + 1, and whole vectors."""
    return (k + VECTOR) // VECTOR * VECTOR


class Scratch(NamedTuple):
    """Work arrays of the kernels of one thread, for hands of k cards.

    Each array is declared with its type and its shape, which may be a function of k. A name after the shape
    is the array with which the declared array shares its memory.
    """

    # The payoffs of the games side by side: a line for each entry of the matrix, a number for each game.
    payoff: Annotated[Floats, lambda k: (k * k, LANES + VECTOR)]
    # The memory of `payoff` as rows of one vector each.
    payoffs: Annotated[Floats, lambda k: (k * k * VECTORS, VECTOR), "payoff"]
    lane: Annotated[Numbers, (LANES,)]  # the column to which each game's value is added
    # The winner of the round in each entry, as an index into the tables of runs: 0 for player two, 1 for
    # nobody, 2 for player one. Entries stand row by row; only one of a set of interchangeable bids has
    # entries.
    sign: Annotated[Ints, lambda k: (k * k,)]
    # The *child* of an entry is the pair of hands after the round. 1 if the layer below stores the mirror image of the
    # child, 0 if it stores the child itself.
    mirrored: Annotated[Ints, lambda k: (k * k,)]
    # The factor of the stored value in the payoff: 1 for the child, −1 for its mirror image, 0 for equal hands.
    factor: Annotated[Floats, lambda k: (k * k,)]
    child: Annotated[Ints, lambda k: (k * k,)]  # the child's line in the layer below
    # The triangular factors (LU) of the payoffs of a basis, row by row. The last row has player one's weights, and
    # the last column player two's.
    table: Annotated[Floats, lambda k: ((k + 1) ** 2, VECTOR)]
    inverse: Annotated[Floats, lambda k: (k + 1, VECTOR)]  # one over each pivot
    # The weights, with negative ones set to zero.
    row: Annotated[Floats, lambda k: (k, VECTOR)]  # player one's weights
    column: Annotated[Floats, lambda k: (k, VECTOR)]  # player two's weights
    # Rows 0 and 1: the sums of `row` and of `column`. Then the gains of the columns against `row`, and of the
    # rows against `column`, not divided by these sums.
    gains: Annotated[Floats, lambda k: (2 * k + 2, VECTOR)]
    # Lower and upper ends of the brackets of the games side by side.
    lower: Annotated[Floats, (VECTORS, VECTOR)]
    upper: Annotated[Floats, (VECTORS, VECTOR)]
    low: Annotated[Floats, (VECTORS * VECTOR,), "lower"]  # `lower`, with an entry for each game
    high: Annotated[Floats, (VECTORS * VECTOR,), "upper"]  # `upper`, with an entry for each game
    basis: Annotated[Ints, lambda k: (2, k)]  # the rows and the columns of a basis
    # The distances, in rows of `payoffs`, from a game's first payoff to each row and to each column of the basis.
    row_at: Annotated[Ints, lambda k: (k,)]
    column_at: Annotated[Ints, lambda k: (k,)]
    best: Annotated[Ints, lambda k: (2, k)]  # the basis that settled most games of a vector so far
    move: Annotated[Floats, lambda k: (k,)]  # the change of the weights in a pivot, up to a factor
    square: Annotated[Floats, lambda k: (k, k)]  # the payoffs of the basis in one lane
    # The payoffs of one game, and zeros beyond its columns.
    game: Annotated[Floats, lambda k: (k, padded(k))]
    # The game's tableau; the last two rows are scratch.
    tableau: Annotated[Floats, lambda k: (k + 3, padded(k))]
    # Row 0: player one's weights in the game. Row 1: player two's weights. Row 2: scratch.
    weights: Annotated[Floats, lambda k: (3, padded(k))]
    # Row 0: the weights of player one that gave the lower end of the game's bracket. Row 1: the weights of
    # player two that gave the upper end.
    surest: Annotated[Floats, lambda k: (2, padded(k))]
    variables: Annotated[Ints, lambda k: (2, k)]  # the variables of the tableau's rows and columns


DTYPES: dict[Any, Any] = {Floats: np.float64, Ints: np.int64, Numbers: np.uint32}
"""The dtype of each type of array. It cannot be read off NumPy's types, because their form depends on NumPy's
release."""


def scratch(k: int) -> Scratch:
    """Allocate the work arrays for hands of k cards.

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
    """Set up the tableau of a game with no bid in the basis.

    Payoffs are mapped into [1, 3], and `middle` to 2: `factor` is one over a bound on the distance of payoffs
    from `middle`.
    """
    length = tableau.shape[1]
    for i in range(m):
        for j in range(length):
            tableau[i, j] = (game[i, j] - middle) * factor + 2.0
        tableau[i, n] = 1.0
    # Row m holds the costs of the columns, column n the right sides of the rows.
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

    Let p be the pivot, and S the pivot row divided by p, with 1 + 1/p as its entry in the pivot column. One
    loop without a branch subtracts a multiple of S from every row: (p − 1)·S from the pivot row, and f·S from
    a row with f in the pivot column. The pivot column then holds −f/p, and 1/p in the pivot row; the other
    entries of the pivot row are those of S.
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
    """Return the index of the least ratio above / (sign · below) among the first `count` ratios.

    Only ratios of two positive numbers count. If there are none, ratios of two negative numbers count. If
    there are none either, the result is −1. `sign` is 1 or −1.
    """
    for positive in (True, False):
        index, best = -1, np.inf
        for c in range(count):
            top, bottom = above[c], sign * below[c]
            ratio = top / bottom
            if positive:
                fits = top >= -TOLERANCE and bottom > TOLERANCE
            else:
                fits = top < -TOLERANCE and bottom < -TOLERANCE
            if fits and ratio < best:
                best, index = ratio, c
        if index >= 0:
            return index
    return -1


@part
def choose(tableau: Floats, m: int, n: int) -> tuple[int, int]:
    """Choose the next pivot: in the worst infeasible row or column, by the usual ratio test.

    Returns:
        The row and column of the pivot. One of them is −1 if the worst column or row has no pivot. Both are −1
        if nothing is infeasible.
    """
    # `worst` is not reset between the two loops: an infeasible row is chosen only if it is worse than every column.
    worst, leaving, entering = -TOLERANCE, -1, -1
    for j in range(n):
        if tableau[m, j] < worst:
            worst, entering = tableau[m, j], j
    for i in range(m):
        if tableau[i, n] < worst:
            worst, leaving = tableau[i, n], i
    if leaving >= 0:
        entering = least_ratio(tableau[m], tableau[leaving], n, -1.0)
    elif entering >= 0:
        leaving = least_ratio(tableau[:, n], tableau[:, entering], m, 1.0)
    return leaving, entering


@part
def choose_bland(tableau: Floats, m: int, n: int, variables: Ints) -> tuple[int, int]:
    """Choose the next pivot by the least-index criss-cross rule (Terlaky 1985).

    Without rounding, the rule reaches an optimal basis from any other, though slowly. The result is of the
    same form as in :func:`choose`.
    """
    # Take the infeasible variable with the lowest number. Then, in its row or column, take the variable with the
    # lowest number that allows a pivot.
    first, leaving, entering = m + n, -1, -1
    for j in range(n):
        if tableau[m, j] < -TOLERANCE and variables[1, j] < first:
            first, entering = variables[1, j], j
    for i in range(m):
        if tableau[i, n] < -TOLERANCE and variables[0, i] < first:
            first, leaving = variables[0, i], i
    first = m + n
    if leaving >= 0:
        entering = -1
        for j in range(n):
            if tableau[leaving, j] < -TOLERANCE and variables[1, j] < first:
                first, entering = variables[1, j], j
    elif entering >= 0:
        for i in range(m):
            if tableau[i, entering] > TOLERANCE and variables[0, i] < first:
                first, leaving = variables[0, i], i
    return leaving, entering


@part
def read_weights(tableau: Floats, m: int, n: int, variables: Ints, weights: Floats) -> None:
    """Read both players' weights off a tableau, not normalised; negative ones are set to zero.

    Row 0 of `weights`, shape (2, max(m, n)) or larger, gets player one's weights, row 1 player two's.
    """
    # The last row holds player one's weights, each in the column of its variable. The last column holds
    # player two's weights, each in the row of its variable. All other weights are 0.
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
def bracket_game(game: Floats, m: int, n: int, weights: Floats) -> tuple[float, float]:
    """Return the lower and the upper end of the bracket that the players' weights prove.

    If player one's weights form no strategy, the lower end is −∞. If player two's weights form none, the
    upper end is ∞. `weights` has shape (3, L): row 0 has player one's weights; row 1 has player two's, and
    zeros beyond n; row 2 is scratch.
    """
    one, two, work = weights[0], weights[1], weights[2]
    length = len(work)
    # Loops over whole padded rows become vector instructions. The padding consists of zeros, which change no sum.
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
    """Return both ends of the bracket of the game in ``s.game``.

    On return ``s.surest`` holds the weights, not normalised, that gave the two ends.

    Args:
        m: rows of the game.
        n: columns of the game.
        tolerance: the width up to which a bracket counts as narrow.
        s: scratch arrays for hands of max(m, n) cards or more. The payoffs in ``s.game`` must be finite, with zeros
            beyond column n.
        counts: length COUNTS, updated; the counters that are named beside :data:`FAILED`.
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
        bland = attempt == 2
        for _ in range((20 if bland else 4) * (m + n)):
            if bland:
                leaving, entering = choose_bland(tableau, m, n, variables)
            else:
                leaving, entering = choose(tableau, m, n)
            if leaving < 0 or entering < 0:
                break
            pivot(tableau, m, leaving, entering, variables)
        read_weights(tableau, m, n, variables, weights)
        lower, upper = bracket_game(game, m, n, weights)
        # Comparisons with NaN are false, so an end that is NaN is ignored.
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


@kernel
def settle_games(
    games: Floats,
    tolerance: float,
    s: Scratch,
    rows: Floats,
    columns: Floats,
    variables: Ints,
    counts: Ints,
) -> None:
    """Settle G games of m × n bids, one after the other.

    Args:
        games: shape (G, m, n); the payoffs.
        tolerance: the width up to which a bracket counts as narrow.
        s: scratch arrays for hands of max(m, n) cards or more.
        rows: shape (G, m), written; player one's probabilities.
        columns: shape (G, n), written; player two's probabilities.
        variables: shape (G, 2, max(m, n)), written; the variables of the last tableau's rows and columns.
        counts: length COUNTS, updated; the counters that are named beside :data:`FAILED`.
    """
    m, n = games.shape[1], games.shape[2]
    for g in range(games.shape[0]):
        s.game[:] = 0.0
        for i in range(m):
            for j in range(n):
                s.game[i, j] = games[g, i, j]
        settle_game(m, n, tolerance, s, counts)
        for side in range(2):
            chances = columns[g] if side else rows[g]
            total = 0.0
            for bid in range(len(chances)):
                total += s.surest[side, bid]
                variables[g, side, bid] = s.variables[side, bid]
            for bid in range(len(chances)):
                # If the weights form no strategy, use the uniform one: any strategy gives a valid bracket.
                usable = SMALLEST < total < LARGEST
                chances[bid] = s.surest[side, bid] / total if usable else 1.0 / len(chances)
