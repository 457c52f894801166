"""The solution of a matrix game, and the exact check that proves it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, cast, get_args

from flint import fmpq, fmpq_mat

from gops_exact.arguments import choice
from gops_exact.matrix_game.entries import Entries, as_entries, flint
from gops_exact.numbers.big import BigRational, shorten
from gops_exact.table import Shown, Table, in_short, strategies

Method = Literal["saddle point", "closed form", "pfaffian", "guided", "simplex"]
METHODS: tuple[Method, ...] = get_args(Method)


def as_method(name: str) -> Method:
    """Return the method of that name, or raise a ``ValueError``."""
    choice(name, "a method", METHODS)
    return cast("Method", name)


class CertificateError(ArithmeticError):
    """A claimed solution that fails its exact check."""


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
