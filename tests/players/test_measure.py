"""Policies measured by dynamic programming, against every history played out, arithmetic and papers."""

from functools import partial
from itertools import product

import card_rules
import pytest
from flint import fmpq
from oracle import as_oracle, fraction, position_solution, sign
from program import MAKERS, run
from recursions import RULE_SETS

import gops_exact as gx
from gops_exact.players import (
    Behavioural,
    BestReply,
    Memoryless,
    Optimal,
    Policy,
    View,
    best_response,
    expected,
    losses,
    match,
    points,
    review,
)


class Unmeasurable(Policy):
    """Bids its lowest card, but gives no probabilities."""

    def bid(self, view, rng):  # noqa: ARG002, the signature of the base class
        return min(view.hand)


class Sticking(Behavioural):
    """Bids low after a lost round, else high or low: it recalls the last round."""

    def bids(self, view):
        lost = bool(view.rounds) and view.rounds[-1].bid < view.rounds[-1].reply
        low, high = view.hand[0], view.hand[-1]
        return {low: 1} if lost or low == high else {low: fmpq(1, 3), high: fmpq(2, 3)}

    def recalled(self, rounds):
        return [each.bid < each.reply for each in rounds[-1:]].count(True)


def played_out(one, two, game, count=int):
    """Player one's expectation over all histories; what counts of a gain is the caller's choice.

    If `one` is None player one makes the best of what there is.
    """

    def worth(position, rounds):
        if not position.prizes:
            return fmpq(count(sign(position.margin)) if game.rules.winning else 0)
        total = fmpq(0)
        for times, turned in position.with_upcards():
            seen = View(game.n, turned, rounds, deck=game.own_deck)
            bids = dict.fromkeys(turned.one, 1) if one is None else one.bids(seen)
            replies = two.bids(seen.swapped())
            gains = [p * after(turned, rounds, bid, replies) for bid, p in bids.items()]
            total += times * (max(gains) if one is None else sum(gains))
        return total / sum(times for times, _ in position.with_upcards())

    def after(turned, rounds, bid, replies):
        prizes = turned.prizes if turned.upcard is None else [turned.upcard]
        total = fmpq(0)
        for (reply, q), prize in product(replies.items(), prizes):
            over = gx.players.Round(prize, prize + turned.pot, bid, reply)
            gain = 0 if game.rules.winning else over.stake * sign(bid - reply)
            left = turned.after(bid, reply, prize)
            total += q * (count(gain) + worth(left, (*rounds, over))) / len(prizes)
        return total

    return worth(game.start, ())


@pytest.mark.parametrize("deck", [(1, 2, 3, 4), (0, 2, 2)], ids=str)
@pytest.mark.parametrize(
    ("one", "two", "rules"),
    [
        ("upcard+1", "matching", gx.Rules()),
        ("highest", "upcard+3", gx.Rules("points", "carryover")),
        ("random", "matching", gx.Rules()),
        ("semi-deterministic", "highest", gx.Rules()),
        ("random", "lowest", gx.Rules("win", "carryover", "hidden")),
        ("optimal", "random", gx.Rules("win", prizes="ascending")),
        (Sticking(), "random", gx.Rules()),
        ("lowest", Sticking(), gx.Rules("points", "carryover")),
    ],
)
def test_expected_results_of_policies_equal_the_sum_over_all_histories(one, two, rules, deck):
    game = gx.Game(len(deck), rules, deck)
    found = expected(one, two, game)
    one, two = (
        gx.players.policy(each, game) if isinstance(each, str) else each for each in (one, two)
    )
    assert found.one == played_out(one, two, game, lambda gain: max(gain, 0))
    assert found.two == played_out(one, two, game, lambda gain: max(-gain, 0))


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_best_reply_attains_the_greatest_gain(rules):
    for each in "random", "lowest", "optimal", Sticking():
        # From four cards on what is recalled tells states apart, and a known order makes few histories.
        game = gx.Game(4 if rules.fixed else 3, rules)
        known = gx.players.policy(each, game) if isinstance(each, str) else each
        reply = BestReply(known, game)
        gain = best_response(known, game).gain
        assert gain == played_out(None, known, game)
        assert expected(reply, known, game).difference == gain
        assert expected(known, reply, game).difference == -gain
    assert best_response("optimal", gx.Game(4, rules)).gain == 0


def test_expected_points_and_gains_of_policies_equal_those_of_ross_1971_and_dror_et_al():
    # Ross 1971: (n² − 1)/6 points.
    found = expected("matching", "random", gx.Game(8))
    assert found.difference == fmpq(8**2 - 1, 6)
    assert found.states == 2**8
    assert found.one == fmpq(sum(p * (p - 1) for p in range(1, 9)), 8)
    # Dror, Kendall & Rapoport, supplement, strategy 0203, sections A to D: points at N = 13.
    assert points(match("matching", "upcard+2", gx.Game(13))[0]) == (25, 66)
    # One more than the shift is the best that can be done: at N = 13 it gains 65 + 2 × 3.
    assert best_response("upcard+3", gx.Game(8)).gain == 8 * (8 - 3) / 2 + 2 * 3


class ByClass(Memoryless):
    """Draws a card, all equally likely, from the cards of the prize's class that are still held."""

    def __init__(self, text, n):
        self.classes = card_rules.classes(text, n)

    def bids(self, view):
        cards = next(cards for prizes, cards in self.classes if view.upcard in prizes)
        held = [card for card in cards if card in view.hand]
        return dict.fromkeys(held, fmpq(1, len(held)))


@pytest.mark.parametrize(
    ("text", "n"), [("1-2,5:1-3 3:4 4:5", 5), ("ends 1 1", 5), ("random", 4), ("matching", 5)]
)
def test_study_of_card_rules_computes_the_gain_of_the_best_response(text, n):
    gain = best_response(ByClass(text, n), gx.Game(n)).gain
    assert str(card_rules.price(text, n)) == str(gain)


@pytest.mark.parametrize("rules", [gx.Rules(), gx.Rules("win", "carryover")], ids=str)
def test_losses_in_floats_agree_with_exact_losses(rules):
    game = gx.Game(4, rules)
    exact, floats = (
        losses("matching", game, solver=gx.solver(kind)) for kind in ("exact", "float")
    )
    by_position = {each.position: each for each in floats}
    for each in exact:
        rounded = by_position[each.position]
        assert (rounded.chance, rounded.bids) == (each.chance, each.bids)
        assert abs(float(rounded.total - each.total)) < 1e-8


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_costs_of_bids_in_a_review_of_a_match_equal_the_oracles(rules):
    game = gx.Game(3, rules)
    solver = gx.solver("exact", game)
    optimal = Optimal(game, solver)
    for seed in range(3):
        (rounds,) = match("random", optimal, game, seed=seed)
        judged = review(rounds, game, solver)
        assert [each.over for each in judged] == list(rounds)
        for each in judged:
            view, at = each.view, each.view.position
            seen = view.hand, view.opponent, view.prizes, view.upcard
            state = {"margin": at.margin, "pot": at.pot} | as_oracle(view.rules)
            value, matrix = position_solution(*seen, **state)
            bid = matrix[view.hand.index(each.over.bid)]
            replies = solver.solve(at).column.values()
            gain = sum(entry * fraction(q) for entry, q in zip(bid, replies, strict=True))
            assert fraction(each.cost) == value - gain >= 0
        (rounds,) = match(optimal, "random", game, seed=seed)
        assert not any(each.cost for each in review(rounds, game, solver))


@pytest.mark.parametrize("kind", ["exact", "float"])
def test_optimal_policy_gives_a_finished_game_the_value_0_and_refuses_cards_it_lacks(kind):
    rules = gx.Rules(prizes="hidden")
    optimal = Optimal(gx.Game(3, rules), gx.solver(kind, gx.Game(3, rules)))
    assert optimal.value(gx.Position([], [], [], rules=rules)) == 0
    with pytest.raises(ValueError, match="^a bid must be one of 1, 2, 3, got 7$"):
        optimal.gain(gx.Game(3, rules).start, 7)


FORCED = r"to be measured unless forced \(states\)"


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        (lambda: expected("published", "random", 6, states=100), f"at most 100 states.*{FORCED}"),
        (lambda: best_response("matching", 14), f"at most 3,000,000 states.*{FORCED}"),
        (lambda: expected("highest", "lowest", 28), f"a game of 28 cards.*{FORCED}"),
        # 13! times these points is no 64-bit integer, so there are no arrays.
        (lambda: best_response("matching", gx.Game(13, deck=[10**9] * 13), states=9), "at most 9"),
        (lambda: match(BestReply("optimal", 4), "random", 3), "made for 4 cards.*got 3 cards"),
        (lambda: BestReply("random", 5).bids(View(5, gx.Position.start(5))), "1, 2.*, got None"),
    ],
)
def test_measuring_policies_refuses_too_many_states_and_best_replies_in_other_games(
    measure, message
):
    with pytest.raises(ValueError, match=message):
        measure()


@pytest.mark.parametrize("maker", [Unmeasurable, partial(Unmeasurable)], ids=["class", "partial"])
def test_command_measure_leaves_out_policies_without_probabilities_unless_they_are_named(
    maker, monkeypatch
):
    monkeypatch.setitem(MAKERS, "secretive", maker)
    ended = run("measure -n 2")
    assert (ended.status, "secretive" in ended.out, "optimal" in ended.out) == (0, False, True)
    assert run("measure -n 2 --policy secretive").status != 0


@pytest.mark.parametrize(
    "call",
    [
        lambda: gx.players.policy("random", 3, force="no"),
        lambda: gx.Rules().arranged([1, 2], left="no"),
    ],
    ids=["policy", "arranged"],
)
def test_functions_refuse_text_where_a_truth_value_belongs(call):
    with pytest.raises(ValueError, match="(force|left) must be True or False, got 'no'"):
        call()
