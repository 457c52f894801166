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


def test_a_score_is_a_mean_over_seeds_with_two_standard_errors_in_any_process():
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
def test_seeds_that_say_nothing_of_an_error(seeds, message):
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
def test_kept_results_are_read_and_laid_out_again(run, source, emit, kept):
    text = (KEPT / kept).read_text("utf-8")
    assert run(f"--from '{KEPT / source}' --emit {emit}") == (0, text, "")


def test_a_tournament_takes_at_most_an_hour_of_its_cores(run, monkeypatch):
    monkeypatch.setattr(tournament, "tournament", lambda *_, **__: [])
    words = "--policy random,matching --objective win --ties discard --lengths 100 --seeds 200000"
    status, out, err = run(f"{words} --jobs 1")
    assert (status, out) == (2, "")
    assert err.endswith("got 20,000,000 games, about 91 min on 1 core\n")
    assert run(f"{words} --jobs 2")[0] == 0
