"""Exact realization plans at an optimal basis of the linear program of a sequence form.

Words used here:

* An *information set* of a player is a set of states that the player cannot tell apart.
* A *sequence* of a player is an information set and a move there. A player who has not moved yet has the *empty
  sequence*.
* A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of its move
  and of the player's earlier moves.
* The *sequence form* of a game has both players' sequences, and player one's payoff for each pair of them.
* A *basis* of a linear program is a choice of as many of its variables and slacks as it has constraints. With all
  others set to 0, the constraints determine the variables of the basis, which are called *basic*.

The linear program is that of Koller, Megiddo & von Stengel (1996). Its variables are player one's realization plan x
and the values u of player two's information sets. Let `start` be the empty sequence, and A[s, t] player one's payoff
for the pair of the sequences s and t, which is 0 if the form has no such pair:

    maximise Σ u_J over the information sets J that `start` leads to + Σ_s A[s, start] x_s, subject to
    u_J − Σ u_K ≤ Σ_s A[s, t] x_s for each sequence t of player two at a set J, with the sets K that t leads to,
    Σ x_t = x_s for the sequences t at each information set of player one that s leads to, x_start = 1, x ≥ 0.

HiGHS, a library, solves the linear program in floats: by its interior point method for games of paths
(:mod:`~gops_exact.extensive.paths`), else by the simplex method. The equations of its last basis are then solved
exactly by iterative refinement with HiGHS's factorization of the basis (Wan 2006, *An algorithm to solve integer linear
systems exactly using numerical methods*; Gleixner, Steffy & Wolter 2016, *Iterative refinement for linear
programming*). Each step computes the residual exactly, solves the equations for it in floats, and adds the result to
the sum of all steps, rounded to a multiple of a power of two. These multiples become finer by up to `STEP_BITS` bits
from step to step. From time to time fractions with short denominators near the sum are tried; they are the solution if
they satisfy the equations exactly.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import CDLL
from math import floor, inf, lcm, log2
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from gops_exact.base import load
from gops_exact.base.progress import Progress, silent
from gops_exact.extensive.form import START, Floats, Form, Integers, Label
from gops_exact.numbers.exact import simplest

if TYPE_CHECKING:
    import highspy

Inverse = Callable[[Integers], Floats]
Plans = list[list[fmpq]]
"""Realization plans, each a list with an exact number for each sequence: player one's plan, then player two's. The
second plan is missing if the form is symmetric."""

TOLERANCES = (1e-7, 1e-9, 1e-10)
"""Feasibility tolerances of HiGHS, tried one after another until exact arithmetic proves the result."""

TICK, PATIENCE = 0.1, 0.5
"""Seconds between two checks for an interrupt in the main thread; greatest number of seconds to wait for HiGHS
to stop after an interrupt."""

STEP_BITS = 26
"""Greatest number of bits that a step of the iterative refinement adds to the solution of the equations. A step is
computed in floats of 53 bits. Only half of them are used, so that rounding errors of the step, scaled to integers, are
less than 1."""

FIRST_STEPS, MOST_STEPS = 8, 4096
"""Two lengths of the refined solution, in steps of `STEP_BITS` bits. At the first length the refinement tries for the
first time fractions near the solution. It tries again whenever the length has doubled, up to the second length."""

SPARE_BITS = 24
"""Number of last bits of the refined solution that may be wrong, because its residual is not yet 0. Fractions that
differ from the solution only in these bits are tried."""

LEAST_STEP_BITS = 4
"""Fewest bits that a step may add. With fewer, the refinement hardly converges and is given up."""

LARGEST_BITS = 61
"""Greatest length, in bits, of the integers in a step of the refinement, so that they do not overflow. If the matrix
has integers of 64 bits, the limit is for the entries of the scaled residual and of the product of the matrix and the
step; their differences then fit into 64 bits, too. If the matrix has Python ints, which cannot overflow, the limit is
only for the entries of the step, which is an array of 64-bit integers."""

FLOAT_BITS = 16
"""Greatest length, in bits, of the integer part of a payoff that HiGHS gets. HiGHS refuses numbers above 1e15, and its
tolerances suit small numbers, so longer payoffs are divided by a power of 2."""


class LinearProgram:
    """Player one's linear program, whose basic solutions are computed exactly.

    The columns are player one's realization plan, a variable for each sequence, then the values of player two's
    information sets, a variable for each set. The rows are the equations of player one's plan, then one inequality for
    each sequence of player two except the empty one. With the variables z and the matrix M of `entries`:

        maximise goal · z subject to M z = right in the first `equations` rows and M z ≤ right in the others,
        where z ≥ 0 in the first `count` columns; the other columns have no bounds.

    All numbers are stored as integers, of the dtype int64 or Python ints. HiGHS, the library that solves the linear
    program in floats, gets these numbers divided by `unit`, a power of two. The unit is 1 if the payoffs, which are
    already multiplied by :attr:`.Form.scale`, have at most `FLOAT_BITS` bits.

    Args:
        form: the sequence form.
        earlier: the solved linear program of a game that has only some of the moves of this game. HiGHS starts from the
            basis at which HiGHS ended there. None to start without a basis.
        progress: called as progress(done, total) while HiGHS works, counted in pivots. The total is an estimate, done +
            rows.
    """

    def __init__(
        self, form: Form, earlier: "LinearProgram | None" = None, *, progress: Progress = silent
    ) -> None:
        self.progress = progress
        self.sides = one, two = form.sides
        self.symmetric = form.symmetric
        count, equations = one.sequences, 1 + len(one.sets)
        kind, longest = form.payoffs.dtype, int(np.abs(form.payoffs).max(initial=0)).bit_length()
        unit = 1 << max(0, longest - FLOAT_BITS)
        goal: Integers = np.zeros(count + len(two.sets), kind)
        right: Integers = np.zeros(equations + two.sequences - 1, kind)
        right[0] = unit  # the first equation is x_start = 1
        # The entries 1 and −1 of the matrix, as (row, column, number). Those with payoffs are appended below.
        entries = [(0, START, 1)]
        for row, (before, after) in enumerate(one.sets.values(), start=1):
            entries += [(row, sequence, -1) for sequence in before]
            entries += [(row, sequence, 1) for sequence in after.values()]
        # Each sequence t of player two has an inequality, row first + t; only the empty sequence, 0, has none.
        first = equations - 1
        for column, (before, after) in enumerate(two.sets.values(), start=count):
            if before == (START,):
                goal[column] = unit
            else:
                entries += [(first + sequence, column, -1) for sequence in before]
            entries += [(first + sequence, column, 1) for sequence in after.values()]
        s, t = form.pairs.T
        at_start = t == START
        np.add.at(goal, s[at_start], form.payoffs[at_start])
        rows, columns, signs = np.array(entries, dtype=np.int64).T
        system = (
            np.concatenate([rows, (first + t)[~at_start]]),
            np.concatenate([columns, s[~at_start]]),
            np.concatenate([signs.astype(kind) * unit, -form.payoffs[~at_start]]),
        )
        order = np.argsort(system[0], kind="stable")
        self.rows, self.columns, self.entries = (part[order] for part in system)
        self.goal, self.right, self.unit = goal, right, unit
        self.width, self.height = len(goal), len(right)
        self.count, self.equations = count, equations
        #: masks, shape (columns + rows,), of the variables, which are the columns, then the slacks of the rows: those
        #: without bounds, and the slacks of equations
        variables = np.arange(self.width + self.height)
        self.unbounded = (variables >= count) & (variables < self.width)
        self.equal = (variables >= self.width) & (variables < self.width + equations)
        self.solver = self._solver()
        if earlier is not None:
            self._begin_with(earlier)

    def _solver(self) -> "highspy.Highs":
        load("highspy")
        import highspy

        with unheard():
            solver = highspy.Highs()
        # With more than one thread HiGHS starts worker threads. On Windows the calling thread may then wait forever
        # for them to end.
        options = {"output_flag": False, "threads": 1, "solver": "simplex"}
        for name, option in options.items():
            solver.setOptionValue(name, option)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = self.width, self.height
        program.sense_ = highspy.ObjSense.kMaximize
        program.col_cost_ = self.goal / self.unit
        program.col_lower_ = np.where(self.unbounded[: self.width], -inf, 0.0)
        program.col_upper_ = np.full(self.width, inf)
        program.row_upper_ = (self.right / self.unit).astype(float)
        program.row_lower_ = np.where(self.equal[self.width :], program.row_upper_, -inf)
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_ = np.searchsorted(self.rows, np.arange(self.height + 1))
        program.a_matrix_.index_ = self.columns
        program.a_matrix_.value_ = self.entries / self.unit
        solver.passModel(program)
        return solver

    def solve(self, tolerance: float) -> None:
        """Solve the linear program in floats with HiGHS, starting from HiGHS's current basis if there is one.

        Args:
            tolerance: the distance by which a constraint, of this linear program or of its dual, may be violated.
        """
        for name in ("primal", "dual"):
            self.solver.setOptionValue(f"{name}_feasibility_tolerance", tolerance)
        self.run()

    def run(self) -> None:
        """Solve the linear program in floats with HiGHS, with the tolerance of the last call of :meth:`solve`."""
        # HiGHS runs on a separate thread, so that the main thread can receive an interrupt and stop HiGHS. The thread
        # is no daemon thread: at exit Python would end a daemon thread inside C++ code, which aborts the process.
        ended, pivots = Event(), 0

        def count(event: Any) -> None:  # noqa: ANN401  # of HiGHS
            nonlocal pivots
            pivots = event.data_out.simplex_iteration_count

        def run() -> None:
            try:
                self.solver.run()
            finally:
                ended.set()

        self.solver.HandleUserInterrupt = True
        self.solver.cbSimplexInterrupt += count
        try:
            Thread(target=run).start()
            # An event instead of Thread.join: in Python 3.11 an interrupted join marks the thread as ended while it
            # still runs.
            while not ended.wait(TICK):
                self.progress(pivots, pivots + self.height)
        except BaseException:
            self.solver.cancelSolve()
            # HiGHS stops at its next simplex step, but its presolve ignores the request, so the wait has a limit.
            ended.wait(PATIENCE)
            raise
        finally:
            self.solver.cbSimplexInterrupt -= count

    def restrict(
        self, right: Integers, goal: Integers, free: NDArray[np.bool_], fixed: NDArray[np.bool_]
    ) -> None:
        """Give HiGHS another linear program with the same matrix; it will start from the last basis.

        Args:
            right: the right-hand sides as integers, which HiGHS gets divided by `unit`; shape (rows,).
            goal: the coefficients of the goal as integers, which HiGHS gets divided by `unit`; shape (columns,).
            free: mask of the variables whose bounds are removed, shape (columns + rows,): the columns, then the slacks
                of the rows. Slacks of equations stay 0.
            fixed: mask of the variables that must be 0, shape (columns + rows,). A column must not be in both masks.
        """
        solver, columns, rows = self.solver, np.arange(self.width), np.arange(self.height)
        columns, rows = columns.astype(np.int32), rows.astype(np.int32)
        above = (right / self.unit).astype(np.float64)
        equal, free = self.equal | fixed, self.unbounded | free
        least = np.where(free[: self.width], -inf, 0.0)
        most = np.where(fixed[: self.width], 0.0, inf)
        below = np.where(equal[self.width :], above, -inf)
        above = np.where((free & ~equal)[self.width :], inf, above)
        solver.changeColsCost(self.width, columns, (goal / self.unit).astype(np.float64))
        solver.changeColsBounds(self.width, columns, least, most)
        solver.changeRowsBounds(self.height, rows, below, above)

    def primal(self, right: Integers) -> NDArray[Any] | None:
        """Return the variables in the basic solution at the last basis of HiGHS, as exact fractions, shape (columns,).

        The result is None if HiGHS has failed and has no basis, or if the iterative refinement ends without a solution.

        Args:
            right: the right-hand sides, shape (rows,), with the dtype of `self.entries`.
        """
        return self._basic_solution(right, is_dual=False)

    def dual(self, goal: Integers) -> NDArray[Any] | None:
        """Return the dual variables at the last basis of HiGHS, as exact fractions, shape (rows,).

        The result is None if HiGHS has failed and has no basis, or if the iterative refinement ends without a solution.

        Args:
            goal: the coefficients of the goal, shape (columns,), with the dtype of `self.entries`.
        """
        return self._basic_solution(goal, is_dual=True)

    def _basic_solution(self, right: Integers, *, is_dual: bool) -> NDArray[Any] | None:
        # `variables` has the basic variables: the index of a column, or −1 − row for the slack of a row.
        _, variables = self.solver.getBasicVariables()
        positions = np.flatnonzero(variables >= 0)
        columns = variables[positions]
        tight = np.setdiff1d(np.arange(self.height), -1 - variables)
        if len(tight) != len(columns):  # HiGHS has failed and has no basis
            return None
        # The system to solve: its equations are the rows `tight`, its unknowns are the columns `columns`. Slacks are
        # left out. The dual has the transposed system.
        equation, unknown = np.full(self.height, -1), np.full(self.width, -1)
        equation[tight], unknown[columns] = np.arange(len(tight)), np.arange(len(columns))
        inside = (equation[self.rows] >= 0) & (unknown[self.columns] >= 0)
        i, k, a = equation[self.rows[inside]], unknown[self.columns[inside]], self.entries[inside]
        # HiGHS solves a system in which the slacks are unknowns, too. Its right-hand sides have the equations at the
        # indices `into`, and its solution has the unknowns at the indices `out`.
        if is_dual:
            system, right, solve = (k, i, a), right[columns], self.solver.getBasisTransposeSolve
            into, out, solution, unknowns = positions, tight, np.full(self.height, fmpq(0)), tight
        else:
            system, right, solve = (i, k, a), right[tight], self.solver.getBasisSolve
            into, out, solution, unknowns = tight, positions, np.full(self.width, fmpq(0)), columns

        def in_floats(residual: Integers) -> Floats:
            whole = np.zeros(self.height)
            whole[into] = residual / self.unit
            levels: Floats = np.asarray(solve(whole)[1])[out]
            return levels

        numbers = refine(system, right, in_floats)
        if numbers is None:
            return None
        solution[unknowns] = numbers
        return solution

    def levels(self) -> tuple[Floats, Floats]:
        """Return the realization plans that HiGHS found, player one's and player two's, in floats.

        Each has the shape (sequences + 1,): a number for each sequence, and then 0. So the index −1, which
        :func:`.double_oracle.restricted` uses for a sequence that its restricted game lacks, is that of a 0.
        """
        solution = self.solver.getSolution()
        reply = np.array(solution.row_dual)[self.equations :]
        plan = np.array(solution.col_value)[: self.count]
        return np.append(plan, 0.0), np.concatenate([[1.0], reply, [0.0]])

    def names(self) -> list[Label]:
        """Return names of the columns, then of the rows, by which linear programs of different games are matched.

        A column is named after a sequence of player one or an information set of player two. A row is named after an
        information set of player one or a sequence of player two. A sequence has the name (player, information set,
        move), a set the name (player, information set), and the empty sequence the name (player,), where the player is
        0 or 1. The first row, x_start = 1, is named after player two's empty sequence.
        """
        both = [side.sets.items() for side in self.sides]
        sets = [[(k, name) for name, _ in side] for k, side in enumerate(both)]
        moves = [
            [(k, name, move) for name, (_, after) in side for move in after]
            for k, side in enumerate(both)
        ]
        return [(0,), *moves[0], *sets[1], (1,), *sets[0], *moves[1]]

    def _begin_with(self, earlier: "LinearProgram") -> None:
        """Let HiGHS start from the last basis of `earlier`.

        HiGHS has a *status* for each column and row: basic, or set to its lower or upper bound. Columns and rows that
        `earlier` has, too, get the status that they have in its last basis. The statuses of all other columns and rows
        are chosen so that HiGHS starts with the last solution of `earlier`.
        """
        import highspy

        statuses, last = highspy.HighsBasisStatus, earlier.solver.getBasis()
        known = dict(zip(earlier.names(), [*last.col_status, *last.row_status], strict=True))
        names = self.names()
        for name in names:
            if name in known:
                continue
            player, label, *move = name
            # The name belongs to a new column or row. If it is player two's, it is the value u of an information set
            # or the slack of a move, and is basic. If it is player one's, it is the equation of a set or the column of
            # a move, and is not basic. A set with a single move in the earlier game, or not in it at all, has no
            # columns and rows in `earlier`. At such a set the single move, or else the first move, gets all
            # probability. For this move it is the other way round: player one's column is basic, player two's slack is
            # not.
            is_basic = player == 1
            if move:
                before, after = earlier.sides[player], self.sides[player].sets[label][1]
                played = before.forced.get(label, next(iter(after)))
                is_basic ^= label not in before.sets and move == [played]
            at_bound = statuses.kUpper if player == 1 else statuses.kLower
            known[name] = statuses.kBasic if is_basic else at_bound
        levels = [known[name] for name in names]
        basis = highspy.HighsBasis()
        basis.col_status, basis.row_status = levels[: self.width], levels[self.width :]
        basis.valid = basis.alien = True  # `alien` makes HiGHS repair the basis if it is singular
        self.solver.setBasis(basis)

    def plans(self) -> Plans | None:
        """Return the exact realization plans at the last basis of HiGHS; None if they cannot be computed.

        If the form is symmetric, the list has only player one's plan.
        """
        plan = self.primal(self.right)
        if plan is None:
            return None
        plans = [plan[: self.count].tolist()]
        if not self.symmetric:
            reply = self.dual(self.goal)
            if reply is None:
                return None
            plans.append([fmpq(1), *reply[self.equations :]])
        return plans


def plans_at_bases(form: Form, progress: Progress = silent) -> Iterator[Plans | None]:
    """Yield the exact realization plans at the basis where HiGHS ends, once for each tolerance in `TOLERANCES`.

    None is yielded if the plans cannot be computed. Nothing proves that they are optimal. If the form is symmetric,
    player two's plan is missing.

    Args:
        form: the sequence form. For the form of a game of paths, HiGHS uses its interior point method.
        progress: called as progress(done, total) while HiGHS works, see :class:`LinearProgram`.
    """
    program = LinearProgram(form, progress=progress)
    if not form.recall:
        program.solver.setOptionValue("solver", "ipm")
    for tolerance in TOLERANCES:
        program.solve(tolerance)
        yield program.plans()


def refine(
    system: tuple[Integers, Integers, Integers], right: Integers, solve: Inverse
) -> list[fmpq] | None:
    """Solve a square system of integer equations exactly, by the iterative refinement that this module describes.

    Args:
        system: the entries of the matrix as (rows, columns, numbers), each of shape (entries,). The numbers have the
            dtype int64, or object with Python ints.
        right: the right-hand sides, shape (equations,), with the dtype of the numbers.
        solve: function that solves the system in floats for right-hand sides of shape (equations,).

    Returns:
        The solution; None if the steps do not converge, or if its fractions are too long to be found in `MOST_STEPS`.

    >>> matrix = np.array([[3, 1], [1, 2]])
    >>> system = *np.indices((2, 2)).reshape(2, 4), matrix.ravel()
    >>> refine(system, np.array([1, 0]), lambda right: np.linalg.solve(matrix, right))
    [2/5, -1/5]
    """
    rows, columns, entries = system
    size = len(right)
    # In the product of the matrix and a step, no number exceeds `weight` times the greatest entry of the step: `weight`
    # is the greatest sum of absolute values in a row of the matrix. The bound keeps 64-bit integers from overflowing;
    # Python ints cannot overflow, so for them `weight` stays 1.
    wide, weight = entries.dtype.hasobject, 1.0
    if not wide:
        weight = np.bincount(rows, np.abs(entries).astype(float), size).max(initial=1.0)
    residual, total = right, np.zeros(size, dtype=object)
    bits, tried = 0, STEP_BITS * FIRST_STEPS
    while tried <= STEP_BITS * MOST_STEPS:
        while bits < tried:
            try:
                step = solve(residual)
            except OverflowError:  # the residual has grown beyond the range of floats
                return None
            most = max(np.abs(step).max(initial=0.0) * weight, 1.0)
            if not wide:
                most = max(most, np.abs(residual).max(initial=1))
            more = min(STEP_BITS, floor(LARGEST_BITS - log2(most))) if most < inf else 0
            if more < LEAST_STEP_BITS:
                # 64-bit integers would overflow, Python ints cannot.
                ints = rows, columns, entries.astype(object)
                return None if wide else refine(ints, right.astype(object), solve)
            whole = np.rint(step * 2.0**more).astype(np.int64)
            products = np.zeros_like(residual)
            np.add.at(products, rows, entries * whole[columns])
            residual = (residual << more) - products
            total, bits = (total << more) + whole, bits + more
        solution = _fractions(total.tolist(), bits)
        if solution is not None:
            sums = np.zeros(size, dtype=object)
            np.add.at(sums, rows, entries * np.array(solution)[columns])
            if sums.tolist() == right.tolist():
                return solution
        tried = 2 * bits
    return None


def _fractions(numerators: list[int], bits: int) -> list[fmpq] | None:
    """Return fractions with small denominators near the numbers numerator / 2^bits.

    Each fraction differs from its number by at most 2^(SPARE_BITS − bits). The result is None if a denominator is so
    long that several fractions with denominators of this length are within the distance.
    """
    unit, spare = 1 << bits, 1 << SPARE_BITS
    solution, common = [], 1
    for numerator in numerators:
        # By Cramer's rule all entries of a solution are quotients with the same determinant as denominator, so their
        # reduced denominators seldom differ. The common denominator of earlier entries is therefore tried first.
        whole = (numerator * common + unit // 2) >> bits
        if abs(numerator * common - (whole << bits)) > common * spare:
            fraction = simplest(fmpq(numerator, unit), fmpq(spare, unit))
            whole, denominator = int(fraction.p), int(fraction.q)
            if 2 * denominator.bit_length() > bits - SPARE_BITS:
                return None
            joint = lcm(common, denominator)
            common = joint if 2 * joint.bit_length() <= bits - SPARE_BITS else denominator
            whole *= common // denominator
        solution.append(fmpq(whole, common))
    return solution


@contextmanager
def unheard(stream: int = 1) -> Iterator[None]:
    """Discard what C libraries print to stdout (`stream` 1) or stderr (2) in the body of a with statement.

    HiGHS prints its version to stdout when first constructed, and OpenSpiel prints its errors to stderr.
    """
    flush = getattr(CDLL(None), "fflush", None) if sys.platform != "win32" else None
    sys.stdout.flush()
    before, nowhere = os.dup(stream), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream)
    try:
        yield
    finally:
        if flush is not None:
            flush(None)
        os.dup2(before, stream)
        os.close(before)
        os.close(nowhere)
