"""The float sweep's values against brackets that strategies prove for the same games."""

from itertools import pairwise

from float_brackets import recheck

from gops_exact.game.game import Game
from gops_exact.solvers.floats.layer import columns_below, layer_counts, no_cards
from gops_exact.solvers.floats.sweep import float_layers


def test_every_value_is_within_its_bracket():
    game = Game(8)
    layers = [no_cards(columns_below(game).at(0)), *float_layers(game, jobs=1)]
    found = [recheck(layer, below, game.types) for below, layer in pairwise(layers)]
    assert [each.games for each in found] == layer_counts(game)[2][1:]
    assert all(each.open == 0 for each in found)
    assert all(each.share <= 1 for each in found)
    # So narrow that the value of a wrong basis could not lie within.
    assert all(each.width < 1e-11 for each in found)
