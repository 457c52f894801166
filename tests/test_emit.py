"""Emitted first moves: read back exactly, laid out as documented, decimals rounded independently."""

import csv
import io
import json
import re
from functools import cache

import pytest
from emitted import READ_BACK, read_back
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st
from strategies import rationals

import gops_exact as gx
from gops_exact.numbers import rational, view
from gops_exact.solutions.formats import FORMATS_OF, TAKES_DIGITS, FractionTexts, emit
from gops_exact.solutions.strategy import FirstMoves, Strategy

EXACT = FORMATS_OF["exact"]


@cache
def moves(n: int) -> FirstMoves:
    return gx.first_move(n, store=":memory:")


def text(n: int, fmt: str, digits: int | None = None) -> str:
    return "".join(emit(moves(n), fmt, digits))


def made_of(columns: list[list[fmpq]]) -> FirstMoves:
    """First moves, one column per upcard, of whatever numbers."""
    return FirstMoves(
        len(columns[0]),
        {
            upcard: Strategy(dict(enumerate(map(view, column), 1)), unique=upcard % 2 == 0)
            for upcard, column in enumerate(columns, 1)
        },
    )


@st.composite
def numbers(draw):
    n = draw(st.integers(1, 4))
    fractions = rationals(10**30, 10**30).map(abs).map(rational)
    column = st.lists(fractions, min_size=n, max_size=n)
    return draw(st.lists(column, min_size=1, max_size=n))


@pytest.mark.parametrize("fmt", READ_BACK)
@pytest.mark.parametrize("n", range(1, 7))
def test_first_moves_survive_the_round_trip(n, fmt):
    assert read_back(fmt, text(n, fmt)) == dict(moves(n))


@pytest.mark.parametrize("fmt", READ_BACK)
@given(columns=numbers())
def test_any_numbers_survive_the_round_trip(fmt, columns):
    given = made_of(columns)
    assert read_back(fmt, "".join(emit(given, fmt))) == dict(given)


@pytest.mark.parametrize("fmt", READ_BACK)
def test_long_numbers_survive_the_round_trip(fmt):
    # 200,000 digits: beyond the interpreter's limit on int <-> str and csv's on a field.
    given = made_of([[fmpq(fmpz(2) ** 664_000, fmpz(3) ** 420_000), fmpq(1, 3)]])
    assert read_back(fmt, "".join(emit(given, fmt))) == dict(given)


@pytest.mark.parametrize("fmt", EXACT)
def test_processes_write_the_same_text(fmt):
    assert "".join(emit(moves(5), fmt, jobs=2)) == text(5, fmt)


@given(st.lists(st.integers(0, 10**40), min_size=1, max_size=5).filter(any))
def test_digits_that_follow_from_others(weights):
    shares = [view(fmpq(weight, sum(weights))) for weight in weights]
    texts = FractionTexts(shares)
    assert len(texts.terms) == sum(map(bool, weights))
    assert list(texts.made(map(str, texts.terms))) == [share.text() for share in shares]


@given(st.lists(rationals(10**30, 10**30).map(view), min_size=1, max_size=5))
def test_digits_of_fractions_with_any_sum(fractions):
    texts = FractionTexts(fractions)
    assert list(texts.made(map(str, texts.terms))) == [number.text() for number in fractions]


@pytest.mark.parametrize("fmt", EXACT)
def test_one_number_a_piece(fmt):
    longest = max(len(column[card].text()) for column in moves(5).values() for card in column)
    assert max(map(len, emit(moves(5), fmt))) < longest + 100


@pytest.mark.parametrize("fmt", EXACT)
def test_plain_ascii_ended_by_a_newline(fmt):
    assert text(5, fmt).isascii()
    assert text(5, fmt).endswith("\n")


def test_json_layout():
    assert json.loads(text(3, "json")) == {
        "n": 3,
        "rules": {"objective": "points", "ties": "discard", "prizes": "random"},
        "arithmetic": "exact",
        "columns": [
            {
                "upcard": 1,
                "value": "0",
                "unique": True,
                "probabilities": {"1": "1", "2": "0", "3": "0"},
            },
            {
                "upcard": 2,
                "value": "0",
                "unique": False,
                "probabilities": {"1": "0", "2": "5/9", "3": "4/9"},
            },
            {
                "upcard": 3,
                "value": "0",
                "unique": True,
                "probabilities": {"1": "0", "2": "0", "3": "1"},
            },
        ],
    }


def test_csv_layout():
    rows = list(csv.DictReader(io.StringIO(text(3, "csv"))))
    assert rows[4] == {
        "upcard": "2",
        "card": "2",
        "probability": "5/9",
        "decimal": "0.55555555555555556",
    }
    assert [(row["upcard"], row["card"]) for row in rows] == [
        (upcard, card) for upcard in "123" for card in "123"
    ]


def test_fractions_layout():
    blocks = text(3, "fractions").split("\n\n")
    assert blocks[0].startswith("GOPS, N = 3: optimal first moves, exact")
    assert blocks[2] == "upcard 2, value 0, not unique\n  1  0\n  2  5/9\n  3  4/9"


@pytest.mark.parametrize("digits", [0, 1, 3, 25])
@pytest.mark.parametrize("n", [3, 5])
def test_decimals_are_correctly_rounded(n, digits):
    lines = [line.split() for line in text(n, "decimals", digits).splitlines()[3 : 4 + n]]
    assert lines[0] == [str(upcard) for upcard in range(1, n + 1)]
    for card, line in enumerate(lines[1:], 1):
        assert line[0] == str(card)
        for upcard, printed in enumerate(line[1:], 1):
            exact = view(moves(n)[upcard][card]).to_fraction()
            # Fractions round half to even, exactly.
            assert view(rational(printed)).to_fraction() == round(exact, digits)
            assert len(printed.partition(".")[2]) == (digits if exact else 0)


def test_decimals_stand_in_columns():
    table = text(6, "decimals", 7).splitlines()[3:10]
    assert len({len(line) for line in table}) == 1


def test_decimals_name_columns_that_are_not_unique():
    assert "several at upcard 2." in text(3, "decimals")
    assert "several" not in text(5, "decimals")


def test_csv_decimals_take_digits():
    lines = text(5, "csv", 6).splitlines()[1:]
    for line in lines:
        *_, exact, decimal = line.split(",")
        assert view(rational(decimal)).to_fraction() == round(
            view(rational(exact)).to_fraction(), 6
        )


@pytest.mark.parametrize("digits", [None, 3])
def test_latex_is_one_complete_table(digits):
    lines = re.sub("\n &", " &", text(5, "latex", digits)).splitlines()
    assert lines[0].startswith("% GOPS, N = 5")
    assert lines[1] == r"\begin{tabular}{r|rrrrr}"
    assert lines[3] == r"\hline"
    assert lines[-1] == r"\end{tabular}"
    rows = [lines[2], *lines[4:-1]]
    assert len(rows) == 6
    assert all(row.count(" & ") == 5 and row.endswith(r" \\") for row in rows)
    assert all(row.count("$") == 10 for row in rows[1:])


def latex_cells(n: int, digits: int | None = None) -> list[list[str]]:
    """The cells of a table in LaTeX, a line for each card."""
    rows = text(n, "latex", digits).partition("hline")[2].split(r"\\")[:-1]
    return [[cell.strip("\n $") for cell in row.split("&")[1:]] for row in rows]


def test_latex_holds_every_number_in_full():
    for card, row in enumerate(latex_cells(5), 1):
        exact = [moves(5)[upcard][card] for upcard in range(1, 6)]
        assert [re.sub(r"\\frac\{(.*)\}\{(.*)\}", r"\1/\2", cell) for cell in row] == [
            number.text() for number in exact
        ]


def test_latex_decimals():
    assert latex_cells(5, 3)[0] == ["0.047", "0.185", "0.118", "0.123", "0.112"]
    assert r"\frac" not in text(5, "latex", 3)


def test_fractions_hold_every_number_in_full():
    blocks = text(5, "fractions").split("\n\n")[1:]
    assert [line.split() for block in blocks for line in block.splitlines()[1:]] == [
        [str(card), moves(5)[upcard][card].text()] for upcard in range(1, 6) for card in range(1, 6)
    ]


def test_upcards_in_the_order_asked_for():
    given = gx.first_move(4, upcards=[3, 1], store=":memory:")
    for fmt in READ_BACK:
        assert list(read_back(fmt, "".join(emit(given, fmt)))) == [3, 1]


@pytest.mark.parametrize(
    ("fmt", "digits", "message"),
    [
        ("xml", None, "a format of exact numbers must be one of fractions, .*, got 'xml'"),
        ("csv", -1, "digits must be at least 0, got -1"),
        ("json", 3, "digits go with decimals, csv, latex, got 3 with json"),
        ("fractions", 0, "digits go with decimals, csv, latex, got 0 with fractions"),
    ],
)
def test_what_cannot_be_emitted(fmt, digits, message):
    with pytest.raises(ValueError, match=message):
        emit(moves(3), fmt, digits)


def test_formats_that_take_digits():
    for fmt in EXACT:
        if fmt in TAKES_DIGITS["exact"]:
            assert text(3, fmt, 2) != text(3, fmt, 3)


@pytest.mark.parametrize("fmt", FORMATS_OF["exact"])
def test_first_moves_give_their_text_in_every_format(fmt):
    moves = gx.first_move(3, store=":memory:")
    digits = 6 if fmt in TAKES_DIGITS["exact"] else None
    assert moves.emit(fmt, digits) == "".join(emit(moves, fmt, digits))
    with pytest.raises(ValueError, match="numbers must be one of .* got 'yaml'"):
        moves.emit("yaml")
