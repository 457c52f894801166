"""The rules as the verifier reads them, positions as words, and the names of a store's entries.

A word holds the cards of both hands in ascending order, V for one that only player one holds, Y for
one that only player two holds, B for one that both hold. Of two mirrored words the one whose first
letter other than B is V is kept; f changes its sign under mirroring and is zero for words of B alone.
"""

from itertools import combinations, product
from math import comb
from typing import NamedTuple

Prizes = tuple[int, ...]

EXACT = "exact"
"""The name of exact numbers in documents and in the names of entries."""

PLAIN = "points/discard/random"
"""Rules as they stand in the names of entries: objective, ties, prizes."""

OBJECTIVES = ("points", "win")
TIES = ("discard", "carryover")

RULES = {"/".join(named) for named in product(OBJECTIVES, TIES, ("random", "hidden", "fixed"))}
"""All rules by those names."""

MOST_CARDS = 28
"""Cards a side at most, and letters of a word: beyond that there are no results."""

MIRRORED = str.maketrans("VY", "YV")


class Left(NamedTuple):
    """A game from a position on, without the hands."""

    rules: str  # such as PLAIN
    prizes: Prizes  # those left, in the order they come if that is fixed
    margin: int = 0  # player one's points less player two's, where the game is for winning
    pot: int = 0  # points carried over from ties

    @property
    def mirrored(self) -> "Left":
        """The same game for the other player."""
        return self._replace(margin=-self.margin)

    @property
    def known(self) -> int | None:
        """The final value if it is already decided, else None."""
        if self.prizes and abs(self.margin) <= sum(self.prizes) + self.pot:
            return None
        return (self.margin > 0) - (self.margin < 0)

    @property
    def name(self) -> str:
        """Prizes, margin and pot as in the names of entries.

        >>> Left("win/carryover/random", (1, 4), -2, 3).name
        '1,4 margin -2 pot 3'
        """
        margin = f" margin {self.margin}" if self.margin else ""
        return listed(self.prizes) + margin + (f" pot {self.pot}" if self.pot else "")

    def values_key(self, hands: int | str, arithmetic: str = EXACT) -> str:
        """Name the entry with the value of one word, or the values of all words of a length.

        >>> Left(PLAIN, (2, 3)).values_key(3), Left(PLAIN, (2, 3)).values_key("VBY")
        ('points/discard/random exact values 2,3 length 3', 'points/discard/random exact value 2,3 of VBY')
        """
        one = isinstance(hands, str)
        kind, link = ("value", "of") if one else ("values", "length")
        return f"{self.rules} {arithmetic} {kind} {self.name} {link} {hands}"

    def opening_key(self, upcard: int | None, arithmetic: str = EXACT) -> str:
        """Name the entry with a first move of the whole game.

        >>> Left("points/discard/hidden", (1, 2, 3)).opening_key(None)
        'points/discard/hidden exact opening 3 upcard hidden'
        """
        turned = "hidden" if upcard is None else upcard
        order = f" of {listed(self.prizes)}" if self.rules.endswith("/fixed") else ""
        return f"{self.rules} {arithmetic} opening {len(self.prizes)} upcard {turned}{order}"


def listed(prizes: Prizes) -> str:
    """Write prizes with commas."""
    return ",".join(map(str, prizes))


class Stake(NamedTuple):
    """A prize that bids may be for; what follows is at index 0, 1 and −1, the bids' sign."""

    times: int  # how many prizes of its value there are
    gains: tuple[int, int, int]  # player one's gain at once
    left: tuple[Left, Left, Left]  # the game that follows


class Turn(NamedTuple):
    """A matrix game that may come next."""

    upcard: int | None  # the prize turned up; None if bids come first
    times: int  # how many prizes lead to it
    stakes: tuple[Stake, ...]  # the prizes that the bids may be for


def turns(left: Left) -> list[Turn]:
    """List the matrix games whose mean value is that of `left`.

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
    winning = left.rules.startswith("win/")
    gains = (0, 0, 0) if winning else (0, points, -points)
    none, one, two = (left.margin + sign * points if winning else 0 for sign in (0, 1, -1))
    tied = Left(left.rules, rest, none, carried)
    return Stake(times, gains, (tied, Left(left.rules, rest, one), Left(left.rules, rest, two)))


def words(size: int, length: int) -> list[str]:
    """List all words of `length` with `size` cards a side, mirrored ones once, in stored order.

    The order is by player one's hand and then player two's, as binary numbers, the lowest card being
    the lowest digit. The word of equal hands is the only one as long as a hand.

    >>> words(2, 3)
    ['BVY', 'VBY', 'VYB']
    """
    if length == size:
        return ["B" * size]
    kept = []
    for own in combinations(range(length), size):
        for shared in combinations(own, max(2 * size - length, 0)):
            letters = ["Y"] * length
            for holder, places in (("V", own), ("B", shared)):
                for place in places:
                    letters[place] = holder
            kept.append("".join(letters))
    canonical = (word for word in kept if is_word(word, size) and word.lstrip("B")[0] == "V")
    return sorted(canonical, key=lambda word: (_number(word, "V"), _number(word, "Y")))


def word_count(size: int, length: int) -> int:
    """Count :func:`words`.

    >>> word_count(2, 3), word_count(2, 2)
    (3, 1)
    """
    alone = length - size
    return 1 if alone == 0 else comb(length, alone) * comb(size, alone) // 2


def is_word(text: str, size: int) -> bool:
    """Tell if a text is a word of `size` cards a side.

    >>> is_word("VYB", 2), is_word("VYB", 3)
    (True, False)
    """
    one, two, both = map(text.count, "VYB")
    return one + two + both == len(text) and one + both == two + both == size


def _number(word: str, holder: str) -> int:
    return sum(1 << place for place in _bids(word, holder))


def _bids(word: str, holder: str) -> list[int]:
    """List the places of one player's cards, "V" for player one, "Y" for player two."""
    return [place for place, letter in enumerate(word) if letter in (holder, "B")]


class Outcome(NamedTuple):
    """The result of a pair of bids: player one gains sign · p now and orientation · f(word) later."""

    sign: int  # of player one's bid minus player two's
    orientation: int  # −1 where the word stands for its mirror image, 0 where the value is zero
    word: str  # the position that follows


def outcome(word: str, own: int, other: int) -> Outcome:
    """Bid the card at `own` for player one and the one at `other` for player two.

    >>> outcome("VYB", 0, 2)
    Outcome(sign=-1, orientation=-1, word='VY')
    """
    left = list(word)
    left[own] = "Y" if left[own] == "B" else ""
    left[other] = "V" if left[other] == "B" else ""
    if own == other:
        left[own] = ""
    sign = (own > other) - (own < other)
    after = "".join(left)
    unshared = after.replace("B", "")
    if not unshared:
        return Outcome(sign, 0, after)
    if unshared[0] == "Y":
        return Outcome(sign, -1, after.translate(MIRRORED))
    return Outcome(sign, 1, after)


def outcomes(word: str) -> list[list[Outcome]]:
    """List the outcomes of all pairs of bids, shape (m, n), bids that equal the one before left out.

    >>> [len(outcomes("VVYY")), len(outcomes("VYVY"))]
    [1, 2]
    """
    every = [[outcome(word, own, other) for other in _bids(word, "Y")] for own in _bids(word, "V")]
    columns = _distinct([list(column) for column in zip(*_distinct(every), strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _distinct(lines: list[list[Outcome]]) -> list[list[Outcome]]:
    return [line for place, line in enumerate(lines) if place == 0 or line != lines[place - 1]]
