"""Bounds on first-move tables, and the remarks of others judged by them."""

import csv

import pytest
from flint import fmpq
from places import RESULTS

import gops_exact as gx
from gops_exact.base.documents import read_file
from gops_exact.base.writing import csv_lines
from gops_exact.commands import cli
from gops_exact.literature.patterns import COLUMNS, Finding, claims, findings
from gops_exact.numbers import rational
from gops_exact.show.first_moves import BoundedTable, Bounds, bounded


def table_of(rows, radius="0") -> BoundedTable:
    """A table as it is printed: rows the cards, columns the upcards; zeros are proved."""
    bounds = [
        [Bounds.within(rational(p), rational(radius if p != "0" else 0)) for p in row]
        for row in rows
    ]
    return BoundedTable(len(rows), tuple(zip(*bounds, strict=True)))


def cases(claim, table):
    return dict(claims(table)[claim])


@pytest.fixture(scope="module")
def stored():
    """The tables of results/, by number of cards."""
    names = [f"exact/first_moves_n{n}.json" for n in range(1, 7)]
    names += [f"float/first_moves_n{n}.csv" for n in range(7, 16)]
    return {table.n: table for table in (bounded(read_file(RESULTS / name)) for name in names)}


def test_some_upcards_are_no_table():
    with pytest.raises(ValueError, match="at all upcards from 1 to 3"):
        bounded(gx.first_move(3, upcards=[1, 3], store=":memory:"))


def test_remarks_are_about_the_plain_rules(tmp_path, capsys):
    winning = bounded(gx.first_move(4, rules=gx.Rules("win"), store=":memory:"))
    assert winning.rules == gx.Rules("win")
    with pytest.raises(ValueError, match="the remarks are about objective points, .* got .* win"):
        list(findings([winning]))
    file = tmp_path / "ascending.json"
    assert cli.main(["--n", "3", "--ties", "carryover", "--emit", "json", "--out", str(file)]) == 0
    assert bounded(read_file(file)).rules == gx.Rules(ties="carryover")
    assert cli.main(["patterns", str(file)]) == 2
    assert "the remarks are about objective points" in capsys.readouterr().err


def test_every_arithmetic_bounds_the_exact_numbers():
    exact = gx.first_move(5, store=":memory:")
    kinds = gx.first_move(5, gx.Ball(30), store=":memory:"), gx.first_move(5, "float")
    for moves in (exact, *kinds, read_file(RESULTS / "float/first_moves_n5.csv")):
        for upcard, column in exact.items():
            for card, near in bounded(moves).column(upcard):
                assert near.least <= column[card] <= near.most
                assert near.positive == (column[card] != 0)
                assert near.most - near.least < (fmpq(1, 10**9) if moves is not exact else 1)


DIP = [["3/8", "1", "1"], ["1/4", "0", "0"], ["3/8", "0", "0"]]
PARITY = ["1/16", "1/32", "1/16", "1/64", "1/8", "0", "0", "45/64"]  # 8 cards, up to 5
LOW_BIDS = [*[["0"] * 10] * 2, ["0"] * 9 + ["1/10"], *[["0"] * 10] * 6, ["1"] * 9 + ["9/10"]]


@pytest.mark.parametrize(
    ("claim", "rows", "expected"),
    [
        (
            "not unimodal",
            [["1/4", "1/4", "0"], ["1/2", "1/4", "1/2"], ["1/4", "1/2", "1/2"]],
            {"1": False, "2": False, "3": False},
        ),
        ("not unimodal", [["1/2", "0"], ["1/2", "1"]], {"1": False, "2": False}),
        ("not unimodal", DIP, {"1": True, "2": False, "3": False}),
        ("odd before even", [[p] * 8 for p in PARITY], {"2 on 8": True, "4 on 8": True}),
        (
            "parity before other",
            [[p] * 8 for p in PARITY],
            {"1 on 8": False, "3 on 8": False, "5 on 8": False},
        ),
        (
            "parity together",
            [["1/2", "1/4", "1/2"], ["1/2", "1/2", "1/8"], ["0", "1/4", "3/8"]],
            {"1": False, "2": False, "3": True},
        ),
        ("low bids have parity", LOW_BIDS, {"1 on 10": True, "3 on 10": False}),
        (
            "likeliest is next",
            [["0", "0", "1"], ["1", "1/2", "0"], ["0", "1/2", "0"]],
            {"1": True, "2": False},
        ),
    ],
)
def test_claims_of_small_tables(claim, rows, expected):
    assert cases(claim, table_of(rows)) == expected


def test_what_is_not_proved_is_not_claimed():
    rows = [["0", "0", "1/8"], ["1", "1/2", "1/8"], ["0", "1/2", "3/4"]]
    unsure = table_of(rows, "1/4")
    dip = cases("not unimodal", table_of(DIP, "1/16"))
    assert dip == {"1": None, "2": False, "3": False}
    assert cases("never just below", unsure) == {"1 on 3": None, "2 on 3": None}
    found = {f.pattern: f for f in findings([unsure])}
    assert found["never just below"].verdict == "undecided"
    assert found["never just below"].places == ("1 on 3", "2 on 3")
    assert found["bids of one"].places == ("3?",)
    assert found["even never one"] == Finding("even never one", 3, "no case", ())


def test_the_kept_findings_are_these(stored):
    kept = (RESULTS / "patterns.csv").read_text(encoding="ascii")
    assert "".join(csv_lines(COLUMNS, findings(stored.values()))) == kept


def test_patterns_command(tmp_path, capsys):
    files = [str(RESULTS / f"exact/first_moves_n{n}.json") for n in (4, 3)]
    assert cli.main(["patterns", *files]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["n"] for row in rows[:2]] == ["3", "4"]
    assert {"pattern": "bids of one", "n": "4", "verdict": "observed", "places": "1; 2; 3"} in rows
    table = tmp_path / "four.csv"
    table.write_text(gx.first_move(4, store=":memory:").emit("csv"))
    assert cli.main(["patterns", str(table), files[1]]) == 0
    assert list(csv.DictReader(capsys.readouterr().out.splitlines())) == rows
    for file, message in (
        ("manifest.csv", "must have the header upcard,card,probability"),
        ("exact/residues_n6_p61.json", "expected probabilities with radii, got residue ones"),
    ):
        assert cli.main(["patterns", str(RESULTS / file)]) == 2
        assert message in capsys.readouterr().err
