"""How many ideas the package holds, here and in another checkout, and how far a call goes through it.

    python tools/house.py [OTHER]

OTHER is the folder of another checkout. Counted are entries at the top of the package, arrows between them and the
floors that these make, modules, lines of code and of docstrings apart (comments and blanks are neither), classes,
functions and methods (without overloads), groups of four arguments that stand together in three signatures or more
(kernels apart), arguments packed as ``f(*(a, b, c))``, circles of imports (those within functions count, those for
type checkers do not), module names that occur twice, and public names; and for each of a few calls the modules that
a new process loads for it, and the files and functions of the package that it enters.
"""

import ast
import io
import json
import os
import pkgutil
import subprocess
import sys
import threading
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from io import StringIO
from itertools import combinations
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

HERE = Path(__file__).parent.parent
PACKAGE = "gops_exact"
FACES = ("players", "plots", "training", "literature", "exchange", "hidden_bids", "known_games")
"""Public modules, attributes of the package."""

CALLS: dict[str, Callable[[Any], object]] = {
    "first_move(5)": lambda gx: gx.first_move(5, store=":memory:"),
    'first_move(3, "float")': lambda gx: gx.first_move(3, "float"),
    'solve(position, "ball")': lambda gx: gx.solve(
        gx.Position([1, 2, 3, 5, 7, 8], [2, 3, 4, 5, 6, 9], range(1, 7), upcard=4), "ball"
    ),
    "solve_matrix_game": lambda gx: gx.solve_matrix_game([[0, 2, -1], [-1, 0, 3], [4, -5, 0]]),
}
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
    graph = imports(folder, trees)
    rooms: dict[str, set[str]] = {}
    for name, targets in graph.items():
        rooms.setdefault(room(name), set()).update(map(room, targets))
    names = Counter(name.rpartition(".")[2] for name in graph)
    docstrings = {path: docstring_lines(tree) for path, tree in trees.items()}
    return {
        "entries at the top": len(rooms),
        "arrows": sum(len(targets - {name}) for name, targets in rooms.items()),
        "floors": floors({name: targets - {name} for name, targets in rooms.items()}),
        "modules": len(paths),
        "module names used twice": sum(number > 1 for number in names.values()),
        "lines of code": sum(len(code_lines(path) - docstrings[path]) for path in paths),
        "lines of docstrings": sum(map(len, docstrings.values())),
        "classes": sum(isinstance(node, ast.ClassDef) for _, node in nodes),
        "functions": len(functions),
        "groups of four arguments": sum(number >= OFTEN for number in groups.values()),
        "packed arguments": sum(
            isinstance(each, ast.Starred) and isinstance(each.value, ast.Tuple)
            for _, node in nodes
            if isinstance(node, ast.Call)
            for each in node.args
        ),
        "circles of imports": int(floors(graph) == 0),
    }


def docstring_lines(tree: ast.Module) -> set[int]:
    """Return the numbers of the lines of docstrings, those below attributes included."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def code_lines(path: Path) -> set[int]:
    """Return the numbers of the lines that hold more than comments."""
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    read = io.StringIO(path.read_text(encoding="utf-8")).readline
    return {
        line
        for token in tokenize.generate_tokens(read)
        if token.type not in {*silent, tokenize.ENDMARKER}
        for line in range(token.start[0], token.end[0] + 1)
    }


def room(module: str) -> str:
    """Return the entry at the top of the package that a module stands in."""
    return [*module.split("."), "__init__"][1]


def imports(folder: Path, trees: dict[Path, ast.Module]) -> dict[str, set[str]]:
    """Return for each module the modules of the package that it imports at run time."""
    names = {}
    for path in trees:
        parts = path.relative_to(folder).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {name: set(imported(name, trees[path], set(names))) for name, path in names.items()}


def floors(graph: dict[str, set[str]]) -> int:
    """Return the number of nodes in the longest chain of imports, 0 if they go in a circle."""
    height: dict[str, int] = {}
    try:
        for name in TopologicalSorter(graph).static_order():
            height[name] = 1 + max((height[target] for target in graph[name]), default=0)
    except CycleError:
        return 0
    return max(height.values())


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


def loaded(call: str) -> dict[str, int]:
    """Count the modules of the package that are loaded once a call has ended."""
    import gops_exact as gx

    CALLS[call](gx)
    return {"modules loaded": sum(name.split(".")[0] == PACKAGE for name in sys.modules)}


def entered(call: str) -> dict[str, int]:
    """Count the files and functions that a call enters, everything being imported before."""
    import gops_exact as gx

    for module in pkgutil.walk_packages(gx.__path__, f"{PACKAGE}."):
        with suppress(ImportError):  # what an extra that is not installed would need
            if not module.name.endswith("__main__"):
                import_module(module.name)
    root, codes = str(Path(gx.__file__).parent), set[CodeType]()

    def look(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name != "<module>":
            codes.add(code)

    threading.setprofile(look)
    sys.setprofile(look)
    with redirect_stdout(StringIO()):
        CALLS[call](gx)
    sys.setprofile(None)
    threading.setprofile(None)
    files = {code.co_filename for code in codes}
    return {"files entered": len(files), "functions entered": len(codes)}


def public_names() -> int:
    """Count the names that the package and its public modules show."""
    import gops_exact as gx

    faces = [gx]
    for name in FACES:
        with suppress(
            ImportError, AttributeError
        ):  # what an extra that is not installed would need
            faces.append(getattr(gx, name))
    return sum(len(getattr(face, "__all__", dir(face))) for face in faces)


def asked(folder: Path, question: str, call: str = "") -> dict[str, int]:
    """Answer one of the questions above in a process that imports the package in a folder."""
    done = subprocess.run(
        [sys.executable, __file__, "--ask", question, call],
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    answer: dict[str, int] = json.loads(done.stdout)
    return answer


def main() -> None:
    """Print a line for each count: here, and there."""
    if sys.argv[1:2] == ["--ask"]:
        question, call = sys.argv[2:]
        answers = {"loaded": loaded, "entered": entered}
        answer = answers[question](call) if call else {"public names": public_names()}
        print(json.dumps(answer))
        return
    folders = [HERE, *(Path(argument).resolve() for argument in sys.argv[1:])]
    table = [counts(folder) | asked(folder, "names") for folder in folders]
    for folder, column in zip(folders, table, strict=True):
        for call in CALLS:
            answers = asked(folder, "loaded", call) | asked(folder, "entered", call)
            column |= {f"{call}: {name}": number for name, number in answers.items()}
    for name in table[0]:
        print(f"{name:60}" + "".join(f"{column[name]:>8,}" for column in table), flush=True)


if __name__ == "__main__":
    main()
