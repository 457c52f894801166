"""Optimal play of one matrix game, in any arithmetic; the exact solution as a result, and its proof."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Generic, Literal, TypeVar, get_args

from flint import fmpq, fmpq_mat

from gops_exact.matrix_game.basis import Basis, placed
from gops_exact.matrix_game.payoff import Entries, as_entries, flint
from gops_exact.numbers.digits import shorten
from gops_exact.numbers.exact import BigRational
from gops_exact.table import Shown, Table, in_short, strategies

Method = Literal["saddle point", "closed form", "pfaffian", "guided", "simplex"]
METHODS: tuple[Method, ...] = get_args(Method)


class CertificateError(ArithmeticError):
    """A claimed solution that fails its exact check."""


N = TypeVar("N")
"""A number of an arithmetic: fmpq, pair of fmpz, arb, int or float with a radius."""

Other = TypeVar("Other")


@dataclass(frozen=True)
class Play(Generic[N]):
    """Optimal play of an m × n game: its value, and a strategy for each side.

    >>> Play.fair((1, 0), 0, unique=True).swapped(int.__neg__)
    Play(value=0, row=(1, 0), column=(1, 0), row_unique=True, column_unique=True, proved=True, method='')
    """

    value: N  # player one's expectation
    row: tuple[N, ...]  # player one's probabilities, length m
    column: tuple[N, ...]  # player two's probabilities, length n
    row_unique: bool | None  # False if `row` is one of several optimal ones, None if not known
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
        row = placed(found[0], basis.rows, shape[0], zero)
        column = placed(found[1], basis.columns, shape[1], zero)
        method = "saddle point" if len(basis.rows) == 1 else "guided"
        return cls(found[2], row, column, True, True, method=method)

    def swapped(self, negative: Callable[[N], N]) -> "Play[N]":
        """Return the play of −Xᵀ, for which the players change places."""
        return replace(
            self,
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


Single = bool | Callable[[], bool]
"""An answer, or the function that finds it."""


@dataclass(frozen=True, repr=False)
class GameSolution(Shown):
    """The value of an m × n matrix game and one optimal strategy for each side.

    Attributes:
        value: the gain in points that player one can secure and player two can limit them to.
        row: player one's probabilities, length m.
        column: player two's probabilities, length n.
        method: the algorithm that found it: ``"saddle point"``; ``"closed form"``, of 2 × 2 games;
            ``"guided"``, a basis that floats propose, proved exactly; ``"pfaffian"``, the same of an
            antisymmetric game, whose basis of any odd size has a kernel; ``"simplex"``, in fractions.
        row_single: :attr:`row_unique`, or the function that finds it.
        column_single: :attr:`column_unique`, or the function that finds it.
    """

    value: fmpq
    row: tuple[fmpq, ...]
    column: tuple[fmpq, ...]
    method: Method
    row_single: Single = field(compare=False)
    column_single: Single = field(compare=False)

    def __repr__(self) -> str:
        return shorten(
            f"GameSolution(value={self.value!r}, row={self.row!r}, column={self.column!r}, "
            f"method={self.method!r}, row_unique={self.row_unique}, "
            f"column_unique={self.column_unique})"
        )

    @cached_property
    def row_unique(self) -> bool:
        """True if `row` is player one's only optimal strategy; computed when first asked for."""
        return self.row_single if isinstance(self.row_single, bool) else self.row_single()

    @cached_property
    def column_unique(self) -> bool:
        """True if `column` is player two's only optimal strategy; computed when first asked for."""
        single = self.column_single
        return single if isinstance(single, bool) else single()

    @property
    def unique(self) -> bool:
        """True if both strategies are the only optimal ones."""
        return self.row_unique and self.column_unique

    @property
    def support(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Rows and columns played with positive probability."""
        row, column = (
            [i for i, p in enumerate(bids) if p != 0] for bids in (self.row, self.column)
        )
        return tuple(row), tuple(column)

    @property
    def play(self) -> Play[fmpq]:
        """The same as plain play, uniqueness found out."""
        return Play(
            self.value,
            self.row,
            self.column,
            self.row_unique,
            self.column_unique,
            method=self.method,
        )

    def swapped(self) -> "GameSolution":
        """Return the solution of −Xᵀ, for which the players change places."""
        return GameSolution(
            -self.value, self.column, self.row, self.method, self.column_single, self.row_single
        )

    def table(self) -> Table:
        """Return a grid of both strategies below the value and how it was found."""
        unique = "" if self.unique else ", not unique"
        return strategies(
            f"value {in_short(BigRational.of(self.value))} ({self.method}{unique})",
            [("row", self.row), ("column", self.column)],
        )

    def check(self, payoff: object) -> None:
        """Prove the solution: probabilities, and min(xᵀX) = value = max(Xy), all exactly.

        Args:
            payoff: shape (m, n); anything that :func:`~gops_exact.solve_matrix_game` takes.

        Raises:
            ValueError: if it is no matrix of exact rationals.
            CertificateError: if any of the proof fails.

        >>> from gops_exact import solve_matrix_game
        >>> solve_matrix_game([[3, -1], [1, 2]]).check([["3", -1], [1, 2]])
        """
        check_solution(payoff, self.value, self.row, self.column)


def row_payoffs(entries: Entries, column: Sequence[fmpq]) -> list[fmpq]:
    """Return Xy, player one's expected gain for each pure row, length m."""
    played = [j for j, q in enumerate(column) if q]
    if not played:
        return [fmpq(0)] * len(entries)
    mixed = flint(entries[:, played]) * fmpq_mat([[column[j]] for j in played])
    return [gain for (gain,) in mixed.tolist()]


def check_solution(
    payoff: object, value: fmpq, row: tuple[fmpq, ...], column: tuple[fmpq, ...]
) -> None:
    """Raise :class:`CertificateError` unless (value, row, column) solves `payoff`, by weak duality."""
    entries = as_entries(payoff)
    if (len(row), len(column)) != entries.shape:
        raise CertificateError(
            f"strategies of lengths {len(row)} and {len(column)} "
            f"for a {entries.shape[0]} × {entries.shape[1]} matrix"
        )
    for side, strategy in (("row", row), ("column", column)):
        if any(p < 0 for p in strategy) or sum(strategy, fmpq(0)) != 1:
            raise CertificateError(f"the {side} strategy is not a probability vector")
    if any(gain < value for gain in row_payoffs(entries.T, row)):
        raise CertificateError("the row strategy does not secure the value")
    if any(gain > value for gain in row_payoffs(entries, column)):
        raise CertificateError("the column strategy does not hold player one to the value")
