"""The gallery: each script computes the exact number that its page shows, and draws a picture."""

import re
from runpy import run_path

import pytest
from project_paths import DOCS

PAGE = (DOCS / "gallery.md").read_text("utf-8")
ENTRY = r"pictures/gallery/{0}\.png\)\n\n`(\S+)` (?:.+\n)+\n```{{literalinclude}} gallery/{0}\.py"


@pytest.mark.parametrize("script", sorted(DOCS.glob("gallery/*.py")), ids=lambda path: path.stem)
def test_gallery_script_computes_the_number_that_its_page_shows(script):
    for package in ("matplotlib", "highspy"):
        pytest.importorskip(package, reason=f"{package} is not installed")
    computed = run_path(str(script))
    assert [str(computed["answer"])] == re.findall(ENTRY.format(script.stem), PAGE)
    assert computed["picture"].axes
    assert 20 <= len(script.read_text("utf-8").splitlines()) <= 60
    assert (DOCS / f"pictures/gallery/{script.stem}.png").exists()
