"""Compute in floats how often the game is won and drawn if both players play optimally for a win, by upcard
and over all of them, as CSV.

    python studies/draws.py --n 10 --out results/win/outcomes_n10_float.csv       # four minutes of one core

Where a position has several optimal strategies, the chance of a draw depends on which of them are played.
``gops-exact outcomes`` computes the least and the greatest chance, exactly, of up to seven cards. Here one pair
of strategies is taken at each position: the first saddle point or, if there is none, the result of the simplex.
The strategies are nearly optimal; the chance of a draw is computed for exactly these strategies, so its only
error is rounding. The column ``lacking`` bounds how much less than the value they guarantee, in wins less losses.
For each round it adds the widest interval, the rounding errors of the intervals, and twice the error bound of the
values (once for each player).
"""

import sys
from collections.abc import Sequence
from math import isfinite
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from script import run_script

from gops_exact.base.machine import available_cores
from gops_exact.base.pools import in_order
from gops_exact.base.progress import Progress, part_of, progress_bar, tracked
from gops_exact.base.writing import csv_lines
from gops_exact.commands.options import Options, Parser, output
from gops_exact.game.game import Game, PrizeState, StageGame, stage_games
from gops_exact.game.order_types import Layer
from gops_exact.game.rules import upcard_name
from gops_exact.numbers.digits import upwards
from gops_exact.solvers.floats.kernels import part
from gops_exact.solvers.floats.kernels.compilation import compiled
from gops_exact.solvers.floats.kernels.single import solve_game
from gops_exact.solvers.floats.kernels.vectors import Scratch, scratch
from gops_exact.solvers.floats.layer import (
    COUNTS,
    NARROW,
    FloatLayer,
    Floats,
    Ints,
    columns_below,
    layer_counts,
    no_cards,
    unit_of,
)
from gops_exact.solvers.floats.sweep import INFLATE, float_layers, gamma

COLUMNS = ("upcard", "win", "draw", "lacking")

BLOCK = 64
"""The number of pairs of hands in a task of a thread."""

OPEN = 2
"""The mark of a round that leaves the game undecided; −1, 0 and 1 are the values of decided games."""


@part
def saddle(payoff: Floats, m: int, n: int) -> int:
    """Return i·n + j for an entry (i, j) that is smallest in its row and largest in its column, else −1."""
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
def strategies(m: int, n: int, tolerance: float, s: Scratch, counts: Ints) -> float:
    """Find a pair of optimal strategies of the game in ``s.game``, pure ones if there is a saddle point.

    The strategies are written to ``s.surest``, with the sum 1. Arguments are those of
    :func:`~gops_exact.solvers.floats.kernels.single.solve_game`.

    Returns:
        The width of the interval: player two's guarantee less player one's.
    """
    entry = saddle(s.game, m, n)
    if entry >= 0:
        s.surest[:] = 0.0
        s.surest[0, entry // n], s.surest[1, entry % n] = 1.0, 1.0
        return 0.0
    low, high = solve_game(m, n, tolerance, s, counts)
    for weights in s.surest:
        total = 0.0
        for weight in weights:
            total += weight
        for bid in range(len(weights)):
            weights[bid] /= total
    return high - low


@part
def draw_chances(
    sign: NDArray[np.int8],
    child: NDArray[np.int32],
    row_kept: NDArray[np.bool_],
    column_kept: NDArray[np.bool_],
    decided: Ints,
    column: Ints,
    mirrored: Ints,
    values: Floats | NDArray[np.int32],
    unit: float,
    draws: Floats,
    chances: Floats,
    room: Scratch,
    counts: Ints,
) -> float:
    """Compute the chance of a draw for every pair of hands and every list of games: the mean over the list.

    The first four arguments are arrays of a :class:`~gops_exact.game.order_types.Layer`.

    Args:
        sign: shape (H, k, k); the winner of the round.
        child: shape (H, k, k); the reference to the pair of hands after the round.
        row_kept: shape (H, k); true for the bids of player one that are kept.
        column_kept: shape (H, k); true for the bids of player two that are kept.
        decided: shape (lists, stage games, stakes, 3); the value of a decided round, or :data:`OPEN`. The last axis
            is the winner of the round: nobody, player one, player two.
        column: shape (lists, stage games, stakes, 3); the column in `values` and `draws` of the prize state after the
            round.
        mirrored: shape (lists, stage games, stakes, 3); the column of this prize state with the players swapped.
        values: shape (H', W'); the values of the layer below, wins less losses, as multiples of `unit`.
        unit: the unit of the values.
        draws: shape (H', W'); the chances of a draw in the layer below.
        chances: shape (H, lists), written; the chances of a draw.
        room: scratch for hands of k cards.
        counts: the counters of :mod:`~gops_exact.solvers.floats.kernels.single`, added to.

    Returns:
        The widest interval of a game's value.
    """
    k = sign.shape[1]
    lists, stages, stakes = decided.shape[:3]
    drawn, rows, columns = room.square, room.row_at, room.column_at
    one, two = room.surest[0], room.surest[1]
    widest = 0.0
    for h in range(sign.shape[0]):
        m = n = 0
        for i in range(k):
            if row_kept[h, i]:
                rows[m] = i
                m += 1
            if column_kept[h, i]:
                columns[n] = i
                n += 1
        room.game[:] = 0.0
        for g in range(lists):
            total = 0.0
            for t in range(stages):
                for i in range(m):
                    for j in range(n):
                        winner, line = sign[h, rows[i], columns[j]], child[h, rows[i], columns[j]]
                        # An entry is the mean over the stakes of a stage game: one stake for each prize if prizes
                        # are hidden, else a single stake. No reference is 0, since equal hands are kept in
                        # games to win.
                        value = draw = 0.0
                        for s in range(stakes):
                            known = decided[g, t, s, winner]
                            if known != OPEN:
                                value += known
                                draw += known == 0
                            elif line > 0:
                                at = column[g, t, s, winner]
                                value += values[line - 1, at] * unit
                                draw += draws[line - 1, at]
                            else:
                                at = mirrored[g, t, s, winner]
                                value -= values[-line - 1, at] * unit
                                draw += draws[-line - 1, at]
                        room.game[i, j], drawn[i, j] = value / stakes, draw / stakes
                widest = max(widest, strategies(m, n, NARROW, room, counts))
                for i in range(m):
                    for j in range(n):
                        if one[i] * two[j] > 0.0:
                            total += one[i] * two[j] * drawn[i, j]
            chances[h, g] = total / stages
    return widest


def main(words: list[str]) -> int:
    """Run the script with the words of its command line; return the exit status."""
    return run_script(__file__, str(__doc__), add_arguments, run, words)


def add_arguments(parser: Parser) -> None:
    """Declare the options."""
    parser.share("-n --n")
    parser.add_rules(objectives=("win",))
    parser.share("--out")


def run(options: Options) -> None:
    """Print a row for each upcard and, if there are several, a row for the mean over them."""
    draws, lacking = draws_and_lacking(options.game, available_cores(), progress_bar())
    if len(draws) > 1:
        draws["all"] = sum(draws.values()) / len(draws)
    # Both players hold the same cards, so their chances of a win are equal.
    rows = [
        (name, f"{(1 - draw) / 2:.12f}", f"{draw:.12f}", upwards(lacking))
        for name, draw in draws.items()
    ]
    columns = {name: itemgetter(index) for index, name in enumerate(COLUMNS)}
    with output(options.out) as file:
        file.writelines(csv_lines(columns, rows))


def draws_and_lacking(
    game: Game, jobs: int = 1, progress: Progress | None = None
) -> tuple[dict[str, float], float]:
    """Return the chance of a draw for each upcard, and a bound on what either strategy lacks.

    Args:
        game: the game; its objective must be to win, and its deck the prizes 1 … n.
        jobs: threads.
        progress: progress(done, total).
    """
    rules, n = game.rules, game.n
    games_of = layer_counts(game)[2]
    whole, drawn = sum(games_of), 0
    reached, lacking = rules.states(game.prizes), 0.0
    below = no_cards(columns_below(game).at(0))
    draws = np.zeros(below.values.shape)
    for layer in float_layers(game, jobs=jobs):
        prize_states = [
            PrizeState(prizes, state) for prizes in layer.columns.sets for state in reached[prizes]
        ]
        games = [stage_games(rules, prize_state) for prize_state in prize_states]
        # Chances of a draw take twice as long as the values, of which no progress is reported.
        reported = part_of(progress, drawn, games_of[layer.size], whole)
        chances, gap = _draws(game.types[layer.size], games, below, draws, jobs, reported)
        drawn += games_of[layer.size]
        draws = np.full(layer.values.shape, np.nan)
        draws[:, [layer.columns.column(*prize_state) for prize_state in prize_states]] = chances
        lacking += gap + _rounding(layer.size) + 2.0 * float(layer.bounds.max())
        below = layer
    first = [[stage] for stage in game.stage_games.values()]
    chances, gap = _draws(game.types[-1], first, below, draws, jobs)
    lacking = (lacking + gap + _rounding(n)) * INFLATE
    if not isfinite(lacking):
        raise ArithmeticError(f"a game of {n} cards could not be solved in floats")
    return dict(zip(map(upcard_name, game.upcards), chances[0].tolist(), strict=True)), lacking


def _rounding(k: int) -> float:
    """Bound the total rounding error in the guarantees of both strategies, for k cards a side.

    For each player, k roundings occur in a payoff, 2k + 2 in an interval, and k in normalising the weights. The
    bound counts 4k + 8 roundings, 6 more than these. Payoffs are at most 1.
    """
    return 2.0 * gamma(4 * k + 8)


def _draws(
    layer: Layer,
    games: Sequence[Sequence[StageGame]],
    below: FloatLayer,
    draws: Floats,
    jobs: int,
    progress: Progress | None = None,
) -> tuple[Floats, float]:
    """Compute the chance of a draw for every pair of hands and every list of matrix games.

    Args:
        layer: the pairs of hands.
        games: lists of the matrix games that may come next at a prize state; the chance is the mean over a list.
        below: the values of the layer below.
        draws: the chances of a draw in the layer below, shaped as its values.
        jobs: threads.
        progress: progress(done, total), in games.

    Returns:
        The chances, shape (H, lists), and the widest interval of a game's value.
    """
    shape = len(games), len(games[0]), len(games[0][0].stakes), 3
    decided, column, mirrored = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for index in np.ndindex(shape):
        g, t, s, winner = index
        _, outcomes = games[g][t].stakes[s]
        outcome = outcomes[winner]
        decided[index] = OPEN if outcome.decided is None else outcome.decided
        if outcome.decided is None:
            column[index] = below.columns.column(*outcome.prize_state)
            mirrored[index] = below.columns.column(*outcome.mirrored)
    chances = np.zeros((len(layer), len(games)))

    def solve(start: int) -> float:
        block = layer.part(slice(start, start + BLOCK))
        return compiled(draw_chances)(
            block.sign,
            block.child,
            block.row_kept,
            block.column_kept,
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

    starts = range(0, len(layer), BLOCK)
    # With no pairs of hands, this call only compiles the kernel, in this thread: an interrupt reaches it.
    solve(len(layer))
    gaps = in_order(jobs, solve, starts)
    return chances, max(next(gaps) for _ in tracked(starts, progress))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
