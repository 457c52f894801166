"""The float sweep's values against brackets that a plain solver proves for the same games."""

from dataclasses import replace
from functools import cache

import brackets
import numpy as np
import pytest
from brackets import bracket, recheck, recheck_layer

from gops_exact.game.game import Game
from gops_exact.layers.layer import layer_games
from gops_exact.layers.sweep import float_layers


@cache
def swept(n):
    game = Game(n)
    return game.types, tuple(float_layers(game, jobs=1))


@pytest.mark.parametrize("n", [3, 6, 8])
def test_every_value_is_within_its_bracket(n):
    types, layers = swept(n)
    found = list(recheck(types, iter(layers)))
    assert [each.games for each in found] == layer_games(Game(n))[1:]
    assert all(each.exactly == 0 for each in found)
    assert all(each.share <= 1 for each in found)
    # So narrow that the value of a wrong basis could not lie within.
    assert all(each.width < 1e-11 for each in found)


def test_a_wrong_value_is_noticed():
    types, layers = swept(6)
    layer = layers[3]
    values = layer.values.copy()
    values[40, 7] += 3 * layer.bounds[7]
    found = recheck_layer(types, replace(layer, values=values), layers[2])
    assert found.share > 1


def test_games_whose_brackets_are_wide_are_solved_exactly(monkeypatch):
    # As if no bracket would do but those of saddle points.
    monkeypatch.setattr(brackets, "OPEN", 0.0)
    types, layers = swept(5)
    found = list(recheck(types, iter(layers)))
    assert found[2].exactly > 100
    assert all(each.share <= 1 for each in found)
    values = layers[2].values + 1e-6
    assert recheck_layer(types, replace(layers[2], values=values), layers[1]).share > 1


def test_the_plain_solver_finds_what_is_known():
    # Rock, paper, scissors for stakes 1, 2 and 3 is worth 0; shifted by 1/4 it is worth that.
    game = np.array([[0.0, -1.0, 3.0], [1.0, 0.0, -2.0], [-3.0, 2.0, 0.0]]) + 0.25
    low, high = bracket(game, np.zeros((4, 7)), np.zeros(3, np.int64), np.zeros(3), np.zeros(3))
    assert low == pytest.approx(0.25, abs=1e-14) and high == pytest.approx(0.25, abs=1e-14)
    kernels = bracket.py_func(
        game, np.zeros((4, 7)), np.zeros(3, np.int64), np.zeros(3), np.zeros(3)
    )
    assert kernels == pytest.approx((low, high), abs=1e-14)
