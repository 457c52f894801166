"""Links of the pages: positions by their names, wrong ones refused, games in play to come back to."""

import random

import pytest
from served import watched

import gops_exact as gx
from gops_exact.show.explorer import EVERY_RULES

N = 5
GAMES = [*EVERY_RULES, gx.Rules(prizes=(3, 1, 2, 5, 4))]

OPEN = """async (links) => {
    const texts = (what) => [...document.querySelectorAll(what)].map((each) => each.textContent);
    const opened = [];
    for (const link of links) {
        const changed = new Promise((done) => addEventListener("hashchange", done, {once: true}));
        location.hash = link;
        await changed;
        opened.push({
            refused: document.querySelector(".refused [role=alert]")?.textContent ?? null,
            over: document.querySelector(".ending") !== null,
            one: texts(".board th[scope=row]").map(Number),
            two: texts(".board th[scope=col]").map(Number),
            prizes: texts(".upcards .card").map(Number),
            upcard: texts(".upcards .card[aria-pressed=true]").map(Number),
            score: texts(".score")[0],
            rules: slug(DATA.games[document.querySelector("select").value]?.rules ?? DATA.games[0].rules),
        });
    }
    return opened;
}"""


@pytest.fixture
def page(browser, five_cards):
    with watched(browser, five_cards) as (page, _):
        yield page


def at_random(draw):
    """A position that random rounds lead to, not decided, a prize turned up or not."""
    while True:
        rules = draw.choice(GAMES)
        position = gx.Position.start(N, rules)
        for _ in range(draw.randrange(N)):
            upcard = draw.choice(rules.draws(position.prizes)).upcard
            at = position if rules.hidden else position.at(upcard)
            position = at.after(draw.choice(position.one), draw.choice(position.two), upcard)
        if position.decided is None:
            turned = draw.choice(rules.draws(position.prizes)).upcard
            return position if rules.hidden or draw.random() < 0.3 else position.at(turned)


def slug(rules):
    order = rules.prizes if isinstance(rules.prizes, str) else ",".join(map(str, rules.prizes))
    return f"{rules.objective}-{rules.ties}-{order}"


def several(make, count):
    """As many different things as asked for, made by chance."""
    found = {}
    while len(found) < count:
        each = make()
        found[str(each)] = each
    return list(found.values())


def test_links_of_random_positions_open_them(page):
    draw = random.Random(30)
    positions = several(lambda: at_random(draw), 150)
    for position, found in zip(
        positions, page.evaluate(OPEN, list(map(str, positions))), strict=True
    ):
        assert found["refused"] is None, str(position)
        cards = (tuple(found[name]) for name in ("one", "two", "prizes"))
        assert tuple(cards) == (position.one, position.two, position.prizes)
        assert found["rules"] == slug(position.rules)
        if position.upcard is not None:
            assert found["upcard"] == [position.upcard]
        ahead, behind = max(position.margin, 0), max(-position.margin, 0)
        unit = "point" if position.pot == 1 else "points"
        carried = f" · {position.pot} {unit} carried over" if position.pot else ""
        assert found["score"] == f"Score {ahead} : {behind}{carried}"


def damaged(draw):
    """A name with a character or two changed, left out, put in or swapped, which is no position's name."""
    while True:
        text = list(str(at_random(draw)))
        for _ in range(draw.choice((1, 1, 2))):
            place = draw.randrange(len(text))
            way = draw.randrange(3)
            other = draw.choice("0123456789._@wmcphadf-x/é:")
            text[place : place + (way != 1)] = [] if way == 0 else [other]
            if not text:
                break
        name = "".join(text)
        try:
            gx.Position.parse(name)
        except ValueError as error:
            if name and "/" not in name.rstrip("/"):
                return name.rstrip("/"), str(error)


def test_damaged_links_are_refused_in_words(page):
    draw = random.Random(31)
    wrong = several(lambda: damaged(draw), 150)
    for (name, said), found in zip(
        wrong, page.evaluate(OPEN, [name for name, _ in wrong]), strict=True
    ):
        assert found["refused"], (name, found)
        assert found["one"] == [] and not found["over"]
        place = said.partition(" at character ")[2].partition(",")[0]
        if place and name.isascii() and not name[0].isalpha():
            assert f"at character {place}," in found["refused"], (name, said)


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("2.6_1.3_2.3", "holds the game of 5 cards alone"),
        ("2.4_1.3_3.3", "holds the game of 5 cards alone"),
        ("1.2.4_1.3.5_1.2.3_w_m3", "holds the game of 5 cards alone"),
        ("2_1_f3.2.5", "no game for points, ties discarded, prizes 3, 2, 5"),
        ("win-discard-sideways", "no game win-discard-sideways"),
        ("2.4_1.3_3.5/3:2-2", "round 1 must be a prize and bids that are left"),
        ("2.4_1.3_3.5/3:2-1,x", "round 2 must be a prize and bids that are left"),
        ("2.4_1.3_3.5@5/3:2-1", "round 1 must be a prize and bids that are left"),
        ("2.4_1.3_3.5//4", "the upcard must be one of 3, 5, got 4"),
        ("2.4_1.3_3.5///", "expected a position, rounds and an upcard"),
        ("play/2.4_1.3_3.5//4", "the upcard must be one of 3, 5, got 4"),
    ],
)
def test_links_that_do_not_fit_the_page_are_refused(page, link, words):
    (found,) = page.evaluate(OPEN, [link])
    assert words in found["refused"].casefold()
    page.keyboard.press("Backspace")
    page.keyboard.press("5")
    page.click("[data-key=restart]")
    page.wait_for_selector(".board")


def test_a_game_goes_on_after_a_reload_and_by_its_link(page, five_cards, browser):
    page.goto(f"{five_cards}#play/points-carryover-random")
    page.wait_for_selector(".hand.one button")
    for key in "315":
        page.keyboard.press(key)
    before = page.evaluate("[match.rounds, match.upcard, match.score, match.position]")
    assert len(before[0]) == 3
    page.reload()
    page.wait_for_selector(".hand.one button")
    assert page.evaluate("[match.rounds, match.upcard, match.score, match.position]") == before
    with watched(browser, page.url) as (other, _):
        assert other.evaluate("[match.rounds, match.upcard, match.score, match.position]") == before
    for key in "24":
        page.keyboard.press(key)
    assert page.locator(".moves tbody tr").count() == 5
    over = page.evaluate("match.moves.map(({cost}) => [String(cost.p), String(cost.q)])")
    page.reload()
    assert page.evaluate("match.moves.map(({cost}) => [String(cost.p), String(cost.q)])") == over


def test_a_game_left_off_is_found_again(page, five_cards):
    page.goto(f"{five_cards}#play/points-discard-random")
    page.wait_for_selector(".hand.one button")
    page.keyboard.press("3")
    before = page.evaluate("match.rounds")
    page.goto("about:blank")
    page.goto(five_cards)
    page.click("nav >> text=Play")
    page.wait_for_selector(".news")
    assert page.evaluate("match.rounds") == before
    page.click("text=New game")
    assert page.evaluate("match.rounds") == []


def test_a_game_is_played_from_any_position(page, five_cards):
    page.goto(f"{five_cards}#play/2.4_1.3_3.5_w_m-4")
    page.wait_for_selector(".hand.one button")
    assert page.locator(".score").inner_text().startswith("You 0 : 4")
    for key in "24":
        page.keyboard.press(key)
    assert page.locator(".review").count() == 1


def test_a_hidden_prize_is_not_drawn_before_the_bids(page, five_cards):
    page.goto(f"{five_cards}#play/points-discard-hidden")
    page.wait_for_selector(".hand.one button")
    assert page.evaluate("match.upcard") is None and "@" not in page.url
    page.keyboard.press("3")
    assert page.evaluate("match.rounds.length") == 1 and page.evaluate("match.upcard") is None


def test_a_game_is_played_within_a_notebook(browser):
    page = browser.new_page()
    page.set_content(gx.explore(3)._repr_html_())
    frame = page.frames[1]
    frame.click("nav >> text=Play")
    for count, key in enumerate("213"):
        frame.wait_for_selector(".hand.one button:enabled")
        assert frame.evaluate("match.rounds.length") == count
        frame.press(f"[data-key='mine {key}']", key)
    assert frame.locator(".moves tbody tr").count() == 3
    frame.click("nav >> text=Explore")
    frame.wait_for_selector(".board")
    page.close()
