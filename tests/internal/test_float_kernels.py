"""The kernels against their plain Python twins, and compiled kernels on disk, which are never stale."""

import math
import os
import shutil
import subprocess
import sys
from itertools import product
from random import Random

import numpy as np
import pytest
from games import SMALL, plain, repeated, skew_symmetric
from project_paths import PACKAGE
from runs import python

import gops_exact as gx
from gops_exact.solvers.floats import kernels, many_games, sweep
from gops_exact.solvers.floats.kernels import batch as together
from gops_exact.solvers.floats.kernels import kernel, single
from gops_exact.solvers.floats.kernels.compilation import compiled
from gops_exact.solvers.floats.kernels.vectors import UNROLLED, VECTOR, scratch
from gops_exact.solvers.floats.layer import COUNTS
from gops_exact.solvers.floats.sweep import float_layers

SIZE = 6
TOLERANCE = 1e-10
SOLVE = compiled(kernel(together.solve_batch))


KINDS = {
    "generic": (plain, lambda source: source.gauss(0, 5), 0),
    "few values": (plain, SMALL["signs"], 0),
    "repeated lines": (repeated, Random.gauss, 0),
    "nearly equal lines": (repeated, Random.gauss, 1e-13),
    "skew-symmetric": (skew_symmetric, Random.gauss, 0),
    "zero": (plain, lambda _: 0, 0),
}
"""How a matrix is built, of which entries, and how much each is then changed by chance."""


def random_games(count, seed, kind, size=SIZE):
    """Square games of floats, most of them degenerate."""
    source, (build, entry, change) = Random(seed), KINDS[kind]
    noise = change * np.random.default_rng(seed).normal(size=(count, size, size))
    return [build(source, size, size, entry) + more for more in noise]


def solved_every_way(solve_batch):
    """Values and counters of all kinds of games, in every part of the kernels, as lists."""
    found = []
    # With and without loops; and, as no interval is narrow enough, to the end of every path.
    ways = (SIZE, False, TOLERANCE), (UNROLLED + 2, True, TOLERANCE), (3, False, -1.0)
    for kind, (k, pure, tolerance) in product(KINDS, ways):
        count, random = VECTOR + 1, np.random.default_rng(3)
        games = random_games(count, 3, kind, k)
        s, sums, counts = scratch(k), np.zeros((2, count)), np.zeros(COUNTS, np.int64)
        s.payoff[:, :count] = np.reshape(games, (count, k * k)).T
        s.target[:count] = np.arange(count)
        s.basis[:] = [random.permutation(k) for _ in "12"]
        size, scale = int(random.integers(1, k + 1)), 1.0 / max(np.abs(games).max(), 1e-150)
        with np.errstate(all="ignore"):
            left = solve_batch(s, k, k, count, pure, scale, tolerance, size, sums, counts)
        found.append([left, sums.tolist(), counts.tolist()])
    return found


WIN, HIDDEN = gx.Rules("win"), gx.Rules("win", "carryover", "hidden")
SWEPT = [
    (4, gx.Rules(), False),
    (3, WIN, False),
    (3, WIN, True),
    (3, HIDDEN, False),
    *((3, gx.Rules("points", "carryover", prizes), False) for prizes in ("random", "ascending")),
    (3, gx.Rules("points", "discard", "hidden"), False),
]
"""Small games in every form of the tables that the kernels read."""


def answers(monkeypatch, choose):
    """Answers in floats, with kernels that `choose` makes of those in Python."""
    for module in (sweep, many_games):
        monkeypatch.setattr(module, "quickest", lambda kernel, _seconds: choose(kernel))
    games = np.array([game for kind in KINDS for game in random_games(3, 4, kind)])
    with np.errstate(all="ignore"):
        found = [solution.row for solution in gx.solve_matrix_games(np.rint(games), exactly=True)]
        solved = gx.solve_matrix_games(games)
        found += [getattr(solved, name).tolist() for name in ("row", "column", "lower")]
        for n, rules, integers in SWEPT:
            for layer in float_layers(gx.Game(n, rules), gx.Float(integers=integers), jobs=1):
                found += [layer.values.tolist(), layer.bounds.tolist(), layer.counts.tolist()]
    return found


def test_compiled_kernels_equal_their_python_twins(monkeypatch):
    assert solved_every_way(together.solve_batch) == solved_every_way(SOLVE)
    assert answers(monkeypatch, lambda kernel: kernel) == answers(monkeypatch, compiled)


SHORT = """
import sys, gops_exact as gx
first = gx.first_move(5, "float").emit("json")
gx.solve(gx.Position([1, 2, 4, 6], [2, 3, 5, 7], [1, 2, 5, 6], upcard=5), "float")
gx.first_move(gx.Game(3, deck=(0, 0, 0)), "float")
print("numba" in sys.modules, first)
"""


def test_float_first_moves_of_few_cards_compile_nothing_and_do_not_warn(monkeypatch):
    out, err = python("-W", "error", "-c", SHORT).communicate()
    monkeypatch.setattr(kernels, "_spent", math.inf)
    assert (out, err) == (f"False {gx.first_move(5, 'float').emit('json')}\n", "")


def test_matrix_games_with_wide_float_intervals_are_solved_again_in_fractions(monkeypatch):
    games = np.array([game for kind in KINDS for game in random_games(3, 4, kind)])
    monkeypatch.setattr(many_games, "WIDE", -1.0)
    solved = gx.solve_matrix_games(games)
    for game, row, lower, upper in zip(games, solved.row, solved.lower, solved.upper, strict=True):
        exact = gx.solve_matrix_game(game, exactly=True)
        assert row.tolist() == list(map(float, exact.row))
        assert lower <= float(exact.value) <= upper


def test_most_matrix_games_in_floats_are_solved_in_batches():
    # A kernel that takes wrong steps costs time alone: every game would be solved singly in the end.
    *_, last = float_layers(gx.Game(6), jobs=1)
    assert last.counts[single.SOLVED] <= 20 and last.counts[single.PIVOTS] <= 2500  # 8 and 2,098


def test_matrix_game_in_floats_keeps_the_narrowest_interval_of_its_attempts():
    # A game of the sweep of eight cards whose last attempt is worse than the first.
    game = np.array(
        [
            [-1, -1, -1, -1, 0.3614021663682055],
            [0.6934265824975641, -1, -1, -1, 0.36135463576626503],
            [1, 1, 0.2242228652844488, -1, -0.33333333333333326],
            [1, 1, 1, 0.2242228652844488, -0.6621682566174923],
            [1, 1, 1, 1, -0.8310841283087463],
            [0.7584104768093178, 0.8061342192251726, 0.8513914855103091, 1, 1],
        ]
    )
    room, counts = scratch(6), np.zeros(COUNTS, np.int64)
    room.game[:, :5] = game
    with np.errstate(all="ignore"):
        lower, upper = single.solve_game(6, 5, -1.0, room, counts)
    row, column = (side[:size] / side.sum() for side, size in zip(room.surest, (6, 5), strict=True))
    assert (row @ game).min() == pytest.approx(lower, abs=1e-14)
    assert (game @ column).max() == pytest.approx(upper, abs=1e-14)
    assert upper - lower < 1e-13
    assert counts[single.FAILED] == counts[single.SECOND_ATTEMPTS] == 1


PART_SOURCE = "from gops_exact.solvers.floats.kernels import part\n\n@part\ndef number(x):\n    return x + {}\n"

KERNEL_SOURCE = """
from gops_exact.solvers.floats.kernels import kernel
from gops_exact.solvers.floats.kernels.compilation import compiled, is_compiled
from gops_exact.solvers.floats.kernels.one import number

@kernel
def double(x):
    return 2 * number(x)

twice = compiled(double)

known = is_compiled(double)
print(twice(0), sum(twice.stats.cache_hits.values()), int(known), int(is_compiled(double)))
"""

FRESH, KEPT = (2, 0, 0, 1), (2, 1, 1, 1)
"""Twice 1, and whether it came from disk, was known to be compiled, and is known now."""


@pytest.fixture
def package(tmp_path):
    """The kernels of a copy of the package with one kernel more, which calls a function of another file."""
    copy = tmp_path / "gops_exact"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    kernels = copy / "solvers" / "floats" / "kernels"
    (kernels / "one.py").write_text(PART_SOURCE.format(1))
    (kernels / "two.py").write_text(KERNEL_SOURCE)
    return kernels


def fresh_run(package):
    """Return what the module prints."""
    root = package.parents[3]
    home = {"HOME": str(root / "home"), "XDG_CACHE_HOME": str(root / "home" / "cache")}
    environment = os.environ | home | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-W", "error", "-c", "import gops_exact.solvers.floats.kernels.two"]
    ran = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return tuple(map(int, ran.stdout.split()))


def test_compiled_kernels_are_dropped_when_a_source_changes(package):
    assert [fresh_run(package), fresh_run(package)] == [FRESH, KEPT]
    (package / "one.py").write_text(PART_SOURCE.format(5))
    assert fresh_run(package) == (10, *FRESH[1:])
