"""The float sweep by every rule: its tables, its values against exact ones, files, estimates."""

import json
import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.api import first_move
from gops_exact.cost import estimate_cost
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import Rules, State
from gops_exact.layers import sweep
from gops_exact.layers.kernels.assemble import WINNERS, runs
from gops_exact.layers.layer import Columns
from gops_exact.layers.sweep import float_layers
from gops_exact.solutions.arithmetic import Float
from gops_exact.solvers.cross_check import cross_check

RULES = [
    Rules(*each)
    for each in product(
        ("points", "win"), ("discard", "carryover"), ("random", "hidden", "descending")
    )
]
WIN = Rules("win")


def states(columns, prizes):
    """Every state kept of a prize set."""
    for pot in columns.pots(prizes):
        radius = columns.radius(prizes, pot)
        yield from (State(margin, pot) for margin in range(-radius, radius + 1))


def columns_of(rules, n, k):
    return Columns(rules, rules.arranged(range(1, n + 1)), k)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_state_that_is_reached_has_a_column_of_its_own(rules):
    reached = rules.states(rules.arranged(range(1, 6)))
    for k in range(1, 6):
        columns = columns_of(rules, 5, k)
        places = [columns.column(P, state) for P in columns.sets for state in states(columns, P)]
        assert places == list(range(columns.width))
        for prizes in columns.sets:
            assert set(reached[prizes]) <= set(states(columns, prizes))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_runs_lead_where_the_rules_say(rules):
    for k in (1, 2, 3):
        columns, below = columns_of(rules, 4, k), columns_of(rules, 4, k - 1)
        table, seen = runs(columns), []
        of_column = {
            columns.column(P, state): (P, state)
            for P in columns.sets
            for state in states(columns, P)
        }
        for r, q in ((s, q) for s in range(len(table.length)) for q in range(table.length[s])):
            prizes, state = of_column[table.target[r] + q]
            draws = {
                draw.upcard: draw
                for draw in rules.draws(prizes)
                if rules.winning or not rules.hidden
            }
            for t in range(len(table.gain)):
                rest_of = follow(rules, table, below, (r, t, q), (prizes, state))
                seen.append((prizes, state, rest_of))
            assert draws or rules.hidden
        wanted = [
            (P, state, draw.rest) for P, state in of_column.values() for draw in rules.draws(P)
        ]
        assert sorted(seen) == sorted(wanted)


def follow(rules, table, below, place, position):
    """Check one game's entries in the tables; the prizes that are left after it."""
    (r, t, q), (prizes, state) = place, position
    fitting = [
        draw for draw in rules.draws(prizes) if leads_there(rules, table, below, place, state, draw)
    ]
    (draw,) = fitting if len(fitting) == 1 else fitting[t : t + 1]
    if not rules.winning:
        assert table.gain[t, r] + q * table.gain_step == rules.gain(state, draw.upcard, 1)
    return draw.rest


def leads_there(rules, table, below, place, state, draw):
    """Whether the columns below are those that a draw leads to."""
    r, t, q = place
    for s, winner in enumerate(WINNERS):
        after = rules.after(state, draw.upcard, winner)
        low, high = table.low[s, t, r], table.high[s, t, r]
        if q < low or q >= table.length[r] - high:
            if rules.decided(draw.rest, after) != (-1 if q < low else 1):
                return False
            continue
        for d, seen in enumerate((after, after.swapped())):
            column = int(table.source[s, d, t, r]) + int(q - low) * int(table.step[s, d])
            if abs(seen.margin) > below.radius(draw.rest, seen.pot):
                return False
            if column != below.column(draw.rest, seen):
                return False
    return True


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_value_is_within_its_bound(rules):
    for n in (1, 2, 3, 4, 5):
        for integers in (False, True) if rules.winning else (False,):
            checks = cross_check(gx.Game(n, rules), jobs=1, integers=integers)
            assert [check.size for check in checks] == list(range(1, n))
            assert all(check.values and check.largest_share < 1 for check in checks)
            limit = 1e-8 if integers else 1e-12
            assert all(check.largest_bound < limit for check in checks)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_first_moves_are_within_their_radii(rules):
    exact = gx.first_move(4, rules=rules, store=":memory:")
    moves = first_move(4, "float", rules=rules, jobs=1)
    assert moves.rules == rules
    assert list(moves) == list(exact)
    for upcard, column in moves.items():
        assert not column.proved or exact[upcard].unique
        for card, middle in column.items():
            radius = middle.radius
            off = exact[upcard][card].value - fmpq(*middle.value.as_integer_ratio())
            assert abs(off) <= fmpq(*radius.as_integer_ratio())


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
        for prizes in large.sets:
            off = small.bound(prizes) + large.bound(prizes)
            for state in states(large.columns, prizes):
                values = large.slab(prizes, state)
                turned = large.slab(prizes, state.swapped())[mirrored]
                assert np.abs(values + turned).max() <= 2 * off
                assert np.abs(values[same] - small.slab(prizes, state)).max() <= off


SWEEPS = """
import json, numpy as np
from gops_exact.layers.sweep import float_layers
from gops_exact.game.game import Game
from gops_exact.game.rules import Rules
found = []
for rules, integers in (
    (Rules("win"), False), (Rules("win"), True), (Rules("win", "carryover", "hidden"), False),
    (Rules("points", "carryover"), False), (Rules("points", "discard", "hidden"), False),
    (Rules("points", "carryover", "ascending"), False),
):
    with np.errstate(all="ignore"):
        layers = float_layers(Game(3, rules), jobs=1, integers=integers)
        found.append([[x.values.tolist(), x.bounds.tolist()] for x in layers])
print(json.dumps(found))
"""


def test_the_sweep_equals_its_twin():
    run = [
        subprocess.run(
            [sys.executable, "-c", SWEEPS],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
        )
        for disabled in ("0", "1")
    ]
    assert json.loads(run[0].stdout) == json.loads(run[1].stdout)


def test_a_run_in_integers_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    class StoppedError(Exception):
        pass

    def stop_after(games):
        def tell(done, _):
            if done > games:
                raise StoppedError

        return tell

    monkeypatch.setattr(sweep, "BLOCK_GAMES", (500, 2_000))
    options = {"rules": WIN, "jobs": 1}
    expected = first_move(6, Float(integers=True), **options)
    for games in (100, 20_000, 60_000):
        with pytest.raises(StoppedError):
            first_move(6, Float(tmp_path, integers=True), progress=stop_after(games), **options)
    kept = first_move(6, Float(tmp_path, keep=True, integers=True), **options)
    assert kept.columns == expected.columns
    assert sizes(tmp_path) == [1, 2, 3, 4, 5]


def sizes(folder):
    """The finished layers in a folder, by cards a side."""
    return sorted(int(path.stem[-2:]) for path in folder.glob("*.bounds"))


def test_all_layers_are_kept_where_asked(tmp_path):
    first_move(5, Float(folder=tmp_path), rules=WIN, jobs=1)
    assert sizes(tmp_path) == [3, 4]
    first_move(5, Float(folder=tmp_path, keep=True), rules=WIN, jobs=1)
    assert sizes(tmp_path) == [1, 2, 3, 4]
    kept = float_layers(gx.Game(5, WIN), folder=tmp_path, keep=True)
    found = {layer.size: layer for layer in kept}
    for k, layer in enumerate(float_layers(gx.Game(5, WIN), jobs=1), start=1):
        np.testing.assert_array_equal(found[k].values, layer.values)
        np.testing.assert_array_equal(found[k].bounds, layer.bounds)
        prizes = layer.sets[-1]
        assert found[k].slab(prizes, State(1))[0] == layer.slab(prizes, State(1))[0]
    with pytest.raises(KeyError):
        found[1].slab((1,), State(2))
    with pytest.raises(ValueError, match="keep must come with a folder, got none"):
        first_move(5, Float(keep=True))
    with pytest.raises(
        ValueError, match="integers must be for objective win, got objective points"
    ):
        first_move(5, Float(integers=True))


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_estimates_count_what_is_computed(rules):
    n = 5 if rules.winning and rules.ties == "carryover" else 6
    layers = list(float_layers(gx.Game(n, rules), jobs=1))
    estimate = estimate_cost(gx.Game(n, rules), gx.Float())
    assert estimate.values == sum(layer.values.size for layer in layers)
    assert estimate.kept == 8 * estimate.values
    assert estimate.games == first_move(n, "float", rules=rules, jobs=1).effort.games
    assert columns_of(rules, n, n).widths()[1:n] == [layer.columns.width for layer in layers]
