"""Bytes that must not change: emitted formats and stores as an earlier version made them.

The files under ``data/before`` were made by version 0.1.0 as of commit 049801a; tests/data/README.md
tells by which commands.
"""

import csv
import json
import re
import shutil

import pytest
from places import DATA

from gops_exact.commands import cli
from gops_exact.solvers.exact.ball import BallSystem, ResidueSystem
from gops_exact.solvers.exact.rational import ExactSystem

BEFORE = DATA / "before"
RULES = {
    "plain": [],
    "win": ["--objective", "win"],
    "carryover": ["--ties", "carryover"],
    "hidden": ["--prizes", "hidden"],
}
KINDS = {
    "exact": ["--store", ":memory:"],
    "exact6": ["--store", ":memory:", "--digits", "6"],
    "ball": ["--store", ":memory:", "--arithmetic", "ball", "--digits", "30"],
    "float": ["--arithmetic", "float"],
}
OTHERS = {
    "ball-n6.json": [*KINDS["ball"], "--n", "6", "--upcard", "5"],
    "float-n6win.decimals": [*KINDS["float"], "--n", "6", *RULES["win"]],
}


def words(name: str) -> list[str]:
    """The command that made a file."""
    stem, fmt = name.split(".")
    if name in OTHERS:
        return [*OTHERS[name], "--emit", fmt]
    kind, rules = stem.split("-")
    return ["--n", "4", *KINDS[kind], *RULES[rules], "--emit", fmt]


@pytest.mark.parametrize("path", sorted((BEFORE / "emitted").iterdir()), ids=lambda p: p.name)
def test_every_format_is_as_it_was(path, capsys):
    assert cli.main(words(path.name)) == 0
    found, before = capsys.readouterr().out, path.read_text(encoding="ascii")
    if path.name.startswith("float") and found != before:
        # Processors may round differently, and radii tell how far.
        compare = {".csv": same_csv, ".json": same_json, ".decimals": same_decimals}
        assert compare[path.suffix](found, before)
    else:
        assert found == before


def same_csv(one: str, two: str) -> bool:
    lines = [list(csv.DictReader(text.splitlines())) for text in (one, two)]
    return all(
        near(*(float(each[name]) for each in pair for name in ("probability", "radius")))
        and all(pair[0][name] == pair[1][name] for name in ("upcard", "card", "proved"))
        for pair in zip(*lines, strict=True)
    )


def same_json(one: str, two: str) -> bool:
    columns = [json.loads(text).pop("columns") for text in (one, two)]
    return all(
        near(p, left["radii"][card], right["probabilities"][card], right["radii"][card])
        for left, right in zip(*columns, strict=True)
        for card, p in left["probabilities"].items()
    )


def same_decimals(one: str, two: str) -> bool:
    """True if the digits are the same, and the radius told below them is no wider.

    The version of before told the radius of all digits beside four, and rounded it to nearest: by a unit in
    the second digit it may be too small.
    """
    told = re.compile(
        r"\n(?:To 4 digits every|Every) probability is within .*; a plain 0 is proved"
    )
    found, before = (float(re.findall(r"within (\S+?)[; ]", text)[-1]) for text in (one, two))
    return told.sub("", one) == told.sub("", two) and found <= 1.1 * before


def near(p: float, radius: float, q: float, other: float) -> bool:
    """True if some number lies within both."""
    return abs(p - q) <= radius + other


@pytest.mark.parametrize(
    ("arithmetic", "command", "name"),
    [
        (ExactSystem, ["--n", "4", "--emit", "csv"], "exact-plain.csv"),
        (BallSystem, ["--n", "4", *RULES["win"], "--arithmetic", "ball", "--digits", "20"], ""),
        (ResidueSystem, ["--n", "3", *RULES["carryover"], "--emit", "residues"], ""),
    ],
    ids=["exact", "ball", "residue"],
)
def test_a_store_is_read(arithmetic, command, name, tmp_path, monkeypatch, capsys):
    store = tmp_path / "store.sqlite"
    shutil.copy(BEFORE / "store.sqlite", store)
    assert cli.main([*command, "--store", ":memory:"]) == 0
    computed = capsys.readouterr().out

    def never(*_args):
        raise AssertionError("computed again")

    for method in ("slab", "play"):
        monkeypatch.setattr(arithmetic, method, never)
    assert cli.main([*command, "--store", str(store)]) == 0
    found = capsys.readouterr().out
    assert found == computed
    assert not name or found == (BEFORE / "emitted" / name).read_text(encoding="ascii")
    with pytest.raises(AssertionError, match="computed again"):
        cli.main([*command, "--store", ":memory:"])
