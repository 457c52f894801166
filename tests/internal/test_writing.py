"""Files the program writes: whole or not at all, permissions kept.

What is refused, and a file that outgrows its limit, stand in the transcripts files and streams.
"""

import errno
import os
import stat
from pathlib import Path
from unittest.mock import Mock

import pytest
from program import run

from gops_exact.base import writing
from gops_exact.base.writing import written_whole

pytestmark = pytest.mark.usefixtures("own_store")

CSV = ["--n", "3", "--emit", "csv", "--out"]
BEGINNING = "upcard,card,probability,decimal\n"


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("mode", [0o640, 0o444, None])
def test_permissions_are_kept(tmp_path, mode):
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
    assert mode_of(target) == (0o640 if mode is None else mode)


def test_nobody_else_reads_a_file_under_way(tmp_path):
    with written_whole(tmp_path / "moves.csv") as file:
        [partial] = tmp_path.iterdir()
        assert mode_of(partial) == 0o600
        file.write("after")
    assert [path.name for path in tmp_path.iterdir()] == ["moves.csv"]


def test_a_link_is_followed(tmp_path):
    target, link = tmp_path / "moves.csv", tmp_path / "link"
    target.write_text("before")
    link.symlink_to(target)
    assert run([*CSV, str(link)]).status == 0
    assert link.is_symlink() and target.read_text().startswith(BEGINNING)


@pytest.mark.parametrize(
    ("owner", "step", "reason"),
    [(writing, "mkstemp", errno.ENOSPC), (os, "fsync", errno.EIO), (Path, "replace", errno.EIO)],
)
def test_a_file_that_cannot_be_finished_is_named(owner, step, reason, tmp_path, monkeypatch):
    monkeypatch.setattr(owner, step, Mock(side_effect=OSError(reason, os.strerror(reason))))
    target = tmp_path / "moves.csv"
    ended = run([*CSV, str(target), "--store", ":memory:"])
    assert ended == (1, "", f"gops-exact: {target}: {os.strerror(reason)}\n")
    assert list(tmp_path.iterdir()) == []
