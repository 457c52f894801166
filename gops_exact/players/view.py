"""Views of a game: all that a player may see before a bid."""

from dataclasses import dataclass
from typing import NamedTuple

from gops_exact.arguments import instance, items
from gops_exact.game.game import Position
from gops_exact.game.rules import Hand, Prizes, Rules, Upcard


class Round(NamedTuple):
    """One round that is over, as one of the players saw it."""

    upcard: int  # the prize turned up
    stake: int  # the points played for: the upcard and what ties before it had left
    bid: int  # the player's card
    reply: int  # the opponent's card

    @property
    def won(self) -> int:
        """Points the player won."""
        return self.stake if self.bid > self.reply else 0

    @property
    def lost(self) -> int:
        """Points the opponent won."""
        return self.stake if self.reply > self.bid else 0

    def mirrored(self) -> "Round":
        """Return the round as the opponent saw it."""
        return Round(self.upcard, self.stake, self.reply, self.bid)


Rounds = tuple[Round, ...]
"""The rounds of one game, in order."""


def as_rounds(given: object) -> Rounds:
    """Return rounds, or raise a ``ValueError`` that names what was given."""
    rounds = items(given, "rounds", "a sequence of rounds")
    return tuple(instance(each, Round, "a round", "a Round") for each in rounds)


def mirrored(rounds: Rounds) -> Rounds:
    """Return rounds as the opponent saw them."""
    return tuple(each.mirrored() for each in rounds)


def points(rounds: Rounds) -> tuple[int, int]:
    """Count the points of the player and of the opponent.

    >>> points((Round(3, 3, 2, 1), Round(1, 1, 1, 2)))
    (3, 1)
    """
    return _points(as_rounds(rounds))


def _points(rounds: Rounds) -> tuple[int, int]:
    won = lost = 0
    for _, stake, bid, reply in rounds:
        if bid > reply:
            won += stake
        elif bid < reply:
            lost += stake
    return won, lost


@dataclass(frozen=True, slots=True)
class View:
    """A position and its history as a player sees them when it is time to bid.

    A memoryless policy looks at the position alone.
    """

    n: int  # cards a side when the game began
    position: Position  # the player's hand first
    rounds: Rounds = ()  # of this game so far
    games: tuple[Rounds, ...] = ()  # the earlier games of the match, in order
    length: int = 1  # games of the match, this one among them

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
        """Return the view of the opponent."""
        return View(
            self.n,
            self.position.swapped(),
            mirrored(self.rounds),
            tuple(map(mirrored, self.games)),
            self.length,
        )
