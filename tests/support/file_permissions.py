"""Rights of the process that runs the tests: root without the one to write and read where modes forbid it."""

import ctypes
import sys
from contextlib import contextmanager

OVERRIDING = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, see ``linux/capability.h``."""

VERSION = 0x20080522
"""Of the layout in which Linux takes capabilities: two times effective, permitted, inheritable."""


@contextmanager
def bound_by_modes():
    """Have Linux apply the modes of files to this thread, root's too; it stays the owner of its files."""
    if sys.platform != "linux":
        yield
        return
    libc, header = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(VERSION)
    before, less = (ctypes.c_uint32 * 6)(), (ctypes.c_uint32 * 6)()
    libc.capget(header, before)
    less[:] = before
    less[0] &= ~OVERRIDING
    libc.capset(header, less)
    try:
        yield
    finally:
        libc.capset(header, before)
