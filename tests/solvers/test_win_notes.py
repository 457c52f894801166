"""The worked examples of a win-probability solver whose author found the recursion independently.

Its state (A, B, P, D, C) is, in the words of this package, the hands `one` and `two`, the prizes left
without the upcard, the margin, and the upcard. It counts a win 1, a draw 0, a loss −1, and discards
ties.
"""

from fractions import Fraction

import oracle

import gops_exact as gx

THIRD = Fraction(1, 3)

TWO_CARDS = [[-1, 1], [0, -1]]
"""A holds 1, 3 and is a point ahead of B with 2, 3; the prize 2 is up, 3 is the last."""

THREE_CARDS = [[0, THIRD, 1], [-THIRD, 0, THIRD], [-1, -THIRD, 0]]
"""The first round of three cards each, prize 1 up; the notes print 0.333 for a third."""


WIN = gx.Rules("win")


def noted(a, b, p, d, c):
    """The oracle at a state in the notes' order: value and payoff matrix."""
    return oracle.position_solution(a, b, tuple(sorted((*p, c))), c, objective="win", margin=d)


def test_two_cards():
    """The other upcard is worth as much."""
    value, matrix = noted((1, 3), (2, 3), (3,), 1, 2)
    assert matrix == TWO_CARDS
    assert value == noted((1, 3), (2, 3), (2,), 1, 3)[0] == -THIRD
    assert oracle.extreme_strategies(matrix)[0] == {(THIRD, 2 * THIRD)}
    position = gx.Position([1, 3], [2, 3], [2, 3], rules=WIN, margin=1)
    values = gx.value(position), *(gx.solve(position.at(upcard)).value for upcard in (2, 3))
    assert set(values) == {gx.view("-1/3").value}
    row = gx.solve(position.at(2)).row
    assert (row, row.unique) == ({1: gx.view("1/3").value, 3: gx.view("2/3").value}, True)


def test_three_cards():
    value, matrix = noted((1, 2, 3), (1, 2, 3), (2, 3), 0, 1)
    assert matrix == THREE_CARDS
    assert value == 0
    # The 1 dominates strictly, so both bid it for certain.
    assert oracle.extreme_strategies(matrix) == ({(1, 0, 0)}, {(1, 0, 0)})
    moves = gx.first_move(3, rules=WIN, upcards=[1], store=":memory:")
    assert moves[1] == {1: 1, 2: 0, 3: 0}
    assert moves[1].unique
