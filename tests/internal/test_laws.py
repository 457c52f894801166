"""Laws of the game, each with the reduction switched off that would make it true by construction."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import positions, standings

from gops_exact.game.game import Node, turns
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import OBJECTIVES, PLAIN, TIES, Rules, State
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.numbers.raw import from_pair, to_pair
from gops_exact.solvers.exact.lattice import Values
from gops_exact.solvers.exact.rational import BALL_BITS, ExactSystem, ball


class BySimplex(ExactSystem):
    """Exact numbers, every game by the simplex on fractions."""

    def solve(self, payoff):
        value, basis = solve_tableau(payoff.rows)
        return ball(to_pair(value), BALL_BITS), basis


UNREDUCED = {"canonical": False, "symmetry": False, "merge": False}


def position_value(
    one, two, prizes, rules=PLAIN, *, margin=0, pot=0, guided=True, merge=True, **reductions
):
    """The value of an undecided position with the reductions chosen; with every bid if none merge."""
    types = order_types(one, two, equal=rules.winning, **reductions)
    if not merge:
        types = tuple(layer.every_bid() for layer in types)
    arithmetic = ExactSystem() if guided else BySimplex()
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
