"""The package against the oracle."""

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from flint import fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import (
    EVERY_RULE,
    extreme_strategies,
    is_optimal,
    matrix_value,
    position_solution,
    position_value,
)
from oracle import Rules as OracleRules
from strategies import any_matrices, positions, standings

from gops_exact import Position, Rules, optimal_set, payoff_matrix, solve, solve_matrix_game, value
from gops_exact.numbers import BigRational


def fraction(number):
    """The same number for the oracle; any but an exact one would be a fault of the package."""
    number = number.value if isinstance(number, BigRational) else number
    assert isinstance(number, fmpq)
    return Fraction(int(number.p), int(number.q))


def fractions(numbers):
    return tuple(fraction(number) for number in numbers)


# Matrix games


@settings(max_examples=150)
@given(any_matrices())
# The second column cuts a square out of the tetrahedron, the third the square along a diagonal.
@example([[0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1]])
# Rock, paper, scissors with each bid twice: a prism of optima.
@example([[(j - i + 1) % 3 - 1 for j in range(6)] for i in range(6)])
# Rhoads & Bartholdi 2012, §3.1.
@example([[1, -2, 3], [-4, 5, -6], [7, -8, 9]])
def test_matrix_games(rows):
    """One optimum and all of them; ``test_matrix_game.py`` compares the methods with each other."""
    solution, optimal = solve_matrix_game(rows), optimal_set(rows)
    assert fraction(solution.value) == fraction(optimal.value) == matrix_value(rows)
    for side, expected in zip(("row", "column"), extreme_strategies(rows), strict=True):
        listed = [fractions(strategy) for strategy in getattr(optimal, side)]
        assert set(listed) == expected
        assert len(listed) == len(expected)
        assert getattr(solution, f"{side}_unique") == (len(expected) == 1)
    row, column = fractions(solution.row), fractions(solution.column)
    assert is_optimal(rows, matrix_value(rows), row, column)


# Positions


def check_position(one, two, prizes, rules=OracleRules(), **standing):  # noqa: B008  # immutable
    order = prizes if rules.order == "fixed" else rules.order
    start = Position(one, two, prizes, rules=Rules(rules.objective, rules.ties, order), **standing)
    expected = position_value(one, two, prizes, **rules._asdict(), **standing)
    assert fraction(value(start)) == expected
    upcards = {"random": sorted(set(prizes)), "fixed": prizes[:1], "hidden": (None,)}[rules.order]
    for upcard in upcards:
        solution = solve(start.at(upcard))
        expected, payoffs = position_solution(
            one, two, prizes, upcard, **rules._asdict(), **standing
        )
        assert list(map(list, map(fractions, payoff_matrix(start.at(upcard))))) == payoffs
        row, column = fractions(solution.row.values()), fractions(solution.column.values())
        assert fraction(solution.value) == expected
        assert (tuple(solution.row), tuple(solution.column)) == (one, two)
        assert is_optimal(payoffs, expected, row, column)
        extreme_rows, extreme_columns = extreme_strategies(payoffs)
        assert solution.unique == (extreme_rows == {row} and extreme_columns == {column})
        # Strict inequalities can be proved without the tableau.
        assert not (solution.unique and solution.method == "simplex")


def test_every_pair_of_hands_of_three():
    """Cards 1 to 5 interleave two hands of three in every way with a card in common."""
    for one, two in product(combinations(range(1, 6), 3), repeat=2):
        check_position(one, two, (1, 4, 9))
    for one in combinations(range(1, 7), 3):
        two = tuple(card for card in range(1, 7) if card not in one)
        check_position(one, two, (2, 2, 5))


@settings(max_examples=40)
@example(((), (), ()), Random(1))
@given(positions(max_card=40, max_prize=30), st.randoms(use_true_random=False))
# At the upcard 0 a bid of player one gains exactly 1 against every reply, which in a game to win settles it.
@example(((1, 3, 5), (2, 3, 4), (0, 2, 3)), Random(1))
def test_positions_of_any_cards_and_prizes(position, random):
    check_position(*position)
    shuffled = [random.sample(cards, len(cards)) for cards in position]
    assert fraction(value(Position(*shuffled))) == position_value(*position)


@settings(max_examples=4)
@given(positions(min_size=4, max_size=4, max_card=9))
@example(((1, 2, 3, 4),) * 3)
def test_positions_of_four_cards(position):
    check_position(*position)


@pytest.mark.parametrize("rules", EVERY_RULE, ids="-".join)
@settings(max_examples=6)
@given(data=st.data())
def test_positions_under_every_rule(rules, data):
    one, two, prizes = data.draw(positions(max_size=4))
    if rules.order == "fixed":
        prizes = data.draw(st.permutations(prizes).map(tuple))
    # Large ones often decide a game of few cards, small ones seldom that of four.
    standing = data.draw(standings(rules.objective, rules.ties, most=4 if len(one) == 4 else 9))
    check_position(one, two, prizes, rules, **standing._asdict())


@pytest.mark.parametrize("rules", EVERY_RULE, ids="-".join)
def test_equal_hands_with_a_margin(rules):
    standing = {"margin": 2 * (rules.objective == "win"), "pot": int(rules.ties == "carryover")}
    check_position((1, 2, 3), (1, 2, 3), (3, 1, 2), rules, **standing)
