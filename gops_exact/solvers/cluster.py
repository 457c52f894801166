"""Client of a Dask cluster, whose workers compute first moves in any arithmetic.

First moves in exact numbers, balls and residues are computed in tasks. A task is sent with the entries of
the store that it reads; Dask's workers pass longer entries on to each other. The worker returns the entries
that the task adds, and the client writes them to its store. So no finished task is repeated, whichever
process dies, and workers need no shared folder. A worker passes the task to a separate process
(:class:`ProcessesBeside`), because FLINT holds Python's global lock during a long multiplication. A worker that
computed by itself would not answer the scheduler during this time, and the scheduler would consider it dead.

First moves in floats are computed layer by layer. The client divides a layer into the same blocks as threads
of one machine solve, so the results are the same to the last bit. The client also writes the journals, so a
run that was killed can be continued with or without a cluster. Each worker process receives the layer below
once, in a message, and returns the values of each block.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import uuid4

import numpy as np

from gops_exact.base.arguments import install
from gops_exact.base.loading import load
from gops_exact.base.pools import Order, Processes
from gops_exact.game.game import Node
from gops_exact.game.order_types import Layer
from gops_exact.solvers.exact.lattice import Single
from gops_exact.solvers.floats.layer import Columns, Done, Stored
from gops_exact.solvers.floats.sweep import Block, LayerTask, solve_block
from gops_exact.solvers.store import MemoryStore

try:
    load("distributed")
    from dask import annotate  # type: ignore[attr-defined]  # dask does not declare the re-export
    from distributed import (
        CancelledError,
        Client,
        Future,
        KilledWorker,
        Security,
        WorkerPlugin,
        as_completed,
        rpc,
    )
    from distributed.comm import CommClosedError, get_address_host_port
except ModuleNotFoundError as error:
    raise ValueError(
        f"a Dask scheduler takes the package distributed: {install('distributed')}"
    ) from error

if TYPE_CHECKING:
    from gops_exact.solvers.exact.by_prizes import Task, Worker

INSTALLED = version("gops-exact")
"""The installed version of this package."""

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")

Entries = Mapping[str, bytes]
"""Entries of a store, {key: payload}."""

listed = lru_cache(maxsize=1)(lambda columns: columns)
"""A function that takes a :class:`Columns`, the prize sets and states of a layer's values. If the argument of the last
call was equal, the function returns that one, else the new one. Each block comes to a worker with its own copy of the
columns; thus all blocks of a layer use one copy, and the lists that are cached in this copy."""

EXECUTOR = "gops_exact"
"""The name of the plugin :class:`ProcessesBeside`, and of the executor that it adds to each worker. A task that is
annotated with this name is run by this executor."""

PATIENCE = 5.0
"""The longest time, in seconds, to wait for an answer of the scheduler."""

FIRST_WORKER = 15.0
"""The longest time, in seconds, to wait until the scheduler has a worker."""

AHEAD = 2
"""The number of tasks sent in advance for each thread of the workers: one is computed while the data of the other
one arrive."""

BLOCKS_AHEAD = 3
"""The number of blocks of a float layer sent in advance for each thread of the workers. It is larger than
:data:`AHEAD`, because a block takes less time than a task."""

ATTEMPTS = 5
"""The maximum number of times that a task is sent again after a worker died that computed it or held its data."""

ENCLOSED_BYTES = 100_000
"""A limit, in bytes, on the store's entries of one node that are sent inside a message with a task. Such short entries
are sent again with each further task that reads them. Longer entries are sent to the cluster only once, and the
workers pass them on to each other."""


class ProcessesBeside(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """A plugin that adds the executor :data:`EXECUTOR` to each worker: a pool with a process for each thread."""

    name = EXECUTOR
    idempotent = True  # if a second client registers the plugin, workers keep their pools

    def setup(self, worker: Any) -> None:  # noqa: ANN401  # distributed has no types
        worker.executors[EXECUTOR] = Processes(worker.state.nthreads)

    def teardown(self, worker: Any) -> None:  # noqa: ANN401  # distributed has no types
        """Kill the processes, because Dask would wait for their tasks when it shuts down the worker's executors."""
        worker.executors[EXECUTOR].kill()


class Cluster:
    """A connection to the workers of a Dask scheduler.

    Args:
        address: the address of the scheduler, such as ``"tcp://10.0.0.1:8786"``; ``tcp://`` may be left out.
        patience: the longest time, in seconds, to wait for an answer of the scheduler.

    Raises:
        ValueError: if no scheduler answers, if the scheduler has no workers, or if a worker has another version
            of this package.
    """

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        self._jobs, self._counted = 0, -inf
        self.address = address if "://" in address else f"tcp://{address}"
        try:
            get_address_host_port(self.address, strict=True)
        except ValueError as error:
            raise ValueError(
                f"expected the address of a Dask scheduler, like tcp://10.0.0.1:8786, got {address!r}"
            ) from error
        _check_scheduler(self.address, patience)
        self.client = Client(self.address, timeout=patience, set_as_default=False)
        with ExitStack() as failed:
            failed.callback(self.client.close)
            try:
                self.client.wait_for_workers(1, timeout=FIRST_WORKER)
            except TimeoutError as error:
                raise ValueError(f"the Dask scheduler at {self.address} has no workers") from error
            self._scheduler: object = self.client.scheduler_info()["id"]
            versions = self.client.run(version, "gops-exact", on_error="return")
            for worker, theirs in versions.items():
                if theirs != INSTALLED:
                    other = "none" if isinstance(theirs, PackageNotFoundError) else theirs
                    raise ValueError(
                        f"worker {worker} must have gops-exact {INSTALLED}, got {other}"
                    )
            failed.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Close the connection, and replace errors of Dask by built-in exceptions.

        Raises:
            ChildProcessError: if several workers or processes died one after the other over the same task.
            ConnectionError: if the connection to the scheduler is lost.
        """
        self.client.close()  # the scheduler and its workers keep running
        if isinstance(error, KilledWorker | ChildProcessError):
            raise ChildProcessError(
                "one worker after the other died over a task, perhaps short of memory"
            ) from error
        if isinstance(error, CancelledError | CommClosedError):
            raise ConnectionError(f"the Dask scheduler at {self.address} went away") from error

    def answers(
        self,
        order: Order[Item],
        send: Callable[[Item], Future | None],
        ahead: int = AHEAD,
    ) -> Iterator[tuple[Item, Any]]:
        """Do every task of an order, and yield (task, answer) as soon as a task has ended.

        The caller must call `order.done` for each task that is yielded. If a worker dies that computed a task or
        held its data, the task is sent again.

        Args:
            order: the tasks.
            send: a function that submits a task and returns its future. It may also do a task itself: then it
                calls `order.done` and returns None.
            ahead: the number of tasks sent in advance for each thread of the workers.
        """
        under_way: dict[Future, Item] = {}
        lost: Counter[Item] = Counter()
        again: list[Item] = []  # the task that was lost last, until it is sent again
        ended = as_completed(loop=self.client.loop, with_results=True, raise_errors=False)
        while order:
            room = ahead * self.jobs  # recomputed each time, because workers join and leave
            for task in chain(again, order.ready()):
                future = send(task)
                if future is not None:
                    under_way[future] = task
                    ended.add(future)
                if len(under_way) >= room:
                    break
            again.clear()
            if not under_way:
                continue
            future, answer = next(ended)
            task = under_way.pop(future)
            if future.status == "error":
                is_lost = isinstance(future.exception(), ChildProcessError)
            else:
                # A future is cancelled if a worker dies, but also if the scheduler or the client ends. Only in
                # the first case can the task be sent again.
                is_lost = (
                    future.cancelled()
                    and self.client.status == "running"
                    and self.client.scheduler_info()["id"] == self._scheduler
                )
            if is_lost and lost[task] < ATTEMPTS:
                lost[task] += 1
                again.append(task)
            else:
                yield task, answer if future.status == "finished" else future.result()

    def scatter(self, data: object, *, broadcast: bool = False) -> Future:
        """Send data to one worker, or to all workers if `broadcast` is True.

        If there is no worker, wait until there is one.

        Returns:
            The future of the data, which can be an argument of a task.
        """
        (future,) = self.client.scatter([data], broadcast=broadcast, hash=False, timeout=inf)
        return future

    @property
    def jobs(self) -> int:
        """The number of tasks computed at once: the threads of all workers, counted at most once a second."""
        if time.monotonic() > self._counted + 1:
            self._jobs, self._counted = sum(self.client.nthreads().values()), time.monotonic()
        return self._jobs


def checked(ours: str, work: Callable[..., Result], *arguments: object) -> Result:
    """Return ``work(*arguments)`` after comparing the worker's version of this package with the client's, `ours`.

    Raises:
        ValueError: if the versions differ, because the worker joined after the client had checked all workers.
    """
    if ours != INSTALLED:
        raise ValueError(f"a worker must have gops-exact {ours}, got {INSTALLED}")
    return work(*arguments)


def _check_scheduler(address: str, patience: float) -> None:
    """Raise a ValueError unless a scheduler answers within `patience` seconds.

    Dask's client does not suffice for this, because it may wait forever.
    """

    async def identity() -> object:
        security = Security().get_connection_args("client")  # the user's certificates for tls://
        async with rpc(address, connection_args=security) as asked:
            return (await asyncio.wait_for(asked.identity(), patience))["type"]

    # Use another thread: asyncio.run needs one without a running event loop, and in a notebook this thread has a loop.
    thread = ThreadPoolExecutor(1)
    try:
        kind = thread.submit(lambda: asyncio.run(identity())).result(patience)
    except Exception as error:
        # Catch every exception: another program may listen at the port and send anything, such as a message
        # length of exabytes.
        reason = f": {error}" if address.startswith("tls:") and str(error) else ""
        raise ValueError(f"no Dask scheduler answers at {address}{reason}") from error
    finally:
        thread.shutdown(wait=False)
    if kind != "Scheduler":
        raise ValueError(f"no Dask scheduler answers at {address}, but a {str(kind).lower()}")


def do_on_cluster(
    cluster: Cluster, worker: "Worker", order: "Order[Task]", graph: "Iterable[Task]"
) -> None:
    """Compute the tasks of first moves on a cluster, and write the resulting entries to the store of `worker`.

    The long entries of a slab or a single value are sent to the cluster only once, unless they are lost there. They
    are released after the last task of `graph` that reads them.

    Args:
        cluster: the cluster.
        worker: the worker of this process, which does small tasks itself.
        order: the tasks that are not yet done.
        graph: the tasks known at the beginning; openings may add more tasks to `order`.
    """
    tasks, store = set(graph), worker.values.store
    elsewhere = replace(worker, store=None)
    readers = Counter(node for task in tasks for node in worker.reads(task))
    sent: dict[Node | Single, Future] = {}

    def send(task: "Task") -> Future | None:
        if worker.is_small(task):
            order.done(task, worker.do(task))
            return None
        # If a smaller game has been solved, the store may have some blocks of the slab, those of the shorter order
        # types. These blocks are sent with the task, so that the worker computes only the others.
        enclosed = worker.values.entries(task) if isinstance(task, Node) else {}
        passed_on = []
        for node in worker.reads(task):
            if node not in sent or sent[node].status != "finished":
                entries = worker.values.entries(node)
                if sum(map(len, entries.values())) <= ENCLOSED_BYTES:
                    enclosed |= entries
                    continue
                sent[node] = cluster.scatter(entries)
            passed_on.append(sent[node])
        # Dask assumes that tasks whose keys have the same prefix take equally long. So the prefix consists of the kind
        # and the weight of the task.
        key = f"{type(task).__name__}{worker.values.weight(task)}-{uuid4().hex}"
        work = checked, INSTALLED, do_task, elsewhere, task, enclosed, *passed_on
        with annotate(executor=EXECUTOR):
            return cluster.client.submit(*work, key=key, pure=False)

    cluster.client.register_plugin(ProcessesBeside())
    for task, (entries, further) in cluster.answers(order, send):
        for key, payload in entries.items():
            if store is not None:
                store.put(key, payload)
        if not further and task in tasks:
            for node in worker.reads(task):
                readers[node] -= 1
                if readers[node] <= 0:
                    sent.pop(node, None)
        order.done(task, further)


def do_task(worker: "Worker", task: "Task", *entries: Entries) -> "tuple[Entries, list[Task]]":
    """Do a task of first moves on a worker of the cluster.

    Args:
        worker: the object that does the task; its store is in memory.
        task: the task.
        entries: the entries of the store that the task reads, in several mappings.

    Returns:
        The entries that the task adds to the store, and the tasks that must be done before this one. If there
        are such tasks, this task is not yet done.
    """
    store = cast(MemoryStore, worker.values.store)  # in memory, as the worker has no file
    received = {key: payload for part in entries for key, payload in part.items()}
    store.clear()
    store.update(received)
    further = worker.do(task)
    added = {key: payload for key, payload in store.items() if key not in received}
    return added, further


def solve_on_cluster(cluster: Cluster, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
    """Solve blocks of a layer on the cluster, in any order.

    With a cluster bound to it, this function is a :data:`~gops_exact.solvers.floats.sweep.BlockSolver`.

    Args:
        cluster: the cluster.
        task: the layer to solve.
        todo: the blocks that are not yet solved.

    Yields:
        The result of each block, once its lines of values are written.
    """
    columns = task.columns
    scatter = partial(cluster.scatter, task.source, broadcast=True)
    source = scatter()
    # Send a copy of `columns` without the lists that are cached in it, because these would be pickled and sent, too.
    work = partial(solve_there, columns.at(columns.size), task.tolerance)

    def send(block: Block) -> Future:
        nonlocal source
        if source.status != "finished":  # lost with all workers
            source = scatter()
        part = task.layer.part(slice(*block))
        return cluster.client.submit(checked, INSTALLED, work, block, part, source, pure=False)

    order = Order[Block](dict.fromkeys(todo, ()))
    for block, (done, lines) in cluster.answers(order, send, BLOCKS_AHEAD):
        task.values[slice(*block)] = lines
        order.done(block, ())
        yield done


def solve_there(
    columns: Columns, tolerance: float, block: Block, layer: Layer, source: Stored
) -> tuple[Done, Stored]:
    """Solve the games of a block on a worker.

    Args:
        columns: the set of prizes and the state of each column of the layer's values, W columns.
        tolerance: the width up to which the bracket of a game's value is narrow enough, in the unit of the payoffs.
        block: the start and the stop of the block's pairs of hands in the whole layer.
        layer: the block's pairs of hands.
        source: the values of the layer below, shape (H', W').

    Returns:
        The result of the block, without its values; and the values, shape (len(layer), W).
    """
    columns, count = listed(columns), len(layer)
    # The kernels are compiled for writable arrays. Arrays received by Dask are mostly read-only, and are copied here.
    source = np.require(source, requirements="W")
    lines = np.empty((count, columns.width), source.dtype)
    solved = solve_block(LayerTask(layer, columns, source, tolerance, lines), (0, count))
    start, stop = block
    return solved._replace(start=start, stop=stop), lines
