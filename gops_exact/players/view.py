"""Views of a game: all that a player may see before a bid."""

from dataclasses import dataclass
from typing import NamedTuple

from gops_exact.arguments import instance, items
from gops_exact.game.cards import Hand
from gops_exact.game.position import Position
from gops_exact.game.rules import Prizes, Rules, Upcard


class Round(NamedTuple):
    """One round that is over, as one of the players saw it.

    Attributes:
        upcard: the prize turned up.
        stake: the points played for, the upcard and what ties before it had left.
        bid: the player's card.
        reply: the opponent's card.
    """

    upcard: int
    stake: int
    bid: int
    reply: int

    @property
    def won(self) -> int:
        """Points the player won."""
        return self.stake if self.bid > self.reply else 0

    @property
    def lost(self) -> int:
        """Points the opponent won."""
        return self.stake if self.reply > self.bid else 0

    def mirrored(self) -> "Round":
        """The same round as the opponent saw it."""
        return Round(self.upcard, self.stake, self.reply, self.bid)


Game = tuple[Round, ...]
"""The rounds of one game, in order."""


def as_game(game: object) -> Game:
    """`game`, or a ``ValueError`` that names what was given."""
    kind = "a sequence of rounds"
    return tuple(instance(each, Round, "a round", "a Round") for each in items(game, "game", kind))


def mirrored(game: Game) -> Game:
    """The same game as the opponent saw it."""
    return tuple(each.mirrored() for each in game)


def points(game: Game) -> tuple[int, int]:
    """The points of the player and of the opponent.

    >>> points((Round(3, 3, 2, 1), Round(1, 1, 1, 2)))
    (3, 1)
    """
    return _points(as_game(game))


def _points(game: Game) -> tuple[int, int]:
    won = lost = 0
    for _, stake, bid, reply in game:
        if bid > reply:
            won += stake
        elif bid < reply:
            lost += stake
    return won, lost


@dataclass(frozen=True, slots=True)
class View:
    """A position and its history as a player sees them when it is time to bid.

    A memoryless policy looks at the position alone.

    Attributes:
        n: cards a side when the game began.
        position: the position, the player's hand first.
        rounds: the rounds of this game so far.
        games: the earlier games of the match, in order.
        length: how many games the match is to have, this one among them.
    """

    n: int
    position: Position
    rounds: Game = ()
    games: tuple[Game, ...] = ()
    length: int = 1

    @property
    def hand(self) -> Hand:
        """The player's cards, ascending."""
        return self.position.one

    @property
    def opponent(self) -> Hand:
        """The opponent's cards, ascending."""
        return self.position.two

    @property
    def prizes(self) -> Prizes:
        """The prizes left, the upcard among them; ascending, or in order where it is known."""
        return self.position.prizes

    @property
    def upcard(self) -> Upcard:
        """The prize turned up; None where bids come before it is seen."""
        return self.position.upcard

    @property
    def rules(self) -> Rules:
        """The rules played by."""
        return self.position.rules

    @property
    def margin(self) -> int:
        """The player's points less the opponent's where winning counts; 0 where points do."""
        return self.position.margin

    @property
    def pot(self) -> int:
        """Points carried over from ties."""
        return self.position.pot

    @property
    def stake(self) -> int:
        """The points of this round: the upcard and the pot.

        Raises:
            ValueError: if the upcard is hidden.
        """
        if self.upcard is None:
            raise ValueError("the stake is known once the upcard is, got hidden prizes")
        return self.upcard + self.pot

    @property
    def points(self) -> tuple[int, int]:
        """The points won in this game so far, the player's and the opponent's."""
        return _points(self.rounds)

    @property
    def to_win(self) -> int:
        """Points still needed for more than half of all that can still be won or has been.

        >>> View(13, Position.start(13).at(1)).to_win
        46
        """
        won, lost = self.points
        return (won + lost + self.pot + sum(self.prizes)) // 2 + 1 - won

    def swapped(self) -> "View":
        """The same position as the opponent sees it."""
        return View(
            self.n,
            self.position.swapped(),
            mirrored(self.rounds),
            tuple(map(mirrored, self.games)),
            self.length,
        )
