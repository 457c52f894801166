"""Kernels that solve one matrix game: they find strategies by the simplex method, and enclose the value in an interval.

    min_j (xᵀX)_j  ≤  value  ≤  max_i (Xy)_i        for all probability vectors x and y.

Weights w ≥ 0 are not normalised: they stand for the strategy w/Σw. They count as a strategy only if Σw is between
:data:`~gops_exact.solvers.floats.kernels.vectors.SMALLEST` and
:data:`~gops_exact.solvers.floats.kernels.vectors.LARGEST`. The proved error depends only on the interval and on
rounding, not on the final basis or on a tolerance (docs/method.md, "Floats with a proved radius").

Let X be the payoffs, scaled and shifted into [1, 3]. The tableau is that of the linear program max Σz subject
to Xz ≤ 1, z ≥ 0. Its solution is player two's strategy divided by the value; the solution of the dual is
player one's strategy divided by the value (Dantzig 1951). Slack columns are implicit: a pivot swaps the
variable of a row with the variable of a column. Variables 0 … n − 1 are player two's weights, one for each column of
the game. Variables n … n + m − 1 are the slacks of the rows of the game; they stand for player one's weights, which
are the costs of these variables in the last row of the optimal tableau.

A *basis* is a choice of equally many rows and columns of the game, which determines a strategy of each player. The
basis of a tableau consists of the game's rows whose variables belong to columns of the tableau, and of the game's
columns whose variables belong to rows of the tableau. Pivoting begins with no row and no column in the basis.
:data:`ATTEMPTS` names the rules that choose the pivots.

These arguments mean the same in all kernels of this module; L is the length of a row with its padding
(:class:`~gops_exact.solvers.floats.kernels.vectors.Scratch`):

    m, n       the numbers of rows and of columns of a game
    game       shape (m, L) or larger; the payoffs of one game, and zeros from column n on
    tableau    shape (m + 3, L) or larger, written; the tableau of one game in rows 0 … m; rows m + 1 and m + 2 are
               scratch
    variables  shape (2, max(m, n)) or larger, written; row 0 has the numbers of the variables of the tableau's m rows,
               row 1 those of its n columns
"""

import numpy as np

from gops_exact.solvers.floats.kernels import kernel, part
from gops_exact.solvers.floats.kernels.vectors import LARGEST, SMALLEST, Scratch
from gops_exact.solvers.floats.layer import Floats, Ints

ATTEMPTS = 3
"""The maximum number of attempts at a single game; an attempt with a narrow interval is the last. The first one
divides the payoffs by the largest absolute payoff. The second and the third subtract the mean of the least and the
greatest payoff before they scale. The first two pivot in the row or column of the worst infeasibility; the third pivots
by Terlaky's rule, which always ends if nothing is rounded."""

FAILED, SECOND_ATTEMPTS, SOLVED, PIVOTS, TOGETHER = range(5)
"""The indices of the counters. FAILED: games whose interval stayed wide in all attempts. SECOND_ATTEMPTS: games that
took a second attempt. SOLVED: games that were solved singly. PIVOTS: changes of basis for vectors of games side by
side. TOGETHER: vectors of games for which bases were tried, because saddle points did not solve all their games."""

TOLERANCE = 1e-11
"""The absolute value up to which an entry of a tableau may be a rounding error; actual errors are about 10⁻¹⁵. Costs
and weights of at least −TOLERANCE count as nonnegative, and a pivot must exceed TOLERANCE. No proof depends on this
constant: an interval is computed from the payoffs."""

SOLVE_SECONDS = 5e-5
"""The core time, in seconds, that the Python kernel takes to solve a game, divided by the game's number of entries.
Measured on an AMD EPYC."""


@part
def pivot(tableau: Floats, m: int, leaving: int, entering: int, variables: Ints) -> None:
    """Pivot: swap the variable of row `leaving` with the variable of column `entering`.

    Let p be the pivot, the entry in this row and column. A pivot divides the pivot row by p, and replaces p by 1/p. Let
    f be the entry of another row in the pivot column. From this row a pivot subtracts f times the new pivot row, and
    replaces f by −f/p.

    One loop without a branch does all this. Let S be the pivot row divided by p, with 1 + 1/p as its entry in the
    pivot column. The loop subtracts (p − 1)·S from the pivot row, and f·S from every other row. In the pivot column
    the results are p − (p − 1)(1 + 1/p) = 1/p and f − f·(1 + 1/p) = −f/p, as they should be.
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

    `above` and `below` are the numerators and the denominators, of length `count` or more; `sign` is 1 or −1. Only
    ratios of a nonnegative to a positive number count. If there are none, ratios of two negative numbers count. If
    there are none of these either, the result is −1. A number counts as positive above TOLERANCE, as negative below
    −TOLERANCE, and as nonnegative from −TOLERANCE on.
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
def least_variable(variables: Ints, below: Floats, count: int, sign: float) -> int:
    """Return the index c of the least variable with sign · below[c] > TOLERANCE; −1 if there is none.

    Only the indices 0 … `count` − 1 are examined. `variables` has the numbers of the variables, and `below` an entry of
    the tableau for each of them; `sign` is 1 or −1.
    """
    index = -1
    for c in range(count):
        if sign * below[c] > TOLERANCE and (index < 0 or variables[c] < variables[index]):
            index = c
    return index


@part
def choose(tableau: Floats, m: int, n: int) -> tuple[int, int]:
    """Choose the next pivot: in the worst infeasible row or column, by the ratio test of the simplex method.

    A row is infeasible if its right side, the entry in the last column, is less than −TOLERANCE. A column is infeasible
    if its cost, the entry in the last row, is less than −TOLERANCE. The worst row or column is the one in which this
    entry is least.

    Returns:
        The row and the column of the pivot; (row, −1) or (−1, column) if the ratio test finds no pivot in the worst row
        or column; (−1, −1) if nothing is infeasible.
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

    A row is infeasible if its entry in the last column is less than −TOLERANCE, a column if its entry in the last row
    is less than −TOLERANCE. The rule takes the infeasible row or column whose variable has the lowest number. In a row,
    the entries below −TOLERANCE can be the pivot; in a column, those above TOLERANCE. Of these entries, the rule takes
    the one in the column, or in the row, whose variable has the lowest number. Without rounding, the rule reaches an
    optimal basis from any other basis, though slowly.

    Args:
        tableau: shape (m + 1, n + 1) or larger; the tableau of the simplex method.
        m: the number of rows of the game.
        n: the number of columns of the game.
        variables: the numbers of the variables of the tableau's m rows, in row 0, and of its n columns, in row 1.

    Returns:
        The row and the column of the pivot; (row, −1) or (−1, column) if no entry of the infeasible row or column can
        be the pivot; (−1, −1) if nothing is infeasible, and so the basis is optimal.

    In this tableau the last row and the last column are positive, so the basis is optimal:

    >>> optimal = np.array([[0.5, 0.5, 0.3], [0.2, 0.5, 0.7], [0.1, 0.2, 0.4]])
    >>> choose_bland(optimal, 2, 2, np.array([[2, 3], [0, 1]]))
    (-1, -1)
    """
    # Take the infeasible variable with the lowest number. Then, among the variables whose entry in its row or column
    # has the sign of a pivot (negative in a row, positive in a column), take the one with the lowest number.
    leaving = least_variable(variables[0], tableau[:, n], m, -1.0)
    entering = least_variable(variables[1], tableau[m], n, -1.0)
    if leaving >= 0 and (entering < 0 or variables[0, leaving] < variables[1, entering]):
        entering = least_variable(variables[1], tableau[leaving], n, -1.0)
    elif entering >= 0:
        leaving = least_variable(variables[0], tableau[:, entering], m, 1.0)
    return leaving, entering


@part
def read_weights(tableau: Floats, m: int, n: int, variables: Ints, weights: Floats) -> None:
    """Read both players' weights off a tableau, without normalising them; set negative ones to zero.

    Row 0 of `weights`, shape (2, max(m, n)) or larger, gets player one's m weights, row 1 player two's n weights.
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
def proved_interval(game: Floats, m: int, n: int, weights: Floats) -> tuple[float, float]:
    """Return the lower and the upper end of the interval around the value that the players' weights prove.

    If player one's weights form no strategy, the lower end is −∞. If player two's weights form none, the
    upper end is ∞. `weights` has shape (3, L): row 0 has player one's weights; row 1 has player two's, and
    zeros from index n on; row 2 is scratch.
    """
    one, two, work = weights[0], weights[1], weights[2]
    length = len(work)
    # The inner loops run over whole rows with their padding, so that they become vector instructions. The padding
    # consists of zeros, which change no sum.
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
def solve_game(m: int, n: int, tolerance: float, s: Scratch, counts: Ints) -> tuple[float, float]:
    """Solve the game in ``s.game`` by the simplex method; return both ends of an interval that contains the value.

    On return ``s.surest`` holds the weights, not normalised, that gave the two ends.

    Args:
        m: the number of rows of the game.
        n: the number of columns of the game.
        tolerance: the width up to which the interval around a value counts as narrow.
        s: scratch arrays for hands of max(m, n) cards or more. The payoffs in ``s.game`` must be finite, with zeros
            from column n on.
        counts: length COUNTS, updated; the counters that are named beside :data:`FAILED`.
    """
    game, tableau, weights = s.game, s.tableau, s.weights
    surest, variables = s.surest, s.variables
    counts[SOLVED] += 1
    least, most = game[0, 0], game[0, 0]
    for i in range(m):
        for j in range(n):
            least, most = min(least, game[i, j]), max(most, game[i, j])
    middle, scale = 0.0, 1.0 / max(-least, most, SMALLEST)
    low, high = -np.inf, np.inf
    weights[:] = 0.0
    surest[:] = 0.0
    for attempt in range(ATTEMPTS):
        if attempt == 1:
            counts[SECOND_ATTEMPTS] += 1
            middle, scale = 0.5 * (least + most), 2.0 / max(most - least, SMALLEST)
        # Set up the tableau with no bid in the basis. A payoff X enters it as (X − middle) · scale + 2, which lies
        # between 1 and 3, because `scale` is one over a bound on the distance of the payoffs from `middle`. Column n
        # holds the right sides of the rows, 1 each. Row m holds the costs of the columns, −1 each.
        for i in range(m):
            for j in range(tableau.shape[1]):
                tableau[i, j] = (game[i, j] - middle) * scale + 2.0
            tableau[i, n] = 1.0
            variables[0, i] = n + i
        tableau[m] = -1.0
        tableau[m, n] = 0.0
        for j in range(n):
            variables[1, j] = j
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
        lower, upper = proved_interval(game, m, n, weights)
        # Of all attempts, keep the highest lower end and the lowest upper end. A comparison with NaN is false, so an
        # end that is NaN is ignored.
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
def solve_games(
    games: Floats,
    tolerance: float,
    s: Scratch,
    rows: Floats,
    columns: Floats,
    variables: Ints,
    counts: Ints,
) -> None:
    """Solve G games of m × n bids, one after the other.

    Args:
        games: shape (G, m, n); the payoffs.
        tolerance: the width up to which the interval around a value counts as narrow.
        s: scratch arrays for hands of max(m, n) cards or more.
        rows: shape (G, m), written; player one's probabilities.
        columns: shape (G, n), written; player two's probabilities.
        variables: shape (G, 2, max(m, n)), written; ``s.variables`` of the final tableau of each game, which determines
            the basis: row 0 has the numbers of the variables of the tableau's rows, row 1 those of its columns.
        counts: length COUNTS, updated; the counters that are named beside :data:`FAILED`.
    """
    m, n = games.shape[1], games.shape[2]
    for g in range(games.shape[0]):
        s.game[:] = 0.0
        for i in range(m):
            for j in range(n):
                s.game[i, j] = games[g, i, j]
        solve_game(m, n, tolerance, s, counts)
        for side in range(2):
            chances = columns[g] if side else rows[g]
            total = 0.0
            for bid in range(len(chances)):
                total += s.surest[side, bid]
                variables[g, side, bid] = s.variables[side, bid]
            for bid in range(len(chances)):
                # If the weights form no strategy, use the uniform one: any strategy gives a valid interval.
                usable = SMALLEST < total < LARGEST
                chances[bid] = s.surest[side, bid] / total if usable else 1.0 / len(chances)
