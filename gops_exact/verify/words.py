"""Positions as words: what a pair of bids does to the interleaving of two hands.

The cards of both hands in ascending order, V for one that only player one holds, Y for one that
only player two holds, B for one that both hold. Of two mirrored words the one whose first letter
other than B is V is kept; f changes its sign under mirroring and is zero for words of B alone.
"""

from itertools import combinations
from math import comb
from typing import NamedTuple

MIRRORED = str.maketrans("VY", "YV")


class Outcome(NamedTuple):
    """What a pair of bids leads to: player one gains sign · p now and orientation · f(word) later.

    Attributes:
        sign: of player one's bid minus player two's.
        orientation: −1 where the word stands for its mirror image, 0 where the value is zero.
        word: the position that follows.
    """

    sign: int
    orientation: int
    word: str


def words(size: int, length: int) -> list[str]:
    """All words of `length` with `size` cards a side, mirrored ones once, in stored order.

    That is by player one's hand and then player two's, as binary numbers, the lowest card being
    the lowest digit. The word of equal hands is the only one as long as a hand; it is stored where
    they can be worth anything.

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
    """How many words :func:`words` makes.

    >>> word_count(2, 3), word_count(2, 2)
    (3, 1)
    """
    alone = length - size
    return 1 if alone == 0 else comb(length, alone) * comb(size, alone) // 2


def is_word(text: str, size: int) -> bool:
    """Whether a text is a word of `size` cards a side.

    >>> is_word("VYB", 2), is_word("VYB", 3)
    (True, False)
    """
    one, two, both = map(text.count, "VYB")
    return one + two + both == len(text) and one + both == two + both == size


def _number(word: str, holder: str) -> int:
    return sum(1 << place for place in bids(word, holder))


def bids(word: str, holder: str) -> list[int]:
    """Where the cards of one player stand, "V" for player one, "Y" for player two.

    >>> bids("VBY", "V")
    [0, 1]
    """
    return [place for place, letter in enumerate(word) if letter in (holder, "B")]


def outcome(word: str, own: int, other: int) -> Outcome:
    """What follows when player one bids the card at `own` and player two the one at `other`.

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
    """What all pairs of bids lead to, shape (m, n), bids that do the same as the one before left out.

    >>> [len(outcomes("VVYY")), len(outcomes("VYVY"))]
    [1, 2]
    """
    every = [[outcome(word, own, other) for other in bids(word, "Y")] for own in bids(word, "V")]
    columns = _distinct([list(column) for column in zip(*_distinct(every), strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _distinct(lines: list[list[Outcome]]) -> list[list[Outcome]]:
    return [line for place, line in enumerate(lines) if place == 0 or line != lines[place - 1]]
