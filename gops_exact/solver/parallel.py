"""Openings of whole games: the recursion, in one process, in many, or on a cluster, over the store.

Processes of one machine exchange slabs through the store alone: a worker reads the slabs that its
task needs and writes what it computed.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gops_exact.arguments import path
from gops_exact.game.order_types import counts
from gops_exact.game.rules import Rules, Upcard
from gops_exact.lattice.sweep import Arithmetic, Opening, Probability, Slab
from gops_exact.schedule import Order, Progress, available_cores, run
from gops_exact.solver.cluster import Cluster
from gops_exact.solver.cluster_values import run_on
from gops_exact.solver.tasks import Job, Task, Worker
from gops_exact.store import DiskStore, cached_path, default_path
from gops_exact.store.shelf import MEMORY_BYTES

MEMORY = ":memory:"
"""In place of a path: no file is used."""

PARALLEL_FROM = 10_000
"""The number of matrix games from which solving takes longer than starting workers."""


@dataclass(frozen=True)
class Place:
    """The store of a computation.

    Attributes:
        path: the store's file; None for memory alone.
        read_only: take values from the file, add none.
    """

    path: Path | None
    read_only: bool = False

    @classmethod
    def of(cls, store: str | Path | None, *, read_only: bool = False) -> "Place":
        """Return the place a user names: a path, ``":memory:"``, or None for the default file.

        Raises:
            ValueError: if it is none of these, or in no folder. Only in the user's cache directory
                folders are made: elsewhere the name may be mistyped.
        """
        named = default_path() if store is None else store
        file = path(named, "store")
        if str(named) == MEMORY:
            return cls(None, read_only)
        if file != cached_path() and not os.access(file.parent, os.F_OK):
            raise ValueError(f"store must be a file in a folder that is there, got {str(file)!r}")
        return cls(file, read_only)

    def open(self) -> DiskStore | None:
        """Return the file, open, or None where there is none."""
        return None if self.path is None else DiskStore(self.path, read_only=self.read_only)


def openings(
    n: int,
    upcards: Iterable[Upcard],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Probability],
    place: Place,
    *,
    jobs: int | None = None,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> dict[Upcard, Opening[Probability]]:
    """Return the optimal first moves of the game of n cards, {upcard: opening}.

    Args:
        n: cards a side.
        upcards: the upcards wanted, of those that the rules let come first.
        rules: the rules.
        arithmetic: the number system.
        place: where values are kept.
        jobs: processes; by default all cores from :data:`PARALLEL_FROM` games on. A read-only
            place leaves no way to pass slabs on, so there it is always one.
        cluster: the workers to use instead.
        progress: called with the work done and all the work there is.
    """
    wanted = list(upcards)
    large = counts(n, rules).games >= PARALLEL_FROM
    if jobs is None:
        jobs = available_cores() if large else 1
    # An interrupt ends workers at once, but has to wait for a long product in this process.
    apart = (jobs > 1 or large) and not place.read_only
    if (apart or cluster is not None) and place.path is None:
        with TemporaryDirectory(prefix="gops_exact-") as folder:
            place = Place(Path(folder) / "store.sqlite")
            return openings(
                n, wanted, rules, arithmetic, place, jobs=jobs, cluster=cluster, progress=progress
            )
    divided = jobs > 1 or cluster is not None
    job = Job(n, rules, arithmetic, MEMORY_BYTES // jobs, divided)
    store = place.open()
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
            run(order, _do, jobs=jobs, setup=partial(_start, job, place))
            store = place.open()
            worker = job.worker(store)
        found = {upcard: worker.shelf.opening(worker.prizes, upcard) for upcard in wanted}
        return {upcard: opening for upcard, opening in found.items() if opening is not None}
    finally:
        if store is not None:
            store.close()


_worker: Worker[Any, Any] | None = None
"""The worker of this process; None outside worker processes."""


def _start(job: Job[Any, Any], place: Place) -> None:
    global _worker  # noqa: PLW0603  # a pool's initializer has no other way to hand on its result
    _worker = job.worker(place.open())


def _do(task: Task) -> list[Task]:
    if _worker is None:
        raise RuntimeError("a task reached a process that is no worker")
    return _worker.do(task)
