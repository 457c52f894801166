"""The notebooks run in a fresh kernel and show what they are kept with."""

import importlib.util
import re
import tempfile
import tomllib
from base64 import b64decode
from pathlib import Path

import pytest

import gops_exact as gx

ROOT = Path(__file__).parent.parent

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
plots = pytest.importorskip("gops_exact.show.plots", reason="the plot extra is not installed")


def program(path):
    """A script of the project, as a module."""
    found = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


run = program(ROOT / "notebooks/run.py")


def steady(form, content):
    """What must be the same on every machine: floats with radii need not be to the last digit."""
    return re.sub(r'"[^"]*±[^"]*"', "±", content) if form == "text/html" else content


def shown(notebook):
    found = [(n, form, steady(form, content)) for n, form, content in run.shown(notebook)]
    in_html = {n for n, form, _ in found if form == "text/html"}
    # The plain text beside a table says the same, floats with all their digits.
    return [each for each in found if each[1] != "text/plain" or each[0] not in in_html]


def test_there_are_seven():
    assert [path.name[:2] for path in run.NOTEBOOKS] == [f"{number:02}" for number in range(1, 8)]


@pytest.mark.parametrize("path", run.NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_what_they_are_kept_with(path):
    kept = nbformat.read(path, as_version=4)
    nbformat.validate(kept)
    assert shown(run.executed(kept)) == shown(kept)


@pytest.mark.parametrize("path", run.NOTEBOOKS, ids=lambda path: path.stem)
def test_kept_notebooks_are_small_whole_and_of_no_place(path):
    text = path.read_text(encoding="utf-8")
    assert len(text) < 120_000
    cells = [cell for cell in nbformat.reads(text, as_version=4).cells if cell.cell_type == "code"]
    # Run from top to bottom, with a picture among the outputs.
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert "image/png" in text
    for place in (ROOT, Path.home(), Path(tempfile.gettempdir())):
        assert str(place) not in text


@pytest.mark.parametrize("path", run.NOTEBOOKS, ids=lambda path: path.stem)
def test_links_of_notebooks_lead_somewhere(path):
    cells = nbformat.read(path, as_version=4).cells
    for target in re.findall(r"\]\(([^)#\s]+)\)", "".join(cell.source for cell in cells)):
        assert (path.parent / target).exists(), target


def section(page, title):
    return page.read_text(encoding="utf-8").partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_from_the_readme_to_a_heat_map_of_ones_own_rules():
    text = section(ROOT / "README.md", "In a notebook, in ten lines")
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert [language for language, _ in found] == ["console", "python"]
    (_, console), (_, cell) = found
    assert len([line for line in (console + cell).splitlines() if line]) <= 10
    extra = re.search(r"pip install '\.\[(\w+)\]'", console)[1]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    assert any("jupyter" in requirement for requirement in extras[extra])

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    (output,) = run.executed(notebook).cells[0].outputs
    moves = gx.first_move(5, rules=gx.Rules("win", "carryover"), store=":memory:")
    assert b64decode(output.data["image/png"]) == plots.first_moves_heatmap(moves).png()


def test_progress_in_a_notebook_ends_with_a_full_bar():
    cell = "import gops_exact as gx\nmoves = gx.first_move(4, progress=gx.progress_bar())"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    run.NotebookClient(notebook, kernel_name="python3").execute()
    widgets = notebook.metadata["widgets"]["application/vnd.jupyter.widget-state+json"]
    bars = [each["state"] for each in widgets["state"].values() if "bar_style" in each["state"]]
    assert [bar["bar_style"] for bar in bars] == ["success"]
    assert bars[0]["value"] == bars[0]["max"] > 0


def test_a_cell_that_raises_is_found_out():
    from nbclient.exceptions import CellExecutionError

    broken = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 / 0")])
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        run.executed(broken)
