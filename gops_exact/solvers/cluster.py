"""A Dask cluster: one more way to do tasks, those that can travel."""

import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar

from gops_exact.arguments import install
from gops_exact.pools import Order

PACKAGE = "gops-exact"

if TYPE_CHECKING:
    from distributed import Future

Item = TypeVar("Item", bound=Hashable)
Result = TypeVar("Result")
Sent_contra = TypeVar("Sent_contra", contravariant=True)
Kept_co = TypeVar("Kept_co", covariant=True)

PATIENCE = 5.0
"""Seconds to wait for the scheduler."""

FIRST_WORKER = 15.0
"""Seconds to wait for its first worker."""


AHEAD = 2
"""Tasks of an order sent for each thread: one in work, the other with its data on the way."""

AHEAD_IN_MAP = 3
"""The same of independent work, which is shorter."""

ATTEMPTS = 5
"""How often a task is sent before giving up. Its data can be lost with a worker that holds them."""


class Work(Protocol[Sent_contra, Kept_co]):
    """Work that can travel."""

    def __call__(self, item: Sent_contra, /) -> Kept_co:
        """Do a piece of work in this process."""

    def send(self, item: Sent_contra, /) -> "Future[Any]":
        """Send a piece of work to the cluster, with what it reads."""

    def keep(self, item: Sent_contra, answer: Any, /) -> Kept_co:  # noqa: ANN401  # what the work sends back
        """Return the result of a piece of work, after keeping what came back."""


class Cluster:
    """A connection to the workers of a Dask scheduler, and an :class:`~gops_exact.pools.Executor` of :class:`Work`.

    Args:
        address: the scheduler's address, such as ``"tcp://10.0.0.1:8786"``.
        patience: seconds to wait for the scheduler.

    Raises:
        ValueError: if Dask is not installed, there is no scheduler, it has no workers, or they have
            another version of this package.
    """

    def __init__(self, address: str, patience: float = PATIENCE) -> None:
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
        try:
            self.client.wait_for_workers(1, timeout=FIRST_WORKER)
            self._check_versions()
            self._scheduler = self._scheduler_id()
        except TimeoutError as error:
            self.close()
            raise ValueError(f"the Dask scheduler at {self.address} has no workers") from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the scheduler and its workers keep running."""
        self.client.close()

    def follow(
        self,
        order: Order[Item],
        work: Work[Item, Sequence[Item]],
        small: Callable[[Item], bool] | None = None,
    ) -> None:
        """Do every task of an order. One whose data were lost with a worker is sent again.

        Raises:
            ChildProcessError: if one worker after the other died over a task.
            ConnectionError: if the scheduler went away.
        """
        from distributed import as_completed

        under_way: dict[Future[Any], Item] = {}
        lost: Counter[Item] = Counter()

        def send(task: Item) -> None:
            future = work.send(task)
            under_way[future] = task
            ended.add(future)

        with self.errors():
            ended = as_completed(loop=self.client.loop, with_results=True, raise_errors=False)
            while order:
                room = AHEAD * self.jobs - len(under_way)
                for task in order.ready():
                    if small is not None and small(task):
                        order.done(task, work(task))
                        continue
                    send(task)
                    room -= 1
                    if room <= 0:
                        break
                if not under_way:
                    continue
                future, answer = next(ended)
                task = under_way.pop(future)
                if future.cancelled() and lost[task] < ATTEMPTS and self._answers():
                    lost[task] += 1
                    send(task)
                    continue
                order.done(
                    task,
                    work.keep(task, answer if future.status == "finished" else future.result()),
                )

    def map(self, work: Work[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """Do independent work; yield results in the order in which they happen to come.

        Raises:
            ChildProcessError: if one worker after the other died over a piece of work.
            ConnectionError: if the scheduler went away.
        """
        from distributed import as_completed

        under_way: dict[Future[Any], Item] = {}
        waiting = iter(items)

        def send(count: int) -> Iterator["Future[Any]"]:
            for item in islice(waiting, count):
                future = work.send(item)
                under_way[future] = item
                yield future

        with self.errors():
            ended = as_completed(send(AHEAD_IN_MAP * self.jobs), loop=self.client.loop)
            for future in ended:
                answer = future.result()
                ended.update(send(1))
                yield work.keep(under_way.pop(future), answer)

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

    def _answers(self) -> bool:
        """Test whether the scheduler can be reached, and is the one that tasks were sent to."""
        return self.client.status == "running" and self._scheduler_id() == self._scheduler

    def _scheduler_id(self) -> object:
        return self.client.scheduler_info()["id"]

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Raise what becomes of a cluster as errors of this package.

        Raises:
            ChildProcessError: if one worker after the other died over a task.
            ConnectionError: if the scheduler went away.
        """
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            yield
        except KilledWorker as error:
            raise ChildProcessError(
                "one worker after the other died over a task, perhaps short of memory"
            ) from error
        except (CancelledError, CommClosedError) as error:
            raise ConnectionError(f"the Dask scheduler at {self.address} went away") from error

    def submit(
        self, work: Callable[..., Result], *given: object, **options: object
    ) -> "Future[Result]":
        """Send work to a worker, which refuses it if its version of the package is another.

        `options` are those of Dask's ``Client.submit``.
        """
        return self.client.submit(checked, installed(), work, *given, **options)

    def _check_versions(self) -> None:
        ours = installed()
        for worker, theirs in self.client.run(version, PACKAGE, on_error="return").items():
            if theirs != ours:
                what = "none" if isinstance(theirs, PackageNotFoundError) else theirs
                raise ValueError(f"worker {worker} must have gops-exact {ours}, got {what}")


@lru_cache(maxsize=1)
def installed() -> str:
    """Return the version of the package that is installed."""
    return version(PACKAGE)


def checked(ours: str, work: Callable[..., Result], *given: object) -> Result:
    """Do work on a worker, which may have joined after the versions of all were compared.

    Raises:
        ValueError: if the worker has another version.
    """
    if installed() != ours:
        raise ValueError(f"a worker must have gops-exact {ours}, got {installed()}")
    return work(*given)


def _check_scheduler(address: str, patience: float) -> None:
    """Ask what listens at an address whether it is a scheduler; Dask's client waits for an answer for ever.

    Raises:
        ValueError: if it gives another answer than a scheduler's, or none in so many seconds.
    """
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
