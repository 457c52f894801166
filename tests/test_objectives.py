"""Policies measured by another objective than their own, and the page about it."""

import re
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from flint import fmpq

from gops_exact.game.cards import card_name, parse_card
from gops_exact.game.position import Position
from gops_exact.game.rules import PLAIN, Rules
from gops_exact.numbers import to_decimal_text
from gops_exact.players.measure import best_response, draw, expected_payoff, guaranteed, points, win
from gops_exact.players.measure import expected as expected_result
from gops_exact.players.optimal import Advisor, ForPoints, ForWin, exact_solver
from gops_exact.players.simple import Uniform, UpcardPlus
from gops_exact.players.view import View

SMALL = [
    Rules("win", ties, prizes)
    for ties in ("discard", "carryover")
    for prizes in ("random", "hidden", "ascending", (2, 3, 1))
]


def by_plain_recursion(policy, n, payoff, rules):
    """The guaranteed payoff, found without the recursion of the measurement."""

    @cache
    def value(position):
        if not position.prizes:
            return fmpq(payoff(position.margin))
        turns = position.turns()
        return sum(times * game(turn) for times, turn in turns) / sum(times for times, _ in turns)

    def game(position):
        prizes = position.prizes if position.upcard is None else (position.upcard,)
        bids = policy.bids(View(n, position)).items()
        return min(
            sum(p * value(position.after(bid, reply, prize)) for bid, p in bids for prize in prizes)
            for reply in position.two
        ) / len(prizes)

    return value(Position.start(n, replace(rules, objective="win")))


@pytest.mark.parametrize("rules", SMALL, ids=str)
def test_a_policy_is_sure_of_the_value_by_its_own_objective(rules):
    assert guaranteed(ForPoints(3, rules), 3, points, rules) == 0
    assert guaranteed(ForWin(3, rules), 3, win, rules) == 0


@pytest.mark.parametrize("rules", [*SMALL, Rules("win")], ids=str)
def test_what_it_is_sure_of_in_wins_is_what_the_best_response_leaves(rules):
    policy = ForPoints(3, rules)
    sure = by_plain_recursion(policy, 3, win, rules)
    assert guaranteed(policy, 3, win, rules) == -best_response(policy, 3, rules).gain == sure
    assert guaranteed(policy, 3, points, rules) == by_plain_recursion(policy, 3, points, rules)


@pytest.mark.parametrize("ties", ["discard", "carryover"])
def test_the_same_where_the_order_of_four_prizes_is_known(ties):
    rules = Rules("win", ties, (2, 3, 1, 4))
    policy = ForPoints(4, rules)
    sure = by_plain_recursion(policy, 4, win, rules)
    assert guaranteed(policy, 4, win, rules) == -best_response(policy, 4, rules).gain == sure < 0


def test_playing_for_points_four_cards_are_lost_more_often_than_won():
    """By a recursion of other code, in a game in which the two objectives differ."""
    sure = by_plain_recursion(ForPoints(4), 4, win, PLAIN)
    assert guaranteed(ForPoints(4), 4, win) == sure < 0
    assert best_response(ForPoints(4), 4, Rules("win")).gain == -sure
    assert guaranteed(ForWin(4), 4, points) == by_plain_recursion(ForWin(4), 4, points, PLAIN) < 0


def test_each_does_better_than_the_other_by_its_own_objective():
    by_points, by_win = ForPoints(4), ForWin(4)
    assert expected_payoff(by_win, by_points, 4, win) > 0
    assert expected_payoff(by_points, by_win, 4, points) > 0


@pytest.mark.parametrize("payoff", [points, win])
def test_the_two_sides_see_the_same_game(payoff):
    for one, two in product((ForPoints(3), ForWin(3), UpcardPlus(1)), repeat=2):
        assert expected_payoff(one, two, 3, payoff) == -expected_payoff(two, one, 3, payoff)


def test_wins_losses_and_draws_add_up():
    for_win = ForWin(4)
    result = expected_result(for_win, UpcardPlus(1), 4, Rules("win"))
    assert expected_payoff(for_win, UpcardPlus(1), 4, win) == result.difference
    assert expected_payoff(for_win, UpcardPlus(1), 4, draw) == 1 - result.one - result.two


def test_random_play_is_no_longer_optimal_for_hidden_prizes_once_ties_are_carried_over():
    carried = Rules("points", "carryover", "hidden")
    assert guaranteed(Uniform(), 3, points, carried) == -1
    assert guaranteed(Uniform(), 3, points, Rules(prizes="hidden")) == 0


PAGE = Path(__file__).parent.parent / "docs" / "win.md"
ROW = re.compile(
    r"^\| (\d) \| (\w) \| (.*\d) \| (−?[\d.]+) \| (.*) \| (−?[\d.]+) \|$", re.MULTILINE
)


@pytest.mark.parametrize("n", [4, 5])
def test_the_first_moves_on_the_page(n):
    solver = {rules: Advisor(exact_solver(n, rules)) for rules in (PLAIN, Rules("win"))}
    rows = [row for row in ROW.findall(PAGE.read_text("utf-8")) if int(row[0]) == n]
    assert len(rows) == (2 if n == 4 else 5)
    for _, upcard, for_points, wins, for_win, lost in rows:
        start = Position.start(n).at(parse_card(upcard))
        winning = replace(start, rules=Rules("win"))
        one, two = (solver[at.rules].strategy(at) for at in (start, winning))
        assert (shown(one), shown(two)) == (for_points, for_win)
        assert to_decimal_text(secured(solver, winning, one), 4) == wins.replace("−", "-")
        assert to_decimal_text(secured(solver, start, two), 4) == lost.replace("−", "-")


def secured(solver, position, row):
    """The least that a strategy of player one expects against any reply."""
    replies = zip(*solver[position.rules].solver.payoff_matrix(position), strict=True)
    return min(
        sum((p * x for p, x in zip(row.values(), reply, strict=True)), fmpq(0)) for reply in replies
    )


def shown(row):
    bids = [(card_name(card), p) for card, p in row.items() if p]
    return ", ".join(
        name if p == 1 else f"{name} {to_decimal_text(p, 4).removeprefix('0')}" for name, p in bids
    )
