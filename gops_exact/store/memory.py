"""Entries of a store in memory, on their way between machines."""

from pathlib import Path


class MemoryStore:
    """A mapping from keys (text) to payloads (bytes), in place of a :class:`DiskStore`."""

    path = Path("memory")
    read_only = False

    def __init__(self) -> None:
        self.entries: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        """Return the payload of a key, or None if there is no such entry."""
        return self.entries.get(key)

    def put(self, key: str, payload: bytes) -> None:
        """Add an entry."""
        self.entries[key] = payload

    def __contains__(self, key: str) -> bool:
        return key in self.entries
