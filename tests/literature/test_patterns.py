"""Bounds on first-move tables, and the remarks of others judged by them."""

import pytest
from flint import fmpq
from places import RESULTS
from program import run

import gops_exact as gx
from gops_exact.literature import BoundedTable, Bounds, Finding, bounded, findings

FILES = [
    *(RESULTS / f"exact/first_moves_n{n}.json" for n in range(1, 7)),
    *(RESULTS / f"float/first_moves_n{n}.csv" for n in range(7, 16)),
]


def found(parts, rows, radius=0):
    """The findings on a table as it is printed: rows the cards, columns the upcards; zeros are proved."""
    bounds = [
        [Bounds.within(fmpq(p, parts), fmpq(radius if p else 0, parts)) for p in row]
        for row in rows
    ]
    table = BoundedTable(len(rows), tuple(zip(*bounds, strict=True)))
    return {finding.pattern: finding for finding in findings([table])}


DIP = [[3, 8, 8], [2, 0, 0], [3, 0, 0]]
PARITY = [[p] * 8 for p in (4, 2, 4, 1, 8, 0, 0, 45)]  # 8 cards, up to 5
LOW_BIDS = [*[[0] * 10] * 2, [0] * 9 + [1], *[[0] * 10] * 6, [10] * 9 + [9]]


@pytest.mark.parametrize(
    ("claim", "parts", "rows", "verdict", "places"),
    [
        ("not unimodal", 4, [[1, 1, 0], [2, 1, 2], [1, 2, 2]], "fails", ("1", "2", "3")),
        ("not unimodal", 2, [[1, 0], [1, 2]], "fails", ("1", "2")),
        ("not unimodal", 8, DIP, "fails", ("2", "3")),
        ("odd before even", 64, PARITY, "holds", ()),
        ("parity before other", 64, PARITY, "fails", ("1 on 8", "3 on 8", "5 on 8")),
        ("parity together", 8, [[4, 2, 4], [4, 4, 1], [0, 2, 3]], "fails", ("1", "2")),
        ("low bids have parity", 10, LOW_BIDS, "fails", ("3 on 10",)),
        ("likeliest is next", 2, [[0, 0, 2], [2, 1, 0], [0, 1, 0]], "fails", ("2",)),
    ],
)
def test_claims_of_small_tables(claim, parts, rows, verdict, places):
    assert found(parts, rows)[claim] == Finding(claim, len(rows), verdict, places)


def test_what_is_not_proved_is_not_claimed():
    dip = found(8, [row[:1] * 3 for row in DIP], radius=1)["not unimodal"]
    assert (dip.verdict, dip.places) == ("undecided", ("1", "2", "3"))
    unsure = found(8, [[0, 0, 1], [8, 4, 1], [0, 4, 6]], radius=2)
    for name, verdict, places in (
        ("never just below", "undecided", ("1 on 3", "2 on 3")),
        ("bids of one", "observed", ("3?",)),
        ("even never one", "no case", ()),
    ):
        assert unsure[name] == Finding(name, 3, verdict, places)


def test_every_arithmetic_bounds_the_exact_numbers():
    exact = gx.first_move(4, store=":memory:")
    for moves in (
        exact,
        gx.first_move(4, gx.Ball(30), store=":memory:"),
        gx.first_move(4, "float"),
    ):
        for upcard, column in exact.items():
            for card, near in bounded(moves).column(upcard):
                assert near.least <= column[card] <= near.most
                assert near.positive == (column[card] != 0)
                assert near.most - near.least < (fmpq(1, 10**9) if moves is not exact else 1)


def test_the_kept_findings_are_these():
    kept = (RESULTS / "patterns.csv").read_text(encoding="ascii")
    assert run(["patterns", *map(str, reversed(FILES))]) == (0, kept, "")


def test_remarks_are_about_whole_tables_of_the_plain_rules(tmp_path):
    with pytest.raises(ValueError, match="at all upcards from 1 to 3"):
        bounded(gx.first_move(3, upcards=[1, 3], store=":memory:"))
    winning = bounded(gx.first_move(3, rules=gx.Rules("win"), store=":memory:"))
    with pytest.raises(ValueError, match="the remarks are about objective points, .* got .* win"):
        list(findings([winning]))
    file = tmp_path / "carryover.json"
    assert run(f"--n 3 --ties carryover --emit json --out '{file}'").status == 0
    for path, message in (
        (file, "the remarks are about objective points"),
        (RESULTS / "manifest.csv", "must have the header upcard,card,probability"),
        (RESULTS / "exact/residues_n6_p61.json", "probabilities with radii, got residue ones"),
    ):
        status, out, err = run(["patterns", str(path)])
        assert (status, out) == (2, "") and message in err
