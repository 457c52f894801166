"""Mixed strategies, and other numbers by card, in any arithmetic."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from flint import fmpq

from gops_exact.arguments import shown
from gops_exact.numbers.big import BigRational
from gops_exact.numbers.kinds import BoundedFloat, Number
from gops_exact.table import Shown, Table

Value_co = TypeVar("Value_co", covariant=True)


class ByCard(Mapping[int, Number[Value_co]], Shown):
    """Numbers as {card: number}.

    Args:
        numbers: {card: number}, of any kind in :mod:`gops_exact.numbers`.

    Attributes:
        mark: what is shown behind each number: ``?`` if floats are not proved, else nothing.

    >>> gains = ByCard(exactly([1, 3], [fmpq(-1), fmpq(2, 3)]))
    >>> gains, gains[3] + 1, gains[3].decimal(4)
    ({1: -1, 3: 2/3}, 5/3, '0.6667')
    """

    mark = ""

    def __init__(self, numbers: Mapping[int, Number[Value_co]]) -> None:
        self._numbers = dict(numbers)

    def __getitem__(self, card: int) -> Number[Value_co]:
        try:
            return self._numbers[card]
        except (KeyError, TypeError):  # not there, or no key at all
            cards = ", ".join(map(str, self._numbers))
            raise KeyError(f"the card must be one of {cards}, got {shown(card)}") from None

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ByCard):
            one, two = (
                {card: number.key for card, number in each.items()} for each in (self, other)
            )
            return one == two  # radii count
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # as of any mapping

    def __repr__(self) -> str:
        items = (f"{card}: {number!r}{self.mark}" for card, number in self._numbers.items())
        return f"{{{', '.join(items)}}}"

    def table(self) -> Table:
        """Return a list of the numbers by card."""
        return self._table("By card")

    def _table(self, caption: str, *, probabilities: bool = False) -> Table:
        rows = [((card,), [number]) for card, number in self._numbers.items()]
        marks = (self.mark,) * len(rows)
        return Table(caption, ("card",), rows, marks=marks, probabilities=probabilities)


class Strategy(ByCard[Value_co]):
    """A mixed strategy as {card: probability}; every card of the hand has its probability.

    Args:
        numbers: {card: probability}.
        unique: whether it is the only optimal strategy: True, False if it is one of several, None
            if that is not known.
        proved: whether the probabilities are proved. Radii of floats that are not say nothing: first
            moves are all 1/2 with radius 1/2. Residues that are not rest on a tie taken for one on
            evidence.
        method: the algorithm that found it; empty if it is not recorded.

    >>> bids = Strategy(exactly([1, 2], [fmpq(1, 3), fmpq(2, 3)]))
    >>> bids[1], sum(bids.values())
    (1/3, 1)
    """

    def __init__(
        self,
        numbers: Mapping[int, Number[Value_co]],
        *,
        unique: bool | None = None,
        proved: bool = True,
        method: str = "",
    ) -> None:
        super().__init__(numbers)
        self.unique = unique
        self.proved = proved
        self.method = method
        if not proved and any(isinstance(number, BoundedFloat) for number in numbers.values()):
            self.mark = "?"

    def table(self) -> Table:
        """Return a list of the probabilities by card."""
        return self._table("Probabilities", probabilities=True)


def exactly(cards: Iterable[int], numbers: Iterable[fmpq]) -> dict[int, BigRational]:
    """Exact numbers by card, one for each."""
    return dict(zip(cards, map(BigRational.of, numbers), strict=True))
