"""Whole computations: the recursion, the schedule and the store put together.

In parallel the store is where tasks leave slabs for each other: a worker reads what its task needs
and writes what it made, and nothing else travels between processes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic

from gops_exact.cards import positive_integer
from gops_exact.order_types import order_types
from gops_exact.recursion.counts import counts
from gops_exact.recursion.lattice import Arithmetic, Node, Opening, Slab, Turn, turns
from gops_exact.recursion.schedule import Progress, available_cores, run
from gops_exact.rules import Rules, Upcard
from gops_exact.store import DiskStore, Shelf, default_path
from gops_exact.store.shelf import MEMORY_BYTES

MEMORY = ":memory:"
"""In place of a path: no file, nothing is kept."""

PARALLEL_FROM = 10_000
"""So many matrix games take longer than it takes to start the workers."""

Task = Node | Upcard
"""A slab, named by its node, or an opening, named by its upcard."""


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
        named = default_path() if store is None else store
        return cls(None if str(named) == MEMORY else Path(named), read_only)

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
        self.rules = rules
        self.prizes, _ = rules.deal(n)
        self.turns = {turn.upcard: turn for turn in turns(rules, Node(self.prizes))}
        self.types = order_types(self.prizes, self.prizes, equal=rules.winning)
        self.arithmetic = arithmetic
        self.store = place.open()
        self.shelf = Shelf(self.types, rules, arithmetic, self.store, memory_bytes)

    def do(self, task: Task) -> None:
        """Compute a slab or an opening and keep it."""
        if isinstance(task, Node):
            self.shelf.fill(task)
            return
        turn = self.turns[task]
        below = {node: self.below(node) for node in turn.nodes}
        opening = self.arithmetic.opening(self.types.root, turn, below)
        self.shelf.keep_opening(self.prizes, task, opening)

    def below(self, node: Node) -> Slab:
        """The slab an opening looks at: whole if it is known, else a preview of it."""
        if node in self.shelf:
            return self.shelf[node]
        layer, following = self.types.layers[len(node.prizes)], turns(self.rules, node)
        return self.arithmetic.preview(layer, following, self.shelf, self.shelf.singles(node))

    def graph(self, upcards: Iterable[Upcard]) -> dict[Task, list[Task]]:
        """What is missing for the openings at `upcards`, each with what it waits for."""
        missing: dict[Task, list[Task]] = {}

        def visit(node: Node) -> bool:
            """Add a slab and what it needs, unless known; whether it has to be waited for."""
            if node in missing:
                return True
            if node in self.shelf:
                return False
            missing[node] = []
            missing[node] = needs(turns(self.rules, node))
            return True

        def needs(games: Iterable[Turn]) -> list[Task]:
            return [node for node in _nodes(games) if visit(node)]

        for upcard in upcards:
            if self.shelf.opening(self.prizes, upcard) is None:
                previewed = [node for node in self.turns[upcard].nodes if node not in self.shelf]
                missing[upcard] = needs(t for node in previewed for t in turns(self.rules, node))
        return missing

    def weight(self, task: Task) -> int:
        """About how much work a task is: the games of a slab, and dearer with every card."""
        size = len(task.prizes) if isinstance(task, Node) else self.n
        layer = size if isinstance(task, Node) else max(size - 1, 0)
        games = (len(self.types.layers[layer]) + 1) * (1 if self.rules.hidden else size + 1)
        return games * int(self.arithmetic.dearer**size)

    def close(self) -> None:
        """Close the file."""
        if self.store is not None:
            self.store.close()


def _nodes(games: Iterable[Turn]) -> list[Node]:
    """The nodes that games look at, each once."""
    return list(dict.fromkeys(node for turn in games for node in turn.nodes))


def openings(
    n: int,
    upcards: Iterable[Upcard],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Opening],
    place: Place,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[Upcard, Opening]:
    """The optimal first moves of the game of n cards, {upcard: opening}.

    Args:
        n: cards a side.
        upcards: the upcards wanted, of those that the rules let come first.
        rules: the rules.
        arithmetic: the number system.
        place: where values are kept.
        jobs: processes; by default all cores from :data:`PARALLEL_FROM` games on. A read-only
            place leaves no way to pass slabs on, so there it is always one.
        progress: told of the work done, and of all there is.

    Raises:
        ValueError: if `jobs` is not a positive integer.
    """
    wanted = list(upcards)
    if jobs is None:
        jobs = available_cores() if counts(n, rules).games >= PARALLEL_FROM else 1
    jobs = positive_integer(jobs, "jobs")
    if place.read_only:
        jobs = 1
    if jobs > 1 and place.path is None:
        with TemporaryDirectory(prefix="gops_exact-") as folder:
            place = Place(Path(folder) / "store.sqlite")
            return openings(n, wanted, rules, arithmetic, place, jobs=jobs, progress=progress)
    start = partial(Worker, n, rules, arithmetic, place, MEMORY_BYTES // jobs)
    worker = start()
    try:
        graph = worker.graph(wanted)
        if jobs == 1 or len(graph) < jobs:
            run(graph, worker.do, progress=progress, weight=worker.weight)
        else:
            # SQLite's locks do not survive a fork, so no open file may be there to inherit.
            worker.close()
            setup = partial(_start, start)
            run(graph, _do, jobs=jobs, setup=setup, progress=progress, weight=worker.weight)
            worker = start()
        found = {upcard: worker.shelf.opening(worker.prizes, upcard) for upcard in wanted}
        return {upcard: opening for upcard, opening in found.items() if opening is not None}
    finally:
        worker.close()


_worker: Worker[Any, Any] | None = None
"""The worker of this process, in a process that is one."""


def _start(make: Callable[[], Worker[Any, Any]]) -> None:
    global _worker  # noqa: PLW0603  # a pool's initializer has no other way to hand on its result
    _worker = make()


def _do(task: Task) -> None:
    if _worker is None:
        raise RuntimeError("a task reached a process that is no worker")
    _worker.do(task)
