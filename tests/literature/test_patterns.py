"""Bounds on first-move tables, and the remarks of others judged by them."""

import make_patterns
import pytest
from first_moves import BoundedTable, Bounds
from flint import fmpq
from patterns import Finding, findings, main
from project_paths import DOCS, RESULTS

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
def test_script_of_claims_on_optimal_bids_decides_them_on_small_tables_of_first_moves(
    claim, parts, rows, verdict, places
):
    assert found(parts, rows)[claim] == Finding(claim, len(rows), verdict, places)


def test_claims_on_optimal_bids_that_wide_bounds_leave_open_neither_hold_nor_fail():
    unsure = found(8, [[0, 0, 1], [8, 4, 1], [0, 4, 6]], radius=2)
    for name, verdict, places in (
        ("never just below", "undecided", ("1 on 3", "2 on 3")),
        ("bids of one", "observed", ("3?",)),
        ("even never one", "no case", ()),
    ):
        assert unsure[name] == Finding(name, 3, verdict, places)


def test_script_of_claims_on_optimal_bids_reproduces_its_table_in_the_results_folder(capsys):
    kept = (RESULTS / "patterns.csv").read_text(encoding="ascii")
    assert main([*map(str, reversed(FILES))]) == 0
    assert capsys.readouterr() == (kept, "")


def test_page_on_patterns_of_optimal_bids_is_what_its_script_writes():
    """The script refuses to write the page if a first move bids an even number of cards, against the theorem there."""
    made = make_patterns.page()
    assert (DOCS / "patterns_by_rules.md").read_text("utf-8") == "".join(made)
