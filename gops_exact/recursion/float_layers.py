"""Float values by layers: all slabs of one size as one array, in memory or in a mapped file.

The line of a pair of hands holds its values for every prize set and state, so the games of one pair
lie side by side (see :mod:`~gops_exact.recursion.float_columns`), and a run of lines is what one
task writes. Values are floats, or integers times a unit: half the room, for games that are large.

In a folder each layer is one mapped file of values with a journal beside it. A task's record is
appended once its lines are on disk: what it found, and a checksum of record and lines. The last
record of a layer is its bounds. A run killed at any moment goes on from its last record; a torn
record is dropped, damaged lines raise.
"""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact.recursion.float_columns import Columns
from gops_exact.rules import LEVEL, Prizes, Rules, State

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Stored = NDArray[np.float64] | NDArray[np.int32]

DIGEST = 16
"""Bytes of a checksum."""

COUNTS = 5
"""Counters a task returns, in the order of :mod:`~gops_exact.recursion.float_settle`."""

FIXED = 2.0**-30
"""The unit of values kept as integers, which lie from −1 to 1."""



class Done(NamedTuple):
    """What a task found besides values.

    Attributes:
        start: first pair of hands.
        stop: past the last one.
        half_widths: for each prize set the largest half width of a value.
        counts: length :data:`COUNTS`.
        digest: the checksum, if another process wrote the lines, and took it.
    """

    start: int
    stop: int
    half_widths: Floats
    counts: Ints
    digest: bytes | None = None


@dataclass(frozen=True, eq=False)
class FloatLayer:
    """The values of every pair of hands, prize set and state of one size, each with its bound.

    Attributes:
        columns: what the columns are.
        values: shape (H, W), a line a pair of hands; in points, or in wins less losses, times
            `unit`.
        bounds: length C(N, k); no value for that prize set is off by more.
        counts: length :data:`COUNTS`; games whose bracket stayed wide, that were solved by the
            robust path, that were solved by a simplex; guesses tried on single games; lanes a
            guess was tried on. In this layer and those below it.
        greatest: the largest value in size.
    """

    columns: Columns
    values: Stored
    bounds: Floats
    counts: Ints
    greatest: float

    @property
    def size(self) -> int:
        """Cards a side, k."""
        return self.columns.size

    @property
    def sets(self) -> tuple[Prizes, ...]:
        """The prize sets, in lexicographic order."""
        return self.columns.sets

    @property
    def unit(self) -> float:
        """What a stored 1 stands for."""
        return unit_of(self.values)

    def slab(self, prizes: Prizes, state: State = LEVEL) -> Floats:
        """The values of one prize set and state, length H.

        Raises:
            KeyError: if there are none: the state is decided, or not of these rules.
        """
        return self.values[:, self.columns.column(prizes, state)] * self.unit

    def value(self, pair: int, prizes: Prizes, state: State = LEVEL) -> float:
        """One value; see :meth:`slab`."""
        return float(self.values[pair, self.columns.column(prizes, state)]) * self.unit

    def bound(self, prizes: Prizes) -> float:
        """The bound of one prize set."""
        return float(self.bounds[self.columns.place[prizes]])


def unit_of(values: Stored) -> float:
    """What a stored 1 stands for: 1, or :data:`FIXED` in integers."""
    return FIXED if values.dtype == np.int32 else 1.0


def layer_name(n: int, k: int, rules: Rules) -> str:
    """The name of a layer's files, without suffix.

    >>> layer_name(8, 3, Rules()), layer_name(8, 3, Rules("win"))
    ('float-8-03', 'float-win-discard-random-8-03')
    """
    prizes = rules.prizes if isinstance(rules.prizes, str) else ".".join(map(str, rules.prizes))
    words = "" if rules == Rules() else f"{rules.objective}-{rules.ties}-{prizes}-"
    return f"float-{words}{n}-{k:02}"


class LayerFile:
    """The lines of a layer under way, in a mapped file.

    Args:
        folder: where the file is; made if missing.
        name: of the file, without suffix.
        shape: of the values, (H, W).
        sets: prize sets, each with its bound.
        integers: whether values are kept as integers.

    Raises:
        ValueError: if the file has another size.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        shape: tuple[int, int],
        sets: int | None = None,
        *,
        integers: bool = False,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"{name}.values"
        self.journal = self.path.with_suffix(".journal")
        self.bounds = self.path.with_suffix(".bounds")
        self._sets = shape[1] if sets is None else sets
        kind = np.dtype(np.int32 if integers else np.float64)
        nbytes = kind.itemsize * shape[0] * shape[1]
        new = not self.path.exists()
        if new:
            self.journal.unlink(missing_ok=True)
            self.bounds.unlink(missing_ok=True)
        elif self.path.stat().st_size != nbytes:
            raise ValueError(
                f"{self.path} must be {nbytes} bytes long, got {self.path.stat().st_size}"
            )
        self._file = np.memmap(self.path, kind, "w+" if new else "r+", shape=shape)
        self.values: Stored = np.asarray(self._file)

    def anew(self) -> "LayerFile":
        """The same file, opened once more."""
        return LayerFile(
            self.path.parent,
            self.path.stem,
            self.values.shape,
            self._sets,
            integers=self.values.dtype == np.int32,
        )

    def finished(self) -> list[Done]:
        """The tasks that are done, after checking their lines.

        Raises:
            ValueError: if lines are not as they were written.
        """
        sets = self._sets
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
        if done.digest is None:
            self._file.flush()
        with self.journal.open("ab") as file:
            file.write(_record(done) + (done.digest or self._digest(done)))

    def complete(self, layer: FloatLayer) -> None:
        """Write the bounds of the finished layer."""
        record = _record(Done(0, len(layer.values), layer.bounds, layer.counts))
        record += np.float64(layer.greatest).tobytes()
        fresh = self.bounds.with_suffix(".fresh")
        fresh.write_bytes(record + blake2b(record, digest_size=DIGEST).digest())
        fresh.replace(self.bounds)

    def completed(self, columns: Columns, *, trusted: bool = False) -> FloatLayer | None:
        """The finished layer, after checking every byte; None if it is not finished.

        Args:
            columns: what the columns are.
            trusted: check nothing but the bounds.

        Raises:
            ValueError: if it is damaged.
        """
        if not self.bounds.exists():
            return None
        record, digest = _split(self.bounds.read_bytes())
        whole = len(record) == 8 * (3 + COUNTS + self._sets)
        if not trusted:
            lines = sum(done.stop - done.start for done in self.finished())
            whole = whole and lines == len(self.values)
        if not whole or digest != blake2b(record, digest_size=DIGEST).digest():
            raise ValueError(f"{self.bounds} is damaged; delete it to start this layer anew")
        counts = np.frombuffer(record, np.int64, COUNTS, 16).copy()
        bounds = np.frombuffer(record, np.float64, self._sets, 8 * (2 + COUNTS)).copy()
        (greatest,) = np.frombuffer(record, np.float64, 1, len(record) - 8).tolist()
        return FloatLayer(columns, self.values, bounds, counts, greatest)

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
        return checksum(done, self.values[done.start : done.stop])


def checksum(done: Done, lines: Stored) -> bytes:
    """The checksum of a finished task: of its record and its lines."""
    digest = blake2b(_record(done), digest_size=DIGEST)
    digest.update(lines.data.cast("B"))
    return digest.digest()


def _record(done: Done) -> bytes:
    integers = np.array([done.start, done.stop, *done.counts.tolist()], dtype=np.int64)
    return integers.tobytes() + done.half_widths.tobytes()


def _split(record: bytes) -> tuple[bytes, bytes]:
    """A record and its checksum."""
    return record[:-DIGEST], record[-DIGEST:]
