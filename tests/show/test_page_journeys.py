"""Whole visits to the pages in a real browser: exploring, editing, playing, drills, in notebooks and at a server."""

import json

import pytest
from served import come_back, watched

import gops_exact as gx

PLAIN = "points-discard-random"


@pytest.fixture
def page(browser, four_cards):
    with watched(browser, four_cards) as (page, requests):
        yield page
    assert set(requests) <= {four_cards, "about:blank"}


def opened(page, address, ready=".hand.one button"):
    page.goto(address)
    page.wait_for_selector(ready)


def play(page, keys):
    """Press the keys of bids, each when the round before is over; a last card is bid by itself."""
    for key in keys:
        played = page.evaluate("match.rounds.length")
        if not page.evaluate("match.position.hands[0].length"):
            assert key == str(page.evaluate("match.rounds.at(-1).bids[0]"))
            return
        page.keyboard.press(key)
        page.wait_for_function("(played) => match.rounds.length > played", arg=played)


STATE = "[match.rounds, match.upcard, match.score, match.position]"
LINES = "[...document.querySelectorAll('.moves tbody tr')]"
ORDER = f"{LINES}.map((row) => +row.cells[0].textContent)"


def test_explorer_page_game_goes_on_after_a_reload_and_by_its_link(page, four_cards, browser):
    opened(page, f"{four_cards}#play/points-carryover-random")
    play(page, "31")
    before = page.evaluate(STATE)
    assert len(before[0]) == 2
    page.reload()
    page.wait_for_selector(".hand.one button")
    assert page.evaluate(STATE) == before
    with watched(browser, page.url) as (other, _):
        assert other.evaluate(STATE) == before
    play(page, "24")
    costs = page.evaluate("match.moves.map(({cost}) => toNumber(cost))")
    best = page.evaluate("match.moves.map(({best}) => best)")
    position = gx.Game(4, gx.Rules(ties="carryover")).start
    for each, cost, bid in zip(page.evaluate("match.rounds"), costs, best, strict=True):
        at = position.at(each["upcard"])
        loss, row = gx.value(at) - gx.bid_gains(at)[each["bids"][0]], gx.solve(at).row
        assert cost >= 0
        assert cost == pytest.approx(float(loss)) or not gx.solve(at).column.unique
        assert row[bid] == max(row.values())
        position = at.after(*each["bids"])
    page.reload()
    page.wait_for_selector(".review")
    assert page.evaluate("match.moves.map(({cost}) => toNumber(cost))") == costs
    marked = page.evaluate(f"{LINES}.map((row) => row.className === 'worst')")
    assert marked == [cost > 0 and cost == max(costs) for cost in costs]
    page.click("[data-key=sort]")
    assert [costs[number - 1] for number in page.evaluate(ORDER)] == sorted(costs, reverse=True)
    page.keyboard.press("Enter")
    assert page.evaluate(ORDER) == [1, 2, 3, 4]
    page.click(".moves a >> nth=2")
    page.wait_for_selector(".board tbody tr:nth-child(2):last-child")


def test_key_n_of_the_explorer_page_goes_to_the_next_round(page, four_cards):
    opened(page, f"{four_cards}#play/{PLAIN}")
    play(page, "1234")
    rounds = page.evaluate("match.rounds.map(roundText)")
    page.click("[aria-label='Explore round 1']")
    page.wait_for_selector("[data-key=next] >> text=Next round of your game")
    for count in (1, 2, 3):
        page.keyboard.press("n")
        page.wait_for_selector(f".board tbody tr:nth-child({4 - count}):last-child")
    page.keyboard.press("n")
    page.wait_for_selector(".ending")
    assert page.evaluate("placeAt(location.hash).rounds.map(roundText)") == rounds
    opened(page, f"{four_cards}#play/{PLAIN}", ".review")
    page.keyboard.press("n")  # a new game
    page.wait_for_selector(".hand.one button")
    assert page.evaluate("match.rounds.length") == 0


def test_explorer_page_remembers_the_unfinished_game_and_the_opponent(page, four_cards):
    opened(page, f"{four_cards}#play/{PLAIN}")
    page.select_option("[data-key=opponent]", "upcard+1")
    play(page, "3")
    before, link = page.evaluate("[match.rounds, matchAddress()]")
    condition = f"remembered.get('game of 4') === {json.dumps(link)}"
    come_back(page, f"{four_cards}#{PLAIN}", f"{condition} && chosenOpponent === 'upcard+1'")
    page.click("nav >> text=Play")
    page.wait_for_selector(".news")
    assert page.evaluate("match.rounds") == before
    assert page.input_value("[data-key=opponent]") == "upcard+1"
    page.click("text=New game")
    assert page.evaluate("match.rounds") == []


def test_explorer_page_plays_from_a_position_until_the_game_is_decided(page, four_cards):
    opened(page, f"{four_cards}#play/2.4_1.3_2.4_w_m-4")
    assert page.locator(".score").inner_text().startswith("You 0 : 4")
    play(page, "42")
    assert page.locator(".review").count() == 1
    opened(page, f"{four_cards}#play/win-discard-descending")
    page.evaluate("() => { drawn = () => 0; }")  # the optimum bids its lowest cards
    play(page, "43")
    page.keyboard.press("2")
    assert page.evaluate("match.moves.length") == 2
    assert page.locator(".review h2").inner_text() == "You win, 7 to 0"
    assert "The game is decided" in page.locator(".review [role=status]").inner_text()


def test_explorer_page_scores_drills_by_cost(page):
    page.click("nav >> text=Drill")
    for count in (1, 2, 3):
        page.wait_for_selector(".hand.one button:enabled")
        position = gx.Position.parse(page.url.partition("#drill/")[2])
        page.keyboard.press(str(position.one[-1]))
        page.wait_for_selector(".drilled")
        costs = page.evaluate(
            "Object.fromEntries([...document.querySelectorAll('.drilled tbody tr')].map("
            "(row) => [row.cells[0].textContent, row.cells[2].textContent]))"
        )
        assert set(costs) == set(map(str, position.one))
        if gx.solve(position).column.unique:
            for card, gain in gx.bid_gains(position).items():
                shown, cost = costs[str(card)], float(gx.value(position) - gain)
                assert shown == "<0.0001" or abs(float(shown) - cost) < 1e-4
        given_away = page.evaluate("tally.cost")
        page.keyboard.press(str(position.one[0]))  # bid already
        assert page.evaluate("[tally.count, tally.cost]") == [count, given_away]
        page.keyboard.press("n")
        page.wait_for_selector(".drilled", state="detached")


def test_explorer_page_drills_at_the_level_that_is_chosen(page):
    page.click("nav >> text=Drill")
    page.wait_for_selector("[data-key=level]")
    page.select_option("[data-key=level]", "2")
    page.wait_for_function("drill.place?.position.hands[0].length === 2")
    page.keyboard.press("n")
    assert len(gx.Position.parse(page.url.partition("#drill/")[2]).one) == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("2.4_1.3_3.4@4_w", "Player one is sure to win with optimal play."),
        ("1.3_2.4_3.4@4_w", "Player two is sure to win with optimal play."),
        ("4_1_3@3_w_m1", "The game is decided: whatever both bid, the winner is the same."),
        ("2.4_1.3_3.4@4", None),
    ],
)
def test_explorer_page_says_which_player_is_sure_to_win(page, four_cards, name, said):
    opened(page, f"{four_cards}#{name}", ".board")
    shown = page.locator(".news").all_inner_texts()
    assert shown == ([said] if said else [])


def test_explorer_page_changes_rules_and_recovers_from_a_wrong_link(page, four_cards):
    page.select_option("select", label="to win, ties carried over, prizes hidden")
    page.wait_for_url("**#1.2.3.4_1.2.3.4_h1.2.3.4_w_c")
    assert page.locator(".number").inner_text() == "0"
    opened(page, f"{four_cards}#2.4_1.3_3.4//2", ".refused")
    shown = page.locator(".refused [role=alert]").inner_text()
    assert shown == "The upcard must be one of 3, 4, got 2."
    page.keyboard.press("Backspace")
    page.keyboard.press("4")
    page.click("[data-key=restart]")
    page.wait_for_selector(".board")


def test_explorer_page_sets_up_and_copies_a_position(page):
    page.click("summary >> text=Set up a position")
    form = {"one": "4, 3", "two": "2 4", "prizes": "4 2", "upcard": "2", "margin": "-1"}
    page.select_option(".editor select", label="to win, ties carried over, prizes shuffled")
    for name, text in {**form, "pot": "3"}.items():
        page.fill(f".editor [name={name}]", text)
    page.click("[data-key=show]")
    position = gx.Position([3, 4], [2, 4], [2, 4], 2, gx.Rules("win", "carryover"), -1, 3)
    page.wait_for_url(f"**#{position}")
    assert page.locator(".board th[scope=row]").all_inner_texts() == ["3", "4"]
    shown = page.locator(".detail .number").inner_text().replace("−", "-")
    assert float(shown) == pytest.approx(float(gx.value(position)), abs=1e-6)
    for kind, begins in (("name", str(position)), ("JSON", '{"one":'), ("CSV", "player,bid,")):
        page.click(f"text=Copy as {kind}")
        assert page.locator(".copied textarea").input_value().startswith(begins)


def test_explorer_page_reviews_a_pasted_transcript(page, four_cards):
    opened(page, f"{four_cards}#play/points-carryover-random")
    page.click("summary >> text=Review a game played elsewhere")
    for text in ("4 3", "4: 3 - 2\n1 1 A\n3: 4 3\n2 2 4\n"):  # the first is none
        page.fill("[data-key=transcript]", text)
        page.click("[data-key=read]")
    page.wait_for_selector(".review")  # the 1 is carried over to the 3
    assert page.locator(".review h2").inner_text() == "You win, 8 to 2"


def test_explorer_in_a_notebook_keeps_its_own_links(browser, tmp_path):
    notebook = tmp_path / "notebook.html"
    shown = gx.explore(3, rules=gx.Rules("win"))._repr_html_()
    notebook.write_text(f"<!doctype html><meta charset=utf-8>{shown}", encoding="utf-8")
    with watched(browser, notebook.as_uri()) as (page, requests):
        frame = page.frames[1]
        frame.click("[data-key='upcard 2']")
        frame.wait_for_function("location.hash === '#1.2.3_1.2.3_1.2.3@2_w'")
        frame.evaluate("location.hash = '1.2.3_1.2.3_1.2.3@1'")
        frame.wait_for_selector("[data-key='upcard 1'][aria-pressed=true]")
        frame.click("nav >> text=Play")
        for key in "21":  # the last card is bid by itself
            frame.wait_for_selector(".hand.one button:enabled")
            frame.press(f"[data-key='mine {key}']", key)
        assert frame.locator(".moves tbody tr").count() == 3
        assert page.url == notebook.as_uri()
    assert set(requests) == {notebook.as_uri()}
