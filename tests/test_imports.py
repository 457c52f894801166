"""Imports between files run one way, and importing the package stays light."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import gops_exact

ROOT = Path(gops_exact.__file__).parent
SUBPACKAGES = (
    *("arguments", "writing", "documents", "progress", "pools", "game", "numbers", "table"),
    *(
        "matrix_game",
        "known_games",
        "solutions",
        "store",
        "lattice",
        "layers",
        "cost",
        "solvers",
        "verify",
    ),
    *("api", "players", "exchange", "show", "literature", "hidden_bids", "training"),
    *("__init__", "commands", "cli", "__main__"),
)
"""A file may import from its own subpackage and from those before it."""

HEAVY = {
    *("dask", "distributed", "gymnasium", "highspy", "matplotlib", "numba", "open_spiel", "pandas"),
    *("pettingzoo", "pyspiel", "scipy", "starlette", "sympy", "uvicorn"),
}
"""Packages that take long to load, so that only functions that need them import them."""


class Import(NamedTuple):
    """An import of a module: at the top of a file, or in a function."""

    target: str
    local: bool


def imports(tree: ast.AST, *, local: bool = False) -> Iterator[Import]:
    """Every import that can happen at run time; of a name, as ``module.name``."""
    for node in ast.iter_child_nodes(tree):
        inside = local or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from imports(ast.Module(node.orelse, []), local=inside)
        elif isinstance(node, ast.Import):
            yield from (Import(alias.name, local) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, "relative imports hide where they lead"
            assert not node.level, "relative imports hide where they lead"
            yield from (Import(f"{node.module}.{alias.name}", local) for alias in node.names)
        else:
            yield from imports(node, local=inside)


class House:
    """The files of a package and their imports.

    Args:
        root: the package's folder.
    """

    def __init__(self, root: Path) -> None:
        trees = {}
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root.parent).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            trees[name] = ast.parse(path.read_text(encoding="utf-8"))
        self.name = root.name
        self.found = {name: set(imports(tree)) for name, tree in trees.items()}
        self.own = {
            name: {
                Import(target, each.local)
                for each in found
                if (target := self._file(each.target)) not in (None, name)
            }
            for name, found in self.found.items()
        }
        self.heavy = {name for name in self.found if self._loads_heavy(name, set())}

    def _file(self, target: str) -> str | None:
        """The package's file that an import runs, if it is one."""
        while target and target not in self.found:
            target = target.rpartition(".")[0]
        return target or None

    def _loads_heavy(self, name: str, seen: set[str]) -> bool:
        """True if importing a file loads a heavy package."""
        seen.add(name)
        tops = (each.target.split(".")[0] for each in self.found[name] if not each.local)
        below = {each.target for each in self.own[name] if not each.local} - seen
        return any(top in HEAVY for top in tops) or any(self._loads_heavy(b, seen) for b in below)

    def circle(self) -> list[str]:
        """Files that import each other in a circle, imports in functions counted; [] if none do."""
        graph = {name: [each.target for each in own] for name, own in self.own.items()}
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            return list(error.args[1])
        return []

    def upward(self) -> set[tuple[str, str]]:
        """Imports from a subpackage further on."""
        return {
            (name, each.target)
            for name, own in self.own.items()
            for each in own
            if self._floor(each.target) > self._floor(name)
        }

    def _floor(self, name: str) -> int:
        return SUBPACKAGES.index(
            name.removeprefix(self.name).lstrip(".").split(".")[0] or "__init__"
        )

    def local(self) -> set[tuple[str, str]]:
        """Imports of the package's own files in functions, but of those that load a heavy package."""
        return {
            (name, each.target)
            for name, own in self.own.items()
            for each in own
            if each.local and each.target not in self.heavy
        }


@pytest.fixture(scope="module")
def house():
    return House(ROOT)


def test_no_files_import_each_other_in_a_circle(house):
    assert house.circle() == []


def test_subpackages_import_from_those_before_them(house):
    assert house.upward() == set()


def test_wings_are_read_by_commands_alone(house):
    wings = ("gops_exact.literature", "gops_exact.training")
    readers = {
        name
        for name, own in house.own.items()
        for each in own
        if each.target.startswith(wings) and not name.startswith(wings)
    }
    assert {name for name in readers if ".commands." not in name} == set()


def test_only_third_party_and_heavy_imports_are_in_functions(house):
    # The program's entry handles signals before it loads the rest; and few have a cluster.
    entry = {("gops_exact.__main__", f"gops_exact.{name}") for name in ("commands", "cli")}
    solvers = ("gops_exact.solvers.by_prizes", "gops_exact.solvers.by_layers")
    assert house.local() == entry | {(name, "gops_exact.solvers.cluster") for name in solvers}


def test_kernels_take_nothing_of_the_layers_but_their_data(house):
    kernels = [own for name, own in house.own.items() if ".layers.kernels" in name]
    taken = {each.target for own in kernels for each in own if ".layers." in each.target}
    assert {name for name in taken if ".kernels" not in name} == {"gops_exact.layers.layer"}


def made(folder, **files):
    """A package of some files in `folder`."""
    root = folder / "gops_exact"
    for name, text in files.items():
        path = root / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return House(root)


@pytest.mark.parametrize(
    "back",
    [
        "from gops_exact.game.cards import mask",
        "import gops_exact.game.cards",
        "def late():\n    from gops_exact.game import cards",
        "if TYPE_CHECKING:\n    import flint\nelse:\n    from gops_exact.game import cards",
    ],
)
def test_a_circle_made_on_purpose_is_found(tmp_path, back):
    found = made(tmp_path, game__cards="import gops_exact.game.rules", game__rules=back)
    assert set(found.circle()) == {"gops_exact.game.cards", "gops_exact.game.rules"}


def test_other_broken_rules_are_found(tmp_path):
    found = made(
        tmp_path,
        game__cards="def late():\n    from gops_exact.game import rules",
        game__rules="from gops_exact.store.disk import DiskStore",
        store__disk="def late():\n    import gops_exact.store.kernel\n    import flint",
        store__kernel="import numba",
    )
    assert found.circle() == []
    assert found.upward() == {("gops_exact.game.rules", "gops_exact.store.disk")}
    assert found.local() == {("gops_exact.game.cards", "gops_exact.game.rules")}
    # Annotations are no imports.
    seen = "if TYPE_CHECKING:\n    import gops_exact.game.cards"
    assert (
        made(tmp_path, game__cards="import gops_exact.game.rules", game__rules=seen).circle() == []
    )


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
        ("gx.Rules()", {"flint", "gops_exact.solvers", "gops_exact.show", "gops_exact.store"}),
        (
            "gx.solve_matrix_game([[3, -1], [1, 2]])",
            {"sqlite3", "gops_exact.lattice", "gops_exact.solvers", *SELDOM},
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
