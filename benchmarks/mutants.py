"""Faults drawn at random over the package, as `tests/data/mutations.csv` lists them.

    python benchmarks/mutants.py [SEED] [COUNT]

Prints a table of places and what would stand there instead. Each place of the code at which an operator of
cosmic-ray can change something is as likely as any other, and so is each operator at a place. Which of the faults
are real, and which test finds each, is for a reader to say: a drawn one may be equivalent, or change only the words
of a message. Needs cosmic-ray: ``pip install cosmic-ray``.
"""

import csv
import sys
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).parents[1]


def operators() -> dict[str, Any]:
    """Return {name: operator} of those that need no arguments."""
    from cosmic_ray.plugins import get_operator, operator_names

    classes = {name.removeprefix("core/"): get_operator(name) for name in operator_names()}
    return {name: each() for name, each in classes.items() if not each.arguments()}


def places(text: str, known: dict[str, Any]) -> dict[tuple[int, int], list[tuple[str, int]]]:
    """Return {(line, column): [(operator, its number among the operator's changes)]} of a module."""
    from cosmic_ray.ast import ast_nodes, get_ast

    found, nodes = {}, [*ast_nodes(get_ast(text))]
    for name, operator in known.items():
        starts = [start for node in nodes for start, _ in operator.mutation_positions(node)]
        for number, start in enumerate(starts):
            found.setdefault(start, []).append((name, number))
    return found


def main() -> None:
    """Print the drawn faults."""
    from cosmic_ray.mutating import mutate_code

    seed = sys.argv[1] if len(sys.argv) > 1 else "0"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
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
        lines = texts[file].splitlines(), mutate_code(texts[file], known[name], number).splitlines()
        line = next(
            line for line, (now, then) in enumerate(zip(*lines, strict=False)) if now != then
        )
        table.writerow([file, line + 1, name, *(text[line].strip() for text in lines)])


if __name__ == "__main__":
    main()
