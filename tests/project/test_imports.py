"""Imports between files run one way, and importing the package stays light."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from runpy import run_path
from typing import NamedTuple

import pytest
from places import PACKAGE

import gops_exact

ROOT = PACKAGE
ROOMS = (
    *("base", "numbers", "matrix_game", "game", "solvers", "extensive", "verify", "players"),
    *("show", "exchange", "literature", "__init__", "commands", "__main__"),
)
"""A file may import from its own room and from those before it."""

HEAVY = {
    *("dask", "distributed", "gymnasium", "highspy", "matplotlib", "numba", "open_spiel", "pandas"),
    *("pettingzoo", "pyspiel", "scipy", "starlette", "sympy", "uvicorn"),
}
"""Packages that take long to load, so that only functions that need them import them."""


LATE = {
    *(("solvers.api", f"solvers.floats.{name}") for name in ("by_layers", "forecast")),
    *(("solvers.cost", f"solvers.floats.{name}") for name in ("layer", "layer_files", "sweep")),
    *(("solvers.exact.by_prizes", name) for name in ("base.pools", "solvers.exact.ball")),
    *((f"solvers.{name}", "solvers.cluster") for name in ("exact.by_prizes", "floats.by_layers")),
    ("solvers.solution", "matrix_game.game_solution"),
    ("solvers.strategy", "solvers.formats"),
}
"""Imports in functions, so that an exact first move loads neither layers, pools nor formats."""


class Import(NamedTuple):
    """A file of the package imports a module, or a name of one: at its top, or in a function."""

    file: str
    target: str
    local: bool


def imports(file: str, tree: ast.AST, *, local: bool = False) -> Iterator[Import]:
    """Every import that can happen at run time; of a name, as ``module.name``."""
    for node in ast.iter_child_nodes(tree):
        inside = local or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports(file, ast.Module(node.orelse, []), local=inside)
        elif isinstance(node, ast.Import):
            yield from (Import(file, alias.name, local) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module and not node.level, "relative imports hide where they lead"
            yield from (Import(file, f"{node.module}.{alias.name}", local) for alias in node.names)
        else:
            yield from imports(file, node, local=inside)


def read() -> list[Import]:
    """All imports of the package; targets in the package are its files."""
    found, files = [], set()
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        files.add(name)
        found += imports(name, ast.parse(path.read_text(encoding="utf-8")))

    def file_of(target: str) -> str:
        above = target
        while above and above not in files:
            above = above.rpartition(".")[0]
        return above or target

    return [each._replace(target=file_of(each.target)) for each in found]


FOUND = read()
OWN = {each for each in FOUND if each.target.startswith("gops_exact") and each.file != each.target}


def test_no_files_import_each_other_in_a_circle():
    graph: dict[str, set[str]] = {}
    for each in OWN:
        graph.setdefault(each.file, set()).add(each.target)
    TopologicalSorter(graph).prepare()


def test_the_picture_of_the_rooms_is_as_the_imports_are():
    docs = ROOT.parent / "docs"
    drawn = run_path(str(docs / "make_architecture.py"))["picture"]()
    assert (docs / "pictures" / "architecture.svg").read_text("utf-8") == drawn


def test_rooms_import_from_those_before_them():
    def floor(file: str) -> int:
        return ROOMS.index([*file.split("."), "__init__"][1])

    assert [each for each in OWN if floor(each.target) > floor(each.file)] == []


def test_wings_are_read_by_commands_alone():
    wings = ("gops_exact.literature", "gops_exact.exchange")
    readers = {each.file for each in OWN if each.target.startswith(wings)}
    assert [name for name in readers if not name.startswith((*wings, "gops_exact.commands"))] == []


def test_only_third_party_and_heavy_imports_are_in_functions():
    heavy = {each.file for each in FOUND if not each.local and each.target.split(".")[0] in HEAVY}
    while more := {each.file for each in OWN if not each.local and each.target in heavy} - heavy:
        heavy |= more
    # The program's entry handles signals before it loads the rest.
    entry = {("gops_exact.__main__", f"gops_exact.{name}") for name in ("commands", "commands.cli")}
    late = {(each.file, each.target) for each in OWN if each.local and each.target not in heavy}
    assert late == entry | {(f"gops_exact.{file}", f"gops_exact.{name}") for file, name in LATE}


def test_kernels_take_nothing_of_the_layers_but_their_data():
    taken = {each.target for each in OWN if ".floats.kernels" in each.file}
    others = {name for name in taken if ".floats." in name and ".kernels" not in name}
    assert others == {"gops_exact.solvers.floats.layer"}


def loaded(code):
    """The modules that are loaded after some code has run."""
    code += "\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


def test_the_package_loads_nothing_heavy():
    code = f"import gops_exact as gx\nfor name in {gops_exact.__all__}: getattr(gx, name)"
    assert not HEAVY & {name.split(".")[0] for name in loaded(code)}


SELDOM = {"asyncio", "ssl", "html", "email", "importlib.metadata", "gmpy2"}
"""Modules that most calls can do without."""

SOLVED = "gx.solve(gx.Position([2, 4], [1, 3], [12, 13], upcard=13))"


@pytest.mark.parametrize(
    ("call", "others"),
    [
        ("", {"numpy"}),
        (
            "gx.Rules()",
            {"flint", "gops_exact.solvers", "gops_exact.show"},
        ),
        (
            "gx.solve_matrix_game([[3, -1], [1, 2]])",
            {"sqlite3", "gops_exact.solvers", *SELDOM},
        ),
        (SOLVED, {"gops_exact.show", "gops_exact.players", *SELDOM}),
        ("gx.first_move(3)", {"gops_exact.show", "gops_exact.players", *SELDOM}),
        ("gx.first_move(3, 'float')", {"asyncio", "ssl", "gops_exact.solvers.cluster"}),
        ("gx.first_move(3, 'ball')", {"gops_exact.solvers.cluster"}),
    ],
)
def test_a_call_loads_nothing_of_others(call, others):
    assert not others & loaded(f"import gops_exact as gx\n{call}")


def test_the_package_shows_its_public_names_and_loads_the_players_when_asked():
    code = """if True:
        import sys, gops_exact as gx
        assert not any(name.startswith("gops_exact.players") for name in sys.modules)
        print(gx.players.best_response("matching", gx.Game(4)).gain, dir(gx) == sorted(dir(gx)))
        print(*dir(gx))
        """
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, names = run.stdout.splitlines()
    assert first == "2 True"
    assert names.split() == sorted({*gops_exact.__all__, *gops_exact.WINGS, "__version__"})
    assert all(hasattr(gops_exact, name) for name in names.split())
