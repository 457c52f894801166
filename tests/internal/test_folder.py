"""Float sweeps in a folder: killed from outside, taken up again, and the same to the last bit."""

import errno
import os
import shutil
import signal
import subprocess
import sys
from functools import cache
from itertools import permutations, product
from math import comb

import numpy as np
import pytest
from runs import WAIT, kept

from gops_exact.base.store import StoreError
from gops_exact.game.game import Game
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.solvers.api import first_move
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.floats import sweep
from gops_exact.solvers.floats.layer import COUNTS, columns_below
from gops_exact.solvers.floats.layer_files import DIGEST, LayerFile

N, K = 9, 6
LAYER = f"float-{N}-{K:02}"
"""A layer of some twenty blocks."""

RECORD = 8 * (2 + COUNTS + comb(N, K)) + DIGEST
"""Bytes of a record of its journal."""


def finished(folder):
    """The whole records of that layer's journal, one for each block that is done."""
    data = (folder / f"{LAYER}.journal").read_bytes()
    return [data[at : at + RECORD] for at in range(0, len(data) // RECORD * RECORD, RECORD)]


KILLED = """
import os, signal, sys
from pathlib import Path
import gops_exact as gx

n, folder, journal = int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])

def stop(_done, _total):
    if journal.exists() and journal.stat().st_size:
        os.kill(os.getpid(), signal.SIGKILL)

gx.first_move(n, gx.Float(folder=folder), jobs=1, progress=stop)
"""
"""A run that is killed once its layer has a finished block."""


def test_killed_float_first_moves_resume_from_their_folder(tmp_path):
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    whole = first_move(N, Float(folder=alone))
    words = [sys.executable, "-c", KILLED, str(N), killed, killed / f"{LAYER}.journal"]
    assert subprocess.run(words, timeout=WAIT, check=False).returncode == -signal.SIGKILL
    assert not (killed / f"{LAYER}.bounds").exists()
    before = finished(killed)

    def stop(_done, _total):
        if len(finished(killed)) > len(before):
            raise InterruptedError

    with pytest.raises(InterruptedError):
        first_move(N, Float(folder=killed), jobs=1, progress=stop)
    # One block more, behind all those that there were.
    assert finished(killed)[:-1] == before
    assert first_move(N, Float(folder=killed)).columns == whole.columns
    assert kept(killed) == kept(alone)


def test_second_process_that_writes_into_a_folder_of_float_values_is_refused(tmp_path):
    game = Game(4)
    file = LayerFile(tmp_path, columns_below(game).at(2), game.types[2].keys)
    with file.alone(), pytest.raises(ValueError, match="must not be written by two runs at once"):
        first_move(4, Float(folder=tmp_path))
    assert not file.journal.exists()
    shutil.rmtree(tmp_path)
    assert first_move(4, Float(folder=tmp_path)).columns == expected(4, PLAIN)


WIN = Rules("win")
SWAPPED = [PLAIN, WIN, Rules(prizes="hidden")]
"""The last one's layers are of the shape of the first one's."""

SUFFIXES = (".bounds", ".journal", ".values")


@cache
def expected(n, rules):
    return first_move(n, "float", rules=rules, jobs=1).columns


def is_right_or_refused(folder, n, rules, **options):
    """Whether a run in a folder gives the right first moves; it must, or raise one line."""
    try:
        found = first_move(n, Float(folder, **options), rules=rules, jobs=1).columns
    except StoreError as error:
        told = str(error)
    else:
        assert found == expected(n, rules)
        return True
    assert "\n" not in told
    assert str(folder) in told
    return False


@pytest.mark.parametrize("lines", [(2, 2), (2, 1), (-1, 0), (0, 10**9)])
def test_damaged_journal_or_bounds_in_a_folder_of_float_values_are_noticed(tmp_path, lines):
    first_move(4, Float(tmp_path), jobs=1)
    journal, bounds = tmp_path / "float-4-03.journal", tmp_path / "float-4-03.bounds"
    data, kept_bounds = journal.read_bytes(), bounds.read_bytes()
    bounds.unlink()
    journal.write_bytes(np.array(lines, dtype=np.int64).tobytes() + data[16:])
    assert not is_right_or_refused(tmp_path, 4, PLAIN)
    journal.write_bytes(data + b"torn")
    assert is_right_or_refused(tmp_path, 4, PLAIN)
    assert (journal.read_bytes(), bounds.read_bytes()) == (data, kept_bounds)
    bounds.write_bytes(kept_bounds[:-8])
    with pytest.raises(StoreError, match="must be .* bytes long"):
        first_move(4, Float(tmp_path))


def test_folder_of_float_values_with_files_of_other_rules_gives_right_moves_or_an_error(tmp_path):
    for number, rules in enumerate(SWAPPED):
        first_move(4, Float(tmp_path / str(number), keep=True), rules=rules, jobs=1)
    refused = 0
    for own, other in permutations(range(3), 2):
        for values, source in product(
            *((tmp_path / str(x)).glob("*-03.values") for x in (own, other))
        ):
            for suffixes in (*zip(SUFFIXES), SUFFIXES):
                folder = shutil.copytree(tmp_path / str(own), tmp_path / "mixed")
                for suffix in suffixes:
                    shutil.copy(source.with_suffix(suffix), folder / f"{values.stem}{suffix}")
                refused += not is_right_or_refused(folder, 4, SWAPPED[own])
                shutil.rmtree(folder)
    assert refused >= 18


def test_float_first_moves_are_not_resumed_in_a_folder_whose_values_have_changed(
    tmp_path, monkeypatch
):
    loose, folder, name = tmp_path / "loose", tmp_path / "precise", "float-win-discard-random-5"

    def stop_in_layer_four(_done, _total):
        if (loose / f"{name}-04.journal").exists():
            raise InterruptedError

    monkeypatch.setattr(sweep, "BLOCK_GAMES", (100, 100))
    first_move(5, Float(folder, keep=True), rules=WIN, jobs=1)
    with monkeypatch.context() as patch:
        patch.setattr(sweep, "gamma", lambda _: 1e-6)
        with pytest.raises(InterruptedError):
            first_move(5, Float(loose), rules=WIN, jobs=1, progress=stop_in_layer_four)
    assert not (loose / f"{name}-04.bounds").exists()
    assert (loose / f"{name}-04.journal").stat().st_size > 0
    below = f"{name}-03.bounds"
    assert (folder / below).read_bytes() != (loose / below).read_bytes()
    for suffix in SUFFIXES:
        shutil.copy(folder / f"{name}-03{suffix}", loose / f"{name}-03{suffix}")
    with pytest.raises(StoreError, match="is damaged or of another run in lines"):
        first_move(5, Float(loose), rules=WIN, jobs=1)


def test_full_disk_leaves_the_finished_layers_of_a_folder_of_float_values(tmp_path, monkeypatch):
    calls, fallocate = [], os.posix_fallocate

    def full(descriptor, offset, length):
        """The third layer finds the disk full."""
        calls.append(length)
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return fallocate(descriptor, offset, length)

    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", full)
        with pytest.raises(OSError, match=f"the disk is full: {tmp_path} .* bytes more"):
            first_move(5, Float(tmp_path), jobs=1)
    assert not list(tmp_path.glob("float-5-03*"))
    before = np.fromfile(tmp_path / "float-5-02.values")
    assert first_move(5, Float(tmp_path, keep=True), jobs=1).columns == expected(5, PLAIN)
    np.testing.assert_array_equal(np.fromfile(tmp_path / "float-5-02.values"), before)
