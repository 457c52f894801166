"""Serve a game in floats with proved radii, to this machine only: a page to explore and play it in a
browser, and a tablebase where scripts can ask about any position by its name, as in
/position/2.4_1.3_12.13@13.

A request names cards and rules, never a file; one that is no position is refused before anything is
computed. Other sites cannot use it through a visitor's browser: it answers to its own names alone, takes
nothing but ``application/json``, which a page may not send elsewhere unasked, and lets no page of another
site read an answer, unless ``--cors`` names that site.
"""

import asyncio
import json
import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import partial
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, create_server, socket
from typing import TYPE_CHECKING, Any, TypeVar

from gops_exact.base.arguments import install, positive_integer, shown
from gops_exact.base.documents import parse_json
from gops_exact.commands.options import Parser, game_of, integer
from gops_exact.commands.play import game_in_floats
from gops_exact.commands.position import at_upcards
from gops_exact.game.game import Game, Position
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules
from gops_exact.show.explorer import (
    EVERY_RULES,
    Document,
    page_file,
    position_document,
    served_page,
)
from gops_exact.show.tablebase import Tablebase, bid, players_of
from gops_exact.solvers import api
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.floats.by_layers import ByLayers

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request

Result = TypeVar("Result")

JSON = "application/json"

EXAMPLES = {
    "-n 9": "nine cards at http://127.0.0.1:8013/",
    "-n 13 --folder floats": "a full suit: computed once, in 80 seconds on two cores; 1.3 GB",
}

MOST_CARDS, PORT = 13, 8013

ADDRESS = "127.0.0.1"
NAMES = (ADDRESS, "localhost")
"""Names that a browser may call the server by: a foreign one that leads here is refused."""

OWN_SITES = ("none", "same-origin")
"""What browsers say of a request that no other site is behind."""

MOST_BYTES = 1 << 14
"""The longest request. A position of the most cards takes a tenth of that."""

MOST_NAMES = 100
"""Positions of one request."""

FRESH_SECONDS = 86_400
"""How long an answer may be kept without asking if it is still the same."""

EVERY_RULES_UP_TO = 7
"""Cards up to which the page offers every rule set: each takes a second at most."""

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
    parser.add_rules(deck=True)
    port = "the port of 127.0.0.1 to listen on; 0 for any free one"
    parser.add("output", "--port", "PORT", port, PORT, type=integer(0, 65535))
    folder = (
        "keep the values in files in this folder, or use those in it; if it has the highest layer of "
        "the game, missing lower layers are solved on request"
    )
    parser.add("keeping values", "--folder", "DIR", folder, type=Path)
    cors = "let pages of this site read the answers, as https://example.org; * for all sites"
    parser.add("running", "--cors", "ORIGIN", cors, type=origin)
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
        # An answer has two parts: without this the second waits 40 ms for the client to confirm the first.
        opened.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        solver = game_in_floats(
            game, folder, memory_bytes=MOST_MEMORY, announced=True, force=given.force
        )
        solved(solver, game.start)  # opens the layers, and compiles
        others = [
            rules for rules in EVERY_RULES if game.n <= EVERY_RULES_UP_TO and rules != game.rules
        ]
        base = Tablebase(api.solver("exact", store=":memory:"), solver)
        app = application(
            partial(solved, solver),
            served_page(game, others, {} if game.own_deck else players_of(game.n)),
            {"position": base.position, "mainline": base.main_line},
            [] if given.cors is None else [given.cors],
        )
        address = f"http://{ADDRESS}:{opened.getsockname()[1]}/"
        print(f"{address} (Ctrl-C ends it)", flush=True)
        if not sys.stderr.isatty():  # a log, which should say how it went on
            print(f"{game}: ready at {address}", file=sys.stderr)
        serve(app, opened)


def origin(text: str) -> str:
    """Return the name of a site as browsers have it, or * for all."""
    if not re.fullmatch(r"[*]|https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?", text):
        raise ArgumentTypeError(f"expected * or a site, such as https://example.org, got {text!r}")
    return text


def solved(solver: ByLayers, position: Position) -> str:
    """Solve a position, at every upcard if none is turned up, and return it as JSON."""
    worth, turned = solver.value(position), at_upcards(position)
    solutions = [solver.solve(at) for at in turned]
    payoffs = [solver.payoff_matrix(at) for at in turned]
    document = position_document(position, Float.name, worth, solutions, payoffs)
    return json.dumps(document, allow_nan=False) + "\n"


def parsed(body: bytes, kind: str) -> Any:  # noqa: ANN401  # whatever JSON has
    """Read JSON that is to hold `kind`."""
    try:
        return parse_json(body)
    except ValueError:
        raise ValueError(f"expected {kind} in JSON, every name once, got {shown(body)}") from None


def requested(body: bytes) -> Position:
    """Read a position from JSON, as ``position --emit json`` writes it."""
    given = parsed(body, "a position")
    try:
        position = Position(**given | {"rules": Rules(**given.get("rules", {}))})
    except (AttributeError, TypeError):  # no objects, or members that are missing or unknown
        raise ValueError(
            "expected a position as an object of one, two, prizes and, if they are not the usual ones, "
            f"upcard, margin, pot and rules: objective, ties, prizes; got {shown(given)}"
        ) from None
    return sized(position)


def sized(position: Position) -> Position:
    """Return a position, and refuse one of no cards or of more than anyone solves."""
    if not 1 <= position.size <= LONGEST:
        raise ValueError(f"expected from 1 to {LONGEST} cards a side, got {position.size}")
    return position


def names(body: bytes) -> list[str]:
    given = parsed(body, "names of positions")
    if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
        raise ValueError(f"expected a list of names of positions, got {shown(given)}")
    if len(given) > MOST_NAMES:
        raise ValueError(f"expected at most {MOST_NAMES} names of positions, got {len(given)}")
    return given


def bidden(body: bytes) -> Document:
    """Read what a player sees from JSON, and return the card that it bids."""
    given = parsed(body, "what a player sees")
    try:
        player, n, upcard, rules = (given[name] for name in ("player", "n", "upcard", "rules"))
        games = [[(prize, own, other) for prize, own, other in rounds] for rounds in given["games"]]
        rules = Rules(**rules)
    except (LookupError, TypeError, ValueError):
        raise ValueError(
            "expected an object of player, n, rules, upcard, and games as lists of rounds [prize, own bid, "
            f"the other's], the one in play last; got {shown(given)}"
        ) from None
    game = Game(positive_integer(n, "n", MOST_CARDS), rules)
    return {"bid": bid(player, game, upcard, games)}


def application(
    document: Callable[[Position], str],
    page: str,
    tablebase: Mapping[str, Callable[[Position], Document]],
    origins: Sequence[str] = (),
) -> "Starlette":
    """Return the ASGI application.

    Args:
        document: solves a position; like those of the tablebase it runs in a thread, one call at a time.
        page: what ``/`` shows.
        tablebase: {first part of a path whose second is the name of a position: what is said of it}; of
            "position" several can be asked for at once.
        origins: sites whose pages may read the answers.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.cors import CORSMiddleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.requests import ClientDisconnect
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route

    described = json.loads(page_file("openapi.json"))
    solving = ThreadPoolExecutor(1)
    waiting = 0

    def refusal(message: object, status: int) -> HTTPException:
        return HTTPException(status, f"{str(message)[:MOST_SAID]}\n")

    async def answered(document: Callable[[Position], Result], position: Position) -> Result:
        """Solve a position when its turn has come, or refuse it."""
        nonlocal waiting
        if waiting == MOST_WAITING:
            raise refusal(f"expected at most {MOST_WAITING} positions at a time", 503)
        waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(solving, document, position)
        except ValueError as error:  # it does not fit
            raise refusal(error, 422) from error
        finally:
            waiting -= 1

    async def received(request: "Request", read: Callable[[bytes], Result]) -> Result:
        """Return what the body of a request holds, or refuse it."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            raise refusal(f"expected a position as {JSON}", 415)
        body = b""
        try:
            async with asyncio.timeout(PATIENCE):
                async for part in request.stream():
                    body += part
                    if len(body) > MOST_BYTES:
                        raise refusal(f"expected a position of at most {MOST_BYTES} bytes", 413)
            return read(body)
        except TimeoutError as error:
            raise refusal(f"expected a whole request within {PATIENCE:.0f} s", 408) from error
        except ClientDisconnect as error:
            raise refusal("expected a whole request", 400) from error  # which nobody reads
        except ValueError as error:
            raise refusal(error, 400) from error

    def named(name: str) -> Position:
        try:
            return sized(Position.parse(name))
        except ValueError as error:
            raise refusal(error, 400) from error

    async def bid_for(request: "Request") -> Response:
        return JSONResponse(await received(request, bidden))

    async def solve(request: "Request") -> Response:
        position = await received(request, requested)
        return Response(await answered(document, position), media_type=JSON)

    async def look_up(kind: str, request: "Request") -> Response:
        # Browsers say so where a page of another site asks, which may not make this machine compute.
        is_own = request.headers.get("sec-fetch-site", "none") in OWN_SITES
        if not (is_own or {"*", request.headers.get("origin")} & {*origins}):
            raise refusal("expected a request of no other site, or --cors with its name", 403)
        position = named(request.path_params["name"])
        response = JSONResponse(await answered(tablebase[kind], position))
        tag = f'"{blake2b(response.body, digest_size=12).hexdigest()}"'
        kept = {"etag": tag, "cache-control": f"public, max-age={FRESH_SECONDS}"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=kept)
        response.headers.update(kept)
        return response

    async def look_up_several(request: "Request") -> Response:
        """Answer for each name; of one that is refused the reason stands in its place."""
        answers: list[Document] = []
        for name in await received(request, names):
            try:
                answers.append(await answered(tablebase["position"], named(name)))
            except HTTPException as error:
                answers.append({"position": name[:MOST_SAID], "refused": error.detail.strip()})
        return JSONResponse(answers)

    middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False)]
    if origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=origins,
                allow_methods=["GET", "POST"],
                allow_headers=["content-type"],
                max_age=FRESH_SECONDS,
            )
        )
    return Starlette(
        routes=[
            Route("/", HTMLResponse(page), methods=["GET"]),
            Route("/solve", solve, methods=["POST"]),
            *(Route(f"/{kind}/{{name}}", partial(look_up, kind)) for kind in tablebase),
            Route("/positions", look_up_several, methods=["POST"]),
            Route("/bid", bid_for, methods=["POST"]),
            Route("/openapi.json", JSONResponse(described), methods=["GET"]),
        ],
        middleware=middleware,
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
