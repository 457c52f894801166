"""Float sweeps in a folder: killed from outside, taken up again, and the same to the last bit."""

from math import comb

import pytest
from runs import begun, finish, kept, kill, start, until, words

from gops_exact.game.order_types import pair_count
from gops_exact.layers.files import LayerFile
from gops_exact.show.text import emit
from gops_exact.solutions.arithmetic import Float
from gops_exact.solver.first_moves import first_move

N, K = 10, 7
LAYER = f"float-{N}-{K:02}"
"""A layer that takes half a second, in a hundred blocks."""

SHAPE = sum(pair_count(K, length) for length in range(K + 1, N + 1)), comb(N, K)


def finished(folder):
    """The blocks of that layer that are done and vouched for."""
    return [(done.start, done.stop) for done in LayerFile(folder, LAYER, SHAPE).finished()]


class StoppedError(Exception):
    pass


def stop(_done, _total):
    raise StoppedError


def test_a_run_killed_in_the_middle_goes_on_where_it_was(tmp_path):
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    expected = "".join(emit(first_move(N, Float(folder=alone)), "csv"))
    run = start(*words(N, killed, "--jobs", "1"))
    until(lambda: begun(killed, LAYER), "block")
    kill(run)
    assert not (killed / f"{LAYER}.bounds").exists()
    before = finished(killed)
    with pytest.raises(StoppedError):
        first_move(N, Float(folder=killed), jobs=1, progress=stop)
    # One block more, behind all those that there were.
    assert finished(killed)[:-1] == before
    assert finish(start(*words(N, killed))) == expected
    assert kept(killed) == kept(alone)


def test_two_runs_do_not_write_the_same_lines(tmp_path):
    file = LayerFile(tmp_path, LAYER, SHAPE)
    with file.alone(), pytest.raises(ValueError, match="must not be written by two runs at once"):
        first_move(N, Float(folder=tmp_path))
    assert finished(tmp_path) == []
    assert len(first_move(N, Float(folder=tmp_path)).columns) == N
