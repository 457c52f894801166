"""Where a store is: a file that a user names, the default one, or memory alone."""

import os
from dataclasses import dataclass
from pathlib import Path

from gops_exact.arguments import path
from gops_exact.store.disk import DiskStore

MEMORY = ":memory:"
"""In place of a path: no file is used."""

ENVIRONMENT_VARIABLE = "GOPS_EXACT_STORE"


def default_path() -> Path:
    """The store of this user: ``$GOPS_EXACT_STORE``, or a file in the cache directory."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    return Path(chosen) if chosen else cached_path()


def cached_path() -> Path:
    """The file in the user's cache directory."""
    cache = os.environ.get("XDG_CACHE_HOME")
    try:
        home = Path(cache) if cache else Path.home() / ".cache"
    except RuntimeError as error:  # neither $HOME nor an account names one
        raise ValueError(
            f"expected a home directory for the store, or a store by --store or ${ENVIRONMENT_VARIABLE}, got none"
        ) from error
    return home / "gops_exact" / "store.sqlite"


@dataclass(frozen=True)
class StoreLocation:
    """Where the store of a computation is."""

    path: Path | None  # the store's file; None for memory alone
    read_only: bool = False  # take values from the file, add none

    @classmethod
    def of(cls, store: str | Path | None, *, read_only: bool = False) -> "StoreLocation":
        """Return the location that a user names: a path, ``":memory:"``, or None for the default file.

        Raises:
            ValueError: if it is none of these, or in no folder. Only in the user's cache directory
                folders are made: elsewhere the name may be mistyped.
        """
        named = default_path() if store is None else store
        file = path(named, "store")
        if str(named) == MEMORY:
            return cls(None, read_only)
        if not os.access(file.parent, os.F_OK) and file != cached_path():
            raise ValueError(f"store must be a file in a folder that is there, got {str(file)!r}")
        return cls(file, read_only)

    def open(self) -> DiskStore | None:
        """Return the file, open, or None where there is none."""
        return None if self.path is None else DiskStore(self.path, read_only=self.read_only)
