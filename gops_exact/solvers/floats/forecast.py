"""Chances of a win, a draw and a loss if both players play optimally for a win.

The value of a game is the chance of a win less the chance of a loss. All optimal strategies have this value,
but they may differ in the chance of a draw. Where a position has several optimal strategies, the chance of a
draw depends on which of them are played.

In exact numbers, the least and the greatest chance of a draw are computed, over all pairs of strategies that
are optimal at every position. The strategies at different positions are chosen independently. At one position
the chance of a draw is linear in the strategy of each player. So it is least, and greatest, for a pair of
extreme optimal strategies, and only such pairs are tried.

Games that take too long in exact numbers are computed in floats, for one pair of strategies. At a position,
the pair is the first saddle point or, if there is no saddle point, the result of the simplex. The strategies
are nearly optimal; the chance of a draw is computed for exactly these strategies, so its only error is
rounding. `lacking` bounds how much less than the value they guarantee. For each round it adds the widest
bracket, the rounding errors of the brackets, and twice the error bound of the values (once for each player).
"""

from collections.abc import Callable, Sequence
from itertools import product
from math import isfinite
from pathlib import Path
from types import FunctionType

import numpy as np
from flint import fmpq

from gops_exact.base.arguments import MOST_JOBS, function, positive_integer
from gops_exact.base.pools import in_order
from gops_exact.base.progress import Progress, descent, part_of, tracked
from gops_exact.game.game import Game, Node, Position, Turn, as_game, checked_position, turns
from gops_exact.game.order_types import LONGEST, Layer, relabelled
from gops_exact.game.rules import Hand, Rules
from gops_exact.matrix_game.solve import extreme_strategies
from gops_exact.numbers import view
from gops_exact.solvers.cost import check_outcomes
from gops_exact.solvers.exact.by_prizes import ByPrizes
from gops_exact.solvers.exact.lattice import average
from gops_exact.solvers.floats.kernels.choice import quickest
from gops_exact.solvers.floats.kernels.draws import OPEN, draw_chances
from gops_exact.solvers.floats.kernels.settle import scratch
from gops_exact.solvers.floats.layer import (
    COUNTS,
    FloatLayer,
    Floats,
    columns_below,
    layer_counts,
    no_cards,
    unit_of,
)
from gops_exact.solvers.floats.sweep import INFLATE, float_layers, gamma
from gops_exact.solvers.solution import Chances, Exact, FloatOutcomes, Outcomes
from gops_exact.solvers.store import store_path

PYTHON_SECONDS = 3e-4
"""Core time of a game whose chance of a draw is computed by a kernel that is not compiled."""

BLOCK = 64
"""The number of pairs of hands in a task of a thread."""


class Forecaster:
    """Solver for the exact outcomes of positions; each position is computed only once.

    Args:
        store: file to take values from, as in :func:`gops_exact.solver`.
        progress: progress(done, total), both estimated. For each position that is passed to :meth:`outcomes`,
            progress is reported once for its values, then again for its chances.
        force: begin even if the computation takes hours.

    >>> start = Position.start(4, Rules("win"))
    >>> print(Forecaster().outcomes(start).draw.least)
    1684959767/2631497400
    """

    def __init__(
        self,
        *,
        store: str | Path | None = None,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        function(progress, "progress")
        self._solver = ByPrizes(Exact(), store=store_path(store), progress=progress, force=force)
        self._progress, self._force = progress, force
        self._known: dict[tuple[Rules, Hand, Hand, Node], Sequence[fmpq]] = {}

    def outcomes(self, position: Position | str) -> Outcomes:
        """Return the outcomes of a position, with or without a prize turned up.

        Raises:
            ValueError: if the objective is points, or the computation takes more than minutes and `force` is
                off.
        """
        position = checked_position(position)
        _check_winning(position.rules)
        check_outcomes(position.size, force=self._force, name="cards a side")
        # Cards chosen in a round: two bids and, unless it is known, the prize
        choices = 2 if position.rules.fixed else 3
        self._computed = descent(self._progress, choices, position.size)
        self._size = position.size
        value, *draw = map(view, self._outcomes(position))
        self._computed(0)
        return Outcomes(value, Chances(*draw))

    def _outcomes(self, position: Position) -> Sequence[fmpq]:
        """Return the value, and the least and the greatest chance of a draw."""
        if position.decided is not None:
            level = fmpq(int(position.decided == 0))
            return fmpq(position.decided), level, level
        if position.upcard is not None:
            return self._game(position)
        key = position.rules, *relabelled(position.one, position.two), position.node
        if key not in self._known:
            games = [(times, self._game(following)) for times, following in position.turns()]
            self._known[key] = mean(games)
            self._computed(self._size - position.size)
        return self._known[key]

    def _game(self, position: Position) -> Sequence[fmpq]:
        value, rows, columns = extreme_strategies(self._solver.payoff_matrix(position))
        draws = position.rules.draws(position.prizes)
        if position.upcard is not None:
            draws = [draw for draw in draws if draw.upcard == position.upcard]
        # {indices of both bids: the outcomes after the round}, computed only for bids that are played.
        after: dict[tuple[int, int], Sequence[fmpq]] = {}
        least, greatest = [], []
        for row, column in product(rows, columns):
            pairs = [
                (i, j, row[i] * column[j])
                for i, j in np.ndindex(len(row), len(column))
                if row[i] and column[j]
            ]
            for i, j, _ in pairs:
                if (i, j) not in after:
                    bids = position.one[i], position.two[j]
                    games = [(draw.times, position.after(*bids, draw.upcard)) for draw in draws]
                    after[i, j] = mean(
                        [(times, self._outcomes(following)) for times, following in games]
                    )
            least.append(sum((p * after[i, j][1] for i, j, p in pairs), fmpq(0)))
            greatest.append(sum((p * after[i, j][2] for i, j, p in pairs), fmpq(0)))
        return value, min(least), max(greatest)


def mean(games: Sequence[tuple[int, Sequence[fmpq]]]) -> list[fmpq]:
    """Return the weighted mean of sequences, number by number; `games` holds pairs (weight, numbers)."""
    times = [count for count, _ in games]
    return [
        average(column, times) for column in zip(*(numbers for _, numbers in games), strict=True)
    ]


def float_outcomes(
    game: Game | int, *, jobs: int = 1, progress: Progress | None = None
) -> FloatOutcomes:
    """Compute in floats the chance of a draw if both players play optimally for a win.

    Args:
        game: the game; its objective must be to win.
        jobs: threads.
        progress: progress(done, total).

    Raises:
        ValueError: if the objective is points.

    >>> outcomes = float_outcomes(Game(4, Rules("win")))
    >>> round(outcomes.draws[3], 9), outcomes.lacking < 1e-12
    (0.605714286, True)
    """
    game = as_game(game, LONGEST, any_deck=False)
    rules, n = game.rules, game.n
    _check_winning(rules)
    jobs = positive_integer(jobs, "jobs", MOST_JOBS)
    function(progress, "progress")
    games_of = layer_counts(game)[2]
    whole, drawn = sum(games_of), 0
    kernel = quickest(draw_chances, PYTHON_SECONDS * whole)
    if progress is not None and whole:
        progress(0, whole)
    reached, lacking = rules.states(game.prizes), 0.0
    below = no_cards(columns_below(game).at(0))
    draws = np.zeros(below.values.shape)

    for layer in float_layers(game, jobs=jobs):
        nodes = [Node(prizes, state) for prizes in layer.columns.sets for state in reached[prizes]]
        games = [turns(rules, node) for node in nodes]
        # Chances of a draw take twice as long as the values, of which no progress is reported.
        part = part_of(progress, drawn, games_of[layer.size], whole)
        chances_of, gap = _draws(kernel, game.types[layer.size], games, below, draws, jobs, part)
        drawn += games_of[layer.size]
        draws = np.full(layer.values.shape, np.nan)
        draws[:, [layer.columns.column(*node) for node in nodes]] = chances_of
        lacking += gap + _rounding(layer.size) + 2.0 * float(layer.bounds.max())
        below = layer
    first = [[turn] for turn in game.turns.values()]
    chances_of, gap = _draws(kernel, game.types[-1], first, below, draws, jobs)
    chances = dict(zip(game.upcards, chances_of[0].tolist(), strict=True))
    lacking = (lacking + gap + _rounding(n)) * INFLATE
    if not isfinite(lacking):
        raise ArithmeticError(f"a game of {n} cards could not be solved in floats")
    return FloatOutcomes(n, rules, chances, lacking)


def _rounding(k: int) -> float:
    """Bound the total rounding error in the guarantees of both strategies, for k cards a side.

    For each player, k roundings occur in a payoff, 2k + 2 in a bracket, and k in normalising the weights. The
    bound counts 4k + 8 roundings, 6 more than these. Payoffs are at most 1.
    """
    return 2.0 * gamma(4 * k + 8)


def _draws(
    kernel: Callable[..., float],
    layer: Layer,
    games: Sequence[Sequence[Turn]],
    below: FloatLayer,
    draws: Floats,
    jobs: int,
    progress: Progress | None = None,
) -> tuple[Floats, float]:
    """Compute the chance of a draw for every pair of hands and every list of matrix games.

    Args:
        kernel: :func:`~gops_exact.solvers.floats.kernels.draws.draw_chances`, compiled or not.
        layer: the pairs of hands.
        games: lists of the matrix games that may come next at a node; the chance is the mean over a list.
        below: the values of the layer below.
        draws: the chances of a draw in the layer below, shaped as its values.
        jobs: threads.
        progress: progress(done, total), in games.

    Returns:
        The chances, shape (H, lists), and the widest bracket of a game's value.
    """
    shape = len(games), len(games[0]), len(games[0][0].stakes), 3
    decided, column, mirrored = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for index in np.ndindex(shape):
        g, t, s, winner = index
        _, outcomes = games[g][t].stakes[s]
        outcome = outcomes[winner]
        decided[index] = OPEN if outcome.decided is None else outcome.decided
        if outcome.decided is None:
            column[index] = below.columns.column(*outcome.node)
            mirrored[index] = below.columns.column(*outcome.mirrored)
    chances = np.zeros((len(layer), len(games)))

    def solve(start: int) -> float:
        part = layer.part(slice(start, start + BLOCK))
        return float(
            kernel(
                part.sign,
                part.child,
                part.row_kept,
                part.column_kept,
                decided,
                column,
                mirrored,
                below.values,
                unit_of(below.values),
                draws,
                chances[start : start + BLOCK],
                scratch(layer.size),
                np.zeros(COUNTS, dtype=np.int64),
            )
        )

    starts = range(0, len(layer), BLOCK)
    # With no pairs of hands, this call only compiles the kernel, in this thread: an interrupt reaches it.
    solve(len(layer))
    gaps = map(solve, starts) if isinstance(kernel, FunctionType) else in_order(jobs, solve, starts)
    return chances, max(next(gaps) for _ in tracked(starts, progress))


def _check_winning(rules: Rules) -> None:
    if not rules.winning:
        raise ValueError(f"outcomes are of objective win, got objective {rules.objective}")
