"""The server as a tablebase: positions by their names, checked against the solver.

    python tests/show/test_tablebase.py 10000 [SEED]

asks for so many random positions by all rules, and for a damaged name of each.
"""

import asyncio
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from importlib.metadata import version
from random import Random

import pytest
from served import asked, at_once, exchanged
from strategies import random_position

import gops_exact as gx
from gops_exact.commands.serving import answer
from gops_exact.show.tablebase import DIGITS, EXACT_CARDS, PLAYERS, players_of

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")

from gops_exact.commands.application import MOST_BYTES, MOST_NAMES

NAME = "2.4_1.3_12.13@13"
LARGEST = 10**6
"""Of cards and prizes in floats: beyond that a radius may be more than a game."""


def tablebase_application(*more):
    solver = gx.solver("float")
    return at_once(lambda *question: answer(*question, solver), "page", *more)


class Client:
    """Asks an application, in a thread: the driver of a browser may have a loop of its own in this one."""

    def __init__(self, app):
        self.app, self._thread, self._runner = app, ThreadPoolExecutor(1), asyncio.Runner()

    def run(self, coroutine):
        return self._thread.submit(self._runner.run, coroutine).result()

    def get(self, path, **request):
        return asked(self.run, self.app, b"", method="GET", path=path, kind=None, **request)

    def whole(self, path, **request):
        return exchanged(self.run, self.app, b"", method="GET", path=path, kind=None, **request)

    def post(self, path, body):
        return asked(self.run, self.app, body, path=path)

    def close(self):
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()


@pytest.fixture(scope="module")
def client():
    made = Client(tablebase_application())
    yield made
    made.close()


def holds(number, exact):
    """Whether a number of an answer is the exact one, or its decimal and radius hold that."""
    true = Fraction(str(exact))
    if "exact" in number:
        return Fraction(number["exact"]) == true
    return abs(Fraction(number["decimal"]) - true) <= Fraction(str(number["radius"]))


def check_answer(found, position, exact):
    """Fail unless an answer says what another solver says of a position."""
    assert found["position"] == str(position)
    assert holds(found["value"], exact.value(position).value)
    if "upcards" in found:
        upcards = [each for _, each in position.turns()]
        for each, at in zip(found["upcards"], upcards, strict=True):
            check_answer(each, at, exact)
        return
    solution = exact.solve(position)
    sides = (("one", solution.row, position), ("two", solution.column, position.swapped()))
    for side, strategy, seen in sides:
        bids = found[side]["bids"]
        assert sorted(each["bid"] for each in bids) == list(seen.one)
        gains = [float(each["gain"]["decimal"]) for each in bids]
        assert gains == sorted(gains, reverse=True)
        if strategy.unique and found[side]["proved"]:
            for each in bids:
                assert holds(each["probability"], strategy[each["bid"]].value)
        opposite = solution.column if side == "one" else solution.row
        if opposite.unique and found["arithmetic"] == "exact":
            worth = exact.bid_gains(seen)
            assert all(holds(each["gain"], worth[each["bid"]].value) for each in bids)


def check_positions(client, count, seed):
    """Ask for so many random positions and as many damaged names; how many of these were refused."""
    source, refused, exact = Random(seed), 0, gx.solver("exact", store=":memory:")
    for _ in range(count):
        position = random_position(source)
        while position.size > EXACT_CARDS and max(position.prizes) > LARGEST:
            position = random_position(source)
        name = str(position)
        status, text = client.get(f"/position/{name}")
        assert status == 200, text
        check_answer(json.loads(text), position, exact)
        place = source.randrange(len(name))
        damaged = name[:place] + source.choice(("", ".", "_", "x", "@")) + name[place + 1 :]
        status, text = client.get(f"/position/{damaged}")
        if status != 200:
            refused += 1
            assert status in (400, 404, 422) and len(text.splitlines()) == 1, damaged
        else:
            assert json.loads(text)["position"] == damaged
    return refused


def test_random_positions_are_those_of_the_solver(client):
    assert check_positions(client, 60, 5) > 20


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover", "hidden")], ids=str)
def test_a_main_line_makes_the_likeliest_bids_to_the_end(client, rules):
    position = gx.Position.start(5, rules)
    status, text = client.get(f"/mainline/{position}")
    line = json.loads(text)
    assert (status, line["position"], len(line["rounds"])) == (200, str(position), 5)
    for step in line["rounds"]:
        at = gx.Position.parse(step["position"])
        solution = gx.solve(at, "float" if at.size > EXACT_CARDS else "exact")
        for side, strategy in (("one", solution.row), ("two", solution.column)):
            assert float(strategy[step[side]]) == max(map(float, strategy.values()))
        assert step["prize"] == (max(at.prizes) if rules.hidden else at.upcard)
        assert holds(step["value"], gx.value(at).value)
        position = at.after(step["one"], step["two"], step["prize"])
    assert position.size == 0


def test_several_positions_at_once(client):
    refusals = ["x", "", "1_1", "_" * 9, "\ud800", "\x1b[2J"]
    status, text = client.post("/positions", json.dumps([NAME, *refusals, NAME]).encode())
    first, *others, last = json.loads(text)
    assert (status, first, len(others)) == (200, last, len(refusals))
    assert first == json.loads(client.get(f"/position/{NAME}")[1])
    assert [each["position"] for each in others] == refusals
    assert all(len(each["refused"].splitlines()) == 1 for each in others)
    for body, expected in (
        (b"{}", 400),
        (b"[1]", 400),
        (b"[", 400),
        (json.dumps(["x"] * (MOST_NAMES + 1)).encode(), 400),
        (json.dumps(["x" * MOST_BYTES]).encode(), 413),
    ):
        status, text = client.post("/positions", body)
        assert (status, len(text.splitlines())) == (expected, 1)


def seen(player, game, upcard, *games):
    rules = {name: getattr(game.rules, name) for name in ("objective", "ties", "prizes")}
    given = {"player": player, "n": game.n, "rules": rules, "upcard": upcard, "games": games}
    return json.dumps(given).encode()


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover")], ids=str)
@pytest.mark.parametrize("player", ["0202", "0203", "0206"])
def test_bids_of_players_are_those_of_their_programs(client, player, rules):
    """These leave nothing to chance."""
    game, policy = gx.Game(7, rules), gx.players.policy(player, gx.Game(7, rules))
    matches = gx.players.match("random", policy, game, games=3, seed=player)
    told = [[(each.upcard, each.reply, each.bid) for each in rounds] for rounds in matches]
    for number, rounds in enumerate(matches):
        for place, each in enumerate(rounds):
            games = *told[:number], told[number][:place]
            status, text = client.post("/bid", seen(player, game, each.upcard, *games))
            assert (status, json.loads(text)) == (200, {"bid": each.reply})


@pytest.mark.parametrize("n", [1, 4, 5, 13])
def test_the_players_offered_are_those_that_play_so_many_cards(client, n):
    for player in PLAYERS:
        status, text = client.post("/bid", seen(player, gx.Game(n), n, []))
        assert (status == 200) == (player in players_of(n)), text


WRONG = {
    "player": ("0211", ["0201"]),
    "n": (14, 0, None),
    "rules": ({"objective": "lose"}, {"game": 1}, {"prizes": "hidden"}, 3),
    "upcard": (4, None, {}),
    "games": (
        *([], {}, 5, [[[1, 2]]], [[[1, 2, 3, 4]]], [[[4, 1, 1.5]]], [[["4", 1, 1]]]),
        [[[4, 1, 1], [4, 2, 2]]],
        [[[4, 1, 1], [3, 1, 2]]],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_player_can_see_is_refused(client, name):
    given = {"player": "0203", "n": 5, "rules": {}, "upcard": 5, "games": [[[4, 1, 2]]]}
    assert client.post("/bid", json.dumps(given).encode())[0] == 200
    for wrong in WRONG[name]:
        status, text = client.post("/bid", json.dumps(given | {name: wrong}).encode())
        assert (status, len(text.splitlines())) == (400, 1)
        assert re.search("expected|got", text), text
    del given[name]
    assert client.post("/bid", json.dumps(given).encode())[0] == 400


def test_answers_may_be_kept(client):
    status, headers, text = client.whole(f"/position/{NAME}")
    tag = headers["etag"]
    assert status == 200 and "max-age=0" in headers["cache-control"]
    assert version("gops-exact") in tag
    for tags in (tag, f"W/{tag}", f'"x", {tag}', f'W/"x",W/{tag} , "y"', "*"):
        again = client.whole(f"/position/{NAME}", more=[("if-none-match", tags)])
        assert (again[0], again[2], again[1]["etag"]) == (304, "", tag), tags
    for tags in ('"x"', '"x", "y"', tag[1:-1], ""):
        assert client.whole(f"/position/{NAME}", more=[("if-none-match", tags)])[0] == 200, tags
    other = client.whole(f"/position/{NAME}_w", more=[("if-none-match", tag)])
    assert other[0] == 200 and text != other[2]
    # The same answer from another folder is another one.
    elsewhere = Client(tablebase_application("another folder"))
    assert elsewhere.whole(f"/position/{NAME}", more=[("if-none-match", tag)])[0] == 200
    elsewhere.close()


def test_pages_of_other_sites_are_refused_unless_they_are_named():
    origin = [("origin", "https://example.org"), ("sec-fetch-site", "cross-site")]
    path = f"/position/{NAME}"
    for origins, status in (((), 403), (["https://example.org"], 200)):
        client = Client(tablebase_application("", origins))
        found, headers, text = client.whole(path, more=origin)
        assert found == status and len(text.splitlines()) == 1
        allowed = headers.get("access-control-allow-origin")
        assert allowed == (origins[0] if origins else None)
        foreign = [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site")]
        for asks in (foreign, foreign[1:]):  # as a script and as a picture would
            found, headers, _ = client.whole(path, more=asks)
            assert found == 403 and "access-control-allow-origin" not in headers
        assert client.get(path, host="evil.example")[0] == 400
        assert client.get(path, more=[("sec-fetch-site", "same-origin")])[0] == 200
        client.close()


def test_the_description_is_of_what_there_is(client):
    jsonschema = pytest.importorskip("jsonschema")
    described = json.loads(client.get("/openapi.json")[1])
    routes = {route.path for route in client.app.routes}
    assert set(described["paths"]) <= routes
    assert routes - set(described["paths"]) == {"/", "/solve", "/openapi.json"}
    several, asked = (
        described["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        for path in ("/positions", "/bid")
    )
    assert several["maxItems"] == MOST_NAMES
    assert asked["properties"]["player"]["enum"] == [*PLAYERS]
    decimal = described["components"]["schemas"]["Position"]["properties"]["value"]["properties"]
    assert decimal["decimal"]["description"] == f"rounded to {DIGITS} digits"
    jsonschema.validate(json.loads(seen("0203", gx.Game(5), 5, [])), asked)
    for path, schema in ((f"/position/{NAME[:-3]}", "Position"), (f"/mainline/{NAME}", "Line")):
        found = json.loads(client.get(path)[1])
        whole = {"$ref": f"#/components/schemas/{schema}"} | described
        jsonschema.validate(found, whole)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(found | {"position": 3}, whole)


def test_what_is_no_question_is_refused(client):
    for path, status in (
        ("/position/", 404),
        ("/position/../solve", 404),
        ("/position/__", 400),
        (f"/position/{'1.' * 5000}1_1_1", 400),
        ("/position/" + "_".join([".".join(map(str, range(1, 30)))] * 3), 400),
        ("/position/" + "_".join([".".join(map(str, range(1, 27)))] * 3), 422),
    ):
        found, text = client.get(path)
        assert (found, len(text.splitlines())) == (status, 1), path
    assert client.post(f"/position/{NAME}", b"{}")[0] == 405


if __name__ == "__main__":
    wanted, seed = int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 1
    number = check_positions(Client(tablebase_application()), wanted, seed)
    print(f"{wanted} positions as the solver has them, {number} damaged names refused")  # noqa: T201  # a script
