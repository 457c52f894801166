"""A layer of floats in a folder: a mapped file of values, with a journal beside it.

A task's record is appended to the journal once its lines are on disk: what it found, and a checksum
of record and lines. The last record of a layer is its bounds. A run killed at any moment goes on
from its last record; a torn record is dropped, damaged lines raise.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import numpy as np

from gops_exact.game.rules import Rules
from gops_exact.layers.columns import Columns
from gops_exact.layers.layer import COUNTS, Done, FloatLayer, Stored

SCHEMA = "float"
"""What names begin with. It changes with the division into blocks, the counters and the records, so
that files of before are left alone."""

DIGEST = 16
"""Bytes of a checksum."""


def layer_name(n: int, k: int, rules: Rules) -> str:
    """The name of a layer's files, without suffix.

    >>> layer_name(8, 3, Rules()), layer_name(8, 3, Rules("win"))
    ('float-8-03', 'float-win-discard-random-8-03')
    """
    prizes = rules.prizes if isinstance(rules.prizes, str) else ".".join(map(str, rules.prizes))
    words = "" if rules == Rules() else f"{rules.objective}-{rules.ties}-{prizes}-"
    return f"{SCHEMA}-{words}{n}-{k:02}"


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

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other runs from writing these lines.

        Raises:
            ValueError: if another run does.
        """
        import fcntl  # not on every system, and only folders need it

        with self.path.open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ValueError(
                    f"{self.path} must not be written by two runs at once, got a second one"
                ) from None
            yield

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
