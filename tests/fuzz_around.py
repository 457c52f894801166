"""Surroundings for the fuzzer: users without a home, workers of other versions, a server and its pages."""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import asdict
from functools import cache
from http.client import HTTPConnection
from importlib.metadata import version
from importlib.util import find_spec
from subprocess import Popen
from urllib.parse import quote

from fuzz_argv import HOMES, Ran, Wrong, call, check_ending, noted
from fuzz_documents import EMITTED, damaged, printed
from machines import Machines
from runs import until
from served import BROWSERS, QUIET
from test_position_names import random_position
from test_tablebase import LARGEST, holds

import gops_exact as gx
from gops_exact.commands.serve import MOST_BYTES, MOST_NAMES
from gops_exact.game.rules import OBJECTIVES, TIES
from gops_exact.show.tablebase import PLAYERS, players_of

# Users without a home.

STRANGER = (
    "setpriv --reuid=54321 --regid=54321 --clear-groups "
    "--inh-caps=-all,+dac_read_search --ambient-caps=-all,+dac_read_search"
)
"""What makes a process one of a user without an account, who may read every file and write none."""

PROGRAM = """import sys; from gops_exact import cli
sys.argv[0] = "gops-exact"; sys.exit(cli.main())"""

GAMES = [["--n", "3", *options] for options in EMITTED.values() if "float" not in options]
DOCUMENT = "../documents/exact.json"
OTHERS = f"""--n 3 --out o,--n 3 --read-only,--n 3 --jobs 2,store info,store check,verify,verify {DOCUMENT},
growth --n 3,outcomes --n 3,measure --n 2,play --n 3 --bids 1,patterns {DOCUMENT},--n 3 --store :memory:"""
STARTED = [*GAMES, *(words.split() for words in OTHERS.split(","))]
"""Argument vectors that need no compiled code: a user without a home has to compile it every time."""


def user_case(rng, _place):
    """A process of a user who may not write his home, if he has one."""
    ours = {"HOME", "XDG_CACHE_HOME", "GOPS_EXACT_STORE"}
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    name, home = rng.choice(["HOME", *ours]), rng.choice(["", "/", "/root", None, *HOMES])
    environment |= {} if home is None else {name: home}
    words = rng.choice(STARTED)
    stranger = STRANGER.split() if os.geteuid() == 0 and shutil.which("setpriv") else []
    command = [*stranger, sys.executable, "-c", PROGRAM, *words]
    with noted(lambda: f"{name}={home!r} {words}"):
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        check_ending(Ran(ran.returncode, ran.stdout, ran.stderr), words)
        if ran.returncode == 0 and words in GAMES and ran.stdout != printed(*words):
            raise Wrong("another output than with a home")


# Workers of other versions.

OURS = version("gops-exact")
VERSIONS = ["", "\t", "\0", "\n", "é", "9" * 5000, "a b\n c", "\x1b[31m", f"{OURS}\n more"]
VERSIONS += [f"{OURS}.post1", f"{OURS}+local", f"v{OURS}", f"{OURS}0", f"9\nVersion: {OURS}"]
"""What the metadata of a worker may give as its version; none is ours."""


def make_cluster(folder):
    """A scheduler and two workers, each with a file of its own that gives its version."""
    folder.mkdir()
    machines, before = Machines(folder), os.environ.get("PYTHONPATH", "")
    for number in (1, 2):
        set_version(folder, number, OURS)
        os.environ["PYTHONPATH"] = os.pathsep.join([str(folder / f"{number}"), before])
        machines.hire(number)
    os.environ["PYTHONPATH"] = before
    until(lambda: (folder / "log").read_text().count("Registered to") == 2, "worker")
    return machines.close


def set_version(folder, number, text):
    file = folder / f"{number}" / f"gops_exact-{OURS}.dist-info" / "METADATA"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"Name: gops-exact\nVersion: {text}\n", encoding="utf-8")


def cluster_case(rng, place):
    """A run on two workers, of which some are of another version."""
    folder = place.parent / "cluster"
    theirs = [rng.choice([OURS, OURS, *rng.sample(VERSIONS, 1)]) for _ in "12"]
    for number, text in enumerate(theirs, 1):
        set_version(folder, number, text)
    address = json.loads((folder / "scheduler.json").read_text())["address"]
    words = ["--n", "3", "--emit", "json"]
    with noted(lambda: f"{theirs}"[:300]):
        ran = call([*words, "--store", ":memory:", "--scheduler", address])
        if (ran.status == 0) != (theirs == [OURS, OURS]):
            raise Wrong("accepted another version" if ran.status == 0 else "refused", ran.err)
        if ran.status == 0 and ran.out != printed(*words):
            raise Wrong("another output than on one machine")


# A server of solutions.

REDIRECT, REFUSALS = 307, {400, 404, 413, 422}

TOO_LARGE = "must add up to at most 2^52 in floats"

LONGEST_PATH = 10_000
"""Characters; a server closes the connection at some 65,000."""


def server_case(rng, place):
    """Questions to the tablebase, most of them damaged: right answers, or a refusal in one line."""
    port = json.loads((place.parent / "server" / "ports.json").read_text())[0]
    bid_case(rng, port)
    for _ in range(5):
        connection = HTTPConnection("127.0.0.1", port, timeout=30)
        names = [damaged_name(rng) for _ in range(rng.choice([1, 2, 5]))]
        body = json.dumps(names).encode()
        if rng.random() < 0.3:
            body = damaged(rng, body)
        kind = rng.choice(["position", "mainline", "positions"])
        with noted(lambda: f"{kind} {names} {body[:300]}"):  # noqa: B023  # it is called at once
            if kind == "positions":
                connection.request("POST", f"/{kind}", body, {"Content-Type": "application/json"})
            else:
                # What is quoted comes as it is; "/" and "?" may come as such.
                path = quote(names[0].encode(), safe=rng.choice(["", "/?@"]))
                connection.request("GET", f"/{kind}/{path}")
            answer = connection.getresponse()
            text = answer.read().decode()
            connection.close()
            if answer.status == REDIRECT and names[0].endswith("/"):
                continue  # to the same without "/"
            if answer.status != 200:
                if answer.status not in REFUSALS or len(text.splitlines()) != 1:
                    raise Wrong(f"status {answer.status}", text)
                good = are_names(body) if kind == "positions" else is_name(names[0])
                if good and TOO_LARGE not in text:
                    raise Wrong("refused", text)
            elif kind == "positions":
                for name, found in zip(json.loads(body), json.loads(text), strict=True):
                    check_found(name, found)
            elif kind == "position":
                check_found(names[0].partition("?")[0], json.loads(text))
            else:
                check_line(names[0].partition("?")[0], json.loads(text))


def bid_case(rng, port):
    """A question for a player's bid, often damaged: a card of its hand, or a refusal in one line."""
    n, rules = rng.randint(1, 7), gx.Rules(rng.choice(OBJECTIVES), rng.choice(TIES))
    player, length = rng.choice([*PLAYERS]), rng.randint(1, 3)
    games = gx.players.match(
        "random", "random", gx.Game(n, rules), games=length, seed=rng.randint(0, 999)
    )
    told = [[[each.upcard, each.bid, each.reply] for each in rounds] for rounds in games]
    left = told[-1][rng.randrange(n) :]
    told[-1] = told[-1][: n - len(left)]
    asked = {"player": player, "n": n, "rules": asdict(rules), "upcard": left[0][0], "games": told}
    body = json.dumps(asked).encode()
    whole = rng.random() < 0.5
    body = body if whole else damaged(rng, body)
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    with noted(lambda: f"bid {body[:300]}"):
        connection.request("POST", "/bid", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status != 200:
            if answer.status not in REFUSALS or len(text.splitlines()) != 1:
                raise Wrong(f"status {answer.status}", text)
            if whole and player in players_of(n):
                raise Wrong("refused", text)
        elif whole and json.loads(text)["bid"] not in {own for _, own, _ in left}:
            raise Wrong("no card of the hand", text)


def damaged_name(rng):
    """The name of a position, or what is left of it."""
    name = str(random_position(rng))
    wrong = damaged(rng, name.encode()).decode(errors="replace")
    return name if rng.random() < 0.4 else wrong[:LONGEST_PATH]


def is_name(text):
    try:
        return gx.Position.parse(text).size > 0
    except ValueError:
        return False


def are_names(body):
    """Tell whether a body is a list of texts that the server takes, whatever they name."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return False
    is_list = isinstance(given, list) and all(isinstance(name, str) for name in given)
    return is_list and len(given) <= MOST_NAMES and len(body) <= MOST_BYTES


def check_found(name, found):
    """Raise unless an answer is that of a name: a refusal in one line where it names no position."""
    refusal = found.get("refused")
    if refusal is not None:
        if (is_name(name) and TOO_LARGE not in refusal) or len(refusal.splitlines()) != 1:
            raise Wrong("refused", name, found)
        return
    if found["position"] != name:
        raise Wrong("another position", name, found)
    position = gx.Position.parse(name)
    tells = found["arithmetic"] == "exact" or max(position.prizes) <= LARGEST
    if tells and not holds(found["value"], gx.value(position, store=":memory:")):
        raise Wrong("another value than the solver's", name, found)


def check_line(name, line):
    """Raise unless a main line goes from a position to the end."""
    position = gx.Position.parse(name)
    if line["position"] != name or len(line["rounds"]) != position.size:
        raise Wrong("no whole line", name, line)
    for step in line["rounds"]:
        at = gx.Position.parse(step["position"])
        if at not in (position, *(each for _, each in position.turns())):
            raise Wrong("a round that does not follow", name, step)
        position = at.after(step["one"], step["two"], step["prize"])


# Pages in a browser.

ELSEWHERE = ["http://127.0.0.1:{}", "http://localhost:{}", "http://a.example:{}", "data:text/html,"]
REBOUND = ["http://a.example:{}", "http://127.0.0.1.a.example:{}"]
"""Pages of other sites, and other names that lead to the server."""

BY_NAME = "position/1.2_1.2_1.2@2"
POSITION = '{"one": [1, 2], "two": [1, 2], "prizes": [1, 2]}'

ATTACK = """async ([address, name, body]) => {
    const read = [], asked = [], typed = new Blob([body], { type: "application/json" });
    const kinds = ["application/json", "text/plain", "multipart/form-data", ""];
    const named = `${address}${name}`, list = `${address}positions`;
    for (const url of [address, `${address}solve`, named, list, `${address}openapi.json`])
        for (const method of ["GET", "POST", "PUT"])
            for (const mode of ["cors", "no-cors", "same-origin"])
                for (const kind of kinds) {
                    const headers = kind ? { "Content-Type": kind } : {};
                    const sent = method === "GET" ? {} : { body: kind ? body : typed };
                    const found = fetch(url, { method, mode, headers, ...sent });
                    asked.push(found.then((answer) => answer.text()).then((text) => read.push(text)));
                }
    for (const tag of ["iframe", "img", "script", "link", "object", "video", "form"])
        for (const url of [`${address}solve`, named]) {
            const more = { rel: "stylesheet", method: "POST", enctype: "text/plain", target: "into" };
            const element = Object.assign(document.createElement(tag), more);
            if (tag === "iframe") element.name = "into";
            for (const link of ["src", "data", "href", "action"]) element[link] = url;
            document.body.append(element);
            element.submit?.();
        }
    navigator.sendBeacon(`${address}solve`, typed);
    await Promise.allSettled(asked);
    return [...read, document.querySelector("iframe").contentDocument?.body.innerText ?? ""];
}"""
"""Ask the server from another site in many ways; gives what could be read of its answers."""

PLACES = [
    "#points-discard-random/3:3-2,1:1-1/2",
    "#points-discard-random//1",
    "#play/points-discard-random",
    "#1.3_2.3_1.2@1",
    "#1.2.3_1.2.3_h1.2.3_w_m-1_c_p3/1:2-3",
    "#play/1.2.3_1.2.3_1.2.3@3/3:3-2,1:1-1",
]
"""Places of the page, by the rules of a game and by the names of positions."""

SCRIPTS = ["<img src=x onerror=alert(1)>", "%3Cimg src=x onerror=alert(1)%3E", "9" * 5000]
SCRIPTS += ["__proto__", "constructor", "%", "%E0%A4%A", "${alert(1)}", "\"'`\\", "-0", "1e1", "☃"]


def make_pages(folder):
    """A server of three cards, and another site."""
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>elsewhere</title><body>")
    stack, ports = ExitStack(), []
    for words in (["gops_exact", "serve", "-n3", "--port=0"], ["http.server", "-b127.0.0.1", "0"]):
        command, quiet = [sys.executable, "-u", "-m", *words], subprocess.DEVNULL
        run = Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=quiet, text=True)
        stack.enter_context(run)
        stack.callback(run.kill)
        ports.append(re.search("127.0.0.1:([0-9]+)/", run.stdout.readline())[1])
    (folder / "ports.json").write_text(json.dumps(ports))
    return stack.close


@cache
def browser():
    """A browser of this process, for which names of other sites lead to this machine."""
    from playwright.sync_api import sync_playwright

    limits = resource.getrlimit(resource.RLIMIT_AS)
    # It reserves much, and uses little.
    resource.setrlimit(resource.RLIMIT_AS, (limits[1], limits[1]))
    path = next(filter(None, map(shutil.which, BROWSERS)))
    names = "--host-resolver-rules=MAP *.example 127.0.0.1"
    chromium = sync_playwright().start().chromium
    launched = chromium.launch(executable_path=path, args=[*QUIET, names])
    resource.setrlimit(resource.RLIMIT_AS, limits)
    return launched


def close_browser():
    """Close the browser of this process, if it has one, which removes its files."""
    if browser.cache_info().currsize:
        browser().close()


def page_case(rng, place):
    """A page of another site that attacks the server, or the server's own at odd addresses."""
    port, elsewhere = json.loads((place.parent / "pages" / "ports.json").read_text())
    address, seen = f"http://127.0.0.1:{port}/", []
    with browser().new_page() as page, noted(lambda: f"{page.url[:200]} {seen}"):
        page.on("response", lambda got: seen.append((got.request.method, got.url, got.status)))
        page.on(
            "dialog", lambda dialog: seen.append(("dialog", dialog.message)) or dialog.dismiss()
        )
        page.on("pageerror", lambda error: seen.append(("error", f"{error}")))
        if rng.random() < 0.5:
            own_page(rng, page, address)
            if {*seen} - {("GET", address, 200), ("POST", f"{address}solve", 200)}:
                raise Wrong("the page went wrong at an odd address")
            return
        if rng.random() < 0.7:
            page.goto(rng.choice(ELSEWHERE).format(elsewhere))
        else:
            page.goto(rng.choice(REBOUND).format(port))
            address = page.url  # of which the page may read all
        read = {*page.evaluate(ATTACK, [address, BY_NAME, POSITION])}
        read -= {"", "Invalid host header"}
        asked = {("POST", f"{address}{path}", 200) for path in ("solve", "positions")}
        if read or {*asked, ("GET", f"{address}{BY_NAME}", 200)} & {*seen}:
            raise Wrong("read by another site, or solved for it", read)


def own_page(rng, page, address):
    page.goto(address)
    for _ in range(10):
        name = damaged(rng, rng.choice(PLACES).encode()).decode(errors="replace")
        if rng.random() < 0.5:
            name = name.replace(rng.choice(name or "#"), rng.choice(SCRIPTS), 1)
        page.evaluate("(name) => { location.hash = name; }", name)
        page.wait_for_selector("body:not(:has([aria-busy]))")
        page.keyboard.press(rng.choice(["1", "3", "h", "Enter", "ArrowDown", "Backspace"]))


def missing(family):
    """What a family needs that is not installed."""
    serving = ["starlette", "uvicorn"]
    needs = {"cluster": ["distributed"], "server": serving, "pages": ["playwright", *serving]}
    absent = [name for name in needs.get(family, []) if find_spec(name) is None]
    if family == "pages" and not any(map(shutil.which, BROWSERS)):
        absent.append("Chromium")
    return absent
