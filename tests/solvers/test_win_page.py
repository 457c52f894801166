"""The figures of docs/win.md, by the programs that the page names."""

import csv
import re
import runpy
from dataclasses import replace

import pytest
from places import DOCS, ROOT

import gops_exact as gx

PROGRAM = runpy.run_path(str(ROOT / "benchmarks" / "win_or_points.py"))

TEXT = (DOCS / "win.md").read_text("utf-8")


def test_whole_games_on_the_page(capsys):
    """Each figure of the row of four cards."""
    PROGRAM["whole_games"](4)
    (row,) = re.findall(
        r"^\| 4 \| (−.*) \| (−.*) \| (.*) wins, (.*) points \|$", TEXT, re.MULTILINE
    )
    printed = capsys.readouterr().out
    assert re.findall(r"-?\d\.\d+", printed)[:4] == [
        each.replace("−", "-").removeprefix("+") for each in row
    ]


ROW = re.compile(
    r"^\| (\d) \| (\w) \| (.*\d) \| (−?[\d.]+) \| (.*) \| (−?[\d.]+) \|$", re.MULTILINE
)


@pytest.mark.parametrize("n", [4, 5])
def test_the_first_moves_on_the_page(n):
    win, secured = gx.Rules("win"), PROGRAM["secured"]
    by_points, by_win = (gx.solver("exact", gx.Game(n, rules)) for rules in (gx.Rules(), win))
    rows = [row for row in ROW.findall(TEXT) if int(row[0]) == n]
    assert len(rows) == (2 if n == 4 else 5)
    for _, upcard, for_points, wins, for_win, lost in rows:
        start = gx.Position.start(n)
        start = start.at({"A": 1}.get(upcard) or int(upcard))
        winning = replace(start, rules=win)
        one, two = by_points.solve(start).row, by_win.solve(winning).row
        assert (shown(one), shown(two)) == (for_points, for_win)
        assert gx.view(secured(by_win, winning, one)).decimal(4) == wins.replace("−", "-")
        assert gx.view(secured(by_points, start, two)).decimal(4) == lost.replace("−", "-")


def shown(row):
    bids = [("A" if card == 1 else str(card), p) for card, p in row.items() if p]
    return ", ".join(
        name if p == 1 else f"{name} {gx.view(p).decimal(4).removeprefix('0')}" for name, p in bids
    )


def test_the_counts_of_positions_already_won_are_those_on_the_page():
    """And those of small games are counted anew."""
    counted = runpy.run_path(str(ROOT / "benchmarks/sure_wins.py"))["shares"]
    with (DOCS / "sure_wins.csv").open(encoding="ascii", newline="") as file:
        kept = [{name: int(count) for name, count in row.items()} for row in csv.DictReader(file)]
    for n in range(2, 12):
        layers = {row["cards left"]: row for row in kept if row["n"] == n}
        assert [*layers] == [*range(1, n)]
        total = {name: sum(row[name] for row in layers.values()) for name in layers[1]}
        won, games_won = (total[f"{name} won"] / total[name] for name in ("positions", "games"))
        line = (
            f"| {n} | {total['positions']:,} | {won:.4f} | {total['games']:,} | {games_won:.4f} |"
        )
        assert line in TEXT
        if n <= 4:
            found = counted(gx.Game(n, gx.Rules("win")))
            assert {size: {**row, **found[size]} for size, row in layers.items()} == layers
