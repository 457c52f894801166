"""The store as users name it: any name is a file's, what is no file is refused, and memory is memory."""

import os
from pathlib import Path

import pytest
from program import run
from stores import names

import gops_exact as gx


@pytest.mark.parametrize(
    "name",
    [
        *("file:store.sqlite", "file:store.sqlite?mode=memory", "file:%2e%2e", "a?immutable=1"),
        *("a#b", "50%41", "two\nlines", "naïve ☃", os.fsdecode(b"\xff"), "./:memory:", " "),
    ],
)
def test_store_files_may_have_names_that_look_like_uris(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    assert run(["--n", "2", "--store", name]).status == 0
    assert names(tmp_path) == [Path(name).name]
    assert "opening" in run(["store", "info", "--store", name]).out


@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_folders_pipes_and_devices_are_refused_as_store_files(tmp_path, kind):
    path = Path("/dev/null") if kind == "device" else tmp_path / "odd"
    if kind != "device":
        {"folder": Path.mkdir, "pipe": os.mkfifo}[kind](path)
    with pytest.raises(gx.StoreError, match=f"{path} cannot be used: it is no regular file"):
        gx.first_move(2, store=path)
    for words, status in ((["--n", "3"], 1), (["verify"], 2)):
        ended = run([*words, "--store", str(path)])
        assert (ended.status, ended.err.count("\n")) == (status, 1)
        assert str(path) in ended.err


@pytest.mark.parametrize(
    ("name", "read_only", "error", "message"),
    [
        ("none", True, gx.StoreError, "there is no such file"),
        ("a\nb", True, gx.StoreError, r"\\nb cannot be used"),  # in one line
        ("file/store.sqlite", False, gx.StoreError, "File exists|Not a directory"),
        ("none/store.sqlite", False, ValueError, "in a folder that is there"),
        ("store\0.sqlite", False, ValueError, "must be a path"),
    ],
)
def test_unusable_paths_of_store_files_are_refused_in_one_line(
    tmp_path, name, read_only, error, message
):
    (tmp_path / "file").touch()
    with pytest.raises(error, match=message) as told:
        gx.first_move(2, store=tmp_path / name, read_only=read_only)
    assert "\n" not in str(told.value)
    assert names(tmp_path) == ["file"]


def test_missing_folders_of_a_store_file_are_made_only_in_the_cache(monkeypatch, tmp_path):
    path = tmp_path / "mistyped" / "store.sqlite"
    monkeypatch.setenv("GOPS_EXACT_STORE", str(path))
    for words in (["--n", "3", "--store", str(path)], ["--n", "3"]):
        ended = run(words)
        assert (ended.status, ended.err.count("\n")) == (2, 1)
        assert f"in a folder that is there, got '{path}'" in ended.err
    assert names(tmp_path) == []
    monkeypatch.delenv("GOPS_EXACT_STORE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    gx.first_move(2)
    assert (tmp_path / "cache" / "gops_exact" / "store.sqlite").is_file()


def test_solving_with_a_store_in_memory_writes_no_files(tmp_path, monkeypatch):
    monkeypatch.setenv("GOPS_EXACT_STORE", str(tmp_path / "default.sqlite"))
    monkeypatch.chdir(tmp_path)
    memory, game = {"store": ":memory:"}, gx.Game(3)
    gx.first_move(3, "ball", read_only=True, **memory)
    gx.first_move(3, jobs=2, **memory)
    gx.value(gx.Position([2, 4], [1, 3], [12, 13]), **memory)
    gx.outcomes(gx.Position.start(2, gx.Rules("win")), **memory)
    optimal = gx.players.Optimal(game, solver=gx.solver("exact", **memory))
    gx.players.match(optimal, "random", game, games=1)
    for words in "position --one 2,4 --two 1,3 --prizes 1,3", "--n 3":
        assert run(f"{words} --store :memory:").status == 0
    assert names(tmp_path) == []
