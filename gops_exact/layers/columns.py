"""Columns of a layer of float values: one per prize set and state, in the line of a pair of hands.

The states of a prize set are kept as a box without gaps, so that neighbouring states stand side by
side in every line. With S the sum of the prizes left and S₀ that of all, they are, pot by pot,

    pot = 0 … S₀ − S  (only 0 where ties are discarded),
    margin = −r … r,  r = min(S + pot, S₀ − S − pot)  (only 0 where points are played for).

A margin beyond S + pot is decided, one beyond S₀ − S − pot cannot occur. A few states in the box are
never reached: computing their values costs little. Once no prize is left every margin but 0 is
decided.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations

from gops_exact.game.rules import LEVEL, Prizes, Rules, State


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of one layer.

    Attributes:
        rules: the rules.
        deck: all prizes, arranged.
        size: the number of prizes left, k.

    >>> columns = Columns(Rules("win"), (1, 2, 3), 2)
    >>> columns.sets, columns.first
    (((1, 2), (1, 3), (2, 3)), (0, 7, 12, 15))
    >>> columns.column((1, 3), State(2))
    11
    """

    rules: Rules
    deck: Prizes
    size: int

    @cached_property
    def sets(self) -> tuple[Prizes, ...]:
        """The prize sets, in lexicographic order; one where the order of prizes is known."""
        if self.rules.fixed:
            return (self.deck[len(self.deck) - self.size :],)
        return tuple(combinations(self.deck, self.size))

    @cached_property
    def place(self) -> dict[Prizes, int]:
        """The number of each prize set."""
        return {prizes: q for q, prizes in enumerate(self.sets)}

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first column of each prize set, and their number last."""
        return tuple(accumulate(map(self._count, self.sets), initial=0))

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.first[-1]

    def pots(self, prizes: Prizes) -> range:
        """Return the pots there can be."""
        return range(self._taken(prizes) + 1 if self.rules.carries else 1)

    def radius(self, prizes: Prizes, pot: int) -> int:
        """Return the largest margin kept."""
        if not self.rules.winning or not prizes:
            return 0
        return min(sum(prizes) + pot, self._taken(prizes) - pot)

    def column(self, prizes: Prizes, state: State = LEVEL) -> int:
        """Return the column of the values of a state.

        Raises:
            KeyError: if it is decided, or not of these rules.
        """
        if state.pot not in self.pots(prizes):
            raise KeyError(state)
        radius = self.radius(prizes, state.pot)
        if abs(state.margin) > radius:
            raise KeyError(state)
        before = self._before(prizes, state.pot)
        return self.first[self.place[prizes]] + before + radius + state.margin

    def _taken(self, prizes: Prizes) -> int:
        """Return the points of the prizes that are gone."""
        return sum(self.deck) - sum(prizes)

    def _before(self, prizes: Prizes, pot: int) -> int:
        """Count the states of a prize set with smaller pots."""
        if not self.rules.winning:
            return pot
        return sum(2 * self.radius(prizes, smaller) + 1 for smaller in range(pot))

    def _count(self, prizes: Prizes) -> int:
        """Count the states of a prize set."""
        return self._before(prizes, len(self.pots(prizes)))
