"""The HTTP application of the server, and the thread that runs it.

A *question* about a position is a request whose path has the kind of the question and the name of the position. The
*name* of a position is a text such as ``2.4_1.3_12.13@13``: both hands, the prizes left, and the prize turned up. No
request can name a file. If a name is not that of a position, the request is refused before anything is computed. Pages
of other sites cannot use the server through a visitor's browser, for two reasons:

* The server answers only requests that address it by one of its own host names.
* It refuses requests that the browser marks as coming from another site.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from socket import socket

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from gops_exact.base.arguments import printable
from gops_exact.game.game import Game, Position
from gops_exact.show.explorer import page_file
from gops_exact.show.tablebase import KINDS, Kind

NAMES = ("127.0.0.1", "localhost")
"""Host names of the server. Requests to another host name are refused, even if it resolves to this machine.
Otherwise the owner of a site could let its name resolve to this machine, and its pages could then use the server."""

OWN_SITES = ("none", "same-origin")
"""Values of the header ``Sec-Fetch-Site`` in requests that do not come from pages of other sites."""

MOST_SAID = 300
"""Greatest number of characters of an error message; the rest is cut off."""

SWITCH_SECONDS = 0.0005
"""Seconds after which a computing thread must release Python's global lock to the thread that receives requests.
Python's default is ten times as long, and this delay occurs whenever bytes are received."""

WATCH_SECONDS = 1.0
"""Seconds between two checks for signals. The checks are needed on systems where a signal does not end a wait."""

STARTING_SECONDS = 2
"""Seconds after which a client should ask again while the values of the game are still being computed."""


def refusal(status: int, message: object, seconds: int = 0) -> PlainTextResponse:
    """Return an error response of one short line.

    Args:
        status: the HTTP status.
        message: the line. Control characters in it are escaped, and it is cut off after :data:`MOST_SAID` characters.
        seconds: seconds after which the client should ask again, for the header ``retry-after``; 0 for no header.
    """
    headers = {"retry-after": str(seconds)} if seconds else {}
    return PlainTextResponse(f"{printable(str(message))[:MOST_SAID]}\n", status, headers)


GUARDS = [Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False)]
"""Middleware that refuses requests to a host name that is not in NAMES."""


def starting(game: Game, work: Callable[[], tuple[str, float]]) -> Starlette:
    """Return the ASGI application that runs while the game is being solved.

    The application answers every request with the percentage of the work that is done: at the path ``/`` with a page
    that reloads itself, at other paths with an error that asks the client to try again.

    Args:
        game: the game.
        work: function that returns a description of what is being done, and the fraction of the work that is done.
    """

    async def tell(request: Request) -> Response:
        what, share = work()
        done, text = f"{share:.0%}", f"{game}: {what}, {share:.0%} so far"
        if request.url.path != "/":
            return refusal(503, text, STARTING_SECONDS)
        refresh = f'<meta http-equiv="refresh" content="{STARTING_SECONDS}">'
        bar = f'<progress value="{share}">{done}</progress>'
        page = (
            f'<!doctype html><html lang="en">{refresh}<title>{done}</title><p>{text}<p>{bar}</html>'
        )
        return HTMLResponse(page, 503, {"retry-after": str(STARTING_SECONDS)})

    return Starlette(routes=[Route("/{path:path}", tell)], middleware=GUARDS)


def application(answer: Callable[[Kind, Position], Awaitable[str]], page: str) -> Starlette:
    """Return the ASGI application that answers questions about positions.

    Args:
        answer: function of a kind of question and a position, which returns the answer in JSON. It raises a
            TimeoutError if other questions have to be answered first, and a ValueError if the position takes too much
            time or memory.
        page: the HTML document at the path ``/``.
    """

    async def answered(kind: Kind, request: Request) -> Response:
        # A page of another site must not make this machine compute. Browsers mark the requests of such a page in the
        # header Sec-Fetch-Site.
        if request.headers.get("sec-fetch-site", "none") not in OWN_SITES:
            return refusal(403, "expected a request of no other site")
        try:
            position = Position.parse(request.path_params["name"])
        except ValueError as error:
            return refusal(400, error)

        async def left() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass

        work, leaving = asyncio.ensure_future(answer(kind, position)), asyncio.ensure_future(left())
        await asyncio.wait([work, leaving], return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        work.cancel()  # has no effect if the work is done
        try:
            return Response(await work, media_type="application/json")
        except ValueError as error:
            return refusal(422, error)
        except TimeoutError as error:
            return refusal(503, error, 1)
        except asyncio.CancelledError:
            return refusal(400, "expected a client that waits")  # the client has left

    described = JSONResponse(json.loads(page_file("openapi.json")))
    return Starlette(
        routes=[
            Route("/", HTMLResponse(page), methods=["GET"]),
            *(Route(f"/{kind}/{{name}}", partial(answered, kind)) for kind in KINDS),
            Route("/openapi.json", described, methods=["GET"]),
        ],
        middleware=GUARDS,
    )


def serve(app: ASGIApp, listener: socket, prepare: Callable[[], None]) -> None:
    """Answer requests in another thread until a signal ends the program.

    Args:
        app: the application that answers the requests.
        listener: the socket on which requests arrive.
        prepare: a function that solves the game. It runs in the calling thread while requests are already answered.
    """
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",  # warnings would only report invalid requests
        access_log=False,
        server_header=False,
    )
    sys.setswitchinterval(SWITCH_SECONDS)
    server = uvicorn.Server(config)
    # In the main thread uvicorn would set signal handlers and lose an interrupt that arrives during a request. In
    # another thread it sets none, so signals end the program at once. Therefore the server runs in a thread of its own.
    served = ThreadPoolExecutor(1).submit(asyncio.run, server.serve([listener]))
    try:
        prepare()
        while not served.done():
            wait([served], WATCH_SECONDS)
        served.result()
    finally:
        server.should_exit = True
