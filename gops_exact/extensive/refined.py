"""Quasi-perfect equilibria: their strategies are best replies even at information sets reached only by mistake.

In a quasi-perfect equilibrium (van Damme 1984, *A relation between perfect equilibria in extensive form games and
proper equilibria in normal form games*) each strategy is a best reply, at each information set, to an opponent
who may make small mistakes, while the player makes none from there on. Such strategies are not weakly dominated.

Words used here:

* An *information set* of a player is a set of states that the player cannot tell apart.
* A *sequence* of a player is an information set and a move there. A player who has not moved yet has the *empty
  sequence*.
* A *realization plan*, or plan for short, has a number for every sequence: the product of the probabilities of its move
  and of the player's earlier moves.
* The *sequence form* of a game has both players' sequences, and player one's payoff for each pair of them.
* The *weight* x_s of a sequence s is its number in a realization plan.
* The *depth* d(s) of a sequence s is the number of moves in it: its own move and the player's earlier moves, without
  those that have no alternative.
* A *basis* of a linear program is a choice of as many of its variables and slacks as it has constraints. With all
  others set to 0, the constraints determine the variables of the basis, which are called *basic*.
* In a *game of paths* each player chooses a path through a graph, without seeing the other player's path.
* The *reduced cost* of a variable is the amount by which the goal falls if this variable, which is 0, rises by 1.

Miltersen & Sørensen 2010 (*Computing a quasi-perfect equilibrium of a two-player game*) find a
quasi-perfect equilibrium as the limit, as ε goes to 0, of equilibria of a game in which each sequence s has at least
the weight ε^d(s). The linear program of this game, with the variables x'_s = x_s − ε^d(s) ≥ 0, has the same matrix as
that of :mod:`~gops_exact.extensive.linear_program`. Its right-hand sides and its goal are polynomials in ε.

A basis is optimal for all small ε > 0 if no reduced cost is negative, and no variable with a bound is negative. These
numbers are polynomials in ε. The sign of a polynomial for small ε is that of its first coefficient that is not 0.

:class:`PerturbedProgram` finds such a basis one power of ε after another. Suppose that a basis is optimal if only the
powers below ε^k count. Then the coefficients of ε^k are optimised, but only among the solutions that are optimal in the
lower powers. A variable that is positive in the lower powers remains positive whatever its coefficient of ε^k is, so
this coefficient has no bound. A variable whose reduced cost is positive in the lower powers must stay 0. HiGHS solves
these linear programs, whose coefficients are of ordinary size. In a linear program with a small number for ε, the power
ε^k would be lost in rounding errors. At the end :func:`is_quasi_perfect` proves the strategies in exact polynomials,
without a linear program.
"""

from collections.abc import Callable, Iterator
from functools import cmp_to_key
from itertools import repeat
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly
from numpy.typing import NDArray

from gops_exact.base.progress import Progress, silent
from gops_exact.extensive.form import START, Floats, Form, Label, Side, Strategy
from gops_exact.extensive.linear_program import TOLERANCES, LinearProgram, Plans
from gops_exact.numbers.exact import BigRational, PrecisionError

Polynomials = list[fmpq_poly]
"""A realization plan with a polynomial in ε for each sequence of the player."""

PlanPolynomials = dict[Label, dict[Label, list[BigRational]]]
"""A realization plan, {information set: {move: coefficients of the polynomial, from the power 0 on}}."""

ROUNDING = 1e-9
"""Greatest rounding error of a coefficient, as a fraction of the greatest coefficient of the same power of ε. Smaller
coefficients are taken for 0 until the exact proof."""

MOST_ROWS, MOST_PIVOTS = 2000, 20_000
"""Greatest number of rows of a linear program that is solved in fractions, and of its pivots. With 256 rows they take
1 s, with some thousand many minutes."""


class PerturbedProgram(LinearProgram):
    """Player one's linear program in a perturbed game: each sequence of depth d has at least the weight ε^d.

    The weight of a sequence is its number in a realization plan. The depth of a sequence is defined by
    :meth:`.Side.depths`.

    Args:
        form: the sequence form of the game.
        progress: called as progress(done, total) while HiGHS solves the program (see :class:`.LinearProgram`) or
            :meth:`by_fractions` solves it.
    """

    def __init__(self, form: Form, progress: Progress = silent) -> None:
        super().__init__(form, progress=progress)
        self.form = form
        self.depths = [side.depths() for side in form.sides]
        self.powers = 1 + max(int(depths.max()) for depths in self.depths)
        #: coefficients of the right-hand sides, shape (powers, rows), and of the goal, shape (powers, columns)
        self.rights = np.zeros((self.powers, self.height), self.goal.dtype)
        self.goals = np.zeros((self.powers, self.width), self.goal.dtype)
        self.rights[0], self.goals[0] = self.right, self.goal
        for power in range(1, self.powers):
            # 1 for each sequence of this depth: of player one, a column; of player two, an inequality
            least, weight = np.zeros(self.width, np.int64), np.zeros(self.height, np.int64)
            least[: self.count] = self.depths[0] == power
            weight[self.equations :] = self.depths[1][1:] == power
            np.add.at(self.rights[power], self.rows, -self.entries * least[self.columns])
            np.add.at(self.goals[power], self.columns, -self.entries * weight[self.rows])

    def optimise(self, tolerance: float) -> None:
        """Let HiGHS move to a basis that is optimal for all small ε > 0, as far as floats can tell.

        Args:
            tolerance: the distance by which a constraint, of this linear program or of its dual, may be violated.
        """
        self.solve(tolerance)
        self._read_basis()
        for power in range(1, self.powers):
            # First the right-hand sides get the next power, and the goal's powers are optimised one after another. Then
            # the goal gets it, and the powers of the right-hand sides follow one after another.
            faces = [(power, k) for k in range(power)] + [(k, power) for k in range(power + 1)]
            for right, goal in faces:
                if self._is_optimal(power + 1, max(power, goal + 1)):
                    continue
                free = _leading(self.amounts[:right]) != 0
                fixed = (_leading(self.costs[:goal]) > 0) & ~self.basic
                self.restrict(self.rights[right], self.goals[goal], free, fixed)
                self.run()
                self._read_basis()

    def at_basis(self) -> list[Polynomials] | None:
        """Return both players' exact realization plans at the last basis of HiGHS; None if they cannot be computed."""
        primal, dual = [*map(self.primal, self.rights)], list[NDArray[Any] | None]()
        if not self.symmetric:
            dual = [*map(self.dual, self.goals)]
        if any(solution is None for solution in primal + dual):
            return None
        return self._polynomials(np.array(primal), np.array(dual))

    def by_fractions(self) -> list[Polynomials]:
        """Return both players' realization plans at a basis that is optimal for all small ε > 0.

        The simplex method in fractions finds the basis. Progress is reported in pivots; the total is an estimate, the
        number of rows.

        Raises:
            PrecisionError: if `MOST_PIVOTS` pivots lead to no optimal basis, or the linear program has more than
                `MOST_ROWS` rows.
        """
        if self.height > MOST_ROWS:
            raise PrecisionError(
                "floats find no optimal basis of this game, which is too large for fractions: it has "
                f"{self.height} sequences and information sets, more than {MOST_ROWS}"
            )
        height, slacks = self.height, self.width + self.height
        # The dense tableau has a row for each row of the linear program, then one for each power of ε in the goal; a
        # column for each variable, then one for each power in the right-hand sides. Polynomials in ε are compared by
        # their coefficients, lowest power first.
        program = np.zeros((height + self.powers, slacks + self.powers), object)
        program[self.rows, self.columns] = self.entries
        program[:height, self.width : slacks] = np.eye(height, dtype=object)
        program[:height, slacks:] = self.rights.T
        program[height:, : self.width] = self.goals
        basis = self._first_basis()
        # The columns of the basis become those of the unit matrix. Then the last rows have the reduced costs.
        unit = np.eye(len(program), dtype=object)
        square = fmpq_mat(np.hstack([program[:, basis], unit[:, height:]]).tolist())
        tableau = square.solve(fmpq_mat(program.tolist()))
        variables, powers = np.flatnonzero(~self.equal).tolist(), range(self.powers)
        for done in range(MOST_PIVOTS):
            self.progress(min(done, height - 1), height)
            costs = {k: [tableau[height + power, k] for power in powers] for k in variables}
            enter = max(costs, key=costs.__getitem__)
            if costs[enter] <= [fmpq(0)] * self.powers:
                break
            column = [tableau[i, enter] for i in range(len(program))]
            leave = min(
                (i for i, k in enumerate(basis) if not self.unbounded[k] and column[i] > 0),
                key=lambda i: [tableau[i, slacks + k] / column[i] for k in powers],
            )
            row = [tableau[leave, k] / column[leave] for k in range(program.shape[1])]
            column[leave] -= 1  # the row that leaves is only divided by the pivot
            tableau -= fmpq_mat(len(column), 1, column) * fmpq_mat(1, len(row), row)
            basis[leave] = enter
        else:
            raise PrecisionError(f"no optimal basis of this game is found in {MOST_PIVOTS} steps")
        numbers, primal = np.array(tableau.tolist()), np.full((self.powers, slacks), fmpq(0))
        primal[:, basis] = numbers[:height, slacks:].T
        return self._polynomials(primal, -numbers[height:, self.width : slacks])

    def _first_basis(self) -> list[int]:
        """Return the indices of the variables of a basis at which no variable with a bound is negative for small ε > 0.

        At this basis, player one's plan puts as much weight as possible on the first move of each information set.
        Player two's slacks are basic, except those of the moves of a best reply to this plan.
        """
        one, two = self.sides
        plan = [fmpq_poly([0] * d + [1]) for d in self.depths[0].tolist()]
        moves = list[int]()
        for before, after in one.sets.values():
            first, *others = after.values()
            plan[first] = sum((plan[s] for s in before), fmpq_poly())
            plan[first] -= sum((plan[s] for s in others), fmpq_poly())
            moves.append(first)
        best, _ = self.form.best_moves(plan, 1, for_small)
        slacks = (self.width + self.equations - 1 + t for t in range(1, two.sequences))
        return [
            START,
            *moves,
            *range(self.count, self.width),
            *(k for k in slacks if k - self.width - self.equations + 1 not in best),
        ]

    def _polynomials(self, primal: NDArray[Any], dual: NDArray[Any]) -> list[Polynomials]:
        """Return both players' realization plans in a solution of the linear program.

        In this linear program, the variable of a sequence is its number in the plan minus ε^d, its least weight, where
        d is the depth of the sequence. So the function adds ε^d to each variable, and writes the sums to the arguments.

        Args:
            primal: the variables of the linear program, which are polynomials in ε. The entry in row k is the
                coefficient of ε^k; shape (powers, columns or more), changed in place. Columns beyond those of the
                linear program are ignored.
            dual: the dual variables of its rows, in the same form; shape (powers, rows), changed in place. They are not
                used in a symmetric game.
        """
        one, two = self.sides
        plans = list[Polynomials]()
        # The coefficients of all sequences but the empty one, shape (powers, sequences − 1)
        tables = [primal[:, 1 : self.count]] + (
            [] if self.symmetric else [dual[:, self.equations :]]
        )
        for table, deep in zip(tables, self.depths, strict=False):
            table[deep[1:], np.arange(len(deep) - 1)] += 1
            plans.append([fmpq_poly([1]), *map(fmpq_poly, table.T.tolist())])
        if self.symmetric:  # both players have the same sets and moves, but number them differently
            plans.append([plans[0][START]] * two.sequences)
            for name, (_, after) in two.sets.items():
                for move, s in after.items():
                    plans[1][s] = plans[0][one.sets[name][1][move]]
        return plans

    def _read_basis(self) -> None:
        """Read the last basis of HiGHS, and set the attributes `basic`, `amounts` and `costs`.

        They are the mask of the basic variables, and the coefficients, in floats, of the values and of the reduced
        costs of all variables, which are polynomials in ε. Coefficients that may be rounding errors are set to 0.
        """
        _, variables = self.solver.getBasicVariables()
        variables = np.where(variables >= 0, variables, self.width - 1 - variables)
        #: mask of the basic variables: of the columns, then of the slacks of the rows
        self.basic = np.zeros(self.width + self.height, np.bool_)
        self.basic[variables] = True
        #: coefficients of the variables, and of the reduced costs, shape (powers of ε, variables)
        self.amounts = np.zeros((self.powers, len(self.basic)))
        self.costs = np.zeros_like(self.amounts)
        entries = (self.entries / self.unit).astype(np.float64)
        for k, (right, goal) in enumerate(zip(self.rights, self.goals, strict=True)):
            self.amounts[k, variables] = self.solver.getBasisSolve(right / self.unit)[1]
            gains = np.append(goal / self.unit, np.zeros(self.height)).astype(np.float64)
            prices = np.asarray(self.solver.getBasisTransposeSolve(gains[variables])[1])
            sums = np.bincount(self.columns, entries * prices[self.rows], self.width)
            self.costs[k] = np.append(sums, prices) - gains
        self.costs[:, self.basic] = 0
        for coefficients in (self.amounts, self.costs):
            greatest = np.abs(coefficients).max(axis=1, keepdims=True, initial=1.0)
            coefficients[np.abs(coefficients) < ROUNDING * greatest] = 0

    def _is_optimal(self, rights: int, goals: int) -> bool:
        """Return True if the last basis is optimal for all small ε > 0 if only the lowest powers of ε count.

        Args:
            rights: the number of powers of the right-hand sides that count.
            goals: the number of powers of the goal that count.
        """
        levels, costs = _leading(self.amounts[:rights]), _leading(self.costs[:goals])
        # The slack of an equation must be 0, and so must the reduced cost of a column without bounds.
        infeasible = np.where(self.equal, levels != 0, (levels < 0) & ~self.unbounded)
        improvable = np.where(self.unbounded, costs != 0, (costs < 0) & ~self.equal)
        return not (infeasible | improvable).any()


def _leading(coefficients: Floats) -> Floats:
    """Return each polynomial's first coefficient that is not 0, or 0 for the polynomial 0.

    The argument has the coefficients of all polynomials, shape (powers, polynomials), from the power 0 on.
    """
    leading = np.zeros(coefficients.shape[1])
    for numbers in coefficients[::-1]:
        leading = np.where(numbers, numbers, leading)
    return leading


def _sign(polynomial: fmpq_poly) -> int:
    """Return the sign of a polynomial, −1, 0 or 1, for all small positive arguments."""
    first = next(filter(None, polynomial.coeffs()), 0)
    return (first > 0) - (first < 0)


for_small: Callable[[fmpq_poly], Any] = cmp_to_key(lambda one, other: _sign(one - other))
"""Function that returns the key of a polynomial. Keys are ordered as the values of the polynomials for all small
positive arguments."""


def refined_plans(form: Form, progress: Progress = silent) -> list[Polynomials]:
    """Return proved realization plans of a quasi-perfect equilibrium: player one's, then player two's.

    Args:
        form: the sequence form of a game with perfect recall.
        progress: called as progress(done, total), see :class:`PerturbedProgram`.

    Raises:
        ValueError: if the form is that of a game of paths.
        PrecisionError: if floats find no basis that proves an equilibrium, and the simplex method in fractions fails,
            see :meth:`PerturbedProgram.by_fractions`.
    """
    if not form.recall:
        raise ValueError("expected a game with perfect recall, got a game of paths")
    program = PerturbedProgram(form, progress)
    for tolerance in reversed(TOLERANCES):
        program.optimise(tolerance)
        plans = program.at_basis()
        if plans is not None and is_quasi_perfect(form, plans):
            return plans
    plans = program.by_fractions()
    if not is_quasi_perfect(form, plans):
        raise PrecisionError("no equilibrium of this game is found")
    return plans


def plans_of_paths(form: Form, progress: Progress = silent) -> Iterator[Plans]:
    """Yield realization plans of an equilibrium of a game of paths, computed in fractions.

    For a game of any other kind, nothing is yielded.

    Args:
        form: the sequence form.
        progress: called as progress(done, total), in pivots.

    Raises:
        PrecisionError: if the simplex method in fractions fails, see :meth:`PerturbedProgram.by_fractions`.
    """
    if not form.recall:
        plans = PerturbedProgram(form, progress).by_fractions()
        yield [[weight[0] for weight in plan] for plan in plans]


def is_quasi_perfect(form: Form, plans: list[Polynomials]) -> bool:
    """Return True if two realization plans are best replies to each other for all small ε > 0.

    Plans and replies must give each sequence of depth d (see :meth:`.Side.depths`) at least the number ε^d. Then a plan
    is a best reply if it gives more than this only to sequences whose move is best at its information set.

    Args:
        form: the sequence form of a game with perfect recall.
        plans: for each player, a polynomial for each sequence.
    """
    for player, (side, plan) in enumerate(zip(form.sides, plans, strict=True)):
        best, gains = form.best_moves(plans[1 - player], player, for_small)
        depths = side.depths().tolist()
        for (before,), after in side.sets.values():
            (move,) = best.keys() & after.values()
            for s in after.values():
                spare = plan[s] - fmpq_poly([*repeat(0, depths[s]), 1])
                if _sign(spare) < 0 or (spare and gains[s] != gains[move]):
                    return False
            if sum((plan[s] for s in after.values()), fmpq_poly()) != plan[before]:
                return False
        if plan[START] != fmpq_poly([1]):
            return False
    return True


def limit_of(side: Side, plan: Polynomials) -> Strategy:
    """Return the limit, as ε goes to 0, of the strategy that has the realization plan `plan`.

    The strategy has every information set of the player; moves of probability 0 are left out.

    Args:
        side: the player's information sets, in a game with perfect recall.
        plan: the plan; each polynomial is positive for small ε > 0.
    """
    strategy = {}
    for name, ((before,), after) in side.sets.items():
        chances = {move: limit(plan[s], plan[before]) for move, s in after.items()}
        strategy[name] = {move: chance for move, chance in chances.items() if chance}
    return strategy | {name: {move: BigRational(1)} for name, move in side.forced.items()}


def limit(number: fmpq_poly, weight: fmpq_poly) -> BigRational:
    """Return the limit of `number` / `weight`, two polynomials in ε, as ε goes to 0; the limit must be finite."""
    power = next(power for power, coefficient in enumerate(weight.coeffs()) if coefficient)
    return BigRational(number[power] / weight[power])
