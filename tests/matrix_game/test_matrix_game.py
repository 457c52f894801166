"""Matrix games: all paths on random games, and each part where random games would not show it."""

import random
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import fuzz_games
import numpy as np
import pandas as pd
import pytest
from flint import fmpq, fmpq_mat, fmpz, fmpz_mat
from frame import Wrong
from hypothesis import given, settings
from strategies import any_matrices

from gops_exact import (
    CertificateError,
    optimal_set,
    solve_matrix_game,
)
from gops_exact.matrix_game import simplex as exact
from gops_exact.matrix_game import solve
from gops_exact.matrix_game.basis import (
    Basis,
    slacks,
)
from gops_exact.matrix_game.evaluate import (
    basis_play,
    border_solutions,
    flint_determinants,
    laplace_determinants,
    value_if_optimal,
)
from gops_exact.matrix_game.payoff import Payoff
from gops_exact.matrix_game.solve import PATHS
from gops_exact.numbers import rational, view
from gops_exact.numbers.raw import from_pair
from gops_exact.solvers.exact.ball import bases


def random_matrix(seed, rows, columns, *, numbers, denominators):
    source = random.Random(seed)
    return [
        [Fraction(source.choice(numbers), source.choice(denominators)) for _ in range(columns)]
        for _ in range(rows)
    ]


def rock_paper_scissors(times):
    """Each bid so many times: as many choices of three bids are extreme."""
    return [[(j - i + 1) % 3 - 1 for j in range(3 * times)] for i in range(3 * times)]


def signs(seed, rows, columns):
    return np.random.default_rng(seed).integers(-1, 2, (rows, columns))


# Random games


def test_every_path_solves_random_games():
    kinds, taken, count = Counter(), Counter(), 150
    for number in range(count):
        name, matrix = fuzz_games.game(random.Random(f"suite {number}"))
        kinds[name.partition(",")[0]] += 1
        taken += fuzz_games.check(matrix)
    assert set(kinds) == {build.__name__ for build in (fuzz_games.plain, *fuzz_games.DEGENERATE)}
    assert all(taken[path] > count // 10 for path in (*PATHS, "numpy", "optimal set"))


@pytest.mark.parametrize(
    "wrong",
    [
        {"value": "3/2"},
        {"row": (1, 0)},
        {"row": ("1/5", "4/5", 0)},
        {"row": ("6/5", "-1/5")},
        {"column": ("3/5", "1/5")},
        {"column": (1, 0)},
    ],
    ids=str,
)
def test_a_wrong_answer_is_noticed(wrong):
    """By the check of random games and by a user's own."""
    matrix = [[3, -1], [1, 2]]
    right = solve_matrix_game(matrix)
    fuzz_games.is_equilibrium(matrix, right)
    answer = replace(
        right,
        **{
            name: tuple(map(view, found)) if isinstance(found, tuple) else view(found)
            for name, found in wrong.items()
        },
    )
    with pytest.raises(Wrong):
        fuzz_games.is_equilibrium(matrix, answer)
    with pytest.raises(CertificateError):
        answer.check(matrix)


# Exact pivots


WRONG_PROPOSALS = {
    "none": lambda _m, _n: [],
    "one bid": lambda m, _n: [Basis((m - 1,), (0,))],
    "first bids": lambda m, n: [Basis(*[tuple(range(min(m, n)))] * 2)],
    "last bids": lambda m, n: [Basis((m - 2, m - 1), (n - 2, n - 1))],
}


@pytest.mark.parametrize("wrong", WRONG_PROPOSALS.values(), ids=list(WRONG_PROPOSALS))
@pytest.mark.parametrize(
    "matrix",
    [
        random_matrix(1, 9, 9, numbers=range(-50, 50), denominators=(1, 2, 3)),
        random_matrix(2, 4, 12, numbers=range(-50, 50), denominators=range(1, 10**6)),
        signs(3, 8, 8).tolist(),
        signs(4, 12, 5).tolist(),
        rock_paper_scissors(3),
        [[0] * 5] * 4,
    ],
    ids=["generic", "long", "signs", "tall signs", "repeated", "zero"],
)
def test_a_wrong_proposal_ends_in_the_right_answer(wrong, matrix, monkeypatch):
    right = solve_matrix_game(matrix, method="simplex")
    monkeypatch.setattr(exact, "proposals", lambda game: wrong(*game.entries.shape))
    assert not Payoff.of(
        matrix
    ).is_long  # else balls prove a basis that the solver proposes by itself
    found = solve_matrix_game(matrix, method="guided")
    found.check(matrix)
    assert (found.value, found.row_unique, found.column_unique) == (
        right.value,
        right.row_unique,
        right.column_unique,
    )


def test_pivots_go_on_when_random_numbers_tie(monkeypatch):
    class Constant(random.Random):
        def getrandbits(self, bits):
            return super().getrandbits(1) if self.first else super().getrandbits(bits)

        def __init__(self, seed):
            super().__init__(seed)
            self.first = seed < 3

    monkeypatch.setattr(exact.random, "Random", Constant)
    for seed in range(20):
        matrix = signs(seed, 7, 7)
        two, _ = exact.settle(matrix, Basis((0,), (0,)))
        assert two.levels[-1] == solve_matrix_game(matrix, method="simplex").value


# Proposals


@pytest.mark.parametrize(
    "matrix",
    [
        np.random.default_rng(1).integers(-100, 101, (150, 150)),
        np.random.default_rng(4).integers(-100, 101, (3000, 5)),
        np.kron(signs(6, 20, 20), np.ones((9, 9), dtype=int)),
    ],
    ids=["generic", "tall", "repeated"],
)
def test_large_games(matrix):
    solution = solve_matrix_game(matrix)
    solution.check(matrix)
    assert solution.method == "guided"


@pytest.mark.parametrize("change", [-1, 0, 1])
def test_slacks_that_floats_cannot_tell_from_zero(change):
    matrix = np.random.default_rng(7).integers(0, 2**61, (40, 40))
    two, _ = exact.solved(Payoff.of(matrix))
    row, column = two.basis.rows[0], two.basis.columns[0]
    wider = np.vstack([matrix, matrix[row]])
    wider[-1, column] += change
    programme = exact.Programme(wider, two.basis)
    assert programme.is_feasible() == (min(programme.levels[:-1]) >= 0) == (change <= 0)


# Values and strategies on a basis


@settings(max_examples=60)
@given(any_matrices(max_size=3))
def test_a_basis_is_optimal_with_ties_or_without(rows):
    """Balls leave every tie in doubt; what is decided exactly is what fractions say."""
    payoff = Payoff.of(rows)
    values = set()
    for basis in bases(*payoff.shape):
        found = value_if_optimal(payoff, basis)
        try:
            exactly = basis_play(payoff, basis).converted(from_pair)
        except ZeroDivisionError:
            assert found is None
            continue
        optimal = all(slack >= 0 for slack in slacks(payoff.rows, basis, exactly))
        assert (found is not None) == optimal
        if found is not None:
            assert abs(found.mid().fmpq() - exactly.value) <= found.rad().fmpq()
            values.add(exactly.value)
    assert values == {solve_matrix_game(rows).value}


def test_systems_whose_solutions_are_of_different_lengths():
    long = fmpq(10**1000)
    kernel = fmpq_mat([[1, 0], [long, fmpq(1, 3)]])
    assert border_solutions(kernel) == ([0, 3], [-3 * long, 3])
    assert border_solutions(kernel.transpose()) == ([-3 * long, 3], [0, 3])
    with pytest.raises(ZeroDivisionError):
        border_solutions(fmpq_mat([[1, 1], [2, 2]]))


@pytest.mark.parametrize("size", range(2, 8))
def test_laplace_against_elimination(size):
    """Only long numbers of larger games take Laplace's rule."""
    source = random.Random(size)
    matrix, (column, row) = (
        [[fmpz(source.getrandbits(200) - (1 << 199)) for _ in range(size)] for _ in range(k)]
        for k in (size, 2)
    )
    expected = flint_determinants(matrix, column, row)
    assert laplace_determinants(matrix, column, row) == expected


# All optimal strategies


def test_hundreds_of_extreme_strategies():
    game = rock_paper_scissors(7)
    everything, solution = optimal_set(game), solve_matrix_game(game)
    assert len(everything.row) == len(everything.column) == 7**3
    for strategy in everything.row:
        replace(solution, row=strategy).check(game)
    with pytest.raises(ValueError, match=r"^a player must have few .*, got more than 3000[^\n]*$"):
        optimal_set(rock_paper_scissors(20))


# What a game is given as, and what is refused


@pytest.mark.parametrize("entry", [Fraction(1, 3**3000), 10**400, -7])
def test_the_same_payoff_everywhere_is_the_value(entry):
    assert Payoff.of([[entry] * 2] * 3).floats() == [[0.0] * 2] * 3
    for method in PATHS:
        solution = solve_matrix_game([[entry] * 2] * 3, method)
        assert (solution.value, solution.unique) == (rational(entry), False)


@pytest.mark.parametrize("kind", [object, np.uint64])
@pytest.mark.parametrize("entry", [2**62 - 1, 2**62, 2**64 - 1])
def test_integers_at_the_end_of_their_range(entry, kind):
    matrix = np.array([[entry, 0], [0, entry]], dtype=kind)
    for payoff in (matrix, matrix.tolist(), [[-entry, 0], [0, -entry]]):
        solution = solve_matrix_game(payoff)
        assert abs(solution.value) == fmpq(entry) / 2
        solution.check(payoff)


# NumPy warns of its own class of matrices, whose slices keep two dimensions.
@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
@pytest.mark.parametrize(
    "made",
    [np.ma.array, np.matrix, lambda rows: [list(map(view, row)) for row in rows], fmpz_mat, iter],
)
def test_matrices_of_other_kinds(made):
    """Of the more usual ones see the tests of own games."""
    assert solve_matrix_game(made([[3, -1], [1, 2]])).row == (fmpq(1, 5), fmpq(4, 5))


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([], "at least one row and one column"),
        ([[]], "at least one row and one column"),
        ([[1, 2], [3]], "equally long, got 2 entries in row 1 and 1 in row 2"),
        ([[1, 0.5]], "got the float 0.5; write Fraction(1, 2) or '1/2' (row 1, column 2)"),
        ([[1, 2], [3.5, float("nan")]], "got nan (row 2, column 2)"),
        ([[1, "x"]], "got 'x' (row 1, column 2)"),
        ([[1, None]], "got None (row 1, column 2)"),
        (pd.DataFrame([[1, 2], [3, None]]), "got nan (row 2, column 2)"),
        (np.ones((2, 2)), "got the float 1.0; write 1, or give an array as .astype(int) (row 1,"),
        (np.array([[3.5]]), "a payoff must be an exact rational, got the float 3.5"),
        (np.ones((2, 3, 2), int), "must be two-dimensional, got shape (2, 3, 2)"),
        (np.ma.array([[3, 1]], mask=[[1, 0]]), "a payoff must be an exact rational, got"),
        ([[[1, 2]]], "got an object of type list (row 1, column 1)"),
        ([[1, 1j]], "got an object of type complex"),
        ([[True]], "got the bool True"),
        ([1, 2], "row 1 of a payoff matrix must be a sequence, got 1"),
        (np.array([3, 1]), "row 1 of a payoff matrix must be a sequence, got 3"),
        ([{0: 3, 1: -1}, {0: 1, 1: 2}], "row 1 of a payoff matrix must be a sequence, got {"),
        ([[3, -1], {1, 2}], "row 2 of a payoff matrix must be a sequence, got {1, 2}"),
        ("12", "expected a file to read, got '12'"),
        (7, "a payoff matrix must be a sequence of rows, got 7"),
        ({(0, 0): 3, (0, 1): -1}, "a payoff matrix must be a sequence of rows, got {"),
        ({(3, -1), (1, 2)}, "a payoff matrix must be a sequence of rows, got {"),
        ([[1, "1/0"]], "must not be zero"),
    ],
)
def test_what_is_no_matrix_is_refused(matrix, message):
    for given_to in (solve_matrix_game, solve_matrix_game([[1]]).check):
        with pytest.raises(ValueError, match=rf"^[^\n]*{re.escape(message)}[^\n]*$"):
            given_to(matrix)


def test_methods_that_do_not_apply():
    with pytest.raises(
        ValueError, match="method must be 'auto', 'closed form', .* or 'simplex', got"
    ):
        solve_matrix_game([[1]], method="newton")
    with pytest.raises(ValueError, match="needs a saddle point or a 2 × 2 game, got a 3 × 3"):
        solve_matrix_game([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], method="closed form")


@pytest.mark.parametrize("bids", [14, 45])
def test_games_of_long_fractions(bids):
    """Proved in balls, on so many bids by lifting, and their ties exactly."""
    source = random.Random(bids)
    entries = [
        fmpq(source.randint(1, 10**30), source.randint(1, 10**30)) for _ in range(bids * bids)
    ]
    matrix = np.array(entries, dtype=object).reshape(bids, bids)
    solution = solve_matrix_game(matrix)
    solution.check(matrix)
    assert solution.unique and solution.method == "guided"
    assert (len(solution.support[0]) >= solve.LIFTED_ROWS) == (bids == 45)
    tied = solve_matrix_game(np.column_stack([matrix, matrix]))
    assert (tied.value, tied.row) == (solution.value, solution.row)
    assert tied.row_unique and not tied.column_unique


@pytest.mark.parametrize("size", [1, 2, 3])
def test_payoffs_of_many_digits_are_solved_and_shown_short(size):
    rng, digits = random.Random(size), 30_000
    bits = 10 * digits // 3
    # The diagonal is the largest of its row and of its column, so there is no saddle point.
    matrix = [
        [rng.getrandbits(bits) + (i == j) * (1 << bits) for j in range(size)] for i in range(size)
    ]
    solution = solve_matrix_game(matrix)
    solution.check(matrix)
    assert solution.value.numerator.digits > digits
    for text in (repr(solution), solution._repr_html_(), solution._repr_latex_()):
        assert "digits" in text and len(text) < 1200 * size
    assert len(optimal_set(matrix)._repr_html_()) < 1200 * size
