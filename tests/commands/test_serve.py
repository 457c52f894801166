"""The server: positions for scripts, requests that are none, processes that solve, and its page in a browser.

`python tests/attack cases --only positions` asks for more random positions.
"""

import asyncio
import json
import re
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, closing, suppress
from fractions import Fraction
from http.client import HTTPConnection
from random import Random
from select import select
from types import SimpleNamespace
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from positions import check_position
from program import run as ran
from runs import WAIT, until
from served import Client, awaited, tablebase, watched

import gops_exact as gx

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")


def name(n, more=""):
    """A position of n cards a side whose values no game has."""
    hands = (list(range(first, first + n)) for first in (1, 2, 3))
    return f"{gx.Position(*hands)}{more}"


LONG, SHORTER = name(8, "_w_c"), name(7, "_w_c")
"""They take 14 core seconds and a quarter of a gigabyte, and a second."""

TURNED = "2.4_1.3_12.13@13"


@pytest.fixture(scope="module")
def client():
    with Client(tablebase()) as client:
        yield client


def test_server_answers_random_positions_as_the_solver(client):
    source = Random(5)
    for _ in range(60):
        check_position(client, source)


@pytest.mark.parametrize(
    ("path", "how", "status"),
    [
        (f"/position/{TURNED}", {"host": "localhost"}, 200),
        (f"/position/{TURNED}", {"more": {"sec-fetch-site": "same-origin"}}, 200),
        (f"/position/{TURNED}", {"more": {"sec-fetch-site": "cross-site"}}, 403),
        (f"/solve/{TURNED}", {"more": {"sec-fetch-site": "same-site"}}, 403),
        ("/", {"host": "evil.example"}, 400),
        (f"/solve/{TURNED}", {"host": "127.0.0.1.evil.example:8013"}, 400),
        ("/", {"host": ""}, 400),
        (f"/solve/{TURNED}", {"method": "POST"}, 405),
        ("/etc/passwd", {}, 404),
        ("/position/", {}, 404),
        ("/position/../solve", {}, 404),
        ("/position/2.4_1.3_12.12.12", {}, 400),
        (f"/position/{'1.' * 5000}1_1_1", {}, 400),
    ],
)
def test_server_refuses_requests_of_other_sites_or_hosts_and_names_of_no_position(
    client, path, how, status
):
    found, text = client.get(path, **how)
    assert found == status
    assert len(text.splitlines()) == 1 and len(text) <= (500 if status != 200 else 10**4)


def test_openapi_description_matches_the_answer_of_the_server(client):
    described = json.loads(client.get("/openapi.json")[1])
    assert set(described["paths"]) == {"/position/{name}"}
    found = json.loads(client.get(f"/position/{TURNED[:-3]}")[1])
    whole = {"$ref": "#/components/schemas/Position"} | described
    pytest.importorskip("jsonschema").validate(found, whole)


@pytest.mark.usefixtures("own_store")
def test_server_socket_sends_without_delay(monkeypatch):
    # The second part of an answer would else wait 40 ms for the client's word on the first.
    opened = []
    monkeypatch.setattr(
        "gops_exact.commands.application.serve", lambda _, at, __: opened.append(at.dup())
    )
    assert ran("serve -n 2 --port 0").status == 0
    assert opened[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    opened[0].close()


# Processes and turns


@pytest.mark.parametrize(
    ("limits", "got"), [((10**9, 0.1), "more time"), ((2 * 10**7, 300), "more memory")]
)
def test_serving_worker_answers_after_a_question_that_takes_too_long_or_too_much_memory(
    limits, got
):
    from gops_exact.commands.serving import Worker

    async def ask():
        worker = Worker(None, *limits)
        with pytest.raises(ValueError, match=got):
            await worker.answer("position", gx.Position.parse(name(9, "_c")))  # 70 megabytes
        worker.seconds = 100
        text = await worker.answer("position", gx.Position.start(2))
        worker._pool.shutdown()
        return text

    if got == "more memory":
        pytest.importorskip("resource", reason="memory cannot be limited")
    assert json.loads(awaited(ask()))["position"] == str(gx.Position.start(2))


def test_server_worker_whose_client_has_left_is_killed(monkeypatch):
    from gops_exact.commands import serving

    monkeypatch.setattr(serving, "GRACE_SECONDS", 0.1)

    async def leave():
        worker, works = serving.Worker(None, 8 * 10**9, 300), []
        submit = worker._pool.submit
        monkeypatch.setattr(
            worker._pool, "submit", lambda *work: works.append(submit(*work)) or works[-1]
        )
        # It takes minutes, after a first question that takes no time.
        client = asyncio.ensure_future(
            worker.answer("position", gx.Position.parse(name(9, "_w_c")))
        )
        while len(works) < 2 or not works[1].running():  # noqa: ASYNC110  # threads have no such event
            await asyncio.sleep(0.01)
        client.cancel()
        return await asyncio.wait_for(asyncio.wrap_future(works[1]), WAIT)

    with pytest.raises(ChildProcessError):
        awaited(leave())


def test_server_computes_equal_questions_once(monkeypatch):
    from gops_exact.commands.serving import Answers

    recorder = Mock(return_value="{}")
    monkeypatch.setattr("gops_exact.commands.serving.answer", recorder)
    monkeypatch.setattr("gops_exact.commands.serving.Worker", Mock())

    async def ask():
        answers = Answers(gx.solver("float", gx.Game(3)), None, 10**9, 60)
        for _ in range(2):
            start = gx.Position.start(3)
            await asyncio.gather(*(answers.answer("position", start) for _ in range(20)))

    awaited(ask())
    recorder.assert_called_once()


def test_server_estimates_time_and_memory_of_games_by_other_rules():
    from gops_exact.commands.serving import Answers

    answers = Answers(gx.solver("float"), None, 2 * 10**9, 60)
    moment, some, hours = (
        answers.cost(gx.Position.start(13, gx.Rules(ties=ties, prizes=prizes)))
        for ties, prizes in (
            ("discard", "ascending"),
            ("carryover", "descending"),
            ("carryover", "random"),
        )
    )
    assert (moment, some["held"], hours["held"]) == ({}, True, False)
    assert re.fullmatch(r"[\d.]+ (s|min|h), [\d.]+ (MB|GB)", some["takes"])


# A server as a process of its own

SERVING = """
import signal, sys, time
from gops_exact.commands import application, serving
signal.signal(signal.SIGINT, signal.default_int_handler)
serving.GRACE_SECONDS = 1.0
"""


@pytest.fixture(scope="module")
def served():
    """Start a server of six cards with some options; (process, the address that it tells on stdout or stderr)."""
    started = []

    def start(*options, code="", said="stdout"):
        words = ["serve", "--port", "0", *(options or ("-n", "6"))]
        code = f"{SERVING}{code}\nfrom gops_exact.commands.cli import main; sys.exit(main())"
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        started.append(run := subprocess.Popen([sys.executable, "-c", code, *words], **pipes))
        return run, re.search(r"http://\S+/", getattr(run, said).readline())[0]

    yield start
    for run in started:
        run.kill()
        run.communicate()


@pytest.fixture(scope="module")
def address(served):
    return served()[1]


def connected(address):
    at = urlsplit(address)
    return socket.create_connection((at.hostname, at.port))


def asked(address, path=""):
    """An answer of a server in a process of its own, which has to come within a minute."""
    with closing(HTTPConnection(urlsplit(address).netloc, timeout=60)) as connection:
        connection.request("GET", f"/{path}")
        answer = connection.getresponse()
        text = answer.read().decode()
        return SimpleNamespace(status=answer.status, headers=answer.headers, text=text)


UNFINISHED = [
    b"",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
]
ODD_REQUESTS = [
    b"nonsense\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
]


def test_nonsense_protocol_upgrades_and_unfinished_requests_block_no_client(served):
    _, address = served("-n", "2")
    with ExitStack() as opened:
        for request in 5 * ODD_REQUESTS:
            connection = opened.enter_context(connected(address))
            connection.sendall(request)
            assert connection.recv(4096).startswith(b"HTTP/1.1 ")
        sent = opened.enter_context(connected(address))
        sent.sendall(ODD_REQUESTS[0])
        sent.shutdown(socket.SHUT_WR)
        assert sent.recv(4096).startswith(b"HTTP/1.1 ")
        waiting = [opened.enter_context(connected(address)) for _ in range(30)]
        for place, connection in enumerate(waiting):
            connection.sendall(UNFINISHED[place % len(UNFINISHED)])
        assert asked(address, f"position/{TURNED}").status == 200


AMID = """
def raised(_): signal.raise_signal(signal.SIGTERM); time.sleep(300)
application.Position = type("Amid", (), {"parse": raised})
"""
"""Uvicorn in the main thread would wait for the end of the request."""


def test_signal_during_a_request_ends_the_server(served):
    run, address = served("-n", "2", code=AMID)
    with suppress(ConnectionError):
        asked(address, "solve/2_1_3")
    assert run.wait(timeout=100) == 128 + signal.SIGTERM
    begun, *_, ready, end = run.stderr.read().splitlines()  # between them, what compiling takes
    game = "2 cards, objective points, ties discard, prizes random: "
    assert begun.startswith(game) and "of values in memory, less than a second on " in begun
    assert (ready, end) == (f"{game}ready at {address}", "gops-exact: interrupted")


def test_server_refuses_expensive_positions_at_once(address):
    odd = ".".join(str(3**card) for card in range(13))  # every set of prizes has another sum
    asks = ["__", name(13), name(28), name(12, "_w"), f"{name(13).rpartition('_')[0]}_{odd}"]
    for ask in (*asks, gx.Position.start(16, gx.Rules("win", "carryover", "hidden"))):
        for kind in ("position", "solve"):
            answer = asked(address, f"{kind}/{ask}")
            # A position that had been begun would be said to take more than is allowed.
            assert answer.status == 422 and "got more " not in answer.text, ask


def test_long_request_blocks_no_other_and_ends_with_its_client(address):
    others = [name(4), name(6, "_w"), name(7), gx.Position.start(6)]
    for other in others:
        assert asked(address, f"position/{other}").status == 200  # processes have begun
    with ExitStack() as opened:
        clients = []

        def works():
            # The long request may be refused if the worker takes the shorter one first, so it is sent again.
            if not clients or select([clients[-1]], [], [], 0)[0]:
                clients.append(opened.enter_context(connected(address)))
                request = f"GET /position/{LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n"
                clients[-1].sendall(request.encode())
            return asked(address, f"position/{SHORTER}").status == 503

        until(works, "work")
        for other in others:
            assert asked(address, f"position/{other}").status == 200
        assert asked(address, f"position/{SHORTER}").headers["retry-after"] == "1"
        clients[-1].setblocking(False)
        with pytest.raises(BlockingIOError):
            clients[-1].recv(1)
    until(lambda: asked(address, f"position/{SHORTER}").status == 200, "answer")


STAYS = """
from gops_exact.commands import serve
def stays(done, total):
    if 4 * done > total: time.sleep(300)
serve.progress_bar = lambda: stays
"""
"""The work goes on until more than a quarter is done, and then no further."""


def test_server_reports_progress_while_it_solves(served, tmp_path):
    words = ["-n", "6", "--objective", "win", "--folder", str(tmp_path)]
    run, address = served(*words, code=STAYS, said="stderr")
    answer = asked(address, f"position/{name(2)}")
    assert answer.status == 503 and int(answer.headers["retry-after"]) > 0
    begun = re.compile("6 cards.*[1-9][0-9]?%.*<progress")
    until(lambda: begun.search(asked(address).text), "progress")
    assert asked(address).status == 503 and run.poll() is None


COMPILES = """
from gops_exact.base.progress import compiling
from gops_exact.commands import serve
def compiles(*_, **__):
    for report in compiling: report(True)
    time.sleep(300)
serve.ByLayers = compiles
"""


def test_server_and_its_page_say_that_functions_are_being_compiled(served):
    run, address = served("-n", "2", code=COMPILES, said="stderr")
    said = run.stderr.readline()
    assert "2 cards" in said and "kernels are compiled, once" in said
    assert "kernels are compiled, once" in asked(address).text


@pytest.fixture
def page(browser, address):
    """The served page, which asks nobody else."""
    with watched(browser, address) as (page, requests):
        page.wait_for_selector(".verdict")
        yield page
    assert all(asked == address or asked.startswith(f"{address}solve/") for asked in requests)


COSTS = "match.moves.map(({upcard, bids, cost}) => [upcard, bids, cost.middle, cost.radius])"


def test_server_page_plays_by_keyboard_and_reviews(page, address):
    page.goto(f"{address}#play/")
    page.wait_for_selector(".hand.one button:enabled")
    page.keyboard.press("h")
    page.wait_for_selector(".hint p")
    while not page.locator(".review").count():
        mine = page.evaluate("match.position.hands[0]")
        page.keyboard.press(str(mine[len(mine) // 3]))
        page.wait_for_selector(".hand.one button:enabled, .review")
    moves = page.evaluate(COSTS)
    assert "No cost is off by more than" in page.locator(".review").inner_text()
    assert len(moves) == 6 and page.locator(".moves tbody tr").count() == 6
    position = gx.Position.start(6)
    for upcard, (mine, theirs), cost, radius in moves:
        position = position.at(upcard)
        if gx.solve(position).column.unique:
            lost = gx.value(position) - gx.bid_gains(position)[mine]
            assert abs(float(lost) - cost) <= radius + 1e-12
        assert cost >= 0 and radius < 1e-10
        position = position.after(mine, theirs)
    page.click(".moves a >> nth=2")
    page.wait_for_selector(".board tbody tr:nth-child(4):last-child .cell")
    assert "no bid of either side does better by more than" in page.locator(".verdict").inner_text()


def test_server_page_marks_inexact_digits_and_notices_wrong_answers(page):
    shown = page.evaluate("""[[0.75, 0], [2 ** -10, 0], [0.1, 1e-17], [-3, 0.25]].map(
        ([middle, radius]) => inFull({ middle, radius }).textContent)""")
    exact, *others = (text.replace("−", "-") for text in shown)
    assert exact == "This is exact."
    for text, (number, radius) in zip(others, [(2**-10, 0), (0.1, 1e-17), (-3, 0.25)], strict=True):
        middle, off = map(Fraction, text.split(" within "))
        assert abs(middle - Fraction(number)) + Fraction(radius) <= off
    sound = page.evaluate("""async () => {
        const game = DATA.games[0];
        const answer = await ask(game, start(game.rules), 6);
        answer.mixes[1] = answer.mixes[1].map((_, j) => ({ middle: Number(j === 0), radius: 0 }));
        return checked(answer).sound;
    }""")
    assert sound is False


def test_serve_reports_a_taken_port_and_a_missing_extra_in_one_line(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, _, err = ran(f"serve -n 2 --port {port}")
    assert status == 2 and f"--port: expected a free port, got {port}" in err
    assert err.count("\n") == 1
    monkeypatch.setitem(sys.modules, "gops_exact.commands.application", None)
    status, _, err = ran("serve -n 2")
    assert status == 2 and err.count("\n") == 1
    assert err.endswith("which comes with pip install '.[serve]' in a clone of the project\n")
