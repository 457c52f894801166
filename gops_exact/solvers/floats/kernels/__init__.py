"""Kernels of the float solver: Python functions, and the choice between each and its compiled twin.

A *kernel* is a function that does the bulk of the arithmetic, and its *twin* is the same function compiled by Numba.
Both give the same numbers to the last bit. Compilation takes most of the time of a first run in floats. So a short run
calls the kernels as ordinary Python functions, and loads neither Numba nor LLVM
(:mod:`~gops_exact.solvers.floats.kernels.compilation`).
"""

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any, TypeVar, cast

import numpy as np

from gops_exact.base import load
from gops_exact.base.progress import COMPILE_SECONDS

Function = TypeVar("Function", bound=Callable[..., Any])

LOADING_SECONDS = 0.6
"""Core time, in seconds, of loading Numba and a compiled kernel from disk. Measured on an AMD EPYC."""

options: dict[Callable[..., Any], dict[str, Any]] = {}
"""{function: options with which Numba compiles it}, for the functions that decorators of this module mark."""

_spent = 0.0  # the estimated seconds of all runs of kernels as Python functions in this process


def compiled_with(function: Function, **chosen: object) -> Function:
    """Record `chosen`, the options with which Numba is to compile a function, and return the function itself."""
    options[function] = chosen
    return function


inlined = partial(compiled_with, inline="always")
"""Decorator of a function that is inlined wherever a kernel calls it."""

part = partial(compiled_with, no_cfunc_wrapper=True, _nrt=False)
"""Decorator of a function that is compiled on its own, and that only kernels call; it cannot allocate arrays."""

kernel = partial(compiled_with, no_cfunc_wrapper=True, _nrt=False, cache=True)
"""Decorator of a kernel that Python code calls, not only other kernels; its compiled code is cached on disk."""


def always_compile() -> None:
    """Use compiled kernels from now on, however short the runs are.

    A server calls this function, because it makes many runs. A process that is about to limit its own memory calls it,
    too, because Numba must load or compile the kernels before the limit holds.
    """
    global _spent  # noqa: PLW0603  # one process, one account
    _spent = inf


def quickest(function: Function, seconds: float) -> Function:
    """Return the Python kernel if running it is estimated to take less time than compiling or loading its twin.

    Otherwise return the twin, compiled by Numba. The estimates of all runs in a process are added up. So a process
    with many short runs eventually compiles the kernel, and takes at most about twice as long as with the better choice.

    Args:
        function: the kernel as a Python function.
        seconds: an estimate of the core time of the run in Python.
    """
    global _spent  # noqa: PLW0603  # one process, one account
    if _spent + seconds > LOADING_SECONDS:
        numba: Any = load(f"{__name__}.compilation")
        if _spent + seconds > COMPILE_SECONDS or numba.is_compiled(function):
            return cast("Function", numba.compiled(function))
    _spent += seconds
    return np.errstate(all="ignore")(function)  # kernels ignore intervals that are infinite or NaN
