"""Whole computations: the recursion, the schedule and the store put together.

In parallel the store is where tasks leave slabs for each other: a worker reads what its task needs
and writes what it made, and nothing else travels between processes.
"""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic

from gops_exact.order_types import order_types
from gops_exact.recursion.lattice import Arithmetic, Opening, Prizes, Slab, draws
from gops_exact.recursion.schedule import Progress, run
from gops_exact.rules import Rules
from gops_exact.store import DiskStore, Shelf, default_path
from gops_exact.store.shelf import MEMORY_BYTES

MEMORY = ":memory:"
"""In place of a path: no file, nothing is kept."""

PARALLEL_FROM = 7
"""Games of fewer cards take less time than it takes to start the workers."""

Task = Prizes | int
"""A slab, named by its prize set, or an opening, named by its upcard."""


@dataclass(frozen=True)
class Place:
    """Where values are kept.

    Attributes:
        path: the store's file; None for memory alone.
        read_only: take values from the file, add none.
    """

    path: Path | None
    read_only: bool = False

    @classmethod
    def of(cls, store: str | Path | None, *, read_only: bool = False) -> "Place":
        """The place a user names: a path, ``":memory:"``, or None for the default file."""
        named = default_path() if store is None else Path(store)
        return cls(None if str(named) == MEMORY else named, read_only)

    def open(self) -> DiskStore | None:
        """The file, open, or None where there is none."""
        return None if self.path is None else DiskStore(self.path, read_only=self.read_only)


class Worker(Generic[Slab, Opening]):
    """One process's share in solving the game of n cards: does tasks, keeps the results."""

    def __init__(
        self,
        n: int,
        rules: Rules,
        arithmetic: Arithmetic[Slab, Opening],
        place: Place,
        memory_bytes: int,
    ) -> None:
        self.n = n
        self.deck = tuple(range(1, n + 1))
        self.types = order_types(self.deck, self.deck)
        self.arithmetic = arithmetic
        self.store = place.open()
        self.shelf = Shelf(self.types, rules, arithmetic, self.store, memory_bytes)

    def do(self, task: Task) -> None:
        """Compute a slab or an opening and keep it."""
        if isinstance(task, int):
            opening = self.arithmetic.opening(self.types.root, task, self.below(self.rest(task)))
            self.shelf.keep_opening(self.n, task, opening)
        else:
            self.shelf.fill(task)

    def below(self, prizes: Prizes) -> Slab:
        """The slab an opening looks at: whole if it is known, else a preview of it."""
        if prizes in self.shelf:
            return self.shelf[prizes]
        layer = self.types.layers[len(prizes)]
        return self.arithmetic.preview(layer, prizes, self.shelf, self.shelf.singles(prizes))

    def rest(self, upcard: int) -> Prizes:
        """The prizes left after the first upcard."""
        return tuple(prize for prize in self.deck if prize != upcard)

    def graph(self, upcards: Iterable[int]) -> dict[Task, list[Task]]:
        """What is missing for the openings at `upcards`, each with what it waits for."""
        missing: dict[Task, list[Task]] = {}

        def visit(prizes: Prizes) -> bool:
            """Add a slab and what it needs, unless known; whether it has to be waited for."""
            if prizes in missing:
                return True
            if prizes in self.shelf:
                return False
            missing[prizes] = []
            missing[prizes] = [draw.rest for draw in draws(prizes) if visit(draw.rest)]
            return True

        for upcard in upcards:
            if self.shelf.opening(self.n, upcard) is None:
                rest = self.rest(upcard)
                missing[upcard] = (
                    []
                    if rest in self.shelf
                    else [draw.rest for draw in draws(rest) if visit(draw.rest)]
                )
        return missing

    def weight(self, task: Task) -> int:
        """About how much work a task is: the games of a slab, and dearer with every card."""
        size = self.n if isinstance(task, int) else len(task)
        pairs = len(self.types.layers[max(size - isinstance(task, int), 0)])
        return (pairs + 1) * (size + 1) * int(self.arithmetic.dearer**size)

    def close(self) -> None:
        """Close the file."""
        if self.store is not None:
            self.store.close()


def openings(
    n: int,
    upcards: Iterable[int],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Opening],
    place: Place,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[int, Opening]:
    """The optimal first moves of the game of n cards, {upcard: opening}.

    Args:
        n: cards a side.
        upcards: the upcards wanted, each of 1 … n.
        rules: the rules.
        arithmetic: the number system.
        place: where values are kept.
        jobs: processes; by default all cores from :data:`PARALLEL_FROM` cards on. A read-only
            place leaves no way to pass slabs on, so there it is always one.
        progress: told of the work done, and of all there is.
    """
    wanted = list(upcards)
    if place.read_only:
        jobs = 1
    if jobs is None:
        jobs = available_cores() if n >= PARALLEL_FROM else 1
    if jobs > 1 and place.path is None:
        with TemporaryDirectory(prefix="gops_exact-") as folder:
            place = Place(Path(folder) / "store.sqlite")
            return openings(n, wanted, rules, arithmetic, place, jobs=jobs, progress=progress)
    start = partial(Worker, n, rules, arithmetic, place, MEMORY_BYTES // jobs)
    worker = start()
    try:
        graph = worker.graph(wanted)
        if jobs == 1 or len(graph) < jobs:
            run(graph, worker.do, progress=progress)
        else:
            # SQLite's locks do not survive a fork, so no open file may be there to inherit.
            worker.close()
            run(graph, _do, jobs=jobs, setup=partial(_start, start), progress=progress)
            worker = start()
        found = {upcard: worker.shelf.opening(n, upcard) for upcard in wanted}
        return {upcard: opening for upcard, opening in found.items() if opening is not None}
    finally:
        worker.close()


def available_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_worker: Worker[Any, Any] | None = None
"""The worker of this process, in a process that is one."""


def _start(make: Callable[[], Worker[Any, Any]]) -> None:
    global _worker  # noqa: PLW0603  # a pool's initializer has no other way to hand on its result
    _worker = make()


def _do(task: Task) -> None:
    if _worker is None:
        raise RuntimeError("a task reached a process that is no worker")
    _worker.do(task)
