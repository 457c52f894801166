"""Laws of the game, each with the reduction switched off that would make it true by construction."""

import pytest
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from recursions import EVERY_RULE
from strategies import positions, standings

from gops_exact.game.game import Node, turns
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import PLAIN, State
from gops_exact.matrix_game.simplex import solve_tableau
from gops_exact.numbers.exact import to_pair
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
    return fmpq(*arithmetic.slab(types[-1], games, values).values[0])


@pytest.mark.parametrize("rules", EVERY_RULE, ids=str)
@given(data=st.data())
@settings(max_examples=10)
def test_swapping_the_players_changes_the_sign(rules, data):
    one, two, prizes = data.draw(positions())
    margin, pot = data.draw(standings(rules.objective, rules.ties))
    assume(rules.decided(prizes, State(margin, pot)) is None)
    forward = position_value(one, two, prizes, rules, margin=margin, pot=pot, **UNREDUCED)
    turned = position_value(two, one, prizes, rules, margin=-margin, pot=pot, **UNREDUCED)
    assert forward == -turned
    assert forward == position_value(one, two, prizes, rules, margin=margin, pot=pot)
    if margin == 0:
        assert position_value(one, one, prizes, rules, pot=pot, **UNREDUCED) == 0


@given(positions(max_size=4), st.sampled_from(["canonical", "symmetry", "merge", "guided"]))
@settings(max_examples=60)
def test_each_reduction_leaves_the_value_alone(position, switched_off):
    assert position_value(*position) == position_value(*position, **{switched_off: False})
