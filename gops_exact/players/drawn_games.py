"""How often optimal play ends in a draw, where winning is what counts.

Equal players win as often as they lose, so the chance of a draw says it all. Where a position has
several optimal strategies it depends on which are played; here are the least and the greatest, over
all pairs of strategies that are optimal at every position they lead to.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from flint import fmpq

from gops_exact.matrix_game.optimal_set import Point, optimal_set
from gops_exact.players.analysis import Analyst, relabelled
from gops_exact.players.objectives import left, upcards
from gops_exact.players.view import Hand, View
from gops_exact.rules import Draw, Prizes, Rules, State


class Chances(NamedTuple):
    """Of a draw, if both play optimally.

    Attributes:
        least: with the optimal strategies that avoid it most.
        greatest: with those that seek it most.
    """

    least: fmpq
    greatest: fmpq


def draw_chances(n: int, rules: Rules | None = None) -> Chances:
    """The probability of a draw in the game of n cards a side, both playing optimally for a win.

    At each position a pair of optimal strategies is chosen by itself. The probability is linear in
    either of the two, so the extreme ones suffice.

    Args:
        n: cards a side.
        rules: the rules, for winning; ties discarded, prizes random by default.

    Raises:
        ValueError: if points are played for.

    >>> least, greatest = draw_chances(4)
    >>> print(least, greatest)
    1684959767/2631497400 1006948471/1315748700
    """
    rules = Rules("win") if rules is None else rules
    if not rules.winning:
        raise ValueError(f"expected a game for winning, got {rules}")
    deck = tuple(range(1, n + 1))
    return _Walk(n, rules).chances(deck, deck, rules.arranged(deck), rules.start())


class _Walk:
    """Chances by position, each computed once."""

    def __init__(self, n: int, rules: Rules) -> None:
        self.n = n
        self.rules = rules
        self.analyst = Analyst(n, rules)
        self.known: dict[tuple[Hand, Hand, Prizes, State], Chances] = {}

    def chances(self, one: Hand, two: Hand, prizes: Prizes, state: State) -> Chances:
        """Of a draw, from a position on."""
        decided = self.rules.decided(prizes, state)
        if decided is not None:
            level = fmpq(int(decided == 0))
            return Chances(level, level)
        key = *relabelled(one, two), prizes, state
        if key not in self.known:
            self.known[key] = self.mean(*key)
        return self.known[key]

    def mean(self, one: Hand, two: Hand, prizes: Prizes, state: State) -> Chances:
        """Over the games that may come."""
        least = greatest = fmpq(0)
        count = 0
        for upcard, stakes in upcards(self.rules, prizes):
            view = View(self.n, one, two, prizes, upcard, self.rules, *state)
            found = self.game(view, stakes)
            least += found.least
            greatest += found.greatest
            count += sum(stake.times for stake in stakes)
        return Chances(least / count, greatest / count)

    def game(self, view: View, stakes: list[Draw]) -> Chances:
        """In one game of bids, times the number of prizes it may be for."""
        optimal = optimal_set(self.analyst.advice(view).matrix())
        after = {
            (i, j): self.after(view, stakes, i, j)
            for i, j in product(_played(optimal.row), _played(optimal.column))
        }

        def chance(row: Point, column: Point, which: int) -> fmpq:
            pairs = product(_played([row]), _played([column]))
            return sum((row[i] * column[j] * after[i, j][which] for i, j in pairs), fmpq(0))

        pairs = list(product(optimal.row, optimal.column))
        return Chances(
            min(chance(row, column, 0) for row, column in pairs),
            max(chance(row, column, 1) for row, column in pairs),
        )

    def after(self, view: View, stakes: list[Draw], i: int, j: int) -> Chances:
        """After a pair of bids, given by their places, times the number of prizes."""
        least = greatest = fmpq(0)
        for stake in stakes:
            found = self.chances(*left(view, stake, view.hand[i], view.opponent[j]))
            least += stake.times * found.least
            greatest += stake.times * found.greatest
        return Chances(least, greatest)


def _played(strategies: Sequence[Point]) -> list[int]:
    """The places of the bids that any of the strategies plays."""
    return [place for place, chances in enumerate(zip(*strategies, strict=True)) if any(chances)]
