"""Photograph the explorer and the site: ``python tools/make_screenshots.py [FOLDER]``, after ``make docs``.

Needs the ``browser`` extra and a Chromium. With a folder that holds the layers of thirteen cards, as ``serve``
makes them, the served page is photographed, too.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from gops_exact.show import explorer

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"
SITE = ROOT / "build/site"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

WEYL = "(last = BigInt.asUintN(64, last + 0x9e3779b97f4a7c15n))"
"""Numbers as if by chance, the same ones every time."""


def main() -> int:
    """Write every picture."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        sys.stderr.write(f"expected one of {', '.join(BROWSERS)}, got none\n")
        return 1
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder) / "explorer.html"
        file.write_text(explorer.explore(6).html, encoding="utf-8")
        launched = driver.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = launched.new_page(viewport={"width": 1120, "height": 740})
        explore(page, file.as_uri())
        review(page, file.as_uri())
        drill(page, file.as_uri())
        phone = launched.new_page(viewport={"width": 390, "height": 940}, color_scheme="dark")
        deeper(phone, file.as_uri())
        wide = launched.new_page(viewport={"width": 1280, "height": 900})
        proofs(wide)
        if sys.argv[1:]:
            thirteen(wide, Path(sys.argv[1]))
        launched.close()
    return 0


def explore(page: Page, address: str) -> None:
    """A first move, one cell of it shown exactly."""
    page.goto(f"{address}#points-discard-random//3")
    page.click("[data-key='spot 4 1']")
    page.screenshot(path=FOLDER / "explorer.png")


def deeper(page: Page, address: str) -> None:
    """Two rounds down, on a small screen in the dark."""
    page.goto(f"{address}#points-discard-random/6:3-4,5:2-2/3")
    page.screenshot(path=FOLDER / "explorer_small.png")


def review(page: Page, address: str) -> None:
    """A game bid from the highest card down, and its review."""
    page.goto(f"{address}#play/points-discard-random")
    page.evaluate(f"() => {{ let last = 0n; randomBits = () => {WEYL}; }}")
    page.click("text=New game")
    for card in "654321":
        page.keyboard.press(card)
    page.click(".moves button >> nth=-1")
    page.screenshot(path=FOLDER / "explorer_review.png")


def drill(page: Page, address: str) -> None:
    """A bid asked for at a position, and what it gave away."""
    page.goto(f"{address}#drill/2.3.5_1.4.5_1.2.4@4")
    page.keyboard.press("3")
    page.wait_for_selector(".drilled")
    page.screenshot(path=FOLDER / "explorer_drill.png", full_page=True)


def thirteen(page: Page, layers: Path) -> None:
    """The first move of thirteen cards with the king turned up."""
    words = [
        sys.executable,
        "-m",
        "gops_exact",
        "serve",
        "-n",
        "13",
        "--port",
        "0",
        "--folder",
        layers,
    ]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        line = server.stdout.readline() if server.stdout is not None else ""
        page.goto(line.split()[0])
        page.wait_for_selector(".board .cell")
        page.screenshot(path=FOLDER / "explorer_thirteen.png", full_page=True)
        server.terminate()


def proofs(page: Page) -> None:
    """A page of the site with formulas."""
    page.goto((SITE / "method.html").as_uri())
    page.evaluate("document.fonts.ready")
    page.screenshot(path=FOLDER / "site.png")


if __name__ == "__main__":
    sys.exit(main())
