"""Many matrix games of one shape at once, in floats with proved intervals, or exactly.

One game after the other is solved in floats by a simplex method, the *kernel*, which Numba compiles unless there are
few games. Player one's strategy guarantees a lower bound on the value, player two's an upper bound, whatever strategies
these are; docs/method.md, "Floats with a proved radius", bounds the rounding errors of this interval. If exact
solutions are asked for, the kernel only proposes a basis for each game (equally many rows and columns), which is then
proved and evaluated exactly. A game whose proposed basis is not optimal is solved without it.
"""

from dataclasses import dataclass
from typing import Literal, overload

import numpy as np

from gops_exact.base.arguments import flag, shown
from gops_exact.matrix_game.basis import reached
from gops_exact.matrix_game.game_solution import GameSolution
from gops_exact.matrix_game.payoff import MOST
from gops_exact.matrix_game.strategies import solution_from, solve_matrix_game
from gops_exact.solvers.floats.kernels import quickest
from gops_exact.solvers.floats.kernels.single import SOLVE_SECONDS, solve_games
from gops_exact.solvers.floats.kernels.vectors import scratch
from gops_exact.solvers.floats.layer import COUNTS, NARROW, Floats, Ints
from gops_exact.solvers.floats.sweep import gamma

BLOCK = 4096
"""The maximum number of games in one call of the kernel. It is small, because an interrupt takes effect only when a call
of the compiled kernel ends."""

WIDE = 2 * NARROW
"""The width of the interval around a value, with payoffs scaled to [−1, 1], above which a game is solved again in exact
fractions."""

UNDERFLOW = 1e-300
"""Bound of the errors in a sum of products, of which some are so small that floats round them to 0."""

MOST_INTEGER = 1 << 53
"""The number 2⁵³, up to which floats represent all integers exactly."""


@dataclass(frozen=True, eq=False)
class SolvedGames:
    """Values and strategies of G matrix games of m × n bids in floats, and intervals that contain the values.

    The arrays are read-only.
    """

    value: Floats  #: shape (G,); the middle of each interval
    row: Floats  #: shape (G, m); player one's probabilities
    column: Floats  #: shape (G, n); player two's probabilities
    lower: Floats  #: shape (G,); player one's strategy, divided by its sum, gains at least this
    upper: Floats  #: shape (G,); player two's strategy, divided by its sum, loses at most this


@overload
def solve_matrix_games(payoffs: object, *, exactly: Literal[False] = False) -> SolvedGames: ...
@overload
def solve_matrix_games(payoffs: object, *, exactly: Literal[True]) -> tuple[GameSolution, ...]: ...
def solve_matrix_games(
    payoffs: object, *, exactly: bool = False
) -> SolvedGames | tuple[GameSolution, ...]:
    """Solve many zero-sum matrix games of one shape, in floats with proved intervals, or exactly.

    Args:
        payoffs: shape (G, m, n), floats of at most 64 bits, or integers from −2⁵³ to 2⁵³: player one's gain in each of
            G games for each pair of pure strategies.
        exactly: True to solve each game exactly; payoffs must then be integers, or floats without a fractional part.

    Returns:
        A :class:`SolvedGames` with arrays of values, strategies and intervals; or, if `exactly` is True, a tuple with
        the exact solution of each game.

    Raises:
        ValueError: if the payoffs have another shape or type, are not finite, are integers beyond ±2⁵³, or have
            fractional parts although `exactly` is True.

    >>> games = solve_matrix_games([[[3, -1], [1, 2]], [[0, 1], [1, 0]]])
    >>> games.value.round(12).tolist(), games.row.round(12).tolist()
    ([1.4, 0.5], [[0.2, 0.8], [0.5, 0.5]])
    >>> print(solve_matrix_games([[[3, -1], [1, 2]]], exactly=True)[0].value)
    7/5
    """
    games = _checked(payoffs)
    if flag(exactly, "exactly") and not np.array_equal(games, np.rint(games)):
        raise ValueError("payoffs must be integers where exactly is True, got fractions")
    row, column, variables, exponents = float_strategies(games)
    scaled = np.ldexp(games, -exponents[:, None, None])
    lower, upper = guarantees(scaled, scaled, row, column)
    if exactly:
        m, n = games.shape[1:]
        bases = (reached(one[:m], two[:n]) for one, two in variables.tolist())
        is_short = np.abs(games).max(initial=0.0) < MOST  # else NumPy would cast to other numbers
        whole = games.astype(np.int64) if is_short else np.vectorize(int, otypes=[object])(games)
        return tuple(map(solution_from, whole, bases))
    wide = np.flatnonzero(~(upper - lower <= WIDE))
    for index in wide:
        solution = solve_matrix_game(games[index], exactly=True)
        row[index] = list(map(float, solution.row))
        column[index] = list(map(float, solution.column))
    lower[wide], upper[wide] = guarantees(scaled[wide], scaled[wide], row[wide], column[wide])
    # Scaling back may round numbers below 10⁻³⁰⁰, so both ends are moved outward by one float. This may exceed the
    # greatest float, but no mixture of payoffs exceeds the payoffs.
    with np.errstate(over="ignore"):
        lower = np.nextafter(np.ldexp(lower, exponents), -np.inf)
        upper = np.nextafter(np.ldexp(upper, exponents), np.inf)
    lower = np.maximum(lower, games.min(axis=(1, 2)))
    upper = np.minimum(upper, games.max(axis=(1, 2)))
    arrays = np.clip(lower / 2 + upper / 2, lower, upper), row, column, lower, upper
    for array in arrays:
        array.setflags(write=False)
    return SolvedGames(*arrays)


def float_strategies(games: Floats) -> tuple[Floats, Floats, Ints, Ints]:
    """Solve G matrix games in floats, without proof.

    Args:
        games: shape (G, m, n), the payoffs.

    Returns:
        (row, column, variables, exponents): player one's probabilities, shape (G, m), and player two's, shape (G, n);
        the variables of the final tableaus, shape (G, 2, max(m, n)), as
        :func:`~gops_exact.solvers.floats.kernels.single.solve_games` writes them; and the exponents e, shape (G,), of
        the scales: the absolute payoffs of a game are less than 2ᵉ.
    """
    count, m, n = games.shape
    # A power of two rounds only results below 10⁻³⁰⁰.
    exponents = np.frexp(np.abs(games).max(axis=(1, 2)))[1].astype(np.int64)
    row, column = np.empty((count, m)), np.empty((count, n))
    variables = np.zeros((count, 2, max(m, n)), dtype=np.int64)
    solve = quickest(solve_games, SOLVE_SECONDS * games.size)
    room, counts = scratch(max(m, n)), np.zeros(COUNTS, dtype=np.int64)
    for start in range(0, count, BLOCK):
        part = slice(start, start + BLOCK)
        scaled = np.ldexp(games[part], -exponents[part, None, None])
        solve(scaled, NARROW, room, row[part], column[part], variables[part], counts)
    return row, column, variables, exponents


def guarantees(lows: Floats, highs: Floats, row: Floats, column: Floats) -> tuple[Floats, Floats]:
    """Return the lower and the upper bounds that strategies of both players prove on the values of G games.

    Bounds on the rounding errors are included.

    Args:
        lows: shape (G, m, n), lower bounds of the payoffs.
        highs: shape (G, m, n), upper bounds of the payoffs; `lows` if the payoffs are known exactly.
        row: shape (G, m), player one's strategies, which are divided by their sums.
        column: shape (G, n), player two's strategies, which are divided by their sums.

    Returns:
        The lower bounds and the upper bounds, shape (G,) each.
    """
    # `roundings` bounds the rounding errors of a guarantee, a sum of products divided by a sum of probabilities. With
    # k = max(m, n), the sum of products rounds each term at most k times, the sum of probabilities k − 1 times, and the
    # division once: 2k in all. The other 6 cover the scaling, and the subtraction or addition of the error itself.
    # UNDERFLOW covers products that are rounded to 0.
    roundings = gamma(2 * max(lows.shape[1:]) + 6)
    below, above = (
        roundings * np.abs(games).max(axis=(1, 2)) + UNDERFLOW for games in (lows, highs)
    )
    gains = np.einsum("gi,gij->gj", row, lows) / row.sum(axis=1, keepdims=True)
    losses = np.einsum("gj,gij->gi", column, highs) / column.sum(axis=1, keepdims=True)
    return gains.min(axis=1) - below, losses.max(axis=1) + above


def _checked(payoffs: object) -> Floats:
    try:
        games = np.asarray(payoffs)
    except ValueError:  # the games are of different shapes
        games = np.array(None)
    if games.ndim != 3 or not all(games.shape[1:]):
        raise ValueError(
            f"payoffs must be an array of shape (games, rows, columns), got {shown(payoffs)}"
            if games.dtype == object
            else f"payoffs must have the shape (games, rows, columns), got {games.shape}"
        )
    whole = games.dtype.kind in "iu"
    if not whole and (games.dtype.kind != "f" or games.itemsize > 8):
        raise ValueError(f"payoffs must be integers or 64-bit floats, got {games.dtype}")
    if whole and games.size and max(int(games.max()), -int(games.min())) > MOST_INTEGER:
        raise ValueError("integer payoffs must have at most 53 bits")
    floats = np.ascontiguousarray(games, dtype=np.float64)
    if not np.isfinite(floats).all() or np.ma.is_masked(payoffs):
        raise ValueError("payoffs must be finite numbers")
    return floats
