"""The server as a tablebase: positions by their names, checked against the solver.

`python tests/attack cases --only positions` asks for more random positions.
"""

import json
import re
from random import Random

import pytest
from positions import check_position
from served import Client, players_of, tablebase

import gops_exact as gx
from gops_exact.players.simple import published_weights

pytest.importorskip("starlette", reason="starlette is not installed")
pytest.importorskip("uvicorn", reason="uvicorn is not installed")

NAME = "2.4_1.3_12.13@13"


@pytest.fixture(scope="module")
def client():
    with Client(tablebase()) as client:
        yield client


@pytest.fixture(scope="module")
def described(client):
    return json.loads(client.get("/openapi.json")[1])


def schema_of(described, path):
    """The schema of the body of a request, as described."""
    body = described["paths"][path]["post"]["requestBody"]
    return body["content"]["application/json"]["schema"]


def test_random_positions_are_those_of_the_solver(client):
    source = Random(5)
    assert sum(check_position(client, source) for _ in range(60)) > 20


def seen(player, game, upcard, *games):
    rules = {name: getattr(game.rules, name) for name in ("objective", "ties", "prizes")}
    given = {"player": player, "n": game.n, "rules": rules, "upcard": upcard, "games": games}
    return json.dumps(given).encode()


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover")], ids=str)
def test_bids_of_a_player_are_those_of_its_program(client, rules):
    game, policy = gx.Game(7, rules), gx.players.policy("published", 7)
    matches = gx.players.match("random", policy, game, games=3)
    told = [[(each.upcard, each.reply, each.bid) for each in rounds] for rounds in matches]
    for number, rounds in enumerate(matches):
        for place, each in enumerate(rounds):
            games = *told[:number], told[number][:place]
            body = seen("published", game, each.upcard, *games)
            status, text = client.post(path="/bid", body=body)
            hand = [card for card in game.hand if card not in {own for _, own, _ in games[-1]}]
            chances = published_weights(7, each.upcard, hand)
            assert status == 200
            assert json.loads(text)["bid"] in chances


@pytest.mark.parametrize("n", [1, 4, 5, 13])
def test_the_players_offered_are_those_that_play_so_many_cards(client, described, n):
    for player in schema_of(described, "/bid")["properties"]["player"]["enum"]:
        status, text = client.post(path="/bid", body=seen(player, gx.Game(n), n, []))
        assert (status == 200) == (player in players_of(n)), text


WRONG = {
    "player": ("0211", "0201", ["published"]),
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
    given = {"player": "published", "n": 5, "rules": {}, "upcard": 5, "games": [[[4, 1, 2]]]}
    assert client.post(path="/bid", body=json.dumps(given).encode())[0] == 200
    for wrong in WRONG[name]:
        status, text = client.post(path="/bid", body=json.dumps(given | {name: wrong}).encode())
        assert (status, len(text.splitlines())) == (400, 1)
        assert re.search("expected|got", text), text
    del given[name]
    assert client.post(path="/bid", body=json.dumps(given).encode())[0] == 400


def test_pages_of_other_sites_and_other_hosts_are_refused(client):
    path, site = f"/position/{NAME}", "sec-fetch-site"
    for asks in (
        [("origin", "https://evil.example"), (site, "cross-site")],
        [(site, "cross-site")],
    ):
        status, headers, text = client.whole(path, more=asks)
        assert (status, len(text.splitlines())) == (403, 1)
        assert "access-control-allow-origin" not in headers
    assert client.get(path, host="evil.example")[0] == 400
    assert client.get(path, more=[(site, "same-origin")])[0] == 200


def test_the_description_is_of_what_there_is(client, described):
    jsonschema = pytest.importorskip("jsonschema")
    routes = {route.path for route in client.app.routes}
    assert routes - set(described["paths"]) == {"/", "/solve", "/openapi.json"}
    assert set(described["paths"]) <= routes
    jsonschema.validate(
        json.loads(seen("published", gx.Game(5), 5, [])), schema_of(described, "/bid")
    )
    found = json.loads(client.get(f"/position/{NAME[:-3]}")[1])
    whole = {"$ref": "#/components/schemas/Position"} | described
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
    assert client.post(path=f"/position/{NAME}", body=b"{}")[0] == 405
