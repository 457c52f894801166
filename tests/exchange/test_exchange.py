"""Files for other programs: written, read back, and judged by those programs where they are."""

import json
import sys

import pytest
from flint import fmpq
from program import run

import gops_exact as gx
from gops_exact import exchange

WITH_OUTCOMES = """NFG 1 R "as Gambit writes it" { "A" "B" }

{ { "up" "down" }
{ "l" "m" "r" }
}
"a comment"

{
{ "one" 3, -3 }
{ "" -1/2, 1/2 }
}
1 2 0 1 2 1
"""


def test_nfg_files_that_list_outcomes_and_their_numbers_are_read():
    game = exchange.read_nfg(WITH_OUTCOMES)
    assert game.payoff == [[3, 0, fmpq(-1, 2)], [fmpq(-1, 2), 3, 3]]
    assert (game.rows, game.columns) == (("up", "down"), ("l", "m", "r"))
    with pytest.raises(ValueError, match="rows must have different labels, got 'a' as 1 and 2"):
        gx.MatrixGame([[1], [2]], ["a", "a"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('NFG 1 R "" { "A" "B" "C" } { 1 1 1 } 1 2 3', "two players, got 3"),
        (
            'NFG 1 R "" { "A" "B" } { 2 1 } 1 2 1 1',
            "must add up to the same everywhere, to 3 as the first ones do, got 1 and 1",
        ),
        ('NFG 1 R "" { "A" "B" } { 1 1 } 1 -1 0', "must have its end here, got '0'"),
        ('NFG 1 R "" { "A" "B" } { 0 1 }', "a strategy for each player"),
        (
            'NFG 1 R "" { "A" "B" } { 1 1 } { { "" 1 -1 } } 2',
            "outcome of this nfg file must be an integer from 0 to 1, got '2'",
        ),
    ],
)
def test_nfg_files_for_three_players_not_constant_sum_or_malformed_are_refused(text, message):
    with pytest.raises(ValueError) as refusal:
        exchange.read_nfg(text)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", prizes="descending")], ids=str)
def test_openspiel_finds_the_exported_policy_unexploitable(rules):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    words = f"--n 3 --objective {rules.objective} --prizes {rules.prizes}"
    table = json.loads(run(f"export --emit openspiel {words}").out)
    policy = pyspiel.TabularPolicy({state: list(map(tuple, bids)) for state, bids in table.items()})
    assert 0 <= pyspiel.nash_conv(exchange.goofspiel(gx.Game(3, rules)), policy) < 1e-13


@pytest.mark.parametrize(
    ("objective", "ties", "prizes"),
    [
        *(("points", "discard", "random"), ("win", "carryover", "hidden")),
        *(("points", "carryover", "ascending"), ("win", "discard", "3,1,2")),
    ],
)
def test_exported_efg_and_nfg_keep_the_value_by_any_rules(objective, ties, prizes, tmp_path):
    order = tuple(map(int, prizes.split(","))) if "," in prizes else prizes
    start = gx.Position.start(3, gx.Rules(objective, ties, order))
    words = f"--objective {objective} --ties {ties} --prizes {prizes}"
    run(f"export --emit efg --n 3 {words} --out '{tmp_path / 'tree'}'")
    values = [
        gx.solve_game(game).value for game in (tmp_path / "tree", start, gx.Game(3, start.rules))
    ]
    assert values == [gx.value(start)] * 3
    _, turned = start.with_upcards()[0]
    upcard = "" if turned.upcard is None else f"--upcard {turned.upcard}"
    game = exchange.read_nfg(run(f"export --emit nfg --n 3 {words} {upcard}").out)
    assert gx.solve_matrix_game(game).value == gx.solve(turned).value


def test_commands_name_the_missing_openspiel_extra(tmp_path, monkeypatch):
    file = tmp_path / "policy.json"
    file.write_text("{}")
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for words in ("export --emit openspiel --n 3", f"measure -n 3 --policy '{file}'"):
        status, out, err = run(words)
        assert (status, out) == (2, "") and "pip install '.[openspiel]'" in err
