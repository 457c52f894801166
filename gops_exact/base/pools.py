"""Executors of tasks: in this process, on its threads, in other processes.

:mod:`~gops_exact.solvers.cluster` has a further executor, on a cluster.

FLINT holds Python's global lock while it multiplies, with eight cards a side for minutes. Threads would wait
for each other, so exact numbers are computed in processes. Each process is a new Python interpreter, started
in the same way on every system. It is not forked, and it does not run the user's script.

The pools of other libraries do not suffice here. The pools of Python and of loky cannot start a process from
a *daemon* process. A worker of Dask is a daemon, and a task in it may ask for first moves. Loky's workers
survive when their parent is killed. If psutil is installed, loky also replaces each worker whose memory has
grown by 300 MB, and a cache of slabs grows that much.
"""

import os
import pickle
import subprocess
import sys
import traceback
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from heapq import heappop, heappush
from itertools import count, islice
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Generic, TypeVar, cast

from gops_exact.base.progress import Progress

Task = TypeVar("Task", bound=Hashable)
Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 6
"""Items per worker that :meth:`Threads.map` submits before it yields the first result."""


class Order(Generic[Task]):
    """Tasks of a dependency graph, in an order in which every task comes after those that it waits for.

    A worker may divide a task into parts instead of doing it. The parts wait for no other task, and half of
    the task's weight becomes theirs. When all parts are done, the task is ready again. Parts come after all
    undivided tasks, and parts of the task with most parts come first. So the shortest work comes last, and
    few workers are idle at the end.

    Args:
        graph: {task: the tasks that it waits for}.
        progress: called as progress(done, total), both weights of tasks; None for no report.
        weight: function that returns the work of a task; None counts 1 for each task.
    """

    def __init__(
        self,
        graph: Mapping[Task, Iterable[Task]],
        progress: Progress | None = None,
        weight: Callable[[Task], int] | None = None,
    ) -> None:
        self._left: dict[Task, int] = {}  # {task not done: number of tasks that it waits for}
        # {task: the tasks that wait for it}
        self._later: defaultdict[Task, list[Task]] = defaultdict(list)
        self._ready: list[tuple[int, int, int, Task]] = []
        self._count = count()
        self._ranks: dict[Task, tuple[int, int]] = {}
        self._progress = progress
        self._weights = {task: 1 if weight is None else weight(task) for task in graph}
        self._done, self._total = 0, sum(self._weights.values())
        for task, earlier in graph.items():
            self._add(task, earlier)
        if progress is not None:
            progress(0 if graph else 1, self._total if graph else 1)

    def __bool__(self) -> bool:
        return bool(self._left)

    def ready(self) -> Iterator[Task]:
        """Yield the tasks that wait for no other task and have not been yielded since they became ready."""
        while self._ready:
            yield heappop(self._ready)[-1]

    def done(self, task: Task, further: Sequence[Task]) -> None:
        """Record that a task is done; if `further` is not empty, the task waits for these parts instead."""
        if further:
            share = self._weights[task] // (2 * len(further))
            self._weights[task] -= share * len(further)
            self._weights |= dict.fromkeys(further, share)
            self._ranks |= dict.fromkeys((task, *further), (-len(further), next(self._count)))
            for part in further:
                self._add(part, ())
            self._add(task, further)
            return
        self._done += self._weights[task]
        if self._progress is not None:
            self._progress(self._done, self._total)
        del self._left[task]
        for later in self._later.pop(task, ()):
            self._left[later] -= 1
            self._push(later)

    def _add(self, task: Task, earlier: Iterable[Task]) -> None:
        """Add a task that waits for the tasks `earlier`, which may contain duplicates."""
        waits_for = set(earlier)
        self._left[task] = len(waits_for)
        for other in waits_for:
            self._later[other].append(task)
        self._push(task)

    def _push(self, task: Task) -> None:
        """Queue a task that waits for no other: after undivided tasks if it was divided, or is a part."""
        if not self._left[task]:
            rank = self._ranks.get(task, (-sys.maxsize, 0))
            heappush(self._ready, (*rank, next(self._count), task))


class Executor:
    """Executor that does independent work in this process."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Return an iterator over the results, in the order of the items; each is computed when requested."""
        return map(work, items)


class Threads(Executor):
    """Executor on threads of this process.

    If the code that takes the results raises or is interrupted, the executor first waits for the work under
    way, since this work may write into files that are read next. Kernels should be compiled before the
    threads start: a thread that compiles would delay an interrupt by seconds.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def follow(
        self,
        order: Order[Task],
        work: Callable[[Task], Sequence[Task]],
        small: Callable[[Task], bool] | None = None,
    ) -> None:
        """Do every task of an order; small tasks run in the calling thread.

        Args:
            order: the tasks.
            work: function that does a task and stores the results where all workers can read them. It
                returns an empty sequence when the task is done. Otherwise it returns the tasks that must
                be done before `work` is called for this task again.
            small: function that returns True for a task too short to be sent to a worker; None sends all.

        Raises:
            ChildProcessError: if a worker was killed, for example because memory ran out.
            Exception: any that `work` raises, after the tasks under way have ended. An interrupt kills
                tasks in other processes instead of waiting for them.
        """
        with self._submitting(work) as submit:
            under_way: dict[Future[Sequence[Task]], Task] = {}
            while order:
                for task in order.ready():
                    if small is not None and small(task):
                        order.done(task, work(task))
                        continue
                    under_way[submit(task)] = task
                    # The pool does tasks in the order in which they are submitted. At most one submitted task
                    # waits for a worker, so that a more urgent task that becomes ready need not wait long.
                    if len(under_way) > self.jobs:
                        break
                finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in finished:
                    order.done(under_way.pop(future), future.result())

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the results of independent work, in the order of the items.

        At most :data:`AHEAD` items per worker are under way, or done but not yet yielded.
        """
        with self._submitting(work) as submit:
            waiting = iter(items)
            futures = deque(map(submit, islice(waiting, AHEAD * self.jobs)))
            while futures:
                yield futures.popleft().result()
                futures.extend(map(submit, islice(waiting, 1)))

    @contextmanager
    def _submitting(
        self, work: Callable[[Item], Result]
    ) -> Iterator[Callable[[Item], "Future[Result]"]]:
        """Start threads that last for a block; yield the function that submits an item to them."""
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                yield lambda item: pool.submit(work, item)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


class Processes(Threads):
    """Executor in processes of this machine; for each process, a thread of this one waits for its results.

    Work is sent pickled. It must be a function of this package, or a method of an object that can be
    pickled. The processes end when all work is done, and also when this process ends, even if it is killed.
    """

    @contextmanager
    def _submitting(
        self, work: Callable[[Item], Result]
    ) -> Iterator[Callable[[Item], "Future[Result]"]]:
        processes: list[Process] = []
        idle: SimpleQueue[Process] = SimpleQueue()

        def elsewhere(item: Item) -> Result:
            process = idle.get()
            try:
                return process.do(work, item)
            finally:
                idle.put(process)

        try:
            for _ in range(self.jobs):
                processes.append(Process())
                idle.put(processes[-1])
            with super()._submitting(elsewhere) as submit:
                try:
                    yield submit
                except (KeyboardInterrupt, GeneratorExit, ChildProcessError):
                    for process in processes:
                        process.kill()
                    raise
        finally:
            for process in processes:
                process.close()


def executor(jobs: int) -> Executor:
    """Return an executor in `jobs` processes, or in this process if `jobs` is 1."""
    return Executor() if jobs == 1 else Processes(jobs)


class Process:
    """Worker process with its own Python interpreter."""

    def __init__(self) -> None:
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve()"
        # Ctrl-C must not reach the worker. On POSIX the worker therefore has its own process group, on
        # Windows it does not share the console of this process.
        self._popen = subprocess.Popen(  # noqa: S603  # runs `serve` below
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def do(self, work: Callable[..., Result], *arguments: object) -> Result:
        """Return work(*arguments), computed in the process.

        Raises:
            ChildProcessError: if the process was killed.
            Exception: any that `work` raises.
        """
        # The message is pickled before it is sent, as bytes. So an error in pickling sends nothing, and the
        # worker can report an error in unpickling.
        message = pickle.dumps((work, arguments))
        to, back = cast(BinaryIO, self._popen.stdin), cast(BinaryIO, self._popen.stdout)
        try:
            pickle.dump(message, to)
            to.flush()
            answer = pickle.load(back)  # noqa: S301  # written by `serve`
        except (OSError, EOFError, pickle.UnpicklingError):
            self.kill()
            raise ChildProcessError(
                "a worker process was killed, perhaps short of memory"
            ) from None
        result, error = pickle.loads(answer)  # noqa: S301  # written by `serve`
        if error is not None:
            raise error
        return cast(Result, result)

    def kill(self) -> None:
        """Kill the process at once; a call of :meth:`do` under way then raises a ChildProcessError."""
        self._popen.kill()

    def close(self) -> None:
        """Close the pipes to the process, which then ends, and wait for its end."""
        with suppress(OSError), self._popen:
            pass


def serve() -> None:
    """Do the work that arrives on standard input, until standard input is closed."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Both streams are replaced by the null device. Standard output carries the answers, so the output of a
    # task must not go there. On Windows a library that inspects standard input on import would block while
    # the thread of `receive` reads from it.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    messages: SimpleQueue[bytes] = SimpleQueue()

    def receive() -> None:
        """Queue the messages that arrive; end this process when the parent closes the pipe or dies."""
        with suppress(EOFError, pickle.UnpicklingError):
            while True:
                messages.put(pickle.load(questions))  # noqa: S301  # written by `Process`
        os._exit(0)

    Thread(target=receive, daemon=True).start()
    while True:
        try:
            work, arguments = pickle.loads(messages.get())  # noqa: S301  # written by `Process`
            answer = pickle.dumps((work(*arguments), None))
        except Exception as error:  # noqa: BLE001  # the error is sent to the parent, which raises it
            error.add_note(traceback.format_exc())
            answer = pickle.dumps((None, error))
        pickle.dump(answer, answers)
        answers.flush()
