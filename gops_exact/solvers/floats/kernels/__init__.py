"""Compiled kernels of the float layers.

Numba and LLVM need about 1 GB of address space. With less, LLVM aborts the process, or the import blames a
library that is present. Python loads this module before the other kernels, so that it checks the limit first.

Compiling takes most of the first run, and Numba's own work takes most of compiling. To keep it short:

* A function is compiled for the types of its arguments, never for constant values.
* Numba inlines the short functions of inner loops before it infers types. Long functions are compiled once
  and called, because Numba copies an inlined function with all its variables to each place of call.
* References to arrays are not counted, because the caller in Python owns every array.
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

import llvmlite  # noqa: E402  # imported only after the check above
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
    """Decorate a function that kernels call; it cannot allocate arrays."""
    # Numba declares no types for them
    options: dict[str, Any] = {"no_cfunc_wrapper": True, "_nrt": False}
    dispatcher: Any = njit(nogil=True, error_model="numpy", **options)(function)
    decorated: Dispatcher[Callable[Arguments, Result]] = dispatcher
    if dispatcher is function:  # NUMBA_DISABLE_JIT is set
        return decorated
    template = dispatcher.get_call_template

    def for_types(arguments: tuple[types.Type, ...], named: dict[str, types.Type]) -> Any:
        """Return the call template for these types, with the types of constants widened to plain numbers."""
        return template(tuple(map(types.unliteral, arguments)), named)

    dispatcher.get_call_template = for_types
    return decorated


def kernel(function: Callable[Arguments, Result]) -> Dispatcher[Callable[Arguments, Result]]:
    """Decorate a function that Python calls, and keep its compiled code on disk.

    The code is kept beside the package, or else in the user's cache directory. If neither can be written, the
    function is compiled in every process. By default Numba reuses the code on disk as long as the function's
    own file is unchanged. But the code contains functions and constants of other files. So here a change of
    any file of the float layers (:data:`SOURCES`) makes the code invalid.
    """
    decorated = part(function)
    dispatcher: Any = decorated
    if dispatcher is function:  # NUMBA_DISABLE_JIT is set
        return decorated
    with suppress(RuntimeError):  # raised if no directory can be written
        dispatcher.enable_caching()
        file = dispatcher._cache._cache_file  # noqa: SLF001  # Numba offers no public way
        # Numba compares versions before it unpickles types, which fails if a class no longer exists.
        file._version += SOURCES  # noqa: SLF001  # Numba offers no public way
    return decorated


def is_compiled(kernel: Callable[..., object]) -> bool:
    """Return true if a kernel is compiled, in this process or on disk, or is plain Python."""
    dispatcher: Any = kernel
    if not hasattr(dispatcher, "signatures") or dispatcher.signatures:
        return True
    file = getattr(dispatcher._cache, "_cache_file", None)  # noqa: SLF001  # Numba offers no public way
    return file is not None and bool(file._load_index())  # noqa: SLF001  # Numba offers no public way


class _Compilation(event.Listener):
    """Listener that calls the functions in :data:`~gops_exact.base.progress.compiling` during compilation."""

    # The number of compilations under way. While a kernel is compiled, the functions that it calls are
    # compiled, too. The kernel is finished when this number is 0 again.
    _depth = 0

    def _deepen(self, event: event.Event, by: int) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith("gops_exact."):
            self._depth += by
            for report in compiling:
                report(self._depth > 0)

    on_start = partialmethod(_deepen, by=1)
    on_end = partialmethod(_deepen, by=-1)


event.register("numba:compile", _Compilation())  # type: ignore[no-untyped-call]  # Numba declares no types
