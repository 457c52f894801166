"""The pages at thirteen cards and on small screens, and by keyboard: in a real browser."""

import random
from fractions import Fraction

import pytest
from served import OVERFLOWS, come_back, watched

import gops_exact as gx
from gops_exact.show.explorer import served_page

THIRTEEN = "http://gops.test/"


@pytest.fixture(scope="module")
def thirteen(browser):
    """The served page of thirteen cards, with answers as a server gives them for payoffs made up by chance.

    The layers of thirteen cards take a minute to make and a gigabyte.
    """
    others = {
        gx.Rules(prizes="hidden"): {"takes": "9.0 s, 1.5 GB", "held": True},
        gx.Rules("win"): {"takes": "3.4 h, 34.1 GB", "held": False},
        gx.Rules(prizes="ascending"): {},
    }
    page_text = served_page(gx.Game(13), others)

    def answer(route):
        if route.request.url == THIRTEEN:
            route.fulfill(body=page_text, content_type="text/html")
            return
        name = route.request.url.rpartition("/")[2]
        position, draw = gx.Position.parse(name), random.Random(name)
        size = position.size
        payoffs = [[draw.randint(-9000, 9000) / 100 for _ in range(size)] for _ in range(size)]
        solution = gx.solve_matrix_game([[*map(Fraction, row)] for row in payoffs])
        column = {
            "upcard": position.upcard,
            "value": float(solution.value),
            "radius": 1e-9,
            "payoffs": payoffs,
            "payoff_radii": [[1e-9] * size] * size,
        }
        hands = ("one", position.one, solution.row), ("two", position.two, solution.column)
        for player, hand, strategy in hands:
            column[player] = {
                "unique": True,
                "proved": True,
                "probabilities": dict(zip(hand, map(float, strategy), strict=True)),
                "radii": dict.fromkeys(hand, 1e-9),
            }
        route.fulfill(json={"columns": [column]})

    with watched(browser, THIRTEEN, answer) as (page, _):
        yield page


@pytest.fixture(autouse=True)
def first_move(thirteen):
    """The page as it opens."""
    thirteen.evaluate("localStorage.clear()")
    come_back(thirteen, THIRTEEN, "!lettered")
    thirteen.wait_for_selector(".verdict")


COLUMNS = """() => {
    const box = document.querySelector(".scroll"), edge = box.getBoundingClientRect();
    const cells = [...box.querySelectorAll("tbody tr:first-child .cell, .bar.two")];
    const places = cells.map((cell) => cell.getBoundingClientRect());
    const within = places.map(({left, right}) => left >= edge.left && right <= edge.right);
    const reached = places.map(({right}) => right - edge.left + box.scrollLeft <= box.scrollWidth);
    const full = cells.every((cell) => cell.scrollWidth <= cell.clientWidth);
    return {count: cells.length, within: within.every(Boolean), reached: reached.every(Boolean), full};
}"""


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_explorer_board_of_thirteen_cards_fits_or_scrolls(thirteen, width):
    thirteen.set_viewport_size({"width": width, "height": 900})
    thirteen.reload()
    thirteen.wait_for_selector(".verdict")
    found = thirteen.evaluate(COLUMNS)
    assert found["count"] == 26 and found["reached"] and found["full"]
    page_too_wide, board_too_wide = thirteen.evaluate(OVERFLOWS)
    assert page_too_wide == 0
    if width >= 768:
        assert board_too_wide == 0 and found["within"]
    else:
        assert "the board scrolls sideways" in thirteen.locator(".more").inner_text()


def test_every_view_of_the_explorer_page_fits_small_screens(browser, four_cards):
    with watched(browser, four_cards) as (page, _):
        for at in ("play/points-discard-random", "drill/points-discard-random", "play/nothing", ""):
            page.evaluate("(at) => { location.hash = at; }", at)
            page.wait_for_selector(".refused" if "nothing" in at else ".hand button:enabled")
            for width in (1280, 768, 360):
                page.set_viewport_size({"width": width, "height": 800})
                assert max(page.evaluate(OVERFLOWS)) == 0, (at, width)


IN_SIGHT = """(what) => {
    const box = document.querySelector(".scroll"), edge = box.getBoundingClientRect();
    const name = box.querySelector("tbody th").getBoundingClientRect();
    const {left, right} = box.querySelector(what).getBoundingClientRect();
    return left >= Math.min(name.right, edge.right) && right <= edge.right;
}"""


UNCOVERED = """() => {
    const box = document.querySelector(".scroll");
    box.scrollLeft = box.scrollWidth;
    return [...document.querySelectorAll(".bar.one, tbody th")].map((each) => {
        scrollBy(0, each.getBoundingClientRect().top - 400);
        const { left, top, width, height } = each.getBoundingClientRect();
        return each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }).concat(box.scrollLeft > 100);
}"""


def test_explorer_page_on_a_telephone_scrolls_the_likeliest_bid_into_sight(thirteen):
    thirteen.set_viewport_size({"width": 390, "height": 900})
    for upcard in (1, 13):
        thirteen.click(f"[data-key='upcard {upcard}']")
        thirteen.wait_for_selector(f"[data-key='upcard {upcard}'][aria-pressed=true]")
        thirteen.wait_for_selector(".verdict")
        shares = thirteen.evaluate(
            "[...document.querySelectorAll('.bar.two')].map((bar) => +bar.style.getPropertyValue('--share'))"
        )
        most = shares.index(max(shares))
        assert thirteen.evaluate(IN_SIGHT, f"[data-key='spot -1 {most}']")
    thirteen.focus(".board [tabindex='0']")
    for key in ["ArrowRight"] * 12 + ["ArrowLeft"] * 12:
        thirteen.keyboard.press(key)
        here = thirteen.evaluate("document.activeElement.dataset.key")
        assert thirteen.evaluate(IN_SIGHT, f"[data-key='{here}']"), here
    thirteen.keyboard.press("Enter")
    assert thirteen.locator(".detail h2").inner_text() == "1 against 1"
    assert thirteen.evaluate(UNCOVERED) == [True] * 27


def test_served_explorer_page_offers_rules_with_their_cost(thirteen):
    options = thirteen.locator("[data-key=rules] option")
    assert options.all_inner_texts() == [
        "for points, ties discarded, prizes shuffled",
        "for points, ties discarded, prizes hidden (takes 9.0 s, 1.5 GB)",
        "to win, ties discarded, prizes shuffled (takes 3.4 h, 34.1 GB: too much here)",
        "for points, ties discarded, prizes ascending",
    ]
    assert [option.is_enabled() for option in options.all()] == [True, True, False, True]
    thirteen.select_option("[data-key=rules]", index=1)
    thirteen.wait_for_selector(".verdict")
    assert "_h1.2.3" in thirteen.url


def test_explorer_page_controls_are_reached_by_tab_and_have_names(thirteen):
    controls = "a, button, select, input, textarea, summary"
    nameless = thirteen.evaluate(
        """(controls) => [...document.querySelectorAll(controls)].filter((each) =>
            !(each.ariaLabel || each.labels?.length || each.textContent.trim())).map((each) => each.outerHTML)""",
        controls,
    )
    assert nameless == []
    thirteen.focus("nav a")
    reached, here = set(), "document.activeElement.dataset.key ?? document.activeElement.tagName"
    for _ in range(40):
        reached.add(thirteen.evaluate(here))
        thirteen.keyboard.press("Tab")
    assert {"letters", *(f"upcard {prize}" for prize in range(1, 14)), "SUMMARY"} <= reached
    assert sum(key.startswith("spot") for key in reached) == 1  # the arrow keys go on from there


def test_explorer_page_remembers_that_cards_are_shown_as_letters(thirteen):
    names = thirteen.locator(".board th[scope=col]")
    thirteen.click("[data-key='letters']")
    come_back(thirteen, THIRTEEN, "lettered")
    thirteen.wait_for_selector(".verdict")
    assert names.all_inner_texts() == ["A", *map(str, range(2, 11)), "J", "Q", "K"]
    label = thirteen.locator("[data-key='spot 12 0']").get_attribute("aria-label")
    assert label.startswith("K against A:")
