"""Executors of tasks: in this process, on its threads, in other processes.

A cluster is one more, see :mod:`~gops_exact.solvers.cluster`. FLINT keeps Python's lock for as long as a
product takes, minutes with eight cards, so exact numbers take processes. Each is a Python of its own,
started in the same way on every system, that runs no line of the user's script. Nothing is forked.

Other libraries' pools lack something that is needed here. Those of Python and of loky start no process
from one that is itself a worker (a *daemon*), such as one of Dask, in which a task may ask for first moves.
Loky's workers outlive a process that is killed, and where psutil is installed loky replaces those that have
grown by 300 MB, as a cache of slabs does.
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
"""Items of :meth:`Threads.map` handed out per worker before a result is taken."""


class Order(Generic[Task]):
    """The tasks of a graph in an order in which they can be done.

    A task can turn out to wait for further tasks, its parts, which wait for nothing. It is ready again
    after them, and half of its weight is theirs. Divided tasks come after all others, those with most
    parts first: the shortest tasks are left to the end, where they keep few workers waiting.

    Args:
        graph: {task: the tasks that it waits for}.
        progress: called with the weight of the tasks done and of all tasks.
        weight: the work that a task takes, by default 1.
    """

    def __init__(
        self,
        graph: Mapping[Task, Iterable[Task]],
        progress: Progress | None = None,
        weight: Callable[[Task], int] | None = None,
    ) -> None:
        self._left: dict[Task, int] = {}  # of tasks that are not done: how many they wait for
        self._later: defaultdict[Task, list[Task]] = defaultdict(list)  # those that wait for a task
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
        """Yield the tasks that are ready and have not been yielded before."""
        while self._ready:
            yield heappop(self._ready)[-1]

    def done(self, task: Task, further: Sequence[Task]) -> None:
        """Record that a task is done, or that it waits for `further` ones if there are any."""
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
        """Let a task wait for earlier ones, of which some may be named twice."""
        waits_for = set(earlier)
        self._left[task] = len(waits_for)
        for other in waits_for:
            self._later[other].append(task)
        self._push(task)

    def _push(self, task: Task) -> None:
        """Add a task to the ready ones if it waits for none: undivided ones first, parts before their whole."""
        if not self._left[task]:
            rank = self._ranks.get(task, (-sys.maxsize, 0))
            heappush(self._ready, (*rank, next(self._count), task))


class Executor:
    """An executor that does independent work in this process."""

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Return the results of independent work, in the order of the items; each is computed when asked for."""
        return map(work, items)


class Threads(Executor):
    """An executor on threads of this process.

    If the code that takes the results raises, as when it is interrupted, the executor waits for the work
    under way, which may write into files that are read next. So no thread should have to compile a kernel,
    which takes long.
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
            work: does a task and leaves the results where all workers find them. It returns an empty
                sequence when the task is done. Otherwise it returns the tasks that must be done before
                it is called for this task again.
            small: tells which tasks are too short to be sent to a worker; None sends all.

        Raises:
            ChildProcessError: if a worker was killed, for example because memory ran out.
            Exception: any that `work` raises, after the tasks under way have ended. An interrupt does not
                wait for tasks in other processes: it ends them.
        """
        with self._submitting(work) as submit:
            under_way: dict[Future[Sequence[Task]], Task] = {}
            while order:
                for task in order.ready():
                    if small is not None and small(task):
                        order.done(task, work(task))
                        continue
                    under_way[submit(task)] = task
                    # Tasks that are handed out cannot be overtaken by others, so that only one is in reserve.
                    if len(under_way) > self.jobs:
                        break
                finished, _ = wait(under_way, return_when=FIRST_COMPLETED)
                for future in finished:
                    order.done(under_way.pop(future), future.result())

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield the results of independent work, in the order of the items.

        At most :data:`AHEAD` items per worker are under way or wait for an earlier result.
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
        """Keep threads for a block; yield the function that hands them an item."""
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                yield lambda item: pool.submit(work, item)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


class Processes(Threads):
    """An executor in processes of this machine, with a thread for each process that waits for its results.

    Work is sent pickled, so it is a function of this package or a method of an object that can be
    pickled. A process ends with the work, or with this process however that ends.
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
    """Return an executor in `jobs` processes; for 1 it is this process."""
    return Executor() if jobs == 1 else Processes(jobs)


class Process:
    """A process with a Python interpreter that does work for this one."""

    def __init__(self) -> None:
        program = f"import sys; sys.path[:] = {sys.path!r}; from {__name__} import serve; serve()"
        # Ctrl-C reaches no process of another group nor, on Windows, one without this one's window.
        self._popen = subprocess.Popen(  # noqa: S603  # this package
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def do(self, work: Callable[..., Result], *arguments: object) -> Result:
        """Do a piece of work.

        Raises:
            ChildProcessError: if the process was killed.
            Exception: any that the work raises.
        """
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
        result, error = pickle.loads(answer)  # noqa: S301  # same
        if error is not None:
            raise error
        return cast(Result, result)

    def kill(self) -> None:
        """End the process at once; work under way raises a ChildProcessError."""
        self._popen.kill()

    def close(self) -> None:
        """Let the process end, and wait for that."""
        with suppress(OSError), self._popen:
            pass


def serve() -> None:
    """Do the work read from standard input until that ends."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    # Standard output carries the answers, so nothing that a task prints may go there. On Windows, a library
    # that inspects standard input on import would block while the thread below reads from it.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    messages: SimpleQueue[bytes] = SimpleQueue()

    def receive() -> None:
        """Read work ahead, and end this process when the other one closes the pipe or dies."""
        with suppress(EOFError, pickle.UnpicklingError):
            while True:
                messages.put(pickle.load(questions))  # noqa: S301  # written by `Process`
        os._exit(0)

    Thread(target=receive, daemon=True).start()
    while True:
        try:
            work, arguments = pickle.loads(messages.get())  # noqa: S301  # written by `Process`
            answer = pickle.dumps((work(*arguments), None))
        except Exception as error:  # noqa: BLE001  # the other process raises it
            error.add_note(traceback.format_exc())
            answer = pickle.dumps((None, error))
        pickle.dump(answer, answers)
        answers.flush()
