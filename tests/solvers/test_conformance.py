"""The table of conformance: arithmetic x question x rules x kind of hands and prizes, against one oracle.

A row is a position or a game. In each arithmetic, each question about it has to get the answer of
``tests/support/oracle.py``, which knows no order types, no symmetry, no saddle points and no floats.
"""

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import oracle
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import as_oracle, fraction
from recursions import OBJECTIVES, TIES
from strategies import any_matrices, positions, standings

import gops_exact as gx

DIGITS = 20

KINDS = {"exact": gx.Exact(), "ball": gx.Ball(DIGITS), "float": gx.Float()}

RULES = [*product(OBJECTIVES, TIES, ("random", "hidden", "descending", "listed"))]
"""By a listed order, prizes come as they are named below."""

HANDS = {
    "no card": ((), (), (), -1, 2),
    "one card, the lower one": ((1,), (2,), (3,), 2, 1),
    "one card, the same": ((2,), (2,), (3,), 0, 4),
    "interleaved, no tie": ((2, 4), (1, 3), (13, 12), -3, 1),
    "gaps, a card in common": ((1, 9), (9, 40), (4, 9), 5, 0),
    "equal": ((1, 2, 3), (1, 2, 3), (3, 1, 2), 0, 0),
    "equal, not level": ((1, 2, 3), (1, 2, 3), (3, 1, 2), -2, 1),
    "two cards in common": ((1, 2, 4), (2, 3, 4), (1, 4, 2), 0, 0),
    "all of one player's are higher": ((4, 5, 6), (1, 2, 3), (2, 5, 2), -6, 2),
    "a prize of 0": ((1, 3, 5), (2, 3, 4), (0, 3, 2), 1, 0),
    "a million points": ((1, 2, 5), (2, 3, 4), (466, 746_157, 286_172), 1, 1),
}
"""Both hands, the prizes, and margin and pot where the rules have them."""

BY_NAME = {
    "several optimal columns, against which a bid gains differently": (
        "3.6.56.72_3.6.56.72_0.0.1.1_w_m-1_c_p1",
        "1.2.6.8_1.2.6.8_0.1.2.3_c",
    ),
    "a bid that gains exactly 1 against every reply": ("1.3.5_2.3.4_0.2.3_w",),
    "more points than could be listed as margins": (
        "1.2_1.2_1000000000000.1000000000000_w_m3",
        "1.2.4_2.3.4_466.286172.746157_w_m1_c_p1",
    ),
}

DECKS = (1,), (1, 2), (1, 2, 3), (0, 1, 2), (0, 0, 3), (0, 0, 0), (2, 5, 5)


def position_of(one, two, prizes, margin=0, pot=0, *, rules):
    """The position of hands and prizes by rules, without what the rules do not have."""
    objective, ties, order = rules
    rules = gx.Rules(objective, ties, (prizes or (1,)) if order == "listed" else order)
    state = {"margin": margin if rules.winning else 0, "pot": pot if rules.carries else 0}
    return gx.Position(one, two, prizes, rules=rules, **state)


def solver_of(kind, game=None):
    store = {} if isinstance(kind, gx.Float) else {"store": ":memory:"}
    return gx.solver(kind, game, **store)


def at(position):
    """Hands, prizes and standing of a position, as the oracle takes them."""
    standing = {"margin": position.margin, "pot": position.pot}
    return (position.one, position.two, position.prizes), as_oracle(position.rules) | standing


def true_value(position):
    if position.upcard is not None:
        return true_play(position)[0]
    cards, standing = at(position)
    return oracle.position_value(*cards, **standing)


@cache
def true_play(turned):
    """Value, payoffs and both players' extreme optimal strategies where a prize is turned up."""
    cards, standing = at(turned)
    value, payoffs = oracle.position_solution(*cards, turned.upcard, **standing)
    return value, payoffs, oracle.extreme_strategies(payoffs)


@cache
def true_draws(position):
    """The least and the greatest chance of a draw; chance turns up the prize if none is."""
    cards, standing = at(position)
    return oracle.draw_chances(*cards, position.upcard, **standing)


def exactly(number):
    """An exact answer as a Fraction; any other would be a fault."""
    assert isinstance(number, gx.BigRational)
    return fraction(number.value)


def holds(number, exact):
    """Tell whether an answer is right, as far as its kind of number says."""
    if isinstance(number, gx.ProvedDecimal):
        assert len(number.text().partition(".")[2]) == DIGITS
        if abs(Fraction(number.text()) - exact) > Fraction(1, 2 * 10**DIGITS):
            return False
    least, greatest = map(fraction, number.bounds())  # both are the number itself if it is exact
    return least <= exact <= greatest


def is_precise(number, position):
    """Tell whether a radius is small for the points at stake."""
    return getattr(number, "radius", 0) < 1e-10 * (1 + sum(position.prizes) + position.pot)


def all_hold(numbers, exact):
    return all(holds(*pair) for pair in zip(numbers, exact, strict=True))


def check_value(solver, position):
    value = solver.value(position)
    assert holds(value, true_value(position))
    assert is_precise(value, position)


# Questions. Each is asked of a solver about a position whose prize is turned up, or hidden.


def check_solve(solver, turned):
    value, payoffs, optima = true_play(turned)
    solution = solver.solve(turned)
    assert holds(solution.value, value)
    sides = zip((solution.row, solution.column), (turned.one, turned.two), optima, strict=True)
    for strategy, hand, optimal in sides:
        assert tuple(strategy) == hand
        assert any(all_hold(strategy.values(), each) for each in optimal)
        assert strategy.unique == (len(optimal) == 1 if solution.proved else None)
    if solution.proved:
        # Strict inequalities can be proved without the simplex.
        assert not (solution.unique and solution.method == "simplex")
        return
    # Floats do not prove one strategy of several, but those that they show guarantee the value nearly.
    assert (solver.arithmetic.name, solution.method) == ("float", "bracket")
    assert max(map(len, optima)) > 1
    least, greatest = map(fraction, solution.value.bounds())
    row, column = (
        [Fraction(bid.value) for bid in side.values()] for side in (solution.row, solution.column)
    )
    scale = 1 + max(abs(x) for line in payoffs for x in line)
    slack = scale * Fraction(1, 10**12)  # the payoffs themselves are rounded
    guaranteed = min(expectations(zip(*payoffs, strict=True), row))
    conceded = max(expectations(payoffs, column))
    assert least - slack <= guaranteed <= conceded <= greatest + slack


def expectations(lines, weights):
    """The mean of each line by weights, whose sum need not be 1."""
    return [
        sum(x * weight for x, weight in zip(line, weights, strict=True)) / sum(weights)
        for line in lines
    ]


def check_payoffs(solver, turned):
    matrix = solver.payoff_matrix(turned)
    assert tuple(matrix) == turned.one
    for row, line in zip(matrix.values(), true_play(turned)[1], strict=True):
        assert tuple(row) == turned.two and all_hold(row.values(), line)
        assert all(is_precise(number, turned) for number in row.values())


def check_gains(solver, turned):
    """Against the column that is shown, or, if floats do not prove it, against every optimal one."""
    _, payoffs, (_, columns) = true_play(turned)
    solution, gains = solver.solve(turned), solver.bid_gains(turned)
    assert tuple(gains) == turned.one
    if solution.proved:
        columns = [each for each in columns if all_hold(solution.column.values(), each)]
        assert columns
        columns = columns[:1]
    else:
        columns = [*columns, [Fraction(reply.value) for reply in solution.column.values()]]
    assert all(all_hold(gains.values(), expectations(payoffs, column)) for column in columns)
    # Bids that are not played may gain more against one optimal column than against another.
    bids = solution.row.items()
    played = [card for card, p in bids if solution.proved or p.value > 1e-3]
    assert all(is_precise(gains[card], turned) for card in played)


def check(solver, position):
    """Ask everything about a position, before and after a prize is turned up."""
    check_value(solver, position)
    for _, turned in position.with_upcards():
        for question in (check_value, check_solve, check_payoffs, check_gains):
            question(solver, turned)


def check_outcomes(position):
    """The chances of a win, a draw and a loss, which depend on the optimal strategies that are played."""
    found, value = gx.outcomes(position, store=":memory:"), true_value(position)
    least, greatest = true_draws(position)
    assert tuple(map(exactly, found.draw)) == (least, greatest)
    assert exactly(found.value) == value
    for chances, sign in ((found.win, 1), (found.loss, -1)):
        ends = (1 - greatest + sign * value) / 2, (1 - least + sign * value) / 2
        assert tuple(map(exactly, chances)) == ends


def check_first_moves(solver, game):
    moves = solver.first_move(game)
    assert (moves.arithmetic, moves.n, moves.rules) == (solver.arithmetic, game.n, game.rules)
    assert list(moves) == list(game.upcards)
    for upcard, column in moves.items():
        _, _, (optimal, _) = true_play(game.start.at(upcard))
        assert tuple(column) == game.hand
        assert any(all_hold(column.values(), each) for each in optimal)
        assert column.unique == (len(optimal) == 1 if column.proved else None)
        assert column.proved or solver.arithmetic.name == "float"
        if game.rules == gx.Rules():
            assert column.proved or len(optimal) > 1


BY_KIND = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
BY_RULES = pytest.mark.parametrize("rules", RULES, ids="-".join)


@BY_RULES
@BY_KIND
def test_every_arithmetic_solves_positions_as_the_reference_solver_of_the_tests(kind, rules):
    solver = solver_of(kind)
    for hands in HANDS.values():
        check(solver, position_of(*hands, rules=rules))


@pytest.mark.parametrize("names", BY_NAME.values(), ids=list(BY_NAME))
@BY_KIND
def test_positions_once_solved_wrongly_are_solved_as_by_the_reference_solver_of_the_tests(
    kind, names
):
    for name in names:
        check(solver_of(kind), gx.Position.parse(name))


@BY_RULES
@settings(max_examples=4)
@given(data=st.data())
def test_random_positions_are_solved_as_by_the_reference_solver_of_the_tests(rules, data):
    one, two, prizes = data.draw(positions(max_card=40, max_prize=30))
    prizes = data.draw(st.permutations(prizes).map(tuple))
    margin, pot = data.draw(standings(*rules[:2]))
    position = position_of(one, two, prizes, margin, pot, rules=rules)
    for kind in KINDS.values():
        check(solver_of(kind), position)
    if position.rules.winning:
        for seen in position, *(turned for _, turned in position.with_upcards()):
            check_outcomes(seen)


@BY_RULES
@BY_KIND
def test_first_moves_of_unusual_decks_equal_those_of_the_reference_solver_of_the_tests(kind, rules):
    solver = solver_of(kind)
    for deck in DECKS:
        check_first_moves(solver, game_of(deck, rules))


def game_of(deck, rules):
    """The game of a deck; its smallest prize comes last where they are listed."""
    objective, ties, order = rules
    order = (*deck[1:], deck[0]) if order == "listed" else order
    return gx.Game(len(deck), gx.Rules(objective, ties, order), deck)


@pytest.mark.parametrize("rules", [rules for rules in RULES if rules[0] == "win"], ids="-".join)
def test_chances_to_win_draw_or_lose_by_deck_equal_those_of_the_reference_solver(rules):
    for deck in DECKS:
        check_outcomes(game_of(deck, rules).start)


# Where values come from: a solver for one game answers for all its positions; floats may read layers in a folder.


@pytest.mark.parametrize("rules", [RULES[0], RULES[9], RULES[6], RULES[15]], ids="-".join)
@BY_KIND
def test_solver_of_four_cards_solves_smaller_positions_as_the_reference_solver_of_the_tests(
    kind, rules
):
    """Each position is also asked with the players exchanged, since a solver may store only one of the two."""
    game = game_of((1, 2, 3, 4), rules)
    solver = solver_of(kind, game)
    for size in (1, 2, 3):
        position = reached(game, size)
        check(solver, position)
        check(solver, position.swapped())
    check(solver, gx.Position((1, 2, 4), (1, 2, 4), game.prizes[-3:], rules=game.rules))


def reached(game, size, seed=1):
    """The position of so many cards a side that random bids lead to."""
    rng, position = Random(seed), game.start
    while position.size > size:
        _, turned = rng.choice(position.with_upcards())
        prize = rng.choice(turned.prizes) if turned.rules.hidden else turned.upcard
        position = turned.after(rng.choice(turned.one), rng.choice(turned.two), prize)
    return position


@settings(max_examples=150)
@given(any_matrices())
# The second column cuts a square out of the tetrahedron, the third the square along a diagonal.
@example([[0, 1, 1], [0, 1, -1], [0, -1, 1], [0, -1, -1]])
# Rock, paper, scissors with each bid twice: a prism of optima.
@example([[(j - i + 1) % 3 - 1 for j in range(6)] for i in range(6)])
# Rhoads & Bartholdi 2012, §3.1.
@example([[1, -2, 3], [-4, 5, -6], [7, -8, 9]])
def test_values_and_optimal_strategies_of_matrix_games_equal_those_of_the_reference_solver(rows):
    solution, optimal = gx.solve_matrix_game(rows), gx.optimal_set(rows)
    value, expected = oracle.matrix_solution(rows).value, oracle.extreme_strategies(rows)
    assert exactly(solution.value) == exactly(optimal.value) == value
    for side, extreme in zip(("row", "column"), expected, strict=True):
        listed = [tuple(map(exactly, strategy)) for strategy in getattr(optimal, side)]
        assert set(listed) == extreme
        assert len(listed) == len(extreme)
        assert getattr(solution, f"{side}_unique") == (len(extreme) == 1)
    row, column = (tuple(map(exactly, side)) for side in (solution.row, solution.column))
    assert oracle.is_optimal(rows, value, row, column)
