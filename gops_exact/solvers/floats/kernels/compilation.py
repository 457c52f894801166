"""Compilation of kernels by Numba.

Numba and LLVM need about 1 GB of address space. With less, LLVM aborts the process, or the import reports that a
library is missing although it is there. So this module checks the limit on the address space before it imports them.

Most of the compilation time is spent in Numba itself, not in LLVM. To keep it short:

* A function is compiled for the types of its arguments, never for constant values.
* Numba inlines the short functions of inner loops before it infers types. Long functions are compiled once
  and called, because Numba copies an inlined function with all its variables to each call.
* References to arrays are not counted, because the caller in Python owns every array.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache, partialmethod
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import Any

from gops_exact.base.machine import require_address_space
from gops_exact.base.progress import compiling
from gops_exact.solvers.floats.kernels import options

require_address_space(10**9, "compiled kernels")  # 0.6 GB were measured with two threads

import llvmlite  # noqa: E402  # imported only after the check above
import numba  # noqa: E402
from numba import njit, types  # noqa: E402
from numba.core import event  # noqa: E402

# The import of `vector_code` registers the vector operations with Numba.
import gops_exact.solvers.floats.kernels.vector_code  # noqa: E402, F401

_digest = sha256(f"{llvmlite.__version__} {numba.__version__}".encode())
for _path in sorted(Path(__file__).parent.parent.rglob("*.py")):
    _digest.update(_path.read_bytes())
SOURCES = _digest.hexdigest()[:32]
"""A digest of all source files of the float solver, and of the versions of Numba and llvmlite."""


@cache
def compiled(source: FunctionType) -> Any:
    """Return the version of a kernel that Numba compiles when it is first called.

    If the environment variable NUMBA_DISABLE_JIT is set, the kernel itself is returned. Numba caches compiled code
    beside the package or, if it cannot write there, in the user's cache directory. If it can write to neither, every
    process compiles the kernel again.
    """
    # Numba compiles a copy of the function. In the globals of the copy the names of the functions in `options`
    # refer to their compiled versions, so that the copy calls these.
    names = {
        name: compiled(value) if isinstance(value, FunctionType) and value in options else value
        for name, value in source.__globals__.items()
        if name in source.__code__.co_names
    }
    twin = FunctionType(source.__code__, names, source.__name__)
    twin.__module__ = source.__module__
    # Numba names the files of its cache by this name. It reuses a file as long as the source of the function is unchanged.
    # But the code also contains functions and constants of other sources, so the name contains a digest of all of them.
    twin.__qualname__ = f"{source.__name__}-{SOURCES}"
    own = dict(options[source])
    keep = own.pop("cache", False)
    dispatcher: Any = njit(nogil=True, error_model="numpy", **own)(twin)
    if dispatcher is twin:  # true if NUMBA_DISABLE_JIT is set
        return source
    template = dispatcher.get_call_template

    def for_types(arguments: tuple[types.Type, ...], named: dict[str, types.Type]) -> Any:
        # Numba gives every constant, such as 3, a type of its own. This type is replaced by the general type, such as
        # int64. Otherwise Numba would compile the function again for each constant that the function is called with.
        return template(tuple(map(types.unliteral, arguments)), named)

    if "inline" not in own:
        dispatcher.get_call_template = for_types
    if keep:
        with suppress(RuntimeError):  # raised if no directory can be written
            dispatcher.enable_caching()
    return dispatcher


def is_compiled(kernel: FunctionType) -> bool:
    """Return True if the compiled version of a kernel is in memory or on disk, or if Numba is switched off."""
    dispatcher: Any = compiled(kernel)
    if not hasattr(dispatcher, "signatures") or dispatcher.signatures:
        return True
    folder = dispatcher.stats.cache_path  # None if no directory can be written
    return folder is not None and any(Path(folder).glob(f"*{dispatcher.py_func.__qualname__}*.nbi"))


class _Compilation(event.Listener):
    """Listener that calls the functions in :data:`~gops_exact.base.progress.compiling` when Numba compiles a kernel.

    They are called with True while the compilation is under way, and with False when it is finished.
    """

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
