"""The protocol: what players see, how chance is drawn, and who stops a cheat."""

import math
import re
from random import Random
from types import SimpleNamespace

import pytest
from flint import fmpq
from hypothesis import example, given
from hypothesis import strategies as st
from program import POLICIES
from recursions import EVERY_RULE

import gops_exact as gx
from gops_exact.players import (
    BidError,
    Memoryless,
    Policy,
    View,
    best_response,
    expected,
    match,
    points,
    policy,
    rounds,
)

FIRST = View(6, gx.Position.start(6).at(1))


class Watcher(Policy):
    """Bids at random and keeps what it saw."""

    def __init__(self):
        self.seen = []

    def bid(self, view, rng):
        self.seen.append(view)
        return rng.choice(view.hand)


class Given(Memoryless):
    name = "given"

    def __init__(self, of_hand):
        self.of_hand = of_hand

    def bids(self, view):
        return self.of_hand(view.hand)


def bits(*batches):
    """A source of given bits, 64 at a time."""
    left = iter(batches)
    return SimpleNamespace(getrandbits=lambda count: next(left) if count == 64 else None)


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
def test_both_policies_in_a_match_see_the_same_game_each_from_its_own_side(rules):
    one, two, deck = Watcher(), Watcher(), {1, 2, 3, 4, 5, 6}
    games = match(one, two, gx.Game(6, rules), games=3, seed="a")
    assert [view.swapped() for view in two.seen] == one.seen
    for index, view in enumerate(one.seen):
        number, turn = divmod(index, 6)
        game = games[number]
        assert (view.length, view.games, view.rounds) == (3, tuple(games[:number]), game[:turn])
        won, lost = points(game[:turn])
        assert view.position.margin == (won - lost if rules.winning else 0)
        pot = sum(deck) - sum(view.prizes) - won - lost
        assert view.position.pot == (pot if rules.carries else 0)
        assert view.upcard == (None if rules.hidden else game[turn].upcard)
        assert {*view.hand} == deck - {each.bid for each in game[:turn]}
        # The order of the deck must not show.
        assert rules.fixed or list(view.prizes) == sorted(view.prizes)


def test_match_is_reproduced_from_its_seed():
    game = gx.Game(13)
    again = match("random", "published", game, games=3, seed=4)
    assert match(policy("random", game), policy("published", game), game, games=3, seed=4) == again
    quiet = match("highest", "highest", game, seed=4)
    assert [each.upcard for each in quiet[0]] == [each.upcard for each in again[0]]


def test_illegal_bids_of_policies_are_refused():
    cheat, even = Given(lambda _hand: {3: fmpq(1)}), policy("random", 3)
    played = rounds(even, cheat, gx.Game(3), (2, 1, 3), (Random(1), Random(2)))
    assert next(played).reply == 3
    for play in (lambda: next(played), lambda: expected(even, cheat, gx.Game(3))):
        with pytest.raises(BidError, match="policy 'given' must bid one of 1, 2, got 3"):
            play()
    for bid in (None, 2.0, True):
        cheat = policy("lowest", 3)
        cheat.card = lambda _view, bid=bid: bid
        with pytest.raises(BidError, match=re.escape(f"must bid one of 1, 2, 3, got {bid!r}")):
            match(cheat, "random", gx.Game(3))


# The first batch does not decide.
@example([1, 2], 2**64 // 3)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any), st.integers(0, 2**64 - 1))
def test_policies_draw_the_card_whose_interval_contains_the_uniform_number(weights, batch):
    shares = {card: fmpq(weight, sum(weights)) for card, weight in enumerate(weights, start=1)}
    drawn = Given(lambda _hand: shares)
    start = fmpq(0)
    for card, share in shares.items():
        low, high = fmpq(batch, 2**64), fmpq(batch + 1, 2**64)
        if share != 0 and start <= low and high <= start + share:
            assert drawn.bid(FIRST, bits(batch)) == card
            return
        start += share
    # The first batch does not decide; all ones after it is just below the upper end.
    after = [drawn.bid(FIRST, bits(batch, later)) for later in (0, 2**64 - 1)]
    assert after[0] != after[1]


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_plays_whole_games(name):
    for objective in ("points", "win"):
        game = gx.Game(3 if name == "optimal" else 13, gx.Rules(objective, "carryover"))
        for one, two in ((name, "random"), (name, name)):
            assert [len(each) for each in match(one, two, game, games=3)] == [game.n] * 3


NO_PROBABILITIES = [
    (lambda hand: dict.fromkeys(hand, 1), "with the sum 1, got 1: 1, 2: 1, 3: 1"),
    (lambda hand: dict.fromkeys(hand, fmpq(1, 10)), "with the sum 1"),
    (lambda hand: dict.fromkeys(hand, 0.3), "must have the sum 1, got {1: 0.3, 2: 0.3, 3: 0.3}"),
    (
        lambda hand: dict.fromkeys(hand, math.nan),
        "a probability must be an exact rational, got nan",
    ),
    *((lambda _, odd=odd: odd, "must .*got") for odd in (None, [1, 2], {(1,): 1}, {1.0: 1})),
]


@pytest.mark.parametrize(("of_hand", "message"), NO_PROBABILITIES)
def test_policies_whose_probabilities_lack_the_sum_1_or_are_no_numbers_are_refused(
    of_hand, message
):
    one, game = Given(of_hand), gx.Game(3)
    for measure in (match, expected, lambda one, _two, game: best_response(one, game)):
        with pytest.raises(BidError, match=f"policy 'given'.* {message}"):
            measure(one, "random", game)


def test_float_probabilities_of_a_policy_are_taken_exactly_but_for_the_greatest():
    low = fmpq(*(0.2023).as_integer_ratio())
    for other in (0.7977, 0.7977001):
        floats = Given(
            lambda hand, p=other: {hand[0]: 0.2023, hand[-1]: p} if len(hand) > 1 else {hand[0]: 1}
        )
        exact = Given(
            lambda hand: {hand[0]: low, hand[-1]: 1 - low} if len(hand) > 1 else {hand[0]: 1}
        )
        assert best_response(floats, 4).gain == best_response(exact, 4).gain
        assert expected(floats, "random", 4) == expected(exact, "random", 4)


UNSEEN = gx.Game(3, gx.Rules(prizes="hidden"))
MEASURED = "a policy that is measured must be a policy that gives its probabilities"
REFUSED = [
    (lambda: best_response("clever", 3), f"a policy must be one of {', '.join(POLICIES)}, got"),
    (lambda: match(None, "random", 3), "a player must be a policy or the name of one, got None"),
    (lambda: policy("published", 4), "there are published tables for 5 to 13 cards, got 4"),
    # A policy's own refusal is not retold.
    (lambda: expected("matching", "random", UNSEEN), "policy 'matching' needs to see the upcard"),
    (lambda: expected(Watcher(), "random", 3), f"{MEASURED}, got <policy Watcher>"),
    (lambda: best_response(None, 3), "a player must be a policy or the name of one, got None"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_matches_and_measurements_refuse_policies_that_are_unknown_or_for_other_games(
    call, message
):
    with pytest.raises(ValueError) as refusal:
        call()
    assert str(refusal.value).startswith(message)
