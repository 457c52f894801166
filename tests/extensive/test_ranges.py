"""Ranges of weights and probabilities over all equilibria, and uniqueness."""

from itertools import chain, islice
from random import Random

import pytest
from games import random_game

import gops_exact as gx
from gops_exact.extensive import Chance, Move, Simultaneous

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
                chosen = dict(zip(names, move if isinstance(node, Simultaneous) else (move,)))
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
            for (player, name), taken in zip(names.items(), each)
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
    for side, pure, mixed in zip(sets, plans, (optimal.row, optimal.column)):
        ranges = {}
        for name, (moves, path) in side.items():
            before = [sum(p for p, plan in zip(mix, pure) if {*path} <= plan) for mix in mixed]
            for move in moves if len(moves) > 1 else ():
                weights = [
                    sum(p for p, plan in zip(mix, pure) if (name, move) in plan) for mix in mixed
                ]
                shares = [w / b for w, b in zip(weights, before) if b]
                ends = (min(shares), max(shares)) if shares else None
                ranges.setdefault(name, {})[move] = (min(weights), max(weights)), ends
        result.append(ranges)
    return result


def random_trees(count, seed):
    """Random games with information sets, mostly with few different payoffs, and their ranges."""
    source = Random(seed)
    while count:
        most = source.choice((1, 1, 2, 9))
        tree, _ = random_game(
            source, change=lambda _, source, most=most: source.randint(-most, most), hidden=True
        )
        if any(len(moves) > 1 for side in listed_sets(tree) for moves, _ in side.values()):
            expected = listed_ranges(tree)
            if expected is not None:
                count -= 1
                yield tree, expected


def check_random_trees(count, seed):
    """Compare ranges with those of all extreme optimal strategies; return how many plans were unique."""
    unique = 0
    for tree, expected in random_trees(count, seed):
        solved = gx.solve_game(tree)
        ranges = solved.ranges()
        assert [ranges.row, ranges.column] == expected
        fixed = tuple(
            all(low == high for moves in side.values() for (low, high), _ in moves.values())
            for side in expected
        )
        assert solved.unique == fixed
        assert gx.exploitability(tree, *ranges.mean) == 0
        unique += sum(fixed)
    return unique
