"""Solvers by their public face: what is begun, what is refused, what needs no computation, what is printed."""

from unittest.mock import Mock

import pytest

import gops_exact as gx

LARGE = range(1, 9), range(2, 10), range(1, 9)

pytestmark = pytest.mark.usefixtures("own_store")


begin = Mock(side_effect=InterruptedError)
"""A progress that ends what is begun."""


@pytest.mark.parametrize("call", [gx.value, gx.solve, gx.payoff_matrix, gx.bid_gains])
def test_value_solve_payoff_matrix_and_bid_gains_refuse_eight_cards_a_side_unless_forced(call):
    large, smaller = gx.Position(*LARGE), gx.Position(*(cards[:7] for cards in LARGE))
    if call is not gx.value:
        large, smaller = large.at(8), smaller.at(7)
    message = "cards a side must be at most 7 .* unless forced .*, got 8"
    with pytest.raises(ValueError, match=message):
        call(large, progress=begin)
    for position, force in ((large, True), (smaller, False)):
        with pytest.raises(InterruptedError):
            call(position, force=force, progress=begin)


def test_decided_and_symmetric_positions_take_no_computation():
    hand = range(1, 7)
    assert gx.value(gx.Position(hand, hand, range(3, 9)), progress=begin) == 0
    with pytest.raises(InterruptedError):
        gx.value(gx.Position(hand, hand, hand, rules=gx.Rules("win"), margin=1), progress=begin)
    assert gx.value(gx.Position.start(12), progress=begin) == 0
    decided = gx.Position(*LARGE, rules=gx.Rules("win"), margin=100)
    assert gx.value(decided, progress=begin) == 1


def test_strategies_that_differ_in_a_claim_of_uniqueness_or_proof_are_not_equal():
    bids = {1: gx.view(1)}
    only = gx.Strategy(bids, unique=True)
    assert only == gx.Strategy(bids, unique=True, method="guided") and only == bids
    for other in (gx.Strategy(bids, unique=False), gx.Strategy(bids, unique=True, proved=False)):
        assert only != other


def test_check_of_a_solution_refuses_other_payoffs():
    position = gx.Position([2, 4, 5], [1, 3, 6], [11, 12, 13], upcard=13)
    solution, payoffs = gx.solve(position), gx.payoff_matrix(position)
    solution.check(payoffs)
    with pytest.raises(gx.CertificateError):
        solution.check(payoffs.to_numpy() + 1)
    with pytest.raises(ValueError, match="only an exact solution can be checked"):
        gx.solve(position, "float").check(payoffs)


def test_solver_used_first_for_unequal_hands_solves_equal_hands_of_fewer_cards():
    solver = gx.solver(store=":memory:")
    solver.solve(gx.Position([1, 2, 4, 9], [4, 6, 7, 8], [1, 2, 3, 4], upcard=1))
    position = gx.Position([1, 3, 7], [1, 3, 7], [1, 2, 3], upcard=2)
    assert solver.solve(position) == gx.solve(position)
