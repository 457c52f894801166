"""Laws of the game, each with the reduction switched off that would make it true by construction."""

import pytest
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import positions, standings

from gops_exact.game.game import Node, turns
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import OBJECTIVES, PLAIN, TIES, Rules, State
from gops_exact.lattice.exact import BALL_BITS, ExactSystem
from gops_exact.lattice.sweep import Single, Values
from gops_exact.numbers.raw import from_pair

UNREDUCED = {"canonical": False, "symmetry": False, "merge": False}


def types_of(one, two, *, merge=True, **reductions):
    """The order types with the reductions chosen; with every bid unless the bids are to merge."""
    types = order_types(one, two, **reductions)
    return types if merge else tuple(layer.every_bid() for layer in types)


def position_value(one, two, prizes, rules=PLAIN, *, margin=0, pot=0, guided=True, **reductions):
    """The value of an undecided position with the reductions chosen."""
    types = types_of(one, two, equal=rules.winning, **reductions)
    arithmetic = ExactSystem(guided=guided)
    values = Values(types, rules, arithmetic)
    games = turns(rules, Node(rules.arranged(prizes), State(margin, pot)))
    values.sweep(games)
    return from_pair(arithmetic.slab(types[-1], games, values).values[0])


@given(positions())
@settings(max_examples=40)
def test_equal_hands_are_worth_nothing(position):
    one, _, prizes = position
    assert position_value(one, one, prizes, **UNREDUCED) == 0


@pytest.mark.parametrize("prizes", ["random", "hidden", "ascending"])
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("objective", OBJECTIVES)
@given(data=st.data())
@settings(max_examples=10)
def test_antisymmetry_with_a_margin_and_a_pot(objective, ties, prizes, data):
    rules = Rules(objective, ties, prizes)
    one, two, deck = data.draw(positions())
    margin, pot = data.draw(standings(objective, ties))
    assume(rules.decided(deck, State(margin, pot)) is None)
    forward = position_value(one, two, deck, rules, margin=margin, pot=pot, **UNREDUCED)
    turned = position_value(two, one, deck, rules, margin=-margin, pot=pot, **UNREDUCED)
    assert forward == -turned
    assert forward == position_value(one, two, deck, rules, margin=margin, pot=pot)


@given(positions(), st.data())
@settings(max_examples=40)
def test_only_the_order_of_the_cards_counts(position, data):
    one, two, prizes = position
    cards = sorted({*one, *two})
    higher = data.draw(
        st.lists(st.integers(1, 20), min_size=len(cards), max_size=len(cards), unique=True)
    )
    relabel = dict(zip(cards, sorted(higher), strict=True))
    assert position_value(one, two, prizes, **UNREDUCED) == position_value(
        [relabel[card] for card in one], [relabel[card] for card in two], prizes, **UNREDUCED
    )


@given(positions(max_size=4), st.sampled_from(["canonical", "symmetry", "merge", "guided"]))
@settings(max_examples=60)
def test_each_reduction_leaves_the_value_alone(position, switched_off):
    assert position_value(*position) == position_value(*position, **{switched_off: False})


def test_all_reductions_off_agree_on_a_whole_game():
    deck = (1, 2, 3, 4)
    reduced, plain = types_of(deck, deck), types_of(deck, deck, **UNREDUCED)
    memo = Values(reduced, PLAIN, ExactSystem())
    plain_memo = Values(plain, PLAIN, ExactSystem(guided=False))
    for values in (memo, plain_memo):
        values.sweep(turns(PLAIN, Node(deck)))
    compared = 0
    for node, slab in plain_memo.items():
        size = len(node.prizes)
        layer, small = plain[size], reduced[size]
        values = dict(
            zip(small.words(), (from_pair(pair) for pair in memo[node].values), strict=True)
        )
        mirrored = str.maketrans("VY", "YV")
        for word, pair in zip(layer.words(), slab.values, strict=True):
            compared += 1
            expected = values.get(word)
            if expected is None:
                expected = -values.get(word.translate(mirrored), fmpq(0))
            assert from_pair(pair) == expected, (node, word)
    assert compared == 4 * 16 + 6 * 36 + 4 * 16


@pytest.mark.parametrize("n", [3, 5])
def test_openings_by_the_simplex_alone(n):
    deck = tuple(range(1, n + 1))
    types = order_types(deck, deck)
    for turn in turns(PLAIN, Node(deck)):
        found = []
        for arithmetic in (ExactSystem(), ExactSystem(guided=False)):
            values = Values(types, PLAIN, arithmetic)
            values.sweep([turn])
            found.append(arithmetic.play(types[-1], turn, values))
        guided, plain = found
        assert plain.method == "simplex"
        assert guided.row_unique == plain.row_unique
        if plain.row_unique:
            assert guided.row == plain.row


def test_a_preview_is_the_slab():
    deck = (1, 2, 3, 4, 5)
    types = order_types(deck, deck)
    arithmetic = ExactSystem()
    memo = Values(types, PLAIN, arithmetic)
    memo.sweep(turns(PLAIN, Node(deck)))
    for prizes in [(1, 2, 3, 4), (2, 3, 4, 5)]:
        node, games = Node(prizes), turns(PLAIN, Node(prizes))
        slab = arithmetic.slab(types[4], games, memo)
        preview = arithmetic.preview(types[4], games, memo, node)
        singles = [Single(node, h) for h in range(len(slab))]
        assert not any(single in memo for single in singles)
        for h, pair in enumerate(slab.values):
            ball, exact = preview.balls[h], from_pair(pair)
            assert abs(ball.mid().fmpq() - exact) <= ball.rad().fmpq()
            assert ball.rel_accuracy_bits() > BALL_BITS - 20
            assert from_pair(preview.evaluate(h)) == exact
        assert all(single in memo for single in singles)
