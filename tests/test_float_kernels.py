"""The kernels against their plain Python twins, and their brackets against exact values."""

from functools import cache

import numpy as np
import pytest
from flint import fmpq

from gops_exact.layers.kernels import kernel, settle
from gops_exact.layers.kernels import lanes as together
from gops_exact.layers.kernels import vectors as operations
from gops_exact.layers.sweep import gamma
from gops_exact.matrix_game.exact import solve_tableau

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


@cache
def kept(function):
    """A kernel of a compiled function, kept on disk as all are that Python calls."""
    return kernel(function.py_func)


def assert_equal_twins(function, *arguments):
    """A function and its twin return the same, and leave the same in the arrays of their arguments."""
    found = []
    for run in (kept(function), function.py_func):
        given = copied(arguments)
        with np.errstate(all="ignore"):
            found.append([run(*given), *given])
    for one, two in zip(*map(arrays_in, found), strict=True):
        np.testing.assert_array_equal(one, two)


def copied(argument):
    """A copy; arrays of scratch that share memory share it in the copy."""
    if isinstance(argument, settle.Scratch):
        scratch = settle.scratch(len(argument.game))
        for array, each in zip(scratch, argument, strict=True):
            array[...] = each
        return scratch
    if isinstance(argument, tuple):
        return tuple(map(copied, argument))
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def arrays_in(found):
    """All arrays and numbers in nested tuples and lists."""
    for each in found:
        yield from arrays_in(each) if isinstance(each, tuple) else [each]


def padded_game(game):
    """A game with zeros to the end of its rows."""
    padded = np.zeros((SIZE, settle.padded(SIZE)))
    padded[: len(game), : len(game[0])] = game
    return padded


def tables():
    """A tableau, and the variables of its rows and columns."""
    return np.zeros((SIZE + 3, settle.padded(SIZE))), np.zeros((2, SIZE), np.int64)


def loaded(game, m, n):
    """The tableau and variables of a game without a basis."""
    tableau, variables = tables()
    factor = 1.0 / max(np.abs(game).max(), 1e-150)
    kept(settle.set_up)(game, m, n, 0.0, factor, tableau, variables)
    return tableau, variables


def solved(game, m, n, bland=False):
    """The tableau and variables where the simplex ends, and whether it did."""
    tableau, variables = loaded(game, m, n)
    ended = kept(settle.solve)(m, n, bland, tableau, variables)
    return tableau, variables, ended


def basis_of(game, m, n):
    """The basis where the simplex ends, and its size."""
    _, variables, _ = solved(game, m, n)
    rows = [each - n for each in variables[1, :n] if each >= n]
    columns = [each for each in variables[0, :m] if each < n]
    basis = np.zeros((2, SIZE), np.int64)
    basis[0, : len(rows)], basis[1, : len(rows)] = rows, columns
    return basis, len(rows)


def weights_of(tableau, variables, m=SIZE, n=SIZE):
    """Both players' weights, and room to work in."""
    weights = np.zeros((3, tableau.shape[1]))
    kept(settle.read_weights)(tableau, m, n, variables, weights)
    return weights


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sides", [(SIZE, SIZE), (3, 5), (1, 4)], ids=str)
def test_single_game_kernels_equal_their_twins(kind, sides):
    m, n = sides
    for whole in random_games(6, 1, kind):
        game = padded_game(whole[:m, :n])
        assert_equal_twins(settle.saddle, game, m, n)
        assert_equal_twins(settle.set_up, game, m, n, 0.25, 0.5, *tables())
        for bland in (False, True):
            assert_equal_twins(settle.solve, m, n, bland, *loaded(game, m, n))
            for tableau, variables in (loaded(game, m, n), solved(game, m, n)[:2]):
                assert_equal_twins(settle.choose, tableau, m, n)
                assert_equal_twins(settle.choose_bland, tableau, m, n, variables)
        tableau, variables, _ = solved(game, m, n)
        assert_equal_twins(settle.read_weights, tableau, m, n, variables, np.ones((2, SIZE)))
        weights = weights_of(tableau, variables, m, n)
        assert_equal_twins(settle.bracket_game, game, m, n, weights)


def vectors(rows, seed=0, odd=()):
    """Vectors of random numbers, some of them odd ones."""
    random = np.random.default_rng(seed)
    found = random.normal(size=(rows, LANES))
    for number in odd:
        found[random.integers(rows), random.integers(LANES)] = number
    return found


@kernel
def arithmetic(target, a, b, number):
    """Put the result of every operation on row 2 of `a` and row 4 of `b` into rows of `target`."""
    x, y = operations.load(a, 2), operations.load(b, 4)
    operations.store(target, 0, x + y)
    operations.store(target, 1, x - y)
    operations.store(target, 2, x * y)
    operations.store(target, 3, x / y)
    operations.store(target, 4, number / y)
    operations.store(target, 5, x * number + 2.0)
    operations.store(target, 6, operations.smaller(x, y))
    operations.store(target, 7, operations.larger(0.5, y))
    operations.store(target, 8, operations.share(x, y, number))
    operations.store(target, 9, operations.spread(number))
    operations.store(target, 10, number)
    return operations.wide(x - y, number)


def test_vectors_compute_as_numbers_do():
    a, b = vectors(7, 2), vectors(7, 3)
    x, y = a[2], b[4]
    right = [x + y, x - y, x * y, x / y, 0.25 / y, x * 0.25 + 2, np.minimum(x, y)]
    right += [np.maximum(0.5, y), np.where(y > 0, x * (1 / y), 0.25), *np.full((2, LANES), 0.25)]
    for run in (arithmetic, arithmetic.py_func):
        target = vectors(12, 1)
        last = target[11].copy()
        assert run(target, a, b, 0.25) == sum(1 << q for q in range(LANES) if x[q] - y[q] > 0.25)
        np.testing.assert_array_equal(target, [*right, last])


def test_vectors_equal_their_twins_on_odd_numbers():
    for seed in range(20):
        odd = (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308) * 4
        assert_equal_twins(arithmetic, *(vectors(12, seed + t, odd) for t in (1, 2, 3)), 0.0)


@kernel
def both_gains(unrolled, looped, weights, payoffs, steps, size):
    if size <= operations.UNROLLED:
        operations.gain(unrolled, 2, weights, payoffs, 1, 2, steps, 3, size)
    together.gain_in_loops(looped, 2, weights, payoffs, 1, 2, steps, 3, size)


@kernel
def both_factors(payoffs, rows, columns, unrolled, looped, size):
    if size <= operations.UNROLLED:
        operations.factors(
            payoffs, 1, 0.25, rows, columns, unrolled[0], unrolled[1], unrolled[2], unrolled[3],
            unrolled[4], size,
        )  # fmt: skip
    together.factors_in_loops(
        payoffs, 1, 0.25, rows, columns, looped[0], looped[1], looped[2], looped[3], looped[4], size
    )


@pytest.mark.parametrize("size", [1, 2, operations.UNROLLED, operations.UNROLLED + 2])
def test_sums_with_and_without_loops_are_the_same(size):
    random = np.random.default_rng(size)
    steps, columns = random.permutation(size), random.permutation(size)
    weights, payoffs = vectors(size, 1), vectors(80, 2)

    unrolled, looped = vectors(6, 3), vectors(6, 3)
    gains = unrolled, looped, weights, payoffs, steps, size
    assert_equal_twins(both_gains, *gains)
    both_gains(*gains)
    right = [sum(weights[a] * payoffs[1 + 2 * o + steps[a]] for a in range(size)) for o in range(3)]
    np.testing.assert_allclose(looped[2:5], right)
    factored, alike = (
        tuple(np.zeros((length, LANES)) for length in ((size + 1) ** 2, size, size, size, 2))
        for _ in range(2)
    )
    factors = payoffs, steps * size, columns, factored, alike, size
    assert_equal_twins(both_factors, *factors)
    both_factors(*factors)
    if size <= operations.UNROLLED:
        for one, two in zip((unrolled, *factored), (looped, *alike), strict=True):
            np.testing.assert_array_equal(one, two)


def test_aligned_arrays_begin_at_a_multiple_of_a_vector():
    for rows, columns in ((1, 8), (3, 8), (5, 24), (7, 520)):
        array = operations.aligned(rows, columns)
        assert array.shape == (rows, columns)
        assert array.ctypes.data % (8 * LANES) == 0


def games_of_a_vector(kind, seed):
    return list(random_games(LANES, seed, kind))


def scale_of(games):
    """One over a bound on the payoffs."""
    return 1.0 / max(*(np.abs(game).max() for game in games), 1e-150)


def factored(games, basis, size, m=SIZE, n=SIZE):
    """Scratch in which a basis of games side by side is factored."""
    s = filled([game[:m, :n] for game in games])
    s.basis[:, :size] = basis[:, :size]
    kept(together.factor)(s, 0, n, size, scale_of(games))
    s.lower[0], s.upper[0] = -np.inf, np.inf
    return s


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sides", [(SIZE, SIZE), (3, 5), (1, 4)], ids=str)
def test_kernels_for_vectors_equal_their_twins(kind, sides):
    m, n = sides
    games = games_of_a_vector(kind, 1)
    good, good_size = basis_of(padded_game(games[0][:m, :n]), m, n)
    bad = np.array([np.arange(SIZE), np.arange(SIZE)])
    scale = scale_of(games)
    for basis, size in ((good, good_size), (bad, min(m, n))):
        with np.errstate(all="ignore"):
            s = factored(games, basis, size, m, n)
        assert_equal_twins(together.factor, s, 0, n, size, scale)
        assert_equal_twins(together.bracket_lanes, s, 0, m, n, size)
        kept(together.bracket_lanes)(s, 0, m, n, size)
        assert_equal_twins(together.change, s, 0, m, n, size, 3, scale)
    s = filled([game[:m, :n] for game in games])
    assert_equal_twins(together.bracket_pure, s, 0, m, n)


@pytest.mark.parametrize("size", [1, 2, 5, 6])
def test_factors_give_the_weights_of_a_basis(size):
    games = games_of_a_vector("generic", 2)
    random = np.random.default_rng(size)
    basis = np.array([random.permutation(SIZE), random.permutation(SIZE)])
    s = factored(games, basis, size)
    table = s.table[: (size + 1) ** 2].reshape(size + 1, size + 1, LANES)
    for q, game in enumerate(games):
        block = game[np.ix_(basis[0, :size], basis[1, :size])] * scale_of(games) + 2
        ones = np.ones(size)
        np.testing.assert_allclose(table[:size, size, q], np.linalg.solve(block, ones), rtol=1e-6)
        np.testing.assert_allclose(table[size, :size, q], np.linalg.solve(block.T, ones), rtol=1e-6)


def test_rows_are_put_in_the_order_of_partial_pivoting():
    # In the order given the second pivot is zero, and no weight a number.
    game = np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 4.0], [3.0, 1.0, 1.0]])
    s = filled([game] * LANES)
    s.basis[:, :3] = np.arange(3)
    arguments = s, 0, 3, 3, 0, 0.25
    assert kept(together.order)(*arguments)
    assert s.basis[0, :3].tolist() == [2, 0, 1] or s.basis[0, :3].tolist() == [2, 1, 0]
    assert not kept(together.order)(*arguments)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("pure", [False, True])
def test_settling_equals_its_twin(kind, pure):
    s, sums, counts = filled(random_games(9, 3, kind)), np.zeros((2, 8)), np.zeros(5, np.int64)
    s.lane[:9] = [0, 1, 2, 3, 4, 5, 6, 7, 0]
    given = s, SIZE, SIZE, 9, pure, 0.05, 1e-10, 1, sums, counts
    assert_equal_twins(together.settle_lanes, *given)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tolerance", [1e-10, -1.0])
def test_brackets_hold_the_exact_value(kind, tolerance):
    for game in random_games(20, 5, kind):
        s, counts = settle.scratch(SIZE), np.zeros(5, np.int64)
        s.game[:, :SIZE] = game
        lower, upper = settle.settle_game(SIZE, SIZE, tolerance, s, counts)
        assert holds(lower, upper, exact_value(game), rounding(game))
        assert upper - lower <= 1e-10
        # If no bracket is narrow enough, every path is gone through, and the game is counted.
        assert counts[settle.FAILED] == (tolerance < 0)
        assert counts[settle.ROBUST] >= counts[settle.FAILED]


def bracketed(games, row, column):
    """Brackets of a vector of games by weights of all bids."""
    basis = np.array([np.arange(SIZE), np.arange(SIZE)])
    with np.errstate(all="ignore"):
        s = factored(games, basis, SIZE)
    s.row[:SIZE], s.column[:SIZE] = row, column
    s.gains[0], s.gains[1] = row.sum(axis=0), column.sum(axis=0)
    kept(together.bracket_lanes)(s, 0, SIZE, SIZE, SIZE)
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
    kept(together.bracket_pure)(s, 0, SIZE, SIZE)
    for q, game in enumerate(games):
        assert s.lower[0, q] == game.min(axis=1).max()
        assert s.upper[0, q] == game.max(axis=0).min()
        assert holds(s.lower[0, q], s.upper[0, q], exact_value(game), 0.0)
        saddle = kept(settle.saddle)(padded_game(game), SIZE, SIZE)
        assert (s.lower[0, q] == s.upper[0, q]) == (saddle >= 0)
    assert s.lower[0, 0] == s.upper[0, 0] == 0.0


def test_a_weight_slightly_below_zero_proves_nothing():
    # On the basis of all bids player one's second weight would be −5·10⁻¹⁰, and the value 5·10⁻⁷
    # more than it is.
    game = np.array([[1.0, 1.0 + 5e-7], [-1000.0, 0.0]])
    for payoff, value in ((game, fmpq(1)), (-game.T.copy(), fmpq(-1))):
        s = settle.scratch(2)
        s.payoff[:, :LANES] = payoff.reshape(4, 1)
        s.basis[:] = [0, 1]
        kept(together.factor)(s, 0, 2, 2, 1e-3)
        s.lower[0], s.upper[0] = -np.inf, np.inf
        assert s.table[[2, 5, 6, 7], 0].min() < 0
        kept(together.bracket_lanes)(s, 0, 2, 2, 2)
        assert holds(max(s.lower[0, 0], -1e9), min(s.upper[0, 0], 1e9), value, gamma(6) * 1000)


NO_BASIS = np.zeros((2, SIZE), np.int64), 1
"""One bid each, and the size."""


def settled(games, basis, size, pure=False):
    """Values of games side by side from a basis, half the widths of their brackets, and the counters."""
    s, counts, lanes = filled(games), np.zeros(5, np.int64), len(games)
    s.lane[:lanes], s.basis[:, :size] = np.arange(lanes), basis[:, :size]
    sums = np.zeros((2, lanes))
    kept(together.settle_lanes)(
        s, SIZE, SIZE, lanes, pure, scale_of(games), 1e-10, size, sums, counts
    )
    for game, value, half in zip(games, *sums, strict=True):
        assert holds(value, value, exact_value(game), half + 2 * rounding(game))
    return *sums, counts


@pytest.mark.parametrize("kind", KINDS)
def test_any_basis_will_do_to_begin_with(kind):
    random = np.random.default_rng(11)
    alone = 0
    for seed in range(12, 18):
        games = games_of_a_vector(kind, seed)
        size = int(random.integers(1, SIZE + 1))
        basis = np.array([random.permutation(SIZE), random.permutation(SIZE)])
        alone += settled(games, basis, size)[2][settle.SOLVED]
    # Games where the basis is singular are solved alone: where lines are equal, most of them.
    assert alone <= (40 if kind in {"repeated lines", "zero"} else 12)


def test_from_one_bid_each_most_games_of_a_vector_are_solved():
    games = [games_of_a_vector("generic", seed) for seed in range(20, 30)]
    # However different they are: a pivot for one may be bad for the next.
    alone = sum(settled(each, *NO_BASIS)[2][settle.SOLVED] for each in games)
    assert alone <= 20


def test_one_basis_for_all_takes_no_pivot():
    for game in random_games(20, 13, "generic"):
        basis, size = basis_of(padded_game(game), SIZE, SIZE)
        values, halves, counts = settled([game] * LANES, basis, size)
        assert counts[settle.PIVOTS] == counts[settle.SOLVED] == 0
        assert halves.max() < 1e-9
        assert values == pytest.approx(np.full(LANES, values[0]))


@pytest.mark.parametrize("bland", [False, True])
def test_either_rule_ends(bland):
    for kind in KINDS:
        for game in random_games(20, 15, kind):
            padded = padded_game(game)
            tableau, variables, ended = solved(padded, SIZE, SIZE, bland)
            weights = weights_of(tableau, variables)
            lower, upper = kept(settle.bracket_game)(padded, SIZE, SIZE, weights)
            assert ended
            assert upper - lower < 1e-9
            assert holds(lower, upper, exact_value(game), rounding(game))


def test_a_tableau_that_is_damaged_still_leaves_strategies():
    (game,) = random_games(1, 8, "generic")
    padded = padded_game(game)
    tableau, variables, _ = solved(padded, SIZE, SIZE)
    tableau[:, 0] = tableau[1] = np.nan
    lower, upper = kept(settle.bracket_game)(padded, SIZE, SIZE, weights_of(tableau, variables))
    assert not lower > upper
    if np.isfinite(lower) and np.isfinite(upper):
        assert holds(lower, upper, exact_value(game), rounding(game))


@pytest.mark.parametrize("pure", [False, True])
def test_lanes_that_differ_in_everything_are_all_settled(pure):
    games = [game for kind in KINDS for game in random_games(20, 9, kind)]
    _, halves, counts = settled(games, *NO_BASIS, pure)
    assert halves.max() <= 1e-10
    assert counts[settle.FAILED] == 0
    assert 0 < counts[settle.SOLVED] < len(games)


def test_values_are_added_and_no_game_beyond_the_last_is_counted():
    games = list(random_games(11, 16, "generic"))
    s, counts = filled([*games, *random_games(5, 17, "generic")]), np.zeros(5, np.int64)
    s.lane[:11] = [0, 1] * 5 + [1]
    sums = np.array([[1.0, 1.0], [0.0, 0.0]])
    values = sums[0]
    size = kept(together.settle_lanes)(s, SIZE, SIZE, 11, False, 0.05, 1e-10, 1, sums, counts)
    right = [float(value.p) / float(value.q) for value in map(exact_value, games)]
    assert values.tolist() == pytest.approx(
        [1 + sum(right[0:10:2]), 1 + sum(right[1:10:2]) + right[10]], abs=1e-9
    )
    assert counts[settle.TOGETHER] == 2
    # The basis it ends with is that of the last vector, and a good one to begin with.
    assert 1 <= size <= SIZE
