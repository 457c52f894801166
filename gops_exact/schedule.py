"""Tasks that wait for each other, on one process or many.

The prize lattice is a graph of tasks: a slab waits for the slabs one prize smaller, an opening for
one slab. A task starts as soon as all tasks that it waits for are done.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from itertools import count, islice
from multiprocessing import active_children, get_context, parent_process
from threading import Thread
from typing import Generic, TypeVar

Task = TypeVar("Task", bound=Hashable)
Item = TypeVar("Item")
Result = TypeVar("Result")

Progress = Callable[[int, int], None]
"""Called with the work done and all the work there is, in any unit: at first with none, at last with all.
A computation in several parts may begin anew for each."""

compiling: list[Callable[[bool], None]] = []
"""Called where kernels are compiled, with true as one begins or goes on, with false at its end."""

AHEAD = 6
"""Items of :func:`in_order` handed out for each worker."""

ENDING: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name)
    for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGBREAK")
    if hasattr(signal, name)
)
"""Signals that end a run, as far as the system has them. Workers end with their parent."""

START_METHOD = "fork" if sys.platform == "linux" else None
"""How workers start: Python's own way, except that from 3.14 on Linux it starts them through a server
process, whose messages reach stderr when a worker is killed."""


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
        import resource
    except ImportError:  # not on every system
        return
    if not hasattr(resource, "RLIMIT_AS"):
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < nbytes:
        raise MemoryError(
            f"{purpose} must have {nbytes / 1e6:.0f} MB of address space, got {limit / 1e6:.0f} MB "
            "(ulimit -v)"
        )


def tracked(
    items: Iterable[Item], progress: Progress | None, weight: Callable[[Item], int] | None = None
) -> Iterator[Item]:
    """Yield work to be done, and report each piece as done when the next one is asked for.

    `weight` estimates the work of a piece, 1 by default.

    >>> list(tracked("ab", lambda done, total: print(done, "of", total)))
    0 of 2
    1 of 2
    2 of 2
    ['a', 'b']
    """
    todo = list(items)
    weights = [1 if weight is None else weight(item) for item in todo]
    tell = _nobody if progress is None else progress
    done, total = 0, sum(weights)
    if not todo:
        tell(1, 1)
        return
    tell(done, total)
    for item, work in zip(todo, weights, strict=True):
        yield item
        done += work
        tell(done, total)


class Descent:
    """Progress of a recursion that keeps what it computes, whose length nobody knows.

    Parts of a state find more and more that is known. The first way to choose from a set of cards leads to
    half of its subsets, the next to half of the rest, and so on; so each part is taken for (1/2)^`choices`
    of what is left.

    Args:
        progress: called with the share of the work that is thought to be done.
        choices: how many cards are chosen freely from one state to the next: prize and bids.
        depth: the most steps below the first state.

    >>> descent = Descent(lambda done, total: print(f"{done / total:.0%}"), choices=1, depth=3)
    0%
    >>> for depth in (3, 2, 1, 1, 0):
    ...     _ = descent.computed(depth)
    12%
    25%
    50%
    75%
    100%
    """

    STEPS = 1 << 18

    def __init__(self, progress: Progress | None, choices: int, depth: int) -> None:
        self._tell = _nobody if progress is None else progress
        self._share = 0.5**choices
        self._parts = [0] * depth
        self._step = 0
        self._tell(0, self.STEPS)

    def computed(self, depth: int) -> float:
        """Report that a state so many steps below the first one has been computed; return the share done."""
        if depth:
            self._parts[depth - 1] += 1
        self._parts[depth:] = [0] * (len(self._parts) - depth)
        left = 1.0 if depth else 0.0
        done = 1.0 - left
        for found in self._parts[:depth]:
            rest = left * (1 - self._share) ** found
            done, left = done + left - rest, rest * self._share
        step = int(done * self.STEPS)
        if step != self._step:
            self._step = step
            self._tell(step, self.STEPS)
        return done


def part_of(progress: Progress | None, before: int, share: int, whole: int) -> Progress | None:
    """Turn progress in a part into progress in the whole.

    Args:
        progress: progress in the whole.
        before: the work that comes before the part.
        share: the work of the part.
        whole: all the work there is.

    >>> tell = part_of(lambda done, total: print(done, "of", total), 10, 20, 100)
    >>> tell(3, 4)
    25 of 100
    """
    if progress is None:
        return None
    tell = progress
    return lambda done, total: tell(before + share * done // total, whole)


def _nobody(_done: int, _total: int) -> None:
    """Progress that is not shown."""


class Order(Generic[Task]):
    """The tasks of a graph, each ready after the tasks it waits for.

    A task can turn out to wait for further tasks, its parts, which wait for nothing. It is ready again
    after them, and half of its weight is theirs. Divided tasks come after all others, those with most
    parts first: what takes shortest is left to the end, where it keeps few workers waiting.

    Args:
        graph: {task: tasks it waits for}.
        progress: called at first and after each task with the work done and all the work there is.
        weight: the work of a task for `progress`, 1 by default.
    """

    def __init__(
        self,
        graph: Mapping[Task, Iterable[Task]],
        progress: Progress | None = None,
        weight: Callable[[Task], int] | None = None,
    ) -> None:
        self._sorter = TopologicalSorter(graph)
        self._sorter.prepare()
        self._ready: list[tuple[int, int, int, Task]] = []
        self._count = count()
        self._ranks: dict[Task, tuple[int, int]] = {}
        self._push(self._sorter.get_ready())
        self._tell = _nobody if progress is None else progress
        self._weights = {task: 1 if weight is None else weight(task) for task in graph}
        self._done, self._total = 0, sum(self._weights.values())
        self._left: dict[Task, int] = {}
        self._part_of: dict[Task, Task] = {}
        if graph:
            self._tell(0, self._total)
        else:
            self._tell(1, 1)

    def __bool__(self) -> bool:
        return self._sorter.is_active()

    def ready(self) -> Iterator[Task]:
        """Yield the tasks that are ready and have not been yielded before."""
        while self._ready:
            yield heappop(self._ready)[-1]

    def done(self, task: Task, further: Sequence[Task]) -> None:
        """Record that a task is done, or that it waits for `further` ones if there are any."""
        if further:
            share = self._weights[task] // (2 * len(further))
            self._weights[task] -= share * len(further)
            self._weights |= dict.fromkeys(further, share)
            self._part_of |= dict.fromkeys(further, task)
            self._left[task] = len(further)
            self._ranks |= dict.fromkeys((task, *further), (-len(further), next(self._count)))
            self._push(further)
            return
        self._done += self._weights[task]
        self._tell(self._done, self._total)
        if task not in self._part_of:
            self._sorter.done(task)
            self._push(self._sorter.get_ready())
            return
        whole = self._part_of.pop(task)
        self._left[whole] -= 1
        if not self._left[whole]:
            self._push([whole])

    def _push(self, tasks: Iterable[Task]) -> None:
        """Add tasks that are ready: those not divided first, parts before their whole."""
        for task in tasks:
            rank = self._ranks.get(task, (-sys.maxsize, 0))
            heappush(self._ready, (*rank, next(self._count), task))


def run(
    order: Order[Task],
    work: Callable[[Task], Sequence[Task]],
    *,
    jobs: int | None = None,
    setup: Callable[[], None] | None = None,
) -> None:
    """Do every task of `order`, in worker processes or in this one.

    Args:
        order: the tasks.
        work: does a task, or returns the tasks that it turned out to wait for. In worker processes it
            must be a module's function, and tasks must exchange results where all processes see them.
        jobs: worker processes; by default all is done in this one.
        setup: called first in each worker.

    Raises:
        ChildProcessError: if a worker was killed, for example because memory ran out.
        Exception: any that `work` raises, after the tasks under way have ended; an interrupt ends them.
    """
    if jobs is None:
        while order:
            for task in order.ready():
                order.done(task, work(task))
        return
    with workers(jobs, setup) as pool:
        under_way: dict[Future[Sequence[Task]], Task] = {}
        while order:
            for task in order.ready():
                under_way[pool.submit(work, task)] = task
                if len(under_way) > jobs:  # the pool does them in the order they are handed to it
                    break
            finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                order.done(under_way.pop(future), future.result())


@contextmanager
def workers(jobs: int, setup: Callable[[], None] | None = None) -> Iterator[ProcessPoolExecutor]:
    """Keep worker processes for a block of work; `setup` is called first in each.

    They end with the block: after the tasks under way if it raises, at once if it is interrupted.

    Raises:
        ChildProcessError: if a worker was killed, perhaps for want of memory.
    """
    context = get_context(START_METHOD)
    with ProcessPoolExecutor(jobs, context, _begin_worker, (setup,)) as pool:
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

    At most :data:`AHEAD` results a worker wait for one that comes before them.

    Raises:
        ChildProcessError: if a worker was killed.
    """
    with workers(jobs, setup) as pool:
        # Not pool.map: it cancels what is left, and that breaks Python 3.11's pool if workers end.
        waiting = iter(items)
        futures = deque(pool.submit(work, item) for item in islice(waiting, AHEAD * jobs))
        while futures:
            yield futures.popleft().result()
            futures.extend(pool.submit(work, item) for item in islice(waiting, 1))


def threaded(work: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """Do independent work on threads of this process; yield results in order.

    If the block that takes the results raises, as when it is interrupted, work under way is waited for:
    it may write into files that others read next. So no thread should have to compile a kernel.
    """
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(work, items)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


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
