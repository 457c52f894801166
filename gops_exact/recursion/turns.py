"""Payoff matrices by table look-up, for numbers that cost no more than the looking up.

X[i, j] = p · sign + f(child). All games at one upcard take their entries from the same small table
of p · sign + f(child), and where in it an entry stands depends on the pair of hands alone.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np
from flint import arb, fmpq, nmod

from gops_exact.order_types import Layer

Entry = TypeVar("Entry", float, arb, nmod, fmpq)

Places = list[list[int]]
"""Shape (m, n): where the entries of a game stand in a table; interchangeable bids left out."""


def games(layer: Layer, count: int) -> list[Places]:
    """The game of each pair of hands, as places in a :func:`payoff_table` of `count` values."""
    # A negative reference counts from the end of its block, where the negative values stand.
    width = 2 * count + 1
    place = layer.sign.astype(np.int64) % 3 * width + layer.child % width
    kept = zip(place, layer.row_kept, layer.column_kept, strict=True)
    return [each[rows][:, columns].tolist() for each, rows, columns in kept]


def payoff_table(upcard: int, values: Sequence[Entry], zero: Entry) -> list[Entry]:
    """Every entry that a game at `upcard` can have.

    Three blocks, for the signs 0, 1 and −1; in each 0, f(1), …, f(H), −f(H), …, −f(1).

    >>> payoff_table(5, [0.25], 0.0)
    [0.0, 0.25, -0.25, 5.0, 5.25, 4.75, -5.0, -4.75, -5.25]
    """
    block = [zero]
    block.extend(values)
    block.extend(-value for value in reversed(values))
    table = block.copy()
    table.extend(value + upcard for value in block)
    table.extend(value - upcard for value in block)
    return table


def look_up(places: Places, table: list[Entry]) -> list[list[Entry]]:
    """The payoff matrix of a game, shape (m, n)."""
    return [[table[place] for place in row] for row in places]


def average(values: Iterable[Entry], times: Sequence[int]) -> Entry:
    """The mean of as many values as `times`, each counted so many times.

    >>> average([fmpq(1), fmpq(5)], [3, 1])
    2
    """
    terms: list[Entry] = [value * count for value, count in zip(values, times, strict=True)]
    total = terms[0]
    for term in terms[1:]:
        total += term
    return total / sum(times)
