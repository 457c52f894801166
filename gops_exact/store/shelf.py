"""The memo of one computation: slabs by prize set, in memory over a file.

On disk a slab lies in *blocks*, one for each length of the order types, because a length is all
that a larger game adds: what the game of seven cards stored serves the game of eight as it stands.
In memory slabs are kept up to a number of bytes, the least recently used leaving first.
"""

from collections import OrderedDict
from collections.abc import Iterator, MutableMapping
from typing import Generic

from gops_exact.order_types import Layer, OrderTypes, all_pairs, pair_count
from gops_exact.recursion.lattice import Arithmetic, Opening, Prizes, Slab
from gops_exact.rules import Rules
from gops_exact.store.disk import DiskStore

MEMORY_BYTES = 1 << 30
"""Default bound on the slabs kept in memory."""


class Shelf(MutableMapping[Prizes, Slab], Generic[Slab, Opening]):
    """Slabs of the pairs of hands in `types`, by prize set, and openings by deck and upcard.

    Slabs of a whole game are written to the store. Those of a position's own few pairs of hands
    are not, but are read from it where a whole game has been there before.

    Args:
        types: the pairs of hands the slabs are for.
        rules: the rules they are played by.
        arithmetic: the number system of the slabs.
        store: the file behind, or None for memory alone.
        memory_bytes: how much to keep in memory; slabs that are nowhere else always stay.
    """

    def __init__(
        self,
        types: OrderTypes,
        rules: Rules,
        arithmetic: Arithmetic[Slab, Opening],
        store: DiskStore | None = None,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        self.types = types
        self.arithmetic = arithmetic
        self.store = store
        self.memory_bytes = memory_bytes
        self._prefix = f"{rules.key} {arithmetic.name}"
        self._kept: OrderedDict[Prizes, Slab] = OrderedDict()
        self._unsaved: set[Prizes] = set()
        self._bytes = 0
        self._openings: dict[tuple[int, int], Opening] = {}

    def __getitem__(self, prizes: Prizes) -> Slab:
        slab = self._kept.get(prizes)
        if slab is not None:
            self._kept.move_to_end(prizes)
            return slab
        slab = self._read(prizes)
        if slab is None:
            raise KeyError(prizes)
        self._keep(prizes, slab)
        return slab

    def __setitem__(self, prizes: Prizes, slab: Slab) -> None:
        saved = self._write(prizes, slab)
        self._keep(prizes, slab)
        if not saved:
            self._unsaved.add(prizes)

    def __delitem__(self, prizes: Prizes) -> None:
        self._bytes -= self.arithmetic.nbytes(self._kept.pop(prizes))
        self._unsaved.discard(prizes)

    def __contains__(self, prizes: object) -> bool:
        if prizes in self._kept:
            return True
        if self.store is None or not isinstance(prizes, tuple):
            return False
        lengths = self.types.layers[len(prizes)].lengths()
        return all(self._key(prizes, length) in self.store for length in lengths)

    def __iter__(self) -> Iterator[Prizes]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)

    def fill(self, prizes: Prizes) -> None:
        """Compute a slab from those one prize smaller: the blocks of it that are not on file."""
        layer = self.types.layers[len(prizes)]
        blocks = []
        for length, place in layer.lengths().items():
            block = self._read_block(prizes, length, place)
            if block is None:
                block = self.arithmetic.slab(layer.part(place), prizes, self)
            blocks.append(block)
        self[prizes] = self.arithmetic.join(blocks)

    def opening(self, n: int, upcard: int) -> Opening | None:
        """The opening of the game of n cards at an upcard, or None if it is not known."""
        if (n, upcard) not in self._openings and self.store is not None:
            payload = self.store.get(self._opening_key(n, upcard))
            if payload is not None:
                self._openings[n, upcard] = self.arithmetic.unpack_opening(payload)
        return self._openings.get((n, upcard))

    def keep_opening(self, n: int, upcard: int, opening: Opening) -> None:
        """Keep an opening, on file if there is one."""
        self._openings[n, upcard] = opening
        if self.store is not None and not self.store.read_only:
            self.store.put(self._opening_key(n, upcard), self.arithmetic.pack_opening(opening))

    def singles(self, prizes: Prizes) -> MutableMapping[int, Slab]:
        """Values of `prizes` kept one by one, each as a slab of one, by their place in the layer."""
        return _Singles(self, prizes)

    def _keep(self, prizes: Prizes, slab: Slab) -> None:
        if prizes in self._kept:
            del self[prizes]
        self._kept[prizes] = slab
        self._bytes += self.arithmetic.nbytes(slab)
        for oldest in list(self._kept):
            if self._bytes <= self.memory_bytes:
                break
            if oldest != prizes and oldest not in self._unsaved:
                del self[oldest]

    def _key(self, prizes: Prizes, length: int) -> str:
        return f"{self._prefix} values {','.join(map(str, prizes))} length {length}"

    def single_key(self, prizes: Prizes, word: str) -> str:
        """The name of one value in the store."""
        return f"{self._prefix} value {','.join(map(str, prizes))} of {word}"

    def _opening_key(self, n: int, upcard: int) -> str:
        return f"{self._prefix} opening {n} upcard {upcard}"

    def _read(self, prizes: Prizes) -> Slab | None:
        if self.store is None:
            return None
        blocks = []
        for length, place in self.types.layers[len(prizes)].lengths().items():
            block = self._read_block(prizes, length, place)
            if block is None:
                return None
            blocks.append(block)
        return self.arithmetic.join(blocks)

    def _read_block(self, prizes: Prizes, length: int, place: slice) -> Slab | None:
        """The values of the pairs at `place`, which are those of one length, from the file."""
        payload = None if self.store is None else self.store.get(self._key(prizes, length))
        if payload is None:
            return None
        block = self.arithmetic.unpack_slab(payload)
        layer = self.types.layers[len(prizes)]
        if place.stop - place.start < pair_count(layer.size, length):
            block = self.arithmetic.select(block, _places(layer, length, place))
        return block

    def _write(self, prizes: Prizes, slab: Slab) -> bool:
        """Write the slab's blocks; False if they cannot all be written, being incomplete."""
        if self.store is None or self.store.read_only:
            return False
        layer = self.types.layers[len(prizes)]
        complete = True
        for length, place in layer.lengths().items():
            if place.stop - place.start < pair_count(layer.size, length):
                complete = False
            elif (key := self._key(prizes, length)) not in self.store:
                block = self.arithmetic.select(slab, range(place.start, place.stop))
                self.store.put(key, self.arithmetic.pack_slab(block))
        return complete


class _Singles(MutableMapping[int, Slab], Generic[Slab, Opening]):
    """Single values of one prize set, in memory over the store."""

    def __init__(self, shelf: Shelf[Slab, Opening], prizes: Prizes) -> None:
        layer = shelf.types.layers[len(prizes)]
        self._arithmetic = shelf.arithmetic
        self._store = shelf.store
        self._keys = [shelf.single_key(prizes, text) for text in layer.words()]
        self._kept: dict[int, Slab] = {}

    def __getitem__(self, place: int) -> Slab:
        if place not in self._kept:
            payload = None if self._store is None else self._store.get(self._keys[place])
            if payload is None:
                raise KeyError(place)
            self._kept[place] = self._arithmetic.unpack_slab(payload)
        return self._kept[place]

    def __setitem__(self, place: int, slab: Slab) -> None:
        if self._store is not None and not self._store.read_only:
            self._store.put(self._keys[place], self._arithmetic.pack_slab(slab))
        self._kept[place] = slab

    def __delitem__(self, place: int) -> None:
        del self._kept[place]

    def __contains__(self, place: object) -> bool:
        known = place in self._kept
        if not known and self._store is not None and isinstance(place, int):
            return self._keys[place] in self._store
        return known

    def __iter__(self) -> Iterator[int]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


def _places(layer: Layer, length: int, place: slice) -> list[int]:
    """Where the pairs of `layer` at `place` stand among all pairs of that length."""
    index = {pair: n for n, pair in enumerate(all_pairs(layer.size, length))}
    ones, twos = layer.one[place].tolist(), layer.two[place].tolist()
    return [index[pair] for pair in zip(ones, twos, strict=True)]
