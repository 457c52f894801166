"""Values kept between runs: memory over one SQLite file."""

from gops_exact.store.disk import DiskStore, StoreError
from gops_exact.store.shelf import Shelf

__all__ = ["DiskStore", "Shelf", "StoreError"]
