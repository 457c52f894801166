"""Reviews: the cost of each bid of a game against optimal play."""

from collections.abc import Iterator
from dataclasses import dataclass

from flint import fmpq

from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.players.optimal import Solver, as_solver
from gops_exact.players.view import Game, Round, View, as_game


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
