"""The optimal policy from floats: as good as exact, but for bounds."""

from statistics import fmean, stdev

import pytest
from flint import fmpq

from gops_exact.cli import main
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.literature.round_robin import FIELD, RULE_SETS
from gops_exact.players.catalogue import policy
from gops_exact.players.measure import best_response, expected
from gops_exact.players.optimal import Optimal
from gops_exact.players.referee import match
from gops_exact.players.simple import UpcardPlus
from gops_exact.players.view import points
from gops_exact.solutions.arithmetic import Float
from gops_exact.solver.by_layers import Layers

TINY = fmpq(1, 10**12)
"""Far above the proved bounds of four and five cards, some 10⁻¹⁴ points."""


def from_floats(n, rules=PLAIN, folder=None):
    return Optimal(n, rules, Layers(n, rules, folder))


@pytest.mark.parametrize("prizes", ["random", "hidden", "descending"])
@pytest.mark.parametrize("ties", ["discard", "carryover"])
@pytest.mark.parametrize("objective", ["points", "win"])
def test_next_to_nothing_is_gained_against_it(objective, ties, prizes):
    rules = Rules(objective, ties, prizes)
    for n in (1, 2, 4):
        assert 0 <= best_response(from_floats(n, rules), n, rules).gain < TINY


def test_as_good_as_the_exact_one():
    one, two = from_floats(4), Optimal(4)
    for other in (UpcardPlus(0), UpcardPlus(1), UpcardPlus(3)):
        # Where optimal strategies are not unique they may differ, but not in what they secure.
        assert expected(one, other, 4).difference > -TINY
    assert abs(expected(one, two, 4).difference) < TINY


def test_values_are_kept_in_a_folder(tmp_path):
    first = from_floats(6, PLAIN, tmp_path)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files
    again = from_floats(6, PLAIN, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == files
    unkept = from_floats(6)
    games = [match(each, UpcardPlus(1), 6, games=20) for each in (first, again, unkept)]
    assert games[0] == games[1] == games[2]
    kind = Float(tmp_path)
    assert policy("optimal", 6, arithmetic=kind) is policy("optimal", 6, arithmetic=kind)


def test_another_game_is_refused():
    with pytest.raises(ValueError, match="was made for 3 cards, objective points"):
        match(from_floats(3), UpcardPlus(1), 4)
    with pytest.raises(ValueError, match="got 3 cards, objective win"):
        match(from_floats(3), UpcardPlus(1), 3, rules=Rules("win"))


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
    assert "h of core time" in message


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_it_loses_to_none_of_the_ten(rules):
    """By no more than chance, that is: four standard errors, and the seeds are fixed."""
    optimal = from_floats(5, rules)
    for name in FIELD:
        games = match(optimal, policy(name, 5, rules), 5, games=60, rules=rules)
        ahead = [won - lost for won, lost in map(points, games)]
        if rules.winning:
            ahead = [(each > 0) - (each < 0) for each in ahead]
        assert fmean(ahead) > -4 * stdev(ahead) / len(ahead) ** 0.5, name
