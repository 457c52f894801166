"""What the pages compute, asked of the functions of pages that stay open in a browser."""

import csv
import json
import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import pytest
from blackboard import check
from recursions import RULE_SETS
from served import watched

import gops_exact as gx

PLAIN = gx.Rules()
FOUR, DECK = gx.Game(4, gx.Rules(prizes=(3, 1, 4, 2))), gx.Game(3, PLAIN, (0, 2, 2))


def games(game):
    """The games that a page offers: by every rules, and first by its own."""
    return [replace(game, rules=rules) for rules in dict.fromkeys((game.rules, *RULE_SETS))]


@pytest.fixture(scope="module")
def pages(browser, four_cards, tmp_path_factory):
    """{game: its page}; the pages load nothing else."""
    file = tmp_path_factory.mktemp("deck") / "page.html"
    file.write_text(gx.explore(DECK).html, encoding="utf-8")
    with (
        watched(browser, four_cards) as (four, asked),
        watched(browser, file.as_uri()) as (deck, also_asked),
    ):
        yield {FOUR: four, DECK: deck}
    assert {*asked, *also_asked} == {four_cards, file.as_uri()}


@pytest.fixture(scope="module")
def page(pages):
    return pages[FOUR]


def slug(rules):
    """The rules as the page's addresses name them."""
    prizes = rules.prizes if isinstance(rules.prizes, str) else ",".join(map(str, rules.prizes))
    return f"{rules.objective}-{rules.ties}-{prizes}"


def game_of(rules):
    """An expression for a page's game."""
    return f"DATA.games.find(({{rules}}) => slug(rules) === '{slug(rules)}')"


def as_in_page(position):
    hands = position.one, position.two
    return {"hands": hands, "prizes": position.prizes, **position.state._asdict()}


def turned_up(draw, position):
    """A prize that may come next, and the position with it turned up, unless it is hidden."""
    upcard = draw.choice(position.rules.draws(position.prizes)).upcard
    return upcard, position if position.rules.hidden else position.at(upcard)


def at_random(draw, game, turned=0.7):
    """A position that random rounds lead to, not decided; with so much chance a prize is turned up."""
    while True:
        position = game.start
        for _ in range(draw.randrange(game.n)):
            upcard, at = turned_up(draw, position)
            position = at.after(draw.choice(position.one), draw.choice(position.two), upcard)
        if position.decided is None:
            return turned_up(draw, position)[1] if draw.random() < turned else position


SOLVED = """([game, position, upcard]) => {
    const text = (found) => Array.isArray(found) ? found.map(text) : `${found.p}/${found.q}`;
    const place = {...fresh(game, position), upcard}, solved = solution(game, position, upcard);
    return {
        sound: solved.sound,
        strict: solved.strict,
        value: text(solved.value),
        mixes: text(solved.mixes),
        costs: position.hands[0].map((_, i) => text(cost(solved, 0, i))),
        document: documentOf(place),
        csv: tableOf(place, solved),
        explained: Boolean(workedSolution(place, solved)),
        steps: worked(place, solved),
    };
}"""


def fractions(numbers):
    return [Fraction(str(number)) for number in numbers]


@pytest.mark.parametrize("game", [*games(FOUR), *games(DECK)], ids=str)
def test_explorer_page_shows_and_copies_the_solutions_of_the_solver(pages, game):
    draw, page = random.Random(3), pages[FOUR if game.n == 4 else DECK]
    for _ in range(8):
        position = at_random(draw, game, turned=1)
        given = f"[{game_of(game.rules)}, {json.dumps(as_in_page(position))}, {json.dumps(position.upcard)}]"
        found, solved = page.evaluate(f"({SOLVED})({given})"), gx.solve(position)
        assert found["sound"], position
        assert Fraction(found["value"]) == Fraction(str(solved.value)), position
        row, column = (list(map(Fraction, mix)) for mix in found["mixes"])
        if found["strict"]:
            assert row == fractions(solved.row.values())
            assert column == fractions(solved.column.values())
        document = found["document"]
        assert gx.Position(**document | {"rules": gx.Rules(**document["rules"])}) == position
        lines = list(csv.DictReader(found["csv"].splitlines()))
        bids = [*product(["one"], position.one), *product(["two"], position.two)]
        assert [(line["player"], int(line["bid"])) for line in lines] == bids
        chances = [float(line["probability"]) for line in lines]
        assert chances == pytest.approx([*map(float, row), *map(float, column)])
        if solved.column.unique:
            costs = [solved.value - gain for gain in gx.bid_gains(position).values()]
            assert list(map(Fraction, found["costs"])) == fractions(costs), position
        if position.size <= 3:
            assert found["explained"], position
            check_steps(position, found["steps"])


def check_steps(position, steps):
    """Each formula holds; where there is a saddle point, or one solution without dominance, it is that of gx.explain."""
    explanation = gx.explain(position)
    lines = [step["formula"] for step in steps if "formula" in step][1:]
    check(lines, explanation.solution.value)
    is_reduced = any("dominated" in str(step) for step in explanation.steps)
    if explanation.solution.unique and not is_reduced:
        assert lines == [step.strip() for step in explanation.steps if str(step)[:1] == " "]


def test_explorer_page_notices_a_wrong_basis(page):
    sound = page.evaluate(f"""() => {{
        const game = structuredClone({game_of(PLAIN)});
        game.slabs["1 2 3 4|0,0"].bases[0].fill(1);
        game.openings = {{}};
        return solve(game, start(game.rules), 4).sound;
    }}""")
    assert sound is False


PLACES = """(links) => links.map((link) => {
    try {
        const {game, position, upcard, score} = placeNamed(link);
        return {rules: slug(game.rules), position, upcard, score, name: nameOf(game.rules, position, upcard)};
    } catch ({message}) {
        return message;
    }
})"""


@pytest.mark.parametrize("game", [FOUR, DECK], ids=str)
def test_explorer_page_opens_positions_by_their_names(pages, game):
    draw = random.Random(30)
    positions = [at_random(draw, each) for each in games(game) for _ in range(9)]
    found = pages[game].evaluate(PLACES, list(map(str, positions)))
    for position, place in zip(positions, found, strict=True):
        assert place["rules"] == slug(position.rules), place
        assert place["position"] == json.loads(json.dumps(as_in_page(position)))
        assert place["score"] == [max(position.margin, 0), max(-position.margin, 0)]
        if position.upcard is not None:
            assert (place["upcard"], place["name"]) == (position.upcard, str(position))


def test_explorer_page_refuses_the_position_names_that_the_parser_refuses(page):
    draw, wrong = random.Random(31), {}
    while len(wrong) < 200:
        text = list(str(at_random(draw, draw.choice(games(FOUR)))))
        at, way = draw.randrange(len(text)), draw.randrange(3)
        text[at : at + (way != 1)] = [draw.choice("0123456789._@wmcphadf-xé:")] * (way > 0)
        try:
            gx.Position.parse("".join(text))
        except ValueError as error:
            wrong["".join(text)] = str(error)
    for (name, said), found in zip(wrong.items(), page.evaluate(PLACES, list(wrong)), strict=True):
        assert isinstance(found, str), name
        place = said.partition(" at character ")[2].partition(",")[0]
        if place and name.isascii() and not name[0].isalpha():
            assert f"at character {place}," in found, (name, said)


def written(**fields):
    """A call that reads the editor's fields, filled in."""
    whole = "1 2 3 4"
    texts = {"rules": "1", "one": whole, "two": whole, "prizes": whole, "upcard": "", "margin": "0"}
    elements = {name: {"value": text} for name, text in (texts | {"pot": "0"} | fields).items()}
    return f"addressWritten({{elements: {json.dumps(elements)}}})"


def named(link):
    return f"placeNamed({json.dumps(link)})"


def read(text):
    return f"(newMatch(fresh({game_of(PLAIN)})), addressOfTranscript({json.dumps(text)}))"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (named("2.6_1.3_2.3"), "holds the game of 4 cards alone"),
        (named("2_1_f3.2.4"), "no game for points, ties discarded, prizes 3, 2, 4"),
        (named("win-discard-sideways"), "no game win-discard-sideways"),
        (named("2.4_1.3_3.4/3:2-1,x"), "round 2 must be a prize and bids that are left"),
        (named("2.4_1.3_3.4///"), "expected a position, rounds and an upcard"),
        (named("2.4_1.3_3.1234567890"), "a number must have at most 9 digits here"),
        (written(one="2 x"), "Player one holds: expected cards as 2 4 13 or 2 4 K, got x"),
        (written(two="1 2"), "both hands and the prizes must be of one size, got 4, 2, 4 cards"),
        (written(two="1 1 2 3"), "the cards of player two must be distinct, got 1 twice"),
        (written(pot="2"), "the pot must be 0 where ties are discarded, got 2"),
        (written(rules="0", prizes="1 2 3 5"), "the last prizes of this order are 3, 1, 4, 2"),
        (read("4 3"), "Line 1: expected a prize and two bids, got 4 3"),
    ],
)
def test_explorer_page_says_why_a_position_is_refused(page, call, words):
    said = f"() => {{ try {{ return String({call}); }} catch ({{message}}) {{ return message; }} }}"
    assert words in page.evaluate(said)


@pytest.mark.parametrize("game", [FOUR, DECK], ids=str)
def test_explorer_page_opponents_bid_as_their_policies(pages, game):
    hands = [hand for size in range(1, game.n + 1) for hand in combinations(game.hand, size)]
    seen = [(hand, upcard) for hand in hands for upcard in sorted(set(game.deck))]
    for name in ("matching", "upcard+1", "upcard+2", "upcard+3", "highest", "lowest"):
        policy = gx.players.policy(name, game)
        bids = pages[game].evaluate(
            "([name, seen]) => seen.map(([hand, upcard]) => OPPONENTS[name].bid({hand, upcard}))",
            [name, seen],
        )
        for (hand, upcard), bid in zip(seen, bids, strict=True):
            position = gx.Position(hand, hand, [upcard] * len(hand), upcard)
            view = gx.players.View(game.n, position, deck=game.deck)
            assert bid == policy.card(view), (name, hand, upcard)


def test_explorer_page_never_shows_a_nonzero_number_as_zero(page):
    numbers = [0, -1, 0.25, -1.5, 0.004, -0.004, 0.996, 1e-9, -1e-9]
    shown = page.evaluate("(numbers) => numbers.map((number) => decimal(number))", numbers)
    assert shown == ["0", "−1", "0.25", "−1.50", "<0.01", ">−0.01", "1.00", "<0.01", ">−0.01"]


HELD = [
    gx.Game(7),
    gx.Game(7, gx.Rules("points", "carryover", "hidden")),
    gx.Game(7, gx.Rules("win", "carryover"), (0, 0, 1, 4, 4, 4, 9)),
]
BOUNDED = """([position, upcard]) => {
    const {value, sound, gap, matrix} = solution(DATA.games[0], position, upcard);
    return [value.middle, value.radius, sound, gap, Math.max(...matrix.flat().map((x) => x.radius))];
}"""


@pytest.mark.parametrize("game", HELD, ids=str)
def test_values_of_an_explorer_page_in_floats_agree_with_the_solver(browser, tmp_path, game):
    (file := tmp_path / "page.html").write_text(gx.explore(game).html, encoding="utf-8")
    draw = random.Random(9)
    with watched(browser, file.as_uri()) as (page, _):
        positions = [at_random(draw, game, turned=1) for _ in range(8)]
        for at in (turned_up(draw, game.start)[1], *positions):
            value, radius, sound, gap, widest = page.evaluate(BOUNDED, [as_in_page(at), at.upcard])
            least, most = gx.solve(at, "float" if at.size > 5 else "ball").value.bounds()
            assert sound and radius < 1e-5 and gap < 2e-5 and widest < 1e-5
            assert Fraction(value) - Fraction(radius) <= Fraction(str(most))
            assert Fraction(value) + Fraction(radius) >= Fraction(str(least))
