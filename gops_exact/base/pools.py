"""Pools of threads and of processes of this machine, and the order of tasks that depend on each other.

:mod:`~gops_exact.base.cluster` sends tasks to other machines.

FLINT holds Python's global lock while it multiplies, which takes minutes with eight cards a side. Threads would wait
for each other, so exact numbers are computed in processes. Each process is a new Python interpreter, started
in the same way on every system. The process is not forked, and does not run the user's script.

Other libraries have pools of processes, too. These are not used, for three reasons:

* The pools of Python and of loky cannot start a process from a *daemon* process. A worker of Dask is a daemon, and a
  task in it may compute first moves.
* Loky's workers survive when their parent is killed.
* If psutil is installed, loky replaces each worker whose memory has grown by 300 MB. The workers here may grow by more,
  because they keep value tables in a cache.
"""

import os
import pickle
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from graphlib import TopologicalSorter
from heapq import heappop, heappush
from itertools import count, islice
from queue import SimpleQueue
from threading import Thread, local
from typing import BinaryIO, Generic, TypeVar, cast

from gops_exact.base.progress import Progress, silent

Task = TypeVar("Task", bound=Hashable)
Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 6
"""The number of items for each worker that :func:`in_order` submits in advance. Results are yielded in the order of the
items. So while one item takes long, the other workers need further items to compute."""


class Order(Generic[Task]):
    """A queue of tasks that depend on each other; a task is ready when all tasks that it waits for are done.

    A worker may divide a task into parts instead of doing the task. The parts are ready at once, and together get at
    most half of the task's weight. When all parts are done, the task is ready again.

    Of the tasks that are ready, those that are neither parts nor divided are yielded first. Next come the parts of the
    task that was divided into the most parts, and then this task itself. The task with the most parts takes longest, so
    this order leaves few workers idle at the end.

    Args:
        graph: {task: the tasks that must be done before it}.
        progress: called as progress(done, total), in the unit of `weight`; None for no report.
        weight: a function that returns the estimated work of a task, in any unit; None to count 1 for each task.
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
        self._whole: dict[Task, Task] = {}  # {part: the task that was divided}
        self._parts: dict[Task, int] = {}  # {divided task: number of parts that are not done}
        self._ranks: dict[Task, tuple[int, int]] = {}
        self._progress = silent if progress is None else progress
        self._weights = {task: 1 if weight is None else weight(task) for task in graph}
        self._done, self._total = 0, sum(self._weights.values())
        self._progress(0 if graph else 1, self._total if graph else 1)

    def __bool__(self) -> bool:
        return self._sorter.is_active()

    def ready(self) -> Iterator[Task]:
        """Yield ready tasks until there are none. A divided task is yielded again after its parts are done."""
        while True:
            self._push(self._sorter.get_ready())
            if not self._ready:
                return
            yield heappop(self._ready)[-1]

    def done(self, task: Task, further: Sequence[Task]) -> None:
        """Record that a task is done; or, if `further` is not empty, that the task was divided into these parts."""
        if further:
            share = self._weights[task] // (2 * len(further))
            self._weights[task] -= share * len(further)
            self._weights |= dict.fromkeys(further, share)
            self._ranks |= dict.fromkeys((task, *further), (-len(further), next(self._count)))
            self._whole |= dict.fromkeys(further, task)
            self._parts[task] = len(further)
            self._push(further)
            return
        self._done += self._weights[task]
        self._progress(self._done, self._total)
        if task not in self._whole:
            self._sorter.done(task)
            return
        whole = self._whole.pop(task)
        self._parts[whole] -= 1
        if not self._parts[whole]:
            self._push([whole])

    def _push(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            rank = self._ranks.get(task, (-sys.maxsize, 0))
            heappush(self._ready, (*rank, next(self._count), task))


def in_order(
    jobs: int,
    work: Callable[[Item], Result],
    items: Iterable[Item],
    pool: Callable[[int], ThreadPoolExecutor] = ThreadPoolExecutor,
) -> Iterator[Result]:
    """Compute work(item) for independent items in parallel, and yield the results in the order of the items.

    If the caller stops early, because of an error or an interrupt, closing this generator waits until no item is being
    computed. Otherwise a thread might still write to files that the caller reads next. Numba's functions should be
    compiled before the call, because a thread that compiles delays an interrupt by seconds.

    Args:
        jobs: the number of threads or processes. For each of them, at most :data:`AHEAD` items have been submitted
            whose results are not yet yielded.
        work: the function that is applied to each item.
        items: the arguments of `work`, one for each result.
        pool: the class of the pool: threads of this process by default, or :class:`Processes`.
    """
    with _closing(pool(jobs)) as workers:
        waiting = iter(items)
        futures = deque(workers.submit(work, item) for item in islice(waiting, AHEAD * jobs))
        while futures:
            yield futures.popleft().result()
            futures.extend(workers.submit(work, item) for item in islice(waiting, 1))


def in_processes(
    jobs: int, work: Callable[[Item], Result], items: Iterable[Item]
) -> Iterator[Result]:
    """Compute work(item) in `jobs` processes, and yield the results in the order of the items.

    If `jobs` is 1, no process is started: each result is computed when it is requested.

    Args:
        jobs: the number of processes.
        work: the function that is applied to each item; :class:`Processes` says which functions can be used.
        items: the arguments of `work`, one for each result.
    """
    return map(work, items) if jobs == 1 else in_order(jobs, work, items, Processes)


def follow(
    order: Order[Task],
    jobs: int,
    work: Callable[[Task], Sequence[Task]],
    small: Callable[[Task], bool],
) -> None:
    """Do every task of a queue: small tasks in this process, the others in worker processes.

    Args:
        order: the queue of tasks.
        jobs: the number of worker processes.
        work: a function that does a task and stores the results where all workers can read them. The function returns
            an empty sequence if the task is done. If it divides the task instead, it returns the parts; when these are
            done, `work` is called for the task again.
        small: a function that returns True if a task is too short to be sent to another process.

    Raises:
        ChildProcessError: if a process is killed, for example because memory runs out.
        Exception: any exception that `work` raises, once the tasks under way have ended. An interrupt kills the
            processes instead of waiting for them.
    """
    with _closing(Processes(jobs)) as pool:
        under_way: dict[Future[Sequence[Task]], Task] = {}
        while order:
            for task in order.ready():
                if small(task):
                    order.done(task, work(task))
                    continue
                under_way[pool.submit(work, task)] = task
                # The pool does tasks in the order in which they are submitted. So let at most one submitted task
                # wait for a worker. Then a more urgent task that becomes ready need not wait long.
                if len(under_way) > jobs:
                    break
            finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in finished:
                order.done(under_way.pop(future), future.result())


@contextmanager
def _closing(pool: ThreadPoolExecutor) -> Iterator[ThreadPoolExecutor]:
    """Shut a pool down at the end of a ``with`` block; after an error, discard work that has not begun."""
    with pool:
        try:
            yield pool
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            # A GeneratorExit is raised if the generator that uses the ``with`` block is closed early.
            at_once = KeyboardInterrupt, GeneratorExit, ChildProcessError
            if isinstance(pool, Processes) and isinstance(error, at_once):
                pool.kill()
            raise


class Processes(ThreadPoolExecutor):
    """A pool of worker processes on this machine, with the interface of Python's thread pool.

    Each thread of the pool sends work to a worker process of its own, and waits for the results. The function, its
    arguments and its result must be picklable; a process imports the module of a function. A worker process starts
    when there is work for it, and is replaced if it is killed. The worker processes end when the pool is shut down, and
    when the process that made the pool ends or is killed.

    Args:
        jobs: the number of threads, and the greatest number of worker processes at one time.
    """

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self._processes: list[Process] = []
        self._own = local()  # its attribute `process` is the process of the current thread
        self._killed = False

    def submit(
        self, work: Callable[..., Result], /, *arguments: object, **options: object
    ) -> "Future[Result]":
        """Submit work(*arguments, **options) and return its future.

        The future raises a ChildProcessError if the process that does the work is killed.
        """
        return super().submit(self._elsewhere, partial(work, *arguments, **options))

    def _elsewhere(self, work: Callable[[], Result]) -> Result:
        process: Process | None = getattr(self._own, "process", None)
        if process is None or process.poll() is not None:
            process = self._own.process = Process()
            self._processes.append(process)
            if self._killed:  # `kill` may have run just before this process was in the list
                process.kill()
        return process.do(work)

    def kill(self) -> None:
        """Kill all worker processes at once."""
        self._killed = True
        for process in self._processes:
            process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more work, and let the worker processes end.

        Args:
            wait: True to wait until the work is done and the processes have ended.
            cancel_futures: True to discard work that has not begun.
        """
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            for process in self._processes:
                process.close()


class Process(subprocess.Popen[bytes]):
    """A worker process with its own Python interpreter."""

    def __init__(self) -> None:
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve()"
        # Ctrl-C must not reach the worker. Therefore the worker has its own process group on POSIX, and does not
        # share the console of this process on Windows.
        super().__init__(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def do(self, work: Callable[[], Result]) -> Result:
        """Return work(), computed in this worker process.

        Raises:
            ChildProcessError: if the process is killed.
            Exception: any exception that `work` raises, or an error in pickling `work` or the result.
        """
        # Pickle the message to bytes first: if that fails, nothing has been sent. The bytes are then pickled again,
        # so that the worker always receives bytes, and can report an error in unpickling their content.
        message = pickle.dumps(work)
        to, back = cast(BinaryIO, self.stdin), cast(BinaryIO, self.stdout)
        try:
            pickle.dump(message, to)
            to.flush()
            answer = pickle.load(back)  # noqa: S301  # written by `serve`
        except (OSError, EOFError, pickle.UnpicklingError):
            self.kill()
            self.close()
            raise ChildProcessError(
                "a worker process was killed, perhaps short of memory"
            ) from None
        result, error = pickle.loads(answer)  # noqa: S301  # written by `serve`
        if error is not None:
            raise error
        return cast(Result, result)

    def close(self) -> None:
        """Close the pipes to the process, which then ends, and wait for its end."""
        with suppress(OSError), self:
            pass


def serve() -> None:
    """Do, in a worker process, the work that arrives on standard input, until standard input is closed."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Messages and answers use the duplicates made above, and the null device replaces both standard streams. Otherwise
    # the output of a task would get between the answers. On Windows a library that inspects standard input when it is
    # imported would also block while the thread of `receive` reads from standard input.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    messages: SimpleQueue[bytes] = SimpleQueue()

    def receive() -> None:
        with suppress(EOFError, pickle.UnpicklingError):
            while True:
                messages.put(pickle.load(questions))  # noqa: S301  # written by `Process`
        # The parent has closed the pipe, or died.
        os._exit(0)

    Thread(target=receive, daemon=True).start()
    while True:
        try:
            work = pickle.loads(messages.get())  # noqa: S301  # written by `Process`
            answer = pickle.dumps((work(), None))
        except Exception as error:  # noqa: BLE001  # the error is sent to the parent, which raises it
            error.add_note(traceback.format_exc())
            answer = pickle.dumps((None, error))
        pickle.dump(answer, answers)
        answers.flush()
