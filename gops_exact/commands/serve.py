"""Serve a game in floats with proved radii, to this machine only: a page to explore and play it in a
browser, and /solve, where scripts can ask about any position.

The server answers in floats with proved radii. A request names cards and rules, never a file; one that
is no position is refused before anything is computed. Other sites cannot use it through a visitor's
browser: it answers to its own names alone, takes nothing but ``application/json``, which a page may not
send elsewhere unasked, and never gives that permission.
"""

import asyncio
import json
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from socket import create_server, socket
from typing import TYPE_CHECKING

from gops_exact.arguments import install, once, shown
from gops_exact.commands.arguments import Parser, game_of, integer
from gops_exact.commands.play import game_in_floats
from gops_exact.commands.position import at_upcards
from gops_exact.game.game import Position
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules
from gops_exact.show.explorer import position_document, served_page
from gops_exact.solutions.arithmetic import Float
from gops_exact.solvers.by_layers import ByLayers

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request

EXAMPLES = {
    "-n 9": "nine cards at http://127.0.0.1:8013/",
    "-n 13 --folder floats": "a full suit: computed once, in 80 seconds on two cores; 1.3 GB",
}

MOST_CARDS, PORT = 13, 8013

ADDRESS = "127.0.0.1"
NAMES = (ADDRESS, "localhost")
"""Names that a browser may call the server by: a foreign one that leads here is refused."""

MOST_BYTES = 1 << 14
"""The longest request. A position of the most cards takes a tenth of that."""

MOST_SAID = 300
"""Characters of a refusal."""

MOST_WAITING = 32
"""Positions that are solved or wait for it; others are refused with status 503."""

PATIENCE = 5.0
"""Seconds that a connection may take for a request; one that takes longer is closed."""

WATCH_SECONDS = 1.0
"""How often signals are looked for, on systems where they do not end a wait."""

MOST_MEMORY = 10**9
"""Bytes for a position whose values are not there; with these it is solved in minutes at most."""


def add_arguments(parser: Parser) -> None:
    parser.add_n(most=MOST_CARDS)
    parser.add_rules()
    port = "the port of 127.0.0.1 to listen on; 0 for any free one"
    parser.add("output", "--port", "PORT", port, PORT, type=integer(0, 65535))
    folder = (
        "keep the values in files in this folder, or use those in it; if it has the highest layer of "
        "the game, missing lower layers are solved on request"
    )
    parser.add("keeping values", "--folder", "DIR", folder, type=Path)
    parser.share("--force")


def run(given: Namespace) -> None:
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise ValueError(f"serve needs starlette and uvicorn: {install('serve')}")
    game, folder = game_of(given), given.folder
    try:
        opened = create_server((ADDRESS, given.port))  # this machine alone can reach it
    except OSError as error:
        raise ValueError(
            f"--port: expected a free port, got {given.port}: {error.strerror}"
        ) from error
    with opened:
        solver = game_in_floats(
            game, folder, memory_bytes=MOST_MEMORY, announced=True, force=given.force
        )
        solved(solver, game.start)  # opens the layers, and compiles
        app = application(partial(solved, solver), served_page(game.n, [game.rules]))
        address = f"http://{ADDRESS}:{opened.getsockname()[1]}/"
        print(f"{address} (Ctrl-C ends it)", flush=True)
        if not sys.stderr.isatty():  # a log, which should say how it went on
            print(f"{game}: ready at {address}", file=sys.stderr)
        serve(app, opened)


def solved(solver: ByLayers, position: Position) -> str:
    """Solve a position, at every upcard if none is turned up, and return it as JSON."""
    worth, turned = solver.value(position), at_upcards(position)
    solutions = [solver.solve(at) for at in turned]
    payoffs = [solver.payoff_matrix(at) for at in turned]
    document = position_document(position, Float.name, worth, solutions, payoffs)
    return json.dumps(document, allow_nan=False) + "\n"


def requested(body: bytes) -> Position:
    """Read a position from JSON, as ``position --emit json`` writes it."""
    try:
        given = json.loads(body, object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise ValueError(
            f"expected a position in JSON, every name once, got {shown(body)}"
        ) from None
    try:
        position = Position(**given | {"rules": Rules(**given.get("rules", {}))})
    except (AttributeError, TypeError):  # no objects, or members that are missing or unknown
        raise ValueError(
            "expected a position as an object of one, two, prizes and, if they are not the usual ones, "
            f"upcard, margin, pot and rules: objective, ties, prizes; got {shown(given)}"
        ) from None
    if not 1 <= position.size <= LONGEST:
        raise ValueError(f"expected from 1 to {LONGEST} cards a side, got {position.size}")
    return position


def application(document: Callable[[Position], str], page: str) -> "Starlette":
    """Return the ASGI application.

    Args:
        document: solves a position; it runs in a thread, one call at a time.
        page: what ``/`` shows.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import ClientDisconnect
    from starlette.responses import HTMLResponse, PlainTextResponse, Response
    from starlette.routing import Route

    solving = ThreadPoolExecutor(1)
    waiting = 0

    def refused(message: object, status: int) -> Response:
        return PlainTextResponse(f"{str(message)[:MOST_SAID]}\n", status)

    async def solve(request: "Request") -> Response:
        nonlocal waiting
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            return refused("expected a position as application/json", 415)
        body = b""
        try:
            async with asyncio.timeout(PATIENCE):
                async for part in request.stream():
                    body += part
                    if len(body) > MOST_BYTES:
                        return refused(f"expected a position of at most {MOST_BYTES} bytes", 413)
        except TimeoutError:
            return refused(f"expected a whole request within {PATIENCE:.0f} s", 408)
        except ClientDisconnect:
            return refused("expected a whole request", 400)  # which nobody reads
        try:
            position = requested(body)
        except ValueError as error:
            return refused(error, 400)
        if waiting == MOST_WAITING:
            return refused(f"expected at most {MOST_WAITING} positions at a time", 503)
        waiting += 1
        try:
            found = await asyncio.get_running_loop().run_in_executor(solving, document, position)
        except ValueError as error:  # it does not fit
            return refused(error, 422)
        finally:
            waiting -= 1
        return Response(found, media_type="application/json")

    return Starlette(
        routes=[
            Route("/", HTMLResponse(page), methods=["GET"]),
            Route("/solve", solve, methods=["POST"]),
        ],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False)],
    )


def serve(app: "Callable[..., Awaitable[None]]", opened: socket) -> None:
    """Answer requests until a signal ends it."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Protocol(H11Protocol):
        """A connection that is closed when no request comes for a while, whole or begun."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as theirs
            super().connection_made(transport)
            self.loop.call_later(PATIENCE, self._close_if_idle_since, None)

        def _close_if_idle_since(self, last: object) -> None:
            """Close the connection if there was no request after the `last` one, and that is answered."""
            if self.cycle is last and (last is None or self.cycle.response_complete):
                self.transport.close()
            elif not self.transport.is_closing():
                self.loop.call_later(PATIENCE, self._close_if_idle_since, self.cycle)

    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        log_level="error",  # warnings are about what clients send
        access_log=False,
        server_header=False,
    )
    # uvicorn would drop an interrupt that comes in its own thread while it answers a request; in another
    # thread than the main one it leaves signals to the program, which they end at once.
    served = ThreadPoolExecutor(1).submit(asyncio.run, uvicorn.Server(config).serve([opened]))
    while not served.done():
        wait([served], WATCH_SECONDS)
    served.result()
