"""Bounds of all probabilities in a table of first moves, in any arithmetic.

A bound is the least and the greatest value that a probability can have. Claims about a table are judged
from these bounds, and pictures of a table are drawn from them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from gops_exact.base.arguments import instance
from gops_exact.base.documents import Document
from gops_exact.game.game import Game
from gops_exact.game.rules import PLAIN, Rules, Upcard, deck_name, upcard_name
from gops_exact.numbers.exact import rational
from gops_exact.numbers.kinds import view
from gops_exact.solvers.first_moves import FirstMoves


@dataclass(frozen=True)
class Bounds:
    """The bounds of a number that is not negative: least ≤ number ≤ most.

    >>> Bounds.within(fmpq(1, 2), fmpq(1, 8))
    Bounds(least=3/8, most=5/8)
    """

    least: fmpq
    most: fmpq

    @classmethod
    def within(cls, number: fmpq, radius: fmpq) -> "Bounds":
        """Return the bounds of a number that is not negative and within `radius` of `number`."""
        return cls(max(number - radius, fmpq(0)), number + radius)

    def __add__(self, other: "Bounds") -> "Bounds":
        return Bounds(self.least + other.least, self.most + other.most)

    @property
    def middle(self) -> float:
        """The middle of the bounds, as pictures show it."""
        return float(view((self.least + self.most) / 2))

    @property
    def positive(self) -> bool | None:
        """True if the number is positive, False if it is zero, None if the bounds leave that open."""
        return True if self.least > 0 else False if self.most == 0 else None

    @property
    def zero(self) -> bool | None:
        """True if the number is zero, False if it is positive, None if the bounds leave that open."""
        return False if self.least > 0 else True if self.most == 0 else None

    def exceeds(self, other: "Bounds") -> bool | None:
        """Return True if the number is greater than `other`, False if not, None if the bounds do not tell.

        >>> half = Bounds.within(fmpq(1, 2), fmpq(0))
        >>> half.exceeds(Bounds.within(fmpq(1, 4), fmpq(1, 8))), half.exceeds(half)
        (True, False)
        >>> half.exceeds(Bounds.within(fmpq(1, 2), fmpq(1, 8))) is None
        True
        """
        return True if self.least > other.most else False if self.most <= other.least else None


ZERO = Bounds(fmpq(0), fmpq(0))


@dataclass(frozen=True)
class BoundedTable:
    """Bounds of the first-move probabilities of a game of n cards, at every upcard of the first round."""

    n: int  #: cards a side
    #: columns[i][card − 1] bounds the probability of bidding `card` at the upcard upcards[i]
    columns: tuple[tuple[Bounds, ...], ...]
    rules: Rules = PLAIN

    @property
    def cards(self) -> range:
        """The cards of a hand, 1 to n."""
        return range(1, self.n + 1)

    @property
    def upcards(self) -> tuple[Upcard, ...]:
        """The upcards of the first round: 1 to n, only one if the order is known, None if prizes are hidden."""
        return Game(self.n, self.rules).upcards

    def at(self, upcard: Upcard, card: int) -> Bounds:
        """Return the bounds of the probability of a bid at an upcard."""
        return self.columns[self.upcards.index(upcard)][card - 1]

    def column(self, upcard: Upcard) -> Iterator[tuple[int, Bounds]]:
        """Return an iterator of (card, bounds of its probability) at an upcard, cards ascending."""
        return zip(self.cards, self.columns[self.upcards.index(upcard)], strict=True)


def bounded(moves: FirstMoves[Any] | Document) -> BoundedTable:
    """Bound the probabilities of first moves in any arithmetic.

    Args:
        moves: first moves at all upcards, or a document of them.

    Raises:
        ValueError: if an upcard is missing, the prizes are not 1 … n, or the probabilities at an upcard cannot have
            the sum 1.

    >>> from gops_exact import first_move
    >>> table = bounded(first_move(3, store=":memory:"))
    >>> table.at(2, 2).middle, table.at(2, 1).positive
    (0.5555555555555556, False)
    """
    columns: dict[Upcard, tuple[Bounds, ...]]
    if isinstance(moves, Document):
        rules = Rules(**moves.rules)
        columns = {
            column.upcard: tuple(
                Bounds.within(*map(rational, moves.number(column, card)))
                for card in column.probabilities
            )
            for column in moves.columns
        }
    else:
        instance(moves, FirstMoves, "moves", "first moves, or a document of them")
        columns = {
            upcard: tuple(
                Bounds(max(least, fmpq(0)), most)
                for least, most in (number.bounds() for number in strategy.values())
            )
            for upcard, strategy in moves.items()
        }
        rules = moves.rules
    if moves.deck:
        raise ValueError(f"the prizes must be 1 to {moves.n}, got {deck_name(moves.deck)}")
    upcards = Game(moves.n, rules).upcards
    if columns.keys() != {*upcards} or any(len(column) != moves.n for column in columns.values()):
        raise ValueError(
            f"expected the first moves at all upcards: {', '.join(map(upcard_name, upcards))}"
        )
    for upcard, column in columns.items():
        total = sum(column, ZERO)
        if not total.least <= 1 <= total.most:
            raise ValueError(
                f"expected probabilities with the sum 1, got others at upcard {upcard}"
            )
    return BoundedTable(moves.n, tuple(columns[upcard] for upcard in upcards), rules)
