"""The float solver of positions: layers computed once and kept, positions looked up in them.

The game of a position is made from the values of the layer below when it is asked for, and solved by
the kernels that made the values. Its strategy secures the value of the position but for the bounds of
:mod:`~gops_exact.layers.sweep`, some 10⁻¹² points at 13 cards.
"""

from functools import lru_cache, partial
from pathlib import Path

import numpy as np
from flint import arb, fmpq
from numpy.typing import NDArray

from gops_exact.arguments import flag, function, path, positive_integer
from gops_exact.game.cards import mask, relabelled
from gops_exact.game.order_types import LONGEST, Layer, Masks, equal_hands
from gops_exact.game.position import Outcome, Position, Turn, turns
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.layers.bounds import NARROW
from gops_exact.layers.cost import check_fits
from gops_exact.layers.layer import COUNTS, Floats
from gops_exact.layers.sweep import float_layers, whole_game
from gops_exact.schedule import Progress, available_cores

SCALE = 1 << 53
"""Weights are integers that sum to about this; floats have no more digits."""

DECIMALS = 9
"""Values are rounded to so many: those of 13 cards are known to some 10⁻¹² points."""

REMEMBERED = 1 << 14
"""Prize sets with their states whose rounds to come are kept: all 2^13 of the game for points."""


class Layers:
    """Solver of all positions of the game of n cards, from float values.

    Values are rounded to :data:`DECIMALS` decimals; strategies are exact multiples of about 2⁻⁵³.
    Methods that take a position raise ValueError if it is not of this game.

    Args:
        n: cards a side.
        rules: the rules.
        folder: keep the values in files there, or take them from there; in memory by default.
        progress: called with the games solved and all there are, if the values are not there.
        force: begin even if it takes days, or is thought not to fit.

    Raises:
        ValueError: if a file in the folder is damaged, or the game takes more time, memory or disk
            than there is and `force` is off.

    >>> solver = Layers(3)
    >>> solver.strategy(Position.start(3).at(3)), solver.gain(Position.start(3).at(3), 2)
    ({1: 0, 2: 0, 3: 1}, -2)
    """

    def __init__(
        self,
        n: int,
        rules: Rules = PLAIN,
        folder: str | Path | None = None,
        *,
        progress: Progress | None = None,
        force: bool = False,
    ) -> None:
        from gops_exact.layers.kernels.settle import scratch

        self.n = n = positive_integer(n, "n", LONGEST)
        self.rules = as_rules(rules)
        folder = None if folder is None else path(folder, "folder")
        function(progress, "progress")
        force, keep = flag(force, "force"), folder is not None
        check_fits(n, self.rules, jobs=available_cores(), folder=folder, keep=keep, force=force)
        types = whole_game(n, self.rules, progress)
        values = float_layers(types, rules=rules, progress=progress, folder=folder, keep=True)
        self._values = {layer.size: layer for layer in values}
        self._layers = types.layers
        # Pairs of hands are stored by length first, so their keys ascend.
        self._keys = [self._key(layer.one, layer.two) for layer in types.layers]
        self._scratch = [scratch(max(size, 1)) for size in range(n + 1)]
        self._turns = lru_cache(REMEMBERED)(partial(turns, rules))

    def value(self, position: Position) -> fmpq:
        """Return the expectation of player one's best bid: the value, but for rounding."""
        return _rational(max(self._expectations(position)))

    def strategy(self, position: Position) -> dict[int, fmpq]:
        """One optimal strategy of player one as {card: probability}, every card of the hand."""
        weights = self._weights(position)
        total = sum(weights)
        return {
            card: fmpq(weight, total) for card, weight in zip(position.one, weights, strict=True)
        }

    def gain(self, position: Position, card: int) -> fmpq:
        """Player one's expectation of a bid against player two's optimal strategy."""
        return _rational(self._expectations(position)[position.one.index(card)])

    def gains(self, position: Position) -> dict[int, arb]:
        """Player one's expectation of every bid; the balls have no radius."""
        return dict(zip(position.one, map(arb, self._expectations(position)), strict=True))

    def payoff(self, position: Position) -> Floats:
        """Player one's expectation for every pair of bids, shape (k, k)."""
        layer, turn, turned = self._position(position)
        payoff = self._payoff(layer.every_bid(), turn)
        return -payoff.T if turned else payoff

    def _expectations(self, position: Position) -> list[float]:
        """Player one's expectation of every bid against player two's optimal strategy."""
        weights = np.array(self._weights(position.swapped()), dtype=float)
        found: list[float] = (self.payoff(position) @ (weights / weights.sum())).tolist()
        return found

    def _weights(self, position: Position) -> list[int]:
        """Player one's optimal strategy as integers with a sum of about 2⁵³, one for every card."""
        layer, turn, turned = self._position(position)
        payoff, kept = self._payoff(layer, turn), layer.row_kept[0]
        if turned:
            payoff, kept = -payoff.T, layer.column_kept[0]
        weights = np.zeros(position.size, dtype=np.int64)
        weights[kept] = self._solve(payoff, position.size)
        return weights.tolist()

    def _position(self, position: Position) -> tuple[Layer, Turn, bool]:
        """Return the pair of hands as it is stored, the game, and true if the players are swapped."""
        if position.rules != self.rules or not position.size <= self.n:
            raise ValueError(
                f"expected a position of {self.n} cards, {self.rules}, got {position.size} cards, "
                f"{position.rules}"
            )
        position.at(position.upcard)
        one, two = map(mask, relabelled(position.one, position.two))
        difference = one ^ two
        turned = bool(difference) and not one & difference & -difference
        if turned:
            one, two, position = two, one, position.swapped()
        found = {turn.upcard: turn for turn in self._turns(position.node)}
        return self._layer(position.size, one, two), found[position.upcard], turned

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

    def _payoff(self, layer: Layer, turn: Turn) -> Floats:
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

    def _later(self, outcome: Outcome, child: NDArray[np.int32]) -> Floats:
        """The values of the positions that an outcome leads to."""
        if outcome.decided is not None:
            return np.full(child.shape, float(outcome.decided))
        below = self._values[len(outcome.node.prizes)]
        line = np.maximum(np.abs(child) - 1, 0)
        value, mirrored = (
            below.values[line, below.columns.column(*node)] * below.unit
            for node in (outcome.node, outcome.mirrored)
        )
        return np.where(child > 0, value, np.where(child < 0, -mirrored, 0.0))

    def _solve(self, payoff: Floats, size: int) -> list[int]:
        """Player one's strategy as integers."""
        from gops_exact.layers.kernels.settle import settle_game

        s, (m, n) = self._scratch[size], payoff.shape
        s.game[:] = 0.0
        s.game[:m, :n] = payoff
        tolerance = float(np.abs(payoff).max()) * NARROW
        settle_game(m, n, tolerance, s, np.zeros(COUNTS, dtype=np.int64))
        weights = s.weights[0, :m]
        return [round(weight * SCALE) for weight in (weights / weights.sum()).tolist()]


def _rational(number: float) -> fmpq:
    """The decimal nearest to a float."""
    return fmpq(round(number * 10**DECIMALS), 10**DECIMALS)
