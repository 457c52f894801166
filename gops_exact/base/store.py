"""Stores: SQLite files that keep values between runs as checksummed entries, which are written once.

An entry is a key (text) with a payload (bytes). An entry is written in one transaction, through a write-ahead log. So
every entry is complete or absent, even after a run is killed, and several processes may use one file.

A damaged entry raises an error, and is never mistaken for a missing one. A long payload is split into pieces. Each row
of the table has a piece, its key, and a checksum of both. SQLite stores each key twice, in the table and in its index.
An entry counts as missing only after the keys in the table and in the index have been compared. Some bytes can be
damaged without a change of any value: unused space, counters in the header, and the end of the log that a killed run
has left. SQLite drops a damaged end of the log like an unfinished transaction.

A payload is made by :func:`pack` and read by :class:`Reader`. All its numbers are little-endian. An integer of any
length is written as its byte count (8 bytes), followed by its two's complement.
"""

import os
import sqlite3
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from hashlib import blake2b
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from stat import S_ISREG
from threading import RLock
from time import monotonic, sleep
from typing import Any, TypeVar

from flint import arb, fmpz

from gops_exact.base import arguments
from gops_exact.base.progress import Progress, tracked

Item = TypeVar("Item")

Packed = int | fmpz | arb | bytes | tuple[Any, ...] | list[Any]
"""The type of a value that :func:`pack` can convert to bytes."""

_COUNT = struct.Struct("<Q")

MEMORY = ":memory:"
"""The text that a user writes in place of a path to keep values in memory, without a file."""

ENVIRONMENT_VARIABLE = "GOPS_EXACT_STORE"

APPLICATION_ID = 0x474F5053
"""The application id of SQLite files that are stores: "GOPS" in ASCII."""

SCHEMA_VERSION = 1
"""The version of the format of keys and payloads; it must be increased if their meaning changes."""

BUSY_SECONDS = 120.0
"""The longest time, in seconds, that a process waits for the transaction of another process. Writing the largest
entries takes seconds."""

TURN_SECONDS = 0.2
"""The time, in seconds, that one call of SQLite waits for a lock. It is short, because Python handles interrupts only
between two calls. So a statement is tried again and again, for up to :data:`BUSY_SECONDS`."""

PIECE = 1 << 28
"""The most bytes of a payload in one row; longer payloads take several rows. SQLite's own limit is 10^9 bytes."""

REASONS = {
    "SQLITE_FULL": "the disk is full; what was finished is kept, free some space and start again",
    "SQLITE_IOERR": "reading or writing failed; the disk may be full, what was finished is kept",
    "SQLITE_READONLY_DIRECTORY": "its directory is not writable; make it so, or open it read-only",
    "SQLITE_READONLY": "it is not writable; make it so, or open it read-only",
    "SQLITE_CANTOPEN": "it cannot be opened, or its directory is not writable",
    "SQLITE_BUSY": f"another process has kept it locked for {BUSY_SECONDS:.0f} s",
}
"""{beginning of the name of an SQLite error: its cause in words}."""

NO_PLACE = ("SQLITE_CANTOPEN", "SQLITE_READONLY")
"""The beginnings of the names of the errors that SQLite raises if it cannot create log files beside a database."""

TABLE = "CREATE TABLE entry (key TEXT PRIMARY KEY, checksum BLOB NOT NULL, payload BLOB NOT NULL)"
"""The SQL statement that makes the only table of a store. SQLite keeps this text in the file; a file with another text
is damaged."""

PIECE_MARK = " piece "
"""The separator in the keys of the rows of a long entry. The first row has the key of the entry. The second row has the
key of the entry, this text and the number 2; and so on."""


class StoreError(RuntimeError):
    """An error of a store, or of a folder of float values. The message is one line with the file and the reason."""

    def __init__(self, message: str) -> None:
        super().__init__(arguments.printable(message))


class DiskStore(AbstractContextManager["DiskStore"]):
    """A store in the SQLite file at `path`: a mapping from keys (text) to payloads (bytes), for any number of threads.

    Args:
        path: the file. Unless `read_only` is True, a missing file and its directory are created.
        read_only: True to write nothing; then the file must exist.

    Raises:
        StoreError: if the file cannot be opened or written, is not a store, has another version of the format, or is
            damaged. Methods that read or write entries raise this error, too, except :meth:`check`, which yields the
            text of the error.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self._keys_compared = False
        # Threads share one connection, so a thread holds this lock while it uses the connection. The lock is reentrant,
        # because methods that hold it call other methods that take it.
        self._lock = RLock()
        with self._errors(), ExitStack() as opened:
            with suppress(FileNotFoundError):
                if not S_ISREG(path.stat().st_mode):
                    raise StoreError(f"{path} cannot be used: it is no regular file")
            if read_only and not path.exists():
                raise StoreError(f"{path} cannot be used: there is no such file")
            if not read_only:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = _connect(path, "?mode=ro" if read_only else "")
            opened.callback(self.close)
            try:
                if read_only:
                    self._scalar("SELECT count(*) FROM sqlite_master")
            except sqlite3.DatabaseError as error:
                # SQLite creates log files even for reading, which fails in a read-only folder. With the option
                # immutable=1 it reads the file without logs. This is safe if no log has data.
                logs = [Path(f"{path}{suffix}") for suffix in ("-wal", "-journal")]
                pending = any(log.exists() and log.stat().st_size for log in logs)
                if pending or not error.sqlite_errorname.startswith(NO_PLACE):
                    raise
                self.close()
                self._connection = _connect(path, "?immutable=1")
            self._prepare()
            opened.pop_all()

    def _prepare(self) -> None:
        """Make a new file a store; check that an existing file is a store of this version of the format."""
        owner = self._scalar("PRAGMA application_id")
        if not (self.read_only or owner or self._scalar("SELECT count(*) FROM sqlite_master")):
            with self._transaction():
                self._execute(f"PRAGMA application_id = {APPLICATION_ID}")
                self._execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                self._execute(TABLE.replace("TABLE", "TABLE IF NOT EXISTS", 1))
            # Setting the journal mode fails if another process has just opened the file; then that process sets it.
            with suppress(sqlite3.OperationalError):
                self._execute("PRAGMA journal_mode = WAL")
        if self._scalar("PRAGMA application_id") != APPLICATION_ID:
            raise StoreError(f"{self.path} is not a store of this program")
        version = self._scalar("PRAGMA user_version")
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} must have schema version {SCHEMA_VERSION}, got {version}; "
                "use another file or clear it with the version that wrote it"
            )
        if self._scalar("PRAGMA encoding") != "UTF-8":
            raise StoreError(f"{self.path} is damaged: its text must be in UTF-8")
        table = self._execute("SELECT sql FROM sqlite_master WHERE name = 'entry'")
        if table.fetchone() != (TABLE,):
            raise StoreError(f"{self.path} is damaged: it must have the table of a store")
        # With a write-ahead log, the setting NORMAL cannot corrupt the file. A power cut may lose the last entries, but
        # these can be computed again.
        self._execute("PRAGMA synchronous = NORMAL")

    def get(self, key: str) -> bytes | None:
        """Return the payload of a key, or None if the store has no such entry.

        Raises:
            StoreError: if the entry is damaged.
        """
        pieces: list[bytes] = []
        while not pieces or len(pieces[-1]) == PIECE:
            row_key = _piece_key(key, len(pieces))
            row = self._row("SELECT checksum, payload FROM entry WHERE key = ?", row_key)
            if row is None and pieces:
                raise StoreError(f"{self.path} is damaged: the end of entry {key!r} is missing")
            if row is None:
                return None
            checksum, payload = row
            if not isinstance(payload, bytes) or checksum != _checksum(row_key, payload):
                raise StoreError(
                    f"{self.path} is damaged: the checksum of entry {row_key!r} does not match"
                )
            pieces.append(payload)
        return b"".join(pieces)

    def put(self, key: str, payload: bytes) -> None:
        """Write an entry, unless the store already has one with this key.

        Raises:
            StoreError: if the store is open read-only, or cannot be written.
        """
        if self.read_only:
            raise StoreError(f"{self.path} is open read-only")
        whole = memoryview(payload)
        with self._errors(), self._transaction():
            # The last piece is shorter than PIECE, perhaps empty: this tells `get` where the payload ends.
            for number in range(len(whole) // PIECE + 1):
                row_key = _piece_key(key, number)
                piece = whole[number * PIECE : (number + 1) * PIECE]
                self._execute(
                    "INSERT OR IGNORE INTO entry VALUES (?, ?, ?)",
                    (row_key, _checksum(row_key, piece), piece),
                )

    def __contains__(self, key: str) -> bool:
        return self._row("SELECT 1 FROM entry WHERE key = ?", key) is not None

    def sizes(self) -> dict[str, int]:
        """Return the payload length of every entry, {key: length in bytes}, sorted by key.

        Raises:
            StoreError: if the file is damaged so that a key is not text, or a payload is not bytes.
        """
        with self._errors():
            rows = self._execute(
                "SELECT key, length(payload), typeof(key), typeof(payload) FROM entry ORDER BY key"
            ).fetchall()
        sizes: dict[str, int] = {}
        for row_key, size, *kinds in rows:
            if kinds != ["text", "blob"]:
                raise StoreError(f"{self.path} is damaged at entry {row_key!r:.80}")
            key = row_key.partition(PIECE_MARK)[0]
            sizes[key] = sizes.get(key, 0) + size
        return sizes

    def digest(self) -> str:
        """Return a digest of all keys and checksums. Stores with the same entries have the same digest."""
        digest = blake2b(digest_size=16)
        with self._errors():
            for row in self._execute("SELECT key, checksum FROM entry ORDER BY key"):
                digest.update(repr(row).encode())
        return digest.hexdigest()

    def check(self, progress: Progress | None = None) -> Iterator[str]:
        """Read the whole file, and yield a line of text for each fault.

        If no line is yielded, every entry can be read, and is unchanged since it was written.

        Args:
            progress: called as progress(done, total), counted in entries; None for no report.
        """
        try:
            with self._errors():
                lines = self._execute("PRAGMA integrity_check").fetchall()
            for (line,) in lines:
                if line != "ok":
                    yield f"{self.path} is damaged: {' '.join(line.split())}"
            with self._errors():
                wrong = self._unequal_keys()
            if wrong:
                yield wrong
            keys = list(self.sizes())
        except StoreError as error:
            yield str(error)
            return
        for key in tracked(keys, progress):
            try:
                self.get(key)
            except StoreError as error:
                yield str(error)

    def clear(self) -> int:
        """Delete every entry, shrink the file, and return the number of deleted entries."""
        with self._errors():
            count = len(self.sizes())
            # With secure_delete, SQLite would spend time to overwrite deleted values with zeros.
            self._execute("PRAGMA secure_delete = OFF")
            self._execute("DELETE FROM entry")
            self._execute("VACUUM")
        return count

    def close(self) -> None:
        """Close the file; methods that need the file then raise a StoreError."""
        with self._lock:
            self._connection.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _row(self, query: str, key: str) -> Any:  # noqa: ANN401  # columns of any types
        with self._errors(f" at entry {key!r}"):
            row = self._execute(query, (key,)).fetchone()
        # A damaged index could hide a row. So the first time that a row is missing, the keys of the table are compared
        # with those of its index.
        if row is None and not self._keys_compared:
            with self._errors(" in its list of entries"):
                if wrong := self._unequal_keys():
                    raise StoreError(wrong)
            self._keys_compared = True
        return row

    def _unequal_keys(self) -> str:
        """Return an error message if the keys of the table and of its index differ or are out of order, else ""."""
        # Keys are read as bytes, because damaged text may not be valid UTF-8.
        keys = (
            "SELECT CASE typeof(key) WHEN 'text' THEN CAST(key AS BLOB) ELSE x'' END, rowid "
            "FROM entry"
        )
        with self._transaction("DEFERRED"):
            table = self._execute(f"{keys} NOT INDEXED").fetchall()
            index = self._execute(
                f"{keys} INDEXED BY sqlite_autoindex_entry_1 ORDER BY key"
            ).fetchall()
        wrong = {key for key, _ in set(table) ^ set(index)}
        wrong.update(key for (key, _), (following, _) in pairwise(index) if key >= following)
        wrong.update(key for key, _ in index if not key)
        names = [repr(key.decode(errors="replace")) for key in sorted(wrong)]
        return f"{self.path} is damaged at entry {' and '.join(names)}" if names else ""

    def _scalar(self, statement: str) -> object:
        return self._execute(statement).fetchone()[0]

    @contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[None]:
        self._execute(f"BEGIN {kind}")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise

    @contextmanager
    def _errors(self, where: str = "") -> Iterator[None]:
        """Hold the lock during a ``with`` block; turn errors of SQLite and of the file system into a StoreError.

        `where` is the part of the error message that says where the damage is, such as " at entry 'k'".
        """
        try:
            with self._lock:
                yield
        # A UnicodeDecodeError is raised if SQLite's message quotes damaged text.
        except (sqlite3.Error, UnicodeDecodeError) as error:
            name = getattr(error, "sqlite_errorname", "")
            if name == "SQLITE_NOTADB":
                raise StoreError(
                    f"{self.path} is not a store of this program, or damaged at its beginning"
                ) from error
            for start, reason in REASONS.items():
                if name.startswith(start):
                    raise StoreError(f"{self.path} cannot be used: {reason}") from error
            # A ProgrammingError means that the connection is closed, not that the file is damaged.
            misused = isinstance(error, sqlite3.ProgrammingError)
            state = "cannot be used" if misused else f"is damaged{where}"
            raise StoreError(f"{self.path} {state}: {error}") from error
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror}") from error

    def _execute(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        """Execute a statement; wait at most :data:`BUSY_SECONDS` for transactions of other processes."""
        end = monotonic() + BUSY_SECONDS
        while True:
            try:
                return self._connection.execute(statement, values)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY" or monotonic() > end:
                    raise
                sleep(0.01)  # SQLite sometimes reports "busy" without waiting


class MemoryStore(dict[str, bytes]):
    """A store in memory, {key: payload}, with those methods of :class:`DiskStore` that read or write one entry."""

    path = Path("memory")
    read_only = False
    put = dict[str, bytes].__setitem__


def store_path(store: str | Path | None) -> Path | None:
    """Return the path of the store that a user names.

    Args:
        store: the path of the file, or ``":memory:"`` for no file. None for the value of the environment variable
            ``GOPS_EXACT_STORE`` or, if the variable is not set or empty, for a file in the user's cache directory.
            The folder of the file must exist, because the name of a missing folder is probably mistyped. Only the cache
            directory may be missing; :class:`DiskStore` creates it.

    Returns:
        The path of the file, which need not exist; None for ``":memory:"``.

    Raises:
        ValueError: if `store` is no path; if the folder of the file does not exist; or if `store` is None, the
            environment variable is not set or empty, and the user's cache directory cannot be found.
    """
    cached = None
    with suppress(RuntimeError):  # raised if the user's home cannot be found
        cached = user_folder("XDG_CACHE_HOME", ".cache") / "store.sqlite"
    if store is None:
        store = os.environ.get(ENVIRONMENT_VARIABLE) or cached
    if store is None:
        raise ValueError(
            f"expected a home directory for the store, or a store by --store or ${ENVIRONMENT_VARIABLE}, got none"
        )
    file = arguments.path(store, "store")
    if str(store) == MEMORY:
        return None
    if not os.access(file.parent, os.F_OK) and file != cached:
        raise ValueError(f"store must be a file in a folder that is there, got {str(file)!r}")
    return file


def user_folder(variable: str, default: str) -> Path:
    """Return the folder ``gops_exact`` in which this program keeps files of the current user; it need not exist.

    Args:
        variable: the environment variable that names the parent folder, such as ``XDG_CACHE_HOME``.
        default: the parent folder, relative to the user's home, if the variable is not set or empty.

    Raises:
        RuntimeError: if the variable is not set or empty, and the user's home cannot be found.
    """
    named = os.environ.get(variable)
    return (Path(named) if named else Path.home() / default) / "gops_exact"


def _piece_key(key: str, number: int) -> str:
    """Return the key of the row that has a piece of a long entry; the first piece has the number 0."""
    return f"{key}{PIECE_MARK}{number + 1}" if number else key


def _connect(path: Path, options: str = "") -> sqlite3.Connection:
    # In a URI special characters are quoted.
    uri = path.absolute().as_uri() + options
    return sqlite3.connect(
        uri, uri=True, timeout=TURN_SECONDS, isolation_level=None, check_same_thread=False
    )


def _checksum(key: str, payload: bytes | memoryview) -> bytes:
    digest = blake2b(key.encode() + b"\0", digest_size=16)
    digest.update(payload)
    return digest.digest()


def pack(value: Packed) -> bytes:
    """Convert a value to bytes; the methods of :class:`Reader` convert the bytes back.

    Args:
        value: one of the following.
            An int from 0 to 2^64 − 1 becomes 8 bytes.
            An fmpz may have any length.
            Bytes are preceded by their count, and a list of values by its length.
            A tuple of values becomes the bytes of its values, one after the other.
            A ball (``arb``) is read back unchanged if :func:`~gops_exact.numbers.kinds.tidy` has returned it.
    """
    match value:
        case fmpz():
            whole = int(value)
            return pack(whole.to_bytes(whole.bit_length() // 8 + 1, "little", signed=True))
        case arb():
            radius, exponent = value.rad().man_exp()
            return pack((value.mid().man_exp(), int(radius), exponent))
        case bytes():
            return _COUNT.pack(len(value)) + value
        case tuple():
            return b"".join(map(pack, value))
        case list():
            return _COUNT.pack(len(value)) + b"".join(map(pack, value))
    return _COUNT.pack(value)


class Reader(BytesIO):
    """A reader of the numbers in a payload, from front to back.

    A method raises a ValueError if the payload ends too early. The end of a ``with`` block raises a ValueError if bytes
    of the payload were not read.

    >>> with Reader(pack((7, [fmpz(-300)]))) as reader:
    ...     reader.number(), reader.several(reader.integer)
    (7, [-300])
    """

    def __exit__(self, error: object, *_: object) -> None:
        if error is None and (rest := self.read()):
            raise ValueError(f"a payload must end after its last number, got {len(rest)} bytes")

    def number(self) -> int:
        """Read the next integer from 0 to 2^64 − 1, which takes 8 bytes."""
        (value,) = _COUNT.unpack(self._take(_COUNT.size))
        return int(value)

    def data(self) -> bytes:
        """Read a byte count, then read and return this number of bytes."""
        return self._take(self.number())

    def integer(self) -> fmpz:
        """Read the next integer of any length and sign."""
        return fmpz(int.from_bytes(self.data(), "little", signed=True))

    def pair(self) -> tuple[fmpz, fmpz]:
        """Read the next fraction, as numerator and denominator."""
        return self.integer(), self.integer()

    def ball(self) -> arb:
        """Read the next ball, an interval that FLINT's ``arb`` gives by its midpoint and its radius."""
        middle, radius, exponent = self.pair(), fmpz(self.number()), self.integer()
        return arb(middle, (radius, exponent) if radius else None)

    def several(self, read: Callable[[], Item]) -> list[Item]:
        """Read a list: first its length, then its entries, each by a call of `read`."""
        return [read() for _ in range(self.number())]

    def _take(self, size: int) -> bytes:
        taken = self.read(min(size, sys.maxsize))
        if len(taken) < size:
            raise ValueError(f"a payload must hold {size} more bytes, got {len(taken)}")
        return taken
