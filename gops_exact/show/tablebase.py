"""Answers of the server: the bids of a position with their gains, and the bids of players that the page cannot
compute itself.
"""

from collections.abc import Sequence
from random import SystemRandom
from typing import Any

from gops_exact.base.arguments import choice
from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Upcard
from gops_exact.numbers import BigRational
from gops_exact.numbers.digits import FLOAT_DIGITS
from gops_exact.numbers.exact import Number
from gops_exact.players.catalogue import policy
from gops_exact.players.policy import Round, View, checked_bid
from gops_exact.players.simple import PUBLISHED_CARDS, Published
from gops_exact.show.explorer import Document
from gops_exact.solvers.api import solver
from gops_exact.solvers.solution import Solver
from gops_exact.solvers.store import MEMORY

EXACT_CARDS = 4
"""Greatest number of cards a side of positions that are solved exactly. Their numbers are short and take a moment to
compute."""

DIGITS = 12
"""Number of digits after the point."""

PLAYERS = {Published.name: "the table of Rhoads (2011)"}
"""{name of a player that only the server can compute: the name that the page shows}."""


def position_answer(
    position: Position, floats: Solver[Any], exact: Solver[Any] | None = None
) -> Document:
    """Return the value of a position to player one, and all bids of both players, the best bids first.

    If no prize is turned up, there are a value and bids for every prize that can come next. The gain of a
    bid is the expected gain of the player who makes it against the other player's optimal strategy.

    Args:
        position: the position; with at most EXACT_CARDS cards a side it is solved in exact numbers.
        floats: the solver in floats with proved radii, for positions of more cards.
        exact: the exact solver; by default a new one, since the values that a solver keeps are of use to few other
            positions.
    """
    exact = exact or solver("exact", store=MEMORY)
    answering = exact if position.size <= EXACT_CARDS else floats
    answer = {
        "position": str(position),
        "arithmetic": answering.arithmetic.name,
        "value": number(answering.value(position)),
    }
    if position.upcard is None and not position.rules.hidden:
        return answer | {
            "upcards": [position_answer(at, floats, exact) for _, at in position.turns()]
        }
    solution = answering.solve(position)
    sides = (("one", solution.row, position), ("two", solution.column, position.swapped()))
    for side, strategy, seen in sides:
        gains = answering.bid_gains(seen)
        order = sorted(strategy, key=lambda bid: (-float(gains[bid]), -float(strategy[bid])))
        answer[side] = {
            "unique": strategy.unique,
            "proved": strategy.proved,
            "bids": [
                {"bid": bid, "gain": number(gains[bid]), "probability": number(strategy[bid])}
                for bid in order
            ],
        }
    return answer


def players_of(n: int) -> dict[str, str]:
    """Return the entries of :data:`PLAYERS` for players that can play with n cards a side."""
    return PLAYERS if n in PUBLISHED_CARDS else {}


def bid(
    player: str, game: Game, upcard: Upcard, games: Sequence[Sequence[tuple[int, int, int]]]
) -> int:
    """Return the card that one of :data:`PLAYERS` bids.

    Args:
        player: the name of the player.
        game: the game, from its start.
        upcard: the prize turned up; None if it is hidden.
        games: the games of the match, the current one last. A game is a sequence of rounds (prize, the
            player's card, the opponent's card).

    Raises:
        ValueError: if there is no such player, if the player cannot play this game, or if the rounds break the
            rules.

    >>> bid("published", Game(5), 5, [[(1, 2, 1), (4, 3, 4)]]) in (1, 4, 5)
    True
    """
    choice(player, "player", tuple(PLAYERS))
    if not games:
        raise ValueError("games must have the one in play last, got none")
    histories = []
    for rounds in games:
        position, history = game.start, list[Round]()
        for prize, own, other in rounds:
            turned_up = position.at(None if game.rules.hidden else prize)
            position = turned_up.after(own, other, prize)
            history.append(Round(prize, prize + turned_up.pot, own, other))
        histories.append(tuple(history))
    *before, present = histories
    view = View(game.n, position.at(upcard), present, tuple(before), len(histories))
    return checked_bid(policy(player, game), view, SystemRandom())


def number(value: Number[Any]) -> Document:
    """Return a number as a JSON object: its decimal, with the exact fraction or with a bound on the error."""
    if isinstance(value, BigRational):
        return {"decimal": value.decimal(DIGITS), "exact": value.text()}
    decimal, radius = value.with_radius(DIGITS, FLOAT_DIGITS)
    return {"decimal": decimal, "radius": float(radius)}
