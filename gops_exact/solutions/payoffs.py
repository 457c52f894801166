"""The matrix game of the bids at a position, as people look at it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flint import fmpq

from gops_exact.matrix_game.payoff import Matrix
from gops_exact.numbers import shorten, to_float

if TYPE_CHECKING:
    import pandas as pd


class PayoffMatrix(list[list[fmpq]]):
    """What every pair of bids is worth to player one, exactly: a list of rows that shows itself short.

    Attributes:
        one: player one's cards, ascending, one per row.
        two: player two's, one per column.

    >>> PayoffMatrix([2, 4], [1, 3], [[fmpq(25), fmpq(-1)], [fmpq(1), fmpq(25)]])
    [[25, -1], [1, 25]]
    """

    def __init__(self, one: Iterable[int], two: Iterable[int], entries: Matrix) -> None:
        super().__init__(entries)
        self.one, self.two = tuple(one), tuple(two)

    def __repr__(self) -> str:
        return shorten(super().__repr__())

    def to_frame(self) -> "pd.DataFrame":
        """A frame of floats, player one's cards down and player two's across."""
        import pandas as pd

        return pd.DataFrame(
            [[to_float(entry) for entry in row] for row in self],
            index=pd.Index(self.one, name="one"),
            columns=pd.Index(self.two, name="two"),
        )

    def _repr_html_(self) -> str:
        from gops_exact.show.display import payoffs_html

        return payoffs_html(self)

    def _repr_latex_(self) -> str:
        from gops_exact.show.display import payoffs_latex

        return payoffs_latex(self)
