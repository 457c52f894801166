"""Tasks that wait for each other, on one process or many.

The prize lattice is a graph of tasks: a slab waits for the slabs one prize smaller, an opening for
one slab. A task starts as soon as all tasks that it waits for are done.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from graphlib import TopologicalSorter
from multiprocessing import active_children, parent_process
from threading import Thread
from typing import TypeVar

Task = TypeVar("Task", bound=Hashable)
Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Called with the work done and all the work there is, in any unit."""

compiling: list[Callable[[bool], None]] = []
"""Called where kernels are compiled, with true as one begins or goes on, with false at its end."""

ENDING = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
"""Signals that end a run. Workers end with their parent."""


def span(seconds: float) -> str:
    """Return a time span in words.

    >>> span(4.25), span(42), span(600), span(9000)
    ('4.2 s', '42 s', '10 min', '2.5 h')
    """
    if seconds < 100:
        return f"{seconds:.{1 if seconds < 10 else 0}f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def require_address_space(nbytes: int, purpose: str) -> None:
    """Refuse with a MemoryError what a limit on the address space, as ``ulimit -v``, leaves no room for.

    `purpose` is what takes the bytes, in the plural.
    """
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # not on every system
        return
    limit, _ = getrlimit(RLIMIT_AS)
    if limit != RLIM_INFINITY and limit < nbytes:
        raise MemoryError(
            f"{purpose} must have {nbytes / 1e6:.0f} MB of address space, got {limit / 1e6:.0f} MB "
            "(ulimit -v)"
        )


def run(
    graph: Mapping[Task, Iterable[Task]],
    work: Callable[[Task], object],
    *,
    jobs: int = 1,
    setup: Callable[[], None] | None = None,
    progress: Progress | None = None,
    weight: Callable[[Task], int] | None = None,
) -> None:
    """Do every task of `graph` after the tasks it waits for.

    Args:
        graph: {task: tasks it waits for}.
        work: does one task. With several jobs it runs in worker processes: it must be a module's
            function, and tasks must exchange results where all processes see them.
        jobs: worker processes; 1 works in this one.
        setup: called first in each worker.
        progress: called after each finished task with the work done and all the work there is.
        weight: the work of a task for `progress`, 1 by default.

    Raises:
        ChildProcessError: if a worker was killed, for example because memory ran out.
        Exception: any that `work` raises, after the tasks under way have ended; an interrupt ends them.
    """
    order = TopologicalSorter(graph)
    order.prepare()
    weights = {task: 1 if weight is None else weight(task) for task in graph}
    done, total = 0, sum(weights.values())
    if jobs == 1:
        if setup is not None:
            setup()
        while order.is_active():
            for task in order.get_ready():
                work(task)
                order.done(task)
                done += weights[task]
                if progress is not None:
                    progress(done, total)
        return
    with workers(jobs, setup) as pool:
        waiting: dict[Future[object], Task] = {}
        while order.is_active():
            waiting |= {pool.submit(work, task): task for task in order.get_ready()}
            finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                task = waiting.pop(future)
                future.result()
                order.done(task)
                done += weights[task]
                if progress is not None:
                    progress(done, total)


@contextmanager
def workers(jobs: int, setup: Callable[[], None] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Keep worker processes for a block of work; `setup` is called first in each.

    They end with the block: after the tasks under way if it raises, at once if it is interrupted.

    Raises:
        ChildProcessError: if a worker was killed, perhaps for want of memory.
    """
    with ProcessPoolExecutor(jobs, initializer=_begin_worker, initargs=(setup,)) as pool:
        # Python ignores what a handler raises during a fork. The first task starts all workers.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            pool.submit(available_cores)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        try:
            yield pool
        except BrokenProcessPool as error:
            raise ChildProcessError(
                "a worker process was killed, perhaps short of memory"
            ) from error
        except (KeyboardInterrupt, GeneratorExit):
            for worker in active_children():
                worker.terminate()
            raise
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int,
    setup: Callable[[], None] | None = None,
) -> Iterator[Result]:
    """Do independent work, by a module's function, in worker processes; yield results in order.

    Raises:
        ChildProcessError: if a worker was killed.
    """
    with workers(jobs, setup) as pool:
        # Not pool.map: it cancels what is left, and that breaks Python 3.11's pool if workers end.
        futures = deque(pool.submit(work, item) for item in items)
        while futures:
            yield futures.popleft().result()


def _begin_worker(setup: Callable[[], None] | None) -> None:
    """Set a worker up. It is not to outlive the process that reads its results."""
    # A fork inherits handlers and mask. Ctrl-C reaches workers, too, and is left to the parent.
    for number in ENDING:
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    Thread(target=_end_with_parent, daemon=True).start()
    if setup is not None:
        setup()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
