"""The program on other systems, as far as they can be imitated here."""

import os
import subprocess
import sys

import program
import pytest
from other_systems import run, start
from runs import kept

import gops_exact as gx

UNGUARDED = """
import sys
import gops_exact as gx
print("begun")
shown = lambda done, total: print(done, total, file=sys.stderr, flush=True)
moves = gx.first_move(int(sys.argv[1]), store=sys.argv[2], jobs=2, progress=shown)
print(*(f"{card} {p}" for card, p in moves[1].items()))
"""
"""A script that runs again, and starts workers again, where a process begins by importing it."""


def moves(n):
    return gx.first_move(n, store=":memory:", jobs=1)[1]


def test_a_script_without_a_guard(tmp_path):
    (script := tmp_path / "script.py").write_text(UNGUARDED)
    status, out, err = run(tmp_path, script, 4, ":memory:")
    assert (status, "Error" in err) == (0, False)
    line = " ".join(f"{card} {p}" for card, p in moves(4).items())
    assert out.decode().split("\r\n") == ["begun", line, ""]


def test_layers_in_a_folder_are_the_same_files(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    words = "-n 7 --arithmetic float --emit csv --folder"
    expected = program.run(f"{words} '{here}'").out.encode()
    assert run(tmp_path, "-m", "gops_exact", *words.split(), there) == (0, expected, "")
    assert kept(there) == kept(here)


SWEEP = """
import sys, time
import gops_exact as gx
def pause(done, total):
    if done and len(sys.argv) > 2:
        print("at work", flush=True)
        time.sleep(60)
gx.first_move(7, gx.Float(sys.argv[1]), progress=pause)
"""
"""A script that fills a folder with layers; with a second word it pauses in one."""


def test_two_runs_do_not_write_one_layer(tmp_path):
    folder = tmp_path / "layers"
    with start(tmp_path, "-c", SWEEP, folder, "and pause") as first:
        assert first.stdout.readline() == b"at work\r\n"
        _, _, err = run(tmp_path, "-c", SWEEP, folder)
        first.kill()
    assert "must not be written by two runs at once" in err
    assert run(tmp_path, "-c", SWEEP, folder)[0] == 0


ALL = """
import runpy, shlex, sys
for words in sys.argv[1:]:
    sys.argv = ["gops-exact", *shlex.split(words)]
    try:
        runpy.run_module("gops_exact", run_name="__main__")
    except SystemExit as end:
        assert end.code in (0, None), words
"""
"""A script that runs several commands, each given as one word."""

SHOWN = "-n 3", "-n 3 --arithmetic ball", "play -n 2 --seed 1 --bids 1,2", "measure --help"
EMITTED = [f"-n 3 --store :memory: --emit {fmt}" for fmt in ("csv", "json", "fractions")]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "cp437"])
def test_a_console_in_another_encoding(tmp_path, encoding):
    """What is shown can be read, and what is emitted has the same bytes as elsewhere."""
    files = [tmp_path / str(place) for place, _ in enumerate(EMITTED)]
    out = [f"{words} --out '{file}'" for words, file in zip(EMITTED, files, strict=True)]
    status, printed, err = run(
        tmp_path, "-c", ALL, *EMITTED, *out, *SHOWN, PYTHONIOENCODING=encoding
    )
    assert (status, err) == (0, "")
    here = [program.run(words).out.encode() for words in EMITTED]
    assert [file.read_bytes() for file in files] == here
    assert printed.startswith(emitted := b"".join(here))
    assert "optimal first moves" in printed.removeprefix(emitted).decode(encoding)


BROWSER = """
import _thread, os, sys, threading

missing = "numba llvmlite gmpy2 pandas scipy sympy _multiprocessing _posixshmem fcntl resource termios"
for name in missing.split():
    sys.modules[name] = None

def refuse(*_args, **_options):
    raise RuntimeError("can't start new thread")

_thread.start_new_thread = threading._start_new_thread = threading._start_joinable_thread = refuse
for name in ("fork", "posix_spawn", "sched_getaffinity", "sched_setaffinity"):
    if hasattr(os, name):
        delattr(os, name)

import gops_exact as gx

moves = gx.first_move(5)
print(moves[1][1])
print(moves)
print(gx.solve("2.4_1.3_12.13@13").row, gx.solve_matrix_game([[3, -1], [1, 2]]).value)
print(gx.explain([[3, -1], [1, 2]])._repr_html_() != "", moves._repr_html_() != "", moves.emit("json") != "")
print(gx.first_move(4, "ball")[1][1].decimal(12))
"""
"""A script in a Python like that of a browser: NumPy and python-flint, no other package, threads or processes."""


def test_exact_numbers_need_numpy_and_flint_alone(tmp_path):
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    words = [sys.executable, "-c", BROWSER]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    number, *table, solved, shown, decimal = done.stdout.splitlines()
    assert number == str(gx.first_move(5)[1][1])
    assert "\n".join(table) == str(gx.first_move(5))
    assert solved == "{2: 12/25, 4: 13/25} 7/5"
    assert shown == "True True True"
    assert decimal == gx.first_move(4)[1][1].decimal(12)
