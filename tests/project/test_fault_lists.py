"""The lists of faults in tests/data: the code and the tests that they name exist."""

import re

import faults
from project_paths import DATA, ROOT, TESTS, table

LISTED = faults.faults(DATA / "faults.toml", "")
TEST = r"def test_\w+"

PLANTED = faults.faults(TESTS / "attack/planted.toml", "")


def test_code_that_a_list_of_faults_replaces_occurs_once():
    code = "\0".join(path.read_text("utf-8") for path in faults.sources())
    wrong = [(fault.name, fault.now) for fault in (*LISTED, *PLANTED) if code.count(fault.now) != 1]
    assert not wrong, "\n".join(map(": ".join, wrong))


def selects(chosen, path):
    """Return True if an expression of pytest's -k selects a test of a file.

    A test is selected by its own name. The ids of parameters are not computed: their words are looked for in all that
    the file has beside the names of tests, and in the names of sessions and traces, which are parameters, too.
    """
    source = path.read_text("utf-8")
    names, others = re.findall(TEST, source), re.sub(TEST, "", source)
    others += " ".join(file.stem for file in TESTS.rglob("*.txt"))

    def holds(text):
        def value(word):
            return word[0] if word[0] in {"and", "or", "not"} else str(word[0].lower() in text)

        return eval(re.sub(r"[^\s()]+", value, chosen) or "True")  # noqa: S307  # truth values alone

    texts = [f"{path.name} {name}".lower() for name in names]
    return any(holds(text) or holds(f"{text} {others.lower()}") for text in texts)


def test_lists_of_faults_name_tests_that_exist():
    wrong = []
    for fault in LISTED:
        paths = [ROOT / word for word in fault.tests if word.endswith(".py")]
        chosen = fault.tests[fault.tests.index("-k") + 1] if "-k" in fault.tests else ""
        if not any(selects(chosen, path) for path in paths):
            wrong.append((fault.name, chosen))
    found_by = "\n".join(row["found by"] for row in table(DATA / "mutations.csv"))
    for path, name in re.findall(r"(tests/\S+\.py)(?:::(\w+))?", found_by):
        if f"def {name}" not in (ROOT / path).read_text("utf-8"):
            wrong.append((path, name))
    assert not wrong, "\n".join(map(": ".join, wrong))
