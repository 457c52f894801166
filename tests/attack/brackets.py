"""Every game of a float sweep solved again, by other means, and its value held to its bound.

    python tests/attack brackets [n] [jobs]

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
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from flint import fmpq
from numba import njit

from gops_exact import solve_matrix_game
from gops_exact.game.game import Game
from gops_exact.game.order_types import Layer
from gops_exact.numbers import view
from gops_exact.solvers.floats.layer import FloatLayer, columns_below, no_cards
from gops_exact.solvers.floats.sweep import float_layers

UNIT = 2.0**-53
NOISE = 1e-11
"""Pivots and reduced costs smaller than this are rounding: entries are scaled to [1, 2]."""

OPEN = 2.0**-36
"""A bracket wider than this share of the largest payoff, 10⁻¹¹ or so, says nothing."""

DANTZIG, PIVOTS = 60, 400
"""Pivots after which Bland's rule is used, and after which there are no more."""

BLOCK = 64
"""Pairs of hands a task."""


class Recheck(NamedTuple):
    """What was found in one layer."""

    size: int  # cards a side
    games: int  # matrix games solved
    exactly: int  # values of which a bracket said nothing, so that their games were solved exactly
    distance: float  # how far a value lies from its bracket at most, in points
    share: float  # the largest distance as a share of what is allowed; above 1 is a wrong value
    width: float  # of the widest bracket of a value, in points


def recheck(layer: FloatLayer, below: FloatLayer, types: tuple[Layer, ...], jobs: int = 1):
    """Solve every game of one layer again, from the values of the layer below."""
    k, lower, sets = layer.size, below.values, layer.columns.sets
    number = {rest: place for place, rest in enumerate(below.columns.sets)}
    rests = np.array([[number[each[:t] + each[t + 1 :]] for t in range(k)] for each in sets])
    prizes = np.array(sets, dtype=np.float64)
    largest = float(prizes.max()) + below.greatest
    # A side of the bracket takes k products, sums and a quotient; so does the mean.
    own = (4 * k + 8) * UNIT * largest
    allowed = layer.bounds - below.bounds[rests].mean(axis=1) + own
    signs, children = _bids(types, k)

    def work(start: int):
        block = slice(start, start + BLOCK)
        *most, wide = check_games(
            signs[block], children[block], lower, prizes, rests, layer.values[block], allowed,
            OPEN * largest,
        )  # fmt: skip
        return *most, [(start + h, s) for h, s in wide]

    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(work, range(0, len(signs), BLOCK)))
    distances, shares, widths, wide = map(list, zip(*found, strict=True))
    again = [place for each in wide for place in each]
    for h, s in again:
        value = exact_value(signs[h], children[h], lower, prizes[s], rests[s])
        distances.append(abs(value - layer.values[h, s]))
        shares.append(distances[-1] / allowed[s])
    games = len(signs) * len(sets) * k
    return Recheck(k, games, len(again), max(distances), max(shares), max(widths))


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


def _bids(types: tuple[Layer, ...], k: int):
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


@njit(cache=True, nogil=True)
def check_games(signs, children, lower, prizes, rests, values, allowed, wide):
    """Solve every game of a block of pairs of hands: distance, share, width; what is too wide."""
    types, k, _ = signs.shape
    game = np.zeros((k, k))
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
                        later = 0.0 if c == 0 else np.sign(c) * lower[abs(c) - 1, rests[s, t]]
                        game[i, j] = prizes[s, t] * signs[h, i, j] + later
                a, b = bracket(game)
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
def bracket(game):
    """What the strategies of a square game secure, both sides."""
    k = len(game)
    low, high = -np.inf, np.inf
    for i in range(k):
        low = max(low, game[i].min())
        high = min(high, game[:, i].max())
    if low == high:
        return low, high
    row, column = strategies(game)
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
def strategies(game):
    """Strategies of a square game by the simplex method.

    Maximise Σz subject to X'z ≤ 1, z ≥ 0, where X' are the payoffs scaled to [1, 2]. The tableau
    has the columns of z, of the slacks, and of the constants; the objective is its last row.
    """
    k = len(game)
    least, most = game.min(), game.max()
    tableau, basis = np.zeros((k + 1, 2 * k + 1)), np.arange(k, 2 * k)
    for i in range(k):
        tableau[i, :k] = 1.0 + (game[i] - least) / (most - least)
        tableau[i, k + i] = tableau[i, 2 * k] = 1.0
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
        tableau[leaving] /= tableau[leaving, entering]
        for i in range(k + 1):
            if i != leaving:
                tableau[i] -= tableau[i, entering] * tableau[leaving]
    row, column = np.maximum(tableau[k, k : 2 * k], 0.0), np.zeros(k)
    for i in range(k):
        if basis[i] < k:
            column[basis[i]] = max(tableau[i, 2 * k], 0.0)
    # All bids alike where there are none.
    even = np.full(k, 1.0 / k)
    return (
        row / row.sum() if row.sum() > 0.0 else even,
        column / column.sum() if column.sum() > 0.0 else even,
    )


def main() -> None:
    """Sweep, solve again, print a line per layer."""
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    game, games = Game(n), 0
    below = no_cards(columns_below(game).at(0))
    print(" k       games    exactly  distance   of what is allowed  widest bracket")
    for layer in float_layers(game, jobs=jobs):
        found = recheck(layer, below, game.types, jobs)
        below = layer
        games += found.games
        print(
            f"{found.size:2} {found.games:11,} {found.exactly:10} {found.distance:9.1e} "
            f"{found.share:20.3f} {found.width:15.1e}",
            flush=True,
        )
    print(f"n = {n}: {games:,} games solved again")


if __name__ == "__main__":
    main()
