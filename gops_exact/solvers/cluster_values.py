"""Openings of whole games on a cluster: exact numbers, balls, residues.

Entries of the store travel with a task, by Dask's own messages between workers, and what a task adds
comes back to the client, which writes it to its store. So a finished task is never done twice,
whichever process dies, and no folder has to be shared. A worker of the cluster hands the task on to a
process beside it: one that computed by itself could not pass on what it holds while FLINT keeps
Python's lock, and would be given up for dead.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from gops_exact.game.game import Node
from gops_exact.pools import apart
from gops_exact.solvers.cluster import Cluster
from gops_exact.store import MemoryStore

if TYPE_CHECKING:
    from distributed import Future

    from gops_exact.solvers.run import Job, Task, Unit, Worker

Entries = Mapping[str, bytes]
"""Entries of a store, {key: payload}."""

Done = tuple[Entries, list["Task"]]
"""Entries that a task adds to the store, and the tasks that it turned out to wait for."""

ENCLOSED_BYTES = 100_000
"""Entries up to this length are sent with each task that reads them; longer ones once, to be passed on."""

SMALL_BYTES = 500 * 10**6
"""Memory that every worker is taken to have."""

PROCESS_BYTES = 300 * 10**6
"""Memory of a worker and of the process that computes for it, without a task."""

TASK_FACTOR = 13
"""Memory of a task for each byte that it reads. Measured up to 11 in the process that computes, by an opening of
seven cards, whose numbers are three times as long as those that it reads; the worker holds the entries, too."""


class OnCluster:
    """The tasks of a game as a cluster does them: each unit, a slab or a single value, is sent there once.

    Args:
        cluster: the connection.
        worker: stands over the store of this process.
        graph: the tasks to come; a unit is given up after the last that reads it.
    """

    def __init__(
        self, cluster: Cluster, worker: "Worker[Any, Any]", graph: "Iterable[Task]"
    ) -> None:
        self._cluster, self._worker = cluster, worker
        self._sent: dict[Unit, Future[Entries]] = {}
        self._nbytes: dict[Unit, int] = {}
        self._graph = set(graph)
        self._readers = Counter(unit for task in self._graph for unit in worker.reads(task))

    def __call__(self, task: "Task") -> "Sequence[Task]":
        """Do a task in this process."""
        return self._worker.do(task)

    def send(self, task: "Task") -> "Future[Done]":
        """Send a task, and the entries that it reads where the cluster lacks them.

        Raises:
            MemoryError: if it takes more memory than any worker may use.
        """
        cluster, units = self._cluster, self._worker.reads(task)
        # What a slab has of its own is from a smaller game, whose words are shorter.
        enclosed = self._worker.entries(task) if isinstance(task, Node) else {}
        sent = []
        for unit in units:
            if unit not in self._sent or self._sent[unit].status != "finished":
                entries = self._worker.entries(unit)
                self._nbytes[unit] = sum(map(len, entries.values()))
                if self._nbytes[unit] <= ENCLOSED_BYTES:
                    enclosed |= entries
                    continue
                (self._sent[unit],) = cluster.client.scatter([entries], hash=False)
            sent.append(self._sent[unit])
        needed = PROCESS_BYTES + TASK_FACTOR * sum(self._nbytes[unit] for unit in units)
        able = None if needed <= SMALL_BYTES else cluster.with_memory(needed)
        key = f"{self._worker.kind(task)}-{uuid4().hex}"
        job = self._worker.job
        return cluster.submit(do, job, task, enclosed, *sent, key=key, pure=False, workers=able)

    def keep(self, task: "Task", done: Done) -> "Sequence[Task]":
        """Write what a task added to the store, and give up what no task to come reads."""
        entries, further = done
        self._worker.keep(entries)
        if not further and task in self._graph:
            for unit in self._worker.reads(task):
                self._readers[unit] -= 1
                if self._readers[unit] <= 0:
                    self._sent.pop(unit, None)
        return further


def do(job: "Job[Any, Any]", task: "Task", *entries: Entries) -> Done:
    """Do a task on a worker of the cluster, given the entries that it reads."""
    return apart(_do, (job, task, entries))


def _do(message: "tuple[Job[Any, Any], Task, Sequence[Entries]]") -> Done:
    job, task, entries = message
    worker, store = _over_memory(job)
    received = {key: payload for each in entries for key, payload in each.items()}
    store.clear()
    store.update(received)
    further = worker.do(task)
    added = {key: payload for key, payload in store.items() if key not in received}
    return added, further


@lru_cache(maxsize=1)
def _over_memory(job: "Job[Any, Any]") -> "tuple[Worker[Any, Any], MemoryStore]":
    """Return the part of a process in a job, and what stands for its store."""
    store = MemoryStore()
    return job.worker(store), store
