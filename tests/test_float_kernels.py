"""The kernels against their plain Python twins, and their brackets against exact values."""

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from flint import fmpq

from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.recursion import float_bracket, float_settle, float_simplex, float_weights
from gops_exact.recursion.floating import gamma

SIZE = 6


def random_games(count, seed, kind):
    """Square games of SIZE, floats; degenerate ones of the given kind."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        if kind == "generic":
            yield random.normal(size=(SIZE, SIZE)) * 5
        elif kind == "few values":
            yield random.integers(-1, 2, size=(SIZE, SIZE)).astype(float)
        elif kind == "repeated lines":
            core = random.normal(size=(3, 3))
            yield core[random.integers(0, 3, SIZE)][:, random.integers(0, 3, SIZE)]
        elif kind == "nearly equal lines":
            core = random.normal(size=(3, 3))
            lines = core[random.integers(0, 3, SIZE)][:, random.integers(0, 3, SIZE)]
            yield lines + random.normal(size=(SIZE, SIZE)) * 1e-13
        elif kind == "antisymmetric":
            half = random.normal(size=(SIZE, SIZE))
            yield half - half.T
        else:
            yield np.zeros((SIZE, SIZE))


KINDS = (
    "generic",
    "few values",
    "repeated lines",
    "nearly equal lines",
    "antisymmetric",
    "zero",
)


def exact_value(game):
    payoff = [[fmpq(*float(entry).as_integer_ratio()) for entry in row] for row in game]
    return solve_tableau(payoff)[0]


def rounding(game):
    """How far a computed side of a bracket may be off."""
    return gamma(2 * SIZE + 2) * np.abs(game).max()


def holds(lower, upper, value, slack):
    """lower − slack ≤ value ≤ upper + slack, exactly."""
    low, high, off = (fmpq(*float(x).as_integer_ratio()) for x in (lower, upper, slack))
    return low - off <= value <= high + off


def filled(games):
    """Scratch with the games side by side, entries by lanes."""
    s = float_settle.scratch(SIZE)
    for q, game in enumerate(games):
        s.payoff[:, q] = game.ravel()
    return s


def both(kernel, make):
    """What a kernel and its twin return and leave in their arguments."""
    results = []
    for function in (kernel, kernel.py_func):
        arguments = make()
        with np.errstate(all="ignore"):
            result = function(*arguments)
        arrays = []
        for argument in arguments:
            arrays.extend(argument if isinstance(argument, tuple) else [argument])
        results.append((result, [a for a in arrays if isinstance(a, np.ndarray)]))
    return results


def assert_equal_twins(kernel, make):
    (result, arrays), (twin_result, twin_arrays) = both(kernel, make)
    np.testing.assert_array_equal(result, twin_result)
    for array, twin in zip(arrays, twin_arrays, strict=True):
        np.testing.assert_array_equal(array, twin)


def tables():
    """A tableau, and the variables of its rows and columns."""
    return (
        np.zeros((SIZE + 1, SIZE + 1)),
        np.zeros(SIZE, np.int64),
        np.zeros(SIZE, np.int64),
    )


def assert_twins_on(game, m, n):
    """Every kernel for one game does what its twin does on this one."""
    assert_equal_twins(float_simplex.saddle, lambda: (game, m, n))
    for bland in (False, True):
        assert_equal_twins(float_simplex.simplex, lambda bland=bland: (game, m, n, bland, *tables()))
        assert_equal_twins(
            float_simplex.propose,
            lambda bland=bland: (game, m, n, bland, *tables(), np.zeros((2, SIZE), np.int64)),
        )
    basis, final = np.zeros((2, SIZE), np.int64), tables()
    float_simplex.simplex(game, m, n, False, *final)
    assert_equal_twins(
        float_bracket.bracket_tableau, lambda: (game, m, n, *final, np.zeros(SIZE), np.zeros(SIZE))
    )
    size = float_simplex.propose(game, m, n, False, *tables(), basis)
    assert_equal_twins(
        float_simplex.order_pivots, lambda: (game, m, n, size, np.zeros((SIZE, SIZE)), basis.copy())
    )
    work = np.zeros((SIZE, SIZE)), np.zeros(SIZE), np.zeros(SIZE)
    assert_equal_twins(float_bracket.bracket_game, lambda: (game, m, n, basis, size, *work))


@pytest.mark.parametrize("kind", KINDS)
def test_single_game_kernels_equal_their_twins(kind):
    for game in random_games(6, 1, kind):
        for m, n in ((SIZE, SIZE), (3, 5), (1, 4)):
            assert_twins_on(game, m, n)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("size", range(1, SIZE + 1))
def test_lane_kernels_equal_their_twins(kind, size):
    s = filled(random_games(5, size, kind))
    basis = np.array([np.arange(SIZE), np.arange(SIZE)[::-1]])
    places = np.array([i * SIZE + SIZE - 1 - j for i in range(size) for j in range(size)])
    lanes = 5

    def weights():
        return np.zeros((SIZE, lanes))

    if size <= 4:
        assert_equal_twins(float_weights.weigh_few, lambda: (s.payoff, places, size, lanes, weights()))
    if size in {2, 3, 4}:
        kernel = (float_weights.weigh_two, float_weights.weigh_three, float_weights.weigh_four)[size - 2]
        assert_equal_twins(kernel, lambda: (s.payoff, places, lanes, weights()))
    if size >= 2:
        assert_equal_twins(
            float_weights.weigh_any,
            lambda: (
                *(s.payoff, places, size, lanes),
                *(np.zeros((SIZE**2, lanes)), weights(), weights()),
            ),
        )
    assert_equal_twins(
        float_weights.combine, lambda: (s.payoff[SIZE:], s.payoff, places, size, lanes, np.zeros(lanes))
    )
    assert_equal_twins(
        float_bracket.bracket_lanes,
        lambda: (
            *(s.payoff, SIZE, SIZE, lanes, basis, size),
            *(np.zeros((SIZE**2 + 3, lanes)), np.zeros(SIZE**2, np.int64), weights(), weights()),
            *(np.zeros(lanes), np.zeros(lanes)),
        ),
    )


@pytest.mark.parametrize("kind", KINDS)
def test_settling_equals_its_twin(kind):
    games = list(random_games(9, 3, kind))

    def arguments():
        s = filled(games)
        s.lane[:9] = [0, 1, 2, 3, 4, 5, 6, 7, 0]
        # The last column is nobody's.
        return SIZE, SIZE, 9, 1e-10, s, np.zeros(9), np.zeros(9), np.zeros(5, np.int64)

    assert_equal_twins(float_settle.settle_lanes, arguments)


def test_weights_on_small_bases_are_those_of_elimination():
    s = filled(random_games(40, 4, "generic"))
    for size in (2, 3, 4):
        places = np.array([i * SIZE + j for i in range(size) for j in range(size)])
        turned = np.array([i * SIZE + j for j in range(size) for i in range(size)])
        row, column, one, two = (np.zeros((size, 40)) for _ in range(4))
        float_weights.weigh_any(s.payoff, places, size, 40, np.zeros((9, 40)), row, column)
        float_weights.weigh_few(s.payoff, places, size, 40, one)
        float_weights.weigh_few(s.payoff, turned, size, 40, two)
        np.testing.assert_allclose(one, row, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(two, column, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_brackets_hold_the_exact_value(kind):
    for game in random_games(30, 5, kind):
        s, counts = float_settle.scratch(SIZE), np.zeros(5, np.int64)
        s.game[:] = game
        lower, upper, _ = float_settle.settle_one(SIZE, SIZE, 1e-10, s, counts)
        assert holds(lower, upper, exact_value(game), rounding(game))
        assert upper - lower <= 1e-10
        assert counts[float_settle.FAILED] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_any_basis_brackets_the_value(kind):
    random = np.random.default_rng(6)
    games = list(random_games(16, 6, kind))
    values = [exact_value(game) for game in games]
    for size in range(1, SIZE + 1):
        basis = np.array([random.permutation(SIZE), random.permutation(SIZE)])
        s = filled(games)
        float_bracket.bracket_lanes(
            *(s.payoff, SIZE, SIZE, 16, basis, size, s.work, s.places, s.row, s.column),
            *(s.lower, s.upper),
        )
        for q, game in enumerate(games):
            if np.isfinite(s.lower[q]):
                assert holds(s.lower[q], 1e9, values[q], rounding(game))
            if np.isfinite(s.upper[q]):
                assert holds(-1e9, s.upper[q], values[q], rounding(game))


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_will_not_settle_is_counted_and_still_bracketed(kind):
    for game in random_games(8, 7, kind):
        s, counts = float_settle.scratch(SIZE), np.zeros(5, np.int64)
        s.game[:] = game
        # No bracket is narrow enough, so every path is gone through.
        lower, upper, guess = float_settle.settle_one(SIZE, SIZE, -1.0, s, counts)
        assert (counts[float_settle.ROBUST], counts[float_settle.FAILED], guess) == (1, 1, -1)
        assert holds(lower, upper, exact_value(game), rounding(game))
        assert upper - lower <= 1e-10


@pytest.mark.parametrize("bland", [False, True])
def test_a_simplex_that_is_stopped_leaves_strategies(bland):
    (game,) = random_games(1, 8, "generic")
    tableau, in_row, in_column = tables()
    assert float_simplex.simplex(game, SIZE, SIZE, bland, tableau, in_row, in_column)
    tableau[:, 0] = tableau[1] = np.nan
    lower, upper = float_bracket.bracket_tableau(
        game, SIZE, SIZE, tableau, in_row, in_column, np.zeros(SIZE), np.zeros(SIZE)
    )
    assert holds(lower, upper, exact_value(game), rounding(game))


def test_lanes_that_differ_in_everything_are_all_settled():
    games = [game for kind in KINDS for game in random_games(20, 9, kind)]
    s, counts = filled(games), np.zeros(5, np.int64)
    count = len(games)
    s.lane[:count] = np.arange(count)
    values, halves = np.zeros(count + 1), np.zeros(count + 1)
    float_settle.settle_lanes(SIZE, SIZE, count, 1e-10, s, values, halves, counts)
    for game, value, half in zip(games, values[:-1], halves[:-1], strict=True):
        slack = half + 2 * rounding(game)
        assert holds(value, value, exact_value(game), slack)
    assert halves[:-1].max() <= 1e-10


@cache
def values_without_compilation():
    """The values of the whole game of four cards from plain Python, in a process of its own."""
    code = (
        "import json, numpy as np\n"
        "from gops_exact.order_types import order_types\n"
        "from gops_exact.recursion.floating import float_layers\n"
        "with np.errstate(all='ignore'):\n"
        "    layers = list(float_layers(order_types(range(1, 5), range(1, 5)), jobs=1))\n"
        "print(json.dumps([[x.values.tolist(), x.bounds.tolist()] for x in layers]))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    return json.loads(run.stdout)


def test_the_sweep_equals_its_twin():
    from gops_exact.order_types import order_types
    from gops_exact.recursion.floating import float_layers

    layers = list(float_layers(order_types(range(1, 5), range(1, 5)), jobs=1))
    assert [
        [layer.values.tolist(), layer.bounds.tolist()] for layer in layers
    ] == values_without_compilation()
