"""The values of one computation: slabs by node, in memory over a file.

On disk a slab is stored in *blocks*, one for each length of the order types: a larger game adds
lengths and changes none, so values stored by the game of seven cards serve the game of eight. In
memory slabs are kept up to a number of bytes; the least recently used leave first.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sized
from typing import Generic, TypeVar

from gops_exact.game.game import Node, Turn, turns
from gops_exact.game.order_types import Layer, all_pairs, pair_count
from gops_exact.game.rules import Prizes, Rules, Upcard
from gops_exact.lattice.sweep import Slab, System, missing
from gops_exact.matrix_game.play import N, Play
from gops_exact.progress import Progress, tracked
from gops_exact.store import DiskStore, MemoryStore, StoreError

Read = TypeVar("Read")

Store = DiskStore | MemoryStore

MEMORY_BYTES = 1 << 30
"""Default bound on the slabs kept in memory."""


class Values(MutableMapping[Node, Slab], Generic[Slab, N]):
    """Slabs of the pairs of hands in `types`, by node, and openings by deck and upcard.

    Slabs of a whole game are written to the store. Slabs of the few pairs of hands of a position are
    not written, but are read from the store where it holds those of a whole game.

    Args:
        types: the pairs of hands the slabs are for.
        rules: the rules they are played by.
        system: the number system of the slabs.
        store: the open file, or what stands for it; None for memory alone.
        memory_bytes: memory for slabs; those that are not in the file always stay.
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
        self._kept: OrderedDict[Node, Slab] = OrderedDict()
        self._unsaved: set[Node] = set()
        self._bytes = 0
        self._openings: dict[tuple[Prizes, Upcard], Play[N]] = {}
        self._singles: dict[Node, _Singles[Slab, N]] = {}

    def __getitem__(self, node: Node) -> Slab:
        slab = self._kept.get(node)
        if slab is not None:
            self._kept.move_to_end(node)
            return slab
        blocks = list(self._blocks(node).values())
        found = [block for block in blocks if block is not None]
        if len(found) < len(blocks):
            raise KeyError(node)
        slab = self.system.join(found)
        self._keep(node, slab)
        return slab

    def __setitem__(self, node: Node, slab: Slab) -> None:
        saved = self._write(node, slab)
        self._keep(node, slab)
        if not saved:
            self._unsaved.add(node)

    def __delitem__(self, node: Node) -> None:
        self._bytes -= self.system.nbytes(self._kept.pop(node))
        self._unsaved.discard(node)

    def __contains__(self, node: object) -> bool:
        if node in self._kept:
            return True
        if self.store is None or not isinstance(node, Node):
            return False
        lengths = self.layer(node).lengths()
        return all(self._key(node, length) in self.store for length in lengths)

    def __iter__(self) -> Iterator[Node]:
        return iter(list(self._kept))

    def __len__(self) -> int:
        return len(self._kept)

    def layer(self, node: Node) -> Layer:
        """Return the pairs of hands whose values the slab of a node holds."""
        return self.types[len(node.prizes)]

    def weight(self, node: Node) -> int:
        """Estimate the work of a slab."""
        return self.system.weight(len(self.layer(node)), len(node.prizes), self.rules)

    def sweep(self, games: Iterable[Turn], progress: Progress | None = None) -> None:
        """Compute the slabs that games lead to, as far as they are not known, smallest first."""
        todo = missing(games, self.rules, self)
        if todo:
            for node in tracked(todo, progress, self.weight):
                self.fill(node)

    def fill(self, node: Node) -> None:
        """Compute the blocks of a slab that are not on file, from the slabs one prize smaller."""
        layer, following = self.layer(node), turns(self.rules, node)
        blocks = self._blocks(node)
        if all(block is None for block in blocks.values()):
            self[node] = self.system.slab(layer, following, self)
            return
        places = layer.lengths()
        self[node] = self.system.join(
            [
                self.system.slab(layer.part(places[length]), following, self)
                if block is None
                else block
                for length, block in blocks.items()
            ]
        )

    def preview(self, node: Node) -> Slab:
        """Return a slab that one game looks at: whole if it is known, else as far as it is asked for."""
        if node in self:
            return self[node]
        following = turns(self.rules, node)
        return self.system.preview(self.layer(node), following, self, self.singles(node))

    def opening(self, prizes: Prizes, upcard: Upcard) -> Play[N] | None:
        """Return the opening of the game for `prizes` at an upcard, or None if it is not known."""
        if (prizes, upcard) not in self._openings and self.store is not None:
            key = self._opening_key(prizes, upcard)
            opening = _read_entry(self.store, key, self.system.unpack_opening)
            if opening is not None:
                _check_count(self.store, key, opening.row, len(prizes))
                self._openings[prizes, upcard] = opening
        return self._openings.get((prizes, upcard))

    def keep_opening(self, prizes: Prizes, upcard: Upcard, opening: Play[N]) -> None:
        """Keep an opening, on file if there is one, else in memory."""
        payload = self.system.pack_opening(opening)
        if self.store is None or self.store.read_only:
            self._openings[prizes, upcard] = self.system.unpack_opening(payload)
        else:
            self.store.put(self._opening_key(prizes, upcard), payload)

    def singles(self, node: Node) -> MutableMapping[int, Slab]:
        """Return the values of `node` kept singly, each as a slab of one, by place in the layer."""
        if self.store is not None and not self.store.read_only:
            return _Singles(self, node)
        return self._singles.setdefault(node, _Singles(self, node))

    def entries(self, node: Node, place: int | None = None) -> dict[str, bytes]:
        """Return the entries of the store, {key: payload}, that hold a slab, or one value of it."""
        layer = self.layer(node)
        if place is None:
            keys = [self._key(node, length) for length in layer.lengths()]
        else:
            keys = [self.single_key(node, layer.words()[place])]
        payloads = {key: None if self.store is None else self.store.get(key) for key in keys}
        return {key: payload for key, payload in payloads.items() if payload is not None}

    def single_key(self, node: Node, word: str) -> str:
        """Return the name of one value in the store."""
        return f"{self._prefix} value {_subject(node)} of {word}"

    def _keep(self, node: Node, slab: Slab) -> None:
        if node in self._kept:
            del self[node]
        self._kept[node] = slab
        self._bytes += self.system.nbytes(slab)
        for oldest in list(self._kept):
            if self._bytes <= self.memory_bytes:
                break
            if oldest != node and oldest not in self._unsaved:
                del self[oldest]

    def _key(self, node: Node, length: int) -> str:
        return f"{self._prefix} values {_subject(node)} length {length}"

    def _opening_key(self, prizes: Prizes, upcard: Upcard) -> str:
        turned = "hidden" if upcard is None else upcard
        order = f" of {_listed(prizes)}" if self.rules.fixed else ""
        return f"{self._prefix} opening {len(prizes)} upcard {turned}{order}"

    def _blocks(self, node: Node) -> dict[int, Slab | None]:
        """Return {length of the word: the values of its pairs from the file, None if it lacks them}."""
        layer, blocks = self.layer(node), dict[int, Slab | None]()
        for length, place in layer.lengths().items():
            here, whole = place.stop - place.start, pair_count(layer.size, length)
            key = self._key(node, length)
            block = _read_entry(self.store, key, self.system.unpack_slab)
            if block is not None:
                _check_count(self.store, key, block, max(here, whole))  # whole: no equal hands
                if here < whole:
                    block = self.system.select(block, _places(layer, length, place))
            blocks[length] = block
        return blocks

    def _write(self, node: Node, slab: Slab) -> bool:
        """Write the slab's blocks; False if they cannot all be written, being incomplete."""
        if self.store is None or self.store.read_only:
            return False
        layer = self.layer(node)
        complete = True
        for length, place in layer.lengths().items():
            if place.stop - place.start < pair_count(layer.size, length):
                complete = False
            elif (key := self._key(node, length)) not in self.store:
                block = self.system.select(slab, range(place.start, place.stop))
                self.store.put(key, self.system.pack_slab(block))
        return complete


class _Singles(dict[int, Slab], Generic[Slab, N]):
    """Single values of one node by place, in memory over the store."""

    def __init__(self, values: Values[Slab, N], node: Node) -> None:
        self._system, self._store = values.system, values.store
        self._keys = [values.single_key(node, word) for word in values.layer(node).words()]

    def __missing__(self, place: int) -> Slab:
        slab = _read_entry(self._store, self._keys[place], self._system.unpack_slab)
        if slab is None:
            raise KeyError(place)
        _check_count(self._store, self._keys[place], slab, 1)
        super().__setitem__(place, slab)
        return slab

    def __setitem__(self, place: int, slab: Slab) -> None:
        if self._store is not None and not self._store.read_only:
            self._store.put(self._keys[place], self._system.pack_slab(slab))
        super().__setitem__(place, slab)

    def __contains__(self, place: object) -> bool:
        known = super().__contains__(place)
        if not known and self._store is not None and isinstance(place, int):
            return self._keys[place] in self._store
        return known


def _read_entry(store: Store | None, key: str, unpack: Callable[[bytes], Read]) -> Read | None:
    """Return an entry of the store, None if there is no such entry; a StoreError if it is damaged."""
    payload = None if store is None else store.get(key)
    if store is None or payload is None:
        return None
    try:
        return unpack(payload)
    except (ValueError, ArithmeticError) as error:
        raise StoreError(f"{store.path} is damaged at entry {key!r}: {error}") from error


def _check_count(store: Store | None, key: str, found: Sized, count: int) -> None:
    """Raise StoreError unless an entry holds so many numbers."""
    if store is not None and len(found) != count:
        raise StoreError(
            f"{store.path} is damaged at entry {key!r}: expected {count} numbers, got {len(found)}"
        )


def _listed(prizes: Prizes) -> str:
    return ",".join(map(str, prizes))


def _subject(node: Node) -> str:
    """Return a node as text: the prizes, and what of the state is not zero."""
    margin, pot = node.state
    return (
        _listed(node.prizes)
        + (f" margin {margin}" if margin else "")
        + (f" pot {pot}" if pot else "")
    )


def _places(layer: Layer, length: int, place: slice) -> list[int]:
    """Return the places of the pairs of `layer` at `place` among all pairs of that length."""
    index = {pair: n for n, pair in enumerate(all_pairs(layer.size, length))}
    ones, twos = layer.one[place].tolist(), layer.two[place].tolist()
    return [index[pair] for pair in zip(ones, twos, strict=True)]
