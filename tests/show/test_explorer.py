"""The explorer's page: what it holds, that it loads nothing, and how it behaves in a real browser."""

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from served import OVERFLOWS, watched

import gops_exact as gx
from gops_exact.commands import cli
from gops_exact.game.rules import Rules
from gops_exact.show.explorer import EVERY_RULES, exact_document, explorer_page

PLAIN = "points-discard-random"


def slug(rules):
    """The rules as the page's addresses name them."""
    prizes = rules.prizes if isinstance(rules.prizes, str) else ",".join(map(str, rules.prizes))
    return f"{rules.objective}-{rules.ties}-{prizes}"


def hands_of(word):
    """The hands of an order type, its letters taken as the cards 1, 2, 3, ..."""
    places = list(enumerate(word, start=1))
    return [c for c, letter in places if letter in "VB"], [c for c, at in places if at in "YB"]


def test_values_and_first_moves_are_those_that_the_solver_gives():
    data = exact_document([gx.Game(4)])
    slabs, openings = data["games"][0]["slabs"], data["games"][0]["openings"]
    for upcard, moves in gx.first_move(4).items():
        assert openings[str(upcard)] == list(map(str, moves.values()))
    assert len(slabs) == 15
    for name, slab in slabs.items():
        prizes = [int(prize) for prize in name.partition("|")[0].split()]
        words = data["words"][len(prizes)]
        assert len(words) == len(slab["values"]) == len(slab["bases"])
        for word, found in zip(words, slab["values"], strict=True):
            assert found == str(gx.value(gx.Position(*hands_of(word), prizes)))


def test_the_page_refers_to_nothing_outside():
    page = explorer_page(gx.Game(3))
    assert not re.findall(
        r"https?:|//[a-z]|<link|<img|\bsrc=|@import|url\(|\bfetch\(|\bimport\b", page
    )
    assert "default-src 'none'" in page


@pytest.fixture(scope="module")
def six(tmp_path_factory):
    """The page of six cards, in a file."""
    file = tmp_path_factory.mktemp("six") / "page.html"
    file.write_text(explorer_page(gx.Game(6)), encoding="utf-8")
    return file


def test_a_notebook_shows_the_page_in_a_frame_with_links_of_its_own(browser, tmp_path):
    notebook = tmp_path / "notebook.html"
    shown = gx.explore(3, rules=Rules("win"))._repr_html_()
    notebook.write_text(f"<!doctype html><meta charset=utf-8>{shown}", encoding="utf-8")
    with watched(browser, notebook.as_uri()) as (page, requests):
        inside = page.frames[1]
        inside.click("[data-key='upcard 2']")
        for link in ("1.2.3_1.2.3_1.2.3@2_w", "1.2.3_1.2.3_1.2.3@1"):
            inside.wait_for_selector(".verdict")
            assert inside.evaluate("location.hash") == f"#{link}"
            inside.evaluate("location.hash = '1.2.3_1.2.3_1.2.3@1'")
        inside.click("a >> nth=1")
        inside.wait_for_selector(".hand.one button:enabled")
        assert page.url == notebook.as_uri()
        assert inside.url.startswith("about:srcdoc#play/1.2.3_1.2.3_1.2.3@")
    assert set(requests) == {notebook.as_uri()}


def test_more_cards_are_refused_with_an_estimate(tmp_path, capsys):
    with pytest.raises(ValueError, match="at most 64 megabytes, got 440 of n = 9"):
        explorer_page(gx.Game(9, Rules("win", "carryover")))
    assert cli.main(["explore", "--n", "10", "--out", str(tmp_path / "page.html")]) == 2
    assert "at most 9 for an explorer page, got 10" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("explorer") / "page.html"
    assert cli.main(["explore", "--n", "5", "--only", "--out", str(path)]) == 0
    return path


@pytest.fixture
def page(browser, file):
    """The page of five cards, which loads nothing else."""
    with watched(browser, file.as_uri()) as (page, requests):
        yield page
    assert set(requests) == {file.as_uri()}


def exact(page, expression):
    """The fractions of a JavaScript expression, nested as there."""

    def rational(found):
        return list(map(rational, found)) if isinstance(found, list) else Fraction(found)

    text = "(found) => Array.isArray(found) ? found.map(text) : `${found.p}/${found.q}`"
    return rational(page.evaluate(f"() => {{ const text = {text}; return text({expression}) }}"))


def fractions(strategy):
    return [Fraction(str(probability)) for probability in strategy.values()]


def compare(page, rules, position, upcard):
    """Assert that the page and the solver agree on a position under the rules the page has."""
    number = f"DATA.games.find(({{rules}}) => slug(rules) === {json.dumps(slug(rules))})"
    at = f"solution({number}, {json.dumps(position)}, {json.dumps(upcard)})"
    if not isinstance(rules.prizes, str):
        rules = replace(rules, prizes=position["prizes"])
    state = {name: position[name] for name in ("margin", "pot")}
    whole = gx.Position(*position["hands"], position["prizes"], rules=rules, **state)
    expected = gx.solve(whole.at(upcard))
    assert page.evaluate(f"{at}.sound")
    assert exact(page, f"{at}.value") == Fraction(str(expected.value))
    if page.evaluate(f"{at}.strict"):
        row, column = exact(page, f"{at}.mixes")
        assert expected.unique
        assert (row, column) == (fractions(expected.row), fractions(expected.column))


EVERY_POSITION = """(name) => {
    const game = DATA.games.find(({rules}) => slug(rules) === name);
    const seen = new Map(), sound = [0, 0];
    const visit = (position) => {
        const key = JSON.stringify(position);
        if (seen.has(key) || decided(game.rules, position) !== null) return;
        const prizes = upcards(game.rules, position);
        const shown = isHidden(game.rules) ? [null] : prizes;
        seen.set(key, [position, shown[0]]);
        for (const upcard of shown) sound[Number(solve(game, position, upcard).sound)]++;
        for (const upcard of prizes)
            for (const one of position.hands[0])
                for (const two of position.hands[1]) visit(after(game.rules, position, upcard, [one, two]));
    };
    visit(start(game.rules));
    return [sound, [...seen.values()]];
}"""


def test_it_checks_every_position_it_can_show(page):
    sound, _ = page.evaluate(EVERY_POSITION, PLAIN)
    # Hands and prizes of k cards out of five in every combination, each at k upcards.
    assert sound == [0, sum(c**3 * k for k, c in ((1, 5), (2, 10), (3, 10), (4, 5), (5, 1)))]


GAMES = [*EVERY_RULES, Rules(prizes=(3, 1, 2))]


@pytest.fixture(scope="module")
def every_game(browser, tmp_path_factory):
    """The page of three cards with every set of rules."""
    file = tmp_path_factory.mktemp("rules") / "page.html"
    file.write_text(explorer_page(gx.Game(3, GAMES[0]), GAMES[1:]), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    yield page
    page.close()


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_every_game_goes_by_its_rules(every_game, rules):
    (unsound, sound), positions = every_game.evaluate(EVERY_POSITION, slug(rules))
    assert unsound == 0 and sound >= len(positions)
    for position, upcard in random.Random(3).sample(positions, 8):
        compare(every_game, rules, position, upcard)


def test_a_page_of_a_deck(browser, tmp_path):
    """Rules, names, opponents and the editor take prizes of 0 and prizes that repeat."""
    file, deck, draw = tmp_path / "page.html", (0, 2, 2, 5), random.Random(4)
    words = "--n 4 --deck 0,2,2,5 --prizes 2,0,5,2 --out"
    assert cli.main(["explore", *words.split(), str(file)]) == 0
    with watched(browser, file.as_uri()) as (page, _):
        for rules in (Rules(prizes=(2, 0, 5, 2)), *EVERY_RULES):
            (unsound, sound), positions = page.evaluate(EVERY_POSITION, slug(rules))
            assert unsound == 0 and sound >= len(positions)
            for position, upcard in draw.sample(positions, 2):
                compare(page, rules, position, upcard)
        assert "4; the prizes are 0, 2, 2, 5." in page.locator("footer").text_content()
        page.goto(f"{file.as_uri()}#play/{PLAIN}")
        for name in ("matching", "upcard+2"):
            page.select_option("[data-key=opponent]", name)
            page.click("text=New game")
            for card in "1324":
                page.keyboard.press(card)
            rounds = page.evaluate("match.rounds.map(({upcard, bids}) => [upcard, ...bids])")
            assert sorted(upcard for upcard, *_ in rounds) == list(deck)
            position, policy = gx.Game(4, deck=deck).start, gx.players.policy(name, gx.Game(4))
            for upcard, mine, theirs in rounds:
                view = gx.players.View(4, position.at(upcard).swapped(), deck=deck)
                assert policy.card(view) == theirs
                position = position.at(upcard).after(mine, theirs)
        # Each cost of the review leads to its round, by a name with prizes of 0 in it.
        page.click(".moves a >> nth=1")
        page.wait_for_selector(".verdict")
        page.click("summary >> text=Set up a position")
        for field, text in {"one": "1 2", "two": "3 4", "prizes": "0 2", "upcard": "0"}.items():
            page.fill(f".editor [name={field}]", text)
        page.click("[data-key=show]")
        page.wait_for_url("**#1.2_3.4_0.2@0")
        assert page.locator(".refused, .verdict").inner_text().startswith("Checked here, exactly")
        page.goto(f"{file.as_uri()}#1.2.3.4_1.2.3.4_h0.2.2.5")
        page.click("[data-key='upcard 0']")
        page.wait_for_url("**#1.2.3.4_1.2.3.4_h0.2.2.5//0")
        page.goto(f"{file.as_uri()}#1.2.3.4_1.2.3.4_h0.2.2.5/0:1-2/0")
        assert "The upcard must be one of 2, 2, 5, got 0" in page.locator(".refused").inner_text()


def test_a_page_offers_every_set_of_rules_or_only_those_named(tmp_path):
    def offered(*words):
        file = tmp_path / "page.html"
        assert cli.main(["explore", "--n", "2", *words, "--out", str(file)]) == 0
        data = re.search(
            r'<script id="data"[^>]*>(.*?)</script>', file.read_text("utf-8"), re.DOTALL
        )
        return [Rules(**game["rules"]) for game in json.loads(data[1])["games"]]

    winning = offered("--objective", "win")
    assert winning[0] == Rules("win")
    assert len(winning) == 16 and set(winning) == set(EVERY_RULES)
    assert offered("--objective", "win", "--only") == [Rules("win")]
    assert len(offered("--prizes", "2,1")) == 17


def test_rules_are_chosen_in_the_page(every_game):
    every_game.select_option("select", label="to win, ties carried over, prizes hidden")
    every_game.wait_for_url("**#1.2.3_1.2.3_h1.2.3_w_c")
    assert every_game.locator(".number").inner_text() == "0"
    for mine in ("3", "2", "1"):
        every_game.goto(every_game.url.partition("#")[0] + "#play/points-carryover-descending")
        every_game.wait_for_function("match?.game.rules.prizes === 'descending'")
        every_game.keyboard.press(mine)
    assert every_game.locator(".review").count() == 1


def test_a_wrong_basis_is_noticed(page):
    sound = page.evaluate("""() => {
        const game = DATA.games[0];
        game.slabs["1 2 3 4 5|0,0"].bases[0][8] = 1;
        game.slabs["1 2 3 4 5|0,0"].bases[0][9] = 1;
        game.openings = {};
        return solve(game, start(game.rules), 5).sound;
    }""")
    assert sound is False


def test_long_fractions_are_shown_on_demand(browser, six):
    assert six.stat().st_size < 3_000_000
    page = browser.new_page()
    page.goto(six.as_uri() + f"#{PLAIN}//2")
    page.click("[data-key='spot 1 -1']")
    page.click("text=Work out the exact fraction")
    shown = page.locator(".detail textarea").input_value()
    page.close()
    assert shown == str(gx.first_move(6, upcards=[2])[2][2])


def test_a_game_against_the_optimum_and_its_review(page):
    page.goto(page.url + f"#play/{PLAIN}")
    page.wait_for_function("match !== null")
    for key in "31524":
        page.keyboard.press(key)
    assert page.locator(".moves tbody tr").count() == 5
    moves = page.evaluate("match.moves.map(({upcard, bids}) => [upcard, bids])")
    costs = exact(page, "match.moves.map((move) => move.cost)")
    position = gx.Position.start(5)
    for (upcard, (mine, theirs)), given_away in zip(moves, costs, strict=True):
        position = position.at(upcard)
        solution = gx.solve(position)
        earned = sum(
            probability
            * (upcard * ((mine > card) - (mine < card)) + gx.value(position.after(mine, card)))
            for card, probability in solution.column.items()
        )
        if solution.column.unique:
            assert given_away == Fraction(str(solution.value - earned))
        assert given_away >= 0
        position = position.after(mine, theirs)
    page.click(".moves a >> nth=2")
    page.wait_for_selector(".board tbody tr:nth-child(3):last-child")


def test_a_game_that_is_decided_takes_no_more_bids(every_game):
    every_game.goto(every_game.url.partition("#")[0] + "#play/win-discard-descending")
    every_game.wait_for_function("match?.game.rules.prizes === 'descending'")
    every_game.evaluate("() => { drawn = () => 0; }")  # the optimum bids its lowest cards
    for key in "321":
        every_game.keyboard.press(key)
    assert every_game.evaluate("match.moves.length") == 2
    assert every_game.locator(".review h2").inner_text() == "You win, 3 to 0"
    every_game.reload()


def test_it_draws_from_the_mix(page):
    drawn = page.evaluate("""() => {
        const mix = ["1/2", "0", "1/3", "1/6"].map(rational);
        return Array.from({length: 6000}, () => drawn(mix));
    }""")
    # Six standard deviations of a binomial of 6,000 draws.
    for place, share in enumerate((1 / 2, 0, 1 / 3, 1 / 6)):
        assert abs(drawn.count(place) - 6000 * share) <= 6 * (6000 * share * (1 - share)) ** 0.5


def test_a_small_screen_needs_no_sideways_scrolling(browser, six, every_game):
    page = browser.new_page()
    for address in (six.as_uri(), every_game.url.partition("#")[0]):
        page.goto(address)
        for width in (768, 360):
            page.set_viewport_size({"width": width, "height": 700})
            assert page.evaluate(OVERFLOWS) == [0, 0]
    page.close()


def test_what_is_not_zero_never_looks_like_zero(page):
    numbers = [0, -1, 0.25, -1.5, 0.004, -0.004, 0.996, 1e-9, -1e-9]
    shown = page.evaluate("(numbers) => numbers.map((number) => decimal(number))", numbers)
    assert shown == ["0", "−1", "0.25", "−1.50", "<0.01", ">−0.01", "1.00", "<0.01", ">−0.01"]


def test_a_page_to_stdout_is_utf_8(tmp_path):
    file, words = tmp_path / "page.html", ["explore", "--n", "2", "--only", "--out"]
    assert cli.main([*words, str(file)]) == 0
    done = subprocess.run(
        [sys.executable, "-m", "gops_exact", *words, "/dev/stdout"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert done.stdout == file.read_bytes()


HELD = [
    gx.Game(7),
    gx.Game(7, Rules("win")),
    gx.Game(7, Rules("points", "carryover", "hidden")),
    gx.Game(7, Rules("win", "carryover"), (0, 0, 1, 4, 4, 4, 9)),
]


@pytest.fixture(scope="module")
def held(browser, tmp_path_factory):
    """Pages of seven cards in floats."""
    folder = tmp_path_factory.mktemp("held")
    opened = {}
    for number, game in enumerate(HELD):
        file = folder / f"{number}.html"
        file.write_text(explorer_page(game), encoding="utf-8")
        opened[game] = browser.new_page(viewport={"width": 390, "height": 800})
        opened[game].goto(file.as_uri())
    yield opened
    for page in opened.values():
        page.close()


def play_down(game, draw, rounds):
    """A position that random rounds lead to, and a prize turned up."""
    position, rules = game.start, game.rules
    for _ in range(rounds):
        upcard = draw.choice(position.prizes)
        bids = draw.choice(position.one), draw.choice(position.two)
        at = position if rules.hidden else position.at(upcard)
        position = at.after(*bids, upcard)
    return position if rules.hidden else position.at(draw.choice(position.prizes))


@pytest.mark.parametrize("game", HELD, ids=str)
def test_a_page_in_floats_keeps_its_bounds(held, game):
    draw = random.Random(9)
    for rounds in (0, *[1] * 3, *range(2, 7), *range(2, 7)):
        position = play_down(game, draw, rounds)
        if position.decided is not None:
            continue
        hands = [position.one, position.two]
        given = {"hands": hands, "prizes": position.prizes, **position.state._asdict()}
        found = held[game].evaluate(
            """([position, upcard]) => {
                const {value, sound, gap, matrix} = solution(DATA.games[0], position, upcard);
                return [value.middle, value.radius, sound, gap, matrix.flat().map((x) => x.radius)];
            }""",
            [given, position.upcard],
        )
        value, radius, sound, gap, radii = found
        least, most = gx.solve(position, "float" if rounds < 2 else "ball").value.bounds()
        assert sound and radius < 1e-5 and gap < 2e-5 and max(radii) < 1e-5
        value, radius = (gx.numbers.rational(Fraction(number)) for number in (value, radius))
        assert value - radius <= most and value + radius >= least


def test_a_game_of_seven_cards_is_played_without_a_network(held):
    page = held[HELD[0]]
    page.goto(page.url.partition("#")[0] + f"#play/{PLAIN}")
    page.wait_for_selector(".hand.one button")
    for key in "h3152467":
        page.keyboard.press(key)
    assert page.locator(".moves tbody tr").count() == 7
    assert page.evaluate("match.moves.every(({cost}) => cost.middle >= 0 && cost.radius < 1e-4)")
    assert page.evaluate(OVERFLOWS) == [0, 0]
