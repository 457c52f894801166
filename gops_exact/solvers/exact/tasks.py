"""Tasks of which the computation of first moves consists, and the order in which they are done.

A task computes the *value table* of a prize state (the values of all pairs of hands for one set of prizes left, margin
and pot), a single value of such a table, or optimal play at an upcard of the first round. Tasks are done in this
process, in other processes of the machine, or on a cluster.

Processes of one machine exchange value tables only through the store: a worker reads the value tables that its task
needs, and writes the value table that it has computed. To a cluster a task is sent with the entries of the store that
it reads; Dask's workers pass longer entries on to each other. The worker returns the entries that the task adds, and
the client writes them to its store. So no finished task is repeated, whichever process dies, and workers need no shared
folder.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from gops_exact.base.progress import Progress, tracked
from gops_exact.base.store import DiskStore, MemoryStore
from gops_exact.game.game import Game, PrizeState, StageGame, stage_games
from gops_exact.game.rules import Upcard
from gops_exact.matrix_game.basis import Play
from gops_exact.solvers.exact.lattice import (
    MEMORY_BYTES,
    SingleValue,
    System,
    Values,
    dependencies,
    missing,
)
from gops_exact.solvers.exact.rational import ExactSystem

if TYPE_CHECKING:
    from distributed import Future

    from gops_exact.base.cluster import Cluster
    from gops_exact.base.pools import Order

Task = PrizeState | SingleValue | Upcard
"""A task of the computation of first moves: a :class:`PrizeState`, to compute its value table; a :class:`SingleValue`,
to compute one value of a value table; or an upcard, to compute optimal play at this upcard."""


Entries = Mapping[str, bytes]
"""Entries of a store, {key: payload}."""

SMALL_CARDS = 3
"""The most cards a side of the value tables that the main process computes itself, because sending such a task to
another process takes longer. A value table of this size has at most 32 pairs of hands, which take 6 ms in exact
numbers."""


ENCLOSED_BYTES = 100_000
"""The greatest length, in bytes, up to which the store's entries of one prize state are sent inside the message with a
task. Such short entries are sent again with each further task that reads them. Longer entries are sent to the cluster
only once, and the workers pass them on to each other."""


@dataclass(eq=False)
class Worker:
    """A worker, which does tasks for the first moves of a game and saves the results. Each process has one worker.

    If a worker is pickled and sent to another process of this machine, it opens the same store there. If it is
    sent to a cluster, it has no file, but a store in memory.
    """

    game: Game
    values: Values  # the values of this process
    # The file of the store, which all processes of one machine share; None for a store in memory
    store: Path | None
    divided: bool = False  # True if each single value that a first move needs is a task of its own
    _previewed: Sequence[PrizeState] = field(default=(), init=False)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        options = self.values.memory_bytes, self.store, self.divided
        return _elsewhere, (self.game, self.values.system, *options)

    def do(self, task: Task) -> list[Task]:
        """Compute a value table, a value or a first move, and save the result.

        Returns:
            The tasks that must be done before this one; if there are any, this task is not yet done. Only a first
            move has such tasks, and only if `divided` is True: they are the single values that are missing.
        """
        if isinstance(task, PrizeState | SingleValue):
            self.values.fill(task)
            return []
        # The value tables of the prize states after the upcard are previewed: only some of their values are computed.
        # If an earlier first move had to wait for single values, its previewed value tables are still in memory. Drop
        # them, unless this first move needs the same prize states.
        stage, root = self.game.stage_games[task], self.game.types[-1]
        if stage.prize_states != self._previewed:
            self.values.release(self._previewed)
            self._previewed = stage.prize_states
        below = self.values.sweep([stage], preview=True)
        # Only the exact system previews value tables.
        if self.divided and isinstance(self.values.system, ExactSystem):
            single_values = self.values.system.missing_values(root, stage, below)
            needed = list[Task](single for single in single_values if single not in self.values)
            if needed:
                return needed
        first_move = self.values.system.play(root, stage, below)
        self.values.keep_first_move(self.game.prizes, task, first_move)
        self.values.release(self._previewed)
        return []

    def graph(self, upcards: Iterable[Upcard]) -> dict[Task, Sequence[Task]]:
        """Return the tasks that have to be done for the first moves at `upcards`, as far as they are known in advance.

        Single values are not among them. If `divided` is True, :meth:`do` reports those that a first move needs. First
        moves and value tables that are known already are left out.

        Returns:
            {task: the tasks that it waits for}; in the mapping a task comes after those that it waits for.
        """
        games: dict[Upcard, list[StageGame]] = {}
        for upcard in upcards:
            if self.values.first_move(self.game.prizes, upcard) is None:
                games[upcard] = []
                # The value tables of the prize states that follow the upcard directly are not tasks, because the first
                # move needs only a few of their values, which are computed one by one. So the first move waits for the
                # value tables from which these values are computed: those of the prize states with one prize less.
                for state in self.game.stage_games[upcard].prize_states:
                    if state not in self.values:
                        games[upcard] += stage_games(self.game.rules, state)
        tables = missing(chain.from_iterable(games.values()), self.game.rules, self.values)
        graph = dict[Task, Sequence[Task]](tables.items())
        for upcard, following in games.items():
            graph[upcard] = list(filter(tables.__contains__, dependencies(following)))
        return graph

    def is_small(self, task: Task) -> bool:
        """Return True if a task is to compute a value table of at most :data:`SMALL_CARDS` cards a side.

        Such a task takes less time than sending it to another process.
        """
        return isinstance(task, PrizeState) and len(task.prizes) <= SMALL_CARDS

    def reads(self, task: Task) -> Sequence[PrizeState | SingleValue]:
        """List the keys of the value tables and single values that a task reads from the store, each once."""
        if isinstance(task, PrizeState | SingleValue):
            state = task.prize_state if isinstance(task, SingleValue) else task
            return dependencies(stage_games(self.game.rules, state))
        read: list[PrizeState | SingleValue] = []
        for state in self.game.stage_games[task].prize_states:
            if state not in self.values:
                read += dependencies(stage_games(self.game.rules, state))
            read += self.values.known_keys(state)
        return list(dict.fromkeys(read))


@lru_cache(maxsize=1)
def _elsewhere(
    game: Game,
    system: System,
    memory_bytes: int,
    store: Path | None,
    divided: bool,
) -> Worker:
    """Return the worker of a process to which tasks are sent.

    The worker is made for the first task and cached, so that its value tables stay in memory for later tasks.

    Args:
        game: the game whose first moves are computed.
        system: the number system of the values.
        memory_bytes: the bound on the memory of values.
        store: the file of the store; None for a store in memory.
        divided: True if each single value that a first move needs is a task of its own.
    """
    entries = MemoryStore() if store is None else DiskStore(store)
    values = Values(game.types, game.rules, system, entries, memory_bytes)
    return Worker(game, values, store, divided)


def first_moves(
    game: Game,
    upcards: Collection[Upcard],
    system: System,
    store: Path | None = None,
    *,
    read_only: bool = False,
    workers: int | str | None = None,
    large: bool = False,
    progress: Progress | None = None,
) -> dict[Upcard, Play[Any]]:
    """Compute optimal play of the first round of a game, {upcard: value and optimal strategies}.

    Args:
        game: the game whose first moves are computed.
        upcards: the upcards; the rules must allow each of them to come first.
        system: the number system of the values and strategies.
        store: the file of the store; None for values in memory, or in a temporary file if several processes
            have to exchange them.
        read_only: True to write nothing to the store. Then one process does all tasks.
        workers: the number of processes, or the address of a Dask scheduler; None for as many processes as
            there are cores if the run is large, else for one process.
        large: True if the run is long enough for other processes to save time.
        progress: called as progress(done, total), in any unit.
    """
    jobs = workers if isinstance(workers, int) else 1
    if large and not isinstance(workers, int):
        from gops_exact.base.machine import available_cores  # short runs do not need it

        jobs = available_cores()
    # A long exact run uses another process even with one job: an interrupt stops that process at once, but in this
    # process it would have to wait for the current multiplication, which can take long.
    long = large and isinstance(system, ExactSystem)
    elsewhere = (jobs > 1 or long) and not read_only
    with ExitStack() as stack:
        cluster = None
        if isinstance(workers, str):
            # Imported here: without a cluster, asyncio, the float layers and more need not be loaded.
            from gops_exact.base.cluster import Cluster

            cluster = stack.enter_context(Cluster(workers))
        if (elsewhere or cluster is not None) and store is None:
            folder = stack.enter_context(TemporaryDirectory(prefix="gops_exact-"))
            store = Path(folder) / "store.sqlite"
        file = None if store is None else stack.enter_context(DiskStore(store, read_only=read_only))
        values = Values(game.types, game.rules, system, file, MEMORY_BYTES // jobs)
        worker = Worker(game, values, store)
        graph = worker.graph(upcards)
        if cluster is None and (not elsewhere or not graph or (len(graph) < jobs and not large)):
            # The tasks can be done in the order of the graph, in which each task comes after those that it waits for.
            for task in tracked(graph, progress, values.weight):
                worker.do(task)
        else:
            # Imported here, because a run in one process needs neither of them.
            from gops_exact.base.pools import Order, follow

            worker.divided = jobs > 1 or cluster is not None
            order = Order(graph, progress, values.weight)
            if cluster is not None:
                do_on_cluster(cluster, worker, order, graph)
            else:
                follow(order, jobs, worker.do, worker.is_small)
        return {
            upcard: play
            for upcard in upcards
            if (play := values.first_move(game.prizes, upcard)) is not None
        }


def do_on_cluster(
    cluster: "Cluster", worker: Worker, order: "Order[Task]", graph: Iterable[Task]
) -> None:
    """Compute the tasks of first moves on a cluster, and write the resulting entries to the store of `worker`.

    The long entries of a value table or a single value are sent to the cluster only once, unless they are lost there.
    The cluster may drop them after the last task of `graph` that reads them.

    Args:
        cluster: the connection to the workers.
        worker: the worker of this process, which does small tasks itself.
        order: the queue of the tasks that are not yet done.
        graph: the tasks known at the beginning; first moves may add more tasks to `order`.
    """
    tasks, store = set(graph), worker.values.store
    elsewhere = replace(worker, store=None)
    readers = Counter(state for task in tasks for state in worker.reads(task))
    sent: dict[PrizeState | SingleValue, Future] = {}

    def send(task: Task) -> "Future | None":
        if worker.is_small(task):
            order.done(task, worker.do(task))
            return None
        # If a smaller game has been solved, the store may have some blocks of the value table, those of the shorter
        # order types. These blocks are sent with the task, so that the worker computes only the others.
        enclosed = worker.values.entries(task) if isinstance(task, PrizeState) else {}
        passed_on = []
        for state in worker.reads(task):
            if state not in sent or sent[state].status != "finished":
                entries = worker.values.entries(state)
                if sum(map(len, entries.values())) <= ENCLOSED_BYTES:
                    enclosed |= entries
                    continue
                sent[state] = cluster.scatter(entries)
            passed_on.append(sent[state])
        # Dask assumes that tasks whose keys have the same prefix take equally long. So the prefix consists of the kind
        # and the weight of the task.
        key = f"{type(task).__name__}{worker.values.weight(task)}-{uuid4().hex}"
        return cluster.submit(do_task, elsewhere, task, enclosed, *passed_on, key=key, beside=True)

    for task, (entries, further) in cluster.answers(order, send):
        for key, payload in entries.items():
            if store is not None:
                store.put(key, payload)
        if not further and task in tasks:
            for state in worker.reads(task):
                readers[state] -= 1
                if readers[state] <= 0:
                    sent.pop(state, None)
        order.done(task, further)


def do_task(worker: Worker, task: Task, *entries: Entries) -> tuple[Entries, list[Task]]:
    """Do one of the tasks into which the computation of first moves is divided, in a process of the cluster.

    Args:
        worker: the object that does the task; its store, which is in memory, is cleared first.
        task: the value table, the single value or the first move to compute.
        entries: the entries of the store that the task reads, in several mappings.

    Returns:
        The entries that the task adds to the store, and the tasks that must be done before this one. If there
        are such tasks, this task is not yet done.
    """
    store = cast(MemoryStore, worker.values.store)  # in memory, as the worker has no file
    received = {key: payload for part in entries for key, payload in part.items()}
    store.clear()
    store.update(received)
    further = worker.do(task)
    added = {key: payload for key, payload in store.items() if key not in received}
    return added, further
