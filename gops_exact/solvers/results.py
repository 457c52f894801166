"""Results for positions, as tables and as JSON: solutions, payoffs, and the chances of a win, a draw and a loss."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any, Generic, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.base.arguments import MOST_DIGITS, integer
from gops_exact.game.game import Position
from gops_exact.game.rules import PLAIN
from gops_exact.numbers.exact import TABLE_DIGITS, BigRational, Number, Value_co
from gops_exact.numbers.table import Listing, Shown, Table
from gops_exact.solvers.first_moves import ByCard, Keyed, Strategy


@dataclass(frozen=True, repr=False, eq=False)
class Solution(Shown, Generic[Value_co]):
    """The solution of a position with a prize turned up: its value and an optimal strategy of each player."""

    position: Position  #: the position, with the prize turned up
    #: player one's expected points won from now on minus points lost, or chance of a win minus that of a loss
    value: Number[Value_co]
    row: Strategy[Value_co]  #: player one's strategy
    column: Strategy[Value_co]  #: player two's strategy
    #: The algorithm that solved the matrix game of the bids: one of those that :class:`~gops_exact.GameSolution`
    #: names, or ``"bracket"`` if floats proved an interval around the value, but not the strategies.
    method: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        one, two = (vars(solution) | {"value": solution.value.key} for solution in (self, other))
        return one == two  # keys of floats include their radii

    __hash__ = None  # type: ignore[assignment]  # its strategies are not hashable

    @property
    def proved(self) -> bool:
        """True if both strategies are proved to be optimal."""
        return self.row.proved and self.column.proved

    @property
    def unique(self) -> bool | None:
        """True if each player has only one optimal strategy, False if a player is known to have several, else None."""
        known = (self.row.unique, self.column.unique)
        return False if False in known else None if None in known else True

    @property
    def support(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The cards of player one, and those of player two, whose probability is not exactly 0."""
        row, column = (
            tuple(card for card in side if not side[card].is_zero)
            for side in (self.row, self.column)
        )
        return row, column

    def check(self, payoff: object) -> None:
        """Prove that each strategy of an exact solution is a probability vector and guarantees the value.

        Args:
            payoff: player one's exact expectation for every pair of bids, shape (k, k) for k cards a side, such as the
                result of :func:`gops_exact.payoff_matrix`.

        Raises:
            ValueError: if `payoff` is not a matrix of exact rationals, or if the solution is not exact.
            CertificateError: if a condition of the proof does not hold.
        """
        # Imported here, because it is seldom needed.
        from gops_exact.matrix_game.game_solution import check_solution

        if not isinstance(self.value, BigRational):
            raise ValueError(f"only an exact solution can be checked, got value {self.value!r}")
        check_solution(payoff, self.value, self.row.values(), self.column.values())

    def table(self, digits: int | None = None) -> Table:
        """Return a table with a line for each card of each player; the title has the value and the method.

        Args:
            digits: the number of digits after the point for exact numbers and floats; None for 4.

        >>> from gops_exact import solve
        >>> print(solve(Position([2, 4], [1, 3], [12, 13], upcard=13)).table())
        2 4 against 1 3 for 13 of 12 13: value 313/25 ≈ 12.5200 (closed form)
        <BLANKLINE>
        player  card  decimal  exact
             1     2   0.4800  12/25
             1     4   0.5200  13/25
             2     1   0.5200  13/25
             2     3   0.4800  12/25
        """
        position = self.position
        hands = " against ".join(" ".join(map(str, hand)) for hand in (position.one, position.two))
        upcard = "one" if position.upcard is None else position.upcard
        stake = f"{upcard} of {' '.join(map(str, position.prizes))}"
        state = [f"{name} {points}" for name, points in position.state._asdict().items() if points]
        rules = [] if position.rules == PLAIN else [str(position.rules)]
        unique = {True: "", False: ", not unique", None: ", not proved to be unique"}[self.unique]
        value = f"value {self.value.short(digits)} ({self.method}{unique})"
        sides = ((1, self.row), (2, self.column))
        return Listing(
            f"{', '.join([f'{hands} for {stake}', *state, *rules])}: {value}",
            ("player", "card"),
            [((player, card), [p]) for player, bids in sides for card, p in bids.items()],
            marks=tuple(bids.mark for _, bids in sides for _ in bids),
            digits=TABLE_DIGITS if digits is None else integer(digits, "digits", 0, MOST_DIGITS),
            probabilities=True,
        )

    def document(self) -> dict[str, Any]:
        """Return the JSON object that ``gops-exact position`` prints; :func:`gops_exact.read` reads it again."""
        return position_document(self.position, self.value, [self])

    def __repr__(self) -> str:
        names = ("value", "row", "column", "method", "position")
        return f"Solution({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


@dataclass(frozen=True, repr=False, eq=False)
class PayoffMatrix(Keyed[int, ByCard[Value_co]]):
    """Player one's expectation for every pair of bids, {player one's card: {player two's card: number}}.

    Functions that solve matrix games accept a PayoffMatrix, and ``numpy.array(payoffs)`` is an array of its numbers.

    >>> from gops_exact import solve_matrix_game, view
    >>> payoffs = PayoffMatrix({2: ByCard({1: view(25), 3: view("-1/3")})})
    >>> payoffs, payoffs[2][3].decimal(2), solve_matrix_game(payoffs).value
    ({2: {1: 25, 3: -1/3}}, '-0.33', -1/3)
    """

    rows: Mapping[int, ByCard[Value_co]]  #: {player one's card: {player two's card: number}}
    _entries, _key = property(attrgetter("rows")), "card"

    def __repr__(self) -> str:
        return repr(dict(self))

    def to_numpy(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: ANN401, ARG002  # of numpy
        """Return an array of the numbers: a row for each bid of player one, a column for each bid of player two.

        Args:
            dtype: the type of the array's entries, as in NumPy; None for objects.
            copy: not used; the array is always a new one.
        """
        return np.array([list(row.values()) for row in self.values()], dtype)

    __array__ = to_numpy

    def table(self) -> Table:
        """Return a table with a row for each bid of player one and a column for each bid of player two."""
        return Table(
            "What player one can expect: one's bids (rows) against two's (columns)",
            ("one",),
            [((card,), list(row.values())) for card, row in self.items()],
            heads=tuple(next(iter(self.values()))),
            across="two",
            matrix=True,
        )


class Chances(NamedTuple):
    """The least and the greatest chance of a win, of a draw or of a loss over all pairs of optimal strategies."""

    least: BigRational
    greatest: BigRational


@dataclass(frozen=True)
class Outcomes(Shown):
    """Player one's exact chances of a win, a draw and a loss if both players play optimally for a win."""

    value: BigRational  #: player one's chance of a win minus the chance of a loss
    draw: Chances  #: the chances of a draw

    def table(self) -> Table:
        """Return a table with two lines for each result, one for its least chance and one for its greatest."""
        chances = {"win": self.win, "draw": self.draw, "loss": self.loss}
        return Listing(
            f"value {self.value.short()}: chances over all optimal strategies",
            ("", "chance"),
            [
                ((name, side), [chance])
                for name, both in chances.items()
                for side, chance in both._asdict().items()
            ],
            left=("", "chance"),
            probabilities=True,
        )

    @property
    def win(self) -> Chances:
        """Player one's least and greatest chance of a win.

        The value of the game determines the chance of a win from the chance of a draw: it is (1 − draw + value) / 2.
        So a win is least likely if the players' optimal strategies make a draw most likely.
        """
        return Chances(*((1 - draw + self.value) / 2 for draw in reversed(self.draw)))

    @property
    def loss(self) -> Chances:
        """Player one's least and greatest chance of a loss.

        The value of the game determines the chance of a loss from the chance of a draw: it is (1 − draw − value) / 2.
        So a loss is least likely if the players' optimal strategies make a draw most likely.
        """
        return Chances(*((1 - draw - self.value) / 2 for draw in reversed(self.draw)))


def position_document(
    position: Position,
    worth: Number[Any],
    solutions: Iterable[Solution[Any]],
    payoffs: Sequence[PayoffMatrix[float]] = (),
) -> dict[str, Any]:
    """Return a position and its solutions as a JSON object of the schema ``position-1``.

    Args:
        position: the position; its upcard is not part of the object.
        worth: the value of the position.
        solutions: the solution at each upcard.
        payoffs: for each solution, its payoff matrix in floats; empty to leave payoffs out of the object.
    """
    document = asdict(position) | {
        "arithmetic": worth.arithmetic,
        **worth.members(),
        "columns": [],
    }
    del document["upcard"]
    for solution in solutions:
        column: dict[str, Any] = {"upcard": solution.position.upcard} | solution.value.members()
        column["method"] = solution.method
        for player, strategy in (("one", solution.row), ("two", solution.column)):
            chances = {card: chance.members() for card, chance in strategy.items()}
            column[player] = {
                "unique": strategy.unique,
                "proved": strategy.proved,
                "probabilities": {card: chance["value"] for card, chance in chances.items()},
            }
            radii = {card: x["radius"] for card, x in chances.items() if "radius" in x}
            if radii:
                column[player]["radii"] = radii
        document["columns"].append(column)
    for column, matrix in zip(document["columns"], payoffs, strict=False):
        entries = [[number.members() for number in row.values()] for row in matrix.values()]
        column["payoffs"] = [[entry["value"] for entry in row] for row in entries]
        column["payoff_radii"] = [[entry["radius"] for entry in row] for row in entries]
    return document
