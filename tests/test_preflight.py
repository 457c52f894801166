"""The cost of a run, foretold: counts against the real order types, refusals, lengths in order."""

from itertools import pairwise
from math import comb
from pathlib import Path

import pytest

import gops_exact as gx
from gops_exact.game.order_types import LONGEST, order_types
from gops_exact.solver.cost import QUICK, check_feasible, first_move_estimate


@pytest.mark.parametrize("n", range(1, 9))
def test_counts_are_those_of_the_recursion(n):
    layers = order_types(range(1, n + 1), range(1, n + 1)).layers
    kept = [comb(n, size) * len(layer) for size, layer in enumerate(layers[:-1])]
    estimate = first_move_estimate(n)
    evaluated = n * comb(n // 2 + 1, 2) if n > 1 else 0  # of the last layer, about
    assert estimate.values == sum(kept[:-1]) + evaluated
    assert estimate.games == n + sum(size * count for size, count in enumerate(kept))


def test_a_card_more_costs_more():
    costs = [first_move_estimate(n) for n in range(4, LONGEST + 1)]
    for fewer, more in pairwise(costs):
        assert more.games > fewer.games
        assert more.memory > fewer.memory
        assert more.digits > fewer.digits
        assert more.seconds >= fewer.seconds


@pytest.mark.parametrize("n", [4, 5, 6])
def test_measured_lengths(n):
    moves = gx.first_move(n, store=":memory:")
    longest = max(column[card].denominator.digits for column in moves.values() for card in column)
    assert abs(first_move_estimate(n).digits - longest) <= 1


def test_evaluated_values_of_the_last_layer():
    table = Path(__file__).parent.parent / "results/exact/growth_n7.csv"
    counts = [int(line.split(",")[2]) for line in table.read_text().splitlines()[1:]]
    estimate = first_move_estimate(7).values
    assert abs(estimate - sum(counts[:-1])) <= 0.2 * counts[-2]


@pytest.mark.parametrize("n", range(1, QUICK + 1))
def test_small_games_are_let_through(n):
    check_feasible(n)


@pytest.mark.parametrize(("n", "games"), [(8, "about 200 thousand"), (13, "at least 1.3 billion")])
def test_refusal_states_the_estimate(n, games):
    with pytest.raises(ValueError, match=rf"at most 7 .* got {n}: {games} games, .* digits"):
        check_feasible(n)
    check_feasible(n, force=True)


def test_force_has_an_end():
    with pytest.raises(ValueError, match="n must be at most 28, got 29"):
        check_feasible(LONGEST + 1, force=True)
