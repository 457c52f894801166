"""Optimal policies: by the rules of the game, or by an objective of their own."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

from flint import fmpq

from gops_exact.arguments import instance, positive_integer
from gops_exact.game.cards import deck_of
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.players.policy import Memoryless, draw
from gops_exact.players.view import View
from gops_exact.progress import Progress
from gops_exact.solver.by_layers import FloatSolver
from gops_exact.solver.by_prizes import MOST_CARDS, PrizeSets

Solver = PrizeSets | FloatSolver
"""A solver of all positions of one game, exact or in floats."""


class Optimal(Memoryless):
    """An optimal strategy at every position of the game of n cards.

    Nobody gains anything on average against it, whatever they know.

    Args:
        n: cards a side.
        rules: the rules; points, ties discarded, prizes random by default.
        solver: solves the positions; by default exactly, each when a bid is asked for.
    """

    name = "optimal"
    ordinal = True

    def __init__(self, n: int, rules: Rules = PLAIN, solver: Solver | None = None) -> None:
        self.n = positive_integer(n, "n")
        self.rules = as_rules(rules)
        self.solver = as_solver(solver, self.n, self.rules)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One optimal strategy of the position.

        Raises:
            ValueError: if the view is of a game with other rules or more cards.
        """
        if view.rules != self.rules or view.n > self.n:
            raise ValueError(
                f"policy {self.name!r} was made for {self.n} cards, {self.rules}, "
                f"got {view.n} cards, {view.rules}"
            )
        return self.solver.strategy(view.position)

    def bid(self, view: View, rng: Random) -> int:
        """A card drawn by its exact probability; they were proved, so they are not added up again."""
        return draw(self.bids(view), rng)


class ForPoints(Optimal):
    """Optimal play for points in a game for any objective: it does not look at the margin.

    Args:
        n: cards a side.
        rules: ties and prizes; the objective is points.
    """

    name = "for points"

    def __init__(self, n: int, rules: Rules = PLAIN) -> None:
        super().__init__(n, replace(as_rules(rules), objective="points"))

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One optimal strategy of the position, as if nobody had any points yet."""
        return self.solver.strategy(replace(view.position, rules=self.rules, margin=0))


class ForWin(Optimal):
    """Optimal play for winning; once the game is decided, for points.

    Args:
        n: cards a side.
        rules: ties and prizes; the objective is winning.
    """

    name = "for a win"

    def __init__(self, n: int, rules: Rules = PLAIN) -> None:
        super().__init__(n, replace(as_rules(rules), objective="win"))
        self.afterwards = ForPoints(n, rules)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """One optimal strategy of the position."""
        position = replace(view.position, rules=self.rules)
        if position.decided is not None:
            return self.afterwards.bids(view)
        return self.solver.strategy(position)


def exact_solver(
    n: int,
    rules: Rules = PLAIN,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> PrizeSets:
    """Return the exact solver of the game of n cards a side; store and progress are those of :class:`PrizeSets`."""
    deck = deck_of(n, MOST_CARDS)
    return PrizeSets(deck, deck, as_rules(rules), store=store, progress=progress)


def as_solver(given: object, n: int, rules: Rules) -> Solver:
    """The solver that a user gives; for None, the exact one."""
    found = exact_solver(n, rules) if given is None else given
    return instance(found, Solver, "solver", "a solver of positions or None")
