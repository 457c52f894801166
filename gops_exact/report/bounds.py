"""First-move tables as bounds: what is known of every probability, whatever computed it.

Claims about a table and pictures of it are made from these. An exact number is its own bounds, a
proved decimal is known to half a digit, a float to its radius.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gmpy2 import mpq

from gops_exact.numbers.convert import to_mpq
from gops_exact.report.certified import CertifiedMoves
from gops_exact.report.first_moves import FirstMoves
from gops_exact.report.floating import FloatFirstMoves
from gops_exact.rules import PLAIN, Rules
from gops_exact.verify.documents import Document, parse_number, radius_of
from gops_exact.verify.fractions import NotProvedError


@dataclass(frozen=True)
class Bounds:
    """What is known of a number that is not negative: least ≤ number ≤ most.

    >>> Bounds.within(mpq(1, 2), mpq(1, 8))
    Bounds(least=mpq(3,8), most=mpq(5,8))
    """

    least: mpq
    most: mpq

    @classmethod
    def within(cls, number: mpq, radius: mpq) -> "Bounds":
        """The bounds of a number that is off by at most `radius`."""
        return cls(max(number - radius, mpq(0)), number + radius)

    def __add__(self, other: "Bounds") -> "Bounds":
        return Bounds(self.least + other.least, self.most + other.most)

    @property
    def middle(self) -> float:
        """A float for people and pictures."""
        return float((self.least + self.most) / 2)

    @property
    def positive(self) -> bool | None:
        """Whether it is positive; None where the bounds leave that open."""
        return True if self.least > 0 else False if self.most == 0 else None

    def exceeds(self, other: "Bounds") -> bool | None:
        """Whether it is more than the other; None where the bounds leave that open.

        >>> half = Bounds.within(mpq(1, 2), mpq(0))
        >>> half.exceeds(Bounds.within(mpq(1, 4), mpq(1, 8))), half.exceeds(half)
        (True, False)
        >>> half.exceeds(Bounds.within(mpq(1, 2), mpq(1, 8))) is None
        True
        """
        return True if self.least > other.most else False if self.most <= other.least else None


ZERO = Bounds(mpq(0), mpq(0))


# Kleene's three-valued logic: None is what is not known.


def negated(a: bool | None) -> bool | None:
    """Not a."""
    return None if a is None else not a


def some(values: Iterable[bool | None]) -> bool | None:
    """Whether any is true.

    >>> some([False, None, True]), some([False, None]), some([])
    (True, None, False)
    """
    seen = set(values)
    return True if True in seen else None if None in seen else False


def every(values: Iterable[bool | None]) -> bool | None:
    """Whether all are true.

    >>> every([False, None, True]), every([True, None]), every([])
    (False, None, True)
    """
    return negated(some(map(negated, values)))


@dataclass(frozen=True)
class BoundedTable:
    """The first moves of the game of n cards at every upcard.

    Attributes:
        n: cards a side.
        columns: columns[upcard − 1][card − 1], the bounds of a probability.
        rules: the rules of the game.
    """

    n: int
    columns: tuple[tuple[Bounds, ...], ...]
    rules: Rules = PLAIN

    @property
    def cards(self) -> range:
        """The cards, and the upcards."""
        return range(1, self.n + 1)

    def at(self, upcard: int, card: int) -> Bounds:
        """The probability of a bid at an upcard."""
        return self.columns[upcard - 1][card - 1]

    def column(self, upcard: int) -> Iterator[tuple[int, Bounds]]:
        """(card, probability) at an upcard, ascending."""
        return zip(self.cards, self.columns[upcard - 1], strict=True)


def bounded(moves: FirstMoves | CertifiedMoves | FloatFirstMoves | Document) -> BoundedTable:
    """The table of first moves in any arithmetic but residues, computed or emitted.

    Raises:
        ValueError: if an upcard is missing or hidden, the numbers are residues, or those of an
            upcard cannot have the sum 1.

    >>> from gops_exact import first_move
    >>> table = bounded(first_move(3, store=":memory:"))
    >>> table.at(2, 2).middle, table.at(2, 1).positive
    (0.5555555555555556, False)
    """
    if isinstance(moves, FirstMoves):
        columns = _exact(moves)
    elif isinstance(moves, CertifiedMoves):
        columns = _balls(moves)
    elif isinstance(moves, FloatFirstMoves):
        columns = _floats(moves)
    else:
        try:
            columns = _emitted(moves)
        except NotProvedError as error:
            raise ValueError(f"expected probabilities: {error}") from error
    upcards = list(range(1, moves.n + 1))
    if sorted(columns) != upcards or any(len(column) != moves.n for column in columns.values()):
        raise ValueError(f"expected the first moves at all upcards from 1 to {moves.n}")
    for upcard, column in columns.items():
        total = sum(column, ZERO)
        if not total.least <= 1 <= total.most:
            raise ValueError(
                f"expected probabilities with the sum 1, got others at upcard {upcard}"
            )
    rules = Rules(**moves.named) if isinstance(moves, Document) else moves.rules
    return BoundedTable(moves.n, tuple(columns[upcard] for upcard in upcards), rules)


def _balls(moves: CertifiedMoves) -> dict[int, tuple[Bounds, ...]]:
    return {
        column.upcard: tuple(
            Bounds.within(to_mpq(ball.mid().fmpq()), to_mpq(ball.rad().fmpq()))
            for ball in column.probabilities.values()
        )
        for column in moves.columns
        if column.upcard is not None
    }


def _exact(moves: FirstMoves) -> dict[int, tuple[Bounds, ...]]:
    return {
        column.upcard: tuple(
            Bounds.within(to_mpq(column.probabilities.view(card)), mpq(0))
            for card in column.probabilities
        )
        for column in moves.columns
        if column.upcard is not None
    }


def _floats(moves: FloatFirstMoves) -> dict[int, tuple[Bounds, ...]]:
    return {
        column.upcard: tuple(
            Bounds.within(mpq(number), mpq(radius))
            for number, radius in zip(
                column.probabilities.values(), column.radii.values(), strict=True
            )
        )
        for column in moves.columns
        if column.upcard is not None
    }


def _emitted(document: Document) -> dict[int, tuple[Bounds, ...]]:
    return {
        column.upcard: tuple(
            Bounds.within(parse_number(text), radius_of(document, column, card))
            for card, text in column.probabilities.items()
        )
        for column in document.columns
        if column.upcard is not None
    }
