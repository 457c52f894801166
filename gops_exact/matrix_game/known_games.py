"""Zero-sum matrix games of the literature, by name, with labels and what is known of them.

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
"""Pure strategies a player: their payoffs fill a gigabyte or more."""

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


def morra(fingers: int = 2) -> MatrixGame:
    """Return Morra: both show 1 to so many fingers and call the sum; who alone calls it right wins it.

    The game is antisymmetric. With two fingers the optimal strategies are the mixtures of two; with three
    fingers one of them calls 4 always, and shows 1, 2, 3 in the ratio 5 : 4 : 3 (Dresher 1961, *Games of
    Strategy*; Dantzig 1963, ch. 13).
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
    """Return Colonel Blotto's game: both spread their coins over fields; more coins win a field, worth 1.

    The payoff is the number of fields won less the number lost (Borel 1921; Hart 2008, *Discrete Colonel
    Blotto and General Lotto games*). The game is antisymmetric.

    Args:
        coins: each player's; all of them are used.
        fields: numbered, so that 1 and 2 coins are not 2 and 1.

    >>> blotto(10, 5).shape
    (1001, 1001)
    """
    coins = integer(coins, "coins", 0, MOST_BIDS)
    fields = positive_integer(fields, "fields", MOST_BIDS)
    count = comb(coins + fields - 1, fields - 1)
    integer(count, f"the ways to spread {coins} coins over {fields} fields", most=MOST_BIDS)
    # Coins in a line, and the places of the dividers between fields among them.
    dividers = np.array(list(combinations(range(coins + fields - 1), fields - 1)), np.int64)
    bids = np.diff(dividers.reshape(count, -1), prepend=-1, append=coins + fields - 1) - 1
    payoff = np.zeros((count, count), dtype=np.int64)
    for field in bids.T:
        payoff += np.sign(field[:, None] - field)
    labels = [" ".join(map(str, bid)) for bid in bids.tolist()]
    return MatrixGame(payoff, labels, labels, f"Colonel Blotto, {coins} coins, {fields} fields")


def rock_paper_scissors(weapons: int = 3) -> MatrixGame:
    """Return rock, paper, scissors with an odd number of weapons in a circle.

    Each beats the half of the others that stand before it. The only optimal strategy is to play all of
    them alike (Fisher & Ryan 1992, *Optimal strategies for a generalized "scissors, paper, and stone"
    game*).
    """
    count = positive_integer(weapons, "weapons", MOST_BIDS)
    if count % 2 == 0:
        raise ValueError(f"weapons must be odd, got {count}")
    place = np.arange(count)
    ahead = (place[:, None] - place) % count
    payoff = np.where(ahead == 0, 0, np.where(ahead <= count // 2, 1, -1))
    labels = ("rock", "paper", "scissors") if count == 3 else ()
    return MatrixGame(payoff, labels, labels, f"rock, paper, scissors with {count} weapons")


def biased_rock_paper_scissors() -> MatrixGame:
    """Return biased rock, paper, scissors, on which the visits of UCT do not converge to the optimum.

    The only optimal strategy is 1/16, 10/16, 5/16 (Shafiei, Sturtevant & Schaeffer 2009, *Comparing UCT
    versus CFR in simultaneous games*; Bošanský, Lisý, Lanctot, Čermák & Winands 2016, section 6.1).
    """
    labels = ("rock", "paper", "scissors")
    payoff = [[0, -25, 50], [25, 0, -5], [-50, 5, 0]]
    return MatrixGame(payoff, labels, labels, "biased rock, paper, scissors")


def hilbert(n: int) -> MatrixGame:
    """Return the game of Hilbert's matrix with the signs of a chessboard, (−1)^(i + j) / (i + j − 1).

    The inverse of Hilbert's matrix has these signs, so that of the payoffs is positive. Hence every optimal
    strategy plays all bids (Kaplansky 1945), and the value is 1 over the sum of the inverse's entries

        (i + j − 1) C(n + i − 1, n − j) C(n + j − 1, n − i) C(i + j − 2, i − 1)²

    (Choi 1983, *Tricks or treats with the Hilbert matrix*). It falls so quickly with n that floats see none
    of it from n = 12 on.
    """
    return _chessboard(n, lambda i, j: fmpq(1, i + j - 1), "Hilbert's matrix")


def pascal(n: int) -> MatrixGame:
    """Return the game of Pascal's matrix with the signs of a chessboard, (−1)^(i + j) C(i + j − 2, i − 1).

    It is completely mixed, for the reason given at :func:`hilbert`. The value is 1 over the sum of the
    integers Σ_k C(k, i) C(k, j), k = 0 … n − 1, over all i and j from 0 on, that is 3 / (4^n − 1).
    """
    return _chessboard(n, lambda i, j: fmpq(comb(i + j - 2, i - 1)), "Pascal's matrix")


def _chessboard(n: int, entry: Callable[[int, int], fmpq], name: str) -> MatrixGame:
    places = range(1, positive_integer(n, "n", MOST_BIDS) + 1)
    payoff = [[(-1) ** (i + j) * entry(i, j) for j in places] for i in places]
    return MatrixGame(payoff, title=f"{name}, {n} × {n}")


def random_antisymmetric(n: int, seed: int = 0, largest: int = 10**9) -> MatrixGame:
    """Return an antisymmetric game of independent payoffs from −largest to largest.

    If no optimal strategies tie, which is likely for long payoffs, each set of an odd number of bids is
    equally likely to be the support (Brandl 2017, *The distribution of optimal strategies in symmetric
    zero-sum games*).
    """
    largest = positive_integer(largest, "largest")
    return _antisymmetric(n, seed, lambda source: source.randint(-largest, largest), "random game")


def random_tournament(n: int, seed: int = 0) -> MatrixGame:
    """Return a tournament game: of two different bids one beats the other, either with probability 1/2.

    It has only one optimal strategy, of an odd number of bids (Fisher & Ryan 1992), k of them with
    probability C(n, k) / 2^(n − 1) (Fisher & Reeves 1995, *Optimal strategies for random tournament games*).
    """
    return _antisymmetric(n, seed, lambda source: source.choice((-1, 1)), "random tournament")


def _antisymmetric(n: int, seed: int, draw: Callable[[Random], int], name: str) -> MatrixGame:
    n, seed = positive_integer(n, "n", MOST_BIDS), integer(seed, "seed", 0, MOST_SEED)
    source = Random(seed)  # no secret
    payoff = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            payoff[j][i] = draw(source)
            payoff[i][j] = -payoff[j][i]
    return MatrixGame(payoff, title=f"{name}, {n} × {n}, seed {seed}")
