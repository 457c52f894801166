"""The float sweep's values against brackets that strategies prove for the same games."""

from itertools import pairwise
from random import Random

from flint import arb, fmpq
from float_brackets import recheck

import gops_exact as gx
from gops_exact.game.game import Game
from gops_exact.matrix_game.basis import Play
from gops_exact.solvers.floats.by_layers import _bounds
from gops_exact.solvers.floats.layer import columns_below, layer_counts, no_cards
from gops_exact.solvers.floats.sweep import float_layers

BRACKETS = 200
"""Random games in which a strategy that is not optimal is taken for player one's."""


def test_every_value_is_within_its_bracket():
    game = Game(8)
    layers = [no_cards(columns_below(game).at(0)), *float_layers(game, jobs=1)]
    found = [recheck(layer, below, game.types) for below, layer in pairwise(layers)]
    assert [each.games for each in found] == layer_counts(game)[2][1:]
    assert all(each.open == 0 for each in found)
    assert all(each.share <= 1 for each in found)
    # So narrow that the value of a wrong basis could not lie within.
    assert all(each.width < 1e-11 for each in found)


def test_bounds_hold_what_rows_pay_against_optimal_columns_where_brackets_are_wide():
    rng, reached = Random(1), 0
    for _ in range(BRACKETS):
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
        bracket = arb(least).union(arb(least + width))
        play = Play(bracket, tuple(map(arb, row)), ())
        bounds = list(_bounds([list(map(arb, line)) for line in payoffs], play))
        for column in best.column:
            for line, (lower, upper) in zip(payoffs, bounds, strict=True):
                pays = arb(sum(x * p.value for x, p in zip(line, column, strict=True)))
                assert not lower > pays and not pays > upper
                reached += lower.overlaps(pays) or pays.overlaps(upper)
    assert reached > BRACKETS
