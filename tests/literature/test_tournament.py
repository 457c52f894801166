"""The round robin: reproducible, and laid out as published."""

import shlex

import pytest
import round_robin
import tournament
from project_paths import RESULTS

import gops_exact as gx

KEPT = RESULTS / "players"
CARRY = gx.Rules(ties="carryover")


@pytest.fixture
def run(capsys):
    """The script, run with a line of words: its status, output and errors."""

    def called(words):
        return tournament.main(shlex.split(words)), *capsys.readouterr()

    return called


def test_tournament_score_is_a_mean_over_seeds_with_two_standard_errors():
    one, two, both = (
        round_robin.tournament(
            ["0205", "random"], seeds=seeds, lengths=[10], rule_sets=[CARRY], jobs=jobs
        )[0]
        for seeds, jobs in (([1], 1), ([2], 1), ([1, 2], 2))
    )
    assert both.score.mean == (one.score.mean + two.score.mean) / 2
    # Of two numbers, two standard errors of the mean are the difference.
    assert both.score.error == pytest.approx(abs(one.score.mean - two.score.mean))
    assert both.wins.mean == (one.wins.mean + two.wins.mean) / 2
    assert one.score.error == float("inf")


@pytest.mark.parametrize(
    ("seeds", "message"), [([1, 2, 1], "all different, got 1 2 times"), ([], "at least one seed")]
)
def test_tournament_refuses_repeated_and_missing_seeds(seeds, message):
    with pytest.raises(ValueError, match=message):
        round_robin.tournament(["0205", "matching"], seeds=seeds, n=5, jobs=1)


@pytest.mark.parametrize(
    ("source", "emit", "kept"),
    [
        ("tournament.csv", "csv", "tournament.csv"),
        ("tournament.csv", "agreement", "agreement.csv"),
        ("tournament.csv", "tables", "tables.txt"),
        ("optimal_n9.csv", "games", "optimal_n9.txt"),
    ],
)
def test_kept_tournament_tables_are_reproduced(run, source, emit, kept):
    text = (KEPT / kept).read_text("utf-8")
    assert run(f"--from '{KEPT / source}' --emit {emit}") == (0, text, "")


def test_tournament_of_more_than_an_hour_is_refused(run, monkeypatch):
    monkeypatch.setattr(tournament, "tournament", lambda *_, **__: [])
    words = "--policy random,matching --objective win --ties discard --lengths 100 --seeds 200000"
    status, out, err = run(f"{words} --jobs 1")
    assert (status, out) == (2, "")
    assert err.endswith("got 20,000,000 games, about 91 min on 1 core\n")
    assert run(f"{words} --jobs 2")[0] == 0
