"""The answers of the server, and the processes that solve positions for them.

No question waits for the work of another. Positions whose values are there are answered in this process, in a
moment; all others in two processes of limited memory and time. One of these takes what is solved in a moment,
the other one the rest. Clients that would wait long for a turn are asked to come again.
"""

import asyncio
import json
import os
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from pathlib import Path
from threading import Timer

from gops_exact.base.machine import available_cores, limit_memory
from gops_exact.base.pools import Process
from gops_exact.commands.position import at_upcards
from gops_exact.game.game import Position
from gops_exact.show.explorer import position_document
from gops_exact.show.tablebase import EXACT_CARDS, Tablebase
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.cost import Estimate, estimate_cost, size
from gops_exact.solvers.floats.by_layers import ByLayers

MOST_CARDS = 13

KINDS = "position", "mainline"
"""Questions on a position beside "solve"."""

ANSWERS = 1 << 8
"""The most answers remembered, of those from values that are there: so equal questions cost once. An answer on
thirteen cards takes up to 100 kB."""

TURN_SECONDS = 1.0
"""Seconds that a question waits for its turn; then a TimeoutError is raised."""

GRACE_SECONDS = 5.0
"""How long work goes on for a client that has left: beginning a process anew takes seconds."""

NICE = 10
"""How far the process of long work stands back for those that answer in a moment."""

MOMENT, MOMENT_SHARE = 0.2, 0.2
"""Core seconds of a position that is solved in a moment; the share of the memory for those."""

OWN_MEGABYTES = 500
"""Megabytes that this process and the others take before they solve anything. Measured."""


def answer(kind: str, position: Position, floats: ByLayers) -> str:
    """Answer a question, "solve" or one of :data:`KINDS`, in JSON."""
    if kind == "solve":
        worth, turned = floats.value(position), at_upcards(position)
        solutions = [floats.solve(at) for at in turned]
        payoffs = [floats.payoff_matrix(at) for at in turned]
        document = position_document(position, Float.name, worth, solutions, payoffs)
        return json.dumps(document, allow_nan=False) + "\n"
    base = Tablebase(floats)
    document = base.position(position) if kind == "position" else base.main_line(position)
    return json.dumps(document, allow_nan=False, separators=(",", ":"))


@lru_cache(1)
def _floats(folder: Path | None) -> ByLayers:
    """Return the solver of a process that solves positions. Their costs were checked before."""
    return ByLayers(Float(folder), force=True)


def answer_apart(folder: Path | None, kind: str, position: Position) -> str:
    """Answer a question in a process that solves positions."""
    return answer(kind, position, _floats(folder))


def prepare_apart(folder: Path | None, nbytes: int, nice: int) -> None:
    """Load what positions need, then limit the memory of this process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # libraries write there when memory runs out
    if hasattr(os, "nice"):
        os.nice(nice)
    answer_apart(folder, "position", Position.start(EXACT_CARDS + 1))
    limit_memory(nbytes)


async def in_turn(work: Future[str]) -> str:
    """Return the result of work that was handed to a thread, and drop it if the caller is cancelled.

    Raises:
        TimeoutError: if it does not begin soon.
    """
    answer = asyncio.wrap_future(work)
    try:
        await asyncio.wait([answer], timeout=TURN_SECONDS)
        if work.cancel():  # false once it has begun
            raise TimeoutError
        return await answer
    finally:
        answer.cancel()


class Worker:
    """A process that answers one question after the other.

    It begins with the first one, and anew after one that took too much.

    Args:
        folder: layers of games.
        nbytes: memory that a position may take.
        seconds: time that it may take.
        nice: the niceness of the process, by which it stands back for others.
    """

    def __init__(self, folder: Path | None, nbytes: int, seconds: float, nice: int = 0) -> None:
        self.folder, self.nbytes, self.seconds, self.nice = folder, nbytes, seconds, nice
        self._thread = ThreadPoolExecutor(1)
        self._process: Process | None = None

    def may_take(self, estimate: Estimate) -> bool:
        """Tell whether a position is thought to be within the limits."""
        seconds = estimate.seconds / available_cores()
        return seconds <= self.seconds and estimate.memory + estimate.tables <= self.nbytes

    def refusal(self, needs: object) -> ValueError:
        """Return the error that a position takes more than it may."""
        allowed = f"{self.seconds} s and {size(self.nbytes)} of memory"
        return ValueError(f"a position must take at most {allowed}, got {needs}")

    async def answer(self, kind: str, position: Position) -> str:
        """Answer a question. If the caller is cancelled, the work ends after :data:`GRACE_SECONDS`.

        Raises:
            TimeoutError: if others are at work.
            ValueError: if it takes too much.
        """
        work = self._thread.submit(self._answer, kind, position)
        try:
            return await in_turn(work)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(GRACE_SECONDS, self._kill, work)
            raise

    def _answer(self, kind: str, position: Position) -> str:
        timer = Timer(self.seconds, self._kill)
        try:
            if self._process is None:
                self._process = Process()
                self._process.do(prepare_apart, self.folder, self.nbytes, self.nice)
            timer.start()
            return self._process.do(answer_apart, self.folder, kind, position)
        except (ChildProcessError, MemoryError, RuntimeError):  # the last one if no thread begins
            is_late = timer.finished.is_set()
            if self._process is not None:
                self._process.close()
            self._process = None
            raise self.refusal("more time" if is_late else "more memory") from None
        finally:
            timer.cancel()

    def _kill(self, work: Future[str] | None = None) -> None:
        """End the process, which the thread then replaces; if `work` is named, only while that is under way."""
        process = self._process
        if process is not None and (work is None or work.running()):
            process.kill()


class Answers:
    """The answers to questions on positions.

    Args:
        solver: has the values of a game, or a folder of them.
        folder: that folder.
        nbytes: memory for positions whose values are not there.
        seconds: time for each of them.
    """

    def __init__(self, solver: ByLayers, folder: Path | None, nbytes: int, seconds: float) -> None:
        self._solver = solver
        self._thread = ThreadPoolExecutor(1)
        self._known = lru_cache(ANSWERS)(partial(answer, floats=solver))
        few = int(MOMENT_SHARE * nbytes)
        self._quick = Worker(folder, few, seconds)
        self._long = Worker(folder, nbytes - few, seconds, NICE)

    async def answer(self, kind: str, position: Position) -> str:
        """Answer a question in JSON.

        Raises:
            TimeoutError: if others are at work.
            ValueError: if it takes more than is allowed.
        """
        if not self._solver.has_open(position):
            worker = await asyncio.to_thread(self._worker, kind, position)
            if worker is not None:
                return await worker.answer(kind, position)
        return await in_turn(self._thread.submit(self._known, kind, position))

    def _worker(self, kind: str, position: Position) -> Worker | None:
        """Return the process that is to solve a position; None if this one has its values in the folder.

        Raises:
            ValueError: if the position takes more than is allowed.
        """
        if kind in KINDS and position.size <= EXACT_CARDS:
            return self._quick
        if position.size > MOST_CARDS:  # even an estimate would take long
            raise ValueError(f"expected at most {MOST_CARDS} cards a side, got {position.size}")
        if self._solver.has(position):
            return None
        estimate = estimate_cost(position, Float())
        if estimate.seconds <= MOMENT and self._quick.may_take(estimate):
            return self._quick
        if self._long.may_take(estimate):
            return self._long
        raise self._long.refusal(estimate)
