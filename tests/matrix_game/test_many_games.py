"""Many matrix games at once: every interval holds the exact value, and exact answers are those of single games."""

import numpy as np
import pytest
from flint import fmpq

import gops_exact as gx

RNG = np.random.default_rng(3)
MOST = np.finfo(float).max
NEAR = RNG.normal(size=(1, 4, 6)) + 1e-13 * RNG.normal(size=(40, 4, 6))
GAMES = {
    "one bid against many": RNG.normal(size=(20, 1, 7)),
    "no ties": RNG.normal(size=(60, 5, 3)),
    "ties": RNG.integers(-2, 3, (60, 9, 9)),
    "sixteen bids": RNG.integers(-1, 2, (10, 16, 16)),
    "equal games": np.zeros((3, 4, 4)),
    "nearly equal bids": NEAR[:, :1] + 1e-14 * RNG.integers(-9, 9, (40, 5, 6)),
    "payoffs of all sizes": RNG.choice([-1, 1], (60, 5, 8))
    * 10.0 ** RNG.uniform(-30, 0, (60, 5, 8)),
    "as large as floats are": 1.7e308 * RNG.uniform(-1, 1, (20, 4, 4)),
    "the greatest float": MOST * np.array([[[-1, 0, 1e-308]], [[1, 1, 1]], [[-1, -1, -1]]]),
    "the least and the greatest float": MOST * RNG.integers(-1, 2, (20, 3, 3)),
    "as small as floats are": RNG.integers(-9, 10, (20, 4, 4)) * 5e-324,
    "another order in memory": np.asfortranarray(RNG.normal(size=(20, 3, 4))),
    "short floats": RNG.normal(size=(20, 3, 3)).astype(np.float32),
    "no games": np.zeros((0, 3, 4)),
}


def exact(number):
    return fmpq(*float(number).as_integer_ratio())


@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_float_intervals_of_many_games_contain_the_value(games):
    solved = gx.solve_matrix_games(games)
    count, m, n = games.shape
    shapes = (count,), (count, m), (count, n), (count,), (count,)
    arrays = solved.value, solved.row, solved.column, solved.lower, solved.upper
    assert tuple(array.shape for array in arrays) == shapes
    for game, value, *sides, lower, upper in zip(games, *arrays, strict=True):
        payoff = [list(map(exact, line)) for line in game]
        row, column = (list(map(exact, side)) for side in sides)
        sure = min(
            sum(p * x for p, x in zip(row, line, strict=True)) for line in zip(*payoff, strict=True)
        )
        lets_pass = max(sum(p * x for p, x in zip(column, line, strict=True)) for line in payoff)
        true = gx.solve_matrix_game(payoff).value.value
        assert exact(lower) <= sure / sum(row) <= true <= lets_pass / sum(column) <= exact(upper)
        assert lower <= value <= upper
        assert min(row + column) >= 0
        assert max(abs(sum(side) - 1) for side in (row, column)) < fmpq(1, 10**12)
        assert exact(upper) - exact(lower) <= exact(np.abs(game).max()) / 10**12 + exact(2e-323)


@pytest.mark.parametrize("games", GAMES.values(), ids=GAMES)
def test_matrix_games_solved_exactly_in_one_call_have_the_values_of_single_calls(games):
    integers = np.rint(games)
    for game, solution in zip(integers, gx.solve_matrix_games(integers, exactly=True), strict=True):
        payoff = [list(map(int, line)) for line in game]
        assert solution.value == gx.solve_matrix_game(payoff).value
        solution.check(payoff)


WRONG = {
    "shape (games, rows, columns), got (2, 2)": [[1, 2], [3, 4]],
    "array of shape (games, rows, columns), got [[[1, 2]], [[3]]]": [[[1, 2]], [[3]]],
    "64-bit floats, got complex128": np.zeros((1, 1, 1), complex),
    "at most 53 bits": [[[-(2**53) - 1]]],
    "finite": [[[np.nan]]],
    "finite numbers": np.ma.masked_equal([[[1, 2]]], 2),
}


@pytest.mark.parametrize(("message", "games"), WRONG.items(), ids=WRONG)
def test_solve_matrix_games_refuses_payoffs_of_wrong_shape_type_or_size(message, games):
    with pytest.raises(ValueError) as refused:
        gx.solve_matrix_games(games)
    assert message in str(refused.value)
    with pytest.raises(ValueError, match="payoffs must be integers where exactly is True"):
        gx.solve_matrix_games([[[0.5]]], exactly=True)
