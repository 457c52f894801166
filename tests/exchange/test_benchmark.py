"""Learning algorithms of OpenSpiel, measured by benchmarks/train.py, and the results that are kept."""

import csv
import sys
from importlib.util import find_spec
from time import process_time

import pytest
from places import ROOT

import gops_exact as gx
from gops_exact.base.writing import csv_lines
from gops_exact.exchange.openspiel_games import goofspiel
from gops_exact.extensive import HiddenBids
from gops_exact.game.rules import Rules
from gops_exact.players import best_response

sys.path.append(str(ROOT / "benchmarks"))
from train import main  # a script's folder is no package
from yardstick import (  # same
    COLUMNS,
    FIXED,
    HIDDEN_POLICIES,
    POLICIES,
    Search,
    benchmark,
    benchmarked,
)

RESULTS = ROOT / "results" / "players"

FILES = {
    path: Rules(prizes="ascending" if "ascending" in path.stem else "random")
    for path in sorted(RESULTS.glob("benchmark_*.csv"))
}


def rows(text):
    return list(csv.DictReader(text.splitlines()))


needs_openspiel = pytest.mark.skipif(find_spec("pyspiel") is None, reason="no open_spiel")


def test_policies_that_learn_nothing_need_no_openspiel(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert main(["-n", "5", "--policy", "matching,published", "--emit", "csv"]) == 0
    matching, published = rows(capsys.readouterr().out)
    assert (matching["policy"], matching["exploitability"]) == ("matching", "5.0")
    exact = best_response("published", gx.Game(5)).gain
    assert abs(float(published["exploitability"]) - float(exact)) <= float(published["radius"])
    assert main(["-n", "3", "--policy", "matching,cfr"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert "pip install '.[openspiel]'" in captured.err


def test_algorithms_that_there_is_no_time_for_are_named(capsys, monkeypatch):
    def measured(game, names, **_):
        yield from benchmark(game, [name for name in names if name in FIXED])

    monkeypatch.setattr("train.benchmark", measured)
    command = ["-n", "3", "--seconds", "7", "--policy"]
    assert main([*command, "cfr,mccfr"]) == 2
    lack = "got 7, in which no number of iterations of cfr, mccfr fits"
    assert capsys.readouterr() == ("", f"train.py: --seconds: expected more, {lack}\n")
    assert main([*command, "cfr,random,mccfr"]) == 0
    shown = capsys.readouterr()
    assert [line.split()[0] for line in shown.out.splitlines()] == ["policy", "random"]
    assert shown.err == f"train.py: --seconds: {lack}\n"


@needs_openspiel
@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("", [name for name in POLICIES if name != "published"]),
        ("--hidden-bids --objective win --prizes descending", HIDDEN_POLICIES),
    ],
)
def test_every_algorithm_comes_nearer(capsys, words, names):
    command = ["-n", "3", *words.split(), "--iterations", "100,10,3", "--emit", "csv"]
    assert main([*command, "--seconds", "60"]) == 0
    lines = rows(capsys.readouterr().out)
    assert {row.get("bids") for row in lines} == {"hidden" if words else None}
    assert list(dict.fromkeys(row["policy"] for row in lines)) == list(names)
    for name in names:
        mine = [row for row in lines if row["policy"] == name]
        if name in FIXED:
            assert [row["iterations"] for row in mine] == ["0"]
            continue
        assert [row["iterations"] for row in mine] == ["3", "10", "100"]
        first, _, last = (float(row["exploitability"]) for row in mine)
        assert last < 0.7 * first
        seconds = [float(row["seconds"]) for row in mine]
        assert seconds == sorted(seconds) or name == "mcts"
        assert words or all(0 < float(row["radius"]) < 1e-12 for row in mine)
    assert not words or last < 0.0002  # of our own


@needs_openspiel
def test_a_score_comes_again_with_its_seed():
    def scores(seed):
        found = benchmark(gx.Game(3), ["mccfr", "mcts"], iterations=[10], seed=seed)
        return [score.exploitability.text() for score in found]

    assert scores(5) == scores(5) != scores(6)


@needs_openspiel
def test_what_would_take_too_long_is_left_out():
    scores = list(benchmark(gx.Game(3), ["cfr", "mcts"], iterations=[1, 10, 10**9], seconds=5))
    assert [(score.policy, score.iterations) for score in scores] == [
        *[("cfr", 1), ("cfr", 10)],
        *[("mcts", 1), ("mcts", 10)],
    ]
    assert list(benchmark(gx.Game(5), ["cfr", "fictitious-play"], iterations=[1], seconds=1)) == []


@needs_openspiel
@pytest.mark.parametrize(
    ("name", "stops"), [("mccfr", [10**8]), ("mcts", [5000]), ("mcts", [10**6])]
)
def test_the_first_number_of_iterations_is_bounded_too(name, stops):
    begun = process_time()
    assert list(benchmark(gx.Game(4), [name], iterations=stops, seconds=0.3)) == []
    assert process_time() - begun < 3


def test_csv_names_all_rules():
    scores = [
        score
        for rules in (Rules(prizes=(3, 1, 2)), Rules("win", "carryover", "hidden"))
        for score in benchmark(gx.Game(3, rules), ["random"])
    ]
    ours, other = rows("".join(csv_lines(COLUMNS, scores)))
    assert (ours["ties"], ours["prizes"], ours["policy"]) == ("discard", "3,1,2", "random")
    assert (other["ties"], other["prizes"], other["policy"]) == ("carryover", "hidden", "random")


@needs_openspiel
@pytest.mark.parametrize("rules", [Rules(), Rules("win", prizes="descending")], ids=str)
def test_a_search_sees_its_position_and_no_more(rules):
    from gops_exact.exchange.training import OpenSpielPlayer

    game = gx.Game(3, rules)
    searches = Search(game, 20, 3), Search(game, 20, 3)
    gains = [
        best_response(OpenSpielPlayer(search, goofspiel(game), 0, sees), game).gain
        for search, sees in zip(searches, ("observation", "history"), strict=True)
    ]
    assert gains[0] == gains[1]
    assert searches[0].seconds > 0


@needs_openspiel
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-n 4 --policy cfr,clever", "a policy must be one of random, matching, published, cfr"),
        ("-n 4 --hidden-bids --policy mcts", "a policy must be one of random, matching, cfr, cfr+"),
        ("-n 4 --ties carryover", "OpenSpiel knows ties discard"),
        ("-n 4 --policy published", "there are published tables for 5 to 13 cards, got 4"),
        ("-n 1", "expected an integer from 2 to 9"),
        ("-n 9 --policy cfr", "got 10, in which no number of iterations of cfr fits"),
        ("-n 4 --iterations 0", "expected an integer from 1"),
        ("-n 4 --seconds 0", "expected an integer from 1"),
    ],
)
def test_wrong_input_is_one_line(words, message, capsys):
    assert main(words.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert message in captured.err


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_kept_results_are_computed_again(path):
    kept = rows(path.read_text("ascii"))
    game = gx.Game(int(kept[0]["n"]), FILES[path])
    names = [name for name in benchmarked(game) if name in FIXED]
    assert list(dict.fromkeys(row["policy"] for row in kept if row["policy"] in FIXED)) == names
    again = [*benchmark(game, names)]
    if game.n == 3 and find_spec("pyspiel") is not None:
        again += benchmark(game, ["cfr", "mccfr"], iterations=[30])
    check_kept(kept, again)


@needs_openspiel
def test_kept_results_of_hidden_bids_are_computed_again():
    kept = rows((RESULTS.parent / "hidden_bids/benchmark_n4_descending.csv").read_text("ascii"))
    game = HiddenBids(gx.Game(4, Rules(prizes="descending")))
    names = ["random", "matching", "cfr+", "mccfr", "pcfr+"]
    again = [*benchmark(game, names, iterations=[100])]
    assert [score.policy for score in again] == names
    check_kept(kept, again)


def check_kept(kept, again):
    found = {(row["policy"], int(row["iterations"])): float(row["exploitability"]) for row in kept}
    for score in again:
        value = found[score.policy, score.iterations]
        assert value == pytest.approx(score.exploitability.value, abs=1e-9)


@pytest.mark.parametrize(
    ("page", "folder", "names", "form"),
    [
        ("openspiel.md", "players", POLICIES, ".4f"),
        ("hidden_bids.md", "hidden_bids", HIDDEN_POLICIES, ".1e"),
    ],
)
def test_the_tables_on_the_pages(page, folder, names, form):
    text = (ROOT / "docs" / page).read_text("utf-8")
    files = sorted((RESULTS.parent / folder).glob("benchmark_*.csv"))
    lines = text.split("| cards | " + " | ".join(names) + " |\n")[1].splitlines()[1:]
    for line, path in zip(lines[: len(files)], files, strict=True):
        cards, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        last = {row["policy"]: row for row in rows(path.read_text("ascii"))}
        assert cards.split(",")[0] == last["random"]["n"]
        assert all(
            (order in cards) == (order in path.stem) for order in ("ascending", "descending")
        )
        for name, cell in zip(names, cells, strict=True):
            assert cell == (printed(last[name], form) if name in last else "–")


def printed(row, form):
    """A score as the pages print it; `form` is that of scores that are learned."""
    found, iterations = float(row["exploitability"]), row["iterations"]
    if iterations == "0":
        return f"{found:.4f}"
    return f"{found:{form}} ({iterations})" if found else f"0 ({iterations})"
