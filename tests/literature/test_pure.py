"""Pure play: the theorem on decks against a search of all pure play, and rounds with a saddle point."""

from itertools import combinations_with_replacement

import pytest
from oracle import matrix_value, position_solution

import gops_exact as gx
from gops_exact import literature


@pytest.mark.parametrize("objective", ["points", "win"])
@pytest.mark.parametrize(("n", "most", "with_one"), [(2, 5, 21), (3, 5, 34), (4, 5, 37)])
def test_an_equilibrium_is_pure_exactly_where_matching_is_one(n, most, with_one, objective):
    found = {
        deck: literature.pure_guarantee(gx.Game(n, gx.Rules(objective), deck)) == 0
        for deck in combinations_with_replacement(range(most + 1), n)
    }
    assert found == {deck: literature.matching_is_optimal(deck) for deck in found}
    assert sum(found.values()) == with_one


def test_nothing_is_gained_against_matching_where_it_is_optimal():
    """The prizes are doubled from 1 on, the least that the theorem admits."""
    assert literature.matching_is_optimal((0, 1, 1, 2, 4))
    assert not literature.matching_is_optimal((0, 1, 1, 2, 3))
    assert literature.pure_guarantee(gx.Game(5, deck=(0, 1, 1, 2, 4))) == 0
    assert literature.pure_guarantee(gx.Game(5, deck=(0, 1, 1, 2, 3))) < 0


@pytest.mark.parametrize("order", [(3, 2, 1), (1, 2, 3), (0, 2, 1)], ids=str)
@pytest.mark.parametrize("objective", ["points", "win"])
def test_saddle_points_are_those_of_the_oracle(order, objective):
    counts = {}

    def play(one, two, prizes, margin):
        if not prizes:
            return
        standing = margin if objective == "win" else 0
        _, payoffs = position_solution(
            one, two, prizes, prizes[0], objective=objective, order="fixed", margin=standing
        )
        is_pure = max(map(min, payoffs)) == matrix_value(payoffs)
        is_pure &= min(map(max, zip(*payoffs, strict=True))) == matrix_value(payoffs)
        key = 3 - len(prizes), is_pure
        counts[key] = counts.get(key, 0) + 1
        for bid in one:
            for reply in two:
                hands = [tuple(set(hand) - {card}) for hand, card in ((one, bid), (two, reply))]
                gain = prizes[0] * ((bid > reply) - (bid < reply))
                play(*map(tuple, map(sorted, hands)), prizes[1:], margin + gain)

    play((1, 2, 3), (1, 2, 3), order, 0)
    expected = [(counts.get((depth, True), 0), counts.get((depth, False), 0)) for depth in range(3)]
    game = gx.Game(3, gx.Rules(objective, prizes=order), sorted(order))
    assert literature.saddle_points(game) == expected


def test_larger_games_and_hidden_prizes_are_refused():
    with pytest.raises(ValueError, match="n must be at most 6, got 7"):
        literature.pure_guarantee(gx.Game(7))
    with pytest.raises(ValueError, match="prizes must not be hidden, got objective points"):
        literature.saddle_points(gx.Game(3, gx.Rules(prizes="hidden")))
