"""The lists of faults in tests/data: the code and the tests that they name exist."""

import ast
import re
from functools import cache
from pathlib import Path

import faults
import pytest
from project_paths import DATA, ROOT, TESTS, table

LISTED = faults.faults(DATA / "faults.toml", "")
PLANTED = faults.faults(TESTS / "attack/planted.toml", "")


def test_code_that_a_list_of_faults_replaces_occurs_once():
    code = "\0".join(path.read_text("utf-8") for path in faults.sources())
    wrong = [(fault.name, fault.now) for fault in (*LISTED, *PLANTED) if code.count(fault.now) != 1]
    assert not wrong, "\n".join(map(": ".join, wrong))


@cache
def listed_tests(path):
    """List the tests of a file: (names that -k always matches, texts in which the ids of its parameters can be found).

    The ids are not computed. The texts are the decorators of the test and the definitions of the names in them; and the
    names of all sessions and traces, if the parameters are files.
    """
    source = (ROOT / path).read_text("utf-8")
    tree = ast.parse(source)
    defined = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.FunctionDef | ast.ClassDef):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    defined[node.id] = statement
            defined[getattr(statement, "name", "")] = statement
    tests = []
    for test in ast.walk(tree):
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            nodes, read = [*test.decorator_list], set()
            for node in nodes:  # the list grows
                names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                nodes += [defined[name] for name in names - read if name in defined]
                read |= names
            texts = " ".join(ast.get_source_segment(source, node) for node in nodes)
            if ".stem" in texts:
                texts += " ".join(["", *(file.stem for file in TESTS.rglob("*.txt"))])
            tests.append((f"{Path(path).name} {test.name}", texts))
    return tests


def selects(chosen, names, texts):
    """Return True if an expression of pytest's -k selects a test, without or with the words of its parameters."""

    def holds(text):
        word = r"[^\s()]+"
        known = {"and", "or", "not"}
        condition = re.sub(
            word, lambda m: m[0] if m[0] in known else str(m[0].lower() in text.lower()), chosen
        )
        return eval(condition or "True")  # noqa: S307  # only True, False, and, or, not and parentheses

    return holds(names) or holds(f"{names} {texts}")


@pytest.mark.parametrize(
    ("chosen", "is_selected"),
    [
        ("", True),
        ("Draws", True),
        ("draws and big", True),
        ("draws and not big", True),
        ("draws and small", False),
        ("not draws", False),
        ("not (draws or big)", False),
        ("(small or big) and draws", True),
        ("test_game", True),
    ],
)
def test_keyword_expressions_of_fault_lists_select_tests_as_in_pytest(chosen, is_selected):
    assert selects(chosen, "test_game.py test_draws_add_up", '"size", ["big"]') is is_selected


def test_lists_of_faults_name_tests_that_exist():
    wrong = []
    for fault in LISTED:
        paths = [word for word in fault.tests if word.endswith(".py")]
        chosen = fault.tests[fault.tests.index("-k") + 1] if "-k" in fault.tests else ""
        if not any(selects(chosen, *test) for path in paths for test in listed_tests(path)):
            wrong.append((fault.name, chosen))
    found_by = "\n".join(row["found by"] for row in table(DATA / "mutations.csv"))
    for path, name in re.findall(r"(tests/\S+\.py)(?:::(\w+))?", found_by):
        if f"def {name}" not in (ROOT / path).read_text("utf-8"):
            wrong.append((path, name))
    assert not wrong, "\n".join(map(": ".join, wrong))
