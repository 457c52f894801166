"""What a server tells of a position by its name: every bid with what it gains, best first; the main line.

And what a player bids whose program is not in the page.
"""

from collections.abc import Sequence
from random import SystemRandom
from typing import Any

from gops_exact.base.arguments import choice
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Upcard
from gops_exact.numbers import BigRational
from gops_exact.numbers.bounds import FLOAT_DIGITS
from gops_exact.numbers.exact import Number
from gops_exact.players.catalogue import policy
from gops_exact.players.dror_kendall_rapoport import STRATEGIES
from gops_exact.players.policy import Round, View, checked_bid
from gops_exact.players.simple import PUBLISHED_CARDS, Published
from gops_exact.show.explorer import Document
from gops_exact.solvers.solution import Solver

EXACT_CARDS = 4
"""Cards a side up to which exact numbers take a moment, and are short."""

DIGITS = 12
"""Digits after the point."""

PLAYERS = {Published.name: "the table of Rhoads (2011)"} | {
    name: f"strategy {name}" for name in STRATEGIES
}
"""{players whose programs are not in the page: what it calls them}."""

BY_TABLE = (Published.name, "0204", "0205")
"""Players that bid by a published table."""


class Tablebase:
    """Any position in exact numbers where it has few cards, else in floats with proved radii."""

    def __init__(self, exact: Solver[Any], floats: Solver[Any]) -> None:
        self.exact, self.floats = exact, floats

    def solver(self, position: Position) -> Solver[Any]:
        """Return the solver that answers for a position."""
        return self.exact if position.size <= EXACT_CARDS else self.floats

    def position(self, position: Position) -> Document:
        """Return what a position is worth to player one, and every bid of both, the best first.

        Without an upcard that is so for every prize that can come next. A bid gains what it expects against
        the optimal strategy of the other player, to whoever makes it.
        """
        solver = self.solver(position)
        found = {
            "position": str(position),
            "arithmetic": solver.arithmetic.name,
            "value": number(solver.value(position)),
        }
        if position.upcard is None and not position.rules.hidden:
            return found | {"upcards": [self.position(at) for _, at in position.turns()]}
        solution = solver.solve(position)
        sides = (("one", solution.row, position), ("two", solution.column, position.swapped()))
        for side, strategy, seen in sides:
            gains = solver.bid_gains(seen)
            order = sorted(strategy, key=lambda bid: (-float(gains[bid]), -float(strategy[bid])))
            found[side] = {
                "unique": strategy.unique,
                "proved": strategy.proved,
                "bids": [
                    {"bid": bid, "gain": number(gains[bid]), "probability": number(strategy[bid])}
                    for bid in order
                ],
            }
        return found

    def main_line(self, position: Position) -> Document:
        """Return the line to the end in which both make the bids that they make most often, the highest first.

        Where chance turns up the next prize it is the highest that is left.
        """
        start, rounds = position, []
        while position.size:
            hidden, upcard = position.rules.hidden, position.upcard
            if upcard is None and not hidden:
                position = [at for _, at in position.turns()][-1]
            prize = position.prizes[-1] if position.upcard is None else position.upcard
            solution = self.solver(position).solve(position)
            one, two = (
                max(strategy, key=lambda bid: (float(strategy[bid]), bid))
                for strategy in (solution.row, solution.column)
            )
            rounds.append(
                {
                    "position": str(position),
                    "value": number(solution.value),
                    "prize": prize,
                    "one": one,
                    "two": two,
                }
            )
            position = position.after(one, two, prize)
        return {"position": str(start), "rounds": rounds}


def players_of(n: int) -> dict[str, str]:
    """Return those of :data:`PLAYERS` that play with n cards."""
    left_out = () if n in PUBLISHED_CARDS else BY_TABLE
    return {name: text for name, text in PLAYERS.items() if name not in left_out}


def bid(
    player: str, game: Game, upcard: Upcard, games: Sequence[Sequence[tuple[int, int, int]]]
) -> int:
    """Return the card that one of :data:`PLAYERS` bids in a game of the whole deck.

    Args:
        player: its name.
        game: the game.
        upcard: the prize turned up.
        games: those of the match, the one in play last; of each the rounds as prize, the player's card, the other's.

    Raises:
        ValueError: if there is no such player, it plays no such game, or the rounds cannot be.

    >>> bid("published", Game(5), 5, [[(1, 2, 1), (4, 3, 4)]]) in (1, 4, 5)
    True
    """
    choice(player, "player", tuple(PLAYERS))
    if not games:
        raise ValueError("games must have the one in play last, got none")
    played = []
    for rounds in games:
        position, over = game.start, list[Round]()
        for prize, own, other in rounds:
            turned_up = position.at(None if game.rules.hidden else prize)
            position = turned_up.after(own, other, prize)
            over.append(Round(prize, prize + turned_up.pot, own, other))
        played.append(tuple(over))
    view = View(game.n, position.at(upcard), played[-1], tuple(played[:-1]), len(played))
    return checked_bid(policy(player, game), view, SystemRandom())


def number(given: Number[Any]) -> Document:
    """Return a number as an object: a decimal, and the fraction, or how far the decimal may be off."""
    if isinstance(given, BigRational):
        return {"decimal": given.decimal(DIGITS), "exact": given.text()}
    decimal, radius = given.with_radius(DIGITS, FLOAT_DIGITS)
    return {"decimal": decimal, "radius": float(radius)}
