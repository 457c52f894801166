"""Optimal play at one position, in any arithmetic, and how often it wins."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, Self, TypeVar

from flint import fmpq

from gops_exact.game.position import Position
from gops_exact.game.rules import Rules, Upcard
from gops_exact.matrix_game import check_solution
from gops_exact.numbers import rational, shorten
from gops_exact.numbers.kinds import Number
from gops_exact.numbers.shown import Framed, Shown, short_repr, text
from gops_exact.solutions.strategy import Strategy, Value_co

Value = TypeVar("Value")
"""A number as its arithmetic computes with it."""


@dataclass(frozen=True, repr=False)
class Solution(Framed, Generic[Value_co]):
    """Optimal play at a position with a prize turned up.

    Attributes:
        position: the position.
        worth: its value as a number of its kind, with text, decimals and bounds.
        row: player one's optimal strategy.
        column: player two's optimal strategy.
        method: the algorithm that solved the game of bids, one of those of
            :class:`~gops_exact.matrix_game.play.GameSolution`, or ``"bracket"`` of floats that
            are not proved.
    """

    position: Position
    worth: Number[Value_co]
    row: Strategy[Value_co]
    column: Strategy[Value_co]
    method: str

    @property
    def value(self) -> Value_co:
        """Player one's expectation under optimal play: see :func:`gops_exact.value`."""
        return self.worth.value

    @property
    def proved(self) -> bool:
        """True if both strategies are proved to be optimal."""
        return self.row.proved and self.column.proved

    @property
    def row_unique(self) -> bool | None:
        """True if player one's strategy is the only optimal one; None if that is not known."""
        return self.row.unique

    @property
    def column_unique(self) -> bool | None:
        """True if player two's strategy is the only optimal one; None if that is not known."""
        return self.column.unique

    @property
    def unique(self) -> bool | None:
        """True if both strategies are the only optimal ones; None if that is not known."""
        known = (self.row.unique, self.column.unique)
        return False if False in known else None if None in known else True

    @property
    def support(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cards that each player bids; in floats all that are not proved to be left alone."""
        row, column = (
            tuple(card for card in side if not side.view(card).is_zero)
            for side in (self.row, self.column)
        )
        return row, column

    def check(self, payoff: object) -> None:
        """Prove exact strategies and their value, as :meth:`GameSolution.check` does.

        Args:
            payoff: player one's expectation for every pair of bids, rows of player one's, as
                :func:`gops_exact.payoff_matrix` gives it.

        Raises:
            ValueError: if it is no matrix of exact rationals, or the solution is not exact.
            CertificateError: if any of the proof fails.
        """
        value: object = self.value
        if not isinstance(value, fmpq):
            raise ValueError(f"only an exact solution can be checked, got value {self.worth}")
        row, column = ([rational(p) for p in side.values()] for side in (self.row, self.column))
        check_solution(payoff, value, tuple(row), tuple(column))

    def __str__(self) -> str:
        """Return a table of the bids, decimals beside shortened fractions."""
        return text(self)

    def __repr__(self) -> str:
        return shorten(
            f"Solution(value={self.worth}, row={self.row!r}, column={self.column!r}, "
            f"method={self.method!r}, position={self.position!r})"
        )


class PayoffMatrix(list[list[Value]], Framed):
    """Player one's expectation for every pair of bids: rows of player one's bids.

    An entry is the number as its arithmetic computes with it: fmpq, arb, int or float. :meth:`view`
    gives it with its text, decimals and bounds.

    Attributes:
        one: player one's cards, ascending, one for each row.
        two: player two's cards, ascending, one for each column.
        numbers: the entries as numbers of their kind.

    >>> from gops_exact.numbers import view
    >>> payoffs = PayoffMatrix([2], [1, 3], [[view(25), view("-1/3")]])
    >>> payoffs, payoffs.view(2, 3).decimal(2)
    ([[25, -1/3]], '-0.33')
    """

    def __init__(
        self, one: Iterable[int], two: Iterable[int], numbers: Sequence[Sequence[Number[Value]]]
    ) -> None:
        super().__init__([number.value for number in row] for row in numbers)
        self.one, self.two = tuple(one), tuple(two)
        self.numbers = numbers

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PayoffMatrix):
            return self.__reduce__() == other.__reduce__()  # radii count
        return super().__eq__(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]  # as of any list

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        # An entry may be an arb, which cannot be pickled.
        return type(self), (self.one, self.two, self.numbers)

    def __repr__(self) -> str:
        return shorten(super().__repr__())

    def view(self, bid: int, reply: int) -> Number[Value]:
        """Return the number of a pair of bids with its text, decimals and bounds."""
        return self.numbers[self.one.index(bid)][self.two.index(reply)]


class Chances(NamedTuple):
    """The chance of something that depends on which optimal strategies are played.

    Attributes:
        least: the chance with the strategies that make it least.
        greatest: the chance with those that make it greatest.
    """

    least: fmpq
    greatest: fmpq


@dataclass(frozen=True, repr=False)
class Outcomes(Shown):
    """The outcomes of a game that both play optimally for a win, exactly.

    Attributes:
        value: player one's chance of a win less that of a loss.
        draw: the chance of a draw.
    """

    value: fmpq
    draw: Chances

    __repr__ = short_repr

    def __str__(self) -> str:
        """Return a table of the chances, decimals beside shortened fractions."""
        return text(self)

    @property
    def win(self) -> Chances:
        """Player one's chance of a win, greatest where that of a draw is least."""
        return Chances(*((1 - draw + self.value) / 2 for draw in reversed(self.draw)))

    @property
    def loss(self) -> Chances:
        """Player one's chance of a loss."""
        return Chances(*((1 - draw - self.value) / 2 for draw in reversed(self.draw)))


@dataclass(frozen=True)
class FloatOutcomes:
    """The outcomes of a whole game that both play for a win by one pair of strategies, in floats.

    Both players have the same cards, so either wins as often as the other.

    Attributes:
        n: cards a side.
        rules: the rules.
        draws: {upcard: chance of a draw}.
        lacking: how far the strategies may be from optimal: the wins less losses that either is
            sure of fall short of the value by no more.
    """

    n: int
    rules: Rules
    draws: dict[Upcard, float]
    lacking: float

    @property
    def draw(self) -> float:
        """The chance of a draw before a prize is turned up."""
        return sum(self.draws.values()) / len(self.draws)
