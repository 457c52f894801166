"""Kernels of the float layers: Python functions, which Numba compiles for runs that are not short."""

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

options: dict[Callable[..., Any], dict[str, Any]] = {}
"""The options with which Numba compiles a function, for each function that is decorated by this module."""


def inlined(function: Function) -> Function:
    """Decorate a function that is inlined wherever a kernel calls it."""
    options[function] = {"inline": "always"}
    return function


def part(function: Function) -> Function:
    """Decorate a function that is compiled on its own, and that only kernels call; it cannot allocate arrays."""
    options[function] = {"no_cfunc_wrapper": True, "_nrt": False}
    return function


def kernel(function: Function) -> Function:
    """Decorate a kernel that Python code calls, not only other kernels; its compiled code is cached on disk."""
    options[part(function)]["cache"] = True
    return function
