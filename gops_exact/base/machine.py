"""The machine: its cores, its memory, and the limits on them."""

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def available_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine_memory() -> int | None:
    """Return the bytes of memory of this machine; None where the system, Windows, does not tell."""
    if not hasattr(os, "sysconf"):
        return None
    return int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))


def require_address_space(nbytes: int, purpose: str) -> None:
    """Raise a MemoryError that names the `purpose` if a limit on the address space leaves no room for it."""
    if not find_spec("resource"):  # not on every system
        return
    resource = import_module("resource")
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < nbytes:
        raise MemoryError(
            f"{purpose} must have {nbytes / 1e6:.0f} MB of address space, got {limit / 1e6:.0f} MB "
            "(ulimit -v)"
        )


def limit_memory(nbytes: int) -> None:
    """Let this process have so many bytes more than it has, where the system can tell and limit it.

    Allocations beyond fail; files that are mapped to be read count for nothing.
    """
    if not find_spec("resource"):
        return
    resource, statistics = import_module("resource"), Path("/proc/self/statm")
    if statistics.exists():
        present = int(statistics.read_text().split()[5]) * resource.getpagesize()  # data and stacks
        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (present + nbytes, most))
