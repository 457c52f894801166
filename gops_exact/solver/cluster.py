"""A connection to a Dask cluster."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from typing import Self

from gops_exact.arguments import install

PATIENCE = 5.0
"""Seconds to wait for the scheduler."""

FIRST_WORKER = 15.0
"""Seconds to wait for its first worker."""


class Cluster:
    """A connection to the workers of a Dask scheduler.

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

    def answers(self) -> bool:
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

    def _check_versions(self) -> None:
        from importlib.metadata import PackageNotFoundError, version

        ours = version("gops-exact")
        for worker, theirs in self.client.run(version, "gops-exact", on_error="return").items():
            if theirs != ours:
                what = "none" if isinstance(theirs, PackageNotFoundError) else theirs
                raise ValueError(f"worker {worker} must have gops-exact {ours}, got {what}")


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
