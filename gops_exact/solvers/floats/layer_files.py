"""Files of float layers in a folder. A layer has a mapped file of values, a journal, and a file of error bounds.

Words used here:

* A *layer* has the values of all positions with the same number of cards a side. It is an array with a line for each
  pair of hands, and a column for each prize set and state.
* A *prize set* is the set of the prizes left. A *state* is the margin (player one's points minus player two's) and the
  pot (the points carried over from ties).
* A *block* is a range of neighbouring pairs of hands in a layer. A *task* computes the lines of a block.
* The *journal* of a layer is the list of its finished tasks.
* The *seal* of a layer is a checksum of all its values and error bounds.

Once the lines of a block are on disk, a record of the task is appended to the journal: a
:class:`~gops_exact.solvers.floats.layer.Done`, and a checksum of this object and the lines. The file of bounds has a
record of the whole layer, the greatest absolute value, and the seal. A run that was killed continues after its last
complete record. Damaged lines raise an error.

Every checksum has a key that depends on the layer, so that files of another run are detected:

* The key of a seal depends on the cards, the rules and the type of number. A layer with a seal is valid by itself: its
  bounds are right, whatever values of the layer below were used to compute it. So the layer below may be missing, or
  computed anew.
* The key of a record also depends on the seal of the layer below, because the errors of that layer add to the errors of
  the lines.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from gops_exact.base.store import StoreError
from gops_exact.base.writing import make_folder
from gops_exact.game.order_types import Masks
from gops_exact.game.rules import Rules
from gops_exact.solvers.floats.layer import COUNTS, Columns, Done, FloatLayer, Stored

SCHEMA = "float"
"""The beginning of file names. It must be changed whenever the division into blocks, the counters or the format
of records changes, so that files of older versions are ignored."""

DIGEST, KEY = 16, 32
"""The number of bytes of a checksum, and the number of bytes of the key with which a checksum is computed."""


def layer_paths(folder: Path, columns: Columns) -> list[Path]:
    """Return the paths of a layer's three files: its values, the journal of finished tasks, and the error bounds.

    Args:
        folder: the folder of the files.
        columns: the columns of the layer. The file names contain the number of cards at the start and the number of
            cards a side in the layer; also the rules if they are not the default rules, and the prizes if they are not
            1 … n.

    >>> from gops_exact.game.game import Game
    >>> from gops_exact.solvers.floats.layer import columns_below
    >>> for game in Game(8), Game(8, Rules("win")), Game(4, deck=range(4)):
    ...     print(layer_paths(Path("here"), columns_below(game).at(3))[0])
    here/float-8-03.values
    here/float-win-discard-random-8-03.values
    here/float-deck-0.1.2.3-4-03.values
    """
    rules, n = columns.rules, len(columns.deck)
    order = rules.prizes if isinstance(rules.prizes, str) else ".".join(map(str, rules.prizes))
    words = "" if rules == Rules() else f"{rules.objective}-{rules.ties}-{order}-"
    deck = sorted(columns.deck)
    if deck != list(range(1, n + 1)):
        words += f"deck-{'.'.join(map(str, deck))}-"
    name = f"{SCHEMA}-{words}{n}-{columns.size:02}"
    return [folder / f"{name}.{kind}" for kind in ("values", "journal", "bounds")]


@contextmanager
def disk_space(folder: Path, nbytes: int) -> Iterator[None]:
    """Replace the error of a full disk in a ``with`` block by an OSError that names the folder and the bytes needed."""
    try:
        yield
    except OSError as error:
        if error.errno not in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            raise
        message = f"the disk is full: {folder} must have room for {nbytes} bytes more"
        raise OSError(error.errno, message) from error


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    # Yield another path in the folder. The file there gets the name `path` when the `with` block ends without an error.
    fresh = path.with_suffix(".new")
    try:
        yield fresh
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _reserve(path: Path, nbytes: int) -> None:
    """Extend a file to `nbytes`, and reserve its disk blocks, since a mapped write to a full disk kills the process."""
    with disk_space(path.parent, nbytes), path.open("ab") as file:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, nbytes)
            return
        while (missing := nbytes - file.tell()) > 0:  # setting the length would reserve no blocks
            file.write(bytes(min(missing, 1 << 20)))


class LayerFile:
    """The files of a layer, finished or not; the disk blocks of the values are reserved when their file is created.

    Args:
        folder: the folder of the files; created if missing.
        columns: the columns of the layer.
        keys: the sort keys of the layer's pairs of hands.
        below: the seal (checksum) of the layer with one card less a side; empty for the layer of 1 card a side.
        integers: True to store values as 32-bit integers, False for floats.

    Raises:
        StoreError: if the file of values exists, and its size is not that of the layer's values.
        ValueError: if the folder cannot be created, or something other than a file is at a path of the layer.
        OSError: if the disk is full.
    """

    def __init__(
        self,
        folder: Path,
        columns: Columns,
        keys: Masks,
        *,
        below: bytes = b"",
        integers: bool = False,
    ) -> None:
        make_folder(folder)
        self.columns, self._keys, pairs = columns, keys, len(keys)
        self.path, self.journal, self.bounds = layer_paths(folder, columns)
        integer, number = np.int64, np.float64
        shape = [("start", integer), ("stop", integer), ("counts", integer, (COUNTS,))]
        self._record = np.dtype([*shape, ("half_widths", number, (len(columns.sets),))])
        kind = np.dtype(np.int32 if integers else np.float64)
        identity = blake2b(f"{self.path.stem} {kind.str}".encode(), digest_size=KEY)
        self._seal_key = identity.digest()
        identity.update(below)
        self.key = identity.digest()
        for file in (self.path, self.journal, self.bounds):
            if os.path.lexists(file) and not file.is_file():
                raise ValueError(f"{file} must be a file, got another thing; delete it")
        nbytes = kind.itemsize * pairs * columns.width
        if not self.path.exists():
            # Delete an old journal and old bounds, which do not belong to the new values.
            self.journal.unlink(missing_ok=True)
            self.bounds.unlink(missing_ok=True)
            with _new_file(self.path) as fresh:
                _reserve(fresh, nbytes)
        elif self.path.stat().st_size != nbytes:
            raise StoreError(
                f"{self.path} must be {nbytes} bytes long, got {self.path.stat().st_size}; "
                "delete it to start this layer anew"
            )
        elif not self.bounds.exists():
            _reserve(self.path, nbytes)
        try:
            self._file = np.memmap(self.path, kind, "r+", shape=(pairs, columns.width))
        except OSError:
            if not self.bounds.exists():
                raise
            # A finished layer is only read, so its file may be write-protected. The mode "c", copy on write, needs no
            # permission to write.
            self._file = np.memmap(self.path, kind, "c", shape=(pairs, columns.width))
        self.values: Stored = np.asarray(self._file)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the file of values against other runs during a ``with`` block.

        Raises:
            ValueError: if another run holds the lock.
        """
        with self.path.open("rb") as file:
            try:
                if find_spec("fcntl"):
                    fcntl = import_module("fcntl")
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                else:  # Windows
                    msvcrt = import_module("msvcrt")
                    # On Windows other processes cannot read a locked byte, so lock a byte past the values.
                    file.seek(0, os.SEEK_END)
                    msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except (BlockingIOError, PermissionError):
                raise ValueError(
                    f"{self.path} must not be written by two runs at once, got a second one"
                ) from None
            yield

    def finished(self) -> list[Done]:
        """List the results of the finished tasks in the journal; remove an incomplete record at the end of the journal.

        Raises:
            StoreError: if the record of a task, or the values that the task has computed, are damaged or belong to
                another run.
        """
        tasks = []
        entry = np.dtype([("record", self._record), ("digest", np.void, DIGEST)])
        data = self.journal.read_bytes() if self.journal.exists() else b""
        torn = len(data) % entry.itemsize
        if torn:
            with self.journal.open("r+b") as file:
                file.truncate(len(data) - torn)
        for record, digest in np.frombuffer(data[: len(data) - torn], entry):
            done = recorded(record)
            lines = self.values[done.start : done.stop]
            if checksum(record.tobytes(), lines, self.key) != digest.tobytes():
                raise StoreError(
                    f"{self.path} is damaged or of another run in lines {done.start} to "
                    f"{done.stop - 1}; delete it to start this layer anew"
                )
            tasks.append(done)
        return tasks

    def keep(self, done: Done) -> None:
        """Write the values of a finished task to disk, and then append the task's record to the journal.

        Raises:
            OSError: if the disk is full.
        """
        # The record says that the task's lines of values are on disk. So the lines are written before the record.
        self._file.flush()
        record = np.array(done, self._record).tobytes()
        entry = record + checksum(record, self.values[done.start : done.stop], self.key)
        with disk_space(self.path.parent, len(entry)), self.journal.open("ab") as file:
            file.write(entry)

    def complete(self, layer: FloatLayer) -> FloatLayer:
        """Write the error bounds of a finished layer, and its seal, a checksum of all values; return the sealed layer.

        Raises:
            OSError: if the disk is full.
        """
        whole = Done(0, len(layer.values), layer.counts, layer.bounds)
        data = np.array(whole, self._record).tobytes() + np.float64(layer.greatest).tobytes()
        seal = checksum(data, self.values, self._seal_key)
        # A layer that has a file of bounds counts as finished, so this file is written last.
        with _new_file(self.bounds) as fresh, disk_space(self.path.parent, len(data) + DIGEST):
            fresh.write_bytes(data + seal)
        return replace(layer, seal=seal)

    def completed(self) -> FloatLayer | None:
        """Return the layer after checking every byte of its values and bounds; None if the layer is not finished.

        Raises:
            StoreError: if a file of the layer is damaged, or belongs to another run.
        """
        if not self.bounds.exists():
            return None
        entry = np.dtype([("record", self._record), ("greatest", np.float64)])
        data, nbytes = self.bounds.read_bytes(), entry.itemsize + DIGEST
        if len(data) != nbytes:
            raise StoreError(
                f"{self.bounds} is damaged, it must be {nbytes} bytes long, got {len(data)}; "
                "delete it to start this layer anew"
            )
        data, seal = data[:-DIGEST], data[-DIGEST:]
        if seal != checksum(data, self.values, self._seal_key):
            raise StoreError(
                f"{self.path} or {self.bounds.name} is damaged or of another run; "
                "delete both to start this layer anew"
            )
        ((record, greatest),) = np.frombuffer(data, entry)
        _, _, counts, bounds = recorded(record)
        return FloatLayer(
            self.columns, self._keys, self.values, bounds, counts, float(greatest), seal
        )

    @staticmethod
    def is_finished(folder: Path | None, columns: Columns, *, keep: bool = False) -> bool:
        """Return True if a layer is finished in a folder and, if `keep` is True, all layers below it are, too.

        A finished layer has a file of values and a file of bounds. The layer of 0 cards is never in a folder.
        """
        if folder is None or not columns.size:
            return False
        sizes = range(1 if keep else columns.size, columns.size + 1)
        files = (layer_paths(folder, columns.at(k)) for k in sizes)
        return all(values.exists() and bounds.exists() for values, _, bounds in files)


def recorded(record: np.void) -> Done:
    """Convert the record of a task in the journal from its stored form to a :class:`Done`."""
    start, stop = int(record["start"]), int(record["stop"])
    return Done(start, stop, record["counts"].copy(), record["half_widths"].copy())


def checksum(data: bytes, lines: Stored, key: bytes) -> bytes:
    """Return the checksum, keyed with `key`, of `data` followed by lines of values."""
    digest = blake2b(data, digest_size=DIGEST, key=key)
    digest.update(lines.reshape(-1).data)
    return digest.digest()
