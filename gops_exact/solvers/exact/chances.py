"""Chances of a win, a draw and a loss if both players play optimally for a win, in exact numbers.

The value of a game is the chance of a win minus the chance of a loss. All optimal strategies have this value, but
they may differ in the chance of a draw. If a position has several optimal strategies, the chance of a draw depends
on which of them are played.

This module computes the least and the greatest chance of a draw over all pairs of strategies that are optimal at
every position. The strategies at different positions are chosen independently. At one position the chance of a draw
is linear in the strategy of each player. So the least and the greatest chance occur at corners of the sets of optimal
strategies, and only pairs of corners are tried.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base.arguments import flag, function
from gops_exact.base.progress import Progress, descent
from gops_exact.base.store import store_path
from gops_exact.game.game import Position, PrizeState, checked_position
from gops_exact.game.order_types import relabelled
from gops_exact.game.rules import Hand, Rules
from gops_exact.matrix_game.strategies import optimal_set
from gops_exact.numbers.exact import average
from gops_exact.numbers.kinds import view
from gops_exact.solvers.arithmetic import Exact
from gops_exact.solvers.exact.by_prizes import ByPrizes
from gops_exact.solvers.results import Chances, Outcomes

Numbers = NDArray[np.object_]
"""Exact numbers (fmpq), shape (3,)."""

MOST = 6
"""The most cards a side for which :func:`outcomes` takes no more than minutes. Larger positions must be forced."""


def outcomes(
    position: Position | str,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Outcomes:
    """Compute player one's chances of a win, a draw and a loss at a position if both players play optimally for a win.

    If a player has several optimal strategies, the chances depend on the one that is played.

    Args:
        position: the position or its name, with the objective ``win``, before or after a prize is turned up.
        store: the file from which values are read, if it exists; ``":memory:"`` for none; None for
            ``$GOPS_EXACT_STORE``, or else a file in the user's cache directory.
        progress: called as progress(done, total); both numbers are estimates.
        force: True to begin even if the estimated time is hours.

    Returns:
        The least and the greatest chance of each result over all optimal strategies, as exact numbers.

    Raises:
        ValueError: if the objective is points, if `position` is neither a position nor the name of one, or if `force`
            is False and the position has more than :data:`MOST` cards a side.
        StoreError: if the store cannot be used.

    >>> chances = outcomes(Position([1, 3], [2, 3], [2, 3], rules=Rules("win"), margin=1))
    >>> chances.value, chances.win, chances.draw
    (-1/3, Chances(least=1/9, greatest=1/9), Chances(least=4/9, greatest=4/9))
    """
    (answer,) = outcomes_at([position], store=store, progress=progress, force=force)
    return answer


def outcomes_at(
    positions: Iterable[Position | str],
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Iterator[Outcomes]:
    """Yield player one's chances of a win, a draw and a loss at each of several positions with the objective ``win``.

    A position that can follow from several of them is computed only once.

    Args:
        positions: the positions or their names, before or after a prize is turned up.
        store: the file from which values are read, if it exists; ``":memory:"`` for none; None for the default file.
        progress: called as progress(done, total) for each position; both numbers are estimates.
        force: True to begin even if the estimated time is hours.

    Raises:
        ValueError: when an item is reached that is neither a position nor the name of one, whose objective is points,
            or that has more than :data:`MOST` cards a side although `force` is False.
        StoreError: if the store cannot be used.
    """
    function(progress, "progress")
    solver = ByPrizes(Exact(), store=store_path(store), force=flag(force, "force"))
    known: dict[tuple[Rules, Hand, Hand, PrizeState], Numbers] = {}

    # Both functions return the value of a position, and the least and the greatest chance of a draw.
    def at(position: Position) -> Numbers:
        if position.decided is not None:
            level = fmpq(int(position.decided == 0))
            return np.array([fmpq(position.decided), level, level], object)
        if position.upcard is not None:
            return in_game(position)
        key = position.rules, *relabelled(position.one, position.two), position.prize_state
        if key not in known:
            times, turned = zip(*position.with_upcards(), strict=True)
            known[key] = average(map(in_game, turned), times)
            computed(size - position.size)
        return known[key]

    def in_game(position: Position) -> Numbers:
        optimal = optimal_set(solver.payoff_matrix(position))
        draws = position.rules.draws(position.prizes)
        if position.upcard is not None:
            draws = [draw for draw in draws if draw.upcard == position.upcard]
        times = [draw.times for draw in draws]
        # {(index of player one's bid, index of player two's bid): (value, least chance of a draw, greatest chance of a
        # draw) after the round}, computed only for bids that are played with a positive probability.
        after: dict[tuple[int, int], Numbers] = {}
        after_bids: list[Numbers] = []
        for row, column in product(optimal.row, optimal.column):
            chances = {
                (i, j): row[i].value * column[j].value
                for i, j in np.ndindex(len(row), len(column))
                if row[i].value and column[j].value
            }
            for i, j in chances.keys() - after.keys():
                bids = position.one[i], position.two[j]
                after[i, j] = average(
                    [at(position.after(*bids, draw.upcard)) for draw in draws], times
                )
            after_bids.append(average(map(after.__getitem__, chances), list(chances.values())))
        _, least, greatest = zip(*after_bids, strict=True)
        return np.array([optimal.value.value, min(least), max(greatest)], object)

    for position in map(checked_position, positions):
        rules, size = position.rules, position.size
        if not rules.winning:
            raise ValueError(f"outcomes are of objective win, got objective {rules.objective}")
        if size > MOST and not force:
            raise ValueError(
                f"outcomes must be of at most {MOST} cards a side unless forced (--force, force=True), "
                f"got {size}"
            )
        # The number of positions is not known in advance, so progress is estimated. The estimate depends on how many
        # cards can vary in a round: the two bids and, unless the order of prizes is known, the prize.
        computed = descent(progress, 2 if rules.fixed else 3, size)
        value, *draw = map(view, at(position))
        computed(0)
        yield Outcomes(value, Chances(*draw))
