"""Entries of a store in memory, on their way between machines."""

from pathlib import Path


class MemoryStore:
    """A mapping from keys (text) to payloads (bytes) that remembers what was put into it.

    Attributes:
        added: the entries put since :meth:`receive`.
    """

    path = Path("memory")
    read_only = False

    def __init__(self) -> None:
        self._received: dict[str, bytes] = {}
        self.added: dict[str, bytes] = {}

    def receive(self, entries: dict[str, bytes]) -> None:
        """Hold these entries and no others."""
        self._received, self.added = entries, {}

    def get(self, key: str) -> bytes | None:
        """Return the payload of a key, or None if there is no such entry."""
        return self.added.get(key, self._received.get(key))

    def put(self, key: str, payload: bytes) -> None:
        """Add an entry."""
        self.added[key] = payload

    def __contains__(self, key: str) -> bool:
        return key in self.added or key in self._received
