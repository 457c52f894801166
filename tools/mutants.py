"""Faults drawn at random over the package, as `tests/data/mutations.csv` lists them.

    python tools/mutants.py draw [SEED] [COUNT] > TABLE
    python tools/mutants.py run TABLE [NUMBER ...]

`draw` prints a table of places and what would stand there instead. Each place of the code at which an operator of
cosmic-ray can change something is as likely as any other, and so is each operator at a place. `run` copies the
package and its tests to a temporary folder, puts in one fault of a table after the other, and prints the first test
that fails: of the doctests of the changed file, then of the tests, those nearest to it first. It leaves out tests that
need a browser or another environment. A fault that no test finds takes as long as the suite. Which of the faults are
real is for a reader to say: a drawn one may be equivalent, or change only the words of a message. Needs cosmic-ray:
``pip install cosmic-ray``.
"""

import csv
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

ROOT = Path(__file__).parents[1]

LEFT_OUT = {
    "benchmark",
    "docs",
    "notebooks",
    "other_systems",
    "page_journeys",
    "page_looks",
    "results",
    "wheel",
}
"""Files of tests, without "test_", that need a browser or another environment, or judge what the package is not."""

LONGEST = 900
"""Seconds that the tests may take with a fault; they take some 200 without one."""


def operators() -> dict[str, Any]:
    """Return {name: operator} of those that need no arguments."""
    from cosmic_ray.plugins import get_operator, operator_names

    classes = {name.removeprefix("core/"): get_operator(name) for name in operator_names()}
    return {name: operator() for name, operator in classes.items() if not operator.arguments()}


def places(text: str, known: dict[str, Any]) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Return {(line, column): [(operator, its number among the operator's changes)]} of a module."""
    from cosmic_ray.ast import ast_nodes, get_ast

    choices, nodes = {}, [*ast_nodes(get_ast(text))]
    for name, operator in known.items():
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for number, start in enumerate(starts):
            choices.setdefault(start, []).append((name, number))
    return choices


def draw(seed: str, count: int) -> None:
    """Print the drawn faults as a table."""
    from cosmic_ray.mutating import mutate_code

    known = operators()
    texts = {
        str(path.relative_to(ROOT)): path.read_text("utf-8")
        for path in sorted((ROOT / "gops_exact").rglob("*.py"))
    }
    spots = [
        (file, choices)
        for file, text in texts.items()
        for _, choices in sorted(places(text, known).items())
    ]
    source, table = Random(seed), csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["file", "line", "operator", "now", "then"])
    for file, choices in source.sample(spots, count):
        name, number = source.choice(choices)
        now, then = (
            text.splitlines()
            for text in (texts[file], mutate_code(texts[file], known[name], number))
        )
        line = next(
            line for line, (old, new) in enumerate(zip(now, then, strict=False)) if old != new
        )
        changed = then[line]
        while not now[line]:  # a decorator is removed with the empty lines before it
            line, changed = line + 1, ""
        table.writerow([file, line + 1, name, now[line].strip(), changed.strip()])


def distance(test: Path, file: str) -> int:
    """Return how far a file of tests is from a file of the package: 0 if their names share a word."""
    if {*Path(file).stem.split("_")} & {*test.stem.split("_")}:
        return 0
    nearest = [Path(file).parts[1], "internal", "solvers"]
    return nearest.index(test.parent.name) + 1 if test.parent.name in nearest else len(nearest) + 1


def finder(root: Path, row: dict[str, str]) -> str:
    """Return the first test that fails in the copy at `root` with a fault put in, or why there is none."""
    path = root / row["file"]
    whole = path.read_text("utf-8")
    lines = whole.splitlines(keepends=True)
    index = int(row["line"]) - 1
    if not row["now"] or row["now"] not in lines[index]:
        return f"NOT RUN: the line must hold {row['now']!r}, got {lines[index].strip()!r}"
    lines[index] = lines[index].replace(row["now"], row["then"])
    tests = [
        test
        for test in sorted((root / "tests").rglob("test_*.py"))
        if test.stem.removeprefix("test_") not in LEFT_OUT
    ]
    tests.sort(key=lambda test: distance(test, row["file"]))
    words = [
        "-m",
        "pytest",
        "-qx",
        "-p",
        "no:cacheprovider",
        "--doctest-modules",
        row["file"],
        *map(str, tests),
    ]
    path.write_text("".join(lines), "utf-8")
    try:
        run = subprocess.run(
            [sys.executable, *words],
            cwd=root,
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
        )
    except subprocess.TimeoutExpired:
        return "the tests do not end"
    finally:
        path.write_text(whole, "utf-8")
    if not run.returncode:
        return "NOT FOUND"
    failed = (line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR")))
    return next(failed, "every test: they cannot be run")


def run(file: str, numbers: list[int]) -> None:
    """Print, for each fault of a table, its number from 1, the seconds that the tests took, and the test that finds it."""
    rows = list(csv.DictReader(Path(file).read_text("utf-8").splitlines()))
    with TemporaryDirectory(prefix="gops_exact-") as folder:
        root = Path(folder) / "copy"
        copytree(ROOT, root, ignore=ignore_patterns(".*", "build", "__pycache__"))
        for number in numbers or range(1, len(rows) + 1):
            row, begun = rows[number - 1], monotonic()
            answer = finder(root, row)
            print(
                f"{number:3} {monotonic() - begun:5.0f} s  {row['file']}:{row['line']}  {answer}",
                flush=True,
            )


if __name__ == "__main__":
    command, *words = sys.argv[1:] or ["draw"]
    if command == "run":
        run(words[0], [int(word) for word in words[1:]])
    else:
        draw(words[0] if words else "0", int(words[1]) if words[1:] else 60)
