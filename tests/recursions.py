"""The same game in several arithmetics: what the tests of balls and of residues share."""

from functools import cache

from gops_exact.numbers.pairs import from_pair
from gops_exact.order_types import order_types
from gops_exact.recursion.exact import ExactArithmetic
from gops_exact.recursion.lattice import sweep


def deck(n):
    return tuple(range(1, n + 1))


def rest(n, upcard):
    return tuple(prize for prize in deck(n) if prize != upcard)


def slabs(arithmetic, n):
    """The slabs of the game of n cards, by prize set."""
    memo = {}
    sweep(order_types(deck(n), deck(n)), deck(n), arithmetic, memo)
    return memo


def openings_of(arithmetic, n, memo):
    """The openings of the game of n cards, by upcard."""
    root = order_types(deck(n), deck(n)).root
    return {upcard: arithmetic.opening(root, upcard, memo[rest(n, upcard)]) for upcard in deck(n)}


@cache
def exact_game(n):
    """{prize set: values} and {upcard: (strategy, whether it is unique)}, exactly."""
    arithmetic = ExactArithmetic()
    memo = slabs(arithmetic, n)
    openings = openings_of(arithmetic, n, memo)
    return (
        {prizes: [from_pair(pair) for pair in slab.values] for prizes, slab in memo.items()},
        {u: ([from_pair(p) for p in each.strategy], each.unique) for u, each in openings.items()},
    )
