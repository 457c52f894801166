"""The optimal policy, from exact values in the store or solved on demand."""

from collections.abc import Mapping
from pathlib import Path
from random import Random

from flint import fmpq

from gops_exact.game.rules import Rules
from gops_exact.players.analysis import Adviser, Analyst
from gops_exact.players.policy import Memoryless
from gops_exact.players.sampling import draw
from gops_exact.players.view import View


class Optimal(Memoryless):
    """An optimal strategy at every position of the game of n cards.

    Nobody gains anything on average against it, whatever they know. A position is solved when a bid
    is asked for, with all it leads to, and kept.

    Args:
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        analyst: solves the positions; a new one by default.
        store: file for a new one to take values from, as in :func:`gops_exact.value`.
    """

    name = "optimal"
    ordinal = True

    def __init__(
        self,
        n: int,
        rules: Rules | None = None,
        analyst: Adviser | None = None,
        *,
        store: str | Path | None = None,
    ) -> None:
        self.n = n
        self.rules = Rules() if rules is None else rules
        self.analyst = Analyst(n, self.rules, store=store) if analyst is None else analyst

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One optimal strategy of the position.

        Raises:
            ValueError: if the view is of a game with other rules or more cards.
        """
        return self.analyst.advice(view).row

    def bid(self, view: View, rng: Random) -> int:
        """A card drawn by its exact probability; they were proved, so they are not added up again."""
        return draw(self.bids(view), rng)
