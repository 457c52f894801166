"""Bounds of long games in floats: the strategies that prove them are those that are returned."""

import math

import pytest

import gops_exact as gx
from gops_exact.extensive import approximate, bounds


@pytest.mark.parametrize("wide", [bounds.WIDE, -math.inf], ids=["in floats", "in balls"])
def test_strategies_of_a_long_game_guarantee_its_bounds(monkeypatch, wide):
    # States of 9 and 10 bids are solved together, as those of 11 and 12 are. Without a width all are solved in balls.
    calls, solve = [], bounds.near_optimal
    monkeypatch.setattr(bounds, "WIDE", wide)
    monkeypatch.setattr(bounds, "near_optimal", lambda *game: calls.append(game) or solve(*game))
    game = gx.known_games.oshi_zumo(12)
    near = approximate(game)
    assert bool(calls) == (wide < 0)
    assert near.least <= 0 <= near.most
    assert gx.exploitability(game, near.row, near.column) <= near.exploitability < 1e-12
