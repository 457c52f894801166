"""The file layer of the store: named, checksummed, write-once entries in one SQLite file.

An entry is written whole in one transaction (write-ahead log), so a run killed at any moment leaves
every entry either complete or absent, and several processes may use one file. The checksum covers
key and payload; an entry that fails it raises, it is never a silent miss.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Self

APPLICATION_ID = 0x474F5053
"""Marks an SQLite file as a store: "GOPS" in ASCII."""

SCHEMA_VERSION = 1
"""Changes whenever the meaning of keys or payloads does."""

BUSY_SECONDS = 120.0
"""How long a process waits for another one's transaction; the largest entries take seconds."""

ENVIRONMENT_VARIABLE = "GOPS_EXACT_STORE"


class StoreError(RuntimeError):
    """The store cannot be used as asked; the message names the file and the reason."""


def default_path() -> Path:
    """The store of this user: ``$GOPS_EXACT_STORE``, or a file in the cache directory."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "gops_exact" / "store.sqlite"


class DiskStore:
    """A mapping from keys (text) to payloads (bytes) in the SQLite file at `path`.

    Args:
        path: the file; it and its directory are made if missing.
        read_only: never write; the file must exist.

    Raises:
        StoreError: if the file cannot be opened, is no store, or has another schema version.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        with self._errors():
            if read_only:
                uri = path.absolute().as_uri() + "?mode=ro"
                self._connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
            self._connection.isolation_level = None
            self._prepare()

    def _prepare(self) -> None:
        """Check that the file is a store of this schema, or make it one if it is new."""
        empty = self._scalar("SELECT count(*) FROM sqlite_master") == 0
        if empty and not self.read_only:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS entry "
                "(key TEXT PRIMARY KEY, checksum BLOB NOT NULL, payload BLOB NOT NULL)"
            )
            self._connection.execute("COMMIT")
        if self._scalar("PRAGMA application_id") != APPLICATION_ID:
            raise StoreError(f"{self.path} is not a store of this program")
        version = self._scalar("PRAGMA user_version")
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{self.path} must have schema version {SCHEMA_VERSION}, got {version}; "
                "use another file or clear it with the version that wrote it"
            )
        # In WAL mode NORMAL cannot corrupt the file; a power cut may lose the last entries.
        self._connection.execute("PRAGMA synchronous = NORMAL")

    def get(self, key: str) -> bytes | None:
        """The payload of a key, or None if there is no such entry.

        Raises:
            StoreError: if the entry is damaged.
        """
        with self._errors():
            row = self._connection.execute(
                "SELECT checksum, payload FROM entry WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            return None
        checksum, payload = row
        if not isinstance(payload, bytes) or checksum != _checksum(key, payload):
            raise StoreError(
                f"{self.path} is damaged: the checksum of entry '{key}' does not match"
            )
        return payload

    def put(self, key: str, payload: bytes) -> None:
        """Write an entry; one that is already there is left alone.

        Raises:
            StoreError: if the store is read-only, the disk is full, or writing fails.
        """
        if self.read_only:
            raise StoreError(f"{self.path} is open read-only")
        with self._errors():
            self._connection.execute(
                "INSERT OR IGNORE INTO entry VALUES (?, ?, ?)",
                (key, _checksum(key, payload), payload),
            )

    def __contains__(self, key: str) -> bool:
        with self._errors():
            found = self._connection.execute("SELECT 1 FROM entry WHERE key = ?", (key,))
            return found.fetchone() is not None

    def sizes(self) -> dict[str, int]:
        """{key: payload length in bytes}, in the order of keys."""
        with self._errors():
            rows = self._connection.execute(
                "SELECT key, length(payload) FROM entry ORDER BY key"
            ).fetchall()
        return dict(rows)

    def check(self) -> Iterator[str]:
        """Read everything; yields one line of text for each thing found damaged."""
        try:
            for (line,) in self._connection.execute("PRAGMA integrity_check"):
                if line != "ok":
                    yield f"{self.path} is damaged: {' '.join(line.split())}"
            keys = list(self.sizes())
        except (sqlite3.Error, StoreError) as error:
            yield f"{self.path} is damaged: {error}"
            return
        for key in keys:
            try:
                self.get(key)
            except StoreError as error:
                yield str(error)

    def clear(self) -> int:
        """Delete every entry and give the space back; returns how many there were."""
        with self._errors():
            count = self._connection.execute("DELETE FROM entry").rowcount
            self._connection.execute("VACUUM")
        return count

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _scalar(self, statement: str) -> object:
        return self._connection.execute(statement).fetchone()[0]

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turn the errors of SQLite and the file system into one clear line."""
        try:
            yield
        except sqlite3.OperationalError as error:
            reason = str(error)
            if "full" in reason:
                reason = "the disk is full; what was finished is kept, free some space to resume"
            elif "readonly" in reason:
                reason = "it is not writable; make it so, or open it read-only"
            raise StoreError(f"{self.path} cannot be used: {reason}") from error
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} is damaged: {error}") from error
        except OSError as error:
            raise StoreError(f"{self.path} cannot be used: {error.strerror}") from error


def _checksum(key: str, payload: bytes) -> bytes:
    return blake2b(key.encode() + b"\0" + payload, digest_size=16).digest()
