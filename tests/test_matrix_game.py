"""The exact paths against each other on larger games, and what they refuse."""

import random
import re
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sympy
from flint import fmpq, fmpq_mat, fmpz_mat
from hypothesis import given, settings
from strategies import any_matrices

from gops_exact import optimal_set, solve_matrix_game
from gops_exact.matrix_game import CertificateError, check_solution
from gops_exact.matrix_game.basis import (
    Basis,
    bordered,
    certify,
    from_inverse,
    propose,
    slacks,
)
from gops_exact.matrix_game.entries import as_matrix
from gops_exact.matrix_game.evaluate import basis_value, kernel_strategy, maximal_minors
from gops_exact.matrix_game.payoff import RationalPayoff
from gops_exact.matrix_game.ties import bases, value_if_optimal
from gops_exact.numbers import rational
from gops_exact.numbers.pairs import from_pair


def random_matrix(seed, rows, columns, *, numbers, denominators):
    source = random.Random(seed)
    return [
        [Fraction(source.choice(numbers), source.choice(denominators)) for _ in range(columns)]
        for _ in range(rows)
    ]


SHAPES = [(1, 1), (1, 5), (5, 1), (2, 7), (7, 2), (4, 4), (6, 9), (9, 6), (13, 13), (13, 8)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    "numbers",
    [range(-500, 500), (0, 1), (-1, 0, 0, 1), (0,)],
    ids=["generic", "binary", "ternary", "zero"],
)
def test_paths_agree(shape, numbers):
    matrix = random_matrix(str(shape), *shape, numbers=numbers, denominators=(1, 2, 3))
    exact = as_matrix(matrix)
    simplex = solve_matrix_game(matrix, method="simplex")
    simplex.check(exact)
    cheapest = solve_matrix_game(matrix)
    cheapest.check(exact)
    assert cheapest.value == simplex.value
    assert (cheapest.row_unique, cheapest.column_unique) == (
        simplex.row_unique,
        simplex.column_unique,
    )
    if simplex.unique:
        guided = solve_matrix_game(matrix, method="guided")
        assert (guided.value, guided.row, guided.column) == (
            simplex.value,
            simplex.row,
            simplex.column,
        )


@pytest.mark.parametrize("size", [3, 5, 7, 9])
@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_vector_solves_an_antisymmetric_game(size, seed):
    source = random.Random(seed)
    matrix = [[Fraction(0)] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1, size):
            matrix[i][j] = Fraction(source.randint(-50, 50), source.randint(1, 9))
            matrix[j][i] = -matrix[i][j]
    simplex = solve_matrix_game(matrix, method="simplex")
    assert simplex.value == 0
    if simplex.unique:
        payoff = RationalPayoff(as_matrix(matrix))
        support = tuple(i for i, p in enumerate(simplex.row) if p)
        kernel = tuple(from_pair(pair) for pair in kernel_strategy(payoff, support))
        assert kernel == simplex.row == simplex.column


def test_the_published_example_has_a_line_of_solutions():
    # Rhoads & Bartholdi 2012, §3.1
    matrix = [[1, -2, 3], [-4, 5, -6], [7, -8, 9]]
    solution = solve_matrix_game(matrix)
    assert solution.value == 0
    everything = optimal_set(matrix)
    assert everything.value == 0
    assert solution.row in everything.row
    assert solution.row_unique == (len(everything.row) == 1)
    assert solution.column_unique == (len(everything.column) == 1)


def test_extreme_strategies_of_a_game_without_any_stakes():
    everything = optimal_set([[0] * 13 for _ in range(13)])
    assert len(everything.row) == len(everything.column) == 13


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_the_basis_value_is_the_quotient_of_two_determinants(size):
    from flint import fmpq_mat

    matrix = as_matrix(
        random_matrix(size, size, size, numbers=range(-99, 99), denominators=(1, 2, 3, 7))
    )
    everything = tuple(range(size))
    pair = basis_value(RationalPayoff(matrix), Basis(everything, everything))
    bordered = [[*row, fmpq(1)] for row in matrix] + [[fmpq(1)] * size + [fmpq(0)]]
    assert from_pair(pair) == -fmpq_mat(matrix).det() / fmpq_mat(bordered).det()


def test_minors_against_determinants():
    from flint import fmpz, fmpz_mat

    source = random.Random(7)
    rows = [[fmpz(source.randint(-99, 99)) for _ in range(5)] for _ in range(3)]
    minors = maximal_minors(rows)
    assert len(minors) == 10
    for mask, minor in minors.items():
        columns = [c for c in range(5) if mask >> c & 1]
        assert minor == fmpz_mat([[row[c] for c in columns] for row in rows]).det()


def test_a_wrong_basis_is_not_certified():
    matrix = as_matrix([[3, -1, 0], [1, 2, -1], [0, 1, 1]])
    payoff = RationalPayoff(matrix)
    right = propose(payoff.floats())
    assert right is not None
    assert certify(payoff, right)
    wrong = [
        Basis((i,), (j,)) for i in range(3) for j in range(3) if Basis((i,), (j,)) != right
    ] + [Basis((0, 1), (0, 1)), Basis((0, 1), (1, 2)), Basis((0, 2), (0, 2))]
    assert not any(certify(payoff, basis) for basis in wrong if basis != right)


def test_payoffs_beyond_the_range_of_floats():
    huge = 10**400
    solution = solve_matrix_game([[3 * huge, -huge], [huge, 2 * huge]])
    assert solution.value == fmpq(7, 5) * huge
    large = [[3 * huge, -huge, 0], [huge, 2 * huge, huge], [0, huge, 3]]
    assert solve_matrix_game(large, method="simplex").value == solve_matrix_game(large).value


def test_a_false_certificate_is_refused():
    matrix = as_matrix([[1, -1], [-1, 1]])
    half = (fmpq(1, 2), fmpq(1, 2))
    check_solution(matrix, fmpq(0), half, half)
    first = (fmpq(1), fmpq(0))
    for value, row, column in [
        (fmpq(1, 9), half, half),
        (fmpq(0), first, half),
        (fmpq(0), half, first),
        (fmpq(0), (fmpq(1, 2), fmpq(1, 3)), half),
        (fmpq(0), (fmpq(3, 2), fmpq(-1, 2)), half),
        (fmpq(0), (fmpq(1),), half),
    ]:
        with pytest.raises(CertificateError):
            check_solution(matrix, value, row, column)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([], "at least one row and one column"),
        ([[]], "at least one row and one column"),
        ([[1, 2], [3]], "equally long, got 2 entries in row 1 and 1 in row 2"),
        ([[1, 0.5]], "got the float 0.5"),
        ([[1, float("nan")]], "got the float nan"),
        ([[1, "x"]], "got 'x'"),
        ([[1, None]], "got an object of type NoneType"),
        ([[1, 1j]], "got an object of type complex"),
        ([[True]], "got the bool True"),
        ([1, 2], "row 1 of a payoff matrix must be a sequence, got 1"),
        ("12", "must be a sequence of rows, got '12'"),
        (7, "must be a sequence of rows, got 7"),
        ([[1, "1/0"]], "must not be zero"),
    ],
)
def test_what_is_no_matrix(matrix, message):
    with pytest.raises(ValueError, match="^[^\n]*$") as caught:
        solve_matrix_game(matrix)
    assert message in str(caught.value)


def test_methods_that_do_not_apply():
    with pytest.raises(
        ValueError, match="method must be 'auto', 'closed form', .* or 'simplex', got"
    ):
        solve_matrix_game([[1]], method="newton")
    with pytest.raises(ValueError, match="needs a saddle point or a 2 × 2 game, got a 3 × 3"):
        solve_matrix_game([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], method="closed form")


@settings(max_examples=60)
@given(any_matrices(max_size=3))
def test_a_basis_is_optimal_with_ties_or_without(rows):
    """Balls leave every tie in doubt; what is decided exactly is what fractions say."""
    matrix = [[rational(entry) for entry in row] for row in rows]
    payoff = RationalPayoff(matrix)
    values = set()
    for basis in bases(*payoff.shape):
        found = value_if_optimal(payoff, basis)
        try:
            inverse = fmpq_mat(bordered(matrix, basis)).inv()
        except ZeroDivisionError:
            assert found is None
            continue
        candidate = from_inverse(inverse, len(basis.rows))
        optimal = all(slack >= 0 for slack in slacks(matrix, basis, candidate))
        assert (found is not None) == optimal
        if found is not None:
            assert abs(found.mid().fmpq() - candidate.value) <= found.rad().fmpq()
            values.add(candidate.value)
    assert values == {solve_matrix_game(rows).value}


@pytest.mark.parametrize(
    "payoff",
    [
        np.array([[3, -1], [1, 2]]),
        np.array([[Fraction(3), -1], [1, 2]], dtype=object),
        pd.DataFrame({"left": [3, 1], "right": [-1, 2]}),
        pd.DataFrame([[3, -1], [1, 2]], columns=pd.MultiIndex.from_tuples([(1, 2), (3, 4)])),
        sympy.Matrix([[3, -1], [1, 2]]),
        fmpz_mat([[3, -1], [1, 2]]),
        (row for row in ([3, -1], (1, 2))),
    ],
    ids=lambda payoff: type(payoff).__module__,
)
def test_matrices_of_other_libraries(payoff):
    assert as_matrix(payoff) == [[3, -1], [1, 2]]


@pytest.mark.parametrize(
    ("payoff", "message"),
    [
        ({(0, 0): 3, (0, 1): -1}, "a payoff matrix must be a sequence of rows, got {"),
        ({(3, -1), (1, 2)}, "a payoff matrix must be a sequence of rows, got {"),
        ([{0: 3, 1: -1}, {0: 1, 1: 2}], "row 1 of a payoff matrix must be a sequence, got {"),
        ([[3, -1], {1, 2}], "row 2 of a payoff matrix must be a sequence, got {1, 2}"),
        (np.array([3, 1]), "row 1 of a payoff matrix must be a sequence, got 3"),
        (np.array([[3.5]]), "a payoff must be an exact rational, got the float 3.5"),
    ],
)
def test_what_is_no_sequence_of_rows_is_refused(payoff, message):
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        solve_matrix_game(payoff)
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        solve_matrix_game([[1]]).check(payoff)


LONG_DIGITS = 100_000


@pytest.mark.parametrize("size", [2, 3, 4])
def test_payoffs_of_many_digits(size):
    rng = random.Random(size)
    bits = 10 * LONG_DIGITS // 3
    # The diagonal is the largest of its row and of its column, so there is no saddle point.
    matrix = [
        [rng.getrandbits(bits) + (i == j) * (1 << bits) for j in range(size)] for i in range(size)
    ]
    solution = solve_matrix_game(matrix)
    solution.check(matrix)
    assert max(entry.p.bit_length() for entry in solution.row) > 3 * LONG_DIGITS
    for text in (repr(solution), solution._repr_html_(), solution._repr_latex_()):
        assert len(text) < 1000 * size


def test_the_value_of_many_digits_is_shown_short():
    assert "digits" in solve_matrix_game([[10**LONG_DIGITS]])._repr_latex_()
    assert len(optimal_set([[10**LONG_DIGITS]])._repr_html_()) < 1000
