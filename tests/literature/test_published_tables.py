"""Published first-move tables against what results/ keeps, to the last printed digit."""

import csv
import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from math import floor

import pytest
from gmpy2 import mpq
from hypothesis import given
from hypothesis import strategies as st
from places import DATA, PACKAGE, RESULTS

import gops_exact as gx
from gops_exact.base.documents import read_file
from gops_exact.base.writing import csv_lines
from gops_exact.literature.published import COLUMNS, compare, judge
from gops_exact.players.simple import SOURCE

SOURCES = (
    PACKAGE / "players" / SOURCE,
    DATA / "rhoads_bartholdi_2012_first_move.csv",
)

COMPUTED = [
    *(f"exact/first_moves_n{n}.json" for n in range(1, 7)),
    *(f"ball/first_moves_n{n}.json" for n in (7, 8)),
    *(f"float/first_moves_n{n}.csv" for n in range(7, 15)),
]

# (n, upcard, card): what is printed, and what it should be.
RHOADS, ARTICLE = "rhoads_2011", "rhoads_bartholdi_2012"
FAULTS = {
    ("misprint", RHOADS): {
        (7, 3, 1): ("0.1239", "0.1230"),
        (9, 9, 6): ("0.2147", "0.0215"),
        (12, 6, 2): (".0809", "0.0807"),
        (13, 7, 1): ("0", "0.0198"),
        (13, 13, 10): (".1288", "0.0129"),
    },
    ("misprint", ARTICLE): {(13, 5, 4): (".088", "0.087")},
    ("truncated", RHOADS): {
        (7, 2, 4): ("0.5632", "0.5633"),
        (7, 6, 5): ("0.3152", "0.3153"),
        (9, 6, 6): ("0.1637", "0.1638"),
        (11, 9, 3): (".0742", "0.0743"),
        (12, 2, 3): (".0953", "0.0954"),
    },
    ("truncated", ARTICLE): {
        (13, 11, 1): (".014", "0.015"),
        (13, 3, 6): (".092", "0.093"),
        (13, 10, 11): (".063", "0.064"),
    },
    ("rounded twice", RHOADS): {
        (6, 5, 2): ("0.0865", "0.0864"),
        (12, 10, 6): (".1040", "0.1039"),
    },
}


def decimals(printed: str) -> int:
    return len(printed.partition(".")[2])


def test_the_fraction_printed_in_2012():
    printed = (DATA / "rhoads_bartholdi_2012_n5_top_entry.txt").read_text().strip()
    assert str(gx.first_move(5, upcards=[1], store=":memory:")[1][1]) == printed


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def verdicts():
    """The entries of results/published_tables.csv."""
    return rows_of(RESULTS / "published_tables.csv")


def test_verdicts_are_computed_again_to_the_letter(verdicts):
    documents = [read_file(RESULTS / name) for name in COMPUTED]
    entries = chain.from_iterable(compare(source, documents) for source in SOURCES)
    kept = (RESULTS / "published_tables.csv").read_text(encoding="ascii")
    assert "".join(csv_lines(COLUMNS, entries)) == kept
    assert len(verdicts) == sum(len(rows_of(source)) for source in SOURCES) == 983
    assert "undecided" not in {row["verdict"] for row in verdicts}


def test_what_is_wrong_in_print(verdicts):
    wrong = {}
    for row in verdicts:
        if row["verdict"] != "agrees":
            key = row["verdict"], row["source"].removesuffix("_first_move")
            place = int(row["n"]), int(row["upcard"]), int(row["card"])
            right = f"{Decimal(row['computed']):.{decimals(row['printed']) or 4}f}"
            wrong.setdefault(key, {})[place] = row["printed"], right
    assert wrong == FAULTS


@pytest.mark.parametrize("digits", [1, 3, 4])
@given(number=st.fractions(0, 1, max_denominator=10**7))
def test_every_verdict_on_one_number(digits, number):
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


@given(
    number=st.fractions(0, 1, max_denominator=10**6),
    radius=st.fractions(0, Fraction(1, 10**4), max_denominator=10**9),
    inside=st.fractions(-1, 1),
)
def test_a_verdict_holds_wherever_the_number_lies(number, radius, inside):
    true = max(Fraction(0), number + inside * radius)
    for printed in (f"{float(number):.4f}", f"{floor(number * 10**4) / 10**4:.4f}", "0", "0.0000"):
        verdict = judge(printed, mpq(number), mpq(radius))
        if verdict != "undecided":
            assert verdict == judge(printed, mpq(true))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["2,1,3,.5"], "line 2: expected an upcard and a card from 1 to 2, got 1 and 3"),
        (["2,1,1,1", "2,3,1,.5"], "line 3: expected an upcard and a card from 1 to 2, got 3 and 1"),
        (["2,1,1,1", "2,1,1,1"], "line 3: expected every entry once, got n = 2, upcard 1, card 1"),
        (["2,1,1"], "line 2: expected a decimal number, got ''"),
        (["2,1,1,x"], "line 2: expected a decimal number, got 'x'"),
        (["2,one,1,1"], "expected a table of printed probabilities"),
    ],
)
def test_what_is_no_printed_table(tmp_path, lines, message):
    table = tmp_path / "table.csv"
    table.write_text("\n".join(["n,upcard,card,printed_probability", *lines]))
    with pytest.raises(ValueError, match=re.escape(f"{table}") + ".*" + message):
        list(compare(table, [read_file(RESULTS / "exact/first_moves_n2.json")]))


def test_a_table_saved_by_a_spreadsheet_with_a_comma_in_its_name(tmp_path):
    table = tmp_path / 'a,b"c.csv'
    table.write_text("n,upcard,card,printed_probability\r\n2,1,1,1\r\n", encoding="utf-8-sig")
    entries = compare(table, [read_file(RESULTS / "exact/first_moves_n2.json")])
    (row,) = csv.DictReader(csv_lines(COLUMNS, entries))
    assert (row["source"], row["verdict"]) == ('a,b"c', "agrees")


def test_files_that_contradict_each_other():
    document = read_file(RESULTS / "float/first_moves_n7.csv")
    (first, *others) = document.columns
    first = replace(first, probabilities=first.probabilities | {"1": "0.2432"})
    other = replace(document, columns=(first, *others))
    with pytest.raises(ValueError, match="contradict each other: n = 7, upcard 1, card 1"):
        list(compare(SOURCES[0], [document, other]))


def test_a_number_a_hair_below_a_tie_is_not_rounded_up():
    hair = mpq(1, 10**40)
    assert judge("0.0865", mpq("0.086445")) == "rounded twice"
    assert judge("0.0865", mpq("0.086445") - hair) == "misprint"
