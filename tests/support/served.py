"""Requests to the server without a socket, and pages in a real browser, watched for errors and requests."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from fractions import Fraction

from runs import until

import gops_exact as gx
from gops_exact.show.explorer import served_page
from gops_exact.show.tablebase import players_of  # noqa: F401  # for tests

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
"""What lets a browser run as root in a container, and keeps it from calling home."""

OVERFLOWS = """() => [document.documentElement, ...document.querySelectorAll(".scroll")]
    .map((element) => element.scrollWidth - element.clientWidth)"""

COSTS = "match.moves.map(({upcard, bids, cost}) => [upcard, bids, cost.middle, cost.radius])"


def awaited(coroutine):
    """Run a coroutine in a thread of its own: Playwright has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@contextmanager
def watched(browser, address):
    """A page, and the addresses that it asks for; whatever goes wrong in it fails the test."""
    errors, requests = [], []
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.on("request", lambda request: requests.append(request.url.partition("#")[0]))
    try:
        page.goto(address)
        yield page, requests
    finally:  # a page that a test leaves open goes on computing
        page.close()
    assert errors == []


def come_back(page, address, condition):
    """Leave a page, and open an address until a condition holds there.

    What localStorage keeps reaches the next visit through another process, sooner or later.
    """

    def is_so():
        page.goto("about:blank")
        page.goto(address)
        return page.evaluate(condition)

    until(is_so, condition)


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


CONTRASTS = """() => {
    const parts = (text) => {
        const numbers = text.match(/[\\d.]+/g).map(Number);
        return numbers.length === 3 ? [...numbers, 1] : numbers;
    };
    const over = ([r, g, b, a], below) => [r, g, b].map((x, i) => a * x + (1 - a) * below[i]);
    const behind = (element) => {
        if (!element) return matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
        return over(parts(getComputedStyle(element).backgroundColor), behind(element.parentElement));
    };
    const light = (color) => {
        const [r, g, b] = color.map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        const element = texts.currentNode.parentElement, text = texts.currentNode.data.trim();
        if (!text || !element.checkVisibility() || element.closest(":disabled, .unseen, script, noscript")) continue;
        const below = behind(element), ink = over(parts(getComputedStyle(element).color), below);
        const [dark, bright] = [light(ink), light(below)].sort((a, b) => a - b);
        found.push({text, contrast: (bright + 0.05) / (dark + 0.05)});
    }
    return found;
}"""
"""Every text that is seen, and its contrast with what is behind it; what is disabled is exempt."""

THIRTEEN = "http://gops.test/"


@contextmanager
def opened_at_thirteen(browser):
    """The served page of thirteen cards, with answers as a server gives them for payoffs made up by chance.

    The layers of thirteen cards take a minute to make and a gigabyte.
    """
    others = {
        gx.Rules(prizes="hidden"): {"takes": "9.0 s, 1.5 GB", "held": True},
        gx.Rules("win"): {"takes": "3.4 h, 34.1 GB", "held": False},
        gx.Rules(prizes="ascending"): {},
    }
    page_text = served_page(gx.Game(13), others, {})

    def answer(route):
        given = route.request.post_data_json
        size, draw = len(given["one"]), random.Random(str(given))
        payoffs = [[draw.randint(-9000, 9000) for _ in range(size)] for _ in range(size)]
        solution = gx.solve_matrix_game([[Fraction(x, 100) for x in row] for row in payoffs])
        sides = zip(("one", "two"), (solution.row, solution.column), strict=True)
        column = {
            "upcard": given["upcard"],
            "value": float(solution.value),
            "radius": 1e-9,
            "payoffs": [[x / 100 for x in row] for row in payoffs],
            "payoff_radii": [[1e-9] * size] * size,
            **{
                name: {
                    "unique": True,
                    "proved": True,
                    "probabilities": dict(zip(given[name], map(float, strategy), strict=True)),
                    "radii": dict.fromkeys(given[name], 1e-9),
                }
                for name, strategy in sides
            },
        }
        route.fulfill(json={"columns": [column]})

    errors = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text))
    page.route(THIRTEEN, lambda route: route.fulfill(body=page_text, content_type="text/html"))
    page.route(f"{THIRTEEN}solve", answer)
    try:
        page.goto(THIRTEEN)
        yield page
    finally:
        context.close()
    assert errors == []


HERE, JSON = "127.0.0.1:8013", "application/json"
MOST_BYTES = 1 << 14
"""Of a request, as docs/how-to.md says."""


def tablebase():
    """The application of a server that has made no values."""
    from gops_exact.commands.serving import answer

    solver = gx.solver("float")
    return at_once(lambda *question: answer(*question, solver))


def at_once(work):
    """The server's application; `work` answers its questions in this thread."""

    async def answer(kind, position):
        return work(kind, position)

    from gops_exact.commands.application import application  # needs starlette

    return application(answer, "page")


class Client:
    """Asks an application without a socket, in a thread: the driver of a browser may have a loop in this one."""

    def __init__(self, app):
        self.app, self._thread, self._runner = app, ThreadPoolExecutor(1), asyncio.Runner()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    def get(self, path, **request):
        status, _, text = self.whole(path, **request)
        return status, text

    def whole(self, path, **request):
        """Get a path: (status, headers, text)."""
        return self.exchange(b"", method="GET", path=path, kind=None, **request)

    def post(self, body, **request):
        status, _, text = self.exchange(body, **request)
        return status, text

    def exchange(
        self,
        body,
        *,
        method="POST",
        path="/solve",
        host=HERE,
        kind=JSON,
        leaves=False,
        more=(),
    ):
        """Put a request: (status, headers, text).

        A client that `leaves` does so after the first 4096 bytes. `more` are further headers.
        """
        headers = [(b"host", host.encode())] + ([(b"content-type", kind.encode())] if kind else [])
        headers += [(name.encode(), value.encode()) for name, value in more]
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
        }
        parts, sent = [body[at : at + 4096] for at in range(0, len(body) or 1, 4096)], []

        async def receive():
            if leaves and len(parts) == 1:
                return {"type": "http.disconnect"}
            if not parts:
                await asyncio.Event().wait()  # the client stays
            return {"type": "http.request", "body": parts.pop(0), "more_body": bool(parts)}

        async def send(message):
            sent.append(message)

        self._thread.submit(self._runner.run, self.app(scope, receive, send)).result()
        got = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], got, b"".join(part.get("body", b"") for part in sent[1:]).decode()
