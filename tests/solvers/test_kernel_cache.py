"""Compiled kernels on disk: never stale, and not needed."""

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
from gops_exact.solvers.floats.kernels.one import number

@kernel
def twice(x):
    return 2 * number(x)

print(twice(0), sum(twice.stats.cache_hits.values()))
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package with one kernel more, which calls a function of another file."""
    copy = tmp_path / "gops_exact"
    source = PACKAGE
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__"))
    kernels = copy / "solvers" / "floats" / "kernels"
    (kernels / "one.py").write_text(PART.format(1))
    (kernels / "two.py").write_text(KERNEL)
    return kernels


def run(package):
    """What the kernel returns, and how often it came from disk."""
    root = package.parents[3]
    home = root / "home"
    environment = {
        **{name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"},
        "PYTHONPATH": str(root),
        "PYTHONDONTWRITEBYTECODE": "1",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    command = [sys.executable, "-W", "error", "-c", "import gops_exact.solvers.floats.kernels.two"]
    ran = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stderr == ""
    return tuple(map(int, ran.stdout.split()))


def test_kernels_are_kept_until_another_file_or_version_is_there(package):
    assert [run(package), run(package)] == [(2, 0), (2, 1)]
    # An earlier version kept objects of classes that may be gone: they are not unpickled.
    (index,) = (package / "__pycache__").glob("two.twice*.nbi")
    index.write_bytes(pickle.dumps(numba.__version__) + b"a class that is gone")
    assert run(package) == (2, 0)
    (package / "one.py").write_text(PART.format(5))
    assert [run(package), run(package)] == [(10, 0), (10, 1)]


@pytest.mark.parametrize("home", [True, False])
def test_kernels_go_to_the_users_cache_or_nowhere_if_the_package_cannot_be_written(package, home):
    # A file where a directory would be: not even root writes there.
    (package / "__pycache__").touch()
    if not home:
        (package.parents[3] / "home").touch()
    assert [run(package), run(package)] == [(2, 0), (2, int(home))]
    assert home == any((package.parents[3] / "home").rglob("two.twice*.nbi"))


KNOWN = """
from gops_exact.solvers.floats.kernels import is_compiled, kernel

@kernel
def twice(x):
    return 2 * x

def once(x):
    return x

print(int(is_compiled(twice)), twice(1) // 2 * is_compiled(twice), int(is_compiled(once)))
"""


@pytest.mark.parametrize("kept", [True, False])
def test_kernels_that_are_to_be_compiled_are_known(package, kept):
    if not kept:
        for folder in (package / "__pycache__", package.parents[3] / "home"):
            folder.touch()
    (package / "two.py").write_text(KNOWN)
    assert [run(package), run(package)] == [(0, 1, 1), (int(kept), 1, 1)]
    (package / "one.py").write_text(PART.format(5))
    assert run(package) == (0, 1, 1)
