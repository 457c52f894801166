"""Playing in the page: opponents to choose, reviews by cost, drills, transcripts."""

import random

import pytest
from served import CONTRASTS, OVERFLOWS, watched

import gops_exact as gx
from gops_exact.players.policy import View
from gops_exact.show.explorer import EVERY_RULES

PLAIN = "points-discard-random"
PURE = ("matching", "upcard+1", "upcard+2", "upcard+3", "highest", "lowest")


@pytest.fixture
def page(browser, five_cards):
    with watched(browser, five_cards) as (page, _):
        page.goto(f"{five_cards}#play/{PLAIN}")
        page.wait_for_selector(".hand.one button")
        yield page


@pytest.mark.parametrize("name", PURE)
def test_opponents_bid_as_their_policies(page, name):
    page.select_option("[data-key=opponent]", name)
    draw, policy = random.Random(name), gx.players.policy(name, gx.Game(5))
    for _ in range(3):
        page.click("text=New game")
        for card in draw.sample(range(1, 6), 5):
            page.keyboard.press(str(card))
        rounds = page.evaluate("match.rounds.map(({upcard, bids}) => [upcard, ...bids])")
        assert len(rounds) == 5
        position = gx.Position.start(5)
        for upcard, mine, theirs in rounds:
            view = View(5, position.at(upcard).swapped())
            assert theirs == policy.card(view)
            position = position.at(upcard).after(mine, theirs)


def test_the_random_opponent_bids_every_card_as_often(page):
    page.select_option("[data-key=opponent]", "random")
    bids = page.evaluate(
        "Array.from({length: 3000}, () => OPPONENTS.random.bid({hand: [1, 3, 4]}))"
    )
    # Six standard deviations of a binomial of 3,000 draws.
    assert all(abs(bids.count(card) - 1000) <= 6 * (3000 * 2 / 9) ** 0.5 for card in (1, 3, 4))


def test_the_opponent_is_remembered_and_never_sees_a_hidden_prize(page, five_cards):
    page.select_option("[data-key=opponent]", "upcard+1")
    page.reload()
    page.wait_for_selector(".hand.one button")
    assert page.input_value("[data-key=opponent]") == "upcard+1"
    assert "The opponent holds" in page.locator(".table").inner_text()
    page.goto(f"{five_cards}#play/points-discard-hidden")
    page.wait_for_selector(".card.back")
    assert page.input_value("[data-key=opponent]") == "optimal"


def test_a_review_is_sorted_by_cost(page):
    for key in "13524":
        page.keyboard.press(key)

    def shown():
        return page.evaluate(
            "[...document.querySelectorAll('.moves tbody tr')].map((row) => +row.cells[0].textContent)"
        )

    costs = page.evaluate("match.moves.map(({cost}) => toNumber(cost))")
    assert shown() == [1, 2, 3, 4, 5]
    page.click("[data-key=sort]")
    assert page.locator("th[aria-sort=descending]").count() == 1
    assert [costs[number - 1] for number in shown()] == sorted(costs, reverse=True)
    page.keyboard.press("Enter")
    assert shown() == [1, 2, 3, 4, 5]


WEYL = "(last = BigInt.asUintN(64, last + 0x9e3779b97f4a7c15n))"
"""Numbers as if by chance, the same ones every time."""


def test_drills_are_scored_by_cost(page):
    page.evaluate(f"() => {{ let last = 0n; randomBits = () => {WEYL}; }}")
    page.click("nav >> text=Drill")
    given_away = 0
    for count in range(1, 9):
        page.wait_for_selector(".hand.one button:enabled")
        position = gx.Position.parse(page.url.partition("#drill/")[2])
        mine = position.one[count % position.size]
        page.keyboard.press("1234567890jqk"[mine - 1])
        page.wait_for_selector(".drilled")
        solution, gains = gx.solve(position), gx.bid_gains(position)
        best = solution.value - max(gains.values())
        costs = dict(
            page.evaluate(
                "[...document.querySelectorAll('.drilled tbody tr')].map((row) => [+row.cells[0].textContent, row.cells[2].textContent])"
            )
        )
        assert best == 0 and set(costs) == set(position.one)
        if solution.column.unique:
            for card, gain in gains.items():
                lost = float(solution.value - gain)
                assert costs[card] == "<0.0001" or abs(float(costs[card]) - lost) < 1e-4
        given_away = page.evaluate("tally.cost")
        assert page.evaluate("tally.count") == count
        page.keyboard.press(str(mine))  # bid already
        assert page.evaluate("tally.count") == count
        page.keyboard.press("n")
        page.wait_for_selector(".drilled", state="detached")
    assert given_away > 0
    page.reload()
    page.wait_for_selector(".hand.one button:enabled")


@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_every_game_has_drills(page, rules):
    page.evaluate(f"location.hash = 'drill/{rules.objective}-{rules.ties}-{rules.prizes}'")
    page.wait_for_selector(".news >> text=What would you bid here?")
    name = page.evaluate("location.hash").partition("#drill/")[2]
    assert gx.Position.parse(name).rules == rules
    page.locator(".hand.one button:enabled").first.click()
    page.wait_for_selector(".drilled")


def test_a_transcript_is_reviewed(page):
    page.click("summary >> text=Review a game played elsewhere")
    page.fill("[data-key=transcript]", "5: 4 - 3\n1 1 A\n4: 5 4\n3 2 5\n2 3 2\n")
    page.click("[data-key=read]")
    page.wait_for_selector(".review")
    assert page.locator(".review h2").inner_text() == "You win, 11 to 3"
    position, total = gx.Position.start(5).at(5), page.evaluate("match.moves[0].cost")
    solution = gx.solve(position)
    assert solution.value - gx.bid_gains(position)[4] == gx.numbers.rational(
        f"{page.evaluate('String(match.moves[0].cost.p)')}/{page.evaluate('String(match.moves[0].cost.q)')}"
    )
    assert total


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("5 4", "Line 1: expected a prize and two bids, got 5 4"),
        ("5 4 3\n5 3 2", "round 2 must be a prize and bids that are left"),
        ("5 4 X", "Line 1: expected cards as 2 4 13 or 2 4 K, got X"),
    ],
)
def test_a_wrong_transcript_is_said(page, text, words):
    page.click("summary >> text=Review a game played elsewhere")
    page.fill("[data-key=transcript]", text)
    page.click("[data-key=read]")
    assert words in page.locator(".transcript [role=alert]").inner_text()
    assert page.evaluate("match.rounds") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("at", [f"#play/{PLAIN}", f"#drill/{PLAIN}", "#play/nothing"])
def test_small_screens_and_contrast(page, theme, at):
    page.emulate_media(color_scheme=theme)
    page.evaluate("(at) => { location.hash = at; }", at)
    page.wait_for_selector(".hand.one button:enabled, .refused")
    for width in (1280, 768, 360):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVERFLOWS)[0] == 0
    assert all(pair["contrast"] >= 4.5 for pair in page.evaluate(CONTRASTS))
