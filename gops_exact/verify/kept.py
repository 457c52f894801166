"""Proofs of a run that was stopped, kept in a file beside the store until a run is finished.

The proof of an entry rests on other entries, so a file counts for one content of the store alone: its
first line has a digest of all keys and checksums and of the code that proves. Each other line has the key
of an entry with its counts, in JSON, behind a checksum of the first line and the rest of its own. A line
that is torn, damaged or of another store counts for nothing: its entry is proved again.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from gops_exact.store import DiskStore

Counts = Sequence[Mapping[str, int]]
"""Counts by name: of what was proved of an entry, only compared and passed over."""

SUFFIX = "-verified"
"""Ends the name of the file, which begins with that of the store."""


@dataclass(frozen=True)
class Kept:
    """Entries proved, in the file `path`. Where it cannot be written, nothing is kept."""

    path: Path
    header: str  # the first line

    @classmethod
    def beside(cls, store: DiskStore) -> "Kept":
        """Return those of an open store as it is now."""
        digest = blake2b(store.digest().encode(), digest_size=16)
        for file in sorted(Path(__file__).parent.glob("*.py")):
            digest.update(file.read_bytes())
        path = Path(f"{store.path}{SUFFIX}")
        return cls(path, f"proved by gops-exact verify, not finished: {digest.hexdigest()}")

    def begin(self) -> dict[str, Counts]:
        """Return {key: counts} of the file; if it is of another content, begin a new one."""
        found: dict[str, Counts] = {}
        try:
            first, *lines = self.path.read_text("utf-8", errors="replace").split("\n")
        except OSError:
            first, lines = "", []
        if first != self.header:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)
                with self.path.open("x", encoding="utf-8") as file:
                    file.write(self.header)
            return found
        for line in lines:
            checksum, _, text = line.partition(" ")
            if checksum == self._checksum(text):
                key, counts = json.loads(text)
                found[key] = counts
        return found

    def add(self, key: str, counts: Counts) -> None:
        """Keep the counts of an entry without faults. Several processes may do so at a time."""
        text = json.dumps([key, counts])
        # The line is ended by the next one, so that one that is torn spoils no other.
        with suppress(OSError), self.path.open("ab", buffering=0) as file:
            file.write(f"\n{self._checksum(text)} {text}".encode())

    def end(self) -> None:
        """Delete the file."""
        with suppress(OSError):
            self.path.unlink()

    def _checksum(self, text: str) -> str:
        return blake2b(f"{self.header}\n{text}".encode(), digest_size=16).hexdigest()
