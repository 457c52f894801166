"""Openings of whole games on a cluster: exact numbers, balls, residues.

The client follows the order of tasks. Entries of the store travel with a task, by Dask's own
messages between workers, and what a task adds comes back to the client, which writes it to its store.
So a finished task is never done twice, whichever process dies, and no folder has to be shared.
"""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from gops_exact.game.position import Node
from gops_exact.lattice.sweep import Probability, Slab
from gops_exact.schedule import Order
from gops_exact.solver.cluster import Cluster
from gops_exact.solver.cluster_process import Done, Entries, do
from gops_exact.solver.tasks import Job, Single, Task, Worker

if TYPE_CHECKING:
    from distributed import Future

AHEAD = 2
"""Tasks sent for each thread: one in work, the other with its data on the way."""

ATTEMPTS = 5
"""How often a task is sent before giving up. Its data can be lost with a worker that holds them."""


def run_on(
    cluster: Cluster,
    order: Order[Task],
    worker: Worker[Slab, Probability],
    job: Job[Slab, Probability],
    graph: Iterable[Task],
) -> None:
    """Do every task of `order`, which is that of `graph`, on the cluster.

    `worker` stands over the store of this process.

    Raises:
        ChildProcessError: if one worker after the other died over a task.
        ConnectionError: if the scheduler went away.
    """
    with cluster.errors():
        _follow(cluster, order, worker, Messages(cluster, worker, graph), job)


def _follow(
    cluster: Cluster,
    order: Order[Task],
    worker: Worker[Slab, Probability],
    messages: "Messages",
    job: Job[Slab, Probability],
) -> None:
    from distributed import as_completed

    under_way: dict[Future[Done], Task] = {}
    lost: Counter[Task] = Counter()
    ended = as_completed(loop=cluster.client.loop, with_results=True, raise_errors=False)

    def send(task: Task) -> None:
        future = messages.send(job, task)
        under_way[future] = task
        ended.add(future)

    while order:
        room = AHEAD * cluster.jobs - len(under_way)
        for task in order.ready():
            if worker.is_small(task):
                order.done(task, worker.do(task))
                continue
            send(task)
            room -= 1
            if room <= 0:
                break
        if not under_way:
            continue
        future, result = next(ended)
        task = under_way.pop(future)
        if future.cancelled() and lost[task] < ATTEMPTS and cluster.answers():
            lost[task] += 1
            send(task)
            continue
        entries, further = result if future.status == "finished" else future.result()
        worker.keep(entries)
        if not further:
            messages.release(task)
        order.done(task, further)


ENCLOSED_BYTES = 100_000
"""Entries up to this length are sent with each task that reads them; longer ones once, to be passed on."""

SMALL_BYTES = 500 * 10**6
"""Memory that every worker is taken to have."""

PROCESS_BYTES = 300 * 10**6
"""Memory of a worker and of the process that computes for it, without a task."""

TASK_FACTOR = 13
"""Memory of a task for each byte that it reads. Measured up to 11 in the process that computes, by an opening of
seven cards, whose numbers are three times as long as those that it reads; the worker holds the entries, too."""


class Messages:
    """Entries of the store on the cluster, each unit, a slab or a single value, sent there once.

    Args:
        cluster: the connection.
        worker: stands over the store.
        graph: the tasks to come; a unit is given up after the last that reads it.
    """

    def __init__(self, cluster: Cluster, worker: Worker[Any, Any], graph: Iterable[Task]) -> None:
        self._cluster = cluster
        self._worker = worker
        self._sent: dict[Node | Single, Future[Entries]] = {}
        self._nbytes: dict[Node | Single, int] = {}
        self._readers = Counter(unit for task in graph for unit in worker.reads(task))

    def send(self, job: Job[Any, Any], task: Task) -> "Future[Done]":
        """Send a task, and the entries that it reads where the cluster lacks them.

        Raises:
            MemoryError: if it takes more memory than any worker may use.
        """
        client, units = self._cluster.client, self._worker.reads(task)
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
                (self._sent[unit],) = client.scatter([entries], hash=False)
            sent.append(self._sent[unit])
        needed = PROCESS_BYTES + TASK_FACTOR * sum(self._nbytes[unit] for unit in units)
        able = None if needed <= SMALL_BYTES else self._cluster.with_memory(needed)
        key = f"{self._worker.kind(task)}-{uuid4().hex}"
        return client.submit(do, job, task, enclosed, *sent, key=key, pure=False, workers=able)

    def release(self, task: Task) -> None:
        """Give up what no task to come reads, after a task is done."""
        if isinstance(task, Single):
            return
        for unit in self._worker.reads(task):
            self._readers[unit] -= 1
            if self._readers[unit] <= 0:
                self._sent.pop(unit, None)
