"""The lists of faults in tests/data: the code and the tests that they name exist."""

import re

import faults
from project_paths import DATA, ROOT, TESTS, table

LISTED = faults.faults(DATA / "faults.toml", "")
PLANTED = faults.faults(TESTS / "attack/planted.toml", "")


def test_code_that_a_list_of_faults_replaces_occurs_once():
    code = "\0".join(path.read_text("utf-8") for path in faults.sources())
    wrong = [(fault.name, fault.now) for fault in (*LISTED, *PLANTED) if code.count(fault.now) != 1]
    assert not wrong, "\n".join(map(": ".join, wrong))


def test_lists_of_faults_name_tests_that_exist():
    """Each word of -k occurs in a file that is run, as a test's name or parameter, or names a session or a trace."""
    names, wrong = " ".join(path.stem for path in TESTS.rglob("*.txt")), []
    for fault in LISTED:
        texts = [(ROOT / word).read_text("utf-8") for word in fault.tests if word.endswith(".py")]
        chosen = fault.tests[fault.tests.index("-k") + 1] if "-k" in fault.tests else ""
        words = {*re.findall(r"[\w-]+", chosen.lower())} - {"and", "or", "not"}
        known = " ".join([*texts, names]).lower()
        wrong += [(fault.name, word) for word in words if word not in known]
    found_by = "\n".join(row["found by"] for row in table(DATA / "mutations.csv"))
    for path, name in re.findall(r"(tests/\S+\.py)(?:::(\w+))?", found_by):
        if f"def {name}" not in (ROOT / path).read_text("utf-8"):
            wrong.append((path, name))
    assert not wrong, "\n".join(map(": ".join, wrong))
