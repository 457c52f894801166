"""Reviews: the cost of each bid of a game against optimal play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx, fmpq

from gops_exact.game.game import Game, Position, as_game
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.layers.sweep import as_float
from gops_exact.numbers.exact import BigRational, Number
from gops_exact.numbers.kinds import BoundedFloat
from gops_exact.numbers.raw import from_pair
from gops_exact.players.optimal import Advisor, advisor
from gops_exact.players.view import Round, Rounds, View, as_rounds
from gops_exact.solutions.solution import Solver
from gops_exact.solvers.by_prizes import ByPrizes


@dataclass(frozen=True)
class Judgement:
    """One bid and what it cost.

    Expectations are in points, or wins less losses, against an opponent who plays an optimal strategy,
    and with optimal play to follow.
    """

    view: View  # the player's, before the round
    over: Round
    value: fmpq  # the player's expectation from there on
    gain: fmpq  # the player's expectation of the bid

    @property
    def cost(self) -> fmpq:
        """Value less gain, at least 0. A bid that an optimal strategy plays costs nothing.

        Where the opponent has several optimal strategies it is the cost against one of them.
        """
        return self.value - self.gain


def review(rounds: Rounds, game: Game, solver: Solver[Any] | None = None) -> list[Judgement]:
    """Judge each bid of a player, round by round.

    Args:
        rounds: the rounds as the player saw them, all or the first ones.
        game: the game.
        solver: solves the positions; exactly by default.

    >>> [bid] = review((Round(upcard=3, stake=3, bid=2, reply=3),), Game(3))
    >>> print(bid.value, bid.gain, bid.cost)
    0 -2 2
    """
    rounds, game = as_rounds(rounds), as_game(game)
    advice = advisor(solver, game)
    return [
        Judgement(view, over, advice.value(view.position), advice.gain(view.position, over.bid))
        for view, over in zip(views(rounds, game), rounds, strict=True)
    ]


def views(rounds: Rounds, game: Game) -> Iterator[View]:
    """Yield the player's view before each round of a game."""
    position = game.start
    for played, over in enumerate(rounds):
        position = position.at(None if game.rules.hidden else over.upcard)
        yield View(game.n, position, rounds[:played])
        position = position.after(over.bid, over.reply, over.upcard)


def bid_costs(position: Position, advisor: Advisor) -> list[Number[Any]]:
    """Compute what each bid of player one loses against the optimal policy of a solver.

    Args:
        position: the position, with a prize turned up.
        advisor: gives the bids of the optimal policy.

    Returns:
        The value of the position less the expectation of each bid, cards ascending: exact numbers, or
        floats with proved radii.

    >>> print(*bid_costs(Position.start(3).at(3), advisor(None, Game(3))))
    2/3 2 0
    """
    replies = advisor.strategy(position.swapped()).values()
    solver = advisor.solver
    if isinstance(solver, ByPrizes):
        value = advisor.value(position)
        return [
            BigRational.of(
                sum(
                    (q * (value - from_pair(x)) for q, x in zip(replies, row, strict=True)), fmpq(0)
                )
            )
            for row in solver.entries(position)
        ]
    with ctx.workprec(BALL_BITS):
        worth = solver.value(position)
        middle = arb(worth.value, worth.radius) if isinstance(worth, BoundedFloat) else arb(0)
        return [
            as_float(sum((q * (middle - x) for q, x in zip(replies, row, strict=True)), arb(0)))
            for row in solver.entries(position)
        ]
