"""Files the program writes: whole or not at all, permissions kept; first moves in full, and piece by piece.

What is refused, and a file that outgrows its limit, stand in the transcripts files and streams; test_before.py has the layouts.
"""

import errno
import json
import os
from pathlib import Path
from unittest.mock import Mock

import pytest
from flint import fmpq, fmpz
from hypothesis import example, given
from hypothesis import strategies as st
from program import run
from strategies import rationals

import gops_exact as gx
from gops_exact.base import writing
from gops_exact.base.formats import FORMATS
from gops_exact.base.writing import written_whole
from gops_exact.solvers.first_moves import emit

pytestmark = pytest.mark.usefixtures("own_store")

CSV = ["--n", "3", "--emit", "csv", "--out"]
BEGINNING = "upcard,card,probability,decimal\n"


@pytest.mark.parametrize("mode", [0o640, 0o444, None])
def test_output_file_keeps_its_permissions(tmp_path, mode):
    target = tmp_path / "moves.csv"
    if mode is not None:
        target.write_text("before")
        target.chmod(mode)
    before = os.umask(0o027)
    try:
        assert run([*CSV, str(target)]).status == 0
        assert os.umask(before) == 0o027
    finally:
        os.umask(before)
    assert target.read_text().startswith(BEGINNING)
    assert target.stat().st_mode & 0o777 == (0o640 if mode is None else mode)


def test_unfinished_output_file_is_private(tmp_path):
    with written_whole(tmp_path / "moves.csv") as file:
        [partial] = tmp_path.iterdir()
        assert partial.stat().st_mode & 0o777 == 0o600
        file.write("after")
    assert [path.name for path in tmp_path.iterdir()] == ["moves.csv"]


def test_output_to_a_symbolic_link_is_written_to_the_file_it_points_to(tmp_path):
    target, link = tmp_path / "moves.csv", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    assert run([*CSV, str(link)]).status == 0
    assert link.is_symlink() and target.read_text().startswith(BEGINNING)


@pytest.mark.parametrize(
    ("owner", "step", "reason"),
    [(writing, "mkstemp", errno.ENOSPC), (os, "fsync", errno.EIO), (Path, "replace", errno.EIO)],
)
def test_error_names_an_output_file_that_cannot_be_finished(
    owner, step, reason, tmp_path, monkeypatch
):
    monkeypatch.setattr(owner, step, Mock(side_effect=OSError(reason, os.strerror(reason))))
    target = tmp_path / "moves.csv"
    ended = run([*CSV, str(target), "--store", ":memory:"])
    assert ended == (1, "", f"gops-exact: {target}: {os.strerror(reason)}\n")
    assert list(tmp_path.iterdir()) == []


@st.composite
def numbers(draw):
    n = draw(st.integers(1, 4))
    column = st.lists(rationals(10**30, 10**30).map(abs), min_size=n, max_size=n)
    return draw(st.lists(column, min_size=1, max_size=n))


# 200,000 digits: beyond the interpreter's limit on int <-> str and csv's on a field.
LONG = [fmpq(fmpz(2) ** 664_000, fmpz(3) ** 420_000), fmpq(1, 3)]


@given(columns=numbers())
@example(columns=[LONG])
def test_json_and_csv_of_first_moves_have_all_digits_of_long_numbers(columns):
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


@pytest.mark.parametrize("fmt", FORMATS["exact"])
def test_first_moves_are_printed_in_pieces_with_at_most_one_long_number_each(fmt):
    common = 10**9999 + 1  # of 10,000 digits; the numerators have 9,999
    column = [gx.view(fmpq(common // 3 + card, common)) for card in range(3)]
    moves = gx.FirstMoves(3, {upcard: gx.Strategy(dict(enumerate(column, 1))) for upcard in (1, 2)})
    lengths = [len(number.text()) for number in column]
    least, longest = min(lengths), max(lengths)
    assert longest + 100 < 2 * least
    pieces = list(emit(moves, fmt))
    assert max(map(len, pieces)) < longest + 100
    in_full = fmt not in ("decimals", "markdown", "digests")
    assert sum(len(piece) >= least for piece in pieces) == (6 if in_full else 0)
