"""A Dask cluster: one more way to do tasks, those that can travel.

First moves of exact numbers, balls and residues: entries of the store travel with a task, by Dask's own
messages between workers, and what a task adds comes back to the client, which writes it to its store. So
a finished task is never done twice, whichever process dies, and no folder has to be shared. A worker hands
the task on to a process beside it (:mod:`~gops_exact.solvers.beside_worker`): one that computed by itself could not pass on what it holds while FLINT
keeps Python's lock, and would be given up for dead.

Layers of floats: the client cuts a layer into the blocks that threads would solve, so all bits are the
same, and keeps the journals, so a run that was killed can be continued on the cluster or without it. Where
all workers see the folder of the layers, a worker maps the layer below, writes its lines at their place in
the layer's file, and returns a checksum of them. Otherwise each worker process gets the layer below in a
message, once, and returns its lines.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast
from uuid import uuid4

import numpy as np

from gops_exact.base.arguments import install
from gops_exact.base.pools import Order
from gops_exact.game.game import Node
from gops_exact.game.order_types import Layer
from gops_exact.solvers.exact.lattice import Single
from gops_exact.solvers.floats.layer import Columns, Done, Stored
from gops_exact.solvers.floats.layer_files import checksum, layer_name, record
from gops_exact.solvers.floats.sweep import Block, LayerTask, solve_block
from gops_exact.solvers.store import MemoryStore, StoreLocation

if TYPE_CHECKING:
    from distributed import Future

    from gops_exact.solvers.exact.by_prizes import Task, Worker

PACKAGE = "gops-exact"

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")

Entries = Mapping[str, bytes]
"""Entries of a store, {key: payload}."""

PATIENCE = 5.0
"""Seconds to wait for the scheduler."""

FIRST_WORKER = 15.0
"""Seconds to wait for its first worker."""

AHEAD = 2
"""Tasks sent for each thread: one in work, the other with its data on the way."""

BLOCKS_AHEAD = 3
"""Blocks of floats sent for each thread; a block takes less time than a task."""

ATTEMPTS = 5
"""How often a task is sent before giving up. Its data can be lost with a worker that holds them."""

ENCLOSED_BYTES = 100_000
"""Entries up to this length are sent with each task that reads them; longer ones once, to be passed on."""

SMALL_BYTES = 500 * 10**6
"""Memory that every worker is taken to have."""

PROCESS_BYTES = 300 * 10**6
"""Memory of a worker and of the process that computes for it, without a task."""

TASK_FACTOR = 13
"""Memory of a task for each byte that it reads. Measured up to 11 in the process that computes, by an opening of
seven cards, whose numbers are three times as long as those that it reads; the worker holds the entries, too."""


class Cluster:
    """A connection to the workers of a Dask scheduler, such as ``"tcp://10.0.0.1:8786"``.

    Raises:
        ValueError: if Dask is not installed, there is no scheduler, it has no workers, or they have
            another version of this package.
    """

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
        from importlib.metadata import PackageNotFoundError, version  # slow to load

        try:
            from distributed import Client
            from distributed.comm import get_address_host_port
        except ModuleNotFoundError as error:
            raise ValueError(
                f"a Dask scheduler takes the package distributed: {install('distributed')}"
            ) from error
        self._jobs, self._counted = 0, -inf
        self.address = address if "://" in address else f"tcp://{address}"
        try:
            get_address_host_port(self.address, strict=True)
        except ValueError as error:
            raise ValueError(
                f"expected the address of a Dask scheduler, like tcp://10.0.0.1:8786, got {address!r}"
            ) from error
        _check_scheduler(self.address, patience)
        try:
            self.client = Client(self.address, timeout=patience, set_as_default=False)
        except (OSError, TimeoutError) as error:
            raise ValueError(f"no Dask scheduler answers at {self.address}") from error
        with ExitStack() as failed:
            failed.callback(self.client.close)
            try:
                self.client.wait_for_workers(1, timeout=FIRST_WORKER)
                versions = self.client.run(version, PACKAGE, on_error="return")
                self._scheduler: object = self.client.scheduler_info()["id"]
            except TimeoutError as error:
                raise ValueError(f"the Dask scheduler at {self.address} has no workers") from error
            for worker, theirs in versions.items():
                if theirs != installed():
                    other = "none" if isinstance(theirs, PackageNotFoundError) else theirs
                    raise ValueError(
                        f"worker {worker} must have gops-exact {installed()}, got {other}"
                    )
            failed.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()  # the scheduler and its workers keep running

    def answers(
        self,
        order: Order[Item],
        send: Callable[[Item], "Future[Any] | None"],
        ahead: int = AHEAD,
    ) -> Iterator[tuple[Item, Any]]:
        """Do every task of an order; yield each with its answer, in the order in which they end.

        The caller then tells the order that the task is done. A task whose data were lost with a worker is
        sent again.

        Args:
            order: the tasks.
            send: submits a task; or does it, tells the order, and returns None.
            ahead: how many tasks are sent for each thread of the workers.

        Raises:
            ChildProcessError, ConnectionError: as :meth:`errors` does.
        """
        from distributed import as_completed

        under_way: dict[Future[Any], Item] = {}
        lost: Counter[Item] = Counter()

        def begin(task: Item) -> None:
            future = send(task)
            if future is not None:
                under_way[future] = task
                ended.add(future)

        with self.errors():
            ended = as_completed(loop=self.client.loop, with_results=True, raise_errors=False)
            while order:
                room = ahead * self.jobs
                for task in order.ready():
                    begin(task)
                    if len(under_way) >= room:
                        break
                if not under_way:
                    continue
                future, answer = next(ended)
                task = under_way.pop(future)
                if future.status == "error":
                    is_lost = isinstance(future.exception(), BrokenProcessPool)
                else:  # with the worker that held its data, not with the client or the scheduler
                    is_lost = (
                        future.cancelled()
                        and self.client.status == "running"
                        and self.client.scheduler_info()["id"] == self._scheduler
                    )
                if is_lost and lost[task] < ATTEMPTS:
                    lost[task] += 1
                    begin(task)
                else:
                    yield task, answer if future.status == "finished" else future.result()

    @property
    def jobs(self) -> int:
        """The number of tasks done at once: the threads of all workers, counted once a second."""
        if time.monotonic() > self._counted + 1:
            self._jobs, self._counted = sum(self.client.nthreads().values()), time.monotonic()
        return self._jobs

    def with_memory(self, nbytes: int) -> list[str]:
        """List the workers that may use so many bytes for each of their threads.

        Raises:
            MemoryError: if there is none.
        """
        workers = self.client.scheduler_info(n_workers=-1)["workers"]
        # A limit of 0 is none.
        limits = {
            address: (worker["memory_limit"] or inf) / worker["nthreads"]
            for address, worker in workers.items()
        }
        able = [address for address, limit in limits.items() if limit >= nbytes]
        if not able:
            most = max(limits.values(), default=0)
            raise MemoryError(
                f"a task needs a worker with about {nbytes / 1e9:.1f} GB of memory a thread, got at "
                f"most {most / 1e9:.1f} GB (dask worker --memory-limit)"
            )
        return able

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn errors of Dask into those of Python.

        Raises:
            ChildProcessError: if a task has killed one worker or process after the other.
            ConnectionError: if the scheduler went away.
        """
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            yield
        except (KilledWorker, BrokenProcessPool) as error:
            raise ChildProcessError(
                "one worker after the other died over a task, perhaps short of memory"
            ) from error
        except (CancelledError, CommClosedError) as error:
            raise ConnectionError(f"the Dask scheduler at {self.address} went away") from error

    def submit(
        self, work: Callable[..., Result], *arguments: object, **options: object
    ) -> "Future[Result]":
        """Send work to a worker of this version; `options` are those of Dask's ``Client.submit``."""
        return self.client.submit(checked, installed(), work, *arguments, **options)


@lru_cache(maxsize=1)
def installed() -> str:
    """Return the version of the package that is installed."""
    from importlib.metadata import version  # slow to load, and not needed without a cluster

    return version(PACKAGE)


def checked(ours: str, work: Callable[..., Result], *arguments: object) -> Result:
    """Do work on a worker.

    Raises:
        ValueError: if the worker has another version; it may have joined after versions were compared.
    """
    if installed() != ours:
        raise ValueError(f"a worker must have gops-exact {ours}, got {installed()}")
    return work(*arguments)


def _check_scheduler(address: str, patience: float) -> None:
    """Raise a ValueError unless a scheduler answers in `patience` seconds; Dask's client would wait for ever."""
    import asyncio

    from distributed import Security, rpc

    async def identity() -> object:
        security = Security().get_connection_args("client")  # of Dask's configuration, for tls://
        async with rpc(address, connection_args=security) as asked:
            return (await asyncio.wait_for(asked.identity(), patience))["type"]

    # A thread has a loop of its own: in a notebook this one runs a loop already.
    thread = ThreadPoolExecutor(1)
    try:
        kind = thread.submit(lambda: asyncio.run(identity())).result(patience)
    except Exception as error:
        # Anything can come from a port where something else listens: a length of exabytes, too.
        reason = f": {error}" if address.startswith("tls:") and str(error) else ""
        raise ValueError(f"no Dask scheduler answers at {address}{reason}") from error
    finally:
        thread.shutdown(wait=False)
    if kind != "Scheduler":
        raise ValueError(f"no Dask scheduler answers at {address}, but a {str(kind).lower()}")


def do_on_cluster(
    cluster: Cluster, worker: "Worker[Any, Any]", order: "Order[Task]", graph: "Iterable[Task]"
) -> None:
    """Do the tasks of first moves, and write what they add to the store of `worker`.

    A slab or a single value is sent to the cluster once, and is given up there after the last task of
    `graph` that reads it.

    Raises:
        MemoryError: if a task takes more memory than any worker may use.
    """
    from dask import annotate  # type: ignore[attr-defined]  # it is exported, but not said to be

    from gops_exact.solvers.beside_worker import EXECUTOR, ProcessesBeside

    tasks, store = set(graph), worker.values.store
    elsewhere = replace(worker, location=StoreLocation(None))
    readers = Counter(node for task in tasks for node in worker.reads(task))
    sent: dict[Node | Single, Future[Entries]] = {}
    nbytes: dict[Node | Single, int] = {}

    def send(task: "Task") -> "Future[tuple[Entries, list[Task]]] | None":
        if worker.is_small(task):
            order.done(task, worker.do(task))
            return None
        # What a slab has of its own is from a smaller game, whose words are shorter.
        enclosed = worker.values.entries(task) if isinstance(task, Node) else {}
        nodes, passed_on = worker.reads(task), []
        for node in nodes:
            if node not in sent or sent[node].status != "finished":
                entries = worker.values.entries(node)
                nbytes[node] = sum(map(len, entries.values()))
                if nbytes[node] <= ENCLOSED_BYTES:
                    enclosed |= entries
                    continue
                (sent[node],) = cluster.client.scatter([entries], hash=False)
            passed_on.append(sent[node])
        needed = PROCESS_BYTES + TASK_FACTOR * sum(nbytes[node] for node in nodes)
        able = None if needed <= SMALL_BYTES else cluster.with_memory(needed)
        kind = "opening"  # tasks of a kind take about as long as each other
        if isinstance(task, Single):
            kind = f"value{len(task.node.prizes)}"
        elif isinstance(task, Node):
            kind = f"slab{len(task.prizes)}"
        arguments, key = (elsewhere, task, enclosed, *passed_on), f"{kind}-{uuid4().hex}"
        with annotate(executor=EXECUTOR):
            return cluster.submit(_do, *arguments, key=key, pure=False, workers=able)

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


def _do(
    worker: "Worker[Any, Any]", task: "Task", *entries: Entries
) -> "tuple[Entries, list[Task]]":
    """Do a task on a worker, given the entries that it reads.

    Returns the entries that the task adds to the store, and the tasks that it turned out to wait for.
    """
    store = cast(MemoryStore, worker.values.store)  # it has no location
    received = {key: payload for part in entries for key, payload in part.items()}
    store.clear()
    store.update(received)
    further = worker.do(task)
    added = {key: payload for key, payload in store.items() if key not in received}
    return added, further


def solve_on_cluster(cluster: Cluster, task: LayerTask, todo: list[Block]) -> Iterator[Done]:
    """Solve blocks of a layer, a :data:`~gops_exact.solvers.floats.sweep.Solver`.

    Raises:
        ValueError: if the lines read back are not those that the workers wrote.
    """
    columns, source = task.columns, list[Any]()
    with cluster.errors():
        folder = shared_folder(cluster, task)
        if folder is None and columns.size > 1:
            source = cluster.client.scatter([task.source], broadcast=True, hash=False)
    file = below = None
    if folder is not None and task.file is not None:
        file = folder / task.file.path.name
        below = folder / f"{layer_name(columns.below)}.values" if columns.size > 1 else None

    work = partial(
        solve_there,
        columns=columns.at(columns.size),  # a copy that has listed nothing yet
        tolerance=task.tolerance,
        kind=task.values.dtype,
        file=file,
        below=below,
        key=b"" if task.file is None else task.file.key,
    )

    def send(block: Block) -> "Future[tuple[Done, Stored | None]]":
        return cluster.submit(work, block[0], task.layer.part(slice(*block)), *source, pure=False)

    order = Order[Block](dict.fromkeys(todo, ()))
    for block, (done, lines) in cluster.answers(order, send, BLOCKS_AHEAD):
        if lines is not None:
            task.values[slice(*block)] = lines
        order.done(block, ())
        yield done
    if folder is not None and task.file is not None:
        # Over a network, only a file opened again shows the bytes that others wrote.
        task.file.finished()


def shared_folder(cluster: Cluster, task: LayerTask) -> Path | None:
    """Return the folder of the layers, if there is one and all workers see it."""
    if task.file is None:
        return None
    folder = task.file.path.parent.resolve()
    with NamedTemporaryFile(prefix="shared-", dir=folder) as mark:
        seen = cluster.client.run(os.path.exists, mark.name).values()
    return folder if all(seen) else None


def solve_there(
    start: int,
    layer: Layer,
    source: Stored | None = None,
    *,
    columns: Columns,
    tolerance: float,
    kind: np.dtype[Any],
    file: Path | None,
    below: Path | None,
    key: bytes,
) -> tuple[Done, Stored | None]:
    """Solve a block's games on a worker; write its lines where files are shared, else return them.

    Args:
        start: the place of the block's first pair of hands in the layer.
        layer: the pairs of hands of this block alone.
        source: the values of the layer below, if they are in no file.
        columns: of the layer's values.
        tolerance: width at which a bracket is narrow enough.
        kind: the type that values are kept as.
        file: the layer's values; None if lines travel in messages.
        below: the values of the layer below in the same folder; None at one card a side.
        key: of the checksums.
    """
    columns, count = _listed(columns), len(layer)
    width = columns.below.width
    if source is not None:
        # The kernels are compiled for writable arrays, and Dask's seldom are.
        seen = source if source.flags.writeable else source.copy()
    elif below is None:
        seen = np.zeros((1, width), kind)
    else:
        seen = np.asarray(np.memmap(below, kind, "c")).reshape(-1, width)
    lines = np.empty((count, columns.width), kind)
    solved = solve_block(LayerTask(layer, columns, seen, tolerance, lines), (0, count))
    done = solved._replace(start=start, stop=start + count)
    if file is None:
        return done, lines
    # Written through: lines are on disk before the journal records them, and over NFS no neighbouring
    # bytes, which may be another worker's, are written with them.
    with open(
        file, "r+b", opener=lambda at, flags: os.open(at, flags | getattr(os, "O_DSYNC", 0))
    ) as written:
        written.seek(start * lines[0].nbytes)
        written.write(lines.data)
        written.flush()
        os.fsync(written.fileno())
    return done._replace(digest=checksum(record(done), lines, key)), None


@lru_cache(maxsize=1)
def _listed(columns: Columns) -> Columns:
    """Return the first of equal columns: those of all blocks of a layer, so that their sets are listed once."""
    return columns
