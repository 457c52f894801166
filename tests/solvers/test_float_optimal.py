"""The optimal policy from floats: as good as exact, but for bounds."""

import gops_exact as gx
from gops_exact.commands.cli import main
from gops_exact.players import Optimal, match, policy


def from_floats(game, folder=None):
    return Optimal(game, gx.solver(gx.Float(folder), game))


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


def test_it_plays_in_the_tournament(tmp_path, capsys):
    command = ["tournament", "--n", "6", "--policy", "random,0205,optimal"]
    command += ["--lengths", "10", "--seeds", "3"]
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
