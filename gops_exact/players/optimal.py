"""A policy that plays an optimal strategy at every position, and the cost of each bid against this policy.

Words used here:

* A *policy* is a rule that chooses a card in each round of the game.
* A *position* has both hands, the prizes left, the upcard, the margin and the pot. The *upcard* is the prize turned up
  in a round.
* The *margin* is the player's points minus the opponent's; it is always 0 if the objective is points.
* The *pot* is the sum of the prizes carried over from ties.
* A *view* is what a player sees before a bid: the position, and the rounds before it.
* The *cost* of a bid is the expected gain that the bid gives up.
* The *radius* of a float is a proved bound on its distance from the true number.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from flint import arb, ctx, fmpq

from gops_exact.base.arguments import instance, shown
from gops_exact.game.game import Game, Position, as_game, checked_position
from gops_exact.numbers.exact import BigRational, Number, rational
from gops_exact.numbers.kinds import as_float
from gops_exact.players.policy import Memoryless, View, draw, made_for
from gops_exact.solvers import api
from gops_exact.solvers.arithmetic import BALL_BITS, Exact, Float
from gops_exact.solvers.exact.by_prizes import ByPrizes
from gops_exact.solvers.floats.by_layers import ByLayers
from gops_exact.solvers.solver import Solver

SCALE = 1 << 53
"""Factor by which probabilities in floats are multiplied before they are rounded to integers. It is 2⁵³ because floats
have a precision of 53 bits."""

DECIMALS = 9
"""Digits after the point to which values in floats are rounded. With 13 cards the errors of these values are about
10⁻¹², far less than a unit of the last digit."""


class Optimal(Memoryless):
    """A policy that plays an optimal strategy at every position of a game.

    If the solver computes in exact numbers, no opponent has a positive expected gain against this policy from the start
    of the game. The results of all methods are then exact, except those of :meth:`gains`, which are floats.

    If the solver computes in floats, :meth:`bids` and :meth:`strategy` return fractions with the sum 1, whose common
    denominator is about 2⁵³. :meth:`value` and :meth:`gain` return fractions that are rounded to 9 digits after the
    point. :meth:`gains` returns floats, and :meth:`costs` returns floats with radii, which are proved bounds on the
    errors.

    Args:
        game: the game, or the number of its cards a side. The policy also plays games of fewer cards by the same
            rules.
        solver: the solver of positions; by default an exact one, which solves a position when its bid is
            asked for, and refuses a game that takes more than minutes.

    Raises:
        ValueError: if the solver's numbers are neither exact nor floats; or if `solver` is None, and solving the game
            takes more than minutes.

    >>> Optimal(Game(3)).strategy(Position.start(3).at(2))
    {1: 0, 2: 5/9, 3: 4/9}
    """

    name = "optimal"
    ordinal = True

    def __init__(self, game: Game | int, solver: Solver[Any] | None = None) -> None:
        self.game = as_game(game)
        chosen: Any = api.solver("exact", self.game) if solver is None else solver
        instance(chosen, Solver, "solver", "a solver of positions or None")
        self.solver: ByPrizes | ByLayers = chosen
        own = "the solver's arithmetic"
        instance(chosen.arithmetic, Exact | Float, own, "'exact' or 'float' for a policy")

    def bids(self, view: View) -> Mapping[int, fmpq]:
        """Return an optimal strategy of the player at the position of a view, {card: probability}.

        Raises:
            ValueError: if the view is of a game with other rules or more cards than the policy's game.
        """
        if view.rules != self.game.rules or view.n > self.game.n:
            raise made_for(self.name, self.game, view)
        return self.strategy(view.position)

    def bid(self, view: View, rng: Random) -> int:
        """Draw a card with the exact probabilities that :meth:`bids` returns."""
        return draw(self.bids(view), rng)

    def value(self, position: Position | str) -> BigRational:
        """Return player one's expected gain from a position on if both players play optimally.

        The gain is in points; if the objective is to win, it is the probability of a win less that of a loss.

        Args:
            position: the position or its name, before or after a prize is turned up.
        """
        position = checked_position(position)
        if isinstance(self.solver, ByLayers):
            if position.upcard is None and not (position.rules.hidden and position.prizes):
                return _decimal(self.solver.value(position).value)
            return _decimal(max(self.solver.quick(position)[1]))
        return BigRational(rational(self.solver.value(position)))

    def strategy(self, position: Position | str) -> dict[int, fmpq]:
        """Return an optimal strategy of player one at a position, {card: probability} for all cards of the hand.

        Args:
            position: the position or its name, with a prize turned up unless prizes are hidden.

        Raises:
            ValueError: if `position` is neither a position nor the name of one, if no prize is turned up although
                prizes are not hidden, or if no prize is left.
        """
        position = checked_position(position)
        if isinstance(self.solver, ByLayers):
            row, _ = self.solver.quick(position)
            weights = [round(weight * SCALE) for weight in row]
            bids = [fmpq(weight, sum(weights)) for weight in weights]
        else:
            bids = [fmpq(*bid) for bid in self.solver.play(position).row]
        return dict(zip(position.one, bids, strict=True))

    def gain(self, position: Position | str, card: int) -> BigRational:
        """Return player one's expected gain from bidding a card, against an optimal strategy of player two.

        The gain is counted from the position on, as in :meth:`value`. Up to rounding of floats, it is at most the value
        of the position, and equal to the value for every bid that an optimal strategy plays.

        Args:
            position: the position or its name, with a prize turned up unless prizes are hidden.
            card: a card of player one's hand.

        Raises:
            ValueError: if the card is not in the hand, or if a prize has to be turned up first, or none is left.
        """
        position = checked_position(position)
        if card not in position.one:
            hand = ", ".join(map(str, position.one))
            raise ValueError(f"a bid must be one of {hand}, got {shown(card)}")
        if isinstance(self.solver, ByPrizes):
            return BigRational(fmpq(*self.solver.gains(position, [card])[0]))
        return _decimal(self.gains(position)[card])

    def gains(self, position: Position | str) -> dict[int, float]:
        """Return player one's expected gain from each bid against an optimal strategy of player two, in floats.

        The results are floats, without bounds on their errors, even if the solver computes in exact numbers.

        Args:
            position: the position or its name, with a prize turned up unless prizes are hidden.

        Returns:
            {card: gain} for all cards of the hand.

        Raises:
            ValueError: if `position` is neither a position nor the name of one, if no prize is turned up although
                prizes are not hidden, or if no prize is left.
        """
        position = checked_position(position)
        if isinstance(self.solver, ByLayers):
            return dict(zip(position.one, self.solver.quick(position)[1], strict=True))
        with ctx.workprec(BALL_BITS):
            replies = [arb(fmpq(*q)) for q in self.solver.play(position).column]
            gains = [
                float(sum((x * q for x, q in zip(row, replies, strict=True)), arb(0)))
                for row in self.solver.entries(position, enclosed=True)
            ]
        return dict(zip(position.one, gains, strict=True))

    def costs(self, position: Position | str) -> list[Number[Any]]:
        """Compute the cost of each bid of player one: the expected gain that the bid gives up against this policy.

        Args:
            position: the position or its name, with a prize turned up unless prizes are hidden.

        Returns:
            The value of the position minus the expected gain from each bid, in ascending order of the cards:
            exact numbers, or floats with proved radii.

        Raises:
            ValueError: if a prize has to be turned up first, or none is left.

        >>> print(*Optimal(Game(3)).costs(Position.start(3).at(3)))
        2/3 2 0
        """
        position = checked_position(position)
        replies = self.strategy(position.swapped()).values()
        worth: Any = self.solver.value(position)
        entries: list[list[Any]] = self.solver.entries(position)
        value: Any = worth.value
        number: Callable[[Any], Number[Any]] = BigRational
        if isinstance(self.solver, ByLayers):
            value, number = arb(worth.value, worth.radius), as_float
        else:
            entries = [[fmpq(*pair) for pair in row] for row in entries]
        with ctx.workprec(BALL_BITS):
            return [
                number(sum((q * (value - x) for q, x in zip(replies, row, strict=True)), fmpq(0)))
                for row in entries
            ]


def _decimal(number: float) -> BigRational:
    return BigRational(fmpq(round(number * 10**DECIMALS), 10**DECIMALS))
