"""Matrix games of the literature, and what is known of them."""

from collections import Counter
from fractions import Fraction
from math import comb, sqrt

import flint
import pytest

import gops_exact as gx
from gops_exact import known_games


def test_morra():
    two, three = (gx.optimal_set(known_games.morra(fingers)) for fingers in (2, 3))
    assert two.value == three.value == 0
    assert two.row == (
        (0, Fraction(4, 7), Fraction(3, 7), 0),
        (0, Fraction(3, 5), Fraction(2, 5), 0),
    )
    shares = {2: Fraction(5, 12), 4: Fraction(4, 12), 6: Fraction(3, 12)}
    assert tuple(shares.get(bid, 0) for bid in range(9)) in three.row
    assert [
        label for label, p in zip(known_games.morra(3).rows, three.row[0], strict=True) if p
    ] == [
        "1, says 4",
        "2, says 4",
        "3, says 4",
    ]


@pytest.mark.parametrize(
    "game",
    [
        known_games.morra(4),
        known_games.blotto(5, 3),
        known_games.rock_paper_scissors(7),
        known_games.biased_rock_paper_scissors(),
        known_games.random_antisymmetric(8, seed=5),
        known_games.random_tournament(9, seed=5),
    ],
    ids=lambda game: game.title,
)
def test_antisymmetric_games_are_fair(game):
    assert game.rows == game.columns
    assert all(
        entry == -game.payoff[j][i]
        for i, row in enumerate(game.payoff)
        for j, entry in enumerate(row)
    )
    solved = gx.solve_matrix_game(game)
    solved.check()
    assert solved.value == 0
    assert gx.is_equilibrium(game, solved.symmetric, solved.symmetric)


def test_blotto_counts_the_fields():
    game = known_games.blotto(2, 2)
    assert game.rows == ("0 2", "1 1", "2 0")
    assert game.payoff == [[0, 0, 0]] * 3
    game = known_games.blotto(4, 3)
    assert game.shape == (comb(6, 2), comb(6, 2))
    one, two = game.rows.index("0 1 3"), game.columns.index("0 2 2")
    assert game.payoff[one][two] == 0
    assert game.payoff[game.rows.index("2 2 0")][game.columns.index("1 1 2")] == 1


@pytest.mark.parametrize("count", [1, 3, 5, 11])
def test_all_weapons_are_alike(count):
    solved = gx.solve_matrix_game(known_games.rock_paper_scissors(count))
    assert solved.row == (Fraction(1, count),) * count and solved.unique


def test_the_biased_game():
    solved = gx.solve_matrix_game(known_games.biased_rock_paper_scissors())
    assert solved.row == tuple(Fraction(k, 16) for k in (1, 10, 5)) and solved.unique


@pytest.mark.parametrize("n", [1, 2, 5, 16])
def test_chessboards_are_completely_mixed(n):
    hilbert, pascal = known_games.hilbert(n), known_games.pascal(n)
    places = range(1, n + 1)
    inverse = sum(
        (i + j - 1) * comb(n + i - 1, n - j) * comb(n + j - 1, n - i) * comb(i + j - 2, i - 1) ** 2
        for i in places
        for j in places
    )
    for game, value in ((hilbert, Fraction(1, inverse)), (pascal, Fraction(3, 4**n - 1))):
        solved = gx.solve_matrix_game(game)
        assert solved.completely_mixed and solved.value == value
        matrix = flint.fmpq_mat([[entry.value for entry in row] for row in game.payoff]).inv()
        assert 1 / sum(sum(row) for row in matrix.tolist()) == solved.value.value


@pytest.mark.parametrize("make", [known_games.random_antisymmetric, known_games.random_tournament])
def test_how_many_bids_are_played_in_a_random_game(make):
    # C(n, k) / 2^(n − 1), k odd: each odd number is seen as often as that, within five standard deviations.
    n, games = 5, 600
    found = Counter()
    for seed in range(games):
        solved = gx.solve_matrix_game(make(n, seed=seed))
        assert solved.unique
        found[len(solved.support[0])] += 1
    assert set(found) == {1, 3, 5}
    for size, count in found.items():
        chance = comb(n, size) / 2 ** (n - 1)
        assert abs(count - games * chance) < 5 * sqrt(games * chance * (1 - chance))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: known_games.rock_paper_scissors(4), "weapons must be odd, got 4"),
        (lambda: known_games.morra(0), "fingers must be a positive integer, got 0"),
        (
            lambda: known_games.blotto(100, 9),
            "coins over 9 fields must be at most 10000, got 352025629371",
        ),
        (lambda: known_games.hilbert(10**9), "n must be at most 10000, got 1000000000"),
    ],
)
def test_games_that_are_none_or_too_large(make, message):
    with pytest.raises(ValueError) as refusal:
        make()
    assert message in str(refusal.value)
