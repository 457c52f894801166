"""How often optimal play is won, drawn and lost; ``test_conformance.py`` compares the chances with the oracle."""

import pytest
from program import run

import gops_exact as gx

WIN = gx.Rules("win")


def test_draws_depend_on_which_optimal_strategies_are_played():
    least, greatest = gx.outcomes(gx.Position.start(4, WIN)).draw
    found = gx.players.expected("optimal", "optimal", gx.Game(4, WIN))
    assert least <= 1 - found.one - found.two <= greatest
    assert 0 < least < greatest < 1
    chance = gx.float_outcomes(gx.Game(4, WIN), jobs=2)
    assert float(least) - 1e-12 <= chance.draw <= float(greatest) + 1e-12
    assert chance == gx.float_outcomes(gx.Game(4, WIN), jobs=1)


def test_points_have_no_outcomes():
    for compute, points in (
        (gx.outcomes, gx.Position.start(2)),
        (gx.float_outcomes, gx.Game(3)),
    ):
        with pytest.raises(ValueError, match="outcomes are of objective win, got objective points"):
            compute(points)


def test_the_command_prints_chances_in_exact_numbers_and_in_floats():
    header, *lines = run("outcomes --n 4 --emit csv").out.splitlines()
    rows = [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
    assert [row["upcard"] for row in rows] == ["1", "2", "3", "4", "all"]
    found = gx.outcomes(gx.Position.start(4, WIN))
    assert rows[-1]["exact_draw_least"] == str(found.draw.least)
    assert float(rows[-1]["win_greatest"]) == pytest.approx(float(found.win.greatest), abs=1e-12)
    floats = "outcomes --n 4 --prizes hidden --arithmetic float"
    header, line = run(f"{floats} --emit csv").out.splitlines()
    assert (header, line.split(",")[0]) == ("upcard,win,draw,lacking", "hidden")
    heads, cells = map(str.split, run(floats).out.splitlines())
    assert heads == ["upcard", "win", "draw", "lacking"]
    assert cells[2] == f"{float(line.split(',')[2]):.4f}"
    refused = run("outcomes --n 7")
    assert refused.status == 2
    assert (
        "n must be at most 6 for exact outcomes unless forced (--force, force=True), got 7"
        in refused.err
    )
