"""What a player may see before a bid."""

from dataclasses import dataclass
from typing import NamedTuple

from gops_exact.game.cards import Hand
from gops_exact.game.rules import Prizes, Rules


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


def mirrored(game: Game) -> Game:
    """The same game as the opponent saw it."""
    return tuple(each.mirrored() for each in game)


def points(game: Game) -> tuple[int, int]:
    """The points of the player and of the opponent.

    >>> points((Round(3, 3, 2, 1), Round(1, 1, 1, 2)))
    (3, 1)
    """
    won = lost = 0
    for _, stake, bid, reply in game:
        if bid > reply:
            won += stake
        elif bid < reply:
            lost += stake
    return won, lost


@dataclass(frozen=True, slots=True)
class View:
    """What a player sees when it is time to bid.

    The first eight attributes are the *position*; they are all that a memoryless policy looks at.

    Attributes:
        n: cards a side when the game began.
        hand: the player's cards, ascending.
        opponent: the opponent's cards, ascending.
        prizes: the prizes left, the upcard among them; ascending, or in order where it is known.
        upcard: the prize turned up; None where bids come before it is seen.
        rules: the rules played by.
        margin: the player's points less the opponent's in this game, where winning is what counts;
            0 where points are played for.
        pot: points carried over from ties.
        rounds: the rounds of this game so far.
        games: the earlier games of the match, in order.
        length: how many games the match is to have, this one among them.
    """

    n: int
    hand: Hand
    opponent: Hand
    prizes: Prizes
    upcard: int | None
    rules: Rules
    margin: int = 0
    pot: int = 0
    rounds: Game = ()
    games: tuple[Game, ...] = ()
    length: int = 1

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
        return points(self.rounds)

    def swapped(self) -> "View":
        """The same position as the opponent sees it."""
        return View(
            self.n,
            self.opponent,
            self.hand,
            self.prizes,
            self.upcard,
            self.rules,
            -self.margin,
            self.pot,
            mirrored(self.rounds),
            tuple(map(mirrored, self.games)),
            self.length,
        )
