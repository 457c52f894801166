"""Optimal play of one matrix game, in any arithmetic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from flint import arb, fmpq

from gops_exact.matrix_game.basis import Basis

N = TypeVar("N")
"""A number of an arithmetic: fmpq, pair of fmpz, arb, int or float with a radius."""

Other = TypeVar("Other")
Signed = TypeVar("Signed", fmpq, arb, int)


@dataclass(frozen=True)
class Play(Generic[N]):
    """Optimal play of an m × n game: its value, and a strategy for each side.

    >>> Play.fair((1, 0), 0, unique=True).swapped()
    Play(value=0, row=(1, 0), column=(1, 0), row_unique=True, column_unique=True, proved=True, method='')
    """

    value: N  # player one's expectation
    row: tuple[N, ...]  # player one's probabilities, length m
    column: tuple[N, ...]  # player two's probabilities, length n
    row_unique: (
        bool | None
    )  # False if `row` is one of several optimal strategies, None if not known
    column_unique: bool | None
    proved: bool = True  # False if no strategies are proved, or if residues rest on an unproved tie
    method: str = ""  # the algorithm that found the strategies; empty if it is not recorded

    @classmethod
    def fair(
        cls,
        strategy: Sequence[N],
        zero: N,
        *,
        unique: bool | None,
        proved: bool = True,
        method: str = "",
    ) -> "Play[N]":
        """Return the play of a game X = −Xᵀ, in which both players use the same strategy."""
        both = tuple(strategy)
        return cls(zero, both, both, unique, unique, proved, method)

    @classmethod
    def on_basis(
        cls,
        basis: Basis,
        shape: tuple[int, int],
        found: tuple[Sequence[N], Sequence[N], N],
        zero: N,
    ) -> "Play[N]":
        """Return the play on a basis that is proved to be the only optimal one.

        `found` has both strategies on the basis, and the value.
        """
        row, column = [zero] * shape[0], [zero] * shape[1]
        for strategy, bids, numbers in (
            (row, basis.rows, found[0]),
            (column, basis.columns, found[1]),
        ):
            for bid, number in zip(bids, numbers, strict=True):
                strategy[bid] = number
        method = "saddle point" if len(basis.rows) == 1 else "guided"
        return cls(found[2], tuple(row), tuple(column), True, True, method=method)

    def swapped(self: "Play[Signed]") -> "Play[Signed]":
        """Return the play of −Xᵀ, for which the players change places."""
        return replace(
            self,
            value=-self.value,
            row=self.column,
            column=self.row,
            row_unique=self.column_unique,
            column_unique=self.row_unique,
        )

    def converted(self, number: Callable[[N], Other]) -> "Play[Other]":
        """Return the same play in numbers of another kind."""
        row, column = (tuple(map(number, side)) for side in (self.row, self.column))
        uniqueness = self.row_unique, self.column_unique
        return Play(number(self.value), row, column, *uniqueness, self.proved, self.method)

    def over(self, rows: Sequence[bool], columns: Sequence[bool], zero: N) -> "Play[N]":
        """Return the play of the bids kept, marked true, as one over all cards of each hand.

        Of interchangeable bids only the lowest is kept, so a strategy that plays it is not the only one.

        >>> Play.fair((fmpq(1, 3), fmpq(2, 3)), fmpq(0), unique=True).over(
        ...     [True, False, True], [True, True, False], fmpq(0)
        ... )
        Play(value=0, row=(1/3, 0, 2/3), column=(1/3, 2/3, 0), row_unique=False, column_unique=False, \
proved=True, method='')
        """
        row, row_spread = _expanded(self.row, rows, zero)
        column, column_spread = _expanded(self.column, columns, zero)
        return replace(
            self,
            row=row,
            column=column,
            row_unique=self.row_unique and not row_spread,
            column_unique=self.column_unique and not column_spread,
        )


def _expanded(strategy: Sequence[N], kept: Sequence[bool], zero: N) -> tuple[tuple[N, ...], bool]:
    """Return a strategy over kept bids as one over all cards; true if a bid played has equals."""
    cards, spread, played, last = [], False, iter(strategy), zero
    for own in kept:
        if own:
            last = next(played)
        elif last != zero:
            spread = True
        cards.append(last if own else zero)
    return tuple(cards), spread
