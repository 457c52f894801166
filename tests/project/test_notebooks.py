"""The notebooks run in a fresh kernel and show what they are kept with."""

import re
import tempfile
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import pytest
from project_paths import ROOT

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
for package in ("nbclient", "ipykernel", "pettingzoo", "highspy", "matplotlib"):
    pytest.importorskip(package, reason=f"{package} is not installed")

run = SimpleNamespace(**run_path(str(ROOT / "notebooks/run.py")))


@pytest.fixture(scope="module")
def execute():
    """Runs a notebook as run.executed does, all of them in one kernel, which forgets its names before each."""
    client = run.client(nbformat.v4.new_notebook())

    def executed(notebook, *, clean=True):
        client.nb = nbformat.from_dict(notebook)
        client.nb.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
        client.execute(cleanup_kc=False)
        del client.nb.cells[0]
        return run.cleaned(client.nb) if clean else client.nb

    yield executed
    client._cleanup_kernel()


def steady(form, content):
    """What must be the same on every machine: floats with radii need not be to the last digit."""
    return re.sub(r'"[^"]*±[^"]*"', "±", content) if form == "text/html" else content


def shown(notebook):
    found = [(n, form, steady(form, content)) for n, form, content in run.shown(notebook)]
    in_html = {n for n, form, _ in found if form == "text/html"}
    # The plain text beside a table says the same, floats with all their digits.
    return [each for each in found if each[1] != "text/plain" or each[0] not in in_html]


@pytest.mark.parametrize("path", run.NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_reproduce_their_saved_outputs(path, execute):
    """They are small, run from top to bottom, have a picture, name no place of ours, and link to what is there."""
    text = path.read_text(encoding="utf-8")
    assert len(text) < 120_000
    assert "image/png" in text
    for folder in (ROOT, Path.home(), Path(tempfile.gettempdir())):
        # Users without a home of their own have the root of all folders.
        assert str(folder) not in text or folder == Path("/")
    kept = nbformat.reads(text, as_version=4)
    nbformat.validate(kept)
    for target in re.findall(r"\]\(([^)#\s]+)\)", "".join(cell.source for cell in kept.cells)):
        assert (path.parent / target).exists(), target
    cells = [cell for cell in kept.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert shown(execute(kept)) == shown(kept)


def test_progress_bar_in_a_notebook_ends_full(execute):
    code = "import gops_exact as gx\nmoves = gx.first_move(4, progress=gx.progress_bar())"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    widgets = execute(notebook, clean=False).metadata["widgets"]
    states = widgets["application/vnd.jupyter.widget-state+json"]["state"].values()
    bars = [each["state"] for each in states if "bar_style" in each["state"]]
    assert [bar["bar_style"] for bar in bars] == ["success"]
    assert bars[0]["value"] == bars[0]["max"] > 0
