"""Other packages' solvers of one matrix game, called the way their documentation says.

A solver takes the game in the numbers its package works with and returns a function that solves it:
what that function does is timed, what comes before it is not. It returns the value.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from io import StringIO
from random import Random
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq
from peer_libraries import QSoptEx, SoPlex

from gops_exact import MatrixGame, solve_matrix_game
from gops_exact.exchange import write_nfg
from gops_exact.numbers.kinds import view

Matrix = list[list[Any]]

LOOP = 200
"""Games a call where a solver runs inside a compiled loop, so that calling it costs nothing. Such a
loop is compiled anew for every run: numba would not notice that a cached one holds older kernels."""

WARMING = (3, 120)
"""Sizes of two games that our solver is warmed up with."""


class Timed(NamedTuple):
    """Something to time.

    Attributes:
        run: solves the game and returns its value.
        games: how often it does so in one call.
        load: makes what `run` is called with and uses up; not timed.
    """

    run: Callable[..., Any]
    games: int = 1
    load: Callable[[], tuple[Any, ...]] = tuple


Solver = Callable[[Matrix], Timed]


class Peer(NamedTuple):
    """One solver.

    Attributes:
        name: in the table.
        make: imports the package, or raises ImportError, and returns the solver.
        rounds: whether the value is a float though the game is exact.
    """

    name: str
    make: Callable[[], Solver]
    rounds: bool = False


def _ours_float() -> Solver:
    from numba import njit

    from gops_exact.solvers.floats.kernels.compilation import compiled
    from gops_exact.solvers.floats.kernels.single import solve_game
    from gops_exact.solvers.floats.kernels.vectors import scratch
    from gops_exact.solvers.floats.layer import COUNTS

    compiled_solve = compiled(solve_game)

    @njit
    def solve(m: int, n: int, width: float, room: Any, counts: Any) -> float:
        low = high = 0.0
        for _ in range(LOOP):
            low, high = compiled_solve(m, n, width, room, counts)
        return 0.5 * (low + high)

    def solver(matrix: Matrix) -> Timed:
        game = np.array(matrix)
        m, n = game.shape
        room, counts = scratch(max(m, n)), np.zeros(COUNTS, dtype=np.int64)
        width = 2.0**-40 * float(np.abs(game).max())
        room.game[:m, :n] = game
        return Timed(lambda: solve(m, n, width, room, counts), LOOP)

    return solver


def _quantecon() -> Solver:
    from numba import njit
    from quantecon.optimize import minmax

    @njit
    def repeat(game: Any) -> float:
        value = 0.0
        for _ in range(LOOP):
            value = minmax(game)[0]
        return value

    def solver(matrix: Matrix) -> Timed:
        game = np.array(matrix)
        return Timed(lambda: repeat(game), LOOP)

    return solver


def _scipy() -> Solver:
    from scipy.optimize import linprog

    def solver(matrix: Matrix) -> Timed:
        game = np.array(matrix)
        m, n = game.shape
        # Player one's x and v: maximise v subject to v ≤ (xᵀX)_j.
        cost = np.append(np.zeros(m), -1.0)
        above = np.column_stack([-game.T, np.ones(n)])
        total = np.append(np.ones(m), 0.0)[None]
        bounds = [(0, None)] * m + [(None, None)]
        return Timed(
            lambda: (
                -linprog(cost, above, np.zeros(n), total, [1.0], bounds=bounds, method="highs").fun
            )
        )

    return solver


def _nashpy() -> Solver:
    import nashpy

    def solver(matrix: Matrix) -> Timed:
        payoff = np.array(matrix)
        game = nashpy.Game(payoff)

        def run() -> float:
            row, column = game.linear_program()
            return float(row @ payoff @ column)

        return Timed(run)

    return solver


def _openspiel() -> Solver:
    import pyspiel
    from open_spiel.python.algorithms.lp_solver import solve_zero_sum_matrix_game

    def solver(matrix: Matrix) -> Timed:
        game = pyspiel.create_matrix_game(matrix, [[-x for x in row] for row in matrix])
        return Timed(lambda: solve_zero_sum_matrix_game(game)[2])

    return solver


def _glpk_simplex() -> Solver:
    return _glpk(exact=False)


def _glpk_exact() -> Solver:
    return _glpk(exact=True)


def _glpk(*, exact: bool) -> Solver:
    import swiglpk as glpk

    def solver(matrix: Matrix) -> Timed:
        m, n = len(matrix), len(matrix[0])
        parameters = glpk.glp_smcp()
        glpk.glp_init_smcp(parameters)
        parameters.msg_lev = glpk.GLP_MSG_OFF
        glpk.glp_term_out(glpk.GLP_OFF)

        def load() -> tuple[Any]:
            # Rows 1 … n: (xᵀX)_j − v ≥ 0; row n + 1: Σx = 1. Columns: x, then v.
            problem = glpk.glp_create_prob()
            glpk.glp_set_obj_dir(problem, glpk.GLP_MAX)
            glpk.glp_add_rows(problem, n + 1)
            glpk.glp_add_cols(problem, m + 1)
            for j in range(1, n + 1):
                glpk.glp_set_row_bnds(problem, j, glpk.GLP_LO, 0.0, 0.0)
            glpk.glp_set_row_bnds(problem, n + 1, glpk.GLP_FX, 1.0, 1.0)
            for i in range(1, m + 1):
                glpk.glp_set_col_bnds(problem, i, glpk.GLP_LO, 0.0, 0.0)
            glpk.glp_set_col_bnds(problem, m + 1, glpk.GLP_FR, 0.0, 0.0)
            glpk.glp_set_obj_coef(problem, m + 1, 1.0)
            entries = [
                (j + 1, i + 1, float(x)) for i, row in enumerate(matrix) for j, x in enumerate(row)
            ]
            entries += [(j, m + 1, -1.0) for j in range(1, n + 1)]
            entries += [(n + 1, i, 1.0) for i in range(1, m + 1)]
            count = len(entries)
            rows, columns = glpk.intArray(count + 1), glpk.intArray(count + 1)
            numbers = glpk.doubleArray(count + 1)
            for place, (row, column, number) in enumerate(entries, start=1):
                rows[place], columns[place], numbers[place] = row, column, number
            glpk.glp_load_matrix(problem, count, rows, columns, numbers)
            return (problem,)

        def run(problem: Any) -> float:
            if exact:
                glpk.glp_exact(problem, parameters)
            else:
                glpk.glp_simplex(problem, parameters)
            value = float(glpk.glp_get_obj_val(problem))
            glpk.glp_delete_prob(problem)
            return value

        return Timed(run, load=load)

    return solver


def _highs_plain() -> Solver:
    """HiGHS with default options, on the linear program that scipy is given above."""
    return _highs(_with_value, {})


def _highs_quickest() -> Solver:
    """HiGHS with the fastest options found for the value of a game."""
    options = {"presolve": "off", "solver": "simplex", "simplex_strategy": 1}
    return _highs(_shifted, options)


def _highs(program: Callable[[np.ndarray, Any], Any], options: dict[str, Any]) -> Solver:
    import highspy

    def solver(matrix: Matrix) -> Timed:
        game = np.array([[float(view(x)) for x in row] for row in matrix])
        model, value = program(game, highspy)

        def load() -> tuple[Any]:
            highs = highspy.Highs()
            for name, setting in ({"output_flag": False, "threads": 1} | options).items():
                highs.setOptionValue(name, setting)
            highs.passModel(model)
            return (highs,)

        def run(highs: Any) -> float:
            highs.run()
            if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                raise ArithmeticError("not solved")
            return value(highs.getInfo().objective_function_value)

        return Timed(run, load=load)

    return solver


def _with_value(game: np.ndarray, highspy: Any) -> tuple[Any, Callable[[float], float]]:
    """Player one's linear program: maximise v subject to (xᵀX)_j ≥ v, Σx = 1, x ≥ 0."""
    m, n = game.shape
    total = np.append(np.ones(m), 0.0)
    rows = np.vstack([np.column_stack([game.T, -np.ones(n)]), total])
    free, infinite = np.append(np.zeros(m), -np.inf), np.full(n, np.inf)
    model = _model(
        highspy, rows, 1.0 - total, free, np.append(np.zeros(n), 1.0), np.append(infinite, 1.0)
    )
    return model, lambda optimum: optimum


def _shifted(game: np.ndarray, highspy: Any) -> tuple[Any, Callable[[float], float]]:
    """Player two's linear program as in textbook_simplex: maximise Σz subject to X'z ≤ 1, z ≥ 0."""
    m, n = game.shape
    shift = 1.0 - game.min()
    below = np.full(m, -np.inf)
    model = _model(highspy, game + shift, np.ones(n), np.zeros(n), below, np.ones(m))
    return model, lambda optimum: 1.0 / optimum - shift


def _model(
    highspy: Any,
    rows: np.ndarray,
    gain: np.ndarray,
    lowest: np.ndarray,
    least: np.ndarray,
    most: np.ndarray,
) -> Any:
    """Maximise gain · x subject to least ≤ rows x ≤ most, x ≥ lowest."""
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = rows.shape
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_, model.col_lower_ = gain, lowest
    model.col_upper_ = np.full(len(gain), np.inf)
    model.row_lower_, model.row_upper_ = least, most
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    places = rows != 0
    model.a_matrix_.start_ = np.append(0, places.sum(axis=1).cumsum())
    model.a_matrix_.index_ = places.nonzero()[1]
    model.a_matrix_.value_ = rows[places]
    return model


def _ours_exact() -> Solver:
    # What is compiled, or loaded, is compiled or loaded for a small and a large game.
    for size in WARMING:
        solve_matrix_game(Random(size).choices(range(-9, 10), k=size) for _ in range(size))

    def solver(matrix: Matrix) -> Timed:
        integers = all(x.q == 1 for row in matrix for x in row)
        game = np.array([[int(x) for x in row] for row in matrix]) if integers else matrix
        return Timed(lambda: solve_matrix_game(game).value)

    return solver


def _qsopt_ex() -> Solver:
    library = QSoptEx()
    return lambda matrix: Timed(library.solve, load=lambda: (library.load(matrix),))


def _soplex() -> Solver:
    library = SoPlex()
    return lambda matrix: Timed(library.solve, load=lambda: (library.load(matrix),))


def _fraction() -> Solver:
    def solver(matrix: Matrix) -> Timed:
        rows = [[view(x).to_fraction() for x in row] for row in matrix]
        return Timed(lambda: textbook_simplex(rows))

    return solver


def textbook_simplex(game: Sequence[Sequence[Fraction]]) -> Fraction:
    """The value of a game by a tableau of fractions and Bland's rule.

    Maximise Σz subject to X'z ≤ 1, z ≥ 0, with X' = X + shift at least 1; then 1/Σz − shift.
    """
    m, n = len(game), len(game[0])
    shift = 1 - min(map(min, game))
    tableau = [[x + shift for x in row] for row in game]
    for i, row in enumerate(tableau):
        row.extend(Fraction(int(i == j)) for j in range(m))
        row.append(Fraction(1))
    goal = [Fraction(-1)] * n + [Fraction(0)] * (m + 1)
    basis = list(range(n, n + m))
    while any(cost < 0 for cost in goal[:-1]):
        entering = next(j for j, cost in enumerate(goal) if cost < 0)
        leaving = min(
            (i for i in range(m) if tableau[i][entering] > 0),
            key=lambda i: (tableau[i][-1] / tableau[i][entering], basis[i]),
        )
        basis[leaving] = entering
        pivot = tableau[leaving][entering]
        tableau[leaving] = [x / pivot for x in tableau[leaving]]
        for row in [*tableau[:leaving], *tableau[leaving + 1 :], goal]:
            factor = row[entering]
            if factor:
                row[:] = [x - factor * y for x, y in zip(row, tableau[leaving], strict=True)]
    return 1 / goal[-1] - shift


def _sympy() -> Solver:
    from sympy import Matrix as SympyMatrix
    from sympy.solvers.simplex import linprog

    def solver(matrix: Matrix) -> Timed:
        m, n = len(matrix), len(matrix[0])
        # As textbook_simplex: with v as a free variable sympy 1.14 returns points that break Σx = 1.
        shift = 1 - min(map(min, matrix))
        shifted = SympyMatrix([[view(x + shift).to_sympy() for x in row] for row in matrix])

        def run() -> Any:
            least, _ = linprog([-1] * n, shifted, [1] * m)
            return fmpq(-int(least.q), int(least.p)) - shift

        return Timed(run)

    return solver


def _gambit() -> Solver:
    import pygambit

    def solver(matrix: Matrix) -> Timed:
        game = pygambit.read_nfg(StringIO(write_nfg(MatrixGame(matrix))))

        def run() -> Any:
            found, one = pygambit.nash.lp_solve(game, rational=True), next(iter(game.players))
            if hasattr(found, "equilibrium"):  # from Gambit 17 on
                value = found.equilibrium.payoffs[one]
            else:
                value = found.equilibria[0].payoff(one)
            return fmpq(value.numerator, value.denominator)

        return Timed(run)

    return solver


def _ppl() -> Solver:
    import gmpy2
    import ppl

    def solver(matrix: Matrix) -> Timed:
        m, n = len(matrix), len(matrix[0])
        entries = [[view(x).to_mpq() for x in row] for row in matrix]
        x = [ppl.Variable(i) for i in range(m + 1)]

        def load() -> tuple[Any]:
            # PPL takes integers: each constraint is scaled by the denominators it has.
            problem = ppl.MIP_Problem(m + 1, ppl.Constraint_System(), x[m])
            problem.set_optimization_mode("maximization")
            problem.add_constraint(sum(x[:m]) == 1)
            for i in range(m):
                problem.add_constraint(x[i] >= 0)
            for j in range(n):
                scale = gmpy2.lcm(*(entries[i][j].denominator for i in range(m)))
                gain = sum(int(scale * entries[i][j]) * x[i] for i in range(m))
                problem.add_constraint(gain >= int(scale) * x[m])
            return (problem,)

        def run(problem: Any) -> Any:
            value = problem.optimal_value()
            return fmpq(int(value.numerator), int(value.denominator))

        return Timed(run, load=load)

    return solver


FLOAT = (
    Peer("gops_exact, simplex and bracket", _ours_float),
    Peer("quantecon minmax", _quantecon),
    Peer("GLPK simplex", _glpk_simplex),
    Peer("scipy linprog, HiGHS", _scipy),
    Peer("nashpy", _nashpy),
    Peer("OpenSpiel, ECOS", _openspiel),
)

EXACT = (
    Peer("gops_exact", _ours_exact),
    Peer("QSopt_ex", _qsopt_ex),
    Peer("SoPlex, exact", _soplex),
    Peer("PPL", _ppl),
    Peer("GLPK exact", _glpk_exact, rounds=True),
    Peer("sympy linprog", _sympy),
    Peer("Fraction simplex", _fraction),
    Peer("Gambit lp_solve", _gambit),
)

HIGHS = (
    Peer("HiGHS, floats, fastest options", _highs_quickest, rounds=True),
    Peer("HiGHS, floats, default options", _highs_plain, rounds=True),
)
"""The price of floats alone, beside the exact solvers."""
