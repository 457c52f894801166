"""The float sweep's values against brackets that strategies prove for the same games."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from runpy import run_path

from places import ROOT

from gops_exact.game.game import Game
from gops_exact.solvers.floats.layer import columns_below, layer_counts, no_cards
from gops_exact.solvers.floats.sweep import float_layers

recheck = run_path(str(ROOT / "benchmarks/float_brackets.py"))["recheck"]


@cache
def swept(n):
    """The order types of a game, and its layers from that of no cards on."""
    game = Game(n)
    return game.types, [no_cards(columns_below(game).at(0)), *float_layers(game, jobs=1)]


def test_every_value_is_within_its_bracket():
    n = 8
    types, layers = swept(n)
    found = [recheck(layer, below, types) for below, layer in pairwise(layers)]
    assert [each.games for each in found] == layer_counts(Game(n))[2][1:]
    assert all(each.open == 0 for each in found)
    assert all(each.share <= 1 for each in found)
    # So narrow that the value of a wrong basis could not lie within.
    assert all(each.width < 1e-11 for each in found)


def test_a_wrong_value_is_noticed(monkeypatch):
    types, layers = swept(6)
    layer = layers[4]
    values = layer.values.copy()
    values[40, 7] += 3 * layer.bounds[7]
    assert recheck(replace(layer, values=values), layers[3], types).share > 1
    monkeypatch.setitem(recheck.__globals__, "OPEN", 0.0)
    assert recheck(layers[4], layers[3], types).open > 100
