"""Values kept between runs: entries in one SQLite file."""

from gops_exact.store.disk import DiskStore, StoreError
from gops_exact.store.memory import MemoryStore

__all__ = ["DiskStore", "MemoryStore", "StoreError"]
