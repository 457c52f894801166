"""Requests to the server without a socket, and pages in a real browser, watched for errors and requests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from runs import until

import gops_exact as gx

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
"""What lets a browser run as root in a container, and keeps it from calling home."""

OVERFLOWS = """() => [document.documentElement, ...document.querySelectorAll(".scroll")]
    .map((element) => element.scrollWidth - element.clientWidth)"""


def awaited(coroutine):
    """Run a coroutine in a thread of its own: Playwright has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@contextmanager
def watched(browser, address, answer=None):
    """A page, and the addresses that it asks for; whatever goes wrong in it fails the test.

    `answer` answers all requests of the page, which then needs no server.
    """
    errors, requests = [], []
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: said.type in ("error", "warning") and errors.append(said.text))
    page.on("request", lambda request: requests.append(request.url.partition("#")[0]))
    if answer:
        page.route("**", answer)
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


def tablebase():
    """The application of a server that has made no values, and solves in this process."""
    from gops_exact.commands.application import application  # needs starlette
    from gops_exact.show.tablebase import answer

    solver = gx.solver("float")

    async def reply(kind, position):
        return answer(kind, position, solver)

    return application(reply, "page")


class Client:
    """Asks an application without a socket, in a thread: the driver of a browser may have a loop in this one."""

    def __init__(self, app):
        self.app, self._thread, self._runner = app, ThreadPoolExecutor(1), asyncio.Runner()

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()

    def get(self, path, *, method="GET", host="127.0.0.1:8013", more=()):
        """Get a path: (status, text); `more` are further headers."""
        headers = {"host": host, **dict(more)}
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        }
        sent = []

        async def receive():
            await asyncio.Event().wait()  # the client stays

        async def send(message):
            sent.append(message)

        self._thread.submit(self._runner.run, self.app(scope, receive, send)).result()
        return sent[0]["status"], b"".join(part.get("body", b"") for part in sent[1:]).decode()
