"""Exact values from bases: all of a slab, or each when it is asked for."""

from collections.abc import MutableMapping, Sequence
from typing import overload

from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.evaluate import basis_value
from gops_exact.numbers.pairs import Pair, reduced, total
from gops_exact.recursion.position import ExactSlab, PositionPayoff

REDUCE_UP_TO = 20_000
"""Values are brought to lowest terms while the denominator has at most so many bits. Beyond, a
gcd costs more than the few bits it removes are worth."""


class LazyValues(Sequence[Pair]):
    """The exact values of a slab whose bases are known, each evaluated when it is asked for.

    An opening asks only for the few that stand on its support.

    Args:
        games: for each pair of hands its games, one an upcard, as (times the upcard is there,
            payoff, basis).
        prizes: how many prizes there are.
        known: values by place, found before; new ones are added.
    """

    def __init__(
        self,
        games: Sequence[Sequence[tuple[int, PositionPayoff, Basis]]],
        prizes: int,
        known: MutableMapping[int, ExactSlab],
    ) -> None:
        self._games = games
        self._prizes = prizes
        self._known = known

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> list[Pair]: ...

    def __getitem__(self, place: int | slice) -> Pair | list[Pair]:
        if isinstance(place, slice):
            return [self[h] for h in range(*place.indices(len(self)))]
        if place not in self._known:
            gains = [
                (times, brief(basis_value(payoff, basis)))
                for times, payoff, basis in self._games[place]
            ]
            bases = tuple(basis for _, _, basis in self._games[place])
            self._known[place] = ExactSlab.of([mean(gains, self._prizes)], [bases])
        return self._known[place].values[0]


def mean(gains: Sequence[tuple[int, Pair]], count: int) -> Pair:
    """The mean of `count` values, given as (how often, value), reduced where that is cheap."""
    p, q = total([(times * p, q) for times, (p, q) in gains])
    return brief((p, q * count))


def brief(pair: Pair) -> Pair:
    """The same fraction, reduced where that is cheap."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair
