"""Serve a game in floats with proved radii, to this machine only: a page to explore and play it in a
browser, and a tablebase where scripts can ask about any position by its name, as in
/position/2.4_1.3_12.13@13.

A request names cards and rules, never a file; one that is no position is refused before anything is
computed. Other sites cannot use it through a visitor's browser: it answers to its own names alone, takes
nothing but ``application/json``, which a page may not send elsewhere unasked, and lets no page of another
site read an answer, unless ``--cors`` names that site. Positions are solved in :mod:`.serving`.
"""

import asyncio
import json
import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import blake2b
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, create_server, socket
from typing import TYPE_CHECKING, Any, TypeVar

from gops_exact.base.arguments import install, positive_integer, printable, shown
from gops_exact.base.documents import parse_json
from gops_exact.base.progress import progress_bar
from gops_exact.commands.options import Parser, game_of, integer
from gops_exact.commands.play import game_in_floats
from gops_exact.commands.serving import KINDS, MOST_CARDS, OWN_MEGABYTES, Answers, answer
from gops_exact.game.game import Game, Position
from gops_exact.game.order_types import LONGEST
from gops_exact.game.rules import Rules
from gops_exact.show.explorer import EVERY_RULES, Document, page_file, served_page
from gops_exact.show.tablebase import bid, players_of
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.cost import estimate_cost, size

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

Result = TypeVar("Result")

JSON = "application/json"

EXAMPLES = {
    "-n 9": "nine cards at http://127.0.0.1:8013/",
    "-n 13 --folder floats": "a full suit: computed once, in 80 seconds on two cores; 1.3 GB",
}

PORT = 8013

ADDRESS = "127.0.0.1"
NAMES = (ADDRESS, "localhost")
"""Names that a browser may call the server by: a foreign one that leads here is refused."""

OWN_SITES = ("none", "same-origin")
"""What browsers say of a request that no other site is behind."""

MOST_BYTES = 1 << 14
"""The longest request. A position of the most cards takes a tenth of that."""

MOST_RECEIVED = 1 << 14
"""Bytes taken from a connection at a time."""

MOST_NAMES, NAMES_AT_ONCE = 100, 2
"""Positions of one request, and those of all such requests that are in work at once: others come first. One of
them may take long, as a single process solves what does."""

ALLOWED_SECONDS = 86_400
"""How long a browser may remember that a site is allowed to ask."""

EVERY_RULES_UP_TO = 7
"""Cards up to which the page offers every rule set: each takes a second at most."""

MOST_SAID = 300
"""Characters of a refusal."""

PATIENCE = 5.0
"""Seconds that a connection may take for a request; one that takes longer is closed."""

SWITCH_SECONDS = 0.0005
"""How long the thread of answers may keep the one of requests from Python's lock. By default it is ten times as
much, whenever bytes are received."""

WATCH_SECONDS = 1.0
"""How often signals are looked for, on systems where they do not end a wait."""

STARTING_SECONDS = 2
"""Seconds after which a client may ask again while the values are made."""


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
    memory = "megabytes that the server and the processes in which it solves positions may take"
    least = OWN_MEGABYTES + 100
    parser.add("running", "--memory", "MB", memory, 2000, type=integer(least, 10**9))
    seconds = "seconds that a position may take whose values are not there"
    parser.add("running", "--seconds", "S", seconds, 60, type=integer(1, 10**6))
    parser.share("--force")


def run(options: Namespace) -> None:
    if not (find_spec("starlette") and find_spec("uvicorn")):
        raise ValueError(f"serve needs starlette and uvicorn: {install('serve')}")
    game, folder = game_of(options), options.folder
    try:
        listener = create_server((ADDRESS, options.port))  # this machine alone can reach it
    except OSError as error:
        raise ValueError(
            f"--port: expected a free port, got {options.port}: {error.strerror}"
        ) from error
    with listener:
        # An answer has two parts: without this the second waits 40 ms for the client to confirm the first.
        listener.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        address = f"http://{ADDRESS}:{listener.getsockname()[1]}/"
        share, bar = 0.0, progress_bar()

        def progress(done: int, total: int) -> None:
            nonlocal share
            share = done / total
            if bar is not None:
                bar(done, total)

        current = starting(game, lambda: share)

        async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
            await current(scope, receive, send)

        def prepare() -> None:
            nonlocal current
            solver = game_in_floats(
                game,
                folder,
                progress,
                announced=f"{address} shows how far it is",
                force=options.force,
            )
            solver.open_layers(game)
            answer("solve", game.start, solver)  # compiles
            in_memory = 0 if folder else estimate_cost(game, Float()).kept
            free = 10**6 * (options.memory - OWN_MEGABYTES) - in_memory
            if free < 0:
                raise ValueError(
                    f"--memory: expected {size(in_memory)} more, got {options.memory} MB"
                )
            offers_all = game.n <= EVERY_RULES_UP_TO
            others = [rules for rules in EVERY_RULES if offers_all and rules != game.rules]
            current = application(
                Answers(solver, folder, free, options.seconds).answer,
                served_page(game, others, {} if game.own_deck else players_of(game.n)),
                f"{game} {folder and folder.resolve()}",
                [] if options.cors is None else [options.cors],
            )
            if not sys.stderr.isatty():  # a log, which should say how it went on
                print(f"{game}: ready at {address}", file=sys.stderr)
            print(f"{address} (Ctrl-C ends it)", flush=True)

        serve(app, listener, prepare)


def origin(text: str) -> str:
    """Return the name of a site as browsers have it, or * for all."""
    if not re.fullmatch(r"[*]|https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?", text):
        raise ArgumentTypeError(f"expected * or a site, such as https://example.org, got {text!r}")
    return text


def parsed(body: bytes, kind: str) -> Any:  # noqa: ANN401  # whatever JSON has
    """Read JSON that is to hold `kind`."""
    try:
        return parse_json(body)
    except ValueError:
        raise ValueError(f"expected {kind} in JSON, every name once, got {shown(body)}") from None


def requested(body: bytes) -> Position:
    """Read a position from JSON, as ``position --emit json`` writes it."""
    members = parsed(body, "a position")
    try:
        position = Position(**members | {"rules": Rules(**members.get("rules", {}))})
    except (AttributeError, TypeError):  # no objects, or members that are missing or unknown
        raise ValueError(
            "expected a position as an object of one, two, prizes and, if they are not the usual ones, "
            f"upcard, margin, pot and rules: objective, ties, prizes; got {shown(members)}"
        ) from None
    return sized(position)


def sized(position: Position) -> Position:
    """Return a position, and refuse one of no cards or of more than anyone solves."""
    if not 1 <= position.size <= LONGEST:
        raise ValueError(f"expected from 1 to {LONGEST} cards a side, got {position.size}")
    return position


def names(body: bytes) -> list[str]:
    listed = parsed(body, "names of positions")
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise ValueError(f"expected a list of names of positions, got {shown(listed)}")
    if len(listed) > MOST_NAMES:
        raise ValueError(f"expected at most {MOST_NAMES} names of positions, got {len(listed)}")
    return listed


def bidden(body: bytes) -> Document:
    """Read what a player sees from JSON, and return the card that it bids."""
    view = parsed(body, "what a player sees")
    try:
        player, n, upcard, rules = (view[name] for name in ("player", "n", "upcard", "rules"))
        games = [[(prize, own, other) for prize, own, other in rounds] for rounds in view["games"]]
        rules = Rules(**rules)
    except (LookupError, TypeError, ValueError):
        raise ValueError(
            "expected an object of player, n, rules, upcard, and games as lists of rounds [prize, own bid, "
            f"the other's], the one in play last; got {shown(view)}"
        ) from None
    game = Game(positive_integer(n, "n", MOST_CARDS), rules)
    return {"bid": bid(player, game, upcard, games)}


def line(message: object) -> str:
    """Return a message to a client: one short line, in characters that every encoding has."""
    return f"{printable(str(message))[:MOST_SAID]}\n"


@contextmanager
def refused(status: int) -> Iterator[None]:
    """Answer with a status and a line where a ValueError is raised."""
    from starlette.exceptions import HTTPException

    try:
        yield
    except ValueError as error:
        raise HTTPException(status, line(error)) from error


def whole(app: "ASGIApp") -> "ASGIApp":
    """Wrap an ASGI application: it is called with the whole body, and cancelled if the client leaves.

    A body that is too long is read, too: if it were refused earlier, closing the connection would take the
    answer from a client that is still sending.
    """
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import PlainTextResponse

    async def wrapped(scope: "Scope", receive: "Receive", send: "Send") -> None:
        body, wrong = bytearray(), None
        try:
            async with asyncio.timeout(PATIENCE):
                async for part in Request(scope, receive).stream():
                    if len(body) <= MOST_BYTES:
                        body += part
        except TimeoutError:
            wrong = 408, f"expected a whole request within {PATIENCE:.0f} s"
        except ClientDisconnect:
            wrong = 400, "expected a whole request"  # which nobody reads
        if len(body) > MOST_BYTES:
            wrong = 413, f"expected a request of at most {MOST_BYTES} bytes"
        if wrong is not None:
            status, message = wrong
            await PlainTextResponse(line(message), status)(scope, receive, send)
            return
        messages: list[Message] = [{"type": "http.request", "body": bytes(body)}]

        async def again() -> "Message":
            return messages.pop() if messages else await receive()

        answered = asyncio.ensure_future(app(scope, again, send))
        left = asyncio.ensure_future(receive())  # the next message is that the client left
        await asyncio.wait([answered, left], return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        answered.cancel()  # nothing happens to it if it is done
        with suppress(asyncio.CancelledError):
            await answered

    return wrapped


def guards() -> "list[Middleware]":
    """Return the middleware that refuses incomplete or oversized requests, and those to other host names."""
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware

    return [
        Middleware(whole),
        Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False),
    ]


def starting(game: Game, share: Callable[[], float]) -> "Starlette":
    """Return the ASGI application that tells every client what share of the values there is."""
    from starlette.applications import Starlette
    from starlette.responses import HTMLResponse, PlainTextResponse, Response
    from starlette.routing import Route

    async def tell(request: "Request") -> Response:
        done, headers = f"{share():.0%}", {"retry-after": str(STARTING_SECONDS)}
        text = f"{game}: values are made, {done} so far"
        if request.url.path != "/":
            return PlainTextResponse(f"{text}\n", 503, headers)
        refresh = f'<meta http-equiv="refresh" content="{STARTING_SECONDS}">'
        bar = f'<progress value="{share()}">{done}</progress>'
        page = (
            f'<!doctype html><html lang="en">{refresh}<title>{done}</title><p>{text}<p>{bar}</html>'
        )
        return HTMLResponse(page, 503, headers)

    everything = Route("/{path:path}", tell, methods=["GET", "POST"])
    return Starlette(routes=[everything], middleware=guards())


def application(
    answer: Callable[[str, Position], Awaitable[str]],
    page: str,
    source: str = "",
    origins: Sequence[str] = (),
) -> "Starlette":
    """Return the ASGI application.

    Args:
        answer: answers a question, "solve" or one of :data:`KINDS`, on a position in JSON; raises TimeoutError
            if others are at work, ValueError if it takes too much.
        page: what ``/`` shows.
        source: where answers come from; those of another source are not taken for the same.
        origins: sites whose pages may read the answers.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.cors import CORSMiddleware
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route
    from starlette.staticfiles import NotModifiedResponse, StaticFiles

    several = asyncio.Semaphore(NAMES_AT_ONCE)
    described, conditional = json.loads(page_file("openapi.json")), StaticFiles(check_dir=False)

    async def answered(kind: str, position: Position) -> str:
        try:
            with refused(422):  # it takes too much
                return await answer(kind, position)
        except TimeoutError as error:
            again = {"retry-after": "1"}
            raise HTTPException(503, line("others are at work: ask again"), again) from error

    async def received(request: "Request", read: Callable[[bytes], Result]) -> Result:
        """Return what the body of a request holds."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            raise HTTPException(415, line(f"expected a position as {JSON}"))
        with refused(400):
            return read(await request.body())

    def named(name: str) -> Position:
        with refused(400):
            return sized(Position.parse(name))

    async def bid_for(request: "Request") -> Response:
        return JSONResponse(await received(request, bidden))

    async def solve(request: "Request") -> Response:
        position = await received(request, requested)
        return Response(await answered("solve", position), media_type=JSON)

    async def look_up(kind: str, request: "Request") -> Response:
        # Browsers say so where a page of another site asks, which may not make this machine compute.
        is_own = request.headers.get("sec-fetch-site", "none") in OWN_SITES
        if not (is_own or {"*", request.headers.get("origin")} & {*origins}):
            raise HTTPException(
                403, line("expected a request of no other site, or --cors with its name")
            )
        text = await answered(kind, named(request.path_params["name"]))
        digest = blake2b(f"{source}\n{text}".encode(), digest_size=12).hexdigest()
        headers = {
            "etag": f'"{version("gops-exact")}-{digest}"',
            "cache-control": "public, max-age=0, must-revalidate",  # another start has another source
        }
        response = Response(text, media_type=JSON, headers=headers)
        if conditional.is_not_modified(response.headers, request.headers):
            return NotModifiedResponse(response.headers)
        return response

    async def look_up_several(request: "Request") -> Response:
        """Answer for each name; of one that is refused the reason stands in its place."""
        answers: list[str] = []
        for name in await received(request, names):
            try:
                async with several:
                    answers.append(await answered("position", named(name)))
            except HTTPException as error:
                refusal = {"position": name[:MOST_SAID], "refused": error.detail.strip()}
                answers.append(json.dumps(refusal))
        return Response(f"[{','.join(answers)}]", media_type=JSON)

    sharing = Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=["GET", "POST"],
        allow_headers=["content-type"],
        max_age=ALLOWED_SECONDS,
    )
    return Starlette(
        routes=[
            Route("/", HTMLResponse(page), methods=["GET"]),
            Route("/solve", solve, methods=["POST"]),
            *(Route(f"/{kind}/{{name}}", partial(look_up, kind)) for kind in KINDS),
            Route("/positions", look_up_several, methods=["POST"]),
            Route("/bid", bid_for, methods=["POST"]),
            Route("/openapi.json", JSONResponse(described), methods=["GET"]),
        ],
        middleware=[*guards(), *([sharing] if origins else [])],
    )


def serve(app: "ASGIApp", listener: socket, prepare: Callable[[], None]) -> None:
    """Answer requests until a signal ends it; this thread prepares for them meanwhile."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Protocol(H11Protocol):
        """A connection that is closed when no request comes for a while, whole or begun."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as theirs
            super().connection_made(transport)
            # Parts may have one byte each, and all that is received at once is parsed before others are heard.
            transport.max_size = MOST_RECEIVED  # type: ignore[attr-defined]  # of asyncio's own transports
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
    # In the main thread uvicorn would swallow an interrupt that arrives during a request; in another
    # thread it installs no signal handlers, and signals end the program at once.
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
