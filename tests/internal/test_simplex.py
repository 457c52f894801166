"""Parts of the solver of matrix games where random games would not show a fault."""

import random
from contextlib import nullcontext
from itertools import combinations, product
from unittest.mock import Mock

import games
import numpy as np
import pytest
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod_mat
from hypothesis import given, settings
from strategies import any_matrices

from gops_exact import solve_matrix_game
from gops_exact.matrix_game import evaluate, simplex
from gops_exact.matrix_game.basis import (
    Basis,
    CertificateError,
    certify,
    checked,
    dense_simplex,
    propose,
    saddle_point,
)
from gops_exact.matrix_game.payoff import Payoff

WRONG_PROPOSALS = {
    "none": lambda _m, _n: [],
    "one bid": lambda m, _n: [Basis((m - 1,), (0,))],
    "first bids": lambda m, n: [Basis(*[tuple(range(min(m, n)))] * 2)],
    "last bids": lambda m, n: [Basis((m - 2, m - 1), (n - 2, n - 1))],
}


@pytest.mark.parametrize("wrong", WRONG_PROPOSALS.values(), ids=list(WRONG_PROPOSALS))
@pytest.mark.parametrize("build", [games.plain, *games.DEGENERATE])
def test_exact_matrix_game_solver_recovers_if_floats_propose_a_basis_that_is_not_optimal(
    wrong, build, monkeypatch
):
    source = random.Random(build.__name__)
    for m, n, kind in ((8, 8, "signs"), (4, 11, "small fractions"), (3, 4, "long fractions")):
        matrix = build(source, m, n, games.ENTRIES[kind])
        right = solve_matrix_game(matrix, method="simplex")
        with monkeypatch.context() as patch:
            patch.setattr(simplex, "proposals", lambda game, _: wrong(*game.shape))
            found = solve_matrix_game(matrix, method="guided")
        found.check(matrix)
        for name in ("value", "row_unique", "column_unique"):
            assert getattr(found, name) == getattr(right, name)


@pytest.mark.parametrize("steepest", [False, True])
@pytest.mark.parametrize(("m", "n"), [(9, 14), (20, 25), (40, 40)])
def test_simplex_method_on_floats_ends_at_the_optimal_basis_of_a_random_game(m, n, steepest):
    source = random.Random(m)
    matrix = [[source.randrange(-(10**6), 10**6) for _ in range(n)] for _ in range(m)]
    game = Payoff.of(matrix)
    basis = dense_simplex(game.shares(), steepest=steepest)
    assert basis is not None and certify(game, basis)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e12])
def test_basis_found_in_floats_is_the_same_in_any_unit_of_the_payoffs(unit):
    game = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) * unit
    assert propose(game.tolist()) == Basis((0, 1, 2), (0, 1, 2))


@pytest.mark.parametrize("change", [-1, 0, 1])
def test_feasibility_is_exact_where_floats_cannot_tell_a_slack_from_zero(change):
    matrix = np.random.default_rng(7).integers(0, 2**61, (40, 40))
    (two, _), _ = simplex.solved(Payoff.of(matrix))
    row, column = two.basis.rows[0], two.basis.columns[0]
    wider = np.vstack([matrix, matrix[row]])
    wider[-1, column] += change
    program = simplex.LinearProgram(wider, two.basis)
    assert program.is_feasible() == (min(program.levels[:-1]) >= 0) == (change <= 0)


@settings(max_examples=60)
@given(any_matrices(3))
def test_balls_find_a_basis_optimal_exactly_where_fractions_do(rows):
    """Balls leave every tie in doubt; what is decided exactly is what fractions say."""
    payoff = Payoff.of(rows)
    values = set()
    bases = [
        Basis(rows, columns)
        for size in range(1, min(payoff.shape) + 1)
        for rows, columns in product(*(combinations(range(side), size) for side in payoff.shape))
    ]
    for basis in bases:
        found = evaluate.value_if_optimal(payoff, basis)
        try:
            levels = [side.levels for side in simplex.linear_programs(payoff, basis)]
        except ZeroDivisionError:
            assert found is None
            continue
        assert (found is not None) == all(min(side[:-1]) >= 0 for side in levels)
        if found is not None:
            value = payoff.value(levels[0][-1])
            assert abs(found.mid().fmpq() - value) <= found.rad().fmpq()
            values.add(value)
    assert values == {solve_matrix_game(rows).value}


@pytest.mark.parametrize("exactly", [True, False])
@pytest.mark.parametrize("wrong", range(4))
def test_check_of_a_basis_accepts_only_the_solution_of_its_equations(exactly, wrong):
    matrix = fmpz_mat([[3, -1, 5, 1], [1, 2, 0, 1], [0, 4, 1, 1], [1, 1, 1, 0]])
    solution = matrix.solve(fmpz_mat(4, 1, [0, 0, 0, 1]))
    other = solution + fmpq_mat(4, 1, [fmpq(int(k == wrong), 10**30) for k in range(4)])
    for z in (solution, other):
        with nullcontext() if z is solution else pytest.raises(CertificateError):
            if exactly:
                checked(matrix, z)
            else:
                modulo = nmod_mat(matrix, evaluate.CHECK_PRIME)
                checked(modulo, evaluate.residues([[(x.p, x.q)] for x in z.entries()]))


@pytest.mark.parametrize("kind", ["small fractions", "long fractions"])
@pytest.mark.parametrize(
    ("build", "size"), [(games.plain, 4), (games.plain, 9), (games.skew_symmetric, 5)]
)
def test_every_exact_method_for_matrix_games_raises_an_error_if_its_solution_is_wrong(
    kind, build, size, monkeypatch
):
    source = random.Random(3)
    matrix = build(source, size, size, games.ENTRIES[kind])
    while saddle_point(matrix) is not None:
        matrix = build(source, size, size, games.ENTRIES[kind])
    for module in (evaluate, simplex):
        monkeypatch.setattr(module, "checked", Mock(side_effect=CertificateError))
    for method in ("auto", "guided", "simplex"):
        with pytest.raises(CertificateError):
            solve_matrix_game(matrix, method)


@pytest.mark.parametrize("size", range(2, 8))
def test_laplace_determinants_equal_flints(size):
    """Only long numbers of larger games take Laplace's rule."""
    source = random.Random(size)
    matrix = [
        [fmpz(source.getrandbits(200) - (1 << 199)) for _ in range(size + 1)]
        for _ in range(size + 1)
    ]
    assert evaluate.laplace_determinants(matrix) == evaluate.flint_determinants(matrix)
