"""The HTTP application of the server, and the thread that runs it.

A request names cards and rules, never a file. A request that does not describe a position is refused before anything
is computed. Pages of other sites cannot use the server through a visitor's browser, for three reasons:

* The server answers only requests that address it by one of its own host names.
* It accepts only bodies of the type ``application/json``. A browser sends these to another site only if that
  site allows it, which this server never does.
* It refuses requests that the browser marks as coming from another site.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from socket import socket
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from gops_exact.base.arguments import positive_integer, printable, shown
from gops_exact.base.documents import parse_json
from gops_exact.commands.serving import MOST_CARDS, Kind
from gops_exact.game.game import Game, Position
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules
from gops_exact.show.explorer import page_file
from gops_exact.show.tablebase import bid

JSON = "application/json"

NAMES = ("127.0.0.1", "localhost")
"""Host names of the server. Requests to another host name are refused, even if it resolves to this
machine."""

OWN_SITES = ("none", "same-origin")
"""Values of the header ``Sec-Fetch-Site`` in requests that do not come from pages of other sites."""

MOST_BYTES = 1 << 14
"""Greatest size of a request's body in bytes. A position with the greatest number of cards takes a tenth of that."""

MOST_RECEIVED = 1 << 14
"""Greatest number of bytes that are read from a connection at a time."""

MOST_SAID = 300
"""Greatest number of characters of an error message."""

PATIENCE = 5.0
"""Seconds within which a request must arrive. After so long without a new request a connection is closed."""

SWITCH_SECONDS = 0.0005
"""Seconds after which a computing thread must release Python's global lock to the thread that receives requests.
Python's default is ten times as long, and the delay occurs whenever bytes are received."""

WATCH_SECONDS = 1.0
"""Seconds between two checks for signals. The checks are needed on systems where a signal does not end a wait."""

STARTING_SECONDS = 2
"""Seconds after which a client should ask again while the values of the game are still being computed."""


def requested(members: Any) -> Position:  # noqa: ANN401  # any JSON value
    """Return the position that a JSON object describes, in the form of ``position --emit json``."""
    try:
        return sized(Position(**members | {"rules": Rules(**members.get("rules", {}))}))
    except (AttributeError, TypeError):  # a value is no object, or members are missing or unknown
        raise ValueError(
            "expected a position as an object of one, two, prizes and, if they are not the usual ones, "
            f"upcard, margin, pot and rules: objective, ties, prizes; got {shown(members)}"
        ) from None


def sized(position: Position) -> Position:
    """Return the position unchanged; raise a ValueError if it has no cards, or more than :data:`LONGEST` a side."""
    if not 1 <= position.size <= LONGEST:
        raise ValueError(f"expected from 1 to {LONGEST} cards a side, got {position.size}")
    return position


def bidden(view: Any) -> int:  # noqa: ANN401  # any JSON value
    """Return the card that a player bids.

    Args:
        view: a JSON object with the name of the player and all that the player sees.
    """
    try:
        player, n, upcard, rules = (view[name] for name in ("player", "n", "upcard", "rules"))
        games = [[(prize, own, other) for prize, own, other in rounds] for rounds in view["games"]]
        rules = Rules(**rules)
    except (LookupError, TypeError, ValueError):
        raise ValueError(
            "expected an object of player, n, rules, upcard, and games as lists of rounds [prize, own bid, "
            f"the other's], the one in play last; got {shown(view)}"
        ) from None
    return bid(player, Game(positive_integer(n, "n", MOST_CARDS), rules), upcard, games)


def refusal(status: int, message: object, seconds: int = 0) -> PlainTextResponse:
    """Return an error response of one short line.

    Args:
        status: the HTTP status.
        message: the line, in which characters that some encodings lack are replaced.
        seconds: seconds after which the client is asked to try again; 0 for no such header.
    """
    headers = {"retry-after": str(seconds)} if seconds else {}
    return PlainTextResponse(f"{printable(str(message))[:MOST_SAID]}\n", status, headers)


async def refuse(_request: Request, error: Exception) -> Response:
    """Return the response to a request that raised a ValueError, or a TimeoutError because the server is busy."""
    return refusal(503, error, 1) if isinstance(error, TimeoutError) else refusal(400, error)


def whole(app: ASGIApp) -> ASGIApp:
    """Wrap an ASGI application so that it gets whole bodies, and is cancelled if the client disconnects.

    A body that is too long is read to its end before it is refused. Otherwise the connection would be closed
    while the client is still sending, and the client would lose the answer.
    """

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        body, refused = bytearray(), None
        try:
            async with asyncio.timeout(PATIENCE):
                async for part in Request(scope, receive).stream():
                    if len(body) <= MOST_BYTES:
                        body += part
        except TimeoutError:
            refused = refusal(408, f"expected a whole request within {PATIENCE:.0f} s")
        except ClientDisconnect:
            refused = refusal(400, "expected a whole request")  # no client is left to read this
        if len(body) > MOST_BYTES:
            refused = refusal(413, f"expected a request of at most {MOST_BYTES} bytes")
        if refused is not None:
            await refused(scope, receive, send)
            return
        messages: list[Message] = [{"type": "http.request", "body": bytes(body)}]

        async def again() -> Message:
            return messages.pop() if messages else await receive()

        answered = asyncio.ensure_future(app(scope, again, send))
        left = asyncio.ensure_future(receive())  # the next message is that the client has left
        await asyncio.wait([answered, left], return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        answered.cancel()  # without effect if it is done
        with suppress(asyncio.CancelledError):
            await answered

    return wrapped


GUARDS = [
    Middleware(whole),
    Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False),
]
"""Middleware that refuses incomplete or oversized requests, and requests to other host names."""


def starting(game: Game, share: Callable[[], float]) -> Starlette:
    """Return the ASGI application that answers while the game is being solved.

    Args:
        game: the game.
        share: function that returns the fraction of the work that is done.
    """

    async def tell(request: Request) -> Response:
        done, text = f"{share():.0%}", f"{game}: values are made, {share():.0%} so far"
        if request.url.path != "/":
            return refusal(503, text, STARTING_SECONDS)
        refresh = f'<meta http-equiv="refresh" content="{STARTING_SECONDS}">'
        bar = f'<progress value="{share()}">{done}</progress>'
        page = (
            f'<!doctype html><html lang="en">{refresh}<title>{done}</title><p>{text}<p>{bar}</html>'
        )
        return HTMLResponse(page, 503, {"retry-after": str(STARTING_SECONDS)})

    everything = Route("/{path:path}", tell, methods=["GET", "POST"])
    return Starlette(routes=[everything], middleware=GUARDS)


def application(answer: Callable[[Kind, Position], Awaitable[str]], page: str) -> Starlette:
    """Return the ASGI application.

    Args:
        answer: function that returns the answer to a question on a position, in JSON. It raises a TimeoutError if it
            is busy with other questions, and a ValueError if the position takes too much time or memory.
        page: the HTML document at the path ``/``.
    """
    described = json.loads(page_file("openapi.json"))

    async def received(request: Request) -> Any:  # noqa: ANN401  # any JSON value
        """Return the JSON value of the body of a request; refuse a request that is not declared as JSON."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            raise HTTPException(415, f"expected a position as {JSON}\n")
        body = await request.body()
        try:
            return parse_json(body)
        except ValueError:
            raise ValueError(f"expected JSON, every name once, got {shown(body)}") from None

    async def answered(kind: Kind, position: Position) -> Response:
        try:
            return Response(await answer(kind, position), media_type=JSON)
        except ValueError as error:
            return refusal(422, error)

    async def solve(request: Request) -> Response:
        return await answered("solve", requested(await received(request)))

    async def look_up(request: Request) -> Response:
        # Browsers mark requests from pages of other sites. Such pages must not make this machine compute.
        if request.headers.get("sec-fetch-site", "none") not in OWN_SITES:
            return refusal(403, "expected a request of no other site")
        return await answered("position", sized(Position.parse(request.path_params["name"])))

    async def bid_for(request: Request) -> Response:
        return JSONResponse({"bid": bidden(await received(request))})

    return Starlette(
        routes=[
            Route("/", HTMLResponse(page), methods=["GET"]),
            Route("/solve", solve, methods=["POST"]),
            Route("/position/{name}", look_up),
            Route("/bid", bid_for, methods=["POST"]),
            Route("/openapi.json", JSONResponse(described), methods=["GET"]),
        ],
        middleware=GUARDS,
        exception_handlers={ValueError: refuse, TimeoutError: refuse},
    )


class Protocol(H11Protocol):
    """A connection that is closed if no whole request arrives for about :data:`PATIENCE` seconds."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of uvicorn
        """Begin to watch the connection."""
        super().connection_made(transport)
        # All bytes received at once are parsed before other connections are served. This takes long if a body
        # comes in parts of one byte each, so few bytes are received at a time.
        transport.max_size = MOST_RECEIVED  # type: ignore[attr-defined]  # of asyncio's transports
        self.loop.call_later(PATIENCE, self._close_if_idle_since, None)

    def _close_if_idle_since(self, last: object) -> None:
        """Close the connection if the request `last` is answered and no later one came; None stands for no request."""
        if self.cycle is last and (last is None or self.cycle.response_complete):
            self.transport.close()
        elif not self.transport.is_closing():
            self.loop.call_later(PATIENCE, self._close_if_idle_since, self.cycle)


def serve(app: ASGIApp, listener: socket, prepare: Callable[[], None]) -> None:
    """Answer requests in another thread until a signal ends the program; call `prepare` in this thread."""
    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        log_level="error",  # warnings would only report invalid requests
        access_log=False,
        server_header=False,
    )
    # In the main thread uvicorn would set signal handlers and lose an interrupt that arrives during a request. In
    # another thread it sets none, so signals end the program at once.
    sys.setswitchinterval(SWITCH_SECONDS)
    server = uvicorn.Server(config)
    served = ThreadPoolExecutor(1).submit(asyncio.run, server.serve([listener]))
    try:
        prepare()
        while not served.done():
            wait([served], WATCH_SECONDS)
        served.result()
    finally:
        server.should_exit = True
