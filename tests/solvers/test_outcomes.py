"""How often optimal play is won, drawn and lost; ``test_conformance.py`` compares the chances with the oracle."""

import pytest

import gops_exact as gx


def test_draws_depend_on_which_optimal_strategies_are_played():
    game = gx.Game(4, gx.Rules("win"))
    least, greatest = gx.outcomes(game.start).draw
    found = gx.players.expected("optimal", "optimal", game)
    assert least <= 1 - found.one - found.two <= greatest
    assert 0 < least < greatest < 1


def test_points_have_no_outcomes():
    with pytest.raises(ValueError, match="outcomes are of objective win, got objective points"):
        gx.outcomes(gx.Position.start(2))
