"""Compiled kernels of the float layers. Numba and LLVM are imported here, where there is address space.
Short of it LLVM ends the process, or the import names a library that is not missing. So this module,
which Python loads before any other of the kernels, looks first.

Compiling is most of the first run, and Numba's own work is most of it. To keep that short:

* A function is compiled for types, never for the constants it is called with.
* Short functions of inner loops are inlined by Numba, before types are known. Long ones are compiled
  once and called: Numba copies an inlined function with all its variables for each of its blocks.
* No references are counted. An array's owner is the caller in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partialmethod
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from gops_exact.base.machine import require_address_space
from gops_exact.base.progress import compiling

require_address_space(10**9, "compiled kernels")  # measured: 0.6 GB with two threads

import llvmlite  # noqa: E402  # only behind the line above
from numba import njit, types  # noqa: E402
from numba.core import event  # noqa: E402
from numba.core.dispatcher import Dispatcher  # noqa: E402

_digest = sha256(llvmlite.__version__.encode())
for _path in sorted(Path(__file__).parent.parent.rglob("*.py")):
    _digest.update(_path.read_bytes())
SOURCES = _digest.hexdigest()
"""A digest of the files that kernels are made from, and of the compiler's version."""

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def inlined(function: Callable[Arguments, Result]) -> Dispatcher[Callable[Arguments, Result]]:
    """Decorate a function that is inlined wherever a kernel calls it."""
    return njit(nogil=True, error_model="numpy", inline="always")(function)


def part(function: Callable[Arguments, Result]) -> Dispatcher[Callable[Arguments, Result]]:
    """Decorate a function that kernels call; it can make no arrays."""
    options: dict[str, Any] = {"no_cfunc_wrapper": True, "_nrt": False}  # not in Numba's types
    dispatcher: Any = njit(nogil=True, error_model="numpy", **options)(function)
    made: Dispatcher[Callable[Arguments, Result]] = dispatcher
    if dispatcher is function:  # NUMBA_DISABLE_JIT is set
        return made
    template = dispatcher.get_call_template

    def for_types(arguments: tuple[types.Type, ...], named: dict[str, types.Type]) -> Any:
        """Take constants for numbers of their type. To Numba each is a type of its own."""
        return template(tuple(map(types.unliteral, arguments)), named)

    dispatcher.get_call_template = for_types
    return made


def kernel(function: Callable[Arguments, Result]) -> Dispatcher[Callable[Arguments, Result]]:
    """Decorate a function that Python calls, kept on disk once it is compiled.

    It is kept beside the package, or else in the user's cache directory; where neither can be written
    it is compiled in every process. Numba takes what is kept for current if the function's own file has
    not changed. Other files hold functions and constants that went into it, so all are looked at.
    """
    made = part(function)
    dispatcher: Any = made
    if dispatcher is function:  # NUMBA_DISABLE_JIT is set
        return made
    with suppress(RuntimeError):  # no directory can be written
        dispatcher.enable_caching()
        file = dispatcher._cache._cache_file  # noqa: SLF001  # Numba has no other way
        # Compared before types are unpickled, which fails where a class is gone.
        file._version += SOURCES  # noqa: SLF001  # same
    return made


def is_compiled(kernel: Callable[..., object]) -> bool:
    """Tell if a kernel is compiled, in this process or on disk, or need not be."""
    dispatcher: Any = kernel
    if not hasattr(dispatcher, "signatures") or dispatcher.signatures:
        return True
    file = getattr(dispatcher._cache, "_cache_file", None)  # noqa: SLF001  # Numba has no other way
    return file is not None and bool(file._load_index())  # noqa: SLF001  # same


class _Compilation(event.Listener):
    """Reports the compilation of this package's kernels, wherever one is begun."""

    _depth = 0  # of functions begun and not ended; the outermost is a kernel

    def _deepen(self, event: event.Event, by: int) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith("gops_exact."):
            self._depth += by
            for report in compiling:
                report(self._depth > 0)

    on_start = partialmethod(_deepen, by=1)
    on_end = partialmethod(_deepen, by=-1)


event.register("numba:compile", _Compilation())  # type: ignore[no-untyped-call]  # not typed
