"""Bytes that must not change: emitted formats and stores as an earlier version made them.

The files under ``data/before`` were made by version 0.1.0 as of commit 049801a; tests/data/README.md
tells by which commands.
"""

import re
import shutil
from unittest.mock import Mock

import pytest
from program import run
from project_paths import DATA

from gops_exact.solvers.exact.ball import BallSystem
from gops_exact.solvers.exact.lattice import ExactSystem

BEFORE = DATA / "before"
RULES = {
    "plain": "",
    "win": "--objective win",
    "carryover": "--ties carryover",
    "hidden": "--prizes hidden",
}
KINDS = {
    "exact": "--store :memory:",
    "exact6": "--store :memory: --digits 6",
    "ball": "--store :memory: --arithmetic ball --digits 30",
    "float": "--arithmetic float",
}
OTHERS = {"ball-n6": "--n 6 --upcard 5", "float-n6win": f"--n 6 {RULES['win']}"}

TOLD = re.compile(r"\n(?:To 4 digits every|Every) probability is within .*; a plain 0 is proved")
"""How near the numbers of a table are: a sentence that has changed. tests/numbers/test_radii.py tests what it says."""

NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-\d+)?")


@pytest.mark.parametrize("path", sorted((BEFORE / "emitted").glob("*.[!r]*")), ids=lambda p: p.name)
def test_printed_results_are_those_of_version_0_1_0_but_for_float_rounding(path):
    kind, rules = path.stem.split("-")
    what = OTHERS.get(path.stem) or f"--n 4 {RULES[rules]}"
    found = run(f"{KINDS[kind]} {what} --emit {path.suffix[1:]}").out
    before = path.read_text(encoding="ascii")
    if path.name.startswith("float"):
        found, before = (TOLD.sub("", text) for text in (found, before))
        numbers = [map(float, NUMBER.findall(text)) for text in (found, before)]
        # More than the radii of all floats there, by which processors may round differently.
        assert all(abs(one - other) < 1e-11 for one, other in zip(*numbers, strict=True))
        found, before = (NUMBER.sub("", text) for text in (found, before))
    assert found == before


@pytest.mark.parametrize(
    ("system", "words", "name"),
    [
        (ExactSystem, "--n 4 --emit csv", "exact-plain.csv"),
        (BallSystem, f"--n 4 {RULES['win']} --arithmetic ball --digits 20", ""),
    ],
)
def test_store_files_of_version_0_1_0_are_read_and_nothing_is_computed_again(
    system, words, name, tmp_path, monkeypatch
):
    store = shutil.copy(BEFORE / "store.sqlite", tmp_path)
    computed = run(f"{words} --store :memory:")
    assert not name or computed.out == (BEFORE / "emitted" / name).read_text(encoding="ascii")
    for method in ("value_table", "play"):
        never = Mock(side_effect=AssertionError("computed again"))
        monkeypatch.setattr(system, method, never)
    assert run(f"{words} --store '{store}'") == computed
    with pytest.raises(AssertionError, match="computed again"):
        run(f"{words} --store :memory:")
