"""The round robin: reproducible, laid out as published, and honest about agreement."""

import csv
import io

import pytest

from gops_exact.cli import main
from gops_exact.players.tournament import (
    FIELD,
    LENGTHS,
    RULE_SETS,
    Estimate,
    Pairing,
    Result,
    estimate,
    pairings,
    play,
    tournament,
)
from gops_exact.report.tournament import (
    HEADER,
    agreements,
    entries,
    published,
    tournament_csv,
    tournament_frame,
)
from gops_exact.rules import Rules


def small(jobs=1):
    return tournament(
        ["random", "0209", "0205"], seeds=[1, 2], lengths=[10], rule_sets=RULE_SETS[:2], jobs=jobs
    )


def test_the_same_on_any_number_of_processes():
    assert small(jobs=1) == small(jobs=2)


def test_a_match_is_the_same_on_its_own():
    results = small()
    for result in results:
        assert play(result.pairing, [1, 2]) == result
    assert play(results[0].pairing, [1, 2]) != play(results[0].pairing, [1, 3])


def test_every_published_entry_is_played():
    keys = set()
    for pairing in pairings():
        result = Result(pairing, Estimate(0.0, 1.0), Estimate(0.0, 1.0))
        assert all(entry.published is not None for entry in entries([result]))
        keys |= {(entry.table, pairing.one, pairing.two) for entry in entries([result])}
    assert len(keys) == len(published()) == 1760


def test_the_tables_are_laid_out_as_published():
    results = small()
    frame = tournament_frame(results, 1)
    assert list(frame.index) == list(frame.columns) == ["Random", "0209", "0205"]
    assert frame.notna().sum().sum() == 3, "the lower triangle"
    [pairing] = [
        each for each in results if each.pairing == Pairing(13, RULE_SETS[0], 10, "0209", "random")
    ]
    assert frame.loc["0209", "Random"] == pairing.score.mean
    assert tournament_frame(results, 2).loc["0209", "Random"] == pairing.wins.mean
    assert tournament_frame(results, 1, errors=True).loc["0209", "Random"] == pairing.score.error
    with pytest.raises(ValueError, match="table 3, got no result"):
        tournament_frame(results, 3)


def test_signs_are_counted_as_they_are():
    def result(score, wins, rules=RULE_SETS[0]):
        return Result(Pairing(13, rules, 10, "0209", "random"), score, wins)

    # Published: 307 points and 10 wins.
    clear, unclear, other = Estimate(5.0, 1.0), Estimate(1.0, 1.0), Estimate(-5.0, 1.0)
    whole = agreements([result(clear, unclear)])[0]
    assert (whole.same, whole.opposite, whole.unclear, whole.zero) == (1, 0, 1, 0)
    whole = agreements([result(other, clear)])[0]
    assert (whole.same, whole.opposite, whole.unclear, whole.zero) == (1, 1, 0, 0)
    strange = agreements([Result(Pairing(13, Rules(), 7, "0209", "random"), clear, clear)])
    assert strange[0].same == strange[0].opposite == 0, "a length that was never played"
    smaller = agreements([Result(Pairing(9, Rules(), 10, "0209", "random"), clear, clear)])
    assert smaller[0].same == smaller[0].opposite == 0, "a deck that was never played"


def test_an_estimate_is_a_mean_with_two_standard_errors():
    assert estimate([1, 2, 3, 4]) == Estimate(2.5, pytest.approx(2 * (5 / 3) ** 0.5 / 2))
    assert not estimate([5]).clear, "a single seed says nothing of its error"


def test_the_interval_holds_the_mean():
    # Ross 1971: 28 points a game for matching against the random player.
    [result] = tournament(
        ["random", "matching"], seeds=range(30), lengths=[10], rule_sets=[Rules()], jobs=1
    )
    assert abs(result.score.mean - 280) < 2 * result.score.error
    assert result.score.error < 30


def test_the_command(capsys):
    assert (
        main(
            [
                "tournament",
                "--seeds",
                "2",
                "--players",
                "random,0209",
                "--lengths",
                "10",
                "--jobs",
                "1",
            ]
        )
        == 0
    )
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert ",".join(lines[0]) == HEADER
    assert [line["table"] for line in lines] == ["1", "2", "9", "10", "17", "18", "25", "26"]
    assert lines[0]["published"] == "307"
    assert main(["tournament", "--players", "random,nobody"]) == 2
    assert "a policy must be one of" in capsys.readouterr().err


def test_the_other_formats(capsys):
    command = "tournament --seeds 2 --players random,0209 --lengths 10 --jobs 1 --emit"
    assert main([*command.split(), "agreement"]) == 0
    assert capsys.readouterr().out.startswith("entries,same_sign,opposite_sign")
    assert main([*command.split(), "tables"]) == 0
    assert capsys.readouterr().out.startswith("Table 1\n")


def test_players_that_were_not_there_have_nothing_published():
    results = tournament(["matching", "0209"], seeds=[1, 2], lengths=LENGTHS[:1], jobs=1)
    assert all(line.endswith(",\n") for line in list(tournament_csv(results))[1:])
    assert FIELD.count("matching") == 0


def test_the_measure_command(capsys):
    command = ["measure", "--n", "4", "--policy", "matching", "--against"]
    assert main([*command, "random,best-response"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == [
        "policy,against,one,two,difference,decimal",
        "matching,random,5,5/2,5/2,2.500000000000",
        "matching,best-response,,,-2,-2.000000000000",
    ]
    assert main(["measure", "--n", "4", "--policy", "0205"]) == 2
    assert "only a memoryless policy can be measured" in capsys.readouterr().err
