"""Pages in a real browser: watched for errors and requests, and a whole game played in one."""

from contextlib import contextmanager

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
"""What lets a browser run as root in a container, and keeps it from calling home."""

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
    page.wait_for_selector(".hand.one button:enabled")
    page.keyboard.press("h")
    page.wait_for_selector(".hint p")
    while True:
        page.wait_for_selector(".hand.one button:enabled, .review")
        if page.locator(".review").count():
            return page.evaluate(COSTS)
        mine = page.evaluate("match.position.hands[0]")
        page.keyboard.press("1234567890jqk"[mine[len(mine) // 3] - 1])
