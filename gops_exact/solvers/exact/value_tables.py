"""The value tables of one computation, in memory and in a store, and the tasks that compute first moves.

Words used here:

* A *prize state* is the set of the prizes left with the margin (player one's points minus player two's) and the pot
  (the points carried over from ties).
* A *layer* (:class:`~gops_exact.game.order_types.Layer`) lists pairs of hands with the same number of cards a side. Of
  a pair and the same pair with the players swapped, only one is listed.
* A *value table* has the values of all pairs of hands of a layer at one prize state. It is *previewed* if it has
  intervals around the values, but computes an exact value only when the value is asked for.
* A *stage game* is a round at a prize state: its upcard (the prize turned up), and its three results.
* A *task* computes a value table, a single value, or optimal play at an upcard of the first round.
* A *store* is a file, or a part of memory, that keeps values under keys. An *entry* is a key with its values as bytes.
* A *first move* is an optimal strategy for the bid of the first round.

Tasks are done in this process, in other processes of the machine, or on a cluster.

Processes of one machine exchange value tables only through the store: a worker reads the value tables that its task
needs, and writes the value table that it has computed. To a cluster a task is sent with the entries of the store that
it reads; Dask's workers pass longer entries on to each other. The worker returns the entries that the task adds, and
the client writes them to its store. So no finished task is repeated, whichever process dies, and workers need no shared
folder.
"""

import operator
from collections import Counter, OrderedDict
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

import numpy as np

from gops_exact.base.progress import Progress, tracked
from gops_exact.base.store import DiskStore, MemoryStore, StoreError
from gops_exact.game.game import Game, PrizeState, StageGame, stage_games
from gops_exact.game.order_types import Layer, pair_count, pair_keys
from gops_exact.game.rules import Prizes, Rules, Upcard
from gops_exact.matrix_game.basis import Play
from gops_exact.solvers.exact.lattice import (
    ExactSystem,
    SingleValue,
    System,
    ValueTable,
    concatenated,
)

if TYPE_CHECKING:
    from distributed import Future

    from gops_exact.base.cluster import Cluster
    from gops_exact.base.pools import Order

Store = DiskStore | MemoryStore

MEMORY_BYTES = 1 << 30
"""The default bound, in bytes, on the value tables in memory."""

Read = TypeVar("Read", bound="Play[Any] | ValueTable")

Key = PrizeState | SingleValue
"""A key of :class:`Values`: a :class:`PrizeState`, for its whole value table; or a :class:`SingleValue`, for the value
of one pair of hands at a prize state."""

Task = Key | Upcard
"""A task of the computation of first moves: a key, to compute its values; or an upcard, to compute optimal play of the
first round at this upcard."""

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


def missing(
    games: Iterable[StageGame], rules: Rules, known: Container[PrizeState]
) -> dict[PrizeState, list[PrizeState]]:
    """Return the prize states whose value tables have to be computed before `games` can be solved, fewest prizes first.

    Args:
        games: the stage games to be solved.
        rules: the rules of the game to which they belong.
        known: the prize states whose value tables are known.

    Returns:
        {prize state: the prize states whose value tables must be known to compute its own}. Known prize states appear
        neither as keys nor in the lists.

    >>> needed = missing(stage_games(Rules(), PrizeState((1, 2, 3))), Rules(), {})
    >>> {state.prizes: [below.prizes for below in states] for state, states in needed.items()}
    {(1,): [], (2,): [], (3,): [], (1, 2): [(2,), (1,)], (1, 3): [(3,), (1,)], (2, 3): [(3,), (2,)]}
    """
    needed: dict[PrizeState, list[PrizeState]] = {}
    todo = dependencies(games)
    while todo:
        state = todo.pop()
        if state not in needed and state not in known:
            needed[state] = dependencies(stage_games(rules, state))
            todo += needed[state]
    order = sorted(needed, key=lambda state: (len(state.prizes), state))
    return {state: list(filter(needed.__contains__, needed[state])) for state in order}


def dependencies(games: Iterable[StageGame]) -> list[PrizeState]:
    """List the prize states whose value tables determine the payoffs of stage games, each prize state once."""
    states = chain.from_iterable(map(operator.attrgetter("prize_states"), games))
    return list(dict.fromkeys(states))


class Values(MutableMapping[Any, ValueTable]):
    """The values of one computation, in memory and in a store.

    The object maps keys (:data:`Key`) to value tables. It also stores optimal first moves.

    In the store, a value table is divided into *blocks*. A block has the values of the pairs of hands that have the
    same number of different cards in both hands together. A larger game adds blocks but changes none, so the game of
    eight cards can use the values of the game of seven. If a single position is solved, its value tables may lack some
    pairs of hands. An incomplete block of values is not written to the store. But if the store has the complete block,
    the values are read from it.

    If the values in memory take more than `memory_bytes`, the least recently used ones are dropped, but only those that
    the store has. :meth:`trim` also drops values that the store lacks.

    Args:
        types: the pairs of hands: a layer for each number of cards a side, which is the index of the layer.
        rules: the rules of the game.
        system: the number system in which values are computed.
        store: the store; None for values in memory only.
        memory_bytes: the bound on the memory of values.
    """

    def __init__(
        self,
        types: tuple[Layer, ...],
        rules: Rules,
        system: System,
        store: Store | None = None,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self.types, self.rules, self.system = types, rules, system
        self.store: Store = MemoryStore() if store is None else store
        self.memory_bytes = memory_bytes
        self._stored = store is not None  # False saves looking into an empty store
        self._prefix = f"{rules.key} {system.name}"
        self._writable = store is not None and not store.read_only
        self._kept: OrderedDict[Key, ValueTable] = OrderedDict()
        self._unsaved: set[Key] = set()
        self._bytes = self._trimmed = 0
        self._first_moves: dict[tuple[Prizes, Upcard], Play[Any]] = {}

    def __getitem__(self, state: Key) -> ValueTable:
        table = self._kept.get(state)
        if table is not None:
            self._kept.move_to_end(state)
            return table
        blocks = [block for _, block in self._blocks(state)]
        if not blocks or None in blocks:
            raise KeyError(state)
        table = concatenated(filter(None, blocks))
        self._keep(state, table)
        return table

    def __setitem__(self, state: Key, table: ValueTable) -> None:
        saved = self._writable
        if self._writable:
            for key, (span, whole) in self._keys(state).items():
                # If the values are those of a single position, a block may lack pairs of hands that the entry of the
                # store must have. Such a block is not saved.
                if span.stop - span.start < whole:
                    saved = False
                elif key not in self.store:
                    block = table.select(range(span.start, span.stop))
                    self.store.put(key, self.system.pack_values(block))
        self._keep(state, table)
        if not saved:
            self._unsaved.add(state)

    def __delitem__(self, state: Key) -> None:
        self._bytes -= self.system.nbytes(self._kept.pop(state))
        self._unsaved.discard(state)

    def __contains__(self, state: Any) -> bool:  # noqa: ANN401  # as in Mapping
        return state in self._kept or (
            self._stored and all(key in self.store for key in self._keys(state))
        )

    def __iter__(self) -> Iterator[Key]:
        return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def layer(self, state: Key) -> Layer:
        """Return the pairs of hands whose values have this key: one pair if the key is a :class:`SingleValue`."""
        if isinstance(state, SingleValue):
            return self.layer(state.prize_state).part(slice(state.h, state.h + 1))
        return self.types[len(state.prizes)]

    def games(self, state: Key) -> list[StageGame]:
        """List the stage games that may come next at the prize state of a key."""
        prize_state = state.prize_state if isinstance(state, SingleValue) else state
        return stage_games(self.rules, prize_state)

    def known_keys(self, state: PrizeState) -> list[Key]:
        """List the keys of the known values of a prize state.

        If the whole value table of the state is known, the list has only the key of this table. Otherwise the list has
        the keys of the single values that are known.
        """
        single_values = (SingleValue(state, h) for h in range(len(self.layer(state))))
        return [state] if state in self else [single for single in single_values if single in self]

    def weight(self, task: Task) -> int:
        """Return the estimated work of a task, in a unit that is the same for all tasks.

        The work of a value table is its number of matrix games times the cost of one game, which grows by a constant
        factor with each card a side. The number of games is estimated from above: for H pairs of hands of k cards a
        side it is (H + 1)(k + 1), or H + 1 if prizes are hidden. If the players know the order of prizes, there are far
        fewer games. A first move or a single value counts as much as a value table for all pairs of hands with one card
        a side less than in the whole game, because many values of these pairs are needed.
        """
        size, pairs = len(self.types) - 1, len(self.types[-2])
        if isinstance(task, PrizeState):
            size, pairs = len(task.prizes), len(self.layer(task))
        games = (pairs + 1) * (1 if self.rules.hidden else size + 1)
        return games * int(self.system.cost_growth**size)

    def sweep(
        self, games: Iterable[StageGame], progress: Progress | None = None, *, preview: bool = False
    ) -> Self:
        """Compute all missing value tables that are needed to solve `games`, fewest prizes first, and return this object.

        Args:
            games: the stage games that may come next at one position, or at several.
            progress: called as progress(done, total), in any unit.
            preview: True to compute each value in the tables from which `games` take their payoffs only when it is
                first needed, if the number system can do so. These values are by far the longest numbers, and `games` need
                few of them.
        """
        games = list(games)
        todo = missing(games, self.rules, self)
        previewed = dependencies(games) if preview else ()
        for state in tracked(todo, progress, self.weight) if todo else ():
            if state in previewed:
                # A previewed value table stays in memory only, because it lacks values that a value table in the store
                # must have.
                layer = self.layer(state)
                table = self.system.value_table(layer, self.games(state), self, state)
                self._keep(state, table)
                self._unsaved.add(state)
            else:
                self.fill(state)
        return self

    def fill(self, state: Key) -> None:
        """Compute a value table, or a single value, from the value tables with one prize less.

        The store has a value table in blocks. Blocks that the store has already are read from it, not computed.
        """
        layer, following, blocks = self.layer(state), self.games(state), self._blocks(state)
        if any(block for _, block in blocks):
            self[state] = concatenated(
                block or self.system.value_table(layer.part(span), following, self)
                for span, block in blocks
            )
        else:
            self[state] = self.system.value_table(layer, following, self)

    def release(self, states: Iterable[PrizeState]) -> None:
        """Drop the value tables of `states` from memory; those that are not in memory are ignored."""
        for state in states:
            if state in self._kept:
                del self[state]

    def trim(self) -> None:
        """Drop the least recently used values if values take too much memory.

        Values that the store lacks are dropped, too. This method is called between two queries. It raises
        `memory_bytes` to at least twice the bytes that the last query added. If all values together take more than
        `memory_bytes`, it drops values until they take at most half of `memory_bytes`.
        """
        self.memory_bytes = max(self.memory_bytes, 2 * (self._bytes - self._trimmed))
        if self._bytes > self.memory_bytes:
            self._drop(self.memory_bytes // 2, set())
        self._trimmed = self._bytes

    def first_move(self, prizes: Prizes, upcard: Upcard) -> Play[Any] | None:
        """Return optimal play of the first round at an upcard, in the game that begins with `prizes`.

        The result is None if the play is neither in memory nor in the store.
        """
        if (prizes, upcard) not in self._first_moves and self._stored:
            key = self._first_move_key(prizes, upcard)
            first_move = self._read(key, self.system.unpack, len(prizes))
            if first_move is not None:
                self._first_moves[prizes, upcard] = first_move
        return self._first_moves.get((prizes, upcard))

    def keep_first_move(self, prizes: Prizes, upcard: Upcard, first_move: Play[Any]) -> None:
        """Save optimal play of the first round at an upcard: in the store if it is writable, else in memory.

        Args:
            prizes: all prizes of the game.
            upcard: the prize turned up; None if prizes are hidden.
            first_move: optimal play. Only player one's strategy is saved. It is optimal for player two, too, because
                both players hold the same cards in the first round.
        """
        if self._writable:
            payload = self.system.pack(first_move)
            self.store.put(self._first_move_key(prizes, upcard), payload)
        else:
            # Answers must not depend on where the first move was saved.
            self._first_moves[prizes, upcard] = self.system.as_stored(first_move)

    def entries(self, state: Key) -> dict[str, bytes]:
        """Return {key: payload} of the store's entries for `state`: the blocks of a value table, or a single value."""
        read = self.store.get
        return {key: found for key in self._keys(state) if (found := read(key)) is not None}

    def _keep(self, state: Key, table: ValueTable) -> None:
        if state in self._kept:
            del self[state]
        self._kept[state] = table
        self._bytes += self.system.nbytes(table)
        if self._bytes > self.memory_bytes:
            # Values that the store lacks would have to be computed again.
            self._drop(self.memory_bytes, self._unsaved | {state})

    def _drop(self, nbytes: int, needed: Container[Key]) -> None:
        """Drop the least recently used values that are not `needed`, until the values take at most `nbytes`."""
        for oldest in self:
            if self._bytes <= nbytes:
                break
            if oldest not in needed:
                del self[oldest]

    def _keys(self, state: Key) -> dict[str, tuple[slice, int]]:
        """Return the keys of the store's entries for `state`, each with a slice and the number of values in the entry.

        The slice selects the layer's pairs of hands to which the entry belongs. In a layer of the hands that can
        follow from a single position, some of the entry's pairs may be missing. Then the slice is shorter than the
        entry.
        """
        prizes, (margin, pot) = state.prize_state if isinstance(state, SingleValue) else state
        subject = ",".join(map(str, prizes))
        subject += (f" margin {margin}" if margin else "") + (f" pot {pot}" if pot else "")
        layer, keys = self.layer(state), dict[str, tuple[slice, int]]()
        if isinstance(state, SingleValue):
            (letters,) = layer.interleavings()
            return {f"{self._prefix} value {subject} of {letters}": (slice(0, 1), 1)}
        for length, span in layer.lengths.items():
            # For the length of the pair of equal hands, pair_count returns 0, because it does not count this pair. No
            # other pair has this length, so the entry has one value, and so has the slice.
            whole = max(span.stop - span.start, pair_count(layer.size, length))
            keys[f"{self._prefix} values {subject} length {length}"] = span, whole
        return keys

    def _first_move_key(self, prizes: Prizes, upcard: Upcard) -> str:
        turned = "hidden" if upcard is None else upcard
        usual = not self.rules.fixed and prizes == tuple(range(1, len(prizes) + 1))
        order = "" if usual else f" of {','.join(map(str, prizes))}"
        return f"{self._prefix} opening {len(prizes)} upcard {turned}{order}"

    def _blocks(self, state: Key) -> list[tuple[slice, ValueTable | None]]:
        """List the blocks that have the values of a key: (slice of the pairs of hands in the layer, their value table).

        The value table is None if the store lacks the block. Without a store the list is empty.
        """
        if not self._stored:
            return []
        layer, blocks = self.layer(state), list[tuple[slice, ValueTable | None]]()
        for key, (span, whole) in self._keys(state).items():
            block = self._read(key, self.system.unpack_values, whole)
            if block is not None and span.stop - span.start < whole:
                # The entry has the values of all order types of one length, but the layer of a single position has only
                # some of these. Select their values.
                length = (layer.one[span.start] | layer.two[span.start]).item().bit_count()
                stored = pair_keys(length, layer.size, equal=False)[-whole:]
                block = block.select(np.searchsorted(stored, layer.keys[span]).tolist())
            blocks.append((span, block))
        return blocks

    def _read(self, key: str, unpack: Callable[[bytes], Read], count: int) -> Read | None:
        """Return the content of an entry of the store; None if the store has no such entry.

        Raises:
            StoreError: if the entry cannot be read, or if the number of its values is not `count`.
        """
        payload = self.store.get(key)
        if payload is None:
            return None
        damaged = f"{self.store.path} is damaged at entry {key!r}"
        try:
            content = unpack(payload)
        except (ValueError, ArithmeticError) as error:
            raise StoreError(f"{damaged}: {error}") from error
        numbers = len(content.row if isinstance(content, Play) else content.balls)
        if numbers != count:
            raise StoreError(f"{damaged}: expected {count} numbers, got {numbers}")
        return content


@dataclass(eq=False)
class Worker:
    """Worker that does tasks for the optimal first bids of a game and saves the results. Each process has one worker.

    When a worker is sent to another process, it opens the store file `store` there. If `store` is None, the worker uses
    a store in memory.
    """

    game: Game
    values: Values  # the values of this process
    store: (
        Path | None
    )  # the file that all processes of one machine share; None for a store in memory
    divided: bool = False  # True if each single value that a first move needs is a task of its own
    _previewed: Sequence[PrizeState] = field(default=(), init=False)

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        options = self.values.memory_bytes, self.store, self.divided
        return _elsewhere, (self.game, self.values.system, *options)

    def do(self, task: Task) -> list[Task]:
        """Compute a value table, a value or a first move, and save the result.

        Returns:
            An empty list if the task is done. Otherwise the tasks that must be done first: those of the missing single
            values that a first move needs. The list is always empty if `divided` is False.
        """
        if isinstance(task, Key):
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
        """Return {task: the tasks that it waits for}, for the unfinished tasks that lead to first moves at `upcards`.

        In the mapping a task comes after those that it waits for. Single values are not among these tasks. If a first
        move needs some, :meth:`do` returns the tasks that compute them.
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
                        games[upcard] += self.values.games(state)
        tables = missing(chain.from_iterable(games.values()), self.game.rules, self.values)
        graph = dict[Task, Sequence[Task]](tables.items())
        for upcard, following in games.items():
            graph[upcard] = list(filter(tables.__contains__, dependencies(following)))
        return graph

    def is_small(self, task: Task) -> bool:
        """Return True if a task is to compute a value table of at most :data:`SMALL_CARDS` cards a side."""
        return isinstance(task, PrizeState) and len(task.prizes) <= SMALL_CARDS

    def reads(self, task: Task) -> Sequence[Key]:
        """List the keys of the value tables and single values that a task reads from the store, each once."""
        if isinstance(task, Key):
            return dependencies(self.values.games(task))
        read: list[Key] = []
        for state in self.game.stage_games[task].prize_states:
            if state not in self.values:
                read += dependencies(self.values.games(state))
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
    """Return the :class:`Worker` of a process to which tasks are sent.

    The worker is made for the first task and cached, so that its value tables stay in memory for later tasks. The
    arguments are attributes of the worker and of its :class:`Values`.
    """
    entries = MemoryStore() if store is None else DiskStore(store)
    values = Values(game.types, game.rules, system, entries, memory_bytes)
    return Worker(game, values, store, divided)


def do_on_cluster(
    cluster: "Cluster", worker: Worker, order: "Order[Task]", graph: Iterable[Task]
) -> None:
    """Do the tasks for optimal first bids on a cluster, and write the resulting entries to the store of `worker`.

    A task is sent with those entries of the store that it reads. Entries of more than :data:`ENCLOSED_BYTES` bytes are
    sent to the cluster only once, unless they are lost there. The cluster may drop them after the last task of `graph`
    that reads them.

    Args:
        cluster: the connection to the workers.
        worker: the worker of this process, which does small tasks itself.
        order: the queue of the tasks that are not yet done.
        graph: the tasks that are known at the beginning. A task that solves the first round may need single values; the
            tasks that compute these are then added to `order`.
    """
    from uuid import uuid4  # only a cluster needs it

    tasks, store = set(graph), worker.values.store
    elsewhere = replace(worker, store=None)
    readers = Counter(state for task in tasks for state in worker.reads(task))
    sent: dict[Key, Future] = {}

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
            store.put(key, payload)
        if not further and task in tasks:
            for state in worker.reads(task):
                readers[state] -= 1
                if readers[state] <= 0:
                    sent.pop(state, None)
        order.done(task, further)


def do_task(worker: Worker, task: Task, *entries: Entries) -> tuple[Entries, list[Task]]:
    """Do a task in a process of the cluster.

    Args:
        worker: the worker of the process, which has a store in memory.
        task: the task.
        entries: the entries that the task may read from the store, in one or several mappings.

    Returns:
        The entries that were added to the store; and a list of tasks, which is empty if the task is done, else has the
        tasks that must be done first (:meth:`Worker.do`).
    """
    store = cast(MemoryStore, worker.values.store)
    received = {key: payload for part in entries for key, payload in part.items()}
    store.clear()
    store.update(received)
    further = worker.do(task)
    added = {key: payload for key, payload in store.items() if key not in received}
    return added, further
