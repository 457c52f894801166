"""The server as a tablebase: positions by their names, checked against the solver.

`python tests/attack cases --only positions` asks for more random positions.
"""

import json
import re
from importlib.metadata import version
from random import Random

import pytest
from positions import check_position, holds
from served import MOST_BYTES, Client, players_of, tablebase

import gops_exact as gx

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


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover", "hidden")], ids=str)
def test_a_main_line_makes_the_likeliest_bids_to_the_end(client, rules):
    position = gx.Position.start(5, rules)
    status, text = client.get(f"/mainline/{position}")
    line = json.loads(text)
    assert (status, line["position"], len(line["rounds"])) == (200, str(position), 5)
    for step in line["rounds"]:
        at = gx.Position.parse(step["position"])
        solution = gx.solve(at, "float" if at.size > 4 else "exact")
        for side, strategy in (("one", solution.row), ("two", solution.column)):
            assert float(strategy[step[side]]) == max(map(float, strategy.values()))
        assert step["prize"] == (max(at.prizes) if rules.hidden else at.upcard)
        assert holds(step["value"], gx.value(at).value)
        position = at.after(step["one"], step["two"], step["prize"])
    assert position.size == 0


def test_several_positions_at_once(client):
    refusals = ["x", "", "1_1", "_" * 9, "\ud800", "\x1b[2J"]
    status, text = client.post(path="/positions", body=json.dumps([NAME, *refusals, NAME]).encode())
    first, *others, last = json.loads(text)
    assert (status, first, len(others)) == (200, last, len(refusals))
    assert first == json.loads(client.get(f"/position/{NAME}")[1])
    assert [each["position"] for each in others] == refusals
    assert all(len(each["refused"].splitlines()) == 1 for each in others)
    for body, expected in (
        (b"{}", 400),
        (b"[1]", 400),
        (b"[", 400),
        (json.dumps(["x"] * 101).encode(), 400),
        (json.dumps(["x" * MOST_BYTES]).encode(), 413),
    ):
        status, text = client.post(path="/positions", body=body)
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
            status, text = client.post(path="/bid", body=seen(player, game, each.upcard, *games))
            assert (status, json.loads(text)) == (200, {"bid": each.reply})


@pytest.mark.parametrize("n", [1, 4, 5, 13])
def test_the_players_offered_are_those_that_play_so_many_cards(client, described, n):
    for player in schema_of(described, "/bid")["properties"]["player"]["enum"]:
        status, text = client.post(path="/bid", body=seen(player, gx.Game(n), n, []))
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
    assert client.post(path="/bid", body=json.dumps(given).encode())[0] == 200
    for wrong in WRONG[name]:
        status, text = client.post(path="/bid", body=json.dumps(given | {name: wrong}).encode())
        assert (status, len(text.splitlines())) == (400, 1)
        assert re.search("expected|got", text), text
    del given[name]
    assert client.post(path="/bid", body=json.dumps(given).encode())[0] == 400


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
    with Client(tablebase("another folder")) as elsewhere:
        assert elsewhere.whole(f"/position/{NAME}", more=[("if-none-match", tag)])[0] == 200


@pytest.mark.parametrize("origins", [[], ["https://example.org"]])
def test_pages_of_other_sites_are_refused_unless_they_are_named(origins):
    path, cross = f"/position/{NAME}", ("sec-fetch-site", "cross-site")
    with Client(tablebase("", origins)) as client:
        status, headers, text = client.whole(path, more=[("origin", "https://example.org"), cross])
        assert status == (200 if origins else 403) and len(text.splitlines()) == 1
        assert headers.get("access-control-allow-origin") == (origins[0] if origins else None)
        for asks in ([("origin", "https://evil.example"), cross], [cross]):  # a script, a picture
            status, headers, _ = client.whole(path, more=asks)
            assert status == 403 and "access-control-allow-origin" not in headers
        assert client.get(path, host="evil.example")[0] == 400
        assert client.get(path, more=[("sec-fetch-site", "same-origin")])[0] == 200


def test_the_description_is_of_what_there_is(client, described):
    jsonschema = pytest.importorskip("jsonschema")
    routes = {route.path for route in client.app.routes}
    assert routes - set(described["paths"]) == {"/", "/solve", "/openapi.json"}
    assert set(described["paths"]) <= routes
    assert schema_of(described, "/positions")["maxItems"] == 100
    jsonschema.validate(json.loads(seen("0203", gx.Game(5), 5, [])), schema_of(described, "/bid"))
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
    assert client.post(path=f"/position/{NAME}", body=b"{}")[0] == 405
