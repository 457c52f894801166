"""Optimal play of one matrix game in any arithmetic, and the basis on which it stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeVar, get_args

Method = Literal["saddle point", "closed form", "pfaffian", "guided", "simplex"]
METHODS: tuple[Method, ...] = get_args(Method)

N = TypeVar("N")
"""A number of an arithmetic: fmpq, pair of fmpz, arb, int or float with a radius."""

Other = TypeVar("Other")


@dataclass(frozen=True)
class Basis:
    """Equally many rows and columns, ascending indices into an m × n matrix."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def swapped(self) -> "Basis":
        """The same basis of −Xᵀ, for which the players change places."""
        return Basis(self.columns, self.rows)


class Play(NamedTuple, Generic[N]):
    """Optimal play of an m × n game.

    A tuple, as millions are made: a frozen dataclass takes three times as long to make.
    """

    value: N  # player one's expectation
    row: tuple[N, ...]  # player one's probabilities, length m
    column: tuple[N, ...]  # player two's probabilities, length n
    row_unique: bool | None = None  # False if `row` is one of several optimal ones, None if unknown
    column_unique: bool | None = None
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

    def swapped(self, negative: Callable[[N], N]) -> "Play[N]":
        """Return the play of −Xᵀ, for which the players change places."""
        return self._replace(
            value=negative(self.value),
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

    def on_basis(self, basis: Basis, shape: tuple[int, int], zero: N) -> "Play[N]":
        """Return this play of the bids of a basis, the first numbers of each side, as the only optimal play.

        >>> Play(5, (3, 4), (2, 7)).on_basis(Basis((0, 2), (1, 2)), (4, 3), 0)
        Play(value=5, row=(3, 0, 4, 0), column=(0, 2, 7), row_unique=True, column_unique=True, \
proved=True, method='guided')
        """
        one = dict(zip(basis.rows, self.row, strict=False))
        two = dict(zip(basis.columns, self.column, strict=False))
        row = tuple(one.get(bid, zero) for bid in range(shape[0]))
        column = tuple(two.get(bid, zero) for bid in range(shape[1]))
        method = self.method or ("saddle point" if len(basis.rows) == 1 else "guided")
        return Play(self.value, row, column, True, True, self.proved, method)

    def over(self, rows: Sequence[bool], columns: Sequence[bool], zero: N) -> "Play[N]":
        """Return the play of the bids kept, marked true, as one over all cards of each hand.

        Of interchangeable bids only the lowest is kept, so a strategy that plays it is not the only one.

        >>> Play(0, (3, 5), (3, 5), True, True).over([True, False, True], [True, True, False], 0)
        Play(value=0, row=(3, 0, 5), column=(3, 5, 0), row_unique=False, column_unique=False, \
proved=True, method='')
        """
        row, row_spread = _expanded(self.row, rows, zero)
        column, column_spread = _expanded(self.column, columns, zero)
        return self._replace(
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
