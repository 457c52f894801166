"""The documentation: what it shows runs, and prints what it says; what it names is there."""

import doctest
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import gops_exact as gx
from gops_exact import cli
from gops_exact.commands import COMMANDS, module_of

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])
SITE = ROOT / "mkdocs.yml"

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"(?:\S*/)?(?:gops-exact|python -m gops_exact)(?= |$)")


def blocks(page, language):
    return [body for found, body in BLOCK.findall(page.read_text("utf-8")) if found == language]


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=named)
def test_python_runs_and_prints_what_the_page_says(page, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names, parser = {}, doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for number, body in enumerate(blocks(page, "python")):
        if ">>>" not in body:
            with redirect_stdout(StringIO()) as printed:
                exec(body, names)  # noqa: S102  # the project's own page
            assert not printed.getvalue() or printed.getvalue() in blocks(page, "text")
            continue
        test = parser.get_doctest(body, names, f"{page.name}, block {number}", None, None)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0


def commands(page):
    lines = "".join(blocks(page, "console")).replace("\\\n", " ").splitlines()
    words = [line.removeprefix("$ ").partition("#")[0] for line in lines if line.startswith("$ ")]
    return [line for line in words if PROGRAM.match(line)]


@pytest.mark.parametrize(
    "line", sorted({line for page in PAGES for line in commands(page)}), ids=str.strip
)
def test_commands_are_ones_the_program_takes(line, monkeypatch):
    for name in COMMANDS:
        monkeypatch.setattr(module_of(name), "run", lambda _given: 0)
    words = shlex.split(PROGRAM.sub("", line).partition(">")[0])
    assert cli.main(words) == 0


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs/tutorial.md"], ids=named)
def test_the_first_output_shown_is_the_one_printed(page, capsys):
    command = commands(page)[0]
    assert cli.main(shlex.split(PROGRAM.sub("", command))) == 0
    assert capsys.readouterr().out == blocks(page, "text")[0]


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_the_site_builds_without_a_warning(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    pytest.importorskip("mkdocstrings", reason="mkdocstrings is not installed")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    reference = (tmp_path / "reference/index.html").read_text("utf-8")
    described = {
        name.rpartition(".")[2] for name in re.findall(r'id="(gops_exact[\w.]*)"', reference)
    }
    assert set(gx.__all__) <= described


def test_every_page_has_a_place_in_the_site():
    navigation = SITE.read_text("utf-8").partition("\nnav:\n")[2]
    assert sorted(re.findall(r"[\w/-]+\.md", navigation)) == sorted(
        page.name for page in PAGES if page.parent.name == "docs"
    )


def test_the_outlook_is_what_the_program_counts():
    words = [sys.executable, ROOT / "benchmarks" / "float_outlook.py"]
    table = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert table in (ROOT / "docs" / "float.md").read_text("utf-8")
