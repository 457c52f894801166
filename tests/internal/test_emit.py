"""Emitted first moves: read back exactly, decimals rounded independently; test_before.py has the layouts."""

import pytest
from emitted import READ_BACK, read_back
from flint import fmpq, fmpz
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import rationals

import gops_exact as gx
from gops_exact.solvers import formats
from gops_exact.solvers.formats import FORMATS_OF, emit

EXACT = FORMATS_OF["exact"]


@st.composite
def numbers(draw):
    n = draw(st.integers(1, 4))
    column = st.lists(rationals(10**30, 10**30).map(abs), min_size=n, max_size=n)
    return draw(st.lists(column, min_size=1, max_size=n))


# 200,000 digits: beyond the interpreter's limit on int <-> str and csv's on a field.
LONG = [fmpq(fmpz(2) ** 664_000, fmpz(3) ** 420_000), fmpq(1, 3)]


@pytest.mark.parametrize("fmt", READ_BACK)
@given(columns=numbers())
@example(columns=[LONG])
def test_any_numbers_survive_the_round_trip(fmt, columns):
    strategies = [gx.Strategy(dict(enumerate(map(gx.view, column), 1))) for column in columns]
    given = gx.FirstMoves(len(columns[0]), dict(enumerate(strategies, 1)))
    assert read_back(fmt, given.emit(fmt)) == dict(given)


@pytest.mark.parametrize("fmt", EXACT)
def test_one_number_a_piece_by_several_processes_too(fmt, monkeypatch):
    moves = gx.first_move(5, store=":memory:")
    longest = max(len(column[card].text()) for column in moves.values() for card in column)
    pieces = list(emit(moves, fmt))
    assert max(map(len, pieces)) < longest + 100
    monkeypatch.setattr(formats, "PARALLEL_BITS", 0)
    monkeypatch.setattr(formats, "available_cores", lambda: 2)
    assert "".join(emit(moves, fmt)) == "".join(pieces)
