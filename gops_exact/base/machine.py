"""Cores and memory of this machine, and limits on the memory of this process."""

import os
from importlib import import_module
from importlib.util import find_spec
from mmap import PAGESIZE
from pathlib import Path


def available_cores() -> int:
    """Count the cores that this process may use, or all cores of the machine if Python cannot find out."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine_memory() -> int | None:
    """Return the bytes of memory of this machine; None on Windows, where Python cannot find out."""
    if not hasattr(os, "sysconf"):
        return None
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def memory_share() -> float:
    """Return the share of this machine's memory that this process uses, from 0 to 1; 0 on other systems than Linux."""
    statistics, total = Path("/proc/self/statm"), machine_memory()
    if total is None or not statistics.exists():
        return 0.0
    # Field 1 of statm, counted from 0, is the number of pages in memory.
    return int(statistics.read_text().split()[1]) * PAGESIZE / total


def require_address_space(nbytes: int, purpose: str) -> None:
    """Raise a MemoryError if the address space of this process is limited to less than `nbytes`.

    `purpose` names the part of the program that needs the address space; the error message begins with this name.
    """
    if not find_spec("resource"):  # Windows has no such module
        return
    resource = import_module("resource")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < nbytes:
        raise MemoryError(
            f"{purpose} must have {nbytes / 1e6:.0f} MB of address space, got {limit / 1e6:.0f} MB "
            "(ulimit -v)"
        )


def limit_memory(nbytes: int) -> None:
    """Limit the memory of this process to `nbytes` more than it uses now; on other systems than Linux, do nothing.

    Allocations beyond the limit fail. Files that are mapped for reading do not count.
    """
    statistics = Path("/proc/self/statm")
    if statistics.exists():
        resource = import_module("resource")
        # Field 5 of statm, counted from 0, is the number of pages of data and stacks.
        present = int(statistics.read_text().split()[5]) * PAGESIZE
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (present + nbytes, most))
