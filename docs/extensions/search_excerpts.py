"""The text of every section in one file, from which the search takes excerpts without a server."""  # noqa: INP001  # a Sphinx extension, not a package

import json
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def prose(section: nodes.Element) -> str:
    """Return the paragraphs of a section, without code and without the sections in it."""
    parts = [
        part.astext()
        for child in section.children
        if not isinstance(child, nodes.section)
        for part in child.findall(nodes.paragraph)
    ]
    return " ".join(" ".join(parts).split())


def write_excerpts(app: Sphinx, error: Exception | None) -> None:
    """Write {page: [[anchor, text], …]} as a script, which browsers load from disk."""
    if error is None:
        excerpts = {
            page: [
                [section["ids"][0], text]
                for section in app.env.get_doctree(page).findall(nodes.section)
                if (text := prose(section))
            ]
            for page in app.env.found_docs
        }
        script = f"const EXCERPTS = {json.dumps(excerpts, ensure_ascii=False)};\n"
        (app.outdir / "_static/excerpts.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Write them once all pages are there."""
    app.connect("build-finished", write_excerpts)
    return {"parallel_read_safe": True}
