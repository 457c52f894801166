"""Every game of a float sweep solved again, by other means, and its value held to its bound.

    python tests/brackets.py [n] [jobs]

The sweep takes its games from tables of children, leaves out interchangeable bids, guesses bases
and adds up the middles of brackets. Here children are found by relabelling cards, every bid is a
row or a column, and each game is solved from scratch, by a saddle point or a textbook simplex with
Dantzig's rule, or Bland's if it takes long. What counts is the bracket: for the strategies x and y
that come out, whatever they are,

    min_j (xᵀX)_j  ≤  value of X  ≤  max_i (Xy)_i.

Where that is too wide to say anything, the game is solved by the package's rational simplex.

The mean of the brackets over the upcards encloses what the sweep should have found from the values
below it. The sweep claims to be off by no more than bound(P) less the mean bound of what is below;
that, and the rounding here, is all that is allowed. A basis that is not optimal would show.

Of the package the sweep's results are used, the pairs of hands, values and bounds, and for a game
in many millions the rational simplex.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from flint import fmpq
from numba import njit

from gops_exact import solve_matrix_game
from gops_exact.game.game import Game
from gops_exact.game.order_types import Layer
from gops_exact.layers.layer import FloatLayer
from gops_exact.layers.sweep import float_layers
from gops_exact.numbers import view

UNIT = 2.0**-53
NOISE = 1e-11
"""Pivots and reduced costs smaller than this are rounding: entries are scaled to [1, 2]."""

OPEN = 2.0**-36
"""A bracket wider than this share of the largest payoff, 10⁻¹¹ or so, says nothing."""

DANTZIG, PIVOTS = 60, 400
"""Pivots after which Bland's rule is used, and after which there are no more."""

BLOCK = 64
"""Pairs of hands a task."""


@dataclass(frozen=True)
class Recheck:
    """What was found in one layer.

    Attributes:
        size: cards a side.
        games: matrix games solved.
        exactly: values of which a bracket said nothing, so that their games were solved exactly.
        distance: how far a value lies from its bracket at most, in points.
        share: the largest such distance as a share of what is allowed; above 1 is a wrong value.
        width: of the widest bracket of a value, in points.
    """

    size: int
    games: int
    exactly: int
    distance: float
    share: float
    width: float


def recheck(
    types: tuple[Layer, ...], layers: Iterator[FloatLayer], jobs: int = 1
) -> Iterator[Recheck]:
    """Solve every game of every layer again; `layers` come smallest first."""
    below = None
    for layer in layers:
        yield recheck_layer(types, layer, below, jobs)
        below = layer


def recheck_layer(
    types: tuple[Layer, ...], layer: FloatLayer, below: FloatLayer | None, jobs: int = 1
) -> Recheck:
    """Solve every game of one layer again, from the values of the layer below."""
    k = layer.size
    lower = np.zeros((1, 1)) if below is None else below.values
    inherited = np.zeros(1) if below is None else below.bounds
    number = {rest: place for place, rest in enumerate(((),) if below is None else below.sets)}
    rests = np.array(
        [[number[each[:t] + each[t + 1 :]] for t in range(k)] for each in layer.sets],
        dtype=np.int64,
    )
    prizes = np.array(layer.sets, dtype=np.float64)
    largest = float(prizes.max()) + (0.0 if below is None else below.greatest)
    # A side of the bracket takes k products, sums and a quotient; so does the mean.
    own = (4 * k + 8) * UNIT * largest
    allowed = layer.bounds - inherited[rests].mean(axis=1) + own
    signs, children = _bids(types, k)

    def work(start: int) -> tuple[float, float, float, list[tuple[int, int]]]:
        block = slice(start, min(start + BLOCK, len(signs)))
        *most, wide = check_games(
            signs[block], children[block], lower, prizes, rests, layer.values[block], allowed,
            OPEN * largest,
        )  # fmt: skip
        return *most, [(start + h, s) for h, s in wide]

    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(work, range(0, len(signs), BLOCK)))
    distances, shares, widths, wide = zip(*found, strict=True)
    again = [place for each in wide for place in each]
    exact = [
        abs(exact_value(signs[h], children[h], lower, prizes[s], rests[s]) - layer.values[h, s])
        for h, s in again
    ]
    over = [distance / allowed[s] for distance, (_, s) in zip(exact, again, strict=True)]
    return Recheck(
        k,
        len(signs) * len(layer.sets) * k,
        len(again),
        max([*distances, *exact]),
        max([*shares, *over]),
        max(widths),
    )


def exact_value(signs, children, lower, prizes, rests) -> float:
    """The value of one position in rational arithmetic, from the floats below it as they are."""
    total = fmpq(0)
    for prize, rest in zip(prizes, rests, strict=True):
        later = np.where(children == 0, 0.0, np.sign(children) * lower[abs(children) - 1, rest])
        game = [
            [int(prize * s) + fmpq(*v.as_integer_ratio()) for s, v in zip(*row, strict=True)]
            for row in zip(signs.tolist(), later.tolist(), strict=True)
        ]
        total += solve_matrix_game(game, "simplex").value
    return float(view(total / len(prizes)))


def _bids(types: tuple[Layer, ...], k: int) -> tuple[np.ndarray, np.ndarray]:
    """For every pair of bids its sign, and where the rest stands below: ±(line + 1), or 0."""
    line = {pair: place for place, pair in enumerate(_pairs(types[k - 1]))}
    pairs = _pairs(types[k])
    signs = np.zeros((len(pairs), k, k))
    children = np.zeros((len(pairs), k, k), dtype=np.int64)
    for h, (one, two) in enumerate(pairs):
        for i, bid in enumerate(one):
            for j, reply in enumerate(two):
                left = one[:i] + one[i + 1 :], two[:j] + two[j + 1 :]
                signs[h, i, j] = (bid > reply) - (bid < reply)
                if left[0] != left[1]:
                    ranks = {c: r for r, c in enumerate(sorted({*left[0], *left[1]}), start=1)}
                    v, y = (tuple(ranks[c] for c in hand) for hand in left)
                    children[h, i, j] = line[v, y] + 1 if (v, y) in line else -line[y, v] - 1
    return signs, children


def _pairs(layer: Layer) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The hands of a layer as cards."""

    def cards(mask: int) -> tuple[int, ...]:
        return tuple(c + 1 for c in range(mask.bit_length()) if mask >> c & 1)

    return [
        (cards(v), cards(y)) for v, y in zip(layer.one.tolist(), layer.two.tolist(), strict=True)
    ]


@njit(cache=True, nogil=True)
def check_games(signs, children, lower, prizes, rests, values, allowed, wide):
    """Solve every game of a block of pairs of hands: distance, share, width; what is too wide."""
    types, k, _ = signs.shape
    game, tableau = np.zeros((k, k)), np.zeros((k + 1, 2 * k + 1))
    basis, row, column = np.zeros(k, np.int64), np.zeros(k), np.zeros(k)
    farthest, largest_share, widest = 0.0, 0.0, 0.0
    open_places = [(0, 0) for _ in range(0)]
    for h in range(types):
        for s in range(len(prizes)):
            low = high = 0.0
            said = True
            for t in range(k):
                for i in range(k):
                    for j in range(k):
                        c = children[h, i, j]
                        later = 0.0
                        if c > 0:
                            later = lower[c - 1, rests[s, t]]
                        elif c < 0:
                            later = -lower[-c - 1, rests[s, t]]
                        game[i, j] = prizes[s, t] * signs[h, i, j] + later
                a, b = bracket(game, tableau, basis, row, column)
                said &= b - a <= wide
                low += a / k
                high += b / k
            if not said:
                open_places.append((h, s))
                continue
            distance = max(low - values[h, s], values[h, s] - high, 0.0)
            farthest = max(farthest, distance)
            largest_share = max(largest_share, distance / allowed[s])
            widest = max(widest, high - low)
    return farthest, largest_share, widest, open_places


@njit(cache=True, nogil=True)
def bracket(game, tableau, basis, row, column):
    """What the strategies of a square game secure, both sides."""
    k = len(game)
    low, high = -np.inf, np.inf
    for i in range(k):
        low = max(low, game[i].min())
        high = min(high, game[:, i].max())
    if low == high:
        return low, high
    solve(game, tableau, basis, row, column)
    for i in range(k):
        upper = lower = 0.0
        for j in range(k):
            upper += game[i, j] * column[j]
            lower += game[j, i] * row[j]
        if i == 0:
            low, high = lower, upper
        else:
            low, high = min(low, lower), max(high, upper)
    return low, high


@njit(cache=True, nogil=True)
def solve(game, tableau, basis, row, column):
    """Strategies of a square game by the simplex method, in `row` and `column`.

    Maximise Σz subject to X'z ≤ 1, z ≥ 0, where X' are the payoffs scaled to [1, 2]. The tableau
    has the columns of z, of the slacks, and of the constants; the objective is its last row.
    """
    k = len(game)
    least, most = game.min(), game.max()
    tableau[:] = 0.0
    for i in range(k):
        for j in range(k):
            tableau[i, j] = 1.0 + (game[i, j] - least) / (most - least)
        tableau[i, k + i] = tableau[i, 2 * k] = 1.0
        basis[i] = k + i
        tableau[k, i] = -1.0
    for count in range(PIVOTS):
        entering = -1
        for j in range(2 * k):
            if tableau[k, j] < -NOISE and (
                entering < 0 or (count < DANTZIG and tableau[k, j] < tableau[k, entering])
            ):
                entering = j
        if entering < 0:
            break
        leaving, ratio = -1, np.inf
        for i in range(k):
            if tableau[i, entering] > NOISE:
                r = tableau[i, 2 * k] / tableau[i, entering]
                if r < ratio or (r == ratio and basis[i] < basis[leaving]):
                    leaving, ratio = i, r
        if leaving < 0:
            break
        basis[leaving] = entering
        pivot = tableau[leaving, entering]
        for j in range(2 * k + 1):
            tableau[leaving, j] /= pivot
        for i in range(k + 1):
            factor = tableau[i, entering]
            if i != leaving and factor != 0.0:
                for j in range(2 * k + 1):
                    tableau[i, j] -= factor * tableau[leaving, j]
    row[:] = 0.0
    column[:] = 0.0
    for i in range(k):
        row[i] = max(tableau[k, k + i], 0.0)
        if basis[i] < k:
            column[basis[i]] = max(tableau[i, 2 * k], 0.0)
    normalise(row)
    normalise(column)


@njit(cache=True, nogil=True)
def normalise(weights):
    """Weights as probabilities; all alike where there are none."""
    total = weights.sum()
    for i in range(len(weights)):
        weights[i] = weights[i] / total if total > 0.0 else 1.0 / len(weights)


def main() -> None:
    """Sweep, solve again, print a line per layer."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    game, games = Game(n), 0
    print(" k       games    exactly  distance   of what is allowed  widest bracket")
    for found in recheck(game.types, float_layers(game, jobs=jobs), jobs):
        games += found.games
        print(
            f"{found.size:2} {found.games:11,} {found.exactly:10} {found.distance:9.1e} "
            f"{found.share:20.3f} {found.width:15.1e}",
            flush=True,
        )
    print(f"n = {n}: {games:,} games solved again")


if __name__ == "__main__":
    main()
