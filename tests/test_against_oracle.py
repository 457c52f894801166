"""The package against the oracle, and its matrix games against sympy's linear programs."""

from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
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
from strategies import any_matrices, matrices, positions, standings

from gops_exact import Position, Rules, optimal_set, solve, solve_matrix_game, value
from gops_exact.numbers import BigRational


def fraction(number):
    """The same number for the oracle; any but an exact one would be a fault of the package."""
    number = number.value if isinstance(number, BigRational) else number
    assert isinstance(number, fmpq)
    return Fraction(int(number.p), int(number.q))


def fractions(numbers):
    return tuple(fraction(number) for number in numbers)


# Matrix games


@lru_cache(maxsize=1)
def oracle_answer(rows):
    """Value and extreme strategies, kept while one game is solved in several ways."""
    return matrix_value(rows), *extreme_strategies(rows)


def check_matrix_game(rows, solution):
    value, extreme_rows, extreme_columns = oracle_answer(tuple(map(tuple, rows)))
    row, column = fractions(solution.row), fractions(solution.column)
    assert fraction(solution.value) == value
    assert is_optimal(rows, value, row, column)
    assert solution.row_unique == (extreme_rows == {row})
    assert solution.column_unique == (extreme_columns == {column})
    assert solution.unique == (solution.row_unique and solution.column_unique)


def check_method(rows, method, *, applies):
    if applies:
        check_matrix_game(rows, solve_matrix_game(rows, method=method))
    else:
        with pytest.raises(ValueError, match=method):
            solve_matrix_game(rows, method=method)


def check_every_method(rows):
    row_minima = [min(line) for line in rows]
    column_maxima = [max(line) for line in zip(*rows, strict=True)]
    has_saddle = max(row_minima) == min(column_maxima)
    is_two_by_two = len(rows) == len(rows[0]) == 2
    for method in ("auto", "simplex", "guided"):
        check_method(rows, method, applies=True)
    check_method(rows, "closed form", applies=has_saddle or is_two_by_two)


@settings(max_examples=200)
@given(st.one_of(any_matrices(), matrices(entries=st.integers(-9, 9))))
@example([[Fraction(0)]])
@example([[Fraction(0)] * 4] * 4)
# Rhoads & Bartholdi 2012, §3.1.
@example([[1, -2, 3], [-4, 5, -6], [7, -8, 9]])
def test_matrix_game_by_every_method(rows):
    check_every_method(rows)


@settings(max_examples=12)
@given(matrices(min_size=5, max_size=5))
def test_matrix_game_of_five_bids(rows):
    check_matrix_game(rows, solve_matrix_game(rows))


@pytest.mark.parametrize("shape", [(2, 2), (1, 4), (4, 1), (2, 3), (3, 2)], ids=str)
def test_every_game_of_signs(shape):
    """Up to the order of the rows."""
    m, n = shape
    for rows in combinations_with_replacement(product((-1, 0, 1), repeat=n), m):
        check_every_method(rows)


@settings(max_examples=120)
@given(any_matrices())
# The second column cuts a square out of the tetrahedron, the third the square along a diagonal.
@example([[0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1]])
# Rock, paper, scissors with each bid twice: a prism of optima.
@example([[(j - i + 1) % 3 - 1 for j in range(6)] for i in range(6)])
def test_optimal_set(rows):
    optimal = optimal_set(rows)
    assert fraction(optimal.value) == matrix_value(rows)
    for found, expected in zip(
        (optimal.row, optimal.column), extreme_strategies(rows), strict=True
    ):
        listed = [fractions(strategy) for strategy in found]
        assert set(listed) == expected
        assert len(listed) == len(expected)


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
