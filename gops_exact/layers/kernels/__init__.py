"""Compiled kernels of the float layers. Numba and LLVM are imported here, where there is address space.
Short of it LLVM ends the process, or the import names a library that is not missing. So this module
is the only one that imports them.
"""

from gops_exact.schedule import require_address_space

require_address_space(10**9, "compiled kernels")  # measured: 0.6 GB with two threads

from llvmlite import ir  # noqa: E402  # only behind the line above
from numba import njit, types  # noqa: E402
from numba.core import cgutils  # noqa: E402
from numba.extending import intrinsic, overload  # noqa: E402

__all__ = ["cgutils", "intrinsic", "ir", "njit", "overload", "types"]
