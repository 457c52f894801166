"""The kernels against their plain Python twins, and their brackets against exact values."""

import math
import subprocess
import sys
from fractions import Fraction
from functools import partial
from operator import mul

import numpy as np
import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.solvers.floats import forecast, many_games
from gops_exact.solvers.floats.kernels import choice, compilation, draws, kernel, settle
from gops_exact.solvers.floats.kernels import lanes as together
from gops_exact.solvers.floats.kernels.assemble import sweep_types
from gops_exact.solvers.floats.kernels.compilation import compiled
from gops_exact.solvers.floats.kernels.vectors import UNROLLED
from gops_exact.solvers.floats.kernels.vectors import VECTOR as LANES
from gops_exact.solvers.floats.layer import COUNTS, NARROW
from gops_exact.solvers.floats.sweep import float_layers, gamma, on_threads

SIZE = 6
TOLERANCE = 1e-10
SETTLE, STRATEGIES = compiled(kernel(together.settle_lanes)), compiled(kernel(draws.strategies))
ONE_BID_EACH = np.zeros((2, SIZE), np.int64), 1
"""A basis, and its size."""


def random_games(count, seed, kind, size=SIZE):
    """Square games of floats; degenerate ones of the given kind."""
    random = np.random.default_rng(seed)
    for _ in range(count):
        if kind == "generic":
            yield random.normal(size=(size, size)) * 5
        elif kind == "few values":
            yield random.integers(-1, 2, size=(size, size)).astype(float)
        elif kind == "repeated lines":
            core = random.normal(size=(3, 3))
            yield core[random.integers(0, 3, size)][:, random.integers(0, 3, size)]
        elif kind == "nearly equal lines":
            core = random.normal(size=(3, 3))
            lines = core[random.integers(0, 3, size)][:, random.integers(0, 3, size)]
            yield lines + random.normal(size=(size, size)) * 1e-13
        elif kind == "antisymmetric":
            half = random.normal(size=(size, size))
            yield half - half.T
        else:
            yield np.zeros((size, size))


KINDS = "generic", "few values", "repeated lines", "nearly equal lines", "antisymmetric", "zero"


def exact_value(game):
    payoff = [[fmpq(*float(entry).as_integer_ratio()) for entry in row] for row in game]
    return solve_tableau(payoff)[0]


def rounding(game):
    """How far a computed side of a bracket may be off."""
    return gamma(2 * len(game) + 2) * np.abs(game).max()


def holds(lower, upper, value, slack):
    """lower − slack ≤ value ≤ upper + slack, exactly."""
    low, high, off = (fmpq(*float(x).as_integer_ratio()) for x in (lower, upper, slack))
    return low - off <= value <= high + off


def filled(games):
    """Scratch with the games side by side, entries by lanes."""
    s = settle.scratch(len(games[0]))
    for q, game in enumerate(games):
        s.payoff[: game.size, q] = game.ravel()
    return s


def settle_from(games, basis, size, *, pure=False, tolerance=TOLERANCE, settle_lanes=SETTLE):
    """Solve games side by side from a basis.

    Returns the scratch left, the size of its basis, the values, half the widths, and the counters.
    """
    s, counts, lanes, k = filled(games), np.zeros(5, np.int64), len(games), len(games[0])
    s.lane[:lanes], s.basis[:, :size] = np.arange(lanes), basis[:, :size]
    sums = np.zeros((2, lanes))
    scale = 1.0 / max(*(np.abs(game).max() for game in games), 1e-150)
    with np.errstate(all="ignore"):
        left = settle_lanes(s, k, k, lanes, pure, scale, tolerance, size, sums, counts)
    return s, left, *sums, counts


def some_basis(seed, size=SIZE):
    """Any bids for a basis, and how many."""
    random = np.random.default_rng(seed)
    return np.array([random.permutation(size) for _ in "12"]), int(random.integers(1, size + 1))


def check_settled(games, basis, size, **options):
    """Assert that every value is right within its bracket; returns the counters."""
    *_, values, halves, counts = settle_from(games, basis, size, **options)
    for game, value, half in zip(games, values, halves, strict=True):
        assert holds(value, value, exact_value(game), half + 2 * rounding(game))
    assert halves.max() <= TOLERANCE
    assert counts[settle.FAILED] == 0
    return counts


def settled_every_way(settle_lanes):
    """Values and counters of all kinds of games, in every part of the kernels, as lists."""
    found = []
    for kind in KINDS:
        # With and without loops; and, as no bracket is narrow enough, to the end of every path.
        for size, pure, tolerance in (
            (SIZE, False, TOLERANCE),
            (UNROLLED + 2, True, TOLERANCE),
            (3, False, -1.0),
        ):
            games = list(random_games(LANES + 1, 3, kind, size))
            basis, count = some_basis(3, size)
            _, left, *rest = settle_from(
                games, basis, count, pure=pure, tolerance=tolerance, settle_lanes=settle_lanes
            )
            found.append([left, *(each.tolist() for each in rest)])
    return found


def swept(sweep):
    """Values and bounds of small games in every form of the tables that the kernels read."""
    found = []
    for n, rules, integers in (
        (4, gx.Rules(), False),
        (3, gx.Rules("win"), False),
        (3, gx.Rules("win"), True),
        (3, gx.Rules("win", "carryover", "hidden"), False),
        (3, gx.Rules("points", "carryover"), False),
        (3, gx.Rules("points", "discard", "hidden"), False),
        (3, gx.Rules("points", "carryover", "ascending"), False),
    ):
        with np.errstate(all="ignore"):
            solver = partial(on_threads, 1, sweep=sweep)
            layers = float_layers(gx.Game(n, rules), integers=integers, solver=solver)
            found.append([[layer.values.tolist(), layer.bounds.tolist()] for layer in layers])
    return found


def drawn(monkeypatch, choose):
    """Chances of a draw, with a kernel that `choose` makes of the one in Python."""
    monkeypatch.setattr(forecast, "quickest", lambda kernel, _seconds: choose(kernel))
    with np.errstate(all="ignore"):
        return [
            list(gx.float_outcomes(gx.Game(4, gx.Rules("win", ties))).draws.values())
            for ties in ("discard", "carryover")
        ]


def settled_singly(settle_games):
    """Strategies and bases of games of all kinds, as lists."""
    games = np.array([game for kind in KINDS for game in random_games(3, 4, kind)])
    sides, variables = np.zeros((2, len(games), SIZE)), np.zeros((len(games), 2, SIZE), np.int64)
    with np.errstate(all="ignore"):
        counts = np.zeros(COUNTS, np.int64)
        settle_games(games, -1.0, settle.scratch(SIZE), *sides, variables, counts)
    return [sides.tolist(), variables.tolist(), counts.tolist()]


def test_kernels_equal_their_twins(monkeypatch):
    assert settled_singly(settle.settle_games) == settled_singly(compiled(settle.settle_games))
    assert settled_every_way(together.settle_lanes) == settled_every_way(SETTLE)
    assert swept(sweep_types) == swept(compiled(sweep_types))
    assert drawn(monkeypatch, lambda kernel: kernel) == drawn(monkeypatch, compiled)


SHORT = """
import sys, gops_exact as gx
first = gx.first_move(5, "float").emit("json")
gx.solve(gx.Position([1, 2, 4, 6], [2, 3, 5, 7], [1, 2, 5, 6], upcard=5), "float")
gx.float_outcomes(gx.Game(3, gx.Rules("win")))
print("numba" in sys.modules, first)
"""


def test_a_short_run_compiles_nothing_and_warns_of_nothing(monkeypatch):
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SHORT], check=True, capture_output=True, text=True
    )
    monkeypatch.setattr(choice, "_spent", math.inf)
    assert run.stdout == f"False {gx.first_move(5, 'float').emit('json')}\n"
    assert run.stderr == ""


def test_a_kernel_is_compiled_once_its_runs_in_python_add_up(monkeypatch):
    monkeypatch.setattr(choice, "_spent", 0.0)
    monkeypatch.setattr(compilation, "is_compiled", lambda _: False)
    third = 0.4 * choice.COMPILE_SECONDS
    runs = [choice.quickest(sweep_types, third) is compiled(sweep_types) for _ in range(3)]
    assert runs == [False, False, True]


def test_games_whose_brackets_stay_wide_are_solved_in_fractions(monkeypatch):
    games = np.array([game for kind in KINDS for game in random_games(3, 4, kind)])
    monkeypatch.setattr(many_games, "WIDE", -1.0)
    solved = gx.solve_matrix_games(games)
    for game, row, lower, upper in zip(games, solved.row, solved.lower, solved.upper, strict=True):
        exact = gx.solve_matrix_game(game, exactly=True)
        assert row.tolist() == list(map(float, exact.row))
        assert lower <= float(exact.value) <= upper


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tolerance", [TOLERANCE, -1.0])
def test_brackets_hold_the_exact_value(kind, tolerance):
    for game in random_games(20, 5, kind):
        s, counts = settle.scratch(SIZE), np.zeros(5, np.int64)
        s.game[:, :SIZE] = game
        lower, upper = compiled(settle.settle_game)(SIZE, SIZE, tolerance, s, counts)
        assert holds(lower, upper, exact_value(game), rounding(game))
        assert upper - lower <= TOLERANCE
        # If no bracket is narrow enough, every path is gone through, and the game is counted.
        assert counts[settle.FAILED] == (tolerance < 0)
        assert counts[settle.ROBUST] >= counts[settle.FAILED]


@pytest.mark.parametrize("kind", KINDS)
def test_any_basis_will_do_to_begin_with(kind):
    alone = 0
    for seed in range(12, 18):
        games = list(random_games(LANES, seed, kind))
        alone += check_settled(games, *some_basis(seed))[settle.SOLVED]
    # Games where the basis is singular are solved alone: where lines are equal, most of them.
    assert alone <= (40 if kind in {"repeated lines", "zero"} else 12)


@pytest.mark.parametrize("pure", [False, True])
def test_lanes_that_differ_in_everything_are_all_settled(pure):
    games = [game for kind in KINDS for game in random_games(20, 9, kind)]
    counts = check_settled(games, *ONE_BID_EACH, pure=pure)
    assert 0 < counts[settle.SOLVED] < len(games)


def test_one_basis_for_all_takes_no_pivot():
    for game in random_games(20, 13, "generic"):
        s, size, *_ = settle_from([game] * LANES, *ONE_BID_EACH)
        counts = check_settled([game] * LANES, s.basis, size)
        assert counts[settle.PIVOTS] == counts[settle.SOLVED] == 0


def test_a_weight_slightly_below_zero_proves_nothing():
    # On the basis of all bids player one's second weight would be −5·10⁻¹⁰, and the value 5·10⁻⁷
    # more than it is.
    game = np.array([[1.0, 1.0 + 5e-7], [-1000.0, 0.0]])
    for payoff in (game, -game.T.copy()):
        check_settled([payoff] * LANES, np.array([[0, 1], [0, 1]]), 2)


# Draws


def test_the_widest_bracket_of_every_round_is_lacking(monkeypatch):
    wide, n, rules = 0.25, 4, gx.Rules("win")

    def wider(*given):
        return STRATEGIES(*given) + wide

    monkeypatch.setattr(draws, "strategies", wider)
    monkeypatch.setattr(forecast, "quickest", lambda kernel, _seconds: kernel)
    # With one card left nothing is chosen, and no bracket is found.
    assert (n - 1) * wide <= gx.float_outcomes(gx.Game(n, rules)).lacking < n * wide + 1e-9


# A game of the sweep of eight cards whose last attempt is worse than the first.
SETTLED_TWICE = [
    [-1, -1, -1, -1, 0.3614021663682055],
    [0.6934265824975641, -1, -1, -1, 0.36135463576626503],
    [1, 1, 0.2242228652844488, -1, -0.33333333333333326],
    [1, 1, 1, 0.2242228652844488, -0.6621682566174923],
    [1, 1, 1, 1, -0.8310841283087463],
    [0.7584104768093178, 0.8061342192251726, 0.8513914855103091, 1, 1],
]


def test_strategies_are_as_near_to_optimal_as_they_are_said_to_be():
    rng, settled_again = np.random.default_rng(1), 0
    # Nearly equal rows, and entries over many orders of magnitude.
    near = [rng.uniform(-1, 1, (1, 6)) + 1e-12 * rng.normal(size=(7, 6)) for _ in range(150)]
    wide = [rng.choice([-1, 1], (5, 8)) * 10.0 ** rng.uniform(-17, 0, (5, 8)) for _ in range(150)]
    hard = (game / np.abs(game).max() for game in near + wide)
    for game in [np.array(SETTLED_TWICE), *hard]:
        m, n = game.shape
        room, counts = settle.scratch(max(m, n)), np.zeros(COUNTS, np.int64)
        room.game[:m, :n] = game
        claimed = STRATEGIES(m, n, NARROW, room, counts)
        settled_again += counts[settle.ROBUST]
        exact = [[Fraction(entry) for entry in row] for row in game.tolist()]
        sides = room.surest[0, :m], room.surest[1, :n]
        row, column = (list(map(Fraction, each.tolist())) for each in sides)
        sure = min(sum(map(mul, row, line)) for line in zip(*exact, strict=True)) / sum(row)
        lets_pass = max(sum(map(mul, column, line)) for line in exact) / sum(column)
        assert lets_pass - sure <= Fraction(claimed) + Fraction(2 * gamma(4 * max(m, n) + 8))
    assert settled_again > 10
