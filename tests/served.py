"""Playing a whole game in a real browser against a server: ``python tests/served.py ADDRESS``.

``gops-exact serve -n 13 --folder floats`` gives the address; the suite does the same with six cards.
"""
# ruff: noqa: T201  # a program, too

import shutil
import sys
import time
from contextlib import contextmanager

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
"""What lets a browser run as root in a container, and keeps it from calling home."""

WAIT = 120_000
"""Milliseconds that a position may take: to win, what lies below kept layers is solved."""

OVERFLOWS = """() => [document.documentElement, ...document.querySelectorAll(".scroll")]
    .map((element) => element.scrollWidth - element.clientWidth)"""

COSTS = "match.moves.map(({upcard, bids, cost}) => [upcard, bids, cost.middle, cost.radius])"


@contextmanager
def watched(browser, address):
    """A page, and the addresses that it asks for; whatever goes wrong in it fails the test."""
    errors, requests = [], []
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.on("request", lambda request: requests.append(request.url.partition("#")[0]))
    page.goto(address)
    yield page, requests
    page.close()
    assert errors == []


def play_through(page, address):
    """Play a game by the keyboard, hints shown; (upcard, bids, cost, radius) of each round."""
    page.goto(f"{address}#play/")
    page.wait_for_selector(".hand.one button:enabled", timeout=WAIT)
    page.keyboard.press("h")
    page.wait_for_selector(".hint p")
    while True:
        page.wait_for_selector(".hand.one button:enabled, .review", timeout=WAIT)
        if page.locator(".review").count():
            return page.evaluate(COSTS)
        mine = page.evaluate("match.position.hands[0]")
        page.keyboard.press("1234567890jqk"[mine[len(mine) // 3] - 1])


def main(address):
    """Play, print the review, and follow its links."""
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=QUIET)
        page = browser.new_page(viewport={"width": 390, "height": 800})
        errors = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text))
        begun = time.monotonic()
        for upcard, bids, cost, radius in play_through(page, address):
            print(
                f"{upcard:2}: {bids[0]:2} against {bids[1]:2}, cost {cost:.4f} within {radius:.1e}"
            )
        print(page.locator(".review").inner_text(), time.monotonic() - begun)
        print("overflows", page.evaluate(OVERFLOWS))
        if len(sys.argv) > 2:
            page.screenshot(path=f"{sys.argv[2]}-review.png", full_page=True)
        links = page.eval_on_selector_all(".moves a", "(found) => found.map((each) => each.href)")
        for place, link in enumerate(links):
            page.goto(link)
            page.wait_for_selector(".verdict", timeout=WAIT)
            print(page.locator(".verdict").inner_text(), page.evaluate(OVERFLOWS))
            if len(sys.argv) > 2 and place in (0, 5):
                page.screenshot(path=f"{sys.argv[2]}-{place}.png", full_page=True)
        browser.close()
    print("errors:", errors)


if __name__ == "__main__":
    main(sys.argv[1])
