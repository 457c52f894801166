"""Float values by layers: all slabs of one size as one array, in memory or in a mapped file.

The line of a pair of hands holds its values for every prize set, so the games of one pair at one
upcard lie side by side (see :mod:`~gops_exact.recursion.float_kernels`), and a run of lines is what
one task writes.

In a folder each layer is one mapped file of values with a journal beside it. A task's record is
appended once its lines are on disk: what it found, and a checksum of record and lines. The last
record of a layer is its bounds. A run killed at any moment goes on from its last record; a torn
record is dropped, damaged lines raise.
"""

from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gops_exact.recursion.lattice import Prizes

if TYPE_CHECKING:
    from gops_exact.recursion.float_kernels import Floats, Ints

DIGEST = 16
"""Bytes of a checksum."""

COUNTS = 5
"""Counters a task returns, in the order of :mod:`~gops_exact.recursion.float_kernels`."""


class Done(NamedTuple):
    """What a task found besides values.

    Attributes:
        start: first pair of hands.
        stop: past the last one.
        half_widths: length C(N, k); for each prize set the largest half width of a value.
        counts: length :data:`COUNTS`.
    """

    start: int
    stop: int
    half_widths: "Floats"
    counts: "Ints"


@dataclass(frozen=True, eq=False)
class FloatLayer:
    """The values of every pair of hands and every prize set of one size, each with its bound.

    Attributes:
        size: cards a side, k.
        sets: the prize sets, in lexicographic order.
        values: shape (H, C(N, k)); f(V, Y, P) in points, a line a pair of hands.
        bounds: length C(N, k); no value for that prize set is off by more, in points.
        counts: length :data:`COUNTS`; games whose bracket stayed wide, that were solved by the
            robust path, that were solved by a simplex; guesses tried on single games; lanes a
            guess was tried on. In this layer and those below it.
        greatest: the largest value in size.
    """

    size: int
    sets: tuple[Prizes, ...]
    values: "Floats"
    bounds: "Floats"
    counts: "Ints"
    greatest: float

    def slab(self, prizes: Prizes) -> "Floats":
        """The values of one prize set, length H."""
        return self.values[:, self.sets.index(prizes)]

    def bound(self, prizes: Prizes) -> float:
        """The bound of one prize set."""
        return float(self.bounds[self.sets.index(prizes)])


class LayerFile:
    """The lines of a layer under way, in a mapped file.

    Args:
        folder: where the file is; made if missing.
        name: of the file, without suffix.
        shape: of the values, (H, C(N, k)).

    Raises:
        ValueError: if the file has another size.
    """

    def __init__(self, folder: Path, name: str, shape: tuple[int, int]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.values"
        self.journal = self.path.with_suffix(".journal")
        self.bounds = self.path.with_suffix(".bounds")
        nbytes = 8 * shape[0] * shape[1]
        new = not self.path.exists()
        if new:
            self.journal.unlink(missing_ok=True)
            self.bounds.unlink(missing_ok=True)
        elif self.path.stat().st_size != nbytes:
            raise ValueError(
                f"{self.path} must be {nbytes} bytes long, got {self.path.stat().st_size}"
            )
        self._file = np.memmap(self.path, np.float64, "w+" if new else "r+", shape=shape)
        self.values: Floats = np.asarray(self._file)

    def finished(self) -> list[Done]:
        """The tasks that are done, after checking their lines.

        Raises:
            ValueError: if lines are not as they were written.
        """
        sets = self.values.shape[1]
        head = 8 * (2 + COUNTS + sets)
        found = []
        for record in self._records(head + DIGEST):
            integers = np.frombuffer(record, np.int64, 2 + COUNTS).copy()
            widths = np.frombuffer(record, np.float64, sets, 8 * (2 + COUNTS)).copy()
            done = Done(int(integers[0]), int(integers[1]), widths, integers[2:])
            if self._digest(done) != record[head:]:
                raise ValueError(
                    f"{self.path} is damaged in lines {done.start} to {done.stop - 1}; "
                    "delete it to start this layer anew"
                )
            found.append(done)
        return found

    def keep(self, done: Done) -> None:
        """Write a finished task's lines to disk, then its record."""
        self._file.flush()
        with self.journal.open("ab") as file:
            file.write(_record(done) + self._digest(done))

    def complete(self, layer: FloatLayer) -> None:
        """Write the bounds of the finished layer."""
        record = _record(Done(0, len(layer.values), layer.bounds, layer.counts))
        record += np.float64(layer.greatest).tobytes()
        fresh = self.bounds.with_suffix(".fresh")
        fresh.write_bytes(record + blake2b(record, digest_size=DIGEST).digest())
        fresh.replace(self.bounds)

    def completed(self, size: int, sets: tuple[Prizes, ...]) -> FloatLayer | None:
        """The finished layer, after checking every byte; None if it is not finished.

        Args:
            size: cards a side.
            sets: the prize sets, in order.

        Raises:
            ValueError: if it is damaged.
        """
        if not self.bounds.exists():
            return None
        record, digest = _split(self.bounds.read_bytes())
        lines = sum(done.stop - done.start for done in self.finished())
        whole = len(record) == 8 * (3 + COUNTS + len(sets)) and lines == len(self.values)
        if not whole or digest != blake2b(record, digest_size=DIGEST).digest():
            raise ValueError(f"{self.bounds} is damaged; delete it to start this layer anew")
        counts = np.frombuffer(record, np.int64, COUNTS, 16).copy()
        bounds = np.frombuffer(record, np.float64, len(sets), 8 * (2 + COUNTS)).copy()
        (greatest,) = np.frombuffer(record, np.float64, 1, len(record) - 8).tolist()
        return FloatLayer(size, sets, self.values, bounds, counts, greatest)

    @staticmethod
    def remove(folder: Path, name: str) -> None:
        """Delete a layer's files, if there are any; values in memory stay valid until let go."""
        for suffix in (".bounds", ".journal", ".values"):
            (folder / f"{name}{suffix}").unlink(missing_ok=True)

    def _records(self, length: int) -> list[bytes]:
        """The whole records of the journal; a torn end is cut off."""
        data = self.journal.read_bytes() if self.journal.exists() else b""
        torn = len(data) % length
        if torn:
            with self.journal.open("r+b") as file:
                file.truncate(len(data) - torn)
        return [data[at : at + length] for at in range(0, len(data) - torn, length)]

    def _digest(self, done: Done) -> bytes:
        digest = blake2b(_record(done), digest_size=DIGEST)
        digest.update(self.values[done.start : done.stop].data.cast("B"))
        return digest.digest()


def _record(done: Done) -> bytes:
    integers = np.array([done.start, done.stop, *done.counts.tolist()], dtype=np.int64)
    return integers.tobytes() + done.half_widths.tobytes()


def _split(record: bytes) -> tuple[bytes, bytes]:
    """A record and its checksum."""
    return record[:-DIGEST], record[-DIGEST:]


@dataclass(frozen=True, eq=False)
class SetTables:
    """How the sets of k prizes and those of k − 1 prizes of the deck 1 … N hang together.

    Sets are numbered in lexicographic order. S = C(N − 1, k − 1).

    Attributes:
        sets: the sets of k prizes.
        below: shape (C(N, k), k), int64; the set left over after each of its prizes, ascending.
        without: shape (N, S), uint32; the sets of k − 1 prizes that lack an upcard.
        joined: shape (N, S), uint32; those sets with the upcard.
    """

    sets: tuple[Prizes, ...]
    below: "Ints"
    without: "np.typing.NDArray[np.uint32]"
    joined: "np.typing.NDArray[np.uint32]"


def set_tables(n: int, k: int) -> SetTables:
    """The tables for sets of k ≥ 1 prizes of a deck of n.

    >>> tables = set_tables(3, 2)
    >>> tables.sets, tables.without.tolist(), tables.joined.tolist()
    (((1, 2), (1, 3), (2, 3)), [[1, 2], [0, 2], [0, 1]], [[0, 1], [0, 2], [1, 2]])
    """
    sets = tuple(combinations(range(1, n + 1), k))
    number = {rest: q for q, rest in enumerate(combinations(range(1, n + 1), k - 1))}
    below = np.empty((len(sets), k), dtype=np.int64)
    pairs: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for s, prizes in enumerate(sets):
        for t, upcard in enumerate(prizes):
            rest = number[prizes[:t] + prizes[t + 1 :]]
            below[s, t] = rest
            pairs[upcard - 1].append((rest, s))
    # Taken in the order of the sets that are left, as they lie in memory.
    table = np.array([sorted(each) for each in pairs], dtype=np.uint32)
    without, joined = table[:, :, 0], table[:, :, 1]
    return SetTables(sets, below, np.ascontiguousarray(without), np.ascontiguousarray(joined))
