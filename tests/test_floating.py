"""The float sweep against exact values and printed tables, its bounds, files and refusals."""

import csv
import os
from dataclasses import replace
from functools import cache, partial
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.api import first_move
from gops_exact.cli import main
from gops_exact.cost import check_cost, estimate_cost
from gops_exact.game.game import Game, Node, turns
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.lattice.exact import ExactSystem
from gops_exact.lattice.sweep import Values
from gops_exact.layers import sweep
from gops_exact.layers.files import LayerFile
from gops_exact.layers.layer import columns_below
from gops_exact.layers.sweep import float_layer, float_layers, on_threads
from gops_exact.players.simple import SOURCE
from gops_exact.solutions.arithmetic import Float
from gops_exact.solvers.cross_check import compare, cross_check

ONE_THREAD = partial(on_threads, 1)

PUBLISHED = Path(gx.__file__).parent / "players" / SOURCE

# (n, upcard, card): what is printed, and the probability to seven digits.
NOT_AS_PRINTED = {
    (6, 5, 2): ("0.0865", 0.0864491),
    (7, 3, 1): ("0.1239", 0.1230030),
    (7, 2, 4): ("0.5632", 0.5632623),
    (7, 6, 5): ("0.3152", 0.3152549),
    (9, 6, 6): ("0.1637", 0.1637811),
    (9, 9, 6): ("0.2147", 0.0214682),
}

NOBODY = 65534
"""A user who may write nothing, for tests that run as root."""


@cache
def moves(n):
    return first_move(n, "float")


@cache
def types_of(n):
    return order_types(range(1, n + 1), range(1, n + 1))


@cache
def layers(n):
    return tuple(float_layers(Game(n), jobs=1))


@cache
def exact_slabs(n):
    values = Values(types_of(n), PLAIN, ExactSystem())
    values.sweep(turns(PLAIN, Node(tuple(range(1, n + 1)))))
    return values


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6])
def test_every_value_is_within_its_bound(n):
    checks = cross_check(Game(n), exact_slabs(n))
    assert [check.size for check in checks] == list(range(1, n))
    for check in checks:
        assert check.values == len(types_of(n)[check.size]) * comb(n, check.size)
    assert all(check.largest_share < 1 for check in checks)
    assert all(check.largest_bound < 1e-12 for check in checks)


def test_a_value_beyond_its_bound_is_noticed():
    layer = layers(5)[2]
    values = layer.values.copy()
    values[7, 4] += 2.5 * layer.bounds[4]
    with pytest.raises(ArithmeticError, match="more than its bound"):
        compare(replace(layer, values=values), exact_slabs(5))


@pytest.mark.parametrize("narrow", [1e-2, 1e-1])
def test_wide_brackets_are_accounted_for(monkeypatch, narrow):
    # Saddle points that are none will do, so values are wrong by as much as is claimed.
    monkeypatch.setattr(sweep, "NARROW", narrow)
    checks = cross_check(Game(5, Rules("win")), jobs=1)
    assert max(check.largest_difference for check in checks) > narrow / 20
    assert 0.5 < max(check.largest_share for check in checks) <= 1


def test_the_error_of_the_values_below_is_inherited():
    below, off = layers(6)[2], 1e-3
    noise = np.random.default_rng(1).choice([-off, off], below.values.shape)
    shaken = replace(below, values=below.values + noise, bounds=below.bounds + off)
    layer = float_layer(types_of(6)[4], columns_below(Game(6)).at(4), shaken, solver=ONE_THREAD)
    assert 0.5 < compare(layer, exact_slabs(6)).largest_share <= 1


@pytest.mark.parametrize("n", [4, 5, 6])
def test_first_moves_are_within_their_radii(n):
    exact = gx.first_move(n, store=":memory:")
    for upcard, column in moves(n).items():
        assert column.proved
        assert max(column[card].radius for card in column) < 1e-11
        for card, middle in column.items():
            radius = middle.radius
            off = exact[upcard][card] - fmpq(*middle.value.as_integer_ratio())
            assert abs(off) <= fmpq(*radius.as_integer_ratio())
            if radius == 0:
                assert off == 0


def test_a_tie_is_not_claimed():
    (column,) = first_move(3, "float", upcards=[2]).values()
    assert gx.first_move(3, store=":memory:")[2].unique is False
    assert not column.proved
    assert column.unique is None
    assert all(column[card].radius >= 0.5 for card in column)


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9])
def test_printed_digits(n):
    with PUBLISHED.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if int(row["n"]) == n]
    assert len(rows) == n * n
    different = {}
    for row in rows:
        upcard, card, printed = int(row["upcard"]), int(row["card"]), row["printed_probability"]
        number = moves(n)[upcard][card]
        middle, radius = number.value, number.radius
        if printed == "0":
            right = middle == radius == 0
        else:
            digits = len(printed.partition(".")[2])
            right = abs(middle - float(printed)) <= 0.5 * 10**-digits + radius
        if not right:
            different[n, upcard, card] = (printed, round(middle, 7))
    assert different == {key: entry for key, entry in NOT_AS_PRINTED.items() if key[0] == n}


def test_nothing_depends_on_the_threads_or_the_deck():
    for one, two in zip(layers(7), float_layers(Game(7), jobs=2), strict=True):
        np.testing.assert_array_equal(one.values, two.values)
        np.testing.assert_array_equal(one.bounds, two.bounds)
    for small, large in zip(layers(6), layers(7), strict=False):
        for prizes in small.sets[:: max(1, len(small.sets) // 4)]:
            difference = small.slab(prizes) - large.slab(prizes)[: len(small.values)]
            assert np.abs(difference).max() <= small.bound(prizes) + large.bound(prizes)


def test_progress_counts_games():
    told = []
    result = first_move(6, "float", progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (result.effort.games - 6, result.effort.games - 6)
    assert result.effort.games == estimate_cost(Game(6), Float()).games
    assert result.effort.failed == 0


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(sweep, "BLOCK_GAMES", (500, 2_000))


@pytest.mark.usefixtures("small_blocks")
def test_a_run_goes_on_where_it_was_stopped(tmp_path):
    class StoppedError(Exception):
        pass

    def stop_after(games):
        def tell(done, _):
            if done > games:
                raise StoppedError

        return tell

    for games in (30, 9_000, 20_000):
        with pytest.raises(StoppedError):
            first_move(7, Float(folder=tmp_path), progress=stop_after(games), jobs=1)
    told = []
    resumed = first_move(
        7, Float(folder=tmp_path), progress=lambda done, _: told.append(done), jobs=1
    )
    assert told[0] == 0  # at once
    assert told[1] > 20_000
    assert resumed.columns == moves(7).columns
    assert sorted(path.name for path in tmp_path.glob("*.values")) == [
        "float-7-05.values",
        "float-7-06.values",
    ]
    assert first_move(7, Float(folder=tmp_path)).columns == resumed.columns


@pytest.mark.usefixtures("small_blocks")
def test_a_torn_journal_is_cut_and_damage_raises(tmp_path):
    def run():
        return list(float_layers(Game(6), jobs=1, folder=tmp_path))

    values = run()[-1].values.copy()
    path = tmp_path / "float-6-05.values"
    bounds, journal = path.with_suffix(".bounds"), path.with_suffix(".journal")
    kept = bounds.read_bytes()
    bounds.unlink()
    with journal.open("ab") as file:
        file.write(b"torn")
    np.testing.assert_array_equal(run()[-1].values, values)
    assert bounds.read_bytes() == kept
    for victim in (bounds, path):
        whole = victim.read_bytes()
        for at in (0, len(whole) // 2, len(whole) - 1):
            victim.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            with pytest.raises(ValueError, match="damaged"):
                run()
        victim.write_bytes(whole)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(ValueError, match="bytes long"):
        LayerFile(tmp_path, columns_below(Game(6)), len(values))


def test_estimates_count_what_is_computed():
    assert estimate_cost(Game(7), Float()).values == sum(layer.values.size for layer in layers(7))
    assert estimate_cost(Game(7), Float()).games == moves(7).effort.games
    assert estimate_cost(Game(14), Float()).games == 7_734_315_162


@pytest.mark.parametrize(
    ("n", "options", "message"),
    [
        (0, {}, "n must be a positive integer, got 0"),
        (3, {"jobs": 0}, "jobs must be a positive integer, got 0"),
        (3, {"rules": "win"}, "rules must be Rules.*, got 'win'"),
        (29, {}, "n must be at most 28, got 29"),
        (3, {"upcards": []}, "upcards must have at least one prize, got none"),
        (3, {"arithmetic": Float(os.devnull)}, "folder: expected a folder, got '/dev/null': File"),
        (
            3,
            {"arithmetic": Float(f"{os.devnull}/x")},
            "folder: expected a folder, got '/dev/null/x'",
        ),
        (
            3,
            {"arithmetic": Float(memory_bytes=9)},
            "n = 3 must take at most 9 bytes .*, got [0-9]+ bytes: about 24 games",
        ),
        (
            13,
            {"arithmetic": Float(memory_bytes=10**9)},
            "n = 13 must take at most .* of memory or have a folder",
        ),
        (20, {"arithmetic": Float(memory_bytes=10**18)}, "n = 20 must take at most 24 hours"),
    ],
)
def test_what_does_not_fit_is_refused(n, options, message):
    with pytest.raises(ValueError, match=message) as error:
        first_move(n, **({"arithmetic": "float"} | options))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("nbytes", [0, -1])
def test_no_memory_is_refused_at_once(nbytes):
    with pytest.raises(ValueError, match=f"memory_bytes must be a positive integer, got {nbytes}"):
        Float(memory_bytes=nbytes)


@pytest.mark.parametrize("goal", ["points", "win"])
def test_a_finished_run_needs_no_right_to_write(goal, capsys):
    with TemporaryDirectory() as name:
        folder, root = Path(name), os.geteuid() == 0
        words = ["-n", "5", "--arithmetic", "float", "--objective", goal, "--folder", name]
        main([*words, "--emit", "csv"])
        printed, before = capsys.readouterr(), {p: p.read_bytes() for p in folder.iterdir()}
        for path in (*before, folder):
            path.chmod(0o555)
        if root:
            os.seteuid(NOBODY)
        try:
            main([*words, "--emit", "csv"])
        finally:
            if root:
                os.seteuid(0)
            folder.chmod(0o755)
        assert capsys.readouterr() == printed
        assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_full_disk_is_noticed_beforehand(tmp_path):
    with pytest.raises(ValueError, match="must take at most .* in .*new unless forced"):
        check_cost(Game(18), Float(tmp_path / "new", memory_bytes=10**13), jobs=2)
    assert check_cost(Game(20), Float(), jobs=1, force=True).games > 10**12


def test_upcards_are_checked():
    with pytest.raises(ValueError, match="an upcard must be one of 1 to 5, got 6"):
        first_move(5, "float", upcards=[6])
    picked = first_move(5, "float", upcards=[4, 2])
    assert list(picked) == [4, 2]
    assert picked[4] == moves(5)[4]
    with pytest.raises(KeyError):
        picked[1]
    assert picked[2] == moves(5)[2]
