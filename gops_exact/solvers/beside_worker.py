"""Processes beside a Dask worker, which compute while the worker answers the scheduler."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import current_process, get_context
from threading import Thread
from typing import Any, TypeVar

from distributed import Worker, WorkerPlugin

Result = TypeVar("Result")

EXECUTOR = "gops_exact"
"""Name of the plugin, and of the executor that it adds to a worker. Tasks are annotated with this name."""


class ProcessesBeside(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """A plugin that adds the executor :data:`EXECUTOR` to each worker: a pool with one process per thread."""

    name = EXECUTOR
    idempotent = True  # if a second client registers the plugin, workers keep their pools

    def setup(self, worker: Worker) -> None:
        worker.executors[EXECUTOR] = Beside(worker.state.nthreads)


class Beside(Executor):
    """A pool of processes that is replaced by a new one after one of its processes was killed.

    Python's own pool would accept no more work. The processes end when the pool is shut down, or when this
    process ends, even if it is killed.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        # By default a Dask worker is a daemon process, and Python lets no daemon start processes, lest they
        # outlive it. The processes of this pool end with the worker, so the flag can be cleared.
        current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # noqa: SLF001
        self._open()

    def _open(self) -> None:
        context = get_context("spawn")
        # When this process ends, even if it is killed, the system closes its end of the pipe.
        watched, self._held = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            self._jobs, context, initializer=_end_with, initargs=(watched,)
        )

    def submit(
        self,
        work: Callable[..., Result],
        /,
        *arguments: object,
        **options: object,
    ) -> Future[Result]:
        """Submit work; its future raises BrokenProcessPool if any process of the pool is killed meanwhile."""
        try:
            return self._pool.submit(work, *arguments, **options)
        except BrokenProcessPool:
            self._open()
            return self._pool.submit(work, *arguments, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002  # of the base
        """End the processes at once and discard unfinished work."""
        self._held.close()
        self._pool.shutdown(wait=False, cancel_futures=True)


def _end_with(watched: Any) -> None:  # noqa: ANN401  # a Connection, on Windows a PipeConnection
    """Ignore Ctrl-C of a terminal, and start a thread that ends this process when a pipe is closed.

    Args:
        watched: the reading end of the pipe; the worker holds the writing end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        with suppress(EOFError, OSError):
            watched.recv()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
