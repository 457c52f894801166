"""The explorer's page as a file: what it holds, and which games it offers."""

import json
import re

import pytest
from program import run

import gops_exact as gx

DATA = re.compile(r'<script id="data"[^>]*>(.*?)</script>', re.DOTALL)


def test_explorer_page_refers_to_nothing_outside():
    page = gx.explore(3).html
    outside = r"https?:|//[a-z]|<link|<img|\bsrc=|@import|url\(|\bfetch\(|\bimport\b"
    assert not re.findall(outside, page)
    assert "default-src 'none'" in page
    words = gx.explore(gx.Game(3, deck=(0, 2, 2))).html.split()
    assert "3; the prizes are 0, 2, 2." in " ".join(words)


def test_explorer_page_has_the_first_moves_for_each_worth_of_the_highest_prize():
    games = json.loads(DATA.search(gx.explore(3).html)[1])["games"]
    assert [game["rules"]["prizes"] for game in games if "worths" in game] == ["random"]
    worths = next(game["worths"] for game in games if "worths" in game)
    mixes = {worth: mix for worth, *mix in worths["points"]}
    assert (worths["upcard"], min(mixes), max(mixes)) == (3, 0, 20)
    assert mixes[0] == [1, 0, 0] and mixes[20] == [0, 0, 1]


def test_explore_refuses_large_games_with_an_estimate(tmp_path):
    with pytest.raises(ValueError, match="at most 64 megabytes, got 440 of n = 9"):
        gx.explore(9, rules=gx.Rules("win", "carryover"))
    refused = run(["explore", "--n", "10", "--out", str(tmp_path / "page.html")])
    assert (refused.status, list(tmp_path.iterdir())) == (2, [])
    assert "at most 9 for an explorer page, got 10" in refused.err


@pytest.mark.parametrize(("words", "count"), [("", 17), ("--only", 1)])
def test_explorer_page_offers_every_rule_set_or_only_the_named_one(tmp_path, words, count):
    file = tmp_path / "page.html"
    ended = run(f"explore --n 2 --prizes 2,1 {words} --out '{file}'", terminal=[2])
    assert ended.status == 0 and ended.err.endswith(f"{file} is written\n")
    games = json.loads(DATA.search(file.read_text("utf-8"))[1])["games"]
    offered = [gx.Rules(**game["rules"]) for game in games]
    assert offered[0] == gx.Rules(prizes=(2, 1))
    assert len(offered) == len(set(offered)) == count
