"""Documents that are damaged or hostile: refused in one line. The fuzzer and the forger look for those called right."""

import os
from fractions import Fraction

import pytest

import gops_exact as gx
from gops_exact.base.documents import read_file
from gops_exact.commands import cli

EXACT = gx.first_move(3, store=":memory:").emit("json")
FLOATS = gx.first_move(3, "float", jobs=1).emit("csv")
FIRST = '"1": "1"'
"""The first probability of the exact document."""

JSON = [
    *(
        ('"n": 3', f'"n": {number}')
        for number in (
            *("100000000", "4", "2", "0", "-3", '"3"', "3.0", "true", "Infinity", "NaN", "1e400"),
            *("9" * 5000, '3, "n": 3'),
        )
    ),
    ('"n": 3, ', ""),
    *(
        (FIRST, first)
        for first in (
            *(f'"1": {number}' for number in ("Infinity", "-Infinity", "NaN", "9" * 5000)),
            *(f'"{card}": "1"' for card in ("x", "01", " 1", "+1", "\\uff11")),
            *('"1": "1", "1": "1"', '"0": "0", "1": "1"'),
        )
    ),
    (FIRST + ",", ""),
    ('"upcard": 2', '"upcard": 1'),
    *(('"upcard": 1', f'"upcard": {u}') for u in ('1, "upcard": 2', "4", '"1"', "true", "null")),
    *(('"unique": true', f'"unique": {claim}') for claim in ("null", "1")),
    *(('"random"', order) for order in ("[1, 2]", "[1, 2, 2]", '[1, 2, "3"]', "[true, 2, 3]")),
    ('"prizes": "random"', ""),
    ('"arithmetic"', '"digits": "3", "arithmetic"'),
    ('"arithmetic"', f'"prime": {2**64}, "arithmetic"'),
    *(('"exact"', kind) for kind in ('"roman"', '"exáct"', '"ex\0act"')),
    ('{"n"', '\ufeff{"n"'),  # a mark of byte order
    *(("]}", end) for end in ("", "]} 1")),
]
"""What stands in the exact document, and what may not stand in its place."""

LINE = "1,1,1.0,0.0,true\n"
CSV = [
    ("upcard,card,probability,radius,proved\n", ""),
    ("radius,proved", "radius,radius,proved"),
    (",radius", ""),
    ("proved", '"proved"'),
    *((LINE, LINE * count) for count in (0, 2, 100_000)),
    *((LINE, f"1,1,1.0,0.0{end}\n") for end in ("", ",true,", ",false", ",yes")),
    *((LINE, f"{place},1.0,0.0,true\n") for place in ("1,01", "1,+1", "x,1")),
    ("1.0", "1.0\xa0"),
]
"""The same of the table of floats."""


def check_refused(capsys, *files):
    """Refused by every command that reads documents, in one line that names the file."""
    for words in (["verify", "--store", ":memory:"], ["patterns"]):
        assert cli.main([*words, *map(str, files)]) == 2
        out, err = capsys.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert str(files[-1]) in err
        assert len(err) < 1000


@pytest.mark.parametrize(
    ("name", "text", "old", "new"),
    [
        *(("moves.json", EXACT, *each) for each in JSON),
        *(("moves.csv", FLOATS, *each) for each in CSV),
    ],
    ids=lambda given: given[:30].strip(),
)
def test_what_no_document_may_hold(tmp_path, capsys, name, text, old, new):
    assert old in text
    file = tmp_path / name
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    check_refused(capsys, file)


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_what_is_no_document(tmp_path, capsys, suffix):
    file = tmp_path / f"moves.{suffix}"
    for content in (
        *(b"", b"\n", b"null", b"[]", b'"text"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 9999),
        "# Größe".encode(),
    ):
        file.write_bytes(content)
        check_refused(capsys, file)
    cli.main(["verify", str(file)])
    assert "not in ascii at byte 4, as every document of this program is" in capsys.readouterr().err


def test_what_is_no_file(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for file in (tmp_path, tmp_path / "none", pipe, "/dev/zero", tmp_path / ("x" * 300)):
        check_refused(capsys, file)
        assert cli.main(["tournament", "--from", str(file)]) == 2
        assert str(file) in capsys.readouterr().err
        right = tmp_path / "right.json"
        right.write_text(EXACT)
        assert cli.main(["verify", "--published", str(file), str(right)]) == 2
        assert str(file) in capsys.readouterr().err


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """A store with the first moves of three cards."""
    path = tmp_path_factory.mktemp("solved") / "store.sqlite"
    gx.first_move(3, store=path)
    return path


@pytest.mark.parametrize("number", ["1e400", "9" * 200_000, "1e99999", "-1", "inf", "nan", "1_0"])
@pytest.mark.parametrize("place", ["1,1,1.0,0.0", "1,2,0.0,0.0"])
def test_numbers_that_no_probability_is(solved, tmp_path, capsys, number, place):
    """In place of a probability, and of its radius."""
    file = tmp_path / "moves.csv"
    for new in (f"{place[:4]}{number},0.0", f"{place[:8]}{number}"):
        file.write_text(FLOATS.replace(place, new))
        assert file.read_text() != FLOATS
        assert cli.main(["verify", "--store", str(solved), str(file)]) == 1
        assert str(file) in capsys.readouterr().out
        assert cli.main(["patterns", str(file)]) == 2
        assert str(file) in capsys.readouterr().err


HEADER = "n,upcard,card,printed_probability\n"
NO_TABLES = [
    *("", "n,upcard,card,card,printed_probability\n3,1,1,1,1\n", "n,upcard,card\n3,1,1\n"),
    *(HEADER + line for line in ("3,1,1,1,1\n", "3,1,+1,1\n", "3, 1,1,1\n", "1_3,1,1,1\n")),
    *(HEADER + line for line in ("\uff13,1,1,1\n", '3,1,1,"1\n')),
    *(HEADER + line for line in ("3,1,1," + "1" * 200_000 + "\n", "9" * 5000 + ",1,1,1\n")),
]


@pytest.mark.parametrize("text", NO_TABLES, ids=lambda text: text[len(HEADER) :][:20])
def test_tables_that_are_none(tmp_path, capsys, text):
    right, table = tmp_path / "right.json", tmp_path / "table.csv"
    right.write_text(EXACT)
    table.write_text(text)
    assert cli.main(["verify", "--published", str(table), str(right)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(table) in line


# Numbers in them


def test_emitted_floats_are_the_floats_they_were(tmp_path):
    """A decimal of 17 digits is not the float, which the radius was proved for."""
    moves = gx.first_move(4, "float", jobs=1)
    for kind in ("csv", "json"):
        file = tmp_path / f"floats.{kind}"
        file.write_text(moves.emit(kind))
        document = read_file(file)
        for column in document.columns:
            for card, chance in moves[column.upcard].items():
                read = document.number(column, str(card))
                assert read == (Fraction(chance.value), Fraction(chance.radius))
        texts = [text for column in document.columns for text in column.probabilities.values()]
        assert any(Fraction(text) != Fraction(float(text)) for text in texts)


@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize("decimal", ["0.557", "0.55", "1e-1", "5.6E-1"])
def test_a_decimal_beside_an_exact_number_is_rounded_from_it(tmp_path, capsys, decimal):
    file = tmp_path / "moves.csv"
    text = gx.first_move(3).emit("csv", digits=3)
    file.write_text(text.replace("5/9,0.556", f"5/9,{decimal}"))
    assert cli.main(["verify", str(file)]) == 1
    assert "upcard 2: card 2: the decimal is not correctly rounded" in capsys.readouterr().out
    file.write_text(text)
    assert cli.main(["verify", str(file)]) == 0
