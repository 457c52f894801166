"""Matrix games: all paths on random games, and sizes and numbers that random games do not have."""

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import games
import numpy as np
import pytest
from case_runner import Wrong
from flint import fmpq

import gops_exact as gx


def test_every_method_solves_random_matrix_games():
    kinds, taken, count = Counter(), Counter(), 80
    for number in range(count):
        name, matrix = games.game(random.Random(f"suite {number}"))
        kinds[name.partition(",")[0]] += 1
        taken += games.check_paths(matrix)
    assert set(kinds) == {build.__name__ for build in (games.plain, *games.DEGENERATE)}
    paths = (*games.PATHS, "numpy", "optimal set")
    assert all(taken[path] > count // 10 for path in paths)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("value", "3/2"),
        *(("row", row) for row in ((1, 0), ("1/5", "4/5", 0), ("6/5", "-1/5"))),
        *(("column", column) for column in ((1, 0), ("3/5", "1/5"))),
    ],
)
def test_check_of_a_solution_notices_a_false_value_and_strategies_that_are_not_optimal(name, wrong):
    """By the check of random games and by a user's own."""
    matrix = [[3, -1], [1, 2]]
    right = gx.solve_matrix_game(matrix)
    games.is_equilibrium(matrix, right)
    part = tuple(map(gx.view, wrong)) if isinstance(wrong, tuple) else gx.view(wrong)
    answer = replace(right, **{name: part})
    with pytest.raises((Wrong, ValueError)):  # of another length
        games.is_equilibrium(matrix, answer)
    with pytest.raises(gx.CertificateError):
        answer.check(matrix)


@pytest.mark.parametrize(
    "matrix",
    [
        np.random.default_rng(1).integers(-100, 101, (150, 150)),
        np.random.default_rng(4).integers(-100, 101, (3000, 5)),
        np.kron(np.random.default_rng(6).integers(-1, 2, (20, 20)), np.ones((9, 9), dtype=int)),
    ],
    ids=["generic", "tall", "repeated"],
)
def test_large_matrix_games_are_solved(matrix):
    solution = gx.solve_matrix_game(matrix)
    solution.check(matrix)
    assert solution.method == "guided"


@pytest.mark.parametrize("game", [gx.known_games.hilbert(70), gx.known_games.pascal(100)], ids=repr)
def test_large_completely_mixed_games_are_solved_without_simplex_pivots(game):
    reports = []
    solution = gx.solve_matrix_game(game, progress=lambda *report: reports.append(report))
    assert (
        len(reports) == 2
    )  # the beginning and the end: a simplex on long floats would report its pivots
    solution.check()
    assert solution.method == "guided" and len(solution.support[0]) == len(solution.row)


def test_all_125_extreme_optimal_strategies_are_listed_and_thousands_are_refused():
    rock = gx.known_games.rock_paper_scissors(3).payoff
    game = np.tile(rock, (5, 5))  # each bid five times: 125 choices of three bids are extreme
    everything, solution = gx.optimal_set(game), gx.solve_matrix_game(game)
    assert len(everything.row) == len(everything.column) == 5**3
    for strategy in everything.row[::25]:
        replace(solution, row=strategy).check(game)
    with pytest.raises(ValueError, match=r"^a player must have few .*, got more than 3000[^\n]*$"):
        gx.optimal_set(np.tile(rock, (20, 20)))


LONG = {
    "any": lambda source: fmpq(source.randint(1, 10**30), source.randint(1, 10**30)),
    # The common denominator of one player's probabilities is no multiple of the other's.
    "a denominator a row": lambda source: source.randint(-9, 9),
}


@pytest.mark.parametrize(
    ("bids", "kind"),
    [(14, "any"), (38, "any"), (36, "a denominator a row"), (5, "a denominator a row")],
)
def test_matrix_games_of_long_fractions_are_solved(bids, kind):
    """Proved in balls, and their ties exactly."""
    source = random.Random(bids)
    scales = [
        fmpq(1, source.getrandbits(600) | 1) if kind != "any" else fmpq(1) for _ in range(bids)
    ]
    matrix = np.array(
        [[LONG[kind](source) * scale for _ in range(bids)] for scale in scales], dtype=object
    )
    solution = gx.solve_matrix_game(matrix)
    solution.check(matrix)
    assert solution.unique and solution.method == "guided"
    tied = gx.solve_matrix_game(np.column_stack([matrix, matrix]))
    assert (tied.value, tied.row) == (solution.value, solution.row)
    assert tied.row_unique and not tied.column_unique


@pytest.mark.parametrize("kind", [object, np.uint64])
@pytest.mark.parametrize("entry", [2**62 - 1, 2**62, 2**64 - 1])
def test_payoffs_near_the_end_of_64_bits_are_exact(entry, kind):
    matrix = np.array([[entry, 0], [0, entry]], dtype=kind)
    for payoff in (matrix, matrix.tolist(), [[-entry, 0], [0, -entry]]):
        solution = gx.solve_matrix_game(payoff)
        assert abs(solution.value) == Fraction(entry, 2)
        solution.check(payoff)
