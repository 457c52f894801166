"""Policies measured by dynamic programming, against arithmetic, papers, simulation and each other."""

from functools import partial
from itertools import permutations
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
    expected,
    match,
    points,
    rounds,
)
from gops_exact.players.expectation import gain_in_arrays
from gops_exact.players.simple import Extreme, Published, Uniform, UpcardPlus

GAME = gx.Game(5)
DETERMINISTIC = [
    UpcardPlus(0),
    UpcardPlus(1),
    UpcardPlus(2),
    UpcardPlus(3),
    Extreme("highest"),
    Extreme("lowest"),
]

# The supplement of Dror, Kendall & Rapoport, strategy 0203, sections A to D: points at N = 13.
SUPPLEMENT = {(0, 1): (13, 78), (1, 2): (12, 79), (0, 2): (25, 66)}
SUPPLEMENT_AHEAD = {(2, 3): 69, (1, 3): 45, (0, 3): 19}


def test_matching_against_the_random_player_is_worth_28():
    # Ross 1971: (n² − 1)/6 points, 28 at N = 13.
    found = expected(UpcardPlus(0), Uniform(), gx.Game(13))
    assert found.difference == 28
    assert found.states == 2**13
    assert found.one == fmpq(sum(p * (p - 1) for p in range(1, 14)), 13)


def test_the_random_hand_may_be_left_out():
    class Seen(Uniform):
        """The random player, watched: `blind` off makes the measurement keep every hand."""

        blind = False

    for other in (UpcardPlus(0), UpcardPlus(2), Extreme("lowest"), Published(5)):
        short = expected(other, Uniform(), GAME)
        other_seen = expected(_seeing(other), Uniform(), GAME)
        assert (short.one, short.two) == (other_seen.one, other_seen.two)
        assert short.states < other_seen.states


def _seeing(policy):
    """The same policy, said not to be blind."""
    twin = type(policy).__new__(type(policy))
    twin.__dict__.update(policy.__dict__)
    twin.blind = False
    return twin


@pytest.mark.parametrize("shifts", SUPPLEMENT)
def test_the_arithmetic_of_the_supplement(shifts):
    one, two = map(UpcardPlus, shifts)
    found = expected(one, two, gx.Game(13))
    assert (found.one, found.two) == SUPPLEMENT[shifts]


@pytest.mark.parametrize("shifts", SUPPLEMENT_AHEAD)
def test_more_of_it(shifts):
    one, two = map(UpcardPlus, shifts)
    assert expected(two, one, gx.Game(13)).difference == SUPPLEMENT_AHEAD[shifts]


@pytest.mark.parametrize("rules", [Rules(), Rules("win"), Rules("points", "carryover")])
def test_policies_by_brute_force(rules):
    # Pure policies, every order of the prizes played out.
    for one in DETERMINISTIC:
        for two in DETERMINISTIC:
            found = expected(one, two, gx.Game(4, rules))
            games = [_play(one, two, order, rules) for order in permutations(range(1, 5))]
            if rules.winning:
                games = [(int(a > b), int(b > a)) for a, b in games]
            sums = [fmpq(sum(side), factorial(4)) for side in zip(*games, strict=True)]
            assert [found.one, found.two] == sums


def _play(one, two, order, rules):
    game = gx.Game(len(order), rules)
    return points(tuple(rounds(one, two, game, order, (Random(1), Random(1)))))


@pytest.mark.parametrize(
    ("one", "two", "rules"),
    [
        ("published", "random", Rules()),
        ("published", "upcard+1", Rules("points", "carryover")),
        ("random", "matching", Rules("win")),
        ("random", "lowest", Rules("win", "carryover", "hidden")),
        ("optimal", "random", Rules()),
        ("highest", "published", Rules("points", "discard", "descending")),
    ],
)
def test_measured_is_what_is_played(one, two, rules):
    game = gx.Game(5, rules)
    found = expected(one, two, game).difference
    ahead = [a - b for a, b in map(points, match(one, two, game, games=1500))]
    if rules.winning:
        ahead = [(each > 0) - (each < 0) for each in ahead]
    # Four standard errors: one time in 15,000 by chance, and the seed is fixed.
    assert abs(fmean(ahead) - int(found.p) / int(found.q)) < 4 * stdev(ahead) / len(ahead) ** 0.5


@pytest.mark.parametrize("prizes", ["random", "hidden", "ascending", "descending"])
@pytest.mark.parametrize("ties", ["discard", "carryover"])
@pytest.mark.parametrize("objective", ["points", "win"])
def test_no_gain_against_the_optimal_policy(objective, ties, prizes):
    for n in range(1, 6):
        game = gx.Game(n, Rules(objective, ties, prizes))
        assert best_response("optimal", game).gain == 0


class Sticking(Behavioural):
    """Bids low after a lost round, else high or low: it recalls the last round."""

    def bids(self, view):
        lost = bool(view.rounds) and view.rounds[-1].bid < view.rounds[-1].reply
        low, high = view.hand[0], view.hand[-1]
        return {low: 1} if lost or low == high else {low: fmpq(1, 3), high: fmpq(2, 3)}

    def recalled(self, rounds):
        return [each.bid < each.reply for each in rounds[-1:]].count(True)


@pytest.mark.parametrize("prizes", ["random", "hidden", "ascending", "descending"])
@pytest.mark.parametrize("ties", ["discard", "carryover"])
@pytest.mark.parametrize("objective", ["points", "win"])
def test_the_best_reply_gains_what_the_best_response_does(objective, ties, prizes):
    rules = Rules(objective, ties, prizes)
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


def test_a_wrong_probability_is_found_out():
    class Slightly(Optimal):
        """Optimal, but for a billionth of the highest card at the first upcard 1."""

        def bids(self, view):
            bids = dict(super().bids(view))
            if len(view.hand) == 4 and view.upcard == 1:
                played = next(card for card, chance in bids.items() if chance > 0)
                bids[played] -= fmpq(1, 10**9)
                bids[view.hand[-1]] += fmpq(1, 10**9)
            return bids

    assert 0 < best_response(Slightly(gx.Game(4)), gx.Game(4)).gain < fmpq(1, 10**8)


def test_what_policies_lose_to_those_who_know_them():
    for policy in DETERMINISTIC:
        gain = best_response(policy, GAME).gain
        assert gain >= max(expected(other, policy, GAME).difference for other in DETERMINISTIC)
        assert gain > 0


def test_the_best_response_by_brute_force():
    # Against a pure policy and a known order the response is the best of all ways to bid.
    rules = Rules(prizes=(2, 3, 1))
    for policy in (Extreme("highest"), Extreme("lowest"), UpcardPlus(1)):
        best = max(
            sum(p * ((a > b) - (a < b)) for p, a, b in zip((2, 3, 1), bids, replies, strict=True))
            for bids in permutations((1, 2, 3))
            for replies in [_replies(policy, rules)]
        )
        assert best_response(policy, gx.Game(3, rules)).gain == best


def _replies(policy, rules):
    [game] = match(policy, Uniform(), gx.Game(3, rules))
    return [each.bid for each in game]


def test_nobody_can_expect_more_than_the_best_response():
    policies = [*DETERMINISTIC, "random", "published", Optimal(GAME)]
    for policy in policies:
        gain = best_response(policy, GAME).gain
        assert all(expected(other, policy, GAME).difference <= gain for other in policies)


@pytest.mark.parametrize("policy", DETERMINISTIC, ids=lambda each: each.name)
def test_the_arrays_find_what_the_recursion_finds(policy):
    for n in (1, 2, 5, 6):
        assert gain_in_arrays(policy, n) == best_response(policy, gx.Game(n)).gain


def test_a_hand_that_does_not_follow_from_the_prizes():
    class Wavering(Pure):
        """Highest card for an upcard of 1, lowest for the others."""

        def card(self, view):
            return view.hand[-1] if view.upcard == 1 and len(view.hand) > 1 else view.hand[0]

    class Late(Pure):
        """Matches, but for a tie-break that depends on the order."""

        def card(self, view):
            return view.hand[-1] if view.upcard > view.hand[0] else view.hand[0]

    found = gain_in_arrays(Wavering(), 4)
    assert found is None or found == best_response(Wavering(), gx.Game(4)).gain
    assert gain_in_arrays(Late(), 4) is None


@pytest.mark.parametrize("shift", [0, 3])
def test_best_responses_at_thirteen_cards(shift):
    # One more than the shift is the best that can be done: the supplement's arithmetic, and no better.
    assert best_response(UpcardPlus(shift), gx.Game(13)).gain == 65 + 2 * shift


def test_too_many_states():
    with pytest.raises(
        ValueError, match="at most 100 states to be measured unless forced \\(states\\), got more"
    ):
        expected("published", "random", gx.Game(6), states=100)


def test_what_takes_hours_is_refused_as_soon_as_that_can_be_told():
    told = []
    message = "a game of 12 cards .* at most 30 min to be measured unless forced \\(states\\), got about .* h"
    with pytest.raises(ValueError, match=message):
        best_response(Uniform(), gx.Game(12), progress=lambda *done: told.append(done))
    assert max(done for done, _ in told) < 0.1 * told[0][1]


def test_as_many_states_as_a_free_player_has_are_refused_at_once():
    for game in (gx.Game(14), gx.Game(22, Rules(prizes="descending"))):
        with pytest.raises(ValueError, match="at most 3,000,000 states to be measured unless"):
            best_response("matching", game)
    # No more are counted than there are.
    for game in (gx.Game(6), gx.Game(9, Rules(prizes="descending"))):
        found = best_response("matching", game)
        assert best_response("matching", game, states=found.states) == found


def test_progress_ends_full():
    for measure in (partial(expected, Uniform()), best_response):
        told = []
        measure(UpcardPlus(1), gx.Game(6), progress=lambda *done: told.append(done))  # noqa: B023  # called now
        done, totals = zip(*told, strict=True)
        assert list(done) == sorted(set(done))
        assert done[-1] == totals[0]
        assert len(done) > 10


@pytest.mark.parametrize("rules", [Rules(), Rules("win", "carryover", "hidden")])
def test_too_many_sets_of_prizes_are_refused_at_once(rules):
    for measure in (partial(expected, Extreme("highest")), best_response):
        with pytest.raises(ValueError, match="a game of 28 cards .* at most 3,000,000 states"):
            measure(Extreme("lowest"), gx.Game(28, rules))


@pytest.mark.parametrize("rules", [Rules(), Rules("win"), Rules("win", "carryover", "hidden")])
@pytest.mark.parametrize(
    "pair", [(Extreme("highest"), Extreme("lowest")), (Extreme("highest"), Extreme("highest"))]
)
def test_games_have_half_the_sets_of_prizes_at_least(rules, pair):
    for n in range(1, 9):
        game, least = gx.Game(n, rules), 2 ** (n - 1)
        states = expected(*pair, game, states=10**5).states
        assert states == expected(*pair, game, states=states).states >= least
