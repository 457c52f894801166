"""Reviews: the cost of each bid of a game against optimal play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from flint import arb, ctx, fmpq

from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.lattice.exact_slab import BALL_BITS
from gops_exact.layers.sweep import as_float
from gops_exact.numbers.big import BigRational
from gops_exact.numbers.kinds import BoundedFloat, Number
from gops_exact.players.optimal import Solver, as_solver
from gops_exact.players.view import Game, Round, View, as_game
from gops_exact.solver.by_layers import FloatSolver
from gops_exact.solver.by_prizes import PrizeSets


@dataclass(frozen=True)
class Judgement:
    """One bid and what it cost.

    Attributes:
        view: the player's view before the round.
        over: the round.
        value: the player's expectation from there on, in points, or wins less losses.
        gain: the player's expectation of the bid, against an opponent who plays an optimal strategy
            and with optimal play to follow.
    """

    view: View
    over: Round
    value: fmpq
    gain: fmpq

    @property
    def cost(self) -> fmpq:
        """Value less gain, at least 0. A bid that an optimal strategy plays costs nothing.

        Where the opponent has several optimal strategies it is the cost against one of them.
        """
        return self.value - self.gain


def review(
    game: Game, n: int, rules: Rules = PLAIN, solver: Solver | None = None
) -> list[Judgement]:
    """Judge each bid of a player, round by round.

    Args:
        game: the rounds as the player saw them, all or the first ones.
        n: cards a side.
        rules: the rules.
        solver: solves the positions; exactly by default.

    >>> [bid] = review((Round(upcard=3, stake=3, bid=2, reply=3),), 3)
    >>> print(bid.value, bid.gain, bid.cost)
    0 -2 2
    """
    game, solver = as_game(game), as_solver(solver, n, rules)
    return [
        Judgement(view, over, solver.value(view.position), solver.gain(view.position, over.bid))
        for view, over in zip(views(game, n, rules), game, strict=True)
    ]


def views(game: Game, n: int, rules: Rules = PLAIN) -> Iterator[View]:
    """The player's view before each round of a game."""
    position = Position.start(n, rules)
    n = position.size
    for played, over in enumerate(game):
        position = position.at(None if rules.hidden else over.upcard)
        yield View(n, position, game[:played])
        position = position.after(over.bid, over.reply, over.upcard)


def bid_costs(position: Position, solver: PrizeSets | FloatSolver) -> list[Number[Any]]:
    """Compute what each bid of player one loses against the optimal policy of a solver.

    Args:
        position: the position, with a prize turned up.
        solver: the solver that the optimal policy takes its bids from.

    Returns:
        The value of the position less the expectation of each bid, cards ascending: exact numbers, or
        floats with proved radii.

    >>> print(*bid_costs(Position.start(3).at(3), PrizeSets((1, 2, 3), (1, 2, 3))))
    2/3 2 0
    """
    replies = solver.strategy(position.swapped()).values()
    if isinstance(solver, PrizeSets):
        value = solver.value(position)
        return [
            BigRational.of(
                sum((q * (value - x.value) for q, x in zip(replies, row, strict=True)), fmpq(0))
            )
            for row in solver.payoff(position)
        ]
    with ctx.workprec(BALL_BITS):
        worth = _ball(solver.worth(position))
        return [
            as_float(
                sum((q * (worth - _ball(x)) for q, x in zip(replies, row, strict=True)), arb(0))
            )
            for row in solver.payoff(position)
        ]


def _ball(number: Number[float]) -> arb:
    """Return the ball of a float and its radius."""
    found = cast("BoundedFloat", number)
    return arb(found.value, found.radius)
