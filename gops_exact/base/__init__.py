"""Code that all other packages use: arguments, files, documents, progress, pools.

The game GOPS and its solvers are in other packages.
"""

# `load` is in this file, because a process calls it before importing any other package.

import signal
import sys
from importlib import import_module
from threading import current_thread, main_thread
from types import ModuleType


def load(name: str) -> ModuleType:
    """Import a module and return it; an interrupt that arrives meanwhile takes effect after the import.

    Packages such as NumPy and Numba cannot be imported a second time in a process after an interrupt has stopped the
    first import.
    """
    # Python handles signals in the main thread alone, so imports of other threads are never interrupted.
    handler = signal.getsignal(signal.SIGINT)
    if name in sys.modules or current_thread() is not main_thread() or not callable(handler):
        return import_module(name)
    arrived: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: arrived.append(number))
    try:
        return import_module(name)
    finally:
        signal.signal(signal.SIGINT, handler)
        if arrived:
            signal.raise_signal(signal.SIGINT)
