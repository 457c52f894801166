"""The optimal policy, and numbers of solvers as players use them."""

from collections.abc import Mapping
from random import Random
from typing import Any

from flint import arb, ctx, fmpq

from gops_exact import api
from gops_exact.arguments import instance
from gops_exact.game.game import Game, Position, as_game
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.numbers.raw import from_pair, rational, to_arb
from gops_exact.players.policy import Memoryless, draw
from gops_exact.players.view import View
from gops_exact.solutions.arithmetic import Exact, Float
from gops_exact.solutions.solution import Solver
from gops_exact.solvers.by_layers import ByLayers
from gops_exact.solvers.by_prizes import ByPrizes

SCALE = 1 << 53
"""Weights are integers that sum to about this; floats have no more digits."""

DECIMALS = 9
"""Players' values are rounded to so many: those of 13 cards are known to some 10⁻¹² points."""


class Optimal(Memoryless):
    """An optimal strategy at every position of a game.

    Nobody gains anything on average against it, whatever they know.

    Args:
        game: the game; it plays games of fewer cards by the same rules, too.
        solver: solves the positions; by default exactly, each when a bid is asked for.
    """

    name = "optimal"
    ordinal = True

    def __init__(self, game: Game, solver: Solver[Any] | None = None) -> None:
        self.game = as_game(game)
        self.advisor = advisor(solver, game)

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return one optimal strategy of the position.

        Raises:
            ValueError: if the view is of a game with other rules or more cards.
        """
        if view.rules != self.game.rules or view.n > self.game.n:
            raise made_for(self.name, self.game, view)
        return self.advisor.strategy(view.position)

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card by its exact probability; they were proved, so they are not added up again."""
        return draw(self.bids(view), rng)


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


def advisor(given: Solver[Any] | None, game: Game) -> Advisor:
    """Return what players take from the solver that a user gives; for None, from the exact one."""
    return Advisor(api.solver("exact", game, force=True) if given is None else given)


def made_for(name: str, game: Game, view: View) -> ValueError:
    """Return the error that a policy was made for another game than that of a view."""
    return ValueError(f"policy {name!r} was made for {game}, got {view.n} cards, {view.rules}")


def _decimal(number: float) -> fmpq:
    """Return the decimal nearest to a float."""
    return fmpq(round(number * 10**DECIMALS), 10**DECIMALS)
