"""The documentation: what it shows runs, and prints what it says; what it names is there."""

import doctest
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path
from runpy import run_path
from shutil import copytree, which

import pytest
from program import run
from project_paths import BLOCK, DOCS, ROOT, blocks
from served import watched

import gops_exact as gx
from gops_exact.commands import COMMANDS, module_of

PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md")])

PROGRAM = re.compile(r"(?:\S*/)?(?:gops-exact|python -m gops_exact)(?= |$)")


def named(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=named)
def test_python_on_a_page_of_the_documentation_prints_what_the_page_shows(
    page, tmp_path, monkeypatch
):
    pytest.importorskip("matplotlib")
    if "environments" in page.read_text("utf-8"):
        pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    monkeypatch.chdir(tmp_path)
    names, parser = {}, doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    shown = [*BLOCK.findall(page.read_text("utf-8")), ("", "")]
    for number, ((language, body), (following, output)) in enumerate(pairwise(shown)):
        if language != "python":
            continue
        if ">>>" not in body:
            with redirect_stdout(StringIO()) as printed:
                exec(body, names)  # noqa: S102  # the project's own page
            assert printed.getvalue() == (output if following == "text" else "")
            continue
        test = parser.get_doctest(body, names, f"{page.name}, block {number}", None, None)
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0


def examples():
    """Return the examples in the helps of commands."""
    helps = [run(f"{name} --help").out for name in COMMANDS]
    parts = [shown.partition("\nexamples:\n")[2].splitlines()[::2] for shown in helps]
    assert all(parts)
    return [line.strip() for part in parts for line in part]


def commands(page):
    lines = "".join(blocks(page, "console")).replace("\\\n", " ").splitlines()
    words = [line.removeprefix("$ ").partition("#")[0] for line in lines if line.startswith("$ ")]
    return [line for line in words if PROGRAM.match(line)]


@pytest.mark.parametrize(
    "line",
    sorted({*examples(), *(line for page in PAGES for line in commands(page))}),
    ids=str.strip,
)
def test_commands_of_pages_and_examples_of_helps_are_accepted(line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in COMMANDS:
        monkeypatch.setattr(module_of(name), "run", lambda _given: 0)
    assert run(PROGRAM.sub("", line).partition(">")[0]).status == 0


def sessions(page):
    """Return the lines of console blocks that show output: pairs of a command and what stands below it."""
    for block in blocks(page, "console"):
        parts = block.replace("\\\n", " ").removeprefix("$ ").rstrip("\n").split("\n$ ")
        lines = [part.partition("\n") for part in parts]
        if any(out for _, _, out in lines):
            yield from ((line.partition("  #")[0], out) for line, _, out in lines)


@pytest.mark.parametrize("page", [page for page in PAGES if [*sessions(page)]], ids=named)
def test_commands_on_a_page_of_the_documentation_print_what_stands_below_them(
    page, monkeypatch, tmp_path, request
):
    monkeypatch.chdir(tmp_path)
    copytree(ROOT / "proofs", "proofs")
    for line, out in sessions(page):
        if line.startswith("cat "):  # a file that the page shows, for the commands that follow
            Path(line.split()[1]).write_text(f"{out}\n", "utf-8")
        elif PROGRAM.match(line):
            status, printed, _ = run(PROGRAM.sub("", line))
            assert (status, printed.rstrip("\n")) == (0, out), line
        elif line.startswith("coqc ") and which("coqc") is None:
            continue
        elif out:
            if line.startswith("coqc "):  # it needs the folder that make proofs fills
                copytree(request.getfixturevalue("coq"), "build/proofs")
            # "python" is the Python that runs the tests.
            path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            done = subprocess.run(  # noqa: S602  # the project's own page
                line,
                shell=True,
                env=os.environ | {"PATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            assert (done.returncode, done.stdout.rstrip("\n")) == (0, out), line


def test_readme_has_at_most_110_lines():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 110


NAMED = re.compile(
    r"(?<!\")\b(?:benchmarks|studies|tools|results|tests|notebooks|gops_exact|docs)/[\w/.-]*\w"
)
LINK = re.compile(r"\]\((?!https://)([^)#\s]+)")


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_files_and_links_named_on_pages_exist(page):
    text = page.read_text("utf-8")
    assert [name for name in NAMED.findall(text) if not list(ROOT.glob(f"{name}*"))] == []
    # The pages of notebooks are made with the site.
    for target in LINK.findall(text):
        assert (page.parent / target).exists() or (ROOT / f"{target}.ipynb").exists(), target


SITE_NEEDS = ["sphinx", "myst_nb", "pydata_sphinx_theme", "math_core", "pettingzoo", "ziamath"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built without a warning."""
    for package in SITE_NEEDS:
        pytest.importorskip(package, reason=f"{package} is not installed")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "sphinx", "-W", "-q", "-d", folder / "doctrees"]
    words += [ROOT / "docs", folder / "site"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (folder / "site").resolve()


def test_reference_pages_describe_all_public_names(site):
    pages = "".join(page.read_text("utf-8") for page in site.glob("reference/*.html"))
    described = {name.rpartition(".")[2] for name in re.findall(r'id="(gops_exact[\w.]*)"', pages)}
    assert set(gx.__all__) <= described


@pytest.fixture(scope="module")
def opened(site, browser):
    """The front page at a telephone's width; errors in it, and requests for more than files, fail its tests."""
    with watched(browser, (site / "index.html").as_uri()) as (page, requests):
        page.set_viewport_size({"width": 390, "height": 844})
        yield page
    assert all(asked.startswith("file:") for asked in requests)


SEARCHES = {
    "--folder": "commands/first-move.html#cmdoption-gops-exact-first-move-folder",
    "carryover": "rules.html#ties-carryover",
    "first_move": "reference/positions.html#gops_exact.first_move",
    "matrix games": "matrix_games.html",
    "exploitability": "notebooks/05_opponents.html",
    "rules of the game": "rules.html",
    "game trees": "game_trees.html",
    "hidden bids": "hidden_bids.html",
    "excel": "matrix_games.html#from-excel-or-another-spreadsheet",
    "teacher": "lecture.html",
    "lecture": "lecture.html",
    "sensitivity": "matrix_games.html#what-if-a-payoff-changes",
    "windows": "tutorial.html#install",
    "what if": "matrix_games.html#what-if-a-payoff-changes",
    "play against the computer": "how-to.html#play-in-a-terminal-measure-a-policy",
    "own poker": "gallery.html#a-poker-of-your-own",
    "excel file": "matrix_games.html#from-excel-or-another-spreadsheet",
    "coq proof": "proofs.html",
    "latex table": "how-to.html#export",
}


FIRST_LINK = """([root, expected]) => {
    const link = document.querySelector("ul.search a");
    return link?.href.slice(root.length) === expected;
}"""
"""Whether the first result is the expected one; the results of the words before stay for a moment."""


def test_search_of_the_site_ranks_the_expected_pages_first(site, opened):
    sync_api = pytest.importorskip("playwright.sync_api")
    opened.goto((site / "index.html").as_uri())
    opened.keyboard.press("Control+k")
    for words, expected in SEARCHES.items():
        opened.keyboard.press("Control+a")
        opened.keyboard.type(words)
        try:
            opened.wait_for_function(
                FIRST_LINK, arg=[f"{site.as_uri()}/", expected], timeout=10_000
            )
        except sync_api.TimeoutError:
            first = opened.locator("ul.search a").first.get_attribute("href")
            pytest.fail(f"{words!r} must find {expected} first, got {first}")


def test_keywords_of_the_search_name_pages_and_sections_of_the_site(site):
    index = json.loads((site / "searchindex.js").read_text("utf-8").split("(", 1)[1].rstrip(")"))
    places = {
        (index["docnames"][page], name)
        for found in index["alltitles"].values()
        for page, name in found
    }
    named = re.findall(
        r'^  "([\w-]+)#?([\w-]*)":', (DOCS / "static/scorer.js").read_text(), re.MULTILINE
    )
    assert named
    assert [
        key for key in named if key not in places and (key[0], key[1] or None) not in places
    ] == []


ELSEWHERE = re.compile(r'<(?:script|link|img|iframe)[^>]* (?:src|href)="(?:https?:)?//')


def test_pages_of_the_site_fit_a_telephone_and_need_no_network(site, opened):
    assert [
        page for page in site.rglob("*.html") if ELSEWHERE.search(page.read_text("utf-8"))
    ] == []
    others = ("commands/verify", "reference/positions", "notebooks/01_first_moves")
    pages = [*site.glob("*.html"), *(site / f"{name}.html" for name in others)]
    assert len(pages) > 20
    for page in pages:
        opened.goto(page.as_uri())
        wide = "[...document.querySelectorAll('html, .bd-article-container')].map((e) => e.scrollWidth)"
        assert max(opened.evaluate(wide)) <= 390, page


def test_page_on_floats_shows_the_outlook_that_its_script_prints(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["float_outlook.py"])
    with redirect_stdout(StringIO()) as printed:
        run_path(str(ROOT / "studies/float_outlook.py"), run_name="__main__")
    assert printed.getvalue()
    assert printed.getvalue() in (DOCS / "float.md").read_text("utf-8")


def test_page_on_winning_shows_the_losses_of_five_cards_that_its_script_prints(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["win_or_points_floats.py", "5"])
    with redirect_stdout(StringIO()) as printed:
        run_path(str(ROOT / "studies/win_or_points_floats.py"), run_name="__main__")
    losses = re.findall(r"in (?:wins|points) -(0\.\d{4})", printed.getvalue())
    page = (DOCS / "win.md").read_text("utf-8")
    table = [row for row in page.splitlines() if row.startswith("| 5 | ")]
    assert len(losses) == 10  # of five upcards, for points and to win
    assert losses == [loss for row in table for loss in re.findall("−(0[.][0-9]{4})", row)][:10]
