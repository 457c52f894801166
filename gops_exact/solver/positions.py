"""Any position in any arithmetic: its value, optimal play, the game of the bids, how it ends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, Unpack, cast, overload

from flint import arb, fmpq

from gops_exact.arguments import MOST_JOBS, flag, function, instance, positive_integer, shown
from gops_exact.game.position import Position
from gops_exact.lattice.sweep import EnclosedArithmetic
from gops_exact.numbers import BigRational
from gops_exact.numbers.kinds import BoundedFloat, Number, ProvedDecimal, ResidueClass
from gops_exact.schedule import Progress, part_of
from gops_exact.solutions.arithmetic import Arithmetic, Ball, Exact, Float, Residue, as_arithmetic
from gops_exact.solutions.solution import Outcomes, PayoffMatrix, Solution
from gops_exact.solutions.strategy import ByCard, Strategy
from gops_exact.solver.by_layers import Positions
from gops_exact.solver.by_prizes import Enclosing, PrizeSets
from gops_exact.solver.cost import check_certifiable, check_feasible
from gops_exact.solver.outcomes import Forecaster, check_quick
from gops_exact.solver.precision import in_balls, in_residues

SIDE = "cards a side"

HALF = 1 << 20
"""Units of progress of all that follows a position, and of its own games."""

Found = TypeVar("Found")

Exactly = Exact | Literal["exact"]


class Options(TypedDict, total=False):
    """The options of the functions here beside the arithmetic."""

    store: str | Path | None
    jobs: int | None
    progress: Progress | None
    force: bool


@overload
def value(
    position: Position, arithmetic: Exactly = "exact", **options: Unpack[Options]
) -> BigRational: ...
@overload
def value(
    position: Position, arithmetic: Arithmetic | str, **options: Unpack[Options]
) -> Number[Any]: ...
def value(
    position: Position,
    arithmetic: Arithmetic | str = "exact",
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Number[Any]:
    """Player one's expectation at a position under optimal play.

    It is in points gained from the position on; where the game is for winning, it is the chance of
    a win less that of a loss.

    Args:
        position: the position, before or after a prize is turned up.
        arithmetic: the kind of number: ``Exact()``, ``Ball(digits)``, ``Residue(prime)`` or
            ``Float(folder)``, or a name for one with default options: ``"exact"``, ``"ball"``,
            ``"residue"``, ``"float"``. Floats take values from the layers of whole games in their
            folder where they are there; they add none.
        store: file to take values from, if there is one; as in :func:`first_move`, but nothing is
            added to it. Floats take none.
        jobs: threads, for floats; by default all cores. Other numbers are computed by one.
        progress: called with the work done and all the work there is.
        force: begin even if it takes hours, or is thought not to fit.

    Returns:
        An exact number (:class:`~gops_exact.numbers.BigRational`), or one with what is proved of it:
        decimals (:class:`~gops_exact.numbers.kinds.ProvedDecimal`), a residue, or a float and its radius.

    Raises:
        ValueError: if the position takes hours, or more memory than there is, and `force` is off; or
            the options do not go with the arithmetic.
        StoreError: if the store cannot be used.
        PrecisionError: if decimals cannot be proved, or balls cannot tell a tie for a residue.

    >>> from gops_exact.game.rules import Rules
    >>> position = Position([2, 4], [1, 3], [12, 13])
    >>> print(value(position))
    313/25
    >>> value(position, "float").radius < 1e-12
    True
    >>> print(value(Position([2, 3], [1, 3], [2, 3], rules=Rules(ties="carryover"), pot=2)))
    104/33
    """
    instance(position, Position, "position", "a Position")
    if position.settled is not None:
        return _known(as_arithmetic(arithmetic), position.settled)
    with _solving(position, arithmetic, store, jobs, progress, force=force) as solver:
        return _value(solver, position)


@overload
def solve(
    position: Position, arithmetic: Exactly = "exact", **options: Unpack[Options]
) -> Solution[fmpq]: ...
@overload
def solve(
    position: Position, arithmetic: Arithmetic | str, **options: Unpack[Options]
) -> Solution[Any]: ...
def solve(
    position: Position,
    arithmetic: Arithmetic | str = "exact",
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Solution[Any]:
    """Solve a position with a prize turned up.

    In floats a solution whose strategies are not proved has the method ``"bracket"``: several are
    optimal, or floats cannot tell. Those given then secure the value but for its radius. Proved
    decimals of such strategies raise PrecisionError from six cards a side on.

    Args:
        position: the position; without an upcard where bids are made before it is seen.
        arithmetic: the kind of number, as in :func:`value`.
        store: file to take values from, as in :func:`value`.
        jobs: threads, for floats, as in :func:`value`.
        progress: as in :func:`value`.
        force: begin even if it takes hours, or is thought not to fit.

    Raises:
        ValueError: if a prize has to be turned up first; or as in :func:`value`.
        StoreError: if the store cannot be used.
        PrecisionError: as in :func:`value`.

    >>> position = Position([2, 4], [1, 3], [12, 13], upcard=13)
    >>> solution = solve(position)
    >>> print(solution.value, solution.row)
    313/25 {2: 12/25, 4: 13/25}
    >>> print(solve(position, Ball(digits=5)).row)
    {2: 0.48000, 4: 0.52000}
    """
    position = _turned_up(position)
    with _solving(position, arithmetic, store, jobs, progress, force=force) as solver:
        return solver.solve(position)


def solve_turns(
    position: Position, arithmetic: Arithmetic | str = "exact", **options: Unpack[Options]
) -> tuple[Number[Any], list[Solution[Any]]]:
    """Compute the value of a position, and solve it with each prize that may be turned up.

    Arguments and errors are those of :func:`value`. If a prize is turned up, there is one solution.

    >>> worth, solutions = solve_turns(Position([2, 4], [1, 3], [12, 13]))
    >>> print(worth, *(solution.value for solution in solutions))
    313/25 313/25 313/25
    >>> len(solve_turns(Position.start(3), "float")[1])
    3
    """
    instance(position, Position, "position", "a Position")
    kind, settled = as_arithmetic(arithmetic), position.settled
    if not position.size:
        return _known(kind, settled or 0), []
    turned = [position] if position.upcard is not None else [each for _, each in position.turns()]

    with _solving(position, kind, **options) as solver:
        worth = _value(solver, position) if settled is None else _known(kind, settled)
        return worth, [solver.solve(each) for each in turned]


@overload
def payoff_matrix(
    position: Position, arithmetic: Exactly = "exact", **options: Unpack[Options]
) -> PayoffMatrix[fmpq]: ...
@overload
def payoff_matrix(
    position: Position, arithmetic: Arithmetic | str, **options: Unpack[Options]
) -> PayoffMatrix[Any]: ...
def payoff_matrix(
    position: Position,
    arithmetic: Arithmetic | str = "exact",
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> PayoffMatrix[Any]:
    """Compute player one's expectation for every pair of bids, optimal play to follow.

    Arguments and errors are those of :func:`solve`.

    Returns:
        Rows, shape (k, k) for k cards a side, cards ascending.

    >>> payoff_matrix(Position([2, 4], [1, 3], [12, 13], upcard=13))
    [[25, -1], [1, 25]]
    """
    position = _turned_up(position)
    with _solving(position, arithmetic, store, jobs, progress, force=force) as solver:
        return solver.payoff(position)


@overload
def bid_gains(
    position: Position, arithmetic: Exactly = "exact", **options: Unpack[Options]
) -> ByCard[fmpq]: ...
@overload
def bid_gains(
    position: Position, arithmetic: Arithmetic | str, **options: Unpack[Options]
) -> ByCard[Any]: ...
def bid_gains(
    position: Position,
    arithmetic: Arithmetic | str = "exact",
    *,
    store: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> ByCard[Any]:
    """Compute player one's expectation of each bid against player two's optimal strategy, by card.

    The bids that an optimal strategy plays reach the value of the position, and none exceeds it.
    Where several strategies are optimal, player two's is the one that :func:`solve` gives. Arguments
    and errors are those of :func:`solve`.

    >>> bid_gains(Position.start(3).at(2))
    {1: -1, 2: 0, 3: 0}
    """
    position = _turned_up(position)
    with _solving(position, arithmetic, store, jobs, progress, force=force) as solver:
        return solver.bid_gains(position)


def outcomes(
    position: Position,
    *,
    store: str | Path | None = None,
    progress: Progress | None = None,
    force: bool = False,
) -> Outcomes:
    """Compute how often a position is won, drawn and lost if both play optimally for a win.

    Where there are several optimal strategies it depends on which are played: these are the least and
    the greatest chances over all of them, as exact numbers. For whole games in floats see
    :func:`gops_exact.solver.outcomes.float_outcomes`.

    Args:
        position: the position, by rules for winning, before or after a prize is turned up.
        store: file to take values from, as in :func:`value`.
        progress: as in :func:`value`.
        force: begin even if it takes hours.

    Raises:
        ValueError: if points are played for, or the position takes more than minutes and `force` is
            off.
        StoreError: if the store cannot be used.

    >>> from gops_exact.game.rules import Rules
    >>> found = outcomes(Position([1, 3], [2, 3], [2, 3], rules=Rules("win"), margin=1))
    >>> found.value, found.win, found.draw
    (-1/3, Chances(least=1/9, greatest=1/9), Chances(least=4/9, greatest=4/9))
    """
    instance(position, Position, "position", "a Position")
    check_quick(position.size, force=flag(force, "force"), name=SIDE)
    distinct = len({*position.one, *position.two})
    forecaster = Forecaster(max(1, distinct), position.rules, store=store, progress=progress)
    return forecaster.outcomes(position)


class Certified:
    """Solver of positions in proved decimals or in residues."""

    def __init__(
        self,
        kind: Ball | Residue,
        store: str | Path | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._kind, self._store, self._progress = kind, store, progress

    def worth(self, position: Position) -> Number[Any]:
        """Return the value of a position, before or after a prize is turned up."""
        if position.upcard is None and not position.rules.hidden:
            return self.number(self._found(position, Enclosing.value, lambda found: [found]))
        return self.number(self._found(position, Enclosing.play, lambda play: [play.value]).value)

    def solve(self, position: Position) -> Solution[Any]:
        """Return optimal play at a position with a prize turned up."""
        play = self._found(
            position, Enclosing.play, lambda play: [play.value, *play.row, *play.column]
        )
        row, column = (
            Strategy(
                dict(zip(hand, map(self.number, bids), strict=True)),
                unique=unique,
                proved=play.proved,
                method=play.method,
            )
            for hand, bids, unique in (
                (position.one, play.row, play.row_unique),
                (position.two, play.column, play.column_unique),
            )
        )
        return Solution(position, self.number(play.value), row, column, play.method)

    def payoff(self, position: Position) -> PayoffMatrix[Any]:
        """Return player one's expectation for every pair of bids, optimal play to follow."""
        entries = self._found(
            position, Enclosing.entries, lambda rows: [x for row in rows for x in row]
        )
        numbers = [list(map(self.number, row)) for row in entries]
        return PayoffMatrix(position.one, position.two, numbers)

    def bid_gains(self, position: Position) -> ByCard[Any]:
        """Return player one's expectation of each bid against player two's optimal strategy."""
        gains = self._found(position, Enclosing.gains, list)
        return ByCard(dict(zip(position.one, map(self.number, gains), strict=True)))

    def _found(
        self,
        position: Position,
        ask: Callable[[Enclosing[Any, Any]], Found],
        balls: Callable[[Found], list[arb]],
    ) -> Found:
        """Return an answer in the number system that is precise enough; `balls` lists its numbers."""
        kind = self._kind

        def found(arithmetic: EnclosedArithmetic[Any, Any]) -> Found:
            store, progress = self._store, self._progress
            return ask(Enclosing(position, arithmetic, store=store, progress=progress))

        if isinstance(kind, Ball):
            return in_balls(found, balls, kind.digits, "a position")
        return in_residues(found, kind.prime, position.size, winning=position.rules.winning)

    def number(self, number: arb | int) -> Number[Any]:
        """Return a number of the arithmetic with what is proved of it."""
        if isinstance(self._kind, Ball):
            return ProvedDecimal(arb(number), self._kind.digits)
        return ResidueClass(cast("int", number) % self._kind.prime, self._kind.prime)


Solver = PrizeSets | Certified | Positions


def _value(solver: Solver, position: Position) -> Number[Any]:
    if isinstance(solver, PrizeSets):
        return BigRational.of(solver.value(position))
    return solver.worth(position)


def _turned_up(position: Position) -> Position:
    """Return a position after checking that it has a prize turned up, if one has to be."""
    return instance(position, Position, "position", "a Position").at(position.upcard)


@contextmanager
def _solving(
    position: Position,
    arithmetic: Arithmetic | str,
    store: str | Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    *,
    force: bool = False,
) -> Iterator[Solver]:
    """Make the solver of a position, which is refused if it takes hours, and report what is done.

    The block solves the position's own games, which takes about half of the time.
    """
    function(progress, "progress")
    below = part_of(progress, 0, HALF, 2 * HALF)
    kind, force = as_arithmetic(arithmetic), flag(force, "force")
    jobs = None if jobs is None else positive_integer(jobs, "jobs", MOST_JOBS)
    if isinstance(kind, Float):
        if store is not None:
            raise ValueError(f"arithmetic 'float' takes no store, got {shown(store)}")
        if kind.keep or kind.integers is not None:
            raise ValueError(f"keep and integers are for first moves, got {kind}")
        floats = float_solver(kind)
        floats.prepare(position, jobs=jobs, progress=below, force=force)
        yield floats
    elif isinstance(kind, Exact):
        check_feasible(position.size, position.rules, force=force, name=SIDE)
        yield PrizeSets(position.one, position.two, position.rules, store=store, progress=below)
    else:
        fixed = position.rules.fixed
        rules = replace(position.rules, prizes="descending") if fixed else position.rules
        check_certifiable(position.size, rules, force=force, name=SIDE)
        yield Certified(kind, store, below)
    if progress is not None:
        progress(2 * HALF, 2 * HALF)


@lru_cache(maxsize=1)
def float_solver(kind: Float) -> Positions:
    """Return the float solver of this process: what follows the last position is then at hand."""
    return Positions(kind.folder, memory_bytes=kind.memory_bytes)


def _known(kind: Arithmetic, number: int) -> Number[Any]:
    """Return an integer as a number of an arithmetic."""
    if isinstance(kind, Exact):
        return BigRational.of(fmpq(number))
    if isinstance(kind, Float):
        return BoundedFloat(float(number), 0.0)
    return Certified(kind).number(number)
