"""First moves of whole games: their tasks, done in this process, in others of the machine, or on a cluster.

Processes of one machine exchange slabs through the store alone: a worker reads the slabs that its
task needs and writes what it computed.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Generic

from gops_exact.game.game import Game, Node, Turn, turns
from gops_exact.game.rules import Upcard
from gops_exact.lattice.sweep import Slab, System, looked_at, missing
from gops_exact.lattice.values import MEMORY_BYTES, Store, Values
from gops_exact.matrix_game.play import N, Play
from gops_exact.pools import InProcess, Order, Processes, available_cores
from gops_exact.progress import Progress
from gops_exact.solvers.cluster import Cluster
from gops_exact.solvers.cluster_values import OnCluster
from gops_exact.store import StoreLocation

PARALLEL_FROM = 10_000
"""The number of matrix games from which solving takes longer than starting workers."""

SMALL_CARDS = 3
"""Cards a side of a small slab, which has 32 pairs of hands at most: 6 ms in exact numbers."""


@dataclass(frozen=True)
class Single:
    """One value of a slab, named by its node and the place of its pair of hands."""

    node: Node
    place: int


Unit = Node | Single
"""Values of the store: a slab, named by its node, or one value of it."""

Task = Unit | Upcard
"""Values to compute, or an opening, named by its upcard."""


@dataclass(frozen=True)
class Job(Generic[Slab, N]):
    """The data that every process needs to take part in solving a game."""

    game: Game
    system: System[Slab, N]
    memory_bytes: int  # memory for the slabs that a process keeps
    divided: bool  # the values that a first move lacks are tasks, which takes longer in one process
    location: StoreLocation  # the store, which processes of one machine share

    def worker(self, store: Store | None) -> "Worker[Slab, N]":
        """Return the part of this process, over an open store."""
        return Worker(self, store)


class Worker(Generic[Slab, N]):
    """The part of one process in solving a game: it does tasks and keeps the results.

    In another process of this machine, to which it is sent, it stands over the same store.
    """

    def __init__(self, job: Job[Slab, N], store: Store | None) -> None:
        self.job, self.game, self.system = job, job.game, job.system
        types, rules = job.game.types, job.game.rules
        self.values = Values(types, rules, job.system, store, job.memory_bytes)
        self._below: tuple[Upcard, dict[Node, Slab]] | None = None

    def __reduce__(self) -> tuple[Callable[..., object], tuple[Job[Slab, N]]]:
        return _elsewhere, (self.job,)

    def do(self, task: Task) -> list[Task]:
        """Compute a slab, a value or an opening and keep it; return the values that an opening lacks."""
        if isinstance(task, Node):
            self.values.fill(task)
            return []
        if isinstance(task, Single):
            layer = self.values.layer(task.node).part(slice(task.place, task.place + 1))
            value = self.system.slab(layer, turns(self.game.rules, task.node), self.values)
            self.values.singles(task.node)[task.place] = value
            return []
        turn, root = self.game.turns[task], self.game.types[-1]
        if self._below is None or self._below[0] != task:
            self._below = task, {node: self.values.preview(node) for node in turn.nodes}
        below = self._below[1]
        if self.job.divided:
            lacking = self.system.lacking(root, turn, below)
            if lacking:
                return [Single(node, place) for node, place in lacking]
        opening = self.system.play(root, turn, below)
        self.values.keep_opening(self.game.prizes, task, opening)
        self._below = None
        return []

    def opening(self, upcard: Upcard) -> Play[N] | None:
        """Return an opening, None if it is not known."""
        return self.values.opening(self.game.prizes, upcard)

    def graph(self, upcards: Iterable[Upcard]) -> dict[Task, Sequence[Task]]:
        """Return {task that the openings at `upcards` lack: tasks that it waits for}."""
        games = {
            upcard: [turn for node in self._previewed(upcard) for turn in self._turns(node)]
            for upcard in upcards
            if self.opening(upcard) is None
        }
        slabs = missing(chain.from_iterable(games.values()), self.game.rules, self.values)
        openings = [
            (upcard, [node for node in looked_at(following) if node in slabs])
            for upcard, following in games.items()
        ]
        return dict[Task, Sequence[Task]](chain(slabs.items(), openings))

    def weight(self, task: Task) -> int:
        """Estimate the work of a task; an opening asks for many values of the layer below."""
        if isinstance(task, Node):
            return self.values.weight(task)
        pairs = len(self.game.types[self.game.n - 1])
        return self.system.weight(pairs, self.game.n, self.game.rules)

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

    def reads(self, task: Task) -> Sequence[Unit]:
        """List what of the store a task reads: slabs, and values known singly."""
        if isinstance(task, Node | Single):
            return looked_at(self._turns(task.node if isinstance(task, Single) else task))
        previewed = self._previewed(task)
        units: list[Unit] = [node for node in self.game.turns[task].nodes if node not in previewed]
        units += looked_at(turn for node in previewed for turn in self._turns(node))
        for node in previewed:
            singles = self.values.singles(node)
            places = range(len(self.values.layer(node)))
            units += [Single(node, place) for place in places if place in singles]
        return units

    def entries(self, unit: Unit) -> dict[str, bytes]:
        """Return the entries of the store, {key: payload}, that hold a slab or a single value."""
        if isinstance(unit, Node):
            return self.values.entries(unit)
        return self.values.entries(unit.node, unit.place)

    def keep(self, entries: Mapping[str, bytes]) -> None:
        """Write entries that another process has made."""
        if self.values.store is not None:
            for key, payload in entries.items():
                self.values.store.put(key, payload)

    def _previewed(self, upcard: Upcard) -> list[Node]:
        """List the nodes that an opening looks at whose slabs are not known."""
        return [node for node in self.game.turns[upcard].nodes if node not in self.values]

    def _turns(self, node: Node) -> list[Turn]:
        return turns(self.game.rules, node)


@lru_cache(maxsize=1)
def _elsewhere(job: Job[Any, Any]) -> Worker[Any, Any]:
    """Return the part of another process of the machine, the same for every task."""
    return job.worker(job.location.open())


def openings(
    game: Game,
    upcards: Iterable[Upcard],
    system: System[Slab, N],
    location: StoreLocation,
    *,
    jobs: int | None = None,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> dict[Upcard, Play[N]]:
    """Return the optimal first moves of a game, {upcard: opening}.

    Args:
        game: the game.
        upcards: the upcards wanted, of those that can come first.
        system: the number system.
        location: the store.
        jobs: processes; by default all cores from :data:`PARALLEL_FROM` games on. A read-only
            store leaves no way to pass slabs on, so there it is always one.
        cluster: the workers to use instead.
        progress: called with the work done and all the work there is.
    """
    wanted = list(upcards)
    large = game.counts[1] >= PARALLEL_FROM
    if jobs is None:
        jobs = available_cores() if large else 1
    # An interrupt ends workers at once, but has to wait for a long product in this process.
    apart = (jobs > 1 or large) and not location.read_only
    with ExitStack() as stack:
        if (apart or cluster is not None) and location.path is None:
            folder = stack.enter_context(TemporaryDirectory(prefix="gops_exact-"))
            location = StoreLocation(Path(folder) / "store.sqlite")
        store = location.open()
        if store is not None:
            stack.enter_context(store)
        divided = jobs > 1 or cluster is not None
        worker = Job(game, system, MEMORY_BYTES // jobs, divided, location).worker(store)
        graph = worker.graph(wanted)
        order = Order(graph, progress, worker.weight)
        if cluster is not None:
            cluster.follow(order, OnCluster(cluster, worker, graph), worker.is_small)
        elif not apart or not graph or (len(graph) < jobs and not large):
            InProcess().follow(order, worker.do)
        else:
            Processes(jobs).follow(order, worker.do, worker.is_small)
        found = {upcard: worker.opening(upcard) for upcard in wanted}
        return {upcard: opening for upcard, opening in found.items() if opening is not None}
