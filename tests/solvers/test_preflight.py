"""The cost of a run, foretold: counts against the real order types, refusals, lengths in order."""

from itertools import pairwise
from math import comb

import pytest

import gops_exact as gx
from gops_exact.game.order_types import LONGEST, order_types
from gops_exact.game.rules import OBJECTIVES
from gops_exact.solvers.arithmetic import Ball, Exact, Float, Residue
from gops_exact.solvers.cost import QUICK, check_cost, estimate_cost


@pytest.mark.parametrize("n", range(1, 9))
def test_counts_are_those_of_the_recursion(n):
    layers = order_types(range(1, n + 1), range(1, n + 1))
    kept = [comb(n, size) * len(layer) for size, layer in enumerate(layers[:-1])]
    estimate = estimate_cost(gx.Game(n), gx.Exact())
    evaluated = n * comb(n // 2 + 1, 2) if n > 1 else 0  # of the last layer, about
    assert estimate.values == sum(kept[:-1]) + evaluated
    assert estimate.games == n + sum(size * count for size, count in enumerate(kept))


def test_a_card_more_costs_more():
    costs = [estimate_cost(gx.Game(n), gx.Exact()) for n in range(4, LONGEST + 1)]
    for fewer, more in pairwise(costs):
        assert more.games > fewer.games
        assert more.memory > fewer.memory
        assert more.digits > fewer.digits
        assert more.seconds >= fewer.seconds


@pytest.mark.parametrize("n", [4, 5, 6])
def test_measured_lengths(n):
    moves = gx.first_move(n, store=":memory:")
    longest = max(column[card].denominator.digits for column in moves.values() for card in column)
    assert abs(estimate_cost(gx.Game(n), gx.Exact()).digits - longest) <= 1


@pytest.mark.parametrize("kind", [Exact(), Ball(), Residue(), Float()])
def test_small_games_and_prizes_one_by_one_are_let_through(kind):
    for n in range(1, QUICK + 1):
        check_cost(gx.Game(n), kind)
    for objective in OBJECTIVES:
        check_cost(gx.Game(4, gx.Rules(objective, prizes=(2, 1, 4, 3))), kind)


def test_prizes_one_by_one_have_the_limit_of_a_named_order():
    swapped = (2, 1, *range(3, 17))
    for prizes in ("ascending", swapped):
        with pytest.raises(ValueError, match=r"n must be at most 15 in ball .*, got 16"):
            check_cost(gx.Game(16, gx.Rules(prizes=prizes)), Ball())


@pytest.mark.parametrize(
    ("n", "games", "others"),
    [
        (8, "about 200 thousand", "arithmetic ball, residue, float would do"),
        (9, "at least 1.2 million", "arithmetic ball, residue, float would do"),
        (13, "at least 1.3 billion", "arithmetic float would do"),
        (28, "at least", "no arithmetic takes less"),
    ],
)
def test_refusal_states_the_estimate_and_names_what_would_do(n, games, others):
    message = (
        rf"at most 7 .* \(--force, force=True\), got {n}: {games}.* games, .* digits .*; {others}$"
    )
    with pytest.raises(ValueError, match=message):
        check_cost(gx.Game(n), Exact())
    check_cost(gx.Game(n), Exact(), force=True)


def test_the_one_first_move_of_eight_cards_that_takes_minutes_is_let_through():
    def begin(*_):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        gx.first_move(8, upcards=[8], store=":memory:", jobs=1, progress=begin)
    with pytest.raises(ValueError, match="n must be at most 7"):
        gx.first_move(8, upcards=[7, 8], store=":memory:", progress=begin)


def test_force_has_an_end():
    with pytest.raises(ValueError, match="n must be at most 28, got 29"):
        check_cost(gx.Game(LONGEST + 1), Exact(), force=True)
