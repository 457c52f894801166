"""Pure play: the theorem on decks against a search of all pure play, and rounds with a saddle point."""

from itertools import combinations_with_replacement, product

import pytest
from oracle import position_solution, sign, without

import gops_exact as gx
from gops_exact import literature


@pytest.mark.parametrize(
    ("objective", "n", "most", "with_one"),
    [
        *(("points", 2, 5, 21), ("points", 3, 5, 34), ("points", 4, 3, 13)),
        *(("win", 2, 5, 21), ("win", 3, 5, 34), ("win", 4, 2, 7)),
    ],
)
def test_an_equilibrium_is_pure_exactly_where_matching_is_one(objective, n, most, with_one):
    # With four prizes up to 5, 37 of 126 decks have one, for points and to win; that takes 10 s.
    found = {
        deck: literature.pure_guarantee(gx.Game(n, gx.Rules(objective), deck)) == 0
        for deck in combinations_with_replacement(range(most + 1), n)
    }
    assert found == {deck: literature.matching_is_optimal(deck) for deck in found}
    assert sum(found.values()) == with_one


@pytest.mark.parametrize("order", [(1, 2, 3), (0, 2, 1)], ids=str)
@pytest.mark.parametrize("objective", ["points", "win"])
def test_saddle_points_are_those_of_the_oracle(order, objective):
    counts = [[0, 0] for _ in order]

    def play(one, two, prizes, margin):
        if not prizes:
            return
        standing = margin if objective == "win" else 0
        value, payoffs = position_solution(
            one, two, prizes, prizes[0], objective=objective, order="fixed", margin=standing
        )
        pure = max(map(min, payoffs)) == value == min(map(max, zip(*payoffs, strict=True)))
        counts[len(order) - len(prizes)][not pure] += 1
        for (i, bid), (j, reply) in product(enumerate(one), enumerate(two)):
            gain = prizes[0] * sign(bid - reply)
            play(without(one, i), without(two, j), prizes[1:], margin + gain)

    play((1, 2, 3), (1, 2, 3), order, 0)
    game = gx.Game(3, gx.Rules(objective, prizes=order), sorted(order))
    assert literature.saddle_points(game) == list(map(tuple, counts))


def test_larger_games_and_hidden_prizes_are_refused():
    with pytest.raises(ValueError, match="n must be at most 6, got 7"):
        literature.pure_guarantee(gx.Game(7))
    with pytest.raises(ValueError, match="prizes must not be hidden, got objective points"):
        literature.saddle_points(gx.Game(3, gx.Rules(prizes="hidden")))
