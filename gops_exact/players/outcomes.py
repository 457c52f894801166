"""How often optimal play is won, drawn and lost, where winning is what counts.

The value of a game is the chance of a win less that of a loss, whatever optimal strategies are played.
The chance of a draw is not settled by that: where a position has several optimal strategies it
depends on which are chosen. Here are the least and the greatest, over all pairs of strategies that
are optimal at every position they lead to; wins and losses follow from value and draws.

At each position a pair of optimal strategies is chosen by itself. The chance of a draw is linear in
either of the two, so the extreme ones suffice.
"""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

from flint import fmpq

from gops_exact.game.cards import Hand
from gops_exact.game.rules import LEVEL, Draw, Prizes, Rules, State, Upcard
from gops_exact.lattice.tables import average
from gops_exact.matrix_game.optimal_set import Point, optimal_set
from gops_exact.players.analysis import Analyst, relabelled
from gops_exact.players.objectives import left, upcards
from gops_exact.players.view import View
from gops_exact.solutions.outcomes import Chances, Outcomes

UPTO = 6
"""Cards a side that take no more than minutes."""


def check_quick(n: int, *, force: bool = False, name: str = "n") -> None:
    """Refuse outcomes that take more than minutes, unless forced.

    Args:
        n: cards a side.
        force: let pass what takes longer.
        name: what n is to the user.

    Raises:
        ValueError: if it is refused.
    """
    if n > UPTO and not force:
        raise ValueError(f"{name} must be at most {UPTO} for exact outcomes unless forced, got {n}")


class Forecaster:
    """The outcomes of positions with any hands of one deck, each computed once.

    Args:
        n: distinct cards in both hands together, at most.
        rules: the rules, for winning.
        store: file to take values from, as in :func:`gops_exact.value`.

    Raises:
        ValueError: if points are played for.

    >>> forecaster = Forecaster(4, Rules("win"))
    >>> deck = (1, 2, 3, 4)
    >>> print(forecaster.outcomes(deck, deck, deck).draw.least)
    1684959767/2631497400
    """

    def __init__(self, n: int, rules: Rules, *, store: str | Path | None = None) -> None:
        if not rules.winning:
            raise ValueError(f"outcomes are of objective win, got objective {rules.objective}")
        self.n = n
        self.rules = rules
        self.analyst = Analyst(n, rules, store=store)
        self._known: dict[tuple[Hand, Hand, Prizes, State], Outcomes] = {}

    def outcomes(
        self, one: Hand, two: Hand, prizes: Prizes, state: State = LEVEL, upcard: Upcard = None
    ) -> Outcomes:
        """From a position on.

        Args:
            one: player one's hand.
            two: player two's.
            prizes: the prizes left, arranged.
            state: margin and pot.
            upcard: the prize turned up; None before it is, or where it is hidden.
        """
        if upcard is not None:
            (stakes,) = (found for card, found in upcards(self.rules, prizes) if card == upcard)
            return self._game(self._view(one, two, prizes, state, upcard), stakes)
        decided = self.rules.decided(prizes, state)
        if decided is not None:
            level = fmpq(int(decided == 0))
            return Outcomes(fmpq(decided), Chances(level, level))
        one, two = relabelled(one, two)
        key = one, two, prizes, state
        if key not in self._known:
            games = [
                (sum(stake.times for stake in stakes), self._game(self._view(*key, card), stakes))
                for card, stakes in upcards(self.rules, prizes)
            ]
            self._known[key] = mean(games)
        return self._known[key]

    def _view(self, one: Hand, two: Hand, prizes: Prizes, state: State, upcard: Upcard) -> View:
        return View(self.n, one, two, prizes, upcard, self.rules, *state)

    def _game(self, view: View, stakes: list[Draw]) -> Outcomes:
        """Of one game of bids."""
        advice = self.analyst.advice(view)
        optimal = optimal_set(advice.matrix())
        after = {
            (i, j): self._after(view, stakes, i, j)
            for i, j in product(_played(optimal.row), _played(optimal.column))
        }

        def chance(row: Point, column: Point, which: int) -> fmpq:
            pairs = product(_played([row]), _played([column]))
            return sum((row[i] * column[j] * after[i, j][which] for i, j in pairs), fmpq(0))

        pairs = list(product(optimal.row, optimal.column))
        least = min(chance(row, column, 0) for row, column in pairs)
        greatest = max(chance(row, column, 1) for row, column in pairs)
        return Outcomes(advice.value, Chances(least, greatest))

    def _after(self, view: View, stakes: list[Draw], i: int, j: int) -> Chances:
        """Of a draw after a pair of bids, given by their places."""
        bids = view.hand[i], view.opponent[j]
        games = [(stake.times, self.outcomes(*left(view, stake, *bids))) for stake in stakes]
        return mean(games).draw


def mean(games: Sequence[tuple[int, Outcomes]]) -> Outcomes:
    """The mean of outcomes, each counted so many times."""
    times = [count for count, _ in games]
    return Outcomes(
        average([found.value for _, found in games], times),
        Chances(
            average([found.draw.least for _, found in games], times),
            average([found.draw.greatest for _, found in games], times),
        ),
    )


def _played(strategies: Sequence[Point]) -> list[int]:
    """The places of the bids that any of the strategies plays."""
    return [place for place, chances in enumerate(zip(*strategies, strict=True)) if any(chances)]
