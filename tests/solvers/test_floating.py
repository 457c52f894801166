"""The float sweep by every rule: values, bounds and first moves against exact ones, its files and refusals."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache, partial
from math import comb

import numpy as np
import pytest
from flint import fmpq
from places import TESTS
from recursions import EVERY_RULE, slabs, types_of

import gops_exact as gx
from gops_exact.commands.cli import main
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.solvers import cost
from gops_exact.solvers.cost import check_cost, estimate_cost
from gops_exact.solvers.cross_check import compare, cross_check
from gops_exact.solvers.exact.rational import ExactSystem
from gops_exact.solvers.floats import sweep
from gops_exact.solvers.floats.layer import columns_below
from gops_exact.solvers.floats.layer_files import LayerFile
from gops_exact.solvers.floats.sweep import float_layer, float_layers, on_threads

WIN = Rules("win")


class StoppedError(Exception):
    pass


def stop_after(games):
    def tell(done, _):
        if done > games:
            raise StoppedError

    return tell


@cache
def layers(n):
    return tuple(float_layers(gx.Game(n), jobs=1))


@cache
def exact_slabs(n):
    return slabs(ExactSystem(), n)


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_every_value_is_within_its_bound(rules):
    for n in (1, 2, 5, 6) if rules == PLAIN else (1, 2, 5):
        for integers in (False, True) if rules.winning else (False,):
            checks = cross_check(gx.Game(n, rules), jobs=1, integers=integers)
            assert [check.size for check in checks] == list(range(1, n))
            assert all(check.values and check.largest_share < 1 for check in checks)
            limit = 1e-8 if integers else 1e-12
            assert all(check.largest_bound < limit for check in checks)
            if rules == PLAIN:
                sizes = [len(layer) * comb(n, layer.size) for layer in types_of(n)[1:-1]]
                assert [check.values for check in checks] == sizes


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
    checks = cross_check(gx.Game(5, WIN), jobs=1)
    assert max(check.largest_difference for check in checks) > narrow / 20
    assert 0.5 < max(check.largest_share for check in checks) <= 1


def test_the_error_of_the_values_below_is_inherited():
    below, off = layers(5)[2], 1e-3
    noise = np.random.default_rng(1).choice([-off, off], below.values.shape)
    shaken = replace(below, values=below.values + noise, bounds=below.bounds + off)
    solver = partial(on_threads, 1)
    layer = float_layer(types_of(5)[4], columns_below(gx.Game(5)), shaken, solver=solver)
    assert 0.5 < compare(layer, exact_slabs(5)).largest_share <= 1


@pytest.mark.parametrize(
    ("rules", "n"), [(PLAIN, 5), (PLAIN, 6), *((rules, 4) for rules in EVERY_RULE)], ids=str
)
def test_first_moves_are_within_their_radii(rules, n):
    exact = gx.first_move(n, rules=rules, store=":memory:")
    moves = gx.first_move(n, "float", rules=rules, jobs=1)
    assert moves.rules == rules
    assert list(moves) == list(exact)
    for upcard, column in moves.items():
        assert not column.proved or exact[upcard].unique
        assert column.proved or rules != PLAIN
        for card, middle in column.items():
            off = exact[upcard][card].value - fmpq(*middle.value.as_integer_ratio())
            assert abs(off) <= fmpq(*middle.radius.as_integer_ratio())
            assert middle.radius < 1e-11 or rules != PLAIN


def test_nothing_depends_on_the_threads_or_the_deck():
    for one, two in zip(layers(7), float_layers(gx.Game(7), jobs=2), strict=True):
        np.testing.assert_array_equal(one.values, two.values)
        np.testing.assert_array_equal(one.bounds, two.bounds)
    for small, large in zip(layers(6), layers(7), strict=False):
        sets = small.columns.sets
        for prizes in sets[:: max(1, len(sets) // 4)]:
            difference = small.slab(prizes) - large.slab(prizes)[: len(small.values)]
            assert np.abs(difference).max() <= small.bound(prizes) + large.bound(prizes)


@pytest.mark.parametrize("rules", [WIN, Rules("points", "carryover")], ids=str)
def test_nothing_depends_on_the_reductions(rules):
    reduced = list(float_layers(gx.Game(4, rules), jobs=1))
    types = order_types(range(1, 5), range(1, 5), canonical=False, symmetry=False)
    plain = [layer.every_bid() for layer in types]
    for small, large in zip(reduced, float_layers(gx.Game(4, rules), plain, jobs=1), strict=True):
        layer = plain[small.size]
        pair = {key: h for h, key in enumerate(zip(layer.one, layer.two, strict=True))}
        mirrored = [pair[two, one] for one, two in pair]
        kept = gx.Game(4, rules).types[small.size]
        same = [pair[key] for key in zip(kept.one, kept.two, strict=True)]
        for prizes, state in large.columns.nodes():
            off = small.bound(prizes) + large.bound(prizes)
            values = large.slab(prizes, state)
            turned = large.slab(prizes, state.swapped())[mirrored]
            assert np.abs(values + turned).max() <= 2 * off
            assert np.abs(values[same] - small.slab(prizes, state)).max() <= off


def swept():
    """Values and bounds of small games in every form of the tables that the kernels read."""
    found = []
    for n, rules, integers in (
        (4, PLAIN, False),
        (3, WIN, False),
        (3, WIN, True),
        (3, Rules("win", "carryover", "hidden"), False),
        (3, Rules("points", "carryover"), False),
        (3, Rules("points", "discard", "hidden"), False),
        (3, Rules("points", "carryover", "ascending"), False),
    ):
        with np.errstate(all="ignore"):
            each = float_layers(gx.Game(n, rules), jobs=1, integers=integers)
            found.append([[layer.values.tolist(), layer.bounds.tolist()] for layer in each])
    return found


def test_the_sweep_equals_its_twin():
    run = subprocess.run(
        [sys.executable, "-c", "import json, test_floating as t; print(json.dumps(t.swept()))"],
        check=True,
        capture_output=True,
        text=True,
        cwd=TESTS / "solvers",
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(TESTS / "support")},
    )
    assert json.loads(run.stdout) == swept()


def test_a_run_in_integers_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    """In floats, too: ``tests/internal/test_folder.py``."""
    monkeypatch.setattr(sweep, "BLOCK_GAMES", (500, 2_000))
    kind, options, told = gx.Float(tmp_path, integers=True), {"rules": WIN, "jobs": 1}, []
    for games in (100, 20_000):
        with pytest.raises(StoppedError):
            gx.first_move(6, kind, progress=stop_after(games), **options)
    resumed = gx.first_move(6, kind, progress=lambda *done: told.append(done), **options)
    whole = resumed.effort.games - 6
    assert told[0] == (0, whole) and told[1][0] > 20_000 and told[-1] == (whole, whole)
    assert resumed.columns == gx.first_move(6, gx.Float(integers=True), **options).columns
    assert sizes(tmp_path) == [4, 5]


def sizes(folder):
    """The finished layers in a folder, by cards a side."""
    return sorted(int(path.stem[-2:]) for path in folder.glob("*.bounds"))


def test_a_torn_journal_is_cut_and_damage_raises(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep, "BLOCK_GAMES", (500, 2_000))

    def run():
        return list(float_layers(gx.Game(6), jobs=1, folder=tmp_path))

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
        LayerFile(tmp_path, columns_below(gx.Game(6)), len(values))


def test_all_layers_are_kept_where_asked(tmp_path):
    gx.first_move(5, gx.Float(folder=tmp_path), rules=WIN, jobs=1)
    assert sizes(tmp_path) == [3, 4]
    gx.first_move(5, gx.Float(folder=tmp_path, keep=True), rules=WIN, jobs=1)
    assert sizes(tmp_path) == [1, 2, 3, 4]
    kept = float_layers(gx.Game(5, WIN), folder=tmp_path, keep=True)
    for found, layer in zip(kept, float_layers(gx.Game(5, WIN), jobs=1), strict=True):
        np.testing.assert_array_equal(found.values, layer.values)
        np.testing.assert_array_equal(found.bounds, layer.bounds)
    with pytest.raises(ValueError, match="keep must come with a folder, got none"):
        gx.first_move(5, gx.Float(keep=True))


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_estimates_count_what_is_computed(rules):
    game = gx.Game(5 if rules.winning and rules.ties == "carryover" else 6, rules)
    found = list(float_layers(game, jobs=1))
    estimate = estimate_cost(game, gx.Float())
    assert estimate.values == sum(layer.values.size for layer in found)
    assert estimate.kept == 8 * estimate.values
    effort = gx.first_move(game.n, "float", rules=rules, jobs=1).effort
    assert (effort.games, effort.failed) == (estimate.games, 0)


@pytest.mark.parametrize(
    ("n", "kind", "message"),
    [
        (
            3,
            gx.Float(memory_bytes=9),
            "n = 3 must take at most 9 bytes .*, got [0-9]+ bytes: about 24 games",
        ),
        (
            13,
            gx.Float(memory_bytes=10**9),
            "n = 13 must take at most .* of memory or have a folder",
        ),
        (20, gx.Float(memory_bytes=10**18), "n = 20 must take at most 24 hours"),
    ],
)
def test_what_does_not_fit_is_refused(n, kind, message):
    with pytest.raises(ValueError, match=message) as error:
        gx.first_move(n, kind)
    assert "\n" not in str(error.value)


def test_a_full_disk_is_noticed_beforehand(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match="must take at most .* in .*new unless forced"):
        check_cost(gx.Game(18), gx.Float(tmp_path / "new", memory_bytes=10**13), jobs=2)
    assert check_cost(gx.Game(20), gx.Float(), jobs=1, force=True).games > 10**12
    assert estimate_cost(gx.Game(14), gx.Float()).games == 7_734_315_162
    monkeypatch.setattr(cost, "_free", lambda _: 0)
    with pytest.raises(
        ValueError,
        match="must take at most 0 bytes in .*; arithmetic exact, ball, residue would do$",
    ):
        gx.first_move(5, gx.Float(tmp_path))


@pytest.mark.parametrize("goal", ["points", "win"])
@pytest.mark.usefixtures("modes_bind")
def test_a_finished_run_needs_no_right_to_write(goal, tmp_path, capsys):
    folder = tmp_path / "layers"
    words = ["-n", "5", "--arithmetic", "float", "--objective", goal, "--folder", str(folder)]
    main([*words, "--emit", "csv"])
    printed, before = capsys.readouterr(), {p: p.read_bytes() for p in folder.iterdir()}
    for path in (*before, folder):
        path.chmod(0o555)
    main([*words, "--emit", "csv"])
    folder.chmod(0o755)
    assert capsys.readouterr() == printed
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
