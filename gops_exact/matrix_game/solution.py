"""The solution of a matrix game, and the exact check that proves it."""

from dataclasses import dataclass
from typing import Literal, cast, get_args

from flint import fmpq

from gops_exact.arguments import choice
from gops_exact.matrix_game.payoff import Matrix, as_matrix
from gops_exact.numbers.shown import Shown, short_repr

Method = Literal["saddle point", "closed form", "pfaffian", "guided", "simplex"]
METHODS: tuple[Method, ...] = get_args(Method)


def as_method(name: str) -> Method:
    """Return the method of that name, or raise a ``ValueError``."""
    choice(name, "a method", METHODS)
    return cast("Method", name)


class CertificateError(ArithmeticError):
    """A claimed solution that fails its exact check."""


@dataclass(frozen=True)
class GameSolution(Shown):
    """The value of an m × n matrix game and one optimal strategy for each side.

    Attributes:
        value: the gain in points that player one can secure and player two can limit them to.
        row: player one's probabilities, length m.
        column: player two's probabilities, length n.
        method: the algorithm that found it.
        row_unique: true if `row` is player one's only optimal strategy.
        column_unique: true if `column` is player two's only optimal strategy.
    """

    value: fmpq
    row: tuple[fmpq, ...]
    column: tuple[fmpq, ...]
    method: Method
    row_unique: bool
    column_unique: bool

    __repr__ = short_repr

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
            -self.value, self.column, self.row, self.method, self.column_unique, self.row_unique
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
        check_solution(as_matrix(payoff), self.value, self.row, self.column)


def row_payoffs(payoff: Matrix, column: tuple[fmpq, ...]) -> list[fmpq]:
    """Return Xy, player one's expected gain for each pure row, length m."""
    return [sum((a * q for a, q in zip(row, column, strict=True) if q), fmpq(0)) for row in payoff]


def check_solution(
    payoff: Matrix, value: fmpq, row: tuple[fmpq, ...], column: tuple[fmpq, ...]
) -> None:
    """Raise :class:`CertificateError` unless (value, row, column) solves `payoff`, by weak duality."""
    if (len(row), len(column)) != (len(payoff), len(payoff[0])):
        raise CertificateError(
            f"strategies of lengths {len(row)} and {len(column)} "
            f"for a {len(payoff)} × {len(payoff[0])} matrix"
        )
    for side, strategy in (("row", row), ("column", column)):
        if any(p < 0 for p in strategy) or sum(strategy, fmpq(0)) != 1:
            raise CertificateError(f"the {side} strategy is not a probability vector")
    if any(
        gain < value
        for gain in row_payoffs([list(column) for column in zip(*payoff, strict=True)], row)
    ):
        raise CertificateError("the row strategy does not secure the value")
    if any(gain > value for gain in row_payoffs(payoff, column)):
        raise CertificateError("the column strategy does not hold player one to the value")
