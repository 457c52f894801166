"""Games of the literature by name, and what is known of them; of the trees see their own tests."""

from fractions import Fraction
from math import comb

import pytest

import gops_exact as gx
from gops_exact import known_games

ROCK, BIASED = known_games.rock_paper_scissors, known_games.biased_rock_paper_scissors()
PLAYED = [
    (known_games.morra(2), {"1, says 3": 4, "2, says 3": 3}),
    (known_games.morra(2), {"1, says 3": 3, "2, says 3": 2}),
    (known_games.morra(3), {"1, says 4": 5, "2, says 4": 4, "3, says 4": 3}),
    *((ROCK(weapons), dict.fromkeys(ROCK(weapons).rows, 1)) for weapons in (1, 3, 11)),
    (BIASED, dict(zip(BIASED.rows, (1, 10, 5), strict=True))),
]


@pytest.mark.parametrize(("game", "weights"), PLAYED, ids=str)
def test_morra_and_rock_paper_scissors_have_the_known_optimal_strategies(game, weights):
    optimal = gx.optimal_set(game)
    played = [Fraction(weights.get(label, 0), sum(weights.values())) for label in game.rows]
    assert tuple(played) in optimal.row
    assert len(optimal.row) == 1 or "Morra" in game.title
    assert game.rows == game.columns and optimal.value == 0
    assert gx.solve_matrix_game(game).row in optimal.column


def test_blotto_payoff_counts_the_fields_won():
    game = known_games.blotto(4, 3)
    assert game.shape == (comb(6, 2), comb(6, 2))
    for one, two, gain in (("0 1 3", "0 2 2", 0), ("2 2 0", "1 1 2", 1)):
        assert game.payoff[game.rows.index(one)][game.columns.index(two)] == gain


@pytest.mark.parametrize("n", [1, 5, 16])
def test_hilbert_and_pascal_games_are_completely_mixed(n):
    # The sum of the inverse of Hilbert's matrix (Choi 1983) is 1 / value.
    places = range(1, n + 1)
    inverse = sum(
        (i + j - 1) * comb(n + i - 1, n - j) * comb(n + j - 1, n - i) * comb(i + j - 2, i - 1) ** 2
        for i in places
        for j in places
    )
    for game, value in (
        (known_games.hilbert(n), Fraction(1, inverse)),
        (known_games.pascal(n), Fraction(3, 4**n - 1)),
    ):
        solved = gx.solve_matrix_game(game)
        assert all(solved.row) and solved.unique and solved.value == value
