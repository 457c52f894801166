"""Learning algorithms of OpenSpiel, measured by studies/train.py, and the results that are kept."""

import csv
from importlib.util import find_spec

import pytest
from project_paths import RESULTS, table
from train import main
from yardstick import FIXED, HIDDEN_POLICIES, POLICIES, benchmark, benchmarked

import gops_exact as gx
from gops_exact import hidden_bids

DESCENDING = gx.Rules(prizes="descending")
KEPT = {
    "players/benchmark_n3.csv": gx.Game(3),
    "players/benchmark_n4.csv": gx.Game(4),
    "players/benchmark_n5.csv": gx.Game(5),
    "players/benchmark_n6_ascending.csv": gx.Game(6, gx.Rules(prizes="ascending")),
    "hidden_bids/benchmark_n4_descending.csv": hidden_bids.HiddenBids(gx.Game(4, DESCENDING)),
}


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="no open_spiel")
@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("", [name for name in POLICIES if name != "published"]),
        ("--hidden-bids --objective win --prizes descending", HIDDEN_POLICIES),
    ],
)
def test_openspiel_algorithms_reduce_exploitability(capsys, words, names):
    command = f"-n 3 {words} --iterations 25,10,2 --emit csv --seconds 60"
    assert main(command.split()) == 0
    lines = [*csv.DictReader(capsys.readouterr().out.splitlines())]
    assert {row.get("bids") for row in lines} == {"hidden" if words else None}
    assert list(dict.fromkeys(row["policy"] for row in lines)) == list(names)
    for name in names:
        mine = [row for row in lines if row["policy"] == name]
        if name in FIXED:
            assert [row["iterations"] for row in mine] == ["0"]
            continue
        assert [row["iterations"] for row in mine] == ["2", "10", "25"]
        first, _, last = (float(row["exploitability"]) for row in mine)
        assert last < 0.7 * first
        assert words or all(0 < float(row["radius"]) < 1e-12 for row in mine)


@pytest.mark.parametrize("path", KEPT)
def test_exploitabilities_in_the_results_folder_are_reproduced(path):
    kept, game = table(RESULTS / path), KEPT[path]
    names = [name for name in benchmarked(game) if name in FIXED]
    if find_spec("pyspiel") is not None:
        names += ["cfr", "mccfr"] if path.endswith("n3.csv") else []
        names += ["cfr+", "mccfr", "pcfr+"] if path.startswith("hidden") else []
    found = {(row["policy"], int(row["iterations"])): float(row["exploitability"]) for row in kept}
    again = [*benchmark(game, names, iterations=[30])]
    assert [score.policy for score in again] == names
    for score in again:
        value = found[score.policy, score.iterations]
        assert value == pytest.approx(score.exploitability.value, abs=1e-9)
