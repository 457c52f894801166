"""Every game of a float sweep solved again, by other means, and its value held to its bound.

    python studies/float_intervals.py [n] [jobs]

The sweep takes its games from tables of children, leaves out interchangeable bids, guesses bases
and adds up the middles of intervals. Here children are found by relabelling cards, and every bid is a
row or a column. What counts is the interval: for any strategies x and y, whoever proposes them,

    min_j (xᵀX)_j  ≤  value of X  ≤  max_i (Xy)_i.

Intervals that are too wide to say anything are counted.

The mean of the intervals over the upcards encloses what the sweep should have found from the values
below it. The sweep claims to be off by no more than bound(P) less the mean bound of what is below;
that, and the rounding here, is all that is allowed. A basis that is not optimal would show.

Of the package the sweep's results are used, the pairs of hands, values and bounds, and the strategies of
``solve_matrix_games``.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gops_exact import solve_matrix_games
from gops_exact.game.game import Game
from gops_exact.game.order_types import Layer
from gops_exact.solvers.floats.layer import FloatLayer, columns_below, no_cards
from gops_exact.solvers.floats.sweep import float_layers

Array = NDArray[Any]

UNIT = 2.0**-53

OPEN = 2.0**-36
"""An interval wider than this share of the largest payoff, 10⁻¹¹ or so, says nothing."""

BLOCK = 64
"""Pairs of hands a task."""


class Recheck(NamedTuple):
    """What was found in one layer."""

    size: int  # cards a side
    games: int  # matrix games solved
    open: int  # values of which an interval says nothing
    distance: float  # how far a value lies from its interval at most, in points
    share: float  # the largest distance as a share of what is allowed; above 1 is a wrong value
    width: float  # of the widest interval of a value, in points


def recheck(
    layer: FloatLayer, below: FloatLayer, types: tuple[Layer, ...], jobs: int = 1
) -> Recheck:
    """Solve every game of one layer again, from the values of the layer below."""
    k, lower, sets = layer.size, below.values, layer.columns.sets
    number = {rest: place for place, rest in enumerate(below.columns.sets)}
    rests = np.array([[number[each[:t] + each[t + 1 :]] for t in range(k)] for each in sets])
    prizes = np.array(sets, dtype=np.float64)
    largest = float(prizes.max()) + below.greatest
    # A side of the interval takes k products, sums and a quotient; so does the mean.
    own = (4 * k + 8) * UNIT * largest
    allowed = layer.bounds - below.bounds[rests].mean(axis=1) + own
    signs, children = _bids(types, k)

    def work(start: int) -> tuple[float, float, float, int]:
        """Distance, share and width of a block of pairs of hands; how many intervals are too wide."""
        block = slice(start, start + BLOCK)
        low, high, wide = security_levels(
            signs[block], children[block], lower, prizes, rests, largest
        )
        values = layer.values[block]
        distance = np.where(wide, 0.0, np.maximum(0.0, np.maximum(low - values, values - high)))
        width = np.where(wide, 0.0, high - low).max()
        return distance.max(), (distance / allowed).max(), width, int(wide.sum())

    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(work, range(0, len(signs), BLOCK)))
    distances, shares, widths, wide = zip(*found, strict=True)
    games = len(signs) * len(sets) * k
    return Recheck(k, games, sum(wide), max(distances), max(shares), max(widths))


def security_levels(
    signs: Array, children: Array, lower: Array, prizes: Array, rests: Array, largest: float
) -> tuple[Array, Array, Array]:
    """What strategies guarantee at every set of prizes, on average over the upcards: of both players, and where too wide."""
    k = signs.shape[1]
    later = np.where(children == 0, 0.0, np.sign(children))[:, :, :, None, None]
    later = later * lower[np.abs(children) - 1][:, :, :, rests]
    games = np.moveaxis(signs[:, :, :, None, None] * prizes + later, (1, 2), (3, 4))
    solved = solve_matrix_games(games.reshape(-1, k, k))
    row, column = (side.reshape(*games.shape[:3], k) for side in (solved.row, solved.column))
    row, column = (side / side.sum(axis=3, keepdims=True) for side in (row, column))
    low = np.einsum("hstij,hsti->hstj", games, row).min(axis=3)
    high = np.einsum("hstij,hstj->hsti", games, column).max(axis=3)
    return low.mean(axis=2), high.mean(axis=2), (high - low > OPEN * largest).any(axis=2)


def _bids(types: tuple[Layer, ...], k: int) -> tuple[Array, Array]:
    """For every pair of bids its sign, and where the rest stands below: ±(line + 1), or 0."""
    line = {pair: place for place, pair in enumerate(_pairs(types[k - 1]))}
    pairs = _pairs(types[k])
    signs = np.zeros((len(pairs), k, k))
    children = np.zeros((len(pairs), k, k), dtype=np.int64)
    for (h, i, j), _ in np.ndenumerate(signs):
        one, two = pairs[h]
        left = one[:i] + one[i + 1 :], two[:j] + two[j + 1 :]
        signs[h, i, j] = np.sign(one[i] - two[j])
        if left[0] != left[1]:
            ranks = {c: r for r, c in enumerate(sorted({*left[0], *left[1]}), start=1)}
            v, y = (tuple(ranks[c] for c in hand) for hand in left)
            children[h, i, j] = line[v, y] + 1 if (v, y) in line else -line[y, v] - 1
    return signs, children


def _pairs(layer: Layer) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The hands of a layer as cards."""

    def cards(mask: int) -> tuple[int, ...]:
        return tuple(c + 1 for c in range(mask.bit_length()) if mask >> c & 1)

    masks = zip(layer.one.tolist(), layer.two.tolist(), strict=True)
    return [(cards(one), cards(two)) for one, two in masks]


def main() -> None:
    """Sweep, solve again, print a line per layer."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    game, games = Game(n), 0
    below = no_cards(columns_below(game).at(0))
    print(" k       games       open  distance   of what is allowed  widest interval")
    for layer in float_layers(game, jobs=jobs):
        found = recheck(layer, below, game.types, jobs)
        below = layer
        games += found.games
        print(
            f"{found.size:2} {found.games:11,} {found.open:10} {found.distance:9.1e} "
            f"{found.share:20.3f} {found.width:15.1e}",
            flush=True,
        )
    print(f"n = {n}: {games:,} games solved again")


if __name__ == "__main__":
    main()
