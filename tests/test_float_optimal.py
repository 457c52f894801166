"""The optimal policy from floats: as good as exact, but for bounds."""

from statistics import fmean, stdev

import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.cli import main
from gops_exact.literature.round_robin import FIELD, RULE_SETS
from gops_exact.players import Optimal, best_response, expected, match, points, policy

TINY = fmpq(1, 10**12)
"""Far above the proved bounds of four and five cards, some 10⁻¹⁴ points."""


def from_floats(game, folder=None):
    return Optimal(game, gx.solver(gx.Float(folder), game))


@pytest.mark.parametrize("prizes", ["random", "hidden", "descending"])
@pytest.mark.parametrize("ties", ["discard", "carryover"])
@pytest.mark.parametrize("objective", ["points", "win"])
def test_next_to_nothing_is_gained_against_it(objective, ties, prizes):
    for n in (1, 2, 4):
        game = gx.Game(n, gx.Rules(objective, ties, prizes))
        assert 0 <= best_response(from_floats(game), game).gain < TINY


def test_as_good_as_the_exact_one():
    game = gx.Game(4)
    one = from_floats(game)
    for other in ("matching", "upcard+1", "upcard+3"):
        # Where optimal strategies are not unique they may differ, but not in what they secure.
        assert expected(one, other, game).difference > -TINY
    assert abs(expected(one, "optimal", game).difference) < TINY


def test_values_are_kept_in_a_folder(tmp_path):
    game = gx.Game(6)
    first = from_floats(game, tmp_path)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files
    again = policy("optimal", game, arithmetic=gx.Float(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    unkept = from_floats(game)
    games = [match(each, "upcard+1", game, games=20) for each in (first, again, unkept)]
    assert games[0] == games[1] == games[2]


def test_another_game_is_refused():
    with pytest.raises(ValueError, match="was made for 3 cards, objective points"):
        match(from_floats(gx.Game(3)), "upcard+1", gx.Game(4))
    with pytest.raises(ValueError, match="got 3 cards, objective win"):
        match(from_floats(gx.Game(3)), "upcard+1", gx.Game(3, gx.Rules("win")))


def test_it_plays_in_the_tournament(tmp_path, capsys):
    command = [
        "tournament",
        "--n",
        "6",
        "--policy",
        "random,0205,optimal",
        "--lengths",
        "10",
        "--seeds",
        "3",
    ]
    assert main(command) == 2
    assert "needs --folder for its values, got none" in capsys.readouterr().err
    assert main([*command, "--jobs", "2", "--folder", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert len(lines) == 4 * 2 * 3, "four rule sets, points and wins, three pairings"
    assert all(line.startswith(("0,score,", "0,wins,")) for line in lines)
    assert main([*command[:1], "--policy", "random,optimal", "--folder", str(tmp_path)]) == 2
    message = capsys.readouterr().err
    assert "n = 13" in message, "by all four rule sets"
    assert "h on one core" in message


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_it_loses_to_none_of_the_ten(rules):
    """By no more than chance, that is: four standard errors, and the seeds are fixed."""
    game = gx.Game(5, rules)
    optimal = from_floats(game)
    for name in FIELD:
        games = match(optimal, name, game, games=60)
        ahead = [won - lost for won, lost in map(points, games)]
        if rules.winning:
            ahead = [(each > 0) - (each < 0) for each in ahead]
        assert fmean(ahead) > -4 * stdev(ahead) / len(ahead) ** 0.5, name
