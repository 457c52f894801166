"""The server: positions for scripts, requests that are none, and its page in a real browser."""

import json
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from unittest.mock import Mock
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
from places import DOCS
from program import run as ran
from served import HERE, JSON, MOST_BYTES, OVERFLOWS, Client, at_once, play_through, watched

import gops_exact as gx

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")

KIND = {"Content-Type": JSON}
CELLS = ".board tbody tr:nth-child({0}):last-child .cell"
WHOLE = {
    "one": [2, 4, 7],
    "two": [1, 3, 7],
    "prizes": [2, 12, 13],
    "upcard": 13,
    "rules": {"objective": "win", "ties": "carryover", "prizes": "random"},
    "margin": -1,
    "pot": 3,
}

BODY = json.dumps(WHOLE)


@pytest.fixture
def recorder():
    """A solver that computes nothing and remembers what it was asked."""
    return Mock(return_value="{}")


@pytest.fixture
def client(recorder):
    with Client(at_once(recorder)) as client:
        yield client


def test_positions_are_read_as_they_are_written(client, recorder):
    for host in (HERE, "localhost:8013", "localhost"):
        assert client.get("/", host=host) == (200, "page")
    for kind in ("application/json; charset=utf-8", "APPLICATION/JSON", "Application/json ;a=b"):
        assert client.post(BODY.encode(), kind=kind)[0] == 200
    hidden = {"rules": {"prizes": "hidden"}, "margin": 0, "pot": 0, "upcard": None}
    for more in ({}, {"upcard": None}, {"margin": -(10**300)}, {"two": [1, 3, 10**300]}, hidden):
        recorder.reset_mock()
        given = WHOLE | more
        assert client.post(json.dumps(given).encode())[0] == 200
        rules = gx.Rules(**given["rules"])
        recorder.assert_called_with("solve", gx.Position(**given | {"rules": rules}))


WRONG = [
    *("", "[", "[" * 5000, "nonsense", "\0", "null", "[]", "{}", '{"one": 1e400}', "9" * 5000),
    *(f'{{"one": [1], "two": [2], "prizes": [{odd}]}}' for odd in ("NaN", "3.0", "03")),
    *(
        json.dumps(WHOLE | wrong)
        for wrong in (
            *({name: None} for name in ("one", "prizes", "rules", "margin", "pot")),
            *({"one": odd} for odd in ([2, 4, 4], [2, 4], [0, 2, 4], [2, 4, "7"], [2, 4, True])),
            *({"upcard": odd} for odd in (7, 13.0, [13], "13")),
            *({"margin": odd} for odd in (True, 10**301)),
            {"pot": -1},
            *(
                {"rules": odd}
                for odd in ({"objective": "lose"}, {"prizes": [4, 3]}, {"game": 1}, [])
            ),
            {"folder": "x"},
            {"one": [], "two": [], "prizes": [], "upcard": None},
            {"rules": {}},  # whose points have no margin
            {name: list(range(1, 30)) for name in ("one", "two", "prizes")},
            {"prizes": "☃" * 300},
        )
    ),
    '{"one": [1], "two": [2], "prizes": [3], "prizes": [3]}',
    '{"one": [1], "two": [2], "prizes": [3], "rules": {"ties": "discard", "ties": "discard"}}',
    "\udcff",
    "[" + " " * MOST_BYTES,
]


@pytest.mark.parametrize("text", WRONG, ids=lambda text: text[:60])
def test_what_is_wrong_in_a_position_is_refused_in_a_line(client, recorder, text):
    body = text.encode(errors="surrogateescape")
    status, answer = client.post(body)
    assert (status, recorder.called) == (413 if len(body) > MOST_BYTES else 400, False)
    assert answer.endswith("\n") and len(answer.splitlines()) == 1 and len(answer) < 500


ELSEWHERE = [
    ({"host": "evil.example"}, 400),
    ({"host": "127.0.0.1.evil.example:8013"}, 400),
    ({"host": ""}, 400),
    ({"kind": None}, 415),
    ({"kind": "text/plain"}, 415),
    ({"kind": "application/x-www-form-urlencoded"}, 415),
    ({"method": "GET"}, 405),
    ({"method": "OPTIONS"}, 405),
    ({"path": "/etc/passwd"}, 404),
    ({"path": "/../solve"}, 404),
    ({"path": "/solve/..%2f"}, 404),
    ({"leaves": True}, 400),
]


@pytest.mark.parametrize(("wrong", "status"), ELSEWHERE)
def test_requests_from_elsewhere_or_that_end_early_are_refused(client, recorder, wrong, status):
    found, text = client.post(f"{BODY:5000}".encode(), **wrong)
    assert (found, recorder.called) == (status, False)
    assert len(text.splitlines()) == 1


@pytest.mark.usefixtures("own_store")
def test_answers_are_sent_at_once(monkeypatch):
    # The second part of an answer would else wait 40 ms for the client's word on the first.
    opened = []
    monkeypatch.setattr(
        "gops_exact.commands.application.serve", lambda _, at, __: opened.append(at.dup())
    )
    assert ran("serve -n 2 --port 0").status == 0
    assert opened[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    opened[0].close()


def near(number, radius, exact):
    """Whether an exact number is within the radius of a float."""
    return abs(Fraction(number) - Fraction(str(exact))) <= Fraction(radius)


POSITIONS = [
    {"one": [1, 2, 4, 5], "two": [1, 2, 3, 5], "prizes": [1, 3, 4, 5]},
    {"one": [2, 4, 7], "two": [1, 3, 7], "prizes": [2, 12, 13], "upcard": 13},
    WHOLE,
    {"one": [1, 2], "two": [1, 3], "prizes": [4, 5], "rules": {"prizes": "hidden"}},
]


@pytest.mark.parametrize("given", POSITIONS)
def test_answers_are_within_their_radii_of_the_exact_ones(address, given):
    rules = gx.Rules(**given.get("rules", {}))
    position = gx.Position(**given | {"rules": rules})
    found = solution(address, given)
    assert gx.Rules(**found["rules"]) == rules
    assert all(found[side] == given[side] for side in ("one", "two", "prizes"))
    assert near(found["value"], found["radius"], gx.value(position))
    for column in found["columns"]:
        at = position if rules.hidden else position.at(column["upcard"])
        exact = gx.solve(at)
        assert near(column["value"], column["radius"], exact.value)
        for side, strategy in (("one", exact.row), ("two", exact.column)):
            if column[side]["proved"]:
                for card, share in column[side]["probabilities"].items():
                    assert near(share, column[side]["radii"][card], strategy[int(card)])
        rows = zip(column["payoffs"], column["payoff_radii"], gx.payoff_matrix(at), strict=True)
        assert all(near(*entry) for row in rows for entry in zip(*row, strict=True))


SERVING = """
import signal, sys
from gops_exact.commands import application, serving
signal.signal(signal.SIGINT, signal.default_int_handler)
application.PATIENCE = serving.GRACE_SECONDS = 1.0
"""


@pytest.fixture(scope="module")
def served():
    """Start a server of six cards with some options; (process, address)."""
    started = []

    def start(*options, code=""):
        words = ["serve", "--port", "0", *(options or ("-n", "6"))]
        code = f"{SERVING}{code}\nfrom gops_exact.commands.cli import main; sys.exit(main())"
        run = subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(run)
        return run, run.stdout.readline().split()[0]

    yield start
    for run in started:
        run.kill()
        run.communicate()


@pytest.fixture(scope="module")
def address(served):
    return served()[1]


def connected(address):
    """A new connection to a server."""
    return socket.create_connection(("127.0.0.1", int(address.rstrip("/").split(":")[-1])))


def got(address, body=None):
    """The text that a server answers."""
    asked = Request(address, body, KIND if body else {})  # noqa: S310  # this machine's own
    with urlopen(asked, timeout=30) as answer:  # noqa: S310  # same
        return answer.read()


def solution(address, position):
    return json.loads(got(f"{address}solve", json.dumps(position).encode()))


def assert_log(text, address, needs=""):
    """What a server that was interrupted has written to a file or a pipe."""
    begun, *_, ready, end = text.splitlines()  # between them, what compiling takes
    game = "2 cards, objective points, ties discard, prizes random: "
    assert begun.startswith(game)
    assert needs in begun
    assert ready == f"{game}ready at {address}"
    assert end == "gops-exact: interrupted"
    assert len(text.splitlines()) <= 4


POST = b"POST /solve HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
UNFINISHED = [
    b"",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    POST + b"Content-Length: 9\r\n\r\n{",
]
ODD_REQUESTS = [
    b"nonsense\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
]


def test_odd_and_unfinished_requests_keep_nobody_out_and_are_not_written_to_the_terminal(served):
    run, address = served("-n", "2")
    with ExitStack() as opened:
        for request in 5 * ODD_REQUESTS:
            connection = opened.enter_context(connected(address))
            connection.sendall(request)
            assert connection.recv(4096).startswith(b"HTTP/1.1 ")
        waiting = [opened.enter_context(connected(address)) for _ in range(30)]
        for place, connection in enumerate(waiting):
            connection.sendall(UNFINISHED[place % len(UNFINISHED)])
        assert got(address)
        assert solution(address, WHOLE)["columns"][0]["upcard"] == 13
        for place, connection in enumerate(waiting):  # closed in the end
            connection.settimeout(30)
            said = b"".join(iter(partial(connection.recv, 4096), b""))
            assert (b" 408 " in said) == (place % len(UNFINISHED) == 2), said
    # Ctrl-C ends the server while it solves.
    with pytest.raises(HTTPError, match="400"):
        got(f"{address}solve", b"{}")
    deck = list(range(1, 13))
    with ThreadPoolExecutor(1) as client:
        long = {"one": deck, "two": deck, "prizes": [*deck[:-1], 14]}
        at_work = client.submit(solution, address, long)
        time.sleep(0.7)
        assert not at_work.done()
        begun = time.monotonic()
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=20) == 130
        assert time.monotonic() - begun < 5
        assert isinstance(at_work.exception(), OSError)
    assert_log(run.stderr.read(), address, "of values in memory, less than a second on ")


AMID = """
import time
application.requested = lambda _: (signal.raise_signal(signal.SIGTERM), time.sleep(300))
"""
"""Uvicorn in the main thread would wait for the end of the request."""


def test_a_signal_that_comes_while_a_request_is_answered_ends_the_server(served):
    run, address = served("-n", "2", code=AMID)
    with suppress(URLError, ConnectionError):
        got(f"{address}solve", b"{}")
    assert run.wait(timeout=100) == 128 + signal.SIGTERM
    assert_log(run.stderr.read(), address)


def name(n, more=""):
    """A position of n cards a side whose values no game has."""
    hands = (list(range(first, first + n)) for first in (1, 2, 3))
    return f"{gx.Position(*hands)}{more}"


def status_of(address, path, body=None):
    """The status and the headers of an answer, and the seconds that it took."""
    begun = time.monotonic()
    try:
        with urlopen(Request(f"{address}{path}", body, KIND if body else {}), timeout=60) as answer:  # noqa: S310  # this machine's own
            return answer.status, answer.headers, time.monotonic() - begun
    except HTTPError as error:
        with error:
            return error.code, error.headers, time.monotonic() - begun


def test_positions_that_take_too_much_are_refused_at_once(address):
    odd = ".".join(str(3**card) for card in range(13))  # every set of prizes has another sum
    asks = [name(13), name(16), name(28), name(12, "_w"), f"{name(13).rpartition('_')[0]}_{odd}"]
    for ask in (*asks, gx.Position.start(16, gx.Rules("win", "carryover", "hidden"))):
        status, _, seconds = status_of(address, f"position/{ask}")
        assert (status, seconds < 10) == (422, True), ask
        body = json.dumps(asdict(gx.Position.parse(str(ask)))).encode()
        status, _, seconds = status_of(address, "solve", body)
        assert (status, seconds < 10) == (422, True), ask


def test_the_page_says_what_other_rules_take_and_whether_they_may():
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
    assert moment == {}
    assert some["held"]
    assert hours["held"] is False
    assert re.fullmatch(r"[\d.]+ (s|min|h), [\d.]+ (MB|GB)", some["takes"])
    assert hours["takes"].endswith("GB")


LONG, SHORTER = name(8, "_w_c"), name(7, "_w_c")
"""They take 14 core seconds and a quarter of a gigabyte, and a second."""


def test_work_keeps_no_other_request_waiting_and_ends_when_its_client_leaves(address):
    others = [name(4), name(6, "_w"), name(7), gx.Position.start(6)]
    for other in others:
        assert status_of(address, f"position/{other}")[0] == 200  # processes have begun
    with connected(address) as client:
        client.sendall(f"GET /position/{LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.5)
        for other in others:
            assert status_of(address, f"position/{other}")[0] == 200
        status, headers, seconds = status_of(address, f"position/{SHORTER}")
        assert (status, headers["retry-after"], seconds < 5) == (503, "1", True)
        client.setblocking(False)
        with pytest.raises(BlockingIOError):
            client.recv(1)
    begun = time.monotonic()
    while status_of(address, f"position/{SHORTER}")[0] != 200:
        assert time.monotonic() < begun + 10
        time.sleep(0.3)


def test_a_server_that_makes_values_says_how_far_it_is(tmp_path):
    words = ["serve", "-n", "10", "--port", "0", "--objective", "win", "--folder", str(tmp_path)]
    with subprocess.Popen(
        [sys.executable, "-m", "gops_exact", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        try:
            address = re.search(r"http://\S+/", run.stderr.readline())[0]
            for path, body in (("", None), (f"position/{name(2)}", None), ("solve", b"x" * 10**6)):
                status, headers, _ = status_of(address, path, body)
                assert status == (413 if body else 503)
                assert body or int(headers["retry-after"]) > 0
            with pytest.raises(HTTPError) as told:
                got(address)
            with told.value as page:
                assert re.search(rb"10 cards.*[0-9]%.*<progress", page.read())
            assert run.poll() is None
        finally:
            run.kill()


@pytest.mark.parametrize("path", ["bid", "solve", ""])
def test_a_body_that_is_too_long_is_refused_with_an_answer(address, path):
    for _ in range(2):
        assert status_of(address, path, b"[" + b" " * 5 * 10**6)[0] == 413


@pytest.fixture
def page(browser, address):
    """The served page, which asks nobody else."""
    with watched(browser, address) as (page, requests):
        page.wait_for_selector(".verdict")
        yield page
    assert set(requests) <= {address, f"{address}solve", f"{address}bid"}


def test_a_game_is_played_and_reviewed(page, address):
    moves = play_through(page, address)
    assert "No cost is off by more than" in page.locator(".review").inner_text()
    assert len(moves) == 6 and page.locator(".moves tbody tr").count() == 6
    position = gx.Position.start(6)
    for upcard, (mine, theirs), cost, radius in moves:
        position = position.at(upcard)
        solution = gx.solve(position, "ball")
        if solution.column.unique:
            gains = gx.bid_gains(position, "ball")
            lost = solution.value - gains[mine]
            assert abs(float(lost) - cost) <= radius + 1e-12
        assert cost >= 0 and radius < 1e-10
        position = position.after(mine, theirs)
    page.click(".moves a >> nth=2")
    page.wait_for_selector(CELLS.format(4))
    assert "no bid of either side does better by more than" in page.locator(".verdict").inner_text()


def test_a_player_whose_program_the_server_runs(page, address):
    page.goto(f"{address}#play/")
    page.wait_for_selector("[data-key=opponent]")
    page.select_option("[data-key=opponent]", "published")
    play_through(page, address)
    rounds = page.evaluate("match.rounds.map(({upcard, bids}) => [upcard, ...bids])")
    assert len(rounds) == 6
    policy = gx.players.policy("published", gx.Game(6))
    position, seen = gx.Position.start(6), ()
    for upcard, mine, theirs in rounds:
        view = gx.players.View(6, position.at(upcard).swapped(), seen)
        assert theirs in policy.bids(view)
        position = position.at(upcard).after(mine, theirs)
        seen += (gx.players.Round(upcard, upcard, theirs, mine),)
    # The player is told of the games before.
    page.click("text=New game")
    page.wait_for_selector(".hand.one button:enabled")
    with page.expect_request("**/bid") as asks:
        page.keyboard.press("1")
    assert len(asks.value.post_data_json["games"]) == 2
    page.wait_for_selector(".news")
    # It knows whole games only, and has to see the prize.
    page.goto(f"{address}#play/points-discard-hidden")
    page.wait_for_selector(".card.back")
    assert page.input_value("[data-key=opponent]") == "optimal"


def test_walking_down_with_the_keyboard_on_a_small_screen(page):
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate(OVERFLOWS) == [0, 0]
    page.focus("[data-key='spot 0 0']")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert page.locator(".detail h2").inner_text() == "3 against 2"
    assert "within" in page.locator(".detail .in-full").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url("**#1.2.3.4.5.6_1.2.3.4.5.6_1.2.3.4.5.6/6:3-2/")
    page.wait_for_selector(CELLS.format(5))
    assert page.evaluate("document.activeElement.dataset.key") == "spot 2 1"
    page.keyboard.press("Backspace")
    page.wait_for_selector(CELLS.format(6))


def test_digits_that_are_not_exact_are_not_called_so(page):
    shown = page.evaluate("""[[0.75, 0], [2 ** -10, 0], [0.1, 1e-17], [-3, 0.25]].map(
        ([middle, radius]) => inFull({ middle, radius }).textContent)""")
    exact, *others = (text.replace("−", "-") for text in shown)
    assert exact == "This is exact."
    for text, (number, radius) in zip(others, [(2**-10, 0), (0.1, 1e-17), (-3, 0.25)], strict=True):
        middle, off = map(Fraction, text.split(" within "))
        assert abs(middle - Fraction(number)) + Fraction(radius) <= off


def test_a_wrong_answer_is_noticed(page):
    sound = page.evaluate("""async () => {
        const game = DATA.games[0];
        const answer = await ask(game, start(game.rules), 6);
        answer.mixes[1] = answer.mixes[1].map((_, j) => ({ middle: Number(j === 0), radius: 0 }));
        return checked(answer).sound;
    }""")
    assert sound is False


def test_a_server_that_does_not_answer_is_said_and_leaves_the_round_as_it_is(browser, address):
    opened = browser.new_page()
    opened.goto(address)
    opened.wait_for_selector(".verdict")
    opened.route("**/solve", lambda route: route.abort())
    opened.click("[data-key='upcard 2']")
    opened.wait_for_selector("main .alarm")
    opened.unroute("**/solve")
    opened.route("**/bid", lambda route: route.abort())
    opened.goto(f"{address}#play/")
    opened.select_option("[data-key=opponent]", "published")
    opened.wait_for_selector(".hand.one button:enabled")
    opened.keyboard.press("2")
    opened.wait_for_selector(".table .alarm")
    assert opened.evaluate("match.rounds.length") == 0
    opened.unroute("**/bid")
    opened.keyboard.press("3")
    opened.wait_for_selector(".news")
    assert opened.locator(".table .alarm").count() == 0
    assert opened.evaluate("match.rounds[0].bids[0]") == 3
    opened.close()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_curl_as_the_documentation_shows(address):
    page = (DOCS / "how-to.md").read_text("utf-8")
    line = re.search(r"^\$ (curl .*\\\n.*)$", page, re.MULTILINE)[1]
    words = shlex.split(line.replace("http://127.0.0.1:8013/", address).replace("\\\n", ""))
    found = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    (column,) = found["columns"]
    assert column["payoffs"] == [[25, -1], [1, 25]]
    assert near(
        found["value"], found["radius"], gx.value(gx.Position([2, 4], [1, 3], [12, 13]).at(13))
    )


def test_what_cannot_be_served_is_one_line(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        status, _, err = ran(f"serve -n 2 --port {port}")
    assert status == 2 and f"--port: expected a free port, got {port}" in err
    monkeypatch.setitem(sys.modules, "gops_exact.commands.application", None)
    assert ran("serve -n 2").err.endswith(
        "which comes with pip install '.[serve]' in a clone of the project\n"
    )
