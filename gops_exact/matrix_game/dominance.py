"""Dominated strategies of a matrix game, and their iterated elimination, in exact numbers.

A row is *strictly dominated* if a mixture of other rows gains more than the row against every column. Let D be the
matrix of the payoffs of the other rows minus those of the row. The row is strictly dominated if and only if the matrix
game D has a positive value.

A row is *weakly dominated* if a mixture σ of other rows gains at least as much as the row against every column, and
more against at least one column: σD ≥ 0, σD ≠ 0. If the game D has the value 0, the mixtures with σD ≥ 0 are its
optimal strategies, and the row is weakly dominated if and only if one of these mixtures gives the entries of σD a
positive sum.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from gops_exact.base.arguments import flag, function
from gops_exact.base.progress import Progress, tracked
from gops_exact.matrix_game.game_solution import as_matrix_game
from gops_exact.matrix_game.matrix import MatrixGame
from gops_exact.matrix_game.payoff import ONE, ZERO, Entries
from gops_exact.matrix_game.simplex import tilted
from gops_exact.matrix_game.strategies import solve_matrix_game
from gops_exact.numbers.exact import BigRational
from gops_exact.numbers.table import Shown, Table


class Removal(NamedTuple):
    """Elimination of one dominated strategy."""

    round: int  #: number of the round, from 1; all strategies of a round are dominated in the same game
    player: str  #: ``"row"`` or ``"column"``
    label: str  #: the label of the eliminated strategy
    by: dict[str, BigRational]  #: the mixture that dominates the strategy: {label: probability}
    strict: bool  #: True if the mixture dominates the strategy strictly, False if only weakly


@dataclass(frozen=True, repr=False)
class Elimination(Shown):
    """Result of the iterated elimination of dominated strategies."""

    game: MatrixGame  #: the game of the remaining strategies
    steps: tuple[Removal, ...]  #: the eliminated strategies, in order

    def document(self) -> dict[str, Any]:
        """Return the elimination as a JSON object: its steps, and the labels of the remaining strategies."""
        steps = [
            step._asdict() | {"by": {label: str(chance) for label, chance in step.by.items()}}
            for step in self.steps
        ]
        left = {"rows": list(self.game.rows), "columns": list(self.game.columns)}
        return {"document": "dominated strategies", "version": 1, "steps": steps, "left": left}

    def table(self) -> Table:
        """Return a table with a line for each eliminated strategy and the mixture that dominates it."""
        rows = []
        for step in self.steps:
            mixture = " + ".join(
                label if chance == 1 else f"{chance!r} of {label}"
                for label, chance in step.by.items()
            )
            keys = step.round, step.player, step.label
            rows.append((keys, ["strictly" if step.strict else "weakly", mixture]))
        m, n = self.game.shape
        return Table(
            f"{self.game.title}: {'' if rows else 'no '}dominated strategies, {m} × {n} left",
            ("round", "player", "strategy"),
            rows,
            heads=("dominated", "by"),
            left=("player", "strategy", "dominated", "by"),
            notes=(
                f"rows left: {', '.join(self.game.rows)}",
                f"columns left: {', '.join(self.game.columns)}",
            ),
        )


def eliminate_dominated(
    payoff: object, *, weak: bool = False, mixed: bool = True, progress: Progress | None = None
) -> Elimination:
    """Eliminate dominated strategies of both players, round by round, until no strategy is dominated.

    Each round eliminates all strategies that are dominated in the game of the remaining ones. With strict dominance, the
    remaining game does not depend on the order of elimination. With weak dominance it may, but the value never does.

    Args:
        payoff: an m × n game, anything that :func:`~gops_exact.solve_matrix_game` takes, except floats.
        weak: True to eliminate weakly dominated strategies, too.
        mixed: False to eliminate only strategies that a single strategy dominates; True to eliminate those that a
            mixture dominates, too.
        progress: called as progress(done, total) in each round, counted in rows, then anew in columns; None for no
            report.

    Returns:
        The remaining game, and the eliminated strategies in the order in which they were eliminated.

    Raises:
        ValueError: if `payoff` is not a matrix of exact rationals.

    >>> elimination = eliminate_dominated([[3, 0], [0, 3], [1, 1]])
    >>> elimination.steps[0].label, elimination.steps[0].by, elimination.game.rows
    ('3', {'1': 1/2, '2': 1/2}, ('1', '2'))
    """
    weak, mixed = flag(weak, "weak"), flag(mixed, "mixed")
    function(progress, "progress")
    game = as_matrix_game(payoff)
    entries = game.numbers.entries
    rows, columns = (list(range(size)) for size in game.shape)
    steps: list[Removal] = []
    for number in range(1, sum(game.shape)):
        left = entries[np.ix_(rows, columns)]
        removed = []
        for player, own, labels, seen in (
            ("row", rows, game.rows, left),
            ("column", columns, game.columns, -left.T),
        ):
            for bid, mixture, strict in _dominated(seen, progress, weak=weak, mixed=mixed):
                by = {labels[own[k]]: BigRational(chance) for k, chance in mixture.items()}
                steps.append(Removal(number, player, labels[own[bid]], by, strict))
                removed.append((own, own[bid]))
        if not removed:
            break
        for remaining, bid in removed:
            remaining.remove(bid)
    payoffs = game.numbers.rows
    return Elimination(
        MatrixGame(
            [[payoffs[i][j] for j in columns] for i in rows],
            [game.rows[i] for i in rows],
            [game.columns[j] for j in columns],
            game.title,
        ),
        tuple(steps),
    )


def _dominated(
    entries: Entries, progress: Progress | None, *, weak: bool, mixed: bool
) -> Iterator[tuple[int, dict[int, fmpq], bool]]:
    """Yield (index of a row, {index of another row: probability}, True if strict) for each dominated row of a game.

    The probabilities are those of a mixture that dominates the row, strictly or only weakly.

    Args:
        entries: the payoffs to the player who chooses a row, shape (m, n).
        progress: called as progress(done, total), counted in rows; None for no report.
        weak: True to look for weak dominance, too.
        mixed: False to consider only single rows that dominate, and no mixture of several.
    """
    best = entries.max(axis=0)
    for row, own in enumerate(tracked(entries, progress)):
        if not weak and (own == best).any():
            continue  # the row is a best reply to a column, so it is not strictly dominated
        gains = entries - own
        worst = gains.min(axis=1)
        strict = int(worst.argmax())
        if worst[strict] > 0:
            yield row, {strict: ONE}, True
            continue
        # `weakly` is the first row that weakly dominates this row, or None.
        level = np.flatnonzero(worst == 0).tolist()
        weakly = next((k for k in level if (gains[k] > 0).any()), None)
        others = np.delete(gains, row, axis=0).astype(object)
        mixture = _by_mixture(others, weak=weak and weakly is None) if mixed else None
        if mixture is not None:
            strategy, is_strict = mixture
            # The mixture has no entry for the row itself, so the index of each later row is 1 greater in the game
            # than in the mixture.
            by = {k + (k >= row): chance for k, chance in enumerate(strategy) if chance}
            yield row, by, is_strict
        elif weak and weakly is not None:
            yield row, {weakly: ONE}, False


def _by_mixture(gains: Entries, *, weak: bool) -> tuple[list[fmpq], bool] | None:
    """Return a mixture of rows that dominates a given row, and True if it dominates strictly; None if none dominates.

    Args:
        gains: the payoffs of the other rows minus those of the given row, shape (m − 1, n).
        weak: True to look for weak dominance, too.
    """
    if not len(gains):
        return None
    solution = solve_matrix_game(gains)
    if solution.value > 0:
        return [chance.value for chance in solution.row], True
    if not weak or solution.value < 0:
        return None  # if a mixture dominated weakly, the value would be at least 0
    strategy = tilted(gains, gains.sum(axis=1, keepdims=True), ZERO)
    return (list(strategy), False) if any(np.array(strategy) @ gains) else None
