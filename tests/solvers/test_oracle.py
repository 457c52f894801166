"""The oracle by itself: worked examples, published figures, and laws it does not build in."""

from fractions import Fraction

import pytest
from hypothesis import given
from oracle import (
    EVERY_RULE,
    extreme_strategies,
    is_optimal,
    matrix_solution,
    position_solution,
    position_value,
)
from strategies import any_matrices, rationals

F = Fraction
BY_RULE = pytest.mark.parametrize("rules", EVERY_RULE, ids="-".join)


# Matrix games


@pytest.mark.parametrize(
    ("rows", "value", "row", "column"),
    [
        # Rhoads & Bartholdi 2012, §3.1: the saddle point, the closed form, the 3 x 3 example.
        ([[3, 1], [2, 0]], F(1), (1, 0), (0, 1)),
        ([[3, -1], [1, 2]], F(7, 5), (F(1, 5), F(4, 5)), (F(3, 5), F(2, 5))),
        (
            [[1, -2, 3], [-4, 5, -6], [7, -8, 9]],
            F(0),
            (F(1, 4), F(1, 2), F(1, 4)),
            (F(1, 4), F(1, 2), F(1, 4)),
        ),
        # Rock, paper, scissors with stakes 1, 2, 3: probabilities go as the opposite stakes.
        (
            [[0, -1, 2], [1, 0, -3], [-2, 3, 0]],
            F(0),
            (F(1, 2), F(1, 3), F(1, 6)),
            (F(1, 2), F(1, 3), F(1, 6)),
        ),
        ([[5]], F(5), (1,), (1,)),
    ],
)
def test_games_with_one_solution(rows, value, row, column):
    assert matrix_solution(rows) == (value, row, column)
    assert extreme_strategies(rows) == ({row}, {column})


def test_extreme_strategies_of_games_with_many():
    half = F(1, 2)
    units = {(1, 0), (0, 1)}
    assert extreme_strategies([[7, 7], [7, 7]]) == (units, units)
    # Matching pennies with the first row repeated.
    assert extreme_strategies([[1, -1], [-1, 1], [1, -1]]) == (
        {(half, half, 0), (0, half, half)},
        {(half, half)},
    )
    # (t, 1 - t) gets min(4t, 2, 4 - 4t), so t = 1/2; two column strategies pay 2 in each row.
    assert extreme_strategies([[4, 2, 0], [0, 2, 4]]) == (
        {(half, half)},
        {(half, 0, half), (0, 1, 0)},
    )


@given(any_matrices(), rationals())
def test_no_other_value_passes_for_optimal(rows, error):
    value, row, column = matrix_solution(rows)
    assert is_optimal(rows, value + error, row, column) == (error == 0)


# Positions, worked by hand


def test_queen_and_king():
    """Rhoads & Bartholdi 2012, §3.1: high with 52% on the king, 12.52 on average."""
    value, matrix = position_solution((2, 4), (1, 3), (12, 13), 13)
    assert matrix == [[25, -1], [1, 25]]
    assert value == F(313, 25)
    assert extreme_strategies(matrix) == ({(F(12, 25), F(13, 25))}, {(F(13, 25), F(12, 25))})
    assert position_value((2, 4), (1, 3), (12, 13)) == F(313, 25)
    assert position_value((2, 4), (1, 3), (12, 13), order="hidden") == F(25, 2)


def test_carryover():
    """Two points in the pot; only a tie of the threes carries anything further.

    Upcard 2, stake 4: 2v1 wins 4, then 3v3 leaves the 3 to nobody; 2v3 loses 4, then 3v1 wins 3;
    3v1 wins 4, then 2v3 loses 3; 3v3 carries 4 to 2v1, which wins 7. Upcard 3, stake 5, likewise.
    """
    state = {"ties": "carryover", "pot": 2}
    hands_and_prizes = (2, 3), (1, 3), (2, 3)
    assert position_solution(*hands_and_prizes, 2, **state) == (F(29, 11), [[4, -1], [1, 7]])
    assert position_solution(*hands_and_prizes, 3, **state) == (F(11, 3), [[5, -3], [3, 7]])
    assert position_value(*hands_and_prizes, **state) == (F(29, 11) + F(11, 3)) / 2


def test_an_unclaimed_last_pot_is_nobodys():
    for objective in ("points", "win"):
        rules = {"objective": objective, "ties": "carryover", "pot": 9}
        assert position_value((4,), (4,), (3,), **rules) == 0
    assert position_value((5,), (4,), (3,), ties="carryover", pot=9) == 12


@pytest.mark.parametrize(("margin", "value"), [(-4, -1), (-3, 0), (-2, 1), (0, 1)])
def test_margin_decides_who_wins(margin, value):
    assert position_value((2,), (1,), (3,), objective="win", margin=margin) == value


def test_fixed_order_is_the_order_given():
    """First for 1, then for 9: throw the 1 away, or win it and lose the 9."""
    assert position_solution((2, 3), (1, 3), (1, 9), 1, order="fixed")[1] == [[1, 8], [-8, 9]]
    assert position_solution((2, 3), (1, 3), (9, 1), 9, order="fixed")[1] == [[9, -8], [8, 1]]


@pytest.mark.parametrize(("order", "upcard"), [("random", 4), ("fixed", 2), ("hidden", 1)])
def test_an_upcard_that_cannot_come_up_is_refused(order, upcard):
    with pytest.raises(ValueError, match="expected an upcard"):
        position_solution((1, 2), (1, 2), (1, 2), upcard, order=order)


def test_an_unknown_rule_is_refused():
    with pytest.raises(ValueError, match="expected one of"):
        position_value((1,), (1,), (1,), ties="split")
