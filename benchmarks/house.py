"""How many ideas the package holds, here and in another checkout, and how many files a call goes through.

    python benchmarks/house.py [OTHER]

OTHER is the folder of another checkout. Counted are modules, lines, classes, functions and methods (without
overloads), groups of four arguments that stand together in three signatures or more (kernels apart), arguments
packed as ``f(*(a, b, c))``, circles of imports (those within functions count, those for type checkers do not), public
names, and for each of a few calls the files of the package whose functions it enters.
"""

import ast
import os
import pkgutil
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from io import StringIO
from itertools import combinations
from pathlib import Path
from types import FrameType

HERE = Path(__file__).parent.parent
PACKAGE = "gops_exact"
FACES = (
    "gops_exact",
    "gops_exact.players",
    "gops_exact.plots",
    "gops_exact.exchange.training",
    "gops_exact.literature",
)
MEASURE = "measure -n 4 --policy matching --against random,best-response"
CALLS = ("first_move(6)", 'first_move(9, "float")', 'solve(position, "ball")', MEASURE)
TOGETHER = 4
"""Arguments that make a group."""
OFTEN = 3
"""Signatures in which a group has to stand."""
MOST_ARGUMENTS = 12
"""Longer signatures are those of kernels, or have far too many groups."""


def counts(folder: Path) -> dict[str, int]:
    """Return what can be counted without running anything."""
    paths = sorted((folder / PACKAGE).rglob("*.py"))
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    functions = [
        (path, node)
        for path, node in nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and not any("overload" in ast.unparse(each) for each in node.decorator_list)
    ]
    groups: Counter[tuple[str, ...]] = Counter()
    for path, function in functions:
        given = function.args
        names = {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}
        names -= {"self", "cls"}
        if path.parent.name != "kernels" and len(names) <= MOST_ARGUMENTS:
            groups.update(combinations(sorted(names), TOGETHER))
    return {
        "modules": len(paths),
        "lines": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths),
        "classes": sum(isinstance(node, ast.ClassDef) for _, node in nodes),
        "functions": len(functions),
        "groups of four arguments": sum(number >= OFTEN for number in groups.values()),
        "packed arguments": sum(
            isinstance(each, ast.Starred) and isinstance(each.value, ast.Tuple)
            for _, node in nodes
            if isinstance(node, ast.Call)
            for each in node.args
        ),
        "circles of imports": circles(folder, trees),
    }


def circles(folder: Path, trees: dict[Path, ast.Module]) -> int:
    """Return 1 if the imports go in a circle, else 0."""
    names = {}
    for path in trees:
        parts = path.relative_to(folder).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    graph = {name: set(imported(name, trees[path], set(names))) for name, path in names.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return 1
    return 0


def imported(name: str, tree: ast.AST, modules: set[str]) -> Iterator[str]:
    """Yield the modules of the package that a module imports at run time."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        targets: list[str] = []
        if isinstance(node, ast.Import):
            targets = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            targets = [
                whole if (whole := f"{node.module}.{each.name}") in modules else str(node.module)
                for each in node.names
            ]
        yield from (target for target in targets if target in modules and target != name)
        yield from imported(name, node, modules)


def entered(call: str) -> int:
    """Count the files of the package whose functions a call enters, everything being imported before."""
    import gops_exact as gx

    for module in pkgutil.walk_packages(gx.__path__, f"{PACKAGE}."):
        with suppress(ImportError):  # what an extra that is not installed would need
            if not module.name.endswith("__main__"):
                import_module(module.name)
    from gops_exact.commands import cli

    position = gx.Position([1, 2, 3, 5, 7, 8], [2, 3, 4, 5, 6, 9], range(1, 7), upcard=4)
    sys.argv = [PACKAGE, *MEASURE.split()]
    works: dict[str, Callable[[], object]] = {
        CALLS[0]: lambda: gx.first_move(6, store=":memory:"),
        CALLS[1]: lambda: gx.first_move(9, "float"),
        CALLS[2]: lambda: gx.solve(position, "ball"),
        CALLS[3]: cli.main,
    }
    root, files = str(Path(gx.__file__).parent), set()

    def look(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(root):
            files.add(frame.f_code.co_filename)

    threading.setprofile(look)
    sys.setprofile(look)
    with redirect_stdout(StringIO()), suppress(SystemExit):
        works[call]()
    sys.setprofile(None)
    threading.setprofile(None)
    return len(files)


def public_names() -> int:
    """Count the names that the public modules show."""
    shown = 0
    for face in FACES:
        with suppress(ImportError):
            module = import_module(face)
            shown += len(getattr(module, "__all__", dir(module)))
    return shown


def asked(folder: Path, question: str) -> int:
    """Answer one of the questions above in a process that imports the package in a folder."""
    done = subprocess.run(
        [sys.executable, __file__, "--ask", question],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stdout)


def main() -> None:
    """Print a line for each count: here, and there."""
    if sys.argv[1:2] == ["--ask"]:
        print(public_names() if sys.argv[2] == "names" else entered(sys.argv[2]))
        return
    folders = [HERE, *(Path(each).resolve() for each in sys.argv[1:])]
    table = [counts(folder) for folder in folders]
    for folder, column in zip(folders, table, strict=True):
        column["public names"] = asked(folder, "names")
        column |= {f"files entered by {call}": asked(folder, call) for call in CALLS}
    for name in table[0]:
        print(f"{name:95}" + "".join(f"{column[name]:>8,}" for column in table), flush=True)


if __name__ == "__main__":
    main()
