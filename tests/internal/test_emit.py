"""Emitted first moves: written in full, and piece by piece; test_before.py has the layouts."""

import json

import pytest
from flint import fmpq, fmpz
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import rationals

import gops_exact as gx
from gops_exact.solvers import formats
from gops_exact.solvers.first_moves import FORMATS_OF, emit

EXACT = FORMATS_OF["exact"]


@st.composite
def numbers(draw):
    n = draw(st.integers(1, 4))
    column = st.lists(rationals(10**30, 10**30).map(abs), min_size=n, max_size=n)
    return draw(st.lists(column, min_size=1, max_size=n))


# 200,000 digits: beyond the interpreter's limit on int <-> str and csv's on a field.
LONG = [fmpq(fmpz(2) ** 664_000, fmpz(3) ** 420_000), fmpq(1, 3)]


@given(columns=numbers())
@example(columns=[LONG])
def test_any_numbers_are_written_in_full(columns):
    strategies = [gx.Strategy(dict(enumerate(map(gx.view, column), 1))) for column in columns]
    moves = gx.FirstMoves(len(columns[0]), dict(enumerate(strategies, 1)))
    expected = [
        [str(upcard), str(card), str(probability)]
        for upcard, column in enumerate(columns, 1)
        for card, probability in enumerate(column, 1)
    ]
    document = json.loads(moves.emit("json"))["columns"]
    assert expected == [
        [str(column["upcard"]), *pair]
        for column in document
        for pair in column["probabilities"].items()
    ]
    lines = moves.emit("csv").splitlines()[1:]
    assert expected == [line.split(",")[:3] for line in lines]


@pytest.mark.parametrize("fmt", EXACT)
def test_one_number_a_piece_by_several_processes_too(fmt, monkeypatch):
    moves = gx.first_move(5, store=":memory:")
    longest = max(len(column[card].text()) for column in moves.values() for card in column)
    pieces = list(emit(moves, fmt))
    assert max(map(len, pieces)) < longest + 100
    monkeypatch.setattr(formats, "PARALLEL_BITS", 0)
    monkeypatch.setattr(formats, "available_cores", lambda: 2)
    assert "".join(emit(moves, fmt)) == "".join(pieces)
