"""Formulas as MathML, made when the site is built, and the font that they are set in."""  # noqa: INP001  # a Sphinx extension, not a package

from importlib.resources import as_file, files
from typing import Any

from docutils import nodes
from math_core import LatexToMathML
from sphinx.application import Sphinx
from sphinx.util.fileutil import copy_asset_file
from sphinx.writers.html5 import HTML5Translator

CONVERTER = LatexToMathML()


def inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula that stands in a line of text; one that is wrong ends the build.

    Raises:
        nodes.SkipNode: always, as docutils asks of a node that is written.
    """
    translator.body.append(CONVERTER.convert_with_local_state(node.astext(), displaystyle=False))
    raise nodes.SkipNode


def displayed(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands by itself, and scrolls where the page is narrow.

    Raises:
        nodes.SkipNode: as above.
    """
    formula = CONVERTER.convert_with_local_state(node.astext(), displaystyle=True)
    translator.body.append(f'<div class="formula" tabindex="0">{formula}</div>\n')
    raise nodes.SkipNode


def copy_font(app: Sphinx, error: Exception | None) -> None:
    """Put the font, which comes with ziamath, beside the pages."""
    if error is None:
        with as_file(files("ziamath.fonts") / "STIXTwoMath-Regular.ttf") as font:
            copy_asset_file(font, app.outdir / "_static")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the two kinds of formula."""
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
    app.connect("build-finished", copy_font)
    return {"parallel_read_safe": True}
