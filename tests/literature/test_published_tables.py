"""Published first-move tables against what results/ keeps, to the last printed digit."""

import doctest
import re
from decimal import Decimal
from fractions import Fraction
from math import floor

import published_tables
import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from project_paths import DATA, DOCS, PACKAGE, RESULTS, table
from published_tables import judge, main

SOURCES = {
    "2011": PACKAGE / "players/data/rhoads_2011_first_move.csv",
    "2012": DATA / "rhoads_bartholdi_2012_first_move.csv",
}
COMPUTED = [
    *(RESULTS / f"exact/first_moves_n{n}.json" for n in range(1, 7)),
    *(RESULTS / f"ball/first_moves_n{n}.json" for n in (7, 8)),
    *(RESULTS / f"float/first_moves_n{n}.csv" for n in range(7, 15)),
]


def test_script_that_checks_printed_tables_reproduces_its_table_in_the_results_folder(tmp_path):
    kept, again = RESULTS / "published_tables.csv", tmp_path / "again.csv"
    tables = [word for source in SOURCES.values() for word in ("--published", source)]
    assert main([*map(str, [*tables, *COMPUTED, "--out", again])]) == 0
    assert again.read_text("ascii") == kept.read_text("ascii")
    assert len(table(kept)) == sum(len(table(source)) for source in SOURCES.values()) == 983


def test_examples_in_the_script_that_checks_printed_tables_are_right():
    examples = doctest.testmod(published_tables)
    assert examples.attempted > 5
    assert not examples.failed


def test_page_on_printed_tables_lists_every_number_that_differs_from_the_computed_one():
    wrong = {}
    for row in table(RESULTS / "published_tables.csv"):
        if row["verdict"] != "agrees":
            decimals = len(row["printed"].partition(".")[2]) or 4
            (year,) = (year for year, path in SOURCES.items() if path.stem == row["source"])
            right = round(Decimal(row["computed"]), decimals)
            place = year, row["n"], row["upcard"], row["card"]
            wrong[place] = row["printed"], right, row["verdict"]
    page = (DOCS / "published_tables.md").read_text("utf-8")
    lines = re.findall(
        r"^\| (201\d)" + r" \| (\d+)" * 3 + r" \| ([.\d]+) \| ([.\d]+) \| ([a-z ]*[a-z])\b.* \|$",
        page,
        re.MULTILINE,
    )
    assert wrong == {
        tuple(place): (printed, Decimal(right), verdict)
        for *place, printed, right, verdict in lines
    }


@given(st.integers(1, 4), st.fractions(0, 1, max_denominator=10**7))
def test_rounding_truncation_and_misprints_of_printed_decimals_are_told_apart(digits, number):
    """Rounded, cut off, rounded twice and one unit further, as integers of the last digit."""
    unit = 10**digits
    rounded = floor(number * unit + Fraction(1, 2))
    twice = (floor(number * unit * 10 + Fraction(1, 2)) + 5) // 10
    for last in range(max(rounded - 3, 0), rounded + 4):
        verdict = judge(f"{last / unit:.{digits}f}", mpq(number))
        if abs(number * unit - last) <= Fraction(1, 2):
            assert verdict == "agrees"
        elif last == floor(number * unit):
            assert verdict == "truncated"
        else:
            assert verdict == ("rounded twice" if last == twice else "misprint")


def test_printed_number_is_not_called_rounded_twice_where_the_true_one_is_just_below_a_tie():
    hair = mpq(1, 10**40)
    assert judge("0.0865", mpq("0.086445")) == "rounded twice"
    assert judge("0.0865", mpq("0.086445") - hair) == "misprint"
    assert judge("0.0865", mpq("0.086445"), hair) == "undecided"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["2,1,3,.5"], "line 2: a card must be at most 2, got 3"),
        (["2,1,1,1", "2,3,1,.5"], "line 3: an upcard must be at most 2, got 3"),
        (["2,1,1,1", "2,1,1,1"], "line 3: expected every entry once, got n = 2, upcard 1, card 1"),
        (["2,1,1,x"], "line 2: expected a decimal number, got 'x'"),
        (["2,one,1,1"], ": expected a table of printed probabilities"),
    ],
)
def test_script_that_checks_printed_tables_refuses_unknown_cards_repeats_and_text_as_numbers(
    tmp_path, capsys, lines, message
):
    file = tmp_path / "table.csv"
    file.write_text("\n".join(["n,upcard,card,printed_probability", *lines]))
    status = main(["--published", str(file), str(COMPUTED[1])])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert f"{file}" in err and message in err
