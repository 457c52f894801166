"""The rules once more, as the verifier reads them: what a round pays, what it leaves, what comes next."""

from itertools import product
from typing import NamedTuple

Prizes = tuple[int, ...]

PLAIN = "points/discard/random"
"""Rules as they stand in the names of entries: objective, ties, prizes."""

OBJECTIVES = ("points", "win")
TIES = ("discard", "carryover")

RULES = {"/".join(named) for named in product(OBJECTIVES, TIES, ("random", "hidden", "fixed"))}
"""All rules by those names."""

MOST_CARDS = 28
"""Cards a side at most, and letters of a word: beyond that there are no results."""


class Left(NamedTuple):
    """What a value is about, the hands aside.

    Attributes:
        rules: such as :data:`PLAIN`.
        prizes: those left, in the order they come if that is fixed.
        margin: player one's points less player two's, where the game is for winning.
        pot: points carried over from ties.
    """

    rules: str
    prizes: Prizes
    margin: int = 0
    pot: int = 0

    @property
    def winning(self) -> bool:
        """Whether a win is all that counts."""
        return self.rules.startswith("win/")

    @property
    def mirrored(self) -> "Left":
        """The same as the other player sees it."""
        return self._replace(margin=-self.margin)

    @property
    def known(self) -> int | None:
        """What is left is worth so much if the bids cannot change it; None if they can."""
        if self.prizes and abs(self.margin) <= sum(self.prizes) + self.pot:
            return None
        return (self.margin > 0) - (self.margin < 0)

    @property
    def name(self) -> str:
        """As it stands in the names of entries.

        >>> Left("win/carryover/random", (1, 4), -2, 3).name
        '1,4 margin -2 pot 3'
        """
        margin = f" margin {self.margin}" if self.margin else ""
        return listed(self.prizes) + margin + (f" pot {self.pot}" if self.pot else "")


class Stake(NamedTuple):
    """A prize that bids may be for.

    Attributes:
        times: how many prizes of its value there are.
        gains: what player one gains at once, at index 0, 1 and −1, the sign of the bids'
            difference.
        left: what is left after that, at the same indices.
    """

    times: int
    gains: tuple[int, int, int]
    left: tuple[Left, Left, Left]


class Turn(NamedTuple):
    """A game that may come next.

    Attributes:
        upcard: the prize turned up; None if bids come first.
        times: how many prizes lead to it.
        stakes: what the bids may be for.
    """

    upcard: int | None
    times: int
    stakes: tuple[Stake, ...]


def turns(left: Left) -> list[Turn]:
    """The games that the value of `left` is the mean of.

    >>> [(turn.upcard, turn.times) for turn in turns(Left(PLAIN, (2, 2, 5)))]
    [(2, 2), (5, 1)]
    >>> [(turn.upcard, len(turn.stakes)) for turn in turns(Left("win/discard/hidden", (2, 5)))]
    [(None, 2)]
    """
    order = left.rules.rpartition("/")[2]
    if order == "fixed":
        return [Turn(left.prizes[0], 1, (_stake(left, left.prizes[0], 1),))]
    upcards = sorted(set(left.prizes))
    stakes = [_stake(left, upcard, left.prizes.count(upcard)) for upcard in upcards]
    if order == "hidden":
        return [Turn(None, len(left.prizes), tuple(stakes))]
    pairs = zip(upcards, stakes, strict=True)
    return [Turn(upcard, stake.times, (stake,)) for upcard, stake in pairs]


def _stake(left: Left, upcard: int, times: int) -> Stake:
    place = left.prizes.index(upcard)
    rest = left.prizes[:place] + left.prizes[place + 1 :]
    points = upcard + left.pot
    carried = points if "/carryover/" in left.rules else 0
    if left.winning:
        gains = 0, 0, 0
        margins = left.margin, left.margin + points, left.margin - points
    else:
        gains = 0, points, -points
        margins = 0, 0, 0
    none, one, two = margins
    after = (
        Left(left.rules, rest, none, carried),
        Left(left.rules, rest, one),
        Left(left.rules, rest, two),
    )
    return Stake(times, gains, after)


def listed(prizes: Prizes) -> str:
    """Prizes with commas."""
    return ",".join(map(str, prizes))
