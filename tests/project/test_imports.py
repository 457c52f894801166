"""Imports between files run one way, and importing the package stays light."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from graphlib import TopologicalSorter
from runpy import run_path
from typing import NamedTuple

import pytest
from places import DOCS, PACKAGE, TESTS

import gops_exact

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
    ("solvers.api", "solvers.floats.by_layers"),
    *(("solvers.cost", f"solvers.floats.{name}") for name in ("layer", "layer_files", "sweep")),
    *((f"solvers.{name}", "base.machine") for name in ("cost", "exact.by_prizes")),
    ("matrix_game.payoff", "base.machine"),
    ("numbers.table", "base.writing"),
    *(("solvers.exact.by_prizes", name) for name in ("base.pools", "solvers.exact.ball")),
    ("solvers.exact.rational", "matrix_game.simplex"),
    ("solvers.solution", "matrix_game.game_solution"),
    ("solvers.solution", "solvers.formats"),
}
"""Imports in functions, so that an exact first move loads neither layers, pools, formats nor what asks for the machine's size."""


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


@cache
def trees() -> dict[str, ast.Module]:
    """The files of the package by the names of their modules."""
    return {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): (ast.parse(path.read_text("utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def file_of(target: str) -> str:
    """The file of the package that holds a module or a name; what is no part of it stays as it is."""
    above = target
    while above and above not in trees():
        above = above.rpartition(".")[0]
    return above or target


@cache
def found() -> tuple[Import, ...]:
    """Every import in the package, by the files that hold what is imported."""
    return tuple(
        each._replace(target=file_of(each.target))
        for name, tree in trees().items()
        for each in imports(name, tree)
    )


@cache
def own() -> set[Import]:
    """The imports of one file of the package by another."""
    return {each for each in found() if each.target[:10] == "gops_exact" and each[0] != each[1]}


def test_no_files_import_each_other_in_a_circle():
    graph: dict[str, set[str]] = {}
    for each in own():
        graph.setdefault(each.file, set()).add(each.target)
    TopologicalSorter(graph).prepare()


def test_the_picture_of_the_rooms_is_as_the_imports_are():
    drawn = run_path(str(DOCS / "make_architecture.py"))["picture"]()
    assert (DOCS / "pictures" / "architecture.svg").read_text("utf-8") == drawn


def test_rooms_import_from_those_before_them():
    def floor(file: str) -> int:
        return ROOMS.index([*file.split("."), "__init__"][1])

    assert [each for each in own() if floor(each.target) > floor(each.file)] == []


def test_wings_are_read_by_commands_alone():
    wings = ("gops_exact.literature", "gops_exact.exchange")
    readers = {each.file for each in own() if each.target.startswith(wings)}
    assert [name for name in readers if not name.startswith((*wings, "gops_exact.commands"))] == []


def test_only_third_party_and_heavy_imports_are_in_functions():
    heavy = {each.file for each in found() if not each.local and each.target.split(".")[0] in HEAVY}
    while more := {each.file for each in own() if not each.local and each.target in heavy} - heavy:
        heavy |= more
    # The program's entry handles signals before it loads the rest.
    entry = {("gops_exact.__main__", f"gops_exact.{name}") for name in ("commands", "commands.cli")}
    late = {(each.file, each.target) for each in own() if each.local and each.target not in heavy}
    assert late == entry | {(f"gops_exact.{file}", f"gops_exact.{name}") for file, name in LATE}


def test_kernels_take_nothing_of_the_layers_but_their_data():
    taken = {each.target for each in own() if ".floats.kernels" in each.file}
    others = {name for name in taken if ".floats." in name and ".kernels" not in name}
    assert others == {"gops_exact.solvers.floats.layer"}


MOST_INSIDE = 22
"""Files of tests outside `tests/internal` that may name a module that the package doesn't show."""


def inside(tree: ast.AST) -> set[str]:
    """The modules that a test names, in imports, after `gx` or in text, though the package doesn't show them."""
    named = {each.target for each in imports("", tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            named |= set(re.findall(r"\bgops_exact(?:\.\w+)+", node.value))
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"gx", "gops_exact"}:
            named.add(f"gops_exact.{node.attr}")
    shown = {"gops_exact", *(f"gops_exact.{path}" for path in gops_exact.WINGS.values())}
    return {file_of(each) for each in named if re.match(r"gops_exact\b", each)} - shown


def test_few_tests_name_what_the_package_does_not_show():
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        modules = inside(ast.parse(path.read_text("utf-8")))
        if modules and not path.is_relative_to(TESTS / "internal"):
            found[str(path.relative_to(TESTS))] = modules
    lines = [f"{name}: {', '.join(sorted(modules))}" for name, modules in found.items()]
    assert len(lines) <= MOST_INSIDE, "\n".join(["more files name what isn't shown", *lines])


def loaded(*calls: str) -> list[set[str]]:
    """The modules that are loaded after each of some calls, in one process."""
    code = "".join(f"{call}\nprint(*sys.modules)\n" for call in calls)
    run = subprocess.run(
        [sys.executable, "-c", f"import sys, gops_exact as gx\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return [set(line.split()) for line in run.stdout.splitlines()]


SELDOM = {"asyncio", "ssl", "html", "email", "importlib.metadata", "gmpy2"}
"""Modules that most calls can do without."""

NOT_LOADED = {
    "pass": {"numpy"},
    "gx.Rules()": {"flint", "gops_exact.solvers", "gops_exact.show"},
    "gx.solve_matrix_game([[3, -1], [1, 2]])": {"sqlite3", "gops_exact.solvers", *SELDOM},
    "gx.solve(gx.Position([2, 4], [1, 3], [12, 13], upcard=13))": SELDOM,
    "gx.first_move(3)": {"gops_exact.show", "gops_exact.players", *SELDOM},
    "gx.first_move(3, 'ball')": {"gops_exact.solvers.cluster"},
    "gx.first_move(3, 'float')": {"asyncio", "ssl", "gops_exact.solvers.cluster"},
}
"""{call: the modules that it and those before it do without}."""


def test_a_call_loads_nothing_of_others():
    for (call, others), modules in zip(NOT_LOADED.items(), loaded(*NOT_LOADED), strict=True):
        assert not others & modules, call


@pytest.mark.parametrize("name", sorted(gops_exact.WINGS))
def test_a_public_module_shows_its_public_names_alone(name):
    with suppress(ImportError):  # of an extra that is missing
        wing = getattr(gops_exact, name)
        assert dir(wing) == sorted(wing.__all__)
        assert not {"Any", "TYPE_CHECKING", "annotations"} & {*dir(wing)}


def test_the_package_shows_its_public_names_and_loads_nothing_heavy_with_them():
    (names, modules, _) = loaded(
        "sys.stdout.write(' '.join(dir(gx)) + '\\n'); [getattr(gx, name) for name in gx.__all__]",
        "gx.players.policy('matching', gx.Game(4))",
    )
    assert not {*HEAVY, "gops_exact.players"} & {name.split(".")[0] for name in modules}
    assert names == {*gops_exact.__all__, *gops_exact.WINGS, "__version__"}
    assert all(hasattr(gops_exact, name) for name in names)
