"""Tasks that wait for each other, processes that do them, and progress: a bar on a terminal, nothing elsewhere."""

import inspect
import io
import math
import os
import re
from pathlib import Path

import pytest
from runs import kill, python, until
from tqdm import std

import gops_exact as gx
from gops_exact.base import progress
from gops_exact.base.pools import Order, Processes, follow, in_processes
from gops_exact.players.measurements import BEST, measurements
from gops_exact.players.simple import UpcardPlus
from gops_exact.solvers.float_errors import cross_check
from gops_exact.verify.checks import check_store


def test_undivided_tasks_run_first_and_then_parts_of_the_longest_task():
    # c and d are divided when value table b is done; d has more parts, and so has more to do itself.
    parts = {"a": ["a1"], "c": ["c1"], "d": ["d1", "d2", "d3"]}
    done, told = [], []

    def work(task):
        if task in parts:
            return parts.pop(task)
        done.append(task)
        return []

    graph = {"a": [], "b": [], "c": ["b"], "d": ["b"]}
    order = Order(graph, lambda *work: told.append(work), lambda _: 60)
    follow(order, 1, work, lambda _: True)
    assert done == ["b", "d1", "d2", "d3", "d", "a1", "a", "c1", "c"]
    assert [first for first, _ in told] == [0, 60, 70, 80, 90, 120, 150, 180, 210, 240]


def test_progress_without_any_tasks_is_reported_as_complete():
    told = []
    assert not Order({}, lambda *work: told.append(work))
    assert told == [(1, 1)]


def test_errors_of_worker_processes_name_where_they_were_raised():
    with pytest.raises(ValueError, match="math domain error") as caught:
        list(in_processes(2, math.sqrt, [4.0, -1.0]))
    assert "in serve" in caught.value.__notes__[0]


def test_killed_pool_process_is_replaced():
    with Processes(1) as pool:
        with pytest.raises(ChildProcessError, match="a worker process was killed"):
            pool.submit(os._exit, 1).result()
        assert pool.submit(abs, -3).result() == 3


RUN = """
import os, time
from gops_exact.base.pools import Processes

with Processes(1) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(60)
"""


def test_pool_process_ends_with_its_parent():
    run = python("-c", RUN)
    worker = Path("/proc") / run.stdout.readline().strip()
    assert worker.exists()
    kill(run)
    until(lambda: not worker.exists(), "end of the worker")


def terminal(monkeypatch):
    """A terminal for stderr and a clock that is set by hand."""
    screen, clock = io.StringIO(), [100.0]
    screen.isatty = lambda: True
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(std, "time", lambda: clock[0])
    monkeypatch.setattr(progress, "time", lambda: clock[0])
    return screen, clock


def test_no_progress_bar_when_quiet_or_without_a_terminal(monkeypatch):
    screen, _ = terminal(monkeypatch)
    progress.note("loud")
    monkeypatch.setattr(progress, "quiet", True)
    progress.note("quiet")
    assert progress.progress_bar() is None and screen.getvalue() == "loud\n"
    monkeypatch.setattr(progress, "quiet", False)
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress.progress_bar() is None


@pytest.mark.parametrize(
    ("work", "last"),
    [
        ((1, 2, 3, 10), "30% 00:20<01:10"),
        # The work of an earlier run says nothing about the speed.
        ((80, 85, 90, 100), "90% 00:20<00:20"),
    ],
)
def test_progress_bar_estimates_the_time_left(monkeypatch, work, last):
    screen, clock = terminal(monkeypatch)
    show = progress.progress_bar()
    *steps, total = work
    show(0, total)
    for done in steps:
        clock[0] += 10
        show(done, total)
    *_, line = screen.getvalue().split("\r")
    assert re.sub(" .* ", " ", line.strip()) == last
    show(total, total)
    assert screen.getvalue().endswith("\r")  # the line is wiped


FOUR, WIN = gx.Position.start(4), gx.Rules("win")
AHEAD = UpcardPlus(1)

LONG = [[10**30, 0, 1, 2], [1, 3, 2, 2], [0, 2, 4, 3]]
TAKES_LONG = {
    "exact": (gx.first_move, 4),
    "ball": (gx.first_move, 4, "ball"),
    "float": (gx.first_move, 4, "float"),
    "value": (gx.value, "2.3.5_1.4.6_1.2.3"),
    "solve": (gx.solve, FOUR.at(4)),
    "outcomes": (gx.outcomes, gx.Position.start(4, WIN)),
    "growth": (gx.growth, 4),
    "verify": (check_store,),
    "cross-check": (cross_check, gx.Game(4)),
    "best response": (gx.players.best_response, AHEAD, gx.Game(9)),
    "measurements": (measurements, gx.Game(4), ["matching"], ["random", BEST]),
    "explorer": (gx.explore, 3),
    "matrix": (gx.solve_matrix_game, gx.known_games.pascal(8), "simplex"),
    "long floats": (gx.solve_matrix_game, LONG),
    "all optimal strategies": (gx.optimal_set, [[0] * 3] * 2),
    "match": (gx.players.match, "random", "random", 3),
}


@pytest.mark.parametrize("name", TAKES_LONG)
def test_long_functions_report_progress_from_start_to_end(name, tmp_path):
    function, *arguments = TAKES_LONG[name]
    store = tmp_path / "store.sqlite"
    if name in ("growth", "verify"):
        gx.first_move(4, store=store)
    named = inspect.signature(function).parameters
    more = {name: store for name in ("store", "path") if name in named}
    for _ in ("from nothing", "with all that a store keeps"):
        told = []
        answer = function(*arguments, **more, progress=lambda *done: told.append(done))  # noqa: B023  # called now
        if inspect.isgenerator(answer):
            list(answer)
        (first, _), (done, total) = told[0], told[-1]
        assert first in (0, total)
        assert done == total > 0
        assert len(told) > 2 or function is not gx.solve_matrix_game, "no pivot is reported"
        assert all(0 <= done <= total for done, total in told)
        shares = [done / total for done, total in told]
        assert shares == sorted(shares), "the bar goes back"
