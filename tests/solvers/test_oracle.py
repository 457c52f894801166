"""The oracle by itself: worked examples, published figures, and laws it does not build in."""

from fractions import Fraction

import pytest
from oracle import extreme_strategies, matrix_solution, position_solution, position_value

F = Fraction
HALF = F(1, 2)
MOSTLY_MIDDLE = F(1, 4), HALF, F(1, 4)


@pytest.mark.parametrize(
    ("rows", "value", "row", "column"),
    [
        # Rhoads & Bartholdi 2012, §3.1: the saddle point, the closed form, the 3 x 3 example.
        ([[3, 1], [2, 0]], 1, {(1, 0)}, {(0, 1)}),
        ([[3, -1], [1, 2]], F(7, 5), {(F(1, 5), F(4, 5))}, {(F(3, 5), F(2, 5))}),
        ([[1, -2, 3], [-4, 5, -6], [7, -8, 9]], 0, {MOSTLY_MIDDLE}, {MOSTLY_MIDDLE}),
        # Matching pennies with the first row repeated.
        ([[1, -1], [-1, 1], [1, -1]], 0, {(HALF, HALF, 0), (0, HALF, HALF)}, {(HALF, HALF)}),
        # (t, 1 - t) gets min(4t, 2, 4 - 4t), so t = 1/2; two column strategies pay 2 in each row.
        ([[4, 2, 0], [0, 2, 4]], 2, {(HALF, HALF)}, {(HALF, 0, HALF), (0, 1, 0)}),
    ],
)
def test_reference_solver_of_the_tests_finds_all_optimal_strategies_of_small_matrix_games(
    rows, value, row, column
):
    assert matrix_solution(rows).value == value
    assert extreme_strategies(rows) == (row, column)


def test_reference_solver_of_the_tests_solves_the_position_of_rhoads_and_bartholdi_2012():
    """Rhoads & Bartholdi 2012, §3.1: high with 52% on the king, 12.52 on average."""
    value, matrix = position_solution((2, 4), (1, 3), (12, 13), 13)
    assert (value, matrix) == (F(313, 25), [[25, -1], [1, 25]])
    assert extreme_strategies(matrix) == ({(F(12, 25), F(13, 25))}, {(F(13, 25), F(12, 25))})
    assert position_value((2, 4), (1, 3), (12, 13)) == F(313, 25)
    assert position_value((2, 4), (1, 3), (12, 13), order="hidden") == F(25, 2)


def test_reference_solver_of_the_tests_carries_tied_prizes_over():
    """Two points in the pot; only a tie of the threes carries anything further.

    Upcard 2, stake 4: 2v1 wins 4, then 3v3 leaves the 3 to nobody; 2v3 loses 4, then 3v1 wins 3;
    3v1 wins 4, then 2v3 loses 3; 3v3 carries 4 to 2v1, which wins 7. Upcard 3, stake 5, is alike.
    """
    state = {"ties": "carryover", "pot": 2}
    hands_and_prizes = (2, 3), (1, 3), (2, 3)
    assert position_solution(*hands_and_prizes, 2, **state) == (F(29, 11), [[4, -1], [1, 7]])
    assert position_solution(*hands_and_prizes, 3, **state) == (F(11, 3), [[5, -3], [3, 7]])
    assert position_value(*hands_and_prizes, **state) == (F(29, 11) + F(11, 3)) / 2


def test_reference_solver_of_the_tests_solves_a_worked_example_of_playing_to_win():
    """That of a win-probability solver whose author found the recursion independently (docs/win.md).

    It counts a win 1, a draw 0, a loss −1, and discards ties. The other upcard, 3, is worth as much.
    """
    hands = (1, 3), (2, 3), (2, 3)
    value, payoffs = position_solution(*hands, 2, objective="win", margin=1)
    assert payoffs == [[-1, 1], [0, -1]]
    assert extreme_strategies(payoffs)[0] == {(F(1, 3), F(2, 3))}
    assert value == position_value(*hands, objective="win", margin=1)
