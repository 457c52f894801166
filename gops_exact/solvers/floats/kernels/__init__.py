"""Kernels of the float solver: Python functions that Numba can compile, and the choice between both versions of each.

A *kernel* is a function that does the bulk of the arithmetic. The Python function and its compiled version give the
same numbers to the last bit. Compilation takes most of the time of a first run in floats. So a short run calls the
kernels as ordinary Python functions, and loads neither Numba nor LLVM, the library with which Numba compiles
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
    """Return a kernel as a Python function for short runs, or compiled by Numba for long runs.

    The estimated times of all runs of Python kernels in this process are added up. The compiled kernel is returned if
    the sum would exceed the time that it takes to load this kernel from disk, or to compile it if it is not there. So
    the process takes at most about twice as long as with the better of the two choices.

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
