"""Exact values from bases: all of a slab, or each when it is asked for."""

from collections.abc import MutableMapping, Sequence
from typing import overload

from gops_exact.lattice.exact_slab import ExactSlab, PositionPayoff, brief, mean
from gops_exact.matrix_game.basis import Basis
from gops_exact.matrix_game.evaluate import basis_value
from gops_exact.numbers.pairs import Pair


class LazyValues(Sequence[Pair]):
    """The exact values of a slab whose bases are known, each evaluated when it is asked for.

    An opening asks only for the few that stand on its support.

    Args:
        games: for each pair of hands its games, one per turn, as (how many prizes lead to it, payoff,
            basis).
        known: values by place, found before; new ones are added.
    """

    def __init__(
        self,
        games: Sequence[Sequence[tuple[int, PositionPayoff, Basis]]],
        known: MutableMapping[int, ExactSlab],
    ) -> None:
        self._games = games
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
            self._known[place] = ExactSlab.of([mean(gains)], [bases])
        return self._known[place].values[0]
