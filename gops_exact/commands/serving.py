"""Answers of the server, and the processes that solve positions for them.

The *layers* of a game are the float values of all its positions, one layer for each number of cards a side. They are in
memory, or in the files of the folder that the option ``--folder`` names. The *niceness* of a process says how readily
it yields the processor to others.

A question that takes long must not delay the answers that take only a moment. Therefore three processes answer
questions:

* this process, if the values that a position needs are in memory or in this folder;
* a first worker process, if a position can be solved in a moment;
* a second worker process for all other positions.

The memory and the time of the worker processes are limited. A process answers one question at a time. If a
question would have to wait long for its turn, the client is told to ask again.
"""

import asyncio
import os
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from math import inf
from pathlib import Path

from gops_exact.base.machine import available_cores, limit_memory
from gops_exact.base.pools import Processes
from gops_exact.base.progress import span
from gops_exact.game.game import Position
from gops_exact.show.tablebase import EXACT_CARDS, Kind, answer
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.cost import Estimate, estimate_cost, size
from gops_exact.solvers.floats.by_layers import ByLayers
from gops_exact.solvers.floats.kernels import always_compile

MOST_CARDS = 13

ANSWERS = 1 << 8
"""Greatest number of answers that the server process caches. An answer with thirteen cards takes up to 100 kB."""

TURN_SECONDS = 1.0
"""Seconds that a question waits while its process answers other questions. After that a TimeoutError is raised."""

GRACE_SECONDS = 5.0
"""Seconds that a worker process may still take for an answer after the client has left. Then the process is killed. It
is not killed at once, because a new process takes seconds to start."""

NICE = 10
"""Niceness of the second worker process, which does long work. It makes the process yield the processor to the server
and the first worker process."""

MOMENT, MOMENT_SHARE = 0.2, 0.2
"""Limits of the first worker process, which does no long work. MOMENT is the greatest estimated processor time of a
position, in seconds. MOMENT_SHARE is the fraction of the memory for both worker processes that this one may use."""

OWN_MEGABYTES = 500
"""Megabytes of memory that the server and its two worker processes take before they solve anything, as measured."""


@lru_cache(1)
def prepared(folder: Path | None, nbytes: int, nice: int) -> ByLayers:
    """Prepare this process, a worker, for questions, and return its solver.

    All modules and compiled functions are loaded, and then the memory is limited. The solver solves every position
    without an estimate of its cost, because the server has checked the cost.

    Args:
        folder: the folder with float values of whole games; None if there is none.
        nbytes: the number of bytes of memory that the process may take from now on.
        nice: the increment of the process's niceness.
    """
    # File descriptor 2, stderr, is replaced by the null device, because libraries print messages to it when memory
    # runs out.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if hasattr(os, "nice"):
        os.nice(nice)
    always_compile()
    solver = ByLayers(Float(folder), force=True)
    answer("position", Position.start(EXACT_CARDS + 1), solver)
    limit_memory(nbytes)
    return solver


def answer_in_process(limits: tuple[Path | None, int, int], kind: Kind, position: Position) -> str:
    """Return the answer in JSON to a question about a position. This function runs in a worker process.

    Args:
        limits: the arguments of :func:`prepared`.
        kind: the kind of question, one of :data:`~gops_exact.show.tablebase.KINDS`.
        position: the position.
    """
    return answer(kind, position, prepared(*limits))


async def in_turn(work: Future[str]) -> str:
    """Wait for `work`, which runs in a thread, and return its result. If the caller is cancelled, the result is lost.

    Raises:
        TimeoutError: if the work does not begin within :data:`TURN_SECONDS`.
    """
    answer = asyncio.wrap_future(work)
    try:
        await asyncio.wait([answer], timeout=TURN_SECONDS)
        if work.cancel():  # false if the work has begun
            raise TimeoutError("others are at work: ask again")
        return await answer
    finally:
        answer.cancel()


class Worker:
    """A process that answers one question after the other.

    The process starts with the first question. If it dies, or is killed because a question takes too much time, a new
    process answers the next question. A question that takes too much memory is refused, and the process goes on.

    Args:
        folder: the folder with float values of whole games; None if there is none.
        nbytes: the greatest number of bytes of memory that a position may take.
        seconds: the greatest number of seconds that a position may take.
        nice: the increment of the process's niceness.
    """

    def __init__(self, folder: Path | None, nbytes: int, seconds: float, nice: int = 0) -> None:
        self.nbytes, self.seconds = nbytes, seconds
        self._limits = folder, nbytes, nice
        self._pool = Processes(1)

    def may_take(self, estimate: Estimate) -> bool:
        """Return True if a position whose estimated cost is `estimate` is within the limits of time and memory."""
        seconds = estimate.seconds / available_cores()
        return seconds <= self.seconds and estimate.memory + estimate.tables <= self.nbytes

    def refusal(self, needs: object) -> ValueError:
        """Return the error for a position beyond the limits of time and memory.

        Args:
            needs: text for the end of the message, which says what the position would take, such as "more time".
        """
        allowed = f"{self.seconds} s and {size(self.nbytes)} of memory"
        return ValueError(f"a position must take at most {allowed}, got {needs}")

    async def answer(self, kind: Kind, position: Position) -> str:
        """Return the answer in JSON to a question about a position, computed in the worker process.

        If the caller is cancelled and the work goes on for :data:`GRACE_SECONDS` more, the process is killed.

        Raises:
            TimeoutError: if the worker process is busy with other questions.
            ValueError: if the position takes too much time or memory.
        """
        loop, end = asyncio.get_running_loop(), inf
        try:
            # The time limit does not include the time in which a new process loads modules and kernels. So a question
            # whose answer takes no time comes first.
            first = Position.start(1)
            await in_turn(self._pool.submit(answer_in_process, self._limits, kind, first))
            work = self._pool.submit(answer_in_process, self._limits, kind, position)
            end = loop.time() + self.seconds
            limit = loop.call_at(end, self._kill, work)
            try:
                return await in_turn(work)
            except asyncio.CancelledError:
                loop.call_later(GRACE_SECONDS, self._kill, work)
                raise
            finally:
                limit.cancel()
        # A RuntimeError is raised if a thread cannot be started. The probable cause is a lack of memory.
        except (ChildProcessError, MemoryError, RuntimeError):
            raise self.refusal("more time" if loop.time() >= end else "more memory") from None

    def _kill(self, work: Future[str]) -> None:
        if work.running():
            self._pool.kill()
            self._pool = Processes(1)


class Answers:
    """Answers to questions about positions, and the two worker processes that compute some of them.

    Args:
        solver: the solver of this process, with the values of a game in memory or in a folder.
        folder: the folder with float values of whole games; None if there is none.
        nbytes: the bytes of memory that both worker processes together may take for positions.
        seconds: the greatest number of seconds that a worker process may take for a position.
    """

    def __init__(self, solver: ByLayers, folder: Path | None, nbytes: int, seconds: float) -> None:
        self._solver = solver
        self._thread = ThreadPoolExecutor(1)
        self._known = lru_cache(ANSWERS)(partial(answer, floats=solver))
        few = int(MOMENT_SHARE * nbytes)
        self._quick = Worker(folder, few, seconds)
        self._long = Worker(folder, nbytes - few, seconds, NICE)

    async def answer(self, kind: Kind, position: Position) -> str:
        """Return the answer in JSON to a question about a position.

        Args:
            kind: the kind of question, one of :data:`~gops_exact.show.tablebase.KINDS`.
            position: the position.

        Raises:
            TimeoutError: if the process that has to answer is busy with other questions.
            ValueError: if the position takes more time or memory than is allowed.
        """
        # Larger positions are refused without an estimate of their cost, because even the estimate would take long.
        if not 1 <= position.size <= MOST_CARDS:
            raise ValueError(f"expected 1 to {MOST_CARDS} cards a side, got {position.size}")
        if not self._solver.has_open(position):
            worker = await asyncio.to_thread(self._worker, kind, position)
            if worker is not None:
                return await worker.answer(kind, position)
        return await in_turn(self._thread.submit(self._known, kind, position))

    def cost(self, position: Position) -> dict[str, object]:
        """Estimate the time and memory that solving a position takes on this machine, as the explorer page shows them.

        Returns:
            {"takes": the time and memory as text, "held": True if they are within the limits}. The result is {} if the
            position takes only a moment.
        """
        estimate = estimate_cost(position, Float())
        if estimate.seconds <= MOMENT:
            return {}
        seconds, memory = estimate.seconds / available_cores(), estimate.memory + estimate.tables
        takes = f"{span(seconds)}, {size(memory)}"
        return {"takes": takes, "held": self._long.may_take(estimate)}

    def _worker(self, kind: Kind, position: Position) -> Worker | None:
        """Return the worker process that is to answer a question about a position; None if this process can answer it.

        Raises:
            ValueError: if the position takes more time or memory than is allowed.
        """
        if kind == "position" and position.size <= EXACT_CARDS:
            return self._quick
        if self._solver.has(position):
            return None
        estimate = estimate_cost(position, Float())
        if estimate.seconds <= MOMENT and self._quick.may_take(estimate):
            return self._quick
        if self._long.may_take(estimate):
            return self._long
        raise self._long.refusal(estimate)
