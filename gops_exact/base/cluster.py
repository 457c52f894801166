"""Client of a Dask cluster, to whose workers the solvers send tasks."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, nullcontext
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from math import inf
from typing import Any, TypeVar

from gops_exact.base import load
from gops_exact.base.arguments import install
from gops_exact.base.pools import Order, Processes

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

INSTALLED = version("gops-exact")
"""The installed version of this package."""

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")

EXECUTOR = "gops_exact"
"""The name of the plugin :class:`ProcessesBeside`, and of the executor (a pool of processes) that it adds to each
worker. A task that is annotated with this name is run by this executor."""

PATIENCE = 5.0
"""The longest time, in seconds, to wait for an answer of the scheduler."""

FIRST_WORKER = 15.0
"""The longest time, in seconds, to wait until the scheduler has a worker."""

AHEAD = 2
"""The number of tasks sent in advance for each thread of the workers: one is computed while the data of the other
one arrive."""

ATTEMPTS = 5
"""The maximum number of times that a task is sent again after a worker died that computed it or held its data."""


class ProcessesBeside(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """A plugin that adds a pool of processes to each Dask worker, with a process for each thread of the worker.

    FLINT holds Python's global lock during a long multiplication. If the worker did such a task by itself, it would not
    answer the scheduler during this time, and the scheduler would consider the worker dead.
    """

    name = EXECUTOR
    idempotent = True  # if a second client registers the plugin, workers keep their pools

    def setup(self, worker: Any) -> None:  # noqa: ANN401  # distributed has no types
        """Add the pool to a Dask worker, under the name :data:`EXECUTOR`; its processes start when tasks arrive."""
        worker.executors[EXECUTOR] = Processes(worker.state.nthreads)

    def teardown(self, worker: Any) -> None:  # noqa: ANN401  # distributed has no types
        """Kill the processes of a worker that shuts down; otherwise Dask would wait for their tasks."""
        worker.executors[EXECUTOR].kill()


class Cluster(AbstractContextManager["Cluster"]):
    """A connection to the workers of a Dask scheduler.

    Args:
        address: the address of the scheduler, such as ``"tcp://10.0.0.1:8786"``; ``tcp://`` may be left out.
        patience: the longest time, in seconds, to wait for an answer of the scheduler.

    Raises:
        ValueError: if `address` is not an address, if no scheduler answers, if the scheduler has no workers, or if a
            worker has another version of this package.
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

        async def identity() -> object:
            # With tls:// these have the user's certificates.
            security = Security().get_connection_args("client")
            async with rpc(self.address, connection_args=security) as asked:
                return (await asyncio.wait_for(asked.identity(), patience))["type"]

        # Dask's client may wait forever, so ask first who answers. Use another thread: asyncio.run needs one without a
        # running event loop, and in a notebook this thread has a loop.
        thread = ThreadPoolExecutor(1)
        try:
            kind = thread.submit(lambda: asyncio.run(identity())).result(patience)
        except Exception as error:
            # Catch every exception: another program may listen at the port and send anything, such as a message
            # length of exabytes.
            reason = f": {error}" if self.address.startswith("tls:") and str(error) else ""
            raise ValueError(f"no Dask scheduler answers at {self.address}{reason}") from error
        finally:
            thread.shutdown(wait=False)
        if kind != "Scheduler":
            raise ValueError(
                f"no Dask scheduler answers at {self.address}, but a {str(kind).lower()}"
            )
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
            self.client.register_plugin(ProcessesBeside())
            failed.pop_all()

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        """Close the connection, and replace an error of Dask that ends the ``with`` block.

        Raises:
            ChildProcessError: if workers or processes died, one after the other, while they did the same task.
            ConnectionError: if the connection to the scheduler was lost.
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
        """Do every task of a queue on the cluster, and yield (task, answer) as soon as a task has ended.

        The caller must call `order.done` for each task that is yielded. A task is sent again if the worker that
        computed the task, or one that held its data, has died.

        Args:
            order: the queue of tasks, which may depend on each other.
            send: a function that submits a task and returns its future. The function may also do the task itself; then
                it calls `order.done` and returns None.
            ahead: the number of tasks sent in advance for each thread of the workers.

        Raises:
            Exception: the error of a task, or the error of Dask if a task was lost more than :data:`ATTEMPTS` times or
                the connection is lost.
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

    def submit(
        self,
        work: Callable[..., object],
        *arguments: object,
        key: str | None = None,
        beside: bool = False,
    ) -> Future:
        """Submit the call ``work(*arguments)`` and return its future.

        If the worker has another version of this package, it does not make the call, and the future raises a
        ValueError.

        Args:
            work: the function to call on a worker.
            arguments: the arguments of `work`. A future among them is replaced by its result.
            key: the key under which Dask manages the task; None for a key that Dask chooses.
            beside: True to run the call in a process beside the worker, see :class:`ProcessesBeside`.
        """
        with annotate(executor=EXECUTOR) if beside else nullcontext():
            return self.client.submit(checked, INSTALLED, work, *arguments, key=key, pure=False)

    def scatter(self, data: object, *, broadcast: bool = False) -> Future:
        """Send data to one worker, or to all workers if `broadcast` is True, as soon as there is a worker.

        Returns:
            The future of the data, which can be an argument of a task.
        """
        (future,) = self.client.scatter([data], broadcast=broadcast, hash=False, timeout=inf)
        return future

    @property
    def jobs(self) -> int:
        """The number of threads of all workers, which is the number of tasks that can be computed at one time.

        Workers join and leave, so the threads are counted again if the last count is more than a second old.
        """
        if time.monotonic() > self._counted + 1:
            self._jobs, self._counted = sum(self.client.nthreads().values()), time.monotonic()
        return self._jobs


def checked(ours: str, work: Callable[..., Result], *arguments: object) -> Result:
    """Check that this worker has the client's version of this package, then return ``work(*arguments)``.

    The client itself checked only the workers that it found when it connected.

    Args:
        ours: the client's version.
        work: the function to call.
        arguments: the arguments of `work`.

    Raises:
        ValueError: if the worker has another version.
    """
    if ours != INSTALLED:
        raise ValueError(f"a worker must have gops-exact {ours}, got {INSTALLED}")
    return work(*arguments)
