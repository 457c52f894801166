"""Ranges of weights and probabilities over all equilibria, and uniqueness."""

from itertools import chain, islice
from math import prod
from random import Random

import pytest
from games import random_game

import gops_exact as gx
from gops_exact import known_games
from gops_exact.extensive import (
    Chance,
    HiddenBids,
    Move,
    Simultaneous,
    Tree,
    approximate,
    best_replies,
)

pytest.importorskip("highspy", reason="HiGHS is not installed")


def movers(node):
    """The players who move at a node, 0 or 1, and the name of the set of each."""
    if isinstance(node, Move):
        return {node.player - 1: node.knows}
    return dict(enumerate(node.knows))


def listed_sets(tree):
    """By player, {information set: (its moves, the player's earlier moves)}."""
    sets = {}, {}

    def visit(state, paths):
        node = tree.at(state)
        if isinstance(node, Chance):
            for after in node.outcomes:
                visit(after, paths)
        elif isinstance(node, Move | Simultaneous):
            names = movers(node)
            for move, after in node.moves.items():
                chosen = dict(
                    zip(names, move if isinstance(node, Simultaneous) else (move,), strict=True)
                )
                later = list(paths)
                for player, name in names.items():
                    moves, _ = sets[player].setdefault(name, (set(), paths[player]))
                    moves.add(chosen[player])
                    later[player] = (*paths[player], (name, chosen[player]))
                visit(after, tuple(later))

    visit(tree.start, ((), ()))
    return sets


def listed_plans(sets, most):
    """The pure plans of a player, as sets of the sequences (information set, move) that they play; at most `most` + 1."""
    plans = [frozenset()]
    for name, (moves, path) in sets.items():  # a set comes after those that lead to it
        longer = (
            [plan | {(name, m)} for m in moves] if {*path} <= plan else [plan] for plan in plans
        )
        plans = [*islice(chain.from_iterable(longer), most + 1)]
    return plans


def payoff(tree, state, row, column):
    """Player one's expected payoff if both play pure plans."""
    node = tree.at(state)
    if isinstance(node, Chance):
        return sum(p * payoff(tree, after, row, column) for after, p in node.outcomes.items())
    if not isinstance(node, Move | Simultaneous):
        return node
    names = movers(node)
    for move, after in node.moves.items():
        each = move if isinstance(node, Simultaneous) else (move,)
        if all(
            (name, taken) in (row, column)[player]
            for (player, name), taken in zip(names.items(), each, strict=True)
        ):
            return payoff(tree, after, row, column)
    raise AssertionError


def listed_ranges(tree, most=200):
    """The ranges of both players from all extreme optimal strategies of the normal form; None if it is large."""
    sets = listed_sets(tree)
    plans = [listed_plans(side, most) for side in sets]
    if len(plans[0]) * len(plans[1]) > most:
        return None
    matrix = [[payoff(tree, tree.start, row, column) for column in plans[1]] for row in plans[0]]
    optimal = gx.optimal_set(matrix)
    result = []
    for side, pure, mixed in zip(sets, plans, (optimal.row, optimal.column), strict=True):
        ranges = {}
        for name, (moves, path) in side.items():
            before = [
                sum(p for p, plan in zip(mix, pure, strict=True) if {*path} <= plan)
                for mix in mixed
            ]
            for move in moves if len(moves) > 1 else ():
                weights = [
                    sum(p for p, plan in zip(mix, pure, strict=True) if (name, move) in plan)
                    for mix in mixed
                ]
                shares = [w / b for w, b in zip(weights, before, strict=True) if b]
                ends = (min(shares), max(shares)) if shares else None
                ranges.setdefault(name, {})[move] = (min(weights), max(weights)), ends
        result.append(ranges)
    return result


def is_hidden(tree):
    """Whether a player cannot tell two states apart."""
    try:
        return gx.solve_game(tree).unique is not None
    except ValueError:
        return False


def random_trees(count, seed):
    """Random games with information sets, mostly with few different payoffs, and their ranges."""
    source = Random(seed)
    while count:
        most = source.choice((1, 1, 2, 9))
        tree, _ = random_game(
            source, change=lambda _, source, most=most: source.randint(-most, most), hidden=True
        )
        several = any(len(moves) > 1 for side in listed_sets(tree) for moves, _ in side.values())
        if several and is_hidden(tree):
            expected = listed_ranges(tree)
            if expected is not None:
                count -= 1
                yield tree, expected


def test_probability_ranges_of_random_trees_are_those_of_all_extreme_optimal_strategies():
    uniques = set()
    for tree, expected in random_trees(40, 3):
        solved = gx.solve_game(tree)
        ranges = solved.ranges()
        assert [ranges.row, ranges.column] == expected
        weights = [[w for moves in side.values() for w, _ in moves.values()] for side in expected]
        fixed = tuple(all(low == high for low, high in side) for side in weights)
        assert solved.unique == fixed
        uniques.add(fixed)
        assert str(ranges).count("only one optimal plan") == sum(fixed)
        assert gx.exploitability(tree, *ranges.mean) == 0
    assert len(uniques) == 4


def test_ranges_of_optimal_probabilities_in_kuhn_poker_are_those_of_kuhn_1950():
    """Kuhn 1950: player one bets the jack with any probability up to 1/3, the king three times as often."""
    solved = gx.solve_game(known_games.kuhn_poker())
    ranges = solved.ranges()
    third, two_thirds = gx.view("1/3"), gx.view("2/3")
    assert ranges.row["J"]["b"] == ((0, third), (0, third))
    assert ranges.row["K"]["b"] == ((0, 1), (0, 1))
    assert ranges.row["Qpb"]["b"] == ((third, two_thirds), (third, two_thirds))
    assert ranges.row["Jpb"]["p"] == ((two_thirds, 1), (1, 1))
    assert ranges.row["Kpb"]["b"] == ((0, 1), (1, 1))
    assert ranges.column["Qb"]["b"] == ((third, third), (third, third))
    assert solved.unique == (False, True)
    row, _ = ranges.mean
    assert row["K"]["b"] == 3 * row["J"]["b"]
    frame = ranges.to_frame()["exact"]
    assert frame["greatest weight", "one", "J", "b"] == third


@pytest.mark.parametrize("game", [known_games.liars_dice(2), HiddenBids(gx.Game(3))])
def test_plain_and_refined_equilibria_lie_within_the_ranges_of_optimal_probabilities(game):
    ranges = gx.solve_game(game).ranges()
    assert gx.exploitability(game, *ranges.mean) == 0
    for refined in (False, True):
        solved = gx.solve_game(game, refined=refined)
        sides = (ranges.row, solved.row), (ranges.column, solved.column)
        for (side, strategy), sets in zip(sides, listed_sets(game), strict=True):
            for name, moves in side.items():
                _, path = sets[name]
                before = prod(strategy.get(at, {taken: 1}).get(taken, 0) for at, taken in path)
                for move, (weight, probability) in moves.items():
                    share = strategy[name].get(move, 0) if before else 0
                    assert weight[0] <= before * share <= weight[1]
                    assert not before or probability[0] <= share <= probability[1]


def test_ranges_of_optimal_probabilities_report_progress_at_once_and_to_the_end():
    reports = []
    gx.solve_game(known_games.kuhn_poker()).ranges(progress=lambda *report: reports.append(report))
    assert reports[0] == (0, 24)
    assert reports[-1] == (24, 24)


def test_names_of_information_sets_stand_on_one_line_in_tables():
    nodes = {"": Move(1, {"l": "l", "r": "r"}, "one\na")}
    nodes |= {k: Move(2, {"x": p, "y": -p}, "two\nb") for k, p in (("l", 1), ("r", -1))}
    game = Tree("", lambda state: nodes.get(state, state))
    solved = gx.solve_game(game)
    for result in (solved, solved.ranges(), best_replies(game, solved.row, solved.column)):
        assert {keys[:2] for keys, _ in result.table().rows} == {("one", "one a"), ("two", "two b")}


def test_ranges_of_optimal_probabilities_are_refused_if_learned_or_if_nothing_is_hidden():
    learned = approximate(known_games.kuhn_poker(), iterations=5)
    with pytest.raises(gx.PrecisionError, match="the value is known to be"):
        learned.ranges()
    seen = gx.solve_game(known_games.oshi_zumo(4))
    for ask in (seen.ranges, lambda: seen.unique):
        with pytest.raises(ValueError, match=r"all is seen in this game: .* gx.optimal_set"):
            ask()
    with pytest.raises(ValueError, match="progress must be"):
        gx.solve_game(known_games.kuhn_poker()).ranges(progress=1)
