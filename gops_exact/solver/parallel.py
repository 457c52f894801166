"""Openings of whole games: the recursion, in one process, in many, or on a cluster, over the store.

Processes of one machine exchange slabs through the store alone: a worker reads the slabs that its
task needs and writes what it computed.
"""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gops_exact.game.order_types import counts
from gops_exact.game.rules import Rules, Upcard
from gops_exact.lattice.sweep import Arithmetic, Probability, Slab
from gops_exact.matrix_game.play import Play
from gops_exact.schedule import Order, Progress, available_cores, run
from gops_exact.solver.cluster import Cluster
from gops_exact.solver.cluster_values import run_on
from gops_exact.solver.tasks import Job, Task, Worker
from gops_exact.store.location import StoreLocation
from gops_exact.store.shelf import MEMORY_BYTES

PARALLEL_FROM = 10_000
"""The number of matrix games from which solving takes longer than starting workers."""


def openings(
    n: int,
    upcards: Iterable[Upcard],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Probability],
    location: StoreLocation,
    *,
    jobs: int | None = None,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> dict[Upcard, Play[Probability]]:
    """Return the optimal first moves of the game of n cards, {upcard: opening}.

    Args:
        n: cards a side.
        upcards: the upcards wanted, of those that the rules let come first.
        rules: the rules.
        arithmetic: the number system.
        location: the store.
        jobs: processes; by default all cores from :data:`PARALLEL_FROM` games on. A read-only
            store leaves no way to pass slabs on, so there it is always one.
        cluster: the workers to use instead.
        progress: called with the work done and all the work there is.
    """
    wanted = list(upcards)
    large = counts(n, rules).games >= PARALLEL_FROM
    if jobs is None:
        jobs = available_cores() if large else 1
    # An interrupt ends workers at once, but has to wait for a long product in this process.
    apart = (jobs > 1 or large) and not location.read_only
    if (apart or cluster is not None) and location.path is None:
        with TemporaryDirectory(prefix="gops_exact-") as folder:
            location = StoreLocation(Path(folder) / "store.sqlite")
            return openings(
                n,
                wanted,
                rules,
                arithmetic,
                location,
                jobs=jobs,
                cluster=cluster,
                progress=progress,
            )
    divided = jobs > 1 or cluster is not None
    job = Job(n, rules, arithmetic, MEMORY_BYTES // jobs, divided)
    store = location.open()
    try:
        worker = job.worker(store)
        graph = worker.graph(wanted)
        order = Order(graph, progress, worker.weight)
        if cluster is not None:
            run_on(cluster, order, worker, job, graph)
        elif not apart or not graph or (len(graph) < jobs and not large):
            run(order, worker.do)
        else:
            # SQLite's locks do not survive a fork, so no open file may be there to inherit.
            if store is not None:
                store.close()
            run(order, _do, jobs=jobs, setup=partial(_start, job, location))
            store = location.open()
            worker = job.worker(store)
        found = {upcard: worker.shelf.opening(worker.prizes, upcard) for upcard in wanted}
        return {upcard: opening for upcard, opening in found.items() if opening is not None}
    finally:
        if store is not None:
            store.close()


_worker: Worker[Any, Any] | None = None
"""The worker of this process; None outside worker processes."""


def _start(job: Job[Any, Any], location: StoreLocation) -> None:
    global _worker  # noqa: PLW0603  # a pool's initializer has no other way to hand on its result
    _worker = job.worker(location.open())


def _do(task: Task) -> list[Task]:
    if _worker is None:
        raise RuntimeError("a task reached a process that is no worker")
    return _worker.do(task)
