"""The float sweep: every value within its bound and its proved interval, no dependence on threads, estimates."""

from dataclasses import replace
from functools import partial
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from flint import arb, fmpq
from float_intervals import recheck
from recursions import EVERY_RULE
from stores import value_tables

import gops_exact as gx
from gops_exact.game.game import Game
from gops_exact.matrix_game.basis import Play
from gops_exact.solvers.cost import estimate_cost
from gops_exact.solvers.exact.lattice import ExactSystem
from gops_exact.solvers.float_errors import compare, cross_check
from gops_exact.solvers.floats import sweep
from gops_exact.solvers.floats.by_layers import _bounds
from gops_exact.solvers.floats.layer import columns_below, layer_counts, no_cards
from gops_exact.solvers.floats.sweep import float_layer, float_layers, on_threads

WIN = gx.Rules("win")


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_float_values_lie_within_their_bounds(rules):
    n = 5 if rules.fixed or not rules.winning else 4
    for integers in (False, True) if rules.winning else (False,):
        checks = cross_check(gx.Game(n, rules), jobs=1, integers=integers)
        assert [check.size for check in checks] == list(range(1, n))
        assert sum(check.values for check in checks) == gx.Game(n, rules).counts.values
        assert all(check.largest_share < 1 for check in checks)
        assert all(check.largest_bound < (1e-8 if integers else 1e-12) for check in checks)


@pytest.mark.parametrize("narrow", [1e-2, 1e-1])
def test_float_error_bounds_hold_where_games_are_solved_only_roughly(monkeypatch, narrow):
    # Saddle points that are none will do, so values are wrong by as much as is claimed.
    monkeypatch.setattr(sweep, "NARROW", narrow)
    checks = cross_check(gx.Game(5, WIN), jobs=1)
    assert max(check.largest_difference for check in checks) > narrow / 20
    assert 0.5 < max(check.largest_share for check in checks) <= 1


def test_float_error_bounds_include_the_error_of_positions_with_fewer_cards():
    (_, _, below, *_), off = float_layers(gx.Game(5), jobs=1), 1e-3
    noise = np.random.default_rng(1).choice([-off, off], below.values.shape)
    shaken = replace(below, values=below.values + noise, bounds=below.bounds + off)
    solver = partial(on_threads, 1)
    layer = float_layer(gx.Game(5).types[4], columns_below(gx.Game(5)), shaken, solver=solver)
    assert 0.5 < compare(layer, value_tables(gx.Game(5), ExactSystem())).largest_share <= 1


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_cost_estimate_of_float_first_moves_equals_the_values_and_games_solved(rules):
    """Of a set of prizes that are all 0 the sum is that of no prizes."""
    for deck in ((1, 2, 3, 4, 5), (0, 0, 2)):
        game = gx.Game(len(deck), rules, deck)
        found = list(float_layers(game, jobs=1))
        for layer in found:
            columns = columns_below(game).at(layer.size)
            listed = [columns.column(*prize_state) for prize_state in columns.prize_states()]
            assert listed == list(range(columns.width)) == list(range(layer.values.shape[1]))
        estimate = estimate_cost(game, gx.Float())
        assert estimate.values == sum(layer.values.size for layer in found)
        assert estimate.kept == 8 * estimate.values
        game_counts = gx.first_move(game, gx.Float(), jobs=1).game_counts
        games = sum(len(layer.values) * layer.columns.games for layer in found)
        assert game_counts.games == estimate.games == games + len(game.upcards)
        assert game_counts.failed == 0


def test_cost_estimates_of_positions_in_floats_are_upper_bounds():
    for name in ("1.3.4.9.11_2.3.5.6.12_1.1.2.8.30_w_m3", "1.3.4.9_2.3.5.6_0.1.2.8_c_p2"):
        position, told = gx.Position.parse(name), [(0, 0)]
        list(float_layers(position, jobs=1, progress=lambda *done, told=told: told.append(done)))
        assert 0 < told[-1][0] == told[-1][1] <= estimate_cost(position, gx.Float()).games


def test_float_values_of_eight_cards_lie_in_proved_intervals():
    game = Game(8)
    layers = [no_cards(columns_below(game).at(0)), *float_layers(game, jobs=1)]
    found = [recheck(layer, below, game.types) for below, layer in pairwise(layers)]
    assert [each.games for each in found] == layer_counts(game)[2][1:]
    assert all(each.open == 0 for each in found)
    assert all(each.share <= 1 for each in found)
    # So narrow that the value of a wrong basis could not lie within.
    assert all(each.width < 1e-11 for each in found)


def test_bounds_on_what_a_row_pays_hold_against_every_optimal_column_strategy():
    rng, reached = Random(1), 0
    for _ in range(200):  # in each a strategy that is not optimal is taken for player one's
        m, n = rng.randint(2, 4), rng.randint(2, 4)
        payoffs = [[rng.randint(-9, 9) for _ in range(n)] for _ in range(m)]
        best = gx.optimal_set(payoffs)
        weights = [int(64 * x) + rng.randint(0, 3) * rng.randint(0, 1) for x in best.row[0]]
        row = [fmpq(weight, sum(weights)) for weight in weights]
        least = min(
            sum(p * x for p, x in zip(row, line, strict=True))
            for line in zip(*payoffs, strict=True)
        )
        width = (best.value.value - least) * rng.choice((1, 1, 2))
        interval = arb(least).union(arb(least + width))
        play = Play(interval, tuple(map(arb, row)), ())
        bounds = list(_bounds([list(map(arb, line)) for line in payoffs], play))
        for column in best.column:
            for line, (lower, upper) in zip(payoffs, bounds, strict=True):
                pays = arb(sum(x * p.value for x, p in zip(line, column, strict=True)))
                assert not lower > pays and not pays > upper
                reached += lower.overlaps(pays) or pays.overlaps(upper)
    assert reached > 200


class OddTiesLosePot(gx.Rules):
    """Rules by which the points carried over depend on the prize, which the kernels can't follow for points."""

    def after(self, state, upcard, winner):
        after = super().after(state, upcard, winner)
        return after._replace(pot=0) if winner == 0 and upcard % 2 else after


def test_float_sweep_refuses_rules_by_which_the_prize_decides_whether_a_tie_keeps_the_pot():
    with pytest.raises(ValueError, match="a tie must keep the pot with every prize or with none"):
        gx.first_move(Game(4, OddTiesLosePot("points", "carryover")), "float")
    rules = OddTiesLosePot("win", "carryover")
    exact = gx.first_move(Game(4, rules), store=":memory:")
    for upcard, column in gx.first_move(Game(4, rules), "float").items():
        for card, number in column.items():
            least, most = number.bounds()
            assert least <= exact[upcard][card] <= most
