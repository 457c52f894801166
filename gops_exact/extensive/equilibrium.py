"""Exact equilibria of games with hidden bids, and the exact exploitability of any strategy.

The equilibrium is a solution of the linear programme of Koller, Megiddo & von Stengel (1996). Its variables
are player one's plan x and the values u of player two's information sets:

    maximise Σ u_J over first information sets J, subject to
    u_J − Σ u_K ≤ Σ_s A[s, t] x_s for each sequence t of player two at J, K the sets that t leads to,
    Σ x_t = x_s for the sequences t at each information set of player one that s leads to, x ≥ 0.

HiGHS solves the programme in floats. The equations of its last basis are then solved exactly by sparse
elimination, as in Gleixner, Steffy & Wolter (2016, *Iterative refinement for linear programming*). The two
strategies are an equilibrium if the best replies to them have the same value. These values are computed from
the strategies alone.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import CDLL
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from flint import fmpq

from gops_exact.base.arguments import flag, instance, integer, shown
from gops_exact.extensive.hidden_bids import (
    BEFORE,
    Form,
    HiddenBids,
    Strategy,
    plan_of,
    strategy_of,
)
from gops_exact.matrix_game.game_solution import CertificateError
from gops_exact.numbers import BigRational, rational
from gops_exact.numbers.bounds import in_digits
from gops_exact.numbers.exact import PrecisionError
from gops_exact.numbers.table import Shown, Table, in_short
from gops_exact.solvers.cost import check_hidden_bids

if TYPE_CHECKING:
    import highspy

Line = dict[int, int]
"""Sparse row of a matrix, {column: entry}."""

TOLERANCES = (1e-7, 1e-9, 1e-10)
"""Feasibility tolerances of HiGHS, tried in this order until the basis is optimal in exact arithmetic."""

TICK, PATIENCE = 0.1, 0.5
"""Seconds between two checks of the main thread for an interrupt; seconds that HiGHS has to end after one."""


@dataclass(frozen=True, repr=False)
class Equilibrium(Shown):
    """Strategies of both players, and the payoff that each strategy is proved to guarantee.

    If both bounds are equal, the strategies are an equilibrium. If the bounds are close, the strategies are
    near an equilibrium. There may be other equilibria; :func:`solve` returns the one at the simplex method's
    last basis.
    """

    game: HiddenBids
    row: Strategy  #: player one's strategy
    #: player two's strategy; equal to `row` if :func:`solve` made them and the game is symmetric
    column: Strategy
    least: BigRational  #: player one's expected payoff if `row` meets the best reply
    most: BigRational  #: player one's expected payoff if the best reply meets `column`
    iterations: int = 0  #: iterations that learned the strategies; 0 if :func:`solve` made them

    __repr__ = Shown.__str__

    @classmethod
    def of(
        cls, game: HiddenBids, row: Strategy, column: Strategy, iterations: int = 0
    ) -> "Equilibrium":
        """Return the strategies with the bounds that best replies to them prove."""
        return cls(game, row, column, secured(game, row), -secured(game, column, 2), iterations)

    @property
    def value(self) -> BigRational:
        """The expected payoff of player one at an equilibrium.

        Raises:
            PrecisionError: if the bounds differ.
        """
        if self.least != self.most:
            raise PrecisionError(f"the value is known to be {self._value}, and no nearer")
        return self.least

    @property
    def _value(self) -> str:
        """The value, or both bounds, in words."""
        if self.least == self.most:
            return in_short(self.least)
        return f"from {_to_three(self.least, ROUND_FLOOR)} to {_to_three(self.most, ROUND_CEILING)}"

    @property
    def exploitability(self) -> BigRational:
        """The sum of the gains of the best replies to both strategies, which is `most` − `least`."""
        return self.most - self.least

    @property
    def support(self) -> tuple[int, int]:
        """The number of sequences that each player's strategy plays: (player one's, player two's)."""
        one, two = (sum(map(len, side.values())) for side in (self.row, self.column))
        return one, two

    def check(self) -> None:
        """Prove both bounds by the best replies to both strategies.

        Raises:
            CertificateError: if a bound differs from the value of the best reply.
        """
        proved = Equilibrium.of(self.game, self.row, self.column)
        for player, bound, claim in ((1, proved.least, self.least), (2, proved.most, self.most)):
            if bound != claim:
                raise CertificateError(
                    f"the best reply to player {player} has the value {bound}, not {claim}"
                )

    def table(self) -> Table:
        """Return a table of the first bids of both players and their probabilities."""
        rows = [
            ((player, int(name), bid), [chance])
            for player, strategy in (("one", self.row), ("two", self.column))
            for name, bids in strategy.items()
            if name.isdigit()  # the information sets of the first round name the prize alone
            for bid, chance in bids.items()
        ]
        notes = [f"Sequences played: {self.support[0]} and {self.support[1]}."]
        if self.iterations:
            gain = _to_three(self.exploitability, ROUND_CEILING)
            notes.append(
                f"After {self.iterations} iterations best replies to both gain at most {gain} together."
            )
        return Table(
            f"{self.game.game}, bids hidden: value {self._value}",
            ("player", "prize", "bid"),
            rows,
            left=("player",),
            notes=tuple(notes),
            probabilities=True,
        )

    def document(self) -> dict[str, Any]:
        """Return the strategies as a JSON object with numbers as text; ``gops-exact verify`` proves it."""
        rules = self.game.game.rules
        proved = {"value": self.least}
        if self.least != self.most:
            proved = {"least": self.least, "most": self.most}
        sides = {"row": self.row, "column": self.column}
        return {
            "document": "hidden bids",
            "version": 1,
            "n": self.game.game.n,
            "rules": {"objective": rules.objective, "ties": rules.ties, "prizes": rules.prizes},
            "seen": list(self.game.seen),
            **{name: str(number) for name, number in proved.items()},
            **{
                side: {
                    name: {str(bid): str(chance) for bid, chance in bids.items()}
                    for name, bids in strategy.items()
                }
                for side, strategy in sides.items()
            },
        }


def _to_three(number: BigRational, rounding: str) -> str:
    """Return a number with 3 significant digits as text, rounded up or down so that a bound stays valid."""
    return f"{float(in_digits(number.value, 3, rounding)):.3g}"


def solve(game: HiddenBids, *, force: bool = False) -> Equilibrium:
    """Solve a game with hidden bids exactly.

    Args:
        game: the game.
        force: True to allow a run of more than minutes.

    Returns:
        An equilibrium, whose two bounds are equal to the value.

    Raises:
        ValueError: if `game` is no game with hidden bids, or takes more than minutes and `force` is false.
        ImportError: if HiGHS is missing.
        CertificateError: if HiGHS ends at a basis that is not exactly optimal, with each of `TOLERANCES`.

    >>> from gops_exact import Game, Rules
    >>> equilibrium = solve(HiddenBids(Game(3, Rules(prizes="descending"))))
    >>> equilibrium.value, equilibrium.row
    (0, {'3': {3: 1}, '3:3+ 2': {2: 1}, '3:3= 2': {2: 1}})
    """
    instance(game, HiddenBids, "game", "HiddenBids(game)")
    check_hidden_bids(game.game, game.seen, force=flag(force, "force"))
    form = game.form
    programme = _Programme(form)
    for tolerance in TOLERANCES:
        plans = programme.plans(*programme.basis(tolerance), only_one=game.symmetric)
        if min(map(min, plans)) < 0:
            continue
        strategies = [strategy_of(*side) for side in zip(form.sides, plans, strict=False)]
        equilibrium = Equilibrium.of(game, strategies[0], strategies[-1])
        if equilibrium.least == equilibrium.most:
            return equilibrium
    raise CertificateError("no basis that HiGHS proposes is optimal")


def secured(
    game: HiddenBids, strategy: Mapping[str, Any], player: Literal[1, 2] = 1
) -> BigRational:
    """Return the expected gain of a player's strategy against the opponent's best reply.

    Args:
        game: the game.
        strategy: {information set: {bid: probability}} with exact numbers.
        player: the player who plays `strategy`.

    Returns:
        The gain of that player in points, or the chance of a win less that of a loss.

    Raises:
        ValueError: if `strategy` is no strategy of that player.

    >>> from gops_exact import Game, Rules
    >>> game = Game(3, Rules(prizes="descending"))
    >>> secured(HiddenBids(game), {"3": {3: 1}, "3:3= 2": {1: 1}, "3:3+ 2": {1: 1}})
    -1
    """
    form = instance(game, HiddenBids, "game", "HiddenBids(game)").form
    instance(strategy, Mapping, "strategy", "a mapping {information set: {bid: probability}}")
    side = integer(player, "player", 1, 2) - 1
    chances = {}
    for name, bids in strategy.items():
        instance(bids, Mapping, shown(name), "a mapping {bid: probability}")
        chances[name] = {bid: rational(chance, "a probability") for bid, chance in bids.items()}
    plan, other = plan_of(form.sides[side], chances), form.sides[1 - side]
    gains = [fmpq(0)] * other.sequences  # player one's gain for each last sequence of the opponent
    for pair, payoff in form.payoffs.items():
        chance = plan[pair[side]]
        if chance and payoff:
            gains[pair[1 - side]] += chance * payoff
    # Later information sets come first: the gain of a sequence includes the best bids at the sets after it.
    best = max if side else min
    for before, after in reversed(other.sets.values()):
        gains[before] += best(gains[sequence] for sequence in after.values())
    gain = gains[BEFORE] / form.scale
    return BigRational(-gain if side else gain)


def exploitability(
    game: HiddenBids, row: Mapping[str, Any], column: Mapping[str, Any]
) -> BigRational:
    """Return how much the best replies to both strategies gain together: 0 at an equilibrium.

    OpenSpiel calls this number ``nash_conv``. Its ``point_difference`` counts half as many points.

    Args:
        game: the game.
        row: player one's strategy, {information set: {bid: probability}} with exact numbers.
        column: player two's strategy, {information set: {bid: probability}} with exact numbers.

    Returns:
        The sum of the gains of both best replies, in points or in wins less losses.

    Raises:
        ValueError: if `row` or `column` is no strategy of its player.
    """
    return -secured(game, row) - secured(game, column, 2)


@contextmanager
def _unheard() -> Iterator[None]:
    """Discard what a C library prints to stdout; HiGHS prints its version when first constructed."""
    flush = getattr(CDLL(None), "fflush", None) if sys.platform != "win32" else None
    sys.stdout.flush()
    stdout, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        if flush is not None:
            flush(None)
        os.dup2(stdout, 1)
        os.close(stdout)
        os.close(nowhere)


def _run(solver: "highspy.Highs") -> None:
    """Run HiGHS on a separate thread, so that the main thread can receive an interrupt and stop HiGHS.

    The thread is no daemon: Python would end a daemon inside C++, which aborts the process.
    """
    thread = Thread(target=solver.run)
    solver.HandleUserInterrupt = True
    thread.start()
    try:
        while thread.is_alive():
            thread.join(TICK)
    except BaseException:
        solver.cancelSolve()
        # The simplex method stops at its next step; the presolve ignores the request, so the wait is limited.
        thread.join(PATIENCE)
        raise


class _Programme:
    """Player one's linear programme (formulas in the docstring of this module).

    Its columns are x for each sequence of player one, then u for each information set of player two. Its rows
    are the equations of player one's plan, then one inequality for each sequence of player two.
    """

    def __init__(self, form: Form) -> None:
        one, two = form.sides
        self.count = one.sequences
        self.goal: list[int] = []  # the columns u_J whose sum is maximised
        self.equations: list[Line] = [{BEFORE: 1}]
        for before, after in one.sets.values():
            self.equations.append({before: -1} | dict.fromkeys(after.values(), 1))
        limits: list[Line] = [{} for _ in range(two.sequences)]
        for (s, t), payoff in form.payoffs.items():
            if payoff:
                limits[t][s] = -payoff
        for column, (before, after) in enumerate(two.sets.values(), start=self.count):
            if before == BEFORE:
                self.goal.append(column)
            else:
                limits[before][column] = -1
            for sequence in after.values():
                limits[sequence][column] = 1
        self.rows = [*self.equations, *limits[1:]]
        self.width = self.count + len(two.sets)

    def basis(self, tolerance: float) -> tuple[list[int], list[int]]:
        """Return the basic columns and the rows that hold with equality at the last basis of HiGHS."""
        import highspy

        with _unheard():
            solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("solver", "simplex")
        # With more threads HiGHS starts workers, and on Windows our thread may wait for their end forever.
        solver.setOptionValue("threads", 1)
        for name in ("primal", "dual"):
            solver.setOptionValue(f"{name}_feasibility_tolerance", tolerance)
        infinity, height = highspy.kHighsInf, len(self.rows)
        least = np.repeat([0.0, -infinity], [self.count, self.width - self.count])
        solver.addVars(self.width, least, np.full(self.width, infinity))
        solver.changeColsCost(len(self.goal), self.goal, np.ones(len(self.goal)))
        solver.changeObjectiveSense(highspy.ObjSense.kMaximize)
        upper = np.zeros(height)
        upper[0] = 1.0
        lower = np.where(np.arange(height) < len(self.equations), upper, -infinity)
        starts = np.cumsum([0, *map(len, self.rows[:-1])])
        indices, entries = np.array([entry for row in self.rows for entry in row.items()]).T
        solver.addRows(height, lower, upper, len(entries), starts, indices, entries)
        _run(solver)
        basis, basic = solver.getBasis(), highspy.HighsBasisStatus.kBasic
        columns = [k for k, status in enumerate(basis.col_status) if status == basic]
        return columns, [i for i, status in enumerate(basis.row_status) if status != basic]

    def plans(self, columns: list[int], rows: list[int], *, only_one: bool) -> list[list[fmpq]]:
        """Return the plans at a basis: player one's and player two's, or only player one's if `only_one`.

        Args:
            columns: the basic columns.
            rows: the rows that hold with equality.
            only_one: True to leave out player two's plan.
        """
        levels = solve_sparse({i: self.rows[i] for i in rows}, {0: fmpq(1)}, columns)
        plan = [levels.get(sequence, fmpq(0)) for sequence in range(self.count)]
        if only_one:
            return [plan]
        # Player two's plan solves the dual programme, whose matrix is the transpose.
        lines: dict[int, Line] = {k: {} for k in columns}
        for i in rows:
            for k, entry in self.rows[i].items():
                if k in lines:
                    lines[k][i] = entry
        levels = solve_sparse(lines, {k: fmpq(1) for k in self.goal}, rows)
        first = len(self.equations)
        reply = [fmpq(1), *(levels.get(i, fmpq(0)) for i in range(first, len(self.rows)))]
        return [plan, reply]


def solve_sparse(
    lines: Mapping[int, Line], right: Mapping[int, fmpq], columns: Sequence[int]
) -> dict[int, fmpq]:
    """Return the solution of a square system of sparse integer equations.

    Sympy's elimination works on sparse rows, which stay short for a sequence form.

    Args:
        lines: {name: row}, as many equations as unknowns. Entries outside `columns` are ignored.
        right: {name: right-hand side}; those that are missing are 0.
        columns: the columns of the unknowns.

    Returns:
        {column: value of its unknown}.

    Raises:
        ZeroDivisionError: if the matrix is singular.

    >>> levels = solve_sparse(
    ...     {7: {0: 2}, 8: {0: 1, 1: 1, 2: 1}, 9: {1: 3, 5: 1}}, {7: fmpq(1)}, [0, 1, 2]
    ... )
    >>> sorted(levels.items())
    [(0, 1/2), (1, 0), (2, -1/2)]
    """
    from sympy import QQ
    from sympy.polys.matrices import DomainMatrix

    index, size = {column: i for i, column in enumerate(columns)}, len(columns)
    rows = [
        {index[k]: QQ(x) for k, x in line.items() if k in index}
        | ({size: QQ(int(right[i].p), int(right[i].q))} if i in right else {})
        for i, line in lines.items()
    ]
    echelon, pivots = DomainMatrix(dict(enumerate(rows)), (len(rows), size + 1), QQ).rref()
    if pivots != tuple(range(size)):
        raise ZeroDivisionError("the matrix of a basis is singular")
    reduced = echelon.to_dod()
    levels = {column: reduced[i].get(size, 0) for column, i in index.items()}
    return {k: fmpq(int(x.numerator), int(x.denominator)) for k, x in levels.items()}
