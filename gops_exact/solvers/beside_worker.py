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
"""Name of the plugin, and of its processes among the executors of a worker; tasks are annotated with it."""


class ProcessesBeside(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """A plugin that adds the executor :data:`EXECUTOR` to each worker: a pool with one process per thread."""

    name = EXECUTOR
    idempotent = True  # another client's are not ended

    def setup(self, worker: Worker) -> None:
        worker.executors[EXECUTOR] = Beside(worker.state.nthreads)


class Beside(Executor):
    """A pool of processes, which is replaced when one of them was killed.

    Python's pool takes no more work after that. The processes end when the pool is shut down, and when this
    process ends, however it ends.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        # A worker of Dask is a daemon by default, which must not leave processes behind; these end with it.
        current_process()._config["daemon"] = False  # type: ignore[attr-defined]  # noqa: SLF001
        self._open()

    def _open(self) -> None:
        context = get_context("spawn")
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
        """Hand out work; it raises BrokenProcessPool if its process, or one beside it, is killed."""
        try:
            return self._pool.submit(work, *arguments, **options)
        except BrokenProcessPool:
            self._open()
            return self._pool.submit(work, *arguments, **options)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002  # as the base's
        """End the processes at once; their work is lost."""
        self._held.close()
        self._pool.shutdown(wait=False, cancel_futures=True)


def _end_with(watched: Any) -> None:  # noqa: ANN401  # of another type on Windows
    """End this process when the other end of a pipe is closed, and ignore the Ctrl-C of a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait() -> None:
        with suppress(EOFError, OSError):
            watched.recv()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
