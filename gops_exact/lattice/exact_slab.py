"""Exact values of a node, and the matrix games over them, at three levels of precision.

The values of a slab are known when it is made, or evaluated from their bases when they are asked
for: an opening asks only for the few that stand on its support.
"""

from collections.abc import Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import overload

import numpy as np
from flint import arb, ctx, fmpz

from gops_exact.game.game import Node, Outcome, Stake
from gops_exact.lattice.sweep import EnclosedSlab, Places, Table, look_up
from gops_exact.matrix_game.evaluate import basis_value
from gops_exact.matrix_game.payoff import Entries, Payoff
from gops_exact.matrix_game.play import Basis
from gops_exact.numbers.raw import Pair, from_pair, reduced, total

BALL_BITS = 128
"""Precision of the balls kept with a slab; more is computed from the exact pair when asked for."""

REDUCE_UP_TO = 20_000
"""Values are brought to lowest terms while the denominator has at most so many bits. Beyond, a
gcd costs more than the few bits it removes are worth."""


@dataclass(frozen=True, eq=False)
class ExactSlab(EnclosedSlab):
    """The exact values of one node, with balls of :data:`BALL_BITS` bits."""

    values: Sequence[Pair]  # length H; the value of each pair of hands, not always in lowest terms
    bases: Sequence[
        tuple[Basis, ...]
    ]  # length H; for each pair, the optimal basis of each turn's game

    @classmethod
    def of(cls, values: Sequence[Pair], bases: Sequence[tuple[Basis, ...]]) -> "ExactSlab":
        """Return the slab of known values."""
        return cls([ball(pair, BALL_BITS) for pair in values], values, bases)


def ball(pair: Pair, precision: int) -> arb:
    """Return a ball around numerator/denominator."""
    with ctx.workprec(precision):
        return arb(pair[0]) / arb(pair[1])


@dataclass(frozen=True, eq=False)
class ExactTable(Table[ExactSlab]):
    """Every payoff that the games of one turn can have, at three levels of precision."""

    _known: dict[int, Pair] = field(default_factory=dict, repr=False)

    @cached_property
    def balls(self) -> list[arb]:
        """Every payoff as a ball of :data:`BALL_BITS` bits."""
        with ctx.workprec(BALL_BITS):
            return super().balls

    def pair(self, place: int) -> Pair:
        """Return one payoff as numerator and denominator."""
        if len(self.turn.stakes) == 1:
            return self._pair(self.turn.stakes[0], place)
        if place not in self._known:
            entries = [(stake.times, self._pair(stake, place)) for stake in self.turn.stakes]
            self._known[place] = mean(entries)
        return self._known[place]

    def _pair(self, stake: Stake, place: int) -> Pair:
        outcome, reference = stake.outcomes[place // self.width], place % self.width
        if outcome.decided is not None:
            return fmpz(outcome.gain + outcome.decided), fmpz(1)
        looked_at = self._look(outcome, reference)
        if looked_at is None:
            return fmpz(outcome.gain), fmpz(1)
        p, q = self.below[looked_at[0]].values[looked_at[1]]
        if 2 * reference > self.width:
            p = -p
        return (p + outcome.gain * q if outcome.gain else p), q

    def lacking(self, places: Iterable[int]) -> list[tuple[Node, int]]:
        """List the values, by node and place, that the payoffs at `places` would have to evaluate."""
        found: dict[tuple[Node, int], None] = {}
        for place, stake in product(places, self.turn.stakes):
            outcome, reference = stake.outcomes[place // self.width], place % self.width
            looked_at = None if outcome.decided is not None else self._look(outcome, reference)
            if looked_at is not None:
                values = self.below[looked_at[0]].values
                if isinstance(values, LazyValues) and looked_at[1] not in values.known:
                    found[looked_at] = None
        return list(found)

    def _look(self, outcome: Outcome, reference: int) -> tuple[Node, int] | None:
        """Return the node and the place of the value that a payoff looks at, None for no value."""
        if reference == 0:
            return None
        if 2 * reference < self.width:
            return outcome.node, reference - 1
        return outcome.mirrored, self.width - reference - 1


class PositionPayoff(Payoff):
    """The payoff matrix of one game, assembled on demand.

    Args:
        places: shape (m, n); where its entries stand in the table.
        table: the entries of all games of its turn.
    """

    def __init__(self, places: Places, table: ExactTable) -> None:
        self.places, self.table = places, table

    @cached_property
    def entries(self) -> Entries:
        """Every payoff as a reduced fraction, shape (m, n)."""
        pair = self.table.pair
        rows = [[from_pair(pair(place)) for place in row] for row in self.places]
        return np.array(rows, dtype=object)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.places), len(self.places[0])

    def floats(self) -> list[list[float]]:
        """Return every entry as a float, shape (m, n)."""
        return look_up(self.places, self.table.floats)

    def balls(self, precision: int) -> list[list[arb]]:
        """Return every entry as a ball of at least `precision` bits, shape (m, n)."""
        if precision <= BALL_BITS:
            return look_up(self.places, self.table.balls)
        pair = self.table.pair
        return [[ball(pair(place), precision) for place in row] for row in self.places]

    def pair(self, i: int, j: int) -> Pair:
        """Return entry (i, j) as numerator and denominator."""
        return self.table.pair(self.places[i][j])


class LazyValues(Sequence[Pair]):
    """The exact values of a slab whose bases are known, each evaluated when it is asked for.

    Args:
        games: for each pair of hands its games, one per turn, as (number of prizes that lead to it,
            payoff, basis).
        known: values evaluated before, by place, each as a slab of one value; new ones are added.
    """

    def __init__(
        self,
        games: Sequence[Sequence[tuple[int, PositionPayoff, Basis]]],
        known: MutableMapping[int, ExactSlab],
    ) -> None:
        self._games = games
        self.known = known

    def __len__(self) -> int:
        return len(self._games)

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> list[Pair]: ...

    def __getitem__(self, place: int | slice) -> Pair | list[Pair]:
        if isinstance(place, slice):
            return [self[h] for h in range(*place.indices(len(self)))]
        if place not in self.known:
            games = self._games[place]
            value = mean([(times, brief(basis_value(game, basis))) for times, game, basis in games])
            self.known[place] = ExactSlab.of([value], [tuple(basis for *_, basis in games)])
        return self.known[place].values[0]


def mean(values: Sequence[tuple[int, Pair]]) -> Pair:
    """Return the mean of values given as (how often, value), reduced where that is cheap."""
    if len(values) == 1:
        return brief(values[0][1])
    p, q = total([(times * p, q) for times, (p, q) in values])
    return brief((p, q * sum(times for times, _ in values)))


def brief(pair: Pair) -> Pair:
    """Return the same fraction, reduced where that is cheap."""
    return reduced(pair) if pair[1].bit_length() <= REDUCE_UP_TO else pair
