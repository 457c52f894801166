"""Verifier's own implementation of the rules; pairs of hands as interleavings; and the keys of a store's entries.

Words used here:

* The *upcard* is the prize turned up in a round.
* The *margin* is player one's points minus player two's; it is always 0 if the objective is points.
* The *pot* is the sum of the prizes carried over from ties.
* An *interleaving* is a pair of hands as a text. It has a letter for each card that is held, in ascending order: V for
  a card that only player one holds, Y for one that only player two holds, B for one that both hold.
* A *first move* is an optimal strategy for the first bid after a given upcard: a probability for each card.
* An *arithmetic* is a kind of number: exact fractions, balls or floats.
* A *store* is a file of computed values of positions and of first moves. An *entry* of a store has a key, which is a
  text, and the bytes of one or more numbers.

Mirroring a position exchanges V and Y, and changes the sign of the margin. The value then changes its sign, so a store
has only one of two mirrored interleavings: the one whose first letter other than B is V. If all letters are B and no
player is ahead, the value is 0.
"""

from functools import lru_cache
from itertools import combinations, groupby, product
from typing import NamedTuple

from gops_exact.base.documents import EXACT, Document, order_of

Prizes = tuple[int, ...]

RULES = {
    "/".join(parts)
    for parts in product(("points", "win"), ("discard", "carryover"), ("random", "hidden", "fixed"))
}
"""The names of all rules in the keys of entries: the objective, the rule for ties and the order of prizes."""

LETTERS = {(True, True): "B", (True, False): "V", (False, True): "Y", (False, False): ""}
"""The letter of a card in an interleaving, {(True if player one holds the card, True if player two holds the card):
letter}. A card that nobody holds has no letter."""

MIRRORED = str.maketrans("VY", "YV")


class PrizeState(NamedTuple):
    """Position without the hands: the rules, the prizes left, the margin and the pot.

    The hands are a text of their own, an interleaving.
    """

    rules: str  # one of RULES
    prizes: Prizes  # the prizes left: in their order if it is fixed, else ascending
    margin: int = 0  # player one's points minus player two's; 0 if the objective is points
    pot: int = 0  # points carried over from ties

    @property
    def name(self) -> str:
        """The part of a store entry's key that names the prizes and, unless they are 0, the margin and the pot."""
        margin = f" margin {self.margin}" if self.margin else ""
        pot = f" pot {self.pot}" if self.pot else ""
        return ",".join(map(str, self.prizes)) + margin + pot

    def values_key(self, hands: int | str, arithmetic: str = EXACT) -> str:
        """Return the key of an entry of a store with values of positions.

        Args:
            hands: a pair of hands as an interleaving, a text with a letter V, Y or B for each card, for the entry that
                has only the value of this pair; or the number of letters, for the entry that has the values of all
                interleavings of this length.
            arithmetic: the name of the arithmetic.

        >>> PrizeState("win/carryover/random", (1, 4), -2, 3).values_key(3)
        'win/carryover/random exact values 1,4 margin -2 pot 3 length 3'
        """
        kind, link = ("value", "of") if isinstance(hands, str) else ("values", "length")
        return f"{self.rules} {arithmetic} {kind} {self.name} {link} {hands}"

    def first_move_key(self, upcard: int | None, arithmetic: str = EXACT) -> str:
        """Return the key of the store's entry for a first move, which is an optimal strategy for the first bid.

        Args:
            upcard: the prize turned up; None if prizes are hidden.
            arithmetic: the name of the kind of numbers.

        >>> PrizeState("points/discard/hidden", (1, 2, 3)).first_move_key(None)
        'points/discard/hidden exact opening 3 upcard hidden'
        """
        turned = "hidden" if upcard is None else upcard
        usual = self.prizes == tuple(range(1, len(self.prizes) + 1))
        order = "" if usual and not self.rules.endswith("/fixed") else f" of {self.name}"
        return f"{self.rules} {arithmetic} opening {len(self.prizes)} upcard {turned}{order}"


def whole_game(document: Document) -> PrizeState:
    """Return the start, without the hands, of the game whose first moves are in a document."""
    prizes = document.prizes
    objective, ties, order = (document.rules[part] for part in ("objective", "ties", "prizes"))
    known = "fixed" if order_of(document.rules, prizes) else order
    return PrizeState(f"{objective}/{ties}/{known}", prizes)


Stakes = list[tuple[int, list[tuple[int, PrizeState]]]]
"""Possible prizes of a round after the bids: an item (weight, branches) for each value that the prize can have.

The weight is the number of prizes left with this value, or 1 if the prize is turned up before the bids. `branches` is a
list of three branches. Its index is 0, 1 or −1, the sign of player one's bid minus player two's. A branch is (player
one's immediate gain in points, the game that follows).
"""


def stage_games(state: PrizeState) -> dict[int | None, tuple[int, Stakes]]:
    """Return the matrix games that can be played next, {upcard: (weight of the game, its :data:`Stakes`)}.

    If the prize is turned up before the bids, there is a game for each value that it can have. The weight of the game is
    the number of prizes left with this value, and its stakes have one item, for the upcard. If the prize is turned up
    after the bids, there is one game, with the upcard None and the weight 1. Its stakes have an item for each value
    that the prize can have. The value of a position is the weighted mean of the values of the games.

    >>> rules = "points/discard/random"
    >>> [
    ...     (upcard, weight)
    ...     for upcard, (weight, _) in stage_games(PrizeState(rules, (2, 2, 5))).items()
    ... ]
    [(2, 2), (5, 1)]
    """
    objective, ties, order = state.rules.split("/")
    followed: dict[int, list[tuple[int, PrizeState]]] = {}
    for prize in state.prizes[:1] if order == "fixed" else sorted(set(state.prizes)):
        index = state.prizes.index(prize)
        rest, points = state.prizes[:index] + state.prizes[index + 1 :], prize + state.pot
        followed[prize] = []
        for sign in (0, 1, -1):
            pot = points if sign == 0 and ties == "carryover" else 0
            if objective == "win":
                gain, after = 0, PrizeState(state.rules, rest, state.margin + sign * points, pot)
            else:
                gain, after = sign * points, PrizeState(state.rules, rest, 0, pot)
            followed[prize].append((gain, after))
    weights = {prize: state.prizes.count(prize) for prize in followed}
    if order == "hidden":
        return {None: (1, [(weights[prize], followed[prize]) for prize in followed])}
    return {prize: (weights[prize], [(1, followed[prize])]) for prize in followed}


# Values of hands of one size are proved from values of hands with one card less, so two sizes are in use. The
# interleavings of a size s have s to 2s letters. For the largest sizes, 13 and 14, this makes 14 + 15 = 29 lists; 64
# leaves room.
@lru_cache(maxsize=64)
def interleavings(size: int, length: int) -> dict[str, int]:
    """Return {interleaving: index} for the interleavings of `length` letters of two hands of `size` cards each.

    An interleaving has a letter for each card, from the lowest card on: V if only player one has the card, Y if only
    player two has it, B if both have it. The length is from `size`, where both hands are equal, to 2 · `size`, where
    the hands have no card in common.

    An entry of a store has the values of all these interleavings as a list, and the index says which value is that of
    the interleaving. Of two interleavings that differ only by an exchange of the players, the store has a value for
    only one, and only this one is listed. The interleavings are sorted by player one's hand, then by player two's.
    Hands are compared as binary numbers whose lowest digit stands for the lowest card.

    >>> interleavings(2, 3)
    {'BVY': 0, 'VBY': 1, 'VYB': 2}
    """
    if length == size:
        return {"B" * size: 0}
    listed = []
    for own in combinations(range(length), size):
        for shared in combinations(own, 2 * size - length):
            letters = "".join(LETTERS[n in own, n in shared or n not in own] for n in range(length))
            if letters.lstrip("B")[0] == "V":
                listed.append(letters)
    listed.sort(
        key=lambda letters: [[letter != other for letter in letters[::-1]] for other in "YV"]
    )
    return {letters: index for index, letters in enumerate(listed)}


Outcome = tuple[int, int, str]
"""Result of a pair of bids: (sign, orientation, interleaving).

The sign is that of player one's bid minus player two's. The interleaving stands for the hands that are left. If its
first letter other than B would be Y, it is mirrored, since a store has no such interleavings. The orientation is −1 for
a mirrored interleaving, 0 for equal hands, else 1. If the margin is 0, the value of the position is the orientation
times the value of the interleaving. Otherwise the margin of a mirrored interleaving must be mirrored, too.
"""


@lru_cache(maxsize=1 << 14)  # enough for one length: at most 8,316 with seven cards a side
def outcomes(letters: str) -> list[list[Outcome]]:
    """Return the outcome of each pair of bids if the hands are `letters`, shape (player one's bids, player two's bids).

    A bid is left out if it has the same outcomes as the next lower bid of its player. With the hands ``VVYY`` both bids
    of player one lose to every card of player two, so one row is left. With ``VYVY`` both rows differ:

    >>> [len(outcomes("VVYY")), len(outcomes("VYVY"))]
    [1, 2]
    """
    own, other = (
        [n for n, letter in enumerate(letters) if letter in hand] for hand in ("VB", "YB")
    )
    cells = []
    for i in own:
        row = []
        for j in other:
            after = "".join(
                LETTERS[letter != "Y" and n != i, letter != "V" and n != j]
                for n, letter in enumerate(letters)
            )
            orientation = {"V": 1, "Y": -1, "": 0}[after.replace("B", "")[:1]]
            if orientation < 0:
                after = after.translate(MIRRORED)
            row.append(((i > j) - (i < j), orientation, after))
        cells.append(row)
    rows = [row for row, _ in groupby(cells)]
    columns = [column for column, _ in groupby(zip(*rows, strict=True))]
    return [list(row) for row in zip(*columns, strict=True)]
