"""Tasks that wait for each other, and processes that do them."""

import math
import os
from pathlib import Path

import pytest
from runs import kill, until
from stores import python

from gops_exact.base.pools import Order, Processes, follow, in_processes


def test_longest_divided_tasks_come_before_shorter_ones():
    # c and d are divided when slab b is done; d has more parts, and so has more to do itself.
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


def test_a_run_without_tasks_is_done():
    told = []
    assert not Order({}, lambda *work: told.append(work))
    assert told == [(1, 1)]


def test_an_error_comes_back_with_the_place_where_it_was_raised():
    with pytest.raises(ValueError, match="math domain error") as caught:
        list(in_processes(2, math.sqrt, [4.0, -1.0]))
    assert "in serve" in caught.value.__notes__[0]


def test_a_process_that_was_killed_is_replaced():
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


def test_a_process_ends_when_its_run_is_killed():
    run = python(RUN)
    worker = Path("/proc") / run.stdout.readline().strip()
    assert worker.exists()
    kill(run)
    until(lambda: not worker.exists(), "end of the worker")
