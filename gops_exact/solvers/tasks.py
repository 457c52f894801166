"""The tasks that the openings of a whole game are made of, and one process's part in them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic

from gops_exact.game.order_types import order_types
from gops_exact.game.position import Node, Turn, turns
from gops_exact.game.rules import Rules, Upcard
from gops_exact.lattice.sweep import Arithmetic, Probability, Slab
from gops_exact.store import Shelf
from gops_exact.store.location import StoreLocation
from gops_exact.store.shelf import Store


@dataclass(frozen=True)
class Single:
    """One value of a slab, named by its node and the place of its pair of hands."""

    node: Node
    place: int


SMALL_CARDS = 3
"""Cards a side of a small slab, which has 32 pairs of hands at most: 6 ms in exact numbers."""

Task = Node | Single | Upcard
"""A slab, named by its node, one value of it, or an opening, named by its upcard."""


@dataclass(frozen=True)
class Job(Generic[Slab, Probability]):
    """The data that every process needs to take part in solving a game."""

    n: int
    """Cards a side."""
    rules: Rules
    arithmetic: Arithmetic[Slab, Probability]
    memory_bytes: int
    """Memory for the slabs that a process keeps."""
    divided: bool
    """Let the values that a first move lacks be tasks, which takes longer in one process."""
    location: StoreLocation
    """The store, which processes of one machine share."""


class Worker(Generic[Slab, Probability]):
    """The part of one process in solving the game of n cards: it does tasks and keeps the results.

    In another process of this machine, to which it is sent, it stands over the same store.
    """

    def __init__(self, job: Job[Slab, Probability], store: Store | None) -> None:
        self.job, self.n, self.rules, self.arithmetic = job, job.n, job.rules, job.arithmetic
        self.prizes, _ = self.rules.deal(self.n)
        self.turns = {turn.upcard: turn for turn in turns(self.rules, Node(self.prizes))}
        self.types = order_types(self.prizes, self.prizes, equal=self.rules.winning)
        self.shelf = Shelf(self.types, self.rules, self.arithmetic, store, job.memory_bytes)
        self._below: tuple[Upcard, dict[Node, Slab]] | None = None

    def __reduce__(self) -> tuple[Callable[..., object], tuple[Job[Slab, Probability]]]:
        return _elsewhere, (self.job,)

    def do(self, task: Task) -> list[Task]:
        """Compute a slab, a value or an opening and keep it; return the values that an opening lacks."""
        if isinstance(task, Node):
            self.shelf.fill(task)
            return []
        if isinstance(task, Single):
            layer = self.types.layers[len(task.node.prizes)].part(slice(task.place, task.place + 1))
            value = self.arithmetic.slab(layer, turns(self.rules, task.node), self.shelf)
            self.shelf.singles(task.node)[task.place] = value
            return []
        turn = self.turns[task]
        if self._below is None or self._below[0] != task:
            self._below = task, {node: self.below(node) for node in turn.nodes}
        below = self._below[1]
        if self.job.divided:
            lacking = self.arithmetic.lacking(self.types.root, turn, below)
            if lacking:
                return [Single(node, place) for node, place in lacking]
        opening = self.arithmetic.opening(self.types.root, turn, below)
        self.shelf.keep_opening(self.prizes, task, opening)
        self._below = None
        return []

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
            return [node for node in self._nodes(games) if visit(node)]

        for upcard in upcards:
            if self.shelf.opening(self.prizes, upcard) is None:
                previewed = [node for node in self.turns[upcard].nodes if node not in self.shelf]
                missing[upcard] = needs(t for node in previewed for t in turns(self.rules, node))
        return missing

    def weight(self, task: Task) -> int:
        """Estimate the work of a task; an opening asks for many values of the layer below."""
        size, below = (len(task.prizes), 0) if isinstance(task, Node) else (self.n, 1)
        return self.arithmetic.weight(len(self.types.layers[size - below]), size, self.rules)

    def kind(self, task: Task) -> str:
        """Name the kind of a task; tasks of a kind take about as long as each other."""
        if isinstance(task, Single):
            return f"value{len(task.node.prizes)}"
        if isinstance(task, Node):
            return f"slab{len(task.prizes)}"
        return "opening"

    def is_small(self, task: Task) -> bool:
        """Test whether a task takes less time than sending it elsewhere."""
        return isinstance(task, Node) and len(task.prizes) <= SMALL_CARDS

    def reads(self, task: Task) -> Sequence[Node | Single]:
        """List what of the store a task reads: slabs, and values known singly."""
        if isinstance(task, Node):
            return self._nodes(turns(self.rules, task))
        if isinstance(task, Single):
            return self._nodes(turns(self.rules, task.node))
        found: dict[Node | Single, None] = {}
        for node in self.turns[task].nodes:
            if node in self.shelf:
                found[node] = None
                continue
            known = self.shelf.singles(node)
            found |= dict.fromkeys(self._nodes(turns(self.rules, node)))
            places = range(len(self.types.layers[len(node.prizes)]))
            found |= dict.fromkeys(Single(node, place) for place in places if place in known)
        return list(found)

    def entries(self, unit: Node | Single) -> dict[str, bytes]:
        """Return the entries of the store, {key: payload}, that hold a slab or a single value."""
        if isinstance(unit, Node):
            return self.shelf.entries(unit)
        return self.shelf.entries(unit.node, unit.place)

    def keep(self, entries: Mapping[str, bytes]) -> None:
        """Write entries that another process has made."""
        if self.shelf.store is not None:
            for key, payload in entries.items():
                self.shelf.store.put(key, payload)

    @staticmethod
    def _nodes(games: Iterable[Turn]) -> list[Node]:
        """List the nodes that games look at, each once."""
        return list(dict.fromkeys(node for turn in games for node in turn.nodes))


@lru_cache(maxsize=1)
def _elsewhere(job: Job[Any, Any]) -> Worker[Any, Any]:
    """Return the part of another process of the machine, the same for every task."""
    return Worker(job, job.location.open())
