"""Zero-sum matrix game with labels of the pure strategies, as users enter and see it."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import cast

from gops_exact.base.arguments import flag, instance, items, shown
from gops_exact.matrix_game.payoff import ZERO, Payoff
from gops_exact.numbers.exact import BigRational, distance
from gops_exact.numbers.table import Shown, Table

TITLE = "matrix game"
"""Default title of a game."""


class MatrixGame(Shown):
    """A two-person zero-sum game: a payoff matrix, and labels of the pure strategies.

    Args:
        payoff: shape (m, n), player one's gain for each pair of pure strategies: exact rationals (int,
            Fraction, fmpq, mpq, sympy.Rational, text such as ``"1/2"``) in sequences, or in a matrix of
            numpy, pandas, sympy or FLINT. The index and the columns of a pandas frame are the default labels, unless
            they are 0, 1, 2, …
        rows: labels of player one's pure strategies, length m; empty for ``"1"``, ``"2"``, … or those of the frame.
        columns: labels of player two's pure strategies, length n; empty for ``"1"``, ``"2"``, … or those of the frame.
        title: the name of the game.
        exactly: True to replace each float by its exact binary value.
        within: a positive rational. Each float is replaced by the fraction with the smallest denominator whose
            distance from the float is at most `within`. With None floats are refused, unless `exactly` is True.

    Raises:
        ValueError: if the matrix is empty, ragged or holds anything but exact rationals; if labels are not text, too
            few, too many or repeated; if `within` is not positive, or is set together with `exactly`.

    >>> game = MatrixGame([[3, "-1/2"], [1, 2]], rows=["hit", "stand"])
    >>> game.payoff, game.rows, game.columns
    ([[3, -1/2], [1, 2]], ('hit', 'stand'), ('1', '2'))
    >>> MatrixGame([[0.1]], within="1e-9").payoff
    [[1/10]]
    """

    def __init__(
        self,
        payoff: object,
        rows: Sequence[str] = (),
        columns: Sequence[str] = (),
        title: str = TITLE,
        *,
        exactly: bool = False,
        within: object = None,
    ) -> None:
        if flag(exactly, "exactly") and within is not None:
            raise ValueError(f"within must be None where exactly is True, got {shown(within)}")
        self.numbers = Payoff.of(payoff, ZERO if exactly else distance(within))
        m, n = self.numbers.shape
        self.rows = _labels(rows, "rows", m, getattr(payoff, "index", None))
        self.columns = _labels(columns, "columns", n, getattr(payoff, "columns", None))
        self.title = instance(title, str, "title", "text")

    @cached_property
    def payoff(self) -> list[list[BigRational]]:
        """Player one's gains, shape (m, n)."""
        return [[BigRational(entry) for entry in row] for row in self.numbers.rows]

    @property
    def shape(self) -> tuple[int, int]:
        """The number of player one's pure strategies, and the number of player two's."""
        return self.numbers.shape

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatrixGame):
            return NotImplemented
        one, two = (
            (game.rows, game.columns, game.title, game.numbers.rows) for game in (self, other)
        )
        return one == two

    def __hash__(self) -> int:
        return hash((self.rows, self.columns, self.title))

    def __repr__(self) -> str:
        m, n = self.shape
        return f"MatrixGame({m} × {n}, title={self.title!r})"

    def table(self) -> Table:
        """Return a table of the payoffs, with the labels of rows and columns."""
        rows = [((label,), row) for label, row in zip(self.rows, self.payoff, strict=True)]
        return Table(self.title, ("row",), rows, heads=self.columns, across="column", matrix=True)


def constant_sum(game: MatrixGame, other: MatrixGame) -> MatrixGame:
    """Check that the payoffs of both players have the same sum in every cell, and return `game`.

    Args:
        game: player one's payoffs.
        other: player two's payoffs.

    Raises:
        ValueError: if the matrices have different shapes, or if two cells have different sums.
    """
    if game.shape != other.shape:
        one, two = game.shape, other.shape
        raise ValueError(f"payoffs of both players must have the same shape, got {one} and {two}")
    total = game.numbers.rows[0][0] + other.numbers.rows[0][0]
    for row, *line in zip(game.rows, game.numbers.rows, other.numbers.rows, strict=True):
        for column, gain, loss in zip(game.columns, *line, strict=True):
            if gain + loss != total:
                raise ValueError(
                    f"row {row}, column {column}: payoffs must add up to the same everywhere, to {total} as the first "
                    f"ones do, got {gain} and {loss}"
                )
    return game


def _labels(argument: object, name: str, count: int, axis: object) -> tuple[str, ...]:
    """Return the labels in `argument`; if it is empty, those of an axis of a pandas frame, or the numbers from 1 on.

    Raises:
        ValueError: if the labels are not `count` different texts.
    """
    labels = items(argument, name, f"{count} different labels", ordered=True)
    if not labels and hasattr(axis, "inferred_type"):
        names = list(cast("Iterable[object]", axis))
        if names != list(range(count)):
            labels = [
                " ".join(map(str, name)) if isinstance(name, tuple) else str(name) for name in names
            ]
    if not labels:
        return tuple(map(str, range(1, count + 1)))
    if not all(isinstance(label, str) for label in labels):
        raise ValueError(f"{name} must have text for labels, got {shown(labels)}")
    if len(labels) != count:
        raise ValueError(f"{name} must have {count} labels, got {len(labels)}")
    if len(set(labels)) < count:
        second = next(k for k, label in enumerate(labels) if label in labels[:k])
        first = labels.index(labels[second])
        raise ValueError(
            f"{name} must have different labels, got {shown(labels[second])} as {first + 1} and {second + 1}"
        )
    return tuple(labels)
