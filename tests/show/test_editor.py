"""The editor of the pages: positions by hand and by chance, and copies of the one shown."""

import csv
import json
from dataclasses import asdict

import pytest
from served import OVERFLOWS, THIRTEEN, opened_at_thirteen, watched

import gops_exact as gx
from gops_exact.show.explorer import EVERY_RULES, explorer_page

CARRIED = gx.Rules("win", "carryover")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("editor") / "page.html"
    file.write_text(explorer_page(gx.Game(5), EVERY_RULES[1:]), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def page(browser, address):
    with watched(browser, address) as (page, _):
        page.click("summary >> text=Set up a position")
        yield page


def fill(page, **fields):
    for name, text in fields.items():
        page.fill(f".editor [name={name}]", text)
    page.click("[data-key=show]")


def test_a_position_is_set_up(page):
    page.select_option(".editor select", label="to win, ties carried over, prizes shuffled")
    fill(page, one="5, 4", two="3 5", prizes="5 2", upcard="2", margin="-5", pot="3")
    position = gx.Position([4, 5], [3, 5], [2, 5], 2, CARRIED, -5, 3)
    page.wait_for_url(f"**#{position}")
    assert page.locator(".set-up code").inner_text() == str(position)
    assert page.locator(".board th[scope=row]").all_inner_texts() == ["4", "5"]
    shown = page.locator(".detail .number").inner_text().replace("−", "-")
    assert float(shown) == pytest.approx(float(gx.value(position)), abs=1e-6)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"one": "2 x"}, "Player one holds: expected cards as 2 4 13 or 2 4 K, got x"),
        ({"one": "2 0"}, "the cards of player one must be at least 1, got 0"),
        ({"two": "1 2"}, "both hands and the prizes must be of one size, got 5, 2, 5 cards"),
        ({"two": "1 1 2 3 4"}, "the cards of player two must be distinct, got 1 twice"),
        ({"upcard": "6"}, "the upcard must be one of 1, 2, 3, 4, 5, got 6"),
        ({"upcard": "1 2"}, "expected one upcard, got 1 2"),
        ({"margin": "2"}, "the margin must be 0 where points are played for, got 2"),
        ({"margin": "two"}, "expected an integer, got two"),
        ({"pot": "2"}, "the pot must be 0 where ties are discarded, got 2"),
        ({"one": "1 2 3 4 K"}, "holds the game of 5 cards alone"),
        ({"one": "", "two": "", "prizes": "", "upcard": ""}, "at least one card"),
    ],
)
def test_what_is_no_position_is_said(page, fields, words):
    fill(page, **fields)
    assert words in page.locator(".editor [role=alert]").inner_text()
    assert "#" not in page.url


def test_positions_at_random_come_by_their_seeds(page):
    def shown(seed):
        page.fill("[data-key=seed]", str(seed))
        before = page.locator(".set-up code").inner_text()
        page.click("[data-key=random]")
        if seed != 1 or before.count(".") == 12:
            page.wait_for_function(
                "(before) => document.querySelector('.set-up code').textContent !== before",
                arg=before,
            )
        return page.locator(".set-up code").inner_text()

    names = [shown(seed) for seed in range(2, 22)]
    assert len(set(names)) > 15
    assert all(gx.Position.parse(name).upcard for name in names)
    assert [shown(seed) for seed in range(2, 7)] == names[:5]


def copied(page, kind):
    page.click(f"text=Copy as {kind}")
    return page.locator(".copied textarea").input_value()


def test_a_position_is_copied(page, address):
    position = gx.Position([2, 4, 5], [3, 4, 5], [2, 3, 4], upcard=4)
    page.goto(f"{address}#{position}")
    page.wait_for_selector(f"code >> text={position}")
    assert copied(page, "name") == str(position)
    given = json.loads(copied(page, "JSON"))
    assert given == json.loads(json.dumps(asdict(position)))
    assert gx.Position(**given | {"rules": gx.Rules(**given["rules"])}) == position
    solution = gx.solve(position)
    rows = list(csv.DictReader(copied(page, "CSV").splitlines()))
    for name, strategy in (("one", solution.row), ("two", solution.column)):
        of_player = {
            int(row["bid"]): float(row["probability"]) for row in rows if row["player"] == name
        }
        assert of_player == pytest.approx(
            {card: float(chance) for card, chance in strategy.items()}
        )
    gains = gx.bid_gains(position)
    assert {
        int(row["bid"]): float(row["gain_of_one"]) for row in rows if row["player"] == "one"
    } == (pytest.approx({card: float(gain) for card, gain in gains.items()}))


def test_the_served_page_asks_for_any_position(browser):
    with opened_at_thirteen(browser) as page:
        page.wait_for_selector(".verdict")
        page.click("summary >> text=Set up a position")
        page.select_option(".editor select", label="to win, ties carried over, prizes descending")
        with page.expect_request(f"{THIRTEEN}solve") as asked:
            fill(page, one="14, k", two="3 20", prizes="7 7", upcard="7", margin="4", pot="9")
        expected = gx.Position(
            [13, 14], [3, 20], [7, 7], 7, gx.Rules("win", "carryover", "descending"), 4, 9
        )
        given = asked.value.post_data_json
        assert gx.Position(**given | {"rules": gx.Rules(**given["rules"])}) == expected
        page.wait_for_selector(".verdict")
        assert page.url.endswith(f"#{expected}")
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(OVERFLOWS)[0] == 0
        edges = "(what) => [...document.querySelectorAll(what)].map((at) => at.getBoundingClientRect().right)"
        assert max(page.evaluate(edges, ".editor select, .editor input")) <= 390 - 9
