"""Openings of whole games: the recursion, in one process or in many, over the store.

Processes exchange slabs through the store alone: a worker reads the slabs that its task needs and
writes the slab or opening that it computed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic

from gops_exact.arguments import path
from gops_exact.game.order_types import counts, order_types
from gops_exact.game.position import Node, Turn, turns
from gops_exact.game.rules import Rules, Upcard
from gops_exact.lattice.sweep import Arithmetic, Opening, Probability, Slab
from gops_exact.schedule import Progress, available_cores, run
from gops_exact.store import DiskStore, Shelf, default_path
from gops_exact.store.shelf import MEMORY_BYTES

MEMORY = ":memory:"
"""In place of a path: no file is used."""

PARALLEL_FROM = 10_000
"""The number of matrix games from which solving takes longer than starting workers."""

Task = Node | Upcard
"""A slab, named by its node, or an opening, named by its upcard."""


@dataclass(frozen=True)
class Place:
    """The store of a computation.

    Attributes:
        path: the store's file; None for memory alone.
        read_only: take values from the file, add none.
    """

    path: Path | None
    read_only: bool = False

    @classmethod
    def of(cls, store: str | Path | None, *, read_only: bool = False) -> "Place":
        """Return the place a user names: a path, ``":memory:"``, or None for the default file.

        Raises:
            ValueError: if it is none of these.
        """
        named = default_path() if store is None else store
        file = path(named, "store")
        return cls(None if str(named) == MEMORY else file, read_only)

    def open(self) -> DiskStore | None:
        """Return the file, open, or None where there is none."""
        return None if self.path is None else DiskStore(self.path, read_only=self.read_only)


class Worker(Generic[Slab, Probability]):
    """The part of one process in solving the game of n cards: it does tasks and keeps the results."""

    def __init__(
        self,
        n: int,
        rules: Rules,
        arithmetic: Arithmetic[Slab, Probability],
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
        """Return the slab an opening looks at: whole if it is known, else a preview of it."""
        if node in self.shelf:
            return self.shelf[node]
        layer, following = self.types.layers[len(node.prizes)], turns(self.rules, node)
        return self.arithmetic.preview(layer, following, self.shelf, self.shelf.singles(node))

    def graph(self, upcards: Iterable[Upcard]) -> dict[Task, list[Task]]:
        """Return {task that the openings at `upcards` lack: tasks that it waits for}."""
        missing: dict[Task, list[Task]] = {}

        def visit(node: Node) -> bool:
            """Add a slab and the slabs it needs; False if it is known and need not be waited for."""
            if node in missing:
                return True
            if node in self.shelf:
                return False
            missing[node] = []
            missing[node] = needs(turns(self.rules, node))
            return True

        def needs(games: Iterable[Turn]) -> list[Task]:
            nodes = dict.fromkeys(node for turn in games for node in turn.nodes)
            return [node for node in nodes if visit(node)]

        for upcard in upcards:
            if self.shelf.opening(self.prizes, upcard) is None:
                previewed = [node for node in self.turns[upcard].nodes if node not in self.shelf]
                missing[upcard] = needs(t for node in previewed for t in turns(self.rules, node))
        return missing

    def weight(self, task: Task) -> int:
        """Estimate the work of a task; an opening asks for many values of the layer below."""
        size, below = (len(task.prizes), 0) if isinstance(task, Node) else (self.n, 1)
        return self.arithmetic.weight(len(self.types.layers[size - below]), size, self.rules)

    def close(self) -> None:
        """Close the file."""
        if self.store is not None:
            self.store.close()


def openings(
    n: int,
    upcards: Iterable[Upcard],
    rules: Rules,
    arithmetic: Arithmetic[Slab, Probability],
    place: Place,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> dict[Upcard, Opening[Probability]]:
    """Return the optimal first moves of the game of n cards, {upcard: opening}.

    Args:
        n: cards a side.
        upcards: the upcards wanted, of those that the rules let come first.
        rules: the rules.
        arithmetic: the number system.
        place: where values are kept.
        jobs: processes; by default all cores from :data:`PARALLEL_FROM` games on. A read-only
            place leaves no way to pass slabs on, so there it is always one.
        progress: called with the work done and all the work there is.
    """
    wanted = list(upcards)
    large = counts(n, rules).games >= PARALLEL_FROM
    if jobs is None:
        jobs = available_cores() if large else 1
    # An interrupt ends workers at once, but has to wait for a long product in this process.
    apart = (jobs > 1 or large) and not place.read_only
    if apart and place.path is None:
        with TemporaryDirectory(prefix="gops_exact-") as folder:
            place = Place(Path(folder) / "store.sqlite")
            return openings(n, wanted, rules, arithmetic, place, jobs=jobs, progress=progress)
    start = partial(Worker, n, rules, arithmetic, place, MEMORY_BYTES // jobs)
    worker = start()
    try:
        graph = worker.graph(wanted)
        if not apart or not graph or (len(graph) < jobs and not large):
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
"""The worker of this process; None outside worker processes."""


def _start(make: Callable[[], Worker[Any, Any]]) -> None:
    global _worker  # noqa: PLW0603  # a pool's initializer has no other way to hand on its result
    _worker = make()


def _do(task: Task) -> None:
    if _worker is None:
        raise RuntimeError("a task reached a process that is no worker")
    _worker.do(task)
