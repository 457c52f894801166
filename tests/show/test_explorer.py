"""The explorer's page as a file: what it holds, and which games it offers."""

import json
import re

import pytest
from program import run

import gops_exact as gx

DATA = re.compile(r'<script id="data"[^>]*>(.*?)</script>', re.DOTALL)


def data_of(page):
    return json.loads(DATA.search(page)[1])


def test_the_page_refers_to_nothing_outside_and_is_small():
    page = gx.explore(3).html
    assert not re.findall(
        r"https?:|//[a-z]|<link|<img|\bsrc=|@import|url\(|\bfetch\(|\bimport\b", page
    )
    assert "default-src 'none'" in page
    assert "3; the prizes are 0, 2, 2." in re.sub(
        r"\s+", " ", gx.explore(gx.Game(3, deck=(0, 2, 2))).html
    )


def test_more_cards_are_refused_with_an_estimate(tmp_path):
    with pytest.raises(ValueError, match="at most 64 megabytes, got 440 of n = 9"):
        gx.explore(9, rules=gx.Rules("win", "carryover"))
    refused = run(["explore", "--n", "10", "--out", str(tmp_path / "page.html")])
    assert refused.status == 2
    assert "at most 9 for an explorer page, got 10" in refused.err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "count", "first"),
    [
        ("--objective win", 16, gx.Rules("win")),
        ("--objective win --only", 1, gx.Rules("win")),
        ("--prizes 2,1", 17, gx.Rules(prizes=(2, 1))),
    ],
)
def test_a_page_offers_every_set_of_rules_or_only_those_named(tmp_path, words, count, first):
    file = tmp_path / "page.html"
    assert run(f"explore --n 2 {words} --out '{file}'").status == 0
    offered = [gx.Rules(**game["rules"]) for game in data_of(file.read_text("utf-8"))["games"]]
    assert offered[0] == first
    assert len(offered) == len(set(offered)) == count
