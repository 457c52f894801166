"""The optimal policy where exact numbers are too long: from the float values of all positions.

Values are computed once and kept, a layer an array; a position's game is made from them when it is
asked for, and solved by the kernels that made the values. Its strategy secures the value of the
position but for the bounds of :mod:`~gops_exact.recursion.floating`, some 10⁻¹² points at 13 cards.
Rounded to multiples of 2⁻⁵³ it is then played exactly.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from flint import fmpq

from gops_exact.cards import mask
from gops_exact.order_types import Layer, Masks
from gops_exact.players.analysis import equal_hands, relabelled, turn_at
from gops_exact.players.policy import Memoryless
from gops_exact.players.view import View
from gops_exact.recursion.float_bounds import NARROW
from gops_exact.recursion.float_layers import COUNTS
from gops_exact.recursion.floating import float_layers, whole_game
from gops_exact.recursion.lattice import Node, Outcome, Turn, turns
from gops_exact.recursion.schedule import Progress
from gops_exact.rules import PLAIN, Rules

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gops_exact.recursion.float_layers import FloatLayer

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]

SCALE = 1 << 53
"""Weights are integers that sum to about this; floats have no more digits."""

REMEMBERED = 1 << 14
"""Prize sets with their states whose rounds to come are kept: all 2^13 of the game for points."""


class FloatOptimal(Memoryless):
    """An optimal strategy, in floats, at every position of the game of n cards.

    Args:
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        folder: keep the values in files there, or take them from there; in memory by default.
        progress: told of games solved, if the values are not there.

    Raises:
        ValueError: if what is in the folder is damaged.
    """

    name = "optimal"
    ordinal = True

    def __init__(
        self,
        n: int,
        rules: Rules = PLAIN,
        folder: Path | None = None,
        *,
        progress: Progress | None = None,
    ) -> None:
        from gops_exact.recursion.float_settle import scratch

        self.n = n
        self.rules = rules
        types = whole_game(n, rules)
        self._values = all_layers(n, rules, folder, progress)
        self._layers = types.layers
        # Pairs of hands are stored by length first, so their keys ascend.
        self._keys = [self._key(layer.one, layer.two) for layer in types.layers]
        self._scratch = [scratch(max(size, 1)) for size in range(n + 1)]
        self._turns = lru_cache(REMEMBERED)(partial(turns, rules))

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One optimal strategy of the position, in multiples of about 2⁻⁵³.

        Raises:
            ValueError: if the view is of a game with other rules or another deck.
        """
        weights = self.weights(view)
        total = sum(weights.values())
        return {card: fmpq(weight, total) for card, weight in weights.items()}

    def weights(self, view: View) -> Mapping[int, int]:
        """The strategy as integers with a sum of about 2⁵³."""
        if view.rules != self.rules or view.n != self.n:
            raise ValueError(
                f"policy 'optimal' was made for {self.n} cards, {self.rules}, "
                f"got {view.n} cards, {view.rules}"
            )
        layer, turn, turned = self._position(view)
        payoff, kept = self._payoff(layer, turn), layer.row_kept[0]
        if turned:
            payoff, kept = -payoff.T, layer.column_kept[0]
        bids = [card for card, own in zip(view.hand, kept.tolist(), strict=True) if own]
        return dict(zip(bids, self._solve(payoff, len(view.hand)), strict=True))

    def payoff(self, view: View) -> "Floats":
        """What every pair of bids is worth to the player, shape (k, k)."""
        layer, turn, turned = self._position(view)
        every = np.ones_like(layer.row_kept)
        payoff = self._payoff(replace(layer, row_kept=every, column_kept=every), turn)
        return -payoff.T if turned else payoff

    def _position(self, view: View) -> tuple[Layer, Turn, bool]:
        """The pair of hands as it is stored, the game, and whether the players are swapped."""
        one, two = map(mask, relabelled(view.hand, view.opponent))
        state = self.rules.start(view.margin, view.pot)
        difference = one ^ two
        turned = bool(difference) and not one & difference & -difference
        if turned:
            one, two, state = two, one, state.swapped()
        found = self._turns(Node(view.prizes, state))
        turn = turn_at(found, view.upcard)
        return self._layer(len(view.hand), one, two), turn, turned

    def _layer(self, size: int, one: int, two: int) -> Layer:
        """The layer that holds one pair of hands alone."""
        keys, key = self._keys[size], self._key(np.array(one), np.array(two))
        place = int(np.searchsorted(keys, key))
        if place == len(keys) or keys[place] != key:
            return equal_hands(size)
        return self._layers[size].part(slice(place, place + 1))

    def _key(self, one: Masks, two: Masks) -> Masks:
        """A number for pairs of hands."""
        length = np.bitwise_count(one | two).astype(np.int64)
        key: Masks = (length << 2 * self.n) | (one << self.n) | two
        return key

    def _payoff(self, layer: Layer, turn: Turn) -> "Floats":
        """The game of kept bids, shape (m, n), as the player whose rows they are sees it."""
        rows, columns = layer.row_kept[0], layer.column_kept[0]
        sign = layer.sign[0][rows][:, columns]
        child = layer.child[0][rows][:, columns]
        game = np.zeros(sign.shape)
        for stake in turn.stakes:
            for winner in (0, 1, -1):
                outcome, hit = stake.outcomes[winner], sign == winner
                game[hit] += stake.times * (outcome.gain + self._later(outcome, child[hit]))
        return game / sum(stake.times for stake in turn.stakes)

    def _later(self, outcome: Outcome, child: "Ints") -> "Floats":
        """What the positions are worth that an outcome leads to."""
        if outcome.decided is not None:
            return np.full(child.shape, float(outcome.decided))
        below = self._values[len(outcome.node.prizes)]
        line = np.maximum(np.abs(child) - 1, 0)
        value, mirrored = (
            below.values[line, below.columns.column(*node)] * below.unit
            for node in (outcome.node, outcome.mirrored)
        )
        return np.where(child > 0, value, np.where(child < 0, -mirrored, 0.0))

    def _solve(self, payoff: "Floats", size: int) -> list[int]:
        """Player one's strategy as integers."""
        from gops_exact.recursion.float_settle import settle_game

        s, (m, n) = self._scratch[size], payoff.shape
        s.game[:] = 0.0
        s.game[:m, :n] = payoff
        tolerance = float(np.abs(payoff).max()) * NARROW
        settle_game(m, n, tolerance, s, np.zeros(COUNTS, dtype=np.int64))
        weights = s.weights[0, :m]
        return [round(weight * SCALE) for weight in (weights / weights.sum()).tolist()]


def all_layers(
    n: int, rules: Rules = PLAIN, folder: Path | None = None, progress: Progress | None = None
) -> dict[int, "FloatLayer"]:
    """The float values of all positions of the game of n cards, by cards a side.

    Args:
        n: cards a side.
        rules: the rules.
        folder: where they are, or are to be; in memory by default.
        progress: told of games solved, if they are not there.
    """
    layers = float_layers(
        whole_game(n, rules), rules=rules, progress=progress, folder=folder, keep=True
    )
    return {layer.size: layer for layer in layers}
