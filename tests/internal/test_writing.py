"""Files the program writes: whole or not at all, never through a planted link, permissions kept."""

import errno
import os
import re
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from gops_exact.base import writing
from gops_exact.base.writing import written_whole
from gops_exact.commands import cli

pytestmark = pytest.mark.usefixtures("own_store")

CSV = ["--n", "3", "--emit", "csv", "--out"]
BEGINNING = "upcard,card,probability,decimal\n"


def mode_of(path):
    return stat.S_IMODE(path.stat().st_mode)


def refused(words, capsys):
    """The one line that a command is refused with."""
    assert cli.main(words) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and len(shown.err.splitlines()) == 1
    return shown.err


REPLACING = [
    "--n 3 --emit json --store S --out S",
    "--n 3 --emit json --out S",
    "--n 3 --store new --out link",
    "position --one 1 --two 2 --prizes 3 --store new --out ./new",
    "play -n 3 --transcript S",
    "patterns t.json --out t.json",
    "patterns t.json --out link.json",
    "measure -n 3 --policy random,t.json:2 --out t.json",
    "measure -n 3 --against t.json --out t.json",
    "verify t.json --published p.csv --out p.csv",
    "tournament --from p.csv --out p.csv",
    "growth -n 3 --store S --out S",
    "export --emit nfg -n 2 --upcard 1 --out S",
]


@pytest.mark.parametrize("words", REPLACING)
def test_no_input_and_no_store_is_replaced(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["--n", "3", "--emit", "json", "--store", "S", "--out", "t.json"]) == 0
    Path("p.csv").write_text("n,upcard,card,printed_probability\n3,1,1,1\n")
    Path("link").symlink_to("new")
    Path("link.json").symlink_to("t.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.exists()}
    assert re.match("gops-exact: (--out|--transcript): expected", refused(words.split(), capsys))
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.exists()}
    assert after == before


@pytest.mark.parametrize("mode", [0o640, 0o666, 0o444])
def test_permissions_are_kept(tmp_path, mode):
    target = tmp_path / "moves.csv"
    target.write_text("before")
    target.chmod(mode)
    assert cli.main([*CSV, str(target)]) == 0
    assert target.read_text().startswith(BEGINNING)
    assert mode_of(target) == mode


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path, mask):
    before = os.umask(mask)
    try:
        assert cli.main([*CSV, str(tmp_path / "moves.csv")]) == 0
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert mode_of(tmp_path / "moves.csv") == 0o666 & ~mask


def test_the_owner_is_kept(tmp_path):
    target = tmp_path / "moves.csv"
    target.write_text("before")
    try:
        os.chown(target, 1234, 4321)
    except OSError:  # such users need not exist where this runs
        pytest.skip("this user may not give files away")
    target.chmod(0o4600)
    assert cli.main([*CSV, str(target)]) == 0
    assert (target.stat().st_uid, target.stat().st_gid, mode_of(target)) == (1234, 4321, 0o4600)


def test_nobody_else_reads_a_file_under_way(tmp_path):
    with written_whole(tmp_path / "moves.csv") as file:
        [partial] = tmp_path.iterdir()
        assert mode_of(partial) == 0o600
        file.write("after")
    assert [path.name for path in tmp_path.iterdir()] == ["moves.csv"]


def test_a_link_is_followed_and_a_planted_one_is_not(tmp_path):
    target, link, victim = (tmp_path / name for name in ("moves.csv", "link", "victim"))
    target.write_bytes(b"before")
    target.chmod(0o600)
    link.symlink_to(target)
    victim.write_text("precious")
    for planted in (".moves.csv.partial", f".moves.csv.{os.getpid()}"):
        (tmp_path / planted).symlink_to(victim)
    assert cli.main([*CSV, str(link)]) == 0
    assert link.is_symlink()
    assert target.read_bytes().startswith(BEGINNING.encode())
    assert mode_of(target) == 0o600
    assert victim.read_text() == "precious"


def test_long_names(tmp_path, capsys):
    for name in ("x" * 250, "x" * 255):
        assert cli.main([*CSV, str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_text().startswith(BEGINNING)
    assert "--out: expected a file that can be written" in refused(
        [*CSV, str(tmp_path / ("x" * 256))], capsys
    )
    assert "File name too long" in refused([*CSV, "x/" * 5000], capsys)


def test_what_is_no_file_is_refused_and_left_alone(tmp_path, capsys):
    os.mkfifo(tmp_path / "fifo")
    for name, leads_to in (("loop", "loop"), ("one", "two"), ("two", "one"), ("null", os.devnull)):
        (tmp_path / name).symlink_to(leads_to)
    (tmp_path / "file").touch()
    before = {path.name: path.lstat().st_ino for path in tmp_path.iterdir()}
    for name in ("fifo", "loop", "one", "null", "", "loop/x", "file/x", "none/x", "\0"):
        shown = refused([*CSV, f"{tmp_path}/{name}"], capsys)
        assert shown.startswith("gops-exact: --out: expected a file that can be written, got ")
    assert {path.name: path.lstat().st_ino for path in tmp_path.iterdir()} == before


def test_a_disk_that_fills_up(tmp_path):
    target = tmp_path / "moves.csv"
    target.write_text("before")
    done = subprocess.run(
        [sys.executable, "-m", "gops_exact", *CSV, str(target), "--store", ":memory:"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20)),
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"python -m gops_exact: {target}: {os.strerror(errno.EFBIG)}\n"
    assert [path.name for path in tmp_path.iterdir()] == ["moves.csv"]
    assert target.read_text() == "before"


@pytest.mark.parametrize(
    ("owner", "step", "reason"),
    [(writing, "mkstemp", errno.ENOSPC), (os, "fsync", errno.EIO), (Path, "replace", errno.EIO)],
)
def test_a_file_that_cannot_be_finished_is_named(
    owner, step, reason, tmp_path, monkeypatch, capsys
):
    def fails(*_args, **_options):
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(owner, step, fails)
    target = tmp_path / "moves.csv"
    assert cli.main([*CSV, str(target), "--store", ":memory:"]) == 1
    assert capsys.readouterr().err == f"gops-exact: {target}: {os.strerror(reason)}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [b"\xc3\xa4", b"\xff"])
def test_a_transcript_names_any_folder(tmp_path, name):
    folder, transcript = os.fsencode(tmp_path) + b"/" + name, tmp_path / "game.txt"
    words = ["play", "--n", "2", "--seed", "1", "--bids", "1,2", "--transcript", str(transcript)]
    assert cli.main([*words, "--folder", os.fsdecode(folder)]) == 0
    assert folder in transcript.read_bytes()


def test_a_pipe_by_its_number_is_refused():
    line = f'"$0" -m gops_exact {" ".join(CSV)} /dev/fd/3 3>&1 >/dev/null | cat'
    shell = ["sh", "-c", line, sys.executable]
    done = subprocess.run(shell, capture_output=True, text=True, check=False)
    assert (done.stdout, len(done.stderr.splitlines())) == ("", 1)
    assert "expected a file that can be written, got '/dev/fd/3'" in done.stderr
    assert Path(os.devnull).is_char_device()
