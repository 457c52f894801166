"""The protocol of solvers: one word for one question in every arithmetic."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from gops_exact.game.game import Game, Position
from gops_exact.game.rules import Hand
from gops_exact.matrix_game.play import Play
from gops_exact.numbers.kinds import Number
from gops_exact.solutions.arithmetic import Arithmetic
from gops_exact.solutions.first_moves import FirstMoves
from gops_exact.solutions.solution import PayoffMatrix, Solution
from gops_exact.solutions.strategy import ByCard, Strategy

Raw = TypeVar("Raw")
"""A number as it is computed with: fmpq, arb, int or float."""


HALF = 1 << 20
"""Units of progress of all that follows a position, and of its own games."""


class Solver(ABC, Generic[Raw]):
    """Solver of positions and of whole games in one arithmetic.

    It keeps what it computed: a question about a position that the last one leads to is answered from
    the values at hand. It is not for several threads at once.
    """

    arithmetic: Arithmetic

    @abstractmethod
    def value(self, position: Position) -> Number[Any]:
        """Return player one's expectation, before or after a prize is turned up."""

    @abstractmethod
    def first_move(self, game: Game, upcards: Iterable[int] | None = None) -> FirstMoves[Any]:
        """Return the optimal first moves of a game, by default at all upcards that can come first."""

    @abstractmethod
    def play(self, position: Position) -> Play[Raw]:
        """Return optimal play at a position with a prize turned up, in numbers to compute with."""

    @abstractmethod
    def entries(self, position: Position) -> list[list[Raw]]:
        """Return player one's expectation for every pair of bids, shape (k, k)."""

    @abstractmethod
    def gains(self, position: Position) -> list[Raw]:
        """Return player one's expectation of each bid against the column of :meth:`play`."""

    @abstractmethod
    def number(self, raw: Raw) -> Number[Any]:
        """Return a number with what is proved of it."""

    def probability(self, raw: Raw, *, proved: bool) -> Number[Any]:  # noqa: ARG002  # of floats
        """Return a probability with what is proved of it."""
        return self.number(raw)

    def solve(self, position: Position) -> Solution[Any]:
        """Return optimal play at a position with a prize turned up."""
        play = self.play(position)
        row = self.strategy(position.one, play.row, play.row_unique, play)
        column = self.strategy(position.two, play.column, play.column_unique, play)
        return Solution(position, self.number(play.value), row, column, play.method)

    def strategy(
        self, hand: Hand, bids: Iterable[Raw], unique: bool | None, play: Play[Raw]
    ) -> Strategy[Any]:
        """Return one player's strategy of a play, {card: probability}."""
        numbers = [self.probability(bid, proved=play.proved) for bid in bids]
        return Strategy(
            dict(zip(hand, numbers, strict=True)),
            unique=unique,
            proved=play.proved,
            method=play.method,
        )

    def payoff_matrix(self, position: Position) -> PayoffMatrix[Any]:
        """Return player one's expectation for every pair of bids, optimal play to follow."""
        numbers = [list(map(self.number, row)) for row in self.entries(position)]
        return PayoffMatrix(position.one, position.two, numbers)

    def bid_gains(self, position: Position) -> ByCard[Any]:
        """Return player one's expectation of each bid against player two's optimal strategy, by card."""
        gains = map(self.number, self.gains(position))
        return ByCard(dict(zip(position.one, gains, strict=True)))
