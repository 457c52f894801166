"""How many pure strategies and subgames there are (Ross 1970, §3)."""

from math import comb, prod

from gops_exact.game.cards import positive_integer

LONGEST_COUNT = 6
"""Cards a side up to which the pure strategies are counted: at seven the count has 4.9 million
digits."""


def subgames(n: int, *, fixed_order: bool = False) -> dict[int, int]:
    """How many matrix games of each size the recursion solves if it keeps positions as dealt.

    (N choose j)³ · j games of j cards a side: two hands, a prize set and an upcard; if the order of
    the prizes is known, (N choose j)², for the prizes left and the upcard follow from j (Ross 1970,
    §3).

    Args:
        n: cards a side.
        fixed_order: whether the order of the prizes is known.

    Returns:
        Games by the number of cards a side, from the first move down.

    Raises:
        ValueError: if n is not a positive integer.

    >>> subgames(4)
    {4: 4, 3: 192, 2: 432, 1: 64}
    >>> subgames(4, fixed_order=True)
    {4: 1, 3: 16, 2: 36, 1: 16}
    """
    positive_integer(n, "n")
    sizes = range(n, 0, -1)
    return {j: comb(n, j) ** 2 if fixed_order else j * comb(n, j) ** 3 for j in sizes}


def printed_strategies(n: int, *, fixed_order: bool = False) -> int:
    """The number of pure strategies as printed: equation (3), and its like for a known order.

        N^N · Π_{k<N} k^(k(k+1)),   order known:  N · Π_{k<N} k^(k+1)

    (Ross 1970, §3.) A factor counts the ways to answer the present upcard and the opponent's last
    bid, everything earlier being given. A strategy may answer every past differently, so these are
    too few from N = 3 on, and from N = 4 on if the order is known: see :func:`pure_strategies`.

    Args:
        n: cards a side.
        fixed_order: whether the order of the prizes is known.

    Raises:
        ValueError: if n is not a positive integer.

    >>> printed_strategies(4)
    8707129344
    """
    positive_integer(n, "n")
    later = range(1, n)
    if fixed_order:
        return int(n * prod(k ** (k + 1) for k in later))
    return int(n**n * prod(k ** (k * (k + 1)) for k in later))


def pure_strategies(n: int, *, fixed_order: bool = False) -> int:
    """The number of pure strategies of a player, own bids not counted as news.

    After an upcard and a bid, each of the opponent's N cards is answered by a strategy for N − 1
    cards, chosen for itself, so that

        S(N) = (N · S(N−1)^N)^N,   order known:  T(N) = N · T(N−1)^N,   S(1) = T(1) = 1.

    Args:
        n: cards a side, at most six.
        fixed_order: whether the order of the prizes is known.

    Raises:
        ValueError: if n is not an integer from 1 to six.

    >>> [pure_strategies(n) for n in (1, 2, 3)]
    [1, 4, 7077888]
    >>> [pure_strategies(n, fixed_order=True) for n in (1, 2, 3, 4)]
    [1, 2, 24, 1327104]
    """
    if positive_integer(n, "n") > LONGEST_COUNT:
        raise ValueError(f"n must be at most {LONGEST_COUNT}, got {n}")
    count = 1
    for cards in range(2, n + 1):
        count = cards * count**cards
        if not fixed_order:
            count **= cards
    return count
