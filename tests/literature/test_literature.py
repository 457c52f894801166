"""The page of the literature is what its script makes, and its verdicts are borne out."""

import csv
from runpy import run_path

from places import DOCS

import gops_exact as gx
from gops_exact import literature


def test_the_page_is_what_the_script_makes():
    made = run_path(str(DOCS / "make_literature.py"))["page"]()
    assert (DOCS / "literature.md").read_text("utf-8") == made
    lines = [
        line.strip("| \n").split(" | ")
        for line in made.partition("\n##")[0].splitlines()
        if line[:1] == "|"
    ]
    with (DOCS / "literature.csv").open(encoding="utf-8") as file:
        assert len(lines) == len(list(csv.DictReader(file))) + 2
    for *_, printed, ours, verdict in lines[2:]:
        if verdict.startswith("agrees") and "more than" not in printed:
            assert printed == ours


def test_another_order_misses_the_printed_count_of_saddle_points_by_two_as_well():
    """Bošanský et al. 2016 name no order, and the page has one; the sums are the histories of five cards."""
    game = gx.Game(5, gx.Rules("win", prizes=(4, 5, 3, 2, 1)))
    found = literature.saddle_points(game)
    assert [sum(each) for each in found] == [1, 25, 400, 3600, 14400]
    assert found == [(0, 1), (17, 8), (336, 64), (3354, 246), (14400, 0)]
