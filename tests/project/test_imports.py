"""Imports between files run one way, and importing the package stays light."""

import ast
import re
from contextlib import suppress
from functools import cache
from graphlib import TopologicalSorter

import house
import make_architecture
import pytest
from project_paths import DOCS, PACKAGE, ROOT, TESTS
from runs import python

import gops_exact
from gops_exact.commands import COMMANDS, module_of

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


@cache
def graph() -> dict[str, set[str]]:
    """The modules of the package, and those of it that each imports, at its top or in a function."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    return house.imports(ROOT, trees)


def arrows() -> list[tuple[str, str]]:
    return [(file, target) for file, targets in graph().items() for target in targets]


def test_no_files_of_the_package_import_each_other_in_a_circle():
    TopologicalSorter(graph()).prepare()


def test_picture_of_the_architecture_equals_the_imports_between_subpackages():
    drawn = make_architecture.picture()
    assert (DOCS / "pictures" / "architecture.svg").read_text("utf-8") == drawn


def test_subpackages_import_only_from_those_below_them():
    def floor(file: str) -> int:
        return ROOMS.index(house.room(file))

    assert [each for each in arrows() if floor(each[1]) > floor(each[0])] == []


def test_only_commands_import_the_literature_and_exchange_subpackages():
    wings = ("gops_exact.literature", "gops_exact.exchange")
    readers = {file for file, target in arrows() if target.startswith(wings)}
    assert readers
    assert [name for name in readers if not name.startswith((*wings, "gops_exact.commands"))] == []


def test_no_command_imports_another():
    commands = {module_of(name).__name__ for name in COMMANDS}
    assert len(commands) > 10
    assert [pair for pair in arrows() if commands.issuperset(pair)] == []


def test_subpackage_verify_imports_only_subpackage_base_and_neither_flint_numpy_nor_sympy():
    rooms = {house.room(target) for file, target in arrows() if house.room(file) == "verify"}
    assert rooms == {"base", "verify"}
    lines = [
        line for path in (PACKAGE / "verify").glob("*.py") for line in path.read_text().splitlines()
    ]
    packages = {
        line.split()[1].split(".")[0] for line in lines if line.startswith(("import ", "from "))
    }
    assert not {"flint", "numpy", "sympy"} & packages


def test_numba_kernels_import_from_the_float_solver_only_the_module_layer():
    taken = {target for file, target in arrows() if ".floats.kernels" in file}
    others = {name for name in taken if ".floats." in name and ".kernels" not in name}
    assert others == {"gops_exact.solvers.floats.layer"}


def inside(tree: ast.AST) -> set[str]:
    """The modules that a test names, in imports, after `gx` or in text, though the package doesn't show them."""
    named = set(house.imported("", tree, {*graph()}))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            named |= set(re.findall(r"\bgops_exact(?:\.\w+)+", node.value))
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"gx", "gops_exact"}:
            named.add(f"gops_exact.{node.attr}")
    shown = {"gops_exact", *(f"gops_exact.{path}" for path in gops_exact.WINGS.values())}
    return named & {*graph()} - shown


def test_at_most_22_files_of_tests_outside_internal_name_private_modules():
    naming = [
        f"{path.relative_to(TESTS)}: {', '.join(sorted(modules))}"
        for path in sorted(TESTS.rglob("*.py"))
        if not path.is_relative_to(TESTS / "internal")
        and (modules := inside(ast.parse(path.read_text("utf-8"))))
    ]
    assert len(naming) <= 22, "\n".join(["more files name what isn't shown", *naming])


def loaded(*calls: str) -> list[set[str]]:
    """The modules that are loaded after each of some calls, in one process."""
    code = "".join(f"{call}\nprint(*sys.modules)\n" for call in calls)
    out, err = python("-c", f"import sys, gops_exact as gx\n{code}").communicate()
    assert not err
    return [set(line.split()) for line in out.splitlines()]


SELDOM = {"asyncio", "ssl", "html", "email", "importlib.metadata", "gmpy2"}
"""Modules that most calls can do without."""

LATER = {f"gops_exact.{name}" for name in ("base.pools", "solvers.floats")}
"""Modules of the package that an exact first move does without."""

NOT_LOADED = {
    "pass": {"numpy"},
    "gx.Rules()": {"flint", "gops_exact.solvers", "gops_exact.show"},
    "gx.solve_matrix_game([[3, -1], [1, 2]])": {"sqlite3", "gops_exact.solvers", *SELDOM},
    "gx.solve(gx.Position([2, 4], [1, 3], [12, 13], upcard=13))": SELDOM,
    "gx.first_move(3)": {"gops_exact.show", "gops_exact.players", *LATER, *SELDOM},
    "gx.first_move(3, 'ball')": {"gops_exact.base.cluster"},
    "gx.first_move(3, 'float')": {"asyncio", "ssl", "gops_exact.base.cluster"},
}
"""{call: the modules that it and those before it do without}."""


def test_calls_load_no_unneeded_modules():
    for (call, others), modules in zip(NOT_LOADED.items(), loaded(*NOT_LOADED), strict=True):
        assert not others & modules, call


@pytest.mark.parametrize("name", sorted(gops_exact.WINGS))
def test_dir_of_public_modules_lists_only_public_names(name):
    with suppress(ImportError):  # of an extra that is missing
        wing = getattr(gops_exact, name)
        assert dir(wing) == sorted(wing.__all__)
        assert not {"Any", "TYPE_CHECKING", "annotations"} & {*dir(wing)}


def test_type_checkers_see_every_public_name():
    tree = ast.parse((PACKAGE / "__init__.py").read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    names = {alias.asname for node in imports for alias in node.names}
    assert {*gops_exact.__all__, *gops_exact.WINGS} <= names


def test_package_lists_its_public_names_and_loads_nothing_heavy():
    (names, modules, _) = loaded(
        "sys.stdout.write(' '.join(dir(gx)) + '\\n'); [getattr(gx, name) for name in gx.__all__]",
        "gx.players.policy('matching', gx.Game(4))",
    )
    assert not {*HEAVY, "gops_exact.players"} & {name.split(".")[0] for name in modules}
    assert names == {*gops_exact.__all__, *gops_exact.WINGS, "__version__"}
    assert all(hasattr(gops_exact, name) for name in names)
