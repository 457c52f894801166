"""Any position: its value, optimal play, the game of the bids, how it ends."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from flint import fmpq

from gops_exact.arguments import flag, function, instance
from gops_exact.game.position import Position
from gops_exact.schedule import Progress, part_of
from gops_exact.solutions.solution import Outcomes, PayoffMatrix, Solution
from gops_exact.solutions.strategy import ByCard, exactly
from gops_exact.solver.by_prizes import PrizeSets
from gops_exact.solver.cost import check_feasible
from gops_exact.solver.outcomes import Forecaster, check_quick

SIDE = "cards a side"

Found = TypeVar("Found")


def value(
    position: Position,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> fmpq:
    """Player one's expectation at a position under optimal play.

    It is in points gained from the position on; where the game is for winning, it is the chance of
    a win less that of a loss.

    Args:
        position: the position, before or after a prize is turned up.
        store: file to take values from, if there is one; as in :func:`first_move`, but nothing is
            added to it.
        progress: called with the work done and all the work there is, in any unit; the result of
            :func:`gops_exact.progress_bar` shows it.
        force: begin even if it takes hours.

    Raises:
        ValueError: if the position takes hours and `force` is off.
        StoreError: if the store cannot be used.

    >>> from gops_exact.game.rules import Rules
    >>> print(value(Position([2, 4], [1, 3], [12, 13])))
    313/25
    >>> print(value(Position([2, 3], [1, 3], [2, 3], rules=Rules(ties="carryover"), pot=2)))
    104/33
    """
    instance(position, Position, "position", "a Position")
    if position.settled is not None:
        return fmpq(position.settled)
    return _solved(position, store, progress, PrizeSets.value, force=force)


def solve(
    position: Position,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Solution[fmpq]:
    """Solve a position with a prize turned up.

    Args:
        position: the position; without an upcard where bids are made before it is seen.
        store: file to take values from, as in :func:`value`.
        progress: as in :func:`value`.
        force: begin even if it takes hours.

    Raises:
        ValueError: if a prize has to be turned up first, or the position takes hours and `force` is
            off.
        StoreError: if the store cannot be used.

    >>> solution = solve(Position([2, 4], [1, 3], [12, 13], upcard=13))
    >>> print(solution.value, solution.row)
    313/25 {2: 12/25, 4: 13/25}
    """
    return _turned_up(position, store, progress, PrizeSets.solve, force=force)


def payoff_matrix(
    position: Position,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> PayoffMatrix:
    """Compute player one's expectation for every pair of bids, optimal play to follow.

    Arguments and errors are those of :func:`solve`.

    Returns:
        Rows, shape (k, k) for k cards a side, cards ascending.

    >>> payoff_matrix(Position([2, 4], [1, 3], [12, 13], upcard=13))
    [[25, -1], [1, 25]]
    """
    return _turned_up(position, store, progress, PrizeSets.payoff, force=force)


def bid_gains(
    position: Position,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> ByCard[fmpq]:
    """Compute player one's expectation of each bid against player two's optimal strategy, by card.

    The bids that an optimal strategy plays reach the value of the position, and none exceeds it.
    Arguments and errors are those of :func:`solve`.

    >>> bid_gains(Position.start(3).at(2))
    {1: -1, 2: 0, 3: 0}
    """

    def gains(solver: PrizeSets, position: Position) -> ByCard[fmpq]:
        found = (solver.gain(position, card) for card in position.one)
        return ByCard(exactly(position.one, found))

    return _turned_up(position, store, progress, gains, force=force)


def outcomes(
    position: Position,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Outcomes:
    """Compute how often a position is won, drawn and lost if both play optimally for a win.

    Where there are several optimal strategies it depends on which are played: these are the least and
    the greatest chances over all of them.

    Args:
        position: the position, by rules for winning, before or after a prize is turned up.
        store: file to take values from, as in :func:`value`.
        progress: as in :func:`value`.
        force: begin even if it takes hours.

    Raises:
        ValueError: if points are played for, or the position takes more than minutes and `force` is
            off.
        StoreError: if the store cannot be used.

    >>> from gops_exact.game.rules import Rules
    >>> found = outcomes(Position([1, 3], [2, 3], [2, 3], rules=Rules("win"), margin=1))
    >>> found.value, found.win, found.draw
    (-1/3, Chances(least=1/9, greatest=1/9), Chances(least=4/9, greatest=4/9))
    """
    instance(position, Position, "position", "a Position")
    check_quick(position.size, force=flag(force, "force"), name=SIDE)
    distinct = len({*position.one, *position.two})
    forecaster = Forecaster(max(1, distinct), position.rules, store=store, progress=progress)
    return forecaster.outcomes(position)


def _turned_up(
    position: Position,
    store: str | Path | None,
    progress: Progress | None,
    find: Callable[[PrizeSets, Position], Found],
    *,
    force: bool,
) -> Found:
    """Solve a position that has to have a prize turned up."""
    instance(position, Position, "position", "a Position")
    position.at(position.upcard)
    return _solved(position, store, progress, find, force=force)


def _solved(
    position: Position,
    store: str | Path | None,
    progress: Progress | None,
    find: Callable[[PrizeSets, Position], Found],
    *,
    force: bool,
) -> Found:
    """Solve a position, which is refused if it takes hours. Its own games take about half of the time."""
    check_feasible(position.size, position.rules, force=flag(force, "force"), name=SIDE)
    function(progress, "progress")
    below = part_of(progress, 0, 1 << 20, 2 << 20)
    solver = PrizeSets(position.one, position.two, position.rules, store=store, progress=below)
    found = find(solver, position)
    if progress is not None:
        progress(2 << 20, 2 << 20)
    return found
