"""Results of Ross (1970, *Goofspiel: the game of pure strategy*, ORC 70-25).

Against a player who discards at random: the matching strategy and its winnings (§2). The numbers of
pure strategies and of subgames (§3). The game whose prizes stay hidden until the bids are made (§4).

Two statements of the report need a condition or a correction: :func:`greatest_chance` gives it for
corollary 1 (i), :func:`pure_strategies` for equation (3).

Hands V and Y are distinct positive integers, prizes P as many positive integers, repeats allowed; in
formulas all are ascending. Every function raises a ``ValueError`` for a position or a number that is
none.
"""

from collections.abc import Iterable
from functools import cache
from math import comb, prod

from flint import fmpq, fmpz_poly

from gops_exact.base.arguments import flag, integer, positive_integer
from gops_exact.game.game import as_position
from gops_exact.game.rules import Hand, winner_of, without

MOST_CARDS = 200
"""The most cards a side for which products and powers are written out: some 4 million digits."""

LONGEST_COUNT = 6
"""The most cards a side for which pure strategies are counted: for seven the count has 4.9 million
digits."""


def matching_value(one: Iterable[int], two: Iterable[int], prizes: Iterable[int]) -> fmpq:
    """Return the expected gain of matching against a player who discards at random.

    To match is to bid the i-th lowest card for the i-th lowest prize, in whichever order the prizes
    come. No strategy has a larger expectation (Ross 1970, theorem 1), and it is

        1/N · Σ_i P_i · (number of j with Y_j < V_i  −  number of j with Y_j > V_i)

    (corollary 1 (ii)), with hand V of the player who matches, the other hand Y and prizes P.

    >>> deck = range(1, 14)
    >>> matching_value(deck, deck, deck)
    28
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    gains = (p * _ahead(v, hand_two) for p, v in zip(deck, hand_one, strict=True))
    return fmpq(sum(gains), max(1, len(deck)))


def matching_value_of_deck(n: int) -> fmpq:
    """Return the expected gain of matching a random player with the cards 1 … N: (N² − 1)/6.

    Ross 1970, corollary 1 (iii); 28 points at N = 13.

    >>> print(matching_value_of_deck(13), matching_value_of_deck(4))
    28 5/2
    """
    n = positive_integer(n, "n")
    return fmpq((n - 1) * (n + 1), 6)


def matching_distribution(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int]
) -> dict[int, fmpq]:
    """Return the distribution of the gain of matching against a player who discards at random.

    The gain depends on the pairing of the cards bid, in whichever order the prizes come, and all N!
    pairings are equally likely. They are counted by a generating function over the subsets of the other
    hand, 2^N polynomials.

    Returns:
        {gain of the player with hand `one` in points: probability}, the possible gains ascending.

    >>> matching_distribution([1, 2], [1, 2], [1, 2])
    {0: 1/2, 1: 1/2}
    >>> deck = range(1, 14)
    >>> full = matching_distribution(deck, deck, deck)
    >>> print(sum(chance for gain, chance in full.items() if gain > 0))  # to win
    77746939/80870400
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    pairings = fmpz_poly([1])
    known = {0: pairings}
    # A subset of j cards stands for the other player's bids against the j lowest. Gains are shifted by
    # the prize, so that exponents are never negative: z^0 lost, z^p tied, z^(2p) won.
    for prize, card in zip(deck, hand_one, strict=True):
        following: dict[int, fmpz_poly] = {}
        for spent, ways in known.items():
            for j, reply in enumerate(hand_two):
                if not spent >> j & 1:
                    after = spent | 1 << j
                    shifted = ways.left_shift(prize * (1 + winner_of(card, reply)))
                    following[after] = following.get(after, fmpz_poly()) + shifted
        known = following
    (pairings,) = known.values()
    total = pairings(1)
    return {
        gain: fmpq(ways, total)
        for gain, ways in enumerate(pairings.coeffs(), start=-sum(deck))
        if ways
    }


def greatest_chance(
    one: Iterable[int], two: Iterable[int], prizes: Iterable[int], more_than: int
) -> fmpq:
    """Return the greatest probability of gaining more than a number of points from a random player.

    All strategies count, also those that look at the points won so far and aim at `more_than`. Matching
    attains this probability (Ross 1970, corollary 1 (i)) if no card of one player equals a card of the
    other. With ties it may not: with the cards 1, 2, 3 each, the chance of gaining more than 1 point is
    1/3 by matching and 4/9 at best. In the proof, if a bid may tie, a gain that is called stochastically
    larger is larger in expectation only.

    Dynamic programming over all positions takes 40 s for 6 cards.

    Args:
        one: hand of the player who chooses.
        two: hand of the player who discards at random.
        prizes: the prizes.
        more_than: the gain to exceed, in points.

    >>> greatest_chance([1, 2, 3], [1, 2, 3], [1, 2, 3], 1)
    4/9
    >>> matching_distribution([1, 2, 3], [1, 2, 3], [1, 2, 3])
    {0: 1/3, 1: 1/3, 2: 1/6, 4: 1/6}
    """

    @cache
    def chance(one: Hand, two: Hand, prizes: Hand, missing: int) -> fmpq:
        if not prizes:
            return fmpq(int(missing < 0))
        total = fmpq(0)
        for prize in prizes:
            left, best = without(prizes, prize), fmpq(0)
            for bid in one:
                rest, chances = without(one, bid), fmpq(0)
                for reply in two:
                    short = missing - prize * winner_of(bid, reply)
                    chances += chance(rest, without(two, reply), left, short)
                best = max(best, chances)
            total += best
        return total / len(prizes) ** 2

    return chance(*as_position(one, two, prizes), integer(more_than, "more_than"))


def subgames(n: int, *, fixed_order: bool = False) -> dict[int, int]:
    """Count the matrix games of each size that the recursion solves without any reduction.

    There are (N choose j)³ · j games of j cards a side: two hands, a prize set and an upcard. If the
    order of the prizes is known there are (N choose j)²: the prizes left and the upcard follow from j
    (Ross 1970, §3). They are returned as {cards a side: games}, from the first move down.

    >>> subgames(4)
    {4: 4, 3: 192, 2: 432, 1: 64}
    >>> subgames(4, fixed_order=True)
    {4: 1, 3: 16, 2: 36, 1: 16}
    """
    n, fixed_order = positive_integer(n, "n", MOST_CARDS), flag(fixed_order, "fixed_order")
    sizes = range(n, 0, -1)
    return {j: comb(n, j) ** 2 if fixed_order else j * comb(n, j) ** 3 for j in sizes}


def printed_strategies(n: int, *, fixed_order: bool = False) -> int:
    """Return the number of pure strategies as printed, by equation (3) or for a known order.

        N^N · Π_{k<N} k^(k(k+1)),   order known:  N · Π_{k<N} k^(k+1)

    (Ross 1970, §3.) A factor counts the ways to answer the present upcard and the opponent's last
    bid after one past. A strategy may answer every past differently. The numbers are therefore too
    small from N = 3 on, and from N = 4 on if the order is known: see :func:`pure_strategies`.

    >>> printed_strategies(4)
    8707129344
    """
    n, fixed_order = positive_integer(n, "n", MOST_CARDS), flag(fixed_order, "fixed_order")
    later = range(1, n)
    if fixed_order:
        return int(n * prod(k ** (k + 1) for k in later))
    return int(n**n * prod(k ** (k * (k + 1)) for k in later))


def pure_strategies(n: int, *, fixed_order: bool = False) -> int:
    """Return the number of pure strategies of a player; own bids are not part of the history.

    After an upcard and a bid, a strategy for N − 1 cards is chosen for each of the opponent's N cards
    separately, so that

        S(N) = (N · S(N−1)^N)^N,   order known:  T(N) = N · T(N−1)^N,   S(1) = T(1) = 1.

    N is at most 6.

    >>> [pure_strategies(n) for n in (1, 2, 3)]
    [1, 4, 7077888]
    >>> [pure_strategies(n, fixed_order=True) for n in (1, 2, 3, 4)]
    [1, 2, 24, 1327104]
    """
    n, fixed_order = positive_integer(n, "n", LONGEST_COUNT), flag(fixed_order, "fixed_order")
    count = 1
    for cards in range(2, n + 1):
        count = cards * count**cards
        if not fixed_order:
            count **= cards
    return count


def hidden_value(one: Iterable[int], two: Iterable[int], prizes: Iterable[int]) -> fmpq:
    """Return the value of the game for points in which bids are made before the prize is seen.

    Ties are discarded. Discarding at random is optimal for both players (Ross 1970, theorem 2),
    whatever their hands. A player who does so has this expectation against any opponent:

        1/N² · Σ_k P_k · Σ_{i, j} sign(V_i − Y_j)

    >>> hidden_value([2, 4], [1, 3], [12, 13])
    25/2
    """
    hand_one, hand_two, deck = as_position(one, two, prizes)
    return fmpq(sum(deck) * sum(_ahead(v, hand_two) for v in hand_one), max(1, len(deck)) ** 2)


def _ahead(card: int, hand: Hand) -> int:
    """Return how many cards of a hand a card beats, less those that beat it."""
    return sum(winner_of(card, other) for other in hand)
