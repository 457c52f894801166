"""Policies measured by dynamic programming, against arithmetic, papers, simulation and each other."""

from functools import partial
from itertools import permutations, product
from math import factorial
from random import Random
from statistics import fmean, stdev

import pytest
from flint import fmpq

import gops_exact as gx
from gops_exact.game.game import Position
from gops_exact.game.rules import Rules
from gops_exact.players import (
    Behavioural,
    BestReply,
    Optimal,
    Pure,
    View,
    best_response,
    expectation,
    expected,
    losses,
    match,
    points,
    rounds,
)
from gops_exact.players.simple import Extreme, Published, Uniform, UpcardPlus

DETERMINISTIC = [*map(UpcardPlus, range(4)), Extreme("highest"), Extreme("lowest")]


def every_rule(*prizes):
    """The rule sets with these orders of the prizes."""
    kinds = [(o, t, p) for o in ("points", "win") for t in ("discard", "carryover") for p in prizes]
    return pytest.mark.parametrize("rules", [Rules(*kind) for kind in kinds], ids=str)


def test_matching_against_the_random_player():
    # Ross 1971: (n² − 1)/6 points.
    found = expected("matching", "random", gx.Game(8))
    assert found.difference == fmpq(8**2 - 1, 6)
    assert found.states == 2**8
    assert found.one == fmpq(sum(p * (p - 1) for p in range(1, 9)), 8)


@pytest.mark.parametrize(
    "other", [UpcardPlus(0), UpcardPlus(2), Extreme("lowest"), Published(5)], ids=repr
)
def test_the_random_hand_may_be_left_out(other):
    class Seen(Uniform):
        blind = False

    short, whole = (expected(other, each, gx.Game(5)) for each in (Uniform(), Seen()))
    assert (short.one, short.two) == (whole.one, whole.two)
    other.blind = False
    seen = expected(other, Uniform(), gx.Game(5))
    assert (short.one, short.two) == (seen.one, seen.two)
    assert short.states < seen.states


@pytest.mark.parametrize("rules", [Rules(), Rules("win"), Rules("points", "carryover")])
@pytest.mark.parametrize("deck", [(1, 2, 3, 4), (0, 1, 2, 3), (0, 2, 2, 7)], ids=str)
def test_policies_by_brute_force(rules, deck):
    # Pure policies, every order of the prizes played out.
    game, rngs = gx.Game(4, rules, deck), (Random(1), Random(1))
    for one in DETERMINISTIC:
        for two in DETERMINISTIC:
            found = expected(one, two, game)
            games = [
                points(tuple(rounds(one, two, game, order, rngs))) for order in permutations(deck)
            ]
            if rules.winning:
                games = [(int(a > b), int(b > a)) for a, b in games]
            sums = [fmpq(sum(side), factorial(4)) for side in zip(*games, strict=True)]
            assert [found.one, found.two] == sums


class Sticking(Behavioural):
    """Bids low after a lost round, else high or low: it recalls the last round."""

    def bids(self, view):
        lost = bool(view.rounds) and view.rounds[-1].bid < view.rounds[-1].reply
        low, high = view.hand[0], view.hand[-1]
        return {low: 1} if lost or low == high else {low: fmpq(1, 3), high: fmpq(2, 3)}

    def recalled(self, rounds):
        return [each.bid < each.reply for each in rounds[-1:]].count(True)


@pytest.mark.parametrize(
    ("n", "one", "two", "rules"),
    [
        (5, "published", "random", Rules()),
        (5, "published", "upcard+1", Rules("points", "carryover")),
        (5, "random", "matching", Rules("win")),
        (5, "random", "lowest", Rules("win", "carryover", "hidden")),
        (4, "optimal", "random", Rules()),
        (5, "highest", "published", Rules("points", "discard", "descending")),
        (5, Sticking(), "highest", Rules()),
    ],
)
def test_measured_is_what_is_played(n, one, two, rules):
    game = gx.Game(n, rules)
    found = expected(one, two, game).difference
    ahead = [a - b for a, b in map(points, match(one, two, game, games=1500))]
    if rules.winning:
        ahead = [(each > 0) - (each < 0) for each in ahead]
    # Four standard errors: one time in 15,000 by chance, and the seed is fixed.
    assert abs(fmean(ahead) - float(found)) < 4 * stdev(ahead) / len(ahead) ** 0.5


@every_rule("random", "hidden", "ascending", "descending")
def test_no_gain_against_the_optimal_policy(rules):
    # Five cards take long where chance decides: there points with ties discarded stand for all rules.
    sizes = (1, 2, 4, 5) if rules == Rules() or rules.fixed else (1, 2, 4)
    for n in sizes:
        assert best_response("optimal", gx.Game(n, rules)).gain == 0


@every_rule("random", "hidden", "ascending", "descending")
def test_the_best_reply_gains_what_the_best_response_does(rules):
    game = gx.Game(4, rules)
    for known in (Uniform(), Extreme("lowest"), Sticking(), Optimal(game)):
        reply = BestReply(known, game)
        gain = best_response(known, game).gain
        assert expected(reply, known, game).difference == gain
        assert expected(known, reply, game).difference == -gain
    assert len(match(reply, "random", game, games=3)) == 3
    with pytest.raises(
        ValueError, match="best reply to optimal' was made for 4 cards.*got 3 cards"
    ):
        match(reply, "random", gx.Game(3, rules))


def test_a_best_reply_needs_a_prize_and_room():
    with pytest.raises(ValueError, match="the upcard must be one of the prizes 1, 2, 3, got None"):
        BestReply("random", gx.Game(3)).bids(View(3, Position.start(3)))
    with pytest.raises(ValueError, match="at most 100 states"):
        BestReply("random", gx.Game(5), states=100).bids(View(5, Position.start(5).at(1)))


def test_equal_losses_are_listed_by_hand_and_prizes():
    _, *found = losses("random", gx.Game(3, Rules(prizes="hidden")))
    pairs = [(2, 3), (1, 3), (1, 2)]
    places = [(loss.position.one, loss.position.prizes) for loss in found]
    assert places == list(product(pairs, pairs))


def test_the_arrays_find_what_the_recursion_finds(monkeypatch):
    class Wavering(Pure):
        """Highest card for an upcard of 1, lowest for the others."""

        blind = True

        def card(self, view):
            return view.hand[-1] if view.upcard == 1 and len(view.hand) > 1 else view.hand[0]

    class Late(Pure):
        """Matches, but for a tie-break that depends on the order, so its hand follows from no set."""

        blind = True

        def card(self, view):
            return view.hand[-1] if view.upcard > view.hand[0] else view.hand[0]

    for deck in ([1], [1, 2], range(1, 6), range(1, 7), range(5), [0, 0, 3, 3, 9]):
        game = gx.Game(len(deck), deck=deck)
        for policy in (*DETERMINISTIC, Wavering(), Late()):
            by_recursion = best_response(policy, game)
            with monkeypatch.context() as patch:
                patch.setattr(expectation, "SMALL", 0)
                assert best_response(policy, game).gain == by_recursion.gain
    assert expectation.gain_in_arrays(Late(), gx.Game(4)) is None
    # 13! times these points is no 64-bit integer: the recursion finds them, as far as states allow.
    with pytest.raises(ValueError, match="at most 9 states"):
        best_response("matching", gx.Game(13, deck=[10**9] * 13), states=9)


def test_the_arithmetic_of_the_supplement():
    # Dror, Kendall & Rapoport, supplement, strategy 0203, sections A to D: points at N = 13.
    found = expected("matching", "upcard+2", gx.Game(13))
    assert (found.one, found.two) == (25, 66)
    # One more than the shift is the best that can be done.
    assert best_response("upcard+3", gx.Game(13)).gain == 65 + 2 * 3


def test_what_takes_hours_is_refused_as_soon_as_that_can_be_told(monkeypatch):
    monkeypatch.setattr(expectation, "PAIRS_SEEN", 50_000)
    told = []
    message = "a game of 12 cards .* at most 30 min to be measured unless forced \\(states\\), got about .* h"
    with pytest.raises(ValueError, match=message):
        best_response("random", gx.Game(12), progress=lambda *done: told.append(done))
    assert max(done for done, _ in told) < 0.1 * told[0][1]


@pytest.mark.parametrize(
    ("measure", "game", "message"),
    [
        (partial(expected, "published", "random", states=100), gx.Game(6), "at most 100 states"),
        (partial(best_response, "matching"), gx.Game(14), "at most 3,000,000 states"),
        (
            partial(best_response, "matching"),
            gx.Game(22, Rules(prizes="descending")),
            "at most 3,000,000 states",
        ),
        *(
            (measure, gx.Game(28, rules), "a game of 28 cards .* at most 3,000,000 states")
            for measure in (
                partial(expected, "highest", "lowest"),
                partial(best_response, "lowest"),
            )
            for rules in (Rules(), Rules("win", "carryover", "hidden"))
        ),
    ],
)
def test_too_many_states_are_refused_at_once(measure, game, message):
    with pytest.raises(
        ValueError, match=rf"{message} to be measured unless forced \(states\), got"
    ):
        measure(game)


@pytest.mark.parametrize("rules", [Rules(), Rules("win"), Rules("win", "carryover", "hidden")])
@pytest.mark.parametrize("pair", [("highest", "lowest"), ("highest", "highest")])
def test_games_have_half_the_sets_of_prizes_at_least(rules, pair):
    for n in range(1, 8):
        game, least = gx.Game(n, rules), 2 ** (n - 1)
        states = expected(*pair, game, states=10**5).states
        assert states == expected(*pair, game, states=states).states >= least


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover")], ids=str)
def test_losses_in_floats_are_those_in_exact_numbers_rounded(rules):
    game = gx.Game(4, rules)
    exact, floats = (
        losses("matching", game, solver=gx.solver(kind)) for kind in ("exact", "float")
    )
    by_position = {each.position: each for each in floats}
    for each in exact:
        rounded = by_position[each.position]
        assert (rounded.chance, rounded.bids) == (each.chance, each.bids)
        assert abs(float(rounded.total - each.total)) < 1e-8
