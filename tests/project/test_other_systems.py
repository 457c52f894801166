"""The program on other systems, as far as they can be imitated here."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec

import pytest
from other_systems import environment, run, start
from runs import kept

import gops_exact as gx
from gops_exact.commands.cli import main

UNGUARDED = """
import sys
import gops_exact as gx
print("begun")
shown = lambda done, total: print(done, total, file=sys.stderr, flush=True)
moves = gx.first_move(int(sys.argv[1]), store=sys.argv[2], jobs=2, progress=shown)
print(*(f"{card} {p}" for card, p in moves[1].items()))
"""
"""A script that runs again, and starts workers again, where a process begins by importing it."""


@pytest.fixture
def script(tmp_path):
    file = tmp_path / "script.py"
    file.write_text(UNGUARDED)
    return file


def entries(file):
    """{key: checksum} of a store, as far as it is made."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        try:
            return dict(connection.execute("SELECT key, checksum FROM entry"))
        except sqlite3.OperationalError:
            return {}


def expected(n):
    moves = gx.first_move(n, store=":memory:", jobs=1)[1]
    return " ".join(f"{card} {p}" for card, p in moves.items())


def test_a_script_without_a_guard(tmp_path, script):
    status, out, err = run(tmp_path, script, 5, ":memory:")
    assert (status, "Error" in err) == (0, False)
    assert out.decode().split("\r\n") == ["begun", expected(5), ""]


def test_layers_in_a_folder_are_the_same_files(tmp_path, capfd):
    here, there = tmp_path / "here", tmp_path / "there"
    words = ["-n", "7", "--arithmetic", "float", "--emit", "csv", "--folder"]
    assert main([*words, str(here)]) == 0
    expected = capfd.readouterr().out.encode()
    assert run(tmp_path, "-m", "gops_exact", *words, there) == (0, expected, "")
    assert kept(there) == kept(here)


HOLDING = """
import sys, time
from pathlib import Path
from gops_exact.game.game import Game
from gops_exact.solvers.floats.layer_files import LayerFile
from gops_exact.solvers.floats.layer import columns_below
with LayerFile(Path(sys.argv[1]), columns_below(Game(4)).at(1), 4).alone():
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


def test_two_runs_do_not_write_one_layer(tmp_path):
    with start(tmp_path, "-c", HOLDING, tmp_path / "layers", 60) as first:
        assert first.stdout.readline() == b"held\r\n"
        _, _, err = run(tmp_path, "-c", HOLDING, tmp_path / "layers", 0)
        assert "must not be written by two runs at once" in err
        first.kill()
    assert run(tmp_path, "-c", HOLDING, tmp_path / "layers", 0)[0] == 0


ALL = """
import shlex, sys
from gops_exact.commands.cli import main
for words in sys.argv[1:]:
    try:
        status = main(shlex.split(words))
    except SystemExit as done:  # after help
        status = done.code
    assert status in (0, None), (words, status)
"""
"""A script that runs several commands, each given as one word."""

SHOWN = (
    *("-n 3", "-n 3 --arithmetic ball", "tournament --help", "play -n 2 --seed 1 --bids 1,2"),
    "--help",
)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_console_in_another_encoding(tmp_path, encoding):
    status, out, err = run(tmp_path, "-c", ALL, *SHOWN, PYTHONIOENCODING=encoding)
    assert (status, err) == (0, "")
    assert out.decode(encoding)


def test_what_is_emitted_has_the_same_bytes(tmp_path, capfd):
    formats = [f"-n 3 --store :memory: --emit {fmt}" for fmt in ("csv", "json", "fractions")]
    files = [tmp_path / str(place) for place in range(3)]
    out = [f"{words} --out '{file}'" for words, file in zip(formats, files, strict=True)]
    found = run(tmp_path, "-c", ALL, *formats, *out, PYTHONIOENCODING="cp1252")
    here = []
    for words in formats:
        assert main(words.split()) == 0
        here.append(capfd.readouterr().out.encode())
    assert found == (0, b"".join(here), "")
    assert [file.read_bytes() for file in files] == here


@pytest.mark.skipif(find_spec("distributed") is None, reason="pip install '.[distributed]'")
def test_a_worker_of_a_cluster_has_workers_of_its_own(tmp_path):
    script = tmp_path / "cluster.py"
    script.write_text("""
from distributed import Client, LocalCluster

def moves():
    import gops_exact as gx
    return str(gx.first_move(5, store=":memory:", jobs=2)[1])

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            print(client.submit(moves).result())
""")
    found = subprocess.run(
        [sys.executable, script], check=True, capture_output=True, text=True, timeout=120
    )
    assert found.stdout == f"{gx.first_move(5, store=':memory:', jobs=1)[1]}\n"


@pytest.mark.skipif(find_spec("nbclient") is None, reason="pip install nbclient ipykernel")
def test_a_notebook_has_workers(tmp_path, monkeypatch):
    from nbclient import NotebookClient
    from nbformat import v4

    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    cell = v4.new_code_cell(
        "import gops_exact as gx\nstr(gx.first_move(5, store=':memory:', jobs=2)[1])"
    )
    notebook = v4.new_notebook(cells=[cell])
    NotebookClient(notebook, timeout=120).execute()
    assert eval(cell.outputs[0].data["text/plain"]) == str(gx.first_move(5, store=":memory:")[1])  # noqa: S307  # what the cell shows
