"""The page of the literature is what its script makes; theorems and counts of papers, each side by its own means."""

from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement

import make_literature
import pure_play
import pytest
import ross
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import fraction, sign, without
from project_paths import DOCS, table
from strategies import positions

import gops_exact as gx


def test_literature_page_is_what_its_script_writes():
    made = make_literature.page()
    assert (DOCS / "literature.md").read_text("utf-8") == made
    lines = [
        line.strip("| \n").split(" | ")
        for line in made.partition("\n##")[0].splitlines()
        if line[:1] == "|"
    ]
    assert len(lines) == len(table(DOCS / "literature.csv")) + 2
    for *_, printed, ours, verdict in lines[2:]:
        if verdict.startswith("agrees") and "more than" not in printed:
            assert printed == ours


def test_page_on_ross_1971_has_the_tables_that_its_script_prints():
    text = (DOCS / "ross.md").read_text("utf-8")
    assert (lines := ross.tables(5))
    assert [line for line in lines if line not in text.splitlines()] == []


def against_random(position, choose, of_margin=int, *, hidden=False):
    """What player one expects of the final margin against random play.

    `choose` gets the expectation of every bid and the place of the upcard among the prizes; None if it is hidden.
    """

    @cache
    def value(one, two, prizes, margin):
        if not prizes:
            return Fraction(of_margin(margin))

        def expected(i, p):
            left, gains = (without(one, i), without(prizes, p)), (sign(one[i] - r) for r in two)
            margins = enumerate(margin + prizes[p] * gain for gain in gains)
            return sum(value(left[0], without(two, j), left[1], m) for j, m in margins) / len(two)

        answers = [[expected(i, p) for i in range(len(one))] for p in range(len(prizes))]
        if hidden:
            return choose([sum(bids) / len(prizes) for bids in zip(*answers, strict=True)], None)
        return sum(choose(bids, p) for p, bids in enumerate(answers)) / len(prizes)

    return value(*position, 0)


def best(answers, _place):
    return max(answers)


@given(st.one_of(positions(max_size=4), positions(4, 20, disjoint=True)), st.data())
@settings(max_examples=40)
def test_bidding_by_the_rank_of_the_prize_is_the_best_reply_to_random_play(position, data):
    """On average always; for the chance to gain more than any number where no bids tie."""
    value = fraction(ross.matching_value(*position))
    assert value == against_random(position, best)
    assert value == against_random(position, lambda answers, place: answers[place])
    more_than = data.draw(st.integers(-sum(position[2]) - 1, sum(position[2])))
    greatest = fraction(ross.greatest_chance(*position, more_than))
    assert greatest == against_random(position, best, lambda margin: margin > more_than)
    if not {*position[0]} & {*position[1]}:
        gains = ross.matching_distribution(*position)
        assert greatest == sum(fraction(p) for gain, p in gains.items() if gain > more_than)


@pytest.mark.parametrize(("objective", "of_margin"), [("points", int), ("win", sign)])
@given(position=positions(max_size=4))
@settings(max_examples=20)
def test_random_play_is_optimal_for_hidden_prizes(objective, of_margin, position):
    """No opponent can change how the final margin is distributed: the best and the worst get the same."""
    rules = gx.Rules(objective, prizes="hidden")
    value = fraction(gx.value(gx.Position(*position, rules=rules), store=":memory:"))
    for choose in (best, lambda answers, _place: min(answers)):
        assert value == against_random(position, choose, of_margin, hidden=True)
    assert value == fraction(ross.hidden_value(*position)) or objective == "win"


@pytest.mark.parametrize(
    ("objective", "n", "most", "with_one"),
    [("points", 3, 5, 34), ("points", 4, 3, 13), ("win", 3, 5, 34), ("win", 4, 2, 7)],
)
def test_pure_equilibria_exist_exactly_where_bidding_by_the_rank_of_the_prize_is_one(
    objective, n, most, with_one
):
    # With four prizes up to 5, 37 of 126 decks have one, for points and to win; that takes 10 s.
    pure = {
        deck: pure_play.pure_security_level(gx.Game(n, gx.Rules(objective), deck)) == 0
        for deck in combinations_with_replacement(range(most + 1), n)
    }
    assert pure == {deck: pure_play.matching_is_optimal(deck) for deck in pure}
    assert sum(pure.values()) == with_one
