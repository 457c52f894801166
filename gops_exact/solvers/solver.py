"""Base class of the solvers of positions and whole games."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from gops_exact.base.progress import Progress
from gops_exact.game.game import Game, Position, checked_position
from gops_exact.game.rules import Hand, Upcard, Upcards
from gops_exact.matrix_game.basis import Play
from gops_exact.numbers.exact import Number
from gops_exact.solvers.arithmetic import FLOAT, Arithmetic, Float
from gops_exact.solvers.first_moves import ByCard, FirstMoves, GameCounts, Strategy

if TYPE_CHECKING:
    from gops_exact.solvers.results import PayoffMatrix, Solution

Value = TypeVar("Value")
"""The type of number that a solver computes with: a pair (numerator, denominator) of fmpz for exact numbers, or a ball
(``arb``, an interval that contains the true number)."""

SMALL = 6
"""The most cards a side for which the cost of a run is not estimated, because no limit is ever reached."""

HALF = 1 << 20
"""Half of the argument `total` of progress(done, total) when a position is solved. The first half is for the values of
the positions that can follow, the second half for the matrix games of the position itself."""


class Solver(ABC, Generic[Value]):
    """Solver of positions and of whole games in one arithmetic (kind of number): exact numbers, balls or floats.

    :func:`gops_exact.solver` makes solvers. A solver can be made for one game. With exact numbers or balls, such a
    solver refuses to solve positions that do not belong to this game. A solver stores the values that the last query
    computed. So positions that can follow from the position of the last query are solved quickly. Only one thread may
    use a solver at a time.
    """

    def __init__(self, arithmetic: Arithmetic, progress: Progress | None, *, force: bool) -> None:
        self.arithmetic, self._progress, self._force = arithmetic, progress, force

    def judged(
        self, problem: Game | Position, kind: Arithmetic | None = None, jobs: int | None = None
    ) -> float:
        """Refuse a problem whose estimated cost is too high, unless the solver was made with `force`.

        Args:
            problem: the game whose optimal first bids are to be computed, or the position to solve.
            kind: the arithmetic; None for that of the solver.
            jobs: the number of threads for floats; None for the number of cores.

        Returns:
            The estimated time on one core in seconds; 0 for small problems, whose cost is not estimated.

        Raises:
            ValueError: if the problem is refused.
        """
        kind = kind or self.arithmetic
        # Floats have limits on memory, disk and points, too. Only a game of the cards 1 … n with default options is
        # sure to be within these.
        cards = problem.n if isinstance(problem, Game) else problem.size
        if cards <= SMALL and (
            not isinstance(kind, Float)
            or (isinstance(problem, Game) and not problem.own_deck and kind == FLOAT)
        ):
            return 0.0
        # Imported here, because small games need no estimate.
        from gops_exact.solvers.cost import check_cost

        return check_cost(problem, kind, jobs=jobs, force=self._force).seconds

    @abstractmethod
    def value(self, position: Position | str) -> Number[Any]:
        """Return player one's expectation at a position if both players play optimally.

        `position` is a Position or its name, before or after a prize is turned up.

        Raises:
            ValueError: if `position` is neither. Unless :attr:`.Position.known_value` gives the value at once, the
                error is also raised if the position takes too long, or does not belong to the game for which the solver
                was made.
            PrecisionError: if the solver's answers are decimals, and it cannot prove every digit.
        """

    @abstractmethod
    def first_move(self, game: Game | int, upcards: Upcards | None = None) -> FirstMoves[Any]:
        """Return optimal strategies for the first bid of a game, one for each upcard.

        Args:
            game: the game, or its number of cards a side.
            upcards: the prizes turned up; None for all prizes that can come first.

        Raises:
            ValueError: if an upcard cannot come first, or if the game takes too long.
            PrecisionError: if the solver's answers are decimals, and it cannot prove every digit.
        """

    @abstractmethod
    def play(self, position: Position) -> Play[Value]:
        """Return the value and optimal strategies at a position, in the type with which the solver computes.

        A prize must be turned up at the position, unless prizes are hidden. The errors are those of :meth:`solve`.
        """

    @abstractmethod
    def entries(self, position: Position) -> list[list[Value]]:
        """Return player one's expectation for every pair of bids if both players play optimally afterwards.

        The shape is (k, k) for k cards a side: a row for each card of player one and a column for each card of player
        two, both in ascending order of the cards. A prize must be turned up at the position, unless prizes are hidden.
        """

    @abstractmethod
    def gains(self, position: Position) -> list[Value]:
        """Return player one's expectation from each card of the hand, in ascending order of the cards.

        Player two plays the strategy that :meth:`play` returns. A prize must be turned up at the position, unless
        prizes are hidden.
        """

    @abstractmethod
    def number(self, raw: Value, *, proved: bool = True) -> Number[Any]:
        """Convert a number of the solver's own type to the type of number in answers, a :class:`Number`.

        Args:
            raw: the number: a pair (numerator, denominator), or a ball, which is a midpoint with a radius.
            proved: False if the number is a probability of a strategy that is not proved to be optimal.
        """

    def solve(self, position: Position | str) -> "Solution[Any]":
        """Solve a position with a prize turned up; `position` is a Position or its name.

        Raises:
            ValueError: if `position` is neither, if a prize has to be turned up first or none is left, if the position
                takes too long, or if the solver was made for one game and refuses other positions.
            PrecisionError: if the solver's answers are decimals, and it cannot prove every digit.
        """
        from gops_exact.solvers.results import Solution  # first moves need none

        position = checked_position(position)
        play = self.play(position)
        row = self.strategy(position.one, play.row, play.row_unique, play)
        column = self.strategy(position.two, play.column, play.column_unique, play)
        return Solution(position, self.number(play.value), row, column, play.method)

    def strategy(
        self, hand: Hand, bids: Iterable[Value], unique: bool | None, play: Play[Value]
    ) -> Strategy[Any]:
        """Return one player's strategy, {card: probability}.

        Args:
            hand: the player's cards.
            bids: the probability of each card of the hand.
            unique: True if no other strategy is optimal, False if others are, None if unknown.
            play: the solution of the matrix game to which the strategy belongs.
        """
        probabilities = {
            card: self.number(bid, proved=play.proved) for card, bid in zip(hand, bids, strict=True)
        }
        return Strategy(probabilities, unique=unique, proved=play.proved, method=play.method)

    def moves(
        self,
        game: Game,
        plays: Mapping[Upcard, Play[Value]],
        game_counts: GameCounts | None = None,
    ) -> FirstMoves[Any]:
        """Return the optimal strategies for the first bid, taken from the solution of the first round at each upcard.

        Args:
            game: the game to which the strategies belong.
            plays: {upcard: value and optimal strategies of the first round}.
            game_counts: counts of the matrix games that were solved in floats; None in other arithmetics.
        """
        columns = {
            upcard: self.strategy(game.hand, play.row, play.row_unique, play)
            for upcard, play in plays.items()
        }
        return FirstMoves(game.n, columns, game.rules, self.arithmetic, game_counts, game.own_deck)

    def payoff_matrix(self, position: Position | str) -> "PayoffMatrix[Any]":
        """Return player one's expectation for every pair of bids, if both players play optimally afterwards.

        `position` is a Position with a prize turned up, or its name. The errors are those of :meth:`solve`.
        """
        from gops_exact.solvers.results import PayoffMatrix  # first moves need none

        position = checked_position(position)
        rows = (map(self.number, row) for row in self.entries(position))
        by_card = [ByCard(dict(zip(position.two, row, strict=True))) for row in rows]
        return PayoffMatrix(dict(zip(position.one, by_card, strict=True)))

    def bid_gains(self, position: Position | str) -> ByCard[Any]:
        """Return player one's expectation from each bid, {card: number}.

        Player two plays the strategy that :meth:`solve` returns. `position` is a Position with a prize turned up, or
        its name. The errors are those of :meth:`solve`.
        """
        position = checked_position(position)
        gains = map(self.number, self.gains(position))
        return ByCard(dict(zip(position.one, gains, strict=True)))
