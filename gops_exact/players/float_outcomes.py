"""How often optimal play is won, drawn and lost, in floats: for games beyond exact numbers.

Where a position has several optimal strategies the chance of a draw depends on which are played
(:mod:`~gops_exact.players.outcomes`). Here it is that of one definite pair: at each position the first
saddle point, or else where the simplex ends. They are played as the floats they are, so their chance
of a draw is off by rounding alone. That they are optimal is true but for what is told with the result.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gops_exact.game.order_types import Layer
from gops_exact.game.rules import Rules, Upcard
from gops_exact.game.turns import Node, Turn, turns
from gops_exact.layers.columns import Columns
from gops_exact.layers.kernels.settle import scratch
from gops_exact.layers.sweep import columns_of, float_layers, whole_game
from gops_exact.players.outcome_kernel import OPEN, draw_chances

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BLOCK = 64
"""Pairs of hands a thread takes at a time."""


@dataclass(frozen=True)
class FloatOutcomes:
    """What becomes of a game that both play optimally for a win, by one pair of strategies.

    Both players have the same cards, so either wins as often as the other.

    Attributes:
        n: cards a side.
        rules: the rules.
        draws: {upcard: chance of a draw}.
        lacking: how far the strategies may be from optimal: the wins less losses that either is
            sure of fall short of the value by no more.
    """

    n: int
    rules: Rules
    draws: dict[Upcard, float]
    lacking: float

    @property
    def draw(self) -> float:
        """The chance of a draw before a prize is turned up."""
        return sum(self.draws.values()) / len(self.draws)


@dataclass(frozen=True, eq=False)
class _Layer:
    """What games look at: one line per pair of hands, one column per prize set and state.

    Attributes:
        columns: what the columns are.
        values: shape (H, W); wins less losses, times `unit`.
        unit: of the values.
        draws: shape (H, W); chances of a draw.
    """

    columns: Columns
    values: NDArray[np.float64] | NDArray[np.int32]
    unit: float
    draws: Floats


def float_outcomes(n: int, rules: Rules, *, jobs: int = 1) -> FloatOutcomes:
    """How often the game of n cards a side is drawn if both play optimally for a win.

    Args:
        n: cards a side.
        rules: the rules, for winning.
        jobs: threads.

    Raises:
        ValueError: if points are played for.

    >>> found = float_outcomes(4, Rules("win"))
    >>> round(found.draws[3], 9), found.lacking < 1e-12
    (0.605714286, True)
    """
    if not rules.winning:
        raise ValueError(f"outcomes are of objective win, got objective {rules.objective}")
    types, deck = whole_game(n, rules), rules.arranged(range(1, n + 1))
    reached, lacking = rules.states(deck), 0.0
    below = _Layer(columns_of(n, 0, rules), np.zeros((1, 1)), 1.0, np.zeros((1, 1)))
    for layer in float_layers(types, rules=rules, jobs=jobs):
        nodes = [Node(prizes, state) for prizes in layer.sets for state in reached[prizes]]
        games = [turns(rules, node) for node in nodes]
        found, gap = _draws(types.layers[layer.size], games, below, jobs)
        draws = np.full(layer.values.shape, np.nan)
        draws[:, [layer.columns.column(*node) for node in nodes]] = found
        # What a strategy is sure of is computed from values, and compared with one.
        lacking += gap + 2.0 * float(layer.bounds.max())
        below = _Layer(layer.columns, layer.values, layer.unit, draws)
    first = turns(rules, Node(deck))
    found, gap = _draws(types.root, [[turn] for turn in first], below, jobs)
    chances = {turn.upcard: chance for turn, chance in zip(first, found[0].tolist(), strict=True)}
    return FloatOutcomes(n, rules, chances, lacking + gap)


def _draws(
    layer: Layer, games: Sequence[Sequence[Turn]], below: _Layer, jobs: int
) -> tuple[Floats, float]:
    """The chance of a draw for every pair of hands of a layer before each list of games.

    Returns:
        Shape (H, len(games)), and the widest bracket of a value.
    """
    decided, column, mirrored = _tables(games, below.columns)
    found = np.zeros((len(layer), len(games)))

    def solve(start: int) -> float:
        part = layer.part(slice(start, start + BLOCK))
        return float(
            draw_chances(
                *(part.sign, part.child, part.row_kept, part.column_kept),
                *(decided, column, mirrored),
                *(below.values, below.unit, below.draws),
                found[start : start + BLOCK],
                scratch(layer.size),
            )
        )

    with ThreadPoolExecutor(jobs) as threads:
        return found, max(threads.map(solve, range(0, len(layer), BLOCK)))


def _tables(games: Sequence[Sequence[Turn]], below: Columns) -> tuple[Ints, Ints, Ints]:
    """What each outcome is worth, or else the columns it leads to, as it is and mirrored.

    Returns:
        Shape (games, turns, stakes, 3); who wins is 0, 1 or −1, as places.
    """
    shape = len(games), len(games[0]), len(games[0][0].stakes), 3
    decided, column, mirrored = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    for g, each in enumerate(games):
        for t, turn in enumerate(each):
            for s, stake in enumerate(turn.stakes):
                for winner, outcome in enumerate(stake.outcomes):
                    place = g, t, s, winner
                    if outcome.decided is not None:
                        decided[place] = outcome.decided
                        continue
                    decided[place] = OPEN
                    column[place] = below.column(*outcome.node)
                    mirrored[place] = below.column(*outcome.mirrored)
    return decided, column, mirrored
