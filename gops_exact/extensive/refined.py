"""Quasi-perfect equilibria: strategies that are right at every information set, also after a mistake of either player.

A quasi-perfect equilibrium (van Damme 1984, *A relation between perfect equilibria in extensive form games and proper
equilibria in normal form games*) is the limit of equilibria of games in which every move is played with a least
probability that goes to 0. At each information set it is a best reply to an opponent who may make small mistakes, if
the player expects to make none; it is not weakly dominated. Miltersen & Sørensen 2010 (*Computing a quasi-perfect
equilibrium of a two-player game*) give each sequence of depth d, which has d moves, the least weight ε^d. Forced moves,
which have no alternative, do not count. With x_s = x'_s + ε^d(s) the linear program of
:mod:`~gops_exact.extensive.linear_program` keeps its matrix; its right-hand sides and its goal become polynomials in ε.

A basis is optimal for all small ε > 0 if no basic variable and no reduced cost is negative. These are polynomials in ε.
The sign of a polynomial for small ε is that of its first coefficient that is not 0. :class:`PerturbedProgram` finds such
a basis one power of ε after another. If a basis is optimal as far as the powers below ε^k go, then the coefficients of
ε^k are optimised on the optimal face. A variable that is positive by its lower powers cannot become negative by
higher powers, so it has no bound there. One whose reduced cost is positive by lower powers stays 0. HiGHS solves
these linear programs; their coefficients are of ordinary size, while ε^k itself would be lost in the rounding errors.
:func:`is_quasi_perfect` then proves the result in exact polynomials, without the linear program.
"""

from itertools import repeat
from math import inf

import numpy as np
from flint import fmpq_poly
from numpy.typing import NDArray

from gops_exact.extensive.form import START, Floats, Form, Integers, Label, Side, Strategy
from gops_exact.extensive.linear_program import LinearProgram
from gops_exact.numbers.exact import BigRational, PrecisionError

Polynomials = list[fmpq_poly]
"""A realization plan with a polynomial in ε for each sequence of the player."""

PlanPolynomials = dict[Label, dict[Label, list[BigRational]]]
"""A realization plan, {information set: {move: coefficients of the polynomial, from the power 0 on}}."""

TOLERANCES = (1e-10, 1e-9, 1e-7)
"""Feasibility tolerances of HiGHS, tried in this order until the plans are proved."""

ROUNDING = 1e-9
"""Greatest rounding error of a coefficient, as a fraction of the greatest coefficient of the same power of ε. Smaller
coefficients are taken for 0 until the exact proof."""


def depths(side: Side) -> Integers:
    """Return the number of moves in each sequence of a player, shape (sequences,)."""
    numbers = np.zeros(side.sequences, np.int64)
    for before, after in side.sets.values():
        numbers[[*after.values()]] = numbers[before] + 1
    return numbers


class PerturbedProgram(LinearProgram):
    """Player one's linear program in a game in which each sequence of depth d has at least the weight ε^d.

    Its variables are the columns, followed by the slacks of the rows.

    Args:
        form: the sequence form.
    """

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.depths = tuple(map(depths, form.sides))
        self.powers = 1 + max(int(numbers.max()) for numbers in self.depths)
        #: coefficients of the right-hand sides, shape (powers, rows), and of the goal, shape (powers, columns)
        self.rights = np.zeros((self.powers, self.height), self.goal.dtype)
        self.goals = np.zeros((self.powers, self.width), self.goal.dtype)
        self.rights[0], self.goals[0] = self.right, self.goal
        variables = np.arange(self.width + self.height)
        self.unbounded = (variables >= self.count) & (variables < self.width)
        self.equal = (variables >= self.width) & (variables < self.width + self.equations)
        for power in range(1, self.powers):
            # 1 for each sequence of this depth: of player one, a column; of player two, an inequality
            least, weight = np.zeros(self.width, np.int64), np.zeros(self.height, np.int64)
            least[: self.count] = self.depths[0] == power
            weight[self.equations :] = self.depths[1][1:] == power
            np.add.at(self.rights[power], self.rows, -self.entries * least[self.columns])
            np.add.at(self.goals[power], self.columns, -self.entries * weight[self.rows])

    def optimise(self, tolerance: float) -> None:
        """Move to a basis that is optimal for all small ε, as far as floats can tell."""
        self.solve(tolerance)
        self._read_basis()
        nothing = np.zeros(self.width + self.height, np.bool_)
        for power in range(1, self.powers):
            # The right-hand sides get the next power, and the goal's powers are optimised one after another.
            free, fixed = _leading(self.amounts[:power]) != 0, nothing
            for k in range(power):
                if self._is_optimal(power + 1, power):
                    break
                self._solve_face(self.rights[power], self.goals[k], free, fixed)
                fixed = (_leading(self.costs[: k + 1]) > 0) & ~self.basic
            # The goal gets the next power. Now the powers of the right-hand sides follow one after another.
            free, fixed = nothing, (_leading(self.costs[:power]) > 0) & ~self.basic
            for k in range(power + 1):
                if self._is_optimal(power + 1, power + 1):
                    break
                self._solve_face(self.rights[k], self.goals[power], free, fixed)
                free = _leading(self.amounts[: k + 1]) != 0

    def polynomials(self) -> list[Polynomials] | None:
        """Return both players' exact realization plans at the last basis; None if the refinement does not converge."""
        one, two = self.sides
        plans = list[Polynomials]()
        for player in range(1 if self.symmetric else 2):
            # The coefficients of all sequences but the empty one, shape (powers, sequences − 1)
            coefficients = []
            for right, goal in zip(self.rights, self.goals, strict=True):
                solution = self.dual(goal) if player else self.primal(right)
                if solution is None:
                    return None
                coefficients.append(
                    solution[self.equations :] if player else solution[1 : self.count]
                )
            table, deep = np.array(coefficients), self.depths[player][1:]
            table[deep, np.arange(len(deep))] += 1
            plans.append([fmpq_poly([1]), *map(fmpq_poly, table.T.tolist())])
        if self.symmetric:  # both players have the same sets and moves, but number them differently
            plans.append([plans[0][START]] * two.sequences)
            for name, (_, after) in two.sets.items():
                for move, s in after.items():
                    plans[1][s] = plans[0][one.sets[name][1][move]]
        return plans

    def _read_basis(self) -> None:
        """Compute the variables and the reduced costs at the last basis of HiGHS, in floats.

        Sets `basic`, a mask of the variables; and `amounts` and `costs`, shape (powers, variables).
        """
        _, variables = self.solver.getBasicVariables()
        variables = np.where(variables >= 0, variables, self.width - 1 - variables)
        self.basic = np.zeros(self.width + self.height, np.bool_)
        self.basic[variables] = True
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
        """Return True if the basis is optimal with so many powers of the right-hand sides and of the goal."""
        levels, costs = _leading(self.amounts[:rights]), _leading(self.costs[:goals])
        # The slack of an equation must be 0, and so must the reduced cost of a column without bounds.
        infeasible = np.where(self.equal, levels != 0, (levels < 0) & ~self.unbounded)
        improvable = np.where(self.unbounded, costs != 0, (costs < 0) & ~self.equal)
        return not (infeasible | improvable).any()

    def _solve_face(
        self, right: Integers, goal: Integers, free: NDArray[np.bool_], fixed: NDArray[np.bool_]
    ) -> None:
        """Let HiGHS solve a linear program with the same matrix from the last basis.

        Args:
            right: the right-hand sides, shape (rows,).
            goal: the goal, shape (columns,).
            free: mask of the variables that have no bounds.
            fixed: mask of the variables that must be 0.
        """
        solver, columns, rows = self.solver, np.arange(self.width), np.arange(self.height)
        columns, rows = columns.astype(np.int32), rows.astype(np.int32)
        above = right / self.unit
        equal = (rows < self.equations) | fixed[self.width :]
        below = np.where(equal, above, -inf)
        above = np.where(free[self.width :] & ~equal, inf, above)
        least = np.where((columns < self.count) & ~free[: self.width], 0.0, -inf)
        most = np.where(fixed[: self.width], 0.0, inf)
        solver.changeColsCost(self.width, columns, (goal / self.unit).astype(np.float64))
        solver.changeColsBounds(self.width, columns, least, most)
        solver.changeRowsBounds(
            self.height, rows, below.astype(np.float64), above.astype(np.float64)
        )
        self.run()
        self._read_basis()


def _leading(coefficients: Floats) -> Floats:
    """Return the first coefficient that is not 0 of each polynomial, or 0.

    Args:
        coefficients: shape (powers, polynomials).
    """
    first = (coefficients != 0).argmax(axis=0)
    leading: Floats = coefficients[first, np.arange(coefficients.shape[1])]
    return leading


def refined_plans(form: Form) -> list[Polynomials]:
    """Return proved realization plans of a quasi-perfect equilibrium.

    Raises:
        PrecisionError: if floats do not find a basis that proves one.
    """
    program = PerturbedProgram(form)
    for tolerance in TOLERANCES:
        program.optimise(tolerance)
        plans = program.polynomials()
        if plans is not None and is_quasi_perfect(form, plans):
            return plans
    raise PrecisionError(
        "floats find no refined equilibrium of this game; solve it without refined for an exact equilibrium"
    )


def is_quasi_perfect(form: Form, plans: list[Polynomials]) -> bool:
    """Return True if plans are best replies to each other for all small ε, among the plans in which each sequence of
    depth d has at least the weight ε^d.

    A plan is a best reply if it gives more than the least weight only to moves that are best at their information set.

    Args:
        form: the sequence form.
        plans: the plan of each player.
    """
    powers = 1 + max(int(depths(side).max()) for side in form.sides)
    for player, (side, plan) in enumerate(zip(form.sides, plans, strict=True)):
        other = plans[1 - player]
        # For each sequence the expected payoff of the player, times the scale: at first at the leaves where it is the
        # last one, then also those after the best moves at the sets that it leads to.
        gains = [fmpq_poly()] * side.sequences
        for pair, payoff in zip(form.pairs.tolist(), form.payoffs.tolist(), strict=True):
            gains[pair[player]] += (payoff, -payoff)[player] * other[pair[1 - player]]
        deep = depths(side).tolist()
        for before, after in reversed(side.sets.values()):
            best = max(after.values(), key=lambda s: [gains[s][k] for k in range(powers)])
            for s in after.values():
                spare = plan[s] - fmpq_poly([*repeat(0, deep[s]), 1])
                if spare and (_sign(spare) < 0 or gains[s] != gains[best]):
                    return False
            if sum((plan[s] for s in after.values()), fmpq_poly()) != plan[before]:
                return False
            gains[before] += gains[best]
        if plan[START] != fmpq_poly([1]):
            return False
    return True


def _sign(polynomial: fmpq_poly) -> int:
    """Return the sign of a polynomial, other than 0, for all small positive arguments."""
    first = next(filter(None, polynomial.coeffs()))
    return 1 if first > 0 else -1


def limit_of(side: Side, plan: Polynomials) -> Strategy:
    """Return the strategy to which plans converge as ε goes to 0, for every information set of the player.

    Args:
        side: the player's information sets.
        plan: the plan; each polynomial is positive for small ε.
    """
    strategy = {}
    for name, (before, after) in side.sets.items():
        order = next(k for k, c in enumerate(plan[before].coeffs()) if c)
        chances = {move: plan[s][order] / plan[before][order] for move, s in after.items()}
        strategy[name] = {move: BigRational(chance) for move, chance in chances.items() if chance}
    forced = {name: {move: BigRational(1)} for name, move in side.forced.items()}
    return strategy | forced


def coefficients_of(side: Side, plan: Polynomials) -> PlanPolynomials:
    """Return the polynomials of a realization plan by information set and move."""
    return {
        name: {move: [*map(BigRational, plan[s].coeffs())] for move, s in after.items()}
        for name, (_, after) in side.sets.items()
    }
