"""A process that computes for a worker of a cluster, so that the worker goes on answering.

FLINT keeps Python's lock for as long as a product or a gcd takes, minutes with eight cards. A worker
that computed by itself could not pass on what it holds, and would be given up for dead.
"""

import os
import pickle
import signal
import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from subprocess import PIPE, Popen
from threading import Thread, local
from typing import Any, cast

from gops_exact.solver.tasks import Job, Task, Worker
from gops_exact.store.memory import MemoryStore

Entries = Mapping[str, bytes]
"""Entries of a store, {key: payload}."""

Done = tuple[Entries, list[Task]]
"""What a task adds to the store, and the tasks that it turned out to wait for."""

ATTEMPTS = 2
"""Processes tried for a task; one may have been killed while it waited."""

WATCH_SECONDS = 1.0
"""How often a process looks whether its worker still lives."""

_of_thread = local()
"""The process of a thread, as long as the thread lives: a process ends when nothing more can be read."""


def do(job: Job[Any, Any], task: Task, *entries: Entries) -> Done:
    """Do a task, given the entries that it reads, in the process of this thread.

    Raises:
        ChildProcessError: if the process was killed.
        Exception: any that the task raises.
    """
    for _ in range(ATTEMPTS):
        if not hasattr(_of_thread, "process"):
            program = f"from {__name__} import serve; serve()"
            command = [sys.executable, "-c", program]
            _of_thread.process = Popen(command, stdin=PIPE, stdout=PIPE)  # noqa: S603  # this package
        process = _of_thread.process
        try:
            pickle.dump((job, task, entries), process.stdin)
            process.stdin.flush()
            done = pickle.load(process.stdout)  # noqa: S301  # written by `serve`
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            del _of_thread.process
            process.kill()
            process.wait()
            continue
        if isinstance(done, BaseException):
            raise done
        return cast("Done", done)
    raise ChildProcessError("a worker's process was killed, perhaps short of memory")


def serve() -> None:
    """Do tasks read from standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    results = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may be written among the results
    while True:
        try:
            job, task, entries = pickle.load(sys.stdin.buffer)  # noqa: S301  # written by `do`
        except EOFError:
            return
        done: Done | Exception
        try:
            worker, store = _worker_for(job)
            store.receive({key: payload for each in entries for key, payload in each.items()})
            further = worker.do(task)
            done = store.added, further
        except Exception as error:  # noqa: BLE001  # the worker raises it
            done = error
        pickle.dump(done, results)
        results.flush()


@lru_cache(maxsize=1)
def _worker_for(job: Job[Any, Any]) -> tuple[Worker[Any, Any], MemoryStore]:
    """Return the part of this process in a job, and what stands for its store."""
    store = MemoryStore()
    return job.worker(store), store


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH_SECONDS)
    os._exit(1)
