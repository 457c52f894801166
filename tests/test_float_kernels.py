"""The kernels against their plain Python twins, and their brackets against exact values."""

import json
import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.recursion import float_bracket, float_settle, float_simplex, float_weights
from gops_exact.recursion.float_bounds import gamma

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


def padded_game(game):
    """A game with zeros to the end of its rows."""
    padded = np.zeros((SIZE, float_simplex.padded(SIZE)))
    padded[: len(game), : len(game[0])] = game
    return padded


def tables():
    """A tableau, and the variables of its rows and columns."""
    return np.zeros((SIZE + 3, float_simplex.padded(SIZE))), np.zeros((2, SIZE), np.int64)


def no_basis():
    return np.zeros((2, SIZE), np.int64)


def solved(game, m, n, basis, size, bland=False):
    """The tableau and variables where the simplex ends from a basis, and the number of pivots."""
    tableau, variables = tables()
    scale = 1.0 / max(np.abs(game).max(), 1e-150)
    float_simplex.load(game, m, n, 0.0, scale, tableau, variables)
    pivots = float_simplex.solve(m, n, basis, size, bland, tableau, variables)
    return tableau, variables, pivots


def basis_of(game, m, n):
    """The basis where the simplex ends, and its size."""
    _, variables, _ = solved(game, m, n, no_basis(), 0)
    basis = no_basis()
    return basis, float_simplex.read_basis(m, n, variables, basis)


def weights_of(tableau, variables, m, n):
    weights = np.zeros((3, tableau.shape[1]))
    float_simplex.read_weights(tableau, m, n, variables, weights)
    return weights


def assert_twins_on(game, m, n):
    """Every kernel for one game does what its twin does on this one."""
    assert_equal_twins(float_simplex.saddle, lambda: (game, m, n))
    assert_equal_twins(float_simplex.load, lambda: (game, m, n, 0.25, 0.5, *tables()))
    basis, size = basis_of(game, m, n)
    for bland in (False, True):
        for start in (0, size):
            tableau, variables = tables()
            float_simplex.load(game, m, n, 0.0, 0.01, tableau, variables)
            choosers = [(float_simplex.choose, (tableau, m, n))]
            choosers.append((float_simplex.choose_bland, (tableau, m, n, variables)))
            for chooser, arguments in choosers:
                assert_equal_twins(chooser, lambda arguments=arguments: arguments)
            assert_equal_twins(
                float_simplex.solve,
                lambda bland=bland, start=start, tableau=tableau, variables=variables: (
                    *(m, n, basis.copy(), start, bland, tableau.copy(), variables.copy()),
                ),
            )
    tableau, variables, _ = solved(game, m, n, basis, size)
    assert_equal_twins(float_simplex.read_basis, lambda: (m, n, variables, no_basis()))
    assert_equal_twins(
        float_simplex.read_weights, lambda: (tableau, m, n, variables, np.zeros((3, 8)))
    )
    weights = weights_of(tableau, variables, m, n)
    assert_equal_twins(float_bracket.bracket_game, lambda: (game, m, n, weights.copy()))
    assert_equal_twins(
        float_simplex.order_pivots, lambda: (game, m, n, size, np.zeros((SIZE, SIZE)), basis.copy())
    )


@pytest.mark.parametrize("kind", KINDS)
def test_single_game_kernels_equal_their_twins(kind):
    for game in random_games(6, 1, kind):
        for m, n in ((SIZE, SIZE), (3, 5), (1, 4)):
            assert_twins_on(padded_game(game[:m, :n]), m, n)


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
        assert_equal_twins(
            float_weights.weigh_few, lambda: (s.payoff, places, size, lanes, weights())
        )
    if size in {2, 3, 4}:
        kernel = (float_weights.weigh_two, float_weights.weigh_three, float_weights.weigh_four)[
            size - 2
        ]
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
        float_weights.combine,
        lambda: (s.payoff[SIZE:], s.payoff, places, size, lanes, np.zeros(lanes)),
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
@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("state", [(0, 0, 0), (0, 1000, 0)], ids=["together", "one by one"])
def test_settling_equals_its_twin(kind, pure, state):
    games = list(random_games(9, 3, kind))

    def arguments():
        s = filled(games)
        s.lane[:9] = [0, 1, 2, 3, 4, 5, 6, 7, 0]
        # The last column is nobody's.
        values, halves, counts = np.zeros(9), np.zeros(9), np.zeros(5, np.int64)
        return SIZE, SIZE, 9, pure, 0.05, 1e-10, s, np.array(state), values, halves, counts

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
        s.game[:, :SIZE] = game
        lower, upper = float_settle.settle_game(SIZE, SIZE, 1e-10, s, counts)
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


def plain_bracket(game, rows, columns):
    """What the indifference strategies of a basis secure, in fractions; None if one is no strategy."""
    payoff = [[fmpq(*float(entry).as_integer_ratio()) for entry in line] for line in game]

    def weights(square):
        # Weights with which every column is worth the same, and which sum to one.
        size = len(square)
        lines = [[*column, -1] for column in zip(*square, strict=True)] + [[1] * size + [0]]
        right = fmpq_mat([[fmpq(0)]] * size + [[fmpq(1)]])
        return [line[0] for line in fmpq_mat(lines).solve(right).table()[:size]]

    square = [[payoff[i][j] for j in columns] for i in rows]
    try:
        one, two = weights(square), weights(list(zip(*square, strict=True)))
    except ZeroDivisionError:
        return None
    if min(*one, *two) <= 0:
        return None
    lower = [sum(x * payoff[i][j] for x, i in zip(one, rows, strict=True)) for j in range(SIZE)]
    upper = [sum(y * payoff[i][j] for y, j in zip(two, columns, strict=True)) for i in range(SIZE)]
    return min(lower), max(upper)


def test_brackets_of_a_basis_are_those_in_fractions():
    games = [game for kind in ("generic", "antisymmetric") for game in random_games(16, 10, kind)]
    sizes = []
    for q, game in enumerate(games):
        s = filled(games)
        basis, size = basis_of(padded_game(game), SIZE, SIZE)
        float_simplex.order_pivots(game, SIZE, SIZE, size, np.zeros((SIZE, SIZE)), basis)
        float_bracket.bracket_lanes(
            *(s.payoff, SIZE, SIZE, len(games), basis, size, s.work, s.places, s.row, s.column),
            *(s.lower, s.upper),
        )
        for p, other in enumerate(games):
            plain = plain_bracket(other, *basis[:, :size].tolist())
            assert plain is not None or p != q
            if plain is None:
                continue
            low, high = (float(side.p) / float(side.q) for side in plain)
            # In another game a pivot may be zero.
            if p == q or np.isfinite(s.lower[p]):
                assert (s.lower[p], s.upper[p]) == pytest.approx((low, high), abs=1e-9)
            sizes.append(size)
    assert len(sizes) > 2 * len(games)
    # Up to four bids by formulas, beyond by elimination.
    assert {2, 3, 4} < set(sizes)


def test_a_weight_slightly_below_zero_proves_nothing():
    # On the basis of all bids player one's second weight would be −5·10⁻¹⁰, and the value 5·10⁻⁷
    # more than it is.
    game = np.array([[1.0, 1.0 + 5e-7], [-1000.0, 0.0]])
    basis = np.array([[0, 1], [0, 1]])
    for payoff, value in ((game, fmpq(1)), (-game.T.copy(), fmpq(-1))):
        s = float_settle.scratch(2)
        s.payoff[:, 0] = payoff.ravel()
        float_bracket.bracket_lanes(
            *(s.payoff, 2, 2, 1, basis, 2, s.work, s.places, s.row, s.column, s.lower, s.upper)
        )
        if np.isfinite(s.lower[0]) and np.isfinite(s.upper[0]):
            assert holds(s.lower[0], s.upper[0], value, gamma(6) * 1000)


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_will_not_settle_is_counted_and_still_bracketed(kind):
    for game in random_games(8, 7, kind):
        s, counts = float_settle.scratch(SIZE), np.zeros(5, np.int64)
        s.game[:, :SIZE] = game
        # No bracket is narrow enough, so every path is gone through.
        lower, upper = float_settle.settle_game(SIZE, SIZE, -1.0, s, counts)
        assert (counts[float_settle.ROBUST], counts[float_settle.FAILED]) == (1, 1)
        assert holds(lower, upper, exact_value(game), rounding(game))
        assert upper - lower <= 1e-10


@pytest.mark.parametrize("kind", KINDS)
def test_any_basis_will_do_to_begin_with(kind):
    random = np.random.default_rng(11)
    ended = 0
    for game in random_games(30, 12, kind):
        value, padded = exact_value(game), padded_game(game)
        for bland in (False, True):
            size = int(random.integers(0, SIZE + 1))
            basis = np.array([random.permutation(SIZE), random.permutation(SIZE)])
            tableau, variables, pivots = solved(padded, SIZE, SIZE, basis, size, bland)
            lower, upper = float_bracket.bracket_game(
                padded, SIZE, SIZE, weights_of(tableau, variables, SIZE, SIZE)
            )
            assert holds(max(lower, -1e9), min(upper, 1e9), value, rounding(game))
            ended += pivots >= 0 and upper - lower < 1e-9
    # The greedy rule may get stuck; then the next attempt begins anew.
    assert ended >= 50


@pytest.mark.parametrize("bland", [False, True])
def test_its_own_basis_takes_no_pivot(bland):
    for game in random_games(20, 13, "generic"):
        padded = padded_game(game)
        basis, size = basis_of(padded, SIZE, SIZE)
        assert solved(padded, SIZE, SIZE, basis, size, bland)[2] == 0


def test_a_tableau_that_is_damaged_still_leaves_strategies():
    (game,) = random_games(1, 8, "generic")
    padded = padded_game(game)
    tableau, variables, _ = solved(padded, SIZE, SIZE, no_basis(), 0)
    tableau[:, 0] = tableau[1] = np.nan
    lower, upper = float_bracket.bracket_game(
        padded, SIZE, SIZE, weights_of(tableau, variables, SIZE, SIZE)
    )
    assert not lower > upper
    if np.isfinite(lower) and np.isfinite(upper):
        assert holds(lower, upper, exact_value(game), rounding(game))


@pytest.mark.parametrize("pure", [False, True])
@pytest.mark.parametrize("state", [(0, 0, 0), (0, 1000, 0)], ids=["together", "one by one"])
def test_lanes_that_differ_in_everything_are_all_settled(pure, state):
    games = [game for kind in KINDS for game in random_games(20, 9, kind)]
    s, counts = filled(games), np.zeros(5, np.int64)
    count = len(games)
    s.lane[:count] = np.arange(count)
    values, halves = np.zeros(count + 1), np.zeros(count + 1)
    float_settle.settle_lanes(
        SIZE, SIZE, count, pure, 0.05, 1e-10, s, np.array(state), values, halves, counts
    )
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
