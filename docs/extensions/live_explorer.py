"""The explorer's page of a small game, for the front page."""  # noqa: INP001  # a Sphinx extension, not a package

from typing import Any

from sphinx.application import Sphinx

from gops_exact.show.explorer import explore

CARDS = 4


def write_page(app: Sphinx, error: Exception | None) -> None:
    """Write the page beside the others."""
    if error is None:
        page = explore(CARDS).html
        (app.outdir / "explorer.html").write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the page at the end of every build."""
    app.connect("build-finished", write_page)
    return {"parallel_read_safe": True}
