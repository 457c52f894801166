"""Serve a game in floats with proved radii, to this machine only: a page to explore and play it in a
browser, and a tablebase where scripts can ask about any position by its name, as in
/position/2.4_1.3_12.13@13.

A request names cards and rules, never a file; one that is no position is refused before anything is
computed. Other sites cannot use it through a visitor's browser: it answers to its own names alone, takes
nothing but ``application/json``, which a page may not send elsewhere unasked, and lets no page of another
site read an answer, unless ``--cors`` names that site.

No request waits for the work of another. Positions whose values are there are answered in a moment, in this
process; all others in processes of limited memory and time, one for each range of sizes, as those of few
cards take no more than a moment. Who would wait long for a turn is asked to come again.
"""

import asyncio
import json
import os
import re
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import blake2b
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY, create_server, socket
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from gops_exact.base.arguments import install, positive_integer, printable, shown
from gops_exact.base.documents import parse_json
from gops_exact.base.machine import available_cores, limit_memory
from gops_exact.base.pools import Process
from gops_exact.base.progress import progress_bar, span
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
from gops_exact.show.tablebase import EXACT_CARDS, Tablebase, bid, players_of
from gops_exact.solvers import api
from gops_exact.solvers.arithmetic import Float
from gops_exact.solvers.cost import check_cost, estimate_cost, size
from gops_exact.solvers.floats.by_layers import ByLayers

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

MOST_RECEIVED = 1 << 14
"""Bytes taken from a connection at a time."""

MOST_NAMES = 100
"""Positions of one request."""

ALLOWED_SECONDS = 86_400
"""How long a browser may remember that a site is allowed to ask."""

EVERY_RULES_UP_TO = 7
"""Cards up to which the page offers every rule set: each takes a second at most."""

MOST_SAID = 300
"""Characters of a refusal."""

PATIENCE = 5.0
"""Seconds that a connection may take for a request; one that takes longer is closed."""

TURN_SECONDS = 0.5
"""Seconds that a request waits for a turn; then it is refused with status 503. It takes two turns at most."""

WATCH_SECONDS = 1.0
"""How often signals are looked for, on systems where they do not end a wait."""

GRACE_SECONDS = 2.0
"""How long work goes on for a client that has left: beginning a process anew takes as long."""

STARTING_SECONDS = 2
"""Seconds after which a client may ask again while the values are made."""

SHARES = {EXACT_CARDS: 0.1, EVERY_RULES_UP_TO: 0.25, MOST_CARDS: 0.65}
"""{most cards of the positions that a process solves: its share of the memory}."""

OWN_MEGABYTES = 600
"""Megabytes that this process and the others take before they solve anything. Measured."""


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
    parser.add("running", "--memory", "MB", memory, 2000, type=integer(OWN_MEGABYTES + 100, 10**9))
    seconds = "seconds that a position may take whose values are not there"
    parser.add("running", "--seconds", "S", seconds, 60, type=integer(1, 10**6))
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
        address = f"http://{ADDRESS}:{opened.getsockname()[1]}/"
        shares, bar = [0.0], progress_bar()

        def progress(done: int, total: int) -> None:
            shares.append(done / total)
            if bar is not None:
                bar(done, total)

        apps = [starting(game, lambda: shares[-1])]

        async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
            await apps[-1](scope, receive, send)

        def prepare() -> None:
            solver = game_in_floats(
                game,
                folder,
                progress,
                announced=f"{address} shows how far it is",
                force=given.force,
            )
            solver.open_layers(game)
            solved(solver, game.start)  # compiles
            in_memory = 0 if folder else estimate_cost(game, Float()).kept
            free = 10**6 * (given.memory - OWN_MEGABYTES) - in_memory
            if free < 0:
                raise ValueError(
                    f"--memory: expected {size(in_memory)} more, got {given.memory} MB"
                )
            others = [
                rules
                for rules in EVERY_RULES
                if game.n <= EVERY_RULES_UP_TO and rules != game.rules
            ]
            apps.append(
                application(
                    Lanes(solver, folder, free, given.seconds).answer,
                    served_page(game, others, {} if game.own_deck else players_of(game.n)),
                    f"{game} {folder and folder.resolve()}",
                    [] if given.cors is None else [given.cors],
                )
            )
            if not sys.stderr.isatty():  # a log, which should say how it went on
                print(f"{game}: ready at {address}", file=sys.stderr)
            print(f"{address} (Ctrl-C ends it)", flush=True)

        serve(app, opened, prepare)


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


KINDS = "position", "mainline"
"""First parts of paths whose second is the name of a position."""


def answer(kind: str, position: Position, floats: ByLayers) -> str:
    """Answer a question in JSON: one of :data:`KINDS`, or "solve"."""
    if kind == "solve":
        return solved(floats, position)
    # What the exact solver keeps is let go: every position leaves values that few others need.
    base = Tablebase(api.solver("exact", store=":memory:"), floats)
    document = base.position(position) if kind == "position" else base.main_line(position)
    return json.dumps(document, allow_nan=False, separators=(",", ":"))


@lru_cache(1)
def _floats(folder: Path | None) -> ByLayers:
    """Return the solver of a process that solves positions; their costs are checked before."""
    return ByLayers(Float(folder), force=True)


def answer_apart(folder: Path | None, kind: str, position: Position) -> str:
    """Answer a question in a process of its own, whose solver keeps values for the next one."""
    return answer(kind, position, _floats(folder))


def prepare_apart(cards: int, folder: Path | None, nbytes: int) -> None:
    """Load what positions of so many cards need, then limit the memory of this process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # libraries write there when memory runs out
    if hasattr(os, "nice"):
        os.nice(10)  # answers that take a moment come first
    answer_apart(folder, "position", Position.start(min(cards, EXACT_CARDS + 1)))
    limit_memory(nbytes)


class Lane(Generic[Result]):
    """A thread that does one piece of work after the other.

    Args:
        work: does a piece of work.
    """

    def __init__(self, work: Callable[..., Result]) -> None:
        self._work, self._thread, self._turn = work, ThreadPoolExecutor(1), asyncio.Lock()

    async def do(self, *given: object) -> Result:
        """Do a piece of work, which is let go if the caller is cancelled.

        Raises:
            TimeoutError: if the turn does not come soon.
        """
        async with asyncio.timeout(TURN_SECONDS):
            await self._turn.acquire()
        try:
            return await self._end(self._thread.submit(self._work, *given))
        finally:
            self._turn.release()

    async def _end(self, work: "Future[Result]") -> Result:
        """Return the result of work that was handed out."""
        return await asyncio.wrap_future(work)


class Apart(Lane[str]):
    """A thread whose work is done by another process, which is begun anew where it has to be ended.

    Args:
        cards: the most cards of its positions.
        folder: layers of games.
        nbytes: memory that a position may take.
        seconds: time that it may take.
    """

    def __init__(self, cards: int, folder: Path | None, nbytes: int, seconds: int) -> None:
        self.cards, self._folder, self._nbytes, self._seconds = cards, folder, nbytes, seconds
        self._process = Process()
        super().__init__(partial(self._process.do, answer_apart, folder))
        self._started = self._thread.submit(self._start)

    def check(self, position: Position) -> None:
        """Raise a ValueError if a position takes more than is allowed."""
        estimate = check_cost(position, Float(memory_bytes=self._nbytes))
        seconds = estimate.seconds / available_cores()
        if seconds > self._seconds:
            raise self._refusal(span(seconds))

    def _start(self) -> None:
        with suppress(ChildProcessError, MemoryError):  # which the work will tell
            self._process.do(prepare_apart, self.cards, self._folder, self._nbytes)

    def _restart(self) -> None:
        self._process.kill()
        self._process.close()
        self._process = Process()
        self._work = partial(self._process.do, answer_apart, self._folder)
        self._started = self._thread.submit(self._start)

    async def _end(self, work: "Future[str]") -> str:
        answer = asyncio.wrap_future(work)
        try:
            await asyncio.wait([asyncio.wrap_future(self._started)])
            await asyncio.wait([answer], timeout=self._seconds)
        except asyncio.CancelledError:
            if not work.cancel():  # it has begun
                await asyncio.wait([answer], timeout=GRACE_SECONDS)
            answer.cancel()
            raise
        finally:
            is_late = not work.done()
            if is_late:
                self._restart()
        try:
            return await answer
        except (ChildProcessError, MemoryError, RuntimeError):
            if not is_late:
                self._restart()
            raise self._refusal("more time" if is_late else "more memory") from None

    def _refusal(self, got: str) -> ValueError:
        allowed = f"{self._seconds} s and {size(self._nbytes)} of memory"
        return ValueError(f"a position must take at most {allowed}, got {got}")


class Lanes:
    """The threads and processes that answer questions on positions.

    Args:
        solver: has the values of a game, or a folder of them.
        folder: that folder.
        nbytes: memory for positions whose values are not there.
        seconds: time for each of them.
    """

    def __init__(self, solver: ByLayers, folder: Path | None, nbytes: int, seconds: int) -> None:
        self._solver = solver
        self._here, self._checks = Lane(partial(answer, floats=solver)), Lane(self._lane)
        self._apart = [
            Apart(cards, folder, int(share * nbytes), seconds) for cards, share in SHARES.items()
        ]

    async def answer(self, kind: str, position: Position) -> str:
        """Answer a question in JSON.

        Raises:
            TimeoutError: if others are at work.
            ValueError: if it takes more than is allowed.
        """
        lane: Lane[str]
        if kind in KINDS and position.size <= EXACT_CARDS:
            lane = self._apart[0]
        elif self._solver.has_open(position):
            lane = self._here
        else:
            lane = await self._checks.do(position)
        return await lane.do(kind, position)

    def _lane(self, position: Position) -> Lane[str]:
        """Return the lane of a position in floats, after a check of what it takes."""
        if position.size > MOST_CARDS:  # even an estimate would take long
            raise ValueError(f"expected at most {MOST_CARDS} cards a side, got {position.size}")
        if self._solver.has(position):
            return self._here
        lane = next(each for each in self._apart[1:] if position.size <= each.cards)
        lane.check(position)
        return lane


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


def refusal_text(message: object) -> str:
    """Return what a client is told, in a line that every encoding has."""
    return f"{printable(str(message))[:MOST_SAID]}\n"


def after_body(app: "ASGIApp") -> "ASGIApp":
    """Wrap an ASGI application, which is called once the body of a request is there; work ends if the client leaves.

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
            await PlainTextResponse(refusal_text(message), status)(scope, receive, send)
            return
        messages: list[Message] = [{"type": "http.request", "body": bytes(body)}]

        async def again() -> "Message":
            return messages.pop() if messages else await receive()

        answered = asyncio.ensure_future(app(scope, again, send))
        left = asyncio.ensure_future(receive())  # the next message is that the client left
        await asyncio.wait([answered, left], return_when=asyncio.FIRST_COMPLETED)
        left.cancel()
        if not answered.done():
            answered.cancel()
        with suppress(asyncio.CancelledError):
            await answered

    return wrapped


def starting(game: Game, share: Callable[[], float]) -> "Starlette":
    """Return the ASGI application that tells every client how far the values are."""
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.responses import HTMLResponse, Response
    from starlette.routing import Route

    async def told(request: "Request") -> Response:
        done, headers = f"{share():.0%}", {"retry-after": str(STARTING_SECONDS)}
        text = f"{game}: values are made, {done} so far"
        if request.url.path != "/":
            return Response(f"{text}\n", 503, headers, "text/plain")
        refresh = f'<meta http-equiv="refresh" content="{STARTING_SECONDS}">'
        bar = f'<progress value="{share()}">{done}</progress>'
        page = (
            f'<!doctype html><html lang="en">{refresh}<title>{done}</title><p>{text}<p>{bar}</html>'
        )
        return HTMLResponse(page, 503, headers)

    return Starlette(
        routes=[Route("/{path:path}", told, methods=["GET", "POST"])],
        middleware=[
            Middleware(after_body),
            Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False),
        ],
    )


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
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route
    from starlette.staticfiles import NotModifiedResponse, StaticFiles

    described = json.loads(page_file("openapi.json"))
    conditional = StaticFiles(check_dir=False)

    def refusal(message: object, status: int) -> HTTPException:
        headers = {"retry-after": "1"} if status == 503 else None
        return HTTPException(status, refusal_text(message), headers)

    async def answered(kind: str, position: Position) -> str:
        """Answer a question on a position, or refuse it."""
        try:
            return await answer(kind, position)
        except TimeoutError as error:
            raise refusal("others are at work: ask again", 503) from error
        except ValueError as error:  # it does not fit
            raise refusal(error, 422) from error

    async def received(request: "Request", read: Callable[[bytes], Result]) -> Result:
        """Return what the body of a request holds, or refuse it."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != JSON:
            raise refusal(f"expected a position as {JSON}", 415)
        try:
            return read(await request.body())
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
        return Response(await answered("solve", position), media_type=JSON)

    async def look_up(kind: str, request: "Request") -> Response:
        # Browsers say so where a page of another site asks, which may not make this machine compute.
        is_own = request.headers.get("sec-fetch-site", "none") in OWN_SITES
        if not (is_own or {"*", request.headers.get("origin")} & {*origins}):
            raise refusal("expected a request of no other site, or --cors with its name", 403)
        text = await answered(kind, named(request.path_params["name"]))
        digest = blake2b(f"{source}\n{text}".encode(), digest_size=12).hexdigest()
        kept = {
            "etag": f'"{version("gops-exact")}-{digest}"',
            "cache-control": "public, max-age=0, must-revalidate",  # another start has another source
        }
        response = Response(text, media_type=JSON, headers=kept)
        if conditional.is_not_modified(response.headers, request.headers):
            return NotModifiedResponse(response.headers)
        return response

    async def look_up_several(request: "Request") -> Response:
        """Answer for each name; of one that is refused the reason stands in its place."""
        answers: list[str] = []
        for name in await received(request, names):
            try:
                answers.append(await answered("position", named(name)))
            except HTTPException as error:
                refused = {"position": name[:MOST_SAID], "refused": error.detail.strip()}
                answers.append(json.dumps(refused))
        return Response(f"[{','.join(answers)}]", media_type=JSON)

    middleware = [
        Middleware(after_body),
        Middleware(TrustedHostMiddleware, allowed_hosts=NAMES, www_redirect=False),
    ]
    if origins:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=origins,
                allow_methods=["GET", "POST"],
                allow_headers=["content-type"],
                max_age=ALLOWED_SECONDS,
            )
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
        middleware=middleware,
    )


def serve(
    app: "Callable[..., Awaitable[None]]", opened: socket, prepare: Callable[[], None]
) -> None:
    """Answer requests until a signal ends it; this thread prepares for them meanwhile."""
    import uvicorn
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class Protocol(H11Protocol):
        """A connection that is closed when no request comes for a while, whole or begun."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as theirs
            super().connection_made(transport)
            # A part may be a byte long, and all that is received at once is taken apart before others are heard.
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
    # uvicorn would drop an interrupt that comes in its own thread while it answers a request; in another
    # thread than the main one it leaves signals to the program, which they end at once.
    server = uvicorn.Server(config)
    served = ThreadPoolExecutor(1).submit(asyncio.run, server.serve([opened]))
    try:
        prepare()
        while not served.done():
            wait([served], WATCH_SECONDS)
        served.result()
    finally:
        server.should_exit = True
