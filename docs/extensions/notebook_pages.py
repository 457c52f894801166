"""A page for every notebook, with the outputs that it is stored with."""  # noqa: INP001  # a Sphinx extension, not a package

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def copy_notebooks(app: Sphinx) -> None:
    """Copy the notebooks into the folder ``notebooks``, where they changed; their links go to the pages."""
    folder = app.srcdir / "notebooks"
    folder.mkdir(exist_ok=True)
    stored = {file.name: file.read_text("utf-8") for file in NOTEBOOKS.glob("*.ipynb")}
    for old in {file.name for file in folder.iterdir()} - stored.keys():
        (folder / old).unlink()
    for name, text in stored.items():
        file, linked = folder / name, text.replace("](../docs/", "](../")
        if not file.exists() or file.read_text("utf-8") != linked:
            file.write_text(linked, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Copy them before any is read."""
    app.connect("builder-inited", copy_notebooks)
    return {"parallel_read_safe": True}
