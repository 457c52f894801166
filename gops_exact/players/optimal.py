"""Optimal policies: by the rules of the game, or by an objective of their own."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from flint import arb, ctx, fmpq

from gops_exact.arguments import instance, positive_integer
from gops_exact.game.game import Game
from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Rules, as_rules
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.numbers import rational, to_arb
from gops_exact.numbers.pairs import from_pair
from gops_exact.players.policy import Memoryless, draw
from gops_exact.players.view import View
from gops_exact.progress import Progress
from gops_exact.solutions.arithmetic import Exact, Float
from gops_exact.solutions.solver import Solver
from gops_exact.solvers.by_layers import ByLayers
from gops_exact.solvers.by_prizes import ByPrizes
from gops_exact.store.location import StoreLocation

SCALE = 1 << 53
"""Weights are integers that sum to about this; floats have no more digits."""

DECIMALS = 9
"""Players' values are rounded to so many: those of 13 cards are known to some 10⁻¹² points."""


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

    def __init__(self, n: int, rules: Rules = PLAIN, solver: Solver[Any] | None = None) -> None:
        self.n = positive_integer(n, "n")
        self.rules = as_rules(rules)
        self.advisor = advisor(solver, self.n, self.rules)

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
        return self.advisor.strategy(view.position)

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
        return self.advisor.strategy(replace(view.position, rules=self.rules, margin=0))


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
        return self.advisor.strategy(position)


class Advisor:
    """Values and strategies as players use them: exact numbers, and those of floats rounded.

    Args:
        solver: solves the positions.
    """

    def __init__(self, solver: Solver[Any]) -> None:
        known: Any = instance(solver, Solver, "solver", "a solver of positions or None")
        self.solver: ByPrizes | ByLayers = known
        if not (self.exact or isinstance(solver.arithmetic, Float)):
            name = solver.arithmetic.name
            raise ValueError(f"players need a solver in 'exact' or 'float', got one in {name!r}")

    @property
    def exact(self) -> bool:
        """True if nothing is rounded."""
        return isinstance(self.solver.arithmetic, Exact)

    def value(self, position: Position) -> fmpq:
        """Return the value of a position; in floats of one with a prize turned up."""
        if isinstance(self.solver, ByLayers):
            return _decimal(self.solver.quick_play(position).value)
        return rational(self.solver.value(position))

    def strategy(self, position: Position) -> dict[int, fmpq]:
        """Return one optimal strategy of player one, {card: probability}.

        Floats become multiples of about 2⁻⁵³.
        """
        if isinstance(self.solver, ByLayers):
            row = self.solver.quick_play(position).row
            weights = [round(weight * SCALE) for weight in row]
            bids = [fmpq(weight, sum(weights)) for weight in weights]
        else:
            bids = [from_pair(bid) for bid in self.solver.play(position).row]
        return dict(zip(position.one, bids, strict=True))

    def gain(self, position: Position, card: int) -> fmpq:
        """Return player one's expectation of a bid against player two's optimal strategy.

        No bid can expect more than the value; the bids that optimal strategies play expect just that.
        """
        if isinstance(self.solver, ByPrizes):
            return from_pair(self.solver.gain(position, card))
        return _decimal(self._expectations(position)[position.one.index(card)])

    def gains(self, position: Position) -> dict[int, float]:
        """Return player one's expectation of every bid against player two's optimal strategy, rounded."""
        return dict(zip(position.one, self._expectations(position), strict=True))

    def _expectations(self, position: Position) -> list[float]:
        if not isinstance(self.solver, ByPrizes):
            return self.solver.quick_gains(position)
        replies = [to_arb(from_pair(q), BALL_BITS) for q in self.solver.play(position).column]
        with ctx.workprec(BALL_BITS):
            return [
                float(sum((x * q for x, q in zip(row, replies, strict=True)), arb(0)))
                for row in self.solver.enclosed(position)
            ]


def exact_solver(
    n: int,
    rules: Rules = PLAIN,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
) -> ByPrizes:
    """Return the exact solver of the positions of the game of n cards; it takes as long as it takes."""
    location = StoreLocation.of(store)
    return ByPrizes(Exact(), Game(n, rules), location=location, progress=progress, force=True)


def advisor(given: Solver[Any] | None, n: int, rules: Rules) -> Advisor:
    """Return what players take from the solver that a user gives; for None, from the exact one."""
    found = exact_solver(n, rules) if given is None else given
    return Advisor(found)


def _decimal(number: float) -> fmpq:
    """Return the decimal nearest to a float."""
    return fmpq(round(number * 10**DECIMALS), 10**DECIMALS)
