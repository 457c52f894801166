"""What Ross (1970) proves and counts, each side of every equation computed by its own means."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import fraction, sign, without
from strategies import positions

import gops_exact as gx
from gops_exact import literature


def deck(n):
    return tuple(range(1, n + 1))


def against_random(position, choose, of_margin=int, *, hidden=False):
    """What player one expects of the final margin against random play.

    `choose` gets the expectation of every bid and the place of the upcard among the prizes; None if it is hidden.
    """

    @cache
    def value(one, two, prizes, margin):
        if not prizes:
            return Fraction(of_margin(margin))
        answers = [
            [
                sum(
                    value(
                        without(one, i),
                        without(two, j),
                        without(prizes, p),
                        margin + prize * sign(bid - reply),
                    )
                    for j, reply in enumerate(two)
                )
                / len(two)
                for i, bid in enumerate(one)
            ]
            for p, prize in enumerate(prizes)
        ]
        if hidden:
            return choose([sum(bids) / len(prizes) for bids in zip(*answers, strict=True)], None)
        return sum(choose(bids, p) for p, bids in enumerate(answers)) / len(prizes)

    return value(*position, 0)


def best(answers, _place):
    return max(answers)


def worst(answers, _place):
    return min(answers)


def matching(answers, place):
    return answers[place]


@given(positions(max_size=4))
@settings(max_examples=20)
def test_matching_is_best_against_a_random_player(position):
    value = fraction(literature.matching_value(*position))
    assert value == against_random(position, best) == against_random(position, matching)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_matching_gains_so_much_with_a_deck(n):
    value = fraction(literature.matching_value_of_deck(n))
    assert value == Fraction(n * n - 1, 6) == against_random(3 * [deck(n)], best)


@given(positions(max_size=5))
@settings(max_examples=20)
def test_how_much_matching_gains(position):
    one, two, prizes = position
    pairings = Counter(
        sum(p * sign(v - y) for p, v, y in zip(prizes, one, order, strict=True))
        for order in permutations(two)
    )
    found = literature.matching_distribution(*position)
    assert [(gain, fraction(chance)) for gain, chance in found.items()] == [
        (gain, Fraction(ways, pairings.total())) for gain, ways in sorted(pairings.items())
    ]


def matched(position, more_than):
    """The chance that matching gains more than that."""
    gains = literature.matching_distribution(*position)
    return sum((fraction(p) for gain, p in gains.items() if gain > more_than), Fraction(0))


@given(st.one_of(positions(max_size=4), positions(4, 20, disjoint=True)), st.data())
@settings(max_examples=40)
def test_the_greatest_chance_is_that_of_matching_if_no_bids_tie(position, data):
    more_than = data.draw(st.integers(-sum(position[2]) - 1, sum(position[2])))
    greatest = fraction(literature.greatest_chance(*position, more_than))
    assert greatest == against_random(position, best, lambda margin: margin > more_than)
    if not {*position[0]} & {*position[1]}:
        assert greatest == matched(position, more_than)


def test_matching_does_not_exceed_any_gain_with_the_greatest_chance_if_bids_may_tie():
    """Corollary 1 (i) fails for three cards, at one threshold, and for none of one or two."""
    better = {}
    for n in (1, 2, 3):
        for more_than in range(-sum(deck(n)) - 1, sum(deck(n)) + 1):
            mine = matched(3 * [deck(n)], more_than)
            greatest = fraction(literature.greatest_chance(*3 * [deck(n)], more_than))
            if greatest != mine:
                better[n, more_than] = mine, greatest
    assert better == {(3, 1): (Fraction(1, 3), Fraction(4, 9))}


@pytest.mark.parametrize(("objective", "of_margin"), [("points", int), ("win", sign)])
@given(position=positions(max_size=4))
@settings(max_examples=20)
def test_random_play_is_optimal_for_hidden_prizes(objective, of_margin, position):
    """No opponent can change how the final margin is distributed: the best and the worst get the same."""
    rules = gx.Rules(objective, prizes="hidden")
    value = fraction(gx.value(gx.Position(*position, rules=rules), store=":memory:"))
    for choose in (best, worst):
        assert value == against_random(position, choose, of_margin, hidden=True)
    assert value == fraction(literature.hidden_value(*position)) or objective == "win"


def plans(one, two, prizes, upcard, *, known=False):
    """Every pure strategy of player one from an upcard on, as (bid, answer to each reply).

    An answer to a reply is a plan for each upcard that may follow: for all, or for the next if the order is known.
    """
    left = without(prizes, prizes.index(upcard))
    following = left[:1] if known else left
    for i, bid in enumerate(one):
        answers = (
            product(
                *(
                    [*plans(without(one, i), without(two, j), left, p, known=known)]
                    for p in following
                )
            )
            for j in range(len(two))
        )
        yield from ((bid, choice) for choice in product(*answers))


@pytest.mark.parametrize("n", [1, 2, 4])
def test_subgames(n):
    for size in deck(n):
        sets = [*combinations(deck(n), size)]
        # What is left of prizes in a known order is a tail of it.
        assert literature.subgames(n, fixed_order=True)[size] == len([*product(sets, sets)])
        assert literature.subgames(n)[size] == len([*product(sets, sets, sets, deck(size))])


def test_pure_strategies_listed_one_by_one():
    """As many as counted; the report prints too few from 3 cards on, and 4 in a known order.

    For four cards, it says, there are more than 8.4 billion.
    """
    for known, most in ((False, 3), (True, 4)):
        for n in deck(most):
            counts = {
                sum(1 for _ in plans(*3 * [deck(n)], upcard, known=known)) for upcard in deck(n)
            }
            (count,) = counts
            pure = literature.pure_strategies(n, fixed_order=known)
            assert pure == (count if known else count**n)
            printed = literature.printed_strategies(n, fixed_order=known)
            assert (printed == pure) == (n < most)
    assert literature.printed_strategies(3) == 1728
    assert literature.printed_strategies(4) == 4**4 * 1 * 2**6 * 3**12 > 8_400_000_000
    assert literature.printed_strategies(4) != literature.pure_strategies(4)
