"""The round robin: reproducible, laid out as published, and honest about agreement."""

import csv
import io
import re

import pytest
from places import ROOT

import gops_exact as gx
from gops_exact.commands.cli import main
from gops_exact.game.rules import Rules
from gops_exact.literature.round_robin import (
    COLUMNS,
    FIELD,
    RULE_SETS,
    TIES,
    Estimate,
    Pairing,
    Result,
    agreement_csv,
    agreements,
    entries,
    estimate,
    pairings,
    published,
    read_tournament,
    tournament,
    tournament_csv,
    tournament_frame,
    tournament_tables,
)


@pytest.fixture(scope="module")
def results():
    """The results of a small tournament, played in this process."""
    return tournament(
        ["random", "0209", "0205"], seeds=[1, 2], lengths=[10], rule_sets=RULE_SETS[:2], jobs=1
    )


def test_a_match_is_the_same_on_its_own_and_in_any_process(results):
    again = tournament(
        ["0205", "0209"], seeds=[1, 2], lengths=[10], rule_sets=RULE_SETS[1:2], jobs=2
    )
    swapped = tournament(
        ["0209", "0205"], seeds=[1, 2], lengths=[10], rule_sets=RULE_SETS[1:2], jobs=2
    )
    assert swapped == results[-1:] != again
    other = tournament(
        ["0209", "0205"], seeds=[1, 3], lengths=[10], rule_sets=RULE_SETS[1:2], jobs=1
    )
    assert other != swapped


@pytest.mark.parametrize(
    ("seeds", "message"), [([1, 2, 1], "all different, got 1 2 times"), ([], "at least one seed")]
)
def test_seeds_that_say_nothing_of_an_error(seeds, message):
    with pytest.raises(ValueError, match=message):
        tournament(["0205", "matching"], seeds=seeds, n=5, jobs=1)


def test_every_published_entry_is_played():
    keys = set()
    for pairing in pairings():
        result = Result(pairing, Estimate(0.0, 1.0), Estimate(0.0, 1.0))
        assert all(entry.published is not None for entry in entries([result]))
        keys |= {(entry.table, pairing.one, pairing.two) for entry in entries([result])}
    assert len(keys) == len(published()) == 1760


def test_the_tables_are_laid_out_as_published(results):
    frame = tournament_frame(results, RULE_SETS[0], length=10)
    assert list(frame.index) == list(frame.columns) == ["Random", "0209", "0205"]
    assert frame.notna().sum().sum() == 3, "the lower triangle"
    wanted = Pairing(gx.Game(13, RULE_SETS[0]), 10, "0209", "random")
    [result] = [each for each in results if each.pairing == wanted]
    assert frame.loc["0209", "Random"] == result.score.mean
    wins = tournament_frame(results, RULE_SETS[0], "wins", length=10)
    assert wins.loc["0209", "Random"] == result.wins.mean
    errors = tournament_frame(results, RULE_SETS[0], length=10, errors=True)
    assert errors.loc["0209", "Random"] == result.score.error
    with pytest.raises(
        ValueError, match="10 games, objective points, ties discard.*, got no result"
    ):
        tournament_frame(results, RULE_SETS[2], length=10)


def test_all_lengths_by_the_game():
    def result(length, mean, error):
        pairing = Pairing(gx.Game(13, Rules()), length, "0209", "random")
        return Result(pairing, Estimate(mean, error), Estimate(0.0, 1.0))

    results = [result(10, 30.0, 3.0), result(20, 90.0, 4.0)]
    frame, errors = (tournament_frame(results, Rules(), errors=which) for which in (False, True))
    assert frame.loc["0209", "Random"] == 4.0  # 120 points in 30 games
    assert frame.loc["Random", "0209"] == -4.0
    assert errors.loc["0209", "Random"] == errors.loc["Random", "0209"] == pytest.approx(5 / 30)
    with pytest.raises(ValueError, match="matches with objective win.*, got no result"):
        tournament_frame(results, Rules("win"))


def test_what_was_never_played_has_nothing_published():
    results = tournament(["0205", "matching"], seeds=[1, 2], lengths=[10, 20], n=5, jobs=1)
    text = "".join(tournament_tables(results))
    assert text.count("rounds\n") == 4 * 2 * 2
    assert "Table" not in text
    score = results[0].score
    assert f"{score.mean:.1f} ±{score.error:.1f}" in text.split("\n\n")[0]
    assert all(line.endswith(",,5\n") for line in list(tournament_csv(results))[1:])


def test_signs_are_counted_as_they_are():
    def result(score, wins, rules=RULE_SETS[0]):
        return Result(Pairing(gx.Game(13, rules), 10, "0209", "random"), score, wins)

    # Published: 307 points and 10 wins.
    clear, unclear, other = Estimate(5.0, 1.0), Estimate(1.0, 1.0), Estimate(-5.0, 1.0)
    whole = agreements([result(clear, unclear)])["all"]
    assert whole == {"same_sign": 1, "unclear": 1}
    whole = agreements([result(other, clear)])["all"]
    assert whole == {"same_sign": 1, "opposite_sign": 1}
    strange = agreements([Result(Pairing(gx.Game(13, Rules()), 7, "0209", "random"), clear, clear)])
    assert strange == {"all": {}}, "a length that was never played"
    smaller = agreements([Result(Pairing(gx.Game(9, Rules()), 10, "0209", "random"), clear, clear)])
    assert smaller == {"all": {}}, "a deck that was never played"


def test_an_estimate_is_a_mean_with_two_standard_errors():
    assert estimate([1, 2, 3, 4]) == Estimate(2.5, pytest.approx(2 * (5 / 3) ** 0.5 / 2))
    assert not estimate([5]).clear, "a single seed says nothing of its error"


def test_the_command(capsys):
    command = "tournament --seeds 2 --policy random,0209 --lengths 10 --jobs 1"
    assert main(command.split()) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(lines[0]) == list(COLUMNS)
    assert [line["table"] for line in lines] == ["1", "2", "9", "10", "17", "18", "25", "26"]
    assert lines[0]["published"] == "307"
    assert main(["tournament", "--policy", "random,nobody"]) == 2
    assert "a policy must be one of" in capsys.readouterr().err
    assert main(["tournament", "--policy", "random,random"]) == 2
    assert "players must be two or more, all different" in capsys.readouterr().err


def test_the_other_formats(capsys):
    command = "tournament --seeds 1 --policy random,0209 --lengths 10 --jobs 1 --emit"
    assert main([*command.split(), "agreement"]) == 0
    assert capsys.readouterr().out.startswith("entries,same_sign,opposite_sign")
    assert main([*command.split(), "tables"]) == 0
    tables = capsys.readouterr().out
    assert tables.startswith("Table 1: score, carryover, points, 10 rounds\n")
    assert " –" in tables and "inf" not in tables, "one seed tells no interval"
    assert main([*command.split(), "games", "--objective", "win"]) == 0
    titles = [line for line in capsys.readouterr().out.splitlines() if "a game" in line]
    assert titles[::2] == ["score a game, carryover, wins", "score a game, no carryover, wins"]
    assert main([*command.split(), "games", "--objective", "win", "--ties", "discard"]) == 0
    assert capsys.readouterr().out.count("score a game") == 1


def test_results_are_read_back(results, tmp_path, capsys):
    file = tmp_path / "results.csv"
    file.write_text("".join(tournament_csv(results)), "ascii")
    back = read_tournament(file)
    assert {each.pairing for each in back} == {each.pairing for each in results}
    assert list(tournament_csv(back)) == list(tournament_csv(results))
    assert main(["tournament", "--from", str(file), "--emit", "agreement"]) == 0
    assert capsys.readouterr().out == "".join(agreement_csv(results))
    header = ",".join(COLUMNS)
    right = "".join(tournament_csv(results))
    lines = right.splitlines(keepends=True)
    for text in (
        *("", "card,gain\n", f"{header}\n1,score\n", f"{header}\n{'9' * 200_000}\n"),
        f"{header}\n0,score,no,no,10,0209,Random,1,1,,13\n",
        *("".join(lines[:2]), right + lines[1]),
        right.replace(",score,", ",points,", 1),
        *(right.replace(",13\n", f",{odd}\n", 1) for odd in ("\uff113", "+13")),
        right.replace("\n1,", "\n2,", 1),
        *(re.sub(r"-?[0-9]+\.[0-9]+", odd, right, count=1) for odd in ("nan", "inf")),
    ):
        assert text != right
        file.write_text(text)
        assert main(["tournament", "--from", str(file)]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert str(file) in line
    assert main(["tournament", "--from", str(tmp_path / "none")]) == 2
    assert "expected a file to read" in capsys.readouterr().err


def test_the_measure_command(capsys):
    command = ["measure", "--n", "4", "--policy", "matching", "--against"]
    assert main([*command, "random,best-response", "--emit", "csv"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out == [
        "policy,against,one,two,difference,decimal",
        "matching,random,5,5/2,5/2,2.500000000000",
        "matching,best-response,,,-2,-2.000000000000",
    ]
    assert main([*command, "random,best-response"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "policy    against           one     two  difference  exactly",
        "matching  random         5.0000  2.5000      2.5000  5/2",
        "matching  best-response       –       –     -2.0000  -2",
    ]
    assert main(["measure", "--n", "4", "--policy", "0205"]) == 2
    assert "only a policy that gives its probabilities can be measured" in capsys.readouterr().err


PAGE = (ROOT / "docs" / "players.md").read_text("utf-8")


def test_the_agreement_on_the_page():
    with (ROOT / "results" / "players" / "agreement.csv").open(encoding="ascii") as file:
        counted = {row.pop("entries"): [*map(int, row.values())] for row in csv.DictReader(file)}
    rows = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (\d+)% \|$", PAGE, re.MULTILINE)
    assert len(rows) == len(FIELD)
    for name, *numbers, share in rows:
        same, opposite, _, _ = counted[name]
        assert [*map(int, numbers)] == counted[name][:3]
        assert round(100 * same / (same + opposite)) == int(share)


def test_the_optimal_player_on_the_page():
    """Each figure of the rows of thirteen cards and of nine."""
    means, errors = optimal_player(13, Rules())
    rows = re.findall(
        r"^\| (\w+) \| ([\d.]+) ± ([\d.]+) \| ([\d.]+) \| (\d+) \|$", PAGE, re.MULTILINE
    )
    assert len(rows) == len(FIELD)
    for name, mean, error, most, who in rows:
        assert mean == f"{means.loc['optimal', name]:.2f}"
        assert error == f"{errors.loc['optimal', name]:.2f}"
        others = means[name].drop("optimal")
        assert (most, who) == (f"{others.max():.2f}", others.idxmax())
    for rules in RULE_SETS:
        means, errors = optimal_player(9, rules)
        own, unit = means.loc["optimal"].drop("optimal"), "wins" if rules.winning else "points"
        least, error = own.min(), errors.loc["optimal", own.idxmin()]
        assert (
            f"| {unit}, {TIES[rules.ties]} | {own.mean():.2f} {unit} | {least:.2f} ± {error:.2f}, "
            f"{own.idxmin()} |"
        ) in PAGE


def optimal_player(n, rules):
    """The mean results kept, and their errors, as frames."""
    results = read_tournament(ROOT / "results" / "players" / f"optimal_n{n}.csv")
    measure = "wins" if rules.winning else "score"
    return [tournament_frame(results, rules, measure, errors=which) for which in (False, True)]


@pytest.mark.parametrize("n", [9, 13])
def test_the_optimal_player_loses_to_nobody(n):
    """By no more than chance, and by what is played for."""
    results = read_tournament(ROOT / "results" / "players" / f"optimal_n{n}.csv")
    for result in results:
        if result.pairing.one == "optimal":
            found = result.wins if result.pairing.game.rules.winning else result.score
            assert found.mean > -2 * found.error, result  # four standard errors
