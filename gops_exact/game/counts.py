"""Numbers of values and of matrix games in the game of n cards, under any rules."""

from functools import cache
from math import comb
from typing import NamedTuple

from gops_exact.game.order_types import pair_count
from gops_exact.game.rules import PLAIN, Rules

COUNTED = 8
"""The most cards for which states are listed one by one. Beyond, counts are estimated: each further
card multiplies them by the same factor as the last one did. True factors fall by 0.1 to 0.2 a card."""


class Counts(NamedTuple):
    """Numbers of values and of matrix games.

    Attributes:
        values: one for each pair of hands and node, below the whole game.
        games: matrix games solved for these values and for the openings.
    """

    values: int
    games: int


@cache
def counts(n: int, rules: Rules = PLAIN) -> Counts:
    """Count the values and games of the game of n cards; estimate them beyond 8 cards with states.

    >>> counts(5), counts(5, Rules("win")), counts(5, Rules(prizes="ascending"))
    (Counts(values=325, games=960), Counts(values=2893, games=7855), Counts(values=38, games=39))
    """
    if n > COUNTED and not (rules.plain or rules.fixed):
        before, last = counts(n - 2, rules), counts(n - 1, rules)
        return Counts(*(b * b // a for a, b in zip(before, last, strict=True)))
    values, games = 0, n if rules.prizes == "random" else 1
    for size, nodes in enumerate(_nodes(n, rules), start=1):
        kept = nodes * pairs_kept(n, size, rules)
        values += kept
        games += kept * (size if rules.prizes == "random" else 1)
    return Counts(values, games)


def pairs_kept(n: int, size: int, rules: Rules = PLAIN) -> int:
    """Count the pairs of hands of `size` cards that a node of the game of n cards keeps."""
    lengths = range(size + 1, min(2 * size, n) + 1)
    return sum(pair_count(size, length) for length in lengths) + rules.winning


def _nodes(n: int, rules: Rules) -> list[int]:
    """Count the nodes with 1 … n − 1 prizes left."""
    if rules.plain:
        return [1 if rules.fixed else comb(n, size) for size in range(1, n)]
    nodes = [0] * (n + 1)
    for prizes, states in rules.states(rules.arranged(range(1, n + 1))).items():
        nodes[len(prizes)] += len(states)
    return nodes[1:n]
