"""For the whole suite, doctests included: no folder of the user's, one width of lines, interrupts that arrive."""

import atexit
import gc
import os
import signal
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from shutil import rmtree

import pytest

from gops_exact.base.machine import available_cores
from gops_exact.base.store import ENVIRONMENT_VARIABLE

os.environ[ENVIRONMENT_VARIABLE] = ":memory:"
os.environ["XDG_STATE_HOME"] = os.devnull
os.environ["COLUMNS"] = "80"
# Notebooks need a folder for their settings; the user's may be read-only.
if "IPYTHONDIR" not in os.environ:
    os.environ["IPYTHONDIR"] = tempfile.mkdtemp(prefix="ipython-")
    atexit.register(rmtree, os.environ["IPYTHONDIR"], ignore_errors=True)

# A shell starts background jobs with SIGINT ignored, and the programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Packages that doctests of the exchange need; where one is missing, the file is not collected.
NEEDED = {
    "environments": "pettingzoo",
    "openspiel_games": "pyspiel",
    "openspiel_policies": "pyspiel",
}
collect_ignore = [
    f"gops_exact/exchange/{name}.py" for name, needed in NEEDED.items() if not find_spec(needed)
]


def pytest_collection_finish() -> None:
    """Have the collector of garbage pass over the tests and modules, which stay: the suite takes 5 % less."""
    gc.freeze()


COMPILE = """
import gops_exact as gx
from gops_exact.solvers.floats.kernels import always_compile
always_compile()
gx.first_move(3, "float")
gx.first_move(gx.Game(3, gx.Rules("win")), gx.Float(integers=True))
gx.solve_matrix_games([[[3, -1], [1, 2]]])
"""
under_way: list[subprocess.Popen[bytes]] = []


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels in one process while tests are collected, or all that need them would do so at once."""
    if session.config.getoption("dist", "no") != "no":  # this process hands out tests
        under_way.append(subprocess.Popen([sys.executable, "-c", COMPILE]))  # noqa: S603  # this Python


def pytest_xdist_node_collection_finished() -> None:
    """Wait for the kernels before the first test."""
    for process in under_way:
        process.wait()


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: tests of commands, servers and clusters wait for other processes."""
    return available_cores() + 1
