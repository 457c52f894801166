"""The recursion by prize sets: one slab of values a node, each built from the nodes one prize smaller.

A *node* is a set of prizes with the state that the rounds before have left. With points played for
and ties discarded there is no state, and

    F[P] = mean over p in P of  value( p · S[h] + sgn[h] · F[P∖p][child[h]] )   for every pair h

(Ross 1970, §3; Rhoads & Bartholdi 2012, §3). With a state the slab that an entry looks at depends on
who wins the round, and a mirrored pair of hands is looked up at the mirrored state. All games of one
turn take their entries from one small table, and the index of an entry in it depends on the pair of
hands alone. A *system* of numbers defines what a slab is made of and how a game is solved;
:class:`Values` keeps the slabs of one computation.
"""

import operator
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import (
    Callable,
    Container,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, reduce
from itertools import chain
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar, cast

import numpy as np
from flint import arb, ctx, fmpq, nmod

from gops_exact.base.progress import Progress, tracked
from gops_exact.game.game import Node, Turn, turns
from gops_exact.game.order_types import Layer, all_pairs, pair_count
from gops_exact.game.rules import Prizes, Rules, Upcard
from gops_exact.matrix_game.basis import Basis, N, Play
from gops_exact.solvers.store import DiskStore, MemoryStore, StoreError

Store = DiskStore | MemoryStore

MEMORY_BYTES = 1 << 30
"""Default bound on the slabs kept in memory."""

SLAB_BYTES, BALL_BYTES = 700, 300
"""Memory of a slab with its key and lists, and of a ball beside its digits: two objects and a float. Measured."""

Entry = TypeVar("Entry", float, arb, nmod, fmpq)

Read = TypeVar("Read", bound="Play[Any] | EnclosedSlab")

Indices = list[list[int]]
"""Shape (m, n): where the entries of a game stand in a table; interchangeable bids left out."""


class Single(NamedTuple):
    """The key of one value of a slab, as a :class:`Node` is that of the whole slab."""

    node: Node
    h: int  # the index of its pair of hands in the layer


@dataclass(frozen=True, eq=False)
class EnclosedSlab:
    """The values of one node as balls.

    A field that is a list has an entry for each of the H pairs of hands of a layer, in its order.
    """

    balls: list[arb]  # those of balls alone have radii that are powers of two
    exact: list[fmpq] | None = field(default=None, kw_only=True)  # of small hands beside balls
    residues: Sequence[nmod] = field(default=(), kw_only=True)  # a list where a prime is given
    proved: bool = field(default=True, kw_only=True)  # False if residues rest on an unproved tie

    def __len__(self) -> int:
        return len(self.balls)

    @cached_property
    def floats(self) -> list[float]:
        """Length H; the midpoints as floats."""
        return list(map(float, self.balls))

    def lists(self) -> dict[str, list[Any]]:
        """Return the fields that are lists, {name: H entries}."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return {name: entries for name, entries in values.items() if isinstance(entries, list)}

    def select(self, chosen: Sequence[int]) -> Self:
        """Return the values of some pairs of hands, given by index, as a slab."""
        lists: dict[str, Any] = {
            name: [entries[h] for h in chosen] for name, entries in self.lists().items()
        }
        return replace(self, **lists)


Slab = TypeVar("Slab", bound=EnclosedSlab)


def joined(slabs: Sequence[Slab]) -> Slab:
    """Return slabs one after the other as one slab."""
    parts = [slab.lists() for slab in slabs]
    lists = {name: list(chain.from_iterable(part[name] for part in parts)) for name in parts[0]}
    return replace(slabs[0], proved=all(slab.proved for slab in slabs), **lists)


class System(ABC, Generic[Slab, N]):
    """A number system that the recursion runs over: slabs of values, and numbers of answers.

    `layer` are pairs of hands, `turns` the games that may come next, and `below` the slabs one prize
    smaller that the games look at.
    """

    cost_growth: ClassVar[int] = 1  # how many times longer a game takes with a card a side more
    bits: int  # precision of the balls
    zero: N
    table: "ClassVar[type[Table[Any]]]"  # of the payoffs that games look up

    @property
    @abstractmethod
    def name(self) -> str:
        """The key of the system's numbers in a store; different kinds of slab have different keys."""

    @abstractmethod
    def slab(
        self,
        layer: Layer,
        turns: Sequence[Turn],
        below: MutableMapping[Any, Slab],
        previewed: Node | None = None,
    ) -> Slab:
        """Return the values of every pair of hands in `layer` before one of `turns`.

        `previewed` is the node of the slab if few of its values will be looked at: a system may evaluate each
        when it is asked for, and keep it in `below`, by :class:`Single`.
        """

    def lacking(
        self,
        layer: Layer,  # noqa: ARG002  # for those that evaluate on demand
        turn: Turn,  # noqa: ARG002
        below: Mapping[Node, Slab],  # noqa: ARG002
    ) -> list[Single]:
        """List the previewed values that :meth:`play` between equal hands looks at."""
        return []

    @abstractmethod
    def play(self, layer: Layer, turn: Turn, below: Mapping[Node, Slab]) -> Play[N]:
        """Return optimal play at the position that `layer` holds alone."""

    def expectation(self, payoffs: Sequence[Any], column: Sequence[Any]) -> N:
        """Return the mean of payoffs by the probabilities of `column`."""
        with ctx.workprec(self.bits):
            products = (x * q for x, q in zip(payoffs, column, strict=True))
            return cast(N, sum(products, cast(Any, self.zero)))

    def negative(self, number: Any) -> Any:  # noqa: ANN401  # of the system, as the result is
        """Return a number with the other sign."""
        with ctx.workprec(self.bits):
            return -number

    @abstractmethod
    def first(self, slab: Slab) -> N:
        """Return the first value of a slab."""

    def nbytes(self, slab: Slab) -> int:
        """Estimate the memory that a slab takes, in bytes."""
        exactly = sum(value.p.bit_length() + value.q.bit_length() for value in slab.exact or ())
        balls = len(slab.balls) * (BALL_BYTES + self.bits // 8)
        residues = len(slab.residues) * 60  # an object
        return SLAB_BYTES + balls + exactly // 8 + residues

    @abstractmethod
    def pack_slab(self, slab: Slab) -> bytes:
        """Write a slab as bytes."""

    @abstractmethod
    def unpack_slab(self, payload: bytes) -> Slab:
        """Read what :meth:`pack_slab` wrote."""

    @abstractmethod
    def pack_opening(self, opening: Play[N]) -> bytes:
        """Write play between equal hands as bytes: the strategy, which is that of both players."""

    @abstractmethod
    def unpack_opening(self, payload: bytes) -> Play[N]:
        """Read what :meth:`pack_opening` wrote."""


def missing(games: Iterable[Turn], rules: Rules, known: Container[Node]) -> dict[Node, list[Node]]:
    """Return {node that `games` lead to and `known` lacks: those of them it looks at}, smallest first.

    >>> lacking = missing(turns(Rules(), Node((1, 2, 3))), Rules(), {})
    >>> {node.prizes: [below.prizes for below in nodes] for node, nodes in lacking.items()}
    {(1,): [], (2,): [], (3,): [], (1, 2): [(2,), (1,)], (1, 3): [(3,), (1,)], (2, 3): [(3,), (2,)]}
    """
    lacking: dict[Node, list[Node]] = {}
    todo = looked_at(games)
    while todo:
        node = todo.pop()
        if node not in lacking and node not in known:
            lacking[node] = looked_at(turns(rules, node))
            todo += lacking[node]
    order = sorted(lacking, key=lambda node: (len(node.prizes), node))
    return {node: list(filter(lacking.__contains__, lacking[node])) for node in order}


def looked_at(games: Iterable[Turn]) -> list[Node]:
    """List the nodes whose slabs games look at, each once."""
    nodes = dict[Node, None]()
    for turn in games:
        nodes |= dict.fromkeys(turn.nodes)
    return list(nodes)


class Table(Generic[Slab]):
    """Every payoff that the games of one turn between the pairs of hands of a layer can have."""

    def __init__(
        self, turn: Turn, layer: Layer, below: Mapping[Node, Slab], system: System[Slab, Any]
    ) -> None:
        self.turn, self.width, self.system = turn, block_width(layer), system
        self.below = {node: below[node] for node in turn.nodes}

    @cached_property
    def floats(self) -> list[float]:
        """Every payoff as a float."""
        return payoff_table(self.turn, self.width, lambda node: self.below[node].floats, 0.0)

    @cached_property
    def balls(self) -> list[arb]:
        """Every payoff as a ball."""
        with ctx.workprec(self.system.bits):
            return payoff_table(self.turn, self.width, lambda node: self.below[node].balls, arb(0))

    @cached_property
    def exact(self) -> list[fmpq] | None:
        """Every payoff exactly; None where hands are not small."""
        exactly = {node: slab.exact for node, slab in self.below.items() if slab.exact is not None}
        if len(exactly) < len(self.below):
            return None
        return payoff_table(self.turn, self.width, exactly.__getitem__, fmpq(0))

    @cached_property
    def decided(self) -> tuple[frozenset[int], frozenset[int]]:
        """The indices of payoffs that are exactly 1, and exactly −1.

        A ball equals a number only if it holds no other, so this is proved in every system.
        """
        balls = list(enumerate(self.balls))
        won = frozenset(index for index, payoff in balls if payoff == 1)
        lost = frozenset(index for index, payoff in balls if payoff == -1)
        return won, lost

    def sure(self, indices: Indices) -> tuple[arb, Basis] | None:
        """Return value and first saddle point of a game to win where a player is sure of a win, else None.

        No payoff exceeds 1, so a row that pays 1 throughout is optimal, and so is any column. If the value is
        1, every row that an optimal strategy plays pays 1 throughout: no such game is missed.
        """
        if not self.turn.winning:
            return None
        won, lost = self.decided
        for i, row in enumerate(indices):
            if won.issuperset(row):
                return arb(1), Basis((i,), (0,))
        for j, column in enumerate(zip(*indices, strict=True)):
            if lost.issuperset(column):
                return arb(-1), Basis((0,), (j,))
        return None

    def number(self, index: int) -> Any:  # noqa: ANN401  # a number of the system
        """Return one payoff as a number of the system: a ball, of balls."""
        return self.balls[index]


def is_fair(layer: Layer, turn: Turn) -> bool:
    """Test whether the bids of the pair of hands that `layer` holds alone are an antisymmetric game.

    They are if the hands are equal and nobody is ahead. Nobody is ahead if a tie leads to a node that is its
    own mirror image.
    """
    if layer.one[0] != layer.two[0]:
        return False
    return all(tied.node == tied.mirrored for _, (tied, *_) in turn.stakes)


def over_cards(layer: Layer, play: Play[N], zero: N) -> Play[N]:
    """Extend play of the bids that `layer`, one pair of hands, keeps to all cards of the hands."""
    return play.over(layer.row_kept[0].tolist(), layer.column_kept[0].tolist(), zero)


def games(layer: Layer) -> list[Indices]:
    """Return the game of each pair of hands, as indices into a :func:`payoff_table`."""
    # A negative reference counts from the end of its block, where the mirrored values stand.
    width = block_width(layer)
    index = layer.sign.astype(np.int64) % 3 * width + layer.child % width
    bids = zip(index, layer.row_kept, layer.column_kept, strict=True)
    return [every[rows][:, columns].tolist() for every, rows, columns in bids]


def block_width(layer: Layer) -> int:
    """Count the references into the layer below, both orientations and 0."""
    return 2 * layer.below + 1


def payoff_table(
    turn: Turn, width: int, values: Callable[[Node], Sequence[Entry]], zero: Entry
) -> list[Entry]:
    """List every payoff that a game of `turn` can have: the mean over its stakes.

    The list has three blocks of `width` = 2H + 1, for a tie, a round won and a round lost. Each holds the
    payoffs of the references 0, 1, …, H, −H, …, −1. `values` returns the H values of a node.

    >>> (_, turn) = turns(Rules(), Node((2, 5)))
    >>> payoff_table(turn, 3, lambda node: [0.25], 0.0)
    [0.0, 0.25, -0.25, 5.0, 5.25, 4.75, -5.0, -4.75, -5.25]
    """
    tables: list[list[Entry]] = []
    for _, outcomes in turn.stakes:
        table: list[Entry] = []
        for outcome in outcomes:
            if outcome.decided is not None:
                table += [zero + outcome.gain + outcome.decided] * width
                continue
            block: list[Entry] = [zero]
            block.extend(values(outcome.node))
            # Negative references count from the end, so mirrored values stand in reverse.
            block.extend(map(operator.neg, reversed(values(outcome.mirrored))))
            table += [value + outcome.gain for value in block] if outcome.gain else block
        tables.append(table)
    if len(tables) == 1:
        return tables[0]
    times = [times for times, _ in turn.stakes]
    return [average(entries, times) for entries in zip(*tables, strict=True)]


def look_up(indices: Indices, table: list[Entry]) -> list[list[Entry]]:
    """Return the payoff matrix of a game, shape (m, n)."""
    return [list(map(table.__getitem__, row)) for row in indices]


def average(values: Iterable[Entry], times: Sequence[int]) -> Entry:
    """Return the mean of `values`, each counted as often as `times` says."""
    products: Iterable[Entry] = map(operator.mul, values, times)
    return reduce(operator.add, products) / sum(times)


class Values(MutableMapping[Any, Slab], Generic[Slab, N]):
    """The values of one computation, in memory over a store: slabs by node, single values; and openings.

    On disk a slab is stored in *blocks*, one for each length of the order types: a larger game adds
    lengths and changes none, so values stored by the game of seven cards serve the game of eight. In
    memory values are kept up to a number of bytes; the least recently used leave first.

    Slabs of a whole game are written to the store. Slabs of the few pairs of hands of a position are
    not written, but are read from the store where it holds those of a whole game. Without a store, what
    does not fit into `memory_bytes` stays, too.
    """

    def __init__(
        self,
        types: tuple[Layer, ...],
        rules: Rules,
        system: System[Slab, N],
        store: Store | None = None,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self.types, self.rules, self.system = types, rules, system
        self.store, self.memory_bytes = store, memory_bytes
        self._prefix = f"{rules.key} {system.name}"
        self._writable = store is not None and not store.read_only
        self._kept: OrderedDict[Node | Single, Slab] = OrderedDict()
        self._unsaved: set[Node | Single] = set()
        self._bytes = self._trimmed = 0
        self._openings: dict[tuple[Prizes, Upcard], Play[N]] = {}

    def __getitem__(self, node: Node | Single) -> Slab:
        slab = self._kept.get(node)
        if slab is not None:
            self._kept.move_to_end(node)
            return slab
        blocks = []
        for _, block in self._blocks(node):
            if block is None:
                raise KeyError(node)
            blocks.append(block)
        slab = joined(blocks)
        self._keep(node, slab)
        return slab

    def __setitem__(self, node: Node | Single, slab: Slab) -> None:
        saved = self._writable
        if self.store is not None and self._writable:
            for key, (span, whole) in self._keys(node).items():
                # A block of a position lacks pairs of hands that the store's entry would have to hold.
                if span.stop - span.start < whole:
                    saved = False
                elif key not in self.store:
                    block = slab.select(range(span.start, span.stop))
                    self.store.put(key, self.system.pack_slab(block))
        self._keep(node, slab)
        if not saved:
            self._unsaved.add(node)

    def __delitem__(self, node: Node | Single) -> None:
        self._bytes -= self.system.nbytes(self._kept.pop(node))
        self._unsaved.discard(node)

    def __contains__(self, node: object) -> bool:
        if node in self._kept:
            return True
        if self.store is None or not isinstance(node, Node | Single):
            return False
        return all(key in self.store for key in self._keys(node))

    def __iter__(self) -> Iterator[Node | Single]:
        return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def layer(self, node: Node | Single) -> Layer:
        """Return the pairs of hands whose values are kept for a node: all, or one of a single value."""
        if isinstance(node, Single):
            return self.layer(node.node).part(slice(node.h, node.h + 1))
        return self.types[len(node.prizes)]

    def singles(self, node: Node) -> list[Single]:
        """List the values of a node that are known singly."""
        singles = (Single(node, h) for h in range(len(self.layer(node))))
        return [single for single in singles if single in self]

    def turns(self, node: Node | Single) -> list[Turn]:
        """List the games whose mean is a value of a node."""
        return turns(self.rules, node.node if isinstance(node, Single) else node)

    def weight(self, task: Node | Single | Upcard) -> int:
        """Estimate the work of a slab, or of an opening, which asks for many values of the layer below.

        The work is the number of games times the cost of one.
        """
        size, pairs = len(self.types) - 1, len(self.types[-2])
        if isinstance(task, Node):
            size, pairs = len(task.prizes), len(self.layer(task))
        games = (pairs + 1) * (1 if self.rules.hidden else size + 1)
        return games * int(self.system.cost_growth**size)

    def sweep(
        self, games: Iterable[Turn], progress: Progress | None = None, *, preview: bool = False
    ) -> Self:
        """Compute the slabs that games lead to and that are not known, smallest first.

        Args:
            games: the games of one position, or of several.
            progress: called as progress(done, total), in any unit.
            preview: of the slabs that the games themselves look at, evaluate only values that are asked for.
                These have by far the longest numbers, and a game needs few of them.
        """
        games = list(games)
        todo = missing(games, self.rules, self)
        previewed = looked_at(games) if preview else ()
        for node in tracked(todo, progress, self.weight) if todo else ():
            if node in previewed:
                self._keep(node, self.system.slab(self.layer(node), self.turns(node), self, node))
                self._unsaved.add(node)
            else:
                self.fill(node)
        return self

    def fill(self, node: Node | Single) -> None:
        """Compute the blocks of a slab that are not on file, from the slabs one prize smaller."""
        layer, following, blocks = self.layer(node), self.turns(node), self._blocks(node)
        if all(block is None for _, block in blocks):
            self[node] = self.system.slab(layer, following, self)
            return
        filled = [
            self.system.slab(layer.part(span), following, self) if block is None else block
            for span, block in blocks
        ]
        self[node] = joined(filled)

    def release(self, nodes: Iterable[Node]) -> None:
        """Drop slabs from memory."""
        for node in nodes:
            if node in self._kept:
                del self[node]

    def trim(self) -> None:
        """Drop the least recently used values between two questions, also those that are in no store.

        If values exceed the bound, half of the bound is kept. The bound grows to twice the most that one
        question has added.
        """
        self.memory_bytes = max(self.memory_bytes, 2 * (self._bytes - self._trimmed))
        if self._bytes > self.memory_bytes:
            for oldest in self:
                if 2 * self._bytes <= self.memory_bytes:
                    break
                del self[oldest]
        self._trimmed = self._bytes

    def opening(self, prizes: Prizes, upcard: Upcard) -> Play[N] | None:
        """Return the opening of the game for `prizes` at an upcard, or None if it is not known."""
        if (prizes, upcard) not in self._openings:
            key = self._opening_key(prizes, upcard)
            opening = self._read(key, self.system.unpack_opening, len(prizes))
            if opening is not None:
                self._openings[prizes, upcard] = opening
        return self._openings.get((prizes, upcard))

    def keep_opening(self, prizes: Prizes, upcard: Upcard, opening: Play[N]) -> None:
        """Keep an opening, on file if there is one, else in memory."""
        payload = self.system.pack_opening(opening)
        if self.store is not None and self._writable:
            self.store.put(self._opening_key(prizes, upcard), payload)
        else:
            self._openings[prizes, upcard] = self.system.unpack_opening(payload)

    def entries(self, node: Node | Single) -> dict[str, bytes]:
        """Return the entries of the store, {key: payload}, that hold the values of a node."""
        if self.store is None:
            return {}
        payloads = {key: self.store.get(key) for key in self._keys(node)}
        return {key: payload for key, payload in payloads.items() if payload is not None}

    def _keep(self, node: Node | Single, slab: Slab) -> None:
        if node in self._kept:
            del self[node]
        self._kept[node] = slab
        self._bytes += self.system.nbytes(slab)
        if self._bytes <= self.memory_bytes:
            return
        # Values that are in no store would have to be computed again, so they stay.
        for oldest in list(self._kept):
            if self._bytes <= self.memory_bytes:
                break
            if oldest != node and oldest not in self._unsaved:
                del self[oldest]

    def _keys(self, node: Node | Single) -> dict[str, tuple[slice, int]]:
        """Return {key of a block in the store: its span in the node's layer, how many values it has}."""
        prizes, (margin, pot) = node.node if isinstance(node, Single) else node
        subject = ",".join(map(str, prizes))
        subject += (f" margin {margin}" if margin else "") + (f" pot {pot}" if pot else "")
        layer, keys = self.layer(node), dict[str, tuple[slice, int]]()
        if isinstance(node, Single):
            (word,) = layer.words()
            return {f"{self._prefix} value {subject} of {word}": (slice(0, 1), 1)}
        for length, span in layer.lengths.items():
            # Where equal hands are among the pairs, they are the only ones of their length.
            whole = max(span.stop - span.start, pair_count(layer.size, length))
            keys[f"{self._prefix} values {subject} length {length}"] = span, whole
        return keys

    def _opening_key(self, prizes: Prizes, upcard: Upcard) -> str:
        turned = "hidden" if upcard is None else upcard
        usual = not self.rules.fixed and prizes == tuple(range(1, len(prizes) + 1))
        order = "" if usual else f" of {','.join(map(str, prizes))}"
        return f"{self._prefix} opening {len(prizes)} upcard {turned}{order}"

    def _blocks(self, node: Node | Single) -> list[tuple[slice, Slab | None]]:
        """List the blocks of a node's slab: the span in its layer, the values from the file or None."""
        layer, blocks = self.layer(node), list[tuple[slice, Slab | None]]()
        for key, (span, whole) in self._keys(node).items():
            block = self._read(key, self.system.unpack_slab, whole)
            if block is not None and span.stop - span.start < whole:
                # The entry holds all pairs of this length, the layer of a position a few of them.
                part = layer.part(span)
                pairs = list(zip(part.one.tolist(), part.two.tolist(), strict=True))
                stored = all_pairs(layer.size, (pairs[0][0] | pairs[0][1]).bit_count())
                index = {pair: h for h, pair in enumerate(stored)}
                block = block.select([index[pair] for pair in pairs])
            blocks.append((span, block))
        return blocks

    def _read(self, key: str, unpack: Callable[[bytes], Read], count: int) -> Read | None:
        """Return an entry of the store, None if there is none.

        Raises:
            StoreError: if the entry cannot be read, or has not `count` numbers.
        """
        payload = None if self.store is None else self.store.get(key)
        if self.store is None or payload is None:
            return None
        damaged = f"{self.store.path} is damaged at entry {key!r}"
        try:
            content = unpack(payload)
        except (ValueError, ArithmeticError) as error:
            raise StoreError(f"{damaged}: {error}") from error
        numbers = len(content.row if isinstance(content, Play) else content)
        if numbers != count:
            raise StoreError(f"{damaged}: expected {count} numbers, got {numbers}")
        return content
