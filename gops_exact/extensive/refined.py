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
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpq_poly
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

MOST_ROWS, MOST_PIVOTS = 400, 5000
"""Greatest number of rows of a tableau in fractions, and of its pivots. Fractions are used where floats find no basis."""


def depths(side: Side) -> Integers:
    """Return the number of moves in each sequence of a player, shape (sequences,)."""
    numbers = np.zeros(side.sequences, np.int64)
    for (before,), after in side.sets.values():
        numbers[[*after.values()]] = numbers[before] + 1
    return numbers


class PerturbedProgram(LinearProgram):
    """Player one's linear program in a game in which each sequence of depth d has at least the weight ε^d.

    Args:
        form: the sequence form.
    """

    def __init__(self, form: Form) -> None:
        super().__init__(form)
        self.form = form
        self.depths = tuple(map(depths, form.sides))
        self.powers = 1 + max(int(numbers.max()) for numbers in self.depths)
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

    def at_basis(self) -> list[Polynomials] | None:
        """Return both players' exact realization plans at the last basis; None if the refinement does not converge."""
        primal, dual = [*map(self.primal, self.rights)], list[NDArray[Any] | None]()
        if not self.symmetric:
            dual = [*map(self.dual, self.goals)]
        if any(solution is None for solution in primal + dual):
            return None
        return self._polynomials(np.array(primal), np.array(dual))

    def by_fractions(self) -> list[Polynomials]:
        """Return both players' exact realization plans, computed by the simplex method in fractions.

        Right-hand sides and reduced costs are compared power by power (lexicographically). The method begins with the
        first move at each information set of player one and player two's best reply. Its dense tableau has a row for each
        row of the linear program.

        Raises:
            PrecisionError: if the method takes more than `MOST_PIVOTS` steps, or the tableau would have more than
                `MOST_ROWS` rows.
        """
        if self.height > MOST_ROWS:
            raise PrecisionError(
                "floats find no refined equilibrium of this game, which is too large for fractions: it has "
                f"{self.height} sequences and information sets, more than {MOST_ROWS}; solve it without refined"
            )
        slacks = self.width + self.height
        matrix = fmpq_mat(self.height, slacks + self.powers)
        for row, column, entry in zip(self.rows, self.columns, self.entries, strict=True):
            matrix[int(row), int(column)] = int(entry)
        for row in range(self.height):
            matrix[row, self.width + row] = 1
            for k in range(self.powers):
                matrix[row, slacks + k] = int(self.rights[k, row])
        basis = self._first_basis()
        square = fmpq_mat([[matrix[row, k] for k in basis] for row in range(self.height)])
        lines = square.solve(matrix).tolist()
        goals = [[*map(int, goal), *[0] * self.height] for goal in self.goals]
        # For each variable, the coefficients of its reduced cost
        costs = [
            [
                goal[k]
                - sum((goal[j] * line[k] for j, line in zip(basis, lines, strict=True)), fmpq(0))
                for goal in goals
            ]
            for k in range(slacks)
        ]
        zero = [fmpq(0)] * self.powers
        for _ in range(MOST_PIVOTS):
            enter = max((k for k in range(slacks) if not self.equal[k]), key=costs.__getitem__)
            if costs[enter] <= zero:
                break
            leave = min(
                (i for i, j in enumerate(basis) if not self.unbounded[j] and lines[i][enter] > 0),
                key=lambda i: [level / lines[i][enter] for level in lines[i][slacks:]],
            )
            factor = 1 / lines[leave][enter]
            pivot = lines[leave] = [x * factor for x in lines[leave]]
            for i, line in enumerate(lines):
                if i != leave and line[enter]:
                    lines[i] = [x - line[enter] * y for x, y in zip(line, pivot, strict=True)]
            price = costs[enter]
            for k in range(slacks):
                if pivot[k]:
                    costs[k] = [x - p * pivot[k] for x, p in zip(costs[k], price, strict=True)]
            basis[leave] = enter
        else:
            raise PrecisionError(f"no refined equilibrium is found in {MOST_PIVOTS} steps")
        primal = np.full((self.powers, slacks), fmpq(0))
        primal[:, basis] = np.array([line[slacks:] for line in lines]).T
        return self._polynomials(primal, -np.array(costs[self.width :]).T)

    def _first_basis(self) -> list[int]:
        """Return the variables of a basis without negative variables for small ε, in any order."""
        one, two = self.sides
        plan = [fmpq_poly([0] * d + [1]) for d in self.depths[0].tolist()]
        moves = list[int]()
        for (before,), after in one.sets.values():
            first, *others = after.values()
            plan[first] = plan[before] - sum((plan[s] for s in others), fmpq_poly())
            moves.append(first)
        best = best_moves(self.form, plan, 1)[0]
        slacks = (self.width + self.equations - 1 + t for t in range(1, two.sequences))
        return [
            START,
            *moves,
            *range(self.count, self.width),
            *(k for k in slacks if k - self.width - self.equations + 1 not in best),
        ]

    def _polynomials(self, primal: NDArray[Any], dual: NDArray[Any]) -> list[Polynomials]:
        """Return both players' realization plans.

        Args:
            primal: the coefficients of the columns, shape (powers, columns or more).
            dual: the coefficients of the dual variables, shape (powers, rows); not used in a symmetric game.
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
        """Let HiGHS solve a linear program with the same matrix, as :meth:`restrict` describes, from the last basis."""
        self.restrict(right, goal, free, fixed)
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
    if not form.recall:
        raise ValueError("expected a game with perfect recall, got a game of paths")
    program = PerturbedProgram(form)
    for tolerance in TOLERANCES:
        program.optimise(tolerance)
        plans = program.at_basis()
        if plans is not None and is_quasi_perfect(form, plans):
            return plans
    plans = program.by_fractions()
    if not is_quasi_perfect(form, plans):
        raise PrecisionError("no refined equilibrium of this game is found")
    return plans


def best_moves(form: Form, plan: Polynomials, player: int) -> tuple[set[int], Polynomials]:
    """Return a best reply to a realization plan for small ε.

    Args:
        form: the sequence form.
        plan: the plan of the other player.
        player: the player who replies, 0 or 1.

    Returns:
        The sequence of the best move at each information set; and for each sequence the expected payoff of the player,
        times the scale, at the leaves where it is the last one and after the best moves at the sets that it leads to.
    """
    powers = 1 + max(int(depths(side).max()) for side in form.sides)
    side, best = form.sides[player], set[int]()
    gains = [fmpq_poly()] * side.sequences
    for pair, payoff in zip(form.pairs.tolist(), form.payoffs.tolist(), strict=True):
        gains[pair[player]] += (payoff, -payoff)[player] * plan[pair[1 - player]]
    for (before,), after in reversed(side.sets.values()):
        move = max(after.values(), key=lambda s: [gains[s][k] for k in range(powers)])
        gains[before] += gains[move]
        best.add(move)
    return best, gains


def is_quasi_perfect(form: Form, plans: list[Polynomials]) -> bool:
    """Return True if plans are best replies to each other for all small ε, among the plans in which each sequence of
    depth d has at least the weight ε^d.

    A plan is a best reply if it gives more than the least weight only to moves that are best at their information set.

    Args:
        form: the sequence form.
        plans: the plan of each player.
    """
    for player, (side, plan) in enumerate(zip(form.sides, plans, strict=True)):
        best, gains = best_moves(form, plans[1 - player], player)
        deep = depths(side).tolist()
        for (before,), after in side.sets.values():
            (move,) = best & {*after.values()}
            for s in after.values():
                spare = plan[s] - fmpq_poly([*repeat(0, deep[s]), 1])
                if spare and (_sign(spare) < 0 or gains[s] != gains[move]):
                    return False
            if sum((plan[s] for s in after.values()), fmpq_poly()) != plan[before]:
                return False
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
    for name, ((before,), after) in side.sets.items():
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
