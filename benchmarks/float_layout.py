"""How float values could lie in memory: what assembling the games of a layer takes, three ways.

    python benchmarks/float_layout.py [n] [k]

One layer, one core, rules by default; payoffs are written and nothing is solved.

* *By order type*, as the sweep does: a line per pair of hands holds its values for all prize sets, and
  the games of a pair of hands stand side by side. Their values are neighbours.
* *By prize set*: a line per prize set holds its values for all pairs of hands. The same games side by
  side; each value comes from another line.
* *By prize set, pairs of hands side by side*: the values are near each other, but every game has
  signs, children and mirrored children of its own, to be read, too, and bids cannot be merged.
"""

import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gops_exact.game.order_types import Layer, order_types

BATCH = 128
"""Games side by side."""

GAMES = 2_000_000
"""So many are assembled, about, for a measurement."""

REPEATS = 3
"""The quickest of so many counts."""

Floats = NDArray[np.float64]


@njit(nogil=True, error_model="numpy")
def by_order_type(
    types: Any, sign: Any, child: Any, kept: Any, below: Floats, without: Any, payoff: Floats
) -> float:
    """Values of shape (pairs of hands, prize sets); prize sets side by side."""
    total = 0.0
    for h in types:
        for p in range(without.shape[0]):
            for first in range(0, without.shape[1], BATCH):
                rest = without[p, first : first + BATCH]
                for e in range(sign.shape[1]):
                    if kept[h, e]:
                        c = child[h, e]
                        factor = 1.0 if c > 0 else -1.0 if c < 0 else 0.0
                        line, out, gain = below[max(abs(c) - 1, 0)], payoff[e], sign[h, e] * (p + 1)
                        for q in range(len(rest)):
                            out[q] = gain + factor * line[rest[q]]
                total += payoff[0, 0]
    return total


@njit(nogil=True, error_model="numpy")
def by_prize_set(
    types: Any, sign: Any, child: Any, kept: Any, below: Floats, without: Any, payoff: Floats
) -> float:
    """Values of shape (prize sets, pairs of hands); prize sets side by side."""
    total = 0.0
    for h in types:
        for p in range(without.shape[0]):
            for first in range(0, without.shape[1], BATCH):
                rest = without[p, first : first + BATCH]
                for e in range(sign.shape[1]):
                    if kept[h, e]:
                        c = child[h, e]
                        factor = 1.0 if c > 0 else -1.0 if c < 0 else 0.0
                        at, out, gain = max(abs(c) - 1, 0), payoff[e], sign[h, e] * (p + 1)
                        for q in range(len(rest)):
                            out[q] = gain + factor * below[rest[q], at]
                total += payoff[0, 0]
    return total


@njit(nogil=True, error_model="numpy")
def types_side_by_side(draws: Any, sign: Any, child: Any, below: Floats, payoff: Floats) -> float:
    """Values of shape (prize sets, pairs of hands); signs and children of shape (k², H)."""
    total = 0.0
    for upcard, rest in draws:
        line = below[rest]
        for first in range(0, sign.shape[1], BATCH):
            last = min(first + BATCH, sign.shape[1])
            for e in range(len(sign)):
                signs, children, out = sign[e, first:last], child[e, first:last], payoff[e]
                for q in range(last - first):
                    c = children[q]
                    factor = 1.0 if c > 0 else -1.0 if c < 0 else 0.0
                    out[q] = signs[q] * upcard + factor * line[max(abs(c) - 1, 0)]
            total += payoff[0, 0]
    return total


def nanoseconds(work: Callable[..., float], arguments: tuple[Any, ...], games: int) -> float:
    """Core time a game, once compiled."""
    work(*(each[:1] if position == 0 else each for position, each in enumerate(arguments)))
    best = np.inf
    for _ in range(REPEATS):
        start = time.process_time()
        work(*arguments)
        best = min(best, time.process_time() - start)
    return best / games * 1e9


def main() -> None:
    """Print a line per arrangement."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    k = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    types = order_types(range(1, n + 1), range(1, n + 1))
    layer: Layer = types[k]
    rests = list(combinations(range(1, n + 1), k - 1))
    without = np.array(
        [[q for q, rest in enumerate(rests) if p not in rest] for p in range(1, n + 1)], np.uint32
    )
    entries = (len(layer), k * k)
    sign, child = layer.sign.reshape(entries), layer.child.reshape(entries)
    kept = (layer.row_kept[:, :, None] & layer.column_kept[:, None, :]).reshape(entries)
    random = np.random.default_rng(1)
    below = random.normal(size=(len(types[k - 1]), len(rests)))
    payoff = np.zeros((k * k, BATCH))
    sample = random.choice(len(layer), min(len(layer), GAMES // without.size + 1), replace=False)
    sample.sort()
    games = len(sample) * without.size
    print(
        f"n = {n}, k = {k}: {len(layer)} pairs of hands, {below.nbytes / 1e6:.0f} MB of values below, "
        f"{kept.mean():.0%} of the entries kept"
    )
    for work, values in ((by_order_type, below), (by_prize_set, np.ascontiguousarray(below.T))):
        took = nanoseconds(work, (sample, sign, child, kept, values, without, payoff), games)
        print(f"{work.__name__:20} {took:7.0f} ns a game")
    draws = random.choice(without.size, max(1, GAMES // len(layer)), replace=False)
    pairs = np.column_stack([draws // without.shape[1] + 1, without.ravel()[draws]])
    arguments = (pairs, *map(np.ascontiguousarray, (sign.T, child.T, below.T)), payoff)
    took = nanoseconds(types_side_by_side, arguments, len(draws) * len(layer))
    print(f"{types_side_by_side.__name__:20} {took:7.0f} ns a game")


if __name__ == "__main__":
    main()
