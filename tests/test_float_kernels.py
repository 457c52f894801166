"""The kernels against their plain Python twins, and their brackets against exact values."""

import json
import os
import subprocess
import sys
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from flint import fmpq

from gops_exact.layers.bounds import gamma
from gops_exact.layers.kernels import settle, simplex
from gops_exact.layers.kernels import vectors as operations
from gops_exact.matrix_game.simplex import solve_tableau

SIZE = 6
LANES = operations.VECTOR


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
    s = settle.scratch(SIZE)
    for q, game in enumerate(games):
        s.payoff[: game.size, q] = game.ravel()
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
    padded = np.zeros((SIZE, simplex.padded(SIZE)))
    padded[: len(game), : len(game[0])] = game
    return padded


def tables():
    """A tableau, and the variables of its rows and columns."""
    return np.zeros((SIZE + 3, simplex.padded(SIZE))), np.zeros((2, SIZE), np.int64)


def entries(tableau):
    """A tableau, one number to a row."""
    return tableau.reshape(-1, 1)


def no_basis():
    return np.zeros((2, SIZE), np.int64)


def loaded(game, m, n):
    """The tableau and variables of a game without a basis."""
    tableau, variables = tables()
    factor = 1.0 / max(np.abs(game).max(), 1e-150)
    simplex.load(game, m, n, 0.0, factor, tableau, variables)
    return tableau, variables


def solved(game, m, n, bland=False):
    """The tableau and variables where the simplex ends, and whether it did."""
    tableau, variables = loaded(game, m, n)
    ended = simplex.solve(m, n, bland, tableau, entries(tableau), variables)
    return tableau, variables, ended


def basis_of(game, m, n):
    """The basis where the simplex ends, and its size."""
    _, variables, _ = solved(game, m, n)
    basis = no_basis()
    return basis, simplex.read_basis(m, n, variables, basis)


def weights_of(tableau, variables, m, n):
    """Both players' weights, and room to work in."""
    weights = np.zeros((3, tableau.shape[1]))
    simplex.read_weights(
        *(entries(tableau), 0, tableau.shape[1], m, n, variables, weights.T, 0, weights.T, 1)
    )
    return weights


def assert_twins_on(game, m, n):
    """Every kernel for one game does what its twin does on this one."""
    assert_equal_twins(simplex.saddle, lambda: (game, m, n))
    assert_equal_twins(simplex.load, lambda: (game, m, n, 0.25, 0.5, *tables()))
    width = simplex.padded(SIZE)
    for bland in (False, True):
        for tableau, variables in (loaded(game, m, n), solved(game, m, n)[:2]):
            state = (entries(tableau), 0, width, m, n)
            assert_equal_twins(simplex.choose, lambda state=state: state)
            assert_equal_twins(
                simplex.choose_bland,
                lambda state=state, variables=variables: (*state, variables),
            )

        def start(bland=bland):
            tableau, variables = loaded(game, m, n)
            return m, n, bland, tableau, entries(tableau), variables

        assert_equal_twins(simplex.solve, start)
    tableau, variables, _ = solved(game, m, n)
    assert_equal_twins(simplex.read_basis, lambda: (m, n, variables, no_basis()))
    assert_equal_twins(
        simplex.read_weights,
        lambda: (
            *(entries(tableau), 0, width, m, n, variables),
            *(np.ones((SIZE, 2)), 1, np.ones((SIZE, 1)), 0),
        ),
    )
    weights = weights_of(tableau, variables, m, n)
    assert_equal_twins(settle.bracket_game, lambda: (game, m, n, weights.copy()))


@pytest.mark.parametrize("kind", KINDS)
def test_single_game_kernels_equal_their_twins(kind):
    for game in random_games(6, 1, kind):
        for m, n in ((SIZE, SIZE), (3, 5), (1, 4)):
            assert_twins_on(padded_game(game[:m, :n]), m, n)


def vectors(rows, seed=0, odd=()):
    """Vectors of random numbers, some of them odd ones."""
    random = np.random.default_rng(seed)
    found = random.normal(size=(rows, LANES))
    for number in odd:
        found[random.integers(rows), random.integers(LANES)] = number
    return found


OPERATIONS = {
    "fill": (lambda v: (v.t, 1, 3, 0.5), lambda _: np.full((3, LANES), 0.5)),
    "shift": (lambda v: (v.t, 1, v.a, 2, 0.5), lambda v: v.a[2:3] + 0.5),
    "invert": (lambda v: (v.t, 1, v.a, 2), lambda v: 1 / v.a[2:3]),
    "scale": (lambda v: (v.t, 1, 3, v.a, 2), lambda v: v.t[1:4] * v.a[2]),
    "eliminate": (
        lambda v: (v.t, 1, 3, v.a, 2, v.b, 4),
        lambda v: v.t[1:4] - v.a[2] * v.b[4:7],
    ),
    "affine": (
        lambda v: (v.t, 1, 3, v.a, 2, v.b, 1, 2, 0.5),
        lambda v: v.a[2] * v.b[1:7:2] + 0.5,
    ),
    "add_up": (lambda v: (v.t, 1, v.b, 4, 3), lambda v: 0 + v.b[4] + v.b[5] + v.b[6]),
    "dot": (
        lambda v: (v.t, 1, v.a, 2, v.b, 1, 2, 3),
        lambda v: 0 + v.a[2] * v.b[1] + v.a[3] * v.b[3] + v.a[4] * v.b[5],
    ),
    "least": (lambda v: (v.t, 1, v.b, 1, 2, 3), lambda v: v.b[1:7:2].min(axis=0)),
    "most": (lambda v: (v.t, 1, v.b, 1, 2, 3), lambda v: v.b[1:7:2].max(axis=0)),
}
"""The arguments of a vector operation, and what it is to put from row 1 on."""


@pytest.mark.parametrize("name", OPERATIONS)
def test_vector_operations_do_what_they_say(name):
    arguments, expected = OPERATIONS[name]
    operation = getattr(operations, name)
    for run in (operation, operation.py_func):
        target, a, b = vectors(7, 1), vectors(7, 2), vectors(7, 3)
        right = target.copy()
        operands = SimpleNamespace(t=target, a=a, b=b)
        put = np.atleast_2d(expected(operands))
        right[1 : 1 + len(put)] = put
        run(*arguments(operands))
        np.testing.assert_array_equal(target, right)


@pytest.mark.parametrize("name", OPERATIONS)
def test_vector_operations_equal_their_twins_on_odd_numbers(name):
    def arguments():
        odd = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308)
        target, a, b = (vectors(7, seed, odd) for seed in (1, 2, 3))
        return OPERATIONS[name][0](SimpleNamespace(t=target, a=a, b=b))

    assert_equal_twins(getattr(operations, name), arguments)


def test_elimination_by_a_row_of_its_own_target():
    # As in a pivot: the factor is one of the entries that change.
    for run in (operations.eliminate, operations.eliminate.py_func):
        target, b = vectors(4, 1), vectors(4, 2)
        right = target[:4] - target[1] * b
        run(target, 0, 4, target, 1, b, 0)
        np.testing.assert_array_equal(target, right)


def test_aligned_arrays_begin_at_a_multiple_of_a_vector():
    for rows, columns in ((1, 8), (3, 8), (5, 24), (7, 520)):
        array = operations.aligned(rows, columns)
        assert array.shape == (rows, columns)
        assert array.ctypes.data % (8 * LANES) == 0


def games_of_a_vector(kind, seed):
    return list(random_games(LANES, seed, kind))


def loaded_lanes(games, m=SIZE, n=SIZE):
    """The tableaus of games side by side, without a basis."""
    s = filled([game[:m, :n] for game in games])
    factor = 1.0 / max(*(np.abs(game).max() for game in games), 1e-150)
    simplex.load_lanes(s.payoffs, 0, settle.VECTORS, m, n, factor, s.tableaus, s.together)
    return s


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sides", [(SIZE, SIZE), (3, 5), (1, 4)], ids=str)
def test_kernels_for_vectors_equal_their_twins(kind, sides):
    m, n = sides
    games = games_of_a_vector(kind, 1)
    basis, size = basis_of(padded_game(games[0][:m, :n]), m, n)

    def raw():
        s = filled([game[:m, :n] for game in games])
        return s.payoffs, 0, settle.VECTORS, m, n

    def tableaus():
        s = loaded_lanes(games, m, n)
        return s.tableaus, s.together

    def ends():
        return np.zeros((SIZE + 1, LANES)), np.zeros((1, LANES)), np.zeros((1, LANES))

    assert_equal_twins(
        simplex.load_lanes,
        lambda: (*raw(), 0.25, settle.scratch(SIZE).tableaus, no_basis()),
    )
    assert_equal_twins(simplex.pivot_lanes, lambda: (tableaus()[0], m, n, m - 1, 0, tableaus()[1]))
    assert_equal_twins(simplex.least_lanes, lambda: (tableaus()[0], m, n))
    for start in (0, size):
        assert_equal_twins(
            simplex.solve_lanes,
            lambda start=start: (
                *(m, n, basis.copy(), start, np.ones(LANES, np.int64), *tableaus()),
                *(np.zeros((SIZE, LANES)), np.zeros((SIZE, LANES))),
            ),
        )
    assert_equal_twins(settle.bracket_pure, lambda: (*raw(), *ends()))
    weights = np.abs(vectors(SIZE, 3))
    weights[0, :3] = np.nan, np.inf, 0.0
    assert_equal_twins(
        settle.bracket_lanes, lambda: (*raw(), weights, np.abs(vectors(SIZE, 4)), *ends())
    )


@pytest.mark.parametrize("kind", ["generic", "antisymmetric"])
def test_a_pivot_of_a_vector_is_that_of_each_game(kind):
    games = games_of_a_vector(kind, 2)
    s = loaded_lanes(games)
    factor = 1.0 / max(np.abs(game).max() for game in games)
    for leaving, entering in ((2, 3), (0, 5)):
        simplex.pivot_lanes(s.tableaus, SIZE, SIZE, leaving, entering, s.together)
    for q, game in enumerate(games):
        tableau, variables = tables()
        simplex.load(padded_game(game), SIZE, SIZE, 0.0, factor, tableau, variables)
        for leaving, entering in ((2, 3), (0, 5)):
            simplex.pivot(tableau, SIZE, leaving, entering, variables)
        alone = tableau[: SIZE + 1, : SIZE + 1].ravel()
        np.testing.assert_allclose(s.tableaus[: len(alone), q], alone, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(s.together, variables)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pure", [False, True])
def test_settling_equals_its_twin(kind, pure):
    games = list(random_games(9, 3, kind))

    def arguments():
        s = filled(games)
        s.lane[:9] = [0, 1, 2, 3, 4, 5, 6, 7, 0]
        values, halves, counts = np.zeros(8), np.zeros(8), np.zeros(5, np.int64)
        return SIZE, SIZE, 9, pure, 0.05, 1e-10, s, 0, values, halves, counts

    assert_equal_twins(settle.settle_lanes, arguments)


@pytest.mark.parametrize("kind", KINDS)
def test_brackets_hold_the_exact_value(kind):
    for game in random_games(30, 5, kind):
        s, counts = settle.scratch(SIZE), np.zeros(5, np.int64)
        s.game[:, :SIZE] = game
        lower, upper = settle.settle_game(SIZE, SIZE, 1e-10, s, counts)
        assert holds(lower, upper, exact_value(game), rounding(game))
        assert upper - lower <= 1e-10
        assert counts[settle.FAILED] == 0


def bracketed(games, row, column):
    """Brackets of a vector of games by weights."""
    s = filled(games)
    settle.bracket_lanes(
        *(s.payoffs, 0, settle.VECTORS, SIZE, SIZE, row, column, s.work, s.lower, s.upper)
    )
    return s.lower[0], s.upper[0]


@pytest.mark.parametrize("kind", KINDS)
def test_any_weights_bracket_the_value(kind):
    random = np.random.default_rng(6)
    games = games_of_a_vector(kind, 6)
    for share in (0.2, 0.6, 1.0):
        row, column = (
            random.random((SIZE, LANES)) * (random.random((SIZE, LANES)) < share) for _ in "12"
        )
        lower, upper = bracketed(games, row, column)
        for q, game in enumerate(games):
            assert np.isfinite(lower[q]) == (row[:, q].sum() > 0)
            assert np.isfinite(upper[q]) == (column[:, q].sum() > 0)
            # What the weights secure, in another way.
            if np.isfinite(lower[q]):
                assert lower[q] == pytest.approx(min(row[:, q] @ game) / row[:, q].sum(), abs=1e-9)
            if np.isfinite(upper[q]):
                worst = max(game @ column[:, q]) / column[:, q].sum()
                assert upper[q] == pytest.approx(worst, abs=1e-9)
            assert holds(max(lower[q], -1e9), min(upper[q], 1e9), exact_value(game), rounding(game))


def test_what_is_no_number_is_no_strategy():
    games = games_of_a_vector("generic", 6)
    row, column = np.ones((SIZE, LANES)), np.ones((SIZE, LANES))
    row[2, 0], row[2, 1], column[2, 2], column[2, 3] = np.nan, np.inf, np.nan, np.inf
    lower, upper = bracketed(games, row, column)
    assert lower[:2].tolist() == [-np.inf] * 2
    assert upper[2:4].tolist() == [np.inf] * 2
    assert np.isfinite(lower[2:]).all()
    assert np.isfinite(upper[[0, 1, 4, 5, 6, 7]]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_best_single_bids_bracket_the_value_and_saddle_points_exactly(kind):
    games = games_of_a_vector(kind, 14)
    games[0][:] = np.arange(SIZE)[:, None] - np.arange(SIZE)
    s = filled(games)
    settle.bracket_pure(*(s.payoffs, 0, settle.VECTORS, SIZE, SIZE, s.work, s.lower, s.upper))
    for q, game in enumerate(games):
        assert s.lower[0, q] == game.min(axis=1).max()
        assert s.upper[0, q] == game.max(axis=0).min()
        assert holds(s.lower[0, q], s.upper[0, q], exact_value(game), 0.0)
        saddle = simplex.saddle(padded_game(game), SIZE, SIZE)
        assert (s.lower[0, q] == s.upper[0, q]) == (saddle >= 0)
    assert s.lower[0, 0] == s.upper[0, 0] == 0.0


def test_a_weight_slightly_below_zero_proves_nothing():
    # On the basis of all bids player one's second weight would be −5·10⁻¹⁰, and the value 5·10⁻⁷
    # more than it is.
    game = np.array([[1.0, 1.0 + 5e-7], [-1000.0, 0.0]])
    for payoff, value in ((game, fmpq(1)), (-game.T.copy(), fmpq(-1))):
        s = settle.scratch(2)
        s.payoff[:, :LANES] = payoff.reshape(4, 1)
        step = settle.VECTORS
        simplex.load_lanes(s.payoffs, 0, step, 2, 2, 1e-3, s.tableaus, s.together)
        for bid in (0, 1):
            simplex.pivot_lanes(s.tableaus, 2, 2, bid, bid, s.together)
        assert s.tableaus[simplex.least_lanes(s.tableaus, 2, 2), 0] < 0
        simplex.read_weights(s.tableaus, 0, 3, 2, 2, s.together, s.row, 0, s.column, 0)
        settle.bracket_lanes(*(s.payoffs, 0, step, 2, 2, s.row, s.column, s.work, s.lower, s.upper))
        assert holds(max(s.lower[0, 0], -1e9), min(s.upper[0, 0], 1e9), value, gamma(6) * 1000)


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_will_not_settle_is_counted_and_still_bracketed(kind):
    for game in random_games(8, 7, kind):
        s, counts = settle.scratch(SIZE), np.zeros(5, np.int64)
        s.game[:, :SIZE] = game
        # No bracket is narrow enough, so every path is gone through.
        lower, upper = settle.settle_game(SIZE, SIZE, -1.0, s, counts)
        assert (counts[settle.ROBUST], counts[settle.FAILED]) == (1, 1)
        assert holds(lower, upper, exact_value(game), rounding(game))
        assert upper - lower <= 1e-10


def solved_lanes(games, basis, size):
    """Brackets of a vector of games solved from a basis, and the number of pivots."""
    s = loaded_lanes(games)
    pivots = simplex.solve_lanes(
        *(SIZE, SIZE, basis, size, np.ones(LANES, np.int64), s.tableaus, s.together),
        *(s.row, s.column),
    )
    return (*bracketed(games, s.row, s.column), pivots)


@pytest.mark.parametrize("kind", KINDS)
def test_any_basis_will_do_to_begin_with(kind):
    random = np.random.default_rng(11)
    ended = 0
    for seed in range(12, 18):
        games = games_of_a_vector(kind, seed)
        size = int(random.integers(0, SIZE + 1))
        basis = np.array([random.permutation(SIZE), random.permutation(SIZE)])
        with np.errstate(all="ignore"):
            lower, upper, _ = solved_lanes(games, basis, size)
        for q, game in enumerate(games):
            low, high = max(lower[q], -1e9), min(upper[q], 1e9)
            assert holds(low, high, exact_value(game), rounding(game))
            ended += upper[q] - lower[q] < 1e-9
    # Games where the basis is singular are solved alone, and degenerate ones are among them.
    assert ended >= (24 if kind in {"generic", "antisymmetric"} else 1)


def test_from_no_basis_most_games_of_a_vector_are_solved():
    games = [games_of_a_vector("generic", seed) for seed in range(20, 30)]
    ends = [solved_lanes(each, no_basis(), 0) for each in games]
    # However different they are: a pivot for one may be bad for the next.
    assert sum((upper - lower < 1e-9).sum() for lower, upper, _ in ends) >= 60


def test_one_basis_for_all_takes_no_pivot():
    for game in random_games(20, 13, "generic"):
        basis, size = basis_of(padded_game(game), SIZE, SIZE)
        lower, upper, pivots = solved_lanes([game] * LANES, basis, size)
        assert pivots == 0
        assert (upper - lower).max() < 1e-9


@pytest.mark.parametrize("bland", [False, True])
def test_either_rule_ends(bland):
    for kind in KINDS:
        for game in random_games(20, 15, kind):
            padded = padded_game(game)
            tableau, variables, ended = solved(padded, SIZE, SIZE, bland)
            lower, upper = settle.bracket_game(
                padded, SIZE, SIZE, weights_of(tableau, variables, SIZE, SIZE)
            )
            assert ended
            assert upper - lower < 1e-9
            assert holds(lower, upper, exact_value(game), rounding(game))


def test_a_tableau_that_is_damaged_still_leaves_strategies():
    (game,) = random_games(1, 8, "generic")
    padded = padded_game(game)
    tableau, variables, _ = solved(padded, SIZE, SIZE)
    tableau[:, 0] = tableau[1] = np.nan
    lower, upper = settle.bracket_game(
        padded, SIZE, SIZE, weights_of(tableau, variables, SIZE, SIZE)
    )
    assert not lower > upper
    if np.isfinite(lower) and np.isfinite(upper):
        assert holds(lower, upper, exact_value(game), rounding(game))


@pytest.mark.parametrize("pure", [False, True])
def test_lanes_that_differ_in_everything_are_all_settled(pure):
    games = [game for kind in KINDS for game in random_games(20, 9, kind)]
    s, counts = filled(games), np.zeros(5, np.int64)
    count = len(games)
    s.lane[:count] = np.arange(count)
    values, halves = np.zeros(count), np.zeros(count)
    settle.settle_lanes(SIZE, SIZE, count, pure, 0.05, 1e-10, s, 0, values, halves, counts)
    for game, value, half in zip(games, values, halves, strict=True):
        slack = half + 2 * rounding(game)
        assert holds(value, value, exact_value(game), slack)
    assert halves.max() <= 1e-10
    assert counts[settle.FAILED] == 0
    assert 0 < counts[settle.SOLVED] < count


def test_values_are_added_and_no_game_beyond_the_last_is_counted():
    games = list(random_games(11, 16, "generic"))
    s, counts = filled([*games, *random_games(5, 17, "generic")]), np.zeros(5, np.int64)
    s.lane[:11] = [0, 1] * 5 + [1]
    values, halves = np.ones(2), np.zeros(2)
    size = settle.settle_lanes(SIZE, SIZE, 11, False, 0.05, 1e-10, s, 0, values, halves, counts)
    right = [float(value.p) / float(value.q) for value in map(exact_value, games)]
    assert values.tolist() == pytest.approx(
        [1 + sum(right[0:10:2]), 1 + sum(right[1:10:2]) + right[10]], abs=1e-9
    )
    assert counts[settle.TOGETHER] == 2
    # The basis it ends with is that of the last vector, and a good one to begin with.
    assert 1 <= size <= SIZE


@cache
def values_without_compilation():
    """The values of the whole game of four cards from plain Python, in a process of its own."""
    code = (
        "import json, numpy as np\n"
        "from gops_exact.game.order_types import order_types\n"
        "from gops_exact.layers.sweep import float_layers\n"
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
    from gops_exact.game.order_types import order_types
    from gops_exact.layers.sweep import float_layers

    layers = list(float_layers(order_types(range(1, 5), range(1, 5)), jobs=1))
    assert [
        [layer.values.tolist(), layer.bounds.tolist()] for layer in layers
    ] == values_without_compilation()
