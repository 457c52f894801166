"""The same game in several arithmetics: what the tests of balls and of residues share."""

from functools import cache
from itertools import product

from gops_exact.game.game import Node, turns
from gops_exact.game.order_types import order_types
from gops_exact.game.rules import OBJECTIVES, PLAIN, TIES, Rules
from gops_exact.numbers.raw import from_pair
from gops_exact.solvers.exact.lattice import Values
from gops_exact.solvers.exact.rational import ExactSystem

PRIZES = "random", "hidden", "descending"
EVERY_RULE = [Rules(*each) for each in product(OBJECTIVES, TIES, PRIZES)]


def deck(n):
    return tuple(range(1, n + 1))


def rest(n, upcard):
    return tuple(prize for prize in deck(n) if prize != upcard)


def types_of(n, rules=PLAIN):
    return order_types(deck(n), deck(n), equal=rules.winning)


def games_of(n, rules=PLAIN):
    """The first games of the game of n cards, by upcard."""
    return {turn.upcard: turn for turn in turns(rules, Node(rules.arranged(deck(n))))}


def slabs(arithmetic, n, rules=PLAIN):
    """The slabs of the game of n cards, by node."""
    values = Values(types_of(n, rules), rules, arithmetic)
    values.sweep(games_of(n, rules).values())
    return values


def openings_of(arithmetic, n, memo, rules=PLAIN):
    """The openings of the game of n cards, by upcard."""
    root = types_of(n, rules)[-1]
    games = games_of(n, rules)
    return {upcard: arithmetic.play(root, turn, memo) for upcard, turn in games.items()}


@cache
def exact_game(n, rules=PLAIN):
    """{node: values} and {upcard: (strategy, whether it is unique)}, exactly."""
    arithmetic = ExactSystem()
    memo = slabs(arithmetic, n, rules)
    openings = openings_of(arithmetic, n, memo, rules)
    return (
        {node: [from_pair(pair) for pair in slab.values] for node, slab in memo.items()},
        {u: ([from_pair(p) for p in each.row], each.row_unique) for u, each in openings.items()},
    )
