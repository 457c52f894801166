"""Zero-sum matrix games of the literature, with labels and known results.

>>> from gops_exact import known_games, optimal_set
>>> game = known_games.morra(2)
>>> game.rows
('1, says 2', '1, says 3', '2, says 3', '2, says 4')
>>> optimal_set(game).row
((0, 4/7, 3/7, 0), (0, 3/5, 2/5, 0))
"""

from collections.abc import Callable
from itertools import combinations
from math import comb
from random import Random

import numpy as np
from flint import fmpq

from gops_exact.base.arguments import integer, positive_integer
from gops_exact.matrix_game.matrix import MatrixGame

MOST_BIDS = 10_000
"""Greatest number of pure strategies of a player. The payoffs of such a game take a gigabyte of memory or more."""

MOST_FINGERS, MOST_SEED = 100, 2**64 - 1

__all__ = [
    "biased_rock_paper_scissors",
    "blotto",
    "hilbert",
    "morra",
    "pascal",
    "random_antisymmetric",
    "random_tournament",
    "rock_paper_scissors",
]
__dir__ = __all__.copy


def morra(fingers: int = 2) -> MatrixGame:
    """Return Morra: both players show fingers and guess the sum; if only one guess is right, that player wins the sum.

    The game is antisymmetric. With two fingers the optimal strategies are the mixtures of two extreme ones.
    With three fingers one optimal strategy always calls 4, and shows 1, 2, 3 in the ratio 5 : 4 : 3 (Dresher
    1961, *Games of Strategy*; Dantzig 1963, ch. 13).

    Args:
        fingers: the greatest number of fingers that a player can show, from 1 to 100; the least is 1.

    Returns:
        The game, with fingers² pure strategies for each player and payoffs in points.

    Raises:
        ValueError: if `fingers` is not an integer from 1 to 100.

    >>> morra(3).shape
    (9, 9)
    """
    most = positive_integer(fingers, "fingers", MOST_FINGERS)
    shown = range(1, most + 1)
    bids = [(own, own + other) for own in shown for other in shown]
    payoff = [
        [(own + other) * ((call == own + other) - (reply == own + other)) for other, reply in bids]
        for own, call in bids
    ]
    labels = [f"{own}, says {call}" for own, call in bids]
    return MatrixGame(payoff, labels, labels, f"Morra, {most} fingers")


def blotto(coins: int, fields: int) -> MatrixGame:
    """Return Colonel Blotto's game: players spread coins over fields; the player with more coins wins a field.

    The payoff is the number of fields won less the number lost (Borel 1921; Hart 2008, *Discrete Colonel
    Blotto and General Lotto games*). The game is antisymmetric.

    Args:
        coins: the number of coins of each player, who uses all of them.
        fields: the number of fields. Their order counts: (1, 2) and (2, 1) coins are two strategies.

    Returns:
        The game, with a pure strategy for each way to spread the coins.

    Raises:
        ValueError: if there are more than 10,000 ways to spread the coins.

    >>> blotto(10, 5).shape
    (1001, 1001)
    """
    coins = integer(coins, "coins", 0, MOST_BIDS)
    fields = positive_integer(fields, "fields", MOST_BIDS)
    count = comb(coins + fields - 1, fields - 1)
    integer(count, f"the ways to spread {coins} coins over {fields} fields", most=MOST_BIDS)
    # Stars and bars: a strategy is a line of coins with dividers between fields. Each row of `dividers` has the
    # positions of the dividers of one strategy.
    dividers = np.array(list(combinations(range(coins + fields - 1), fields - 1)), np.int64)
    bids = np.diff(dividers.reshape(count, -1), prepend=-1, append=coins + fields - 1) - 1
    payoff = np.zeros((count, count), dtype=np.int64)
    for field in bids.T:
        payoff += np.sign(field[:, None] - field)
    labels = [" ".join(map(str, bid)) for bid in bids.tolist()]
    return MatrixGame(payoff, labels, labels, f"Colonel Blotto, {coins} coins, {fields} fields")


def rock_paper_scissors(weapons: int = 3) -> MatrixGame:
    """Return rock, paper, scissors with an odd number of weapons in a circle.

    Each weapon beats the (weapons − 1)/2 weapons before it. The only optimal strategy plays all weapons with
    equal probability (Fisher & Ryan 1992, *Optimal strategies for a generalized "scissors, paper, and stone"
    game*).

    Args:
        weapons: the number of weapons, odd.

    Returns:
        The game, with the payoffs 1, 0 and −1.

    Raises:
        ValueError: if `weapons` is not an odd integer from 1 to 10,000.

    >>> print(rock_paper_scissors().payoff)
    [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    """
    count = positive_integer(weapons, "weapons", MOST_BIDS)
    if count % 2 == 0:
        raise ValueError(f"weapons must be odd, got {count}")
    weapon = np.arange(count)
    ahead = (weapon[:, None] - weapon) % count
    payoff = np.where(ahead == 0, 0, np.where(ahead <= count // 2, 1, -1))
    labels = ("rock", "paper", "scissors") if count == 3 else ()
    return MatrixGame(payoff, labels, labels, f"rock, paper, scissors with {count} weapons")


def biased_rock_paper_scissors() -> MatrixGame:
    """Return biased rock, paper, scissors, for which the visit counts of UCT do not converge to the optimum.

    The only optimal strategy is 1/16, 10/16, 5/16 (Shafiei, Sturtevant & Schaeffer 2009, *Comparing UCT
    versus CFR in simultaneous games*; Bošanský, Lisý, Lanctot, Čermák & Winands 2016, section 6.1).
    """
    labels = ("rock", "paper", "scissors")
    payoff = [[0, -25, 50], [25, 0, -5], [-50, 5, 0]]
    return MatrixGame(payoff, labels, labels, "biased rock, paper, scissors")


def hilbert(n: int) -> MatrixGame:
    """Return the game of Hilbert's matrix with the signs of a chessboard, (−1)^(i + j) / (i + j − 1).

    The inverse of Hilbert's matrix has the same signs, so all entries of the inverse of the payoffs are
    positive. Hence every optimal strategy plays all bids (Kaplansky 1945), and the value is 1 divided by the
    sum of the inverse's entries

        (i + j − 1) C(n + i − 1, n − j) C(n + j − 1, n − i) C(i + j − 2, i − 1)²

    (Choi 1983, *Tricks or treats with the Hilbert matrix*). The value falls quickly with n: from n = 12 on,
    floats cannot tell it from 0.

    Args:
        n: the number of pure strategies of each player, from 1 to 10,000.

    Returns:
        The game, shape (n, n).

    Raises:
        ValueError: if `n` is not an integer from 1 to 10,000.

    >>> hilbert(2).payoff
    [[1, -1/2], [-1/2, 1/3]]
    """
    return _chessboard(n, lambda i, j: fmpq(1, i + j - 1), "Hilbert's matrix")


def pascal(n: int) -> MatrixGame:
    """Return the game of Pascal's matrix with the signs of a chessboard, (−1)^(i + j) C(i + j − 2, i − 1).

    The inverse of the payoffs has the positive entries Σ_k C(k, i) C(k, j), k = 0 … n − 1, for i and j from 0
    to n − 1. Hence every optimal strategy plays all bids (Kaplansky 1945), and the value is 1 divided by the
    sum of these entries, 3 / (4^n − 1).

    Args:
        n: the number of pure strategies of each player, from 1 to 10,000.

    Returns:
        The game, shape (n, n).

    Raises:
        ValueError: if `n` is not an integer from 1 to 10,000.

    >>> pascal(3).payoff
    [[1, -1, 1], [-1, 2, -3], [1, -3, 6]]
    """
    return _chessboard(n, lambda i, j: fmpq(comb(i + j - 2, i - 1)), "Pascal's matrix")


def _chessboard(n: int, entry: Callable[[int, int], fmpq], name: str) -> MatrixGame:
    bids = range(1, positive_integer(n, "n", MOST_BIDS) + 1)
    payoff = [[(-1) ** (i + j) * entry(i, j) for j in bids] for i in bids]
    return MatrixGame(payoff, title=f"{name}, {n} × {n}")


def random_antisymmetric(n: int, seed: int = 0, largest: int = 10**9) -> MatrixGame:
    """Return an antisymmetric game of independent random integers from −largest to largest.

    If `largest` is large, the optimal strategy is nearly always unique, and each set of an odd number of bids is
    equally likely to be its support (Brandl 2017, *The distribution of optimal strategies in symmetric zero-sum
    games*).

    Args:
        n: the number of pure strategies of each player, from 1 to 10,000.
        seed: the seed of the random numbers, from 0 to 2^64 − 1.
        largest: the largest payoff, at least 1.

    Returns:
        The game, shape (n, n); equal arguments return equal games.

    Raises:
        ValueError: if an argument is out of its range.

    >>> random_antisymmetric(2, seed=1, largest=9).payoff
    [[0, -5], [5, 0]]
    """
    largest = positive_integer(largest, "largest")
    return _antisymmetric(n, seed, lambda source: source.randint(-largest, largest), "random game")


def random_tournament(n: int, seed: int = 0) -> MatrixGame:
    """Return a random tournament game: in each pair of different bids, either one beats the other with probability 1/2.

    The game has only one optimal strategy, which plays an odd number of bids (Fisher & Ryan 1992). This
    number is k with probability C(n, k) / 2^(n − 1), for odd k (Fisher & Reeves 1995, *Optimal strategies for
    random tournament games*).

    Args:
        n: the number of pure strategies of each player, from 1 to 10,000.
        seed: the seed of the random numbers, from 0 to 2^64 − 1.

    Returns:
        The game, shape (n, n), with the payoffs 1, 0 and −1; equal arguments return equal games.

    Raises:
        ValueError: if an argument is out of its range.

    >>> random_tournament(3, seed=1).payoff
    [[0, -1, -1], [1, 0, 1], [1, -1, 0]]
    """
    return _antisymmetric(n, seed, lambda source: source.choice((-1, 1)), "random tournament")


def _antisymmetric(n: int, seed: int, draw: Callable[[Random], int], name: str) -> MatrixGame:
    n, seed = positive_integer(n, "n", MOST_BIDS), integer(seed, "seed", 0, MOST_SEED)
    source = Random(seed)  # no need for a cryptographic generator
    payoff = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            payoff[j][i] = draw(source)
            payoff[i][j] = -payoff[j][i]
    return MatrixGame(payoff, title=f"{name}, {n} × {n}, seed {seed}")
