"""Compiled kernels on disk are never stale."""

import os
import pickle
import shutil
import subprocess
import sys

import numba
import pytest
from places import PACKAGE

PART = "from gops_exact.solvers.floats.kernels import part\n\n@part\ndef number(x):\n    return x + {}\n"

KERNEL = """
from gops_exact.solvers.floats.kernels import kernel
from gops_exact.solvers.floats.kernels.compilation import compiled, is_compiled
from gops_exact.solvers.floats.kernels.one import number

@kernel
def double(x):
    return 2 * number(x)

twice = compiled(double)

known = is_compiled(double)
print(twice(0), sum(twice.stats.cache_hits.values()), int(known), int(is_compiled(double)))
"""

FRESH, KEPT = (2, 0, 0, 1), (2, 1, 1, 1)
"""Twice 1, and whether it came from disk, was known to be compiled, and is known now."""


@pytest.fixture
def package(tmp_path):
    """The kernels of a copy of the package with one kernel more, which calls a function of another file."""
    copy = tmp_path / "gops_exact"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    kernels = copy / "solvers" / "floats" / "kernels"
    (kernels / "one.py").write_text(PART.format(1))
    (kernels / "two.py").write_text(KERNEL)
    return kernels


def run(package):
    """Return what the module prints."""
    root = package.parents[3]
    home = {"HOME": str(root / "home"), "XDG_CACHE_HOME": str(root / "home" / "cache")}
    environment = os.environ | home | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-W", "error", "-c", "import gops_exact.solvers.floats.kernels.two"]
    ran = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return tuple(map(int, ran.stdout.split()))


def test_kernels_are_kept_until_another_file_or_version_is_there(package):
    assert [run(package), run(package)] == [FRESH, KEPT]
    # An earlier version kept objects of classes that may be gone: they are not unpickled.
    (index,) = (package / "__pycache__").glob("two.double*.nbi")
    index.write_bytes(pickle.dumps(numba.__version__) + b"a class that is gone")
    assert run(package) == FRESH
    (package / "one.py").write_text(PART.format(5))
    assert run(package) == (10, *FRESH[1:])
