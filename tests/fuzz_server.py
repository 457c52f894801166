"""Questions to a server, for the fuzzer."""

import json
import re
import sys
from dataclasses import asdict
from http.client import HTTPConnection
from importlib.util import find_spec
from subprocess import DEVNULL, PIPE, Popen
from urllib.parse import quote

from fuzz_argv import Wrong, noted
from fuzz_documents import damaged
from test_position_names import random_position
from test_tablebase import LARGEST, holds

import gops_exact as gx
from gops_exact.commands.serve import MOST_BYTES, MOST_NAMES
from gops_exact.game.rules import OBJECTIVES, TIES
from gops_exact.show.tablebase import PLAYERS, players_of

REDIRECT, REFUSALS = 307, {400, 404, 413, 422}

TOO_LARGE = "must add up to at most 2^52 in floats"

LONGEST_PATH = 10_000
"""Characters; a server closes the connection at some 65,000."""


def server_case(rng, place):
    """Questions to the tablebase, most of them damaged: right answers, or a refusal in one line."""
    port = (place.parent / "server" / "port").read_text()
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


def make_server(folder):
    """A server of three cards."""
    folder.mkdir()
    command = [sys.executable, "-u", "-m", "gops_exact", "serve", "-n3", "--port=0"]
    run = Popen(command, cwd=folder, stdout=PIPE, stderr=DEVNULL, text=True)
    port = re.search("127.0.0.1:([0-9]+)/", run.stdout.readline())[1]
    (folder / "port").write_text(port)

    def close():
        run.kill()
        run.communicate()

    return close


def missing(family):
    """What a family needs that is not installed."""
    needs = ["starlette", "uvicorn"] if family == "server" else []
    return [name for name in needs if find_spec(name) is None]
