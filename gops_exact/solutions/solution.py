"""Optimal play at one position, in any arithmetic."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from flint import fmpq

from gops_exact.game.position import Position
from gops_exact.matrix_game.payoff import Matrix
from gops_exact.numbers import shorten
from gops_exact.numbers.kinds import Number
from gops_exact.numbers.shown import Framed
from gops_exact.solutions.strategy import Strategy, Value_co


@dataclass(frozen=True, repr=False)
class Solution(Framed, Generic[Value_co]):
    """Optimal play at a position with a prize turned up.

    Attributes:
        position: the position.
        worth: its value as a number of its kind, with text, decimals and bounds.
        row: player one's optimal strategy.
        column: player two's optimal strategy.
        method: the algorithm that solved the game of bids.
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
        """Whether both strategies are proved to be optimal."""
        return self.row.proved and self.column.proved

    @property
    def row_unique(self) -> bool | None:
        """Whether player one's strategy is the only optimal one; None if that is not known."""
        return self.row.unique

    @property
    def column_unique(self) -> bool | None:
        """Whether player two's strategy is the only optimal one; None if that is not known."""
        return self.column.unique

    @property
    def unique(self) -> bool | None:
        """Whether both strategies are the only optimal ones; None if that is not known."""
        known = (self.row.unique, self.column.unique)
        return False if False in known else None if None in known else True

    def __repr__(self) -> str:
        return shorten(
            f"Solution(value={self.worth}, row={self.row!r}, column={self.column!r}, "
            f"method={self.method!r}, position={self.position!r})"
        )


class PayoffMatrix(list[list[fmpq]], Framed):
    """Player one's expectation for every pair of bids, exactly: rows of player one's bids.

    Attributes:
        one: player one's cards, ascending, one for each row.
        two: player two's cards, ascending, one for each column.

    >>> PayoffMatrix([2, 4], [1, 3], [[fmpq(25), fmpq(-1)], [fmpq(1), fmpq(25)]])
    [[25, -1], [1, 25]]
    """

    def __init__(self, one: Iterable[int], two: Iterable[int], entries: Matrix) -> None:
        super().__init__(entries)
        self.one, self.two = tuple(one), tuple(two)

    def __repr__(self) -> str:
        return shorten(super().__repr__())
