"""Imports run one way, and importing the package stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gops_exact

ROOT = Path(gops_exact.__file__).parent
ROOMS = [
    "version",
    "writing",
    "cards",
    "ross",
    "order_types",
    "rules",
    "numbers",
    "matrix_game",
    "recursion",
    "store",
    "engine",
    "verify",
    "players",
    "report",
    "positions",
    "api",
    "exchange",
    "commands",
    "cli",
    "__main__",
]
"""Every room may import from those above it."""

HEAVY = {"dask", "matplotlib", "numba", "pandas", "scipy", "sympy"}


def modules():
    return sorted(ROOT.rglob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, "relative imports hide where they lead"
            if node.module == "gops_exact":
                yield from (f"gops_exact.{alias.name}" for alias in node.names)
            else:
                yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_run_one_way(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts == ("__init__",):
        return
    rank = ROOMS.index(parts[0])
    for name in imported(path):
        if name.startswith("gops_exact."):
            assert ROOMS.index(name.split(".")[1]) <= rank, f"{path.name} imports {name}"


def test_the_package_loads_nothing_heavy():
    code = "import sys, gops_exact; print(*sorted({n.split('.')[0] for n in sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(run.stdout.split())
