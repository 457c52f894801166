"""Documents that are right, wrong, damaged or hostile; the fuzzer and the forger look for false ones called right."""

import json
import os
import re
from pathlib import Path

import pytest
from program import run

import gops_exact as gx

KINDS = (gx.Exact(), gx.Ball(6), gx.Float())
TEXTS = {
    f"{kind.name}.json": gx.first_move(3, kind, store=":memory:", jobs=1).emit("json")
    for kind in KINDS
}
TEXTS["float.csv"] = gx.first_move(3, "float", jobs=1).emit("csv")
TEXTS["zeros.json"] = gx.first_move(gx.Game(2, deck=[0, 0]), store=":memory:").emit("json")
TEXTS["exact.csv"] = gx.first_move(3, store=":memory:").emit("csv", digits=3)


@pytest.fixture
def altered(tmp_path):
    """Write a document with members changed, or left out where they are ..., or with a text in place of another."""

    def write(name, change=("", "")):
        file, text = tmp_path / name, TEXTS[name]
        if isinstance(change, dict):
            document = json.loads(text) | change
            text = json.dumps({key: value for key, value in document.items() if value is not ...})
        else:
            assert change[0] in text
            text = text.replace(*change, 1)
        file.write_text(text, encoding="utf-8")
        return file

    return write


def test_verify_proves_right_documents(solved, tmp_path):
    files = {}
    for kind in KINDS:
        files[kind.name] = tmp_path / f"{kind.name}.json"
        files[kind.name].write_text(gx.first_move(4, kind, store=":memory:", jobs=1).emit("json"))
    floats = json.loads(files["float"].read_text())["columns"]
    radius = max(max(column["radii"].values()) for column in floats)
    how = "exactly", "to 6 decimals", f"within {radius!r}"
    for store in (solved, ":memory:"):  # what the store lacks is solved
        shown = run(["verify", "--store", str(store), *map(str, files.values())])
        assert shown.status == 0
        assert re.search("  only compared: [1-9][0-9]* probabilities", shown.out)
        for (kind, file), accuracy in zip(files.items(), how, strict=True):
            assert f"{file}: 4 first moves of n = 4, {kind}, right, {accuracy}\n" in shown.out
    assert run("verify --store none.sqlite").status == 2


NOT_UNIQUE = '"unique": true', '"unique": false'
EVEN = {"upcard": 0, "value": "0", "probabilities": {"1": "1/2", "2": "1/2"}}
UNLIKE = "the first move is said to be not unique, unlike the one in the store"
OPEN = "card 1 may be anything, though the first move is said to be unique"
CLAIMS = [
    ("exact.json", ('"1": "1"', '"1": "1/3"'), "the probabilities do not add up to 1"),
    ("exact.json", ("5/9", "10/18"), "expected a fraction in lowest terms, got '10/18'"),
    ("exact.json", NOT_UNIQUE, "only optimal one, but said not to be unique"),
    ("exact.json", NOT_UNIQUE[::-1], "the strategy is not the only optimal one: see card 1"),
    ("zeros.json", {"columns": [EVEN | {"unique": False}]}, None),
    ("zeros.json", {"columns": [EVEN | {"unique": True}]}, "the support's game is degenerate"),
    ("ball.json", NOT_UNIQUE, UNLIKE),
    ("ball.json", {"digits": 3}, "card 1 has not 3 decimals"),
    ("float.json", NOT_UNIQUE, None),  # floats only say that they cannot tell
    *(
        ("exact.csv", (",0.556", f",{decimal}"), "card 2: the decimal is not correctly rounded")
        for decimal in ("0.557", "5.6E-1")
    ),
    ("exact.csv", ("", ""), None),
    *(
        ("float.csv", (old, new), "")
        for number in ("1e400", "9" * 200_000, "-1", "nan", "1_0")
        for old, news in {
            "1,1,1.0,0.0": (f"1,1,{number},0.0", f"1,1,1.0,{number}"),
            "1,2,0.0,0.0": (f"1,2,{number},0.0", f"1,2,0.0,{number}"),
        }.items()
        for new in news
    ),
    *(("float.csv", ("1,1,1.0,0.0", f"1,1,{x},{1 - x or 1.0}"), OPEN) for x in (1.0, 0.5, 0.25)),
]


@pytest.mark.parametrize(("name", "change", "fault"), CLAIMS, ids=lambda part: str(part)[:30])
def test_verify_names_false_probabilities_decimals_and_claims_of_uniqueness(
    solved, altered, name, change, fault
):
    file = altered(name, change)
    shown = run(["verify", "--store", str(solved), str(file)])
    assert shown.status == (fault is not None)
    first = shown.out.splitlines()[0]
    assert first.startswith(f"{file}: upcard ") == (fault is not None) and (fault or "") in first


# What is no document

FIRST = '"1": "1"'
"""The first probability of the exact document."""

LINE = "1,1,1.0,0.0,true\n"
HUGE = "9" * 5000
EXACT_CHANGES = [
    *(('"n": 3', f'"n": {number}') for number in ("100000000", "NaN", HUGE, '3, "n": 3')),
    *(('"n": 3', f'"n": 3, "deck": {deck}') for deck in ("[2, 1, 0]", "[1, 2, 3]", "[-1, 0, 1]")),
    *((FIRST, f'"1": {number}') for number in ("-Infinity", HUGE)),
    *((FIRST, more) for more in ('"\\uff11": "1"', '"1": "1", "1": "1"')),
    ('"random"', "[1, 2, 2]"),
    ('"arithmetic"', f'"prime": {2**64}, "arithmetic"'),
    ('"exact"', '"ex\0act"'),
    ('{"n"', '\ufeff{"n"'),  # a mark of byte order
]
"""Changes that the random documents of tests/attack/documents.py seldom have."""

CSV_CHANGES = [
    ("upcard,card,probability,radius,proved\n", ""),
    ("radius,proved", "radius,radius,proved"),
    *((LINE, LINE * count) for count in (0, 2)),
    *((LINE, f"1,1,1.0,0.0{end}\n") for end in ("", ",true,", ",false", ",yes")),
    *((LINE, f"{place},1.0,0.0,true\n") for place in ("1,01", "x,1")),
    ("1.0", "1.0\xa0"),
]
REFUSED = [
    *(("exact.json", change, "") for change in EXACT_CHANGES),
    *(("float.csv", change, "") for change in CSV_CHANGES),
    ("exact.json", {"columns": []}, "columns: expected at least 1 entries, got"),
    ("exact.json", {"n": 2}, "upcard 1: expected a probability for each card from 1 to 2"),
    ("float.json", ('"1": 1.0', '"1": NaN'), "expected numbers, got NaN"),
    ("ball.json", {"digits": ...}, "expected the member digits"),
    ("ball.json", {"digits": 0}, "digits: expected a number from 1 on, got 0"),
]


def check_refused(*files):
    """Refused in one line that names the last file; the line."""
    status, out, err = run(["verify", "--store", ":memory:", *map(str, files)])
    assert (status, out, len(err.splitlines())) == (2, "", 1)
    assert str(files[-1]) in err
    assert len(err) < 1000
    return err


@pytest.mark.parametrize(
    ("name", "change", "message"), REFUSED, ids=lambda part: str(part)[:30].strip()
)
def test_verify_refuses_first_moves_with_missing_repeated_or_impossible_members(
    altered, name, change, message
):
    assert message in check_refused(altered(name, change))


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_verify_refuses_files_that_are_no_documents(tmp_path, suffix):
    file = tmp_path / f"moves.{suffix}"
    for content in (
        *(b"", b"\n", b"null", b"[]", b'"text"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 9999),
        "# Größe".encode(),
    ):
        file.write_bytes(content)
        refusal = check_refused(file)
    assert "which are in ascii, got other characters" in refusal


def test_verify_refuses_paths_that_are_no_files(tmp_path, altered):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    right = altered("exact.json")
    for file in (tmp_path, tmp_path / "none", pipe, Path("/dev/zero"), tmp_path / ("x" * 300)):
        check_refused(right, file)
